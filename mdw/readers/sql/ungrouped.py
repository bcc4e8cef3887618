"""Values made of the row that an aggregation of all rows gives, and of others beside it (rule Q15).

SELECT COALESCE(MAX(s.v), (SELECT MIN(p.w) FROM p)) FROM s WHERE s.t = 'a'

That row is there where no row of S is, and P.W arrives then. So the aggregation is an inner entity with the column
MAX(s.v), and the value is made of its row and that of the subquery, neither of which binds the other.
"""

from __future__ import annotations

from collections.abc import Callable

from mdw.language.wording import expression_text
from mdw.model.name import row_of
from mdw.model.query import Output, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, compared, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.groups import AGGREGATED
from mdw.readers.sql.levels import OUTER, attributes, correlated, nearer, rewritten
from mdw.readers.sql.work import Work

OF_QUERIES = ("LEFT JOIN", "MARK JOIN")
"""How subqueries in expressions are joined."""
LONGEST = 60
"""Characters of an aggregation whose column is called as it is written."""
NULL_OF_NONE = ("min", "max", "avg", "sumof")
"""Aggregations that are NULL where there are no rows."""


def apart_of_others(block: Building, work: Work, *, subquery: bool) -> Building:
    """The block in two, where it aggregates all rows and its values use others beside that; else as it is.

    ``subquery``: of values of a query around that query takes care (see `made_around`).
    """
    if block.group != [] or block.qualify or block.stars:
        return block
    beside = {row for one in block.outputs for row in _beside(one.value)}
    given = [part for one in block.outputs for part in _aggregated(one.value)]
    bound = [*block.where, *block.having, *block.order, *block.limits, *given]
    bound += [one.on for one in block.reads if one.on is not None and one.join not in OF_QUERIES]
    free = beside.difference(*map(_rows, bound))
    moved = [one for one in block.reads if one.join in OF_QUERIES and one.role in free]
    # What is looked up by a value of the aggregation, or of a query around, is bound to that.
    tied = any(_rows(one.on) - {one.role} or correlated(one.on) for one in moved if one.on is not None)
    around = work.correlated and any(_of_around(one.value) for one in block.outputs)
    bound_around = block.apart or (subquery and (around or any(map(correlated, bound))))
    if tied or bound_around or not (moved or around):
        if moved and block.where:
            # What is beside arrives where no row is, and cannot be told apart here: so WHERE decides nothing.
            block.where = [
                compared("IS TRUE", opaque("OF_ROWS", [one for part in block.where for one in attributes(part)]))
            ]
        return block
    found = work.building(block.target, inner=block.inner, location=block.location)
    role, block.target, block.inner = work.role(), work.inner(work.role()), True
    roles = {one.role for one in moved}
    outputs, found.columns, found.fields = block.outputs, dict(block.columns), dict(block.fields)
    block.reads = [one for one in block.reads if one not in moved]
    block.outputs, block.named, block.columns = [], {}, {}

    def column(part: Node) -> Node:
        return _column(part, block, role)

    found.outputs = [
        Output(one.name, _made(one.value, lambda leaf: _rows(leaf) <= roles, column), one.location) for one in outputs
    ]
    found.named = {one.name: one for one in found.outputs}
    found.reads = [Read(block.target, role, location=block.location), *moved]
    return found


def made_around(block: Building, role: str, at: Location | None) -> dict[str, Node]:
    """The columns of an aggregation of all rows that have values of the query around: that makes them itself.

    Of ``(SELECT COALESCE(MAX(o.x), s.d) FROM o WHERE o.k = s.k)`` the block has MAX(o.x), and S.D is no value of it.
    """
    made = [one for one in block.outputs if _of_around(one.value)]
    if block.group != [] or not made or block.stars or any(map(_marked, made)):
        return {}
    kept = [one for one in block.outputs if one not in made]
    block.outputs, block.named, block.columns = [], {}, {}
    for one in kept:
        block.output(one.name, one.value, one.location)

    def column(part: Node) -> Node:
        found = _column(part, block, role)
        return found if not block.apart or null_of_none(part) else opaque("OF_ROWS", [found], at)

    def stays(leaf: Node) -> bool:
        return leaf.role.startswith(OUTER)

    return {one.name: rewritten(_made(one.value, stays, column), nearer) for one in made}


def null_of_none(value: Node) -> bool:
    """Whether a value of a group is NULL where there are no rows; of others nothing is known (COUNT is 0)."""
    return value.role == "aggregation" and value.children[0].role in NULL_OF_NONE


def _of_around(value: Node) -> bool:
    """Whether a value has some of a query around beside what it aggregates."""
    if value.role in AGGREGATED:
        return False
    return value.role.startswith(OUTER) or any(map(_of_around, value.children))


def _marked(one: Output) -> bool:
    """Whether it asks if a MARK JOIN has found a row."""
    return any(part.role == "role" for part in one.value.walk())


def _beside(value: Node) -> set[str]:
    """The rows of which a value has something beside what it aggregates."""
    if value.role in AGGREGATED:
        return set()
    return {row for child in value.children for row in _beside(child)} if value.children else _rows(value)


def _aggregated(value: Node) -> list[Node]:
    if value.role in AGGREGATED:
        return [value]
    return [one for child in value.children for one in _aggregated(child)]


def _rows(value: Node) -> set[str]:
    """The rows that a value speaks of."""
    found = {row_of(one.content) for one in value.walk() if one.role == "attribute"}
    return found | {one.content for one in value.walk() if one.role == "role"}


def _made(value: Node, stays: Callable[[Node], bool], column: Callable[[Node], Node]) -> Node:
    """A value with its aggregations, and what else does not stay, as columns of the block."""
    if value.role in AGGREGATED or (value.role == "attribute" and not stays(value)):
        return column(value)
    if not value.children:
        return value
    children = tuple([_made(one, stays, column) for one in value.children])
    return Node(value.role, value.content, children, value.location)


def _column(value: Node, block: Building, role: str) -> Node:
    found = next((one.name for one in block.outputs if one.value == value), "")
    if not found:
        # Answers show it by what it is: `MAX(s.v)`.
        text = expression_text(value)
        known = "`" not in text and len(text) <= LONGEST and f"`{text}`" not in block.named
        found = f"`{text}`" if known else f"`value {len(block.outputs) + 1}`"
        block.output(found, value, value.location)
    return attribute(f"{role}.{found}", value.location)
