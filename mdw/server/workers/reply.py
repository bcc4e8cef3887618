"""What a job writes: a head, then bytes in large pieces, up to the limits of the server."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from mdw.server.refusal import Refusal
from mdw.server.workers.frames import DATA, END, HEAD, WHOLE, frame, note

PIECE = 1 << 18
"""Bytes sent at a time."""
ROW = {
    "application/sparql-results+json": (b'},{"', -1),
    "application/sparql-results+xml": (b"<result>", 0),
    "text/csv": (b"\r\n", 1),
    "text/tab-separated-values": (b"\n", 1),
}
"""What stands once for each row, and how much more often it stands there than there are rows: between them in JSON,
after the head in CSV and TSV. It cannot stand within a value, but in CSV."""


class Reply:
    """A stream that the engine writes to; Refusal (413) beyond a limit goes through the engine and ends the job."""

    def __init__(self, target: BinaryIO, most_bytes: int) -> None:
        self.head: dict[str, Any] = {}
        self._target = target
        self._most_bytes = most_bytes
        self._most_rows = 0
        self._row = b""
        self._waiting: list[bytes] = []
        self._tail = b""
        self._size = self._sent = self._rows = 0
        self._begun = False

    def count_rows(self, media: str, most: int) -> None:
        """End the job beyond so many rows (0: any number), written in this media type."""
        self._row, more = ROW.get(media, (b"", 0))
        self._most_rows, self._rows = most, -more

    def write(self, content: bytes) -> int:
        """Take some bytes."""
        self._waiting.append(bytes(content))
        self._size += len(content)
        if self._size >= PIECE:
            self._send()
        return len(content)

    def flush(self) -> None:
        """Nothing is sent before there is a piece of it."""

    def end(self) -> None:
        """Send the rest."""
        if self._begun:
            self._send(frame(END))
            return
        body = b"".join(self._waiting)
        self._check(body)  # nothing has been sent, so that a refusal still is one
        self._target.write(frame(WHOLE, json.dumps(self.head).encode() + b"\n" + body))
        self._target.flush()

    def _send(self, last: bytes = b"") -> None:
        body = b"".join(self._waiting)
        self._waiting, self._size = [], 0
        self._check(body)
        lead = b"" if self._begun else note(HEAD, self.head)
        self._begun = True
        self._target.write(lead + (frame(DATA, body) if body else b"") + last)
        self._target.flush()

    def _check(self, body: bytes) -> None:
        self._sent += len(body)
        if self._most_bytes and self._sent > self._most_bytes:
            raise Refusal(
                413, f"the answer has more than {self._most_bytes} bytes: ask for less, with LIMIT for example"
            )
        if self._most_rows and self._row:
            seen = self._tail + body  # what stands for a row may lie across two pieces
            self._rows += seen.count(self._row) - self._tail.count(self._row)
            self._tail = seen[-len(self._row) + 1 :] if len(self._row) > 1 else b""
            if self._rows > self._most_rows:
                raise Refusal(
                    413, f"the answer has more than {self._most_rows} rows: ask for less, with LIMIT for example"
                )
