"""How many unnamed mappings of the same ends stand before each part of a file, when the parts are read side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Condition

from mdw.readers.reading import Pair


class Counts:
    """What the parts of one file have counted so far.

    A part is told what those before it counted as soon as all of them have, and none waits that has nothing to be told.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._closed = False
        self._counted: dict[int, Counter[Pair]] = {}
        self._before: dict[int, dict[Pair, int]] = {}
        self._sum: Counter[Pair] = Counter()
        self._next = 0

    def of(self, number: int) -> Callable[[Counter[Pair]], dict[Pair, int]]:
        """Takes what the part of that number, from 0, counts; gives what those before it did."""
        return lambda own: self._told(number, own)

    def close(self) -> None:
        """Let nobody wait any more: what they are told then is of no use."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _told(self, number: int, own: Counter[Pair]) -> dict[Pair, int]:
        with self._changed:
            # A part that is read twice, because a process ended, has counted already.
            if number >= self._next:
                self._counted[number] = own
            while (counted := self._counted.pop(self._next, None)) is not None:
                self._before[self._next] = {pair: self._sum[pair] for pair in counted}
                self._sum += counted
                self._next += 1
            self._changed.notify_all()
            if not own:
                return {}
            self._changed.wait_for(lambda: self._closed or number < self._next)
            return self._before.get(number, {})
