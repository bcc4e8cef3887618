"""Messages between a process that reads and the one it reads for: a length of eight bytes, then a pickled pair.

The pair is a kind and a content. A TASK goes out and comes back as DONE; in between may be QUESTIONs, each of which
gets an ANSWER. Pickles are only exchanged with processes that were started by this one and that run the same code.
"""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

TASK, QUESTION, ANSWER, DONE = "task", "question", "answer", "done"
LEAD = struct.Struct(">Q")


def write(target: IO[bytes], kind: str, content: Any) -> None:
    """Send a message."""
    data = pickle.dumps((kind, content), pickle.HIGHEST_PROTOCOL)
    target.write(LEAD.pack(len(data)))
    target.write(data)
    target.flush()


def read(source: IO[bytes]) -> tuple[str, Any] | None:
    """The next message, None if there is none any more."""
    lead = source.read(LEAD.size)
    if len(lead) < LEAD.size:
        return None
    (length,) = LEAD.unpack(lead)
    data = source.read(length)
    if len(data) < length:
        return None
    kind, content = pickle.loads(data)
    return kind, content
