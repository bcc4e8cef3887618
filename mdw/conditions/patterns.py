"""LIKE: what a pattern says of texts, and of numbers whatever way a database spells them."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache

from mdw.model.expressions import Const, decimal_text

WILDCARD = re.compile("[%_]")


@lru_cache(maxsize=1 << 12)
def matches(pattern: str, text: str) -> bool:
    """SQL's LIKE: % stands for any text, _ for one character; case counts.

    >>> matches("A_C%", "ABCD"), matches("a%", "ABC")
    (True, False)
    """
    body = "".join(".*" if c == "%" else "." if c == "_" else re.escape(c) for c in pattern)
    return re.fullmatch(body, text, flags=re.DOTALL) is not None


def head(pattern: str) -> str:
    """What stands before the first wildcard."""
    return WILDCARD.split(pattern, maxsplit=1)[0]


def compatible(a: str, b: str) -> bool:
    """Whether a text may match both patterns."""
    # Only what stands before the first wildcard is compared; patterns that differ later are taken to go together. That
    # makes regions which no text lies in, and never leaves out one that some text lies in.
    first, second = head(a), head(b)
    return first.startswith(second) or second.startswith(first)


def fitting(pattern: str, constant: Const) -> bool | None:
    """Whether a constant matches a pattern; None where that depends on how it is spelled."""
    if constant.kind == "string":
        return matches(pattern, constant.text)
    may, may_not = number_matches(pattern, Decimal(constant.text)) if constant.kind == "number" else (True, True)
    return None if may and may_not else may


def number_matches(pattern: str, number: Decimal) -> tuple[bool, bool]:
    """Whether a number may match a pattern, and whether it may not.

    Databases spell 25 as 25, 25.0 or 25.00: all begin with the same digits, and nothing else is sure.

    >>> number_matches("1%", Decimal(25)), number_matches("2%", Decimal(25)), number_matches("%0", Decimal(25))
    ((False, True), (True, False), (True, True))
    """
    start = head(pattern)
    # Some write .5 for 0.5, and very large numbers with an exponent.
    if not 1 <= abs(number) < 10**12:
        return True, True
    text = decimal_text(number)
    if not text.startswith(start) and not start.startswith(text):
        return False, True
    return True, not (text.startswith(start) and pattern == start + "%")
