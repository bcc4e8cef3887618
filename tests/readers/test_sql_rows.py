"""Rows decide: a column whose change changes a result is among the sources, and names are those DuckDB gives."""

from __future__ import annotations

import os
import random

import duckdb
import pytest
from empty_database import empty_database
from scans import SCANNED

from mdw import scan_sql

TABLES = {"s": ["k", "a", "b", "t"], "o": ["k", "x", "y", "t"]}
QUERIES = (SCANNED / "rows.sql").read_text(encoding="utf-8").strip().split("\n\n")
CHANGES = 6 if "MDW_EXAMPLES" in os.environ else 4
Rows = dict[str, list[dict[str, int | None]]]


def rows(chance: random.Random) -> Rows:
    return {
        table: [{name: value(chance) for name in columns} for _ in range(chance.choice([3, 4, 5]))]
        for table, columns in TABLES.items()
    }


def value(chance: random.Random) -> int | None:
    return None if chance.random() < 0.15 else chance.choice([1, 2, 3])


def fill(database: duckdb.DuckDBPyConnection, table: str, content: Rows) -> None:
    listed = ", ".join(
        f"({', '.join('NULL' if cell is None else str(cell) for cell in row.values())})" for row in content[table]
    )
    columns = ", ".join(f"CAST({name} AS INTEGER) AS {name}" for name in TABLES[table])
    names = ", ".join(TABLES[table])
    database.execute(f"CREATE OR REPLACE TABLE {table} AS SELECT {columns} FROM (VALUES {listed}) AS v({names})")


def results(database: duckdb.DuckDBPyConnection, query: str) -> list[list[str]]:
    """Each column of the result as a bag of values, as a set where rows alike are one."""
    found = database.execute(query).fetchall()
    once = "DISTINCT a" in query or "UNION SELECT" in query
    return [sorted(set(map(repr, one)) if once else map(repr, one)) for one in zip(*found, strict=True)]


@pytest.mark.parametrize("query", QUERIES)
def test_what_changes_a_column_is_among_its_sources(query: str) -> None:
    scan = scan_sql(query, dialect="duckdb", schema=TABLES)
    names = [column.name for column in scan.statements[-1].columns]
    told = {(step.source, step.target.rpartition(".")[2]) for step in scan.steps}
    with empty_database() as database:
        database.execute("SET scalar_subquery_error_on_multiple_rows = false")
        for seed in range(CHANGES):
            chance = random.Random(seed)
            content = rows(chance)
            for table in TABLES:
                fill(database, table, content)
            if not seed:
                assert names == [row[0] for row in database.execute(f"DESCRIBE {query}").fetchall()]
            before = results(database, query)
            for table, columns in TABLES.items():
                for name in columns:
                    changed = {**content, table: [{**row, name: value(chance)} for row in content[table]]}
                    fill(database, table, changed)
                    after = results(database, query)
                    for at, column in enumerate(names if before and after else ()):
                        if before[at] != after[at]:
                            assert (f"{table}.{name}", column) in told, (seed, changed)
                fill(database, table, content)
