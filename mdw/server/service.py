"""What the server does with its workers: readers answer from a snapshot, one writer changes the store.

    change -> writer -> next revision -> snapshot of it (hard links) -> readers

Whoever asks after a change was acknowledged is answered from a snapshot that holds it. Changes come one after another;
questions go on in the snapshot before while one is under way, and while none can be made, because the disk is full for
one: as long as it holds all that was acknowledged. Meanwhile the store is opened again and again (`Service._mend`).

Point queries the service looks up itself, in the snapshot that is in force: nobody changes it, and a hundred quads take
no time that would have to be ended.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from uuid import uuid4

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.errors import QueryError, StoreError
from mdw.server.refusal import Dead, Refusal, Unable
from mdw.server.seldom import Seldom
from mdw.server.watch import REST, Watch
from mdw.server.workers.copying import Original, can_copy
from mdw.server.workers.jobs import FindNames, Job, MakeIndex, Order, ReopenStore, RunUpdate, TakeSnapshot
from mdw.server.workers.pool import Workers, Working
from mdw.server.workers.reply import INDEX
from mdw.store.directory import MARKER, SEARCH, has_index
from mdw.store.pattern import Pattern
from mdw.store.snapshot import Snapshot

LOG = logging.getLogger("mdw.server")
QUICK = 2.0
"""Seconds that whoever searches waits for an index of what has just changed."""
OFTEN = 0.1
"""Seconds between snapshots that are made before updates."""
MOST_ROWS = 100
"""Quads that are looked at for an answer that the server gives itself."""
MOST_BYTES = 1 << 14
"""Bytes of such an answer."""
PAUSE = 1.0
"""Seconds between looks whether a store that cannot be written can be again."""
LONGEST = 30.0
"""Seconds between attempts to open it, at most."""
PROBE = 1 << 20
"""Bytes there are to be room for before it is tried."""
SNAPSHOTS = "snapshots"
"""Where snapshots are, within the store's folder; `Directory.sweep` leaves it alone."""


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


@dataclass(slots=True)
class Checkpoint:
    """A snapshot: its folder, the revision it holds, when it was made, how many jobs read it; it may be open here."""

    folder: Path
    revision: int
    made: float
    users: int = 0
    opened: Snapshot | None = None


class Service:
    """One store, served."""

    def __init__(self, store: Path, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.born = uuid4().hex[:8]
        self.snapshots = store / SNAPSHOTS
        self._original = Original() if can_copy() else None
        more = limits.waiting, limits.memory, self._original
        self.readers, self.writer = Workers("reader", store, limits.readers, *more), Workers("writer", store, 1, *more)
        self._kept = store / SEARCH
        self._marker = Watch(store / MARKER)
        self._marker_lately = Watch(store / MARKER, REST)
        self._shown: Checkpoint | None = None
        self._index: tuple[int, Path] | None = None
        self._indexing: asyncio.Task[None] | None = None
        self._quick = True
        self.looked_up = 0
        self.trouble = ""
        """Why nothing can be changed just now."""
        self._failing = Seldom(LOG, "the store cannot be written")
        self._unindexed = Seldom(LOG, "the index of names is not made")
        self._mending: asyncio.Task[None] | None = None
        self._revision = self._needed = 0
        self._marked = 0
        self._opening: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()

    async def start(self) -> None:
        """Start the workers side by side and make the first snapshot; Refusal if one of these cannot be."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self.readers.start())
                group.create_task(self._begin())
        except* Refusal as refused:  # the first is the reason, and what the other task did was ended for it
            await self._end_workers()
            raise refused.exceptions[0] from None

    async def _end_workers(self) -> None:
        await asyncio.gather(self.readers.close(), self.writer.close())
        if self._original:
            await self._original.close()

    async def _begin(self) -> None:
        await self.writer.start()
        shutil.rmtree(self.snapshots, ignore_errors=True)
        self.snapshots.mkdir(PRIVATE_FOLDER)
        self._marked = self._marker.changed()
        await self.shown()
        if has_index(self._kept):
            self._index = 0, self._kept

    @property
    def revision(self) -> int:
        """How many changes there have been since the server started."""
        return self._revision

    @property
    def well(self) -> bool:
        """Whether there are workers to answer, and what they are to answer from."""
        return self.readers.well and (self._enough if self.trouble else self.writer.well)

    @property
    def _enough(self) -> bool:
        """Whether the last snapshot holds all that was acknowledged."""
        return self._shown is not None and self._shown.revision >= self._needed

    async def close(self) -> None:
        """End the workers and remove the snapshots."""
        for task in (self._indexing, self._mending):
            if task:
                task.cancel()
        await self._end_workers()
        # the next server need not make it again
        if self._index and self._index[0] == self.revision and self._index[1] != self._kept:
            shutil.rmtree(self._kept, ignore_errors=True)
            with suppress(OSError):  # then it will
                self._index[1].rename(self._kept)
        shutil.rmtree(self.snapshots, ignore_errors=True)

    @asynccontextmanager
    async def reading(self, job: Job, client: str) -> AsyncIterator[tuple[Working, int]]:
        """Have a reader do a job; what it says, and the revision it says it of."""
        shown = await self.shown()
        shown.users += 1
        try:
            order = Order(job=job, snapshot=str(shown.folder), bytes=self.limits.bytes)
            async with self.readers.job(order, client) as working:
                yield working, shown.revision
        finally:
            shown.users -= 1
            self._sweep(shown)

    def look_up(self, pattern: Pattern) -> tuple[bytes, int] | None:
        """What a pattern fits, in JSON, and the revision that is said of; None if a reader is to answer.

        It is if the answer is long, and after a change until the snapshot that holds it is open here too.
        """
        # A snapshot behind the last change is not asked: whoever was told of that change is to find it.
        shown = self._shown
        if shown is None or shown.revision != self._revision or self._marker_lately.changed() != self._marked:
            return None
        if shown.opened is None:
            self._open_soon(shown)
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

    def _open_soon(self, shown: Checkpoint) -> None:
        self._opening = self._opening or asyncio.create_task(self._open(shown))

    async def _open(self, shown: Checkpoint) -> None:
        shown.users += 1  # its folder stays until it is open
        try:
            shown.opened = await asyncio.to_thread(Snapshot, shown.folder)
        except StoreError as error:
            LOG.error("readers answer everything", extra={"reason": str(error)})
        finally:
            self._opening = None
            shown.users -= 1
            self._sweep(shown)

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
        try:
            async with self.reading(MakeIndex(), "") as (working, revision):
                await working.result()
        except Refusal as refusal:
            if not self.trouble:  # that has been said
                self._unindexed.error(reason=refusal.detail)
            raise
        finally:
            self._indexing = None
        before, self._index = self._index, (revision, self.snapshots / f"{revision}{INDEX}")
        self._quick = asyncio.get_running_loop().time() - started < QUICK
        if before and before[1].parent == self.snapshots:
            shutil.rmtree(before[1], ignore_errors=True)

    @asynccontextmanager
    async def changing(self, job: Job, client: str) -> AsyncIterator[Working]:
        """Have the writer do a job, when those before it are done.

        Whoever asks meanwhile is answered from a snapshot, so one is made before (of updates that follow each other
        fast, not before each), and those who have been waiting for it go first.
        """
        # the lock is let go of in between: whoever waits for that snapshot need not wait for the change
        async with self._changing:
            self._check()
            if not isinstance(job, RunUpdate) or self._shown is None or monotonic() - self._shown.made > OFTEN:
                await self._take()
        async with self._changing:
            self._check()
            # also if it fails: it may have been carried out, and then been killed
            revision, needed = self._revision + 1, True
            try:
                async with self.writer.job(Order(job=job), client) as working:
                    yield working
            except Refusal as refusal:
                needed = isinstance(refusal, Dead)  # else the client is told that it has failed
                self._refused(refusal)
                raise
            finally:
                self._revision = revision
                self._needed = revision if needed else self._needed
                self._marked = self._marker.changed()

    def _check(self) -> None:
        if self.trouble:
            raise Unable(503, self.trouble, {"Retry-After": "1"})

    def _refused(self, refusal: Refusal) -> None:
        if isinstance(refusal, Unable):
            self._mending = self._mending or asyncio.create_task(self._mend())

    async def _mend(self) -> None:
        """Open the store again until it can be written: once one write has failed, the engine refuses all."""
        pause = PAUSE
        try:
            while not await self._reopened():
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST)  # each attempt may leave files behind
                while not await asyncio.to_thread(self._takes_files):
                    await asyncio.sleep(PAUSE)
        finally:
            self.trouble, self._mending = "", None
            self._failing.over("the store can be written again")

    async def _reopened(self) -> bool:
        try:
            async with self._changing:
                await self._writes(ReopenStore())
                await self._take()
        except Refusal as refusal:
            # what the system says is for everybody, names of files are for the log
            self.trouble = f"the store cannot be written: {refusal.detail.rpartition(': ')[2]}"
            self._failing.error(reason=refusal.detail)
            return False
        return True

    def _takes_files(self) -> bool:
        """Whether a file as large as the engine may need can be written beside the store."""
        probe = self.snapshots / "probe"
        try:
            probe.write_bytes(bytes(PROBE))
        except OSError:
            return False
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
        return True

    async def shown(self) -> Checkpoint:
        """A snapshot that holds every change acknowledged so far, and what another process has rebuilt."""
        # While nothing can be changed the last snapshot is as good as a new one, if it has all that was acknowledged.
        if self.trouble and self._shown and self._enough:
            return self._shown
        self._check()
        if self._marker.changed() != self._marked and not self._changing.locked():
            await self._reopen()
        wanted = self.revision  # what comes after this question need not be in it
        while self._shown is None or self._shown.revision < wanted:
            try:
                async with self._changing:
                    await self._take()
            except Unable:
                if self._shown is None or not self._enough:
                    raise
                break
        return self._shown

    async def _reopen(self) -> None:
        async with self._changing:
            if (marked := self._marker.changed()) != self._marked:  # nobody else was faster
                await self._writes(ReopenStore())
                self._marked = marked
                self._revision += 1

    async def _take(self) -> None:
        """Make a snapshot of the store as it is, unless there is one; nothing may change meanwhile."""
        if self._shown and self._shown.revision == self.revision:
            return
        revision = self.revision
        folder = self.snapshots / str(revision)
        for left in (folder, folder.with_suffix(".tmp")):  # by an attempt that has failed
            shutil.rmtree(left, ignore_errors=True)
        try:
            await self._writes(TakeSnapshot(folder=str(folder)))
        except Refusal as refusal:
            self._refused(refusal)
            raise
        before, self._shown = self._shown, Checkpoint(folder, revision, monotonic())
        if before:
            if before.opened:  # somebody asks for patterns, and will again
                self._open_soon(self._shown)
            self._sweep(before)

    async def _writes(self, job: Job) -> None:
        async with self.writer.job(Order(job=job)) as working:
            await working.result()

    def _sweep(self, shown: Checkpoint) -> None:
        if shown is not self._shown and not shown.users:
            shutil.rmtree(shown.folder, ignore_errors=True)
