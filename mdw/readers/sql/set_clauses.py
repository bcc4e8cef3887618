"""SET: what a change makes of the columns it names.

SET a = s.x                          A is s.x
SET (a, b) = (SELECT x, y FROM p)    A is the subquery's X, B its Y
SET a[1] = s.x, b.c = s.y            A and B are what they were, with s.x and s.y in them (PostgreSQL)
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, opaque
from mdw.readers.sql.building import Building
from mdw.readers.sql.defaults import default_in, is_default
from mdw.readers.sql.expressions import value
from mdw.readers.sql.levels import rewritten
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.stars import star

FIELDED = frozenset(("postgres", "bigquery", "spark", "databricks", "hive", "trino", "duckdb", "clickhouse"))
"""Dialects in which what has a dot on the left of SET may be a field."""


def assigned(one: Any, block: Building, scope: SelectScope) -> None:
    """One SET: of a column, or of several by a row of values."""
    naming = scope.work.naming
    if not isinstance(one, exp.EQ):
        return
    # SET (a) = (SELECT x ...) sets one column.
    left, right = one.this.unnest() if isinstance(one.this, exp.Paren) else one.this, one.expression
    if is_default(right) and isinstance(left, exp.Column):
        right = default_in(block.target, naming.part(left.this), scope.work)
    columns = left.expressions if isinstance(left, exp.Tuple) else [left]
    if scope.work.flavour.name == "oracle" and left.name.upper() == "ROW" and isinstance(right, exp.Column):
        # SET ROW = r: all columns of the row that the variable r holds.
        star(exp.Column(this=exp.Star(), table=right.this.copy()), scope)
        return
    held = [_holding(column, block, scope) for column in columns]
    names = [naming.part(column.this if isinstance(column, exp.Column) else column) for column in held]
    if len(names) == 1 and not isinstance(left, exp.Tuple):
        given = _one_by_one(value(right, scope), block, scope)
        if held[0] is not left:
            # What else the column holds stays, or is what an assignment before this one made of it.
            before = block.named.get(names[0])
            given = opaque("SET", [before.value if before is not None else _of_target(held[0], block, scope), given])
            if before is not None:
                block.replace(names[0], given)
                return
        block.output(names[0], given, scope.work.place(left))
        return
    row = isinstance(right, exp.Anonymous) and str(right.this).upper() == "ROW"
    items = right.expressions if row or isinstance(right, exp.Tuple) else []
    if items:
        values = [value(item, scope) for item in items]
    else:
        # (SELECT x, y FROM p) gives a row: each column one of its values.
        given = value(right, scope)
        rows = given.role == "function" and given.children[:1] and given.children[0].content == "ROW"
        values = list(given.children[1:]) if rows else [given]
    for name, node in zip(names, values, strict=False):
        block.output(name, node, scope.work.place(left))


def _one_by_one(given: Node, block: Building, scope: SelectScope) -> Node:
    """MySQL sets the columns of one table in turn: SET a = b, b = a leaves both with what B was."""
    if scope.work.flavour.name != "mysql" or len(block.reads) != 1 or not block.named or block.change != "UPDATING":
        return given
    own = scope.relations[0].label

    def now(one: Node) -> Node:
        name = canonical(one.content)
        set_before = block.named.get(local_of(name)) if row_of(name) == own else None
        return set_before.value if set_before is not None else one

    return rewritten(given, now)


def _holding(left: Any, block: Building, scope: SelectScope) -> Any:
    """The column of which an assignment sets a part: A of a[1] and of a['k'], B of the field b.c and of t.b.c."""
    if isinstance(left, exp.Bracket):
        return _holding(left.this, block, scope)
    parts = _names(left)
    if len(parts) < 2:
        return left
    # What stands before the column is a table; what stands behind it is a field.
    at = next((n for n in range(len(parts) - 1, 0, -1) if _is_table(parts[:n], scope)), 0)
    if at == len(parts) - 1 or (at == 0 and scope.work.flavour.name not in FIELDED):
        return left
    return exp.Column(this=parts[at].copy())


def _names(left: Any) -> list[Any]:
    if isinstance(left, exp.Dot):
        return [name for part in left.flatten() for name in (_names(part) or [part])]
    return [part for part in left.parts if isinstance(part, exp.Identifier)] if isinstance(left, exp.Column) else []


def _is_table(parts: list[Any], scope: SelectScope) -> bool:
    return scope.relation([scope.work.naming.part(part) for part in parts]) is not None


def _of_target(column: Any, block: Building, scope: SelectScope) -> Node:
    """A column as it was before the change."""
    written = scope.work.naming.written
    relation = next((one for one in scope.relations if one.entity == block.target and not one.computed), None)
    if relation is None:
        return value(column, scope)
    relation.shape.ask(name := scope.work.naming.part(column.this))
    return attribute(f"{written(relation.label)}.{written(name)}", scope.work.place(column))
