"""The types of columns: those of DuckDB's DESCRIBE wherever one is told."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from empty_database import empty_database

from mdw import AttributeEntry, DataDictionary, EntityEntry, Warehouse, scan_sql

TABLES = """
CREATE TABLE t (k INTEGER, a VARCHAR, d DATE, n DECIMAL(10, 2));
CREATE TABLE u (k INTEGER, b VARCHAR);
CREATE VIEW v AS SELECT * FROM t UNION ALL SELECT k, b, NULL, NULL FROM u LEFT JOIN t USING (k);
"""
QUERIES = {
    "SELECT * FROM v": "INTEGER VARCHAR DATE DECIMAL(10,2)",
    "SELECT x.k, y.b, CAST(x.a AS BIGINT) AS c FROM t x JOIN u y ON x.k = y.k": "INTEGER VARCHAR BIGINT",
    "WITH c AS (SELECT a, d AS e FROM t) SELECT e, a FROM c": "DATE VARCHAR",
    "SELECT MAX(d) AS m, COALESCE(a, 'x') AS c FROM t GROUP BY a": "DATE VARCHAR",
    "SELECT CASE WHEN k > 1 THEN d END AS c, (SELECT MAX(b) FROM u) AS s FROM t": "DATE VARCHAR",
    "SELECT a || 'x' AS o, COUNT(*) AS n FROM t GROUP BY ALL": " ",
    "SELECT k / 2 AS q, ROUND(SQRT(k), 2) + n AS s, AVG(k) OVER () AS a FROM t": "DOUBLE DOUBLE DOUBLE",
    "SELECT k / 2 AS q, k + n AS s FROM t UNION SELECT k, n FROM t": "DOUBLE ",
    "SELECT LAG(d) OVER (ORDER BY k) AS l, d + 1 AS e FROM t": "DATE ",
}


@pytest.mark.parametrize("query", QUERIES)
def test_a_type_that_is_told_is_that_of_the_database(query: str) -> None:
    columns = scan_sql(f"{TABLES}; {query}", dialect="duckdb").statements[-1].columns
    told = [one.type.replace(", ", ",").replace("INT", "INTEGER").replace("TEXT", "VARCHAR") for one in columns]
    told = [one.replace("BIGINTEGER", "BIGINT").replace("INTEGEREGER", "INTEGER") for one in told]
    assert told == QUERIES[query].split(" ")
    with empty_database() as database:
        database.execute(TABLES)
        described = database.execute(f"DESCRIBE {query}").fetchall()
    assert [one.name for one in columns] == [row[0] for row in described]
    assert all(mine in ("", row[1]) for mine, row in zip(told, described, strict=True))


def test_a_schema_may_be_a_data_dictionary() -> None:
    told = (AttributeEntry("ID", "INT", label="id"), AttributeEntry("PAID", "DECIMAL", label="Paid"))
    known = DataDictionary((EntityEntry("DW.SALES.ORDERS", told, whole=True),))
    scan = scan_sql("INSERT INTO m SELECT * FROM sales.orders", dialect="duckdb", schema=known)
    assert [(one.name, one.type) for one in scan.statements[0].columns] == [("id", "INT"), ("Paid", "DECIMAL")]


def test_half_a_dictionary_leaves_the_star() -> None:
    known = DataDictionary((EntityEntry("T", (AttributeEntry("A"),)),))
    scan = scan_sql("INSERT INTO m SELECT * FROM t; INSERT INTO o SELECT b FROM m", dialect="duckdb", schema=known)
    assert ("t.b", "m.b") in {(step.source, step.target) for step in scan.steps}


def test_a_chain_of_a_thousand_tables_is_followed_as_far_as_it_goes() -> None:
    tables = ["c0 AS (SELECT CAST(a AS INT) AS a FROM t)"]
    tables += [f"c{number} AS (SELECT a FROM c{number - 1})" for number in range(1, 1000)]
    scan = scan_sql(f"WITH {', '.join(tables)} SELECT c9.a, c999.a AS z FROM c9, c999", dialect="duckdb")
    assert [one.type for one in scan.statements[0].columns] == ["INT", ""]


@pytest.mark.parametrize(
    "halves",
    [
        "SELECT v, k / 2.0 AS n, k / 2 AS i FROM s",
        "SELECT v, -(k * 1.0) / 2 AS n, k / 2 AS i FROM s",
        "SELECT v, k::NUMERIC / 2 AS n, k / 2 AS i FROM s",
        "SELECT v, r / 2 AS n, k / 2 AS i FROM (SELECT v, k::NUMERIC AS r, k FROM s) x",
        "SELECT v, n / 2 AS n, i / 2 AS i FROM c",
        "SELECT v, n / k AS n, i / k AS i FROM c WHERE k = 2 AND n / k > 1",
    ],
)
def test_a_division_that_keeps_the_remainder_is_another(tmp_path: Path, halves: str) -> None:
    """Q2: PostgreSQL's 3 / 2 is 1 and 3 / 2.0 is 1.5, of one row as well."""
    made = (
        f"CREATE TABLE s (k INT, v TEXT); CREATE TABLE c (n NUMERIC, i INT, k INT, v TEXT); CREATE VIEW h AS {halves};"
    )
    filled = "INSERT INTO c SELECT k, k, 2, v FROM s; CREATE VIEW u AS SELECT v FROM h WHERE i = 1 AND ABS(n) = 1.5;"
    (tmp_path / "a.sql").write_text(made + filled)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        (end,) = warehouse.lineage("u.v").golden
    assert end.attribute == "S.V"


def test_a_schema_may_tell_types() -> None:
    known = {"raw.claim": {"id": "INT", "paid": "DECIMAL(10, 2)"}, "raw.kind": ["k"]}
    scan = scan_sql("SELECT c.*, k FROM raw.claim c JOIN raw.kind ON c.id = k", dialect="duckdb", schema=known)
    assert [(one.name, one.type) for one in scan.statements[0].columns] == [
        ("id", "INT"), ("paid", "DECIMAL(10, 2)"), ("k", "")
    ]  # fmt: skip


@pytest.mark.parametrize(("made", "test"), [("k / 49", "r + 0.2 > 0.3"), ("LN(k)", "r + 0.2 > 0.2")])
def test_what_a_view_of_another_file_computes_roughly_is_rounded(tmp_path: Path, made: str, test: str) -> None:
    """Rule Q2: 4.9 / 49 + 0.2 is more than 0.3 among floating numbers, so no exact condition may leave 4.9 out."""
    (tmp_path / "1.sql").write_text("CREATE TABLE s (k DECIMAL(4, 2), v TEXT);")
    (tmp_path / "2.sql").write_text(f"CREATE VIEW q AS SELECT {made} AS r, v FROM s;")
    (tmp_path / "3.sql").write_text("CREATE VIEW p AS SELECT r, v FROM q;")
    (tmp_path / "0.sql").write_text(f"CREATE VIEW u AS SELECT v FROM p WHERE {test};")
    database = duckdb.connect()
    for file in sorted(tmp_path.iterdir(), key=lambda file: (file.name == "0.sql", file.name)):
        database.execute(file.read_text())
    database.execute("INSERT INTO s VALUES (4.9, 'v')")
    assert database.execute("SELECT v FROM u").fetchall() == [("v",)]
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb").raise_for_errors()
        (end,) = warehouse.lineage("U.V").golden
        assert (end.attribute, end.exact) == ("S.V", False)
