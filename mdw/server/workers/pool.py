"""The worker processes: who is free, what is running, and an end to what takes too long.

A job holds a worker until its answer is read. Whoever stops reading before the end (time is up, the client has gone,
somebody killed the job) costs the worker its life, which is the only way to stop the engine; another one is started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

from mdw.server.refusal import Dead, Refusal
from mdw.server.seldom import Seldom
from mdw.server.workers.copying import Original
from mdw.server.workers.frames import DATA, END, WHOLE
from mdw.server.workers.jobs import Job, Order
from mdw.server.workers.worker import Worker

LOG = logging.getLogger("mdw.server")
PAUSE = 1.0
"""Seconds between attempts to start a worker."""
SHOWN = 2000
"""Characters of a text that are logged."""
PATIENCE = 10.0
"""Seconds a request waits for a free worker."""


@dataclass
class Running:
    """A job that is being worked on: what it is, for whom, since when (on the clock that nobody sets)."""

    name: str
    job: Job
    client: str
    worker: Worker
    since: float = field(default_factory=monotonic)
    killed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The job as plain JSON-ready values."""
        seconds = round(monotonic() - self.since, 3)
        said = {"id": self.name, "what": self.job.do, "text": self.job.words}
        return said | {"client": self.client, "seconds": seconds}


class Workers:
    """Workers of one role; more jobs than these wait for one to be free, up to a limit."""

    def __init__(
        self, role: str, store: Path, number: int, waiting: int, memory: int = 0, original: Original | None = None
    ) -> None:
        self.role = role
        self.running: dict[int, Running] = {}
        self.trouble: Refusal | None = None
        """Why no worker can be started just now."""
        self._store = store
        self._memory = memory
        self._original = original
        self._number = number
        self._most_waiting = waiting
        self._free: deque[Worker] = deque()
        self._waiting: deque[asyncio.Future[Worker]] = deque()
        self._starting: set[asyncio.Task[None]] = set()
        self._failing = Seldom(LOG, "a worker does not start")
        self._last = 0
        self._lost_one = 0.0
        self._closed = False

    @property
    def alive(self) -> int:
        """How many workers there are just now."""
        return len(self._free) + len(self.running)

    @property
    def well(self) -> bool:
        """Whether there are workers, or will be in a moment: whoever asks meanwhile waits for one."""
        return self.alive > 0 or (self.trouble is None and monotonic() - self._lost_one < PATIENCE)

    async def start(self) -> None:
        """Start one of them; the others follow, while questions are answered. Refusal if none can be."""
        self._release(await self._start())
        self._soon(self._follow())

    async def close(self) -> None:
        """End them all; what is still running is cut short."""
        self._closed = True
        for task in self._starting:
            task.cancel()
        for job in self.running.values():
            job.worker.kill()
        await asyncio.gather(*(worker.end() for worker in self._free))

    @asynccontextmanager
    async def job(self, order: Order, client: str = "") -> AsyncIterator[Working]:
        """Have a worker do a job; it is killed if the block is left before the answer's end."""
        self._last = number = self._last + 1
        worker = await self._acquire()
        running = Running(f"{self.role}-{number}", order.job, client, worker)
        self.running[number] = running
        working = Working(worker, running)
        # However the block is left: an answer read to its end frees the worker, anything less costs it its life, since
        # what it is still writing would be taken for the answer to the next job.
        try:
            worker.send(order)
            yield working
        finally:
            del self.running[number]
            if working.ended:
                self._release(worker)
            else:
                self._replace(worker)

    def kill(self, number: int) -> bool:
        """Stop a job; whether there was one."""
        running = self.running.get(number)
        if running is None:
            return False
        running.killed = True
        running.worker.kill()
        return True

    async def _acquire(self) -> Worker:
        # Whoever came free last: its memory is warm, and the snapshot it has open is likely to be the one in force.
        while self._free:
            worker = self._free.pop()
            if not worker.lost:
                return worker
            self._replace(worker)
        if self.trouble and not self.running:  # there are none, and waiting would be in vain
            raise self.trouble
        if len(self._waiting) >= self._most_waiting:
            raise Refusal(503, "too many requests are waiting", {"Retry-After": "1"})
        waiting: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        try:
            return await asyncio.wait_for(waiting, PATIENCE)
        except TimeoutError:
            raise Refusal(503, "no worker was free in time", {"Retry-After": "1"}) from None
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled():  # a worker was given in the same moment
                self._release(waiting.result())
            raise
        finally:
            with contextlib.suppress(ValueError):
                self._waiting.remove(waiting)

    async def _start(self) -> Worker:
        worker = await Worker.start(self.role, self._store, self._memory, self._original)
        worker.gone.add_done_callback(lambda _: self._lost(worker))
        return worker

    def _lost(self, worker: Worker) -> None:
        """A worker has ended; if it had nothing to do, another one takes its place."""
        if worker in self._free and not self._closed:
            self._free.remove(worker)
            LOG.error("a worker has died", extra={"role": self.role, "said": worker.printed})
            self._replace(worker)

    def _release(self, worker: Worker) -> None:
        if worker.lost:
            self._replace(worker)
            return
        if printed := worker.printed:
            LOG.warning("a worker says", extra={"role": self.role, "said": printed})
        while self._waiting:
            waiting = self._waiting.popleft()
            if not waiting.done():  # who has stopped waiting may still stand here
                waiting.set_result(worker)
                return
        self._free.append(worker)

    def _replace(self, dead: Worker) -> None:
        self._lost_one = monotonic()
        dead.kill()  # it may be about to end, which is waited for
        if not self._closed:
            self._soon(self._restart(dead))

    def _soon(self, starting: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(starting)
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _follow(self) -> None:
        for _ in range(1, self._number):  # one by one: the machine has something left for whoever asks meanwhile
            await self._add()

    async def _restart(self, dead: Worker) -> None:
        await dead.buried()  # a writer has the lock on the store until then
        await self._add()

    async def _add(self) -> None:
        while True:
            try:
                worker = await self._start()
            except Refusal as refusal:
                # one that was killed while it started is no reason to turn anybody away
                self.trouble = None if isinstance(refusal, Dead) else refusal
                self._failing.error(role=self.role, reason=refusal.detail)
                await asyncio.sleep(PAUSE)
            else:
                self.trouble = None
                self._failing.over("workers start again")
                self._release(worker)
                return


class Working:
    """The answer of a worker, piece by piece."""

    def __init__(self, worker: Worker, running: Running) -> None:
        self._worker = worker
        self._running = running
        self._whole: bytes | None = None
        self.ended = False

    async def head(self) -> dict[str, Any]:
        """What it says first; Refusal if it refuses the job."""
        kind, content = await self._read()
        if kind == WHOLE:
            content, _, self._whole = content.partition(b"\n")
            self.ended = True
        found: dict[str, Any] = json.loads(content)
        return found

    async def result(self) -> dict[str, Any]:
        """The head of an answer that is nothing else, once the job is done."""
        head = await self.head()
        await self.piece()
        return head

    async def piece(self) -> bytes:
        """The next piece, empty at the end."""
        if self.ended:
            whole, self._whole = self._whole, None
            return whole or b""
        kind, content = await self._read()
        if kind == DATA:
            return content
        self.ended = kind == END
        return b""

    async def _read(self) -> tuple[bytes, bytes]:
        try:
            return await self._worker.read()
        except Dead as dead:
            if self._running.killed:
                raise Refusal(503, "the request was killed") from None
            job, printed = self._running.job, self._worker.printed
            said = {"what": job.do, "reason": dead.detail, "text": job.words[:SHOWN], "said": printed}
            LOG.error("a worker has died", extra=said)
            raise
        except Refusal:
            self.ended = True  # a refusal is an answer: the worker is free again
            raise
