"""Facts of the tables -> mapping trees: one mapping at a time, and an error for each that the facts do not make.

Every row of every table states facts of one form (`FactRow`), so one sort brings all that is said of a mapping
together, whatever table it stood in. The tree is then made from the top, each node taking its facts away; whatever is
left over belongs to nothing, and the mapping is in error: tables may come from any program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from mdw.language.derive import canonical_header
from mdw.model.errors import InputError
from mdw.model.name import canonical
from mdw.model.tree import CopyNode, Node
from mdw.readers.tables.confirm import confirm, confirm_clause, confirm_leaf
from mdw.readers.tables.copying import COPY, PLAIN_COPY
from mdw.readers.tables.fact_rows import (
    NOTHING,
    FactRow,
    MappingFacts,
    called,
    clause_called,
    fact_row,
    located,
    place_of,
    written,
)
from mdw.readers.tables.outlines import NoTree, outline
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
from mdw.readers.tables.split import CHANGES, CLAUSES

NamedTree: TypeAlias = tuple[str, Node]
COPIES = (COPY, PLAIN_COPY)
ROWS = frozenset((*CLAUSES, *CHANGES, "inner", "role"))
"""The clauses of rows, and the words and roles of the ends of a mapping."""


def trees(facts: Iterable[Iterable[MappingFacts]], where: str) -> Iterator[list[NamedTree | InputError]]:
    """The mappings of facts, some at a time as they come; ``where`` names the tables in errors.

    Doing one thing for several mappings before the next thing for each takes a seventh less time, since the processor
    has at hand what does it.
    """
    for some in facts:
        yield [_tree(mapping, rows, where) for mapping, rows in some]


def _tree(mapping: str, rows: Sequence[FactRow], where: str) -> NamedTree | InputError:
    try:
        return mapping, _mapping(mapping, rows)
    except InputError as error:
        said = f"{where}: mapping {mapping}: {error.message}"
        return InputError(said, location=error.location, hint=error.hint)


def _mapping(name: str, rows: Sequence[FactRow]) -> Node:
    group: defaultdict[tuple[int, int, int], list[FactRow]] = defaultdict(list)
    copies: dict[int, FactRow] = {}
    for row in rows:
        # References that lead nowhere were found where tables are joined; they explain what would look odd further
        # down.
        if row.problem:
            raise InputError(row.problem)
        # The role of a component is what its table says, which may be anything.
        if row.role in COPIES and row.owner[0] == POPULATION:
            copies[row.owner[1]] = row
        else:
            group[row.owner].append(row)
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
    builder = _Builder(group, copies, head)
    tree = builder.mapping()
    builder.finish()
    confirm(tree)
    return tree


class _Builder:
    """Takes the facts of one mapping as it makes nodes of them; whatever is left over hangs in the air."""

    def __init__(
        self,
        group: dict[tuple[int, int, int], list[FactRow]],
        copies: Mapping[int, FactRow],
        head: Mapping[str, FactRow],
    ) -> None:
        self.group = group
        self.copies = copies
        self.head = head
        self.file = head["file"].content or ""
        # Facts come sorted, so the keys of the group are in the order of the text: of each part the populations, or
        # whatever else it has, with the clauses or pairs of each.
        self.numbers: defaultdict[int, dict[int, list[int]]] = defaultdict(dict)
        for part, number, clause in group:
            of_part = self.numbers[part]
            if number in of_part:
                of_part[number].append(clause)
            else:
                of_part[number] = [clause]
        self.roles = self._roles() if JOIN in self.numbers or CLAUSE in self.numbers else {}

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

    def leaf(self, row: FactRow, role: str) -> Node:
        return Node(role, written(row, self.roles if role == "attribute" else {}), (), place_of(row, self.file))

    def population(self, ends: Mapping[str, Node]) -> Node:
        target, driving = [self.leaf(self.head[role], "entity") for role in ("targetentity", "drivingentity")]
        inner, role = [[ends[role]] if role in ends else [] for role in ("inner", "role")]
        both = _node("targetentity", (*inner, target)), _node("drivingentity", (driving, *role))
        words = [ends[word] for word in CHANGES if word in ends]
        return _node("population", (*words, *both, *self._populations()))

    def _populations(self) -> Iterator[Node]:
        """By their numbers."""
        others = self.numbers[POPULATION]
        for number in sorted((*others, *self.copies)) if others else self.copies:
            yield self._copy(number) if number in self.copies else self._populate(number)

    def _copy(self, number: int) -> Node:
        row = self.copies[number]
        if row.role == PLAIN_COPY and not self.roles:
            name, content, stands = row.source
            at = located(self.file, stands)
            return CopyNode(row.content or row.name or "", content or name or "", located(self.file, row.place), at, at)
        owner, component = (EXPRESSION, number, row.component[0]), (2, 1, 1, "attribute")
        source = fact_row((owner, component, "attribute", *row.source, None, NOTHING))
        filled, copied = written(row, {}), written(source, self.roles)
        for attribute in (filled, copied):
            confirm_leaf("attribute", attribute)
        at = place_of(source, self.file)
        return CopyNode(filled, copied, place_of(row, self.file), at, at)

    def _populate(self, number: int) -> Node:
        row = _only(self.group.pop((POPULATION, number, 0)))
        filled, at = written(row, {}), place_of(row, self.file)
        clauses = self.numbers[WITH].get(number)
        if not clauses:
            raise InputError(f"population {number} has no row in the table with_clause")
        confirm_leaf("attribute", filled)
        attribute = Node("attribute", filled, (), at)
        return _node("populate", (attribute, *[self._with(number, clause) for clause in clauses]))

    def _with(self, number: int, clause: int) -> Node:
        _only(self.group.pop((WITH, number, clause)))
        expression = self._confirmed(EXPRESSION, number, clause, "expression")
        if (CONDITION, number, clause) in self.group:
            return _node("with", (expression, self._confirmed(CONDITION, number, clause, "condition")))
        return Node("with", "", (expression,), expression.location)

    def _confirmed(self, part: int, number: int, clause: int, role: str) -> Node:
        """A clause of this role, confirmed."""
        made = self._root(part, number, clause, role)
        return Node(role, "", (made,), made.location)

    def filter(self) -> Iterator[Node]:
        if self.group.pop((FILTER, 0, 0), None):
            yield _node("filter", (self._confirmed(CONDITION, 0, 0, "condition"),))

    def joins(self) -> Iterator[Node]:
        """Navigations and joins, which are numbered together."""
        both = [(number, part) for part in (NAVIGATION, JOIN) for number in self.numbers.get(part, ())]
        for number, part in sorted(both):
            yield self._navigation(number) if part == NAVIGATION else self._join(number)

    def _navigation(self, number: int) -> Node:
        ends = {row.role: row for row in self.group.pop((NAVIGATION, number, 0))}
        children = [_node(role, (self.leaf(ends[role], "entity"),)) for role in ("fromentity", "toentity")]
        for pair in self.numbers[USING].get(number, ()):
            sides = {row.role: row for row in self.group.pop((USING, number, pair))}
            both = tuple([self.leaf(sides[side], "attribute") for side in ("left", "right")])
            children.append(_node("using", both))
        if len(children) == len(ends):
            raise InputError(f"navigation {number} has no row in the table using")
        return _node("navigation", tuple(children))

    def _join(self, number: int) -> Node:
        facts = {row.role: row for row in self.group.pop((JOIN, number, 0))}
        kind = facts["kind"].content or ""
        found = [Node(kind, kind, (), place_of(facts["kind"], self.file)), self.leaf(facts["entity"], "entity")]
        if facts["role"].content is not None:
            found.append(self.leaf(facts["role"], "role"))
        if (COMPONENT, number, 0) in self.group:
            found.append(_node("condition", (self._root(COMPONENT, number, 0),)))
        return _node("join", tuple(found))

    def _clauses(self) -> dict[str, Node]:
        """The other clauses of the mapping and the words and roles of its ends, by role."""
        found: dict[str, Node] = {}
        for number in self.numbers.get(CLAUSE, ()):
            row = _only(self.group.pop((CLAUSE, number, 0)))
            if row.role not in ROWS:
                raise InputError(f"clause {number} of rows is called {row.role}, as none is")
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
            raise InputError(f"{called(rows[0])} belongs to nothing")

    def _root(self, part: int, number: int, clause: int, below: str = "") -> Node:
        """The tree of a clause's components; ``below``: the role of the node it is put below, if that is a clause."""
        rows = self.group.pop((part, number, clause), [])
        found = outline(below, tuple([row.component for row in rows]))
        if isinstance(found, NoTree):
            raise InputError(found.message.format(clause=clause_called(part, number, clause)), hint=found.hint)
        made: list[Any] = [None] * len(rows)
        leaves = []
        for place, children in found.steps:
            row = rows[place]
            if not children:
                made[place] = leaf = self.leaf(row, row.role)
                leaves.append(leaf)
            elif len(children) == 1:
                child = made[children[0]]
                made[place] = Node(row.role, "", (child,), child.location)
            else:
                made[place] = _node(row.role, tuple([made[child] for child in children]))
        root: Node = made[place]
        if below:
            confirm_clause(found.known, below, root, leaves)
        return root


def _node(role: str, children: tuple[Node, ...]) -> Node:
    """A node that stands where the first of what is below it stands."""
    first = children[0].location
    for child in children[1:]:
        place = child.location
        if place is not None and (first is None or place < first):
            first = place
    return Node(role, "", children, first)


def _only(rows: list[FactRow]) -> FactRow:
    if len(rows) > 1:
        raise InputError(f"{called(rows[0])} is there twice")
    return rows[0]
