"""The regions that constants and patterns cut the values of one kind into.

>>> [region.point or (region.low, region.high) for region in cut("string", {"a", "b"}, [], ordered=True)]
[(None, 'a'), 'a', ('a', 'b'), 'b', ('b', None)]
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from mdw.conditions.kinds import TRUTHS, Point, order_key, point_of
from mdw.conditions.patterns import compatible
from mdw.conditions.spellings import digital
from mdw.model.expressions import Const


@dataclass(frozen=True, slots=True)
class Region:
    """Values of one kind: a point, or those strictly between ``low`` and ``high`` that match exactly ``patterns``.

    With ``reads`` all texts that read as this number or day, apart from those that are points; with ``kin`` all other
    texts that some collation takes for one of these.
    """

    kind: str
    point: Point | None = None
    low: Point | None = None
    high: Point | None = None
    patterns: frozenset[str] = frozenset()
    reads: Point | None = None
    kin: tuple[str, ...] = ()


@dataclass(slots=True)
class Usage:
    """What conditions compare the attributes of one class with, and whether by order.

    ``collations`` are those by which texts are compared, but for the binary one.
    """

    constants: set[Const] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    ordered: bool = False
    collations: set[str] = field(default_factory=set)

    def merge(self, other: Usage) -> None:
        """Take over what another class met."""
        self.constants |= other.constants
        self.patterns |= other.patterns
        self.ordered |= other.ordered
        self.collations |= other.collations


def cut(kind: str, points: set[Point], patterns: list[str], *, ordered: bool, alphabetic: bool = True) -> list[Region]:
    """The regions of one kind: a point for each constant, and what lies around them.

    ``alphabetic``: texts come in the order of their characters.
    """
    found: list[Region] = []
    # There are two truths, whatever conditions mention.
    if kind == "boolean":
        return [Region(kind, point=truth) for truth in TRUTHS]
    low: Point | None = None
    # Of texts with letters nobody knows what lies between them where their collation is not known (rule Q35).
    apart = set() if alphabetic else {point for point in points if isinstance(point, str) and not digital(point)}
    found += [Region(kind, point=point) for point in sorted(apart, key=order_key)]
    # Points that nobody orders need no intervals between them, only one region for all other values.
    for point in sorted(points - apart, key=order_key):
        if ordered:
            found += _split(Region(kind, low=low, high=point), patterns)
        found.append(Region(kind, point=point))
        low = point
    return found + _split(Region(kind, low=low if ordered else None), patterns)


def _split(region: Region, patterns: list[str]) -> list[Region]:
    # Of numbers and days a pattern tells too little to part them: it depends on their spelling.
    if region.kind != "string" or not patterns:
        return [region]
    found = []
    # One region for each set of patterns that a text can match together: 2 to the PATTERNS at most.
    for size in range(len(patterns) + 1):
        for chosen in combinations(patterns, size):
            if all(compatible(a, b) for a, b in combinations(chosen, 2)):
                found += [Region("string", None, region.low, region.high, frozenset(chosen))]
    return found


def spelled(constants: Iterable[Const]) -> list[Region]:
    """For each number and day the texts that read as it: "07" may equal 7, and never equals 8."""
    points = {(constant.kind, point_of(constant)) for constant in constants if constant.kind != "string"}
    ordered = sorted(points, key=lambda one: (one[0], order_key(one[1])))
    return [Region("string", reads=point) for _, point in ordered]


def compared(op: str, region: Region, point: Point) -> bool | None:
    """Whether every value of a region is less, or more, than one of its kind; None if some are and some are not."""
    if region.point is not None:
        order = _order(region.point, point)
        return order < 0 if op == "<" else order <= 0 if op == "<=" else order > 0 if op == ">" else order >= 0
    if region.high is not None and _order(region.high, point) <= 0:
        return op in ("<", "<=")
    if region.low is not None and _order(region.low, point) >= 0:
        return op in (">", ">=")
    return None


def _order(left: Point, right: Point) -> int:
    a, b = order_key(left), order_key(right)
    return (a > b) - (a < b)
