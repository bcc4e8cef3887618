"""Regions that compare alike with a constant, found without asking each of them.

A class of several kinds has its regions in stretches: texts, numbers, days, texts that read as one of these. Of each
nearly all compare alike, and by their places it is known which do not. Where "x" and 7 are met, 7 is held against six
sets of regions, of however many other constants there are more in them:

>>> from decimal import Decimal
>>> from mdw.conditions.cuts import Region
>>> from mdw.conditions.masks import places_of
>>> seven = Decimal(7)
>>> texts = Region("string", point="x"), Region("string"), Region("string", reads=seven)
>>> numbers = Region("number", high=seven), Region("number", point=seven), Region("number", low=seven)
>>> every = Stretches([*texts[:2], *numbers, texts[2]], {("string", "x"): 1, ("number", seven): 4})
>>> sorted(map(places_of, every.cells("number", seven)))
[[1], [2], [3], [4], [5], [6]]
>>> sorted(map(places_of, every.cells("string", "x")))
[[1], [2], [3, 5], [4], [6]]
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from itertools import groupby, pairwise

from mdw.conditions.cuts import Region
from mdw.conditions.kinds import Point, counted, read_as
from mdw.conditions.masks import mask_of

READ = ("number", "date")
"""The kinds that texts may be read as."""


class Stretches:
    """Regions in their order, and the places of those that are a single value."""

    def __init__(self, regions: Sequence[Region], places: Mapping[tuple[str, Point], int]) -> None:
        self._regions = regions
        self._places = places
        self._kinds = {region.kind for region in regions}
        self._points = mask_of(places.values())

    def cells(self, kind: str, point: Point) -> Iterator[int]:
        """Value sets, together all but NULL, each of regions that compare alike with a constant."""
        # What it is, and reads as, in the kinds there are; truths are read as nothing else.
        reads = {(one, read_as(one, point)) for one in READ if one in self._kinds and kind not in ("boolean", one)}
        among = [(kind, point), *[(one, read) for one, read in reads if read is not None]]
        if not all(one in self._places for one in among):
            # A constant that no condition mentions lies anywhere.
            yield from (1 << place for place in range(1, len(self._regions) + 1))
            return
        alone = sorted({*map(self._places.__getitem__, among), *self._spellings.get(point, ())})
        for first, last in self._ends:
            inside = alone[bisect_left(alone, first) : bisect_left(alone, last)]
            yield from (1 << place for place in inside)
            for before, after in pairwise([first - 1, *inside, last]):
                between = (1 << after) - (1 << before + 1)
                # Single values, and what lies between them.
                yield from (one for one in (between & self._points, between & ~self._points) if one)

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        """The stretches, by the place of the first region and the place behind the last."""
        stretches = groupby(
            enumerate(self._regions, 1), lambda one: (one[1].kind, one[1].reads is not None, bool(one[1].kin))
        )
        places = [[place for place, _ in some] for _, some in stretches]
        return [(some[0], some[-1] + 1) for some in places]

    @cached_property
    def _spellings(self) -> Mapping[Point, list[int]]:
        """The places of texts that may read as a number or day."""
        found: defaultdict[Point, list[int]] = defaultdict(list)
        for place, region in enumerate(self._regions, 1):
            if region.reads is not None:
                found[region.reads].append(place)
            elif region.kind == "string" and region.point is not None:
                for value in (one for kind in READ for one in spellings(kind, str(region.point))):
                    found[value].append(place)
        return found


def spellings(kind: str, text: str) -> set[Point]:
    """The numbers or days that a text may read as: MySQL reads any text as a number, and T-SQL 'true' as a BIT.

    >>> sorted(spellings("number", "true")), spellings("number", "7"), spellings("date", "7")
    ([Decimal('0'), Decimal('1')], {Decimal('7')}, set())
    """
    found = read_as(kind, text)
    if found is not None or kind != "number":
        return set() if found is None else {found}
    return {counted(text), *([Decimal(1)] if text.lower() == "true" else [])}
