"""One region and one constant or pattern: whether some values of the region compare so with it, and some do not.

A value of one kind may be read as one of another: each database decides that, so that often both are so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from mdw.conditions.cuts import Region, compared
from mdw.conditions.kinds import BOTH, ISO, Point, across, order_key, read_as
from mdw.conditions.patterns import WILDCARD, compatible, matches, number_matches
from mdw.conditions.spellings import alike
from mdw.conditions.stretches import spellings


class Likeness:
    """What is known of the regions of a class: ``places`` of those that are a single value, the ``kinds`` of all.

    ``stated`` are the kinds that conditions speak of, ``exact`` the patterns that part the regions of texts.
    """

    def __init__(
        self,
        regions: Sequence[Region],
        places: Mapping[tuple[str, Point], int],
        kinds: set[str],
        stated: set[str],
        exact: Sequence[str],
    ) -> None:
        self.kinds = kinds
        self._places = places
        self._stated = stated
        self._exact = exact
        self._reads = {region.reads for region in regions if region.reads is not None}

    def may_hold(self, region: Region, kind: str, point: Point) -> bool:
        """Whether a constant may be a value of the region once it is written into an attribute of the class."""
        if region.kind == kind and self._lies_in(region, point):
            return True
        if region.kind == "any":
            return True
        if region.kind == kind:
            return False
        # Some databases write TRUE as 1 or "t", and read these so.
        if "boolean" in (kind, region.kind):
            return True
        # A constant of a kind that nobody compares with is some value that is not mentioned.
        if kind not in self.kinds and region.point is None:
            return True
        if region.kind == "string":
            return self._reads_as(region, kind, point)
        read = read_as(region.kind, point)
        return read is not None and self._lies_in(region, read)

    def _lies_in(self, region: Region, point: Point) -> bool:
        """Whether a value of the region's kind is one of its values."""
        if region.point is not None:
            return region.point == point
        if (region.low is not None and order_key(region.low) >= order_key(point)) or (
            region.high is not None and order_key(region.high) <= order_key(point)
        ):
            return False
        if region.kind != "string":
            return True
        if ("string", point) in self._places:
            return False
        text = str(point)
        if region.kin:
            return any(alike(text, one, "") is not False for one in region.kin)
        reads = {read_as(kind, text) for kind in ("number", "date")}
        if region.reads is not None:
            return region.reads in reads
        return reads.isdisjoint(self._reads) and region.patterns == {
            pattern for pattern in self._exact if matches(pattern, text)
        }

    def _reads_as(self, region: Region, kind: str, point: Point) -> bool:
        """Whether a text of the region may read as a number or day."""
        if region.point is not None:
            return point in spellings(kind, str(region.point))
        if region.reads is not None:
            return region.reads == point
        return bool(region.kin) or point not in self._reads

    def verdict(self, op: str, region: Region, kind: str, point: Point) -> tuple[bool, bool]:
        """Whether some values of the region compare so with a constant, and whether some do not."""
        if region.kind == kind and region.reads is None:
            found = self._same(op, region, point)
            return found is not False, found is not True
        if region.kind == kind:
            # The points are apart from these texts; before or after them they may come.
            return BOTH if op not in ("=", "!=") else (op == "!=", op == "=")
        if region.kind == "any" or "boolean" in (kind, region.kind):
            return BOTH
        if region.kind == "string":
            equal = self._reads_as(region, kind, point)
            return BOTH if equal or op not in ("=", "!=") else (op == "!=", op == "=")
        agreed = kind == "string" and (ISO.fullmatch(str(point)) is not None or region.kind not in self._stated)
        return across(op, read_as(region.kind, point), lambda read: self._same(op, region, read), agreed=agreed)

    def _same(self, op: str, region: Region, point: Point) -> bool | None:
        """Whether every value of the region compares so with a value of its kind; None if some do and some do not."""
        if op in ("=", "!="):
            if not self._lies_in(region, point):
                return op == "!="
            return None if region.point is None else op == "="
        return compared(op, region, point)

    def like(self, region: Region, pattern: str) -> tuple[bool, bool]:
        """Whether some values of the region fit a pattern, and whether some do not."""
        hit: bool | None = None
        if region.kind == "number" and isinstance(region.point, Decimal):
            return number_matches(pattern, region.point)
        if region.kind == "string" and region.point is not None:
            hit = matches(pattern, str(region.point))
        # Without a wildcard it is an equality, and the text it names a point.
        elif region.kind == "string" and ("string", pattern) in self._places and not WILDCARD.search(pattern):
            hit = False
        elif region.kind == "string" and region.reads is None and not region.kin and pattern in self._exact:
            hit = pattern in region.patterns
        elif not all(compatible(pattern, one) for one in region.patterns):
            hit = False
        # A day has many spellings and a further pattern no regions of its own: it may match or not.
        return hit is not False, hit is not True
