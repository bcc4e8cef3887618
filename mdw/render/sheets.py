"""CSV of an answer for a spreadsheet: cells that would be formulas there are texts."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from mdw.model.cells import cell

PIECE = 1 << 16
"""Bytes that are looked at together."""


def sheet(text: str) -> str:
    """CSV as CSV for a spreadsheet."""
    target = io.StringIO()
    csv.field_size_limit(max(len(text), csv.field_size_limit()))
    csv.writer(target).writerows(map(cell, row) for row in csv.reader(io.StringIO(text, newline="")))
    return target.getvalue()


class Sheet:
    """The same of CSV that comes in pieces, handed on row by row."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._waiting = bytearray()
        self._enough = PIECE

    def write(self, content: bytes) -> int:
        """Take some bytes."""
        self._waiting += content
        if len(self._waiting) >= self._enough:
            # A row ends with a line end outside of quotes: before it they are even.
            end = self._waiting.rfind(b"\r\n")
            while end >= 0 and self._waiting.count(b'"', 0, end) % 2:
                end = self._waiting.rfind(b"\r\n", 0, end)
            self._hand_on(end + 2 if end >= 0 else 0)
            # One cell may be longer than a piece: looked at again when it has doubled.
            self._enough = max(PIECE, 2 * len(self._waiting))
        return len(content)

    def flush(self) -> None:
        """Nothing is handed on before a row of it is whole."""

    def end(self) -> None:
        """Hand on the rest."""
        self._hand_on(len(self._waiting))

    def _hand_on(self, size: int) -> None:
        if size:
            self._write(sheet(self._waiting[:size].decode()).encode())
            del self._waiting[:size]
