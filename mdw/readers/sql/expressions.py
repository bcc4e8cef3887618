"""SQL expressions -> nodes of the mapping language.

What the language has words for it says in them; any other function keeps its name and its arguments, and whatever
sqlglot parses that has no arm here is a function of all its parts: no source is lost.

    CASE WHEN s.t = 'a' THEN s.x END        CASE, of which X flows under t = 'a' and T only decides (rule Q1)
    ROUND(s.x, 2)                           the function ROUND of s.x and 2: equal for equal arguments (rule Q2)
    doc -> 'a' -> 'b', doc.a.b              the field a.b of DOC (rule Q6)
    (SELECT MAX(k) FROM p)                  a column of an inner entity that the block joins (`subqueries`)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.collations import COLLATE
from mdw.model.name import entity_of, local_of
from mdw.model.tree import Node
from mdw.readers.nodes import (
    call,
    cast,
    field,
    null,
    number,
    opaque,
    parameter,
    text,
    truth,
    truth_of,
)
from mdw.readers.sql import variables
from mdw.readers.sql.aggregates import aggregate, filtered, windowed, within
from mdw.readers.sql.choices import choice, coalesce, decode, if_, nullif, nvl2
from mdw.readers.sql.conditions import TESTS, test_of
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.functions import called, function
from mdw.readers.sql.hierarchies import from_above, prior
from mdw.readers.sql.members import struct_member
from mdw.readers.sql.names import by_place, column, given_outside, is_known, is_plain, named, row_of_star
from mdw.readers.sql.operators import OPERATORS, arithmetic, casted, concat, concatenation, negative
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.structs import field_made
from mdw.readers.sql.subqueries import scalar

METHODS = frozenset(
    """
    VALUE QUERY NODES EXIST JSONEXTRACT JSONEXTRACTVALUE JSONEXTRACTLARGEVALUE EXISTVALUE KEYCOUNT COMBINE XMLEXTRACT
    """.split()  # noqa: SIM905
)
"""Methods of XML and JSON."""
SPATIAL = frozenset(
    (
        "GETANCESTOR",
        "GETDESCENDANT",
        "GETLEVEL",
        "ISDESCENDANTOF",
        "GETREPARENTEDVALUE",
        "TOSTRING",
        "MAKEVALID",
        "REDUCE",
    )
)
"""Methods of T-SQL's columns of places and of hierarchies, besides those that begin with ST."""


def value(one: exp.Expr, scope: SelectScope) -> Node:
    """The node of an expression."""
    kind = type(one)
    arm = VALUES.get(kind)
    if arm is not None:
        return arm(one, scope)
    if kind in TESTS:
        return truth_of(test_of(one, scope))
    if isinstance(one, exp.AggFunc):
        return aggregate(one, scope)
    if isinstance(one, exp.Query):
        return scalar(one, scope)
    return function(one, scope)


def values(several: Sequence[exp.Expr], scope: SelectScope) -> list[Node]:
    """The nodes of several expressions."""
    return [value(one, scope) for one in several]


# -- leaves ------------------------------------------------------------------------------------------------------------


def _literal(one: Any, scope: SelectScope) -> Node:
    at = scope.work.place(one)
    content: str = one.this
    if not one.args.get("is_string"):
        return number(content, at)
    # 'x_{{ ds }}' is another text each time: an unknown constant.
    if "{{" in content or "${" in content:
        return parameter(content, at)
    if not content and scope.work.flavour.null_is_empty:
        return null(at)
    if content.endswith(" ") and content.strip() and scope.work.flavour.padded and not _joined(one):
        # Where such a text is compared its last blanks may count for nothing.
        return call("PADDED", [text(content, at)], at)
    return text(content, at)


def _joined(one: exp.Expr) -> bool:
    return isinstance(one.parent, (exp.DPipe, exp.Concat, exp.ConcatWs, exp.Add))


def _dot(one: Any, scope: SelectScope) -> Node:
    made = struct_member(one)
    if made is not None:
        return value(made, scope)
    parts = list(one.flatten(unnest=False)) if isinstance(one, exp.Dot) else [one]
    if isinstance(parts[0], exp.Paren) and is_plain(parts[0].unnest(), scope):
        # PostgreSQL's (t).address is the column of table T, (address).street the field of a column.
        parts[0] = parts[0].unnest()
    identifiers = [part for first in parts for part in (first.parts if isinstance(first, exp.Column) else [first])]
    if all(isinstance(part, exp.Identifier) for part in identifiers):
        return named(identifiers, scope.work.place(one), scope)
    if isinstance(parts[0], exp.Placeholder) and all(isinstance(part, exp.Identifier) for part in parts[1:]):
        # Oracle's :NEW.x, of the row that a trigger runs for.
        names = [scope.work.naming.known(parts[0].name, quoted=False), *map(scope.work.naming.part, parts[1:])]
        given = variables.field_of(names, scope, scope.work.place(one))
        if given is not None:
            return given
    if isinstance(one, exp.Dot) and isinstance(one.expression, exp.Identifier):
        whole = one.this.unnest() if isinstance(one.this, exp.Paren) else one.this
        made = field_made(whole, scope.work.naming.part(one.expression), scope)
        if made is not None:
            return value(made, scope)
    first = next((at for at, part in enumerate(parts) if isinstance(part, exp.Func)), len(parts))
    names = [scope.work.naming.part(part) for part in parts[:first] if isinstance(part, exp.Identifier)]
    if first < len(parts) and len(names) == first:
        found = _called_first(parts[: first + 1], names, one, scope)
        # What stands behind it are methods of what it gives, and fields of that.
        for part in parts[first + 1 :]:
            found = _within(found, part, scope)
        return found
    return _within(value(one.this, scope), one.expression, scope)


def _within(whole: Node, part: Any, scope: SelectScope) -> Node:
    """A method of a value, or a field of it."""
    if isinstance(part, exp.Func):
        return call(called(part), [whole, *values(part.expressions, scope)], whole.location)
    name = part.name or part.sql()
    column = variables.of_row(whole, scope.work.naming.known(name, quoted=False), scope)
    return column if column is not None else field(whole, name, whole.location)


def _called_first(parts: Sequence[Any], names: Sequence[str], one: Any, scope: SelectScope) -> Node:
    """A method of a column, as of XML; behind anything else it is a schema's function."""
    last = parts[-1]
    key = ".".join([*names, scope.work.naming.known(called(last), quoted=False)])
    if names and variables.held_by(key, scope.work.variables) is not None:
        # PL/SQL's r.list(i): an element of what a field of a record holds.
        return variables.found(key, scope, called(last), scope.work.place(one))
    # t.x.y.area(): a method of Y, a field of column X of T.
    of_row = any(scope.relation(names[:length]) is not None for length in range(len(names) - 1, 0, -1))
    if of_row or (names and _is_method(last, names, scope)):
        at = scope.work.place(one)
        own = named(parts[:-1], at, scope)
        return call(called(last), [own, *values(last.expressions, scope)], at)
    return value(last, scope)


def _is_method(last: Any, names: Sequence[str], scope: SelectScope) -> bool:
    name = called(last).upper()
    spatial = scope.work.flavour.name in TRANSACT and (name.startswith("ST") or name in SPATIAL)
    return name in METHODS or spatial or (len(names) == 1 and (is_known(names[0], scope) or _chained(names[0], scope)))


def _chained(name: str, scope: SelectScope) -> bool:
    """Whether DuckDB's a.f(b) is F(a, b) of a column that a table may have, and not a function of the schema A.

    Where nobody knows it is no column if tables of such a schema are read.
    """
    if scope.work.flavour.name != "duckdb" or name == "MAIN":
        return False
    read = [*scope.visible()]
    schemas = {local_of(entity_of(one.entity)) for one in read if one.entity}
    return name not in schemas and any(one.shape.has(name) is None for one in read)


def _collated(one: Any, scope: SelectScope) -> Node:
    if scope.block is not None:
        scope.block.collates = True
    return call(COLLATE, [value(one.this, scope), text(one.expression.name)], scope.work.place(one))


def _interval(one: Any, scope: SelectScope) -> Node:
    unit = one.args.get("unit")
    given = [value(one.this, scope)] if one.this else []
    return call("INTERVAL", [*given, *([text(unit.sql().upper())] if unit else [])], scope.work.place(one))


def _lambda(one: Any, scope: SelectScope) -> Node:
    if _is_path(one):
        # f(doc -> 'a') looks like a function of doc, and is a path within it.
        return opaque("->", [value(one.expressions[0], scope), value(one.this, scope)], scope.work.place(one))
    return _bound(one.expressions, [one.this], scope)[0]


def _is_path(one: Any) -> bool:
    first = one.this
    while isinstance(first, exp.Binary):
        first = first.this
    return len(one.expressions) == 1 and isinstance(first, exp.Literal)


def _bound(names: Sequence[Any], several: Sequence[exp.Expr], scope: SelectScope) -> list[Node]:
    """The nodes of expressions in which some names are no columns."""
    before = scope.bound
    scope.bound = before | {scope.work.naming.part(name) for name in names if isinstance(name, exp.Identifier)}
    try:
        return values(several, scope)
    finally:
        scope.bound = before


def _comprehension(one: Any, scope: SelectScope) -> Node:
    """[x + 1 FOR x IN list IF x > y]"""
    given = [part for part in (one.this, one.args.get("condition")) if part is not None]
    inner = _bound([one.expression], given, scope)
    return call("COMPREHENSION", [value(one.args["iterator"], scope), *inner], scope.work.place(one))


def _document(one: Any, scope: SelectScope) -> Node:
    """A path within a document (rule Q6)."""
    if one.args.get("this") is None:
        return function(one, scope)
    path = one.args.get("expression") or one.args.get("path")
    inner = value(one.this, scope)
    steps = _steps(path)
    if any(part.find(exp.Column) for part in one.expressions):
        # Further steps of the path are values: JSON_EXTRACT(doc, '$.a', s.k).
        return call(
            "JSON_EXTRACT", [field(inner, steps or " "), *values(one.expressions, scope)], scope.work.place(one)
        )
    return field(inner, steps, scope.work.place(one)) if steps else function(one, scope)


def _document_text(one: Any, scope: SelectScope) -> Node:
    """The same as text: of {"a": "x"} d -> 'a' is "x" with its quotes, d ->> 'a' is without them."""
    found = _document(one, scope)
    return cast(found, "TEXT", found.location) if found.role == "field" else found


def _steps(path: Any) -> str:
    if isinstance(path, exp.JSONPath):
        parts = [part for part in path.expressions if not isinstance(part, exp.JSONPathRoot)]
        names = [str(part.this) for part in parts if isinstance(part, (exp.JSONPathKey, exp.JSONPathSubscript))]
        return ".".join(names) if len(names) == len(parts) else path.sql()
    if isinstance(path, exp.Literal):
        return str(path.this).removeprefix("$").strip(".")
    return ""


def _element(one: Any, scope: SelectScope) -> Node:
    keys = one.expressions
    if len(keys) == 1 and isinstance(keys[0], exp.Literal) and keys[0].is_string:
        # DuckDB's LIST({'x': s.a})[1]['x']
        made = field_made(one.this.unnest(), scope.work.naming.known(keys[0].name, quoted=False), scope)
        if made is not None:
            return value(made, scope)
    inner = value(one.this, scope)
    if len(keys) == 1 and isinstance(keys[0], exp.Literal):
        return field(inner, str(keys[0].this) or " ", scope.work.place(one))
    return call("ELEMENT", [inner, *values(keys, scope)], scope.work.place(one))


def _inner(one: Any, scope: SelectScope) -> Node:
    return value(one.this, scope)


def _prior(one: Any, scope: SelectScope) -> Node:
    return prior(value(one.this, scope), scope)


def _root(one: Any, scope: SelectScope) -> Node:
    return call("CONNECT_BY_ROOT", [from_above(value(one.this, scope), scope)], scope.work.place(one))


def _subquery(one: Any, scope: SelectScope) -> Node:
    # Parentheses around a value, or around a query.
    return scalar(one, scope) if isinstance(one.unnest(), exp.Query) else value(one.this, scope)


def _struct(one: Any, scope: SelectScope) -> Node:
    made, work = function(one, scope), scope.work
    # BigQuery calls the fields of STRUCT(t.a, t.b) as their columns; those of Trino's ROW(a, b) have no names.
    by_columns = work.flavour.name == "bigquery"
    return work.fields.named(made, [_field_name(item, by_columns=by_columns) for item in one.expressions])


def _field_name(item: Any, *, by_columns: bool) -> str:
    """The name of a field of STRUCT(x AS a, t.b), "" where it has none."""
    if isinstance(item, exp.PropertyEQ):
        return str(item.this.name)
    if isinstance(item, exp.Alias):
        return str(item.alias)
    return str(item.name) if by_columns and isinstance(item, (exp.Column, exp.Dot)) else ""


def _extracted(one: Any, scope: SelectScope) -> Node:
    """DuckDB's STRUCT_EXTRACT(s, 'a') is s.a."""
    if not isinstance(one.expression, exp.Literal) or not one.expression.is_string:
        return function(one, scope)
    name = exp.to_identifier(one.expression.name, quoted=True)
    return value(exp.Dot(this=exp.paren(one.this.copy()), expression=name), scope)


def _map(one: Any, scope: SelectScope) -> Node:
    """DuckDB's MAP {s.k: s.v}: its keys are values as well."""
    items = one.this.expressions if isinstance(one.this, exp.Struct) else [one.this]
    pairs = [(item.this, item.expression) if isinstance(item, exp.PropertyEQ) else (item,) for item in items]
    return call("MAP", [value(part, scope) for pair in pairs for part in pair], scope.work.place(one))


def _under(one: Any, scope: SelectScope) -> Node:
    """ClickHouse's sumIf(a, c) is SUM(a) of the rows for which C holds; quantileIf(0.5)(a, c) is alike."""
    name, how = called(one), one.args.get("params")
    given, asked = how or one.expressions, CONDITIONED.search(name)
    if asked is not None and len(given) == 1 and name[: asked.start()].lower() == "count":
        return aggregate(exp.CountIf(this=given[0].copy()), scope)
    if asked is None or len(given) < 2:
        return aggregate(one, scope)
    test = given[-1]
    # What stands in parentheses of its own comes behind the values.
    copies = [part.copy() for part in (*given[:-1], *(one.expressions if how else ()))]
    inner: exp.Expr = exp.AnonymousAggFunc(this=name[: asked.start()] + asked["kept"], expressions=copies)
    if name in ("argMaxIf", "argMinIf") and len(copies) == 2:
        kind = exp.ArgMax if name == "argMaxIf" else exp.ArgMin
        inner = kind(this=copies[0], expression=copies[1])
    return filtered(exp.Filter(this=inner, expression=exp.Where(this=test.copy())), scope)


CONDITIONED = re.compile(r"If(?P<kept>(?:State|OrNull|OrDefault|Distinct)*)\Z")
"""The end of the name of a function of ClickHouse that has a test behind its values."""
VALUES: Mapping[type[exp.Expr], Callable[[Any, SelectScope], Node]] = {
    exp.Literal: _literal,
    **dict.fromkeys((exp.National, exp.RawString), lambda one, scope: text(one.name, scope.work.place(one))),
    exp.Column: column,
    exp.Dot: _dot,
    exp.Boolean: lambda one, scope: truth(bool(one.this), scope.work.place(one)),
    exp.Null: lambda one, scope: null(scope.work.place(one)),
    exp.Star: lambda one, scope: call("ROW", row_of_star(one, scope), scope.work.place(one)),
    exp.Columns: lambda one, scope: scope.each or call("ROW", row_of_star(one, scope), scope.work.place(one)),
    exp.PositionalColumn: by_place,
    exp.Parameter: given_outside,
    exp.Placeholder: given_outside,
    exp.SessionParameter: given_outside,
    exp.Collate: _collated,
    exp.Interval: _interval,
    **dict.fromkeys(OPERATORS, arithmetic),
    exp.DPipe: concatenation,
    exp.Concat: concat,
    exp.Neg: negative,
    exp.Cast: casted,
    exp.TryCast: casted,
    exp.Case: choice,
    exp.If: if_,
    exp.Nullif: nullif,
    exp.Nvl2: nvl2,
    exp.DecodeCase: decode,
    exp.Coalesce: coalesce,
    exp.Filter: filtered,
    **dict.fromkeys((exp.CombinedAggFunc, exp.CombinedParameterizedAgg), _under),
    exp.WithinGroup: within,
    exp.Window: windowed,
    exp.Lambda: _lambda,
    exp.Comprehension: _comprehension,
    exp.JSONExtract: _document,
    exp.JSONExtractScalar: _document_text,
    exp.JSONBExtract: _document,
    exp.JSONBExtractScalar: _document_text,
    exp.Bracket: _element,
    exp.ToMap: _map,
    exp.Struct: _struct,
    exp.StructExtract: _extracted,
    exp.Alias: _inner,
    exp.Aliases: _inner,
    exp.Ordered: _inner,
    exp.Prior: _prior,
    exp.ConnectByRoot: _root,
    exp.Subquery: _subquery,
    exp.Paren: _inner,
    exp.Identifier: lambda one, scope: named([one], scope.work.place(one), scope),
    exp.Var: lambda one, scope: call(one.name or "VAR", (), scope.work.place(one)),
    exp.Kwarg: lambda one, scope: value(one.expression, scope),
    exp.NextValueFor: lambda one, scope: call("NEXTVAL", (), scope.work.place(one)),
    exp.PropertyEQ: lambda one, scope: value(one.expression, scope),
}
