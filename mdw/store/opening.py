"""Opening the engine in a store's folder: for changes, or for questions alone where nobody can write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO

import pyoxigraph as ox

from mdw.model.errors import StoreError
from mdw.rdf.documents import line_of
from mdw.store.changes import Changes
from mdw.store.directory import ONE_AT_A_TIME, Directory, kept_from_writers, make_private
from mdw.store.failures import FAILURES, failing_as, refused_writing
from mdw.store.sums import Sums


@dataclass(frozen=True, slots=True)
class OpenedEngine:
    """The engine and, where it is in a folder: its ``generation``, the sums of its files, and the changes it counts.

    Where it is open for questions alone ``unwritable`` says why, and ``reading`` keeps writers away.
    """

    quads: ox.Store
    generation: str = ""
    sums: Sums | None = None
    counted: Changes | None = None
    unwritable: str = ""
    reading: IO[bytes] | None = None


def opened(directory: Directory, *, or_read: bool) -> OpenedEngine:
    """The engine in the generation that is in force; StoreError if it cannot be opened.

    With ``or_read`` one that cannot be written is opened for questions alone.
    """
    # Again where another process puts a new generation in force between a look at the marker and the opening: the
    # folder opened is then the former one, and may be gone.
    while True:
        folder = directory.current
        if not folder.is_dir():
            raise StoreError(f"the store {directory.path} cannot be opened: its folder {folder.name} is gone")
        reason, reading = "", None
        try:
            quads = ox.Store(str(folder))
        except FAILURES as error:
            reason = refused_writing(error)
            # What is damaged is said with other types of error, of blocks for example, and is nobody's lock.
            if isinstance(error, OSError) and "lock" in str(error).lower() and not reason:
                raise _in_use(directory) from error
            if not or_read or not reason:
                raise StoreError(f"the store {directory.path} cannot be opened: {line_of(error)}") from error
            quads, reading = _for_questions(directory, folder)
        if folder == directory.current:  # else another process has just put a new generation in force
            sums = Sums(folder, directory.sums)
            with failing_as(StoreError, f"the store {directory.path} cannot be opened"):
                counted = Changes(quads, folder, directory.changes)
            if not reason:
                make_private(folder)
                directory.sweep()
            return OpenedEngine(quads, folder.name, sums, counted, reason, reading)


def _for_questions(directory: Directory, folder: Path) -> tuple[ox.Store, IO[bytes] | None]:
    """The engine for questions alone, while no process can write."""
    # The engine would not notice one that writes meanwhile, and answer from half of what it wrote.
    try:
        reading = kept_from_writers(folder)
    except BlockingIOError as error:
        raise _in_use(directory) from error
    with failing_as(StoreError, f"the store {directory.path} cannot be opened"):
        return ox.Store.read_only(str(folder)), reading


def _in_use(directory: Directory) -> StoreError:
    return StoreError(f"the store {directory.path} is in use: {ONE_AT_A_TIME}")
