"""One fact of the tables: what it says and where, and what messages call it.

>>> row = fact_row(((POPULATION, 2, 0), (0, 0, 0, "attribute"), "attribute", "T.A", "t.a", "3:x", None, NOTHING))
>>> written(row, {}), called(row)
('t.a', 'population 2')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from mdw.language.scope import plain_name
from mdw.model.errors import InputError
from mdw.model.tree import Location
from mdw.readers.tables.outlines import Component
from mdw.readers.tables.schema import (
    CLAUSE,
    COMPONENT,
    CONDITION,
    EXPRESSION,
    FILTER,
    HEAD,
    JOIN,
    NAVIGATION,
    POPULATION,
    USING,
    WITH,
)


class FactRow(NamedTuple):
    """One fact as it comes from the tables (see `mdw.readers.tables.schema.FACT`).

    ``owner`` is to what it belongs, its part, population and clause; ``component`` is what it says of the outline of
    the clause. A fact that is a whole population (see `mdw.readers.tables.copying`) has a ``source``, what it copies:
    identifier, content and place.
    """

    owner: tuple[int, int, int]
    component: Component
    role: str
    name: str | None
    content: str | None
    place: str | None
    problem: str | None
    source: tuple[str | None, str | None, str | None]


# There are ten for each mapping: made as a tuple one takes half the time.
fact_row: Callable[[tuple[Any, ...]], FactRow] = partial(tuple.__new__, FactRow)
MappingFacts: TypeAlias = tuple[str, Sequence[FactRow]]
NOTHING = None, None, None
"""What a fact copies that is no whole population."""
LONGEST_PLACE = 40
"""Characters of a place; no file has more lines than so many digits say."""
# A fact has a place: as a tuple it is one in half the time.
_location = partial(tuple.__new__, Location)


def written(row: FactRow, roles: Mapping[str, str]) -> str:
    """What a leaf says, whose attribute may be named by ``roles``; InputError where that is not what it means."""
    name, content = row.name, row.content
    # A name is written out only where it was spelled otherwise than its identifier.
    if content is None:
        content = name
        if content is None:
            raise InputError(f"{called(row)} has neither content nor identifier")
    elif name is not None and plain_name(content, roles) != name:
        raise InputError(f"{called(row)} is written {content}, which does not mean {name}")
    return content


def place_of(row: FactRow, file: str) -> Location | None:
    """Where a fact stands in its file; InputError where that is no place."""
    place = row.place
    if place is None:
        return None
    line, _, column = place.partition(":")
    if not (line.isdecimal() and column.isdecimal()) or len(place) > LONGEST_PLACE:
        said = place if len(place) <= LONGEST_PLACE else f"{place[:LONGEST_PLACE]}…"
        raise InputError(f"{called(row)} is at {said}, which is no line:column")
    return _location((file, int(line), int(column)))


def located(file: str, place: str | None) -> Location | None:
    """A place that is known to be one."""
    if place is None:
        return None
    line, _, column = place.partition(":")
    return _location((file, int(line), int(column)))


def clause_called(part: int, population: int, clause: int) -> str:
    """What the clause is called that components are part of."""
    if part == COMPONENT:
        return f"clause {population} of rows"
    what = "expression" if part == EXPRESSION else "condition"
    return f"the {what} of clause {clause} of population {population}" if population else "the condition of the filter"


_CALLED = {
    HEAD: "the {role}",
    POPULATION: "population {population}",
    WITH: "clause {clause} of population {population}",
    FILTER: "the filter",
    NAVIGATION: "navigation {population}",
    USING: "pair {clause} of navigation {population}",
    JOIN: "join {population}",
    CLAUSE: "clause {population} of rows",
}


def called(row: FactRow) -> str:
    """What a fact is called."""
    part, population, clause = row.owner
    if part in (EXPRESSION, CONDITION, COMPONENT):
        return f"component {row.component[0]} of {clause_called(part, population, clause)}"
    return _CALLED[part].format(role=row.role, population=population, clause=clause)
