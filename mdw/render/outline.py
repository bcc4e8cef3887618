"""An answer as a tree of bounded size: from the asked attribute towards where its values come from or go to.

An answer is a graph: an attribute that is reached on a thousand ways stands in it once. As a tree it would stand there
a thousand times, so its branches are grown where it is met first, and everywhere else it says "see above".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mdw.model.answers.answer import Answer, Lineage
from mdw.model.answers.steps import Step
from mdw.render.words import Written, ends, role, written

DEEPEST = 24
WIDEST = 24


@dataclass(frozen=True, slots=True)
class Branch:
    """An attribute and the steps that lead to it from the branch above.

    ``seen`` says that its branches stand further up already, ``cut`` how many of them are not shown.
    """

    attribute: str
    mark: str
    steps: tuple[Step, ...]
    branches: tuple[Branch, ...] = ()
    constants: tuple[Written, ...] = ()
    seen: bool = False
    cut: int = 0


@dataclass(frozen=True, slots=True)
class Outline:
    """The tree and how many of the answer's direct steps it shows."""

    root: Branch
    shown: int
    total: int


def outline(answer: Answer, *, depth: int | None = None, limit: int = 120) -> Outline:
    """The tree of an answer: as deep as asked, else as deep as stays within ``limit`` attributes."""
    grower = _Grower(answer)
    if depth is not None:
        return grower.grow(depth, None)
    # Grown anew for each depth: every tree tried but the last is within the limit, so all of them are small.
    best = grower.grow(1, None)
    for deeper in range(2, DEEPEST + 1):
        found = grower.grow(deeper, limit)
        if grower.count > limit:
            break
        best = found
        if not grower.stopped:
            break
    return best


class _Grower:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.following = _following(answer)
        self.constants = _constants(answer)
        self.marks = _marks(answer)
        self.total = sum(len(steps) for group in self.following.values() for steps in group.values())
        self.count = 0
        self.shown = 0
        self.stopped = 0
        self.grown: set[str] = set()

    def grow(self, depth: int, limit: int | None) -> Outline:
        """The tree down to ``depth``; growth stops soon after ``limit`` attributes."""
        self.count = self.shown = self.stopped = 0
        self.grown = set()
        root = self._branch(self.answer.attribute, (), depth, limit)
        return Outline(root, self.shown, self.total)

    def _branch(self, name: str, steps: tuple[Step, ...], depth: int, limit: int | None) -> Branch:
        self.count += 1
        self.shown += len(steps)
        mark = self.marks.get(name, "")
        below = self.following.get(name, {})
        # An attribute with nothing below it is as short again as a reference to it.
        if name in self.grown and (below or name in self.constants):
            return Branch(name, mark, steps, seen=True)
        if depth == 0 or (limit is not None and self.count > limit):
            self.stopped += bool(below)
            return Branch(name, mark, steps, cut=len(below))
        self.grown.add(name)
        wide = list(below.items())[:WIDEST]
        branches = tuple(self._branch(other, tuple(group), depth - 1, limit) for other, group in wide)
        return Branch(name, mark, steps, branches, tuple(self.constants.get(name, ())), cut=len(below) - len(wide))


def _following(answer: Answer) -> Mapping[str, dict[str, list[Step]]]:
    """Direct steps by the end nearer to the asked attribute, then by the other end."""
    found: dict[str, dict[str, list[Step]]] = {}
    backwards = isinstance(answer, Lineage)
    for step in answer.steps:
        if step.kind == "direct":
            near, far = (step.target, step.source) if backwards else (step.source, step.target)
            found.setdefault(near, {}).setdefault(far, []).append(step)
    return found


def _constants(answer: Answer) -> dict[str, list[Written]]:
    found: dict[str, list[Written]] = {}
    for constant in written(answer):
        found.setdefault(constant.target, []).append(constant)
    return found


def _marks(answer: Answer) -> dict[str, str]:
    if not isinstance(answer, Lineage):
        return {end.attribute: role(answer) for end in ends(answer)}
    interrupted = dict.fromkeys(answer.interrupted, "interrupted: mappings fill its entity, but not this attribute")
    return interrupted | {end.attribute: role(answer) for end in answer.golden}
