"""The engine's exceptions as ours: none of its types leaves the store."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from mdw.model.errors import QueryError, StoreError, system_says
from mdw.rdf.documents import line_of

FAILURES = (OSError, ValueError, SyntaxError, RuntimeError)
"""What the engine raises; it has no class of its own."""

_ASKED = re.compile(r"The (graph|custom function|service|variable|content media type) ")
"""How it begins to say that an update asks for what cannot be, like a graph that is not there."""

_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""What the system says of a place where nothing can be written, though it may be read."""


def refused_writing(error: BaseException) -> str:
    """Why the system let the engine write nothing, in its words; "" where that is not what failed."""
    # The engine hands on what the system said as text, with the path that it said it of.
    said = str(error).lower()
    found = (words for code in _UNWRITABLE if (words := os.strerror(code).lower()) in said)
    return next(found, "") if isinstance(error, OSError) else ""


def is_asked_wrong(error: BaseException) -> bool:
    """Whether an update that the engine has not carried out is at fault, and not the store."""
    return isinstance(error, SyntaxError) or (isinstance(error, RuntimeError) and bool(_ASKED.match(str(error))))


def said(error: BaseException) -> str:
    """What an exception says, the reason last: files that the system names go before it."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {system_says(error)}" if error.filename else system_says(error)
    return line_of(error)


@contextmanager
def failing_as(kind: type[QueryError | StoreError], what: str) -> Iterator[None]:
    """Whatever the engine raises inside, as an error of mdw that begins with ``what``."""
    try:
        yield
    except FAILURES as error:
        raise kind(f"{what}: {said(error)}") from error
