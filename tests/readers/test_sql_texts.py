"""What texts, truths and rows mean differs from database to database: each by rows of a database that means it so.

DuckDB compares texts letter by letter, or without case where it is told so: what arrives in either must stay (rule Q4).
"""

from __future__ import annotations

import sqlite3
from itertools import chain, cycle
from pathlib import Path

import pytest
from empty_database import empty_database

from mdw import Warehouse

ROWS = [(k, t, f"{k} {t}") for k in (None, 0, 1, 2) for t in (None, "a", "A", "a ", "b", "AB", "ab")]
MADE = "CREATE TABLE c AS SELECT k, 'A' AS t, v FROM s; "
TEXTS = [
    "CREATE VIEW u AS SELECT v FROM s WHERE t = 'a'",
    "CREATE VIEW u AS SELECT v FROM s WHERE t <> 'a'",
    "CREATE VIEW u AS SELECT v FROM s WHERE t IN ('A', 'B') AND t <> 'a'",
    "CREATE VIEW u AS SELECT v FROM s WHERE t IN ('A', 'B') AND t NOT IN ('a', 'B')",
    "CREATE VIEW u AS SELECT v FROM s WHERE t LIKE 'A%' AND t <> 'A'",
    "CREATE VIEW u AS SELECT v FROM s WHERE t >= 'a' AND t <= 'A'",
    MADE + "CREATE VIEW u AS SELECT v FROM c WHERE t = 'a'",
    MADE + "CREATE VIEW u AS SELECT v FROM c WHERE t <> 'a'",
    "CREATE TABLE c AS SELECT v FROM s WHERE t = 'A'; CREATE VIEW u AS SELECT v FROM c",
    "CREATE TABLE c AS SELECT t, v FROM s WHERE t = 'A'; CREATE VIEW u AS SELECT v FROM c WHERE t = 'a'",
    "CREATE TABLE c AS SELECT CASE WHEN t = 'a' THEN 'X' ELSE 'y' END AS t, v FROM s; "
    "CREATE VIEW u AS SELECT v FROM c WHERE t = 'x'",
]


def golden(folder: Path, script: str, dialect: str) -> list[str]:
    (folder / "script.sql").write_text("CREATE TABLE s (k INT, t VARCHAR(9), d TIMESTAMP, v VARCHAR(9)); " + script)
    with Warehouse() as warehouse:
        assert {one.status for one in warehouse.load(folder, dialect=dialect).sql} == {"whole"}
        return [end.attribute for end in warehouse.lineage("u.v").golden]


def arriving(script: str, collation: str = "binary") -> set[str]:
    with empty_database() as database:
        database.execute(f"SET default_collation = '{collation}'")
        database.execute("CREATE TABLE s (k INT, t TEXT, v TEXT)")
        database.execute(f"INSERT INTO s VALUES {', '.join(['(?, ?, ?)'] * len(ROWS))}", [*chain(*ROWS)])
        database.execute(script)
        return {row[0] for row in database.execute("SELECT v FROM u").fetchall()}


@pytest.mark.parametrize(("script", "dialect"), list(zip(TEXTS, cycle(("tsql", "mysql", "teradata")), strict=False)))
def test_texts_that_differ_in_case_may_be_equal(tmp_path: Path, script: str, dialect: str) -> None:
    """Q4: what arrives under one of two collations is kept where nobody told which it is."""
    arrived = arriving(script, "nocase") | arriving(script)
    assert arrived
    assert golden(tmp_path, script, dialect) == ["S.V"]
    # Told that case counts, the answer is as sharp as the rows.
    assert golden(tmp_path, script, "duckdb") == (["S.V"] if arriving(script) else [])


SIDES = "CREATE VIEW a AS SELECT 'A' AS t, k, v FROM s; CREATE VIEW b AS SELECT 'a' AS t, k, v FROM s; "
TWO = "CREATE VIEW c AS SELECT 'A' AS t, 'a' AS r, v FROM s; "
PAIRS = [
    SIDES + "CREATE VIEW u AS SELECT a.v FROM a JOIN b ON a.t = b.t",
    SIDES + "CREATE VIEW u AS SELECT b.v FROM a JOIN b ON a.t = b.t",
    SIDES + "CREATE VIEW u AS SELECT b.v FROM a LEFT JOIN b ON a.t = b.t AND a.k = b.k",
    SIDES + "CREATE VIEW u AS SELECT a.v FROM a LEFT JOIN b ON a.t = b.t WHERE b.k = 1",
    SIDES + "CREATE VIEW u AS SELECT a.v FROM a, b WHERE a.t = b.t",
    SIDES + "CREATE VIEW u AS SELECT a.v FROM a, b WHERE a.t <= b.t AND a.t >= b.t",
    SIDES + "CREATE VIEW u AS SELECT v FROM a WHERE t IN (SELECT t FROM b)",
    SIDES + "CREATE VIEW u AS SELECT v FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.t = a.t)",
    SIDES + "CREATE VIEW u AS SELECT v FROM (SELECT t, v FROM a INTERSECT SELECT t, v FROM b) AS x",
    TWO + "CREATE VIEW u AS SELECT v FROM c WHERE t = r",
    TWO + "CREATE VIEW u AS SELECT v FROM c WHERE NOT t <> r",
    TWO + "CREATE VIEW u AS SELECT v FROM c WHERE NULLIF(t, r) IS NULL",
    TWO + "CREATE VIEW u AS SELECT CASE t WHEN r THEN v END AS v FROM c",
]


@pytest.mark.parametrize(("script", "dialect"), list(zip(PAIRS, cycle(("tsql", "mysql", "teradata")), strict=False)))
def test_columns_compare_as_loosely_as_constants(tmp_path: Path, script: str, dialect: str) -> None:
    """Q4: 'A' in one column and 'a' in another join where a collation takes them for equal."""
    assert arriving(script, "nocase") - {None}
    assert golden(tmp_path, script, dialect) == ["S.V"]
    assert not arriving(script) - {None}
    assert golden(tmp_path, script, "duckdb") == []


@pytest.mark.parametrize(
    "script",
    [
        SIDES.replace("'a'", "'b'") + "CREATE VIEW u AS SELECT a.v FROM a JOIN b ON a.t = b.t",
        SIDES.replace("'a'", "'b'") + "CREATE VIEW u AS SELECT v FROM a WHERE t IN (SELECT t FROM b)",
        TWO.replace("'a'", "'b'") + "CREATE VIEW u AS SELECT v FROM c WHERE t = r",
        TWO.replace("'A'", "5").replace("'a'", "6") + "CREATE VIEW u AS SELECT v FROM c WHERE t = r",
        SIDES.replace("'A'", "5").replace("'a'", "6") + "CREATE VIEW u AS SELECT a.v FROM a JOIN b ON a.t = b.t",
        "CREATE VIEW u AS SELECT a.v FROM s AS a JOIN s AS b ON a.k = b.k WHERE a.k = 1 AND b.k = 2",
        "CREATE VIEW u AS SELECT a.v FROM s AS a JOIN s AS b ON a.t = b.t WHERE a.t = 'a' AND b.t = 'b'",
    ],
)
def test_other_letters_and_numbers_join_nowhere(tmp_path: Path, script: str) -> None:
    assert not arriving(script, "nocase")
    assert golden(tmp_path, script, "tsql") == []


@pytest.mark.parametrize("test", ["t = 'a' AND t = 'b'", "t = 'a' AND t <> 'a'"])
def test_texts_that_differ_in_letters_are_never_equal(tmp_path: Path, test: str) -> None:
    script = f"CREATE VIEW u AS SELECT v FROM s WHERE {test}"
    assert not arriving(script, "nocase")
    assert golden(tmp_path, script, "tsql") == []
    assert golden(tmp_path, f"{MADE}CREATE VIEW u AS SELECT v FROM c WHERE t = 'b'", "tsql") == []


@pytest.mark.parametrize(
    ("dialect", "kept"), [("postgres", ["S.V"]), ("oracle", ["S.V"]), ("tsql", ["S.V"]), ("bigquery", [])]
)
def test_blanks_at_the_end_may_count_for_nothing(tmp_path: Path, dialect: str, kept: list[str]) -> None:
    """Q4: in a column of CHAR(3) 'a ' and 'a' are the same."""
    script = "CREATE TABLE c AS SELECT 'a ' AS t, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE t = 'a'"
    assert golden(tmp_path, script, dialect) == kept


@pytest.mark.parametrize(("dialect", "kept"), [("oracle", []), ("postgres", ["S.V"])])
def test_an_empty_text_is_null_in_oracle(tmp_path: Path, dialect: str, kept: list[str]) -> None:
    assert (
        golden(
            tmp_path,
            "CREATE TABLE c AS SELECT '' AS t, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE t = ''",
            dialect,
        )
        == kept
    )
    other = "CREATE TABLE c AS SELECT '' AS t, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE t IS NULL"
    assert golden(tmp_path, other, dialect) == ([] if kept else ["S.V"])


TRUTHS = [
    "CREATE VIEW u AS SELECT v FROM s WHERE k",
    "CREATE VIEW u AS SELECT v FROM s WHERE k AND k = 2",
    "CREATE VIEW u AS SELECT v FROM s WHERE k AND k = 0",
    "CREATE VIEW u AS SELECT v FROM s WHERE NOT k",
    "CREATE VIEW u AS SELECT CASE WHEN k THEN v END AS v FROM s WHERE k = 2",
    "CREATE TABLE c AS SELECT 2 AS k, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE k",
    "CREATE TABLE c AS SELECT 0 AS k, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE k",
    "CREATE TABLE c AS SELECT TRUE AS k, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE k",
    "CREATE TABLE c AS SELECT FALSE AS k, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE k",
    "CREATE TABLE c AS SELECT k > 1 AS k, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE k AND v <> 'x'",
    "CREATE VIEW u AS SELECT v FROM s WHERE k - 1",
    "CREATE VIEW u AS SELECT v FROM s WHERE 1",
    "CREATE VIEW u AS SELECT v FROM s WHERE 0",
    # Rows in which NULLs are equal.
    "CREATE VIEW u AS SELECT v FROM s WHERE NOT ((k, t) = (1, 'a')) AND k IS NULL",
    "CREATE VIEW u AS SELECT v FROM s WHERE (k, t) = (NULL, 'a')",
    "CREATE VIEW u AS SELECT v FROM s WHERE (k, t) IN ((NULL, 'a'), (1, 'b')) AND k IS NULL",
    "CREATE VIEW u AS SELECT v FROM s WHERE (k, t) NOT IN ((1, 'a')) AND t IS NULL",
]


@pytest.mark.parametrize("script", TRUTHS)
def test_numbers_as_truths_and_rows_with_nulls(tmp_path: Path, script: str) -> None:
    assert golden(tmp_path, script, "duckdb") == (["S.V"] if arriving(script) - {None} else [])


TOTALS = [
    ("SELECT 'EU' AS r, a, SUM(x) AS n FROM s WHERE 1 = 0 GROUP BY ROLLUP(a)", True),
    ("SELECT 'EU' AS r, a, SUM(x) AS n FROM s WHERE 1 = 0 GROUP BY CUBE(a, x) HAVING a IS NULL", True),
    ("SELECT 'EU' AS r, a, SUM(x) AS n FROM s WHERE 1 = 0 GROUP BY GROUPING SETS ((a), ())", True),
    ("SELECT 'EU' AS r, a, SUM(x) AS n FROM s WHERE 1 = 0 GROUP BY GROUPING SETS ((a), (x))", False),
    ("SELECT 'EU' AS r, a, SUM(x) AS n FROM s WHERE 1 = 0 GROUP BY ROLLUP(a) HAVING a = 1", False),
]


@pytest.mark.parametrize(("query", "there"), TOTALS)
def test_q15_the_total_of_no_rows_is_a_row(tmp_path: Path, query: str, there: bool) -> None:
    """Q15: a grouping set without keys gives a row of none."""
    with empty_database() as database:
        database.execute("CREATE TABLE s (a INT, x INT)")
        assert bool(database.execute(query).fetchall()) is there
    (tmp_path / "u.sql").write_text(f"CREATE VIEW u AS {query}")
    with Warehouse() as warehouse:
        assert warehouse.load(tmp_path, dialect="duckdb").sql[0].status == "whole"
        assert [one.value for one in warehouse.lineage("u.r").constants] == (['"EU"'] if there else [])
        assert not warehouse.lineage("u.n").golden


@pytest.mark.parametrize(("dialect", "kept"), [("mysql", {"S.T", "S.V"}), ("duckdb", {"S.T"})])
def test_q14_a_value_that_is_no_key_is_of_any_row(tmp_path: Path, dialect: str, kept: set[str]) -> None:
    """Q14: in MySQL t and v of a group may be of two rows; elsewhere both are keys here, and of one."""
    keys = "k" if dialect == "mysql" else "k, t, v"
    (tmp_path / "u.sql").write_text(
        f"CREATE TABLE c AS SELECT t, COALESCE(t, v) AS x FROM s GROUP BY {keys};"
        "CREATE VIEW u AS SELECT x FROM c WHERE t = 'a'"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect=dialect)
        assert {end.attribute for end in warehouse.lineage("u.x").golden} == kept


@pytest.mark.parametrize(("type_", "condition"), [("BOOLEAN", "S.K = TRUE"), ("INT", "S.K != 0")])
def test_a_column_that_is_told_to_be_a_truth(tmp_path: Path, type_: str, condition: str) -> None:
    (tmp_path / "u.sql").write_text(f"CREATE TABLE s (k {type_}, v TEXT); CREATE VIEW u AS SELECT v FROM s WHERE k")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb")
        (end,) = warehouse.lineage("u.v").golden
        assert (end.condition, end.exact) == (condition, True)


@pytest.mark.parametrize(
    "test",
    [
        "t = '2020-01-01' AND t = '20200101'",
        "t = '2020-1-1' AND t = '2020-01-01'",
        "t = '2020/01/01' AND t = '01.01.2020'",
    ],
)
@pytest.mark.parametrize("dialect", ["duckdb", "tsql", "mysql", "snowflake"])
def test_a_day_has_many_spellings(tmp_path: Path, test: str, dialect: str) -> None:
    """Q3: in a column of days texts are compared as the days they spell, of which DuckDB reads some of these."""
    assert golden(tmp_path, f"CREATE VIEW u AS SELECT v FROM s WHERE {test}", dialect) == ["S.V"]
    if "." not in test:
        spelled = test.replace("'20200101'", "'2020-01-01 00:00:00'")
        with empty_database() as database:
            assert database.execute(f"SELECT 1 FROM (SELECT DATE '2020-01-01' AS t) WHERE {spelled}").fetchall()
    other = test.replace("1-1'", "1-2'").replace("01/01", "01/02").replace("0101'", "0102'")
    assert golden(tmp_path, f"CREATE VIEW u AS SELECT v FROM s WHERE {other}", dialect) == []


DAYS = [
    ("oracle", "DATE '2020-01-02'", "TO_DATE('03.01.2020', 'DD.MM.YYYY')"),
    ("oracle", "TO_TIMESTAMP('2020-01-02 00:00', 'YYYY-MM-DD HH24:MI')", "TIMESTAMP '2020-01-03 00:00:00'"),
    ("postgres", "TIMESTAMP '2020-01-02 00:00:00'", "'2020-01-03'::timestamp"),
    ("tsql", "CAST('20200102' AS DATETIME)", "CONVERT(DATE, '2020-01-03')"),
    ("tsql", "{d '2020-01-02'}", "CAST('2020-01-03T00:00:00' AS DATETIME2)"),
    ("mysql", "STR_TO_DATE('02/01/2020', '%d/%m/%Y')", "DATE '2020-01-03'"),
    ("db2", "TIMESTAMP '2020-01-02 00:00:00'", "DATE '2020-01-03'"),
    ("redshift", "TO_DATE('20200102', 'YYYYMMDD')", "TIMESTAMP '2020-01-03'"),
]


@pytest.mark.parametrize(("dialect", "early", "late"), DAYS)
def test_q3_days_are_compared_however_they_are_written(tmp_path: Path, dialect: str, early: str, late: str) -> None:
    """Between two days there are times; before the first and behind the second at once there is none."""
    view = "CREATE VIEW u AS SELECT v FROM s WHERE"
    assert golden(tmp_path, f"{view} d > {early} AND d < {late}", dialect) == ["S.V"]
    assert golden(tmp_path, f"{view} d < {early} AND d > {late}", dialect) == []
    assert golden(tmp_path, f"{view} d IN ({early}, NULL) AND d = {late}", dialect) == []


@pytest.mark.parametrize(
    ("dialect", "one", "other"),
    [
        ("oracle", "TIMESTAMP '2020-01-02 10:00:00'", "DATE '2020-01-02'"),
        ("oracle", "TO_DATE('02-JAN-20', 'DD-MON-RR')", "DATE '2020-01-03'"),
        ("mysql", "CAST('20200102' AS DATE)", "DATE '2020-01-03'"),
    ],
)
def test_q3_of_other_times_nothing_is_decided(tmp_path: Path, dialect: str, one: str, other: str) -> None:
    view = "CREATE VIEW u AS SELECT v FROM s WHERE"
    assert golden(tmp_path, f"{view} d = {one} AND d = {other}", dialect) == ["S.V"]


@pytest.mark.parametrize(("text", "number", "kept"), [("x", 0, True), ("", 0, True), ("1x", 1, True), ("x", 1, False)])
def test_texts_compared_with_numbers(tmp_path: Path, text: str, number: int, kept: bool) -> None:
    """Q3: MySQL takes a text for the number it begins with, else for 0."""
    script = f"CREATE TABLE c AS SELECT '{text}' AS t, v FROM s; CREATE VIEW u AS SELECT v FROM c WHERE t = {number}"
    assert golden(tmp_path, script, "mysql") == (["S.V"] if kept else [])


STORED = [
    ("INT", "1.4", "1"),
    ("DECIMAL(5, 1)", "1.44", "1.4"),
    ("INT", "n", "1"),
    ("DATE", "m", "DATE '2020-01-01'"),
    ("DECIMAL(5, 1)", "n", "1.4"),
    ("BOOLEAN", "5", "TRUE"),
    ("INT", "k", "1"),
]


@pytest.mark.parametrize(("type_", "given", "found"), STORED)
def test_a_column_keeps_what_its_type_can_hold(tmp_path: Path, type_: str, given: str, found: str) -> None:
    """Q3: 1.4 becomes 1 in a column of integers, which a later test finds."""
    script = f"""CREATE TABLE f (k INT, n DECIMAL(9, 2), m TIMESTAMP, v TEXT); CREATE TABLE h (x {type_}, v TEXT);
    INSERT INTO h SELECT {given}, v FROM f WHERE k = 1 AND n = 1.44 AND m = TIMESTAMP '2020-01-01 10:00:00';
    CREATE VIEW u AS SELECT v FROM h WHERE x = {found}"""
    kept, filled = script.split(";", 1)
    with empty_database() as database:
        database.execute(kept)
        database.execute("INSERT INTO f VALUES (1, 1.44, '2020-01-01 10:00:00', 'x')")
        database.execute(filled)
        assert database.execute("SELECT v FROM u").fetchall() == [("x",)]
    assert golden(tmp_path, script, "duckdb") == ["F.V"]
    other = script.replace(f"x = {found}", "x = 7")
    assert given != "k" or golden(tmp_path, other, "duckdb") == []


def test_texts_of_national_characters_are_texts(tmp_path: Path) -> None:
    first = "CREATE VIEW c AS SELECT v, t FROM s WHERE t = N'EU'; "
    assert golden(tmp_path, first + "CREATE VIEW u AS SELECT v FROM c WHERE t = 'US'", "tsql") == []
    assert golden(tmp_path, first + "CREATE VIEW u AS SELECT v FROM c WHERE t = 'EU'", "tsql") == ["S.V"]


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIEW u AS SELECT v FROM s WHERE t LIKE 'A%' AND t = 'ab'",
        "CREATE VIEW u AS SELECT v FROM s WHERE t LIKE 'AB' AND t <> 'AB'",
        "CREATE VIEW u AS SELECT v FROM s WHERE t NOT LIKE 'A%'",
        "CREATE TABLE c (k INTEGER, v TEXT); INSERT INTO c SELECT k * 0.5, v FROM s; "
        "CREATE VIEW u AS SELECT v FROM c WHERE k = 1.5",
    ],
)
def test_sqlite_compares_and_keeps_values_in_its_own_way(tmp_path: Path, script: str) -> None:
    """Q3, Q4: its LIKE takes A for a, and a column keeps what it is given."""
    (tmp_path / "a.sql").write_text(f"CREATE TABLE s (k INTEGER, t TEXT, v TEXT); {script};")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="sqlite").raise_for_errors()
        (end,) = warehouse.lineage("u.v", sql_dialect="sqlite").golden
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE s (k INTEGER, t TEXT, v TEXT)")
    rows = [(k, t, f"{k} {t}") for k in (1, 3, None) for t in ("ab", "AB", "a", "b", None)]
    database.executemany("INSERT INTO s VALUES (?, ?, ?)", rows)
    database.executescript(script)
    arrived = database.execute("SELECT v FROM u ORDER BY v").fetchall()
    assert arrived
    assert database.execute(f"SELECT v FROM s WHERE {end.sql} ORDER BY v").fetchall() == arrived
