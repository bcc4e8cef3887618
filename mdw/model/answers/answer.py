"""The answers: values that say where data comes from or goes to, under which conditions, and what was left out.

Conditions are texts of the mapping language (``TRUE`` when there is none) and of SQL over the entity they speak of.
They are texts, not expressions: an answer is kept, sent and shown by programs that know nothing of rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
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


@dataclass(frozen=True, slots=True)
class Dropped:
    """A step that can carry no row to the question, and a smallest set of rules that contradict.

    ``dead_end`` is true where the step itself could carry rows but everything beyond it contradicts.
    """

    step: Step
    because: tuple[Reason, ...]
    dead_end: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "mapping": self.step.mapping,
            "source": self.step.source,
            "target": self.step.target,
            "because": [reason.to_dict() for reason in self.because],
            "dead_end": self.dead_end,
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
    """What the values of ``attribute`` feed (seed 000, chapter 9): `Lineage` forwards, its ends in ``final``."""

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

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON-ready values."""
        return {
            "question": "impact",
            **_question(self),
            "final": [end.to_dict() for end in self.final],
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
