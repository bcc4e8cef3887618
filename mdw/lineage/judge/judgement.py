"""What judging gives: the steps that can pass, the attributes rows can reach, and what the answer says of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from mdw.conditions.solver import Verdict
from mdw.lineage.judge.bounds import Bounds
from mdw.lineage.judge.doubts import WIDENED, Doubts
from mdw.lineage.judge.exact import Reach
from mdw.lineage.judge.show import Showing
from mdw.lineage.reasons.explain import Explainer
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge
from mdw.model.answers.basis import DECIDERS, Decider
from mdw.model.answers.ends import End, Readable
from mdw.model.name import row_of

ALTERNATIVES = 8
"""Witnesses shown as the lower bound of a condition."""
BOUNDED = "the condition is too large to be worked out: these are bounds"


class Ends(Protocol):
    """Writes the condition of an attribute in which ways end; which tier found it decides how."""

    def read(self, name: str, /) -> Readable:
        """The condition of the attribute, with an example row."""


@dataclass(frozen=True, slots=True)
class MergedEnds:
    """Conditions from the exact tier: upper bounds where something on the way is not known."""

    showing: Showing
    reach: Reach
    doubts: Doubts

    def read(self, name: str) -> Readable:
        """The condition that rows of the attribute must meet."""
        shown = self.showing.show(self.reach.conditions[name], row_of(name))
        return _doubted(shown, (*self.doubts.at(name), *[WIDENED] * self.reach.weakened))


@dataclass(frozen=True, slots=True)
class BoundedEnds:
    """Conditions between bounds: the witnesses from below, the box around what arrives from above."""

    showing: Showing
    bounds: Bounds
    doubts: Doubts

    def read(self, name: str) -> Readable:
        """The OR of the witnesses where they are all there is, else the box around."""
        bounds, layout, row = self.bounds, self.bounds.boxes.layout, row_of(name)
        cubes = [dict(layout.restricted(witness.box)) for witness in bounds.witnesses.get(name, ())]
        complete = bounds.complete.get(name)
        below = self.showing.products(cubes if complete else cubes[:ALTERNATIVES], row) if cubes else None
        doubts = self.doubts.at(name)
        if below and complete:
            return _doubted(below, doubts)
        # Rows within a witness arrive, rows outside the box around do not; of those between nothing is known.
        above = self.showing.products([dict(layout.restricted(bounds.hulls[name]))], row)
        found = _doubted(above, (*doubts, BOUNDED))
        if below is None:
            return replace(found, witness=(), partners=())
        return replace(found, at_least=below.whole, witness=below.witness, partners=below.partners)


@dataclass(frozen=True, slots=True)
class Arriving:
    """By target of an impact the condition on rows of the asked attribute; upper bounds if a cycle was widened."""

    conditions: Mapping[str, int]
    widened: bool


@dataclass(frozen=True, slots=True)
class ArrivingEnds:
    """For each target of an impact the condition on the asked attribute's rows that arrive there."""

    showing: Showing
    asked: str
    arriving: Arriving
    doubts: Doubts

    def read(self, name: str) -> Readable:
        """The condition on rows of the asked attribute; anything where nothing is known."""
        found = self.arriving
        if name not in found.conditions:
            return Readable("TRUE", "TRUE", exact=False, at_least="FALSE", open=(BOUNDED,))
        shown = self.showing.show(found.conditions[name], row_of(self.asked))
        return replace(_doubted(shown, (*self.doubts.at(name), *[WIDENED] * found.widened)), common="")


def _doubted(shown: Readable, doubts: Iterable[str]) -> Readable:
    """A condition that is exact if nothing is in doubt."""
    open_ = tuple(sorted({*doubts, *shown.open}))
    return replace(shown, exact=not open_, at_least="FALSE" if open_ else "", open=open_)


@dataclass
class Verdicts:
    """Of steps, and constants as steps, by number: whether a row goes from an end through them to the question.

    ``by`` says what settled a step; where nothing is said it was ``mostly``.
    """

    mostly: Decider
    steps: dict[int, Verdict] = field(default_factory=dict)
    constants: dict[int, Verdict] = field(default_factory=dict)
    by: dict[int, Decider] = field(default_factory=dict)

    def keeps(self, edge: Edge) -> bool:
        """Whether a step is kept: whatever is not proved impossible is."""
        return self.steps.get(edge.number, "contradictory") != "contradictory"

    def writes(self, edge: Edge) -> bool:
        """Whether a constant is kept."""
        return self.constants.get(edge.number, "contradictory") != "contradictory"

    @property
    def kept(self) -> dict[int, bool]:
        """By step whether it is kept."""
        return {number: verdict != "contradictory" for number, verdict in self.steps.items()}

    def decided(self, edges: Iterable[Edge]) -> tuple[tuple[Decider, int], ...]:
        """How many of the steps were settled by what."""
        found: Counter[Decider] = Counter()
        for edge in edges:
            undecided = self.steps.get(edge.number) == "undecided"
            found["undecided" if undecided else self.by.get(edge.number, self.mostly)] += 1
        return tuple((decider, found[decider]) for decider in DECIDERS)

    def settle(self, other: Verdicts) -> None:
        """Take over from another judgement what is undecided here and not there."""
        # Both tiers are sound: what either proves holds.
        for own, found in ((self.steps, other.steps), (self.constants, other.constants)):
            for number in [number for number, verdict in own.items() if verdict == "undecided"]:
                own[number] = found.get(number, "undecided")
                self.by[number] = other.by.get(number, other.mostly)

    def doubt(self, unsure: set[int]) -> None:
        """What is kept without proof is undecided."""
        for own in (self.steps, self.constants):
            own |= {number: "undecided" for number in unsure if own.get(number) == "possible"}


@dataclass
class Judgement:
    """What the tiers found. Steps go by their numbers.

    ``through`` are the steps that rows could take towards the question, wherever they come from. ``arrives``: where the
    asked attribute is an end itself, whether a row of it meets the question.
    """

    asked: str
    crossing: Crossing
    through: Mapping[int, bool]
    verdicts: Verdicts
    ends: Ends
    explainer: Explainer
    arrives: bool = True
    notes: list[str] = field(default_factory=list)

    def undecided(self, edge: Edge) -> bool:
        """Whether a step or a constant is kept because nothing settles whether a row takes it."""
        verdicts = self.verdicts
        return "undecided" in (verdicts.steps.get(edge.number), verdicts.constants.get(edge.number))

    def end(self, name: str) -> End:
        """An attribute in which ways end, with its condition, written when first read."""
        return End(name, partial(self.ends.read, name))

    def assumptions(self) -> tuple[str, ...]:
        """What was taken to be carried on the way."""
        return tuple(
            f"{mapping} does not populate {attribute}: it is taken to carry {carried}"
            for mapping, attribute, carried in sorted(self.crossing.assumed)
        )
