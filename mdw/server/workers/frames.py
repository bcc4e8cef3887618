"""Messages between the server and its workers: one letter for the kind, four bytes for the length, then the content.

A job (`mdw.server.workers.jobs`) goes to a worker as one JOB. Back comes WHOLE (JSON and, after its first line end, the
answer) where the answer is short, else HEAD (JSON), any number of DATA, and END; or FAILED (JSON) at any time.
"""

from __future__ import annotations

import json
import struct
from typing import Any, BinaryIO

JOB, WHOLE, HEAD, DATA, END, FAILED = b"J", b"W", b"H", b"D", b"Z", b"F"
LEAD = struct.Struct(">cI")


def frame(kind: bytes, content: bytes = b"") -> bytes:
    """One message."""
    return LEAD.pack(kind, len(content)) + content


def note(kind: bytes, values: Any) -> bytes:
    """One message whose content is JSON."""
    return frame(kind, json.dumps(values).encode())


def read(source: BinaryIO) -> tuple[bytes, bytes] | None:
    """The next message, None if there is none any more."""
    lead = source.read(LEAD.size)
    if len(lead) < LEAD.size:
        return None
    kind, length = LEAD.unpack(lead)
    return kind, source.read(length)
