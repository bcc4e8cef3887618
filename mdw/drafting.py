"""Files that are there whole or not at all: written to a draft beside them, which then takes their place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DRAFT = ".draft"
"""How the names of drafts end, for whoever sweeps up what a killed process has left."""


@contextmanager
def drafted(path: Path, *, writer: object = "") -> Iterator[Path]:
    """A path to write to; what stands there takes the place of ``path``, unless the block fails: then it is removed.

    The content is on the disk before the new name is: after a power cut the file is the old one or the new one, whole.
    A device or a pipe has no content to replace: it is written to itself. Several that write the same file at a time
    give each a ``writer`` of its own. OSError as the system raises it.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path
        return
    mark = f".{writer}" if writer != "" else ""
    draft = path.with_name(f".{path.name}{mark}{DRAFT}")  # what begins with a dot is no data to Spark
    try:
        yield draft
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
