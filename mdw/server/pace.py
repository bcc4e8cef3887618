"""Bytes that are to pass at a certain pace, in one direction of a connection."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

PATIENCE = 30.0
"""Seconds in which enough bytes are to pass, or the last of them."""
LEAST = 1000
"""Bytes a second that are to pass."""


class Pace:
    """Looks from time to time how many bytes have passed, and tells when they are too few.

    ``passed`` says how many there have been, None when there are no more to come; ``late`` is called once it takes too
    long, or ``longest`` seconds in all if there is such a limit.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        passed: Callable[[], int | None],
        late: Callable[[], None],
        longest: float = 0.0,
    ) -> None:
        self._loop = loop
        self._passed = passed
        self._late = late
        self._longest = longest
        self._until = 0.0
        self._before = 0
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Look from now on, unless that is done already."""
        if self._timer is None and (passed := self._passed()) is not None:
            self._until = self._loop.time() + self._longest
            self._wait(passed)

    def stop(self) -> None:
        """Look no more."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _wait(self, passed: int) -> None:
        self._before = passed
        self._timer = self._loop.call_later(PATIENCE, self._look)

    def _look(self) -> None:
        self._timer = None
        passed = self._passed()
        if passed is None:
            return
        # By stretches, not on the whole: who has sent much at once may not rest on it afterwards.
        if passed - self._before < LEAST * PATIENCE or (self._longest and self._loop.time() > self._until):
            self._late()
        else:
            self._wait(passed)
