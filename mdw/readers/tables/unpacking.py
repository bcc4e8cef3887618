"""Files of Parquet, read as far as there is some proportion in what they hold.

A few bytes of Parquet may stand for any number of rows, each with a text of megabytes. So texts are read as numbers of
a dictionary, which is how they stand there, and written out only when it is known how long they become. Before that
pages are looked at (`mdw.readers.tables.pages`): what they say of their length is reserved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import IO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from mdw.model.errors import InputError
from mdw.readers.opening import MOST_UNPACKED, is_too_much, swollen
from mdw.readers.tables import pages

NO_NAME = "the name of a column is no UTF-8 text"
ROWS = 10_000
"""Rows that are read together."""


def batches(
    file: IO[bytes], name: str, columns: Iterable[str] | None = None, *, value: int = 0
) -> Iterator[pa.RecordBatch]:
    """The rows of a file, of some columns or of all that hold plain values, texts written out.

    ``value`` is how many bytes more whoever asks will make of each value.
    InputError if they are far more than the file; pyarrow.ArrowException if it is none of Parquet.
    """
    rows = 0
    try:
        for batch in _packed(file, name, columns, value, MOST_UNPACKED):
            found = pa.RecordBatch.from_arrays([*map(_written_out, batch.columns)], names=batch.schema.names)
            for column, texts in zip(found.schema.names, found.columns, strict=True):
                if (place := _not_text(texts)) is not None:
                    raise InputError(
                        f"{name} cannot be read: column {column} is no UTF-8 text in row {rows + place + 1}"
                    )
            rows += len(found)
            yield found
    except UnicodeDecodeError as error:
        raise InputError(f"{name} cannot be read: {NO_NAME}") from error


def check(file: IO[bytes], name: str, columns: Iterable[str]) -> None:
    """InputError if these columns, of whatever length, are far more than the file; pyarrow.ArrowException as above.

    Texts written as differences, which Spark reads and Arrow cannot read so, are passed over.
    """
    passed = pages.differing(parquet.read_metadata(file))
    for _ in _packed(file, name, [one for one in columns if one not in passed], 0, 0):
        pass


def _packed(
    file: IO[bytes], name: str, columns: Iterable[str] | None, value: int, most: int
) -> Iterator[pa.RecordBatch]:
    """The rows, texts as numbers of a dictionary; InputError where they are too much when all is written out."""
    packed = file.seek(0, 2)
    file.seek(0)
    schema = parquet.read_schema(file)
    # A list of one row may have any number of parts; nothing that is read here is nested.
    plain = [one.name for one in schema if not pa.types.is_nested(one.type)]
    wanted = plain if columns is None else [one for one in columns if one in plain]
    for one, count in Counter(schema.names).items():
        if count > 1 and one in wanted:
            raise InputError(f"{name} cannot be read: it has {count} columns {one}")
    texts = [one for one in wanted if _is_text(schema.field(one).type)]
    if not wanted:
        return  # rows without columns, of which there may be any number
    unpacked = 0
    with parquet.ParquetFile(file, read_dictionary=texts) as found:
        pages.check(file, name, found.metadata, wanted)
        for batch in found.iter_batches(ROWS, columns=wanted):
            unpacked += sum(map(_size, batch.columns)) + value * len(batch) * len(wanted)
            if is_too_much(unpacked, packed, most):
                raise InputError(f"{name} cannot be read: {swollen(unpacked, packed)}")
            yield batch


def _is_text(kind: pa.DataType) -> bool:
    types = pa.types
    return bool(
        types.is_string(kind) or types.is_binary(kind) or types.is_large_string(kind) or types.is_large_binary(kind)
    )


def _size(column: pa.Array) -> int:
    """How many bytes a column takes, its texts written out."""
    if not isinstance(column, pa.DictionaryArray):
        return int(column.nbytes)
    lengths = pc.cast(pc.binary_length(column.dictionary), pa.int64())
    return int(column.indices.nbytes) + int(pc.sum(pc.take(lengths, column.indices)).as_py() or 0)


def _not_text(column: pa.Array) -> int | None:
    """The place of the first text that is none; Arrow takes whatever bytes there are."""
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return None
    try:
        column.validate(full=True)
    except pa.ArrowInvalid:
        return next(
            place for place, value in enumerate(pc.cast(column, pa.large_binary()).to_pylist()) if not _is_utf8(value)
        )
    return None


def _is_utf8(value: bytes | None) -> bool:
    try:
        (value or b"").decode()
    except UnicodeDecodeError:
        return False
    return True


def _written_out(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column
