"""The store as it was at one revision, for readers to answer from, and what such revisions come from.

Changing   a writer makes changes; each is a revision, of which a snapshot is made when somebody asks
Still      nobody can write the store: its own files are the one snapshot
"""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from mdw.model.errors import StoreError
from mdw.server.workers.jobs import Job
from mdw.server.workers.pool import Workers, Working
from mdw.store.snapshot import Snapshot

LOG = logging.getLogger("mdw.server")


@dataclass(slots=True)
class Checkpoint:
    """A snapshot: its folder, the revision it holds, when it was made, how many jobs read it; it may be open here."""

    folder: Path
    revision: int
    made: float
    users: int = 0
    opened: Snapshot | None = None
    _replaced: bool = False
    _opening: asyncio.Task[None] | None = None

    @contextmanager
    def used(self) -> Iterator[None]:
        """Its folder stays while the block runs."""
        self.users += 1
        try:
            yield
        finally:
            self.users -= 1
            self._sweep()

    def replace(self, newer: Checkpoint) -> None:
        """A newer one is in its place: its folder goes with the last job that reads it."""
        if self.opened:  # somebody asks for patterns, and will again
            newer.open_soon()
        self._replaced = True
        self._sweep()

    def open_soon(self) -> None:
        """Open it in this process as well, in a while; once, however often this is asked."""
        self._opening = self._opening or asyncio.create_task(self._open())

    async def _open(self) -> None:
        with self.used():
            try:
                self.opened = await asyncio.to_thread(Snapshot, self.folder)
            except StoreError as error:
                LOG.error("readers answer everything", extra={"reason": str(error)})
            finally:
                self._opening = None

    def _sweep(self) -> None:
        if self._replaced and not self.users:
            shutil.rmtree(self.folder, ignore_errors=True)


class Origin(Protocol):
    """What checkpoints are of: one store, whether it changes or not."""

    scratch: Path
    """A folder for what is made of checkpoints; whoever closes the origin removes it."""
    trouble: str
    """Why nothing can be changed just now; empty if anything can."""

    @property
    def workers(self) -> tuple[Workers, ...]:
        """The workers that change it."""

    @property
    def revision(self) -> int:
        """How many changes there have been since the server started."""

    @property
    def well(self) -> bool:
        """Whether there is something to answer from that holds all that was acknowledged."""

    async def start(self) -> None:
        """Be ready to show something; Refusal if that cannot be."""

    async def close(self) -> None:
        """End what runs."""

    async def shown(self) -> Checkpoint:
        """A snapshot that holds every change acknowledged so far; Refusal if none can be made."""

    def latest(self) -> Checkpoint | None:
        """The same if it is there already."""

    def changing(self, job: Job, client: str) -> AbstractAsyncContextManager[Working]:
        """Have a change made; Refusal if it cannot be."""
