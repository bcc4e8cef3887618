"""Errors that may come a thousand times a second, and are logged once a minute."""

from __future__ import annotations

import logging
from time import monotonic
from typing import Any

EVERY = 60.0
"""Seconds in which the same is said once."""


class Seldom:
    """One kind of error: the first is logged, then one a minute, with the number of those in between.

    What comes and goes is logged once a minute, too: of each time that is logged, its end is.
    """

    def __init__(self, log: logging.Logger, message: str) -> None:
        self._log = log
        self._message = message
        self._again = 0.0
        self._unsaid = 0
        self._open = False

    def error(self, **said: Any) -> None:
        """It has happened."""
        if (now := monotonic()) < self._again:
            self._unsaid += 1
            return
        self._again = now + EVERY
        self._open = True
        self._log.error(self._message, extra=said | ({"unsaid": self._unsaid} if self._unsaid else {}))
        self._unsaid = 0

    def over(self, message: str) -> None:
        """It is over, which is said if it was said that it had begun."""
        if self._open:
            self._log.warning(message, extra={"unsaid": self._unsaid} if self._unsaid else {})
            self._open, self._unsaid = False, 0
