"""The folder of a store on disk: a marker file that names the generation in force, and that generation's folder.

A big load fills a new generation beside the one in force; moving the marker puts it in force at one stroke. Whatever
the marker does not name is left over from a load that never ended, and is swept away.
"""

from __future__ import annotations

import errno
import shutil
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO

from mdw.drafting import DRAFT, PRIVATE_FILE, PRIVATE_FOLDER, drafted, private_folder, put_on_disk
from mdw.model.errors import StoreError, system_says

MARKER = "mdw.store"
HEADER = "mdw store 1"
SEARCH = "search"
FILES = "files.sqlite"
CHANGES, SUMS = "changes", "sums"
READY = "ready"
"""The file that says an index is whole and speaks of the store as it is."""
ONE_AT_A_TIME = "one process at a time may open it; wait, or ask the server that serves it"
_LEFT = 3600.0
"""Seconds after which nobody is still writing a draft."""


class Directory:
    """Where one store keeps its generations."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = 0
        try:
            self._prepare()
        except OSError as error:
            raise StoreError(f"{path} cannot hold a store: {system_says(error)}") from error

    @property
    def current(self) -> Path:
        """The folder of the generation in force."""
        try:
            header, _, generation = (self.path / MARKER).read_text(encoding="utf-8").strip().partition("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{self.path} is not a store that can be read: its {MARKER} file is damaged") from error
        if header != HEADER or not generation.isdecimal():
            raise StoreError(f"{self.path} was written by another version of mdw, which calls it {header!r}")
        return self.path / generation

    def fresh(self) -> Path:
        """A folder that does not exist yet, for the next generation."""
        self._last = max(self._last, int(self.current.name)) + 1
        return self.path / str(self._last)

    def give_up(self, generation: Path) -> None:
        """Remove a generation that is not to be; one that has come into force all the same stays."""
        if generation != self.current:
            shutil.rmtree(generation, ignore_errors=True)

    def put_in_force(self, generation: str) -> None:
        """Make a generation the current one; a crash leaves either the old one or the new one in force.

        The generation's files must be on the disk; its names are when the marker says so.
        """
        # The marker is last: whatever it names is there.
        put_on_disk(self.path / generation)
        put_on_disk(self.path)
        with drafted(self.path / MARKER, private=True) as draft:
            draft.write_text(f"{HEADER}\n{generation}\n", encoding="utf-8")

    @property
    def search(self) -> Path:
        """Where an index of the names in the store is kept."""
        return self.path / SEARCH

    @property
    def files(self) -> Path:
        """Where it is kept from what files the store was filled."""
        return self.path / FILES

    @property
    def changes(self) -> Path:
        """Where it is kept how many changes the store has seen."""
        return self.path / CHANGES

    @property
    def sums(self) -> Path:
        """Where the sums of the engine's tables are kept."""
        return self.path / SUMS

    def changing(self) -> None:
        """What was worked out from the store is about to be out of date."""
        (self.search / READY).unlink(missing_ok=True)

    def sweep(self) -> None:
        """Remove every generation but the current one, whole or begun (``2.tmp``), that no other process has open.

        Of the current one the engine's accounts of former openings go, which it would keep a thousand of.
        """
        keep = self.current
        for account in keep.glob("LOG.old.*"):
            with suppress(OSError):
                account.unlink()
        for folder in self.path.iterdir():
            # Another process may still answer from the generation before: its files stay until it has ended.
            if folder.stem.isdecimal() and folder != keep and not in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)
            elif folder.suffix == DRAFT and folder.is_file():
                with suppress(OSError):
                    if time.time() - folder.stat().st_mtime > _LEFT:
                        folder.unlink()

    def _prepare(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise StoreError(f"{self.path} is a file, a store is a folder")
        private_folder(self.path)
        if (self.path / MARKER).exists():
            return
        # A process that was killed here may have left drafts, and a generation that nothing is in.
        if any(entry.suffix != DRAFT and not _is_begun(entry) for entry in self.path.iterdir()):
            raise StoreError(f"{self.path} holds other files and is no store")
        private_folder(self.path / "1")
        self.put_in_force("1")


def is_store(folder: Path) -> bool:
    """Whether a folder holds a store."""
    return (folder / MARKER).is_file()


def make_private(folder: Path) -> None:
    """Files that the engine has made in a folder, for its owner alone, as far as the folder itself is so."""
    if folder.stat().st_mode & 0o077:
        return  # somebody lets others in
    for path in folder.iterdir():
        with suppress(OSError):  # gone meanwhile, or another's
            path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)


def listed(generation: Path) -> int:
    """Bytes of the engine's list of its tables: it grows with every change, and is begun anew at every opening."""
    return max((path.stat().st_size for path in generation.glob("MANIFEST-*")), default=0)


def seal_index(folder: Path) -> None:
    """Say that the index of names in a folder is whole, and what its files are."""
    make_private(folder)
    (folder / READY).touch(PRIVATE_FILE)
    (folder / READY).write_text(_digest(folder))


def has_index(folder: Path) -> bool:
    """Whether a folder holds an index that is whole and what it was: its library does not look."""
    with suppress(OSError):
        return (folder / READY).read_text() == _digest(folder)
    return False


def _digest(folder: Path) -> str:
    found = sha256()
    for path in sorted(folder.iterdir()):
        if path.name != READY and not path.name.startswith("."):  # what begins with a dot are locks
            found.update(f"{path.name} {path.stat().st_size}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def _is_begun(entry: Path) -> bool:
    return entry.name == "1" and entry.is_dir() and not any(entry.iterdir())


def existing(store: Path) -> None:
    """StoreError if a folder is no store."""
    if not is_store(store):
        raise StoreError(f"there is no store at {store}; make one with: mdw load FILES --store {store}")


def kept_from_writers(generation: Path) -> IO[bytes] | None:
    """A lock that lets others read a generation, but not open it for writing, until the file is closed.

    None where there are no such locks. BlockingIOError if a process has it open for writing.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        file = (generation / "LOCK").open("rb")
    except OSError:
        return None  # what cannot be read is said of the files that must be
    try:
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise BlockingIOError(error.errno, error.strerror) from error
        return None  # a file system without locks
    return file


def in_use(generation: Path) -> bool:
    """Whether another process holds the engine's lock on a generation; where locks are otherwise, removing it fails."""
    try:
        import fcntl
    except ImportError:
        return False
    try:
        with (generation / "LOCK").open("rb+") as file:
            # Taking the lock and letting go of it at once tells whether somebody has it.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    return False
