"""What scan_sql makes of SQL, construct by construct; numbers are those of the rules of `sql.md`."""

from __future__ import annotations

import subprocess
import sys

import pytest
from scans import ScanCase, direct, scan_cases, scanned, steps

from mdw import InputError, Location, scan_sql


def test_conditions_of_every_use() -> None:
    """Q1: an arm of CASE has its own test, and what tests only decides."""
    scan = scan_sql("INSERT INTO t SELECT SUM(CASE WHEN s.k = 'a' THEN s.x END) AS x FROM s WHERE s.z > 1")
    assert steps(scan) == {"s.x -> t.x AGGREGATION", "s.k -> t.x CONDITIONAL", "s.z -> t.x FILTER"}
    assert [one.condition for one in scan.steps if one.kind == "direct"] == ['S.K = "a" AND s.z > 1']


def test_places() -> None:
    scan = scan_sql("-- first\nINSERT INTO t\n  SELECT a.x,\n    b.y\n  FROM a, b", file="core/t.sql")
    places = {one.target: one.location for one in scan.steps if one.kind == "direct"}
    assert places == {"t.x": Location("core/t.sql", 3, 10), "t.y": Location("core/t.sql", 4, 5)}
    assert scan.statements[0].location == Location("core/t.sql", 2, 1)


def test_what_a_from_without_a_select_makes_stands_there() -> None:
    scan = scan_sql("CREATE TABLE s (v INT);\n\nCREATE TABLE u AS\nFROM s;", dialect="duckdb")
    assert {(one.source, one.location.line) for one in scan.steps} == {("s.v", 4)}


def test_inner_entities_are_folded() -> None:
    """Direct through direct is as strong as the strongest; conditions on the way are kept."""
    scan = scan_sql(
        """WITH c AS (SELECT k, SUM(v) AS total FROM s WHERE v > 0 GROUP BY k)
           INSERT INTO t SELECT total AS a FROM c WHERE k = 1"""
    )
    (step,) = [one for one in scan.steps if one.kind == "direct"]
    assert (step.source, step.target, step.subtype) == ("s.v", "t.a", "AGGREGATION")
    assert step.condition == "c.k = 1 AND s.v > 0"
    assert steps(scan) - {"s.v -> t.a AGGREGATION"} == {
        "s.k -> t.a FILTER",
        "s.k -> t.a GROUP_BY",
        "s.v -> t.a FILTER",
    }


def test_all_of_a_table_under_another_name_is_that_table() -> None:
    scan = scan_sql(
        """WITH c AS (SELECT * FROM raw.s), d AS (SELECT * FROM c), e (z) AS (SELECT * FROM raw.u)
           INSERT INTO t SELECT c.x AS a, d.x AS b, e.z AS z FROM c JOIN d ON c.k = d.p JOIN e ON e.z = c.x""",
        schema={"raw.s": ["x", "k", "p"], "raw.u": ["y"]},
    )
    assert direct(scan) == {"raw.s.x -> t.a", "raw.s.x -> t.b", "raw.u.y -> t.z"}
    assert scan.statements[0].status == "whole"


def test_what_reads_what_it_fills_knows_its_columns() -> None:
    """A column of the subquery could be one of the outer rows, if nobody knew what the table has."""
    sql = "CREATE TABLE t AS SELECT s.x, s.d FROM s WHERE s.d > (SELECT MAX(d) FROM t)"
    scan = scan_sql(sql, schema={"s": ["x", "d"]})
    assert (scan.statements[0].status, scan.statements[0].unresolved) == ("whole", ())


def test_temporary_tables_are_versions() -> None:
    """Q20: a table made again is a new one; who read before read the old one."""
    scan = scan_sql(
        """CREATE TEMP TABLE tmp AS SELECT id, x FROM s;
           INSERT INTO t1 SELECT x AS a FROM tmp;
           DROP TABLE tmp;
           CREATE TEMP TABLE tmp AS SELECT id, y AS x FROM s2;
           INSERT INTO t2 SELECT x AS a FROM tmp""",
        dialect="snowflake",
    )
    assert direct(scan) == {"s.x -> t1.a", "s2.y -> t2.a"}


def test_semi_joins_and_marks() -> None:
    """Q11: what must be TRUE joins, what may not be is looked for."""
    scan = scan_sql(
        "SELECT x FROM s WHERE k IN (SELECT k FROM a WHERE z = 1) OR NOT EXISTS (SELECT 1 FROM b WHERE b.k = s.k)"
    )
    assert "a.k -> <sql>.x JOIN" in steps(scan)
    assert "b.k -> <sql>.x JOIN" in steps(scan)
    assert [one.condition for one in scan.steps if one.kind == "direct"] == [
        "EXISTS(`subquery 1`) OR NOT EXISTS(`subquery 2`)"
    ]


def test_correlated_scalar() -> None:
    scan = scan_sql("SELECT (SELECT MAX(o.y) FROM o WHERE o.k = s.k AND o.z = 1) AS m FROM s")
    assert {"o.y -> <sql>.m AGGREGATION", "o.k -> <sql>.m JOIN", "s.k -> <sql>.m JOIN"} <= steps(scan)


@pytest.mark.parametrize("case", scan_cases("values.sql"), ids=str)
def test_values(case: ScanCase) -> None:
    assert direct(scanned(case)) == case.flows


def test_six_dialects_say_the_same() -> None:
    found = {case.dialect: {one.lower() for one in steps(scanned(case))} for case in scan_cases("six_dialects.sql")}
    assert all(one == found["snowflake"] for one in found.values()), found
    assert "sales.o.kind -> <sql>.v conditional" in found["snowflake"]


def test_names() -> None:
    """A quoted name equal to its folded spelling is the plain one; the first spelling is shown."""
    scan = scan_sql('SELECT t.Id, t."id", t."Id" AS other FROM T t', dialect="postgres")
    assert {one.source for one in scan.steps} == {"T.Id"} | {"T.Id"}
    assert [column.name for column in scan.statements[0].columns] == ["Id", "Id", "other"]


def test_defaults_and_use() -> None:
    assert scan_sql("SELECT a FROM t", defaults="sales").entities.read == ("sales.t",)
    assert scan_sql("USE mart; SELECT a FROM t").entities.read == ("mart.t",)
    assert scan_sql("WITH t AS (SELECT a FROM s) SELECT a FROM t", defaults="x").entities.read == ("x.s",)


def test_columns_and_status() -> None:
    scan = scan_sql("INSERT INTO t SELECT a.x AS one, 2 AS two FROM a; GRANT SELECT ON t TO u; FROBNICATE t")
    assert [(one.kind, one.status) for one in scan.statements] == [
        ("insert", "whole"),
        ("grant", "whole"),
        ("expression", "failed"),
    ]
    assert [column.name for column in scan.statements[0].columns] == ["one", "two"]
    assert (scan.entities.read, scan.entities.written) == (("a",), ("t",))


def test_a_select_alone_is_called_as_its_file() -> None:
    assert {one.target for one in scan_sql("SELECT a FROM t", file="marts/spend.sql").steps} == {"spend.a"}


def test_no_such_dialect() -> None:
    with pytest.raises(InputError, match="no SQL dialect is called cobol"):
        scan_sql("SELECT 1", dialect="cobol")


def test_it_is_light() -> None:
    script = "import sys, mdw; mdw.scan_sql('SELECT a FROM t'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in ("z3", "pyspark", "pyoxigraph", "lark") if name in loaded] == []


DECLARED = "DECLARE d, mx DATE; INSERT INTO out (a, b) SELECT a, mx FROM src WHERE dt = d"


def test_q28_a_plain_name_that_is_declared() -> None:
    """Q28: it is the column where one is known to be called so, else the variable; where nobody knows both stay."""
    told = scan_sql(DECLARED, dialect="bigquery", schema={"src": ["a", "dt", "d"]})
    assert (direct(told), told.statements[1].status) == ({"src.a -> out.a"}, "whole")
    assert "src.d -> out.a FILTER" in steps(told)
    untold = scan_sql(DECLARED, dialect="bigquery")
    assert (direct(untold), untold.statements[1].unresolved) == ({"src.a -> out.a", "src.mx -> out.b"}, ("mx", "d"))
    assert direct(scan_sql(DECLARED, dialect="mysql")) == {"src.a -> out.a"}


def test_q14_what_is_largest_only_decides() -> None:
    """Q14: MAX_BY gives a value of its first argument; the second says of which row."""
    scan = scan_sql("INSERT INTO t SELECT MAX_BY(s.x, s.k) AS x FROM s", dialect="spark")
    assert steps(scan) == {"s.x -> t.x AGGREGATION", "s.k -> t.x SORT"}


@pytest.mark.parametrize(
    ("dialect", "type_"), [("spark", "STRUCT<x: STRING, y: INT>"), ("bigquery", "STRUCT<x STRING, y INT64>")]
)
def test_q22_the_star_of_a_struct(dialect: str, type_: str) -> None:
    """Q22: its fields are those of its type, as far as that is told; else they go on by name."""
    scan = scan_sql("INSERT INTO t SELECT a.o.*, a.k FROM s a", dialect=dialect, schema={"s": {"o": type_, "k": "INT"}})
    assert direct(scan) == {"s.o -> t.x", "s.o -> t.y", "s.k -> t.k"}
    assert scan.statements[0].status == "whole"
    less = scan_sql("SELECT a.o.* EXCEPT (x) FROM s a", dialect=dialect, schema={"s": {"o": type_}})
    assert [column.name for column in less.statements[0].columns] == ["y"]
    for untold in ("INT", "", "STRUCT<", "ARRAY<INT>"):
        found = scan_sql("SELECT o.* FROM s", dialect=dialect, schema={"s": {"o": untold}})
        assert [column.name for column in found.statements[0].columns] == ["*"]


def test_what_is_told_of_a_days_table_all_days_have() -> None:
    """Q22: BigQuery's tables by day are one; of the others' columns nobody was told."""
    scan = scan_sql("SELECT * FROM `d.t_20240101`", dialect="bigquery", schema={"d.t_20240101": ["a", "b"]})
    assert {(one.source, one.target) for one in scan.steps} == {
        ("d.t_*.a", "<sql>.a"),
        ("d.t_*.b", "<sql>.b"),
        ("d.t_*.*", "<sql>.*"),
    }


def test_what_with_names_in_clickhouse_is_no_column() -> None:
    """Q28: WITH x + 1 AS y, [1, 2] AS wanted: Y and WANTED are these, and no columns of S, in conditions too."""
    text = "WITH x + 1 AS y, [1, 2] AS wanted SELECT a FROM s WHERE y > 3 AND k IN wanted"
    scan = scan_sql(text, dialect="clickhouse")
    assert {one.source for one in scan.steps} == {"s.a", "s.x", "s.k"}
    assert scan.entities.read == ("s",)
