"""A process that works for the server, one job at a time, and can be killed at any moment without harm.

    python -m mdw.server.workers.process reader STORE BYTES    answers from snapshots, which nobody changes
    python -m mdw.server.workers.process writer STORE BYTES    has the store itself open; a change is one transaction

Where the system can copy processes, it is a copy of one that has all of this ready (`mdw.server.workers.original`).
It ends when its input does, when the server does, and when it needs more memory than those bytes (0: any number). Where
the machine has none left, the kernel ends it rather than the server.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from mdw import memory
from mdw.model.errors import MdwError, StoreError, system_says
from mdw.processes import end_with_parent
from mdw.server.refusal import Dead, Refusal
from mdw.server.workers import jobs
from mdw.server.workers.frames import FAILED, HEAD, note, read
from mdw.server.workers.jobs import Order
from mdw.server.workers.reply import Reply

Work = Callable[[Order, Reply], None]


def work(role: str, store: Path, most: int, parent: int) -> None:
    """Work until the input ends, or the process whose child this is."""
    memory.limit(most)
    memory.go_first()
    with suppress(OSError):  # what operators see it called
        Path("/proc/self/comm").write_text(f"mdw {role}")
    # Messages go out by a copy of the output; the output itself becomes the place where words go.
    target = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what is printed by mistake is no message
    end_with_parent(parent)
    os.umask(0o077)  # what a worker makes is the store's
    try:
        does, close = _does(role, store)
    except MdwError as error:
        target.write(_failed(Refusal.of(error)))
        target.flush()
        return
    target.write(note(HEAD, {"ready": True}))
    target.flush()
    while found := read(sys.stdin.buffer):
        _do(does, jobs.read(found[1]), target, most)
    close()


def _does(role: str, store: Path) -> tuple[Work, Callable[[], None]]:
    # each imports what the other has no use for
    if role == "reader":
        from mdw.server.workers.reading import Reader

        return Reader().work, lambda: None
    from mdw.server.workers.writing import Writer

    writer = Writer(store)
    return writer.work, writer.close


def _do(does: Work, order: Order, target: BinaryIO, most: int) -> None:
    reply = Reply(target, order.bytes)
    try:
        does(order, reply)
        reply.end()
    except MdwError as error:
        target.write(_failed(Refusal.of(error)))
        target.flush()
    except Refusal as refusal:
        target.write(_failed(refusal))
        target.flush()
    except OSError as error:
        target.write(_failed(Refusal.of(StoreError(f"the system refuses it: {system_says(error)}"))))
        target.flush()
    except MemoryError:
        # what the job held is scattered over what there is: the next worker has it whole
        said = f"the request needs more memory than {memory.shown(most) if most else 'there is'}: ask for less"
        target.write(_failed(Dead(413, said)))
        target.flush()
        sys.exit()


def _failed(refusal: Refusal) -> bytes:
    return note(FAILED, refusal.written())


if __name__ == "__main__":
    role, store, most = sys.argv[1:]
    work(role, Path(store), int(most), os.getppid())
