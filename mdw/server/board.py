"""Numbers that the server and its desks share: what is to be answered from, and what desks have answered.

Each number is written by one process and read by others, without waiting: the server writes what is in force, each
desk what it does. They are in a file that all of them map into memory, 8 bytes each.
"""

from __future__ import annotations

import mmap
from bisect import bisect_left
from pathlib import Path

BOARD = "board"
"""The file's name, among the snapshots."""
BUCKETS = (0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds to the end of an answer up to which answers are counted together; a last bucket holds the rest."""
KINDS = tuple((method, place) for method in ("GET", "POST") for place in ("query", "sparql"))
"""Requests that desks answer: method, and first part of the address."""
WANTED, SHOWN, MARKER, READY, OWN = range(5)
NANOSECONDS, ANSWERED = 0, 1
TIMES = ANSWERED + len(KINDS)
WIDTH = TIMES + len(BUCKETS) + 1


class Board:
    """The numbers of one server and so many desks."""

    def __init__(self, path: Path, desks: int, *, new: bool = False) -> None:
        self.desks = desks
        size = 8 * (OWN + desks * WIDTH)
        if new:
            path.write_bytes(bytes(size))
        with path.open("r+b") as file:
            self._numbers = memoryview(mmap.mmap(file.fileno(), size)).cast("q")

    @property
    def wanted(self) -> int:
        """The revision that holds every change acknowledged so far."""
        return self._numbers[WANTED]

    @wanted.setter
    def wanted(self, revision: int) -> None:
        self._numbers[WANTED] = revision

    @property
    def ready(self) -> int:
        """How many desks are ready to answer."""
        return self._numbers[READY]

    @ready.setter
    def ready(self, desks: int) -> None:
        self._numbers[READY] = desks

    def show(self, revision: int, marker: int) -> None:
        """There is a snapshot of a revision, and the store's marker was of that time."""
        self._numbers[MARKER] = marker
        self._numbers[SHOWN] = revision

    def shows(self, marker: int) -> bool:
        """Whether there is a snapshot of the revision that is wanted, while the store's marker is of this time."""
        numbers = self._numbers
        return numbers[SHOWN] == numbers[WANTED] and numbers[MARKER] == marker

    def count(self, desk: int, kind: int, nanoseconds: int) -> None:
        """A desk has answered a request of this kind in this time."""
        numbers, own = self._numbers, OWN + desk * WIDTH
        numbers[own + NANOSECONDS] += nanoseconds
        numbers[own + ANSWERED + kind] += 1
        numbers[own + TIMES + bisect_left(BUCKETS, nanoseconds / 1e9)] += 1

    def answered(self, desk: int) -> list[int]:
        """How many requests a desk has answered, of each of the KINDS."""
        start = OWN + desk * WIDTH + ANSWERED
        return self._numbers[start : start + len(KINDS)].tolist()

    def times(self, desk: int) -> tuple[list[int], float]:
        """How many answers took as long as each of the BUCKETS and longer than all, and the seconds of all together."""
        start = OWN + desk * WIDTH
        times = self._numbers[start + TIMES : start + WIDTH].tolist()
        return times, self._numbers[start + NANOSECONDS] / 1e9
