"""Law: a script, and the same statements as a file each, say the same where order does not matter (rule Q20)."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from sql_warehouses import SqlWriter

from mdw import Warehouse


def told(folder: Path) -> set[tuple[object, ...]]:
    """What is said of where the values of all attributes come from; by which mapping tells the file."""
    with Warehouse() as warehouse:
        warehouse.load(folder, dialect="duckdb").raise_for_errors()
        return {
            (one.attribute, one.golden, one.interrupted, tuple(sorted({c.value for c in one.constants})), one.undecided)
            for one in warehouse.lineage_all()
        }


@pytest.mark.parametrize("seed", range(6))
def test_a_script_says_what_its_statements_say_as_files(tmp_path: Path, seed: int) -> None:
    made = SqlWriter(Random(seed)).warehouse().files
    one, many = tmp_path / "one", tmp_path / "many"
    one.mkdir()
    for name, text in made.items():
        (many / name).parent.mkdir(parents=True, exist_ok=True)
        (many / name).write_text(text, encoding="utf-8")
    (one / "all.sql").write_text("\n".join(text.rstrip().rstrip(";") + ";" for text in made.values()), encoding="utf-8")
    found = told(many)
    assert found
    assert told(one) == found
