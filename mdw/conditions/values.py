"""What an expression is worth where its attributes are known: a constant, a variable, something made of these, or open.

>>> evaluate(Compute("+", Attr("A.X"), Const("number", "2")), {Attr("A.X"): Const("number", "1")}.__getitem__)
Const(kind='number', text='3')
>>> evaluate(Compute("+", Attr("A.X"), Const("number", "2")), {Attr("A.X"): Variable(7)}.__getitem__)
Compute(op='+', left=#7, right=Const(kind='number', text='2'))
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, DecimalException, Inexact
from fractions import Fraction

from mdw.conditions.functions import folded
from mdw.conditions.joined import flat
from mdw.conditions.kinds import EXACT, countable, halves, point_of, read_as
from mdw.model.expressions import (
    NO,
    YES,
    Aggregate,
    Attr,
    Call,
    Compute,
    Concat,
    Const,
    Expression,
    Variable,
    Window,
    decimal_text,
)
from mdw.model.functions import repeats

Value = Expression | None
"""``None`` stands for a value nothing is known of."""
Symbol = Attr | Variable
"""What stands for a value of a row: rules name an attribute, conditions carried to another row a variable."""
Lookup = Callable[[Symbol], Value]

NOTHING = Const("null", "")
LARGEST = 40
"""Parts of a computed value; of larger ones nothing is assumed."""


EXACTLY = {"+": EXACT.add, "-": EXACT.subtract, "*": EXACT.multiply, "/": EXACT.divide}


def evaluate(expression: Expression, lookup: Lookup) -> Value:
    """The expression with what stands for values looked up and constants folded; aggregates are fresh values."""
    match expression:
        case Attr() | Variable():
            return lookup(expression)
        case Const():
            return expression if countable(expression) else None
        case Aggregate() | Window():
            return None
        case Compute(op, left, right):
            return _bounded(_compute(op, evaluate(left, lookup), evaluate(right, lookup)))
        case Concat(parts):
            return _bounded(_concat([evaluate(part, lookup) for part in parts]))
        case Call(function, arguments):
            # Of what may be another value each time nothing is known, not even that it is itself.
            if not repeats(expression):
                return None
            return _bounded(_called(function.upper(), [evaluate(argument, lookup) for argument in arguments]))


def _bounded(value: Value) -> Value:
    """The value, or nothing known of it once around a cycle it has outgrown what is worth deciding."""
    # Around a cycle X becomes X + 1, then X + 1 + 1 ... Somewhere that must end; to know less is always right.
    left = LARGEST
    pending = [value]
    while pending and left:
        left -= 1
        match pending.pop():
            case Compute(_, a, b):
                pending += (a, b)
            case Concat(parts) | Call(_, parts):
                pending += parts
    return None if pending else value


def _compute(op: str, left: Value, right: Value) -> Value:
    if NOTHING in (left, right):
        return NOTHING
    if left is None or right is None:
        return None
    if isinstance(left, Const) and isinstance(right, Const):
        return _folded(op, left, right)
    return Compute(op, left, right)


def _folded(op: str, left: Const, right: Const) -> Value:
    a, b = (read_as("number", point_of(one)) for one in (left, right))
    # Of days databases do not make the same numbers.
    if "date" in (left.kind, right.kind) or not isinstance(a, Decimal) or not isinstance(b, Decimal):
        return None
    if op == "/" and b == 0:
        return NOTHING
    try:
        found = EXACTLY[op](a, b)
    except Inexact:
        # 1 / 3 has no last digit, so it stays what it is; a sum with more digits than are counted with is open.
        return Compute(op, left, right) if op == "/" else None
    except DecimalException:
        return None
    # Nor has 1 / 10 a last one in binary: what is computed of it may be rounded.
    rounded = op == "/" and not halves(Fraction(found))
    return Compute(op, left, right) if rounded else Const("number", decimal_text(found))


def _concat(values: list[Value]) -> Value:
    if NOTHING in values:
        return NOTHING
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    parts = flat(known)
    return parts[0] if len(parts) == 1 and isinstance(parts[0], Const) else Concat(parts)


def _called(function: str, values: list[Value]) -> Value:
    if function == "COALESCE":
        return _first(values)
    # An argument that is open leaves the whole open: it may be another one in every row.
    known = tuple(value for value in values if value is not None)
    constants = [value for value in known if isinstance(value, Const)]
    if len(constants) == len(values) and (found := folded(function, constants)) is not None:
        return found
    # Of an unknown function nothing is known but that equal arguments give equal values.
    return Call(function, known) if len(known) == len(values) else None


def _first(values: list[Value]) -> Value:
    """The first value that is not NULL, as far as that is known."""
    found: list[Expression] = []
    for value in values:
        if value is None:
            return None
        if value != NOTHING:
            found.append(value)
        if isinstance(value, Const) and value != NOTHING:
            break
    return Call("COALESCE", tuple(found)) if len(found) > 1 else found[0] if found else NOTHING


def constant_at(kind: str, point: object) -> Const:
    if isinstance(point, Decimal):
        return Const("number", decimal_text(point))
    if kind == "boolean":
        return YES if point == YES.text else NO
    return Const("date", str(point)) if kind == "date" else Const("string", str(point))
