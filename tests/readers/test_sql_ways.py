"""The ways through a program: jumps back and forth, rounds of loops, and what each finds (rules Q26 and Q27)."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from mdw import Warehouse, scan_sql

LOOKED_UP = """CREATE PROCEDURE looked_up(wanted IN NUMBER, name OUT VARCHAR2) IS
BEGIN SELECT nm INTO name FROM s WHERE id = wanted; END;
/
"""
WAYS: dict[str, tuple[str, str, dict[str, str]]] = {
    "Q28: behind a block its variables are none": (
        "postgres",
        """DO $$ DECLARE v INT; BEGIN SELECT MAX(x) INTO v FROM s; PERFORM v; END $$;
           INSERT INTO t (a) SELECT v FROM r;""",
        {"t.a": "R.V"},
    ),
    "Q28: behind a block a variable that it hid is what it was": (
        "oracle",
        """DECLARE v NUMBER; q s%ROWTYPE;
           BEGIN
             SELECT x INTO v FROM s; SELECT * INTO q FROM s;
             DECLARE v NUMBER := 0; q r%ROWTYPE; BEGIN SELECT * INTO q FROM r; END;
             INSERT INTO t (a) VALUES (v);
             INSERT INTO u (a) VALUES (q.y);
           END;
           /""",
        {"t.a": "S.X", "u.a": "S.Y"},
    ),
    "Q28: behind a handler the variables of a block within are none": (
        "oracle",
        """BEGIN
             DECLARE v NUMBER; BEGIN SELECT x INTO v FROM s; INSERT INTO t (a) VALUES (v); END;
           EXCEPTION WHEN OTHERS THEN NULL;
           END;
           /
           INSERT INTO u (a) SELECT v FROM r;""",
        {"t.a": "S.X", "u.a": "R.V"},
    ),
    "Q26: GOTO back: a variable has what the round before gave it": (
        "tsql",
        """CREATE PROC p AS
           DECLARE @x INT
           again:
           INSERT INTO t (a) SELECT @x
           SELECT @x = MAX(v) FROM s
           IF @x < 10 GOTO again""",
        {"t.a": "S.V"},
    ),
    "Q26: GOTO back, by way of another variable": (
        "oracle",
        """CREATE PROCEDURE p IS x NUMBER; y NUMBER; BEGIN
             <<again>>
             INSERT INTO t (a) VALUES (x);
             x := y;
             SELECT MAX(v) INTO y FROM s;
             IF y < 10 THEN GOTO again; END IF;
           END;
           /""",
        {"t.a": "S.V"},
    ),
    "Q26: GOTO back finds the table that the round before made": (
        "tsql",
        """SELECT a INTO #w FROM x
           again:
           INSERT INTO t (a) SELECT a FROM #w
           DROP TABLE #w
           SELECT a INTO #w FROM y
           IF @n < 10 GOTO again""",
        {"t.a": "X.A Y.A"},
    ),
    "Q25: what GOTO leaves out did not happen": (
        "tsql",
        """SELECT a INTO #w FROM x
           IF @n = 1 GOTO done
           DROP TABLE #w
           SELECT a INTO #w FROM y
           done:
           INSERT INTO t (a) SELECT a FROM #w""",
        {"t.a": "X.A Y.A"},
    ),
    "Q27: T-SQL's variable that is declared in a loop keeps what it has": (
        "tsql",
        """DECLARE @i INT = 0
           WHILE @i < 3
           BEGIN
             DECLARE @x INT
             INSERT INTO t (a) SELECT @x
             SELECT @x = MAX(v) FROM s
             SET @i = @i + 1
           END""",
        {"t.a": "S.V"},
    ),
    "Q27: another's is NULL in each round": (
        "postgres",
        """DO $$ BEGIN
             FOR i IN 1..3 LOOP
               DECLARE x INT;
               BEGIN
                 INSERT INTO t (a) VALUES (x);
                 SELECT MAX(v) INTO x FROM s;
               END;
             END LOOP;
           END $$""",
        {"t.a": ""},
    ),
    "Q27: a cursor is for what the round before opened it for": (
        "oracle",
        """CREATE PROCEDURE p IS c SYS_REFCURSOR; x NUMBER; BEGIN
             OPEN c FOR SELECT a FROM s;
             FOR i IN 1..3 LOOP
               FETCH c INTO x;
               INSERT INTO t (a) VALUES (x);
               CLOSE c;
               OPEN c FOR SELECT b FROM r;
             END LOOP;
           END;
           /""",
        {"t.a": "R.B S.A"},
    ),
    "Q27: and behind REPEAT it has given what it was opened for last": (
        "postgres",
        """CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           DECLARE c REFCURSOR; x INT;
           BEGIN
             OPEN c FOR SELECT a FROM s;
             LOOP
               FETCH c INTO x;
               OPEN c FOR SELECT b FROM r;
               EXIT WHEN x > 3;
             END LOOP;
             INSERT INTO t (a) VALUES (x);
           END $$;""",
        {"t.a": "R.B S.A"},
    ),
    "Q26: MySQL's ITERATE in REPEAT brings what it has to the end": (
        "mysql",
        """DELIMITER //
           CREATE PROCEDURE p() BEGIN
             DECLARE x INT;
             l: REPEAT
               SELECT MAX(v) INTO x FROM s;
               IF x > 3 THEN ITERATE l; END IF;
               SET x = 1;
             UNTIL x > 0 END REPEAT;
             INSERT INTO t (a) VALUES (x);
           END//
           DELIMITER ;""",
        {"t.a": "S.V"},
    ),
    "Q29: OUT may be a part of a row": (
        "oracle",
        LOOKED_UP + "DECLARE r t%ROWTYPE; BEGIN looked_up(1, r.a); INSERT INTO t (a) VALUES (r.a); END;",
        {"t.a": "S.NM"},
    ),
    "Q29: OUT gives a part of a row in a loop, too": (
        "oracle",
        LOOKED_UP + "DECLARE r t%ROWTYPE; BEGIN FOR i IN 1..2 LOOP INSERT INTO t (a) VALUES (r.a); looked_up(i, r.a); "
        "END LOOP; END;",
        {"t.a": "S.NM"},
    ),
    "Q27: a part of a row has in a loop what the round before gave it": (
        "oracle",
        "DECLARE r t%ROWTYPE; BEGIN FOR i IN 1..2 LOOP INSERT INTO t (a) VALUES (r.a); SELECT MAX(v) INTO r.a FROM s; "
        "END LOOP; END;",
        {"t.a": "S.V"},
    ),
    "Q20: RENAME of a table that nothing here has made": (
        "postgres",
        "ALTER TABLE a RENAME TO b; INSERT INTO t (a) SELECT x FROM b;",
        {"t.a": "A.X"},
    ),
    "Q25: RENAME in a branch: both names may mean either": (
        "postgres",
        """DO $$ BEGIN
             IF (SELECT COUNT(*) FROM z) > 1 THEN
               ALTER TABLE a RENAME TO b;
               ALTER TABLE c RENAME TO a;
             END IF;
             INSERT INTO a (x) SELECT y FROM s;
             INSERT INTO b (x) SELECT y FROM r;
             INSERT INTO t (a, b) SELECT a.x, b.x FROM a, b;
           END $$""",
        {"t.a": "C.X S.Y", "t.b": "C.X R.Y S.Y"},
    ),
    "Q25: SWAP in a branch: both tables may have either": (
        "snowflake",
        """EXECUTE IMMEDIATE $$ BEGIN
             IF (:n > 1) THEN ALTER TABLE a SWAP WITH b; END IF;
             INSERT INTO t (a) SELECT x FROM a;
           END $$""",
        {"t.a": "A.X B.X"},
    ),
    "Q18: an INSERT by place into a table that branches make with its columns in another order": (
        "postgres",
        """CREATE PROCEDURE p(n INT) LANGUAGE plpgsql AS $$ BEGIN
             IF n > 1 THEN CREATE TABLE t (a TEXT, b TEXT); ELSE CREATE TABLE t (b TEXT, a TEXT); END IF;
             INSERT INTO t SELECT x, y FROM s;
           END $$""",
        {"t.a": "S.X S.Y", "t.b": "S.X S.Y"},
    ),
    "Q18: the same with other columns": (
        "tsql",
        """IF @n > 1 CREATE TABLE t (a INT, b INT) ELSE CREATE TABLE t (c INT, a INT, d INT)
           INSERT INTO t SELECT x, y FROM s
           INSERT INTO t SELECT x, y, z FROM r""",
        {"t.a": "R.Y S.X S.Y", "t.b": "S.Y", "t.c": "R.X S.X", "t.d": "R.Z"},
    ),
    "Q18: the same, one of the tables being longer": (
        "postgres",
        """CREATE PROCEDURE p(n INT) LANGUAGE plpgsql AS $$ BEGIN
             IF n > 1 THEN CREATE TABLE t (a TEXT, b TEXT); ELSE CREATE TABLE t (a TEXT, b TEXT, c TEXT); END IF;
             INSERT INTO t SELECT x, y FROM s;
           END $$""",
        {"t.a": "S.X", "t.b": "S.Y"},
    ),
    "Q18: a temporary table that branches make differently": (
        "tsql",
        """CREATE PROCEDURE p @n INT AS
           IF @n > 1 SELECT x AS a, y AS b INTO #t FROM q ELSE SELECT y AS b, x AS a INTO #t FROM q
           INSERT INTO #t SELECT x, y FROM s
           INSERT INTO u (a, b) SELECT a, b FROM #t""",
        {"u.a": "Q.X S.X S.Y", "u.b": "Q.Y S.X S.Y"},
    ),
    "Q25: ROLLBACK TO SAVEPOINT may take back that a table was made again": (
        "postgres",
        """BEGIN;
           CREATE TEMP TABLE w AS SELECT a FROM x;
           SAVEPOINT s;
           DROP TABLE w;
           CREATE TEMP TABLE w AS SELECT a FROM y;
           ROLLBACK TO SAVEPOINT s;
           INSERT INTO t (a) SELECT a FROM w;
           COMMIT;""",
        {"t.a": "X.A Y.A"},
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_comes_that_way(way: str, tmp_path: Path) -> None:
    dialect, text, expected = WAYS[way]
    file = tmp_path / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        for attribute, sources in expected.items():
            found = warehouse.lineage(attribute.upper())
            assert sorted(end.attribute for end in found.golden) == sources.split(), attribute


def test_a_script_of_many_ifs_takes_time_in_proportion() -> None:
    """Where ways meet what they have changed is looked at, and not all tables that the script has named before."""
    took = []
    for many in (100, 800):
        made = [
            f"INSERT INTO t{n} SELECT * FROM s{n};\nIF x > {n} THEN DELETE FROM t{n}; END IF;\n" for n in range(many)
        ]
        text = f"CREATE PROCEDURE p(x INT) AS $$\nBEGIN\n{''.join(made)}END $$ LANGUAGE plpgsql;\n"
        start = process_time()
        scan = scan_sql(text, dialect="postgres")
        took.append(max(0.2, process_time() - start))
        assert len(scan.statements) > 3 * many
    assert took[1] < 14 * took[0]
