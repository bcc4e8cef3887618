"""Rows as values, columns as arguments, macros: what arrives in DuckDB is in the lineage, under the condition told."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from empty_database import empty_database

from mdw import Warehouse

TABLES = "CREATE TABLE s (k INT, t TEXT, v TEXT, w TEXT); CREATE TABLE p (k INT, t TEXT);\n"
ROWS = """INSERT INTO s SELECT k, t, concat_ws(' ', 'v', k, t), concat_ws(' ', 'w', k, t)
          FROM unnest([NULL, 0, 1, 2]) a(k), unnest([NULL, 'a', 'b', 'c']) b(t);
          INSERT INTO p VALUES (NULL, 'a'), (1, 'b'), (2, NULL);"""


def agreed(folder: Path, script: str, sources: str = "S.V") -> bool:
    """Whether X.V comes from these sources, from S.V under an exact condition; rows that arrive must meet it."""
    (folder / "script.sql").write_text(TABLES + script)
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(folder, dialect="duckdb").sql} == {"whole"}
        ends = {end.attribute: end for end in warehouse.lineage("x.v").golden}
        assert " ".join(ends) == sources
    end = ends["S.V"]
    with empty_database() as database:
        database.execute(TABLES + ROWS)
        database.execute(script)
        arrived = texts(database, "SELECT v FROM x WHERE v LIKE 'v%'")
        meeting = texts(database, f"SELECT v FROM s WHERE v IS NOT NULL AND ({end.sql})")
    assert arrived and arrived <= meeting
    assert not end.exact or arrived == meeting
    return end.exact


def texts(database: duckdb.DuckDBPyConnection, query: str) -> set[str]:
    return {text for (text,) in database.execute(query).fetchall()}


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (k, t) FROM p",
        "(SELECT (k, t) AS r FROM p)",
        "SELECT (k, t) FROM p UNION ALL SELECT (0, 'c')",
        "SELECT row(k, t) FROM p",
    ],
)
def test_q11_nulls_of_a_row_that_is_looked_for_among_rows_are_equal(tmp_path: Path, query: str) -> None:
    agreed(tmp_path, f"CREATE VIEW m AS SELECT * FROM s WHERE (k, t) IN ({query}); CREATE VIEW x AS SELECT v FROM m")
    # The row without K is left out if the columns are compared one by one.
    agreed(
        tmp_path,
        f"CREATE VIEW m AS SELECT * FROM s WHERE (k, t) IN ({query});CREATE VIEW x AS SELECT v FROM m WHERE k IS NULL",
    )


def test_q11_a_row_of_columns_and_one_of_a_query_must_be_alike(tmp_path: Path) -> None:
    made = "CREATE VIEW m AS SELECT * FROM s WHERE (k, t) IN (SELECT (k, 'a') FROM p); "
    (tmp_path / "script.sql").write_text(f"{TABLES}{made}CREATE VIEW x AS SELECT v FROM m WHERE t = 'b'")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        assert not warehouse.lineage("x.v").golden


def test_q22_two_columns_looked_for_behind_a_star_that_nobody_knows_need_not_be_alike(tmp_path: Path) -> None:
    made = "CREATE VIEW m AS SELECT * FROM s WHERE (t, w) IN (SELECT * FROM nobody); "
    (tmp_path / "script.sql").write_text(f"{TABLES}{made}CREATE VIEW x AS SELECT v FROM m WHERE t = 'a' AND w = 'b'")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        (end,) = warehouse.lineage("x.v").golden
    assert end.attribute == "S.V" and not end.exact


@pytest.mark.parametrize(
    "chosen", ["['v', 'w']", "'^[vw]$'", "lambda c: c IN ('v', 'w')", "* EXCLUDE (k, t)", "s.* EXCLUDE (k, t)"]
)
@pytest.mark.parametrize(
    ("first", "sources", "exact"),
    [
        ("COALESCE(", "S.V S.W", True),
        ("COALESCE(NULLIF(t, 'a'), ", "S.T S.V S.W", True),
        ("LEAST(", "S.V S.W", False),
    ],
)
def test_q1_columns_that_are_arguments_are_tested_one_after_the_other(
    tmp_path: Path, chosen: str, first: str, sources: str, exact: bool
) -> None:
    some = "(SELECT * REPLACE (IF(k = 1, v, NULL) AS v) FROM s) AS s"
    script = f"CREATE VIEW x AS SELECT {first}*COLUMNS({chosen})) AS v FROM {some}"
    assert agreed(tmp_path, script, sources) == exact


def test_q29_macros_of_a_name_are_told_apart_by_their_arguments(tmp_path: Path) -> None:
    made = """CREATE MACRO f(a) AS TRIM(a), (a, b) AS COALESCE(a, b), (a, b, c) AS (SELECT MAX(w) FROM s WHERE k = c);
              CREATE VIEW x AS SELECT v AS one, f(v) AS v, f(w, t) AS two, f(v, t, 1) AS three FROM s"""
    assert agreed(tmp_path, made)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        found = {name: [end.attribute for end in warehouse.lineage(f"x.{name}").golden] for name in ("two", "three")}
        (text, word) = warehouse.lineage("x.two").golden
    assert found["two"] == ["S.T", "S.W"] and "S.W" in found["three"]
    assert (text.sql, word.sql) == ("S.W IS NULL", "S.W IS NOT NULL")
