"""Sets of small numbers as the bits of one integer, made and read in time that grows with the number of bits alone.

One bit after the other, ``mask | 1 << place`` copies all bits each time: of 100,000 places that is minutes.

>>> bin(mask_of([1, 3])), places_of(0b1010)
('0b1010', [1, 3])
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SET = ord("1")
_ONE = re.compile("1")


def mask_of(places: Iterable[int]) -> int:
    """The integer whose bits at these places are set."""
    found = list(places)
    if not found:
        return 0
    highest = max(found)
    digits = bytearray(b"0") * (highest + 1)
    for place in found:
        digits[highest - place] = SET
    return int(digits, 2)


def places_of(mask: int) -> list[int]:
    """The places of the bits that are set, from the lowest up."""
    return [found.start() for found in _ONE.finditer(bin(mask)[:1:-1])]
