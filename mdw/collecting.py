"""Python's cyclic garbage collector, kept away from work that makes very many values and hardly any cycle.

The collector looks through all living values again and again while their number grows. Loading and judging make
millions of frozen values, which reference counting alone frees: with the collector active lineage takes a fifth longer.
Python has one switch for the whole process. Where mdw is embedded, the other threads of the host have no collector
either while a question is answered, and have it back right after.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_LOCK = Lock()
_inside = 0
_was_on = False


def collected() -> None:
    """Between two parts of work that is in `uncollected` for long: look for what became garbage in it, once.

    Not where the host has no collector, and not among what is old.
    """
    if _was_on:
        gc.collect(1)


def settled() -> None:
    """What is alive now is never looked through again: for processes of our own, whose memories and modules stay.

    Spark has a worker look for garbage after each task. With some millions of values that took as long as the tasks
    themselves, 43 s of 91 for 10,000 scripts, so a worker sets aside what each task leaves.
    """
    gc.collect()
    gc.freeze()


def seldom() -> None:
    """In a process of our own, as a command is, garbage is looked for once in ten thousand new values, not in 700.

    Long conditions are made of very many values that live to the end: a twelfth of the command went into such looks.
    """
    gc.set_threshold(10_000)


@contextmanager
def uncollected() -> Iterator[None]:
    """No search for garbage as long as anyone is in here, in any thread and at any depth.

    When the last one leaves, also by an exception, it is on again if it was on when the first one came.
    """
    global _inside, _was_on  # noqa: PLW0603  one switch for the process, one count of who needs it off
    with _LOCK:
        if not _inside:
            _was_on = gc.isenabled()
            gc.disable()
        _inside += 1
    try:
        yield
    finally:
        with _LOCK:
            _inside -= 1
            if not _inside and _was_on:
                gc.enable()
