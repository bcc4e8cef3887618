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

from mdw.language.checks import DEEPEST, SPLIT_UP
from mdw.language.derive import canonical_header
from mdw.language.scope import plain_name
from mdw.model.errors import InputError
from mdw.model.name import canonical
from mdw.model.tree import Location, Node
from mdw.readers.tables.confirm import confirm
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
from mdw.readers.tables.split import CHANGES


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
    header = head["name"].content
    if header is not None and canonical_header(header) != name:
        raise InputError(f"its header says {header}")
    builder = _Builder(group, head)
    tree = builder.mapping()
    builder.finish()
    confirm(tree)
    return tree


class _Builder:
    """Takes the facts of one mapping as it makes nodes of them; whatever is left over hangs in the air."""

    def __init__(self, group: dict[tuple[int, int, int], list[FactRow]], head: Mapping[str, FactRow]) -> None:
        self.group = group
        self.head = head
        self.file = head["file"].content or ""
        self.roles = self._roles()
        self.clauses = self._numbered(WITH)
        self.pairs = self._numbered(USING)

    def _numbered(self, part: int) -> dict[int, list[int]]:
        """The clauses of each population, or the pairs of each navigation, in the order of the text."""
        found: dict[int, list[int]] = {}
        for one, number, clause in self.group:
            if one == part:
                found.setdefault(number, []).append(clause)
        return found

    def _roles(self) -> dict[str, str]:
        """The entity behind each role, by which attributes may be named."""
        roles: dict[str, str] = {}
        for (part, number, _), rows in self.group.items():
            if part not in (JOIN, CLAUSE):
                continue
            facts = {row.role: row for row in rows}
            if part == JOIN and facts["role"].content:
                roles[canonical(facts["role"].content)] = facts["entity"].name or ""
            elif part == CLAUSE and "role" in facts:
                named = self.group.get((COMPONENT, number, 0), ())
                roles |= {canonical(row.content or ""): self.head["drivingentity"].name or "" for row in named}
        return roles

    def mapping(self) -> Node:
        """The tree of all facts."""
        clauses = self._clauses()
        ends = {role: clauses.pop(role) for role in (*CHANGES, "inner", "role") if role in clauses}
        children = [self.leaf(self.head["name"], "name")] if self.head["name"].content is not None else []
        children += [clauses.pop("dialect")] if "dialect" in clauses else []
        children.append(self.population(ends))
        children += self.filter()
        children += self.joins()
        return _node("mapping", (*children, *clauses.values()))

    def leaf(self, row: FactRow, role: str, *, filled: bool = False) -> Node:
        # A name is written out only where it was spelled otherwise than its identifier.
        content = row.content if row.content is not None else row.name
        if content is None:
            raise InputError(f"{_called(row)} has neither content nor identifier")
        if row.name is not None and row.content is not None:
            roles = self.roles if role == "attribute" and not filled else {}
            if plain_name(row.content, roles) != row.name:
                raise InputError(f"{_called(row)} is written {row.content}, which does not mean {row.name}")
        return Node(role, content, (), self._place(row))

    def _place(self, row: FactRow) -> Location | None:
        if row.place is None:
            return None
        line, _, column = row.place.partition(":")
        if not (line.isdecimal() and column.isdecimal()):
            raise InputError(f"{_called(row)} is at {row.place}, which is no line:column")
        return Location(self.file, int(line), int(column))

    def population(self, ends: Mapping[str, Node]) -> Node:
        target, driving = [self.leaf(self.head[role], "entity") for role in ("targetentity", "drivingentity")]
        inner, role = [[ends[role]] if role in ends else [] for role in ("inner", "role")]
        both = _node("targetentity", (*inner, target)), _node("drivingentity", (driving, *role))
        # Facts come sorted, so the keys of the group are in the order of the text.
        numbers = [number for part, number, _ in list(self.group) if part == POPULATION]
        words = [ends[word] for word in CHANGES if word in ends]
        return _node("population", (*words, *both, *[self._populate(number) for number in numbers]))

    def _populate(self, number: int) -> Node:
        attribute = self.leaf(_only(self.group.pop((POPULATION, number, 0))), "attribute", filled=True)
        clauses = self.clauses.get(number)
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

    def joins(self) -> Iterator[Node]:
        """Navigations and joins, which are numbered together."""
        for part, number, _ in sorted([key for key in self.group if key[0] in (NAVIGATION, JOIN)], key=_number):
            yield self._navigation(number) if part == NAVIGATION else self._join(number)

    def _navigation(self, number: int) -> Node:
        ends = {row.role: row for row in self.group.pop((NAVIGATION, number, 0))}
        children = [_node(role, (self.leaf(ends[role], "entity"),)) for role in ("fromentity", "toentity")]
        for pair in self.pairs.get(number, ()):
            sides = {row.role: row for row in self.group.pop((USING, number, pair))}
            both = tuple([self.leaf(sides[side], "attribute") for side in ("left", "right")])
            children.append(_node("using", both))
        if len(children) == len(ends):
            raise InputError(f"navigation {number} has no row in the table using")
        return _node("navigation", tuple(children))

    def _join(self, number: int) -> Node:
        facts = {row.role: row for row in self.group.pop((JOIN, number, 0))}
        kind = facts["kind"].content or ""
        found = [Node(kind, kind, (), self._place(facts["kind"])), self.leaf(facts["entity"], "entity")]
        if facts["role"].content is not None:
            found.append(self.leaf(facts["role"], "role"))
        if (COMPONENT, number, 0) in self.group:
            found.append(_node("condition", (self._root(COMPONENT, number, 0),)))
        return _node("join", tuple(found))

    def _clauses(self) -> dict[str, Node]:
        """The other clauses of the mapping and the words and roles of its ends, by role."""
        found: dict[str, Node] = {}
        for _, number, _ in [key for key in self.group if key[0] == CLAUSE]:
            row = _only(self.group.pop((CLAUSE, number, 0)))
            node = self._root(COMPONENT, number, 0)
            if node.role != row.role:
                raise InputError(f"clause {number} is no {row.role} but made of {node.role}")
            if row.role in found:
                raise InputError(f"it has two clauses {row.role}")
            found[row.role] = node
        return found

    def finish(self) -> None:
        """InputError if facts are left that belong to nothing."""
        for rows in self.group.values():
            raise InputError(f"{_called(rows[0])} belongs to nothing")

    def _root(self, part: int, number: int, clause: int) -> Node:
        rows = self.group.pop((part, number, clause), [])
        below: dict[int, list[FactRow]] = {}
        known = set()
        ordered = len(rows) <= DEEPEST
        for row in rows:
            below.setdefault(row.parent, []).append(row)
            known.add(row.component)
            ordered = ordered and row.parent < row.component
        if len(known) < len(rows):
            raise InputError(f"{_clause(part, number, clause)} has two components of the same number")
        for parent in below.keys() - known:
            if parent:
                raise InputError(f"{_called(below[parent][0])} hangs below component {parent}, which is not there")
        roots = below.pop(0, [])
        if len(roots) != 1:
            owner = _clause(part, number, clause)
            raise InputError(f"{owner} has {len(roots) or 'no'} topmost components" if rows else f"{owner} is missing")
        # Must be known before the tree is made: nodes that are their own ancestors have no end. Where each has a
        # smaller number than what is below it, as in all tables written here, none is, and a few cannot be too deep.
        circling, depth = (set(), 0) if ordered else _circling(rows, roots[0], below)
        if depth > DEEPEST:
            raise InputError(
                f"{_clause(part, number, clause)} is nested more than {DEEPEST} levels deep", hint=SPLIT_UP
            )
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
        if len(children) > 1:
            children.sort(key=_ordinal)
        return _node(row.role, tuple([self._component(child, below) for child in children]))


_ordinal = attrgetter("ordinal")


def _number(key: tuple[int, int, int]) -> int:
    return key[1]


def _node(role: str, children: tuple[Node, ...]) -> Node:
    """A node that stands where the first of what is below it stands."""
    if len(children) == 1:
        return Node(role, "", children, children[0].location)
    places = [child.location for child in children if child.location]
    return Node(role, "", children, (places[0] if len(places) == 1 else min(places)) if places else None)


def _circling(rows: list[FactRow], root: FactRow, below: Mapping[int, list[FactRow]]) -> tuple[set[int], int]:
    """The components no way leads to from the topmost one, and how many levels there are below it."""
    # Each component has one parent that is there, so what the top does not reach can only hang in a circle.
    level, astray, depth = [root], {row.component for row in rows}, 0
    while level:
        astray -= {row.component for row in level}
        level = [child for row in level for child in below.get(row.component, ())]
        depth += 1
    return astray, depth


def _only(rows: list[FactRow]) -> FactRow:
    if len(rows) > 1:
        raise InputError(f"{_called(rows[0])} is there twice")
    return rows[0]


def _clause(part: int, population: int, clause: int) -> str:
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


def _called(row: FactRow) -> str:
    if row.part in (EXPRESSION, CONDITION, COMPONENT):
        return f"component {row.component} of {_clause(row.part, row.population, row.clause)}"
    return _CALLED[row.part].format(**row._asdict())
