"""Mapping tree -> rows of the tables: `build` turned round.

Numbers of populations, clauses and components are their places in the text, so the same mapping gives the same rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from mdw.language.wording import condition_text, expression_text
from mdw.model.name import canonical, entity_of, local_of, parts
from mdw.model.tree import Node

Row = tuple[str | int | None, ...]


def split(mapping: str, tree: Node) -> Iterator[tuple[str, Row]]:
    """The rows of one mapping, each with the name of its table; entities and attributes come once for each mapping."""
    population = _first(tree, "population")
    target, driving, *populates = population.children
    yield "entity_mapping", (mapping, *_head(tree, target.children[0], driving.children[0]))
    for number, populate in enumerate(populates, 1):
        yield from _population(mapping, number, populate)
    filtering = tree.first("filter")
    if filtering:
        condition = filtering.children[0]
        yield "filter", (mapping, condition_text(condition))
        yield from _components("condition_component", (mapping, 0, 0), condition)
    for number, navigation in enumerate(tree.all("navigation"), 1):
        yield from _navigation(mapping, number, navigation)
    yield from _names(tree)


def _head(tree: Node, target: Node, driving: Node) -> Row:
    name = tree.first("name")
    header = (name.content, _place(name)) if name else (None, None)
    return *header, *_named(target), *_named(driving), tree.location.file if tree.location else None


def _population(mapping: str, number: int, populate: Node) -> Iterator[tuple[str, Row]]:
    attribute, *clauses = populate.children
    yield "entity_attribute_population", (mapping, number, *_named(attribute))
    for order, clause in enumerate(clauses, 1):
        expression, condition = clause.children[0], clause.first("condition")
        text = condition_text(condition) if condition else None
        yield "with_clause", (mapping, number, order, expression_text(expression), text)
        yield from _components("expression_component", (mapping, number, order), expression)
        if condition:
            yield from _components("condition_component", (mapping, number, order), condition)


def _components(table: str, key: Row, clause: Node) -> Iterator[tuple[str, Row]]:
    """The nodes below an expression or a condition, in pre-order."""
    count = 0
    pending: list[tuple[Node, int | None, int]] = [(clause.children[0], None, 1)]
    while pending:
        node, parent, ordinal = pending.pop()
        count += 1
        name = canonical(node.content) if node.role == "attribute" else None
        # Where identifier and spelling are the same, one of them is enough.
        content = None if node.children or name == node.content else node.content
        where = None if node.children else _place(node)
        yield table, (*key, count, parent, ordinal, node.role, name, content, where)
        below = [(child, count, number) for number, child in enumerate(node.children, 1)]
        pending += below[::-1]


def _navigation(mapping: str, number: int, node: Node) -> Iterator[tuple[str, Row]]:
    ends = [value for end in node.children[:2] for value in _named(end.children[0])]
    yield "navigation", (mapping, number, *ends)
    for order, pair in enumerate(node.all("using"), 1):
        yield "using", (mapping, number, order, *[value for side in pair.children for value in _named(side)])


def _names(tree: Node) -> Iterator[tuple[str, Row]]:
    """The entities and attributes mentioned, each once."""
    leaves = [(node.role, canonical(node.content)) for node in tree.walk() if node.role in ("entity", "attribute")]
    attributes = dict.fromkeys(name for role, name in leaves if role == "attribute")
    entities = dict.fromkeys([name for role, name in leaves if role == "entity"] + [entity_of(a) for a in attributes])
    for name in entities:
        yield "entity", (name, parts(name)[-1])
    for name in attributes:
        yield "attribute", (name, entity_of(name), local_of(name))


def _named(leaf: Node) -> Row:
    """Identifier, spelling if it is another, and place of an entity or attribute."""
    name = canonical(leaf.content)
    return name, None if name == leaf.content else leaf.content, _place(leaf)


def _place(leaf: Node) -> str | None:
    """Line and column of a leaf as the tables hold them."""
    return f"{leaf.location.line}:{leaf.location.column}" if leaf.location else None


def _first(tree: Node, role: str) -> Node:
    found = tree.first(role)
    assert found is not None
    return found
