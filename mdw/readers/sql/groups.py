"""Groups: values of rows that are no keys, and the row of all that is there where no rows are (rules Q14, Q15)."""

from __future__ import annotations

from collections.abc import Sequence

from mdw.model.tree import Node
from mdw.readers.nodes import aggregation, null, number
from mdw.readers.sql.building import Building
from mdw.readers.sql.work import Work

AGGREGATED = ("aggregation", "aggregate", "window")


def any_row(value: Node, keys: Sequence[Node]) -> Node:
    """MySQL's value of a group that is made of no keys: each attribute in it is that of any row, maybe of another.

    SELECT k, COALESCE(t, v) FROM s GROUP BY k      COALESCE(ANY_VALUE(t), ANY_VALUE(v))
    """
    # An attribute alone is any row's as it stands: only where several are put together may they be of several rows.
    return value if value.role == "attribute" else _any_row(value, keys)


def _any_row(value: Node, keys: Sequence[Node]) -> Node:
    if value in keys or value.role in AGGREGATED:
        return value
    if value.role == "attribute":
        return aggregation("ANY_VALUE", [value], at=value.location)
    children = tuple([_any_row(child, keys) for child in value.children])
    return Node(value.role, value.content, children, value.location) if children else value


def total(block: Building, work: Work) -> list[Building]:
    """The block of the total of ROLLUP, CUBE and GROUPING SETS (()): without keys, of all rows, even of none."""
    if not block.total or not block.group or block.stars:
        return []
    keys = block.group
    found = work.building(block.target, inner=block.inner, location=block.location)
    found.reads, found.where, found.group = list(block.reads), list(block.where), []
    found.having, found.qualify = [_without(one, keys) for one in block.having], list(block.qualify)
    for one in block.outputs:
        found.output(one.name, _without(one.value, keys), one.location)
    found.columns = dict(block.columns)
    return [found]


def _without(value: Node, keys: Sequence[Node]) -> Node:
    """A value in the row of the total: its keys are NULL there, and GROUPING of them is 1."""
    if value in keys:
        return null(value.location)
    if value.role in AGGREGATED:
        return number("1", value.location) if _grouping(value) else value
    if _grouping(value):
        return number("1", value.location)
    children = tuple([_without(child, keys) for child in value.children])
    return Node(value.role, value.content, children, value.location) if children else value


def _grouping(value: Node) -> bool:
    called = value.children[-1] if value.role == "aggregate" and value.children else value
    return called.role == "function" and bool(called.children) and called.children[0].role == "GROUPING"
