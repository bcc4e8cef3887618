"""SQL conditions -> nodes of the mapping language.

    a = 1 AND NOT (b IN (2, 3) OR c IS NULL)           (a = 1) AND NOT ((b IN 2, 3) OR (c IS NULL))
    WHERE a = 1 AND k IN (SELECT k FROM p)             the test a = 1, and a SEMI JOIN of the block (rule Q11)
    WHERE a = 1 OR k IN (SELECT k FROM p)              a MARK JOIN, and EXISTS of its role in the place of IN

`test_of` gives the node of any condition, wherever it stands. `rows_that` is for what rows must meet, WHERE and the ON
of inner joins: only there may a part become a join, for only there it must be TRUE. What has no word in the language is
a function that IS TRUE: undecided, so no row is thought gone that may be there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlglot import exp

from mdw.model.name import canonical, local_of
from mdw.model.tree import Node
from mdw.readers.nodes import both, call, cast, compared, either, number, opaque, opposite, text, truth, truth_of
from mdw.readers.sql.days import day_of
from mdw.readers.sql.scopes import SelectScope, label_of
from mdw.readers.sql.steadiness import steady
from mdw.readers.sql.subqueries import member, sought
from mdw.readers.sql.witnesses import not_itself

COMPARISONS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.GTE: ">=",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.NullSafeEQ: "IS NOT DISTINCT FROM",
    exp.NullSafeNEQ: "IS DISTINCT FROM",
}


def test_of(one: exp.Expr, scope: SelectScope) -> Node:
    """The node of a condition; a value that stands as one is asked whether it is TRUE."""
    arm = TESTS.get(type(one))
    found = arm(one, scope) if arm else _truth(_value(one, scope), scope)
    # The parser writes NOT LIKE and IS NOT as one node.
    return _opposite(found) if one.args.get("negate") else found


def _truth(node: Node, scope: SelectScope) -> Node:
    """A value that stands as a condition: whether it is TRUE or, where numbers are truths, neither FALSE nor 0."""
    if node.role in ("test", "truth", "function", "opaque", "parameter") or not scope.work.flavour.loose_truths:
        return compared("IS TRUE", node)
    kind = _type(node, scope)
    if kind.startswith("BOOL"):
        return compared("IS TRUE", node)
    read = READ_AS.get(scope.work.flavour.name, "")
    if node.role == "string" or TEXT.match(kind):
        # NOT 'a': what number, or truth, a text is the database says.
        return compared("IS TRUE", cast(node, "BOOLEAN")) if not read else compared("!=", cast(node, read), number("0"))
    # MySQL's WHERE flag: a number is TRUE unless it is 0. Where the type is not told it may be BOOLEAN, too.
    zero = compared("!=", node, number("0"))
    counted = node.role in ("value", "computation") or kind.endswith("INT") or kind.startswith("INT")
    return zero if counted else both([zero, compared("!=", node, truth(False))])


def _type(node: Node, scope: SelectScope) -> str:
    """The type a column is told to have, if one is."""
    if node.role != "attribute":
        return ""
    label = label_of(node)
    entity = next((one.entity for one in scope.relations if one.label == label), "")
    entry = scope.work.telling.entry(entity) if entity else None
    found = entry.attribute(local_of(canonical(node.content))) if entry is not None else None
    return found.type.upper() if found is not None else ""


TEXT = re.compile(r"(N?(VAR)?CHAR|TEXT|STRING|CLOB|CHARACTER)")
READ_AS = {
    **dict.fromkeys(("sqlite",), "REAL"),
    **dict.fromkeys(("mysql", "mariadb", "singlestore", "doris"), "DOUBLE"),
}
"""Dialects in which a text that stands as a condition is read as a number, by the type of that."""

test_of.__test__ = False  # type: ignore[attr-defined]


def rows_that(one: exp.Expr, scope: SelectScope) -> list[Node]:
    """What rows must meet, part by part; IN and EXISTS that must be TRUE become joins of the block (rule Q11)."""
    tests: list[Node] = []
    for part in _chained(one, exp.And):
        tests += _tested(part, scope)
    return tests


def _tested(one: exp.Expr, scope: SelectScope) -> list[Node]:
    """The test of a part; none where a semi or anti join says it all."""
    inner, kind = one, "SEMI JOIN"
    if isinstance(one, exp.Not):
        inner, kind = _bare(one.this), "ANTI JOIN"
    if isinstance(inner, exp.Exists) and isinstance(inner.this, exp.Query):
        found = sought(inner.this, scope, kind)
        # Looked for in the very table that the row is of: what that says of the row itself is said besides.
        itself = not_itself(inner, partial(steady, scope.work)) if kind == "ANTI JOIN" else None
        tests = [found] if found is not None else []
        return [*tests, test_of(itself, scope)] if itself is not None else tests
    # NOT IN is TRUE of no row where a NULL is among the values: what it says is not known (rule Q11).
    query = _member_of(inner, scope) if inner is one else None
    if query is None:
        return [test_of(one, scope)]
    found = member(_tuple(inner.this, scope), query, scope, kind)
    return [found] if found is not None else []


def _member_of(one: Any, scope: SelectScope) -> Any:
    """The query of x IN (SELECT ...) and of x = ANY (SELECT ...)."""
    if isinstance(one, exp.In):
        return one.args.get("query") or _rows_named(one.args.get("field"), scope)
    return _asked(one.expression) if isinstance(one, exp.EQ) and isinstance(one.expression, exp.Any) else None


def _rows_named(one: Any, scope: SelectScope) -> Any:
    """The rows of the table that stands behind ClickHouse's IN: ``k IN core.t``; any other name is an array's."""
    if scope.work.flavour.name != "clickhouse" or not isinstance(one, exp.Column):
        return None
    if len(one.parts) == 1 and scope.work.naming.part(one.this) in (*scope.aliases, *scope.merged):
        return None
    names = dict(zip(("this", "db"), [part.copy() for part in one.parts[::-1]], strict=False))
    return exp.Subquery(this=exp.Select(expressions=[exp.Star()], from_=exp.From(this=exp.Table(**names))))


def _value(one: exp.Expr, scope: SelectScope) -> Node:
    # Most sides are columns and constants as they stand, which are no day.
    if type(one) in (exp.Column, exp.Literal):
        return scope.work.value(one, scope)
    day = day_of(_bare(one), scope.work.flavour.name)
    return cast(text(day), "DATE") if day else scope.work.value(one, scope)


def _bare(one: Any) -> Any:
    while isinstance(one, exp.Paren):
        one = one.this
    return one


def _chained(one: exp.Expr, kind: type[exp.Expr]) -> list[exp.Expr]:
    """The parts of a chain of ANDs or ORs, however deep it is nested: generated SQL has thousands, so no recursion."""
    found: list[exp.Expr] = []
    pending = [one]
    while pending:
        part = _bare(pending.pop())
        if type(part) is kind:
            pending += [part.expression, part.this]
        else:
            found.append(part)
    return found


def _comparison(one: Any, scope: SelectScope) -> Node:
    op, left, right = COMPARISONS[type(one)], _bare(one.this), _bare(one.expression)
    if isinstance(right, (exp.Any, exp.All)) or isinstance(left, (exp.Any, exp.All)):
        return _quantified(op, left, right, scope)
    # (a, b) = (c, d) is a = c AND b = d; of other comparisons of rows nothing is decided.
    if isinstance(left, exp.Tuple) and isinstance(right, exp.Tuple) and op == "=":
        return both(_pairs(left, right, scope))
    if scope.block is not None and op in ("<", "<=", ">", ">="):
        scope.block.orders = True
    return compared(op, _value(left, scope), _value(right, scope))


def _asked(one: Any) -> Any:
    """The query of ANY (SELECT ...)."""
    inner = one.this
    return inner if isinstance(inner, exp.Query) else None


def _quantified(op: str, left: Any, right: Any, scope: SelectScope) -> Node:
    query = _asked(right) if isinstance(right, (exp.Any, exp.All)) else None
    if op == "=" and isinstance(right, exp.Any) and query is not None:
        return _marked(member(_tuple(left, scope), query, scope, "MARK JOIN"))
    sides = [_value(side.this if isinstance(side, (exp.Any, exp.All)) else side, scope) for side in (left, right)]
    return compared("IS TRUE", call(f"{op} {right.key}", sides))


def _tuple(one: Any, scope: SelectScope) -> list[Node]:
    bare = _bare(one)
    return [_value(part, scope) for part in (bare.expressions if isinstance(bare, exp.Tuple) else [bare])]


def _marked(test: Node | None) -> Node:
    # An aggregation without GROUP BY always gives a row: EXISTS of it is TRUE.
    return test if test is not None else compared("IS TRUE", truth(True))


def _in(one: Any, scope: SelectScope) -> Node:
    query = one.args.get("query") or _rows_named(one.args.get("field"), scope)
    if query is not None:
        return _marked(member(_tuple(one.this, scope), query, scope, "MARK JOIN"))
    subject = _bare(one.this)
    if one.args.get("unnest") is not None or one.args.get("field") is not None:
        listed = one.args.get("unnest") or one.args.get("field")
        return compared("IS TRUE", call("CONTAINS", [_value(listed, scope), _value(subject, scope)]))
    if isinstance(subject, exp.Tuple):
        return either([both(_pairs(subject, row, scope)) for row in one.expressions])
    items = [_value(item, scope) for item in one.expressions]
    # IN () of some dialects, or of a list that a template would fill.
    if not items:
        return compared("IS TRUE", opaque("IN", [_value(subject, scope)]))
    return compared("IN", _value(subject, scope), *items)


def _pairs(subject: Any, row: Any, scope: SelectScope) -> list[Node]:
    given = _bare(row)
    if not isinstance(given, exp.Tuple):
        return [compared("IS TRUE", opaque("IN", [*_tuple(subject, scope), _value(given, scope)]))]
    # Within rows DuckDB's NULLs are equal.
    op = "IS NOT DISTINCT FROM" if scope.work.flavour.name == "duckdb" else "="
    pairs = zip(subject.expressions, given.expressions, strict=False)
    return [compared(op, _value(a, scope), _value(b, scope)) for a, b in pairs]


def _is(one: Any, scope: SelectScope) -> Node:
    subject, right = _value(_bare(one.this), scope), _bare(one.expression)
    if isinstance(right, exp.Null):
        return compared("IS NULL", subject)
    if isinstance(right, exp.Boolean):
        # Unlike the bare value IS TRUE is never NULL itself, which counts below a NOT.
        asked = _truth(subject, scope)
        # 2 IS TRUE, where numbers are truths, though 2 = TRUE is not.
        if _operator(asked) != "IS TRUE":
            subject = truth_of(asked)
        return compared("IS NOT DISTINCT FROM", subject, truth(bool(right.this)))
    return compared("IS NOT DISTINCT FROM", subject, _value(right, scope))


def _between(one: Any, scope: SelectScope) -> Node:
    subject = _value(one.this, scope)
    low, high = _value(one.args["low"], scope), _value(one.args["high"], scope)
    if scope.block is not None:
        scope.block.orders = True
    found = compared("BETWEEN", subject, low, high)
    return either([found, compared("BETWEEN", subject, high, low)]) if one.args.get("symmetric") else found


def _like(one: Any, scope: SelectScope) -> Node:
    if isinstance(one.expression, (exp.Any, exp.All, exp.Tuple)):
        which = f"LIKE_{one.expression.key.upper()}"
        return compared("IS TRUE", call(which, [_value(one.this, scope), _value(one.expression.this, scope)]))
    subject, pattern = _value(one.this, scope), _value(one.expression, scope)
    # What a backslash or a bracket means in a pattern differs from database to database.
    if not isinstance(one.expression, exp.Literal) or set(one.expression.name) & {"\\", "["}:
        return compared("IS TRUE", call("MATCHES", [subject, pattern]))
    # SQLite's LIKE takes A for a, and its = does not.
    return _ilike(one, scope) if scope.work.flavour.name == "sqlite" else compared("LIKE", subject, pattern)


def _escaped(one: Any, scope: SelectScope) -> Node:
    """LIKE ... ESCAPE: nothing is told of the pattern."""
    inner = _bare(one.this)
    subject, pattern = _value(inner.this, scope), _value(inner.expression, scope)
    found = compared("IS TRUE", call("MATCHES", [subject, pattern, _value(one.expression, scope)]))
    return _opposite(found) if inner.args.get("negate") else found


def _ilike(one: Any, scope: SelectScope) -> Node:
    pattern = one.expression
    subject = call("LOWER", [_value(one.this, scope)])
    if isinstance(pattern, exp.Literal) and pattern.args.get("is_string"):
        return compared("LIKE", subject, text(pattern.this.lower(), scope.work.place(pattern)))
    return compared("LIKE", subject, call("LOWER", [_value(pattern, scope)]))


NEGATIVE = {"IS NULL": "IS NOT NULL", "IN": "NOT IN", "LIKE": "NOT LIKE", "BETWEEN": "NOT BETWEEN"}
NEGATIVE["IS NOT DISTINCT FROM"] = "IS DISTINCT FROM"


def _not(one: Any, scope: SelectScope) -> Node:
    return _opposite(test_of(_bare(one.this), scope))


def _opposite(inner: Node) -> Node:
    # x IS NOT NULL is one operator, as it is written; so is NOT IN.
    operator = _operator(inner)
    if operator in NEGATIVE:
        return compared(NEGATIVE[operator], *inner.children[0].children[1:])
    return opposite(inner)


def _operator(test: Node) -> str:
    """The operator of a test that is one comparison, "" of any other."""
    return test.children[0].children[0].role if test.children[0].role == "comparison" else ""


def _exists(one: Any, scope: SelectScope) -> Node:
    if not isinstance(one.this, exp.Query):
        return compared("IS TRUE", call("EXISTS_IN", [_value(part, scope) for part in _expressions(one)]))
    return _marked(sought(one.this, scope, "MARK JOIN"))


def _expressions(one: exp.Expr) -> Sequence[exp.Expr]:
    return [part for part in one.args.values() if isinstance(part, exp.Expr)]


TESTS: Mapping[type[exp.Expr], Callable[[Any, SelectScope], Node]] = {
    **dict.fromkeys(COMPARISONS, _comparison),
    exp.And: lambda one, scope: both([test_of(part, scope) for part in _chained(one, exp.And)]),
    exp.Or: lambda one, scope: either([test_of(part, scope) for part in _chained(one, exp.Or)]),
    exp.Not: _not,
    exp.Paren: lambda one, scope: test_of(_bare(one), scope),
    exp.In: _in,
    exp.Is: _is,
    exp.Between: _between,
    exp.Like: _like,
    exp.ILike: _ilike,
    exp.Escape: _escaped,
    exp.Exists: _exists,
}
