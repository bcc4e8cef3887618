"""What leaves rows out that meet all the rest: LIMIT, OFFSET, samples, the nearest of ASOF, arrays without elements.

    SELECT x FROM s TABLESAMPLE (10 PERCENT)      LIMIT SAMPLE(10)
    SELECT x FROM s, UNNEST(s.tags)               LIMIT ELEMENT(s.tags): a row without tags gives none

They give no condition (rules Q6, Q13), but not every row that meets the others arrives.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import call, number
from mdw.readers.sql.levels import attributes
from mdw.readers.sql.scopes import SelectScope

APART = (exp.Explode, exp.Unnest, exp.ExplodingGenerateSeries, exp.Inline)
"""Functions of a SELECT list that make rows of a row, of some none."""
SEVERAL = frozenset(
    kind for kind in vars(exp).values() if isinstance(kind, type) and issubclass(kind, (exp.Columns, exp.Apply, *APART))
)
"""What gives several columns or rows where it stands, and all of its kind."""
GIVING = frozenset(
    """
    STRING_TO_TABLE REGEXP_SPLIT_TO_TABLE REGEXP_MATCHES GENERATE_SUBSCRIPTS JSONB_PATH_QUERY
    JSON_ARRAY_ELEMENTS JSONB_ARRAY_ELEMENTS JSON_ARRAY_ELEMENTS_TEXT JSONB_ARRAY_ELEMENTS_TEXT
    JSON_EACH JSONB_EACH JSON_EACH_TEXT JSONB_EACH_TEXT JSON_OBJECT_KEYS JSONB_OBJECT_KEYS
    """.split()  # noqa: SIM905
)
"""PostgreSQL's that do so, which are known by their names alone."""
LEAVES = frozenset((exp.Identifier, exp.Literal))
NEAREST = ("ASOF", "ANY")
"""Joins that take one partner of several."""


def limits_of(query: Any, scope: SelectScope) -> list[Node]:
    """How many of its rows a query gives, and from which on; the sample that it takes of them."""
    limit, offset = query.args.get("limit"), query.args.get("offset")
    at = scope.work.place(query) if limit is not None or offset is not None else None
    found = []
    if limit is not None:
        amount = limit.args.get("expression") or limit.args.get("count")
        # FETCH FIRST ROW ONLY
        found.append(scope.work.value(amount, scope) if amount is not None else number("1", at))
    if offset is not None:
        found.append(call("OFFSET", [scope.work.value(offset.expression, scope)], at))
    return [*found, *_sample(query, scope)]


def sampled(one: Any, scope: SelectScope) -> None:
    """Of what stands in a FROM only some rows are read."""
    if scope.block is not None:
        scope.block.limits += _sample(one, scope)


def _sample(one: Any, scope: SelectScope) -> list[Node]:
    sample = one.args.get("sample")
    if sample is None:
        return []
    amount = sample.args.get("percent") or sample.args.get("size")
    return [call("SAMPLE", [scope.work.value(amount, scope)] if amount is not None else (), scope.work.place(one))]


def one_partner(join: Any, scope: SelectScope) -> None:
    """Of several rows that could be joined the nearest is, or any."""
    if scope.block is not None and {join.method, join.kind} & {*NEAREST}:
        scope.block.limits.append(call(f"{join.method or join.kind} JOIN", (), scope.work.place(join)))


def elements_of(given: Iterable[Node], scope: SelectScope) -> None:
    """A row stays only where what it is taken apart into has elements."""
    if scope.block is not None:
        scope.block.limits += [node for node in given if _may_be_empty(node)]


def _may_be_empty(node: Node) -> bool:
    """Whether what is taken apart has elements in some rows only: not constants, nor a list that is written out."""
    listed = any(one.children and one.children[0].role == "ARRAY" for one in node.children[1:])
    return not listed and next(attributes(node), None) is not None


def gives_several(item: exp.Expr) -> bool:
    """Whether something in an item of a SELECT list may give several columns, or several rows of one."""
    # Asked of every item: one look for all of it, by the kinds alone, takes a third of what looks for each would.
    pending = [item]
    while pending:
        one = pending.pop()
        kind = type(one)
        if kind in LEAVES or (kind is exp.Column and type(one.args["this"]) is exp.Identifier):
            continue
        if kind in SEVERAL or (kind is exp.Anonymous and one.name.upper() in GIVING):
            return True
        for part in one.args.values():
            if isinstance(part, exp.Expr):
                pending.append(part)
            elif type(part) is list:
                pending += [inner for inner in part if isinstance(inner, exp.Expr)]
    return False


def taken_apart(item: Any, scope: SelectScope) -> None:
    """The same of an item of a SELECT list."""
    for one in item.find_all(*APART, exp.Anonymous):
        gives = not isinstance(one, exp.Anonymous) or one.name.upper() in GIVING
        if gives and one.parent_select is item.parent_select:
            elements_of([call("ELEMENT", scope.work.values(_arguments(one), scope), scope.work.place(one))], scope)


def _arguments(one: Any) -> list[exp.Expr]:
    return [part for part in one.iter_expressions() if not isinstance(part, (exp.TableAlias, exp.DataType))]
