"""What is remembered of the files that a store was filled from: beside the quads, which say nothing of files.

A record only saves work. One that is lost, or older than the store, costs a reading: a load asks whether the store
still holds what the record says it does.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import fields
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import orjson

from mdw.drafting import PRIVATE_FILE
from mdw.model.dictionary import AttributeEntry, EntityEntry, Reference
from mdw.model.errors import StoreError
from mdw.model.files import BorrowedRoutine, FileRecord

TABLE = "CREATE TABLE IF NOT EXISTS files (file TEXT PRIMARY KEY, folder TEXT, record TEXT) WITHOUT ROWID"


class FileRecords:
    """Records of files, by the path of each within its folder; in memory, or in one file on disk."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._memory: dict[str, FileRecord] = {}

    def all(self) -> dict[str, FileRecord]:
        """Every record by its file; none of those that another version of mdw wrote."""
        if self._path is None:
            return dict(self._memory)
        if not self._path.exists():
            return {}
        with self._open(self._path) as held:
            rows = held.execute("SELECT file, folder, record FROM files").fetchall()
        return {file: found for file, folder, text in rows if (found := _read(file, folder, text)) is not None}

    def put(self, records: Iterable[FileRecord], dropped: Iterable[str] = ()) -> None:
        """Keep records in the place of those of the same files, and forget files, all in one transaction."""
        if self._path is None:
            gone = frozenset(dropped)
            kept = {file: one for file, one in self._memory.items() if file not in gone}
            self._memory = kept | {one.file: one for one in records}
            return
        with self._open(self._path) as held:
            held.executemany("DELETE FROM files WHERE file = ?", ((file,) for file in dropped))
            held.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?)", map(_row, records))

    @contextmanager
    def _open(self, path: Path) -> Iterator[sqlite3.Connection]:
        try:
            path.touch(PRIVATE_FILE)
            with closing(sqlite3.connect(str(path))) as connection, connection as held:
                held.execute(TABLE)
                yield held
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the store's record of files, {path}, cannot be used: {error}; without it the store is whole"
            ) from error


def _row(record: FileRecord) -> tuple[str, str, str]:
    said = orjson.dumps(_listed(record)[2:], default=_listed, option=orjson.OPT_PASSTHROUGH_DATACLASS)
    return record.file, record.folder, said.decode()


def _listed(value: Any) -> tuple[Any, ...]:
    """The fields of a record, entry or part of one."""
    # attrgetter gives several at once, in a tuple: a folder has thousands of entries of attributes.
    found: tuple[Any, ...] = _fields(value.__class__)(value)
    return found


@cache
def _fields(kind: type) -> Callable[[Any], Any]:
    """What gives all fields of a value of a class, which has several."""
    return attrgetter(*[one.name for one in fields(kind)])


def _read(file: str, folder: str, text: str) -> FileRecord | None:
    said = _tuples(json.loads(text))
    names = FileRecord.__slots__[2:]
    # Another version has other fields; its file is then read as if it were new.
    if len(said) != len(names):
        return None
    told = dict(zip(names, said, strict=True))
    told["entries"] = tuple([_entry(one) for one in told["entries"]])
    told["borrowed"] = tuple([BorrowedRoutine(*one) for one in told["borrowed"]])
    return FileRecord(file, folder, **told)


def _entry(said: tuple[Any, ...]) -> EntityEntry:
    name, attributes, whole, kind, key, references, *others = said
    own = tuple([AttributeEntry(*one) for one in attributes])
    return EntityEntry(name, own, whole, kind, key, tuple([Reference(*one) for one in references]), *others)


def _tuples(value: Any) -> tuple[Any, ...]:
    """JSON's lists as tuples, however deep."""
    return tuple([_tuples(one) if one.__class__ is list else one for one in value])
