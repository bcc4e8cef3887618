"""A process that works for the server, one job at a time, and can be killed at any moment without harm.

    python -m mdw.server.workers.process reader STORE      answers from snapshots, which nobody changes
    python -m mdw.server.workers.process writer STORE      has the store itself open; every change is one transaction

It ends when its input does, and when the server does.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from mdw.model.errors import MdwError
from mdw.server.refusal import Refusal
from mdw.server.workers.answer import Answer, Job, Work
from mdw.server.workers.frames import FAILED, HEAD, note, read

PAUSE = 0.5
"""Seconds between looks whether the server is still there."""


def main(role: str, store: str) -> None:
    """Work until the input ends."""
    target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake is no message
    _end_with_parent()
    try:
        works = _works(role, Path(store))
    except MdwError as error:
        target.write(_failed(Refusal.of(error)))
        target.flush()
        return
    target.write(note(HEAD, {"ready": True}))
    target.flush()
    while found := read(sys.stdin.buffer):
        _work(works, json.loads(found[1]), target)


def _works(role: str, store: Path) -> dict[str, Work]:
    if role == "reader":
        from mdw.server.workers.reading import works
    else:
        from mdw.server.workers.writing import works
    return works(store)


def _work(works: dict[str, Work], job: Job, target: BinaryIO) -> None:
    answer = Answer(target, job["bytes"])
    try:
        works[job["do"]](job, answer)
        answer.end()
    except MdwError as error:
        target.write(_failed(Refusal.of(error)))
        target.flush()
    except Refusal as refusal:
        target.write(_failed(refusal))
        target.flush()


def _failed(refusal: Refusal) -> bytes:
    return note(FAILED, refusal.to_dict())


def _end_with_parent() -> None:
    """End this process soon after the server has ended, whatever it is doing."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(PAUSE)
        os._exit(0)

    Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
