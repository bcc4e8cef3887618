"""Why a step was left out: rules that contradict, and how a row would come to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from mdw.model.answers.steps import Step
from mdw.model.tree import Location

RuleKind = Literal["question", "clause", "filter", "join", "population"]


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule of a contradiction: the mapping it stands in ("" for the question itself), its text and its place.

    ``kind`` says what rule it is, None where only its text counts; ``attribute`` is what a clause or population fills.
    """

    mapping: str
    condition: str
    location: Location | None
    kind: RuleKind | None = None
    attribute: str = ""

    def to_dict(self) -> dict[str, Any]:
        place = str(self.location) if self.location else ""
        return {"mapping": self.mapping, "condition": self.condition, "location": place}


LinkKind = Literal["rule", "copy", "left", "contradiction"]


@dataclass(frozen=True, slots=True)
class Link:
    """One part of a chain: a rule as its mapping has it, a copy (SOURCE into TARGET), or what contradicts in the end.

    What is ``left`` is an attribute that a mapping does not fill, so that it is NULL, and that a rule speaks of.

    ``location`` is that of the rule or copy; the question has none, nor has what contradicts. ``attribute`` is what a
    rule is about, "" where it is about several, and what is copied into.
    """

    kind: LinkKind
    mapping: str
    text: str
    location: Location | None
    attribute: str = ""

    def to_dict(self) -> dict[str, Any]:
        place = str(self.location) if self.location else ""
        found = {"kind": self.kind, "mapping": self.mapping, "text": self.text, "location": place}
        return found | {"attribute": self.attribute}


@dataclass(frozen=True, slots=True)
class Group:
    """One contradiction: rules of one way that no row can meet together, and any part of which some row can.

    ``chain`` tells it as a row would come: a rule, what is copied on from there, the next rule, what contradicts.
    ``way`` has the steps of that way, from the source to the question.
    """

    rules: tuple[Reason, ...]
    chain: tuple[Link, ...] = ()
    way: tuple[Step, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            "chain": [link.to_dict() for link in self.chain],
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a step can carry no row: see `Dropped`, which hands all of it on."""

    because: tuple[Reason, ...] = ()
    groups: tuple[Group, ...] = ()
    complete: bool = True


@dataclass(frozen=True, eq=False, repr=False)
class Dropped:
    """A step that can carry no row to the question.

    ``dead_end`` is true where rows could leave by it towards the question, but none ever comes to it. Why it was
    dropped is worked out when first asked for, of all steps of an answer together: it may take longer than the answer.
    """

    step: Step
    explain: Explanation | Callable[[], Explanation]
    dead_end: bool = False

    @cached_property
    def explanation(self) -> Explanation:
        """Why the step was dropped."""
        return self.explain if isinstance(self.explain, Explanation) else self.explain()

    @property
    def because(self) -> tuple[Reason, ...]:
        """Rules that keep every row from going this way; without any one of them some row would."""
        return self.explanation.because

    @property
    def groups(self) -> tuple[Group, ...]:
        """The contradictions among these rules, so many that every way holds one; those of the question first."""
        return self.explanation.groups

    @property
    def complete(self) -> bool:
        """Whether every way was looked at; else some way may be closed by other rules than these."""
        return self.explanation.complete

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dropped) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash((self.step, self.dead_end))

    def __repr__(self) -> str:
        return f"Dropped({self.step!r}, {self.explanation!r}, dead_end={self.dead_end})"

    def __reduce__(self) -> tuple[type[Dropped], tuple[Step, Explanation, bool]]:
        return Dropped, self._told()

    def _told(self) -> tuple[Step, Explanation, bool]:
        return self.step, self.explanation, self.dead_end

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.step.mapping,
            "source": self.step.source,
            "target": self.step.target,
            "because": [reason.to_dict() for reason in self.because],
            "dead_end": self.dead_end,
            "groups": [group.to_dict() for group in self.groups],
            "complete": self.complete,
        }
