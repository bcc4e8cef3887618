"""Rule Q30: rows written to a view are rows of the tables that its columns are columns of."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdw import Warehouse

FILL = "INSERT INTO v (x, y) SELECT a, b FROM s;\n"


def golden(folder: Path, asked: str, dialect: str = "postgres", **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.sql").write_text(text)
    with Warehouse() as warehouse:
        warehouse.load(folder, dialect=dialect).raise_for_errors()
        return sorted(end.attribute for end in warehouse.lineage(asked).golden)


def test_a_file_that_writes_a_view_fills_the_table_of_another(tmp_path: Path) -> None:
    views = "CREATE VIEW v AS SELECT p AS x, q AS y FROM t;\n"
    assert golden(tmp_path, "T.Q", views=views, fill=FILL) == ["S.B"]


def test_a_view_of_everything_passes_columns_on_by_name(tmp_path: Path) -> None:
    text = "CREATE VIEW dbv.t AS LOCKING ROW FOR ACCESS SELECT * FROM db.t;\nINS INTO dbv.t (x, y) SEL a, b FROM s;\n"
    assert golden(tmp_path, "DB.T.Y", "teradata", job=text) == ["S.B"]


def test_each_table_of_a_join_gets_its_own_columns(tmp_path: Path) -> None:
    text = "CREATE VIEW v AS SELECT t.p AS x, u.q AS y FROM t JOIN u ON t.k = u.k;\nGO\nUPDATE v SET y = s.b FROM s;\n"
    assert golden(tmp_path, "U.Q", "tsql", job=text) == ["S.B"]


@pytest.mark.parametrize(
    "view",
    [
        "SELECT MAX(p) AS x, q AS y FROM t GROUP BY q",
        "SELECT DISTINCT p AS x, q AS y FROM t",
        "SELECT p AS x, q AS y FROM t LIMIT 3",
        "SELECT UPPER(p) AS x, q || 'a' AS y FROM t",
    ],
)
def test_what_is_no_row_of_a_table_passes_nothing_on(view: str, tmp_path: Path) -> None:
    assert golden(tmp_path, "T.Q", job=f"CREATE VIEW v AS {view};\n{FILL}") == ["T.Q"]
    assert "S.B" in golden(tmp_path, "V.Y")


def test_databases_without_such_views_write_nothing_through_them(tmp_path: Path) -> None:
    text = f"CREATE VIEW v AS SELECT p AS x, q AS y FROM t;\n{FILL}"
    assert golden(tmp_path, "T.Q", "snowflake", job=text) == ["T.Q"]
    assert golden(tmp_path, "V.Y", "snowflake") == ["S.B", "T.Q"]


def test_a_view_that_is_joined_without_a_condition_has_its_own_columns_alone(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(
        "CREATE TABLE r (x INT); CREATE VIEW m AS SELECT x, x + 1 AS y FROM r; CREATE VIEW v AS SELECT r.x FROM r, m;"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        assert warehouse.entity("m").attributes == ("M.X", "M.Y")
