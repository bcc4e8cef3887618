"""What statements of SQL mean for lineage where readers went wrong: each by the rows that DuckDB gives."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from mdw import Warehouse

TABLES = "CREATE TABLE s (k INT, t TEXT, v TEXT); CREATE TABLE s2 (k INT, t TEXT, v TEXT);"
ROWS = [
    (k, t, f"{name} {k} {t}")
    for name in ("s", "s2")
    for k in (None, 0, 1, 2, 3, 12)
    for t in (None, "a", "b", " a", "ab", "10%")
]
U = "CREATE TABLE u AS SELECT v FROM s WHERE "
SCRIPTS = [
    # Rule Q18: a change carries what it does not set.
    "CREATE TABLE c AS SELECT k, 'a' AS t, v FROM s; UPDATE c SET t = 'b'; "
    "CREATE VIEW u AS SELECT v FROM c WHERE t = 'b'",
    "CREATE TABLE c AS SELECT k, t, v FROM s; UPDATE c SET t = 'b' WHERE t = 'a'; "
    "CREATE VIEW u AS SELECT v FROM c WHERE t = 'b'",
    "CREATE TABLE c AS SELECT k, v FROM s WHERE k = 1; UPDATE c SET k = k + 10; "
    "CREATE VIEW u AS SELECT v FROM c WHERE k > 5",
    "CREATE TABLE c AS SELECT k, 'a' AS t, v FROM s; "
    "UPDATE c SET t = s2.t FROM s2 WHERE s2.k = c.k AND s2.t = 'b'; CREATE VIEW u AS SELECT v FROM c WHERE t = 'b'",
    # Rule Q20: a name that moves takes along what was built.
    "CREATE TABLE c AS SELECT v AS a FROM s; ALTER TABLE c RENAME COLUMN a TO b; CREATE VIEW u AS SELECT b AS v FROM c",
    "CREATE TABLE c AS SELECT v FROM s WHERE k = 1; ALTER TABLE c RENAME TO d; CREATE VIEW u AS SELECT v FROM d",
    U + "t NOT LIKE 'a%'",
    U + "NOT (t NOT LIKE 'a%')",
    U + "t NOT ILIKE 'A%'",
    U + "(k > 1) IS NOT TRUE",
    U + "NOT ((k > 1) IS TRUE)",
    U + "NOT ((k > 1) IS TRUE AND t = 'a')",
    U + "(k > 1) IS TRUE",
    U + "(k > 1) IS NOT FALSE",
    U + "(k <> NULL) IS NOT TRUE",
    U + "NOT (k > 1)",
    U + "RTRIM(t) < TRIM(t) OR LTRIM(t) = 'a'",
    U + "LTRIM(t) = 'a' AND t <> 'a'",
    U + "COALESCE(t, 'a') < CONCAT(t, 'x')",
    U + "CONCAT(t, 'x') = 'x' AND t IS NULL",
    U + "LEAST(k, 1) = COALESCE(k, 1)",
    U + "k NOT IN (SELECT k FROM s2)",
    U + "k NOT IN (SELECT k FROM s2 WHERE k > 2)",
    U + "t LIKE '10!%' ESCAPE '!'",
    U + "t LIKE '10\\%'",
    U + "CASE WHEN k > 1 THEN NULL ELSE t END IS NULL",
]


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_rows_that_arrive_meet_the_condition(tmp_path: Path, script: str) -> None:
    (tmp_path / "script.sql").write_text(TABLES + script)
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(tmp_path, dialect="duckdb").sql} == {"whole"}
        (end,) = warehouse.lineage("u.v").golden
        assert [one.attribute for one in warehouse.impact("s.v").final] == ["U.V"]
    database = duckdb.connect()
    database.execute(TABLES)
    for table, first in (("s", 0), ("s2", len(ROWS) // 2)):
        database.executemany(f"INSERT INTO {table} VALUES (?, ?, ?)", ROWS[first : first + len(ROWS) // 2])
    database.execute(script)
    arrived = {row[0] for row in database.execute("SELECT v FROM u").fetchall()}
    assert end.attribute == "S.V"
    meeting = {row[0] for row in database.execute(f"SELECT v FROM s WHERE {end.sql}").fetchall()}
    assert arrived <= meeting
    assert not end.exact or arrived == meeting
