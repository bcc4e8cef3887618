"""Rule Q29: functions that give rows are entities; arguments that are constants bind a copy of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql

TRANSACT = """CREATE FUNCTION dbo.f(@k INT) RETURNS @t TABLE (a INT, b INT) AS
BEGIN
  IF @k = 1 INSERT @t SELECT x, y FROM s WHERE k = @k
  ELSE INSERT INTO @t (a) SELECT z FROM r WHERE k = @k
  RETURN
END
GO
"""
PIPED = """CREATE TYPE row_t AS OBJECT (x NUMBER(3, 1), y NUMBER);
/
CREATE FUNCTION f(p_k NUMBER) RETURN tab_t PIPELINED IS
BEGIN
  FOR r IN (SELECT a, b FROM s WHERE k = p_k) LOOP PIPE ROW (row_t(r.b, r.a)); END LOOP;
  RETURN;
END;
/
"""
CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "T-SQL's table: any argument": (
        "tsql",
        TRANSACT + "INSERT INTO u (a, b) SELECT f.a, f.b FROM q CROSS APPLY dbo.f(q.k) AS f",
        {"u.a": "Q.K R.Z S.X", "u.b": "Q.K S.Y"},
    ),
    "T-SQL's table: a constant binds": (
        "tsql",
        TRANSACT + "INSERT INTO u (a) SELECT a FROM dbo.f(1)\nINSERT INTO w (a) SELECT a FROM dbo.f(2)",
        {"u.a": "S.X", "w.a": "R.Z"},
    ),
    "Q28: the columns that a function of SQL tells are no variables in it": (
        "postgres",
        """CREATE FUNCTION f() RETURNS TABLE (a INT) LANGUAGE sql AS $$ SELECT a FROM s $$;
           INSERT INTO u (a) SELECT a FROM f();""",
        {"u.a": "S.A"},
    ),
    "Q28: nor are Snowflake's": (
        "snowflake",
        "CREATE FUNCTION f() RETURNS TABLE (a INT) AS 'SELECT a FROM s'; CREATE VIEW u AS SELECT a FROM TABLE(f());",
        {"u.a": "S.A"},
    ),
    "Q28: in PL/pgSQL those of a table whose rows are given are none": (
        "postgres",
        """CREATE TABLE r (a INT, b INT);
           CREATE FUNCTION f() RETURNS SETOF r LANGUAGE plpgsql AS $$ BEGIN RETURN QUERY SELECT a, b FROM s; END $$;
           INSERT INTO u (b) SELECT b FROM f();""",
        {"u.b": "S.B"},
    ),
    "PL/pgSQL: RETURN NEXT gives what a loop over several columns gave": (
        "postgres",
        """CREATE FUNCTION f() RETURNS TABLE (a INT, b INT) LANGUAGE plpgsql AS $$
           BEGIN FOR a, b IN SELECT s.x, s.y FROM s LOOP RETURN NEXT; END LOOP; END $$;
           INSERT INTO u (a, b) SELECT a, b FROM f();""",
        {"u.a": "S.X", "u.b": "S.Y"},
    ),
    "PL/SQL: rows of a type by its columns in order": (
        "oracle",
        PIPED + "CREATE VIEW v AS SELECT x, y FROM TABLE(f(3));",
        {"v.x": "S.B", "v.y": "S.A"},
    ),
    "PL/SQL: rows of a type that is made elsewhere": (
        "oracle",
        PIPED.partition("/\n")[2] + "CREATE VIEW v AS SELECT x FROM TABLE(f(3));",
        {"v.x": "S.A S.B"},
    ),
    "PL/SQL: a record that was filled field by field": (
        "oracle",
        """CREATE PACKAGE BODY p AS
             TYPE rec IS RECORD (x NUMBER, y NUMBER);
             FUNCTION f RETURN tab PIPELINED IS
               r rec;
             BEGIN
               FOR c IN (SELECT a, b FROM s) LOOP r.x := c.a; r.y := c.b; PIPE ROW (r); END LOOP;
             END;
           END;
           /
           CREATE VIEW v AS SELECT x, y FROM TABLE(p.f);
           CREATE VIEW w AS SELECT t.y FROM TABLE(p.f()) t;""",
        {"w.y": "S.B", "v.x": "S.A"},
    ),
    "PL/SQL: a cursor that is given back": (
        "oracle",
        """CREATE PROCEDURE q (c OUT SYS_REFCURSOR, k NUMBER) IS
           BEGIN IF k = 1 THEN OPEN c FOR SELECT a, b FROM s; ELSE OPEN c FOR SELECT d, e FROM r; END IF; END;
           /
           CREATE PROCEDURE p (k NUMBER) IS c SYS_REFCURSOR; x NUMBER; y NUMBER;
           BEGIN
             q(c, k);
             LOOP FETCH c INTO x, y; EXIT WHEN c%NOTFOUND; INSERT INTO o (x, y) VALUES (x, y); END LOOP;
           END;
           /""",
        {"o.x": "R.D S.A", "o.y": "R.E S.B"},
    ),
    "PL/pgSQL: columns by position, whatever they are called": (
        "postgres",
        """CREATE FUNCTION f(OUT a int, OUT b int) RETURNS SETOF record LANGUAGE plpgsql AS $$
           BEGIN RETURN QUERY SELECT s.b, s.a FROM s; RETURN QUERY SELECT * FROM r; END $$;
           CREATE VIEW v AS SELECT * FROM f();""",
        {"v.a": "R.`*` S.B"},
    ),
    "PostgreSQL: a set of single values is called as its function": (
        "postgres",
        """CREATE FUNCTION f(k int) RETURNS SETOF int LANGUAGE plpgsql AS $$
           BEGIN RETURN QUERY SELECT a FROM s; RETURN NEXT k; END $$;
           CREATE VIEW v AS SELECT f AS x FROM f(3); CREATE VIEW w AS SELECT q.y FROM f(3) AS q(y);""",
        {"v.x": "S.A", "w.y": "S.A"},
    ),
    "PostgreSQL: SQL functions too": (
        "postgres",
        """CREATE FUNCTION f(k int) RETURNS TABLE (x int) LANGUAGE sql AS $$ SELECT a FROM s WHERE kind = k $$;
           CREATE VIEW v AS SELECT x FROM f(3);""",
        {"v.x": "S.A"},
    ),
    "Snowflake: RETURN TABLE of a RESULTSET": (
        "snowflake",
        """CREATE PROCEDURE g(k INT) RETURNS TABLE (a INT, b INT) LANGUAGE SQL AS $$
           DECLARE res RESULTSET;
           BEGIN
             IF (k = 1) THEN res := (SELECT x, y FROM s); ELSE res := (SELECT z, z FROM r); END IF;
             RETURN TABLE(res);
           END $$;
           INSERT INTO o (a, b) SELECT a, b FROM TABLE(g(1));
           INSERT INTO p (a) SELECT a FROM TABLE(g(o.a)), o;""",
        {"o.a": "R.Z S.X", "o.b": "R.Z S.Y", "p.a": "R.Z S.X"},
    ),
    "Snowflake: a RESULTSET that is declared with its query": (
        "snowflake",
        """CREATE PROCEDURE g() RETURNS TABLE () LANGUAGE SQL AS $$
           DECLARE res RESULTSET DEFAULT (SELECT x, y FROM s); c CURSOR FOR res;
           BEGIN FOR r IN c DO INSERT INTO o (y) VALUES (r.y); END FOR; RETURN TABLE(res); END $$;
           CREATE VIEW v AS SELECT x FROM TABLE(g());""",
        {"v.x": "S.X", "o.y": "S.Y"},
    ),
}


@pytest.mark.parametrize("rule", CASES)
def test_what_functions_give(rule: str, tmp_path: Path) -> None:
    """Q29."""
    dialect, text, expected = CASES[rule]
    (tmp_path / "program.sql").write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect).raise_for_errors()
        for attribute, sources in expected.items():
            found = warehouse.lineage(attribute.upper())
            assert sorted(end.attribute for end in found.golden) == sources.split(), attribute


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_functions_of_other_files_give_rows(names: tuple[str, str], tmp_path: Path) -> None:
    """Q29: bound by constants or not."""
    called = "INSERT INTO u (a) SELECT a FROM dbo.f(1)\nINSERT INTO w (a) SELECT f.a FROM q CROSS APPLY dbo.f(q.k) AS f"
    for name, text in zip(names, (TRANSACT, called), strict=True):
        (tmp_path / f"{name}.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="tsql").raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("U.A").golden] == ["S.X"]
        assert sorted(end.attribute for end in warehouse.lineage("W.A").golden) == ["Q.K", "R.Z", "S.X"]


def test_rows_of_an_unknown_text_are_said(tmp_path: Path) -> None:
    head = "CREATE FUNCTION f(q text) RETURNS TABLE (a int) LANGUAGE plpgsql AS $$"
    (tmp_path / "p.sql").write_text(f"{head} BEGIN RETURN QUERY EXECUTE q; END $$;")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        assert "a text that is run, and that is not known" in [one.message for one in warehouse.report().statements]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x, string_to_table(y, ',') AS part FROM s",
        "SELECT x, jsonb_array_elements(y) ->> 'a' AS part FROM s",
        "SELECT x, f.a FROM s, f(s.y) AS f",
        "SELECT x, u FROM s LEFT JOIN unnest(s.z) AS u ON u > s.y",
    ],
)
def test_q6_what_functions_are_given_decides_how_many_rows_they_give(query: str) -> None:
    told = "CREATE FUNCTION f(n INT) RETURNS TABLE (a INT) LANGUAGE sql AS 'SELECT v FROM r WHERE k = n';"
    scan = scan_sql(told + query, dialect="postgres")
    assert ("s.y", "<sql>.x", "indirect") in {(step.source, step.target, step.kind) for step in scan.steps}


def test_q1_what_a_pivot_for_any_value_is_by_decides() -> None:
    scan = scan_sql("PIVOT s ON t USING SUM(a) GROUP BY k", dialect="duckdb", schema={"s": ["k", "t", "a"]})
    told = {(step.source, step.kind) for step in scan.steps if step.target == "<sql>.*"}
    assert told == {("s.a", "direct"), ("s.t", "indirect"), ("s.k", "indirect")}


def test_q29_return_next_gives_a_value_where_an_expression_calls_it() -> None:
    """RETURN NEXT without a value gives what the columns hold, which are parts of the row that the call stands for."""
    scan = scan_sql(
        "CREATE FUNCTION f(n INT) RETURNS TABLE (a TEXT, b TEXT) LANGUAGE plpgsql AS $$ DECLARE r record; BEGIN"
        " FOR r IN SELECT v, w FROM s WHERE k > n LOOP a := r.v; b := r.w; RETURN NEXT; END LOOP; END $$;"
        "CREATE TABLE t AS SELECT (f(1)).b AS z; CREATE TABLE u AS SELECT f(q.k) AS z FROM q",
        dialect="postgres",
    )
    for made in ("t.z", "u.z"):
        found = {step.source for step in scan.steps if step.target == made and step.kind == "direct"}
        assert {"s.v", "s.w"} <= found, made


def test_all_of_a_function_whose_columns_nobody_knows_is_what_it_is_asked() -> None:
    """Q22: a star of it passes on what it gives and what it is asked: the target had no source, and nothing said so."""
    made = "CREATE FUNCTION pf (p SYS_REFCURSOR) RETURN tt PIPELINED IS m NUMBER; BEGIN LOOP FETCH p INTO m; "
    made += "EXIT WHEN p%NOTFOUND; PIPE ROW (other.made(m)); END LOOP; RETURN; END;\n/\n"
    scan = scan_sql(f"{made}INSERT INTO t SELECT * FROM TABLE(pf(CURSOR(SELECT a FROM src)))", dialect="oracle")
    assert scan.statements[-1].status == "partial"
    assert {step.source for step in scan.steps if step.target == "t.*" and step.kind == "direct"} == {"pf.*", "src.a"}


@pytest.mark.parametrize(
    "test", ["= (SELECT k, l FROM s)", "<= (SELECT 1, max(l) FROM s)", "< ALL (SELECT k, l FROM s)"]
)
def test_q11_a_row_is_compared_with_all_columns_of_a_subquery(test: str) -> None:
    scan = scan_sql(f"SELECT (a, b) {test} AS f FROM r", dialect="postgres")
    assert {"r.a", "r.b", "s.l"} <= {step.source for step in scan.steps if step.target == "<sql>.f"}


def test_columns_are_called_as_their_functions_are_written() -> None:
    """PostgreSQL's CHAR_LENGTH(a) is a column CHAR_LENGTH, though LENGTH(a) is the same."""
    made = "CREATE TABLE t AS SELECT char_length(a), variance(b)::INT, mod(c, 2), now()::DATE FROM s;"
    scan = scan_sql(f"{made} SELECT char_length, variance, mod FROM t", dialect="postgres")
    assert [column.name for column in scan.statements[0].columns] == ["char_length", "variance", "mod", "now"]
    assert {step.target for step in scan.steps if step.source in ("s.a", "s.b", "s.c")} == {
        "t.char_length",
        "t.variance",
        "t.mod",
    }
