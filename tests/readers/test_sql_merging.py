"""What FINAL leaves of tables of ClickHouse is decided by what their engines merge rows by (rule Q13)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql

MADE = """CREATE TABLE d.s (k UInt64, j UInt8, v UInt32, a String) ENGINE = ReplacingMergeTree(v) ORDER BY (k, j);
CREATE TABLE d.c (k UInt64, sg Int8, a Int64) ENGINE = ReplicatedCollapsingMergeTree('/x', '{r}', sg) ORDER BY k;
CREATE TABLE d.m (k UInt64, n Int64, a Int64) ENGINE = SummingMergeTree(n) ORDER BY k;
CREATE TABLE d.p (k UInt64, a Int64) ENGINE = MergeTree ORDER BY k;
"""


@pytest.mark.parametrize(
    ("read", "deciding", "status"),
    [
        ("d.s FINAL", {"d.s.k", "d.s.j", "d.s.v"}, "whole"),
        ("d.s AS x FINAL", {"d.s.k", "d.s.j", "d.s.v"}, "whole"),
        ("d.c FINAL", {"d.c.k", "d.c.sg"}, "whole"),
        ("d.m FINAL", {"d.m.k"}, "whole"),
        ("d.s", set(), "whole"),
        ("d.unknown FINAL", set(), "partial"),
    ],
)
def test_what_decides_which_row_stays(read: str, deciding: set[str], status: str) -> None:
    scan = scan_sql(f"{MADE}INSERT INTO d.t (a) SELECT a FROM {read}", dialect="clickhouse")
    assert {one.source for one in scan.steps if one.kind == "indirect"} == deciding
    assert scan.statements[-1].status == status


def test_another_file_makes_the_table(tmp_path: Path) -> None:
    """Without it the statement is partial."""
    (tmp_path / "filled.sql").write_text("INSERT INTO d.t (a) SELECT a FROM d.s FINAL;", encoding="utf-8")
    with Warehouse() as warehouse:
        assert "1 partial" in str(warehouse.load(tmp_path, dialect="clickhouse"))
    (tmp_path / "made.sql").write_text(MADE, encoding="utf-8")
    with Warehouse() as warehouse:
        assert "5 whole" in str(warehouse.load(tmp_path, dialect="clickhouse"))
