"""Regions: the values the conditions of one question cannot tell apart.

All attributes that copies, joins and comparisons connect form one class. The constants a class meets cut its domain
into finitely many regions (points, the open intervals between them, the rest), and a value set is a bit mask over
them; bit 0 is NULL. LIKE patterns split the regions they are undecided on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from itertools import combinations, permutations

from mdw.model.expressions import Const, decimal_text

Point = str | Decimal | date
KINDS = ("string", "number", "date")
NULL = 1
PATTERNS = 4
"""LIKE patterns a class tells apart exactly; further ones are undecided on every value not mentioned."""


@dataclass(frozen=True, slots=True)
class Region:
    """Values of one kind: a point, or those strictly between ``low`` and ``high`` that match exactly ``patterns``."""

    kind: str
    point: Point | None = None
    low: Point | None = None
    high: Point | None = None
    patterns: frozenset[str] = frozenset()


@dataclass(slots=True)
class Usage:
    """What conditions compare the attributes of one class with, and whether by order."""

    constants: set[Const] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    ordered: bool = False

    def merge(self, other: Usage) -> None:
        """Take over what another class met."""
        self.constants |= other.constants
        self.patterns |= other.patterns
        self.ordered |= other.ordered


class Regions:
    """The regions of one class, and value sets as bit masks over them: bit 0 is NULL, bit n + 1 region n.

    A class that meets n constants has n + 1 regions, twice as many where order counts, for each kind of value.
    """

    def __init__(self, usage: Usage) -> None:
        self._numeric = any(constant.kind == "number" for constant in usage.constants)
        self._dated = any(constant.kind == "date" for constant in usage.constants)
        self._exact = sorted(usage.patterns)[:PATTERNS]
        points: dict[str, set[Point]] = {}
        for constant in usage.constants:
            kind, point = self.point(constant)
            if kind != "null":
                points.setdefault(kind, set()).add(point)
        if self._exact:
            points.setdefault("string", set())
        self.lined = {"number", "date"} | ({"string"} if usage.ordered and not self._exact else set())
        self.regions: list[Region] = []
        for kind in KINDS:
            if kind in points:
                ordered = usage.ordered or kind != "string"
                self.regions += self._cut(kind, points[kind], ordered)
        if not self.regions:
            self.regions = [Region("any")]
        self.domain = (1 << len(self.regions) + 1) - 1
        self._bits: dict[tuple[str, Point], int] = {}
        for index, region in enumerate(self.regions):
            if region.point is not None:
                self._bits[region.kind, region.point] = 2 << index

    @property
    def points(self) -> int:
        """The value set of all regions that are a single value."""
        return self.select(lambda region: region.point is not None)

    @classmethod
    def over(cls, *constants: Const) -> Regions:
        """The regions of a class that meets just these constants."""
        return cls(Usage(set(constants), ordered=True))

    def knows(self, constant: Const) -> bool:
        """Whether the constant is a region of its own, so that comparing with it is exact."""
        return constant.kind == "null" or self.point(constant) in self._bits

    def point(self, constant: Const) -> tuple[str, Point]:
        """Kind and value of a constant, read in the class's own type where its text allows it."""
        text = constant.text
        if constant.kind == "number":
            return "number", Decimal(text)
        if constant.kind == "date":
            # Mappings may write a day as a number: 01010001 is 01.01.0001. Beside numbers all days are.
            day = date.fromisoformat(text)
            return ("number", Decimal(int(f"{day:%d%m}{day.year:04d}"))) if self._numeric else ("date", day)
        if constant.kind == "string" and self._numeric and re.fullmatch(r"[+-]?\d+(\.\d+)?", text):
            return "number", Decimal(text)
        if constant.kind == "string" and self._dated and (day_ := _day(text)) is not None:
            return "date", day_
        return constant.kind, text

    def bit(self, constant: Const) -> int:
        """The value set holding just this constant; a constant nobody compares with lies in the region around it."""
        if constant.kind == "null":
            return NULL
        kind, point = self.point(constant)
        found = self._bits.get((kind, point))
        if found is not None:
            return found
        return self.select(lambda region: region.kind in (kind, "any") and _inside(region, point))

    def compare(self, op: str, constant: Const) -> tuple[int, int]:
        """Value sets on which ``attribute op constant`` is true and false; on NULL it is neither."""
        if constant.kind == "null":
            return 0, 0
        kind, point = self.point(constant)
        if op in ("=", "!="):
            true = self.bit(constant)
            rest = self.domain & ~true & ~NULL
            return (true, rest) if op == "=" else (rest, true)
        true = false = 0
        for index, region in enumerate(self.regions):
            verdict = _ordered(op, region, kind, point)
            # What a region cannot tell is in both sets: some of its values compare so, and some do not.
            true |= (2 << index) * (verdict is not False)
            false |= (2 << index) * (verdict is not True)
        return true, false

    def like(self, pattern: str) -> tuple[int, int]:
        """Value sets on which ``attribute LIKE pattern`` is true and false."""
        exact = pattern in self._exact
        true = false = 0
        for index, region in enumerate(self.regions):
            bit = 2 << index
            if region.kind == "string" and region.point is not None:
                hit = matches(pattern, str(region.point))
                true, false = (true | bit, false) if hit else (true, false | bit)
            elif region.kind == "string" and exact:
                hit = pattern in region.patterns
                true, false = (true | bit, false) if hit else (true, false | bit)
            # A number has many spellings and a further pattern no regions of its own: it may match or not.
            else:
                true, false = true | bit, false | bit
        return true, false

    def select(self, test: Callable[[Region], bool]) -> int:
        """The value set of the regions for which ``test(region)`` holds."""
        mask = 0
        for index, region in enumerate(self.regions):
            if test(region):
                mask |= 2 << index
        return mask

    def members(self, mask: int) -> list[Region]:
        """The regions of a value set, NULL apart."""
        return [region for index, region in enumerate(self.regions) if mask >> index + 1 & 1]

    def runs(self, mask: int) -> list[tuple[Region, Region]]:
        """The regions of a value set, neighbours of an ordered kind put together: first and last of each run."""
        found: list[tuple[Region, Region]] = []
        before = -2
        for index, region in enumerate(self.regions):
            if not mask >> index + 1 & 1:
                continue
            # "a" and "c" are no run where nobody asked what lies between: then the order says nothing.
            lined = region.kind in self.lined
            if lined and before == index - 1 and found[-1][1].kind == region.kind:
                found[-1] = found[-1][0], region
            else:
                found.append((region, region))
            before = index
        return found

    def _cut(self, kind: str, points: set[Point], ordered: bool) -> list[Region]:
        found: list[Region] = []
        low: Point | None = None
        # Points that nobody orders need no intervals between them, only one region for all other values.
        for point in sorted(points, key=_sort_key):
            if ordered:
                found += self._split(Region(kind, low=low, high=point))
            found.append(Region(kind, point=point))
            low = point
        return found + self._split(Region(kind, low=low if ordered else None))

    def _split(self, region: Region) -> list[Region]:
        if region.kind != "string" or not self._exact:
            return [region]
        found = []
        # One region for each set of patterns that a text can match together: 2 to the PATTERNS at most.
        for size in range(len(self._exact) + 1):
            for chosen in combinations(self._exact, size):
                if all(_compatible(a, b) for a, b in combinations(chosen, 2)):
                    found += [Region("string", None, region.low, region.high, frozenset(chosen))]
        return found


@lru_cache(maxsize=1 << 12)
def matches(pattern: str, text: str) -> bool:
    """SQL's LIKE: % stands for any text, _ for one character; case counts.

    >>> matches("A_C%", "ABCD"), matches("a%", "ABC")
    (True, False)
    """
    body = "".join(".*" if c == "%" else "." if c == "_" else re.escape(c) for c in pattern)
    return re.fullmatch(body, text, flags=re.DOTALL) is not None


def sample(region: Region, regions: Regions) -> Const | None:
    """A value of the region, for example rows; None where none was found.

    >>> regions = Regions(Usage({Const("string", "A")}, {"A%", "%Z"}))
    >>> [found.text for one in regions.regions if (found := sample(one, regions))]
    ['A', 'other', 'Z', 'Ax', 'AZ']
    """
    if region.point is not None or region.kind in ("number", "date"):
        return _constant(region.kind, region.point if region.point is not None else _inner(region))
    patterns = {pattern for one in regions.regions for pattern in one.patterns}
    for text in _texts(region):
        hit = {pattern for pattern in patterns if matches(pattern, text)}
        # A text that other conditions compare with is a region of its own.
        if hit == region.patterns and regions.bit(Const("string", text)) & ~regions.points and _lies(region, text):
            return Const("string", text)
    return None


def _texts(region: Region) -> Iterable[str]:
    """Texts that may lie in the region: what its patterns ask for put together in different ways."""
    low = str(region.low) if region.low is not None else ""
    for order in permutations(sorted(region.patterns)) if region.patterns else ():
        for filling in ("", "x", "y"):
            yield "".join(pattern.replace("%", filling).replace("_", filling or "x") for pattern in order)
    # Patterns with a common beginning: the longest says it for all.
    for pattern in sorted(region.patterns, key=len, reverse=True):
        yield from (pattern.replace("%", filling).replace("_", "x") for filling in ("", "x", "xyz"))
    if not region.patterns:
        yield from (low + tail for tail in ("other", "x", "!", " ", "a", "Z", "0") if low or len(tail) > 1)
        yield from ("x", "!", "", "0", "zzz", "~")


def _lies(region: Region, point: Point) -> bool:
    after = region.low is None or _order(point, region.low) > 0
    return after and (region.high is None or _order(point, region.high) < 0)


def _constant(kind: str, point: object) -> Const | None:
    if point is None:
        return None
    if isinstance(point, Decimal):
        return Const("number", decimal_text(point))
    return Const("date", str(point)) if kind == "date" else Const("string", str(point))


def _inner(region: Region) -> Point | None:
    low, high = region.low, region.high
    if region.kind == "number":
        return _between(low, high)
    day = date(2020, 1, 1)
    if isinstance(low, date) and low < date.max:
        day = low + timedelta(days=1)
    elif isinstance(high, date) and high > date.min:
        day = high - timedelta(days=1)
    # Between two neighbouring days there is none.
    return day if _lies(region, day) else None


def _between(low: object, high: object) -> Decimal:
    if isinstance(low, Decimal) and isinstance(high, Decimal):
        return low + 1 if low + 1 < high else (low + high) / 2
    if isinstance(low, Decimal):
        return low + 1
    return high - 1 if isinstance(high, Decimal) else Decimal(0)


def _ordered(op: str, region: Region, kind: str, point: Point) -> bool | None:
    """Whether every value of the region compares so with the point; None if some do and some do not."""
    if region.kind != kind:
        return None
    if region.point is not None:
        order = _order(region.point, point)
        return order < 0 if op == "<" else order <= 0 if op == "<=" else order > 0 if op == ">" else order >= 0
    if region.high is not None and _order(region.high, point) <= 0:
        return op in ("<", "<=")
    if region.low is not None and _order(region.low, point) >= 0:
        return op in (">", ">=")
    return None


def _inside(region: Region, point: Point) -> bool:
    if region.point is not None or (region.low is not None and _order(region.low, point) >= 0):
        return False
    if region.high is not None and _order(region.high, point) <= 0:
        return False
    return all(matches(pattern, str(point)) for pattern in region.patterns)


def _order(left: Point, right: Point) -> int:
    a, b = _sort_key(left), _sort_key(right)
    return (a > b) - (a < b)


def _sort_key(point: Point) -> tuple[Decimal | int, str]:
    if isinstance(point, Decimal):
        return point, ""
    return (point.toordinal(), "") if isinstance(point, date) else (0, point)


def _compatible(a: str, b: str) -> bool:
    # Only what stands before the first wildcard is compared; patterns that differ later are taken to go together.
    heads: Iterable[str] = (re.split("[%_]", pattern, maxsplit=1)[0] for pattern in (a, b))
    first, second = heads
    return first.startswith(second) or second.startswith(first)


def _day(text: str) -> date | None:
    try:
        if re.fullmatch(r"\d{2}\.\d{2}\.\d{4}", text):
            return date(int(text[6:]), int(text[3:5]), int(text[:2]))
        return date.fromisoformat(text) if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text) else None
    except ValueError:
        return None
