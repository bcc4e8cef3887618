"""How long a database may take: each wait has an end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Timer
from time import monotonic

GRACE = 2.0
"""Seconds after which a server that was to end a statement itself is taken to have gone."""


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds for connecting, for waiting until others let go, for a statement, and for all of it."""

    connect: float = 10
    lock: float = 5
    statement: float = 60
    whole: float = 3600


class Clock:
    """The time that is left of the whole."""

    def __init__(self, limits: Patience) -> None:
        self.limits = limits
        self._end = monotonic() + limits.whole
        self.stopped = False

    @property
    def left(self) -> float:
        """Seconds until all of it must be at its end."""
        return self._end - monotonic()

    @property
    def over(self) -> str:
        """What to say when the time is over; "" as long as it is not."""
        return f"the limit of {self.limits.whole:g} s for the whole is over" if self.left <= 0 else ""

    @contextmanager
    def watching(self, stop: Callable[[], None]) -> Iterator[None]:
        """Calls ``stop`` from another thread where a statement takes longer than it may; ``stopped`` says so."""
        fired = Event()

        def act() -> None:
            fired.set()
            self.stopped = True
            stop()

        timer = Timer(max(0.0, min(self.limits.statement + GRACE, self.left)), act)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    @property
    def silence(self) -> str:
        """What to say of a database that was given up."""
        return self.over or f"no answer within {self.limits.statement:g} s"
