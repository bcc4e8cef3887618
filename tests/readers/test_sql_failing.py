"""What is raised arrives in what a handler says of it (rules Q26, Q29); numbers are those of the rules of `sql.md`."""

from __future__ import annotations

import pytest
from scans import direct

from mdw import scan_sql

TOLD: dict[str, tuple[str, str, set[str]]] = {
    "Q26: RAISE EXCEPTION in SQLERRM, and what USING says in its own": (
        "postgres",
        """CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$
           DECLARE a text; m text; d text;
           BEGIN
             SELECT x INTO a FROM s;
             RAISE EXCEPTION 'no % in %', a, (SELECT nm FROM r) USING DETAIL = (SELECT dt FROM q);
           EXCEPTION WHEN OTHERS THEN
             GET STACKED DIAGNOSTICS m = MESSAGE_TEXT, d = PG_EXCEPTION_DETAIL;
             INSERT INTO log (m, d, e) VALUES (m, d, SQLERRM);
           END $$""",
        {"s.x -> log.m", "s.x -> log.e", "r.nm -> log.m", "r.nm -> log.e", "q.dt -> log.d"},
    ),
    "Q29: raised by a procedure that is called, and again by a handler; a failure of Oracle's own has no such text": (
        "oracle",
        """CREATE PROCEDURE chk IS n NUMBER;
           BEGIN SELECT z INTO n FROM lim; RAISE_APPLICATION_ERROR(-20001, 'bad ' || n); END;
           /
           CREATE PROCEDURE p IS m VARCHAR2(100);
           BEGIN chk;
           EXCEPTION
             WHEN NO_DATA_FOUND THEN INSERT INTO none (m) VALUES (SQLERRM);
             WHEN OTHERS THEN
               m := SUBSTR(SQLERRM, 1, 100);
               INSERT INTO log (m, st) VALUES (m, DBMS_UTILITY.FORMAT_ERROR_STACK);
               RAISE;
           END;
           /
           CREATE PROCEDURE q IS BEGIN p; EXCEPTION WHEN OTHERS THEN INSERT INTO outer_log (m) VALUES (SQLERRM); END;
           /""",
        {"lim.z -> log.m", "lim.z -> log.st", "lim.z -> outer_log.m"},
    ),
    "Q26: what a block follows itself is not raised around it": (
        "oracle",
        """DECLARE n NUMBER;
           BEGIN
             SELECT z INTO n FROM lim;
             BEGIN RAISE_APPLICATION_ERROR(-20001, n); EXCEPTION WHEN OTHERS THEN NULL; END;
             INSERT INTO t (a) SELECT b FROM s;
           EXCEPTION WHEN OTHERS THEN INSERT INTO log (m) VALUES (SQLERRM);
           END;
           /""",
        {"s.b -> t.a"},
    ),
    "Q26: RAISERROR and THROW in ERROR_MESSAGE()": (
        "tsql",
        """CREATE PROC p AS
           DECLARE @a INT, @m VARCHAR(100)
           SELECT @a = x FROM s
           BEGIN TRY
             RAISERROR(N'%d too many', 16, 1, @a) WITH NOWAIT
             INSERT INTO t (c) SELECT d FROM r
           END TRY BEGIN CATCH
             SET @m = ERROR_MESSAGE()
             INSERT INTO log (m, error_message) SELECT @m, error_message FROM old
           END CATCH
           BEGIN TRY THROW 50001, @a, 1 END TRY
           BEGIN CATCH INSERT INTO log2 (m) SELECT ERROR_MESSAGE() END CATCH""",
        {"s.x -> log.m", "old.error_message -> log.error_message", "r.d -> t.c", "s.x -> log2.m"},
    ),
    "Q26: SIGNAL in MESSAGE_TEXT (MySQL)": (
        "mysql",
        """CREATE PROCEDURE p() BEGIN
             DECLARE a VARCHAR(10);
             DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
               GET DIAGNOSTICS CONDITION 1 @m = MESSAGE_TEXT;
               INSERT INTO log (m) VALUES (@m);
             END;
             SELECT x INTO a FROM s;
             SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = a, MYSQL_ERRNO = 1001;
           END""",
        {"s.x -> log.m"},
    ),
    "Q26: SIGNAL in MESSAGE_TEXT (Db2), of old too": (
        "db2",
        """CREATE PROCEDURE p() LANGUAGE SQL BEGIN
             DECLARE a, m VARCHAR(10);
             DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN
               GET DIAGNOSTICS EXCEPTION 1 m = MESSAGE_TEXT;
               INSERT INTO log (m) VALUES (m);
             END;
             SELECT x INTO a FROM s;
             IF a > 'm' THEN SIGNAL SQLSTATE '75000' (a); END IF;
             SIGNAL SQLSTATE '75001' SET MESSAGE_TEXT = 'no ' || (SELECT nm FROM r);
           END""",
        {"s.x -> log.m", "r.nm -> log.m"},
    ),
    "Q26: RAISE USING MESSAGE in @@error.message": (
        "bigquery",
        """BEGIN
             DECLARE a STRING DEFAULT (SELECT MAX(x) FROM d.s);
             RAISE USING MESSAGE = a;
           EXCEPTION WHEN ERROR THEN INSERT INTO d.log (m) SELECT @@error.message;
           END""",
        {"d.s.x -> d.log.m"},
    ),
    "Q29: raised by a function, whichever expression calls it": (
        "postgres",
        """CREATE FUNCTION f(k int) RETURNS int LANGUAGE plpgsql AS $$
           BEGIN RAISE 'no %', (SELECT nm FROM names WHERE id = k); RETURN 1; END $$;
           CREATE PROCEDURE g() LANGUAGE plpgsql AS $$
           BEGIN INSERT INTO t (v) SELECT f(r.k) FROM r;
           EXCEPTION WHEN OTHERS THEN INSERT INTO log1 (m) VALUES (SQLERRM); END $$;
           CREATE PROCEDURE h() LANGUAGE plpgsql AS $$ DECLARE v int;
           BEGIN v := f(3); EXCEPTION WHEN OTHERS THEN INSERT INTO log2 (m) VALUES (SQLERRM); END $$;""",
        {"names.nm -> log1.m", "names.nm -> log2.m", "r.k -> t.v"},
    ),
}


@pytest.mark.parametrize("case", TOLD)
def test_what_is_raised_arrives_in_what_a_handler_says(case: str) -> None:
    dialect, text, expected = TOLD[case]
    assert direct(scan_sql(text, dialect=dialect)) == expected


DECIDING: dict[str, tuple[str, str, dict[str, set[str]]]] = {
    "Q29: what a procedure tests before it raises decides over what its caller does behind the call": (
        "oracle",
        """CREATE PROCEDURE chk(k IN NUMBER) IS n NUMBER;
           BEGIN
             SELECT z INTO n FROM lim;
             IF n > k THEN RAISE_APPLICATION_ERROR(-20001, 'bad'); END IF;
           EXCEPTION WHEN OTHERS THEN INSERT INTO log (d) VALUES (SYSDATE); RAISE;
           END;
           /
           CREATE PROCEDURE p IS a NUMBER;
           BEGIN
             INSERT INTO before (v) SELECT w FROM r;
             SELECT x INTO a FROM s;
             chk(a);
             INSERT INTO t (v) SELECT w FROM r;
           END;
           /""",
        {"t.v": {"lim.z", "s.x"}, "before.v": set()},
    ),
    "Q29: so does the test under which one is called that always raises, at any depth": (
        "oracle",
        """CREATE PROCEDURE fail IS BEGIN RAISE_APPLICATION_ERROR(-20001, 'x'); END;
           /
           CREATE PROCEDURE q IS a NUMBER;
           BEGIN
             SELECT x INTO a FROM s;
             IF a > 3 THEN fail; END IF;
             INSERT INTO t (v) SELECT w FROM r;
           END;
           /
           CREATE PROCEDURE z IS BEGIN q; INSERT INTO u (v) SELECT w FROM r; END;
           /""",
        {"t.v": {"s.x"}, "u.v": {"s.x"}},
    ),
    "Q29: not where the caller follows the failure and goes on": (
        "postgres",
        """CREATE PROCEDURE chk() LANGUAGE plpgsql AS $$ DECLARE n int;
           BEGIN SELECT z INTO n FROM lim; IF n > 3 THEN RAISE 'bad'; END IF; END $$;
           CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
           BEGIN
             BEGIN CALL chk(); INSERT INTO t (v) SELECT w FROM r; EXCEPTION WHEN OTHERS THEN NULL; END;
             INSERT INTO u (v) SELECT w FROM r;
           END $$;""",
        {"t.v": {"lim.z"}, "u.v": set()},
    ),
    "Q29: a function that writes and raises": (
        "postgres",
        """CREATE FUNCTION chk(k int) RETURNS int LANGUAGE plpgsql AS $$
           BEGIN INSERT INTO log (k) VALUES (k); IF k > 3 THEN RAISE 'bad'; END IF; RETURN k; END $$;
           CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ DECLARE v int; a int;
           BEGIN
             SELECT x INTO a FROM s;
             v := chk(a);
             INSERT INTO t (v) SELECT w FROM r;
           END $$;""",
        {"t.v": {"s.x"}},
    ),
}


@pytest.mark.parametrize("case", DECIDING)
def test_what_is_tested_where_something_is_raised_decides_behind_the_call(case: str) -> None:
    dialect, text, expected = DECIDING[case]
    scan = scan_sql(text, dialect=dialect)
    for target, sources in expected.items():
        own = {one.source for one in scan.steps if one.target == target and one.kind == "indirect"}
        assert own == sources, target
