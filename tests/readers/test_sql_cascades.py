"""Rule Q19 through foreign keys: deletes and updates of rows reach the rows that refer to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse
from mdw.readers.sql.scripts import read_script

TABLES = """CREATE TABLE par (id INT PRIMARY KEY, a INT);
CREATE TABLE kid (k INT, b INT, FOREIGN KEY (k) REFERENCES par {});
"""
S_ROWS = "DELETE FROM par WHERE a IN (SELECT x FROM s);"
DELETES: dict[str, tuple[str, str, list[str]]] = {
    "what deletes rows deletes those that refer to them": (
        TABLES.format("(id) ON DELETE CASCADE"),
        S_ROWS,
        ["DELETING kid: kid par: kid.k par.id"],
    ),
    "a key that names no columns is the primary key": (
        TABLES.format("ON DELETE CASCADE"),
        "DELETE FROM par AS z WHERE a = 1;",
        ["DELETING kid: kid par: kid.k z.a z.id"],
    ),
    "rows that refer to those that refer": (
        "CREATE TABLE par (id INT PRIMARY KEY, t INT);\n"
        "CREATE TABLE mid (id INT PRIMARY KEY, p INT REFERENCES par ON DELETE CASCADE);\n"
        "CREATE TABLE kid (b INT, k INT REFERENCES mid ON DELETE SET NULL);\n",
        "DELETE FROM par WHERE t = 1;",
        [
            "DELETING mid: mid par: mid.p par.id par.t",
            "UPDATING kid: kid mid par: kid.k mid.id mid.p par.id par.t",
        ],
    ),
    "without an action nothing follows": (TABLES.format("(id)"), S_ROWS, []),
}


def loaded(folder: Path, *texts: str, names: str = "abc") -> Warehouse:
    for name, text in zip(names, texts, strict=False):
        (folder / f"{name}.sql").write_text(text)
    warehouse = Warehouse()
    warehouse.load(folder, dialect="postgres").raise_for_errors()
    return warehouse


@pytest.mark.parametrize("rule", DELETES)
def test_deletes_go_on_through_keys(rule: str) -> None:
    tables, change, expected = DELETES[rule]
    last = read_script(tables + change, "a.sql", "postgres").statements[-1]
    made = []
    for block in last.blocks:
        if block.target in ("kid", "mid"):
            reads = [read.entity for read in block.reads if not read.entity.startswith("`a.sql")]
            assert block.where is not None
            asked = sorted({one.content for one in block.where.walk() if one.role == "attribute"})
            made.append(f"{block.change} {block.target}: {' '.join(reads)}: {' '.join(asked)}")
    assert made == expected


def test_set_null_decides_and_update_cascade_gives_values(tmp_path: Path) -> None:
    tables = TABLES.format("(id) ON DELETE SET NULL ON UPDATE CASCADE")
    change = "UPDATE par SET id = s.n FROM s WHERE s.o = par.id; DELETE FROM par WHERE a = 7;"
    with loaded(tmp_path, tables, change) as warehouse:
        ends = {end.attribute for end in warehouse.lineage("KID.K").golden}
        assert ends >= {"KID.K", "S.N"}
        assert "S.N" not in {end.attribute for end in warehouse.lineage("KID.B").golden}


@pytest.mark.parametrize("names", ["abc", "cba", "bca"])
def test_keys_of_other_files(names: str, tmp_path: Path) -> None:
    par, kid = TABLES.format("(id) ON UPDATE CASCADE").split("\n", 1)
    with loaded(tmp_path, par, kid, "UPDATE par SET id = s.n FROM s WHERE s.o = par.id;", names=names) as warehouse:
        assert "S.N" in {end.attribute for end in warehouse.lineage("KID.K").golden}
