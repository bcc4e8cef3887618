"""Changes that give rows back, to the query around them or to another table (rule Q19)."""

from __future__ import annotations

from pathlib import Path

import pytest
from scans import direct

from mdw import Warehouse, scan_sql

CASES = [
    (
        "postgres",
        "WITH gone AS (DELETE FROM a WHERE k = 1 RETURNING a.x) INSERT INTO b (x) SELECT x FROM gone",
        {"a.x -> b.x": "a.k = 1"},
    ),
    (
        "postgres",
        """WITH m AS (DELETE FROM a WHERE k = 1 RETURNING x),
           n AS (INSERT INTO c (x) SELECT x FROM m RETURNING id, x AS y) INSERT INTO b (i, y) SELECT id, y FROM n""",
        {"a.x -> c.x": "a.k = 1", "a.x -> b.y": "a.k = 1"},
    ),
    (
        "postgres",
        """WITH u AS (UPDATE t SET a = s.a FROM s WHERE s.id = t.id RETURNING t.id, t.a, s.z)
           INSERT INTO log (i, a, z) SELECT id, a, z FROM u""",
        dict.fromkeys(("s.a -> t.a", "t.id -> log.i", "s.a -> log.a", "s.z -> log.z"), "s.id = t.id"),
    ),
    (
        "tsql",
        "INSERT INTO t (a) OUTPUT inserted.a INTO dbo.log (b) SELECT x FROM s",
        {"s.x -> t.a": "", "s.x -> dbo.log.b": ""},
    ),
    (
        "tsql",
        "UPDATE t SET a = s.a OUTPUT inserted.a, deleted.a INTO log (n, o) FROM t JOIN s ON s.id = t.id",
        {"s.a -> t.a": "", "s.a -> log.n": "", "t.a -> log.o": ""},
    ),
    ("tsql", "DELETE FROM t OUTPUT deleted.a INTO log WHERE x = 1", {"t.a -> log.a": "t.x = 1"}),
    (
        "tsql",
        "DELETE t OUTPUT deleted.id INTO @gone FROM t JOIN s ON s.i = t.i\nINSERT INTO z (id) SELECT id FROM @gone",
        {"t.id -> z.id": ""},
    ),
]


@pytest.mark.parametrize(("dialect", "script", "flows"), CASES)
def test_what_a_change_gives_back(dialect: str, script: str, flows: dict[str, str]) -> None:
    scan = scan_sql(script, dialect=dialect)
    assert {one.status for one in scan.statements} == {"whole"}
    assert direct(scan) == set(flows)
    assert {f"{one.source} -> {one.target}": one.condition for one in scan.steps if one.kind == "direct"} == flows


def test_history_by_the_output_of_a_merge(tmp_path: Path) -> None:
    """Of MERGE's branches only the one goes on whose $action is asked for."""
    script = """INSERT INTO hist (id, a) SELECT id, a FROM (
        MERGE INTO dim AS t USING s ON t.id = s.id
        WHEN MATCHED AND s.k = 1 THEN UPDATE SET cur = 0
        WHEN NOT MATCHED AND s.k = 2 THEN INSERT (id, a) VALUES (s.id, s.a)
        OUTPUT $action AS act, s.id, s.a) AS ch WHERE ch.act = 'UPDATE'"""
    (tmp_path / "merge.sql").write_text(script)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="tsql")
        (end,) = warehouse.lineage("hist.a").golden
    assert end.attribute == "S.A"
    assert "S.K = 1" in end.sql and "S.K = 2" not in end.sql


FUNCTIONS = [
    (
        "duckdb",
        """CREATE MACRO f(a, b := 1) AS TABLE SELECT x AS y, a AS z FROM s WHERE k = a;
           CREATE TABLE t AS SELECT y FROM f(1); CREATE TABLE u AS SELECT z, y FROM q, f(q.n)""",
        {"s.x -> f.y", "f.y -> t.y", "q.n -> u.z", "f.z -> u.z", "f.y -> u.y"},
    ),
    (
        "bigquery",
        "CREATE TABLE s (x INT64, k INT64); CREATE TABLE FUNCTION ds.f(a INT64) AS SELECT x FROM s WHERE k = a;"
        "CREATE TABLE u AS SELECT x FROM ds.f(1)",
        {"s.x -> ds.f.x", "ds.f.x -> u.x"},
    ),
    (
        "tsql",
        """CREATE FUNCTION dbo.f(@a INT) RETURNS TABLE AS RETURN (SELECT x FROM s WHERE k = @a)
           GO
           INSERT INTO u (x) SELECT f.x FROM t OUTER APPLY dbo.f(t.id) f""",
        {"s.x -> dbo.f.x", "dbo.f.x -> u.x"},
    ),
]


@pytest.mark.parametrize(("dialect", "script", "flows"), FUNCTIONS)
def test_functions_that_give_rows_are_entities(dialect: str, script: str, flows: set[str]) -> None:
    """What arrives at a function's column comes from its query, or from its arguments."""
    scan = scan_sql(script, dialect=dialect)
    assert {one.status for one in scan.statements} == {"whole"}
    assert direct(scan) == flows
