"""The store that a command asks, and a word to whoever asks where it is not to be believed whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mdw.cli import console

if TYPE_CHECKING:
    from mdw.warehouse import Warehouse


@contextmanager
def asked(store: Path) -> Iterator[Warehouse]:
    """The warehouse in a folder, for answers that carry no notes of their own; what they would say goes to stderr."""
    from mdw.warehouse import Warehouse  # --help needs none of it

    with Warehouse(store, create=False) as warehouse:
        for caveat in warehouse.caveats:
            console.note(f"note: {caveat}")
        yield warehouse
