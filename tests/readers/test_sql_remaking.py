"""Tables that a program makes again, drops or takes back: what they were stays where nobody knows (rules Q20, Q25)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse

WAYS: dict[str, tuple[str, str, dict[str, str]]] = {
    "Q20: a table made again is made of what it was": (
        "snowflake",
        """CREATE TEMP TABLE w AS SELECT a, k FROM x;
           CREATE OR REPLACE TEMP TABLE w AS SELECT w.a, y.b FROM w JOIN y ON w.k = y.k;
           INSERT INTO t (a, b) SELECT a, b FROM w;""",
        {"t.a": "X.A", "t.b": "Y.B"},
    ),
    "Q20: a temporary table of a table's name is made of that": (
        "postgres",
        "CREATE TEMP TABLE w AS SELECT a FROM w; INSERT INTO t (a) SELECT a FROM w;",
        {"t.a": "W.A"},
    ),
    "Q20: T-SQL's #w is another table than w, wherever it is said to lie": (
        "tsql",
        """SELECT a INTO #w FROM w
           INSERT INTO t (a) SELECT a FROM tempdb..#w
           INSERT INTO u (a) SELECT #w.a FROM #w JOIN x ON x.a = #w.a
           INSERT INTO ##g (a) SELECT a FROM y
           INSERT INTO v (a, b) SELECT g.b, h.a FROM g JOIN ##g AS h ON h.a = g.b""",
        {"t.a": "W.A", "u.a": "W.A", "v.a": "G.B", "v.b": "Y.A"},
    ),
    "Q29: #w of a procedure, or of a text, hides its caller's, which is there again behind the call": (
        "tsql",
        """CREATE PROCEDURE p AS SELECT a INTO #w FROM y; INSERT INTO t (a) SELECT a FROM #w
           GO
           SELECT a INTO #w FROM x
           EXEC p
           INSERT INTO u (a) SELECT a FROM #w
           EXEC ('SELECT a INTO #w FROM z; INSERT INTO t (a) SELECT a FROM #w')
           INSERT INTO v (a) SELECT a FROM #w""",
        {"t.a": "Y.A Z.A", "u.a": "X.A", "v.a": "X.A"},
    ),
    "Q25: a table that a loop makes again on some way, asked for a column that it has not": (
        "postgres",
        """CREATE PROCEDURE p(a TEXT, b INT) LANGUAGE plpgsql AS $$
           DECLARE t TEXT; i INT := 0;
           BEGIN
             CREATE TEMP TABLE w AS SELECT z.k, z.a FROM x AS z;
             WHILE i < 1 LOOP
               i := i + 1;
               IF a = 'x' THEN
                 DROP TABLE w;
                 CREATE TEMP TABLE w AS SELECT z.k, z.b AS a FROM y AS z;
               END IF;
             END LOOP;
             INSERT INTO t SELECT z.k, t, z.a FROM w AS z WHERE EXISTS (SELECT 1 FROM u AS z WHERE z.k = 2) AND z.k > b;
           END $$;""",
        {"t.a": "X.A Y.B"},
    ),
    "Q20: who reads a table before it is made again reads the old one, who asks for it afterwards the new one": (
        "snowflake",
        """CREATE OR REPLACE TABLE core.w AS SELECT a FROM x;
           INSERT INTO t (a) SELECT a FROM core.w;
           CREATE OR REPLACE TABLE core.w AS SELECT a FROM y;
           INSERT INTO u (a) SELECT core.w.a FROM core.w;""",
        {"t.a": "X.A", "u.a": "Y.A", "core.w.a": "Y.A"},
    ),
    "Q20: DROP and CREATE make a table anew, with other columns": (
        "postgres",
        """CREATE TABLE w AS SELECT a, b FROM x; INSERT INTO t (a) SELECT b FROM w;
           DROP TABLE w; CREATE TABLE w AS SELECT c AS b FROM y; INSERT INTO u (a) SELECT b FROM w;""",
        {"t.a": "X.B", "u.a": "Y.C", "w.b": "Y.C"},
    ),
    "Q20: what is added to a table made again is gone with it": (
        "postgres",
        """CREATE TABLE w (a INT); INSERT INTO w SELECT a FROM x; UPDATE w SET a = z.a FROM z;
           DROP TABLE w; CREATE TABLE w (a INT); INSERT INTO w SELECT a FROM y;""",
        {"w.a": "Y.A"},
    ),
    "Q20: SELECT INTO makes a table anew": (
        "tsql",
        "SELECT a INTO dbo.w FROM x; DROP TABLE dbo.w; SELECT a INTO dbo.w FROM y; SELECT a INTO t FROM dbo.w;",
        {"t.a": "Y.A"},
    ),
    "Q20: a table that is dropped if it is there is there no more": (
        "tsql",
        """IF OBJECT_ID('dbo.w', 'U') IS NOT NULL DROP TABLE dbo.w
           SELECT a INTO dbo.w FROM x
           INSERT INTO t (a) SELECT a FROM dbo.w
           IF EXISTS (SELECT 1 FROM sys.tables WHERE name = 'w') DROP TABLE dbo.w
           SELECT a INTO dbo.w FROM y
           INSERT INTO u (a) SELECT a FROM dbo.w
           IF OBJECT_ID('tempdb..#q') IS NOT NULL BEGIN DROP TABLE #q END
           SELECT a INTO #q FROM z
           INSERT INTO v (a) SELECT a FROM #q""",
        {"t.a": "X.A", "u.a": "Y.A", "v.a": "Z.A"},
    ),
    "Q25: what else an IF drops may be there": (
        "tsql",
        """SELECT a INTO w FROM x
           IF @n > 1 DROP TABLE w
           SELECT a INTO w FROM y
           INSERT INTO u (a) SELECT a FROM w""",
        {"u.a": "X.A Y.A"},
    ),
    "Q20: two tables change their names": (
        "postgres",
        """CREATE TABLE v AS SELECT a FROM x; CREATE TABLE w AS SELECT a FROM y;
           ALTER TABLE v RENAME TO z; ALTER TABLE w RENAME TO v; ALTER TABLE z RENAME TO w;
           INSERT INTO t (a, b) SELECT v.a, w.a FROM v, w;""",
        {"t.a": "Y.A", "t.b": "X.A", "v.a": "Y.A"},
    ),
    "Q20: several names change in one statement": (
        "mysql",
        """CREATE TABLE v AS SELECT a FROM x; CREATE TABLE w AS SELECT a FROM y;
           RENAME TABLE v TO z, w TO v, z TO w;
           INSERT INTO t (a, b) SELECT v.a, w.a FROM v, w;""",
        {"t.a": "Y.A", "t.b": "X.A"},
    ),
    "Q20: SWAP changes what was made before": (
        "snowflake",
        """CREATE TABLE v AS SELECT a FROM x; CREATE TABLE w AS SELECT a FROM y; ALTER TABLE v SWAP WITH w;
           INSERT INTO t (a, b) SELECT v.a, w.a FROM v, w;""",
        {"t.a": "Y.A", "t.b": "X.A", "w.a": "X.A"},
    ),
    "Q19: SWAP with a table that nothing fills: it had rows before": (
        "snowflake",
        "INSERT INTO t (a) SELECT a FROM x; ALTER TABLE w SWAP WITH t;",
        {"t.a": "W.A X.A", "w.a": "W.A X.A"},
    ),
    "Q19: EXCHANGE with a table that nothing fills (Oracle)": (
        "oracle",
        "INSERT INTO t (a) SELECT a FROM x; ALTER TABLE w EXCHANGE PARTITION p WITH TABLE t;",
        {"t.a": "W.A X.A"},
    ),
    "Q19: EXCHANGE with a table that nothing fills (MySQL)": (
        "mysql",
        "INSERT INTO t (a) SELECT a FROM x; ALTER TABLE t EXCHANGE PARTITION p WITH TABLE w;",
        {"t.a": "W.A X.A"},
    ),
    "Q20: a table that is built and takes the name of the one it is built of": (
        "postgres",
        """CREATE TABLE n AS SELECT w.a FROM w; DROP TABLE w; ALTER TABLE n RENAME TO w;
           INSERT INTO t (a) SELECT a FROM w;""",
        {"t.a": "W.A"},
    ),
    "Q20: a view that is made of a table looks again: it may have read what that was": (
        "postgres",
        """CREATE TABLE w AS SELECT a FROM x; CREATE VIEW v AS SELECT a FROM w; INSERT INTO t (a) SELECT a FROM v;
           DROP TABLE w; CREATE TABLE w AS SELECT a FROM y; INSERT INTO u (a) SELECT a FROM v;""",
        {"t.a": "X.A Y.A", "u.a": "X.A Y.A"},
    ),
    "Q25: a table that is made again where a ROLLBACK may take that back": (
        "postgres",
        """CREATE TABLE w AS SELECT a FROM x; BEGIN; DROP TABLE w; CREATE TABLE w AS SELECT a FROM y; ROLLBACK;
           INSERT INTO t (a) SELECT a FROM w;""",
        {"t.a": "X.A Y.A"},
    ),
    "Q25: a routine may be left before its table is made again": (
        "postgres",
        """CREATE PROCEDURE p(n INT) LANGUAGE plpgsql AS $$ BEGIN
             CREATE TABLE w AS SELECT a FROM x;
             IF n > 1 THEN RETURN; END IF;
             DROP TABLE w;
             CREATE TABLE w AS SELECT a FROM y;
           END $$;""",
        {"w.a": "X.A Y.A"},
    ),
    "Q29: a procedure that is called in between reads the table as it is": (
        "postgres",
        """CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t (a) SELECT a FROM w; END $$;
           CREATE TABLE w AS SELECT a FROM x; CALL p(); DROP TABLE w; CREATE TABLE w AS SELECT a FROM y;""",
        {"t.a": "X.A Y.A"},
    ),
    "Q31: a text may name the table": (
        "tsql",
        """SELECT a INTO w FROM x; EXEC ('INSERT INTO t (a) SELECT a FROM ' + @name);
           DROP TABLE w; SELECT a INTO w FROM y""",
        {"w.a": "X.A Y.A"},
    ),
    "Q25: IF NOT EXISTS makes none where there is one": (
        "postgres",
        """CREATE TEMP TABLE w AS SELECT a FROM x;
           CREATE TEMP TABLE IF NOT EXISTS w AS SELECT a FROM y;
           INSERT INTO t (a) SELECT a FROM w;""",
        {"t.a": "X.A Y.A"},
    ),
    "Q25: the columns of a table made again in a branch": (
        "snowflake",
        """EXECUTE IMMEDIATE $$
           BEGIN
             CREATE TABLE w AS SELECT a, c FROM x;
             IF (:n > 1) THEN CREATE OR REPLACE TABLE w AS SELECT a, b FROM y; END IF;
             CREATE TABLE t AS SELECT * FROM w;
           END
           $$""",
        {"t.a": "X.A Y.A", "t.b": "Y.B", "t.c": "X.C"},
    ),
    "Q25: of the branches of an IF each finds what was before it": (
        "tsql",
        """SELECT a, b INTO w FROM x
           IF @n > 1 BEGIN DROP TABLE w; SELECT c INTO w FROM y END
           ELSE SELECT * INTO t FROM w""",
        {"t.b": "X.B"},
    ),
    "Q25: a round of a loop finds what the one before made": (
        "postgres",
        """DO $$ BEGIN
             CREATE TEMP TABLE w AS SELECT a FROM x;
             FOR i IN 1..3 LOOP
               INSERT INTO t (a) SELECT a FROM w;
               DROP TABLE w;
               CREATE TEMP TABLE w AS SELECT a FROM y;
             END LOOP;
             INSERT INTO u (a) SELECT a FROM w;
           END $$""",
        {"t.a": "X.A Y.A", "u.a": "X.A Y.A"},
    ),
    "Q25: a handler finds what any statement of its block left": (
        "tsql",
        """SELECT a INTO #w FROM x
           BEGIN TRY
             DROP TABLE #w
             SELECT a INTO #w FROM y
             DELETE FROM z
           END TRY
           BEGIN CATCH
             INSERT INTO err (a) SELECT a FROM #w
           END CATCH""",
        {"err.a": "X.A Y.A"},
    ),
    "Q25: PL/pgSQL's handler finds what was before its block": (
        "postgres",
        """DO $$ BEGIN
             CREATE TEMP TABLE w AS SELECT a FROM x;
             BEGIN
               DROP TABLE w; CREATE TEMP TABLE w AS SELECT a FROM y;
               DELETE FROM z;
             EXCEPTION WHEN others THEN INSERT INTO err (a) SELECT a FROM w;
             END;
           END $$""",
        {"err.a": "X.A"},
    ),
    "Q25: ROLLBACK may take back that a table was made again": (
        "tsql",
        """SELECT a INTO #w FROM x
           BEGIN TRAN
           DROP TABLE #w
           SELECT a INTO #w FROM y
           ROLLBACK
           INSERT INTO t (a) SELECT a FROM #w""",
        {"t.a": "X.A Y.A"},
    ),
    "Q25: what MySQL's ROLLBACK does not take back": (
        "mysql",
        """CREATE TEMPORARY TABLE w AS SELECT a FROM x;
           START TRANSACTION;
           DROP TEMPORARY TABLE w;
           CREATE TEMPORARY TABLE w AS SELECT a FROM y;
           ROLLBACK;
           INSERT INTO t (a) SELECT a FROM w;""",
        {"t.a": "Y.A"},
    ),
    "Q25: a table variable survives ROLLBACK": (
        "tsql",
        """DECLARE @w TABLE (a INT)
           BEGIN TRAN
           INSERT INTO @w (a) SELECT a FROM x
           ROLLBACK
           INSERT INTO t (a) SELECT a FROM @w""",
        {"t.a": "X.A"},
    ),
    "Q20: a plain script that makes its table anew": (
        "postgres",
        "DROP TABLE IF EXISTS t; CREATE TABLE t AS SELECT a FROM x; TRUNCATE u; INSERT INTO u (a) SELECT a FROM t;",
        {"t.a": "X.A", "u.a": "X.A"},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_tables_made_again(way: str, tmp_path: Path) -> None:
    dialect, text, expected = WAYS[way]
    file = tmp_path / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        for attribute, sources in expected.items():
            found = warehouse.lineage(attribute.upper())
            assert sorted(end.attribute for end in found.golden) == sources.split(), attribute


def test_a_view_of_another_file_may_have_read_what_a_table_was(tmp_path: Path) -> None:
    """Rule Q20: the view looks again each time it is read, and the script reads it before it makes the table anew."""
    (tmp_path / "view.sql").write_text("CREATE VIEW v AS SELECT a FROM w")
    (tmp_path / "load.sql").write_text(
        "CREATE TABLE w AS SELECT a FROM x; INSERT INTO t (a) SELECT a FROM v;\n"
        "DROP TABLE w; CREATE TABLE w AS SELECT a FROM y; INSERT INTO u (a) SELECT a FROM w;"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        found = {name: warehouse.lineage(f"{name}.A").golden for name in "TU"}
    assert {name: {end.attribute for end in ends} for name, ends in found.items()}["T"] == {"X.A", "Y.A"}
    assert [end.attribute for end in found["U"] if end.exact] == ["Y.A"]


TAKEN = "DELETE FROM c WHERE k = 1;"
WRITTEN = "INSERT INTO c SELECT k, v FROM s;"
LOAD = f"CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN\n{TAKEN}\n{WRITTEN}\nEND $$;\n"


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        (f"DO $$ BEGIN FOR i IN 1..3 LOOP\n{TAKEN}\n{WRITTEN}\nEND LOOP; END $$;", False),
        (f"DO $$ BEGIN FOR i IN 1..3 LOOP\nTRUNCATE c;\n{WRITTEN}\nEND LOOP; END $$;", False),
        (f"DO $$ BEGIN FOR i IN 1..3 LOOP\nUPDATE c SET v = 'x';\n{WRITTEN}\nEND LOOP; END $$;", False),
        (
            f"DO $$ BEGIN FOR i IN 1..3 LOOP\nFOR j IN 1..3 LOOP\n{WRITTEN}\nEND LOOP;\n{TAKEN}\nEND LOOP; END $$;",
            False,
        ),
        (f"DO $$ BEGIN\n{TAKEN}\nFOR i IN 1..3 LOOP\n{WRITTEN}\nEND LOOP; END $$;", True),
        (f"DO $$ BEGIN FOR i IN 1..3 LOOP\n{TAKEN}\nEND LOOP;\n{WRITTEN}\nEND $$;", True),
        (f"{LOAD}CALL p();", True),
        (f"{LOAD}CALL p();\nCALL p();", False),
    ],
)
def test_a_change_that_runs_again_takes_what_is_written_behind_it(text: str, exact: bool, tmp_path: Path) -> None:
    """Rule Q25: in a loop, and in a routine that is called twice, a DELETE finds what was written before it ran."""
    (tmp_path / "load.sql").write_text(
        f"CREATE TABLE s (k INT, v TEXT); CREATE TABLE c (k INT, v TEXT); CREATE VIEW u AS SELECT v FROM c;\n{text}"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        (end,) = warehouse.lineage("U.V").golden
    assert (end.attribute, end.exact) == ("S.V", exact)


UNFILLED = [
    ("postgres", "CREATE TEMP TABLE w (k INT, v TEXT); INSERT INTO t SELECT v FROM w;"),
    ("postgres", "CREATE TEMP TABLE w (LIKE s); SELECT f(); INSERT INTO t SELECT v FROM w;"),
    ("tsql", "CREATE TABLE #w (k INT, v VARCHAR(9)); EXEC fill_it; INSERT INTO t SELECT v FROM #w;"),
    ("tsql", "SELECT k, v INTO #w FROM s WHERE 1 = 0; INSERT INTO t SELECT w.v FROM s JOIN #w AS w ON w.k = s.k;"),
    ("tsql", "DECLARE @w TABLE (k INT, v VARCHAR(9)); INSERT INTO t SELECT v FROM @w;"),
    ("duckdb", "CREATE TABLE w (v INT); CREATE VIEW q AS SELECT v FROM s; INSERT INTO t SELECT v FROM w; DROP TABLE w; "
     "CREATE TABLE w AS SELECT v FROM s;"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "script"), UNFILLED)
def test_a_table_of_the_script_that_nothing_fills_is_no_golden_source(
    dialect: str, script: str, tmp_path: Path
) -> None:
    """Rule Q20: it ends there, for somebody may fill it in a way that was not read, and that is said."""
    (tmp_path / "a.sql").write_text(f"CREATE TABLE s (k INT, v VARCHAR(9)); CREATE TABLE t (v VARCHAR(9)); {script}")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        answer = warehouse.lineage("T.V")
        assert answer.golden == ()
        (end,) = answer.interrupted
        assert end.endswith(("W.V", "`#w`.V", "`@w`.V"))
        assert [step.source for step in answer.steps if step.kind == "direct"] == [end]
