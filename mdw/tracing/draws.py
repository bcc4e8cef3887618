"""Bags of rows to try a property on: rows of one part, copies, NULLs, one row, none (issue's verify)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

Row = tuple[Hashable, ...]
MOST = 6
"""Rows of a bag: a property that does not hold mostly fails on two or three."""


@dataclass(frozen=True)
class Draw:
    """Some rows; ``genuine`` if they are rows of the data, none more often than there."""

    rows: tuple[Row, ...]
    genuine: bool


def draws(rows: Sequence[Row], tries: int, random: Random) -> Iterator[Draw]:
    """So many bags from rows of the data, of every kind in turn.

    >>> found = list(draws([(1, "a"), (1, "b"), (2, "a")], 7, Random(1)))
    >>> [(len(one.rows), one.genuine) for one in found][-2:]
    [(1, True), (0, True)]
    """
    kinds = (_few, _part, _alike, _copies, _nulls, _one, _none)
    for number in range(tries):
        yield kinds[number % len(kinds)](rows, random)


def _few(rows: Sequence[Row], random: Random) -> Draw:
    return Draw(tuple(random.sample(rows, min(len(rows), random.randint(2, MOST)))), True)


def _part(rows: Sequence[Row], random: Random) -> Draw:
    """Rows that have a value in common, and some others."""
    if not rows:
        return _none(rows, random)
    one = random.choice(rows)
    at = random.randrange(len(one)) if one else 0
    places = [place for place, row in enumerate(rows) if row[at : at + 1] == one[at : at + 1]]
    taken = random.sample(places, min(len(places), MOST - 2))
    others = [place for place in range(len(rows)) if place not in taken]
    taken += random.sample(others, min(len(others), random.randint(0, 2)))
    return Draw(tuple(rows[place] for place in taken), True)


def _alike(rows: Sequence[Row], random: Random) -> Draw:
    """Rows that differ in the value of one column, and another row."""
    few = _few(rows, random).rows
    if not few or not few[0]:
        return Draw(few, True)
    first, at = few[0], random.randrange(len(few[0]))
    others = {row[at]: (*first[:at], row[at], *first[at + 1 :]) for row in random.sample(rows, min(len(rows), 4))}
    return Draw((first, *others.values(), *few[1:2]), False)


def _copies(rows: Sequence[Row], random: Random) -> Draw:
    few = _few(rows, random).rows[: MOST // 2]
    return Draw((*few, *random.choices(few, k=2)) if few else (), False)


def _nulls(rows: Sequence[Row], random: Random) -> Draw:
    few = _few(rows, random).rows
    at = random.randrange(len(few[0])) if few and few[0] else 0
    nulled = [(*row[:at], None, *row[at + 1 :]) if random.random() < 0.6 and row else row for row in few]
    return Draw(tuple(nulled), False)


def _one(rows: Sequence[Row], random: Random) -> Draw:
    return Draw((random.choice(rows),) if rows else (), True)


def _none(_rows: Sequence[Row], _random: Random) -> Draw:
    return Draw((), True)
