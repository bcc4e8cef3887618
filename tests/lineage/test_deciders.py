"""Rule Q38: what decides. Deletions, MERGE, and what makes rows of which no attribute is read are among it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Impact, Lineage, Warehouse
from mdw.model.rules import Mode

LOAD = "CREATE TABLE dm.k (id INT, v INT);\nINSERT INTO dm.k (id, v) SELECT id, v FROM src.p;\n"
GONE = "DELETE FROM dm.k WHERE id IN (SELECT x.k FROM src.x x WHERE x.why = 'closed');\n"
MERGED = """MERGE INTO dm.k USING src.x ON k.id = x.k
WHEN MATCHED AND x.why = 'closed' THEN DELETE
WHEN MATCHED THEN UPDATE SET v = x.v
WHEN NOT MATCHED AND x.fresh = 1 THEN INSERT (id) VALUES (x.k);
"""
SEEN = "CREATE VIEW st.b AS SELECT id FROM src.a WHERE flag = 1;\n"

DELETIONS = {
    "sqlite": GONE,
    "oracle": "DELETE FROM dm.k WHERE EXISTS (SELECT 1 FROM src.x x WHERE x.k = k.id AND x.why = 'closed');\n",
    "postgres": "DELETE FROM dm.k USING src.x AS x WHERE x.k = k.id AND x.why = 'closed';\n",
    "tsql": "DELETE k FROM dm.k AS k JOIN src.x AS x ON x.k = k.id WHERE x.why = 'closed';\n",
    "mysql": "DELETE k FROM dm.k AS k JOIN src.x AS x ON x.k = k.id WHERE x.why = 'closed';\n",
    "snowflake": MERGED,
    "bigquery": MERGED,
}


def warehouse_of(tmp_path: Path, dialect: str, text: str) -> Warehouse:
    (tmp_path / "load.sql").write_text(text)
    warehouse = Warehouse()
    warehouse.load(tmp_path, dialect=dialect)
    return warehouse


def deciding(answer: Lineage | Impact) -> set[str]:
    return {one.attribute for one in answer.indirect}


@pytest.mark.parametrize("dialect", DELETIONS)
@pytest.mark.parametrize("mode", ["active", "passive"])
def test_what_a_deletion_asks_for_decides_over_every_attribute(dialect: str, mode: Mode, tmp_path: Path) -> None:
    with warehouse_of(tmp_path, dialect, LOAD + DELETIONS[dialect]) as warehouse:
        for name in ("dm.k.id", "dm.k.v"):
            assert {"DM.K.ID", "SRC.X.K", "SRC.X.WHY"} <= deciding(warehouse.lineage(name, mode=mode)), name
        # The same forwards.
        assert deciding(warehouse.impact("src.x.why")) == {"DM.K.ID", "DM.K.V"}


@pytest.mark.parametrize("dialect", ["tsql", "oracle", "databricks", "postgres"])
def test_the_insert_of_a_merge_decides_over_attributes_it_does_not_fill(dialect: str, tmp_path: Path) -> None:
    with warehouse_of(tmp_path, dialect, LOAD + MERGED) as warehouse:
        assert "SRC.X.FRESH" in deciding(warehouse.lineage("dm.k.v"))
        assert deciding(warehouse.impact("src.x.fresh")) == {"DM.K.ID", "DM.K.V"}


def test_an_update_decides_over_what_it_sets_alone(tmp_path: Path) -> None:
    text = LOAD + "UPDATE dm.k SET v = 0 WHERE id IN (SELECT x.k FROM src.x AS x);\n"
    with warehouse_of(tmp_path, "postgres", text) as warehouse:
        assert deciding(warehouse.lineage("dm.k.v")) == {"DM.K.ID", "SRC.X.K"}
        assert deciding(warehouse.lineage("dm.k.id")) == set()


READERS = {
    "a constant": "SELECT 'P' AS o FROM st.b",
    "a count": "SELECT COUNT(*) AS o FROM st.b",
    "rows that are only joined": "SELECT v AS o FROM src.p CROSS JOIN st.b",
    "rows that are only asked for": "SELECT v AS o FROM src.p WHERE EXISTS (SELECT 1 FROM st.b)",
    "rows that are only counted": "SELECT v AS o FROM src.p WHERE (SELECT COUNT(*) FROM st.b) > 3",
    "a constant within": "SELECT c.n AS o FROM (SELECT 1 AS n FROM st.b) AS c",
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("dialect", ["duckdb", "tsql", "mysql"])
def test_what_decides_over_rows_decides_where_nothing_of_them_is_read(
    reader: str, dialect: str, tmp_path: Path
) -> None:
    text = f"{SEEN}CREATE VIEW mt.c AS {READERS[reader]};\nCREATE VIEW mt.d AS SELECT o FROM mt.c;\n"
    with warehouse_of(tmp_path, dialect, text) as warehouse:
        for mode in ("active", "passive"):
            assert "SRC.A.FLAG" in deciding(warehouse.lineage("mt.d.o", mode=mode))


def test_rows_behind_rows_decide_as_far_up_as_nothing_of_them_is_read(tmp_path: Path) -> None:
    text = SEEN + "CREATE VIEW st.c AS SELECT 1 AS n FROM st.b;\nCREATE VIEW mt.c AS SELECT 'P' AS o FROM st.c;\n"
    with warehouse_of(tmp_path, "oracle", text) as warehouse:
        assert deciding(warehouse.lineage("mt.c.o")) == {"SRC.A.FLAG"}


def test_a_deletion_from_a_golden_source_decides(tmp_path: Path) -> None:
    text = "DELETE FROM src.a WHERE flag = 0;\nCREATE VIEW mt.c AS SELECT 'P' AS o FROM src.a;\n"
    with warehouse_of(tmp_path, "mysql", text) as warehouse:
        assert deciding(warehouse.lineage("mt.c.o")) == {"SRC.A.FLAG"}


def test_a_deletion_by_rows_of_which_nothing_is_read_is_decided_by_what_makes_them(tmp_path: Path) -> None:
    text = SEEN + LOAD + "DELETE FROM dm.k WHERE EXISTS (SELECT 1 FROM st.b);\n"
    with warehouse_of(tmp_path, "postgres", text) as warehouse:
        assert "SRC.A.FLAG" in deciding(warehouse.lineage("dm.k.v"))


def test_attributes_that_nobody_fills_are_there_with_their_rows(tmp_path: Path) -> None:
    text = "CREATE TABLE dm.k (id INT, v INT);\nINSERT INTO dm.k (id) SELECT id FROM src.a WHERE flag = 1;\n"
    with warehouse_of(tmp_path, "duckdb", text) as warehouse:
        answer = warehouse.lineage("dm.k.v")
        assert (answer.interrupted, deciding(answer)) == (("DM.K.V",), {"SRC.A.FLAG"})
