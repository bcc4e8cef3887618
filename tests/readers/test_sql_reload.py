"""Folders loaded again: what did not change is not read, and the store says what a new one would say."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from random import Random

import pyoxigraph as ox
import pytest
from tangled import written

from mdw import LoadReport, Warehouse
from mdw.cli import run
from mdw.model.circles import circles


def quads(warehouse: Warehouse) -> set[ox.Quad]:
    target = BytesIO()
    warehouse.export("nquads", target)
    return set(ox.parse(target.getvalue(), ox.RdfFormat.N_QUADS))


def fresh(*sources: Path) -> set[ox.Quad]:
    with Warehouse() as warehouse:
        warehouse.load(*sources)
        return quads(warehouse)


def unread(report: LoadReport) -> list[str]:
    return [one.file for one in report.files if one.unchanged]


def changed(draw: Random, folder: Path) -> None:
    """Some files are written anew, one goes, one comes; what they mean for the others is not looked at."""
    files = sorted(folder.rglob("*.sql"))
    for file in draw.sample(files, draw.randint(1, 2)):
        written(draw, file)
    if draw.random() < 0.5:
        draw.choice(files).unlink()
    if draw.random() < 0.5:
        written(draw, folder / "below" / f"{draw.randint(0, 99)}.sql")
    if draw.random() < 0.2:
        (folder / "mdw.toml").write_text(f'schema = "{draw.choice(["raw", "core"])}"')


@pytest.mark.parametrize("seed", range(12))
def test_a_folder_loaded_again_says_what_a_new_load_says(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    (tmp_path / "below").mkdir()
    for number in range(7):
        written(draw, tmp_path / ("below" if number % 2 else ".") / f"f{number}.sql")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        for _ in range(4):
            changed(draw, tmp_path)
            warehouse.load(tmp_path, mirror=True)
            assert quads(warehouse) == fresh(tmp_path)
        again = warehouse.load(tmp_path, mirror=True)
        assert (again.loaded, again.replaced, again.removed) == (0, 0, ())
        assert len(unread(again)) == len(again.files)


@pytest.mark.parametrize("seed", range(12))
def test_the_order_of_files_says_nothing(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    files = [tmp_path / f"f{number}.sql" for number in range(7)]
    for file in files:
        written(draw, file)
    expected = fresh(*files)
    for _ in range(3):
        draw.shuffle(files)
        assert fresh(*files) == expected


def test_what_reads_a_changed_file_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "ddl.sql").write_text("CREATE TABLE t (a INT, b INT)")
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT * FROM t")
    (tmp_path / "w.sql").write_text("CREATE VIEW w AS SELECT a FROM v")
    (tmp_path / "x.sql").write_text("CREATE VIEW x AS SELECT q FROM z")
    with Warehouse(tmp_path / "wh.mdw") as warehouse:
        warehouse.load(tmp_path)
    with Warehouse(tmp_path / "wh.mdw") as warehouse:
        assert unread(warehouse.load(tmp_path)) == ["ddl.sql", "v.sql", "w.sql", "x.sql"]
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (tmp_path / "ddl.sql").write_text("CREATE TABLE t (a INT, b INT); -- the same columns")
        assert unread(warehouse.load(tmp_path)) == ["v.sql", "w.sql", "x.sql"]
        (tmp_path / "ddl.sql").write_text("CREATE TABLE t (a INT, c INT)")
        assert unread(warehouse.load(tmp_path)) == ["x.sql"]
        assert [end.attribute for end in warehouse.lineage("v.c").golden] == ["T.C"]


def test_what_was_removed_comes_back(tmp_path: Path) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    (tmp_path / "m.map").write_text("MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        warehouse.remove("v.sql:v", "m")
        assert warehouse.load(tmp_path).loaded == 2


def test_an_insert_by_position_knows_the_columns_of_another_file(tmp_path: Path) -> None:
    # Rule Q18: by position against the target's columns, whatever file has them.
    (tmp_path / "z_ddl.sql").write_text("CREATE TABLE t (a INT, b INT)")
    (tmp_path / "load.sql").write_text("INSERT INTO t SELECT x, y FROM s")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert [end.attribute for end in warehouse.lineage("t.b").golden] == ["S.Y"]


def test_a_quoted_column_is_the_same_in_another_file(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text('CREATE VIEW a AS SELECT "Mixed Case", "Odd" FROM s')
    (tmp_path / "b.sql").write_text('CREATE VIEW b AS SELECT * FROM a; CREATE VIEW c AS SELECT "Odd" FROM b')
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(tmp_path, dialect="postgres").sql} == {"whole"}
        assert [end.attribute for end in warehouse.lineage("c.`Odd`").golden] == ["S.`Odd`"]


def test_files_that_differ_about_a_table_leave_it_open(tmp_path: Path) -> None:
    # Rule Q23: nobody knows which of the two is in force, so no source may be lost.
    (tmp_path / "1.sql").write_text("CREATE TABLE t (a INT)")
    (tmp_path / "2.sql").write_text("CREATE TABLE t (a INT, b INT)")
    (tmp_path / "3.sql").write_text("CREATE VIEW v AS SELECT b FROM t, u")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert {end.attribute for end in warehouse.lineage("v.b").golden} == {"T.B", "U.B"}


def test_what_another_reader_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert unread(warehouse.load(tmp_path)) == ["v.sql"]
        monkeypatch.setattr("mdw.readers.files.planning.reading", lambda: "another version")
        assert unread(warehouse.load(tmp_path)) == []


# -- mirroring ---------------------------------------------------------------------------------------------------------


def test_mirroring_removes_what_is_gone_and_nothing_else(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.sql").write_text(
            "CREATE VIEW v AS SELECT a FROM t; CREATE VIEW w AS SELECT 1 x"
        )
        (tmp_path / folder / f"{folder}.map").write_text(
            f"MAPPING {folder}: WHEN POPULATING T FROM S POPULATE T.A WITH S.A"
        )
    with Warehouse() as warehouse:
        warehouse.load("MAPPING free: WHEN POPULATING T FROM S POPULATE T.A WITH S.A")
        warehouse.load(tmp_path / "one")
        warehouse.load(tmp_path / "two")
        (tmp_path / "one" / "one.map").unlink()
        (tmp_path / "one" / "one.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
        # What a file that is there says no more goes without it.
        assert warehouse.load(tmp_path / "one").removed == ("one.sql:w",)
        report = warehouse.load(tmp_path / "one", mirror=True)
        assert report.removed == ("one",)
        assert "1 removed\n  removed: one" in str(report)
        assert [one.name for one in warehouse.mappings()] == ["free", "one.sql:v", "two", "two.sql:v", "two.sql:w"]


def test_a_folder_that_has_moved_is_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    for name in "vw":
        (tmp_path / "one" / f"{name}.sql").write_text(f"CREATE VIEW {name} AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "one")
        (tmp_path / "one").rename(tmp_path / "two")
        (tmp_path / "two" / "w.sql").unlink()
        report = warehouse.load(tmp_path / "two", mirror=True)
        assert (unread(report), report.removed) == (["v.sql"], ("w.sql:w",))


def test_a_folder_elsewhere_is_another_one(tmp_path: Path) -> None:
    for folder, name in (("one", "v"), ("one", "w"), ("two", "v")):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f"{name}.sql").write_text(f"CREATE VIEW {name} AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "one")
        assert warehouse.load(tmp_path / "two", mirror=True).removed == ()
        assert [one.name for one in warehouse.mappings()] == ["two/v.sql:v", "v.sql:v", "w.sql:w"]


def test_mirroring_goes_with_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.sql"
    file.write_text("CREATE VIEW v AS SELECT a FROM t")
    assert run(["load", str(file), "--mirror", "--store", str(tmp_path / "wh.mdw")]) == 2
    assert "--mirror compares the store with folders" in capsys.readouterr().err


def test_mistakes_remove_nothing(tmp_path: Path) -> None:
    (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    (tmp_path / "w.sql").write_text("CREATE VIEW w AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (tmp_path / "v.sql").write_text("CREATE VIEW v AS SELECT FROM WHERE")
        (tmp_path / "w.sql").write_bytes(b"\0\0\0\xff")
        report = warehouse.load(tmp_path, mirror=True)
        assert (len(report.errors), report.removed) == (2, ())
        assert [one.name for one in warehouse.mappings()] == ["v.sql:v", "w.sql:w"]
        # Mistakes are told again as long as they are there.
        assert len(warehouse.load(tmp_path).errors) == 2


def test_a_mapping_that_moves_to_another_file_stays(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text("MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.A")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (tmp_path / "a.map").rename(tmp_path / "b.map")
        assert warehouse.load(tmp_path, mirror=True).removed == ()
        assert [one.name for one in warehouse.mappings()] == ["m"]


def test_an_empty_folder_removes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (tmp_path / "a.sql").unlink()
        report = warehouse.load(tmp_path, mirror=True)
        assert report.removed == ()
        assert len(report.errors) == 1


# -- circles -----------------------------------------------------------------------------------------------------------


def test_views_in_a_circle_are_told_with_their_names(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE VIEW a AS SELECT *, 1 AS n FROM b")
    (tmp_path / "b.sql").write_text("CREATE VIEW b AS SELECT * FROM c JOIN d ON c.x = d.x")
    (tmp_path / "c.sql").write_text("CREATE VIEW c AS SELECT x FROM a")
    with Warehouse() as warehouse:
        for _ in range(2):
            report = warehouse.load(tmp_path)
            assert report.notes == ("views in a circle: A -> B -> C -> A",)
        assert "A -> B -> C -> A" in str(report)
        assert len(unread(report)) == 3


def test_files_in_a_circle_know_what_can_be_known(tmp_path: Path) -> None:
    # Each file needs the other; no entity needs itself.
    (tmp_path / "a.sql").write_text("CREATE TABLE a (x INT, y INT); CREATE VIEW c AS SELECT * FROM b")
    (tmp_path / "b.sql").write_text("CREATE VIEW b AS SELECT * FROM a; CREATE VIEW d AS SELECT * FROM c")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        assert ({one.status for one in report.sql}, report.notes) == ({"whole"}, ())
        assert [end.attribute for end in warehouse.lineage("d.y").golden] == ["A.Y"]


def test_a_table_that_grows_in_a_circle_comes_to_an_end(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("CREATE TABLE a (x INT)")
    (tmp_path / "b.sql").write_text("CREATE VIEW b AS SELECT * FROM a")
    (tmp_path / "c.sql").write_text("CREATE TABLE a AS SELECT *, 1 AS n FROM b")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        # Nobody knows which of the two tables the view reads.
        assert {one.status for one in report.sql} == {"whole", "partial"}


def test_a_circle_of_circles_has_a_name_for_each() -> None:
    assert circles({"A": ["B"], "B": ["A"], "C": ["A", "C"], "D": ["E"]}) == [("A", "B"), ("C",)]


# -- what others told --------------------------------------------------------------------------------------------------


def test_what_an_export_told_stays_when_a_folder_tells_something_else(tmp_path: Path) -> None:
    folder, export = tmp_path / "sql", tmp_path / "columns.csv"
    folder.mkdir()
    export.write_text(
        "table_schema,table_name,column_name,data_type,column_comment\nraw,t,a,INT,first\nraw,t,b,INT,second\n"
    )
    (folder / "ddl.sql").write_text("CREATE TABLE raw.u (a INT); CREATE TABLE raw.t (a INT, b INT, c INT)")
    (folder / "v.sql").write_text("CREATE VIEW v AS SELECT * FROM raw.t")
    with Warehouse() as warehouse:
        warehouse.load(export)
        warehouse.load(folder)
        assert "V.C" in warehouse.entity("v").attributes
        (folder / "ddl.sql").write_text("CREATE TABLE raw.u (a INT)")
        warehouse.load(folder, mirror=True)
        assert warehouse.entity("v").attributes == ("V.A", "V.B")
        told = warehouse.entity("raw.t").entry
        assert told and [(one.name, one.description) for one in told.attributes] == [("A", "first"), ("B", "second")]


def folders(at: Path, **texts: str) -> list[Path]:
    """Folders, each with one file of the same name."""
    for name, text in texts.items():
        (at / name).mkdir(parents=True)
        (at / name / "a.sql").write_text(text)
    return [at / name for name in texts]


def names(warehouse: Warehouse) -> list[str]:
    return [one.name for one in warehouse.mappings()]


ONE, TWO = "CREATE VIEW u AS SELECT x FROM raw.s", "CREATE VIEW u AS SELECT x FROM raw.t"


def test_files_of_one_name_in_two_folders_are_two_files(tmp_path: Path) -> None:
    one, two = folders(tmp_path, one=ONE, two=TWO)
    with Warehouse() as warehouse:
        report = warehouse.load(one, two)
        assert (report.errors, len(report.notes)) == ((), 2)
        assert names(warehouse) == ["one/a.sql:u", "two/a.sql:u"]
        assert [end.attribute for end in warehouse.lineage("u.x").golden] == ["RAW.S.X", "RAW.T.X"]
        # Loaded again, together or alone, each finds its own.
        for sources in ((two, one), (one,), (two,)):
            again = warehouse.load(*sources, mirror=True)
            assert (again.loaded, again.replaced, again.removed, again.notes) == (0, 0, (), ())
            assert again.unchanged == len(sources)
        (two / "a.sql").write_text("CREATE VIEW v AS SELECT x FROM raw.t")
        assert warehouse.load(two, mirror=True).removed == ("two/a.sql:u",)
        assert names(warehouse) == ["one/a.sql:u", "two/a.sql:v"]


def test_a_folder_loaded_later_leaves_the_files_of_another_alone(tmp_path: Path) -> None:
    one, two, three = folders(tmp_path, **{"one": ONE, "two": TWO, "deep/two": TWO})
    with Warehouse(tmp_path / "wh.mdw") as warehouse:
        assert warehouse.load(one).notes == ()
        assert names(warehouse) == ["a.sql:u"]
        (note,) = warehouse.load(two, mirror=True).notes
        assert note.startswith(f"a.sql of {two}: another folder has a file of that name")
        assert warehouse.load(three, mirror=True).removed == ()
        assert names(warehouse) == ["a.sql:u", "deep/two/a.sql:u", "two/a.sql:u"]
    with Warehouse(tmp_path / "wh.mdw") as warehouse:
        assert warehouse.load(three, two, one, mirror=True).unchanged == 3


def test_a_folder_that_lies_elsewhere_now_is_the_same_folder(tmp_path: Path) -> None:
    (one,) = folders(tmp_path, one=ONE)
    with Warehouse() as warehouse:
        warehouse.load(one)
        one.rename(tmp_path / "moved")
        again = warehouse.load(tmp_path / "moved", mirror=True)
        assert (again.notes, again.removed, names(warehouse)) == ((), (), ["a.sql:u"])


def test_a_folder_that_holds_one_of_its_own_name_keeps_its_files_apart(tmp_path: Path) -> None:
    one, two, _ = folders(tmp_path, **{"one": ONE, "two": TWO, "two/two": TWO})
    with Warehouse() as warehouse:
        for _ in range(2):
            assert warehouse.load(one, two, mirror=True).errors == ()
            assert len(names(warehouse)) == 3
