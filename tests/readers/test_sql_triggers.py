"""Rule Q30: triggers take the rows that statements write, before, after or instead of them, unless they are off."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import QuestionError, Warehouse, scan_sql

VIEW = "CREATE VIEW v AS SELECT t.a, t.b, p.c FROM t JOIN p ON p.b = t.b;\n"
TAKEN = """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO t (a, b) VALUES (NEW.a, NEW.b); RETURN NEW; END $$;
CREATE TRIGGER i INSTEAD OF INSERT OR UPDATE ON v FOR EACH ROW EXECUTE FUNCTION f();
"""
BEFORE = """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN {} RETURN {}; END $$;
CREATE TRIGGER g BEFORE INSERT OR UPDATE ON t FOR EACH ROW EXECUTE FUNCTION f();
"""
INSERT = "INSERT INTO t (a, b, c) SELECT x, y, z FROM s;\n"
AUDIT = "CREATE TRIGGER tr ON t AFTER INSERT AS INSERT INTO log (a) SELECT a FROM inserted\nGO\n"
COMPOUND = """CREATE TRIGGER c FOR INSERT ON t COMPOUND TRIGGER
  n NUMBER := 0;
  BEFORE STATEMENT IS BEGIN SELECT MAX(m) INTO n FROM start_of; IF n IS NULL THEN RETURN; END IF; END BEFORE STATEMENT;
  BEFORE EACH ROW IS BEGIN :NEW.b := n; INSERT INTO before_log (l) VALUES (last_one); END BEFORE EACH ROW;
  AFTER EACH ROW IS BEGIN INSERT INTO log (a, b) VALUES (:NEW.a, :NEW.b); END AFTER EACH ROW;
  AFTER STATEMENT IS BEGIN INSERT INTO all_log (n, m) SELECT n, t.a FROM t; END AFTER STATEMENT;
END c;
/
INSERT INTO t (a, b) SELECT x, y FROM s;
"""

CASES: dict[str, tuple[str, str, dict[str, str]]] = {
    "of two triggers with one function each has the tables that it names itself": (
        "postgres",
        """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN
             INSERT INTO gone (a) SELECT a FROM old_rows;
             INSERT INTO log (a) SELECT a FROM new_rows;
             RETURN NULL;
           END $$;
           CREATE TRIGGER t1 AFTER UPDATE ON s REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
             FOR EACH STATEMENT EXECUTE FUNCTION f();
           CREATE TRIGGER t2 AFTER INSERT ON r REFERENCING NEW TABLE AS new_rows
             FOR EACH STATEMENT EXECUTE FUNCTION f();""",
        {"gone.a": "S.A", "log.a": "R.A S.A"},
    ),
    "INSTEAD OF: what is inserted into a view goes to the trigger, and not into the view": (
        "postgres",
        VIEW + TAKEN + "INSERT INTO v (a, b, c) SELECT x, y, z FROM s; CREATE VIEW w AS SELECT c FROM v;",
        {"t.a": "S.X", "t.b": "S.Y", "v.c": "P.C", "w.c": "P.C"},
    ),
    "INSTEAD OF: an UPDATE writes what else the row of the view has": (
        "postgres",
        VIEW.replace("t.a, t.b", "q.a, q.b").replace("t JOIN", "q JOIN").replace("t.b;", "q.b;")
        + TAKEN
        + "UPDATE v SET a = s.x FROM s WHERE s.k = v.c;",
        {"t.a": "Q.A S.X", "t.b": "Q.B", "v.a": "Q.A"},
    ),
    "INSTEAD OF: of a MERGE each branch": (
        "oracle",
        """CREATE VIEW v AS SELECT a, b FROM q;
           CREATE TRIGGER i INSTEAD OF INSERT ON v FOR EACH ROW BEGIN INSERT INTO t (a) VALUES (:NEW.a); END;
           /
           MERGE INTO v USING s ON (v.b = s.b) WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b);""",
        {"t.a": "S.A", "v.a": "Q.A"},
    ),
    "INSTEAD OF: on a table its own INSERT is not taken again": (
        "tsql",
        """CREATE TRIGGER tr ON t INSTEAD OF INSERT AS INSERT INTO t (a, b) SELECT a, UPPER(b) FROM inserted WHERE a > 0
           GO
           INSERT INTO t (a, b) SELECT x, y FROM s""",
        {"t.a": "S.X", "t.b": "S.Y"},
    ),
    "INSTEAD OF: the rows that a procedure gives are taken, too": (
        "tsql",
        """CREATE VIEW v AS SELECT a FROM q
           GO
           CREATE PROC p AS SELECT x FROM s
           GO
           CREATE TRIGGER tr ON v INSTEAD OF INSERT AS INSERT INTO t (a) SELECT a FROM inserted
           GO
           INSERT INTO v (a) EXEC p""",
        {"t.a": "S.X", "v.a": "Q.A"},
    ),
    "INSTEAD OF: deleted has the rows of the view": (
        "tsql",
        """CREATE VIEW v AS SELECT a FROM q
           GO
           CREATE TRIGGER tr ON v INSTEAD OF DELETE AS INSERT INTO gone (a) SELECT a FROM deleted
           GO
           DELETE FROM v WHERE a = 1""",
        {"gone.a": "Q.A"},
    ),
    "BEFORE: what it assigns to NEW replaces the value of the statement": (
        "postgres",
        BEFORE.format("NEW.b := NEW.c;", "NEW") + INSERT,
        {"t.b": "S.Z", "t.a": "S.X"},
    ),
    "BEFORE: under a test both stay": (
        "postgres",
        BEFORE.format("IF NEW.a > 1 THEN NEW.b := NEW.c; END IF;", "NEW") + INSERT,
        {"t.b": "S.Y S.Z"},
    ),
    "BEFORE: with all arms of a test the value is replaced": (
        "postgres",
        BEFORE.format("IF NEW.a > 1 THEN NEW.b := NEW.c; ELSE NEW.b := NULL; END IF;", "NEW") + INSERT,
        {"t.b": "S.Z"},
    ),
    "BEFORE: what was returned before keeps the value": (
        "postgres",
        BEFORE.format("IF NEW.a > 1 THEN RETURN NEW; END IF; NEW.b := NEW.c;", "NEW") + INSERT,
        {"t.b": "S.Y S.Z"},
    ),
    "BEFORE: a value that is read first flows": (
        "postgres",
        BEFORE.format("NEW.c := NEW.b; NEW.b := 1;", "NEW") + INSERT,
        {"t.c": "S.Y"},
    ),
    "BEFORE: of an UPDATE too": (
        "postgres",
        BEFORE.format("NEW.b := NEW.c;", "NEW") + "UPDATE t SET a = s.x, b = s.y FROM s WHERE s.k = t.k;",
        {"t.b": "T.B T.C", "t.a": "S.X T.A"},
    ),
    "BEFORE: RETURN NULL drops the row, which the trigger has": (
        "postgres",
        BEFORE.format("INSERT INTO part (a) VALUES (NEW.a);", "NULL") + INSERT,
        {"t.a": "T.A", "part.a": "S.X T.A"},
    ),
    "BEFORE: RETURN NULL under a test keeps the others": (
        "postgres",
        BEFORE.format("IF NEW.a > 1 THEN RETURN NULL; END IF;", "NEW") + INSERT,
        {"t.a": "S.X"},
    ),
    "COMPOUND: only BEFORE EACH ROW changes the row": (
        "oracle",
        COMPOUND.replace("INSERT INTO before_log (l) VALUES (last_one); ", ""),
        {"t.b": "START_OF.M", "log.a": "S.X", "log.b": "START_OF.M", "all_log.n": "START_OF.M", "all_log.m": "S.X"},
    ),
    "COMPOUND: what a later part sets, an earlier one has for the next row": (
        "oracle",
        COMPOUND.replace("n NUMBER := 0;", "n NUMBER := 0; last_one NUMBER;").replace(
            "AFTER EACH ROW IS BEGIN", "AFTER EACH ROW IS BEGIN last_one := :NEW.a;"
        ),
        {"before_log.l": "S.X"},
    ),
    "DISABLED: T-SQL's DISABLE TRIGGER behind it": (
        "tsql",
        AUDIT + "DISABLE TRIGGER tr ON t\nINSERT INTO t (a) SELECT x FROM s",
        {"log.a": "", "t.a": "S.X"},
    ),
    "DISABLED: ALTER TABLE without a semicolon": (
        "tsql",
        AUDIT + "ALTER TABLE t DISABLE TRIGGER ALL\nINSERT INTO t (a) SELECT x FROM s",
        {"log.a": "", "t.a": "S.X"},
    ),
    "DISABLED: for a while": (
        "tsql",
        AUDIT + "DISABLE TRIGGER ALL ON t INSERT INTO t (a) SELECT x FROM s ENABLE TRIGGER tr ON t",
        {"log.a": "S.X"},
    ),
    "DISABLED: rows that were written before have run it": (
        "tsql",
        AUDIT + "INSERT INTO t (a) SELECT x FROM s\nALTER TABLE t DISABLE TRIGGER tr",
        {"log.a": "S.X"},
    ),
    "DISABLED: in a branch it may be enabled": (
        "tsql",
        AUDIT + "IF @x = 1 ALTER TABLE t DISABLE TRIGGER tr\nINSERT INTO t (a) SELECT x FROM s",
        {"log.a": "S.X"},
    ),
    "DISABLED: Oracle's triggers, by their own name": (
        "oracle",
        """CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW BEGIN INSERT INTO log (a) VALUES (:NEW.a); END;
           /
           ALTER TRIGGER tr DISABLE;
           INSERT INTO t (a) SELECT x FROM s;""",
        {"log.a": ""},
    ),
    "DISABLED: where a trigger is off for a while rows go both ways": (
        "postgres",
        BEFORE.format("NEW.b := NEW.c;", "NEW")
        + "ALTER TABLE t DISABLE TRIGGER g;"
        + INSERT
        + "ALTER TABLE t ENABLE TRIGGER g;",
        {"t.b": "S.Y S.Z"},
    ),
    "LOADS: rows of a file may pass a trigger by": (
        "postgres",
        BEFORE.format("NEW.b := NEW.c; INSERT INTO part (a) VALUES (NEW.a);", "NULL")
        + "COPY t (a, b, c) FROM '/in/t.csv';",
        {"t.a": "`/in/t.csv`.A", "t.b": "`/in/t.csv`.B", "part.a": "`/in/t.csv`.A"},
    ),
    "RULE: DO INSTEAD takes the rows": (
        "postgres",
        "CREATE VIEW v AS SELECT a, b FROM q;"
        "CREATE RULE r AS ON INSERT TO v DO INSTEAD"
        " (INSERT INTO t (a) VALUES (NEW.a); INSERT INTO u SELECT NEW.b AS b);"
        "INSERT INTO v (a, b) SELECT x, y FROM s;",
        {"t.a": "S.X", "u.b": "S.Y", "v.a": "Q.A"},
    ),
    "RULE: under a WHERE rows may go either way": (
        "postgres",
        "CREATE RULE r AS ON INSERT TO t WHERE NEW.a > 1 DO INSTEAD INSERT INTO u (a) VALUES (NEW.a);"
        "INSERT INTO t (a) SELECT x FROM s;",
        {"t.a": "S.X", "u.a": "S.X"},
    ),
    "RULE: DO INSTEAD NOTHING": (
        "postgres",
        "CREATE RULE r AS ON INSERT TO t DO INSTEAD NOTHING; INSERT INTO t (a) SELECT x FROM s;"
        "INSERT INTO w (a) SELECT a FROM t;",
        {"w.a": "T.A"},
    ),
    "RULE: DO ALSO, and what was there before": (
        "postgres",
        "CREATE OR REPLACE RULE r AS ON UPDATE TO t DO ALSO INSERT INTO log (n, o) VALUES (NEW.a, OLD.b);"
        "UPDATE t SET a = s.x FROM s WHERE s.k = t.k;",
        {"log.n": "S.X T.A", "log.o": "T.B", "t.a": "S.X T.A"},
    ),
    "RULE: of a DELETE the rows that go": (
        "postgres",
        "CREATE RULE r AS ON DELETE TO t DO ALSO INSERT INTO gone SELECT OLD.a; DELETE FROM t WHERE b = 1;",
        {"gone.a": "T.A"},
    ),
    "a trigger and its function may have one name, and two tables each a trigger of one": (
        "postgres",
        """CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN INSERT INTO log (a) VALUES (NEW.a); RETURN NEW; END $$;
           CREATE TRIGGER g AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION g();
           CREATE TRIGGER g AFTER INSERT ON u FOR EACH ROW EXECUTE FUNCTION g();
           INSERT INTO t (a) SELECT x FROM s; INSERT INTO u (a) SELECT y FROM r;""",
        {"log.a": "R.Y S.X"},
    ),
}


def golden(warehouse: Warehouse, attribute: str) -> list[str]:
    """The golden sources of an attribute, none of one that nothing fills."""
    try:
        return sorted(end.attribute for end in warehouse.lineage(attribute).golden)
    except QuestionError:
        return []


@pytest.mark.parametrize("rule", CASES)
def test_what_triggers_let_arrive(rule: str, tmp_path: Path) -> None:
    """Q30."""
    dialect, text, expected = CASES[rule]
    file = tmp_path / "program.sql"
    file.write_text(text, encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        for attribute, sources in expected.items():
            assert golden(warehouse, attribute.upper()) == sources.split(), attribute


@pytest.mark.parametrize("names", [("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")])
def test_triggers_of_other_files_take_rows(names: tuple[str, str, str], tmp_path: Path) -> None:
    """Q30: whichever file is read first."""
    texts = (VIEW + TAKEN, "INSERT INTO v (a, b, c) SELECT x, y, z FROM s;", "CREATE VIEW w AS SELECT c FROM v;")
    for name, text in zip(names, texts, strict=True):
        (tmp_path / f"{name}.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        assert golden(warehouse, "T.A") == ["S.X"]
        assert golden(warehouse, "W.C") == ["P.C"]


def test_a_disabled_trigger_is_said(tmp_path: Path) -> None:
    file = tmp_path / "p.sql"
    file.write_text(AUDIT + "DISABLE TRIGGER tr ON t\n")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect="tsql")
        told = {one.kind: one.message for one in warehouse.report().statements}
        assert told["create trigger"] == "it is disabled: it is not followed"


VIEWED = "CREATE VIEW v AS SELECT x FROM base;\n"
WRITES = "INSERT INTO v (x) SELECT a FROM src;\n"
TAKES = """CREATE FUNCTION g() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN INSERT INTO arch (k) VALUES (NEW.x); RETURN NEW; END $$;
CREATE TRIGGER g INSTEAD OF INSERT ON v FOR EACH ROW EXECUTE FUNCTION g();
"""


@pytest.mark.parametrize("made_there", [False, True], ids=["made elsewhere", "made where it is written"])
def test_a_trigger_of_a_later_load_counts_for_files_that_are_loaded_again(made_there: bool, tmp_path: Path) -> None:
    files = {"one/job.sql": VIEWED + WRITES} if made_there else {"one/view.sql": VIEWED, "one/job.sql": WRITES}
    for name, text in (files | {"two/trigger.sql": TAKES}).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "one", dialect="postgres").raise_for_errors()
        report = warehouse.load(tmp_path / "two", dialect="postgres")
        assert "job.sql: read before this load told more of V; load it again to make it count" in report.notes
        warehouse.load(tmp_path / "one", dialect="postgres").raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("ARCH.K").golden] == ["SRC.A"]


def test_a_trigger_of_another_file_may_take_what_a_file_writes_that_it_makes(tmp_path: Path) -> None:
    (tmp_path / "job.sql").write_text(VIEWED + WRITES)
    (tmp_path / "trigger.sql").write_text(TAKES)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("ARCH.K").golden] == ["SRC.A"]
        # Nobody knows whether the trigger was there yet.
        assert "SRC.A" in [end.attribute for end in warehouse.lineage("V.X").golden]


CAUSED = [
    (
        "sqlite",
        "CREATE TRIGGER x AFTER DELETE ON t BEGIN INSERT INTO log (a) SELECT old.b; END; DELETE FROM t WHERE r = 7",
    ),
    ("tsql", "DELETE FROM t WHERE r = 7\nGO\nCREATE TRIGGER x ON t FOR DELETE AS INSERT log (a) SELECT b FROM deleted"),
    (
        "oracle",
        "CREATE TRIGGER tr AFTER UPDATE ON t FOR EACH ROW BEGIN INSERT INTO log (a) VALUES (:OLD.b); END;\n/\n"
        "MERGE INTO t USING s ON (1 = 1) WHEN MATCHED THEN UPDATE SET c = s.c WHERE t.r = 1;",
    ),
]


@pytest.mark.parametrize(("dialect", "text"), CAUSED)
def test_q30_what_decides_which_rows_are_changed_decides_what_triggers_write(dialect: str, text: str) -> None:
    steps = {(one.source, one.kind) for one in scan_sql(text, dialect=dialect).steps if one.target == "log.a"}
    assert steps == {("t.b", "direct"), ("t.r", "indirect")}


def test_q30_tests_around_a_change_decide_what_its_triggers_write_and_those_of_other_changes_do_not() -> None:
    script = (
        "CREATE PROCEDURE p AS IF EXISTS (SELECT 1 FROM cfg WHERE z = 1) UPDATE t SET c = 1 WHERE r = 7\nGO\nEXEC p\n"
        "DELETE FROM t WHERE q = 1\nGO\nCREATE TRIGGER x ON t AFTER UPDATE AS INSERT INTO log (a) SELECT b FROM deleted"
    )
    steps = [one for one in scan_sql(script, dialect="tsql").steps if one.target == "log.a" and one.kind == "indirect"]
    assert {one.source for one in steps} == {"t.r", "cfg.z"}


@pytest.mark.parametrize(
    ("body", "decides"),
    [
        ("IF NEW.b > 1 THEN RETURN NULL; END IF; RETURN NEW;", {"s.y"}),
        ("IF NEW.b > 1 THEN RETURN NEW; END IF; RETURN NULL;", {"s.y"}),
        ("IF NEW.b > 1 THEN INSERT INTO log (l) VALUES (1); END IF; RETURN NEW;", set()),
    ],
)
def test_q30_what_a_trigger_asks_of_a_row_before_it_drops_it_decides_which_rows_come(
    body: str, decides: set[str]
) -> None:
    steps = scan_sql(BEFORE.format(body, "NEW") + INSERT, dialect="postgres").steps
    assert {one.source for one in steps if one.target == "t.c" and one.kind == "indirect"} == decides


@pytest.mark.parametrize("last", ["trigger", "procedure"])
def test_q30_what_changes_rows_decides_wherever_it_stands(last: str) -> None:
    """Q30: a trigger may stand before the procedures that change its table, which nothing calls."""
    trigger = "CREATE TRIGGER tr AFTER UPDATE ON t FOR EACH ROW BEGIN INSERT INTO log (a) VALUES (OLD.a); END//"
    procedure = "CREATE PROCEDURE p() BEGIN UPDATE t SET b = 1 WHERE r = 7; END//"
    both = (procedure, trigger) if last == "trigger" else (trigger, procedure)
    scan = scan_sql("\n".join(["DELIMITER //", *both]), dialect="mysql")
    found = {(step.source, step.kind) for step in scan.steps if step.target == "log.a"}
    assert found == {("t.a", "direct"), ("t.r", "indirect")}


FUNCTION = """CREATE FUNCTION aud.note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN IF TG_OP = 'INSERT' THEN INSERT INTO log (k) VALUES (NEW.a); END IF; RETURN NEW; END $$;
"""
FIRED = "CREATE TRIGGER n AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION aud.note();\n"


@pytest.mark.parametrize("names", [("f", "g", "t"), ("t", "g", "f"), ("g", "t", "f")])
@pytest.mark.parametrize("growing", [False, True])
def test_a_trigger_and_its_function_in_two_files_are_read_as_in_one(
    names: tuple[str, str, str], growing: bool, tmp_path: Path
) -> None:
    texts = dict(
        zip(names, (FUNCTION, FIRED, "CREATE TABLE t (a INT);\nINSERT INTO t (a) SELECT x FROM s;\n"), strict=True)
    )
    with Warehouse() as warehouse:
        for name in sorted(texts):
            (tmp_path / f"{name}.sql").write_text(texts[name])
            if growing:
                warehouse.load(tmp_path, dialect="postgres")
        report = warehouse.load(tmp_path, dialect="postgres")
        assert {one.status for one in warehouse.report().statements} == {"whole"}
        assert report.errors == ()
        assert [end.attribute for end in warehouse.lineage("log.k").golden] == ["S.X"]


def test_a_trigger_whose_function_nobody_has_loaded_is_not_read() -> None:
    (found,) = scan_sql(FIRED, dialect="postgres").statements
    assert (found.kind, found.status) == ("create trigger", "opaque")
    assert found.message == "a call of which the body is not known: aud.note"
