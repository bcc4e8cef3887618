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
def test_q19_keys_decide_which_rows_are_replaced_or_left_out(dialect: str, change: str) -> None:
    tables = (
        "CREATE TABLE t (id INT PRIMARY KEY, v INT)",
        "CREATE TABLE t (id INT UNIQUE, v INT)",
        "CREATE TABLE t (id INT, v INT, CONSTRAINT one UNIQUE (id))",
        "CREATE TABLE t (id INT, v INT); CREATE UNIQUE INDEX one ON t (id DESC)",
    )
    for table in tables:
        scan = scan_sql(f"{table}; {change}", dialect=dialect)
        assert {(step.source, step.kind) for step in scan.steps if step.target == "t.v"} == {
            ("s.x", "direct"),
            ("s.k", "indirect"),
        }, table


@pytest.mark.parametrize(
    ("dialect", "key", "columns"),
    [
        ("mysql", "ALTER TABLE t ADD UNIQUE KEY u (a, b)", {"s.p", "s.q"}),
        (
            "mysql",
            "CREATE TABLE t (a INT, b VARCHAR(9), c INT, UNIQUE KEY u (a, b(4)), UNIQUE (c))",
            {"s.p", "s.q", "s.r"},
        ),
        (
            "postgres",
            "CREATE UNIQUE INDEX u ON ONLY t USING btree (lower(a), b NULLS FIRST) WHERE c > 0",
            {"s.p", "s.q"},
        ),
        ("sqlite", "CREATE TABLE o (a INT); ALTER TABLE o RENAME TO t; CREATE UNIQUE INDEX u ON t (a)", {"s.p"}),
        ("sqlite", "CREATE TABLE t (z INT UNIQUE, b, c); ALTER TABLE t RENAME COLUMN z TO a", {"s.p"}),
        ("postgres", "CREATE INDEX u ON t (a)", set()),
    ],
)
def test_q19_all_columns_of_all_keys_decide(dialect: str, key: str, columns: set[str]) -> None:
    insert = "REPLACE" if dialect == "mysql" else "INSERT OR REPLACE" if dialect == "sqlite" else "INSERT"
    doing = " ON CONFLICT DO NOTHING" if dialect == "postgres" else ""
    scan = scan_sql(f"{key}; {insert} INTO t (a, b, c, d) SELECT p, q, r, x FROM s{doing}", dialect=dialect)
    assert {step.source for step in scan.steps if step.target == "t.d" and step.kind == "indirect"} == columns


def test_q19_another_file_tells_of_a_unique_key(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("REPLACE INTO t (a, d) SELECT p, x FROM s;\n")
    (tmp_path / "b.sql").write_text("CREATE TABLE t (a INT UNIQUE, d INT);\n")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="mysql").raise_for_errors()
        assert [one.source for one in warehouse.lineage("T.D").steps if one.kind == "indirect"] == ["S.P"]
