"""Conditions read into a diagram, as far as value sets say what they mean; what they do not is an atom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.regions import NULL, Regions, matches
from mdw.conditions.values import NOTHING, Lookup, Value, constant_at, evaluate
from mdw.model.expressions import (
    And,
    Compare,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Variable,
    variables_of,
)
from mdw.model.text import expression_text

Truth = tuple[int, int]
"""The diagrams on which a condition is true and on which it is false; on neither it is unknown."""

UNKNOWN, YES, NO = 1, 2, 4
LESS, EQUAL, MORE = 2, 4, 8
MAYBE: Truth = (TRUE, TRUE)
UNTOLD = "a value that no rule tells of one row alone"
"""What is compared where a value is open: aggregated, or filled by no rule."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A variable for what value sets cannot express (see `mdw.conditions.solver`).

    A comparison stands for how its two sides compare (less, equal, more, unknown), any other condition for its truth.
    """

    condition: Condition


class Terms:
    """Reads conditions into one diagram; ``regions_of`` gives the regions of a variable.

    What cannot be told of a row counts as true *and* as false there; ``doubts`` gathers what that was, in plain words.
    """

    def __init__(self, diagram: Diagram, regions_of: Callable[[int], Regions]) -> None:
        self.diagram = diagram
        self.doubts: dict[str, None] = {}
        self._regions_of = regions_of

    def read(self, condition: Condition, lookup: Lookup) -> Truth:
        """The diagrams on which the condition is true and false, its attributes and variables given by ``lookup``."""
        diagram = self.diagram
        match condition:
            case And(parts):
                true, false = TRUE, FALSE
                for part in parts:
                    t, f = self.read(part, lookup)
                    true, false = diagram.both(true, t), diagram.either(false, f)
                return true, false
            case Or(parts):
                true, false = FALSE, TRUE
                for part in parts:
                    t, f = self.read(part, lookup)
                    true, false = diagram.either(true, t), diagram.both(false, f)
                return true, false
            case Not(part):
                true, false = self.read(part, lookup)
                return false, true
            case Compare(op, left, right):
                return self._compare(op, evaluate(left, lookup), evaluate(right, lookup))
            case IsNull(subject):
                return self._is_null(evaluate(subject, lookup))
            case In(subject, constants):
                return self._in(evaluate(subject, lookup), constants)
            case Like(subject, pattern):
                return self._like(evaluate(subject, lookup), pattern)

    def lies_in(self, value: Value, mask: int, regions: Regions) -> int:
        """The condition that the value lies in the value set of ``regions``."""
        if value is None:
            return TRUE
        if isinstance(value, Const):
            return TRUE if regions.bit(value) & mask else FALSE
        if isinstance(value, Variable):
            return self.diagram.allow(value.number, mask)
        return self._term_in(value, mask, regions)

    def holds(self, condition: Condition, mask: int, lookup: Lookup) -> int:
        """The condition that an atom has a value in ``mask`` once ``lookup`` has put new values for its variables.

        ``A < B`` with 1 for A is ``B > 1``: no atom any more, if 1 is one of the constants that B's regions know.
        """
        diagram = self.diagram
        ways = ((LESS, "<"), (EQUAL, "="), (MORE, ">")) if isinstance(condition, Compare) else ((YES, ""), (NO, ""))
        found = known = FALSE
        for bit, op in ways:
            if isinstance(condition, Compare):
                part = self.read(Compare(op, condition.left, condition.right), lookup)[0]
            else:
                part = self.read(condition, lookup)[bit == NO]
            known = diagram.either(known, part)
            if mask & bit:
                found = diagram.either(found, part)
        # Unknown is what is neither true nor false of the new values; with one that is open it may always be.
        if mask & UNKNOWN:
            free = any(lookup(one) is None for one in variables_of(condition))
            found = TRUE if free else diagram.either(found, diagram.negate(known))
        return found

    def _term_in(self, value: Expression, mask: int, regions: Regions) -> int:
        """A computed value in a value set: one atom for each run of regions."""
        if mask == regions.domain:
            return TRUE
        diagram = self.diagram
        found = self._is_null(value)[0] if mask & NULL else FALSE
        for region in regions.members(mask):
            inside = self._is_null(value)[1]
            if region.point is not None:
                inside = self._compare("=", value, constant_at(region.kind, region.point))[0]
            if region.low is not None:
                inside = diagram.both(inside, self._compare(">", value, constant_at(region.kind, region.low))[0])
            if region.high is not None:
                inside = diagram.both(inside, self._compare("<", value, constant_at(region.kind, region.high))[0])
            if region.kind in ("string", "any") and region.point is None and region.low is None:
                # The region "any other text" is all that differs from the points that have regions.
                for other in regions.regions:
                    if other.point is not None and other.kind == "string" and region.high is None:
                        inside = diagram.both(inside, self._compare("!=", value, constant_at("string", other.point))[0])
            found = diagram.either(found, inside)
        return found

    def _compare(self, op: str, left: Value, right: Value) -> Truth:
        if NOTHING in (left, right):
            return FALSE, FALSE
        # What is compared with an open value may come out either way, but not if it is NULL itself.
        if left is None or right is None:
            known = self._is_null(right if left is None else left)[1]
            self._doubt(UNTOLD)
            return known, known
        if isinstance(left, Const) and isinstance(right, Const):
            return _both_constant(op, left, right)
        if isinstance(left, Const):
            left, right, op = right, left, FLIPPED[op]
        if isinstance(left, Variable) and isinstance(right, Const):
            regions = self._regions_of(left.number)
            if regions.knows(right):
                true, false = regions.compare(op, right)
                self._doubt(f"whether a value is {op} {expression_text(right)}", true & false)
                return self.diagram.allow(left.number, true), self.diagram.allow(left.number, false)
        # A = A is true, and unknown for NULL.
        if left == right and isinstance(left, Variable):
            known = self.diagram.allow(left.number, ~NULL)
            return (known, FALSE) if op in ("=", "<=", ">=") else (FALSE, known)
        return self._relation(op, left, right)

    def _relation(self, op: str, left: Expression, right: Expression) -> Truth:
        """Two values compared: one variable for all operators between the same two."""
        # A < B and B > A are to be one variable, so the two sides stand in an order of their own.
        if repr(right) < repr(left):
            left, right, op = right, left, FLIPPED[op]
        known = LESS | EQUAL | MORE
        compared = self.diagram.variable(Atom(Compare("=", left, right)), UNKNOWN | known)
        return self.diagram.allow(compared, ORDERS[op]), self.diagram.allow(compared, known & ~ORDERS[op])

    def atom(self, condition: Condition) -> Truth:
        """The condition as a variable of its own."""
        variable = self.diagram.variable(Atom(condition), UNKNOWN | YES | NO)
        return self.diagram.allow(variable, YES), self.diagram.allow(variable, NO)

    def _doubt(self, text: str, both: int = 1) -> None:
        """Remember what was answered both ways, if any value was."""
        if both:
            self.doubts[text] = None

    def _is_null(self, value: Value) -> Truth:
        if value is None:
            self._doubt(UNTOLD)
            return MAYBE
        if isinstance(value, Const):
            return (TRUE, FALSE) if value == NOTHING else (FALSE, TRUE)
        if isinstance(value, Variable):
            return self.diagram.allow(value.number, NULL), self.diagram.allow(value.number, ~NULL)
        return self.atom(IsNull(value))

    def _in(self, value: Value, constants: tuple[Const, ...]) -> Truth:
        if value is None:
            self._doubt(UNTOLD)
            return MAYBE
        if isinstance(value, Variable):
            regions = self._regions_of(value.number)
            # One value set for the whole list, unless it names constants that have no region of their own.
            if all(regions.knows(constant) for constant in constants):
                true = 0
                for constant in constants:
                    true |= regions.bit(constant)
                allow = self.diagram.allow
                return allow(value.number, true), allow(value.number, regions.domain & ~true & ~NULL)
        true, false = FALSE, TRUE
        for constant in constants:
            t, f = self._compare("=", value, constant)
            true, false = self.diagram.either(true, t), self.diagram.both(false, f)
        return true, false

    def _like(self, value: Value, pattern: str) -> Truth:
        if value is None:
            self._doubt(UNTOLD)
            return MAYBE
        if isinstance(value, Const):
            if value == NOTHING:
                return FALSE, FALSE
            return (TRUE, FALSE) if matches(pattern, value.text) else (FALSE, TRUE)
        if isinstance(value, Variable):
            true, false = self._regions_of(value.number).like(pattern)
            self._doubt(f"whether a value is LIKE {expression_text(Const('string', pattern))}", true & false)
            return self.diagram.allow(value.number, true), self.diagram.allow(value.number, false)
        return self.atom(Like(value, pattern))


FLIPPED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


ORDERS = {"<": LESS, "<=": LESS | EQUAL, "=": EQUAL, "!=": LESS | MORE, ">=": EQUAL | MORE, ">": MORE}
OPERATORS = {orders: op for op, orders in ORDERS.items()}


def _both_constant(op: str, left: Const, right: Const) -> Truth:
    regions = Regions.over(left, right)
    true, _ = regions.compare(op, right)
    return (TRUE, FALSE) if regions.bit(left) & true else (FALSE, TRUE)
