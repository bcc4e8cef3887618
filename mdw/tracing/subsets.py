"""Aggregators of which nothing but that is known: parts found by running the function on bags (rules T17, T18).

Functions here take positions of rows and give the bag of rows that the transformation makes of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import combinations
from typing import Any

Bag = Counter[Any]
Run = Callable[[Sequence[int]], Bag]

MOST = 16
"""Rows of an input whose parts are searched for (T18)."""


class SpentError(Exception):
    """No call is left."""


def counted(run: Run, budget: int) -> Run:
    """The same function for so many calls; it raises SpentError then. Each bag is run once."""
    known: dict[tuple[int, ...], Bag] = {}

    def calling(rows: Sequence[int]) -> Bag:
        asked = tuple(sorted(rows))
        if asked not in known:
            if len(known) >= budget:
                raise SpentError
            known[asked] = run(asked)
        return known[asked]

    return calling


def parts_by_pairs(count: int, run: Run) -> list[list[int]]:
    """The parts of a context-free aggregator: a row joins the part with whose first row it gives one row (T17).

    >>> parts_by_pairs(4, lambda rows: Counter(row % 2 for row in set(r % 2 for r in rows)))
    [[0, 2], [1, 3]]
    """
    parts: list[list[int]] = []
    for row in range(count):
        part = next((part for part in parts if run((part[0], row)).total() == 1), None)
        if part is None:
            parts.append([row])
        else:
            part.append(row)
    return parts


def in_parts(count: int, wanted: Collection[Hashable], run: Run) -> set[int]:
    """The rows of all parts of a context-free aggregator that give one of the rows wanted (T17)."""
    found = (part for part in parts_by_pairs(count, run) if any(row in wanted for row in run(part)))
    return {row for part in found for row in part}


def in_subsets(rows: Sequence[Hashable], wanted: Collection[Hashable], run: Run) -> set[int] | None:
    """The rows S of an aggregator with T(S) = {o} and T(I - S) = O - {o}, for each copy of each row wanted (T18).

    None if some copy has no such S: then it is no aggregator. Of equal rows each may be taken for the other.

    >>> def largest(rows):
    ...     return Counter([max(rows)] if rows else [])
    >>> in_subsets([0, 1], {1}, largest)
    {0, 1}
    """
    whole = run(range(len(rows)))
    missing = {row: whole[row] for row in wanted if row in whole}
    found: set[int] = set()
    for part in _bags(rows):
        given = run(part)
        if given.total() != 1:
            continue
        (one,) = given
        rest = [row for row in range(len(rows)) if row not in part]
        if one in missing and run(rest) == whole - given:
            found.update(part)
            missing[one] -= _times(rows, part)
            # Of several copies other parts may give the same row; of a single row there is one part.
            if whole[one] == 1 and all(whole[row] == 1 and left <= 0 for row, left in missing.items()):
                break
    return None if any(left > 0 for left in missing.values()) else _with_equals(rows, found)


def _bags(rows: Sequence[Hashable]) -> Iterator[tuple[int, ...]]:
    """Every bag of rows once, the smallest first, each by the first positions that its rows have."""
    seen: set[tuple[tuple[Hashable, int], ...]] = set()
    number = {row: at for at, row in reversed(list(enumerate(rows)))}
    for size in range(1, len(rows) + 1):
        for part in combinations(range(len(rows)), size):
            bag = tuple(sorted(Counter(number[rows[at]] for at in part).items()))
            if bag not in seen:
                seen.add(bag)
                yield part


def _times(rows: Sequence[Hashable], part: Sequence[int]) -> int:
    """How often a bag fits into all rows."""
    whole = Counter(rows)
    return min(whole[row] // count for row, count in Counter(rows[at] for at in part).items())


def _with_equals(rows: Sequence[Hashable], found: set[int]) -> set[int]:
    taken = {rows[at] for at in found}
    return {at for at, row in enumerate(rows) if row in taken}
