"""The fields of a row that an expression makes, as far as its text tells them.

STRUCT(t.a AS x, t.b)                X is t.a, B is t.b
IF(n.k IS NULL, o, n)                of rows of O and N, with columns K and V: V is IF(n.k IS NULL, o.v, n.v)
ARRAY_AGG(t ORDER BY t.d)[0]         K is ARRAY_AGG(t.k ORDER BY t.d)[0]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import Shape


def gives_fields(one: Any, scope: SelectScope) -> bool:
    """Whether an expression surely gives a row: a STRUCT, (SELECT AS STRUCT ...), or one of the rows of tables."""
    inner = one.unalias().unnest()
    if isinstance(inner, exp.Struct):
        return True
    if isinstance(inner, exp.Select):
        return inner.args.get("kind") == "STRUCT"
    return gives_rows(inner, scope)


def gives_rows(inner: Any, scope: SelectScope) -> bool:
    """Whether an expression takes one of the rows of tables."""
    rows = list(_rows_in(inner, scope))
    return bool(rows) and None not in rows


def made_of_fields(inner: Any, scope: SelectScope) -> Iterator[tuple[str, exp.Expr]]:
    """The fields that a STRUCT is made of, or those that rows have of which one is taken; nothing if not known."""
    naming = scope.work.naming
    if isinstance(inner, exp.Struct):
        fields = inner.expressions
        for one in fields if all(isinstance(one, (exp.PropertyEQ, exp.Alias, exp.Column)) for one in fields) else ():
            if isinstance(one, exp.Column):
                yield naming.part(one.this), one
            elif isinstance(one, exp.Alias):
                yield naming.part(one.args["alias"]), one.this
            else:
                yield naming.part(one.this), one.expression
        return
    rows = list(_rows_in(inner, scope))
    shapes = [relation.shape if relation is not None else Shape() for relation in rows]
    if not rows or not all(shape.complete for shape in shapes):
        return
    for name in list(shapes[0].columns):
        # Of rows one is taken, IF(t.k IS NULL, u, t), so the field NAME is IF(t.k IS NULL, u.name, t.name).
        yield name, of_rows(inner.copy(), naming.shown(name))


PICKING = (
    exp.If, exp.Case, exp.Coalesce, exp.Bracket, exp.ArrayAgg, exp.AnyValue, exp.HavingMax, exp.Order, exp.Limit,
    exp.Paren,
)  # fmt: skip
"""What takes one of the values it is given, as it is."""


def _rows_in(inner: Any, scope: SelectScope) -> Iterator[RowSource | None]:
    """The relations of whose rows an expression takes one; None where it may be something else."""
    if isinstance(inner, exp.Column) and len(inner.parts) == 1:
        yield scope.row(scope.work.naming.part(inner.this))
    elif isinstance(inner, PICKING):
        for one in _picked(inner):
            yield from _rows_in(one, scope)
    else:
        yield None


def _picked(inner: Any) -> Iterator[exp.Expr]:
    given = inner.args
    if isinstance(inner, exp.If):
        yield from (one for one in (given["true"], given.get("false")) if one is not None)
    elif isinstance(inner, exp.Case):
        yield from (one.args["true"] for one in given["ifs"])
        yield from (one for one in [given.get("default")] if one is not None)
    else:
        yield inner.this
        yield from given.get("expressions") or () if isinstance(inner, exp.Coalesce) else ()


def of_rows(inner: Any, name: str) -> exp.Expr:
    """The same of one column of those rows."""
    if isinstance(inner, exp.Column):
        return exp.column(exp.to_identifier(name, quoted=True), table=inner.this.copy())
    for one in list(_picked(inner)):
        one.replace(of_rows(one, name))
    return inner  # type: ignore[no-any-return]


def selected(inner: Any, scope: SelectScope) -> list[str]:
    """The columns of (SELECT AS STRUCT a, b FROM t)."""
    query = inner.this if isinstance(inner, exp.Subquery) else inner
    found = query.selects if isinstance(query, exp.Select) and query.args.get("kind") == "STRUCT" else []
    plain = all(one.alias_or_name and not one.is_star for one in found)
    return [scope.work.naming.known(one.alias_or_name, quoted=False) for one in found] if plain else []
