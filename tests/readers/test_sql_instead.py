"""Rule Q30: a row goes through the INSTEAD OF triggers of what was done to it, and through no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse

TABLES = "CREATE TABLE d (id INT, n VARCHAR(9), u VARCHAR(9));\n{end}CREATE VIEW v AS SELECT id, n FROM d;\n{end}"
PLPGSQL = """CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} RETURN NEW; END $$;
CREATE TRIGGER {name} INSTEAD OF {event} ON v FOR EACH ROW EXECUTE FUNCTION {name}();
"""
ORACLE = "CREATE TRIGGER {name} INSTEAD OF {event} ON v FOR EACH ROW BEGIN {body} END;\n/\n"
SQLITE = "CREATE TRIGGER {name} INSTEAD OF {event} ON v BEGIN {body} END;\n"
TRANSACT = "CREATE TRIGGER {name} ON v INSTEAD OF {event} AS {body}\nGO\n"
INSERTED = "INSERT INTO d (id, n) VALUES ({new}.id, {new}.n);"
UPDATED = "INSERT INTO log (n) VALUES ({new}.n);"
DIALECTS = {
    "postgres": (PLPGSQL, "NEW", INSERTED, UPDATED),
    "oracle": (ORACLE, ":NEW", INSERTED, UPDATED),
    "sqlite": (SQLITE, "NEW", INSERTED, UPDATED),
    "tsql": (
        TRANSACT,
        "inserted",
        "INSERT d (id, n) SELECT id, n FROM inserted;",
        "INSERT log (n) SELECT n FROM inserted;",
    ),
}
INSERT = "INSERT INTO v (id, n) SELECT id, n FROM ext.hr;\n"
UPDATE = "UPDATE v SET n = (SELECT MAX(w.n) FROM ext.web w);\n"


def golden(tmp_path: Path, dialect: str, text: str, attribute: str) -> set[str]:
    (tmp_path / "load.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        return {end.attribute for end in warehouse.lineage(attribute).golden}


def script(dialect: str, statements: str) -> str:
    shape, new, inserted, updated = DIALECTS[dialect]
    return (
        TABLES.format(end="GO\n" if dialect == "tsql" else "")
        + shape.format(name="ti", event="INSERT", body=inserted.format(new=new))
        + shape.format(name="tu", event="UPDATE", body=updated.format(new=new))
        + statements
    )


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_updated_runs_no_trigger_of_inserts(dialect: str, tmp_path: Path) -> None:
    text = script(dialect, INSERT + UPDATE)
    assert golden(tmp_path, dialect, text, "d.n") == {"EXT.HR.N"}
    # The row that the update leaves has what it sets; what is in the view came by the insert.
    assert "EXT.WEB.N" in golden(tmp_path, dialect, text, "log.n")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_inserted_runs_no_trigger_of_updates(dialect: str, tmp_path: Path) -> None:
    shape, new, _, updated = DIALECTS[dialect]
    text = TABLES.format(end="GO\n" if dialect == "tsql" else "")
    text += shape.format(name="ti", event="INSERT", body=updated.format(new=new).replace("log", "made"))
    text += shape.format(name="tu", event="UPDATE", body=updated.format(new=new))
    # Nothing that the insert writes stands in the view afterwards, so nothing of it is there to be updated.
    assert "EXT.HR.N" in golden(tmp_path, dialect, text + INSERT, "made.n")
    assert golden(tmp_path, dialect, text + INSERT, "log.n") == {"D.N"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_trigger_of_both_takes_both(dialect: str, tmp_path: Path) -> None:
    shape, new, _, updated = DIALECTS[dialect]
    events = "INSERT, UPDATE" if dialect == "tsql" else "INSERT OR UPDATE"
    if dialect == "sqlite":
        pytest.skip("a trigger of SQLite is of one event")
    text = TABLES.format(end="GO\n" if dialect == "tsql" else "")
    text += shape.format(name="tb", event=events, body=updated.format(new=new))
    assert {"EXT.HR.N", "EXT.WEB.N"} <= golden(tmp_path, dialect, text + INSERT + UPDATE, "log.n")


def test_an_event_of_two_triggers_runs_both(tmp_path: Path) -> None:
    shape, new, _, updated = DIALECTS["oracle"]
    text = TABLES.format(end="")
    text += shape.format(name="ti", event="INSERT", body=updated.format(new=new).replace("log", "made"))
    text += shape.format(name="tb", event="INSERT OR UPDATE", body=updated.format(new=new))
    assert golden(tmp_path, "oracle", text + INSERT + UPDATE, "made.n") == {"EXT.HR.N"}
    assert {"EXT.HR.N", "EXT.WEB.N"} <= golden(tmp_path, "oracle", text + INSERT + UPDATE, "log.n")
