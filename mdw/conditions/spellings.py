"""Whether two texts may be equal to a database whose collation nobody knows (rule Q35).

Each text has a skeleton, what no collation looks beyond: small letters and digits alone, y as i and w as v, Hungarian
``cscs`` as ``ccs``, no zeros before numbers. A character beyond ASCII may stand for any others.

>>> [skeleton(one) for one in ("EU", "e.u.", "Käse", "A-007")]
['eu', 'eu', 'k%se', 'a7']
>>> alike("EU", "EU", ""), alike("EU", "US", ""), alike("Käse", "Kaese", ""), alike("EU", "eu", "nocase")
(True, False, None, True)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from mdw.conditions.patterns import WILDCARD
from mdw.model.collations import nature_of

ANY = "%"
"""What stands in a skeleton for any letters and digits, or none."""
PAIRS = 2_000_000
"""Pairs of texts, one with characters beyond ASCII, up to which each is looked at; else all are of one family."""
_FOREIGN = re.compile(r"[^\x00-\x7F]+")
_SILENT = re.compile(r"[^a-z0-9%]+")
_DOUBLED = re.compile(r"(cs|dzs?|gi|li|ni|sz|ti|zs)\1")
_ZEROS = re.compile(r"(?<!\d)0+(?=[\d%])")
_DIGITS = re.compile(r"\d+([-/.:T ]\d+)*", re.ASCII)


@lru_cache(maxsize=1 << 14)
def skeleton(text: str) -> str:
    """What is left of a text of all that some collation takes for the same."""
    bare = text.replace(ANY, "")
    if not bare.isascii():
        bare = _FOREIGN.sub(ANY, bare)
    bare = _SILENT.sub("", bare.lower().replace("y", "i").replace("w", "v"))
    return _ZEROS.sub("", _DOUBLED.sub(lambda found: found[1][0] + found[1], bare))


def digital(text: str) -> bool:
    """Whether a text is of digits with separators, of which each collation makes the same order: a number or a day."""
    return _DIGITS.fullmatch(text) is not None


def alike(one: str, other: str, collation: str) -> bool | None:
    """Whether two texts are equal by a collation; None where that is not known."""
    nature = nature_of(collation)
    if one == other or nature in ("binary", "sorted"):
        return one == other
    if nature == "caseless" and one.isascii() and other.isascii() and one.lower() == other.lower():
        return True
    return None if _meet(skeleton(one), skeleton(other)) else False


def fits(pattern: str, text: str) -> bool:
    """Whether a text may be LIKE a pattern by some collation.

    >>> fits("e_%", "EU"), fits("e%", "US")
    (True, False)
    """
    return _meet(skeleton(WILDCARD.sub("\u00ff", pattern)), skeleton(text))


def families(texts: Iterable[str]) -> list[tuple[str, ...]]:
    """Texts in families, so that two of which some collation may take one for the other are in one.

    >>> families(["Käse", "EU", "eu", "Kaese", "US"])
    [('EU', 'eu'), ('Kaese', 'Käse'), ('US',)]
    """
    found: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(texts):
        found[skeleton(text)].append(text)
    foreign = [one for one in found if ANY in one]
    if len(foreign) * len(found) > PAIRS:
        return [tuple(one for some in found.values() for one in some)]
    for one in foreign:
        met = [other for other in found if other != one and any(_meet(one, skeleton(text)) for text in found[other])]
        found[one] = sorted(text for other in (one, *met) for text in found[other])
        for other in met:
            del found[other]
    return [tuple(some) for some in found.values()]


def _meet(one: str, other: str) -> bool:
    """Whether some text fits both skeletons."""
    head, found, _ = one.partition(ANY)
    start, more, _ = other.partition(ANY)
    if not (found or more):
        return one == other
    # Most differ before any character that may stand for others.
    begins = (bool(found) and start.startswith(head)) or (bool(more) and head.startswith(start))
    return begins and _fit(one, other)


@lru_cache(maxsize=1 << 14)
def _fit(one: str, other: str) -> bool:
    # By how much of the other fits what was read of the one so far.
    row = [True]
    for character in other:
        row.append(row[-1] and character == ANY)
    for mine in one:
        before, row = row, [row[0] and mine == ANY]
        for at, theirs in enumerate(other, 1):
            taken = ANY in (mine, theirs) and (before[at] or row[at - 1])
            row.append(taken or (before[at - 1] and mine == theirs))
    return row[-1]
