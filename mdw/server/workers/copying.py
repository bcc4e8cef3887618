"""Workers as copies of a process that has everything ready, as the server has them (Linux).

A new process takes a second of the machine to load what workers need. A copy takes a hundredth: so long is a worker
missing whose request took too long.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from mdw.server.refusal import Refusal

LOG = logging.getLogger("mdw.server")
STARTING = 60.0
"""Seconds in which the original is to be ready."""
COPYING = 5.0
"""Seconds in which it is to make a copy; else there is another original."""
BUFFER = 1 << 20
"""Bytes of a worker's output that are read ahead."""
ENDS = 2
"""Sockets to a copy: one for what it reads and answers, one for what it prints."""
SAID = 4000
"""Bytes of what the original says, at most."""
TAKE_IN_ORPHANS = 36
"""PR_SET_CHILD_SUBREAPER."""
LATER = {"Retry-After": "1"}


def can_copy() -> bool:
    """Whether this system tells a process when another one has ended, and lets it take in what that has copied."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):  # an old kernel, or a container that forbids it
        return False
    return True


class ClosingProtocol(asyncio.StreamReaderProtocol):
    """Closes a socket when it has been read to its end."""

    def eof_received(self) -> bool:
        """Whether it is to stay open."""
        super().eof_received()
        return False


class WorkerWire(NamedTuple):
    """A socket between this process and a copy."""

    reader: asyncio.StreamReader
    transport: asyncio.Transport


class Copy:
    """A process that was copied, a child of this one: what `asyncio.subprocess.Process` is of one that was started."""

    def __init__(self, pid: int, wire: WorkerWire, printing: WorkerWire) -> None:
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = wire.transport, wire.reader, printing.reader
        self._wires = wire, printing
        self._pid = pid
        self._loop = asyncio.get_running_loop()
        self._gone: asyncio.Future[int] = self._loop.create_future()
        self._end = os.pidfd_open(pid)
        self._loop.add_reader(self._end, self._ended)

    async def wait(self) -> int:
        """Its exit code, once it has ended; of one that was killed, the signal's number below 0."""
        return await asyncio.shield(self._gone)

    def kill(self) -> None:
        """End it at once."""
        if self.returncode is None:  # else its number may be another's by now
            os.kill(self._pid, signal.SIGKILL)

    def close(self) -> None:
        """Let go of what it has said and nobody has read."""
        for wire in self._wires:
            wire.transport.close()

    def _ended(self) -> None:
        self._loop.remove_reader(self._end)
        os.close(self._end)
        self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._gone.set_result(self.returncode)


class Original:
    """The process that workers are copies of: started when a copy is first wanted, and again when it has gone."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._asking: socket.socket | None = None
        self._one_by_one = asyncio.Lock()

    async def copy(self, role: str, store: Path, most: int) -> Copy:
        """A worker that is about to be ready; Refusal if there can be none."""
        order = json.dumps([role, str(store), most]).encode()
        async with self._one_by_one:
            # Once more with a new original where the one there was has gone; if that goes too, something else is wrong.
            for _ in range(2):
                try:
                    asking = await self._ready()
                    return await self._copied(asking, order)
                except (TimeoutError, ConnectionError):  # somebody has stopped it, or killed it
                    await self.close()
                except OSError as error:
                    raise Refusal(503, f"no process can be started: {error.strerror}", LATER) from error
                except BaseException:  # what it was about to say is not to be taken for the next answer
                    await self.close()
                    raise
        raise Refusal(503, "a worker was not ready in time", LATER)

    async def close(self) -> None:
        """End it; the copies stay."""
        if self._asking:
            self._asking.close()
        process, self._asking, self._process = self._process, None, None
        if process:
            if process.returncode is None:
                process.kill()
            await process.wait()

    async def _ready(self) -> socket.socket:
        if self._asking and self._process and self._process.returncode is None:
            return self._asking
        await self.close()
        # Copies are grandchildren of the original; when the process in between ends, the system makes this one, and not
        # process 1, their parent. Only a parent may wait for them and learn what they died of.
        ctypes.CDLL(None).prctl(TAKE_IN_ORPHANS, 1, 0, 0, 0)
        self._asking, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._asking.setblocking(False)
        with theirs:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "mdw.server.workers.original"),
                stdin=theirs.fileno(),
                stdout=DEVNULL,
                stderr=PIPE,
                env=os.environ | {"RUST_BACKTRACE": "0"},  # what is kept of a worker's words is the reason
                start_new_session=True,
            )
        try:
            await self._said(self._asking, STARTING)
        except ConnectionError:
            assert self._process.stderr
            said = (await self._process.stderr.read(SAID)).decode(errors="replace")
            LOG.error("what workers are copies of has died", extra={"said": said.strip() or None})
            raise
        return self._asking

    async def _said(self, asking: socket.socket, seconds: float) -> bytes:
        async with asyncio.timeout(seconds):
            said = await asyncio.get_running_loop().sock_recv(asking, SAID)
        if not said:
            raise ConnectionResetError
        return said

    async def _copied(self, asking: socket.socket, order: bytes) -> Copy:
        with ExitStack() as theirs, ExitStack() as ours:
            ends = []
            for _ in range(ENDS):
                mine, its = socket.socketpair()
                ends.append((ours.enter_context(mine), theirs.enter_context(its)))
            socket.send_fds(asking, [order], [its.fileno() for _, its in ends])
            said = await self._said(asking, COPYING)
            if not said.isdigit():
                raise Refusal(503, said.decode(), LATER)
            ours.pop_all()  # they are closed with what reads from them
        return Copy(int(said), *[await _reading(mine) for mine, _ in ends])


async def _reading(mine: socket.socket) -> WorkerWire:
    mine.setblocking(False)
    reader = asyncio.StreamReader(limit=BUFFER)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.create_unix_connection(lambda: ClosingProtocol(reader), sock=mine)
    return WorkerWire(reader, transport)
