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
