"""Rule Q29 across files: a routine runs as the files loaded with it call it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from mdw import Warehouse
from mdw.readers.files.glances import glance

FILL = """CREATE PROCEDURE fill(kind TEXT, region TEXT DEFAULT 'EU', OUT n INT) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO t (a, k) SELECT a, kind FROM s WHERE s.region = fill.region;
  IF kind = 'x' THEN INSERT INTO u (b) SELECT b FROM s2; END IF;
  SELECT MAX(z.m) INTO n FROM z;
END $$;
"""
JOB = "DO $$ DECLARE m INT; BEGIN CALL fill('a', 'US', m); INSERT INTO w (m) VALUES (m); END $$;"
SOURCE = "CREATE VIEW s AS SELECT a, 'US' AS region FROM us UNION ALL SELECT a, 'EU' FROM eu"


def procedure(head: str, body: str) -> str:
    return f"CREATE PROCEDURE {head} LANGUAGE plpgsql AS $$ BEGIN {body} END $$;\n"


def function(head: str, body: str) -> str:
    return f"CREATE FUNCTION {head} AS $$ {body} $$;\n"


def loaded(folder: Path, dialect: str = "postgres", **files: str) -> Warehouse:
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text)
    warehouse = Warehouse()
    warehouse.load(folder, dialect=dialect).raise_for_errors()
    return warehouse


def golden(warehouse: Warehouse, asked: str) -> list[str]:
    return sorted(end.attribute for end in warehouse.lineage(asked).golden)


def constants(warehouse: Warehouse, asked: str) -> list[str]:
    return sorted(one.value for one in warehouse.lineage(asked).constants)


def test_arguments_and_results_cross_files(tmp_path: Path) -> None:
    with loaded(tmp_path, fill=FILL, job=JOB, view=SOURCE) as warehouse:
        assert golden(warehouse, "T.A") == ["US.A"]
        assert constants(warehouse, "T.K") == ['"a"']
        assert golden(warehouse, "W.M") == ["Z.M"]
        # No call that was loaded says 'x'.
        assert not golden(warehouse, "U.B")
        (step, *_) = warehouse.lineage("T.A").steps
        assert step.location is not None
        assert step.location.file == "fill.sql"


def test_every_statement_is_told_once_with_its_own_text(tmp_path: Path) -> None:
    # Both ways out of the routine give n something: where they meet, that is no statement of the file that calls.
    fill = procedure("fill(OUT n INT)", "IF a = 1 THEN n := 1; RETURN; END IF; n := 2;")
    job = "DO $$ DECLARE m INT; BEGIN CALL fill(m); INSERT INTO w (m) VALUES (m); END $$;"
    with loaded(tmp_path, fill=fill, job=job) as warehouse:
        told = [(one.start, one.text) for one in warehouse.report().statements]
    assert all(text for _, text in told)
    assert len({start for start, _ in told}) == len(told)


def test_without_its_calls_a_routine_runs_with_any_arguments(tmp_path: Path) -> None:
    with loaded(tmp_path, fill=FILL, view=SOURCE) as warehouse:
        assert golden(warehouse, "T.A") == ["EU.A", "US.A"]
        assert golden(warehouse, "U.B") == ["S2.B"]


@pytest.mark.parametrize("order", list(permutations(("fill", "job", "view"))), ids=" ".join)
def test_the_order_of_files_does_not_matter(tmp_path: Path, order: tuple[str, ...]) -> None:
    texts = {"fill": FILL, "job": JOB, "view": SOURCE}
    with loaded(tmp_path, **{f"{at}_{name}": texts[name] for at, name in enumerate(order)}) as warehouse:
        assert golden(warehouse, "T.A") == ["US.A"]


def test_each_call_is_a_copy_and_defaults_are_the_routines(tmp_path: Path) -> None:
    more = "DO $$ DECLARE m INT; BEGIN CALL fill('x', n => m); END $$;"
    with loaded(tmp_path, fill=FILL, job=JOB, more=more, view=SOURCE) as warehouse:
        assert golden(warehouse, "T.A") == ["EU.A", "US.A"]
        assert golden(warehouse, "U.B") == ["S2.B"]
        answer = warehouse.lineage("T.A", when="T.K = 'x'")
        assert [end.attribute for end in answer.golden] == ["EU.A"]


def test_calls_go_on_through_files(tmp_path: Path) -> None:
    inner = procedure("put(k TEXT)", "INSERT INTO t (k, a) SELECT k, a FROM s;")
    outer = procedure("both(k TEXT)", "CALL put(k || '1'); CALL put('2');")
    with loaded(tmp_path, a=inner, b=outer, c="CALL both('z');") as warehouse:
        assert constants(warehouse, "T.K") == ['"2"', '"z" || "1"']
        assert golden(warehouse, "T.A") == ["S.A"]


def test_files_that_call_one_another_lose_nothing(tmp_path: Path) -> None:
    one = procedure("one(k TEXT)", "INSERT INTO t (k) VALUES (k); CALL two(k);")
    two = procedure("two(k TEXT)", "INSERT INTO u (k) SELECT s.k FROM s; CALL one('2');")
    with loaded(tmp_path, a=one, b=two) as warehouse:
        assert golden(warehouse, "U.K") == ["S.K"]
        assert '"2"' in constants(warehouse, "T.K")
    with loaded(tmp_path, a=one, b=two, c="CALL one('1');") as warehouse:
        assert golden(warehouse, "U.K") == ["S.K"]
        assert constants(warehouse, "T.K") == ['"1"', '"2"']


def test_functions_of_other_files_are_what_they_return(tmp_path: Path) -> None:
    files = {
        "f": function("size(x INT) RETURNS TEXT LANGUAGE sql", "SELECT CASE WHEN x > 5 THEN 'big' ELSE 'small' END"),
        "g": function(
            "last_of() RETURNS INT LANGUAGE plpgsql",
            "DECLARE r INT; BEGIN SELECT MAX(d) INTO r FROM days; RETURN r; END",
        ),
        "v": "CREATE VIEW v AS SELECT q.a + 1 AS a, last_of() AS d FROM q WHERE size(q.a) = 'big'",
    }
    with loaded(tmp_path, **files) as warehouse:
        assert golden(warehouse, "V.D") == ["DAYS.D"]
        answer = warehouse.lineage("V.A")
        assert [end.attribute for end in answer.golden] == ["Q.A"]


def test_a_trigger_runs_a_function_of_another_file(tmp_path: Path) -> None:
    files = {
        "f": function(
            "note() RETURNS trigger LANGUAGE plpgsql", "BEGIN INSERT INTO log (a) VALUES (NEW.a); RETURN NEW; END"
        ),
        "t": "CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION note();"
        " INSERT INTO t (a) SELECT a FROM s;",
    }
    with loaded(tmp_path, **files) as warehouse:
        assert golden(warehouse, "LOG.A") == ["S.A"]


def test_packages_call_packages_of_other_files(tmp_path: Path) -> None:
    one = """CREATE OR REPLACE PACKAGE BODY low AS
      PROCEDURE init IS BEGIN INSERT INTO low_log (a) SELECT a FROM s; END;
      PROCEDURE put(k VARCHAR2) IS BEGIN init; INSERT INTO t (k) VALUES (k); END;
    END low;
    /
    """
    two = """CREATE OR REPLACE PACKAGE BODY high AS
      PROCEDURE init IS BEGIN INSERT INTO high_log (a) SELECT a FROM r; END;
      PROCEDURE run IS BEGIN init; low.put('k1'); low.put(k => 'k2'); END;
    END high;
    /
    """
    with loaded(tmp_path, "oracle", low=one, high=two) as warehouse:
        assert golden(warehouse, "LOW_LOG.A") == ["S.A"]
        assert golden(warehouse, "HIGH_LOG.A") == ["R.A"]
        assert constants(warehouse, "T.K") == ['"k1"', '"k2"']


PACKAGE = """CREATE OR REPLACE PACKAGE BODY p AS
  kind CONSTANT VARCHAR2(9) := 'fix';
  state VARCHAR2(9) := 'start';
  PROCEDURE begin_with(k VARCHAR2) IS BEGIN state := k; END;
  PROCEDURE run IS BEGIN INSERT INTO t (k, f) SELECT state, kind FROM dual; END;
  PROCEDURE hide IS state VARCHAR2(9) := 'own'; BEGIN INSERT INTO u (k) VALUES (state); END;
END p;
/
"""


def test_a_variable_of_a_package_holds_what_any_file_gives_it(tmp_path: Path) -> None:
    one, two = "BEGIN p.begin_with('a'); END;\n/\n", "BEGIN p.run; p.hide; END;\n/\n"
    with loaded(tmp_path, "oracle", package=PACKAGE, one=one, two=two) as warehouse:
        assert constants(warehouse, "T.K") == ['"a"', '"start"']
        assert constants(warehouse, "T.F") == ['"fix"']
        assert constants(warehouse, "U.K") == ['"own"']


def test_a_package_alone_holds_what_nobody_knows(tmp_path: Path) -> None:
    with loaded(tmp_path, "oracle", package=PACKAGE) as warehouse:
        assert constants(warehouse, "T.K") == ['"start"', ":K"]
        assert constants(warehouse, "T.F") == ['"fix"']


def test_others_read_and_set_a_variable_of_a_package(tmp_path: Path) -> None:
    script = PACKAGE + "BEGIN p.state := 'b'; p.run; INSERT INTO v (k) VALUES (p.state); END;\n/\n"
    with loaded(tmp_path, "oracle", script=script) as warehouse:
        assert constants(warehouse, "T.K") == ['"b"', '"start"', ":K"]
        assert constants(warehouse, "V.K") == ['"b"', '"start"', ":K"]


def test_procedures_of_transact_sql(tmp_path: Path) -> None:
    files = {
        "p": """CREATE PROCEDURE dbo.p @k NVARCHAR(9), @n INT OUTPUT AS
            INSERT INTO t (k, a) SELECT @k, a FROM #w
            SELECT @n = MAX(m) FROM z
            GO""",
        "job": """SELECT a INTO #w FROM s
            DECLARE @x INT
            EXEC dbo.p @k = 'one', @n = @x OUTPUT
            INSERT INTO u (n) VALUES (@x)""",
        "rows": "CREATE PROCEDURE q AS SELECT a, b FROM s",
        "into": "INSERT INTO v (x, y) EXEC q",
    }
    with loaded(tmp_path, "tsql", **files) as warehouse:
        assert constants(warehouse, "T.K") == ['"one"']
        # The temporary table of the caller.
        assert golden(warehouse, "T.A") == ["S.A"]
        assert golden(warehouse, "U.N") == ["Z.M"]
        assert golden(warehouse, "V.Y") == ["S.B"]


def test_a_call_that_may_mean_several_follows_each(tmp_path: Path) -> None:
    dev, prod = (procedure(f"{one}.put(k TEXT)", f"INSERT INTO {one}.t (k) VALUES (k);") for one in ("dev", "prod"))
    with loaded(tmp_path, a=dev, b=prod, c="CALL put('z');") as warehouse:
        assert constants(warehouse, "DEV.T.K") == constants(warehouse, "PROD.T.K") == ['"z"']


def test_of_two_with_one_name_the_arguments_decide(tmp_path: Path) -> None:
    text = procedure("put(k TEXT)", "INSERT INTO t (k) VALUES (k);")
    text += procedure("put(k TEXT, j TEXT)", "INSERT INTO u (k) VALUES (j);")
    with loaded(tmp_path, a=text, c="CALL put('z', 'y');") as warehouse:
        assert constants(warehouse, "U.K") == ['"y"']


def test_an_entry_counts_with_any_arguments_too(tmp_path: Path) -> None:
    (tmp_path / "mdw.toml").write_text('entries = ["fill"]\n')
    with loaded(tmp_path, fill=FILL, job=JOB, view=SOURCE) as warehouse:
        assert golden(warehouse, "T.A") == ["EU.A", "US.A"]


def test_a_call_that_nobody_can_follow_leaves_the_routine_free(tmp_path: Path) -> None:
    # The other dialect's call of a routine of that name may mean it.
    other = "-- dialect by name\nBEGIN fill('b'); END;\n/\n"
    (tmp_path / "x.oracle.sql").write_text(other)
    (tmp_path / "mdw.toml").write_text("")
    for name, text in (("fill", FILL), ("job", JOB), ("view", SOURCE)):
        (tmp_path / f"{name}.postgres.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert golden(warehouse, "T.A") == ["EU.A", "US.A"]


def test_loading_again_follows_the_calls_there_are(tmp_path: Path) -> None:
    store = tmp_path / "wh.mdw"
    folder = tmp_path / "etl"
    folder.mkdir()
    for name, text in (("fill", FILL), ("job", JOB), ("view", SOURCE)):
        (folder / f"{name}.sql").write_text(text)
    with Warehouse(store) as warehouse:
        warehouse.load(folder, dialect="postgres", mirror=True)
        assert golden(warehouse, "T.A") == ["US.A"]
        assert not warehouse.load(folder, dialect="postgres", mirror=True).loaded
        (folder / "job.sql").write_text("SELECT 1;")
        warehouse.load(folder, dialect="postgres", mirror=True)
        assert golden(warehouse, "T.A") == ["EU.A", "US.A"]
        (folder / "job.sql").write_text(JOB)
        (folder / "fill.sql").write_text(FILL.replace("a, kind FROM s WHERE s.region", "z, kind FROM r WHERE r.c"))
        warehouse.load(folder, dialect="postgres", mirror=True)
        assert golden(warehouse, "T.A") == ["R.Z"]


def test_a_look_sees_what_is_made_and_called() -> None:
    look = glance(
        """CREATE OR REPLACE PACKAGE BODY etl.load AS
        FUNCTION day(x DATE) RETURN NUMBER IS BEGIN RETURN trunc_day(x); END;
        PROCEDURE run IS BEGIN prepare; util.log('a'); END;
        END load;
        CREATE PROCEDURE dbo.[my proc] AS EXEC @rc = dbo.other @a = 1; CALL third;
        DROP PROCEDURE gone"""
    )
    assert {"etl.load.day", "etl.load.run", "dbo.my proc"} <= look.routines
    assert {"prepare", "util.log", "dbo.other", "third", "trunc_day"} <= look.calls
    assert not any("gone" in name for name in look.routines | look.calls)


def test_a_text_that_arguments_complete_is_run_in_another_file(tmp_path: Path) -> None:
    """Rule Q31: a text is read where its parts are known at the call."""
    copy = procedure("copy_rows(src TEXT, tgt TEXT)", "EXECUTE 'INSERT INTO ' || tgt || ' (a) SELECT a FROM ' || src;")
    with loaded(tmp_path, copy=copy, job="CALL copy_rows('s1', 't1'); CALL copy_rows('s2', 't2');") as warehouse:
        assert golden(warehouse, "T1.A") == ["S1.A"]
        assert golden(warehouse, "T2.A") == ["S2.A"]
