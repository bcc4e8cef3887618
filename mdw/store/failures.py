"""The engine's exceptions as ours: none of its types leaves the store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mdw.model.errors import QueryError, StoreError
from mdw.rdf.documents import line_of

FAILURES = (OSError, ValueError, SyntaxError, RuntimeError)
"""What the engine raises; it has no class of its own."""


@contextmanager
def failing_as(kind: type[QueryError | StoreError], what: str) -> Iterator[None]:
    """Whatever the engine raises inside, as an error of mdw that begins with ``what``."""
    try:
        yield
    except FAILURES as error:
        raise kind(f"{what}: {line_of(error)}") from error
