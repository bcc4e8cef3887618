"""The reader of SQL against Spark's analyser: which columns give the values of each column of a query."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from spark_plans import Origins, columns_of
from spark_statements import TABLE, TABLES, SparkWriter

from mdw import scan_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

STATEMENTS = int(36 * float(os.environ.get("MDW_EXAMPLES", "1")))
DDL = "".join(
    f"CREATE TABLE {name} ({', '.join(f'{column} {kind}' for column, kind in TABLE.items())});\n" for name in TABLES
)


def read(script: str) -> tuple[list[str], dict[str, Origins]]:
    """The columns of what the last statement of a script makes, in order, and the origins of their values."""
    found = scan_sql(script, dialect="spark")
    last = found.statements[-1]
    feeds: dict[str, set[str]] = {}
    for step in found.steps:
        if step.kind == "direct" and step.source:
            feeds.setdefault(step.target.lower(), set()).add(step.source.lower())
    columns = [column.name.lower() for column in last.columns]
    return columns, {name: origins(f"{last.target.lower()}.{name}", feeds) for name in columns}


def origins(column: str, feeds: dict[str, set[str]]) -> Origins:
    """The columns of tables that a column's values come from, whatever views lie between; of a struct the whole."""
    met, pending = {column}, [column]
    for one in pending:
        new = feeds.get(one, set()) - met
        met |= new
        pending += new
    parts = [one.split(".") for one in met]
    return frozenset(f"{table}.{name}" for table, name, *_ in parts if table in TABLES)


def test_direct_columns_are_those_of_the_analysed_plan(spark: SparkSession) -> None:
    own = spark.newSession()
    for name in TABLES:
        empty = own.createDataFrame([], ", ".join(f"{column} {kind}" for column, kind in TABLE.items()))
        empty.createOrReplaceTempView(name)
    wrong = []
    writer = SparkWriter(1)
    script = DDL
    for number in range(STATEMENTS):
        query = writer.statement()
        frame = own.sql(query.sql)
        expected = {name.lower(): found for name, found in columns_of(frame, TABLES).items()}
        columns, found = read(f"{script}CREATE VIEW v{number} AS {query.sql}")
        if columns != list(expected) or found != expected:
            wrong.append((query.sql, columns, found, expected))
        if number % 20 == 7:
            # Some are views that those after them read.
            frame.createOrReplaceTempView(f"v{number}")
            writer.views[f"v{number}"] = query.columns
            script += f"CREATE VIEW v{number} AS {query.sql};\n"
    assert not wrong
