"""A process that works for the server, one job at a time, and can be killed at any moment without harm.

    python -m mdw.server.worker reader STORE      answers from snapshots, which nobody changes
    python -m mdw.server.worker writer STORE      has the store itself open; every change is one transaction

It ends when the server does: whatever it is doing, its input closing ends it.
"""

from __future__ import annotations

import json
import os
import queue
import sys
from pathlib import Path
from threading import Thread
from typing import BinaryIO

from mdw.errors import MdwError
from mdw.server.answer import Answer, Job, Work
from mdw.server.frames import FAILED, HEAD, note, read
from mdw.server.refusal import Refusal


def main(role: str, store: str) -> None:
    """Work until the input ends."""
    target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake is no message
    jobs = _jobs(sys.stdin.buffer)
    try:
        works = _works(role, Path(store))
    except MdwError as error:
        target.write(_failed(Refusal.of(error)))
        target.flush()
        return
    target.write(note(HEAD, {"ready": True}))
    target.flush()
    while True:
        _work(works, jobs.get(), target)


def _works(role: str, store: Path) -> dict[str, Work]:
    if role == "reader":
        from mdw.server.reading import works
    else:
        from mdw.server.writing import works
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


def _jobs(source: BinaryIO) -> queue.SimpleQueue[Job]:
    """The jobs as they come in; at their end this process ends, whatever it is doing."""
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()

    def listen() -> None:
        while found := read(source):
            jobs.put(json.loads(found[1]))
        os._exit(0)

    Thread(target=listen, daemon=True).start()
    return jobs


if __name__ == "__main__":
    main(*sys.argv[1:])
