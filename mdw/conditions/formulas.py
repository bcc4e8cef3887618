"""Conditions of a diagram in the words of Z3: value sets as intervals of a line, atoms by what they mean.

Value sets become intervals of the real line (`mdw.conditions.line`), expressions real numbers (`mdw.conditions.reals`).
Of texts put together more is said here: what they make of constants, and the ends that are constants; of functions what
is sure whatever goes in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import product
from math import prod

import z3

from mdw.conditions.atoms import EQUAL, LESS, MORE, NO, UNKNOWN, YES, Atom
from mdw.conditions.diagram import TRUE, Diagram
from mdw.conditions.joined import between, stays_text
from mdw.conditions.kinds import EXACT, KINDS, halved
from mdw.conditions.line import RealLine
from mdw.conditions.patterns import fitting, matches
from mdw.conditions.reals import Reals
from mdw.conditions.regions import Regions
from mdw.conditions.values import NOTHING, Symbol, constant_at, evaluate
from mdw.model.expressions import Call, Compare, Compute, Concat, Condition, Const, Expression, IsNull, Like, Variable
from mdw.model.function_names import FLOATING
from mdw.model.functions import floating
from mdw.model.walks import variables_of, walk

ROUNDED = Decimal("0.0001")
"""What databases round of a quotient at most: so much, and so much of each one in it."""
OFF, TINY, LARGE = Decimal("0.000001"), Decimal("1E-30"), Decimal("1E+30")
"""The part of a floating number that may be off, and of numbers near nothing how much; larger ones may be endless."""
COMBINED = 64
"""Combinations of constants that a term is worked out for; of a term with more it stays unknown what they make.

Each is one more thing said to Z3: ``A || B`` of 8 constants each is told all about, of 9 each nothing.
"""


class Formulas:
    """Writes conditions of one diagram, each part once."""

    def __init__(self, diagram: Diagram, regions_of: Callable[[int], Regions], context: z3.Context) -> None:
        self._diagram = diagram
        self._regions_of = regions_of
        self._context = context
        self.line = RealLine(regions_of, context)
        self.reals = Reals(self.line, regions_of, context)
        self._formulas: dict[int, z3.BoolRef] = {}
        self._literals: dict[tuple[int, int], z3.BoolRef] = {}
        self._facts: dict[int, tuple[z3.BoolRef, ...]] = {}
        self._meanings: dict[int, tuple[z3.BoolRef, list[tuple[int, z3.BoolRef]]]] = {}

    def formula(self, node: int) -> z3.BoolRef:
        """The condition, its atoms by what they mean."""
        if node <= TRUE:
            return z3.BoolVal(node == TRUE, self._context)
        if node not in self._formulas:
            # Children before parents: what a node asks of them is written already, however deep the condition.
            for one in self._diagram.reached(node):
                if one not in self._formulas:
                    variable, edges = self._diagram.edges(one)
                    ways = (z3.And(self._literal(variable, mask), self.formula(child)) for child, mask in edges)
                    self._formulas[one] = z3.Or(*ways)
        return self._formulas[node]

    def _literal(self, variable: int, mask: int) -> z3.BoolRef:
        found = self._literals.get((variable, mask))
        if found is None:
            found = self._literals[variable, mask] = self._written(variable, mask)
        return found

    def _written(self, variable: int, mask: int) -> z3.BoolRef:
        label = self._diagram.labels[variable]
        if isinstance(label, Atom):
            return self._atom(variable, label.condition, mask)
        return self.line.lies_in(variable, mask)

    def _atom(self, variable: int, condition: Condition, mask: int) -> z3.BoolRef:
        meaning = self._meanings.get(variable)
        if meaning is None:
            meaning = self._meanings[variable] = self._meaning(condition)
        known, cases = meaning
        options = [z3.And(known, holds) for bit, holds in cases if mask & bit]
        if mask & UNKNOWN:
            options.append(z3.Not(known))
        return z3.Or(*options)

    def _meaning(self, condition: Condition) -> tuple[z3.BoolRef, list[tuple[int, z3.BoolRef]]]:
        """When the condition is known at all, and a formula for each value that its variable can have."""
        sure, reals = z3.BoolVal(True, self._context), self.reals
        match condition:
            case Compare(_, left, right):
                a, b, apart = reals.compared(left, right), reals.compared(right, left), reals.apart(left, right)
                orders = [(LESS, a < b), (EQUAL, a == b), (MORE, a > b)]
                # Of two kinds any order may be the database's: nothing is refuted by it.
                return reals.known(left, right), [(bit, z3.Or(order, apart)) for bit, order in orders]
            case IsNull(subject):
                known = reals.known(subject)
                return sure, [(YES, z3.Not(known)), (NO, known)]
            case Like(subject, _):
                holds = reals.like(condition)
                return reals.known(subject), [(YES, holds), (NO, z3.Not(holds))]
            case _:
                # What nobody can tell Z3 may come out either way: it is never refuted by it.
                holds = z3.FreshBool("open", self._context)
                return sure, [(YES, holds), (NO, z3.Not(holds))]

    def mentioned(self, variable: int) -> z3.BoolRef:
        """That a variable is NULL or one of the constants that rules mention."""
        points = [literal for kind in KINDS for _, literal in self._points(variable, kind)]
        return z3.Or(self.line.null(variable), *points)

    def facts(self, variable: int) -> tuple[z3.BoolRef, ...]:
        """What an atom's terms are worth where the variables in them are certain constants: 6 / 3 is 2."""
        found = self._facts.get(variable)
        if found is None:
            label = self._diagram.labels[variable]
            found = self._facts[variable] = tuple(self._worked_out(label.condition) if isinstance(label, Atom) else ())
        return found

    def _worked_out(self, condition: Condition) -> Iterator[z3.BoolRef]:
        yield from self._bounds(condition)
        match condition:
            case Compare(_, Concat() as joined, Variable(number)) | Compare(_, Variable(number), Concat() as joined):
                yield from self._ends(joined, number)
            case Like(Variable(number), pattern):
                for constant, literal in (*self._points(number, "string"), *self._points(number, "number")):
                    fits = fitting(pattern, constant)
                    if fits is not None:
                        yield z3.Implies(literal, self.reals.like(condition) == fits)
        for term in _combining(condition):
            for where, value in self._combined(term):
                worth = self.reals.term(term) == self.line.constant(value)
                yield z3.Implies(where, z3.And(self.reals.defined(term), worth))
                if isinstance(condition, Like) and condition.subject == term:
                    holds = z3.BoolVal(matches(condition.pattern, value.text), self._context)
                    yield z3.Implies(where, self.reals.like(condition) == holds)

    def _bounds(self, condition: Condition) -> Iterator[z3.BoolRef]:
        """What is sure of functions whatever goes in: ``MONTH(D) = 13`` no day meets."""
        reals = self.reals
        for one in walk(condition):
            match one:
                case Call("LENGTH", _):
                    yield reals.term(one) >= 0
                case Call("ROUND", (value, *places)) if (half := _half_step(places)) is not None:
                    off = reals.term(one) - reals.counted(value)
                    yield z3.And(off <= self.line.place(half), -self.line.place(half) <= off)
                case Compute("/", left, right) if not (reals.exactly or halved(right)):
                    yield from self._near(reals.term(one), reals.counted(left), reals.counted(right), right)
                    yield from self._shared_out(one)
                case Call(function, (left, right)) if function in FLOATING:
                    a, b = reals.counted(left), reals.counted(right)
                    exact = {"+": a + b, "-": a - b, "*": a * b}[FLOATING[function]]
                    yield self._floating(reals.term(one), exact, [a, b])
                case Call(function, (given,)) if floating(function.removeprefix("CAST AS ")):
                    a = reals.counted(given)
                    yield self._floating(reals.term(one), a, [a])
                case Call("MONTH", _):
                    yield z3.And(reals.term(one) >= 1, reals.term(one) <= 12)
                case Call("DAY", _):
                    yield z3.And(reals.term(one) >= 1, reals.term(one) <= 31)

    def _floating(self, found: z3.ArithRef, exact: z3.ArithRef, given: list[z3.ArithRef]) -> z3.BoolRef:
        """What is sure of a floating number: its last digits are off; one too large is endless on the same side."""
        most = self.line.place(OFF) * z3.Sum(*(z3.If(one >= 0, one, -one) for one in (*given, exact)))
        most += self.line.place(TINY)
        large = self.line.place(LARGE)
        near = z3.And(found - exact <= most, exact - found <= most)
        return z3.If(exact > large, found > large / 2, z3.If(exact < -large, found < -large / 2, near))

    def _near(
        self, quotient: z3.ArithRef, left: z3.ArithRef, right: z3.ArithRef, divisor: Expression
    ) -> Iterator[z3.BoolRef]:
        """What is sure of a quotient however it is rounded, as in MySQL to four places more than it was."""
        yield z3.Implies(z3.And(left == right, right != 0), quotient == 1)
        yield z3.Implies(z3.And(left == 0, right != 0), quotient == 0)
        if isinstance(divisor, Const):
            exact = left / right
            most = self.line.place(ROUNDED) + z3.If(exact >= 0, exact, -exact) * self.line.place(ROUNDED)
            yield z3.Implies(right != 0, z3.And(quotient - exact <= most, exact - quotient <= most))

    def _shared_out(self, quotient: Compute) -> Iterator[z3.BoolRef]:
        """What a constant divides without a rest: 6 / 3 is 2."""
        match quotient:
            case Compute(_, Variable(number), Const() as divisor):
                for constant, literal in self._points(number, "number"):
                    value = evaluate(Compute("/", constant, divisor), lambda one: one)
                    if isinstance(value, Const) and value != NOTHING:
                        yield z3.Implies(literal, self.reals.term(quotient) == self.line.constant(value))

    def _ends(self, joined: Concat, variable: int) -> Iterator[z3.BoolRef]:
        """That a text put together is none of the constants that do not have its ends."""
        for constant, literal in self._points(variable, "string"):
            if stays_text(joined.parts) and between(joined.parts, constant.text) is None:
                yield z3.Implies(literal, self.reals.term(joined) != self.line.constant(constant))

    def _combined(self, term: Concat | Call) -> Iterator[tuple[z3.BoolRef, Const]]:
        """Each combination of texts a term's variables may be, and what the term makes of it.

        Numbers and days are left out: "a" || "b" is "ab", but 1 may be spelled 1.0.
        """
        names = list(dict.fromkeys(variables_of(term)))
        given = [self._points(one.number, "string") for one in names]
        if prod(map(len, given)) > COMBINED:
            return
        for chosen in product(*given):
            constants: dict[Symbol, Const] = {one: constant for one, (constant, _) in zip(names, chosen, strict=True)}
            value = evaluate(term, constants.__getitem__)
            if isinstance(value, Const):
                yield z3.And(*(literal for _, literal in chosen)), value

    def _points(self, variable: int, kind: str) -> list[tuple[Const, z3.BoolRef]]:
        """The constants of a kind that a variable may be told to be, each with what says so."""
        regions = enumerate(self._regions_of(variable).regions)
        some = [(place, region.point) for place, region in regions if region.kind == kind and region.point is not None]
        return [(constant_at(kind, point), self._literal(variable, 2 << place)) for place, point in some]


def _half_step(places: list[Expression]) -> Decimal | None:
    """By how much rounding to so many places may change a number."""
    match places:
        case []:
            return Decimal("0.5")
        case [Const("number", text)] if text.isdigit() and len(text) < 3:
            return EXACT.scaleb(Decimal("0.5"), -int(text))
    return None


def _combining(item: Condition | Expression) -> Iterator[Concat | Call]:
    """The texts put together in an atom: how they come out of their parts Z3 does not know."""
    match item:
        case Compare(_, left, right) | Compute(_, left, right):
            yield from _combining(left)
            yield from _combining(right)
        case IsNull(subject) | Like(subject, _):
            yield from _combining(subject)
        case Concat(parts) | Call(_, parts):
            for part in parts:
                yield from _combining(part)
            yield item
        case _:
            return
