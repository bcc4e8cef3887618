"""A server from its start to its end: what it listens to, whom it lets in, how it stops."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from mdw.model.errors import StoreError, system_says
from mdw.server import access
from mdw.server.app import application
from mdw.server.connection import Connection
from mdw.server.desks.point import Rules
from mdw.server.desks.pool import Desks
from mdw.server.observing import log_lines
from mdw.server.service import Limits, Service
from mdw.server.state import State
from mdw.warehouse import Warehouse

LOG = logging.getLogger("mdw.server")
GRACE = 10
"""Seconds that running requests have to end when the server is to stop."""
PAUSE = 1.0
"""Seconds until the next connection is taken, after one could not be."""
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
    desks: int | None = None,
    audit: Path | None = None,
    quiet: bool = False,
) -> None:
    """Serve a store until told to stop (SIGINT, SIGTERM); running requests may then end.

    ``desks`` processes answer point queries (None: one for each processor, four at most).

    StoreError if the store is not there or in use, if nothing can listen at the address, if ``audit``, a file that is
    told of changes, cannot be written, and if other machines could reach a server that asks nobody for a token.
    """
    Warehouse(store, create=False).close()
    rules = access.Access(store, open_to_updates=allow_update)
    local = access.is_loopback(host)
    if not local and not rules.tokens:
        raise StoreError(f"{host} can be reached by others: make tokens first, with mdw token NAME --store {store}")
    try:
        log_lines(quiet=quiet, audit=audit)
    except OSError as error:
        raise StoreError(f"{audit} cannot be written: {system_says(error)}") from error
    number = min(os.cpu_count() or 1, 4) if desks is None else desks
    service = Service(store, limits or Limits(), desks=number if hasattr(socket, "send_fds") else 0)
    state = State(service, rules, list(calls), free_paths)
    hosts = LOCAL if local else None
    app = application(state, hosts=hosts, origins=list(origins))
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
        http=Connection,
    )
    listening = _listen(host, port)
    server = Door(config, service, hosts, quiet=quiet)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _ended)  # uvicorn has stopped everything before it raises them again
    address = f"[{host}]" if ":" in host else host
    LOG.info("serving", extra={"store": str(store), "url": f"http://{address}:{listening.getsockname()[1]}"})
    server.run(sockets=[listening])
    if not server.started:
        sys.exit(1)


class Door(uvicorn.Server):
    """uvicorn, to which connections come by way of the desks."""

    def __init__(self, config: uvicorn.Config, service: Service, hosts: list[str] | None, *, quiet: bool) -> None:
        super().__init__(config)
        limits = service.limits
        folders = str(service.store), str(service.snapshots)
        rules = Rules(*folders, service.born, hosts, limits.text, limits.rows, limits.bytes)
        self._desks = Desks(service, rules, quiet=quiet, back=self._open)
        self._tasks: set[asyncio.Task[Any]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start everything and take connections from these sockets."""
        await super().startup(sockets=[])
        self._desks.start()
        for listening in sockets or ():
            listening.setblocking(False)
            self._soon(asyncio.create_task(self._accept(listening)))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take none any more, let running requests end, end everything."""
        for task in self._tasks:
            task.cancel()
        await self._desks.close()
        await super().shutdown(sockets)

    async def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                connection, _ = await asyncio.get_running_loop().sock_accept(listening)
            except OSError as error:
                LOG.error("a connection cannot be taken", extra={"reason": str(error)})
                await asyncio.sleep(PAUSE)
                continue
            if not self._desks.give(connection):
                self._open(connection)

    def _open(self, connection: socket.socket) -> None:
        """Answer a connection here."""
        connection.setblocking(False)
        state = self.server_state, self.lifespan.state
        opening = asyncio.get_running_loop().connect_accepted_socket(
            lambda: Connection(self.config, *state), connection
        )
        self._soon(asyncio.ensure_future(opening))

    def _soon(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise StoreError(f"nothing can listen at {host}:{port}: {system_says(error)}") from error


def _ended(_number: int, _frame: FrameType | None) -> None:
    """A signal that has been obeyed already."""
