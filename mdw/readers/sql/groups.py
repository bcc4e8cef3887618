"""Groups: values of rows that are no keys, and the row of all that is there where no rows are (rules Q14, Q15)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdw.model.query import Output
from mdw.model.tree import Node
from mdw.readers.nodes import aggregation, case, compared, null, number
from mdw.readers.sql.building import Building
from mdw.readers.sql.work import Work

AGGREGATED = ("aggregation", "aggregate", "window")


def any_row(value: Node, keys: Sequence[Node]) -> Node:
    """MySQL's value of a group that is made of no keys: each attribute in it is that of any row, maybe of another.

    SELECT k, COALESCE(t, v) FROM s GROUP BY k      COALESCE(ANY_VALUE(t), ANY_VALUE(v))
    """
    # An attribute alone is any row's as it stands: only where several are put together may they be of several rows.
    return value if value.role == "attribute" else _of_rows(value, keys, "ANY_VALUE", ())


def picked_row(value: Node, keys: Sequence[Node], extremes: Sequence[Node]) -> Node:
    """SQLite's value of a group that is made of no keys: that of the row in which MIN or MAX found what they give.

    SELECT k, MAX(d), v FROM s GROUP BY k      V is ARG_MAX(v, d)
    """
    return _of_rows(value, keys, "ARG_MAX", extremes)


def extremes_of(values: Iterable[Node]) -> list[Node]:
    """What MIN and MAX look at in some values, each once."""
    found: dict[Node, None] = {}
    pending = list(values)
    while pending:
        one = pending.pop()
        if one.role in ("min", "max"):
            found[one.children[-1]] = None
        elif one.role != "window":
            pending += one.children
    return list(found)


def _of_rows(value: Node, keys: Sequence[Node], function: str, given: Sequence[Node]) -> Node:
    """The same of attributes that an aggregation took, with what else it is given."""
    if value in keys or value.role in AGGREGATED:
        return value
    if value.role == "attribute":
        return aggregation(function, [value, *given], at=value.location)
    children = tuple([_of_rows(child, keys, function, given) for child in value.children])
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


def or_null(block: Building) -> None:
    """Let values made of keys know that these are NULL in the rows of sets without them (rule Q14).

    COALESCE(t, 'all') ... GROUP BY GROUPING SETS ((k), (t))      COALESCE(CASE WHEN GROUPING(t) = 0 THEN t END, 'all')
    """
    keys = block.group if block.sets else None
    if keys:
        # A key alone is known for one that may be NULL.
        block.outputs = [
            one if one.value in keys else Output(one.name, _or_null(one.value, keys), one.location)
            for one in block.outputs
        ]
        block.named = {one.name: one for one in block.outputs}


def _or_null(value: Node, keys: Sequence[Node]) -> Node:
    if value in keys:
        known = compared("=", aggregation("GROUPING", [value], at=value.location), number("0", value.location))
        return case([(known, value)], None, value.location)
    if value.role in AGGREGATED or not value.children:
        return value
    children = tuple([_or_null(child, keys) for child in value.children])
    return Node(value.role, value.content, children, value.location)


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
