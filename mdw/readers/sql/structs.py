"""The fields of a row that an expression makes, as far as its text tells them.

STRUCT(t.a AS x, t.b)                X is t.a, B is t.b
IF(n.k IS NULL, o, n)                of rows of O and N, with columns K and V: V is IF(n.k IS NULL, o.v, n.v)
ARRAY_AGG(t ORDER BY t.d)[0]         K is ARRAY_AGG(t.k ORDER BY t.d)[0]
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node
from mdw.readers.sql.levels import OUTER
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import Fields
from mdw.readers.sql.tables import columns_of_type
from mdw.readers.sql.work import Work


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
    """The fields of what a STRUCT makes, or of rows of which one is taken, each by what it is; nothing if not known."""
    naming = scope.work.naming
    leaves = list(_leaves(inner))
    if not leaves or not all(isinstance(one, exp.Struct) or _complete(one, scope) for one in leaves):
        return
    first = leaves[0]
    relation = None if isinstance(first, exp.Struct) else _row(first, scope)
    for name in list(relation.shape.columns if relation is not None else _fields_of(first, scope)):
        # Of rows one is taken, IF(t.k IS NULL, u, t), so the field NAME is IF(t.k IS NULL, u.name, t.name).
        found = _of_field(inner.copy(), name, naming.shown(name), scope)
        if found is not None:
            yield name, found


def fields_listed(array: Any, work: Work) -> dict[str, list[exp.Expr]]:
    """The fields of the rows an array lists, [STRUCT(1 AS a), (b)], each with its values; none if some do not tell."""
    typed = array.args["to"] if isinstance(array, exp.Cast) else None
    listed = array.this if typed is not None else array
    if not isinstance(listed, exp.Array) or not listed.expressions:
        return {}
    rows = [one.this if isinstance(one, exp.Cast) else one for one in listed.expressions]
    first = listed.expressions[0]
    told = typed.expressions[0] if typed is not None and typed.expressions else None
    told = first.args["to"] if told is None and isinstance(first, exp.Cast) else told
    given = told.expressions if told is not None else first.expressions if isinstance(first, exp.Struct) else []
    names = [_named(one, work) for one in given]
    if not all(names) or not all(isinstance(one, (exp.Struct, exp.Tuple)) for one in rows):
        return {}
    if any(len(one.expressions) != len(names) for one in rows):
        return {}
    return {name: [_given(one.expressions[at]) for one in rows] for at, name in enumerate(names)}


def fields_told(whole: Node, scope: SelectScope, *, each: bool = False, deep: bool = False) -> Iterator[str]:
    """The fields of a column, or of ``each`` of its elements, by the type that is told of it.

    ``deep``: in the place of a field that is a struct the fields of that.
    """
    name = canonical(whole.content) if whole.role == "attribute" or whole.role.startswith(OUTER) else ""
    read = [row for row in scope.visible() if canonical(row.label) == row_of(name)]
    entry = scope.work.telling.entry(read[0].entity) if name and read and read[0].entity else None
    told = entry.attribute(local_of(name)) if entry else None
    if told is not None and told.fields:
        yield from dict.fromkeys(path[0] for path in told.paths) if told.listed == each else ()
        return
    if told is None or not told.type:
        made = read[0].shape.fields.get(local_of(name)) if name and read else None
        yield from made.names if made is not None and made.listed == each else ()
        return
    listed = each and told.type.endswith("[]")
    text = told.type.removesuffix("[]") if listed else told.type
    try:
        type_ = exp.DataType.build(text, dialect=scope.work.flavour.parser, udt=True)
    except SqlglotError:
        return
    if each and type_.this == exp.DataType.Type.ARRAY and type_.expressions:
        type_ = type_.expressions[0]
    elif each and not listed:
        return
    if type_.this == exp.DataType.Type.STRUCT and all(isinstance(one, exp.ColumnDef) for one in type_.expressions):
        yield from (scope.work.naming.part(one.this) for one in _fields_in(type_, deep=deep))
    elif type_.this == exp.DataType.Type.USERDEFINED:
        yield from columns_of_type(type_, scope.work)


MAKING = frozenset((
    exp.Paren, exp.Filter, exp.Struct, exp.Array, exp.List, exp.ArrayAgg, exp.ArrayUniqueAgg, exp.Subquery, exp.Select,
    exp.Bracket, exp.AnyValue, exp.First,
))  # fmt: skip
"""What may make a struct, or an array of such."""


def fields_made(item: Any, node: Node, scope: SelectScope) -> Fields | None:
    """The fields of a column that an item gives, where it is a struct, or an array of such, that a query makes."""
    # Asked of every column that a query gives, of which hardly one has fields.
    if node.role == "attribute":
        return _fields_read(node, scope)
    if node.role == "field":
        found = _fields_read(node.children[0], scope)
        for part in node.children[1].content[1:-1].split("."):
            found = found.within.get(scope.work.fields.part(part)) if found is not None and not found.listed else None
        return found or _fields_written(item, scope)
    return _fields_written(item, scope)


def _fields_read(whole: Node, scope: SelectScope) -> Fields | None:
    """The fields of a column that is read."""
    name = canonical(whole.content) if whole.role == "attribute" else ""
    for one in scope.relations:
        if one.shape.fields and canonical(one.label) == row_of(name):
            return one.shape.fields.get(local_of(name))
    return None


def _fields_written(item: Any, scope: SelectScope) -> Fields | None:
    """The fields of what an expression makes."""
    if type(item.this if type(item) is exp.Alias else item) not in MAKING:
        return None
    inner, listed = item.unalias().unnest(), False
    if isinstance(inner, (exp.Bracket, exp.AnyValue, exp.First)):
        # One of the rows of a table has its columns as fields.
        columns = tuple(name for name, _ in made_of_fields(inner, scope))
        return Fields(columns) if columns else None
    if isinstance(inner, exp.Filter):
        inner = inner.this
    if isinstance(inner, (exp.Array, exp.List)) and inner.expressions:
        inner, listed = inner.expressions[0].unnest(), True
    elif isinstance(inner, (exp.ArrayAgg, exp.ArrayUniqueAgg)):
        inner, listed = inner.this, True
        while isinstance(inner, (exp.Order, exp.Limit, exp.Distinct)):
            inner = inner.this or inner.expressions[0]
    if not isinstance(inner, exp.Struct):
        names = selected(inner, scope)
        return Fields(tuple(names), listed) if names else None
    fields = _fields_of(inner, scope)
    within = {name: made for name, one in fields.items() if (made := _fields_written(one, scope)) is not None}
    return Fields(tuple(fields), listed, within) if fields else None


def _fields_in(type_: Any, *, deep: bool) -> Iterator[exp.ColumnDef]:
    for one in type_.expressions:
        kind = one.args.get("kind")
        if deep and kind is not None and kind.this == exp.DataType.Type.STRUCT:
            yield from _fields_in(kind, deep=True)
        else:
            yield one


def _named(one: Any, work: Work) -> str:
    """What a field is called, "" where nothing tells."""
    if isinstance(one, exp.Alias):
        return work.naming.part(one.args["alias"])
    return work.naming.part(one.this) if isinstance(one, (exp.ColumnDef, exp.Column, exp.PropertyEQ)) else ""


def _given(one: Any) -> exp.Expr:
    value: exp.Expr = one.expression if isinstance(one, exp.PropertyEQ) else one.unalias()
    return value


def field_made(inner: Any, name: str, scope: SelectScope) -> exp.Expr | None:
    """What a field of an expression is, if that is known."""
    if isinstance(inner, exp.Subquery) and name in selected(inner, scope):
        # (SELECT AS STRUCT a, b FROM t).b
        query = inner.this.copy()
        query.set("kind", None)
        query.set("expressions", [query.selects[selected(inner, scope).index(name)]])
        return exp.Subquery(this=query)
    if gives_rows(inner, scope) and inner.find(exp.Query) is None:
        return of_rows(inner.copy(), scope.work.naming.shown(name))
    return dict(made_of_fields(inner, scope)).get(name)


def _complete(one: Any, scope: SelectScope) -> bool:
    relation = _row(one, scope)
    return relation is not None and relation.shape.complete


def _fields_of(one: Any, scope: SelectScope) -> dict[str, exp.Expr]:
    """The fields of a STRUCT that have names."""
    naming, found = scope.work.naming, dict[str, exp.Expr]()
    for item in one.expressions:
        if isinstance(item, exp.Column):
            found[naming.part(item.this)] = item
        elif isinstance(item, exp.Alias):
            found[naming.part(item.args["alias"])] = item.this
        elif isinstance(item, exp.PropertyEQ):
            found[naming.part(item.this)] = item.expression
        else:
            return {}
    return found


def _of_field(inner: Any, name: str, shown: str, scope: SelectScope) -> exp.Expr | None:
    """The same of one field of it."""
    if isinstance(inner, exp.Struct):
        return _fields_of(inner, scope).get(name)
    if isinstance(inner, exp.Column):
        return of_rows(inner, shown)
    whole = inner.this.copy() if isinstance(inner, (exp.Max, exp.Min)) else None
    for one in list(_picked(inner)):
        part = _of_field(one, name, shown, scope)
        if part is None:
            return None
        one.replace(part.copy())
    if whole is not None:
        # Spark's MAX(STRUCT(ts, v)).v: the V of the row that has the greatest of both.
        return (exp.ArgMax if isinstance(inner, exp.Max) else exp.ArgMin)(this=inner.this, expression=whole)
    return inner  # type: ignore[no-any-return]


PICKING = (
    exp.If, exp.Case, exp.Coalesce, exp.Bracket, exp.ArrayAgg, exp.AnyValue, exp.HavingMax, exp.Order, exp.Limit,
    exp.Paren, exp.Max, exp.Min,
)  # fmt: skip
"""What takes one of the values it is given, as it is."""


def _rows_in(inner: Any, scope: SelectScope) -> Iterator[RowSource | None]:
    """The relations of whose rows an expression takes one; None where it may be something else."""
    for one in _leaves(inner):
        yield _row(one, scope)


def _leaves(inner: Any) -> Iterator[exp.Expr]:
    """The values of which an expression takes one."""
    if not isinstance(inner, PICKING):
        yield inner
        return
    for one in _picked(inner):
        yield from _leaves(one)


def _row(one: Any, scope: SelectScope) -> RowSource | None:
    """The relation whose row a name is, if it is no column."""
    if not isinstance(one, exp.Column) or len(one.parts) > 1 or not isinstance(one.this, exp.Identifier):
        return None
    name = scope.work.naming.part(one.this)
    relation = None if any(other.has(name) for other in scope.relations) else scope.row(name)
    # Of FROM t, whose columns nobody knows, T may be a column as well; an alias is no such name.
    doubtful = relation is not None and not relation.shape.complete and local_of(relation.entity or "") == name
    return None if doubtful else relation


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
