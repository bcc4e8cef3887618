"""Sums of the engine's tables, beside the store: a table that is not what it was is said when the store is opened.

The engine writes a table (a file ``*.sst``) once and never changes it. It has sums of its own, but many a query never
ends where one of them is wrong, and EXISTS takes the error for a row: a damaged table must not come so far.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from mdw.drafting import drafted
from mdw.model.errors import StoreError, system_says

_BLOCK = 1 << 20


class Sums:
    """The sums of one generation's tables, kept in ``file``. StoreError if a table is not what it was."""

    def __init__(self, generation: Path, file: Path) -> None:
        self._generation, self._file = generation, file
        self._known: dict[str, str] = {}
        for name, said in self._said():
            with suppress(FileNotFoundError):  # put into another table meanwhile
                if _sum(generation / name) != said:
                    raise StoreError(
                        f"the store {generation.parent} is damaged: {generation.name}/{name} is not what it was. "
                        "Restore a backup (mdw restore)"
                    )
                self._known[name] = said
        self.note()

    def of(self, generation: Path) -> Sums:
        """The same of another generation, whose tables are taken to be as they should."""
        found = Sums.__new__(Sums)
        found._generation, found._file, found._known = generation, self._file, {}
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
                    found[name] = self._known.get(name) or _sum(self._generation / name)
            text = "".join(f"{said} {self._generation.name}/{name}\n" for name, said in found.items())
            with drafted(self._file, private=True) as draft:
                draft.write_text(text, encoding="utf-8")
            self._known = found

    def _said(self) -> list[tuple[str, str]]:
        """The tables of this generation and their sums, as noted before."""
        try:
            lines = self._file.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except (OSError, UnicodeDecodeError) as error:
            raise StoreError(f"{self._file} cannot be read: {system_says(error)}") from error
        parts = (line.split(" ", 1) for line in lines)
        found = [(part[1].partition("/"), part[0]) for part in parts if len(part) > 1]
        return [(where[2], said) for where, said in found if where[0] == self._generation.name]


def _sum(file: Path) -> str:
    found = 0
    with file.open("rb") as opened:
        while block := opened.read(_BLOCK):
            found = crc32(block, found)
    return f"{found:08x}"
