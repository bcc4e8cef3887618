"""One worker process, as the server has it: what it is told, what it says, and why it has died."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from signal import SIGABRT, SIGKILL

from mdw import memory
from mdw.server.refusal import Dead, Refusal
from mdw.server.workers import jobs
from mdw.server.workers.copying import BUFFER, LATER, Copy, Original
from mdw.server.workers.frames import FAILED, JOB, LEAD, frame
from mdw.server.workers.jobs import Order

KEPT = 4000
"""Characters that are kept of what a worker prints; it has nothing to print."""
STARTING = 60.0
"""Seconds in which a worker is to be ready."""
ENDING = 10.0
"""Seconds in which a worker that has nothing more to do is to end."""
TOO_LARGE = "the engine gave up on this request: it is too large or too deep for it"


class Worker:
    """One process."""

    def __init__(self, process: Process | Copy, most: int) -> None:
        self._process = process
        self._most = most
        assert process.stdin
        assert process.stdout
        self._input, self._output = process.stdin, process.stdout
        self._printed = ""
        self._listening = asyncio.create_task(self._listen())
        self.gone = asyncio.create_task(process.wait())
        """Done when the process has ended."""

    @classmethod
    async def start(cls, role: str, store: Path, most: int, original: Original | None = None) -> Worker:
        """A process that is ready to work and takes so much memory at most; Refusal if it cannot be."""
        process = await (original.copy(role, store, most) if original else _new(role, store, most))
        worker = cls(process, most)
        try:
            async with asyncio.timeout(STARTING):
                await worker.read()
        except BaseException as error:
            worker.kill()
            if isinstance(error, TimeoutError):
                raise Refusal(503, "a worker was not ready in time", LATER) from None
            raise
        return worker

    @property
    def printed(self) -> str | None:
        """What it has printed since this was asked last, the first of it."""
        printed, self._printed = self._printed, ""
        return printed.strip() or None

    @property
    def lost(self) -> bool:
        """Whether it has ended, or is about to: it reads no more."""
        return self.gone.done() or self._input.is_closing()

    def send(self, order: Order) -> None:
        """Give it something to do; if it has died, reading says so."""
        if not self._input.is_closing():
            self._input.write(frame(JOB, jobs.written(order)))  # a free worker reads: nothing piles up

    async def read(self) -> tuple[bytes, bytes]:
        """The next message; Refusal if it is one, or if the process has died."""
        try:
            kind, length = LEAD.unpack(await self._output.readexactly(LEAD.size))
            content = await self._output.readexactly(length) if length else b""
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise await self._died_of() from error
        if kind == FAILED:
            raise Refusal.read(json.loads(content))
        return kind, content

    def kill(self) -> None:
        """End it at once."""
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def died(self) -> None:
        """Wait until it is gone, and with it what it held."""
        await asyncio.shield(self.gone)

    async def buried(self) -> None:
        """The same of one that nobody listens to any more."""
        await self.died()
        if isinstance(self._process, Copy):  # of others the system's loop takes care
            self._process.close()

    async def end(self) -> None:
        """Let it end when it has nothing more to do."""
        self._input.close()
        try:
            await asyncio.wait_for(self.died(), ENDING)
        except TimeoutError:  # it has been stopped, for one
            self.kill()
            await self.died()

    async def _died_of(self) -> Dead:
        """Why it has died, as far as anybody can tell."""
        await self.died()
        await self._listening
        code = self._process.returncode
        if code == -SIGABRT and self._most:
            return Dead(413, f"the request needs more memory than {memory.shown(self._most)}: ask for less")
        if code == -SIGKILL:  # by the kernel, which has no memory left, or by somebody
            return Dead(503, "the process that worked on this request was killed", LATER)
        if "Traceback" in self._printed:
            return Dead(500, "there is a mistake in the server, which its log tells of")
        # its own fault, as far as anybody can tell: the same request would end the next one too
        return Dead(400, TOO_LARGE)

    async def _listen(self) -> None:
        """Take what it prints, which would else stand between the lines of the log."""
        assert self._process.stderr
        while piece := await self._process.stderr.read(KEPT):
            room = KEPT - len(self._printed)
            self._printed += piece.decode(errors="replace")[:room]


async def _new(role: str, store: Path, most: int) -> Process:
    """A process that has yet to load what it needs."""
    try:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "mdw.server.workers.process", role, str(store), str(most)),
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=os.environ | {"RUST_BACKTRACE": "0"},  # what is kept of its words is the reason
            limit=BUFFER,
            start_new_session=True,  # a terminal's Ctrl-C is the server's alone, which lets running requests end
        )
    except OSError as error:  # no process, no memory or no descriptor is left
        raise Refusal(503, f"no process can be started: {error.strerror}", LATER) from error
