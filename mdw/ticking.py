"""Something told again and again while other work lasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread


@contextmanager
def ticking(seconds: float, tell: Callable[[int], None]) -> Iterator[None]:
    """Call ``tell`` every so many seconds, with how often it was called, until what is in here ends."""
    ended = Event()

    def tick() -> None:
        count = 0
        while not ended.wait(seconds):
            count += 1
            tell(count)

    thread = Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
