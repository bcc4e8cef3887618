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
from mdw.server.refusal import Dead, Refusal, Unable
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
LONGEST = 30.0
"""Seconds between attempts to open it, at most."""
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
        async with self._changing:
            self._check()
            if not isinstance(job, RunUpdate) or self._shown is None or monotonic() - self._shown.made > OFTEN:
                await self._take()
        async with self._changing:
            self._check()
            # also if it fails: it may have been carried out, and then been killed
            revision, needed = self._revision + 1, True
            try:
                async with self._writer.job(Order(job=job), client) as working:
                    yield working
            except Refusal as refusal:
                needed = isinstance(refusal, Dead)  # else the client is told that it has failed
                # a backup may fail for want of room where it goes to: that says nothing of the store
                self._refused(refusal, tells=not isinstance(job, MakeBackup))
                raise
            finally:
                self._revision = revision
                self._needed = revision if needed else self._needed
                self._marked = self._marker.changed()

    def _check(self) -> None:
        if self.trouble:
            raise Unable(503, self.trouble, {"Retry-After": "1"})

    def _refused(self, refusal: Refusal, *, tells: bool = True) -> None:
        """Begin to open the store again, if that is what could not be written; ``tells``: it is known to be so."""
        if not isinstance(refusal, Unable):
            return
        if tells:
            self._tell(refusal)
        self._mending = self._mending or asyncio.create_task(self._mend())

    def _tell(self, refusal: Refusal) -> None:
        """Say to everybody what the system says; names of files are for the log."""
        self.trouble = f"the store cannot be written: {refusal.detail.rpartition(': ')[2]}"
        self._failing.error(reason=refusal.detail)

    async def _mend(self) -> None:
        """Open the store again until it can be written: once one write has failed, the engine refuses all.

        Who asks for a change meanwhile waits for the attempt under way (`_changing`), so a failure that is over at once
        costs nobody but those it has struck.
        """
        pause = PAUSE
        try:
            while not await self._reopened():
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST)  # each attempt may leave files behind
                while await asyncio.to_thread(self._obstacle):
                    await asyncio.sleep(PAUSE)
        finally:
            self.trouble, self._mending = "", None
            self._failing.over("the store can be written again")

    async def _reopened(self) -> bool:
        try:
            async with self._changing:
                await self._writes(ReopenStore())
                await self._take()
                # an engine that opens tidies up, and so finds room where the next change finds none
                if obstacle := await asyncio.to_thread(self._obstacle):
                    raise Unable(503, obstacle)
        except Refusal as refusal:
            self._tell(refusal)
            return False
        return True

    def _obstacle(self) -> str:
        """Why a file as large as the engine may need cannot be written beside the store; empty if it can."""
        probe = self.scratch / "probe"
        try:
            probe.write_bytes(bytes(PROBE))
        except OSError as error:
            return f"{probe} cannot be written: {system_says(error)}"
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
        return ""

    async def shown(self) -> Checkpoint:
        """A snapshot that holds every change acknowledged so far, and what another process has rebuilt."""
        # While nothing can be changed the last snapshot is as good as a new one, if it has all that was acknowledged.
        if self.trouble and self._shown and self._enough:
            return self._shown
        if self._marker.changed() != self._marked and not self._changing.locked():
            await self._reopen()
        wanted = self.revision  # what comes after this question need not be in it
        while self._shown is None or self._shown.revision < wanted:
            try:
                async with self._changing:
                    self._check()
                    await self._take()
            except Unable:
                if self._shown is None or not self._enough:
                    raise
                break
        return self._shown

    async def _reopen(self) -> None:
        async with self._changing:
            self._check()
            if (marked := self._marker.changed()) != self._marked:  # nobody else was faster
                await self._writes(ReopenStore())
                self._marked = marked
                self._revision += 1

    async def _take(self) -> None:
        """Make a snapshot of the store as it is, unless there is one; nothing may change meanwhile."""
        if self._shown and self._shown.revision == self.revision:
            return
        revision = self.revision
        folder = self.scratch / str(revision)
        for left in (folder, folder.with_suffix(".tmp")):  # by an attempt that has failed
            shutil.rmtree(left, ignore_errors=True)
        try:
            await self._writes(TakeSnapshot(folder=str(folder)))
        except Refusal as refusal:
            self._refused(refusal)
            raise
        before, self._shown = self._shown, Checkpoint(folder, revision, monotonic())
        if before:
            before.replace(self._shown)

    async def _writes(self, job: Job) -> None:
        async with self._writer.job(Order(job=job)) as working:
            await working.result()
