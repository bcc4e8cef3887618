"""Teradata's UPDATE ... ELSE INSERT: one statement that does the one or the other (rules Q18, Q19)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql

UPSERT = "{} t SET a = CASE WHEN t.b = 1 THEN (SEL MAX(m) FROM s) ELSE 3 END WHERE k = :k ELSE {};\n"


def test_both_branches_are_one_statement(tmp_path: Path) -> None:
    ddl = "CREATE TABLE t (k INT, a INT, b INT);\n"
    for update, insert in (
        ("UPDATE", "INSERT INTO t (k, a, b) VALUES (:k, (SEL MIN(n) FROM r), :b)"),
        ("UPD", "INS t (:k, (SEL MIN(n) FROM r), :b)"),
    ):
        (tmp_path / "load.sql").write_text(ddl + UPSERT.format(update, insert) + "DEL FROM t WHERE k = 1;")
        with Warehouse() as warehouse:
            warehouse.load(tmp_path, dialect="teradata").raise_for_errors()
            told = [(one.kind, one.status) for one in warehouse.report().statements]
            assert told == [("create table", "whole"), ("upsert", "whole"), ("delete", "whole")]
            golden = sorted(end.attribute for end in warehouse.lineage("T.A").golden)
            assert golden == ["R.N", "S.M"], update


@pytest.mark.parametrize(
    ("action", "decides"),
    [
        ("DO UPDATE SET v = excluded.v WHERE excluded.n <> t.m", {"s.id", "t.id", "s.n", "t.m"}),
        ("DO UPDATE SET v = excluded.v", {"s.id", "t.id"}),
        ("DO NOTHING", {"s.id"}),
    ],
)
def test_q19_what_on_conflict_asks_decides(action: str, decides: set[str]) -> None:
    tables = "CREATE TABLE t (id INT PRIMARY KEY, v INT, n TEXT, m TEXT); CREATE TABLE s (id INT, v INT, n TEXT);"
    change = f"INSERT INTO t (id, v, n) SELECT id, v, n FROM s ON CONFLICT (id) {action}"
    scan = scan_sql(tables + change, dialect="postgres")
    assert {step.source for step in scan.steps if step.target == "t.v" and step.kind == "indirect"} == decides


@pytest.mark.parametrize(
    ("dialect", "change"),
    [
        ("sqlite", "INSERT OR REPLACE INTO t (id, v) SELECT k, x FROM s"),
        ("sqlite", "INSERT OR IGNORE INTO t SELECT k, x FROM s"),
        ("mysql", "REPLACE INTO t (id, v) SELECT k, x FROM s"),
        ("mysql", "REPLACE DELAYED t SELECT k, x FROM s"),
        ("mysql", "INSERT LOW_PRIORITY IGNORE INTO t (id, v) SELECT k, x FROM s"),
        ("mysql", "INSERT INTO t (id, v) SELECT k, x FROM s ON DUPLICATE KEY UPDATE v = VALUES(v)"),
        ("postgres", "INSERT INTO t (id, v) SELECT k, x FROM s ON CONFLICT DO NOTHING"),
    ],
)
def test_q19_the_primary_key_decides_which_rows_are_replaced_or_left_out(dialect: str, change: str) -> None:
    scan = scan_sql(f"CREATE TABLE t (id INT PRIMARY KEY, v INT); {change}", dialect=dialect)
    assert {(step.source, step.kind) for step in scan.steps if step.target == "t.v"} == {
        ("s.x", "direct"),
        ("s.k", "indirect"),
    }
