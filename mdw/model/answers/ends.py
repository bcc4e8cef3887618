"""Where an answer ends, and the condition rows there must meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

Plain = None | str | int | bool | Decimal | date
"""A value of an example row."""
Row = tuple[tuple[str, Plain], ...]
"""An example row: pairs of attribute and value."""
Form = Literal["whole", "own row", "values", "parts", "one case"]
"""How a condition was made short enough to be read."""


@dataclass(frozen=True, slots=True)
class Readable:
    """A condition ready to be read: a text of the mapping language and SQL (`End` says what the fields mean)."""

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


@dataclass(frozen=True, eq=False, repr=False)
class End:
    """Where a lineage (golden source) or an impact (final target) ends, and the condition rows there must meet.

    ``exact``: in every database a row of the source meets ``sql`` iff it arrives, the tables joined holding rows that
    mappings can make; else ``open`` says what is not known, ``condition`` is the upper bound and ``at_least`` the
    lower. ``whole`` is the condition in full, as ``sql`` is; ``condition`` is short, and ``form`` says how:

    - "whole": it is the whole;
    - "own row": what the whole asks of the source's own row, if the rows joined to it fit;
    - "values": for each attribute of the source the values that occur in that; "parts": some of these, ``more`` the
      number of those left out;
    - "one case": one of the alternatives.

    ``cases`` counts the alternatives of the whole. ``common`` is the strongest condition common to all rules on the
    way, for display only. ``witness`` is an example row of the source, and ``partners`` has a row for each join it
    needs: with these rows alone in the tables ``sql`` selects the source's. Without an example ``witness`` is empty,
    as it is where the condition asks nothing.

    The condition is written when first read: to make it short may take longer than to find the answer.
    """

    attribute: str
    write: Readable | Callable[[], Readable]

    @cached_property
    def readable(self) -> Readable:
        """The condition in words."""
        return self.write if isinstance(self.write, Readable) else self.write()

    @property
    def condition(self) -> str:
        return self.readable.condition

    @property
    def sql(self) -> str:
        return self.readable.sql

    @property
    def whole(self) -> str:
        return self.readable.whole or self.readable.condition

    @property
    def form(self) -> Form:
        return self.readable.form

    @property
    def cases(self) -> int:
        return self.readable.cases

    @property
    def more(self) -> int:
        return self.readable.more

    @property
    def exact(self) -> bool:
        return self.readable.exact

    @property
    def open(self) -> tuple[str, ...]:
        return self.readable.open

    @property
    def at_least(self) -> str:
        return self.readable.at_least

    @property
    def common(self) -> str:
        return self.readable.common

    @property
    def witness(self) -> Row:
        return self.readable.witness

    @property
    def partners(self) -> tuple[tuple[str, Row], ...]:
        return self.readable.partners

    def __eq__(self, other: object) -> bool:
        return isinstance(other, End) and self._told() == other._told()

    def __hash__(self) -> int:
        return hash(self.attribute)

    def __repr__(self) -> str:
        return f"End({self.attribute!r}, {self.readable!r})"

    def __reduce__(self) -> tuple[type[End], tuple[str, Readable]]:
        return End, self._told()

    def _told(self) -> tuple[str, Readable]:
        return self.attribute, self.readable

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"attribute": self.attribute, "condition": self.condition, "sql": self.sql}
        found |= {"whole": self.whole, "form": self.form, "cases": self.cases, "more": self.more}
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
