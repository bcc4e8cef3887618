"""Arithmetic on one value, in exact fractions: ``CARD_LIMIT / 2 > 1000000`` is ``CARD_LIMIT > 2000000``.

>>> two, half = Const("number", "2"), Compute("/", Variable(7), Const("number", "2"))
>>> solved("<", Compute("-", two, half), Const("number", "-1"))
Compare(op='>', left=#7, right=Const(kind='number', text='6'))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, DecimalException
from fractions import Fraction

from mdw.conditions.kinds import EXACT, doubles, halved
from mdw.model.expressions import Attr, Compare, Compute, Condition, Const, Expression, Variable, decimal_text
from mdw.model.walks import walk

FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEAR = 1_000_000_000
"""The part of a number that rounding may change."""
ZERO = Fraction(0)
BITS = 2000
"""Size of the largest fraction counted with."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A value ``factor * variable + shift``; without a variable it is the shift.

    ``rounded``: a quotient, which databases round. It compares with a number as it should, but what is computed of it
    may come out beside what it should be: of binary fractions ``7 / 100 * 100`` is more than 7. ``about``: a number
    made of such, which only compares as it should with those that are not near.
    """

    variable: Variable | Attr | None
    factor: Fraction
    shift: Fraction
    rounded: bool = False
    about: bool = False

    def reaches(self, constant: Const) -> Const | None:
        """The value of the variable at which the line is a number; None if there is none with a decimal text.

        >>> Linear(None, Fraction(2), Fraction(1)).reaches(Const("number", "8"))
        Const(kind='number', text='3.5')
        """
        if self.factor == 0 or constant.kind != "number":
            return None
        text = fraction_text((Fraction(Decimal(constant.text)) - self.shift) / self.factor)
        return None if text is None else Const("number", text)


def solved(op: str, value: Expression, constant: Const) -> Compare | bool | None:
    """What a computed value's comparison asks of the one variable in it; True or False without, None if it says more.

    Where the variable drops out, as in X - X, it is a truth for every known value of the variable.
    """
    line = line_of(value)
    if line is None or constant.kind != "number":
        return None
    # X - X, or constants alone.
    if line.factor == 0:
        if line.about and abs(line.shift - Fraction(Decimal(constant.text))) <= (1 + abs(line.shift)) / NEAR:
            return None
        return compared(op, line.shift, Fraction(Decimal(constant.text)))
    reached = line.reaches(constant)
    # `X * 3 = 1` asks for a third, which no decimal text says: it is left to Z3.
    if line.variable is None or reached is None:
        return None
    return Compare(op if line.factor > 0 else FLIPPED[op], line.variable, reached)


def line_of(value: Expression) -> Linear | None:
    """The value as a line over one variable; None if it is none, or too large to count with."""
    match value:
        case Variable() | Attr():
            return Linear(value, Fraction(1), Fraction(0))
        case Const("number", text):
            return Linear(None, Fraction(0), Fraction(Decimal(text)))
        case Compute(op, left, right):
            one, other = line_of(left), line_of(right)
            return None if one is None or other is None else _bounded(_computed(op, one, other))
        case _:
            return None


def rounded_in(condition: Condition) -> Iterator[Compute]:
    """The quotients in a condition of which it matters how they are rounded: all but one compared with a number.

    >>> third, one = Compute("/", Variable(7), Const("number", "3")), Const("number", "1")
    >>> len([*rounded_in(Compare("=", third, one))]), len([*rounded_in(Compare("=", third, Variable(8)))])
    (0, 1)
    """
    inner: Iterable[Expression | Condition] = walk(condition)
    match condition:
        case Compare(_, Compute("/", left, right), Const()):
            inner = (*walk(left), *walk(right))
    return (one for one in inner if isinstance(one, Compute) and one.op == "/" and not halved(one.right))


def compared(op: str, left: Fraction, right: Fraction) -> bool:
    """How two numbers compare."""
    match op:
        case "=" | "!=":
            return (left == right) is (op == "=")
        case "<" | "<=":
            return left < right or (left == right and op == "<=")
        case _:
            return left > right or (left == right and op == ">=")


def fraction_text(number: Fraction) -> str | None:
    """The decimal text of a number that has one: 1/8 has, 1/3 has not."""
    try:
        return decimal_text(EXACT.divide(Decimal(number.numerator), Decimal(number.denominator)))
    except DecimalException:
        return None


def _computed(op: str, one: Linear, other: Linear) -> Linear | None:
    if one.rounded or other.rounded or one.about or other.about:
        if one.variable is None and other.variable is None:
            found = _computed(op, Linear(None, ZERO, one.shift), Linear(None, ZERO, other.shift))
            return found and replace(found, about=True)
        return _kept(op, one, other)
    if op in "+-":
        if one.variable and other.variable and one.variable != other.variable:
            return None
        sign = 1 if op == "+" else -1
        variable = one.variable or other.variable
        return Linear(variable, one.factor + sign * other.factor, one.shift + sign * other.shift)
    if op == "/":
        if other.variable or not other.shift:
            return None
        found = _scaled(one, 1 / other.shift)
        return found if doubles(other.shift) else replace(found, rounded=True)
    if one.variable and other.variable:
        return None
    return _scaled(one, other.shift) if one.variable else _scaled(other, one.shift)


def _kept(op: str, one: Linear, other: Linear) -> Linear | None:
    """What is computed of a quotient where nothing is rounded again: with another sign, or doubled."""
    constant, quotient = (one, other) if one.variable is None else (other, one)
    if one.about or other.about:
        return None
    if op == "-" and constant is one and one.shift == 0:
        return replace(_scaled(other, Fraction(-1)), rounded=True)
    if op == "*" and constant.variable is None and constant.shift and doubles(constant.shift):
        return replace(_scaled(quotient, constant.shift), rounded=True)
    return None


def _scaled(line: Linear, factor: Fraction) -> Linear:
    return Linear(line.variable, line.factor * factor, line.shift * factor)


def _bounded(line: Linear | None) -> Linear | None:
    # By multiplying again and again digits grow without end.
    if line is None:
        return None
    sizes = (part.bit_length() for one in (line.factor, line.shift) for part in (one.numerator, one.denominator))
    return line if max(sizes) < BITS else None
