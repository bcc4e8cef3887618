"""Sums of the engine's tables, beside the store: a table that is not what it was is said when the store is opened.

The engine writes a table (a file ``*.sst``) once and never changes it. It has sums of its own, but many a query never
ends where one of them is wrong, and EXISTS takes the error for a row: a damaged table must not come so far.

After a crash the engine may give the name of a table that came to nothing to another one. Each ends with what tells it
from all others (a sum of who wrote it, and when): a table is damaged if it ends as it did and is not what it was. The
engine looks at its end whenever it opens it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from mdw.drafting import drafted
from mdw.model.errors import StoreError, system_says

_BLOCK, _END = 1 << 18, 256
"""Bytes read at a time, and at the end of a table."""


class TableSums(NamedTuple):
    """The sums of a table and of its end."""

    whole: str
    end: str


class Sums:
    """The sums of one generation's tables, kept in ``file``. StoreError if a table is not what it was."""

    def __init__(self, generation: Path, file: Path) -> None:
        self._generation, self._file = generation, file
        self._known: dict[str, TableSums] = {}
        for name, before in self._said():
            with suppress(FileNotFoundError):  # put into another table meanwhile
                now = self._table(name)
                if now.end == before.end and now.whole != before.whole:
                    raise StoreError(
                        f"the store {generation.parent} is damaged: {generation.name}/{name} is not what it was. "
                        "Restore a backup (mdw restore)"
                    )
                self._known[name] = now
        self.note()

    def of(self, generation: Path) -> Sums:
        """The same of another generation, whose tables are taken to be as they should."""
        found = Sums.__new__(Sums)
        found._generation, found._file, found._known = generation, self._file, {}
        # A copy of a generation has most of its tables, as links: what is known of them need not be read again.
        for name, sums in self._known.items():
            with suppress(FileNotFoundError):
                if (self._generation / name).samefile(generation / name):
                    found._known[name] = sums
        found.note()
        return found

    def note(self) -> None:
        """Take in the tables that have come, and forget those that have gone."""
        # What cannot be noted now is noted later: it protects, and nothing rests on it.
        with suppress(OSError):
            there = {one for one in os.listdir(self._generation) if one.endswith(".sst")}  # noqa: PTH208  often
            if there == self._known.keys():
                return
            found = {}
            for name in sorted(there):
                with suppress(FileNotFoundError):
                    found[name] = self._known.get(name) or self._table(name)
            where = self._generation.name
            text = "".join(f"{one.whole} {one.end} {where}/{name}\n" for name, one in found.items())
            with drafted(self._file, private=True) as draft:
                draft.write_text(text, encoding="utf-8")
            self._known = found

    def _table(self, name: str) -> TableSums:
        found, end = 0, b""
        # One block for all that is read: every opening of the store reads all its tables.
        block = memoryview(bytearray(_BLOCK))
        with (self._generation / name).open("rb", buffering=0) as file:
            while size := file.readinto(block):
                found = crc32(block[:size], found)
                end = (end + block[max(0, size - _END) : size].tobytes())[-_END:]
        return TableSums(f"{found:08x}", f"{crc32(end):08x}")

    def _said(self) -> list[tuple[str, TableSums]]:
        """The tables of this generation, as noted before."""
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(
                f"{self._file} cannot be read: {system_says(error)}; if nothing else is, remove it"
            ) from error
        found = []
        for line in lines:
            whole, end, place = (*line.split(" ", 2), "", "", "")[:3]
            generation, _, name = place.partition("/")
            if generation == self._generation.name:
                found.append((name, TableSums(whole, end)))
        return found
