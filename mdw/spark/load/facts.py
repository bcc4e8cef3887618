"""Tables in Spark -> the facts that mappings are built of (see `mdw.readers.tables.schema`), sorted by mapping.

What `mdw.readers.tables.files` does with Arrow in one process: each row of each table becomes its facts, all facts are
put together, and those of one mapping come to one partition, in order. There `mdw.readers.tables.build` makes its tree.
Wrong rows are not dropped and raise nothing: they carry their problem along and cost only their mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa
from pyarrow import parquet
from pyspark.sql import functions as f

from mdw.model.cells import APOSTROPHE
from mdw.model.errors import InputError, SparkError
from mdw.readers.inputs import Input
from mdw.readers.tables.files import MARK, MARKED, form_of
from mdw.readers.tables.schema import BY_NAME, FACT, ORDER, TABLES, Column, Fact, Given, TableSchema, dangling
from mdw.spark.load import database
from mdw.spark.run.failures import FAILURES, cause

if TYPE_CHECKING:
    from pyspark.sql import Column as Expression
    from pyspark.sql import DataFrame, SparkSession

TYPES = {"text": "string", "integer": "int"}
SPARK_TYPES = {pa.string(): "string", pa.int32(): "int", pa.int64(): "bigint"}
NEEDED = ("entity", "attribute", "entity_mapping")
"""Tables that are held against others, whether they have rows or not."""
AT_ONCE = 4
"""Tables looked at together."""
# As Arrow reads and writes CSV; FAILFAST, since Spark else makes NULLs of whatever it cannot read.
CSV = {"header": "true", "multiLine": "true", "escape": '"', "quote": '"', "mode": "FAILFAST", "encoding": "UTF-8"}


def read(spark: SparkSession, one: Input) -> dict[str, DataFrame]:
    """The tables of a folder of Parquet or CSV files, or of a database, but those that state nothing.

    InputError names a table or column that is missing, or a column of a type that cannot be; SparkError where the
    database or its driver is not there.
    """
    with ThreadPoolExecutor(AT_ONCE) as pool:  # looking at a table is mostly waiting for Spark
        found = pool.map(lambda table: _read(spark, one, table), TABLES)
        return {table.name: frame for table, frame in zip(TABLES, found, strict=True) if frame is not None}


def _read(spark: SparkSession, one: Input, table: TableSchema) -> DataFrame | None:
    """A table, checked; None of one that is not needed: it has no rows, or they state nothing of mappings."""
    found = _table(spark, one, table)
    columns = found if isinstance(found, list) else found.columns
    for column in table.columns:
        if column.name not in columns and not column.optional:
            raise InputError(
                f"{one.name}: the table {table.name} has no column {column.name}", hint=f"it says {column.meaning}"
            )
    if isinstance(found, list):
        return _checked(_empty(spark, found), table) if table.name in NEEDED else None
    return _checked(found, table) if table.facts or table.name in NEEDED else None


def _table(spark: SparkSession, one: Input, table: TableSchema) -> DataFrame | list[str]:
    """A table as it is, or the columns of one without rows.

    Most warehouses have such tables, and each would cost Spark a job, and code that it makes to read it and to unite it
    with the others.
    """
    columns = [column.name for column in table.columns]
    if one.url:
        try:
            return database.read(spark, one.url, table.name)
        except SparkError:
            # Whether it is the table or the database that is not there: the tables that must be there tell.
            if not table.optional:
                raise
            return columns
    assert one.path
    form = form_of(one.path)
    if table.optional and not (one.path / f"{table.name}.{form}").exists():
        return columns
    looked = _looked(one.path / f"{table.name}.{form}")
    if looked and not looked.rows:
        return looked.columns
    where = literally(str(one.path.absolute()))
    try:
        if form == "csv":
            return _unmarked(spark.read.options(**CSV).csv(f"{where}/{table.name}.csv"), table)
        # Told the types, Spark needs no job to find them.
        reader = spark.read.schema(looked.types) if looked and looked.types else spark.read
        return reader.parquet(f"{where}/{table.name}.parquet")
    except FAILURES as error:
        raise InputError(f"{one.name}: the table {table.name} cannot be read: {cause(error)}") from error


class _Footer(NamedTuple):
    """What a Parquet file says of itself: how many rows, which columns, and their types as Spark writes them.

    ``types`` is empty where any is another than tables have: what it is to Spark is left to Spark.
    """

    rows: int
    columns: list[str]
    types: str


def _looked(path: Path) -> _Footer | None:
    """What a Parquet file says; None of whatever else this is, and of what Spark would refuse to read."""
    try:
        found = parquet.read_metadata(path)
        columns = found.schema.to_arrow_schema()
    except (OSError, pa.ArrowException):
        return None
    names = columns.names
    if len({name.lower() for name in names}) < len(names):
        return None
    types = [f"`{one.name.replace('`', '``')}` {SPARK_TYPES.get(one.type, '')}" for one in columns]
    plain = all(one.type in SPARK_TYPES for one in columns)
    return _Footer(found.num_rows, names, ", ".join(types) if plain else "")


def _unmarked(found: DataFrame, table: TableSchema) -> DataFrame:
    """The texts of CSV without the apostrophes that say to a spreadsheet that they are texts."""
    if MARK not in found.columns:
        return found
    changed = f.coalesce(f.col(MARK) == MARKED, f.lit(False))
    texts = {column.name for column in table.columns if column.type == "text"} & set(found.columns)
    led = {name: changed & f.col(name).startswith(APOSTROPHE) for name in texts}
    return found.withColumns(
        {name: f.when(led[name], f.substr(f.col(name), f.lit(2))).otherwise(f.col(name)) for name in sorted(texts)}
    )


def _empty(spark: SparkSession, columns: Iterable[str]) -> DataFrame:
    """A table of these columns without rows: one of which Spark knows that it need not look."""
    values = [f.lit(None).cast("string").alias(name) for name in columns]
    return spark.range(1).where(f.lit(False)).select(*values)


def literally(path: str) -> str:
    """A path in which Spark sees no pattern."""
    return re.sub(r"([\\*?{}\[\]])", r"\\\1", path)


def _checked(found: DataFrame, table: TableSchema) -> DataFrame:
    """The table's columns, of their types, and a column that says what is wrong with a row, if anything."""
    columns, problems = [], []
    there = found.columns
    for column in table.columns:
        if column.name not in there:
            columns.append(f.lit(None).cast(TYPES[column.type]).alias(column.name))
            continue
        given = f.col(f"`{column.name}`")
        columns.append(given.try_cast(TYPES[column.type]).alias(column.name))
        problems.append(_problem(given, column, table))
    return found.select(*columns, f.coalesce(*problems).alias("problem"))


def _problem(given: Expression, column: Column, table: TableSchema) -> Expression:
    """What is wrong with a value: missing though it must not be, or of another type."""
    # try_cast: a cast that fails would end the whole job for one row.
    said = f"{table.name}: {column.name}"
    wrong = f.when(given.isNull() if not column.optional else f.lit(False), f.lit(f"{said} is empty"))
    if column.type == "integer":
        failed = given.isNotNull() & given.try_cast("int").isNull()
        wrong = wrong.when(failed, f.concat(f.lit(f"{said} is "), given.cast("string"), f.lit(", no whole number")))
    return wrong


def facts(tables: Mapping[str, DataFrame], partitions: int) -> DataFrame:
    """The facts of all tables, those of a mapping in one of so many partitions, in the order building wants them."""
    stating = [table for table in TABLES if table.facts and table.name in tables]
    stated = reduce(_union, [_facts(tables[table.name], table) for table in stating])
    # One join for the references of all tables: names of entities and of attributes are told apart by `refers`. A left
    # join: a fact that names what is nowhere stays, with its problem, since its mapping is to be told of.
    known = reduce(_union, [_identifiers(tables[kind], kind) for kind in ("entity", "attribute")])
    found = stated.join(known, ["name", "refers"], "left")
    missing = f.col("name").isNotNull() & f.col("known").isNull()
    said = f.when(missing, f.concat("name", f.lit(dangling("")), "refers"))
    names = [column.name for column in FACT]
    return (
        found.withColumn("problem", f.coalesce("problem", said))
        .select(*names)
        .repartition(partitions, "mapping_id")
        .sortWithinPartitions(*ORDER)
    )


def _union(left: DataFrame, right: DataFrame) -> DataFrame:
    return left.unionByName(right)


def _identifiers(table: DataFrame, kind: str) -> DataFrame:
    """What the facts may name."""
    key = BY_NAME[kind].keys[0]
    return table.select(f.col(key).alias("name"), f.lit(kind).alias("refers"), f.lit(True).alias("known")).distinct()


def _facts(found: DataFrame, table: TableSchema) -> DataFrame:
    """What the rows of a table state, each row all its facts."""
    # As one array that is unfolded, so that Spark reads the table once and not once for each kind of fact.
    facts = [f.struct(*_columns(table, fact)) for fact in table.facts]
    return found.select(f.inline(f.array(*facts))) if len(facts) > 1 else found.select(*_columns(table, table.facts[0]))


def _columns(table: TableSchema, fact: Fact) -> list[Expression]:
    values = {column.name: _value(column, value) for column, value in zip(FACT, fact.stated().values(), strict=False)}
    # A row without its mapping still has to be reported somewhere.
    values["mapping_id"] = f.coalesce(f.col("mapping_id"), f.lit("without mapping_id"))
    values["problem"] = f.col("problem")
    values["refers"] = f.lit(table.column(fact.name).refers if fact.name else "")
    return [value.alias(name) for name, value in values.items()]


def _value(column: Column, value: str | Given) -> Expression:
    if isinstance(value, Given):
        return f.lit(value.value).cast(TYPES[column.type])
    return f.coalesce(f.col(value), f.lit(0)) if column.type == "integer" else f.col(value)
