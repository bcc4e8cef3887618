"""Rows paired by their places, predictions of models, tables of other servers: no true source is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from empty_database import empty_database

from mdw import Warehouse, scan_sql


def loaded(folder: Path, sql: str, dialect: str) -> Warehouse:
    (folder / "a.sql").write_text(sql)
    found = Warehouse()
    found.load(folder, dialect=dialect).raise_for_errors()
    return found


def golden(warehouse: Warehouse, name: str) -> list[str]:
    return [end.attribute for end in warehouse.lineage(name).golden]


def test_q9_rows_paired_by_their_places_stay_where_none_is_beside_them(tmp_path: Path) -> None:
    """Q9: what has no row at its place beside it comes with NULLs, though no y that was written is NULL."""
    views = """CREATE VIEW c AS SELECT 1 AS y, z FROM t;
        CREATE VIEW p AS SELECT s.x, c.y, c.z FROM s POSITIONAL JOIN c;
        CREATE VIEW alone AS SELECT x FROM p WHERE y IS NULL;
        CREATE VIEW beside AS SELECT x, z FROM p WHERE y = 1"""
    with empty_database() as base:
        base.execute("CREATE TABLE s AS SELECT unnest([1, 2, 3]) AS x; CREATE TABLE t AS SELECT unnest([7, 8]) AS z")
        base.execute(views)
        assert base.execute("SELECT x FROM alone").fetchall() == [(3,)]
        assert base.execute("SELECT x, z FROM beside ORDER BY x").fetchall() == [(1, 7), (2, 8)]
    with loaded(tmp_path, views, "duckdb") as warehouse:
        assert golden(warehouse, "alone.x") == golden(warehouse, "beside.x") == ["S.X"]
        assert golden(warehouse, "beside.z") == ["T.Z"]
        # Which rows these are nobody can tell.
        assert not warehouse.lineage("alone.x").golden[0].exact
        assert "CROSS JOIN" not in {node.role for node in warehouse.tree("a.sql:p").walk()}


@pytest.mark.parametrize("source", ["(SELECT id, age FROM d.people WHERE age > 18)", "TABLE d.people"])
def test_a_prediction_comes_with_the_row_it_is_made_of(tmp_path: Path, source: str) -> None:
    sql = f"""CREATE TABLE d.people (id INT64, age INT64);
        CREATE VIEW d.every AS SELECT * FROM ML.PREDICT(MODEL d.m, {source});
        CREATE VIEW d.some AS SELECT q.predicted_label AS label, q.age FROM ML.PREDICT(MODEL d.m, {source}) AS q"""
    with loaded(tmp_path, sql, "bigquery") as warehouse:
        for view in ("every", "some"):
            assert golden(warehouse, f"d.{view}.age") == ["D.PEOPLE.AGE"]
        assert golden(warehouse, "d.every.id") == ["D.PEOPLE.ID"]
        assert golden(warehouse, "d.some.label") == ["D.M.`*`", "D.PEOPLE.AGE", "D.PEOPLE.ID"]
        assert golden(warehouse, "d.every.predicted_label") == ["D.M.`*`", "D.PEOPLE.AGE", "D.PEOPLE.ID"]
        assert {step.subtype for step in warehouse.lineage("d.every.age").steps if step.kind == "direct"} == {
            "IDENTITY"
        }


def test_q22_a_prediction_for_a_table_nobody_knows_comes_from_all_of_it(tmp_path: Path) -> None:
    sql = "CREATE VIEW d.every AS SELECT * FROM ML.PREDICT(MODEL d.m, TABLE d.people)"
    with loaded(tmp_path, sql, "bigquery") as warehouse:
        assert golden(warehouse, "d.every.predicted_label") == ["D.M.`*`", "D.PEOPLE.`*`"]


@pytest.mark.parametrize(
    ("dialect", "source", "attribute"),
    [
        ("tsql", "OPENQUERY(far, 'SELECT id\n FROM x.dbo.t') q", "FAR.X.DBO.T.ID"),
        ("tsql", "OPENQUERY(far, N'SELECT id FROM t WHERE n = ''a''') AS q", "FAR.T.ID"),
        ("tsql", "OPENQUERY(far, 'EXEC x.dbo.p') AS q", "FAR.`exec x.dbo.p`.ID"),
        ("tsql", "OPENROWSET('SQLNCLI', 'Server=x;PWD=geheim', 'SELECT id FROM t') q", "OPENROWSET.T.ID"),
        ("tsql", "OPENROWSET('SQLNCLI', 'Server=x;PWD=geheim', db.dbo.t) q", "OPENROWSET.DB.DBO.T.ID"),
        ("bigquery", "EXTERNAL_QUERY('p.us.shop', 'SELECT id FROM pub.t') AS q", "`p.us.shop`.PUB.T.ID"),
        (
            "postgres",
            "dblink('host=h dbname=shop password=x', 'SELECT i FROM pub.t') AS q(id int)",
            "SHOP.PUB.T.I",
        ),
        ("postgres", "dblink('shop', 'SELECT i FROM pub.t') AS q(id int)", "SHOP.PUB.T.I"),
        ("postgres", "dblink('SELECT i FROM pub.t') AS q(id int)", "DBLINK.PUB.T.I"),
        ("trino", "TABLE(pg.system.query(query => 'SELECT id FROM pub.t')) AS q", "PG.PUB.T.ID"),
        ("duckdb", "postgres_query('pg', 'SELECT id FROM pub.t') AS q", "PG.PUB.T.ID"),
        ("databricks", "remote_query('pg', database => 'd', query => 'SELECT id FROM pub.t') AS q", "PG.PUB.T.ID"),
        ("clickhouse", "remote('far:9000', db.tbl) AS q", "`far:9000`.DB.TBL.ID"),
        ("clickhouse", "remoteSecure('far:9000', 'db', 'tbl', 'me', 'geheim') AS q", "`far:9000`.DB.TBL.ID"),
        ("clickhouse", "mysql('far:9000', 'db', 'tbl', 'me', 'geheim') AS q", "`far:9000`.DB.TBL.ID"),
        ("clickhouse", "jdbc('far', 'db', 'tbl') AS q", "FAR.DB.TBL.ID"),
    ],
)
def test_a_table_of_another_server_is_an_entity(tmp_path: Path, dialect: str, source: str, attribute: str) -> None:
    with loaded(tmp_path, f"CREATE VIEW v AS SELECT q.id FROM {source}", dialect) as warehouse:
        answer = warehouse.lineage("v.id")
        assert [end.attribute for end in answer.golden] == [attribute]
        assert (answer.constants, answer.generated) == ((), ())
        (statement,) = warehouse.report().statements
        assert "lies on another server" in statement.message
        assert "geheim" not in f"{statement.message}{answer}"


def test_conditions_of_a_query_for_another_server_meet_those_around(tmp_path: Path) -> None:
    """A text for OPENQUERY is read as the query that it is, in whatever dialect the other server speaks."""
    sql = """CREATE VIEW eu AS SELECT * FROM OPENQUERY(far,
          'SELECT id, region FROM `sales` WHERE region = ''EU'' LIMIT 5') q;
        CREATE VIEW us AS SELECT id FROM eu WHERE region = 'US';
        CREATE VIEW home AS WITH sales AS (SELECT 1 AS id) SELECT q.id FROM OPENQUERY(far, 'SELECT id FROM sales') q"""
    with loaded(tmp_path, sql, "tsql") as warehouse:
        assert golden(warehouse, "eu.id") == ["FAR.SALES.ID"]
        assert golden(warehouse, "us.id") == []
        # The text sees no CTE of the query around.
        assert golden(warehouse, "home.id") == ["FAR.SALES.ID"]


def test_a_query_for_duckdb_itself_reads_tables_at_home(tmp_path: Path) -> None:
    with loaded(tmp_path, "CREATE VIEW v AS SELECT id FROM query('SELECT id FROM t')", "duckdb") as warehouse:
        assert golden(warehouse, "v.id") == ["T.ID"]
        assert "another server" not in warehouse.report().statements[0].message


@pytest.mark.parametrize(
    ("tables", "rows", "expected"),
    [
        ("CREATE TABLE s (k INT, a INT[]);", "generate_series(1, 3) AS g(i)", []),
        ("CREATE TABLE s (k INT, a INT[]);", "unnest(s.a) AS g(i)", ["S.A"]),
        ("CREATE TABLE s (g INT, a INT[]);", "unnest(s.a) AS g(i)", ["S.G"]),
        # Nobody knows whether S has a column of that name: both stay.
        ("", "generate_series(1, 3) AS g(i)", ["S.G"]),
        ("", "unnest(s.a) AS g(i)", ["S.A", "S.G"]),
    ],
)
def test_q23_the_name_of_a_function_in_from_is_its_row(
    tables: str, rows: str, expected: list[str], tmp_path: Path
) -> None:
    """Q23: PostgreSQL's ``SELECT g FROM s, f() AS g(i)`` is what F gives, unless S has a column G: that goes before."""
    text = f"{tables} CREATE TABLE u AS SELECT g AS v FROM s, {rows};"
    with loaded(tmp_path, text, "postgres") as warehouse:
        assert golden(warehouse, "u.v") == expected
    assert scan_sql(text, dialect="postgres").statements[-1].unresolved == (() if tables else ("g",))
