"""Rule Q29: functions that expressions call, those that do more than give a value above all."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from mdw import Warehouse

WRITER = (
    "CREATE FUNCTION core.wr(who TEXT, what TEXT DEFAULT 'none') RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN {} END $$;\n"
)
LOG = WRITER.format("INSERT INTO log (who, what) VALUES (who, what); RETURN 'done';")
FUNCTION = "CREATE FUNCTION {} LANGUAGE plpgsql AS $$ {} $$;\n"
JOB = "CREATE PROCEDURE job() LANGUAGE plpgsql AS $$ DECLARE x TEXT; y TEXT; BEGIN {} END $$;\n"
READ = "SELECT MAX(s.a) INTO y FROM s; "


def loaded(*texts: str, dialect: str = "postgres") -> Warehouse:
    with TemporaryDirectory() as folder:
        Path(folder, "job.sql").write_text("".join(texts))
        warehouse = Warehouse()
        warehouse.load(folder, dialect=dialect).raise_for_errors()
    return warehouse


def ends(warehouse: Warehouse, asked: str) -> set[str]:
    """Golden sources and constants."""
    answer = warehouse.lineage(asked)
    return {end.attribute for end in answer.golden} | {one.value for one in answer.constants}


CALLS = {
    "an assignment": (READ + "x := core.wr('a', y);", {"S.A"}),
    "a part of an expression": (READ + "x := UPPER(core.wr('a', y || '!')) || 'b';", {"S.A"}),
    "a query without tables": (READ + "SELECT core.wr('a', y) INTO x;", {"S.A"}),
    "a query": ("PERFORM core.wr('a', s.b) FROM s WHERE s.n > 3;", {"S.B"}),
    "a test": (READ + "IF core.wr('a', y) = 'done' THEN INSERT INTO t (x) SELECT s.c FROM s; END IF;", {"S.A"}),
    "the test of a loop": (READ + "WHILE core.wr('a', y) = 'x' LOOP y := 'k'; END LOOP;", {"S.A", '"k"'}),
    "an EXIT": (READ + "LOOP EXIT WHEN core.wr('a', y) = 'x'; END LOOP;", {"S.A"}),
    "VALUES": (READ + "INSERT INTO t (x) VALUES (core.wr('a', y));", {"S.A"}),
    "an UPDATE": ("UPDATE t SET x = core.wr('a', t.y);", {"T.Y"}),
    "a WHERE": ("INSERT INTO t (x) SELECT s.c FROM s WHERE core.wr('a', s.b) = 'done' AND s.n = 1;", {"S.B"}),
    "an ON": ("INSERT INTO t (x) SELECT s.c FROM s JOIN r ON core.wr('a', s.b) = r.k;", {"S.B"}),
    "a HAVING": ("INSERT INTO t (x) SELECT s.c FROM s GROUP BY s.c HAVING core.wr('a', MAX(s.b)) = 'x';", {"S.B"}),
    "a subquery of the row around it": (
        "INSERT INTO t (x) SELECT (SELECT core.wr('a', s.b || r.k) FROM r) FROM s;",
        {"S.B", "R.K"},
    ),
    "arguments by name": (READ + "x := core.wr(what => y, who => 'a');", {"S.A"}),
    "a default": ("x := core.wr('a');", {'"none"'}),
}


def test_a_call_that_never_runs_is_none() -> None:
    with loaded(LOG, JOB.format(READ + "RETURN; x := core.wr('a', y);")) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == {":WHAT"}


@pytest.mark.parametrize("place", CALLS)
def test_what_a_function_is_given_reaches_what_it_writes(place: str) -> None:
    body, expected = CALLS[place]
    with loaded(LOG, JOB.format(body)) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == expected
        assert ends(warehouse, "LOG.WHO") == {'"a"'}


def test_a_function_that_writes_for_rows_does_so_for_those_of_the_query() -> None:
    with loaded(LOG, JOB.format("PERFORM core.wr('a', s.b) FROM s WHERE s.n > 3;")) as warehouse:
        (end,) = warehouse.lineage("LOG.WHAT").golden
        assert end.condition == "S.N > 3"
    with loaded(LOG, JOB.format("PERFORM 1 FROM s WHERE s.n > 3 AND core.wr('a', s.b) = 'x';")) as warehouse:
        (end,) = warehouse.lineage("LOG.WHAT").golden
        assert end.condition in ("", "TRUE")


def test_what_such_a_call_gives_is_what_it_returns_there() -> None:
    body = "INSERT INTO log (who) VALUES (who); IF who = 'a' THEN RETURN what; END IF; RETURN 'other';"
    job = JOB.format(READ + "x := core.wr('a', y); INSERT INTO t (x) VALUES (x);")
    with loaded(WRITER.format(body), job) as warehouse:
        assert "S.A" in ends(warehouse, "T.X")
    job = JOB.format("INSERT INTO t (x) SELECT core.wr('b', s.b) FROM s;")
    with loaded(WRITER.format(body), job) as warehouse:
        assert ends(warehouse, "T.X") == {'"other"'}


def test_it_writes_only_under_the_tests_that_hold_where_it_is_called() -> None:
    body = READ + "IF y = 'k' THEN x := core.wr('a', y); END IF;"
    with loaded(LOG, JOB.format(body)) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == {"S.A"}
        assert not warehouse.lineage("LOG.WHAT", when="WHAT = 'z'").golden


def test_a_function_that_calls_one_that_writes_writes() -> None:
    body = "DECLARE x TEXT; BEGIN x := core.wr('f', v); RETURN x; END"
    around = FUNCTION.format("f(v TEXT) RETURNS TEXT", body)
    only = "CREATE FUNCTION g(v TEXT) RETURNS TEXT LANGUAGE sql AS $$ SELECT f(v || '!') $$;\n"
    with loaded(LOG, around, only, JOB.format("PERFORM g(s.b) FROM s;")) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == {"S.B"}


def test_one_that_calls_itself_in_an_expression_is_given_what_any_round_gives() -> None:
    body = "INSERT INTO log (who, what) VALUES (who, what); IF who = 'z' THEN RETURN what; END IF; "
    body += "RETURN core.wr(what, who);"
    with loaded(WRITER.format(body), JOB.format("PERFORM core.wr(s.a, s.b) FROM s;")) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == {"S.A", "S.B"}


def test_functions_of_one_name_are_told_apart_by_schema_and_arguments() -> None:
    other = FUNCTION.format(
        "core.wr(v INT, w INT, x INT) RETURNS INT", "BEGIN INSERT INTO one (v) VALUES (v); RETURN 1; END"
    )
    body = "BEGIN INSERT INTO two (v) VALUES (b); RETURN 1; END"
    third = FUNCTION.format("mart.wr(a TEXT, b TEXT) RETURNS INT", body)
    job = JOB.format("PERFORM core.wr('a', s.b), core.wr(s.n, 1, 2), mart.wr('a', s.c) FROM s;")
    with loaded(LOG, other, third, job) as warehouse:
        assert ends(warehouse, "LOG.WHAT") == {"S.B"}
        assert ends(warehouse, "ONE.V") == {"S.N"}
        assert ends(warehouse, "TWO.V") == {"S.C"}


def test_what_a_function_gives_by_its_out_arguments_is_its_value() -> None:
    made = FUNCTION.format("f(k TEXT, OUT r TEXT)", "BEGIN SELECT MAX(s.a) INTO r FROM s WHERE s.b = k; END")
    with loaded(made, JOB.format("x := f('a'); INSERT INTO t (x) VALUES (x);")) as warehouse:
        assert "S.A" in ends(warehouse, "T.X")


def test_default_values_of_a_function_that_is_an_expression_count() -> None:
    made = "CREATE FUNCTION f(a TEXT, b TEXT DEFAULT 'x') RETURNS TEXT LANGUAGE sql AS $$ SELECT COALESCE(a, b) $$;\n"
    with loaded(made, "INSERT INTO t (x) SELECT f(NULL), f(b => s.b, a => NULL) FROM s;\n") as warehouse:
        assert ends(warehouse, "T.X") == {'"x"'}
    with loaded(made, "INSERT INTO t (x) SELECT f(b => s.b, a => s.a) FROM s;\n") as warehouse:
        assert ends(warehouse, "T.X") == {"S.A", "S.B"}


def test_temporary_tables_and_variables_of_a_package_are_those_of_the_caller() -> None:
    body = "BEGIN INSERT INTO t (x) SELECT h.a FROM h; RETURN 'x'; END"
    made = FUNCTION.format("f() RETURNS TEXT", body)
    job = JOB.format("CREATE TEMP TABLE h AS SELECT s.a FROM s; x := f();")
    with loaded(made, job) as warehouse:
        assert ends(warehouse, "T.X") == {"S.A"}
    package = """CREATE OR REPLACE PACKAGE BODY p IS
      g_last VARCHAR2(10);
      FUNCTION put(v VARCHAR2) RETURN NUMBER IS BEGIN g_last := v; RETURN 1; END;
      PROCEDURE run IS n NUMBER; BEGIN
        FOR r IN (SELECT s.a FROM s) LOOP n := put(r.a); END LOOP;
        INSERT INTO t (x) VALUES (g_last);
      END;
    END p;
/
"""
    with loaded(package, dialect="oracle") as warehouse:
        assert "S.A" in ends(warehouse, "T.X")


def test_across_files_a_function_writes_what_each_file_gives_it(tmp_path: Path) -> None:
    for name, text in {"log": LOG, "one": JOB.format("PERFORM core.wr('a', s.b) FROM s;")}.items():
        (tmp_path / f"{name}.sql").write_text(text)
    (tmp_path / "two.sql").write_text("INSERT INTO u (x) SELECT core.wr('b', r.k) FROM r;\n")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        assert ends(warehouse, "LOG.WHAT") == {"S.B", "R.K"}
        assert ends(warehouse, "LOG.WHO") == {'"a"', '"b"'}


ORACLE = """CREATE OR REPLACE PROCEDURE load(kind VARCHAR2) IS
  v_last VARCHAR2(10);
  PROCEDURE put(who VARCHAR2);
  {}
  PROCEDURE put(who VARCHAR2) IS BEGIN INSERT INTO log (who, what) VALUES (who, v_last); END;
  n NUMBER;
BEGIN
  SELECT MAX(s.a) INTO v_last FROM s;
  {}
END;
/
"""
NESTED = {
    "Q29: a routine declared in another sees its variables": ("", "put('a');", {"S.A"}),
    "Q29: and changes them": (
        "FUNCTION get(k VARCHAR2) RETURN NUMBER IS BEGIN v_last := k; RETURN 1; END;",
        "n := get('k'); put('a');",
        {'"k"'},
    ),
    "Q29: on some way only": (
        "FUNCTION get(k VARCHAR2) RETURN NUMBER IS BEGIN IF k = kind THEN v_last := k; END IF; RETURN 1; END;",
        "n := get('k'); put('a');",
        {'"k"', "S.A"},
    ),
    "Q29: one calls another beside it": (
        "PROCEDURE twice IS BEGIN put('a'); v_last := 'z'; put('b'); END;",
        "twice;",
        {'"z"', "S.A"},
    ),
    "Q29: a variable of the same name hides that around": (
        "PROCEDURE twice IS v_last VARCHAR2(9) := 'own'; BEGIN put('a'); END;",
        "twice;",
        {"S.A"},
    ),
    "Q29: one within one within one": (
        "PROCEDURE one IS w VARCHAR2(9); PROCEDURE two IS BEGIN w := 'w'; v_last := w; END; BEGIN two; put('a'); END;",
        "one;",
        {'"w"'},
    ),
    "Q29: one that calls itself": (
        "PROCEDURE again(k VARCHAR2) IS BEGIN put('a'); v_last := k; IF k < 'x' THEN again('r'); END IF; END;",
        "again('k');",
        {"S.A", '"k"', '"r"'},
    ),
    "Q29: a function that is an expression": (
        "FUNCTION shown RETURN VARCHAR2 IS BEGIN RETURN v_last || '!'; END;",
        "v_last := shown(); put('a');",
        {"S.A"},
    ),
    "Q29: a query in one reads what the one around holds": (
        "FUNCTION found RETURN VARCHAR2 IS r VARCHAR2(9); BEGIN SELECT MAX(r.b) INTO r FROM r WHERE r.a = v_last; "
        "RETURN r; END;",
        "v_last := found(); put('a');",
        {"R.B"},
    ),
    "Q25: what one gave before a failure is there in the handler": (
        "PROCEDURE risk IS BEGIN v_last := 'r'; INSERT INTO t (x) VALUES (1); v_last := 'q'; END;",
        "BEGIN risk; EXCEPTION WHEN OTHERS THEN put('a'); END;",
        {"S.A", '"r"', '"q"'},
    ),
}


@pytest.mark.parametrize("case", NESTED)
def test_routines_within_routines(case: str) -> None:
    declared, body, expected = NESTED[case]
    with loaded(ORACLE.format(declared, body), dialect="oracle") as warehouse:
        assert ends(warehouse, "LOG.WHAT") == expected


def test_two_blocks_may_declare_routines_of_one_name() -> None:
    block = "DECLARE PROCEDURE put IS BEGIN INSERT INTO t (x) SELECT s.{} FROM s; END; BEGIN {} END;\n/\n"
    with loaded(block.format("a", "NULL;"), block.format("b", "put;"), dialect="oracle") as warehouse:
        assert ends(warehouse, "T.X") == {"S.B"}


NAMED = """CREATE FUNCTION named(wanted IN NUMBER, name {} VARCHAR2) RETURN NUMBER IS
BEGIN SELECT s.nm INTO name FROM s WHERE s.id = 1; RETURN 1; END;
/
"""
OUTS = {
    "an assignment": ("x := named(1, y) + 1; INSERT INTO t (x) VALUES (y);", {"S.NM"}),
    "arguments by name": ("x := named(name => y, wanted => 1); INSERT INTO t (x) VALUES (y);", {"S.NM"}),
    "a test, and what is behind it": ("IF named(1, y) > 0 THEN NULL; END IF; INSERT INTO t (x) VALUES (y);", {"S.NM"}),
    "the test of a loop": ("WHILE named(1, y) > 0 LOOP INSERT INTO t (x) VALUES (y); END LOOP;", {"S.NM"}),
    "the round before": ("LOOP INSERT INTO t (x) VALUES (y); x := named(1, y); END LOOP;", {"S.NM"}),
    "a part of a row": ("x := named(1, r.a); INSERT INTO t (x) VALUES (r.a);", {"S.NM"}),
    "a handler": (
        "BEGIN x := named(1, y); y := 'k'; x := 1 / 0; EXCEPTION WHEN OTHERS THEN INSERT INTO t (x) VALUES (y); END;",
        {"S.NM", '"k"'},
    ),
    "what it had is gone": ("y := 'k'; x := named(1, y); INSERT INTO t (x) VALUES (y);", {"S.NM"}),
}


@pytest.mark.parametrize("mode", ["OUT", "IN OUT"])
@pytest.mark.parametrize("case", OUTS)
def test_a_function_gives_back_to_variables_of_an_expression(case: str, mode: str) -> None:
    """Oracle's functions may have arguments that they give back."""
    body, expected = OUTS[case]
    block = f"DECLARE x NUMBER; y VARCHAR2(9); r t%ROWTYPE; BEGIN {body} END;\n/\n"
    with loaded(NAMED.format(mode), block, dialect="oracle") as warehouse:
        assert ends(warehouse, "T.X") - {"NULL"} == expected


def test_what_a_function_returns_may_give_back_too() -> None:
    outer = "CREATE FUNCTION outer_one(c OUT VARCHAR2) RETURN NUMBER IS BEGIN RETURN named(2, c); END;\n/\n"
    block = "DECLARE x NUMBER; y VARCHAR2(9); BEGIN x := outer_one(y); INSERT INTO t (x) VALUES (y); END;\n/\n"
    with loaded(NAMED.format("OUT"), outer, block, dialect="oracle") as warehouse:
        assert ends(warehouse, "T.X") == {"S.NM"}


BY_PLACE = "CREATE FUNCTION pick(a TEXT, b TEXT) RETURNS TEXT {};\n"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("LANGUAGE sql AS $$ SELECT COALESCE($1, $2) $$", {"S.A", "S.B"}),
        ("LANGUAGE plpgsql AS $$ BEGIN RETURN $2; END $$", {"S.B"}),
        ("LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log (who) VALUES ($1); RETURN b; END $$", {"S.B"}),
    ],
)
def test_q29_an_argument_with_a_name_is_known_by_its_place_too(body: str, found: set[str]) -> None:
    """Q29: PostgreSQL's $1 is the first argument, whatever it is called."""
    with loaded(BY_PLACE.format(body), "INSERT INTO t (x) SELECT pick(s.a, s.b) FROM s;") as warehouse:
        assert ends(warehouse, "T.X") == found
        if "log" in body:
            assert ends(warehouse, "LOG.WHO") == {"S.A"}


def test_q29_a_test_by_place_binds_the_rows_that_a_procedure_writes() -> None:
    job = "CREATE PROCEDURE fill(wanted TEXT, v TEXT) LANGUAGE sql AS $$ {} $$; CALL fill('x', 'k');\n"
    with loaded(job.format("INSERT INTO t (x, y) SELECT s.a, $2 FROM s WHERE s.t = $1")) as warehouse:
        assert [one.sql for one in warehouse.lineage("T.X").golden] == ["S.T = 'x'"]
        assert ends(warehouse, "T.Y") == {'"k"'}


@pytest.mark.parametrize(
    "column", ["CREATE TABLE t (k INT, x TEXT DEFAULT newest())", "ALTER TABLE t ADD x TEXT DEFAULT newest()"]
)
def test_q18_what_a_function_reads_that_gives_a_default_arrives(column: str) -> None:
    made = "CREATE TABLE t (k INT);\n" if column.startswith("ALTER") else ""
    newest = "CREATE FUNCTION newest() RETURNS TEXT LANGUAGE sql AS $$ SELECT MAX(s.a) FROM s WHERE s.t = 'x' $$;\n"
    with loaded(newest, made, f"{column};\nINSERT INTO t (k) SELECT p.k FROM p;") as warehouse:
        assert ends(warehouse, "T.X") == {"S.A"}


@pytest.mark.parametrize(
    "body",
    [
        "FOR x IN EXECUTE '{}' LOOP INSERT INTO t (x) VALUES (x); END LOOP;",
        "OPEN c FOR EXECUTE '{}'; FETCH c INTO x; INSERT INTO t (x) VALUES (x);",
        "EXECUTE '{}' INTO x; INSERT INTO t (x) VALUES (x);",
    ],
)
def test_q31_a_change_that_is_run_as_a_text_gives_rows_back(body: str) -> None:
    """Q31: the rows of RETURNING go where those of a query would, and the change is made."""
    change = "INSERT INTO kept (z) SELECT s.a FROM s WHERE s.n = 1 RETURNING z"
    text = JOB.replace("y TEXT;", "y TEXT; c REFCURSOR;").format(body.format(change))
    with loaded("CREATE TABLE kept (z TEXT);\n", text) as warehouse:
        assert ends(warehouse, "T.X") - {"NULL"} == ends(warehouse, "KEPT.Z") == {"S.A"}
