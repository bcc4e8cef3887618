"""Copies of a store on disk, and their way back into force."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyoxigraph as ox

from mdw.model.errors import StoreError, system_says
from mdw.store.directory import Directory, in_use
from mdw.store.failures import FAILURES


def restore(backup: Path, folder: Path) -> None:
    """Put a backup in the place of what the store in ``folder`` holds; the store is made if it is not there.

    StoreError if the backup cannot be read or the store is in use; the store is then what it was.
    """
    try:
        ox.Store.read_only(str(backup))
    except FAILURES as error:
        raise StoreError(f"{backup} is no backup of a store: {error}") from error
    directory = Directory(folder)
    if in_use(directory.current):
        raise StoreError(f"the store {folder} is in use: one process at a time may open it")
    fresh = directory.fresh()
    try:
        # The lock file would carry the lock of whoever made the backup.
        shutil.copytree(backup, fresh, ignore=shutil.ignore_patterns("LOCK"))
        directory.put_in_force(fresh.name)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise StoreError(f"the backup cannot be restored: {system_says(error)}") from error
    directory.sweep()
