"""Which targets of an impact are final: those from whose entities every way on leads back (semantics, Lineage)."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Impact, Warehouse

LOAD = "INSERT INTO dm.k (id, amount, grp) SELECT id, amount, 'N' FROM src.p;\n"
KEPT_FINAL = {
    "an UPDATE of its own rows": ("tsql", "UPDATE dm.k SET grp = 'V' WHERE amount > 100;"),
    "an UPDATE by another table": ("postgres", "UPDATE dm.k SET grp = o.g FROM src.o AS o WHERE o.id = k.id;"),
    "a DELETE by its own values": ("sqlite", "DELETE FROM dm.k WHERE amount < 0;"),
    "a DELETE of what a subquery finds among its rows": (
        "mysql",
        "DELETE FROM dm.k WHERE id IN (SELECT d.id FROM (SELECT id FROM dm.k GROUP BY id HAVING COUNT(*) > 1) AS d);",
    ),
    "a MERGE by what was joined to it": (
        "snowflake",
        "MERGE INTO dm.k AS k USING (SELECT p.id, o.amount FROM src.p AS p JOIN dm.k AS o ON o.id = p.id) AS n "
        "ON n.id = k.id WHEN MATCHED THEN UPDATE SET amount = n.amount;",
    ),
    "a reader that only tests its rows": (
        "oracle",
        "INSERT INTO dm.q (id) SELECT o.id FROM src.o o WHERE EXISTS (SELECT 1 FROM dm.k k WHERE k.amount = o.id);",
    ),
    "a count of its rows": ("duckdb", "CREATE VIEW dm.n AS SELECT COUNT(*) AS n FROM dm.k;"),
}


def fed(tmp_path: Path, dialect: str, text: str, attribute: str = "src.p.amount") -> Impact:
    (tmp_path / "load.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        return warehouse.impact(attribute)


@pytest.mark.parametrize("case", KEPT_FINAL)
def test_what_takes_no_value_further_leaves_a_target_final(case: str, tmp_path: Path) -> None:
    dialect, more = KEPT_FINAL[case]
    found = fed(tmp_path, dialect, LOAD + more)
    assert [end.attribute for end in found.final] == ["DM.K.AMOUNT"]
    assert (found.unused, found.stopped) == ((), ())


def test_an_archive_that_is_read_back_and_what_it_keeps_are_both_final(tmp_path: Path) -> None:
    back = "INSERT INTO old.k (id, amount) SELECT id, amount FROM dm.k;\n"
    back += "INSERT INTO dm.k (id, amount) SELECT id, amount FROM old.k;\n"
    found = fed(tmp_path, "postgres", LOAD + back)
    assert [end.attribute for end in found.final] == ["DM.K.AMOUNT", "OLD.K.AMOUNT"]


def test_values_that_go_on_in_another_column_of_the_entity_make_it_not_final(tmp_path: Path) -> None:
    found = fed(tmp_path, "bigquery", LOAD + "INSERT INTO dm.l (id) SELECT id FROM dm.k;\n")
    assert (found.final, found.unused) == ((), ("DM.K.AMOUNT",))


def test_a_reader_that_takes_none_of_its_rows_makes_it_stopped(tmp_path: Path) -> None:
    found = fed(tmp_path, "duckdb", LOAD + "INSERT INTO dm.l (a) SELECT amount FROM dm.k WHERE grp = 'other';\n")
    assert (found.final, found.stopped) == ((), ("DM.K.AMOUNT",))
