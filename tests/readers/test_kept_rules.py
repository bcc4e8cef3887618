"""Rules of former loads that stay though a file has mistakes or says them no more: a load names them."""

from __future__ import annotations

from pathlib import Path

from mdw import Warehouse

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


def test_what_a_file_says_no_more_is_named_until_the_folder_is_mirrored(tmp_path: Path) -> None:
    file = tmp_path / "b.sql"
    file.write_text("CREATE VIEW v AS SELECT x FROM s; CREATE VIEW w AS SELECT y FROM s")
    said = ["said no more by files that were read, and still counts: b.sql:v; --mirror takes it out"]
    with Warehouse() as warehouse:
        assert notes(warehouse, tmp_path) == []
        file.write_text("CREATE VIEW w AS SELECT y FROM s")
        assert notes(warehouse, tmp_path) == said
        # Nor is it forgotten where nothing has changed since.
        assert notes(warehouse, tmp_path) == said
        assert [end.attribute for end in warehouse.lineage("v.x").golden] == ["S.X"]
        assert warehouse.load(tmp_path, dialect="duckdb", mirror=True).removed == ("b.sql:v",)
        assert notes(warehouse, tmp_path) == []


def test_what_moved_to_another_file_is_no_rule_of_former_loads(tmp_path: Path) -> None:
    (tmp_path / "a.map").write_text(MAPPING)
    (tmp_path / "b.map").write_text(MAPPING.replace("m1", "m2"))
    with Warehouse() as warehouse:
        assert notes(warehouse, tmp_path) == []
        (tmp_path / "a.map").write_text(MAPPING.replace("m1", "m2"))
        (tmp_path / "b.map").write_text(MAPPING)
        assert notes(warehouse, tmp_path) == []
