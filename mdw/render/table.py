"""Rows as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

GAP = "  "


def columns(head: Sequence[str], rows: Sequence[Sequence[str | None]], width: int = 0) -> str:
    """Rows in columns below their names; with a ``width`` cells are wrapped so that lines have so many characters.

    >>> print(columns(("n", "why"), [("1", "nobody knows what it was"), ("22", "no")], 20))
    n   why
    ──  ────────────────
    1   nobody knows
        what it was
    22  no
    """
    every = [tuple(head), *(tuple(value or "" for value in row) for row in rows)]
    widths = [max(len(row[place]) for row in every) for place in range(len(head))]
    if width:
        # Names of files are not broken: whoever copies one wants it whole.
        least = [
            max((len(word) for row in every for word in row[place].split()), default=0) for place in range(len(head))
        ]
        widths = _narrowed(widths, least, width - len(GAP) * (len(head) - 1))
    lines = [line for row in every[1:] for line in _lines(row, widths, bool(width))]
    return "\n".join([*_lines(every[0], widths, bool(width)), GAP.join("─" * one for one in widths), *lines])


def _narrowed(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widths of columns, of which the widest give way; each keeps room for its longest word."""
    found = list(widths)
    while sum(found) > room:
        wide = [place for place, one in enumerate(found) if one > least[place]]
        if not wide:
            break
        found[max(wide, key=found.__getitem__)] -= 1
    return found


def _lines(row: Sequence[str], widths: Sequence[int], wrapped: bool) -> Iterator[str]:
    cells = [
        wrap(value, one, break_long_words=False, break_on_hyphens=False) if wrapped else [value]
        for value, one in zip(row, widths, strict=True)
    ]
    for parts in zip_longest(*cells, fillvalue=""):
        yield GAP.join(part.ljust(one) for part, one in zip(parts, widths, strict=True)).rstrip()
