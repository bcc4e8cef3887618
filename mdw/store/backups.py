"""Copies of a store on disk, and their way back into force.

A backup is a folder of the engine's files and ``SHA256SUMS``, a line for each of them; ``sha256sum -c`` reads it, too.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pyoxigraph as ox

from mdw.drafting import DRAFT, PRIVATE_FILE, PRIVATE_FOLDER, private_folder, put_on_disk
from mdw.model.errors import StoreError, system_says
from mdw.rdf.documents import line_of
from mdw.store.directory import ONE_AT_A_TIME, Directory, in_use, make_private
from mdw.store.engine import Store
from mdw.store.failures import FAILURES, failing_as

SUMS = "SHA256SUMS"
_BLOCK = 1 << 20
_OWN = ("LOCK", "LOG")
"""What the engine makes wherever it looks, and needs nowhere."""


def back_up(store: Store, folder: Path, *, copy: bool = False) -> None:
    """Copy a store into a new folder; files are shared with it, as hard links, where they can be, unless ``copy``.

    StoreError if the folder is there or cannot be made: then nothing of it is left.
    """
    if folder.exists():
        raise StoreError(f"{folder} is there already: a copy of a store takes a new folder")
    with _writing("the store cannot be copied"):
        # A folder that nobody can guess, so that nobody can be there before.
        draft = Path(tempfile.mkdtemp(DRAFT, ".", folder.absolute().parent))
        try:
            made = draft / "backup"
            with store.held() as quads, failing_as(StoreError, "the store cannot be copied"):
                if store.unwritable and store.generation:  # the engine would write there, and nobody can meanwhile
                    shutil.copytree(store.generation, made, ignore=shutil.ignore_patterns(*_OWN))
                else:
                    quads.backup(str(made))
            made.chmod(PRIVATE_FOLDER)
            make_private(made)
            _seal(made, copy=copy)
            # The name comes last: a folder of that name is a whole backup.
            made.rename(folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        put_on_disk(folder.absolute().parent)


def verify(backup: Path) -> bool:
    """Whether a backup has sums of its files, and then: StoreError unless each file is what it was."""
    sums = _sums(backup)
    for name in sums or ():
        with _reading(backup):
            _require(backup / name, _copied(backup / name, None), sums)
    return sums is not None


def restore(backup: Path, folder: Path) -> bool:
    """Put a backup in the place of what the store in ``folder`` holds; the store is made if it is not there.

    Whether its files could be compared with their sums: those of earlier versions have none. StoreError if the backup
    cannot be read, a file is not what it was, or the store is in use; the store is then what it was.
    """
    sums = _sums(backup)
    directory = Directory(folder)
    if in_use(directory.current):
        raise StoreError(f"the store {folder} is in use: {ONE_AT_A_TIME}")
    fresh = directory.fresh()
    try:
        with _reading(backup):
            names = sorted(path.name for path in backup.iterdir()) if sums is None else sorted(sums)
        with _writing("the backup cannot be restored"):
            private_folder(fresh)
            for name in names:
                if name not in _OWN:  # the lock file would carry the lock of whoever made the backup
                    _require(backup / name, _copied(backup / name, fresh / name), sums)
                    put_on_disk(fresh / name)
        try:
            ox.Store.read_only(str(fresh))
        except FAILURES as error:
            raise StoreError(f"{backup} is no backup of a store: {line_of(error)}") from error
        with _writing("the backup cannot be restored"):
            directory.put_in_force(fresh.name)
    finally:
        directory.give_up(fresh)
    directory.sweep()
    return sums is not None


def _seal(made: Path, *, copy: bool) -> None:
    """Put all of a backup on the disk, its sums last."""
    sums = {}
    for path in sorted(made.iterdir()):
        # A hard link is one file under two names, on one disk: what damages the store's damages the backup's.
        if copy and path.stat().st_nlink > 1:
            own = path.with_name(f"{path.name}{DRAFT}")
            sums[path.name] = _copied(path, own)
            own.replace(path)
        else:
            sums[path.name] = _copied(path, None)
        put_on_disk(path)
    sealed = made / SUMS
    sealed.touch(PRIVATE_FILE)
    sealed.write_text("".join(f"{digest}  {name}\n" for name, digest in sums.items()), encoding="utf-8")
    put_on_disk(sealed)
    put_on_disk(made)


def _sums(backup: Path) -> dict[str, str] | None:
    """The sums of a backup's files, by name; None if it has none. StoreError if files are missing or too many."""
    if not backup.is_dir():
        raise StoreError(f"{backup} is no backup of a store: there is no such folder")
    try:
        lines = (backup / SUMS).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{backup / SUMS} cannot be read: {system_says(error)}") from error
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
    there = {path.name for path in backup.iterdir()} - {SUMS, *_OWN}
    if there != sums.keys() - set(_OWN):
        name = min(there ^ (sums.keys() - set(_OWN)))
        raise StoreError(f"the backup {backup} is damaged: {name} is {'new' if name in there else 'missing'}")
    return sums


def _copied(source: Path, target: Path | None) -> str:
    """The SHA-256 of a file, which is copied to ``target`` on the way."""
    digest = sha256()
    if target:
        target.touch(PRIVATE_FILE)
    with source.open("rb") as file:
        if target is None:
            while block := file.read(_BLOCK):
                digest.update(block)
        else:
            with target.open("wb") as copy:
                while block := file.read(_BLOCK):
                    digest.update(block)
                    copy.write(block)
    return digest.hexdigest()


def _require(file: Path, digest: str, sums: Mapping[str, str] | None) -> None:
    if sums is not None and sums[file.name] != digest:
        raise StoreError(f"the backup {file.parent} is damaged: {file.name} is not what it was")


@contextmanager
def _writing(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{what}: {system_says(error)}") from error


@contextmanager
def _reading(backup: Path) -> Iterator[None]:
    with _writing(f"the backup {backup} cannot be read"):
        yield
