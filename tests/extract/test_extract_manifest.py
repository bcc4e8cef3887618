"""The folder of an extraction: names of its files, and what has become of it when it is loaded."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdw import Warehouse
from mdw.cli import run
from mdw.extract.filenames import encoded, filename
from mdw.extract.running import extract
from mdw.model.errors import InputError
from mdw.readers.files.manifests import read_manifest

NAMES = st.text(min_size=0, max_size=80)
SIGNATURES = st.none() | st.lists(st.text(max_size=12), max_size=3).map(tuple)


@given(NAMES, SIGNATURES)
def test_a_name_of_a_file_is_safe_everywhere(name: str, signature: tuple[str, ...] | None) -> None:
    found = filename(name, signature)
    assert re.fullmatch(r"[a-z0-9_%A-F^~(),-]+\.sql", found) and len(found.encode()) < 200
    assert not found.startswith((".", "-")) and found.casefold() not in ("nul.sql", "con.sql", "aux.sql")


@given(st.lists(st.tuples(NAMES, SIGNATURES), min_size=2, max_size=2, unique=True))
def test_different_objects_have_different_files_whatever_the_file_system_makes_of_case(
    objects: list[tuple[str, tuple[str, ...] | None]],
) -> None:
    first, second = (filename(*one).casefold() for one in objects)
    assert first != second


@given(st.text(alphabet="aAbB%^.~é/\0", max_size=8), st.text(alphabet="aAbB%^.~é/\0", max_size=8))
def test_names_alike_stay_apart(one: str, other: str) -> None:
    assert (encoded(one).casefold() == encoded(other).casefold()) == (one == other)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The extraction of a small database."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript(
            "CREATE TABLE sale (a INT); CREATE VIEW v AS SELECT a FROM sale; CREATE VIEW w AS SELECT 1 x"
        )
    extract(f"sqlite:///{tmp_path / 'shop.db'}", tmp_path / "x")
    return tmp_path / "x"


def notes(folder: Path) -> str:
    with Warehouse() as warehouse:
        return "\n".join(warehouse.load(folder).notes)


def test_a_folder_as_it_was_extracted_needs_no_word(folder: Path) -> None:
    assert notes(folder) == ""
    assert notes(folder.parent) == "", "nor does one that is part of another"


def test_the_manifest_stands_for_its_folder(folder: Path) -> None:
    with Warehouse() as warehouse:
        assert len(warehouse.load(folder / "manifest.json").sql) == 3


def test_what_changed_since_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "main/views/v.sql").write_text("CREATE VIEW v AS SELECT 2 AS a;\n", encoding="utf-8")
    (folder / "main/views/w.sql").unlink()
    (folder / "main/views/mine.sql").write_text("CREATE VIEW mine AS SELECT 3 AS a;\n", encoding="utf-8")
    (folder / "mdw.toml").write_text('dialect = "duckdb"\n', encoding="utf-8")
    run(["load", str(folder), "--store", str(folder.parent / "s")])
    said = "".join(capsys.readouterr())
    assert re.search(r"changed since \S+: main/views/v.sql, mdw.toml", said)
    assert re.search(r"missing since \S+: main/views/w.sql", said)
    assert re.search(r"added since \S+: main/views/mine.sql", said)


def test_what_changed_in_the_database_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database = folder.parent / "shop.db"
    command = ["extract", f"sqlite:///{database}", "--output", str(folder)]
    assert run(command) == 0
    assert "nothing has changed since" in capsys.readouterr().out
    with closing(sqlite3.connect(database)) as shop:
        shop.executescript("DROP VIEW v; DROP VIEW w; CREATE VIEW w AS SELECT 2 x; CREATE VIEW u AS SELECT 3 x")
    assert run(command) == 0
    said = capsys.readouterr().out
    for what, file in (("new", "main/views/u.sql"), ("changed", "main/views/w.sql"), ("gone", "main/views/v.sql")):
        assert re.search(rf"{what} since \S+: {file}$", said, re.MULTILINE)


def test_many_changes_are_counted(folder: Path) -> None:
    for number in range(9):
        (folder / f"{number}.sql").write_text(f"CREATE VIEW n{number} AS SELECT 3 AS a;\n", encoding="utf-8")
    assert "added since" in notes(folder) and "and 4 more" in notes(folder)


def test_a_load_stays_in_the_folder(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.sql"
    outside.write_text("CREATE VIEW outside AS SELECT 1 AS a;\n", encoding="utf-8")
    (folder / "main/views/v.sql").unlink()
    (folder / "main/views/v.sql").symlink_to(outside)
    said = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    said["objects"].append(said["objects"][0] | {"file": "../outside.sql"})
    said["objects"].append(said["objects"][0] | {"file": "/etc/passwd"})
    (folder / "manifest.json").write_text(json.dumps(said), encoding="utf-8")
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        assert ["leads out of the folder" in str(error) for error in report.errors] == [True]
        assert not [one for one in report.sql if "outside" in one.text or "outside" in one.target.lower()]
    (note,) = report.notes
    assert "missing since" in note and all(name in note for name in ("../outside.sql", "/etc/passwd", "v.sql"))


def test_a_manifest_that_cannot_be_read_is_said(folder: Path) -> None:
    for text in ('{"mdw_extraction": 1, "database":', '{"mdw_extraction": 1}', '{"mdw_extraction": 1, "objects": [3]}'):
        (folder / "manifest.json").write_text(text, encoding="utf-8")
        assert "it is no manifest of an extraction" in notes(folder)
        with pytest.raises(InputError):
            read_manifest(folder)


def test_the_manifest_is_no_export_of_columns(folder: Path, tmp_path: Path) -> None:
    """A database may have tables called as the columns are that exports are known by."""
    with closing(sqlite3.connect(tmp_path / "shop.db")) as shop:
        shop.executescript("CREATE TABLE table_name (a INT); CREATE TABLE column_name (a INT)")
    extract(f"sqlite:///{tmp_path / 'shop.db'}", folder)
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        assert report.errors == () and report.notes == ()


def test_links_in_the_folder_are_not_written_through(folder: Path, tmp_path: Path) -> None:
    from mdw.model.errors import OutputError

    kept = tmp_path / "kept.txt"
    kept.write_text("mine", encoding="utf-8")
    (folder / "main/views/v.sql").unlink()
    (folder / "main/views/v.sql").symlink_to(kept)
    with pytest.raises(OutputError):
        extract(f"sqlite:///{tmp_path / 'shop.db'}", folder)
    assert kept.read_text(encoding="utf-8") == "mine"
