"""Values of regions, for example rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from decimal import Decimal
from itertools import chain, permutations

from mdw.conditions.cuts import Region
from mdw.conditions.kinds import EXACT, Point, order_key
from mdw.conditions.patterns import matches
from mdw.conditions.regions import Regions
from mdw.conditions.typed import texts_of
from mdw.conditions.values import constant_at
from mdw.model.expressions import Const, decimal_text


def sample(region: Region, regions: Regions, used: Collection[str] = (), kind: str = "") -> Const | None:
    """A value of the region, for example rows, a text none of those ``used``; None where none was found.

    Of texts first those that read as of a ``kind``.

    >>> from mdw.conditions.cuts import Usage
    >>> regions = Regions(Usage({Const("string", "A")}, {"A%", "%Z"}))
    >>> [found.text for one in regions.regions if (found := sample(one, regions))]
    ['A', 'other', 'Z', 'Ax', 'AZ']
    """
    if region.point is not None or region.kind in ("number", "date", "boolean"):
        point = region.point if region.point is not None else _inner(region)
        return None if point is None else constant_at(region.kind, point)
    if region.reads is not None:
        # A text that reads as a number or day, and is no point of its own.
        reads = region.reads
        return Const("string", f"+{decimal_text(reads)}" if isinstance(reads, Decimal) else str(reads))
    patterns = {pattern for one in regions.regions for pattern in one.patterns}
    for text in (one for one in chain(texts_of(kind, region), _texts(region)) if one not in used):
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
    after = region.low is None or order_key(point) > order_key(region.low)
    return after and (region.high is None or order_key(point) < order_key(region.high))


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
        step = EXACT.add(low, 1)
        return step if step < high else EXACT.divide(EXACT.add(low, high), Decimal(2))
    if isinstance(low, Decimal):
        return EXACT.add(low, 1)
    return EXACT.subtract(high, 1) if isinstance(high, Decimal) else Decimal(0)
