"""Mapping tree -> rows of the tables: `build` turned round.

Numbers of populations, clauses and components are their places in the text, so the same mapping gives the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mdw.language.scope import plain_name, roles_of
from mdw.language.unparse import part_text
from mdw.language.wording import condition_text, expression_text
from mdw.model.name import canonical, entity_of, local_of, parts
from mdw.model.tree import Node

Row = tuple[str | int | None, ...]
CLAUSES = ("dialect", "grouping", "having", "qualify", "distinct", "ordering", "limit", "others")
"""Clauses of a mapping that stand in the table row_clause."""
CHANGES = ("UPDATING", "DELETING")
NO_ROLES: Mapping[str, str] = {}


def split(mapping: str, tree: Node) -> Iterator[tuple[str, Row]]:
    """The rows of one mapping, each with the name of its table; entities and attributes come once for each mapping."""
    yield from _Split(mapping, tree).rows()


class _Split:
    def __init__(self, mapping: str, tree: Node) -> None:
        self.mapping = mapping
        self.tree = tree
        self.roles = roles_of(tree)

    def rows(self) -> Iterator[tuple[str, Row]]:
        population = _first(self.tree, "population")
        target, driving = _first(population, "targetentity"), _first(population, "drivingentity")
        yield "entity_mapping", (self.mapping, *_head(self.tree, _first(target, "entity"), _first(driving, "entity")))
        for number, populate in enumerate(population.all("populate"), 1):
            yield from self._population(number, populate)
        filtering = self.tree.first("filter")
        if filtering:
            condition = filtering.children[0]
            yield "filter", (self.mapping, condition_text(condition))
            yield from self._components("condition_component", (0, 0), condition.children)
        joins = [node for node in self.tree.children if node.role in ("navigation", "join")]
        for number, node in enumerate(joins, 1):
            yield from self._navigation(number, node) if node.role == "navigation" else self._join(number, node)
        for number, node in enumerate(_others(self.tree), len(joins) + 1):
            yield from self._clause(number, node)
        yield from self._names()

    def _population(self, number: int, populate: Node) -> Iterator[tuple[str, Row]]:
        attribute, *clauses = populate.children
        yield "entity_attribute_population", (self.mapping, number, *_named(attribute))
        for order, clause in enumerate(clauses, 1):
            expression, condition = clause.children[0], clause.first("condition")
            text = condition_text(condition) if condition else None
            yield "with_clause", (self.mapping, number, order, expression_text(expression), text)
            yield from self._components("expression_component", (number, order), expression.children)
            if condition:
                yield from self._components("condition_component", (number, order), condition.children)

    def _components(self, table: str, key: Row, topmost: Sequence[Node]) -> Iterator[tuple[str, Row]]:
        """The nodes of an expression, condition or clause, in pre-order."""
        # From a stack, children turned round: so the numbers go from left to right, as the text does.
        count = 0
        pending: list[tuple[Node, int | None, int]] = [(topmost[0], None, 1)]
        while pending:
            node, parent, ordinal = pending.pop()
            count += 1
            name = plain_name(node.content, self.roles) if node.role == "attribute" else None
            # Where identifier and spelling are the same, one of them is enough.
            content = None if node.children or name == node.content else node.content
            where = None if node.children else _place(node)
            yield table, (self.mapping, *key, count, parent, ordinal, node.role, name, content, where)
            below = [(child, count, number) for number, child in enumerate(node.children, 1)]
            pending += below[::-1]

    def _navigation(self, number: int, node: Node) -> Iterator[tuple[str, Row]]:
        ends = [value for end in node.children[:2] for value in _named(end.children[0])]
        yield "navigation", (self.mapping, number, *ends)
        for order, pair in enumerate(node.all("using"), 1):
            sides = [value for side in pair.children for value in _named(side, self.roles)]
            yield "using", (self.mapping, number, order, *sides)

    def _join(self, number: int, node: Node) -> Iterator[tuple[str, Row]]:
        kind, role, condition = node.children[0], node.first("role"), node.first("condition")
        said = (kind.role, _place(kind), *_named(_first(node, "entity")))
        named = (role.content, _place(role)) if role else (None, None)
        yield "join", (self.mapping, number, *said, *named, condition_text(condition) if condition else None)
        if condition:
            yield from self._components("row_component", (number,), condition.children)

    def _clause(self, number: int, node: Node) -> Iterator[tuple[str, Row]]:
        yield "row_clause", (self.mapping, number, node.role, part_text(node))
        yield from self._components("row_component", (number,), [node])

    def _names(self) -> Iterator[tuple[str, Row]]:
        """The entities and attributes mentioned, each once."""
        # What a POPULATE fills is of the target, even where a role is called like it.
        filled = {id(populate.children[0]) for populate in _first(self.tree, "population").all("populate")}
        leaves = [leaf for leaf in self.tree.walk() if leaf.role in ("entity", "attribute")]
        attributes = dict.fromkeys(
            plain_name(leaf.content, NO_ROLES if id(leaf) in filled else self.roles)
            for leaf in leaves
            if leaf.role == "attribute"
        )
        entities = dict.fromkeys(canonical(leaf.content) for leaf in leaves if leaf.role == "entity")
        for name in entities | dict.fromkeys(map(entity_of, attributes)):
            yield "entity", (name, parts(name)[-1])
        for name in attributes:
            yield "attribute", (name, entity_of(name), local_of(name))


def _head(tree: Node, target: Node, driving: Node) -> Row:
    name = tree.first("name")
    header = (name.content, _place(name)) if name else (None, None)
    return *header, *_named(target), *_named(driving), tree.location.file if tree.location else None


def _others(tree: Node) -> Iterator[Node]:
    """What has no table of its own: clauses of the mapping, then words and roles of its ends."""
    yield from (node for node in tree.children if node.role in CLAUSES)
    population = _first(tree, "population")
    yield from (node for node in population.children[:1] if node.role in CHANGES)
    yield from _first(population, "targetentity").all("inner")
    yield from _first(population, "drivingentity").all("role")


def _named(leaf: Node, roles: Mapping[str, str] = NO_ROLES) -> Row:
    """Identifier, spelling if it is another, and place of an entity or attribute."""
    name = plain_name(leaf.content, roles)
    return name, None if name == leaf.content else leaf.content, _place(leaf)


def _place(leaf: Node) -> str | None:
    """Line and column of a leaf as the tables hold them."""
    return f"{leaf.location.line}:{leaf.location.column}" if leaf.location else None


def _first(tree: Node, role: str) -> Node:
    found = tree.first(role)
    assert found is not None
    return found
