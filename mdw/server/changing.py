"""A store that changes: one writer, a revision for each change, a snapshot of a revision when somebody asks.

    change -> writer -> next revision -> snapshot of it (hard links) -> readers

Whoever asks after a change was acknowledged is answered from a snapshot that holds it. Changes come one after another;
questions go on in the snapshot before while one is under way, and while none can be made, because the disk is full for
one: as long as it holds all that was acknowledged. From the first change that fails so `Changing.trouble` says why, and
changes are refused. Meanwhile the store is opened again and again (`Changing._mend`).
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from time import monotonic

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.errors import system_says
from mdw.server.checkpoint import Checkpoint
from mdw.server.refusal import Dead, Refusal, Unable, reason_in
from mdw.server.seldom import Seldom
from mdw.server.watch import REST, Watch
from mdw.server.workers.jobs import Job, MakeBackup, Order, ReopenStore, RunUpdate, TakeSnapshot
from mdw.server.workers.pool import Workers, Working
from mdw.store.directory import MARKER

LOG = logging.getLogger("mdw.server")
OFTEN = 0.1
"""Seconds between snapshots that are made before updates."""
PAUSE = 1.0
"""Seconds between looks whether a store that cannot be written can be again."""
LONGEST = 5.0
"""Seconds between attempts to open it, at most."""
OPENING = 60.0
"""Seconds that such an attempt may take."""
PROBE = 1 << 20
"""Bytes there are to be room for before it is tried."""
SNAPSHOTS = "snapshots"
"""Where snapshots are, within the store's folder; `Directory.sweep` leaves it alone."""


class Changing:
    """The store in a folder, changed by the one worker of ``writer``."""

    def __init__(self, store: Path, writer: Workers) -> None:
        self.scratch = store / SNAPSHOTS
        self.trouble = ""
        self._writer = writer
        self._marker = Watch(store / MARKER)
        self._marker_lately = Watch(store / MARKER, REST)
        self._shown: Checkpoint | None = None
        self._failing = Seldom(LOG, "the store cannot be written")
        self._mending: asyncio.Task[None] | None = None
        self._revision = self._needed = 0
        self._marked = 0
        self._changing = asyncio.Lock()
        self._tried = asyncio.Event()
        self._tried.set()

    @property
    def workers(self) -> tuple[Workers, ...]:
        """The writer."""
        return (self._writer,)

    @property
    def revision(self) -> int:
        """How many changes there have been since the server started."""
        return self._revision

    @property
    def well(self) -> bool:
        """Whether the writer is, or else the last snapshot holds all that was acknowledged."""
        return self._enough if self.trouble else self._writer.well

    @property
    def _enough(self) -> bool:
        """Whether the last snapshot holds all that was acknowledged."""
        return self._shown is not None and self._shown.revision >= self._needed

    async def start(self) -> None:
        """Start the writer and make the first snapshot; Refusal if one of these cannot be."""
        await self._writer.start()
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(PRIVATE_FOLDER)
        self._marked = self._marker.changed()
        await self.shown()

    async def close(self) -> None:
        """End the writer."""
        if self._mending:
            self._mending.cancel()
        await self._writer.close()

    def latest(self) -> Checkpoint | None:
        """The snapshot, if it holds everything as it is.

        One behind the last change does not: whoever was told of that change is to find it.
        """
        shown = self._shown
        if shown is None or shown.revision != self._revision or self._marker_lately.changed() != self._marked:
            return None
        return shown

    @asynccontextmanager
    async def changing(self, job: Job, client: str) -> AsyncIterator[Working]:
        """Have the writer do a job, when those before it are done.

        Whoever asks meanwhile is answered from a snapshot, so one is made before (of updates that follow each other
        fast, not before each), and those who have been waiting for it go first.
        """
        # the lock is let go of in between: whoever waits for that snapshot need not wait for the change
        async with self._turn():
            if not isinstance(job, RunUpdate) or self._shown is None or monotonic() - self._shown.made > OFTEN:
                await self._take()
        async with self._turn():
            # also if it fails: it may have been carried out, and then been killed
            revision, needed = self._revision + 1, True
            try:
                async with self._writer.job(Order(job=job), client) as working:
                    yield working
            except Refusal as refusal:
                needed = isinstance(refusal, Dead)  # else the client is told that it has failed
                if isinstance(refusal, Unable):
                    self._mend_soon()
                    if not isinstance(job, MakeBackup):  # it may be the place it goes to that has no room
                        raise self._unable(refusal.detail) from refusal
                raise
            finally:
                self._revision = revision
                self._needed = revision if needed else self._needed
                self._marked = self._marker.changed()

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """The writer to oneself; Unable while nothing can be written.

        Behind a failure the first attempt to mend it goes before all who wait: a failure that is over at once costs
        nobody but whom it has struck.
        """
        while True:
            await self._tried.wait()
            async with self._changing:
                if self._tried.is_set():
                    if self.trouble:
                        raise Unable(503, self.trouble, {"Retry-After": "1"})
                    yield
                    return

    def _unable(self, detail: str) -> Unable:
        """What everybody is told from now on: why, as the system says it; names of files are for the log."""
        self.trouble = f"the store cannot be written: {reason_in(detail)}"
        self._failing.error(reason=detail)
        return Unable(503, self.trouble, {"Retry-After": "1"})

    def _mend_soon(self) -> None:
        if not self._mending:
            self._tried.clear()
            self._mending = asyncio.create_task(self._mend())

    async def _mend(self) -> None:
        """Open the store again until it can be written: once one write has failed, the engine refuses all."""
        pause = PAUSE
        try:
            while (failure := await self._reopened()) is not None:
                self._unable(failure)
                self._tried.set()
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST)  # each attempt may leave files behind
                while (failure := await asyncio.to_thread(self._obstacle)) is not None:
                    self._unable(failure)
                    await asyncio.sleep(PAUSE)
            self._failing.over("the store can be written again")
        finally:
            self.trouble, self._mending = "", None
            self._tried.set()

    async def _reopened(self) -> str | None:
        """Why the store cannot be written though it is opened again; None if it can."""
        try:
            async with self._changing, asyncio.timeout(OPENING):
                await self._writes(ReopenStore(tries=True))
                await self._take()
                # an engine that opens tidies up, and so finds room where the next change finds none
                return await asyncio.to_thread(self._obstacle)
        except TimeoutError:
            return f"it is not opened again within {OPENING:.0f} seconds"
        except OSError as error:
            return system_says(error)
        except Refusal as refusal:
            return refusal.detail

    def _obstacle(self) -> str | None:
        """Why a file as large as the engine may need cannot be written beside the store; None if it can."""
        probe = self.scratch / "probe"
        try:
            self.scratch.mkdir(PRIVATE_FOLDER, exist_ok=True)
            probe.write_bytes(bytes(PROBE))
        except OSError as error:
            return f"{probe} cannot be written: {system_says(error)}"
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
        return None

    async def shown(self) -> Checkpoint:
        """A snapshot that holds every change acknowledged so far, and what another process has rebuilt."""
        # While nothing can be changed the last snapshot is as good as a new one, if it has all that was acknowledged.
        if self.trouble and self._shown and self._enough:
            return self._shown
        if self._marker.changed() != self._marked and not self._changing.locked():
            await self._reopen()
        wanted = self.revision  # what comes after this question need not be in it
        if not self._shows(wanted):
            try:
                async with self._turn():
                    await self._take()
            except Unable:
                if not self._enough:
                    raise
        assert self._shown
        return self._shown

    def _shows(self, revision: int) -> bool:
        """Whether there is a snapshot that holds a revision; somebody may have taken its folder away."""
        return self._shown is not None and self._shown.revision >= revision and self._shown.folder.exists()

    async def _reopen(self) -> None:
        async with self._turn():
            if (marked := self._marker.changed()) != self._marked:  # nobody else was faster
                await self._writes(ReopenStore())
                self._marked = marked
                self._revision += 1

    async def _take(self) -> None:
        """Make a snapshot of the store as it is, unless there is one; nothing may change meanwhile."""
        if self._shows(self.revision):
            return
        revision = self.revision
        folder = self.scratch / str(revision)
        for left in (folder, folder.with_suffix(".tmp")):  # by an attempt that has failed
            shutil.rmtree(left, ignore_errors=True)
        try:
            self.scratch.mkdir(PRIVATE_FOLDER, exist_ok=True)
            await self._writes(TakeSnapshot(folder=str(folder)))
        except Unable as refusal:
            self._mend_soon()
            raise self._unable(refusal.detail) from refusal
        before, self._shown = self._shown, Checkpoint(folder, revision, monotonic())
        if before and before.folder != folder:  # else it is what somebody has taken away
            before.replace(self._shown)

    async def _writes(self, job: Job) -> None:
        async with self._writer.job(Order(job=job)) as working:
            await working.result()
