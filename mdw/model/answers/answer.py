"""The answers: values that say where data comes from or goes to, under which conditions, and what was left out.

Conditions are texts of the mapping language (``TRUE`` when there is none) and of SQL over the entity they speak of.
They are texts, not expressions: an answer is kept, sent and shown by programs that know nothing of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

from mdw.model.answers.display import Shown
from mdw.model.rules import Kind, Mode, Policy, Subtype
from mdw.model.tree import Location

Plain = None | str | int | Decimal | date
"""A value of an example row."""
Row = tuple[tuple[str, Plain], ...]
"""An example row: pairs of attribute and value."""
Form = Literal["whole", "own row", "values", "parts", "one case"]
"""How a condition was made short enough to be read."""


@dataclass(frozen=True, slots=True)
class Step:
    """One source attribute used by one mapping for one target attribute; ``condition`` is the rule as written."""

    mapping: str
    source: str
    target: str
    kind: Kind
    subtype: Subtype
    condition: str
    location: Location

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.mapping,
            "source": self.source,
            "target": self.target,
            "kind": self.kind,
            "subtype": self.subtype,
            "condition": self.condition,
            "location": str(self.location),
        }


@dataclass(frozen=True, slots=True)
class Reason:
    """One rule of a contradiction: the mapping it stands in ("" for the question itself), its text and its place."""

    mapping: str
    condition: str
    location: Location | None

    def to_dict(self) -> dict[str, Any]:
        place = str(self.location) if self.location else ""
        return {"mapping": self.mapping, "condition": self.condition, "location": place}


LinkKind = Literal["rule", "copy", "contradiction"]


@dataclass(frozen=True, slots=True)
class Link:
    """One part of a chain: a rule as its mapping has it, a copy (SOURCE into TARGET), or what contradicts in the end.

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
    """

    rules: tuple[Reason, ...]
    chain: tuple[Link, ...] = ()

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


@dataclass(frozen=True, slots=True)
class End:
    """Where a lineage (golden source) or an impact (final target) ends, and the condition rows there must meet.

    ``exact``: in every database a row of the source meets ``sql`` iff it arrives; else ``open`` says what is not known,
    ``condition`` is the upper bound and ``at_least`` the lower. ``whole`` is the condition in full, as ``sql`` is;
    ``condition`` is short, and ``form`` says how:

    - "whole": it is the whole;
    - "own row": what the whole asks of the source's own row, if the rows joined to it fit;
    - "values": for each attribute of the source the values that occur in that; "parts": some of these, ``more`` the
      number of those left out;
    - "one case": one of the alternatives.

    ``cases`` counts the alternatives of the whole. ``common`` is the strongest condition common to all rules on the
    way, for display only. ``witness`` is an example row of the source, and ``partners`` has a row for each join it
    needs: with these rows alone in the tables ``sql`` selects the source's. Without an example ``witness`` is empty,
    as it is where the condition asks nothing.
    """

    attribute: str
    condition: str
    sql: str
    exact: bool = True
    at_least: str = ""
    common: str = ""
    # Pairs of attribute and value; a dict would make the answer unhashable.
    witness: Row = ()
    whole: str = ""
    form: Form = "whole"
    cases: int = 1
    more: int = 0
    open: tuple[str, ...] = ()
    partners: tuple[tuple[str, Row], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"attribute": self.attribute, "condition": self.condition, "sql": self.sql}
        found |= {"whole": self.whole or self.condition, "form": self.form, "cases": self.cases, "more": self.more}
        found |= {"exact": self.exact, "witness": _json_row(self.witness)}
        found["partners"] = [{"entity": entity, "row": _json_row(row)} for entity, row in self.partners]
        if not self.exact:
            found |= {"at_least": self.at_least, "open": list(self.open)}
        if self.common:
            found["common"] = self.common
        return found


def _json_row(row: Row) -> dict[str, str | int | float | None]:
    """A row for JSON: dates as ISO text; a number that no JSON number says exactly is a text."""
    return {name: _json_value(value) for name, value in row}


def _json_value(value: Plain) -> str | int | float | None:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value) if Decimal(repr(float(value))) == value else str(value)
    return value


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that a mapping writes itself."""

    mapping: str
    target: str
    value: str
    location: Location

    def to_dict(self) -> dict[str, Any]:
        return {"mapping": self.mapping, "target": self.target, "value": self.value, "location": str(self.location)}


@dataclass(frozen=True, slots=True)
class Indirect:
    """An attribute that decides whether or which value arrives, but never is that value."""

    attribute: str
    subtype: Subtype

    def to_dict(self) -> dict[str, Any]:
        return {"attribute": self.attribute, "subtype": self.subtype}


@dataclass(frozen=True, slots=True)
class Lineage(Shown):
    """Where the values of ``attribute`` come from (seed 000, chapters 3.2 and 6).

    ``golden`` and ``interrupted`` are where it ends: in entities that no mapping fills, and in attributes that no
    mapping fills of entities that are filled. ``steps`` are kept, ``undecided`` those of them that no proof settles,
    ``dropped`` the rest; ``assumptions`` say what was taken for granted, ``notes`` what of the question was not looked
    at.
    """

    attribute: str
    when: str
    mode: Mode
    unpopulated: Policy | None
    golden: tuple[End, ...]
    constants: tuple[Constant, ...]
    interrupted: tuple[str, ...]
    indirect: tuple[Indirect, ...]
    steps: tuple[Step, ...]
    dropped: tuple[Dropped, ...]
    undecided: tuple[Step, ...] = ()
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reached: frozenset[str] = field(default=frozenset(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-ready values."""
        return {
            "question": "lineage",
            **_question(self),
            "golden": [end.to_dict() for end in self.golden],
            "interrupted": [{"attribute": name} for name in self.interrupted],
            **_rest(self),
        }


@dataclass(frozen=True, slots=True)
class Impact(Shown):
    """What the values of ``attribute`` feed (seed 000, chapter 9): `Lineage` forwards.

    Each attribute where values go no further stands in one of three: ``final`` where nothing reads its entity,
    ``unused`` where mappings read its entity but not it, ``stopped`` where none of its readers takes these rows.
    """

    attribute: str
    when: str
    mode: Mode
    unpopulated: Policy | None
    final: tuple[End, ...]
    constants: tuple[Constant, ...]
    indirect: tuple[Indirect, ...]
    steps: tuple[Step, ...]
    dropped: tuple[Dropped, ...]
    undecided: tuple[Step, ...] = ()
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    reached: frozenset[str] = field(default=frozenset(), repr=False)
    unused: tuple[str, ...] = ()
    stopped: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-ready values."""
        return {
            "question": "impact",
            **_question(self),
            "final": [end.to_dict() for end in self.final],
            "unused": [{"attribute": name} for name in self.unused],
            "stopped": [{"attribute": name} for name in self.stopped],
            **_rest(self),
        }


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the values of ``attribute`` come from, without the ways: one record of a whole warehouse's lineage.

    ``undecided``: not all of them are sure to arrive; none is missing.
    """

    attribute: str
    golden: tuple[str, ...] = ()
    interrupted: tuple[str, ...] = ()
    constants: tuple[Constant, ...] = ()
    undecided: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The record as plain JSON-ready values."""
        return {
            "attribute": self.attribute,
            "golden": list(self.golden),
            "interrupted": list(self.interrupted),
            "constants": [constant.to_dict() for constant in self.constants],
            "undecided": self.undecided,
        }


# Two classes and no base with options: what ends a lineage and what ends an impact are different things to a reader.
Answer = Lineage | Impact


def _question(answer: Answer) -> dict[str, Any]:
    # What was asked stands in every answer: a file of it must be readable without the command that made it.
    return {
        "attribute": answer.attribute,
        "when": answer.when,
        "mode": answer.mode,
        "unpopulated": answer.unpopulated or "default",
    }


def _rest(answer: Answer) -> dict[str, Any]:
    return {
        "constants": [constant.to_dict() for constant in answer.constants],
        "indirect": [source.to_dict() for source in answer.indirect],
        "steps": [step.to_dict() for step in answer.steps],
        "dropped": [dropped.to_dict() for dropped in answer.dropped],
        "undecided": [step.to_dict() for step in answer.undecided],
        "assumptions": list(answer.assumptions),
        "notes": list(answer.notes),
    }
