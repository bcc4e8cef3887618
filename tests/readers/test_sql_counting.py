"""How many rows a statement changed decides over what is tested of it (rules Q24, Q27)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse, scan_sql

CHANGE = "UPDATE t SET a = 1 WHERE t.k = 2"
THEN = "INSERT INTO u (x) SELECT y FROM s"
BLOCK = f"BEGIN {CHANGE}; IF {{}} THEN {THEN}; END IF; END;"
PROCEDURE = f"CREATE FUNCTION f() RETURNS void AS $$ DECLARE n INT; BEGIN {{}} {THEN}; END IF; END $$ LANGUAGE plpgsql"
ASKING = {
    "tsql": ("tsql", f"{CHANGE}; IF @@ROWCOUNT = 0 {THEN}"),
    "tsql: kept in a variable": (
        "tsql",
        f"DECLARE @n INT; {CHANGE}; SET @n = @@ROWCOUNT; PRINT 'x'; IF @n > 0 {THEN}",
    ),
    "tsql: a loop that is left": ("tsql", f"WHILE 1 = 1 BEGIN {CHANGE}; IF @@ROWCOUNT = 0 BREAK; {THEN} END"),
    "oracle": ("oracle", BLOCK.format("SQL%ROWCOUNT = 0")),
    "oracle: NOTFOUND": ("oracle", BLOCK.format("SQL%NOTFOUND")),
    "postgres: FOUND": ("postgres", PROCEDURE.format(f"{CHANGE}; IF NOT FOUND THEN")),
    "postgres: PERFORM": ("postgres", PROCEDURE.format("PERFORM 1 FROM t WHERE t.k = 2; IF NOT FOUND THEN")),
    "postgres: SELECT INTO": (
        "postgres",
        PROCEDURE.format("SELECT 1 INTO n FROM t WHERE t.k = 2; IF NOT FOUND THEN"),
    ),
    "postgres: DIAGNOSTICS": (
        "postgres",
        PROCEDURE.format(f"{CHANGE}; GET DIAGNOSTICS n = ROW_COUNT; IF n = 0 THEN"),
    ),
    "mysql": ("mysql", f"CREATE PROCEDURE p() BEGIN {CHANGE}; IF ROW_COUNT() = 0 THEN {THEN}; END IF; END"),
    "bigquery": ("bigquery", f"{CHANGE}; IF @@row_count = 0 THEN {THEN}; END IF;"),
    "snowflake": ("snowflake", BLOCK.format("(SQLROWCOUNT = 0)")),
    "snowflake: FOUND": ("snowflake", BLOCK.format("(SQLFOUND)")),
    "a deletion": ("oracle", f"BEGIN DELETE FROM t WHERE t.k = 2; IF SQL%FOUND THEN {THEN}; END IF; END;"),
    "a merge": (
        "oracle",
        "BEGIN MERGE INTO t USING (SELECT 2 AS k FROM dual) d ON (t.k = d.k) WHEN MATCHED THEN UPDATE SET a = 1; "
        f"IF SQL%ROWCOUNT = 0 THEN {THEN}; END IF; END;",
    ),
}
OTHER = {
    "a cursor": "CURSOR c IS SELECT k FROM t; BEGIN OPEN c; FETCH c INTO n; IF c%NOTFOUND THEN {}; END IF;",
    "a call between": f"BEGIN {CHANGE}; q(); IF SQL%ROWCOUNT = 0 THEN {{}}; END IF;",
    "a round before": f"BEGIN LOOP IF SQL%ROWCOUNT = 0 THEN {{}}; END IF; {CHANGE}; EXIT WHEN n = 9; END LOOP;",
    "one of two": f"BEGIN IF n = 1 THEN {CHANGE}; ELSE DELETE FROM v; END IF; IF SQL%ROWCOUNT = 0 THEN {{}}; END IF;",
}


def sources(text: str, dialect: str) -> set[tuple[str, str]]:
    """What fills, and what decides over, the table that is filled under the test."""
    return {(one.source, one.kind) for one in scan_sql(text, dialect=dialect).steps if one.target == "u.x"}


@pytest.mark.parametrize("case", ASKING)
def test_what_the_statement_before_asked_decides(case: str) -> None:
    dialect, text = ASKING[case]
    assert sources(text, dialect) == {("s.y", "direct"), ("t.k", "indirect")}


@pytest.mark.parametrize("case", OTHER)
def test_of_another_number_nothing_is_said(case: str) -> None:
    """Which statement was the last is not known, or it is asked how far a cursor is."""
    text = f"CREATE PROCEDURE p (n IN OUT NUMBER) IS {OTHER[case].format(THEN)} END;"
    assert ("t.k", "indirect") not in sources(text, "oracle")
    assert ("s.y", "direct") in sources(text, "oracle")


def test_an_own_variable_called_found_is_none() -> None:
    text = PROCEDURE.replace("n INT", "found BOOLEAN := TRUE").format(f"{CHANGE}; IF found THEN")
    assert sources(text, "postgres") == {("s.y", "direct")}


@pytest.mark.parametrize(
    ("asking", "most"),
    [
        ("UPDATE t SET a = 1 WHERE t.k{} = 2; IF @@ROWCOUNT = 0 RETURN;", 10),
        ("SET @e = @@ERROR IF @e <> 0 RETURN;", 1),
        ("IF @@ERROR <> 0 RETURN;", 1),
    ],
)
def test_of_scripts_that_ask_behind_each_statement_a_few_tests_are_told(asking: str, most: int) -> None:
    """What decides over a statement does not grow with all that stands before it."""
    script = "\n".join(asking.format(number) for number in range(60))
    scan = scan_sql(f"CREATE PROCEDURE p AS BEGIN DECLARE @e INT {script} {THEN} END", dialect="tsql")
    (step,) = [one for one in scan.steps if one.target == "u.x" and one.kind == "direct"]
    assert step.condition.count(") IS NOT TRUE") == most
    assert len(scan.steps) < 60 * 12


@pytest.mark.parametrize("test", ["= 0", "> 0"])
def test_both_ways_stay_possible(tmp_path: Path, test: str) -> None:
    """Q15: of no rows there is a number, too: what is inserted where nothing was changed may arrive."""
    (tmp_path / "p.sql").write_text(
        "CREATE TABLE t (k INT, a INT); INSERT INTO t VALUES (1, 1);\n"
        f"CREATE PROCEDURE p IS BEGIN {CHANGE}; IF SQL%ROWCOUNT {test} THEN {THEN}; END IF; END;"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        (end,) = warehouse.lineage("u.x").golden
    assert str(end.attribute) == "S.Y"
