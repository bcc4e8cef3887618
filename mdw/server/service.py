"""What the server does with its workers: readers answer from snapshots of a store, a writer changes it if it can be.

    question -> origin (`mdw.server.checkpoint`) -> checkpoint -> reader -> answer
    change   -> origin

Point queries the service looks up itself, in the snapshot that is in force: nobody changes it, and a hundred quads take
no time that would have to be ended.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

from mdw.model.errors import QueryError
from mdw.server.changing import Changing
from mdw.server.checkpoint import Origin
from mdw.server.refusal import Refusal, Unable, reason_in
from mdw.server.seldom import Seldom
from mdw.server.still import Still
from mdw.server.workers.copying import Original, can_copy
from mdw.server.workers.jobs import FindNames, Job, MakeIndex, Order
from mdw.server.workers.pool import Workers, Working
from mdw.store.directory import SEARCH, has_index
from mdw.store.pattern import Pattern

LOG = logging.getLogger("mdw.server")
QUICK = 2.0
"""Seconds that whoever searches waits for an index of what has just changed."""
INDEX = ".search"
"""What the folder of an index has at the end of its name."""
MOST_ROWS = 100
"""Quads that are looked at for an answer that the server gives itself."""
MOST_BYTES = 1 << 14
"""Bytes of such an answer."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may take: seconds, rows and bytes of its answer, bytes of its text and of what it uploads.

    ``readers`` requests are worked on at a time and ``waiting`` more may wait; ``memory`` is what each worker may take
    (bytes, 0: any number).
    """

    seconds: float = 30.0
    rows: int = 5_000_000
    bytes: int = 2 << 30
    text: int = 1 << 20
    upload: int = 256 << 20
    readers: int = 4
    waiting: int = 200
    memory: int = 2 << 30


class Service:
    """One store, served; ``unwritable`` says why it cannot be changed, if it cannot."""

    def __init__(self, store: Path, limits: Limits, unwritable: str = "") -> None:
        self.store = store
        self.limits = limits
        self.born = uuid4().hex[:8]
        self.looked_up = 0
        self._original = Original() if can_copy() else None
        more = limits.waiting, limits.memory, self._original
        self._readers = Workers("reader", store, limits.readers, *more)
        self.origin: Origin = (
            Still(store, unwritable) if unwritable else Changing(store, Workers("writer", store, 1, *more))
        )
        self._kept = store / SEARCH
        self._index: tuple[int, Path] | None = None
        self._indexing: asyncio.Task[None] | None = None
        self._indexes = 0
        self._quick = True
        self._unindexed = Seldom(LOG, "the index of names is not made")

    async def start(self) -> None:
        """Start the workers side by side and have something to show; Refusal if one of these cannot be."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._readers.start())
                group.create_task(self.origin.start())
        except ExceptionGroup as group:  # no except*: Python before 3.11.4 puts what is raised there into a group
            refused, others = group.split(Refusal)
            if refused is None or others is not None:
                raise
            # The first is the reason, and what the other task did was ended for it.
            await self._end_workers()
            raise refused.exceptions[0] from None
        if has_index(self._kept):
            self._index = 0, self._kept

    async def _end_workers(self) -> None:
        await asyncio.gather(self._readers.close(), self.origin.close())
        if self._original:
            await self._original.close()

    @property
    def workers(self) -> tuple[Workers, ...]:
        """Those that answer and those that change."""
        return self._readers, *self.origin.workers

    @property
    def revision(self) -> int:
        """How many changes there have been since the server started."""
        return self.origin.revision

    @property
    def well(self) -> bool:
        """Whether there are workers to answer, and what they are to answer from."""
        return self._readers.well and self.origin.well

    async def close(self) -> None:
        """End the workers and remove the snapshots."""
        if self._indexing:
            self._indexing.cancel()
        await self._end_workers()
        index, trouble = self._index, self.origin.trouble
        # the next server need not make it again
        if index and index[0] == self.revision and index[1] != self._kept and not trouble:
            shutil.rmtree(self._kept, ignore_errors=True)
            with suppress(OSError):  # then it will
                index[1].rename(self._kept)
        shutil.rmtree(self.origin.scratch, ignore_errors=True)

    @asynccontextmanager
    async def reading(self, job: Job, client: str) -> AsyncIterator[tuple[Working, int]]:
        """Have a reader do a job; what it says, and the revision it says it of."""
        shown = await self.origin.shown()
        with shown.used():
            order = Order(job=job, snapshot=str(shown.folder), bytes=self.limits.bytes)
            async with self._readers.job(order, client) as working:
                yield working, shown.revision

    def changing(self, job: Job, client: str) -> AbstractAsyncContextManager[Working]:
        """Have the writer do a job."""
        return self.origin.changing(job, client)

    def look_up(self, pattern: Pattern) -> tuple[bytes, int] | None:
        """What a pattern fits, in JSON, and the revision that is said of; None if a reader is to answer.

        It is if the answer is long, and after a change until the snapshot that holds it is open here too.
        """
        shown = self.origin.latest()
        if shown is None:
            return None
        if shown.opened is None:
            shown.open_soon()
            return None
        if shown.opened.doubted:  # readers say so beside their answers
            return None
        try:
            body = shown.opened.look_up(pattern, min(MOST_ROWS, self.limits.rows or MOST_ROWS))
        except QueryError:  # a reader says what is wrong with it
            return None
        if body is None or len(body) > min(MOST_BYTES, self.limits.bytes or MOST_BYTES):
            return None
        self.looked_up += 1
        return body, shown.revision

    @asynccontextmanager
    async def searching(self, job: FindNames, client: str) -> AsyncIterator[tuple[Working, int]]:
        """Have a reader search; where an index takes long to make, the one before serves meanwhile."""
        if self._index is None or self._index[0] < self.revision:
            if self._indexing is None:
                self._indexing = asyncio.create_task(self._make_index())
                # perhaps nobody waits for it; what it fails of has been logged
                self._indexing.add_done_callback(lambda made: made.cancelled() or made.exception())
            if self._index is None or self._quick:
                await asyncio.shield(self._indexing)  # others wait for it too
        assert self._index
        async with self.reading(replace(job, index=str(self._index[1])), client) as opened:
            yield opened

    async def _make_index(self) -> None:
        started = asyncio.get_running_loop().time()
        self._indexes += 1
        made = self.origin.scratch / f"{self._indexes}{INDEX}"
        try:
            async with self.reading(MakeIndex(folder=str(made)), "") as (working, revision):
                await working.result()
        except Refusal as refusal:
            shutil.rmtree(made, ignore_errors=True)
            if refusal.detail != self.origin.trouble:  # that has been said
                self._unindexed.error(reason=refusal.detail)
            if isinstance(refusal, Unable):
                said = self.origin.trouble or f"the index of names cannot be made: {reason_in(refusal.detail)}"
                raise Unable(503, said, refusal.headers) from refusal
            raise
        finally:
            self._indexing = None
        before, self._index = self._index, (revision, made)
        self._quick = asyncio.get_running_loop().time() - started < QUICK
        if before and before[1].parent == self.origin.scratch:
            shutil.rmtree(before[1], ignore_errors=True)
