"""How sure a trace is of the rows it names (rule T6), and what these rows did (T3)."""

from __future__ import annotations

from typing import Literal

Accuracy = Literal["exact", "at most", "unknown"]
"""None missing and none too many; none missing, perhaps too many; no rule, so every row."""
ACCURACIES: tuple[Accuracy, ...] = ("exact", "at most", "unknown")
Role = Literal["value", "decides"]
"""A column takes a value from the row; it was only joined, grouped, tested or counted."""


def worst(*ones: Accuracy) -> Accuracy:
    """The worst of some accuracies; of none it is exact.

    >>> worst("exact", "unknown", "at most"), worst()
    ('unknown', 'exact')
    """
    return max(ones, key=ACCURACIES.index, default="exact")


def through(reached: Accuracy, step: Accuracy) -> Accuracy:
    """What holds of the rows that one more transformation leads to, from rows that were ``reached`` so surely.

    An intermediate of which all rows were taken still narrows its sources (rule T6).

    >>> through("unknown", "exact"), through("at most", "unknown"), through("exact", "exact")
    ('at most', 'unknown', 'exact')
    """
    return step if step == "unknown" or reached == "exact" else "at most"
