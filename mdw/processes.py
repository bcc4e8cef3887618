"""Processes of our own: how many cores there are for them, how they are started, and that they end with us.

They are started as programs and not forked: a fork would copy the engine and its threads in the middle of something,
and what Python's own pools start first runs the script of whoever uses mdw once more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Thread

MOST_CORES = 8
"""Cores that are used when nothing is said: each has a process beside it, and more is for the caller to ask for."""
PAUSE = 0.5
"""Seconds between looks whether the parent is still there."""


def cores() -> int:
    """How many cores to use when nothing is said."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_CORES)


def start(module: str, *arguments: str) -> Popen[bytes]:
    """A process that runs a module of mdw; OSError if the system has none left.

    It finds modules where this process finds them, and hears nothing of Ctrl-C, which is this one's to answer.
    """
    # Without -P the folder that somebody works in would be looked through first, whatever lies there.
    path = os.pathsep.join(one or str(Path.cwd()) for one in sys.path)
    return Popen(
        [sys.executable, "-P", "-m", module, *arguments],
        stdin=PIPE,
        stdout=PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": path},
        start_new_session=True,
    )


def end_with_parent(parent: int) -> None:
    """End this process soon after its ``parent``, a process number, has ended, whatever it is doing."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PAUSE)
        os._exit(0)  # the engine, deep in a query, would hear of nothing gentler

    Thread(target=watch, daemon=True).start()
