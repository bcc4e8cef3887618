"""Packed inputs, looked through before Spark reads them: what swells would fill disks and memory of executors.

Spark unpacks whatever it finds. So the driver unpacks it first, and keeps nothing of it: a `.gz` costs a second for
some hundred megabytes, and one core of an executor will need far longer for it, since it cannot be divided.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from mdw.model.errors import InputError
from mdw.readers.inputs import Input, unreadable
from mdw.readers.opening import opened, unzipped
from mdw.readers.tables import unpacking
from mdw.readers.tables.files import form_of
from mdw.readers.tables.schema import TABLES

PIECE = 1 << 20
"""Bytes looked at together."""


def swelling(inputs: Iterable[Input]) -> Iterator[InputError]:
    """An error for each input that is far more unpacked than packed, or is no `.gz`."""
    for one in inputs:
        if one.path and one.kind == "rdf" and one.path.suffix.lower() == ".gz":
            yield from _zipped(one.path)
        elif one.path and one.kind == "tables" and form_of(one.path) == "parquet":
            yield from _tables(one.path)


def _zipped(path: Path) -> Iterator[InputError]:
    try:
        with unzipped(path, most=0) as file:
            while file.read1(PIECE):
                pass
    except OSError as error:
        yield unreadable(str(path), error)
    except (EOFError, zlib.error) as error:
        yield unreadable(str(path), OSError(None, str(error)))


def _tables(folder: Path) -> Iterator[InputError]:
    for table in TABLES:
        place = folder / f"{table.name}.parquet"
        # Spark writes a table as a folder of files.
        for path in sorted(place.rglob("*.parquet")) if place.is_dir() else [place] if place.exists() else []:
            # What Arrow cannot read is for Spark to read, or to tell of.
            with suppress(OSError, pa.ArrowException, UnicodeDecodeError):
                try:
                    with opened(path) as file:
                        unpacking.check(file, str(path), [column.name for column in table.columns])
                except InputError as error:
                    yield error
