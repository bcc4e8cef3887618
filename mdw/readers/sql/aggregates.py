"""Aggregations and windows (rules Q1, Q14, Q16).

SUM(x) FILTER (WHERE t = 'a'), COUNT_IF(t = 'a')     SUM(CASE WHEN t = 'a' THEN x END), COUNT(CASE ... THEN 1 END)
LAG(x) OVER (PARTITION BY k ORDER BY d)              x of another row that has the same K; D only decides
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.tree import Location, Node
from mdw.readers.nodes import aggregating, aggregation, call, case, number, window
from mdw.readers.sql.conditions import test_of
from mdw.readers.sql.functions import called, function, parts_of
from mdw.readers.sql.scopes import SelectScope

WINDOWED = (
    exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.RowNumber, exp.Rank, exp.DenseRank, exp.Ntile,
    exp.PercentRank, exp.CumeDist,
)  # fmt: skip


def aggregate(one: Any, scope: SelectScope, under: exp.Expr | None = None) -> Node:
    """An aggregation, of those rows only that meet its FILTER."""
    given, distinct, order = _arguments(one)
    if scope.block is not None:
        scope.block.order += scope.work.values(order, scope)
    at = scope.work.place(one)
    if isinstance(one, exp.AnyValue) and isinstance(one.this, exp.HavingMax):
        # BigQuery's ANY_VALUE(x HAVING MAX y) is an X of the rows that have the greatest Y.
        name = "ARG_MAX" if one.this.args.get("max") else "ARG_MIN"
        return aggregation(name, scope.work.values([one.this.this, one.this.expression], scope), at=at)
    if isinstance(one, exp.CountIf):
        return aggregation("COUNT", [_under(number("1"), test_of(given[0], scope), None)], at=at)
    # COUNT(*) counts rows: it is made of no column (rule Q5).
    whole = not given or isinstance(given[0], exp.Star) or isinstance(given[0].this, exp.Star)
    nodes = [] if whole and isinstance(one, exp.Count) else scope.work.values(given, scope)
    if under is not None:
        test = test_of(under, scope)
        nodes = [_under(nodes[0] if nodes else number("1"), test, at), *nodes[1:]]
    if any(map(aggregating, nodes)):
        # Aggregations of aggregations stand in windows, whose rows are groups.
        return call(f"OVER_{called(one)}", nodes, at)
    return aggregation(called(one), nodes, distinct=distinct, at=at)


def _under(node: Node, test: Node, at: Location | None) -> Node:
    return case([(test, node)], None, at or node.location)


def _arguments(one: exp.Expr) -> tuple[list[exp.Expr], bool, list[exp.Expr]]:
    """The arguments of an aggregation, whether only distinct ones count, and by what they are in order."""
    given: list[exp.Expr] = []
    order: list[exp.Expr] = []
    distinct = False
    pending = list(parts_of(one))
    while pending:
        part = pending.pop(0)
        if isinstance(part, exp.Distinct):
            distinct = True
            pending[:0] = part.expressions
        elif isinstance(part, exp.Order):
            order += [key.this if isinstance(key, exp.Ordered) else key for key in part.expressions]
            pending[:0] = [part.this] if part.this is not None else []
        elif isinstance(part, (exp.Limit, exp.IgnoreNulls, exp.RespectNulls)):
            pending[:0] = [part.this] if part.this is not None else []
        else:
            given.append(part)
    return given, distinct, order


def within(one: Any, scope: SelectScope) -> Node:
    """PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) gives a value of x; LISTAGG only stands in that order."""
    given, distinct, order = _arguments(one.this)
    ordered, _, more = _arguments(one.expression)
    order += [key.this if isinstance(key, exp.Ordered) else key for key in (*ordered, *more)]
    if isinstance(one.this, (exp.GroupConcat, exp.ArrayAgg)):
        if scope.block is not None:
            scope.block.order += scope.work.values(order, scope)
        order = []
    return aggregation(
        called(one.this), scope.work.values([*given, *order], scope), distinct=distinct, at=scope.work.place(one)
    )


def filtered(one: Any, scope: SelectScope) -> Node:
    """An aggregation with FILTER."""
    inner, where = one.this, one.expression
    test = where.this if isinstance(where, exp.Where) else where
    if isinstance(inner, exp.AggFunc):
        return aggregate(inner, scope, test)
    return _under(scope.work.value(inner, scope), test_of(test, scope), None)


def windowed(one: Any, scope: SelectScope) -> Node:
    """A value taken from other rows."""
    named = _window_named(one, scope)
    keys = scope.work.values(
        one.args.get("partition_by") or (named.args.get("partition_by") if named else None) or [], scope
    )
    ordering = one.args.get("order") or (named.args.get("order") if named else None)
    order = [key.this if isinstance(key, exp.Ordered) else key for key in ordering.expressions] if ordering else []
    frame = _framed(one.args.get("spec") or (named.args.get("spec") if named else None))
    return window(_windowed(one.this, scope), keys, scope.work.values(order, scope), frame, scope.work.place(one))


def _framed(spec: Any) -> str:
    """The frame of a window as it is written; the parser writes it without what it leaves out."""
    if spec is None:
        return ""
    left_out = spec.args.get("exclude")
    return spec.sql() if left_out is None else f"{spec.sql()} EXCLUDE {left_out.name}"


def _window_named(one: Any, scope: SelectScope) -> Any:
    alias = one.args.get("alias")
    return scope.windows.get(scope.work.naming.part(alias)) if isinstance(alias, exp.Identifier) else None


def _windowed(one: Any, scope: SelectScope) -> Node:
    """The function of a window: never one that would make a group of all rows."""
    inner = one.this if isinstance(one, (exp.IgnoreNulls, exp.RespectNulls)) else one
    if isinstance(inner, WINDOWED):
        return function(inner, scope)
    found = scope.work.value(inner, scope)
    return found if found.role in ("function", "aggregation", "aggregate") else call("VALUE", [found], found.location)
