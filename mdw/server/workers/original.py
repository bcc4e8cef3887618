"""A process that has all that workers need, and makes workers of itself: a copy is there in a hundredth of a second.

    python -m mdw.server.workers.original    its input is a socket to the server

    role, store, bytes, and the worker's ends of two sockets -> a copy of this process, which works -> its id

A copy is made by a process in between, which ends at once, so that the copy becomes the server's own child: the server
hears of its end, and it of the server's. This process has one thread and opens no store: nothing is copied half done.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from mdw import memory
from mdw.collecting import settled
from mdw.model.errors import system_says
from mdw.server.workers import process, writing  # noqa: F401  what writers need
from mdw.server.workers.reading import Reader

ASKED = 1 << 16
"""Bytes of what is asked, at most."""
STREAMS = 3
"""Input, output, and what is printed."""
OWN = 64
"""Descriptors among which the original's own are: copies close them."""


def main() -> None:
    """Make copies until the server ends."""
    asking, server = socket.socket(fileno=os.dup(sys.stdin.fileno())), os.getppid()
    memory.go_first()
    Reader()  # what it builds at first use is copied too
    settled()  # else a copy's first search for garbage would write to all there is, and copy it indeed
    asking.send(b"ready")
    while True:
        asked, ends, _, _ = socket.recv_fds(asking, ASKED, STREAMS)
        if not asked:
            return
        try:
            said = _copied(asked, ends, server)
        except OSError as error:  # no process, no memory
            said = f"no process can be started: {system_says(error)}".encode()
        for end in ends:
            os.close(end)
        asking.send(said)


def _copied(asked: bytes, ends: Sequence[int], server: int) -> bytes:
    """The id of a copy that works, once the process in between has ended."""
    hearing, telling = os.pipe()
    try:
        if not (between := os.fork()):
            _between(asked, ends, server, telling)
        os.close(telling)
        said = os.read(hearing, ASKED)  # nothing if there was none
        os.waitpid(between, 0)
    finally:
        os.close(hearing)
    return said or b"no process can be started: it was killed"


def _between(asked: bytes, ends: Sequence[int], server: int, telling: int) -> None:
    parent = os.getpid()
    try:
        worker = os.fork()
        if worker:
            os.write(telling, str(worker).encode())
    except OSError as error:
        os.write(telling, f"no process can be started: {system_says(error)}".encode())
    else:
        if not worker:
            _work(asked, ends, server, parent)
    os._exit(0)


def _work(asked: bytes, ends: Sequence[int], server: int, parent: int) -> None:
    """Be a worker, to the end."""
    code = 1
    try:
        wire, printing = ends
        for number, end in enumerate((wire, wire, printing)):
            os.dup2(end, number)
        os.closerange(STREAMS, OWN)
        os.setsid()  # a terminal's Ctrl-C is the server's alone, which lets running requests end
        # Until the process in between has ended this is not the server's child: `end_with_parent` would end it at once.
        while os.getppid() == parent:
            time.sleep(0.001)
        role, store, most = json.loads(asked)
        process.work(role, Path(store), most, server)
        code = 0
    except SystemExit:
        code = 0
    except BaseException:  # nobody else would say it
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
