"""What a statement leaves out for good: rules Q10 to Q16 told as sharply as rows say.

Rows of a few values are tried in DuckDB: what arrives must be among the sources, and the sources must be what arrives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

import duckdb
import pytest
from sql_rows import SCHEMA, arrivals, filled, loaded, tiny_rows
from sql_warehouses import COLUMNS, SqlWarehouse

DATABASES = 90
ALL = {"RAW.S1.V"}
NONE: set[str] = set()
FROM_S1 = "SELECT a.k, a.t, a.v, a.w FROM raw.s1 AS a WHERE "
KNOWN = "(SELECT 1 FROM raw.s1 AS x WHERE x.t = a.t AND x.t IN ('a', 'b'))"
ONLY_C = "CREATE VIEW core.m0 AS SELECT k, t, v, w FROM raw.s2 WHERE t = 'c'"


def own(table: str, rows: Sequence[Sequence[object]]) -> list[Sequence[object]]:
    """Rows whose texts are those of their table, so that they say where they come from."""
    name = f"<{table.rpartition('.')[2]}."
    return [row for row in rows if all(text is None or str(text).startswith(name) for text in row[2:])]


@cache
def databases() -> duckdb.DuckDBPyConnection:
    """All databases in one, each with its tables; they are filled once, which takes longer than to ask them."""
    draw, made = Random(7), duckdb.connect(config={"threads": 1})
    for number in range(DATABASES):
        made.execute(f"ATTACH ':memory:' AS d{number}; USE d{number}; CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
        filled(made, {table: own(table, some) for table, some in tiny_rows(draw).items()})
    return made


def check(query: str, expected: set[str], *more: str) -> None:
    """What the V of a query comes from, as mdw says and as rows do."""
    files = {f"{at}.sql": text for at, text in enumerate([*more, f"CREATE VIEW core.m1 AS {query}"], start=1)}
    with loaded(SqlWarehouse(files, {"core.m1": COLUMNS})) as warehouse:
        told = {end.attribute for end in warehouse.lineage("core.m1.v").golden}
    came, tried = set[str](), databases()
    for number in range(DATABASES):
        tried.execute(f"USE d{number}; BEGIN")
        try:
            for text in files.values():
                tried.execute(text)
            came |= {f"RAW.{table}.{column}".upper() for table, column, _ in arrivals(tried, "core.m1", "v")}
        finally:
            tried.execute("ROLLBACK")
    assert (told, came) == (expected, expected)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (f"a.t = 'a' AND NOT EXISTS {KNOWN}", NONE),
        (f"a.t = 'c' AND NOT EXISTS {KNOWN}", ALL),
        (f"a.t IS NULL AND NOT EXISTS {KNOWN}", ALL),
        ("a.k = 1 AND NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.k = a.k AND NOT (x.k = 0 OR x.k > 1))", NONE),
        ("a.k = 1 AND NOT EXISTS (SELECT x.v FROM raw.s1 AS x WHERE x.t = a.t AND NOT (x.t = 'a' AND x.k = 1))", ALL),
        ("a.t = 'a' AND NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.t = a.t AND x.k > a.k)", ALL),
        ("a.t = 'a' AND NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.t = a.t AND x.k = 1)", ALL),
        ("a.t = 'a' AND NOT EXISTS (SELECT 1 FROM raw.s2 AS x WHERE x.t = a.t)", ALL),
        ("a.t = 'a' AND NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.t = a.t LIMIT 0)", ALL),
        ("a.t = 'a' AND NOT EXISTS (SELECT MAX(x.k) FROM raw.s1 AS x WHERE x.t = 'b')", NONE),
    ],
)
def test_q11_a_row_is_found_by_its_own_key(condition: str, expected: set[str]) -> None:
    check(FROM_S1 + condition, expected)


def test_q11_a_row_of_a_cte_is_made_of_one_that_is_found() -> None:
    made = "WITH c AS (SELECT a.k AS k, a.t AS u, a.v AS v, a.w AS w FROM raw.s1 AS a WHERE a.k > 0) "
    search = "NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.t = c.u AND x.{column} = {value})"
    given = "SELECT c.k, c.u AS t, c.v, c.w FROM c WHERE c.u = 'a' AND "
    check(made + given + search.format(column="t", value="'a'"), NONE)
    check(made + given + search.format(column="k", value="0"), ALL)
    # A row of the left side alone has no row of C.
    check(
        made + "SELECT b.k, b.t, b.v, b.w FROM raw.s1 AS b LEFT JOIN c ON b.k = c.k AND b.t = 'a' "
        "WHERE NOT EXISTS (SELECT 1 FROM raw.s1 AS x WHERE x.t = c.u AND x.t IS NOT NULL)",
        ALL,
    )


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        ("SELECT k, t, v, w FROM raw.s1", NONE),
        ("SELECT k, t, v, w FROM raw.s1 WHERE t IN ('a', 'b')", NONE),
        ("SELECT DISTINCT k, t, v, w FROM raw.s1 AS other WHERE other.t = 'a' OR k = 1", NONE),
        ("SELECT k, t, v, w FROM raw.s1 WHERE k > 0", ALL),
        ("SELECT k, t, v, w FROM raw.s2", ALL),
        ("SELECT k, t, w, v FROM raw.s1", ALL),
        ("(SELECT k, t, v, w FROM raw.s1 LIMIT 1)", ALL),
    ],
)
def test_q12_except_leaves_nothing_that_its_right_side_gives_again(right: str, expected: set[str]) -> None:
    check(f"SELECT k, t, v, w FROM raw.s1 WHERE t = 'a' EXCEPT {right}", expected)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("a.t = 'a' AND (a.t IS NULL OR a.t IN (SELECT x.t FROM core.m0 AS x))", NONE),
        ("a.t = 'c' AND (a.t IS NULL OR a.t IN (SELECT x.t FROM core.m0 AS x))", ALL),
        ("a.t = 'a' AND NOT (a.t <> 'a' OR a.t IN (SELECT x.t FROM core.m0 AS x))", ALL),
        ("a.t = 'a' AND (a.k = 1 OR EXISTS (SELECT 1 FROM core.m0 AS x WHERE x.t = 'b')) AND a.k = 2", NONE),
        ("a.t = 'a' AND (a.k = 1 OR EXISTS (SELECT 1 FROM core.m0 AS x WHERE x.t = 'c')) AND a.k = 2", ALL),
    ],
)
def test_q11_beside_or_what_is_found_must_be_able_to_exist(condition: str, expected: set[str]) -> None:
    check(FROM_S1 + condition, expected, ONLY_C)


ROWS = "SELECT s.k, s.t, {value} AS v, s.w FROM raw.s1 AS s QUALIFY ROW_NUMBER() OVER ({window}) {first}"


@pytest.mark.parametrize(
    ("value", "window", "first", "expected"),
    [
        ("LAG(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "= 1", NONE),
        ("LAG(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "< 2", NONE),
        ("LAG(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "= 2", ALL),
        ("LAG(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w DESC", "= 1", ALL),
        ("LAG(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.t ORDER BY s.w", "= 1", ALL),
        ("LAG(s.v, 0) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "= 1", ALL),
        ("LAG(s.v, 1, s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "= 1", ALL),
        ("LEAD(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", "PARTITION BY s.k ORDER BY s.w", "= 1", ALL),
    ],
)
def test_q16_no_row_comes_before_the_first(value: str, window: str, first: str, expected: set[str]) -> None:
    check(ROWS.format(value=value, window=window, first=first), expected)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("FIRST_VALUE(s.v) OVER (PARTITION BY s.k ORDER BY s.w)", NONE),
        ("FIRST_VALUE(s.v) OVER (PARTITION BY s.k ORDER BY s.w DESC)", ALL),
        ("FIRST_VALUE(s.v) OVER (PARTITION BY s.k ORDER BY s.w ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING)", ALL),
    ],
)
def test_q16_the_first_row_has_its_own_first_value(value: str, expected: set[str]) -> None:
    made = ROWS.format(value=value, window="PARTITION BY s.k ORDER BY s.w", first="= 1")
    made = made.replace("raw.s1 AS s", "(SELECT k, t, CASE WHEN t = 'a' THEN v END AS v, w FROM raw.s1) AS s")
    check(f"SELECT * FROM ({made}) AS c WHERE c.t = 'b'", expected)


@pytest.mark.parametrize(
    ("having", "expected"),
    [
        ("MAX(a.k) > 1", NONE),
        ("MIN(a.k) = 1", ALL),
        ("MAX(a.w) <> 'x' AND MIN(a.k) = 0", NONE),
        ("MAX(b.k) > 1", ALL),
    ],
)
def test_q14_most_of_a_key_is_the_key(having: str, expected: set[str]) -> None:
    check(
        "SELECT a.k AS k, MIN(a.t) AS t, STRING_AGG(CASE WHEN a.k = 1 THEN a.v END, ',') AS v, MIN(a.w) AS w "
        f"FROM raw.s1 AS a JOIN raw.s1 AS b ON a.t = b.t GROUP BY a.k HAVING {having}",
        expected,
    )


def test_q14_most_of_a_key_is_another_in_other_sets() -> None:
    check(
        "SELECT a.k AS k, a.t AS t, STRING_AGG(CASE WHEN a.k = 1 THEN a.v END, ',') AS v, MIN(a.w) AS w "
        "FROM raw.s1 AS a GROUP BY GROUPING SETS ((a.k), (a.t)) HAVING MAX(a.k) > 1",
        ALL,
    )
    # Rows of one T may differ in K, so that the one row has no W and the other has one.
    check(
        "SELECT a.k AS k, a.t AS t, STRING_AGG(CASE WHEN a.k = 1 THEN a.v END, ',') AS v, MIN(a.w) AS w "
        "FROM raw.s1 AS a WHERE a.k = 1 AND a.w IS NULL OR a.k <> 1 AND a.w IS NOT NULL "
        "GROUP BY GROUPING SETS ((a.k), (a.t)) HAVING MAX(a.w) IS NOT NULL",
        ALL,
    )


GROUPED = "SELECT a.k AS k, MIN(a.t) AS t, MAX(a.v) AS v, MAX(b.w) AS w FROM raw.s1 AS a {join} {where} GROUP BY {by}"
SAME = "JOIN raw.s1 AS b ON a.k = b.k"


@pytest.mark.parametrize(
    ("join", "where", "by", "asked", "expected"),
    [
        (SAME, "WHERE a.t <> 'a'", "a.k", "c.t = 'a'", NONE),
        (SAME, "WHERE a.t <> 'a'", "a.k", "c.t = 'b'", ALL),
        (SAME, "WHERE a.t <> 'a'", "a.k", "c.t IS NULL", NONE),
        (SAME, "WHERE b.t <> 'a'", "a.k", "c.t = 'a'", ALL),
        (SAME, "WHERE a.t <> 'a' OR a.k = 1", "a.k", "c.t = 'a' AND c.k = 2", NONE),
        (SAME, "WHERE a.t <> 'a' OR a.k = 1", "a.k", "c.t = 'a' AND c.k = 1", ALL),
        ("LEFT JOIN raw.s2 AS b ON a.k = b.k AND b.t = 'c'", "", "a.k HAVING MIN(b.t) = 'a'", "TRUE", NONE),
        ("LEFT JOIN raw.s2 AS b ON a.k = b.k AND b.t = 'c'", "", "a.k HAVING MIN(b.t) IS NULL", "TRUE", ALL),
        ("LEFT JOIN raw.s2 AS b ON a.k = b.k AND b.t = 'c'", "", "a.k HAVING MIN(b.t) = 'c'", "TRUE", ALL),
        ("CROSS JOIN core.m0 AS b", "", "a.k HAVING MAX(b.t) = 'b'", "TRUE", NONE),
        ("CROSS JOIN core.m0 AS b", "WHERE a.t = 'a'", "a.k HAVING MIN(a.t) < MAX(b.t)", "TRUE", ALL),
        ("RIGHT JOIN raw.s2 AS b ON a.k = b.k AND a.k = 0", "", "a.k HAVING MAX(a.k) > 0", "TRUE", NONE),
        ("LEFT JOIN raw.s1 AS b ON a.t = b.t", "", "a.k HAVING MIN(b.k) = 0 AND MAX(b.k) = 1", "TRUE", ALL),
        (SAME, "WHERE a.t <> 'a' AND b.k = 2", "a.k HAVING COUNT(*) = 1 AND MIN(b.t) = MAX(a.t)", "c.t = 'b'", ALL),
        ("JOIN raw.s1 AS b ON a.t = b.t", "", "a.k HAVING COUNT(*) = 1 AND MIN(a.t) = 'a'", "c.t = 'b'", NONE),
        ("JOIN raw.s1 AS b ON a.t = b.t", "", "a.k HAVING COUNT(*) > 1 AND MIN(b.t) = 'a'", "c.t = 'a'", ALL),
    ],
)
def test_q14_what_is_taken_of_another_row_of_the_group_met_the_same(
    join: str, where: str, by: str, asked: str, expected: set[str]
) -> None:
    made = GROUPED.format(join=join, where=where, by=by)
    check(f"SELECT c.k, c.t, c.v, c.w FROM ({made}) AS c WHERE {asked}", expected, ONLY_C)


def test_q14_each_aggregation_has_a_row_of_its_own() -> None:
    """The least T and the greatest K are those of two rows, of which none has both."""
    made = (
        "SELECT MIN(a.t) AS t, MAX(a.k) AS k, MAX(a.v) AS v, MIN(a.w) AS w FROM raw.s1 AS a "
        "WHERE a.t = 'a' AND a.k = 0 OR a.t = 'b' AND a.k = 1 GROUP BY a.t IS NULL"
    )
    check(f"SELECT c.k, c.t, c.v, c.w FROM ({made}) AS c WHERE c.t = 'a' AND c.k = 1", ALL)


@pytest.mark.parametrize(
    ("window", "where", "asked", "expected"),
    [
        ("PARTITION BY s.k", "WHERE s.t <> 'a'", "c.t = 'a'", NONE),
        ("PARTITION BY s.k", "WHERE s.t <> 'a'", "c.t = 'b'", ALL),
        ("PARTITION BY s.k", "WHERE s.t <> 'a' OR s.k = 1", "c.t = 'a' AND c.k = 2", NONE),
        ("PARTITION BY s.t", "WHERE s.t = 'a' AND s.k = 1 OR s.t = 'b'", "c.k = 2", ALL),
        ("", "WHERE s.t = 'a' AND s.k = 1 OR s.t = 'b' AND s.k = 2", "c.t = 'a' AND c.k = 2", NONE),
    ],
)
def test_q16_the_row_that_takes_a_value_met_the_same(window: str, where: str, asked: str, expected: set[str]) -> None:
    made = f"SELECT s.k, s.t, LAG(s.v) OVER ({window} ORDER BY s.w) AS v, s.w FROM raw.s1 AS s {where}"
    check(f"SELECT * FROM ({made}) AS c WHERE {asked}", expected)
