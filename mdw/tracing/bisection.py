"""Bisection (ranks 4 and 5): the smallest batches in which something is present, by asking for batches.

>>> found = bisect([range(8)], halves, lambda batch: 5 in batch)
>>> found.met, found.left
([range(5, 6)], [])
>>> bisect([range(8)], halves, lambda batch: 5 in batch, budget=3).left
[range(4, 6), range(6, 8)]
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Batch = TypeVar("Batch")


@dataclass(frozen=True)
class Bisected(Generic[Batch]):
    """Batches that cannot be halved and in which it is present, and those for which no call was left."""

    met: list[Batch]
    left: list[Batch]


def halves(batch: range) -> tuple[range, ...]:
    """A range of rows as two; of one row nothing."""
    middle = len(batch) // 2
    return (batch[:middle], batch[middle:]) if middle else ()


def bisect(
    batches: Iterable[Batch],
    split: Callable[[Batch], Sequence[Batch]],
    present: Callable[[Batch], bool],
    *,
    budget: int | None = None,
) -> Bisected[Batch]:
    """Drop the batches in which it is absent, split the others, the largest first.

    ``present`` is asked at most ``budget`` times. It must be true of a batch if it is of a part of it.
    """
    waiting, met = deque(batches), []
    calls = 0
    while waiting:
        if budget is not None and calls >= budget:
            break
        batch = waiting.popleft()
        calls += 1
        if not present(batch):
            continue
        smaller = split(batch)
        waiting.extend(smaller)
        if not smaller:
            met.append(batch)
    return Bisected(met, list(waiting))
