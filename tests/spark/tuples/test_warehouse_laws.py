"""Rows traced through random warehouses against ids carried along by hand in DuckDB (T2, T3, T6, T41)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import parquet
from row_warehouses import COLUMNS, RowWarehouse, row_warehouse

from mdw import Warehouse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.tuples import Trace

pytestmark = pytest.mark.spark
SEEDS = int(3 * float(os.environ.get("MDW_EXAMPLES", "1")))


def written(made: RowWarehouse, folder: Path) -> Path:
    folder.mkdir()
    for name, rows in made.golden.items():
        columns = {one: pa.array([row[place] for row in rows], pa.int32()) for place, one in enumerate(COLUMNS)}
        parquet.write_table(pa.table(columns), folder / f"{name}.parquet")
    return folder


def ids(found: Trace, *roles: str) -> set[str]:
    return {
        f"{one['source']}:{row['row']}"
        for one in found.to_dict()["sources"]
        if one["role"] in roles
        for row in one["rows"]
    }


@pytest.mark.parametrize("seed", range(2, 2 + SEEDS))
def test_traced_rows_are_those_carried_along(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    made = row_warehouse(seed)
    rows = made.rows()
    if not rows:
        pytest.skip("it makes no row")
    row, every, values = rows[seed % len(rows)]
    column = seed % len(COLUMNS)
    with Warehouse() as warehouse:
        (tmp_path / "a.map").write_text(made.text, encoding="utf-8")
        warehouse.load(tmp_path / "a.map")
        when = dict(zip(COLUMNS, row, strict=True))
        data = written(made, tmp_path / "rows")
        found = warehouse.trace(spark, "T", when=when, data=data, columns=[COLUMNS[column]])
    told = f"{made.text}\n{row}\n{found}"
    assert ids(found, "value", "decides") == every, told
    # A NULL is no value (T3).
    assert row[column] is None or ids(found, "value") >= values[column], told
    assert not found.unread, told
    assert {one for source in found.sources for one in source.accuracy.values()} <= {"exact"}, told
