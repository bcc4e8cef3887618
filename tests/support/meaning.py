"""Conditions said to Z3 from their trees alone: an oracle for texts, which knows nothing of regions and diagrams.

Texts are Z3's strings and patterns its regular expressions, numbers rationals, days whole numbers. What an attribute is
follows from the constants it is compared with, its own or those of attributes it is compared with.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from typing import Any

import z3

from mdw.model.expressions import And, Attr, Compare, Compute, Condition, Const, Expression, In, IsNull, Like, Not, Or

YES, NO = z3.BoolVal(True), z3.BoolVal(False)
SORTS = {"number": z3.RealSort, "date": z3.IntSort, "string": z3.StringSort}
Value = tuple[Any, Any]
"""Whether it is NULL, and what it is if not."""


class Meaning:
    """The meaning of some conditions, in which an attribute of one name is one value."""

    def __init__(self, *conditions: Condition) -> None:
        self._kinds: dict[str, str] = {}
        pairs = [pair for condition in conditions for pair in _compared(condition)]
        before = -1
        # One kind may tell the next, so it goes on until a round tells nothing new.
        while before < len(self._kinds):
            before = len(self._kinds)
            for left, right in pairs:
                kind = self._kind(left) or self._kind(right)
                for name in (*_names(left), *_names(right)) if kind else ():
                    self._kinds.setdefault(name, kind)

    def true(self, condition: Condition) -> Any:
        """When the condition is true: neither false nor unknown."""
        return self._truth(condition)[0]

    def constants(self, name: str) -> Value:
        """What stands for an attribute: whether it is NULL, and its value."""
        return self._value(Attr(name))

    def same(self, name: str, other: str) -> Any:
        """That two attributes are known and equal."""
        return self.true(Compare("=", Attr(name), Attr(other)))

    def _truth(self, condition: Condition) -> tuple[Any, Any]:
        match condition:
            case And(given) | Or(given):
                every = [self._truth(part) for part in given]
                all_, some = (0, 1) if isinstance(condition, And) else (1, 0)
                found = z3.And(*(one[all_] for one in every)), z3.Or(*(one[some] for one in every))
                return (found[0], found[1]) if isinstance(condition, And) else (found[1], found[0])
            case Not(part):
                true, false = self._truth(part)
                return false, true
            case IsNull(subject):
                null, _ = self._value(subject)
                return null, z3.Not(null)
            case In(subject, constants):
                return self._truth(Or(tuple(Compare("=", subject, one) for one in constants)))
            case Like(subject, pattern):
                null, text = self._value(subject)
                fits = z3.InRe(text, _expression(pattern))
                return z3.And(z3.Not(null), fits), z3.And(z3.Not(null), z3.Not(fits))
            case Compare(op, left, right):
                (null_a, a), (null_b, b) = self._value(left), self._value(right)
                holds = {"=": a == b, "!=": a != b}.get(op)
                if holds is None:
                    holds = {"<": a < b, "<=": a <= b, ">": b < a, ">=": b <= a}[op]
                known = z3.Not(z3.Or(null_a, null_b))
                return z3.And(known, holds), z3.And(known, z3.Not(holds))
        raise TypeError(condition)

    def _value(self, expression: Expression) -> Value:
        match expression:
            case Attr(name):
                return z3.Bool(f"{name} is NULL"), z3.Const(name, SORTS[self._kinds.get(name) or "string"]())
            case Const("number", text):
                exact = Fraction(text)
                return NO, z3.RealVal(f"{exact.numerator}/{exact.denominator}")
            case Const("date", text):
                return NO, z3.IntVal(date.fromisoformat(text).toordinal())
            case Const("string", text):
                return NO, z3.StringVal(text)
            case Compute(op, left, right) if op in "+-*":
                (null_a, a), (null_b, b) = self._value(left), self._value(right)
                return z3.Or(null_a, null_b), {"+": a + b, "-": a - b, "*": a * b}[op]
            case Compute("/", left, right):
                (null_a, a), (null_b, b) = self._value(left), self._value(right)
                return z3.Or(null_a, null_b, b == 0), a / b
        raise TypeError(expression)

    def _kind(self, side: Expression) -> str:
        if isinstance(side, Const):
            return side.kind
        if isinstance(side, Compute):
            return "number"
        return self._kinds.get(side.name, "") if isinstance(side, Attr) else ""


def _compared(condition: Condition) -> Iterator[tuple[Expression, Expression]]:
    match condition:
        case And(given) | Or(given):
            for part in given:
                yield from _compared(part)
        case Not(part):
            yield from _compared(part)
        case Compare(_, left, right):
            yield left, right
        case In(subject, constants):
            yield subject, constants[0]
        case Like(subject, _):
            yield subject, Const("string", "")


def _names(side: Expression) -> Iterator[str]:
    if isinstance(side, Attr):
        yield side.name
    elif isinstance(side, Compute):
        yield from _names(side.left)
        yield from _names(side.right)


def _expression(pattern: str) -> Any:
    any_ = z3.AllChar(z3.ReSort(z3.StringSort()))
    parts = [z3.Star(any_) if one == "%" else any_ if one == "_" else z3.Re(one) for one in pattern]
    return z3.Concat(*parts) if len(parts) > 1 else parts[0] if parts else z3.Re("")
