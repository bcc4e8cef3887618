"""Conditions read into a diagram, as far as value sets say what they mean; what they do not is an atom.

In go a condition and what its attributes stand for, out come two nodes: where it is true, and where it is false. Over a
row whose K may be NULL, ``K = 1`` is true on {1}, false on all other values, and on NULL neither; ``NOT (K = 1)`` is
the same two turned round, so that NULL passes neither of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import reduce
from itertools import groupby, product
from operator import and_, or_

from mdw.conditions.atoms import EQUAL, LESS, MORE, NO, UNKNOWN, YES
from mdw.conditions.comparisons import MAYBE, UNTOLD, Comparisons
from mdw.conditions.cuts import Region
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.joined import like
from mdw.conditions.kinds import countable, point_of
from mdw.conditions.patterns import WILDCARD, matches, number_matches
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.relations import Truth
from mdw.conditions.spellings import fits
from mdw.conditions.values import NOTHING, Lookup, Value, constant_at, evaluate
from mdw.model.collations import bare, collated, collation_of
from mdw.model.errors import TooLargeError
from mdw.model.expressions import (
    And,
    Call,
    Compare,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    Variable,
)
from mdw.model.text import expression_text
from mdw.model.walks import variables_of

CASES = 20_000
"""Nodes that one AND or OR of a rule may make; of one that needs more not all cases are told apart."""

LISTED = 100
"""Parts of an AND or OR from which on tests of one value are read as a list."""


class Terms(Comparisons):
    """Reads conditions into one diagram."""

    def __init__(self, diagram: Diagram, regions_of: Callable[[int], Regions]) -> None:
        super().__init__(diagram, regions_of)
        self._terms_in: dict[tuple[Expression, int, Regions], tuple[int, dict[str, None]]] = {}

    def read(self, condition: Condition, lookup: Lookup) -> Truth:
        """The diagrams on which the condition is true and false, its attributes and variables given by ``lookup``."""
        match condition:
            case And(conditions):
                return self._every([self.read(part, lookup) for part in _listed(conditions, "!=")])
            case Or(conditions):
                true, false = self._every([self.read(part, lookup)[::-1] for part in _listed(conditions, "=")])
                return false, true
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
                return self._fits(evaluate(subject, lookup), pattern)

    def _every(self, truths: list[Truth]) -> Truth:
        """Where all are true, and where one is false; of too many cases together some are not told apart."""
        true, false = TRUE, FALSE
        try:
            with self.diagram.within(CASES):
                # From the last variable up each part makes few nodes; from the first on it would make all of them anew.
                for t in self._merged(self.diagram.both, {one for one, _ in truths}):
                    true = self.diagram.both(t, true)
                for f in self._merged(self.diagram.either, {other for _, other in truths}):
                    false = self.diagram.either(f, false)
        except TooLargeError:
            if self.diagram.full():
                raise
            # What all of the parts met so far let through is no less than what all parts do. Where it is false nobody
            # knows then: it may be anywhere, and nothing is refuted by that.
            self._doubt(f"a condition of {len(truths)} parts, which has too many cases")
            return true, TRUE
        return true, false

    def _merged(self, operation: Callable[[int, int], int], nodes: set[int]) -> Iterator[int]:
        """The parts, those that test the last variable first; very many that test one first are put together in pairs.

        ``K = 1 AND L = 1 OR K = 2 AND L = 2 ...``: one after the other, each would copy all the edges before it.
        """
        order = sorted(nodes, key=self._first_tested, reverse=True)
        for _, group in groupby(order, lambda node: self._first_tested(node)[0]):
            some = list(group)
            while len(some) >= LISTED:
                some = [operation(*pair) if len(pair) > 1 else pair[0] for pair in _pairs(some)]
            yield from some

    def _first_tested(self, node: int) -> tuple[int, int]:
        return self.diagram.edges(node)[0], node

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
        # Outcome by outcome: of those in `mask` the new values must have one.
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
        """A computed value in a value set: between two constants for each run of regions."""
        if mask == regions.domain:
            return TRUE
        key = value, mask, regions
        known = self._terms_in.get(key)
        if known is None:
            # What was doubtful about it is so for whoever asks again.
            before, self.doubts = self.doubts, {}
            try:
                known = self._terms_in[key] = self._within(value, mask, regions), self.doubts
            finally:
                self.doubts = before | self.doubts
        self.doubts |= known[1]
        return known[0]

    def _within(self, value: Expression, mask: int, regions: Regions) -> int:
        diagram = self.diagram
        found = self._is_null(value)[0] if mask & NULL else FALSE
        known = self._is_null(value)[1]
        for first, last in regions.runs(mask):
            inside = known if first.point is None or first is not last else TRUE
            for op, point in regions.bounds(first, last):
                inside = diagram.both(inside, self._compare(op, value, constant_at(first.kind, point))[0])
            if first.point is None:
                inside = diagram.both(inside, self._spelled(value, first, regions))
            found = diagram.either(found, inside)
        return found

    def _spelled(self, value: Expression, region: Region, regions: Regions) -> int:
        """What a region asks of the spelling of its texts: the patterns they match, and those they do not."""
        found = TRUE
        if region.reads is not None:
            self._doubt(f"which texts are spellings of {region.reads}")
        if region.kin:
            near = FALSE
            for text, collation in product(region.kin, sorted(regions.collations)):
                met = self._collated("=", value, Const("string", text), collation)[0]
                near = self.diagram.either(near, met)
            found = near
        for pattern in regions.patterns if region.kind == "string" else ():
            fits, fails = self._like(value, pattern)
            found = self.diagram.both(found, fits if pattern in region.patterns else fails)
        return found

    def _in(self, given: Value, constants: tuple[Const, ...]) -> Truth:
        if given is None:
            self._doubt(UNTOLD)
            return MAYBE
        value, collation = bare(given), collation_of(given)
        if isinstance(value, Variable):
            regions = self._regions_of(value.number)
            if regions.vague:
                return self._untold(value)
            # One value set for the whole list, unless it names constants that have no region of their own.
            masks = regions.among(constants, collation)
            if masks is not None:
                return self.diagram.allow(value.number, masks[0]), self.diagram.allow(value.number, masks[1])
            if collation is not None and len(constants) > LISTED and all(map(regions.knows, constants)):
                # An atom for each would be too many to tell which texts of a family are the same.
                self._doubt(f"which texts are equal to one of {len(constants)}")
                told = [regions.collated("=", constant, collation) for constant in constants]
                true, false = reduce(or_, (one for one, _ in told)), reduce(and_, (other for _, other in told))
                return self.diagram.allow(value.number, true), self.diagram.allow(value.number, false)
        several = [constant if countable(constant) else None for constant in constants]
        if collation is None:
            parts = [self._compare("=", value, one) for one in several]
        else:
            parts = [
                self._compare("=", collated(value, collation), one and collated(one, collation)) for one in several
            ]
        false, true = self._every([part[::-1] for part in parts])
        return true, false

    def _fits(self, value: Value, pattern: str) -> Truth:
        """LIKE by a collation (rule Q35): what fits the pattern as it is surely does so, what does not may."""
        collation = None if value is None else collation_of(value)
        if value is None or collation is None:
            return self._like(value, pattern)
        true, false = self._like(bare(value), pattern)
        told = self.atom(Like(value, pattern))
        may = self.diagram.both(false, self._may_fit(bare(value), pattern))
        yes = self.diagram.either(true, self.diagram.both(may, told[0]))
        return yes, self.diagram.both(false, self.diagram.either(self.diagram.negate(may), told[1]))

    def _may_fit(self, value: Expression, pattern: str) -> int:
        """Where a value is no text of which it is sure that no collation takes it for one that fits a pattern."""
        if isinstance(value, Const):
            return TRUE if value.kind != "string" or fits(pattern, value.text) else FALSE
        if not isinstance(value, Variable):
            return TRUE
        return self.diagram.allow(value.number, self._regions_of(value.number).may_fit(pattern))

    def _like(self, value: Value, pattern: str) -> Truth:
        if value is None:
            self._doubt(UNTOLD)
            return MAYBE
        if isinstance(value, Const):
            if value == NOTHING:
                return FALSE, FALSE
            return _constant_like(value, pattern)
        if isinstance(value, Variable):
            regions = self._regions_of(value.number)
            if regions.vague:
                return self._untold(value)
            true, false = regions.like(pattern)
            # Of texts a pattern is what it says; numbers and days have many spellings.
            if true & false and regions.kinds != {"string"}:
                self._doubt(f"whether a value is LIKE {expression_text(Const('string', pattern))}")
            return self._where(value, true, false, lambda: self.atom(Like(value, pattern)))
        if not WILDCARD.search(pattern):
            return self._compare("=", value, Const("string", pattern))
        if isinstance(value, Call) and value.function == "COALESCE":
            return self._of_first(value, lambda one: self._like(one, pattern))
        if isinstance(value, Concat) and (fits := like(value.parts, pattern)) is not None:
            known = self._is_null(value)[1]
            return (known, FALSE) if fits else (FALSE, known)
        return self.atom(Like(value, pattern))


def _listed(conditions: tuple[Condition, ...], op: str) -> Sequence[Condition]:
    """The parts of an OR, and of many tests of one value one list: ``X = 1 OR X = 2`` is ``X IN (1, 2)``.

    ``op`` is = in an OR, != in an AND.
    """
    if len(conditions) < LISTED:
        return conditions
    constants: dict[Expression, list[Const]] = {}
    found: list[Condition] = []
    for part in conditions:
        match part:
            case Compare(one, left, Const() as constant) if one == op and constant != NOTHING:
                constants.setdefault(left, []).append(constant)
            case _:
                found.append(part)
    lists = [In(left, tuple(every)) for left, every in constants.items()]
    return found + (lists if op == "=" else [Not(one) for one in lists])


def _pairs(nodes: Sequence[int]) -> Iterator[Sequence[int]]:
    """Two after two; the last may be alone."""
    return (nodes[start : start + 2] for start in range(0, len(nodes), 2))


def _constant_like(value: Const, pattern: str) -> Truth:
    if value.kind == "string":
        return (TRUE, FALSE) if matches(pattern, value.text) else (FALSE, TRUE)
    # Numbers and days have many spellings.
    point = point_of(value)
    true, false = number_matches(pattern, point) if isinstance(point, Decimal) else (True, True)
    return TRUE if true else FALSE, TRUE if false else FALSE
