"""Values as Z3 sees them: points of a real line, on which value sets are intervals.

Texts lie on it in their order among the texts met, days by their number. Whether a value is NULL, and of which kind it
is where there may be several, are variables of their own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import z3

from mdw.conditions.cuts import Region
from mdw.conditions.kinds import KINDS, point_of
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.values import NOTHING
from mdw.model.expressions import NO, YES, Const, decimal_text

COMPARE: dict[str, Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]]
COMPARE = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

RECENT = date(2000, 1, 1)


class RealLine:
    """The values of one diagram's variables in one context of Z3."""

    def __init__(self, regions_of: Callable[[int], Regions], context: z3.Context) -> None:
        self._regions_of = regions_of
        self._context = context
        self._ranks: dict[str, z3.ArithRef] = {}
        self._ordered: set[str] = set()

    def null(self, variable: int) -> z3.BoolRef:
        """That the variable is NULL."""
        return z3.Bool(f"n{variable}", self._context)

    def value(self, variable: int) -> z3.ArithRef:
        """The variable's place on the line."""
        return z3.Real(f"v{variable}", self._context)

    def kind(self, variable: int) -> z3.ArithRef:
        """The number of the kind of the variable's value."""
        return z3.Int(f"k{variable}", self._context)

    def lies_in(self, variable: int, mask: int) -> z3.BoolRef:
        """That the variable lies in a value set."""
        inside = [self._inside(variable, first, last) for first, last in self._regions_of(variable).runs(mask)]
        null = self.null(variable)
        known = z3.And(z3.Not(null), z3.Or(*inside)) if inside else z3.BoolVal(False, self._context)
        return z3.Or(null, known) if mask & NULL else known

    def _inside(self, variable: int, first: Region, last: Region) -> z3.BoolRef:
        """The value lies in the run of regions from ``first`` to ``last``."""
        value = self.value(variable)
        parts = []
        # A value is a number, a day or a text: kinds that meet in one class must not overlap on the line.
        if first.kind != "any":
            parts.append(self.kind(variable) == KINDS.index(first.kind))
        for op, point in self._regions_of(variable).bounds(first, last):
            parts.append(COMPARE[op](value, self.place(point)))
        return z3.And(*parts) if parts else z3.BoolVal(True, self._context)

    def constant(self, constant: Const) -> z3.ArithRef:
        """The place of a constant."""
        return self.place(point_of(constant))

    def place(self, point: object) -> z3.ArithRef:
        """The place of a number, day or text."""
        if isinstance(point, Decimal):
            exact = Fraction(point)
            return z3.Q(exact.numerator, exact.denominator, self._context)
        if isinstance(point, date):
            return z3.RealVal(point.toordinal(), self._context)
        text = str(point)
        # Texts lie somewhere on the real line; `order` says of those met which comes first, and that is all.
        if text not in self._ranks:
            self._ranks[text] = z3.Real(f"s{len(self._ranks)}", self._context)
        return self._ranks[text]

    def read(self, variable: int, model: z3.ModelRef) -> Const | Fraction | None:
        """What a model has for the variable: a constant, or just its place where nobody mentions what lies there."""
        if z3.is_true(model.eval(self.null(variable), model_completion=True)):
            return NOTHING
        value = model.eval(self.value(variable), model_completion=True)
        if not z3.is_rational_value(value):
            return None
        place = value.as_fraction()
        kinds = self._regions_of(variable).kinds
        kind = min(kinds, default="")
        if len(kinds) > 1:
            # Where nothing asks of which kind the value is, it is of any.
            number = model.eval(self.kind(variable), model_completion=True).as_long()
            kind = next((one for one in kinds if KINDS.index(one) == number), kind)
        if kind == "number":
            number = Decimal(place.numerator) / Decimal(place.denominator)
            return Const("number", decimal_text(number)) if Fraction(number) == place else None
        if kind == "date":
            whole = place.denominator == 1 and date.min.toordinal() <= place <= date.max.toordinal()
            return Const("date", date.fromordinal(int(place)).isoformat()) if whole else None
        # Where none of the texts met lies is the place of some other text.
        texts = {model.eval(rank, model_completion=True).as_fraction(): text for text, rank in self._ranks.items()}
        if kind == "boolean":
            return YES if texts.get(place) == YES.text else NO
        return Const("string", texts[place]) if kind == "string" and place in texts else place

    def plain(self, variable: int) -> z3.BoolRef:
        """That the variable is positive, or a day of our time: what people like to read."""
        days = self._regions_of(variable).kinds == {"date"}
        return self.value(variable) >= RECENT.toordinal() if days else self.value(variable) > 0

    def order(self) -> list[z3.BoolRef]:
        """That the texts met lie on the line in their order: what was not told before."""
        before, self._ordered = self._ordered, set(self._ranks)
        pairs = pairwise(sorted(self._ranks)) if len(self._ranks) > len(before) else ()
        return [self._ranks[a] < self._ranks[b] for a, b in pairs if a not in before or b not in before]
