"""What the engine goes on with behind a large load: it merges tables that lie over one another (its compaction).

It takes one core for about a tenth of the time of the load. A process that ends meanwhile leaves it to the next one
that opens the store, which has to begin anew; several short ones, as commands are, throw away what each had begun.
"""

from __future__ import annotations

from time import monotonic, process_time, sleep

LONG, MOST = 10.0, 0.25
"""Seconds of a load behind which there is much to merge, and the part of them that is waited for it at most."""
_LOOK, _BUSY = 0.1, 0.2
"""Seconds between two looks, and what part of a core is in use at least while tables are merged."""


def time_for_merging(seconds: float) -> float:
    """Until when (by `monotonic`) a process waits for what is merged behind a load of so many seconds, if it ends."""
    return monotonic() + MOST * seconds if seconds > LONG else 0.0


def wait_for_merging(until: float) -> None:
    """Wait until the engine has merged what it has to, until that moment at most."""
    # The engine does not tell whether it merges. But a process in which nothing else goes on needs no processor then.
    used = process_time()
    while monotonic() < until:
        sleep(_LOOK)
        now = process_time()
        if now - used < _BUSY * _LOOK:
            return
        used = now
