"""Attributes of a query around, as queries further in call them: by how many queries lie between.

SELECT (SELECT MAX(s.b) FROM s WHERE s.k = t.k) FROM t      in there T.K is an ``OUTER`` of level 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mdw.model.tree import Node

OUTER = "outer"
"""The role, for a while, of attributes of a query around the one they stand in: "outer 1", "outer 2" ..."""


def outside(value: Node, distance: int) -> Node:
    """A value as it is called further in."""
    if not distance:
        return value
    return rewritten(value, lambda one: _further(one, distance))


def _further(one: Node, distance: int) -> Node:
    level = distance + (int(one.role[len(OUTER) :]) if one.role.startswith(OUTER) else 0)
    return Node(f"{OUTER} {level}", one.content, (), one.location)


def nearer(one: Node) -> Node:
    """An attribute of a query around, as that query calls it."""
    if not one.role.startswith(OUTER):
        return one
    level = int(one.role[len(OUTER) :]) - 1
    return Node(f"{OUTER} {level}" if level else "attribute", one.content, (), one.location)


def rewritten(value: Node, change: Callable[[Node], Node]) -> Node:
    """The same with every attribute changed, also those of queries around."""
    if not value.children:
        return change(value) if value.role == "attribute" or value.role.startswith(OUTER) else value
    children = tuple([rewritten(child, change) for child in value.children])
    return Node(value.role, value.content, children, value.location)


def attributes(value: Node) -> Iterator[Node]:
    """Every attribute in a node, also those of queries around."""
    return (one for one in value.walk() if one.role == "attribute" or one.role.startswith(OUTER))


def correlated(value: Node) -> bool:
    """Whether a node mentions attributes of a query around."""
    pending = [value]
    while pending:
        one = pending.pop()
        if one.children:
            pending += one.children
        elif one.role.startswith(OUTER):
            return True
    return False
