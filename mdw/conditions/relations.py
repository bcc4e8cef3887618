"""What value sets do not tell, as atoms of a diagram."""

from __future__ import annotations

from collections.abc import Callable

from mdw.conditions.atoms import EQUAL, LESS, MORE, NO, ORDERS, UNKNOWN, YES, Atom
from mdw.conditions.diagram import Diagram
from mdw.conditions.linear import FLIPPED
from mdw.conditions.regions import Regions
from mdw.model.expressions import Compare, Condition, Expression, Variable

Truth = tuple[int, int]
"""The diagrams on which a condition is true and on which it is false; on neither it is unknown."""


class Relations:
    """Makes atoms of one diagram; ``regions_of`` gives the regions of a variable.

    What cannot be told of a row counts as true *and* as false there; ``doubts`` gathers what that was, in plain words.
    """

    def __init__(self, diagram: Diagram, regions_of: Callable[[int], Regions]) -> None:
        self.diagram = diagram
        self.doubts: dict[str, None] = {}
        self._regions_of = regions_of

    def _also(self, told: Truth, atom: Truth) -> Truth:
        """A comparison that value sets do not tell: an atom, of which they say where it may be true and where false."""
        return self.diagram.both(told[0], atom[0]), self.diagram.both(told[1], atom[1])

    def _where(self, value: Variable, true: int, false: int, atom: Callable[[], Truth]) -> Truth:
        """What value sets tell and, where something may be true and may be not, what an atom says."""
        unsure = true & false
        told = self.diagram.allow(value.number, true & ~unsure), self.diagram.allow(value.number, false & ~unsure)
        if not unsure:
            return told
        open_ = self.diagram.allow(value.number, unsure)
        yes, no = (self.diagram.both(open_, one) for one in atom())
        return self.diagram.either(told[0], yes), self.diagram.either(told[1], no)

    def _relation(self, op: str, left: Expression, right: Expression) -> Truth:
        """Two values compared: one variable for all operators between the same two.

        ``A < B`` and ``A >= B`` are two value sets of it, so that the diagram sees by itself that they contradict.
        """
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

    def _doubt(self, text: str) -> None:
        """Remember what was answered both ways."""
        self.doubts[text] = None
