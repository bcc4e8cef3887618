"""Python's cyclic garbage collector, kept away from work that makes very many values and hardly any cycle.

The collector looks through all living values again and again while their number grows. Loading and judging make
millions of frozen values, which reference counting alone frees, so that search costs time and finds nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for cycles inside the block; afterwards as before, also when the block raises."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
