"""Operators: arithmetic, texts put together, casts (rules Q2, Q3, Q4).

a + 1 * b         a computation, of which conditions can be decided
a / b             the same where / loses nothing; DIVIDE of A and B where it may be that of integers
TRY_CAST(a AS t)  a function of A and the type
a || b            a concatenation, NULL where one of them is; CONCAT of both in Oracle, where it is not
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import call, cast, computed, concatenated, number, opaque, text
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.type_names import type_name

LONGEST = 100
"""Operands of one chain of operators; what has more is taken as a function of all of them."""
OPERATORS: Mapping[type[exp.Expr], str] = {exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/"}

REAL = exp.DataType.REAL_TYPES
"""Types of numbers that are divided with their fractions."""


def arithmetic(one: Any, scope: SelectScope) -> Node:
    """A chain of + - * /, from its left end on, however long it is."""
    chain: list[Any] = []
    left = one
    while type(left) in OPERATORS:
        chain.append(left)
        left = left.this
    found = scope.work.value(left, scope)
    if len(chain) > LONGEST:
        return opaque(
            "+", [found, *[scope.work.value(link.expression, scope) for link in reversed(chain)]], found.location
        )
    for link in reversed(chain):
        found = _operated(link, found, scope.work.value(link.expression, scope), scope)
    return found


def _operated(one: Any, left: Node, right: Node, scope: SelectScope) -> Node:
    kind = type(one)
    if (
        kind is exp.Div
        and not scope.work.flavour.exact_division
        and not _exact(one.this)
        and not _exact(one.expression)
    ):
        if scope.block is not None:
            scope.block.divides = True
        return call("DIVIDE", [left, right], left.location)
    # T-SQL's + of texts; 'a' - 1 and the like are functions of both, whatever the database makes of them.
    if "string" in (left.role, right.role) or "concatenation" in (left.role, right.role):
        if kind is exp.Add and scope.work.flavour.name in (*TRANSACT, "ansi"):
            return concatenated([*(left.children if left.role == "concatenation" else (left,)), right])
        return call(kind.__name__, [left, right], left.location)
    if any(side.role == "function" and _name(side) == "INTERVAL" for side in (left, right)):
        return call(f"DATE_{kind.__name__}", [left, right], left.location)
    if kind is not exp.Div:
        left, right = _floating(one.this, left, scope), _floating(one.expression, right, scope)
        if scope.block is not None:
            scope.block.counts = True
    return computed(OPERATORS[kind], left, right)


def _floating(side: Any, node: Node, scope: SelectScope) -> Node:
    """An operand with its type, where it is a number that the dialect takes for a floating one: 1e-1."""
    while isinstance(side, (exp.Paren, exp.Neg)):
        side = side.this
    if not isinstance(side, exp.Literal) or side.is_string or node.role != "value":
        return node
    flavour = scope.work.flavour.name
    exponent = "E" in side.this.upper() and not side.this.upper().startswith("0X")
    floats = exponent and flavour not in EXACT_EXPONENTS
    return cast(node, "DOUBLE") if floats or ("." in side.this and flavour in FLOATING_POINTS) else node


EXACT_EXPONENTS = frozenset(("postgres", "redshift", "materialize", "risingwave", "oracle"))
"""Dialects in which 1e-1 is a decimal number."""
FLOATING_POINTS = frozenset(("bigquery", "clickhouse", "sqlite"))
"""Dialects in which 0.1 is a floating number."""


def _exact(side: Any) -> bool:
    """Whether one side keeps a division from losing its remainder: 2.0, a * 1.0, a::NUMERIC."""
    while isinstance(side, (exp.Paren, exp.Neg)) or type(side) in OPERATORS:
        if type(side) in OPERATORS and _exact(side.expression):
            return True
        side = side.this
    if isinstance(side, exp.Cast):
        return side.to.this in REAL
    return isinstance(side, exp.Literal) and not side.is_string and not side.this.isdigit()


def _name(node: Node) -> str:
    return node.children[0].role if node.children else node.content


def concatenation(one: Any, scope: SelectScope) -> Node:
    parts: list[exp.Expr] = []
    left = one
    while type(left) is exp.DPipe:
        parts.append(left.expression)
        left = left.this
    nodes = scope.work.values([left, *reversed(parts)], scope)
    return _together(nodes, null_is_text=scope.work.flavour.null_is_empty)


def concat(one: Any, scope: SelectScope) -> Node:
    nodes = scope.work.values(one.expressions, scope)
    return _together(nodes, null_is_text=bool(one.args.get("coalesce")) or scope.work.flavour.null_is_empty)


def _together(nodes: list[Node], *, null_is_text: bool) -> Node:
    if null_is_text or len(nodes) < 2 or len(nodes) > LONGEST:
        return call("CONCAT", nodes, nodes[0].location if nodes else None)
    return concatenated(nodes)


def negative(one: Any, scope: SelectScope) -> Node:
    inner = scope.work.value(one.this, scope)
    if inner.role == "value":
        digits = inner.content
        return number(digits[1:] if digits.startswith("-") else f"-{digits}", scope.work.place(one))
    return computed("-", number("0", inner.location), inner)


def casted(one: Any, scope: SelectScope) -> Node:
    to = one.args.get("to")
    given, type_ = scope.work.value(one.this, scope), type_name(to) if to is not None else ""
    if to is not None and to.this == exp.DataType.Type.STRUCT:
        scope.work.fields.any = True
    strict = scope.work.flavour.parser.parser_class.STRICT_CAST
    if isinstance(one, exp.TryCast) and strict and given.role not in CONSTANT:
        # TRY_CAST, SAFE_CAST: NULL where the value is none of the type, which a cast ends with an error.
        return call("TRY_CAST", [given, text(type_)], given.location)
    return cast(given, type_)


CONSTANT = frozenset(("string", "value", "date", "truth", "null"))
