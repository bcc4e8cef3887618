"""A store that cannot be written, on a full disk or one that is read only: it is answered from as it is.

Its own files are the one snapshot. The process that serves it keeps writers out as long as it runs
(`mdw.store.engine.Store`), so nobody changes these files meanwhile; when the disk can be written again it has to be
started anew.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import monotonic
from typing import NoReturn

from mdw.model.errors import system_says
from mdw.server.checkpoint import Checkpoint
from mdw.server.refusal import Refusal, Unable
from mdw.server.workers.jobs import Job
from mdw.server.workers.pool import Workers
from mdw.store.directory import Directory


class Still:
    """The store in a folder; ``reason`` says why it cannot be written."""

    workers: tuple[Workers, ...] = ()
    revision = 0
    well = True

    def __init__(self, store: Path, reason: str) -> None:
        self.trouble = f"the store can only be read: {reason}"
        self.scratch = Path()
        self._shown = Checkpoint(Directory(store).current, 0, monotonic())

    async def start(self) -> None:
        """Find room for what is made beside it, elsewhere; Refusal if there is none."""
        try:
            self.scratch = Path(tempfile.mkdtemp(prefix="mdw-"))
        except OSError as error:
            raise Refusal(503, f"there is no room for temporary files: {system_says(error)}") from error

    async def close(self) -> None:
        """Nothing runs."""

    async def shown(self) -> Checkpoint:
        """Always the same."""
        return self._shown

    def latest(self) -> Checkpoint:
        """Always the same."""
        return self._shown

    def changing(self, job: Job, client: str) -> NoReturn:  # noqa: ARG002  as others are asked
        """Refusal, in any case."""
        raise Unable(503, self.trouble)
