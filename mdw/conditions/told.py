"""What a comparison says of the two values by themselves: it may be forgotten then, and this still be known.

With regions for 1 and 5 of two numbers, A < B and B = 1 leave A below 1; A = B and B = 5 leave A = 5; and whatever
compares is not NULL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mdw.conditions.atoms import EQUAL, LESS, MORE, UNKNOWN, Atom
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.regions import NULL, Regions
from mdw.model.expressions import Compare, Compute, Const, Expression, Variable
from mdw.model.walks import variables_of

MOST = 40
"""Regions of a class up to which each pair of them is told apart."""


def told(diagram: Diagram, variable: int, regions_of: Callable[[int], Regions]) -> int:
    """What holds of the values that the atom of a variable compares, whichever way it comes out."""
    atom = diagram.labels[variable]
    if not isinstance(atom, Atom) or not isinstance(atom.condition, Compare):
        return TRUE
    left, right = atom.condition.left, atom.condition.right
    if not (_plain(left) and _plain(right)):
        return TRUE
    known = TRUE
    for one in {*variables_of(left), *variables_of(right)}:
        known = diagram.both(known, diagram.allow(one.number, ~NULL))
    found = diagram.both(diagram.allow(variable, UNKNOWN), diagram.negate(known))
    for way in (LESS, EQUAL, MORE):
        lies = known
        if isinstance(left, Variable) and isinstance(right, Variable):
            lies = diagram.both(known, _alike(diagram, left.number, right.number, way, regions_of))
        found = diagram.either(found, diagram.both(diagram.allow(variable, way), lies))
    return found


def _plain(value: Expression) -> bool:
    """Whether a value is NULL exactly where something in it is."""
    match value:
        case Compute(op, left, right):
            return op != "/" and _plain(left) and _plain(right)
    return isinstance(value, (Variable, Const))


def _alike(diagram: Diagram, left: int, right: int, way: int, regions_of: Callable[[int], Regions]) -> int:
    """Which regions the two values of a class may lie in that compare so."""
    regions = regions_of(left)
    if regions is not regions_of(right) or regions.open or len(regions.regions) > MOST:
        return TRUE
    found = FALSE
    for place in range(len(regions.regions)):
        others = sum(2 << other for other in _others(regions, place, way))
        inside = diagram.both(diagram.allow(left, 2 << place), diagram.allow(right, others))
        found = diagram.either(found, inside)
    return found


def _others(regions: Regions, place: int, way: int) -> Iterator[int]:
    """The regions in which values may lie that a value of one region is equal to, less or more than."""
    region, places = regions.regions[place], range(len(regions.regions))
    # By what collation texts are ordered nobody knows.
    lined = region.kind in ("number", "date")
    for other in places:
        if other == place:
            if way == EQUAL or region.point is None:
                yield other
        elif way != EQUAL and (not lined or (place < other) == (way == LESS)):
            yield other
