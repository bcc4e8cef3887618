"""Where the rows of tables are, and what executors do with each batch of them.

A file of Parquet with plain columns is read by Arrow, in the executors, one row group at a time; whatever else Spark
reads (CSV, folders of Parquet, databases, columns of other types) comes from Spark in batches of Arrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import functions as f

from mdw.collecting import settled
from mdw.model.errors import InputError, SparkError
from mdw.readers.inputs import Input
from mdw.readers.opening import opened
from mdw.readers.tables.files import MARK, form_of
from mdw.readers.tables.schema import BY_NAME, TABLES, Column, TableSchema
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
NEEDED = ("entity", "attribute", "entity_mapping")
"""Tables that are held against others, whether they have rows or not."""
AT_ONCE = 4
"""Tables looked at together."""
ROWS = 50_000
"""Rows of a file that go through one step together."""
ROW, UNKNOWN = 50, 1_000_000
"""Bytes of CSV that a row takes, about, and rows of a table of which nobody knows how many it has."""
# As Arrow reads and writes CSV; FAILFAST, since Spark else makes NULLs of whatever it cannot read.
CSV = {"header": "true", "multiLine": "true", "escape": '"', "quote": '"', "mode": "FAILFAST", "encoding": "UTF-8"}

Wanted = Callable[[TableSchema], Sequence[Column]]
"""The columns of a table that are asked for."""
Doing = Callable[[TableSchema, pa.RecordBatch], Iterator[pa.RecordBatch]]
"""What executors make of some rows of a table, checked."""


class RowGroup(NamedTuple):
    """Some rows of a file: those that Parquet wrote together."""

    table: str
    path: str
    number: int
    rows: int

    def batches(self, wanted: Iterable[Column]) -> Batches:
        """They themselves, those of the columns that are there."""
        with opened(Path(self.path)) as file, parquet.ParquetFile(file) as found:
            columns = [one.name for one in wanted if one.name in found.schema_arrow.names]
            yield from found.iter_batches(ROWS, row_groups=[self.number], columns=columns, use_threads=False)


class TableRows(NamedTuple):
    """A table: about how many rows it has, and where they are, in groups that Arrow reads or in a frame of Spark."""

    table: TableSchema
    rows: int
    groups: tuple[RowGroup, ...] = ()
    frame: DataFrame | None = None
    marked: bool = False


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
    found = _table(spark, one, table)
    columns, rows = found
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
    if (looked := _looked(path, table)) is not None:
        return looked
    where = literally(str(path.absolute()))
    try:
        if form == "csv":
            return _framed(spark.read.options(**CSV).csv(where), table, path.stat().st_size // ROW + 1)
        return _framed(spark.read.parquet(where), table, UNKNOWN)
    except (*FAILURES, OSError) as error:
        raise InputError(f"{one.name}: the table {table.name} cannot be read: {cause(error)}") from error


def _looked(path: Path, table: TableSchema) -> tuple[list[str], TableRows] | None:
    """The columns and row groups of a Parquet file; None of whatever else this is, and of what only Spark can read."""
    try:
        with opened(path) as file:
            found = parquet.read_metadata(file)
            columns = found.schema.to_arrow_schema()
    except (OSError, pa.ArrowException):
        return None
    names = columns.names
    if len({name.lower() for name in names}) < len(names) or any(one.type not in PLAIN for one in columns):
        return None
    groups = [
        RowGroup(table.name, str(path.absolute()), number, found.row_group(number).num_rows)
        for number in range(found.num_row_groups)
    ]
    return names, TableRows(table, found.num_rows, tuple(groups))


def _framed(found: DataFrame, table: TableSchema, rows: int) -> tuple[list[str], TableRows]:
    """A table that Spark reads, its values as texts or whole numbers."""
    kinds = dict(found.dtypes)
    columns = [_plain(one, kinds[one.name]) for one in used(table) if one.name in kinds]
    marked = MARK in kinds
    columns += [f.col(MARK)] if marked else []
    return found.columns, TableRows(table, rows, frame=found.select(*columns), marked=marked)


def _plain(column: Column, kind: str) -> Expression:
    given, whole = f.col(f"`{column.name}`"), column.type == "integer"
    if kind == "string" or (whole and kind in WHOLE):
        return given
    text = given.cast("string")
    # A database may count in decimals: 1.00 is 1. What is no number at all stays as it is, to be told of.
    return (f.coalesce(given.try_cast("int").cast("string"), text) if whole else text).alias(column.name)


def literally(path: str) -> str:
    """A path in which Spark sees no pattern."""
    return re.sub(r"([\\*?{}\[\]])", r"\\\1", path)


def scanned(
    spark: SparkSession, tables: Iterable[TableRows], wanted: Wanted, do: Doing, schema: str, tasks: int
) -> DataFrame:
    """What executors make of some columns of all rows of tables, row groups read in so many tasks."""
    frames, groups = [], list[RowGroup]()
    for one in tables:
        groups += one.groups
        if one.frame is not None:
            columns = [column.name for column in wanted(one.table) if column.name in one.frame.columns]
            frame = one.frame.select(*columns, *([MARK] if one.marked else []))
            frames.append(frame.mapInArrow(_of_frame(one.table, wanted, do, marked=one.marked), schema))
    if groups or not frames:
        # The largest first, dealt out like cards.
        groups.sort(key=lambda one: -one.rows)
        dealt = [groups[number::tasks] for number in range(tasks)]
        frames.append(spark.range(0, tasks, 1, tasks).mapInArrow(_of_groups(dealt, wanted, do), schema))
    return reduce(lambda left, right: left.unionAll(right), frames)


def _of_frame(table: TableSchema, wanted: Wanted, do: Doing, *, marked: bool) -> Callable[[Batches], Batches]:
    def run(batches: Batches) -> Batches:
        for batch in batches:
            yield from do(table, checked(batch, table, wanted(table), marked=marked))
        settled()

    return run


def _of_groups(dealt: Sequence[Sequence[RowGroup]], wanted: Wanted, do: Doing) -> Callable[[Batches], Batches]:
    def run(batches: Batches) -> Batches:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                for group in dealt[number]:
                    table = BY_NAME[group.table]
                    columns = wanted(table)
                    for found in group.batches(columns):
                        yield from do(table, checked(found, table, columns))
        settled()

    return run
