"""The store that a command asks, and a word to whoever asks where it is not to be believed whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from mdw.cli import console

if TYPE_CHECKING:
    from mdw.warehouse import Warehouse


LOOKING = "graphs looked through: another version of mdw wrote the store, this is done once"


@contextmanager
def opened(store: Path, *, create: bool = False) -> Iterator[Warehouse]:
    """The warehouse in a folder; where opening it takes long, it is shown how far that is."""
    from mdw.warehouse import Warehouse  # --help needs none of it

    with console.progress(LOOKING) as progress:
        warehouse = Warehouse(store, create=create, progress=progress)
    with warehouse:
        yield warehouse


@contextmanager
def asked(store: Path) -> Iterator[Warehouse]:
    """The warehouse in a folder, for answers that carry no notes of their own; what they would say goes to stderr."""
    with opened(store) as warehouse:
        for caveat in warehouse.caveats:
            console.note(f"note: {caveat}")
        yield warehouse
