"""The server's side of its desks: connections go to them in turn, and come back with what they do not answer.

    connection -> a desk -> (not a point query) -> back -> the server

A desk that dies is started again; while there is none, the server answers everything itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
import sys
from asyncio.subprocess import Process
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass

from mdw.server.desks.point import Rules
from mdw.server.desks.process import CONNECTION, READY, SHOW
from mdw.server.service import Service

LOG = logging.getLogger("mdw.server")
PAUSE = 1.0
"""Seconds until another desk is started in the place of one that has died."""
PATIENCE = 5.0
"""Seconds that desks have to end."""


@dataclass(eq=False, slots=True)
class Desk:
    """A process, and the server's end of its channel."""

    process: Process
    channel: socket.socket


class Desks:
    """So many desks, and whom to give what they hand back."""

    def __init__(self, service: Service, rules: Rules, *, quiet: bool, back: Callable[[socket.socket], None]) -> None:
        self._service = service
        self._arguments = json.dumps(asdict(rules) | {"quiet": quiet})
        self._back = back
        self._ready: deque[Desk] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start them; connections can be given to each as soon as it is ready."""
        for number in range(self._service.desks):
            self._soon(asyncio.create_task(self._run(number)))

    async def close(self) -> None:
        """Have them end, and with them the connections they hold."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def give(self, connection: socket.socket) -> bool:
        """Give a connection to the next desk; whether there is one that takes it."""
        for _ in range(len(self._ready)):
            self._ready.rotate(-1)
            with contextlib.suppress(OSError):  # it has too many, or has died
                socket.send_fds(self._ready[0].channel, [CONNECTION], [connection.fileno()])
                connection.close()
                return True
        return False

    async def _run(self, number: int) -> None:
        """Keep one desk running."""
        while True:
            try:
                desk = await self._begin(number)
            except OSError as error:
                LOG.error("a desk does not start", extra={"reason": str(error)})
            else:
                await self._live(desk)
                LOG.error("a desk has died", extra={"number": number, "code": desk.process.returncode})
            await asyncio.sleep(PAUSE)

    async def _begin(self, number: int) -> Desk:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        arguments = str(theirs.fileno()), str(number), str(self._service.desks), self._arguments
        with theirs:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "mdw.server.desks.process",
                *arguments,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        return Desk(process, ours)

    async def _live(self, desk: Desk) -> None:
        """Listen to a desk until it has died."""
        loop, channel = asyncio.get_running_loop(), desk.channel.fileno()
        loop.add_reader(channel, self._listen, desk)
        try:
            await desk.process.wait()
        finally:
            loop.remove_reader(channel)
            with contextlib.suppress(ValueError):
                self._ready.remove(desk)
            self._service.board.ready = len(self._ready)
            desk.channel.close()
            await self._ended(desk)

    async def _ended(self, desk: Desk) -> None:
        try:
            await asyncio.wait_for(desk.process.wait(), PATIENCE)
        except TimeoutError:
            desk.process.kill()
            await desk.process.wait()

    def _listen(self, desk: Desk) -> None:
        """Take one message of a desk."""
        try:
            kind, descriptors, _, _ = socket.recv_fds(desk.channel, 1, 1)
        except (BlockingIOError, ConnectionError):
            return
        if kind == CONNECTION and descriptors:
            self._back(socket.socket(fileno=descriptors[0]))
        elif kind == READY:
            self._ready.append(desk)
            self._service.board.ready = len(self._ready)
        elif kind == SHOW:
            self._soon(asyncio.create_task(self._show(desk)))
        elif not kind:
            asyncio.get_running_loop().remove_reader(desk.channel.fileno())

    async def _show(self, desk: Desk) -> None:
        """See to it that there is a snapshot of what is in force, and tell the desk that asked."""
        try:
            await self._service.shown()
        finally:
            with contextlib.suppress(OSError):
                desk.channel.send(SHOW)

    def _soon(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
