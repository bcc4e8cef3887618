"""Programs of SQL are followed: what variables hold, which tests bind, what is called with what (rules Q24 to Q31)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Lineage, Warehouse, scan_sql

CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "Q27: a variable set by a query is of another row, and its value flows": (
        "tsql",
        """CREATE PROCEDURE p AS
           DECLARE @last DATE
           SELECT @last = MAX(d) FROM log
           INSERT INTO t (a, l) SELECT k, @last FROM s WHERE s.d > @last""",
        {"t.a": "S.K", "t.l": "LOG.D"},
    ),
    "Q27: without a row T-SQL's variable keeps what it had": (
        "tsql",
        "DECLARE @v INT = (SELECT MIN(x) FROM a)\nSELECT @v = y FROM b WHERE y > 1\nINSERT INTO t (v) VALUES (@v)",
        {"t.v": "A.X B.Y"},
    ),
    "Q27: the columns of a loop's record stand together, under the conditions of its query": (
        "oracle",
        """BEGIN
             FOR r IN (SELECT id, nm FROM src WHERE typ = 'A') LOOP
               INSERT INTO t (id, nm) VALUES (r.id, r.nm);
             END LOOP;
           END;
           /
           CREATE VIEW v AS SELECT id FROM t;""",
        {"t.nm": "SRC.NM", "v.id": "SRC.ID"},
    ),
    "Q26: after RETURN its test is not TRUE, and binds what follows": (
        "tsql",
        """CREATE PROCEDURE p @kind VARCHAR(9) AS
           DECLARE @k VARCHAR(9) = 'medical'
           IF @k = 'medical'
             INSERT INTO t (a) SELECT x FROM m
           ELSE
             INSERT INTO t (a) SELECT x FROM o""",
        {"t.a": "M.X"},
    ),
    "Q26: a variable that a loop gives a value may have that of any round": (
        "bigquery",
        """DECLARE n INT64 DEFAULT (SELECT MAX(x) FROM d.a);
           WHILE n > 0 DO SET n = (SELECT MIN(y) FROM d.b WHERE y < n); END WHILE;
           INSERT INTO d.t (n) VALUES (n);""",
        {"d.t.n": "D.A.X D.B.Y"},
    ),
    "Q26: a handler can follow any statement of its block": (
        "oracle",
        """DECLARE v NUMBER;
           BEGIN
             SELECT x INTO v FROM a;
             SELECT y INTO v FROM b;
           EXCEPTION WHEN OTHERS THEN
             INSERT INTO err (v) VALUES (v);
           END;""",
        {"err.v": "A.X B.Y"},
    ),
    "Q27: a cursor's columns go into variables in order": (
        "mysql",
        """DELIMITER //
           CREATE PROCEDURE p() BEGIN
             DECLARE a INT; DECLARE b INT; DECLARE done INT DEFAULT 0;
             DECLARE c CURSOR FOR SELECT x, y FROM s WHERE z = 1;
             DECLARE CONTINUE HANDLER FOR NOT FOUND SET done = 1;
             OPEN c;
             l: LOOP FETCH c INTO a, b; IF done THEN LEAVE l; END IF; INSERT INTO t (p, q) VALUES (b, a); END LOOP;
           END//
           DELIMITER ;""",
        {"t.p": "S.Y", "t.q": "S.X"},
    ),
    "Q19: in ON CONFLICT the row that is there has the name that INSERT gives the table": (
        "postgres",
        """CREATE TABLE t (k int UNIQUE, v text, w text, u text);
           CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           BEGIN
             INSERT INTO t AS z (k, w) SELECT k, w FROM s ON CONFLICT (k) DO UPDATE SET v = z.w;
             UPDATE t SET (v, u) = ROW(o.a, o.b) FROM o WHERE o.k = t.k;
           END $$;""",
        {"t.v": "O.A S.W", "t.u": "O.B"},
    ),
    "Q27: a record for a cursor has the row, of one column too": (
        "oracle",
        """DECLARE CURSOR c IS SELECT a FROM s; r c%ROWTYPE;
           BEGIN
             OPEN c;
             LOOP FETCH c INTO r; EXIT WHEN c%NOTFOUND; INSERT INTO t (a) VALUES (r.a); END LOOP;
           END;""",
        {"t.a": "S.A"},
    ),
    "Q27: and so has what a query goes into": (
        "postgres",
        "DO $$ DECLARE r RECORD; BEGIN SELECT a INTO r FROM s; INSERT INTO t (a) VALUES (r.a); END $$",
        {"t.a": "S.A"},
    ),
    "Q27: a loop gives several variables the columns of each row": (
        "postgres",
        """DO $$ DECLARE x INT; y INT;
           BEGIN FOR x, y IN SELECT a, b FROM s LOOP INSERT INTO t (a, b) VALUES (y, x); END LOOP; END $$""",
        {"t.a": "S.B", "t.b": "S.A"},
    ),
    "Q28: what an SQL function is given is a column where the table has one": (
        "postgres",
        """CREATE TABLE s (a INT, k INT);
           CREATE FUNCTION f(a INT, n INT) RETURNS INT LANGUAGE sql AS $$ SELECT MAX(a) + n FROM s $$;
           INSERT INTO t (a) SELECT f(r.x, r.y) FROM r""",
        {"t.a": "R.X R.Y S.A"},
    ),
    "Q27: a cursor's arguments are bound where it is opened": (
        "postgres",
        """CREATE PROCEDURE p(k text) LANGUAGE plpgsql AS $$
           DECLARE x text; c CURSOR (f text, g text) FOR SELECT COALESCE(s.v, g) AS v FROM s WHERE s.t = f;
           BEGIN
             SELECT MAX(m) INTO x FROM r;
             OPEN c(g := x, f := 'a');
             FETCH c INTO x;
             INSERT INTO t (v) VALUES (x);
             FOR i IN c('b', k) LOOP INSERT INTO u (v) VALUES (i.v); END LOOP;
           END $$;""",
        {"t.v": "R.M S.V", "u.v": "S.V"},
    ),
    "Q27: a cursor's arguments may have defaults": (
        "oracle",
        """CREATE TABLE s (v NUMBER, n NUMBER);
           DECLARE
             x NUMBER;
             CURSOR c (lim NUMBER, n NUMBER DEFAULT 7) IS SELECT lim + v AS v FROM s WHERE s.n = n;
           BEGIN
             SELECT MAX(m) INTO x FROM r;
             FOR i IN c(x) LOOP INSERT INTO t (v) VALUES (i.v); END LOOP;
           END;""",
        {"t.v": "R.M S.V"},
    ),
    "Q26: a cursor that was opened for this or that": (
        "postgres",
        """CREATE PROCEDURE p(k int) LANGUAGE plpgsql AS $$
           DECLARE x int; c REFCURSOR;
           BEGIN
             IF k = 1 THEN OPEN c FOR SELECT v FROM a; ELSE OPEN c FOR SELECT w FROM b; END IF;
             FETCH c INTO x;
             INSERT INTO t (x) VALUES (x);
           END $$;""",
        {"t.x": "A.V B.W"},
    ),
    "Q27: all of the row that a variable holds, with the parts that were changed": (
        "postgres",
        """CREATE TABLE s (a text, b text, c text);
           CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           DECLARE one s%ROWTYPE; two s%ROWTYPE;
           BEGIN
             SELECT * INTO one FROM s;
             one.b := one.c;
             two := one;
             INSERT INTO t (a, b) VALUES (two.*);
             INSERT INTO u (x, y, z) SELECT one.*;
           END $$;""",
        {"t.a": "S.A", "t.b": "S.C", "u.x": "S.A", "u.y": "S.C", "u.z": "S.C"},
    ),
    "Q22: all of a row whose columns nobody told goes on by name, with the parts that were changed": (
        "oracle",
        """DECLARE r s%ROWTYPE;
           BEGIN
             SELECT * INTO r FROM s WHERE k = 1;
             r.b := r.c;
             INSERT INTO t VALUES r;
             FOR q IN (SELECT * FROM o) LOOP INSERT INTO u SELECT q.* FROM dual; END LOOP;
           END;""",
        {"t.a": "S.A", "t.b": "S.C", "u.a": "O.A"},
    ),
    "Q26: a part of a row that is given on one way has on the other what the row has": (
        "postgres",
        """CREATE PROCEDURE p(k int) LANGUAGE plpgsql AS $$
           DECLARE one RECORD;
           BEGIN
             SELECT a, b INTO one FROM s;
             IF k = 1 THEN one.b := one.a; END IF;
             INSERT INTO t (b) VALUES (one.b);
             IF k = 2 THEN SELECT a, b INTO one FROM r; END IF;
             INSERT INTO u (b) VALUES (one.b);
           END $$;""",
        {"t.b": "S.A S.B", "u.b": "R.B S.A S.B"},
    ),
    "Q6: the elements that a loop goes through come from the array": (
        "postgres",
        """CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           DECLARE x text; y text := (SELECT MAX(m) FROM r); all_of text[] := (SELECT ARRAY_AGG(v) FROM s WHERE k = 1);
           BEGIN
             FOREACH x IN ARRAY all_of LOOP INSERT INTO t (v) VALUES (x); END LOOP;
             FOREACH x IN ARRAY ARRAY[y, 'a'] LOOP INSERT INTO u (v) VALUES (x); END LOOP;
           END $$;""",
        {"t.v": "S.V", "u.v": "R.M"},
    ),
    "Q29: calls bind by place, by name and by default, and give back": (
        "postgres",
        """CREATE PROCEDURE q(a int, INOUT b int, c int DEFAULT 7) LANGUAGE plpgsql AS $$
           BEGIN SELECT MAX(z) INTO b FROM r WHERE k = a AND c = 7; END $$;
           CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           DECLARE x int; y int;
           BEGIN
             SELECT MIN(m) INTO x FROM s;
             CALL q(b => y, a => x);
             INSERT INTO t (y) VALUES (y);
           END $$;""",
        {"t.y": "R.Z"},
    ),
    "Q29: a routine that calls itself, to a fixed point": (
        "tsql",
        """CREATE PROCEDURE p @v INT AS
           BEGIN
             DECLARE @n INT = (SELECT MAX(b) FROM y WHERE a = @v)
             INSERT INTO t (v) VALUES (@v)
             IF @n > 0 EXEC p @n
           END
           GO
           DECLARE @first INT = (SELECT MIN(c) FROM x)
           EXEC p @first""",
        {"t.v": "X.C Y.B"},
    ),
    "Q29: functions that return an expression are that expression": (
        "postgres",
        """CREATE FUNCTION net(g numeric, r numeric) RETURNS numeric LANGUAGE sql AS $$ SELECT g * (1 - r) $$;
           CREATE VIEW v AS SELECT net(amount, rate) AS n FROM s;""",
        {"v.n": "S.AMOUNT S.RATE"},
    ),
    "Q29: arguments given by name": (
        "postgres",
        """CREATE FUNCTION ratio(g numeric, r numeric) RETURNS numeric LANGUAGE sql AS $$ SELECT g / 2 $$;
           CREATE VIEW v AS SELECT ratio(r => rate, g => amount) AS n FROM s;""",
        {"v.n": "S.AMOUNT"},
    ),
    "Q29: what a function reads flows into what it gives": (
        "postgres",
        """CREATE FUNCTION rate(c text) RETURNS numeric LANGUAGE plpgsql AS $$
           DECLARE r numeric; BEGIN SELECT x.r INTO r FROM fx x WHERE x.c = c; RETURN r; END $$;
           CREATE VIEW v AS SELECT amount * rate(ccy) AS n FROM s;""",
        {"v.n": "FX.R S.AMOUNT S.CCY"},
    ),
    "Q29: the rows a procedure gives are inserted by position": (
        "tsql",
        """CREATE PROCEDURE p AS SELECT a, b FROM s
           GO
           INSERT INTO t (x, y) EXEC p""",
        {"t.x": "S.A", "t.y": "S.B"},
    ),
    "Q30: a trigger is a mapping from the rows written": (
        "tsql",
        """INSERT INTO t (a) SELECT k FROM s
           GO
           CREATE TRIGGER tr ON t AFTER INSERT AS INSERT INTO audit (a) SELECT a FROM inserted""",
        {"audit.a": "S.K"},
    ),
    "Q30: what BEFORE assigns to NEW is written, OLD is another row than NEW": (
        "postgres",
        """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN NEW.b := NEW.c; INSERT INTO log (o) VALUES (OLD.a); RETURN NEW; END $$;
           CREATE TRIGGER tr BEFORE UPDATE ON t FOR EACH ROW WHEN (OLD.a IS DISTINCT FROM NEW.a) EXECUTE FUNCTION f();
           INSERT INTO t (a, b, c) SELECT x, y, z FROM s;""",
        {"t.b": "S.Y S.Z", "log.o": "S.X"},
    ),
    "Q27: what T-SQL's UPDATE gives a variable": (
        "tsql",
        """DECLARE @x INT, @y INT
           UPDATE t SET @x = b = s.v, c = 1, @y = t.d FROM s WHERE s.id = t.id
           UPDATE TOP (1) n SET @x = CASE WHEN k = 1 THEN m END WHERE @x IS NULL
           INSERT INTO u (a, b) VALUES (@x, @y)""",
        {"u.a": "N.M S.V", "u.b": "T.D", "t.b": "S.V T.B"},
    ),
    "Q27: T-SQL's variables of cursors, given back too": (
        "tsql",
        """CREATE PROC q @c CURSOR VARYING OUTPUT AS
             SET @c = CURSOR FOR SELECT a FROM s
             OPEN @c
           GO
           DECLARE @k CURSOR, @l CURSOR, @x INT, @y INT
           EXEC q @c = @k OUTPUT
           FETCH NEXT FROM @k INTO @x
           SET @l = CURSOR LOCAL FAST_FORWARD FOR SELECT b FROM r
           OPEN @l
           FETCH NEXT FROM @l INTO @y
           INSERT INTO t (a, b) VALUES (@x, @y)""",
        {"t.a": "S.A", "t.b": "R.B"},
    ),
    "Q29: a table is given to an argument (T-SQL)": (
        "tsql",
        """CREATE PROC q @rows dbo.many READONLY AS INSERT INTO t (a) SELECT a FROM @rows
           GO
           DECLARE @r dbo.many
           INSERT INTO @r (a) SELECT x FROM s
           EXEC q @rows = @r
           INSERT INTO t (b) SELECT a FROM @r""",
        {"t.a": "S.X", "t.b": "S.X"},
    ),
    "Q27: what MySQL's query gives variables beside its columns": (
        "mysql",
        """SELECT @v := MAX(a), b FROM s;
           INSERT INTO t (a, b) SELECT @n := x, y FROM r;
           INSERT INTO u (a, b) VALUES (@v, @n);""",
        {"u.a": "S.A", "u.b": "R.X", "t.a": "R.X", "t.b": "R.Y"},
    ),
    "Q29: OUT gives a variable of MySQL's session": (
        "mysql",
        """DELIMITER //
           CREATE PROCEDURE q(OUT x INT) BEGIN SELECT MAX(a) INTO x FROM s; END//
           DELIMITER ;
           CALL q(@v); INSERT INTO t (a) VALUES (@v);""",
        {"t.a": "S.A"},
    ),
    "Q20: sp_rename moves a table, and a column": (
        "tsql",
        """SELECT x, y INTO dbo.a FROM s
           EXEC sp_rename 'dbo.a', 'b'
           EXEC sp_rename 'dbo.b.[x]', 'z', 'COLUMN'
           INSERT INTO t (a) SELECT z FROM dbo.b""",
        {"t.a": "S.X"},
    ),
    "Q31: Teradata's procedure that runs a text": (
        "teradata",
        """CREATE PROCEDURE p () BEGIN
             DECLARE q VARCHAR(200);
             SET q = 'INSERT INTO t (a) SELECT a FROM s';
             CALL DBC.SysExecSQL(:q);
           END;""",
        {"t.a": "S.A"},
    ),
    "Q31: Oracle's": (
        "oracle",
        """DECLARE c INTEGER := DBMS_SQL.OPEN_CURSOR; n INTEGER; BEGIN
             DBMS_SQL.PARSE(c, 'INSERT INTO t (a) SELECT x FROM s', DBMS_SQL.NATIVE);
             n := DBMS_SQL.EXECUTE(c);
             SYS.DBMS_UTILITY.EXEC_DDL_STATEMENT('CREATE TABLE u AS SELECT y FROM s');
           END;""",
        {"t.a": "S.X", "u.y": "S.Y"},
    ),
    "Q31: a text of constants is run": (
        "oracle",
        """DECLARE tab VARCHAR2(30) := 'src';
           BEGIN EXECUTE IMMEDIATE 'INSERT INTO t (a) SELECT x FROM ' || tab; END;""",
        {"t.a": "SRC.X"},
    ),
    "Q25: a table made again in a branch: old and new stay": (
        "snowflake",
        """EXECUTE IMMEDIATE $$
           BEGIN
             CREATE TEMPORARY TABLE w AS SELECT a FROM x;
             IF (:n > 1) THEN
               CREATE OR REPLACE TEMPORARY TABLE w AS SELECT a FROM y;
             END IF;
             INSERT INTO t (a) SELECT a FROM w;
           END
           $$""",
        {"t.a": "X.A Y.A"},
    ),
}


def asked(text: str, dialect: str, attribute: str, folder: Path) -> Lineage:
    file = folder / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        return warehouse.lineage(attribute.upper())


@pytest.mark.parametrize("rule", CASES)
def test_what_programs_move(rule: str, tmp_path: Path) -> None:
    dialect, text, expected = CASES[rule]
    for attribute, sources in expected.items():
        found = asked(text, dialect, attribute, tmp_path)
        assert sorted(end.attribute for end in found.golden) == sources.split(), attribute


def test_conditions_of_loops_meet_those_behind_them(tmp_path: Path) -> None:
    """Q27: what a record is filtered by contradicts what is asked of the rows written with it."""
    dialect, text, _ = CASES["Q27: the columns of a loop's record stand together, under the conditions of its query"]
    text = text.replace("(id, nm) VALUES (r.id, r.nm)", "(id, nm) VALUES (r.id, r.typ)").replace(
        "id, nm FROM", "id, typ FROM"
    )
    found = asked(text.replace("SELECT id FROM t;", "SELECT id FROM t WHERE nm = 'B';"), dialect, "v.id", tmp_path)
    assert not found.golden
    assert found.dropped


@pytest.mark.parametrize(
    "test", ["EXISTS (SELECT 1 FROM p WHERE p.y = 0)", "(SELECT COUNT(p.y) FROM p) > 0", "1 NOT IN (SELECT p.y FROM p)"]
)
@pytest.mark.parametrize("word", ["IF", "WHILE"])
def test_what_a_test_reads_decides(word: str, test: str) -> None:
    """Q24: of what stands under IF EXISTS (SELECT ...) the query decides, and nothing else is filled."""
    scan = scan_sql(f"{word} {test}\n  INSERT INTO t (a) SELECT s.x FROM s", dialect="tsql")
    assert {(one.source, one.target, one.kind) for one in scan.steps} == {
        ("s.x", "t.a", "direct"),
        ("p.y", "t.a", "indirect"),
    }
    assert (scan.entities.read, scan.entities.written) == (("s", "p"), ("t",))


@pytest.mark.parametrize("action", ["{};", "BEGIN {}; END;"])
def test_what_an_alert_asks_decides(action: str) -> None:
    """Q24: of what Snowflake's alert runs the query decides in its IF."""
    then = action.format("INSERT INTO t (a) SELECT s.x FROM s")
    scan = scan_sql(f"CREATE ALERT al IF (EXISTS (SELECT 1 FROM p WHERE p.y = 0)) THEN {then}", dialect="snowflake")
    assert {(one.source, one.target, one.kind) for one in scan.steps} == {
        ("s.x", "t.a", "direct"),
        ("p.y", "t.a", "indirect"),
    }


def test_a_step_that_cannot_be_followed_costs_itself(tmp_path: Path) -> None:
    """What is not known of a program is said, and the rest of it is read."""
    text = """CREATE PROCEDURE p @tab SYSNAME AS
              EXEC ('INSERT INTO u SELECT * FROM ' + @tab)
              EXEC elsewhere
              INSERT INTO t (a) SELECT x FROM s"""
    file = tmp_path / "p.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect="tsql")
        told = {one.kind: (one.status, one.message) for one in warehouse.report().statements}
        assert told["execute"] == ("opaque", "a text that is run, and that is not known")
        assert told["call"] == ("opaque", "a call of which the body is not known: elsewhere")
        assert [end.attribute for end in warehouse.lineage("T.A").golden] == ["S.X"]
