"""Files that would block, lead elsewhere, or hold what no mapping can be: each a message that names it."""

from __future__ import annotations

import csv
import os
import sys
from pathlib import Path

import pytest

from mdw import QuestionError, Warehouse
from mdw.readers.opening import Whereabouts

MAPPING = """MAPPING m:
WHEN POPULATING T FROM A
  POPULATE T.B WITH J.X
NAVIGATE FROM A TO J USING A.K = J.K
"""


def complaints(source: Path) -> list[str]:
    """What loading says is wrong."""
    with Warehouse() as warehouse:
        return list(map(str, warehouse.load(source).errors))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A mapping as CSV tables."""
    with Warehouse() as warehouse:
        warehouse.load(MAPPING)
        warehouse.tables(tmp_path / "tables", form="csv")
    return tmp_path / "tables"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
@pytest.mark.parametrize("name", ["pipe.map", "pipe.sql", "pipe.nq", "pipe.map.gz"])
def test_a_pipe_is_not_waited_for(name: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / name)
    if name != "pipe.map.gz":
        (said,) = complaints(tmp_path / name)
        assert name in said and "no regular file" in said
    (tmp_path / "fine.map").write_text(MAPPING)
    assert all(name in said for said in complaints(tmp_path))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes in folders here")
def test_a_pipe_among_tables_is_not_waited_for(tables: Path) -> None:
    (tables / "entity.csv").unlink()
    os.mkfifo(tables / "entity.csv")
    (said,) = complaints(tables)
    assert "entity.csv cannot be read" in said


@pytest.mark.skipif(os.name == "nt" or sys.platform == "darwin", reason="names of files are texts here")
@pytest.mark.parametrize("folder", [b".", b"\xff"])
def test_a_path_that_is_no_text_costs_its_file(folder: bytes, tmp_path: Path) -> None:
    room = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + folder))
    room.mkdir(exist_ok=True)
    names = [b"fine.map", b"\xff.map", b"\xfe.sql"]
    for name in names:
        (room / os.fsdecode(name)).write_text(MAPPING)
    said = complaints(room)
    assert len(said) == (2 if folder == b"." else 3)
    assert all("its path has bytes that are no text" in one for one in said)


def test_half_a_character_is_told_with_its_place() -> None:
    with Warehouse() as warehouse:
        (error,) = warehouse.load("WHEN POPULATING T FROM S\nPOPULATE T.A WITH '\ud800'\n").errors
        assert (str(error.location), error.message) == ("<text>:2:20", "half a character")
        with pytest.raises(QuestionError, match="there is no mapping \udcff"):
            warehouse.remove("\udcff")


@pytest.mark.parametrize("name", ["a.map", "a.sql", "a.nq"])
def test_a_link_that_leads_out_of_a_folder_is_named_and_not_read(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("root:hidden:0\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / name).symlink_to(secret)
    (folder / "inside.map").write_text(MAPPING)
    (folder / "again.map").symlink_to(folder / "inside.map")
    (said,) = complaints(folder)
    assert name in said and "leads out of the folder" in said and "hidden" not in said


@pytest.mark.parametrize("name", ["a.map", "a.sql", "a.nq", "a.nt.gz", "a.csv"])
def test_a_link_to_itself_costs_itself(name: str, tmp_path: Path) -> None:
    (tmp_path / name).symlink_to(name)
    (tmp_path / "inside.map").write_text(MAPPING)
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path)
        said = [str(error) for error in report.errors]
        assert report.mappings == 1
    # What only its columns tell to be an export is passed over.
    assert not said if name == "a.csv" else [f"cannot read {tmp_path / name}: " in one for one in said] == [True]


def test_a_table_that_leads_out_of_its_folder_is_not_read(tables: Path, tmp_path: Path) -> None:
    (tables / "entity.csv").rename(tmp_path / "entity.csv")
    (tables / "entity.csv").symlink_to(tmp_path / "entity.csv")
    (said,) = complaints(tables)
    assert "entity.csv" in said and "leads out of the folder" in said


def test_a_navigation_without_pairs_is_no_mapping(tables: Path) -> None:
    pairs = tables / "using.csv"
    pairs.write_text(pairs.read_text().splitlines()[0] + "\n")
    (said,) = complaints(tables)
    assert "navigation 1 has no row in the table using" in said


def test_thousands_of_levels_are_said(tables: Path) -> None:
    path = tables / "expression_component.csv"
    with path.open(newline="") as file:
        head, first, last = csv.reader(file)
    number, parent = head.index("component_id"), head.index("parent_id")
    rows = []
    for level in range(1, 4900):
        row = [*first]
        row[number], row[parent] = str(level), str(level - 1) if level > 1 else ""
        rows.append(row)
    last[number], last[parent] = "4900", "4899"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows, last])
    (said,) = complaints(tables)
    assert "nested more than 200 levels deep" in said


def test_what_is_longer_than_any_rule_is_refused_with_its_place(tmp_path: Path) -> None:
    rules = tmp_path / "long.map"
    rules.write_text(MAPPING.replace("J.X", f'"{"x" * 200_000}"'))
    (said,) = complaints(rules)
    assert "long.map:3:21" in said and "more than 100,000 characters" in said and len(said) < 2000
    quads = tmp_path / "long.nq"
    quads.write_text(f'<urn:a> <urn:b> "c" .\n<urn:a> <urn:b> "{"x" * 17_000_000}" .\n')
    (said,) = complaints(quads)
    assert "long.nq:2" in said and "more than 16 MB" in said and len(said) < 2000


@pytest.mark.parametrize(
    ("name", "begins", "ends"),
    [
        ("columns.json", '[{"table_name": "t", "column_name": "a"}, ', "]"),
        ("columns.jsonl", '{"table_name": "t", "column_name": "a"}\n{"table_name": ', "}"),
        ("sql/manifest.json", '{"mdw_extraction": 1, "objects": ', "}"),
        ("target/manifest.json", '{"metadata": {"dbt_schema_version": "x"}, "nodes": ', "}"),
        ("sql/mdw.toml", "dialect = ", ""),
    ],
)
def test_values_within_values_thousands_deep_are_told_with_their_file(
    name: str, begins: str, ends: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"{begins}{'[' * 100_000}{']' * 100_000}{ends}")
    (file.parent / "a.sql").write_text("CREATE TABLE t AS SELECT a FROM s")
    with Warehouse() as warehouse:
        report = warehouse.load(file if name.startswith("columns") else file.parent)
    # What a folder was extracted from is told beside what can be read of it.
    assert any(file.name in said for said in (*map(str, report.errors), *report.notes))


def test_places_are_where_the_system_says_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real" / "below").mkdir(parents=True)
    (tmp_path / "real" / "below" / "a.sql").write_text("SELECT 1")
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "real" / "b.sql").symlink_to("below/a.sql")
    monkeypatch.chdir(tmp_path)
    whereabouts = Whereabouts()
    names = ("real/below/a.sql", "linked/below/a.sql", "linked/b.sql", "linked", "circle", "circle/a", "nowhere/a", ".")
    for name in (*names, "..", "linked/..", "linked/below/..", ""):
        for path in (Path(name), tmp_path / name):
            assert whereabouts.of(path) == os.path.realpath(path)
            assert whereabouts.lead_out(path, tmp_path) == (name == "..")
