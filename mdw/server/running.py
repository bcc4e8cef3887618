"""A server from its start to its end: what it listens to, whom it lets in, how it stops."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn

from mdw import memory
from mdw.model.errors import StoreError, system_says
from mdw.server import access, room
from mdw.server.app import application
from mdw.server.connection import Connection
from mdw.server.observing import log_lines
from mdw.server.service import Limits, Service
from mdw.server.state import State
from mdw.warehouse import Warehouse

LOG = logging.getLogger("mdw.server")
OFTEN = 5.0
"""Seconds after which the log says again how far something is."""
GRACE = 10
"""Seconds that running requests have to end when the server is to stop; interrupted twice it does not wait."""
INTERRUPTED = 130
"""Exit code then."""
LOCAL = ["localhost", "127.0.0.1", "[::1]", "::1"]


def serve(
    store: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 7878,
    allow_update: bool = False,
    limits: Limits | None = None,
    calls: Sequence[str] = (),
    free_paths: bool = False,
    origins: Sequence[str] = (),
    audit: Path | None = None,
    quiet: bool = False,
) -> None:
    """Serve a store until told to stop (SIGINT, SIGTERM, SIGHUP); running requests may then end, unless told again.

    StoreError if the store is not there or in use, if nothing can listen at the address, if ``audit``, a file that is
    told of changes, cannot be written, and if other machines could reach a server that asks nobody for a token. A store
    that can only be read is served, and refuses changes (503).
    """
    with _looked_at(store) as unwritable:
        rules = access.Access(store, open_to_updates=allow_update)
        local = access.is_loopback(host)
        guarded = bool(rules.tokens)  # reads them in any case: what is wrong with the file is said before the start
        if not local and not guarded:
            raise StoreError(f"{host} can be reached by others: make tokens first, with mdw token NAME --store {store}")
        try:
            log_lines(quiet=quiet, audit=audit)
        except OSError as error:
            raise StoreError(f"{audit} cannot be written: {system_says(error)}") from error
        state = State(Service(store, limits or Limits(), unwritable), rules, tuple(calls), free_paths)
        app = application(state, hosts=LOCAL if local else None, origins=list(origins))
        config = uvicorn.Config(
            app,
            access_log=False,
            log_config=None,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            http=Connection.within(room.for_descriptors()),
            ws="none",
        )
        # our own socket: uvicorn would end the process if the port is taken, and 0 could not be told
        listening = _listen(host, port)
        server = Stoppable(config)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, _ended)  # uvicorn has stopped everything before it raises them again
        # its terminal has gone: that ends it as the others do; nohup has it ignored, which stays so
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
            signal.signal(signal.SIGHUP, lambda _, frame: server.handle_exit(signal.SIGTERM, frame))
        address = f"[{host}]" if ":" in host else host
        LOG.info("serving", extra={"store": str(store), "url": f"http://{address}:{listening.getsockname()[1]}"})
        if unwritable:
            LOG.warning(
                "the store can only be read; start the server again when it can be written",
                extra={"reason": unwritable},
            )
        if reason := memory.why_unlimited():
            LOG.warning("workers may take any amount of memory", extra={"reason": reason})
        server.run(sockets=[listening])
        if not server.started:  # the reason has been logged: workers that do not start, for one
            sys.exit(1)


@contextmanager
def _looked_at(store: Path) -> Iterator[str]:
    """Why the store cannot be written; nobody else can begin to, if that is so, until the block ends.

    What else is wrong with it is said before anything is started.
    """
    with Warehouse(store, create=False, progress=_Looking()) as held:
        if not held.unwritable:
            held.close()  # the writer is to open it
        yield held.unwritable


class _Looking:
    """Logs how far it is to look through a store, in case that takes long."""

    def __init__(self) -> None:
        self._next = time.monotonic() + OFTEN

    def __call__(self, number: int, share: float) -> None:
        if time.monotonic() >= self._next:
            self._next += OFTEN
            told = {"graphs": number, "share": f"{share:.0%}"}
            LOG.info("looking through the store, once, since another version of mdw wrote it", extra=told)


class Stoppable(uvicorn.Server):
    """Lets running requests end when it is told to stop; told so twice from a terminal, it ends at once."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Obey a signal."""
        if self.should_exit and sig == signal.SIGINT:
            LOG.warning("interrupted twice: what was being answered is not")
            os._exit(INTERRUPTED)  # workers see it and end; what they were about to change is as it was
        super().handle_exit(sig, frame)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise StoreError(f"nothing can listen at {host}:{port}: {system_says(error)}") from error


def _ended(_number: int, _frame: FrameType | None) -> None:
    """A signal that has been obeyed already."""
