"""Frames of windows: whether the row itself is among the rows that a window takes in.

>>> holds_own("ROWS BETWEEN 2 PRECEDING AND CURRENT ROW"), holds_own("ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING")
(True, False)
"""

from __future__ import annotations

import re

from mdw.model.expressions import Aggregate, Call, Expression

BESIDE = re.compile(
    r"BETWEEN\s+(?!UNBOUNDED\b|0\b)\S.*\bFOLLOWING\s+AND\b|\bAND\s+(?!0\s)\S+.*\bPRECEDING\b|EXCLUDE\s+(?:CURRENT|GROUP)",
    re.IGNORECASE | re.DOTALL,
)
"""Frames that begin behind the row, end before it, or leave it out."""
OTHERS = " OF OTHERS"
"""What the names of aggregations end with that take in other rows only."""


def holds_own(frame: str) -> bool:
    """Whether the row itself is within its frame."""
    return BESIDE.search(frame) is None


def of_others(function: Expression) -> Expression:
    """The function of a window that takes in other rows: not each row adds its own value to it."""
    match function:
        case Aggregate(name, argument):
            return Aggregate(name + OTHERS, argument)
        case Call(name, arguments):
            return Call(name + OTHERS, arguments)
    return function
