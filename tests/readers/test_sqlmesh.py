"""SQLMesh's models: a query that fills what MODEL says, whatever the file is called."""

from __future__ import annotations

from pathlib import Path

from mdw import Warehouse, scan_sql
from mdw.readers.files.glances import glance

MODEL = """-- daily
MODEL (
  name mart.daily, kind FULL
);

SELECT id, SUM(x) AS total FROM raw.e GROUP BY id;

ON_VIRTUAL_UPDATE_BEGIN;
GRANT SELECT ON VIEW @this_model TO ROLE r;
ON_VIRTUAL_UPDATE_END;
"""


def test_a_model_is_what_its_query_gives() -> None:
    scan = scan_sql(MODEL, dialect="duckdb")
    assert {one.status for one in scan.statements} == {"whole"}
    assert {(one.source, one.target) for one in scan.steps if one.kind == "direct"} == {
        ("raw.e.id", "mart.daily.id"),
        ("raw.e.x", "mart.daily.total"),
    }


def test_models_read_one_another(tmp_path: Path) -> None:
    assert glance(MODEL).makes == {"mart.daily"}
    (tmp_path / "z.sql").write_text(MODEL, encoding="utf-8")
    (tmp_path / "a.sql").write_text("MODEL(name mart.all_); SELECT * FROM mart.daily", encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        steps = warehouse.lineage("MART.ALL_.TOTAL").steps
    assert {one.source for one in steps if one.kind == "direct"} == {"MART.DAILY.TOTAL", "RAW.E.X"}
