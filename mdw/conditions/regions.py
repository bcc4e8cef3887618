"""Regions: the values the conditions of one question cannot tell apart.

All attributes that copies, joins and comparisons connect form one class. The constants a class meets cut its domain
into finitely many regions (points, the open intervals between them, the rest), and a value set is a bit mask over
them; bit 0 is NULL. LIKE patterns split the regions they are undecided on. A class that meets constants of several
kinds has the regions of each (`mdw.conditions.kinds`).

    N >= 1 and N < 5 are met      NULL   below 1    1    1 to 5    5    above 5
    bit                             0       1       2      3       4       5
    N >= 1                                          x      x       x       x       false: bit 1; on NULL neither
    N < 5                                   x       x      x                       false: bits 4, 5
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import and_

from mdw.conditions.cuts import Region, Usage, cut, spelled
from mdw.conditions.kinds import (
    KINDS,
    Point,
    countable,
    hidden,
    point_of,
    read_as,
)
from mdw.conditions.likeness import Likeness
from mdw.conditions.masks import mask_of, places_of
from mdw.conditions.patterns import WILDCARD
from mdw.conditions.spellings import alike, digital, families, fits
from mdw.conditions.stretches import Stretches
from mdw.model.collations import nature_of
from mdw.model.expressions import Const

NULL = 1
PATTERNS = 4
"""LIKE patterns a class tells apart exactly; further ones are undecided on every value not mentioned."""

BELOW = ("<", "<=", ">", ">=")
SEVERAL = 5_000
"""Constants that a class of several kinds tells apart: there each is held against each."""


class Regions:
    """The regions of one class, and value sets as bit masks over them: bit 0 is NULL, bit n + 1 region n.

    A class that meets n constants has n + 1 regions, twice as many where order counts, for each kind of value.
    ``open``: values may be of several kinds, so that a value can lie both where a comparison is true and where false.
    ``vague``: of very many constants of several kinds nothing is told.
    """

    def __init__(self, usage: Usage) -> None:
        constants = {constant for constant in usage.constants if constant.kind != "null" and countable(constant)}
        self._constants = sorted(constants, key=lambda one: (one.kind, one.text))
        self._exact = sorted(pattern for pattern in usage.patterns if WILDCARD.search(pattern))[:PATTERNS]
        self._stated: set[str] = {constant.kind for constant in constants}
        self._stated |= {"string"} if self._exact else set()
        self.kinds: set[str] = self._stated | hidden(constants, usage.patterns, ordered=usage.ordered)
        self.open = len(self.kinds) > 1
        self.vague = self.open and len(constants) > SEVERAL
        if self.vague:
            self._constants, self._exact = [], []
        self._ordered = usage.ordered
        # Numbers and days are the same texts, in the same order, to every collation.
        texts = [one.text for one in self._constants if one.kind == "string" and not self.vague]
        self.collations = set() if all(map(digital, texts)) else usage.collations
        loose = any(nature_of(one) in ("caseless", "loose") for one in self.collations)
        self._families = {text: some for some in families(texts) for text in some} if loose else {}
        alphabetic = not (usage.ordered and self.collations)
        self.lined = {"number", "date"} | ({"string"} if usage.ordered and not self._exact else set())
        # Where some texts stand beside the others, these alone stand in the order of their values.
        self._beside = {"string"} if self._families or not alphabetic else set()
        self.regions: list[Region] = []
        for kind in KINDS:
            if kind in self.kinds and not self.vague:
                points, ordered = self._points(kind, constants), usage.ordered or kind != "string"
                self.regions += cut(kind, points, self._exact, ordered=ordered, alphabetic=alphabetic)
        if self.open and "string" in self.kinds and not self.vague:
            self.regions += spelled(constants)
        self.regions += [Region("string", kin=family) for family in dict.fromkeys(self._families.values())]
        if not self.regions:
            self.regions = [Region("any")]
        self.domain = (1 << len(self.regions) + 1) - 1
        # A mask of its own for each of 100,000 constants would take gigabytes: the places of their bits do not.
        self._places: dict[tuple[str, Point], int] = {}
        self._compared: dict[tuple[str, Const], tuple[int, int]] = {}
        self._kin: dict[tuple[str, ...], int] = {}
        for index, region in enumerate(self.regions):
            if region.point is not None:
                self._places[region.kind, region.point] = index + 1
            elif region.kin:
                self._kin[region.kin] = index + 1
        self._likeness = Likeness(self.regions, self._places, self.kinds, self._stated, self._exact)

    @property
    def patterns(self) -> Sequence[str]:
        """The patterns that part the regions of texts."""
        return self._exact

    @cached_property
    def told(self) -> Sequence[str]:
        """The patterns that some region matches, sorted."""
        return sorted({pattern for region in self.regions for pattern in region.patterns})

    @cached_property
    def points(self) -> int:
        """The value set of all regions that are a single value."""
        return self.select(lambda region: region.point is not None)

    @cached_property
    def kin(self) -> int:
        """The value set of texts that some collation takes for one of the constants."""
        return mask_of(self._kin.values())

    @cached_property
    def _stretches(self) -> Stretches:
        return Stretches(self.regions, self._places)

    @classmethod
    def over(cls, *constants: Const) -> Regions:
        """The regions of a class that meets just these constants."""
        return cls(Usage(set(constants), ordered=True))

    def knows(self, constant: Const) -> bool:
        """Whether the constant is a region of its own, so that comparing with it is exact."""
        return constant.kind == "null" or (constant.kind, point_of(constant)) in self._places

    def bit(self, constant: Const) -> int:
        """The value set that a constant may lie in once written into an attribute of the class.

        One region, if values of its kind are all there are; a constant nobody compares with lies in that around it.
        """
        if constant.kind == "null":
            return NULL
        point = point_of(constant)
        found = self._places.get((constant.kind, point))
        if found is not None and not self.open:
            return 1 << found
        return self.select(lambda region: self._likeness.may_hold(region, constant.kind, point))

    def compare(self, op: str, constant: Const) -> tuple[int, int]:
        """Value sets on which ``attribute op constant`` may be true and false; on NULL it is neither."""
        # With the constant a region of its own and all in one order, two masks are made at once: a class may have
        # 100,000 constants.
        place = None if self.open else self._places.get((constant.kind, point_of(constant)))
        if place and (op in ("=", "!=") or (constant.kind in self.lined - self._beside and op in BELOW)):
            return self._lined(op, place)
        # What has to be asked of each region is remembered.
        found = self._compared.get((op, constant))
        if found is None:
            found = self._compared[op, constant] = self._told(op, constant)
        return found

    def _lined(self, op: str, place: int) -> tuple[int, int]:
        """The same for the point at a place: regions stand in the order of their values."""
        known = self.domain & ~NULL
        below = (1 << place + (op in ("<=", ">"))) - 1 & known
        told = 1 << place if op in ("=", "!=") else below
        return (told, known & ~told) if op in ("=", "<", "<=") else (known & ~told, told)

    def collated(self, op: str, constant: Const, collation: str) -> tuple[int, int]:
        """Value sets on which ``attribute op constant`` may be true and false by a collation (rule Q35).

        >>> eu, us = Const("string", "EU"), Const("string", "US")
        >>> regions = Regions(Usage({eu, us}, collations={""}))
        >>> [(one.point, one.kin) for one in regions.members(regions.collated("=", eu, "")[0])]
        [('EU', ()), (None, ('EU',))]
        """
        if op == "!=":
            return self.collated("=", constant, collation)[::-1]
        true, false = self.compare(op, constant)
        if constant.kind != "string" or collation not in self.collations:
            return true, false
        if op == "=":
            same, open_ = map(mask_of, self._alike(constant.text, collation))
            return true | same | open_, false & ~same
        open_ = self._unordered(constant.text)
        for family, place in self._kin.items() if digital(constant.text) and len(self.collations) == 1 else ():
            if len(family) == 1 and digital(*family):
                # What the only collation there is takes for a text comes where that does.
                bit, kin = 1 << self._places["string", family[0]], 1 << place
                true, false = true & ~kin | bool(true & bit) * kin, false & ~kin | bool(false & bit) * kin
                open_ &= ~kin
        return true | open_, false | open_

    def _alike(self, text: str, collation: str) -> tuple[list[int], list[int]]:
        """The places of the values that a collation takes for a text, and of those that it may take for it."""
        family = self._families.get(text, ())
        told = [(self._places["string", one], alike(text, one, collation)) for one in family]
        same, open_ = [place for place, equal in told if equal], [place for place, equal in told if equal is None]
        # What the only collation there is takes for any of the family is just what it takes for the text.
        sure = len(same) == len(family) and len(self.collations) == 1
        (same if sure else open_).extend([self._kin[family]] if family else [])
        return same, open_

    def families(self) -> dict[tuple[str, ...], int]:
        """For each family of texts its value set, for none that of all other values but NULL."""
        found: defaultdict[tuple[str, ...], int] = defaultdict(int)
        for place, region in enumerate(self.regions, 1):
            text = region.point if isinstance(region.point, str) and region.kind == "string" else None
            family = region.kin or (() if text is None else self._families.get(text, (text,)))
            found[family] |= 1 << place
        return found

    def _unordered(self, text: str) -> int:
        """The texts of which nobody knows whether they come before a text or behind it."""
        if digital(text):
            return self.kin | self.select(lambda one: isinstance(one.point, str) and not digital(one.point))
        return self.select(lambda one: one.kind == "string" and one.point != text)

    def among(self, constants: Sequence[Const], collation: str | None = None) -> tuple[int, int] | None:
        """Value sets on which ``attribute IN (constants)`` is true and false; None where regions do not tell."""
        if self.open:
            return None
        known = [one for one in constants if one.kind != "null"]
        places = [self._places.get((one.kind, point_of(one))) for one in known]
        told = [place for place in places if place is not None]
        if len(told) < len(places):
            return None
        loosely = collation is not None and collation in self.collations
        for text in [one.text for one in known if loosely and one.kind == "string"]:
            same, unsure = self._alike(text, collation or "")
            if unsure:
                return None
            told += same
        true = mask_of(told)
        # Nothing is known to be unlike NULL.
        return true, self.domain & ~true & ~NULL if len(known) == len(constants) else 0

    def _told(self, op: str, constant: Const) -> tuple[int, int]:
        if constant.kind == "null":
            return 0, 0
        point = point_of(constant)
        true = false = 0
        for cell in self._stretches.cells(constant.kind, point):
            first = self.regions[(cell & -cell).bit_length() - 2]
            holds, fails = self._likeness.verdict(op, first, constant.kind, point)
            # What a region cannot tell is in both sets: some of its values compare so, and some do not.
            true, false = true | (cell if holds else 0), false | (cell if fails else 0)
        return true, false

    def like(self, pattern: str) -> tuple[int, int]:
        """Value sets on which ``attribute LIKE pattern`` may be true and false."""
        return _both([self._likeness.like(region, pattern) for region in self.regions])

    def may_fit(self, pattern: str) -> int:
        """The value set of what some collation may take for texts that fit a pattern."""
        known = self.select(lambda one: isinstance(one.point, str) and not fits(pattern, one.point))
        return self.domain & ~NULL & ~known

    def asked(self, mask: int) -> list[tuple[str, Const]]:
        """Comparisons that are true on all of a value set, whatever database compares, and together say no less.

        >>> regions = Regions(Usage({Const("string", "x"), Const("number", "7")}))
        >>> regions.asked(regions.compare("=", Const("string", "x"))[0])
        [('=', Const(kind='string', text='x'))]
        """
        # What says least comes first and goes first, if the others say it already: "=" stays.
        ops = ("!=", ">=", "<=", ">", "<", "=") if self._ordered else ("!=", "=")
        told = {(op, one): self.compare(op, one) for op in ops for one in self._constants}
        chosen = {one: true for one, (true, false) in told.items() if not mask & (false | ~true)}
        # What all those from each place on say together, the last first.
        after = list(accumulate(reversed(chosen.values()), and_, initial=self.domain & ~NULL))
        every = after.pop()
        said, found = self.domain & ~NULL, []
        for one, true in chosen.items():
            # What the others say already need not be said.
            if said & after.pop() != every:
                said &= true
                found.append(one)
        return found

    def select(self, test: Callable[[Region], bool]) -> int:
        """The value set of the regions for which ``test(region)`` holds."""
        return mask_of(place for place, region in enumerate(self.regions, 1) if test(region))

    def members(self, mask: int) -> list[Region]:
        """The regions of a value set, NULL apart."""
        return [self.regions[place - 1] for place in places_of(mask & self.domain & ~NULL)]

    def runs(self, mask: int) -> list[tuple[Region, Region]]:
        """The regions of a value set, neighbours of an ordered kind put together: first and last of each run."""
        found: list[tuple[Region, Region]] = []
        before = -2
        for index in places_of((mask & self.domain) >> 1):
            region = self.regions[index]
            # "a" and "c" are no run where nobody asked what lies between: then the order says nothing.
            lined = region.kind in self.lined and region.reads is None and not region.kin
            if region.kind in self._beside and region.point is not None:
                lined &= digital(str(region.point))
            if lined and before == index - 1 and found[-1][1].kind == region.kind:
                found[-1] = found[-1][0], region
            else:
                found.append((region, region))
            before = index
        return found

    def bounds(self, first: Region, last: Region) -> Iterator[tuple[str, Point]]:
        """What the values of a run are compared with: equal to a point, or between two; any other text with all points.

        >>> regions = Regions.over(Const("number", "1"), Const("number", "5"))
        >>> below, one, between, *_ = regions.regions
        >>> list(regions.bounds(one, between))
        [('>=', Decimal('1')), ('<', Decimal('5'))]
        """
        if first is last and first.point is not None:
            yield "=", first.point
            return
        if first.point is not None:
            yield ">=", first.point
        elif first.low is not None:
            yield ">", first.low
        if last.point is not None:
            yield "<=", last.point
        elif last.high is not None:
            yield "<", last.high
        # A run of all ordered texts has no bounds either, but the points are among its values.
        if first is last and first.kind == "string" and first.low is None and first.high is None:
            yield from (("!=", region.point) for region in self.regions if isinstance(region.point, str))

    def _points(self, kind: str, constants: set[Const]) -> set[Point]:
        """The constants of a kind, and in a class of several kinds what the others read as in it."""
        if not self.open or kind == "string":
            return {point_of(constant) for constant in constants if constant.kind == kind}
        return {read for one in constants if (read := read_as(kind, point_of(one))) is not None}


def _both(verdicts: Sequence[tuple[bool, bool]]) -> tuple[int, int]:
    """Value sets of the regions that may hold, and of those that may fail."""
    holds = mask_of(place for place, one in enumerate(verdicts, 1) if one[0])
    return holds, mask_of(place for place, one in enumerate(verdicts, 1) if one[1])
