"""A part of an answer: what lies around the attributes that somebody has opened, one level each.

A page shows a lineage of thousands of steps by its nearest ones. Opening an attribute adds its name to the address of
the page; the part is made anew from the whole answer and that list, so the server remembers nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.steps import Step


@dataclass(frozen=True, slots=True)
class View:
    """The part, and which of its attributes can be opened further (how many steps that shows), or closed again."""

    answer: Answer
    closed: dict[str, int]
    opened: tuple[str, ...]


def view(
    answer: Answer, opened: Iterable[str] = (), *, levels: int = 1, indirect: bool = True, dropped: bool = True
) -> View:
    """The steps within some levels of the asked attribute and next to each of ``opened`` that is reached.

    For lineage towards where values come from, for impact towards where they go. Without ``indirect``, only steps along
    which values flow; without ``dropped``, only those that can carry a row.
    """
    back = isinstance(answer, Lineage)
    kept = [step for step in answer.steps if indirect or step.kind == "direct"]
    lost = [one for one in answer.dropped if dropped and (indirect or one.step.kind == "direct")]
    beyond: dict[str, list[Step]] = {}
    for step in [*kept, *(one.step for one in lost)]:
        beyond.setdefault(step.target if back else step.source, []).append(step)
    wanted = set(opened)
    # Breadth first, and only through what is open: an attribute opened behind a closed one stays hidden.
    shown, waiting = {answer.attribute: 1}, [answer.attribute]
    for name in waiting:
        for step in beyond.get(name, ()):
            other = step.source if back else step.target
            if other not in shown and (other in wanted or shown[name] < levels):
                shown[other] = shown[name] + 1
                waiting.append(other)

    crossed = {step.mapping for name in shown for step in beyond.get(name, ()) if step.kind == "direct"}

    def seen(step: Step) -> bool:
        if step.kind == "indirect" and step.mapping in crossed:  # what decides over rows, decides over every attribute
            return True
        return (step.target if back else step.source) in shown

    steps = tuple(step for step in kept if seen(step))
    drops = tuple(one for one in lost if seen(one.step))
    reached = {step.source if back else step.target for step in (*steps, *(one.step for one in drops))}
    constants = tuple(one for one in answer.constants if not back or one.target in shown)
    undecided = tuple(step for step in answer.undecided if seen(step))
    deciding = tuple(one for one in answer.indirect if one.attribute in reached)
    if isinstance(answer, Lineage):
        answer = replace(answer, generated=tuple(one for one in answer.generated if one.target in shown))
    part = replace(answer, steps=steps, dropped=drops, constants=constants, undecided=undecided, indirect=deciding)
    closed = {name: len(beyond[name]) for name in sorted(reached - shown.keys()) if name in beyond}
    return View(
        _ending(part, reached | shown.keys()), closed, tuple(name for name in shown if name != answer.attribute)
    )


def _ending(answer: Answer, shown: set[str]) -> Answer:
    """Only the ends that are shown."""
    if isinstance(answer, Lineage):
        golden = tuple(end for end in answer.golden if end.attribute in shown)
        interrupted = tuple(name for name in answer.interrupted if name in shown)
        return replace(answer, golden=golden, interrupted=interrupted)
    return replace(answer, final=tuple(end for end in answer.final if end.attribute in shown))
