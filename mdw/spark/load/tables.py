"""Where the rows of tables are, and what executors do with each batch of them.

Files of CSV, and of Parquet with plain columns, are read by Arrow, in the executors, some row groups at a time.
Whatever else Spark reads (folders of Parquet, databases, columns of other types) comes from Spark in batches of Arrow.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
from pyarrow import csv, parquet
from pyspark.sql import functions as f

from mdw.collecting import settled
from mdw.model.errors import InputError, SparkError, system_says
from mdw.readers.inputs import Input
from mdw.readers.opening import opened
from mdw.readers.tables import pages
from mdw.readers.tables.files import CSV_READ, MARK, form_of
from mdw.readers.tables.schema import BY_NAME, TABLES, Column, TableSchema
from mdw.readers.tables.unpacking import NO_NAME
from mdw.spark.load import database
from mdw.spark.load.bundles import Batches
from mdw.spark.load.checking import checked, used
from mdw.spark.run.failures import FAILURES, cause

if TYPE_CHECKING:
    from pyspark.sql import Column as Expression
    from pyspark.sql import DataFrame, SparkSession

PLAIN = (pa.string(), pa.int32(), pa.int64())
"""Types of columns that Arrow reads as Spark does."""
WHOLE = ("tinyint", "smallint", "int", "bigint")
FRACTIONS, NESTED = ("float", "double", "decimal"), ("array", "map", "struct")
NEEDED = ("entity", "attribute", "entity_mapping")
"""Tables that are held against others, whether they have rows or not."""
AT_ONCE = 4
"""Tables looked at together."""
ROWS = 50_000
"""Rows of a file that go through one step together."""
ONE_THREAD = csv.ReadOptions(use_threads=False)
ROW, UNKNOWN = 50, 1_000_000
"""Bytes of CSV that a row takes, about, and rows of a table of which nobody knows how many it has."""

Wanted = Callable[[TableSchema], Sequence[Column]]
"""The columns of a table that are asked for."""
Doing = Callable[[TableSchema, pa.RecordBatch], Iterator[pa.RecordBatch]]
"""What executors make of some rows of a table, checked."""


class FilePart(NamedTuple):
    """Some rows of a file: those of row groups that Parquet wrote, or all of CSV, which has none.

    ``state`` is how the file was when it was looked at: its bytes and when it was changed.
    """

    table: str
    path: str
    rows: int
    state: tuple[int, int]
    groups: tuple[int, ...] = ()

    def batches(self, wanted: Iterable[Column]) -> Batches:
        """The rows, those of the columns that are there; OSError, which names the file, where they cannot be read."""
        try:
            with opened(Path(self.path)) as file:
                if _state(file) != self.state:
                    raise OSError(None, "it was changed since")
                yield from _of_parquet(file, self.groups, wanted) if self.groups else _of_csv(file, wanted)
        except (OSError, pa.ArrowException) as error:
            raise OSError(f"{self.path} cannot be read: {system_says(error)}") from None


def _state(file: BufferedReader) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns


def _of_parquet(file: BufferedReader, groups: Sequence[int], wanted: Iterable[Column]) -> Batches:
    with parquet.ParquetFile(file) as found:
        columns = [one.name for one in wanted if one.name in found.schema_arrow.names]
        yield from found.iter_batches(ROWS, row_groups=list(groups), columns=columns, use_threads=False)


def _of_csv(file: BufferedReader, wanted: Iterable[Column]) -> Batches:
    """As bytes: which of them are no text, or no number, each row says itself."""
    kinds = dict.fromkeys([*(one.name for one in wanted), MARK], pa.binary())
    options = csv.ConvertOptions(
        column_types=kinds, include_columns=[*kinds], include_missing_columns=True,
        strings_can_be_null=True, null_values=[""],
    )  # fmt: skip
    with csv.open_csv(file, ONE_THREAD, CSV_READ, options) as found:
        yield from found


class TableRows(NamedTuple):
    """A table: about how many rows it has, and where they are, in files that Arrow reads or in a frame of Spark."""

    table: TableSchema
    rows: int
    parts: tuple[FilePart, ...] = ()
    frame: DataFrame | None = None


def read(spark: SparkSession, one: Input) -> dict[str, TableRows]:
    """The tables of a folder of Parquet or CSV files, or of a database, but those that state nothing.

    InputError names a table or column that is missing, or a column of a type that cannot be; SparkError where the
    database or its driver is not there.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:  # looking at a table is mostly waiting for Spark
        found = pool.map(lambda table: _read(spark, one, table), TABLES)
        return {table.name: rows for table, rows in zip(TABLES, found, strict=True) if rows is not None}


def _read(spark: SparkSession, one: Input, table: TableSchema) -> TableRows | None:
    """A table, its columns looked for; None of one that is not needed: it has no rows, or they state nothing."""
    columns, rows = _table(spark, one, table)
    for column in table.columns:
        if column.name not in columns and not column.optional:
            raise InputError(
                f"{one.name}: the table {table.name} has no column {column.name}", hint=f"it says {column.meaning}"
            )
    return rows if table.name in NEEDED or (table.facts and rows.rows) else None


def _table(spark: SparkSession, one: Input, table: TableSchema) -> tuple[list[str], TableRows]:
    """The columns of a table as it is, and its rows; a table that may be missing has its columns then."""
    nothing = [column.name for column in table.columns], TableRows(table, 0)
    if one.url:
        try:
            return _framed(database.read(spark, one.url, table.name), table, UNKNOWN)
        except SparkError:
            # Whether it is the table or the database that is not there: the tables that must be there tell.
            if not table.optional:
                raise
            return nothing
    assert one.path
    form = form_of(one.path)
    path = one.path / f"{table.name}.{form}"
    if table.optional and not path.exists():
        return nothing
    if not path.exists():
        raise InputError(f"{one.name}: the table {table.name} cannot be read: {path.name} is missing")
    if form == "csv":
        return _looked_csv(path, table)
    if (looked := _looked(path, table)) is not None:
        return looked
    try:
        return _framed(spark.read.parquet(literally(str(path.absolute()))), table, UNKNOWN)
    except FAILURES as error:
        raise InputError(f"{one.name}: the table {table.name} cannot be read: {cause(error)}") from error


def _looked(path: Path, table: TableSchema) -> tuple[list[str], TableRows] | None:
    """The columns and rows of a Parquet file; None of whatever else this is, and of what only Spark can read."""
    try:
        with opened(path) as file:
            found, state = parquet.read_metadata(file), _state(file)
            columns = found.schema.to_arrow_schema()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read: {NO_NAME}") from error
    except (OSError, pa.ArrowException):
        return None
    names = columns.names
    if len({name.lower() for name in names}) < len(names) or any(one.type not in PLAIN for one in columns):
        return None
    # Texts written as differences may be any number of times as long: Spark reads them a few at a time.
    if not pages.differing(found).isdisjoint(one.name for one in used(table)):
        return None
    parts, groups, rows = [], list[int](), 0
    for number in range(found.num_row_groups):
        groups.append(number)
        rows += found.row_group(number).num_rows
        # Small ones together: each part looks into the file anew.
        if rows >= ROWS or number == found.num_row_groups - 1:
            parts.append(FilePart(table.name, str(path.absolute()), rows, state, tuple(groups)))
            groups, rows = [], 0
    return names, TableRows(table, found.num_rows, tuple(parts))


def _looked_csv(path: Path, table: TableSchema) -> tuple[list[str], TableRows]:
    """The columns of a file of CSV, and all of it as one part."""
    try:
        with opened(path) as file:
            state = _state(file)
            with csv.open_csv(file, ONE_THREAD, CSV_READ) as found:
                names = found.schema.names
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {system_says(error)}") from error
    rows = state[0] // ROW + 1
    for name in names:
        if (count := names.count(name)) > 1:
            raise InputError(f"{path} cannot be read: it has {count} columns {name}")
    return names, TableRows(table, rows, (FilePart(table.name, str(path.absolute()), rows, state),))


def _framed(found: DataFrame, table: TableSchema, rows: int) -> tuple[list[str], TableRows]:
    """A table that Spark reads, its values as texts or whole numbers."""
    kinds = dict(found.dtypes)
    for one in used(table):
        if kinds.get(one.name, "").startswith(NESTED):
            wanted = "text" if one.type == "text" else "whole numbers"
            raise InputError(f"the table {table.name}: column {one.name} holds {kinds[one.name]}, not {wanted}")
    columns = [_plain(one, kinds[one.name]) for one in used(table) if one.name in kinds]
    return found.columns, TableRows(table, rows, frame=found.select(*columns))


def _plain(column: Column, kind: str) -> Expression:
    given, whole = f.col(f"`{column.name}`"), column.type == "integer"
    if kind == "string" or (whole and kind in WHOLE):
        return given
    text = given.cast("string")
    if whole and kind.startswith(FRACTIONS):
        # A database may count in decimals: 1.00 is 1. What is none stays as it is, to be told of.
        number = given.try_cast("int")
        text = f.when(given == number, number.cast("string")).otherwise(text)
    return text.alias(column.name)


def literally(path: str) -> str:
    """A path in which Spark sees no pattern."""
    return re.sub(r"([\\*?{}\[\]])", r"\\\1", path)


def scanned(
    spark: SparkSession, tables: Iterable[TableRows], wanted: Wanted, do: Doing, schema: str, tasks: int
) -> DataFrame:
    """What executors make of some columns of all rows of tables, row groups read in so many tasks."""
    frames, parts = [], list[FilePart]()
    for one in tables:
        parts += one.parts
        if one.frame is not None:
            columns = [column.name for column in wanted(one.table) if column.name in one.frame.columns]
            frames.append(one.frame.select(*columns).mapInArrow(_of_frame(one.table, wanted, do), schema))
    if parts or not frames:
        # The largest first, dealt out like cards.
        parts.sort(key=lambda one: -one.rows)
        dealt = [parts[number::tasks] for number in range(tasks)]
        frames.append(spark.range(0, tasks, 1, tasks).mapInArrow(_of_parts(dealt, wanted, do), schema))
    return reduce(lambda left, right: left.unionAll(right), frames)


def _of_frame(table: TableSchema, wanted: Wanted, do: Doing) -> Callable[[Batches], Batches]:
    def run(batches: Batches) -> Batches:
        for batch in batches:
            yield from do(table, checked(batch, table, wanted(table)))
        settled()

    return run


def _of_parts(dealt: Sequence[Sequence[FilePart]], wanted: Wanted, do: Doing) -> Callable[[Batches], Batches]:
    def run(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for part in dealt[number]:
                    table = BY_NAME[part.table]
                    columns = wanted(table)
                    for found in part.batches(columns):
                        yield from do(table, checked(found, table, columns))
        settled()

    return run
