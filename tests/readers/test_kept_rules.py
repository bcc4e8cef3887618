"""A file that is read again replaces all that it said before; what stays of one with mistakes a load names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import QuestionError, Warehouse

MAPPING = "MAPPING m1:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH S.X\n"


def notes(warehouse: Warehouse, folder: Path, *, mirror: bool = False) -> list[str]:
    return [note for note in warehouse.load(folder, dialect="duckdb", mirror=mirror).notes if "still count" in note]


def test_what_a_file_with_mistakes_said_before_is_named_as_long_as_it_counts(tmp_path: Path) -> None:
    file = tmp_path / "a.map"
    file.write_text(MAPPING)
    with Warehouse() as warehouse:
        assert notes(warehouse, tmp_path) == []
        file.write_text(MAPPING.replace(" S.X", ""))
        for mirror in (False, False, True):
            assert notes(warehouse, tmp_path, mirror=mirror) == [
                "a.map has mistakes; what it said before still counts: m1"
            ]
            assert [end.attribute for end in warehouse.lineage("T.A").golden] == ["S.X"]
        file.write_text(MAPPING.replace("S.X", "S.Y"))
        assert notes(warehouse, tmp_path) == []
        assert [end.attribute for end in warehouse.lineage("T.A").golden] == ["S.Y"]


VIEWS = "CREATE VIEW v AS SELECT x FROM s; CREATE VIEW w AS SELECT y FROM s"


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("stored", [False, True])
def test_what_a_file_says_no_more_is_taken_out(alone: bool, stored: bool, tmp_path: Path) -> None:
    (tmp_path / "sql").mkdir()
    file = tmp_path / "sql" / "b.sql"
    source = file if alone else file.parent
    file.write_text(VIEWS)
    with Warehouse(tmp_path / "kept.mdw") if stored else Warehouse() as warehouse:
        warehouse.load(source, dialect="duckdb")
        before = {one.name for one in warehouse.mappings()}
        file.write_text("CREATE VIEW w AS SELECT z FROM s")
        report = warehouse.load(source, dialect="duckdb")
        assert {*report.removed} == {name for name in before if name.endswith(":v")}
        assert report.notes == ()
        with pytest.raises(QuestionError):
            warehouse.lineage("v.x")
        assert [end.attribute for end in warehouse.lineage("w.z").golden] == ["S.Z"]
        assert [one.target for one in warehouse.report().statements] == ["W"]


def test_files_of_one_name_from_two_places_are_two_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Warehouse() as warehouse:
        for place, view in (("one", "v"), ("two", "w")):
            (tmp_path / place).mkdir()
            (tmp_path / place / "b.sql").write_text(f"CREATE VIEW {view} AS SELECT x FROM s")
            monkeypatch.chdir(tmp_path / place)
            assert warehouse.load(Path("b.sql")).removed == ()
        assert len(warehouse.mappings()) == 2


TABLE = "CREATE TABLE t (a INT DEFAULT 7, b INT);\n"
TRIGGER = """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN NEW.b := 5; INSERT INTO log (k) VALUES (NEW.a); RETURN NEW; END $$;
CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();
"""


def test_a_trigger_that_is_gone_from_its_file_runs_no_more(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(TABLE + TRIGGER)
    (tmp_path / "b.sql").write_text("INSERT INTO t (a, b) SELECT x, y FROM s")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        assert [one.value for one in warehouse.lineage("t.b").constants] == ["5"]
        (tmp_path / "a.sql").write_text(TABLE)
        warehouse.load(tmp_path, dialect="postgres")
        answer = warehouse.lineage("t.b")
        assert ([end.attribute for end in answer.golden], answer.constants) == (["S.Y"], ())
        with pytest.raises(QuestionError):
            warehouse.lineage("log.k")


def test_a_table_that_is_gone_from_its_file_is_told_no_more(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(TABLE + "CREATE TABLE u (c INT);")
    (tmp_path / "b.sql").write_text("INSERT INTO t (b) SELECT y FROM s")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        assert [one.value for one in warehouse.lineage("t.a").constants] == ["7"]
        (tmp_path / "a.sql").write_text("CREATE TABLE u (c INT);")
        warehouse.load(tmp_path, dialect="postgres")
        assert warehouse.dictionary().entity("T") is None


def test_what_moved_to_another_file_is_no_rule_of_former_loads(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text(MAPPING)
    (tmp_path / "b.map").write_text(MAPPING.replace("m1", "m2"))
    with Warehouse() as warehouse:
        assert notes(warehouse, tmp_path) == []
        (tmp_path / "a.map").write_text(MAPPING.replace("m1", "m2"))
        (tmp_path / "b.map").write_text(MAPPING)
        assert notes(warehouse, tmp_path) == []
