"""The engine's exceptions as ours: none of its types leaves the store."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from mdw.model.errors import QueryError, StoreError
from mdw.rdf.documents import line_of

FAILURES = (OSError, ValueError, SyntaxError, RuntimeError)
"""What the engine raises; it has no class of its own."""


_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""What the system says of a place where nothing can be written, though it may be read."""


def refused_writing(error: BaseException) -> str:
    """Why the system let the engine write nothing, in its words; "" where that is not what failed."""
    # The engine hands on what the system said as text, with the path that it said it of.
    said = str(error).lower()
    found = (words for code in _UNWRITABLE if (words := os.strerror(code).lower()) in said)
    return next(found, "") if isinstance(error, OSError) else ""


@contextmanager
def failing_as(kind: type[QueryError | StoreError], what: str) -> Iterator[None]:
    """Whatever the engine raises inside, as an error of mdw that begins with ``what``."""
    try:
        yield
    except FAILURES as error:
        raise kind(f"{what}: {line_of(error)}") from error
