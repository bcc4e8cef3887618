"""Where ways lead on: an answer and the entities it is to do without -> the attributes of others at their ends.

What is left out, or written, at an attribute of such an entity is told of the attributes that its ways lead to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.reasons import Dropped
from mdw.model.answers.steps import Constant, Generated, Step
from mdw.model.name import entity_of

W = TypeVar("W", Constant, Generated)


def key_of(step: Step) -> tuple[str, str, str]:
    """What makes two steps one."""
    return step.mapping, step.source, step.target


class Onward:
    """Where the ways of an answer lead that begin or end in an inner entity."""

    def __init__(self, answer: Lineage | Impact, inner: Collection[str]) -> None:
        self._inner = inner
        self._answer = answer
        self._into: defaultdict[str, list[Step]] = defaultdict(list)
        self._from: defaultdict[str, list[Step]] = defaultdict(list)
        direct = [step for step in answer.steps if step.kind == "direct"]
        # A dropped step leads on by dropped ones too: above a step that no row passes it may be that none is kept.
        for step in (*direct, *(one.step for one in answer.dropped)):
            self._into[step.target].append(step)
            self._from[step.source].append(step)

    def dropped(self) -> Iterator[Dropped]:
        """The steps left out between entities that are not inner, each once."""
        met: set[tuple[str, str, str]] = set()
        for one in self._answer.dropped:
            for source in self._ends(one.step.source, self._into, back=True):
                for mapping, target in self._targets(one.step):
                    step = replace(one.step, source=source, target=target, mapping=mapping)
                    if key_of(step) not in met:
                        met.add(key_of(step))
                        yield one if step == one.step else Dropped(step, one.explain, one.dead_end)

    def written(self, every: Iterable[W]) -> tuple[W, ...]:
        """What mappings write or make, told of the attributes where it arrives."""
        found: dict[W, None] = {}
        for one in every:
            for target in self._ends(one.target, self._from, back=False):
                found[replace(one, target=target)] = None
        return tuple(found)

    def _targets(self, step: Step) -> Iterator[tuple[str, str]]:
        """Where a step leads in the end, each with the mapping that fills it."""
        if entity_of(step.target) not in self._inner:
            yield step.mapping, step.target
            return
        for target in self._ends(step.target, self._from, back=False):
            last = next((one for one in self._into[target] if entity_of(one.source) in self._inner), step)
            yield last.mapping, target

    def _ends(self, name: str, steps: Mapping[str, list[Step]], *, back: bool) -> list[str]:
        """The attributes of other entities that an attribute's ways lead to; the attribute itself, if it is one."""
        found: dict[str, None] = {}
        met, pending = {name}, [name]
        while pending:
            at = pending.pop()
            if entity_of(at) not in self._inner:
                found[at] = None
                continue
            for step in steps.get(at, ()):
                following = step.source if back else step.target
                if following not in met:
                    met.add(following)
                    pending.append(following)
        return list(found)
