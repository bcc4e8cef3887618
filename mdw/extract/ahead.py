"""What comes from a database is fetched while what came before is written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from queue import Full, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")
ROOM = 2_000
"""Items that may be fetched before they are wanted."""


def ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items in the same order, and the same error at their end, fetched by another thread.

    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    waiting: Queue[tuple[Item, ...] | BaseException] = Queue(ROOM)
    stopped = Event()

    def hand_over(what: tuple[Item, ...] | BaseException) -> None:
        # Not for ever: whoever takes them may have stopped, and the database is to be let go of then.
        while not stopped.is_set():
            with suppress(Full):
                waiting.put(what, timeout=0.1)
                break

    def fetch() -> None:
        try:
            for item in items:
                hand_over((item,))
                if stopped.is_set():
                    return
            hand_over(())
        except BaseException as error:
            hand_over(error)

    Thread(target=fetch, daemon=True).start()
    # One item in a tuple, an empty tuple at the end: so that an item may be anything.
    try:
        while found := waiting.get():
            if isinstance(found, BaseException):
                raise found
            yield found[0]
    finally:
        stopped.set()
