"""What is known to hold where the ways of a program meet, of which some end (rules Q24 to Q27)."""

from __future__ import annotations

import math
from pathlib import Path
from time import process_time

import pytest

from mdw import Warehouse, scan_sql

BODY = "IF m = 1 THEN IF n = 2 THEN {}; END IF; END IF; INSERT INTO t (x) SELECT x FROM s"
MET = ":m = 1 AND (:n = 2) IS NOT TRUE OR (:m = 1) IS NOT TRUE"
TRANSACT = "CREATE PROCEDURE p @m INT, @n INT AS BEGIN {} INSERT INTO t (x) SELECT x FROM s END"
INTO = "FROM cfg; IF m = 1 THEN IF m < 5 THEN RETURN; END IF; END IF; INSERT INTO t (x) SELECT x FROM s"
ENDING = {
    "tsql: ELSE IF": (
        TRANSACT.format("IF @m = 1 INSERT INTO a (x) SELECT y FROM s ELSE IF @n = 2 RETURN"),
        ":m = 1 OR (:m = 1) IS NOT TRUE AND (:n = 2) IS NOT TRUE",
    ),
    "tsql: IF within IF": (TRANSACT.format("IF @m = 1 BEGIN IF @n = 2 THROW 50001, 'no', 1 END"), MET),
    "tsql: GOTO": (
        TRANSACT.format("IF @m = 1 BEGIN IF @n = 2 GOTO more END; DELETE FROM a; RETURN; more:"),
        ":m = 1 AND :n = 2",
    ),
    "tsql: a label that two ways lead to": (
        TRANSACT.format("IF @m = 1 BEGIN IF @n = 2 RETURN; GOTO more END; more:"),
        MET,
    ),
    "oracle": (f"CREATE PROCEDURE p (m NUMBER, n NUMBER) IS BEGIN {BODY.format('RAISE bad')}; END;", MET),
    "postgres": (
        f"CREATE FUNCTION p (m INT, n INT) RETURNS void AS $$ BEGIN {BODY.format('RETURN')}; END $$ LANGUAGE plpgsql",
        MET,
    ),
    "snowflake": (
        f"CREATE PROCEDURE p (m INT, n INT) RETURNS INT AS $$ BEGIN {BODY.format('RETURN 1')}; END; $$",
        MET,
    ),
    "bigquery": (f"CREATE PROCEDURE p (m INT64, n INT64) BEGIN {BODY.format('RETURN')}; END", MET),
    "mysql: SIGNAL": (
        "DELIMITER //\nCREATE PROCEDURE p (m INT, n INT) BEGIN "
        f"{BODY.format(chr(10).join(['SIGNAL SQLSTATE', chr(39) + '45000' + chr(39)]))}; END //",
        MET,
    ),
    "mysql: LEAVE": (
        f"DELIMITER //\nCREATE PROCEDURE p (m INT, n INT) this: BEGIN {BODY.format('LEAVE this')}; END //",
        MET,
    ),
}


@pytest.mark.parametrize("case", ENDING)
def test_q26_what_follows_stands_under_that_no_way_ended(case: str) -> None:
    """Q26: of the ways that lead here each has tests of its own, and one of them was gone."""
    text, condition = ENDING[case]
    scan = scan_sql(text, dialect=case.partition(":")[0])
    assert {step.condition for step in scan.steps if step.target == "t.x"} == {condition}


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("oracle", f"CREATE PROCEDURE p IS m NUMBER; BEGIN SELECT k INTO m {INTO}; END;"),
        ("postgres", f"DO $$ DECLARE m INT; BEGIN SELECT k INTO m {INTO}; END $$"),
        (
            "tsql",
            "DECLARE @m INT; SELECT @m = k FROM cfg; IF @m = 1 BEGIN IF @m < 5 RETURN END;"
            "INSERT INTO t (x) SELECT x FROM s",
        ),
    ],
)
def test_q27_what_the_tests_read_decides(dialect: str, text: str) -> None:
    """Q27: a test on a variable that a query set is one on its rows, and binds none of those that are written."""
    steps = scan_sql(text, dialect=dialect).steps
    assert {(step.source, step.kind) for step in steps if step.target == "t.x"} == {
        ("s.x", "direct"),
        ("cfg.k", "indirect"),
    }


@pytest.mark.parametrize(
    "ways",
    [
        # All ways lead here.
        "IF m = 1 THEN DELETE FROM a; ELSIF n = 2 THEN DELETE FROM b; ELSE DELETE FROM c; END IF;",
        "IF m = 1 THEN IF n = 2 THEN DELETE FROM a; END IF; ELSIF n = 3 THEN DELETE FROM b; END IF;",
        # A loop ends some time, by its test or in its midst.
        "WHILE m < n LOOP EXIT WHEN n = 3; m := m + 1; END LOOP;",
    ],
)
def test_q26_where_no_way_ended_nothing_is_known(ways: str) -> None:
    text = f"CREATE PROCEDURE p (m NUMBER, n NUMBER) IS BEGIN {ways} INSERT INTO t (x) SELECT x FROM s; END;"
    found = {step.condition for step in scan_sql(text, dialect="oracle").steps if step.target == "t.x"}
    assert found == ({""} if "LOOP" not in ways else found)
    assert not any("3" in one for one in found)


def test_q26_behind_a_handler_the_tests_of_its_block_decide_and_no_more() -> None:
    """Q26: any statement may have failed before a test was made."""
    text = """CREATE PROCEDURE p IS m NUMBER;
        BEGIN
          SELECT k INTO m FROM cfg;
          BEGIN
            IF m = 1 THEN RETURN; END IF;
            DELETE FROM a;
          EXCEPTION WHEN OTHERS THEN NULL;
          END;
          INSERT INTO t (x) SELECT x FROM s;
        END;"""
    steps = [step for step in scan_sql(text, dialect="oracle").steps if step.target == "t.x"]
    assert {(step.source, step.kind) for step in steps} == {("s.x", "direct"), ("cfg.k", "indirect")}
    assert not any("m" in step.condition for step in steps)


def test_q26_a_test_of_which_nothing_is_said_may_be_anything() -> None:
    """Q26: whether a statement failed says nothing of values; what is tested beside it still decides."""
    text = """CREATE PROCEDURE p (m NUMBER) IS
        BEGIN
          DELETE FROM a;
          IF SQLCODE = 0 THEN IF m = 1 THEN RETURN; END IF; END IF;
          INSERT INTO t (x) SELECT x FROM s;
        END;"""
    (step,) = [step for step in scan_sql(text, dialect="oracle").steps if step.target == "t.x"]
    assert step.condition == ""


def test_many_ways_that_end_take_time_in_proportion() -> None:
    """Each statement stands under all that is known before it: of ways that met only so many are told."""
    took = []
    for many in (60, 180):
        ways = [
            f"IF m = {n} THEN IF n = {n} THEN RETURN; END IF; END IF; INSERT INTO t{n} SELECT x FROM s{n}; "
            for n in range(many)
        ]
        text = f"CREATE PROCEDURE p(m INT, n INT) AS $$ BEGIN {''.join(ways)} END $$ LANGUAGE plpgsql"
        best = math.inf  # of two: what shares the processor costs CPU time, too
        for _ in range(2):
            start = process_time()
            scan = scan_sql(text, dialect="postgres")
            best = min(best, process_time() - start)
        took.append(max(0.2, best))
        assert ":n = 20" in scan.steps[-1].condition
    assert took[1] < 8 * took[0]


def test_q26_a_failure_that_is_handled_decides_nothing_behind_its_block() -> None:
    """Q26: whether it is raised or not the program goes on behind the block."""
    text = """CREATE PROCEDURE p IS m NUMBER;
        BEGIN
          SELECT k INTO m FROM cfg;
          BEGIN IF m = 1 THEN RAISE bad; END IF; DELETE FROM a; EXCEPTION WHEN OTHERS THEN NULL; END;
          INSERT INTO t (x) SELECT x FROM s;
        END;"""
    (step,) = [step for step in scan_sql(text, dialect="oracle").steps if step.target == "t.x"]
    assert (step.source, step.kind, step.condition) == ("s.x", "direct", "")


@pytest.mark.parametrize("ending", ["RETURN", "RAISE bad"])
def test_q26_what_ends_a_routine_within_a_loop_decides_behind_it(ending: str) -> None:
    """Q26: behind the loop it is known that no round ended it; of which row its test was true nobody knows."""
    text = f"""CREATE PROCEDURE p IS
        BEGIN
          FOR r IN (SELECT k, v FROM cfg) LOOP
            IF r.k = 1 THEN {ending}; END IF;
            WHILE r.v > 3 LOOP DELETE FROM a; END LOOP;
          END LOOP;
          INSERT INTO t (x) SELECT x FROM s;
        END;"""
    steps = [step for step in scan_sql(text, dialect="oracle").steps if step.target == "t.x"]
    assert {(step.source, step.kind) for step in steps} == {("s.x", "direct"), ("cfg.k", "indirect")}


def test_q26_a_row_that_is_there_on_one_way_may_be_missing_on_another(tmp_path: Path) -> None:
    """Q26: a loop inside another may have had no row, which ended nothing; the row of the loop around is there."""
    text = """CREATE PROCEDURE p IS
        BEGIN
          FOR a IN (SELECT k, v FROM cfg) LOOP
            FOR b IN (SELECT k FROM log) LOOP
              IF a.k > b.k THEN RETURN; END IF;
            END LOOP;
            INSERT INTO t (x) VALUES (a.v);
          END LOOP;
        END;"""
    (tmp_path / "p.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        texts = [warehouse.text(one.name) for one in warehouse.mappings()]
    (found,) = [one for one in texts if "POPULATING t " in one]
    assert "CROSS JOIN `p.sql:p`.a AS `@a`" in found
    assert "LEFT JOIN `p.sql:p`.b AS `@b`" in found
