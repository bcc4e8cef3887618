"""SQLite: sqlite_master, which keeps every definition as it was written. The file is opened read-only; none is made."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from mdw.extract.addresses import Address
from mdw.extract.limits import Clock
from mdw.extract.objects import Chosen, DatabaseObject, ended
from mdw.model.errors import DatabaseError, system_says
from mdw.readers.files.manifests import Unread

HEAD = b"SQLite format 3\0"
LIST = """
SELECT type, name, tbl_name, sql FROM sqlite_master
WHERE type IN ('table', 'view', 'trigger') AND sql <> '' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
ORDER BY CASE type WHEN 'table' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, name
"""
# How rows are kept says nothing of what they hold.
_STORAGE = re.compile(r"\)\s*(?:(?:WITHOUT\s+ROWID|STRICT)\s*,?\s*)+\Z", re.IGNORECASE)
KINDS = ("table", "view", "trigger")
EVERY = 10_000
"""Steps of SQLite's machine between two looks at the clock."""


class Sqlite:
    """An open SQLite database."""

    system = dialect = "sqlite"
    server = f"SQLite {sqlite3.sqlite_version}"
    search_path: tuple[str, ...] = ()

    def __init__(self, address: Address, clock: Clock) -> None:
        assert address.path is not None
        self._address, self._clock = address, clock
        try:
            opened = f"file:{quote(str(address.path.resolve()))}?mode=ro{_still(address.path)}"
            self._connection = sqlite3.connect(
                opened, uri=True, timeout=clock.limits.lock, isolation_level=None, check_same_thread=False
            )
            self._connection.text_factory = lambda data: data.decode(errors="replace")
            self._connection.execute("PRAGMA query_only = ON")
            self._connection.set_progress_handler(lambda: bool(clock.over), EVERY)
            self._connection.execute("BEGIN")
        except (sqlite3.Error, OSError) as error:
            said = system_says(error) if isinstance(error, OSError) else address.scrubbed(error)
            raise DatabaseError(f"cannot read {address.shown}: {said}") from None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def objects(self, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """Tables, views and triggers, in the words they were made with."""
        try:
            rows = self._connection.execute(LIST).fetchall()
        except sqlite3.Error as error:
            said = self._clock.over or self._address.scrubbed(error)
            yield from (Unread(kind, "", "", "", "refused", said) for kind in KINDS if wanted.kind(kind))
            return
        for kind, name, table, text in rows:
            signature = (table,) if kind == "trigger" else None
            if wanted.one(kind, "main", name, signature or ()):
                note = "a virtual table" if text.upper().startswith("CREATE VIRTUAL") else ""
                words = _STORAGE.sub(")", text) if kind == "table" else text
                yield DatabaseObject(kind, "main", name, ended(words), signature, note=note)


def _still(path: Path) -> str:
    """What to say when a file is opened so that none is made beside it; OSError if that cannot be had."""
    with path.open("rb") as file:
        head = file.read(20)
    if not head.startswith(HEAD):
        raise OSError(None, "it is no SQLite database")
    if head[18:20] != b"\2\2":
        return ""
    # With a log SQLite makes two files beside the database, unless it is told that nobody writes to it.
    log, index = (path.with_name(path.name + ending) for ending in ("-wal", "-shm"))
    if not log.exists() or not log.stat().st_size:
        return "&immutable=1"
    if not index.exists():
        raise OSError(
            None, "its log was left by a program that ended early; open it once with a program that may write"
        )
    return ""
