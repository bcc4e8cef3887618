"""Files that other processes may change while the server runs."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

REST = 0.01
"""Seconds between looks where many requests a second are answered: another process is seen that much later."""


class Watch:
    """When a file was last changed; once looked at, it is looked at again after ``rest`` seconds."""

    def __init__(self, path: Path, rest: float = 0.0) -> None:
        self._path = str(path)
        self._rest = rest
        self._again = 0.0
        self._changed = 0

    def changed(self) -> int:
        """Nanoseconds since 1970; 0 if there is no such file, and as before if it cannot be looked at."""
        if (now := monotonic()) >= self._again:
            self._again = now + self._rest
            try:
                self._changed = os.stat(self._path).st_mtime_ns  # noqa: PTH116  asked before every answer
            except FileNotFoundError:
                self._changed = 0
            except OSError:
                return self._changed  # whoever needs what is in it says so
        return self._changed
