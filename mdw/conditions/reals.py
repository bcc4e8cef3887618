"""Expressions in the words of Z3: an expression over variables -> a real number, and whether it is known at all.

Arithmetic is that of the real numbers. Opaque functions and texts put together become functions of which no more is
known than that equal arguments give equal values.
"""

from __future__ import annotations

from collections.abc import Callable

import z3

from mdw.conditions.functions import FOLDED
from mdw.conditions.kinds import KINDS, halved
from mdw.conditions.line import RealLine
from mdw.conditions.regions import Regions
from mdw.conditions.values import NOTHING
from mdw.model.collations import collation_of
from mdw.model.expressions import Call, Compute, Concat, Const, Expression, Like, Variable
from mdw.model.function_names import FLOATING

GIVES = {"LENGTH": "number", "ABS": "number", "ROUND": "number", "YEAR": "number", "MONTH": "number", "DAY": "number"}
GIVES |= dict.fromkeys(("UPPER", "LOWER", "TRIM", "SUBSTR"), "string")
"""The kind of what functions give."""


class Reals:
    """Writes the expressions of one diagram, each once; ``line`` knows the values of its variables."""

    def __init__(self, line: RealLine, regions_of: Callable[[int], Regions], context: z3.Context) -> None:
        self.line = line
        self._regions_of = regions_of
        self._context = context
        # Whether quotients are what they should be: so values are found more quickly, to be tried.
        self.exactly = False
        self._terms: dict[Expression, z3.ArithRef] = {}
        self._defined_terms: dict[Expression, z3.BoolRef] = {}

    def apart(self, left: Expression, right: Expression) -> z3.BoolRef:
        """That two values are of different kinds, which databases compare each in its own way."""
        kinds = [self.kind(left), self.kind(right)]
        return z3.BoolVal(False, self._context) if None in kinds else kinds[0] != kinds[1]

    def kind(self, expression: Expression) -> z3.ArithRef | None:
        """The place of a value's kind among all; None where nobody knows it."""
        match expression:
            case Variable(number):
                kinds = self._regions_of(number).kinds
                if len(kinds) > 1:
                    return self.line.kind(number)
                known = min(kinds, default="")
            case Const(kind, _):
                known = kind
            case Call(function, _):
                known = GIVES.get(function, "")
            case _:
                known = {Compute: "number", Concat: "string"}.get(type(expression), "")
        return z3.IntVal(KINDS.index(known), self._context) if known in KINDS else None

    def unrounded(self, quotient: Compute) -> z3.BoolRef:
        """That a quotient is what it should be."""
        return self.term(quotient) == self.counted(quotient.left) / self.counted(quotient.right)

    def like(self, condition: Like) -> z3.BoolRef:
        """That a value fits a pattern, which is opaque but for constants."""
        return self._function(f"like {condition.pattern}", 1, boolean=True)(self.term(condition.subject))

    def known(self, *expressions: Expression) -> z3.BoolRef:
        """That none of the values is NULL."""
        return z3.And(z3.BoolVal(True, self._context), *map(self.defined, expressions))

    def defined(self, expression: Expression) -> z3.BoolRef:
        """That a value is not NULL; what is opaque may be NULL whatever goes in."""
        # The same sum may be compared with thousands of constants.
        found = self._defined_terms.get(expression)
        if found is None:
            found = self._defined_terms[expression] = self._defined_by_parts(expression)
        return found

    def _defined_by_parts(self, expression: Expression) -> z3.BoolRef:
        match expression:
            case Variable(number):
                return z3.Not(self.line.null(number))
            case Compute(op, left, right):
                known = self.known(left, right)
                if op != "/":
                    return known
                # A quotient of known values may still be NULL: by zero.
                return z3.And(known, self.counted(right) != 0)
            case Call("COALESCE", parts):
                return z3.Or(*map(self.defined, parts))
            case Concat(parts):
                return self.known(*parts)
            case Call(function, parts) if (
                function in FOLDED or function in FLOATING or collation_of(expression) is not None
            ):
                return self.known(*parts)
            case Call(function, arguments):
                known = self._function(f"{function} is known", len(arguments), boolean=True)
                return known(*map(self.term, arguments))
            case _:
                return z3.BoolVal(expression != NOTHING, self._context)

    def term(self, expression: Expression) -> z3.ArithRef:
        """The value of an expression, where it is not NULL."""
        found = self._terms.get(expression)
        if found is None:
            found = self._terms[expression] = self._written_out(expression)
        return found

    def _written_out(self, expression: Expression) -> z3.ArithRef:
        match expression:
            case Variable(number):
                return self.line.value(number)
            case Const():
                return self.line.constant(expression)
            case Compute("/", left, right) if not (self.exactly or halved(right)):
                # Databases round it, each in its own way: of it nothing is sure but that it is the same for the same.
                return self._function("quotient", 2)(self.counted(left), self.counted(right))
            case Compute(op, left, right):
                a, b = self.counted(left), self.counted(right)
                return a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b
            case Call("ABS", (one,)):
                a = self.counted(one)
                return z3.If(a >= 0, a, -a)
            case Call("COALESCE", (*first, last)):
                found = self.term(last)
                for one in reversed(first):
                    found = z3.If(self.defined(one), self.term(one), found)
                return found
            case Concat(parts):
                return self._function("||", len(parts))(*map(self._spelled, parts))
            case Call(function, parts):
                return self._function(function, len(parts))(*map(self.term, parts))
            case _:
                return z3.FreshReal("free", self._context)

    def compared(self, expression: Expression, other: Expression) -> z3.ArithRef:
        """What an atom compares: a quotient compares with a number as it should."""
        match expression, other:
            case Compute("/", left, right), Const():
                return self.counted(left) / self.counted(right)
        return self.term(expression)

    def _spelled(self, part: Expression) -> z3.ArithRef:
        """What a part of a text is written as: of equal numbers one attribute may have 1, the other 1.0."""
        value = self.term(part)
        kinds = {part.kind} if isinstance(part, Const) else {"string"}
        if isinstance(part, Variable):
            kinds = self._regions_of(part.number).kinds
        return self._function(f"spelling of {part!r}", 1)(value) if kinds - {"string"} else value

    def counted(self, expression: Expression) -> z3.ArithRef:
        """The number that arithmetic takes a value for; what that is of a text or a day databases decide."""
        value, kind = self.term(expression), self.kind(expression)
        # Of no known kind: a value that something computes with is taken for a number, like all of its class.
        if kind is None or isinstance(expression, Compute):
            return value
        other = self._function("as a number", 1)(value)
        return z3.If(kind == KINDS.index("number"), value, other)

    def _function(self, name: str, arity: int, *, boolean: bool = False) -> z3.FuncDeclRef:
        # Z3 knows a function by its name and the sorts of its arguments: one name for each number of them.
        real = z3.RealSort(self._context)
        result = z3.BoolSort(self._context) if boolean else real
        return z3.Function(f"{name}/{arity}", *([real] * arity), result)
