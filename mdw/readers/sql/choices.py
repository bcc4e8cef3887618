"""Choices: CASE, IF, DECODE, COALESCE and their like, each value with its own test (rule Q1).

CASE t WHEN 'a' THEN x ELSE y END      CASE WHEN t = 'a' THEN x ELSE y END
NVL2(t, x, y)                          CASE WHEN t IS NOT NULL THEN x ELSE y END
NULLIF(x, y)                           CASE WHEN x = y THEN NULL ELSE x END
DECODE(t, NULL, x, y)                  CASE WHEN t IS NOT DISTINCT FROM NULL THEN x ELSE y END
"""

from __future__ import annotations

from typing import Any

from mdw.model.tree import Node
from mdw.readers.nodes import call, case, compared, null
from mdw.readers.sql.conditions import test_of
from mdw.readers.sql.scopes import SelectScope


def choice(one: Any, scope: SelectScope) -> Node:
    subject = scope.work.value(one.this, scope) if one.this else None
    whens = []
    for branch in one.args["ifs"]:
        test = compared("=", subject, scope.work.value(branch.this, scope)) if subject else test_of(branch.this, scope)
        whens.append((test, scope.work.value(branch.args["true"], scope)))
    default = one.args.get("default")
    return case(whens, scope.work.value(default, scope) if default is not None else None, scope.work.place(one))


def if_(one: Any, scope: SelectScope) -> Node:
    otherwise = one.args.get("false")
    taken = (test_of(one.this, scope), scope.work.value(one.args["true"], scope))
    return case([taken], scope.work.value(otherwise, scope) if otherwise is not None else None, scope.work.place(one))


def nullif(one: Any, scope: SelectScope) -> Node:
    left = scope.work.value(one.this, scope)
    return case([(compared("=", left, scope.work.value(one.expression, scope)), null())], left, left.location)


def nvl2(one: Any, scope: SelectScope) -> Node:
    given, otherwise = scope.work.value(one.args["true"], scope), one.args.get("false")
    test = compared("IS NOT NULL", scope.work.value(one.this, scope))
    return case([(test, given)], scope.work.value(otherwise, scope) if otherwise else None, given.location)


def decode(one: Any, scope: SelectScope) -> Node:
    subject, *rest = scope.work.values(one.expressions, scope)
    pairs = [(compared("IS NOT DISTINCT FROM", subject, a), b) for a, b in zip(rest[::2], rest[1::2], strict=False)]
    return case(pairs, rest[-1] if len(rest) % 2 else None, subject.location) if pairs else subject


def coalesce(one: Any, scope: SelectScope) -> Node:
    return call("COALESCE", scope.work.values([one.this, *one.expressions], scope), scope.work.place(one))
