"""Facts of the tables -> mapping trees: one mapping at a time, and an error for each that the facts do not make.

Every row of every table states facts of one form (`FactRow`), so one sort brings all that is said of a mapping
together, whatever table it stood in. The tree is then made from the top, each node taking its facts away; whatever is
left over belongs to nothing, and the mapping is in error: tables may come from any program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from mdw.language.derive import canonical_header
from mdw.model.errors import InputError
from mdw.model.name import canonical
from mdw.model.tree import Location, Node
from mdw.readers.tables.confirm import confirm
from mdw.readers.tables.schema import CONDITION, EXPRESSION, FILTER, HEAD, NAVIGATION, POPULATION, USING, WITH


class FactRow(NamedTuple):
    """One fact as it comes from the tables (see `mdw.readers.tables.schema.FACT`)."""

    mapping: str
    part: int
    population: int
    clause: int
    component: int
    parent: int
    ordinal: int
    role: str
    name: str | None
    content: str | None
    place: str | None
    problem: str | None


Group = Mapping[tuple[int, int, int], list[FactRow]]


def trees(facts: Iterable[FactRow], where: str) -> Iterator[tuple[str, Node] | InputError]:
    """The mappings, by name, of facts that come sorted by mapping; ``where`` names the tables in errors."""
    for mapping, rows in groupby(facts, attrgetter("mapping")):
        try:
            yield mapping, _mapping(mapping, list(rows))
        except InputError as error:
            yield InputError(f"{where}: mapping {mapping}: {error.message}", location=error.location, hint=error.hint)


def _mapping(name: str, rows: list[FactRow]) -> Node:
    # References that lead nowhere were found where tables are joined; they explain what would look odd further down.
    for row in rows:
        if row.problem:
            raise InputError(row.problem)
    group: defaultdict[tuple[int, int, int], list[FactRow]] = defaultdict(list)
    for row in rows:
        group[row.part, row.population, row.clause].append(row)
    heads = group.pop((HEAD, 0, 0), ())
    head = {row.role: row for row in heads}
    # A row of entity_mapping states four facts, of a role each: a role met twice comes from a second row.
    if len(head) < len(heads):
        raise InputError("it is in the table entity_mapping twice")
    if "targetentity" not in head:
        raise InputError("it is not in the table entity_mapping")
    builder = _Builder(group, head["file"].content or "")
    header = head["name"].content
    if header is not None and canonical_header(header) != name:
        raise InputError(f"its header says {header}")
    children = [builder.leaf(head["name"], "name")] if header is not None else []
    children.append(builder.population(head))
    children += builder.filter()
    children += builder.navigations()
    builder.finish()
    tree = _node("mapping", tuple(children))
    confirm(tree)
    return tree


class _Builder:
    """Takes the facts of one mapping as it makes nodes of them; whatever is left over hangs in the air."""

    def __init__(self, group: dict[tuple[int, int, int], list[FactRow]], file: str) -> None:
        self.group = group
        self.file = file

    def leaf(self, row: FactRow, role: str) -> Node:
        # A name is written out only where it was spelled otherwise than its identifier.
        content = row.content if row.content is not None else row.name
        if content is None:
            raise InputError(f"{_called(row)} has neither content nor identifier")
        if row.name is not None and row.content is not None and canonical(row.content) != row.name:
            raise InputError(f"{_called(row)} is written {row.content}, which does not mean {row.name}")
        return Node(role, content, (), self._place(row))

    def _place(self, row: FactRow) -> Location | None:
        if row.place is None:
            return None
        line, _, column = row.place.partition(":")
        if not (line.isdecimal() and column.isdecimal()):
            raise InputError(f"{_called(row)} is at {row.place}, which is no line:column")
        return Location(self.file, int(line), int(column))

    def population(self, head: Mapping[str, FactRow]) -> Node:
        ends = [_node(role, (self.leaf(head[role], "entity"),)) for role in ("targetentity", "drivingentity")]
        # Facts come sorted, so the keys of the group are in the order of the text.
        numbers = [number for part, number, _ in list(self.group) if part == POPULATION]
        return _node("population", (*ends, *[self._populate(number) for number in numbers]))

    def _populate(self, number: int) -> Node:
        attribute = self.leaf(_only(self.group.pop((POPULATION, number, 0))), "attribute")
        clauses = [clause for part, population, clause in list(self.group) if (part, population) == (WITH, number)]
        if not clauses:
            raise InputError(f"population {number} has no row in the table with_clause")
        return _node("populate", (attribute, *[self._with(number, clause) for clause in clauses]))

    def _with(self, number: int, clause: int) -> Node:
        _only(self.group.pop((WITH, number, clause)))
        found = [_node("expression", (self._root(EXPRESSION, number, clause),))]
        if (CONDITION, number, clause) in self.group:
            found.append(_node("condition", (self._root(CONDITION, number, clause),)))
        return _node("with", tuple(found))

    def filter(self) -> Iterator[Node]:
        if self.group.pop((FILTER, 0, 0), None):
            yield _node("filter", (_node("condition", (self._root(CONDITION, 0, 0),)),))

    def navigations(self) -> Iterator[Node]:
        for number in [number for part, number, _ in list(self.group) if part == NAVIGATION]:
            ends = {row.role: row for row in self.group.pop((NAVIGATION, number, 0))}
            children = [_node(role, (self.leaf(ends[role], "entity"),)) for role in ("fromentity", "toentity")]
            for pair in [pair for part, navigation, pair in list(self.group) if (part, navigation) == (USING, number)]:
                sides = {row.role: row for row in self.group.pop((USING, number, pair))}
                both = tuple([self.leaf(sides[side], "attribute") for side in ("left", "right")])
                children.append(_node("using", both))
            yield _node("navigation", tuple(children))

    def finish(self) -> None:
        """InputError if facts are left that belong to nothing."""
        for rows in self.group.values():
            raise InputError(f"{_called(rows[0])} belongs to nothing")

    def _root(self, part: int, number: int, clause: int) -> Node:
        rows = self.group.pop((part, number, clause), [])
        below: dict[int, list[FactRow]] = {}
        for row in rows:
            below.setdefault(row.parent, []).append(row)
        if len({row.component for row in rows}) < len(rows):
            raise InputError(f"{_clause(part, number, clause)} has two components of the same number")
        for parent in below.keys() - {0, *(row.component for row in rows)}:
            raise InputError(f"{_called(below[parent][0])} hangs below component {parent}, which is not there")
        roots = below.pop(0, [])
        if len(roots) != 1:
            owner = _clause(part, number, clause)
            raise InputError(f"{owner} has {len(roots) or 'no'} topmost components" if rows else f"{owner} is missing")
        # Must be known before the tree is made: nodes that are their own ancestors have no end.
        circling = _circling(rows, roots[0], below)
        if circling:
            numbers = ", ".join(map(str, sorted(circling)))
            raise InputError(
                f"components {numbers} of {_clause(part, number, clause)} hang below one another in a circle"
            )
        return self._component(roots[0], below)

    def _component(self, row: FactRow, below: dict[int, list[FactRow]]) -> Node:
        children = below.pop(row.component, None)
        if children is None:
            return self.leaf(row, row.role)
        children.sort(key=_ordinal)
        return _node(row.role, tuple([self._component(child, below) for child in children]))


_ordinal = attrgetter("ordinal")


def _node(role: str, children: tuple[Node, ...]) -> Node:
    """A node that stands where the first of what is below it stands."""
    places = [child.location for child in children if child.location]
    return Node(role, "", children, (places[0] if len(places) == 1 else min(places)) if places else None)


def _circling(rows: list[FactRow], root: FactRow, below: Mapping[int, list[FactRow]]) -> set[int]:
    """The components no way leads to from the topmost one."""
    # Each component has one parent that is there, so what the top does not reach can only hang in a circle.
    pending, astray = [root], {row.component for row in rows}
    while pending:
        row = pending.pop()
        astray.discard(row.component)
        pending += below.get(row.component, ())
    return astray


def _only(rows: list[FactRow]) -> FactRow:
    if len(rows) > 1:
        raise InputError(f"{_called(rows[0])} is there twice")
    return rows[0]


def _clause(part: int, population: int, clause: int) -> str:
    what = "expression" if part == EXPRESSION else "condition"
    return f"the {what} of clause {clause} of population {population}" if population else "the condition of the filter"


_CALLED = {
    HEAD: "the {role}",
    POPULATION: "population {population}",
    WITH: "clause {clause} of population {population}",
    FILTER: "the filter",
    NAVIGATION: "navigation {population}",
    USING: "pair {clause} of navigation {population}",
}


def _called(row: FactRow) -> str:
    if row.part in (EXPRESSION, CONDITION):
        return f"component {row.component} of {_clause(row.part, row.population, row.clause)}"
    return _CALLED[row.part].format(**row._asdict())
