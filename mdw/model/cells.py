"""Cells of CSV that a spreadsheet takes for texts: what begins as a formula does gets an apostrophe in front.

=HYPERLINK("http://x")   ->   '=HYPERLINK("http://x")        -5   ->   -5   it is a number
"""

from __future__ import annotations

import re

APOSTROPHE = "'"
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = re.compile(r"[+-](?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")


def is_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula; a number is none."""
    return text.startswith(_FORMULAS) and not _NUMBER.fullmatch(text)


def cell(text: str) -> str:
    """The text for a cell.

    >>> cell("=1+1"), cell("-5"), cell("- x"), cell("x")
    ("'=1+1", '-5', "'- x", 'x')
    """
    return APOSTROPHE + text if is_formula(text) else text


def marked(texts: tuple[str | int | None, ...]) -> tuple[tuple[str | int | None, ...], bool]:
    """The values of a row for cells, and whether any was changed: if so, texts with an apostrophe have one more.

    So whoever reads a row that was changed takes one apostrophe off each text that begins with one.
    """
    if not any(isinstance(one, str) and is_formula(one) for one in texts):
        return texts, False
    led = tuple(
        [
            APOSTROPHE + one if isinstance(one, str) and (one[:1] == APOSTROPHE or is_formula(one)) else one
            for one in texts
        ]
    )
    return led, True
