"""Every kind of operation over random bags with NULLs and copies, against DuckDB.

Rows that a trace calls exact equal those of a query annotated by hand with row ids, in their roles; no row is lost
(rule T40), and what was found gives the row again (rule T39).
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from row_bags import Lineage, bags, frames, lost, not_given, plain, run, traced

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
EXAMPLES = int(os.environ.get("MDW_EXAMPLES", "1"))

# A query; the same annotated: a row of the result, then source, row id, whether it gives a value; what a second run
# needs whole; whether only deletion of rows can be compared.
EXACT = {
    "filter, T21": (
        "SELECT k, v + 1 AS x FROM r WHERE w > 1",
        "SELECT k, v + 1, 'r', rowid, TRUE FROM r WHERE w > 1",
        "",
    ),
    "case takes one arm, T3": (
        "SELECT CASE WHEN s.v = 1 THEN s.k ELSE t.w END AS x FROM s JOIN t ON s.k = t.k",
        """WITH j AS (SELECT s.v = 1 AS one, s.k, w, s.rowid AS a, t.rowid AS b FROM s JOIN t ON s.k = t.k),
          o AS (SELECT *, CASE WHEN one THEN k ELSE w END AS x FROM j)
        SELECT x, 's', a, one IS TRUE AND x IS NOT NULL FROM o
        UNION ALL SELECT x, 't', b, one IS NOT TRUE AND x IS NOT NULL FROM o""",
        "",
    ),
    "coalesce, T3": (
        "SELECT coalesce(s.v, t.w, 9) AS x FROM s JOIN t ON s.k = t.k",
        """WITH j AS (SELECT coalesce(v, w, 9) AS x, v, w, s.rowid AS a, t.rowid AS b FROM s JOIN t ON s.k = t.k)
        SELECT x, 's', a, v IS NOT NULL FROM j UNION ALL SELECT x, 't', b, v IS NULL AND w IS NOT NULL FROM j""",
        "",
    ),
    "inner join, T23": (
        "SELECT r.k, r.v, t.w FROM r JOIN t ON r.k = t.k AND r.v <= t.w",
        """WITH j AS (SELECT r.k, r.v, t.w, r.rowid AS a, t.rowid AS b FROM r JOIN t ON r.k = t.k AND r.v <= t.w)
        SELECT k, v, w, 'r', a, TRUE FROM j UNION ALL SELECT k, v, w, 't', b, TRUE FROM j""",
        "",
    ),
    "left join, T23": (
        "SELECT s.v, t.w FROM s LEFT JOIN t ON s.k = t.k",
        """WITH j AS (SELECT s.v, t.w, s.rowid AS a, t.rowid AS b FROM s LEFT JOIN t ON s.k = t.k)
        SELECT v, w, 's', a, TRUE FROM j UNION ALL SELECT v, w, 't', b, TRUE FROM j WHERE b IS NOT NULL""",
        "",
    ),
    "full join, T23": (
        "SELECT s.v, t.w FROM s FULL JOIN t ON s.k = t.k",
        """WITH j AS (SELECT s.v, t.w, s.rowid AS a, t.rowid AS b FROM s FULL JOIN t ON s.k = t.k)
        SELECT v, w, 's', a, TRUE FROM j WHERE a IS NOT NULL
        UNION ALL SELECT v, w, 't', b, TRUE FROM j WHERE b IS NOT NULL""",
        "",
    ),
    "exists, T23": (
        "SELECT k, v FROM s WHERE EXISTS (SELECT 1 FROM t WHERE t.k = s.k AND t.w > 1)",
        """WITH j AS (SELECT s.k, s.v, s.rowid AS a, t.rowid AS b FROM s JOIN t ON t.k = s.k AND t.w > 1)
        SELECT k, v, 's', a, TRUE FROM j UNION ALL SELECT k, v, 't', b, FALSE FROM j""",
        "",
    ),
    "in or, T23": (
        "SELECT k, v FROM s WHERE k IN (SELECT k FROM t) OR v = 1",
        """WITH o AS (SELECT s.k, s.v, s.rowid AS a FROM s WHERE k IN (SELECT k FROM t) OR v = 1)
        SELECT k, v, 's', a, TRUE FROM o UNION ALL SELECT o.k, v, 't', t.rowid, FALSE FROM o JOIN t ON o.k = t.k""",
        "",
    ),
    "not exists, T23": (
        "SELECT k, v FROM s WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.k = s.k)",
        "SELECT k, v, 's', rowid, TRUE FROM s WHERE NOT EXISTS (SELECT 1 FROM t WHERE t.k = s.k)",
        "t",
    ),
    "not in with nulls, T23": (
        "SELECT k, v FROM s WHERE k NOT IN (SELECT w FROM t WHERE t.k = 1)",
        "SELECT k, v, 's', rowid, TRUE FROM s WHERE k NOT IN (SELECT w FROM t WHERE t.k = 1)",
        "t",
    ),
    "scalar subqueries, T24": (
        "SELECT s.k, (SELECT MAX(w) FROM t WHERE t.k = s.k) AS m FROM s WHERE s.v >= (SELECT MIN(v) FROM r)",
        """WITH o AS (SELECT s.k, s.rowid AS a, (SELECT MAX(w) FROM t WHERE t.k = s.k) AS m FROM s
          WHERE s.v >= (SELECT MIN(v) FROM r))
        SELECT k, m, 's', a, TRUE FROM o UNION ALL SELECT o.k, m, 't', t.rowid, w IS NOT DISTINCT FROM m
          AND w IS NOT NULL
          FROM o JOIN t ON o.k = t.k
        UNION ALL SELECT o.k, m, 'r', r.rowid, FALSE FROM o, r""",
        "",
    ),
    "sum, count and hidden key, T25": (
        "SELECT SUM(v) AS x, COUNT(*) AS n FROM r GROUP BY k",
        """WITH o AS (SELECT k, SUM(v) AS x, COUNT(*) AS n FROM r GROUP BY k)
        SELECT x, n, 'r', r.rowid, v IS NOT NULL FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "min and max, having, T25": (
        "SELECT k, MIN(v) AS a, MAX(w) AS b FROM r GROUP BY k HAVING COUNT(v) >= 1",
        """WITH o AS (SELECT k, MIN(v) AS a, MAX(w) AS b FROM r GROUP BY k HAVING COUNT(v) >= 1)
        SELECT o.k, a, b, 'r', r.rowid, TRUE FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "max alone decides by the others, T3": (
        "SELECT MAX(v) AS a FROM r GROUP BY k",
        """WITH o AS (SELECT k, MAX(v) AS a FROM r GROUP BY k)
        SELECT a, 'r', r.rowid, v = a FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "sum of case, T3": (
        "SELECT SUM(CASE WHEN w = 1 THEN v ELSE 0 END) AS x FROM r GROUP BY k",
        """WITH o AS (SELECT k, SUM(CASE WHEN w = 1 THEN v ELSE 0 END) AS x FROM r GROUP BY k)
        SELECT x, 'r', r.rowid, w = 1 AND v IS NOT NULL FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "grand total, T5": (
        "SELECT COUNT(*) AS n, SUM(v) AS x FROM s WHERE k > 5",
        "SELECT 0, NULL, 's', 0, TRUE WHERE FALSE",
        "s",
    ),
    "distinct and a filtered aggregate, T27": (
        "SELECT COUNT(DISTINCT v) AS n, SUM(w) FILTER (WHERE v = 1) AS x FROM (SELECT DISTINCT k, v, w "
        "FROM r) GROUP BY k",
        """WITH d AS (SELECT DISTINCT k, v, w FROM r),
          o AS (SELECT k, COUNT(DISTINCT v) AS n, SUM(w) FILTER (WHERE v = 1) AS x FROM d GROUP BY k)
        SELECT n, x, 'r', r.rowid, v = 1 AND w IS NOT NULL FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "union all, T27": (
        "SELECT k, v FROM s UNION ALL SELECT k, w FROM t WHERE w > 1",
        "SELECT k, v, 's', rowid, TRUE FROM s UNION ALL SELECT k, w, 't', rowid, TRUE FROM t WHERE w > 1",
        "",
    ),
    "union, T27": (
        "SELECT k FROM s UNION SELECT k FROM t",
        "SELECT k, 's', rowid, TRUE FROM s UNION ALL SELECT k, 't', rowid, TRUE FROM t",
        "",
    ),
    "intersect, T27": (
        "SELECT k, v FROM s INTERSECT SELECT k, w FROM t",
        """WITH j AS (SELECT s.k, s.v, s.rowid AS a, t.rowid AS b FROM s JOIN t
          ON s.k IS NOT DISTINCT FROM t.k AND s.v IS NOT DISTINCT FROM t.w)
        SELECT k, v, 's', a, TRUE FROM j UNION ALL SELECT k, v, 't', b, FALSE FROM j""",
        "",
    ),
    "except, T27": (
        "SELECT k, v FROM s EXCEPT SELECT k, w FROM t",
        """SELECT k, v, 's', rowid, TRUE FROM s WHERE NOT EXISTS (SELECT 1 FROM t
          WHERE s.k IS NOT DISTINCT FROM t.k AND s.v IS NOT DISTINCT FROM t.w)""",
        "t",
    ),
    "windows over whole partitions, T28": (
        "SELECT v, SUM(w) OVER (PARTITION BY k) AS x, COUNT(*) OVER (PARTITION BY k) AS n FROM r",
        """WITH o AS (SELECT k, v, w, rowid AS a, SUM(w) OVER (PARTITION BY k) AS x, COUNT(*) OVER
          (PARTITION BY k) AS n FROM r)
        SELECT o.v, x, n, 'r', r.rowid, r.w IS NOT NULL OR (r.k, r.v, r.w) IS NOT DISTINCT FROM (o.k, o.v, o.w)
        FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "running sum, T28": (
        "SELECT w, SUM(v) OVER (PARTITION BY k ORDER BY w) AS x FROM (SELECT k, v, w FROM r WHERE w IS NOT NULL)",
        """WITH o AS (SELECT k, v, w, SUM(v) OVER (PARTITION BY k ORDER BY w) AS x FROM r WHERE w IS NOT NULL)
        SELECT o.w, x, 'r', r.rowid, (r.w <= o.w AND r.v IS NOT NULL) OR (r.v, r.w) IS NOT DISTINCT FROM (o.v, o.w)
        FROM o JOIN r ON o.k IS NOT DISTINCT FROM r.k AND r.w IS NOT NULL""",
        "",
    ),
    "lag and first over a total order, T28": (
        """SELECT v, LAG(v) OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) AS a,
        RANK() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) AS n FROM (SELECT k, v FROM s)""",
        """WITH d AS (SELECT k, v, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) AS i,
            RANK() OVER (PARTITION BY k ORDER BY v DESC NULLS LAST) AS n FROM s),
          o AS (SELECT d.k, d.v, e.v AS a, d.n, e.i AS j FROM d LEFT JOIN d e ON d.k IS NOT DISTINCT FROM
            e.k AND e.i = d.i - 1)
        SELECT o.v, a, n, 's', s.rowid, s.v IS NOT DISTINCT FROM o.v OR (j IS NOT NULL AND s.v IS NOT DISTINCT FROM a)
        FROM o JOIN s ON o.k IS NOT DISTINCT FROM s.k""",
        "",
    ),
    "rollup, T26": (
        "SELECT k, v, SUM(w) AS x FROM r GROUP BY ROLLUP (k, v)",
        """WITH g AS (SELECT k, v, 0 AS g, w, rowid AS a FROM r UNION ALL SELECT k, NULL, 1, w, rowid FROM r
            UNION ALL SELECT NULL, NULL, 3, w, rowid FROM r),
          o AS (SELECT k, v, g, SUM(w) AS x FROM g GROUP BY k, v, g)
        SELECT o.k, o.v, x, 'r', a, w IS NOT NULL OR o.g < 3 FROM o JOIN g
          ON o.g = g.g AND o.k IS NOT DISTINCT FROM g.k AND o.v IS NOT DISTINCT FROM g.v""",
        "",
    ),
    "grouping sets and cube, T26": (
        "SELECT SUM(w) AS x FROM r GROUP BY GROUPING SETS ((k), ())",
        """WITH o AS (SELECT k, 0 AS g, SUM(w) AS x FROM r GROUP BY k UNION ALL SELECT NULL, 1, SUM(w) FROM r)
        SELECT x, 'r', r.rowid, w IS NOT NULL FROM o JOIN r ON o.g = 1 OR o.k IS NOT DISTINCT FROM r.k""",
        "",
    ),
    "cte read twice, self join, T1": (
        "WITH c AS (SELECT k, COUNT(*) AS n FROM s GROUP BY k) SELECT x.k, y.n FROM c x JOIN c y ON x.k = y.n",
        """WITH c AS (SELECT k, COUNT(*) AS n FROM s GROUP BY k), o AS (SELECT x.k, y.n, y.k AS j FROM c x
          JOIN c y ON x.k = y.n)
        SELECT o.k, n, 's', s.rowid, TRUE FROM o JOIN s ON o.k = s.k
        UNION ALL SELECT o.k, n, 's', s.rowid, FALSE FROM o JOIN s ON o.j IS NOT DISTINCT FROM s.k""",
        "",
    ),
    "aggregates of aggregates, T25": (
        "SELECT n, MAX(x) AS m FROM (SELECT k, COUNT(*) AS n, SUM(v) AS x FROM s GROUP BY k) GROUP BY n",
        """WITH i AS (SELECT k, COUNT(*) AS n, SUM(v) AS x FROM s GROUP BY k), o AS (SELECT n, MAX(x) AS m
          FROM i GROUP BY n)
        SELECT o.n, m, 's', s.rowid, x = m AND v IS NOT NULL FROM o JOIN i ON o.n = i.n
          JOIN s ON s.k IS NOT DISTINCT FROM i.k""",
        "",
    ),
}

# Two dialects, or rules that keep rows which may have taken part: no row is lost.
KEPT = {
    "pivot, T26": (
        "SELECT * FROM (SELECT k, v, w FROM r) PIVOT (SUM(v) FOR w IN (1, 2))",
        "SELECT k, SUM(v) FILTER (WHERE w = 1) AS a, SUM(v) FILTER (WHERE w = 2) AS b FROM r GROUP BY k",
        "exact",
    ),
    "unpivot, T26": (
        "SELECT k, x FROM r UNPIVOT (x FOR n IN (v, w))",
        "SELECT k, v FROM r WHERE v IS NOT NULL UNION ALL SELECT k, w FROM r WHERE w IS NOT NULL",
        "exact",
    ),
    "explode, T22": (
        "SELECT k, x FROM s LATERAL VIEW explode(array(k, v)) AS x",
        "SELECT k, unnest([k, v]) FROM s",
        "exact",
    ),
    "explode outer, T22": (
        "SELECT k, x FROM s LATERAL VIEW OUTER explode(CASE WHEN v = 1 THEN array(v, 7) END) AS x",
        "SELECT k, unnest(CASE WHEN v = 1 THEN [v, 7] ELSE [NULL] END) FROM s",
        "exact",
    ),
    "intersect all, T27": (
        "SELECT k FROM s INTERSECT ALL SELECT k FROM t",
        "SELECT k FROM s INTERSECT ALL SELECT k FROM t",
        "at most",
    ),
    "except all, T27": (
        "SELECT k FROM s EXCEPT ALL SELECT k FROM t",
        "SELECT k FROM s EXCEPT ALL SELECT k FROM t",
        "at most",
    ),
    "limit on top, T29": (
        "SELECT k, v, w FROM r ORDER BY k NULLS LAST, v NULLS LAST, w NULLS LAST LIMIT 3",
        "SELECT k, v, w FROM r ORDER BY k NULLS LAST, v NULLS LAST, w NULLS LAST LIMIT 3",
        "at most",
    ),
    "limit below, T29": (
        "SELECT s.v, x.w FROM s LEFT JOIN (SELECT k, w FROM t ORDER BY k NULLS LAST, w NULLS LAST LIMIT "
        "2) x ON s.k = x.k",
        "SELECT s.v, x.w FROM s LEFT JOIN (SELECT k, w FROM t ORDER BY k NULLS LAST, w NULLS LAST LIMIT "
        "2) x ON s.k = x.k",
        "at most",
    ),
    "row number over ties, T7": (
        "SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v) AS n FROM r) WHERE n = 1",
        "SELECT k, MIN(v) FROM r GROUP BY k HAVING COUNT(*) = COUNT(v) UNION ALL "
        "SELECT k, NULL FROM r GROUP BY k HAVING COUNT(*) > COUNT(v)",
        "at most",
    ),
    "other frames, T28": (
        "SELECT v, SUM(v) OVER (PARTITION BY k ORDER BY v ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS "
        "x FROM (SELECT k, v FROM s)",
        "SELECT v, SUM(v) OVER (PARTITION BY k ORDER BY v NULLS FIRST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM s",
        "at most",
    ),
    "average of floats, T7": (
        "SELECT k, AVG(v) AS x FROM s GROUP BY k",
        "SELECT k, AVG(v) AS x FROM s GROUP BY k",
        "exact",
    ),
    "lateral join, T23": (
        "SELECT s.v, x.w FROM s, LATERAL (SELECT w FROM t WHERE t.k = s.k) AS x",
        "SELECT s.v, t.w FROM s JOIN t ON s.k = t.k",
        "exact",
    ),
    "subqueries in subqueries, T23": (
        "SELECT k, v FROM s WHERE EXISTS "
        "(SELECT 1 FROM r WHERE r.k = s.k AND r.v IN (SELECT w FROM t WHERE t.k = r.w))",
        "SELECT s.k, s.v FROM s WHERE EXISTS (SELECT 1 FROM r JOIN t ON r.v = t.w AND t.k = r.w WHERE r.k = s.k)",
        "exact",
    ),
    "count of nothing, T24": (
        "SELECT k, (SELECT COUNT(*) FROM t WHERE t.k = s.k) AS n FROM s",
        "SELECT k, (SELECT COUNT(*) FROM t WHERE t.k = s.k) AS n FROM s",
        "exact",
    ),
    "natural full join, T23": (
        "SELECT k, v, w FROM s FULL JOIN t USING (k)",
        "SELECT k, v, w FROM s FULL JOIN t USING (k)",
        "exact",
    ),
}


@pytest.mark.parametrize("example", range(EXAMPLES))
@pytest.mark.parametrize("kind", EXACT)
def test_exact_rows_are_those_of_the_annotated_query(
    spark: SparkSession, tmp_path: Path, kind: str, example: int
) -> None:
    query, annotated, whole = EXACT[kind]
    some = bags(Random(f"{kind} {example}"))
    sources = frames(spark, tmp_path, some)
    found = traced(spark.sql(query), sources)
    assert (set(found.accuracy.values()), found.unread) == ({"exact"}, [])
    expected: Lineage = {}
    for *row, source, place, value in run(annotated, some):
        key = tuple(row), source, int(place)
        expected[key] = "value" if value or expected.get(key) == "value" else "decides"
    assert found.lineage == expected
    if "window" not in kind and "rank" not in query.lower():
        assert not_given(query, some, found, whole.split()) == []
    if "HAVING" not in query and "(SELECT" not in query:
        assert lost(query, some, found) == []


@pytest.mark.parametrize("example", range(EXAMPLES))
@pytest.mark.parametrize("kind", KEPT)
def test_no_row_is_lost(spark: SparkSession, tmp_path: Path, kind: str, example: int) -> None:
    query, same, accuracy = KEPT[kind]
    some = bags(Random(f"{kind} {example}"))
    sources = frames(spark, tmp_path, some)
    found = traced(spark.sql(query), sources)
    assert (min(found.accuracy.values()), found.unread) == (accuracy, [])
    assert {plain(row) for row in spark.sql(query).collect()} == set(run(same, some))
    assert lost(same, some, found) == []


# What the rows asked for tell of rows below: their keys, where they are shown.
TOLD = {
    "keys shown": ("SELECT k, SUM(v) AS x FROM r GROUP BY k HAVING COUNT(*) > 0", "k = 1"),
    "key is null": ("SELECT SUM(v) AS x, k FROM r GROUP BY k", "k IS NULL"),
    "one key of two": ("SELECT k, MAX(w) AS x FROM r GROUP BY k, v", "k = 2"),
    "behind a join": (
        "SELECT k, n, v FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) RIGHT JOIN s USING (k)",
        "v = 1",
    ),
    "through a full join": (
        "SELECT a.k, a.n, b.m FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k) a "
        "FULL JOIN (SELECT v, COUNT(*) AS m FROM s GROUP BY v) b ON a.k = b.v",
        "k = 1 OR k IS NULL",
    ),
    "of two branches": (
        "SELECT k, COUNT(*) AS n FROM s GROUP BY k UNION ALL SELECT k, COUNT(w) FROM t GROUP BY k",
        "k = 1",
    ),
    "of a partition": ("SELECT k, v, SUM(w) OVER (PARTITION BY k) AS x FROM r", "k = 2"),
    "of a rollup": ("SELECT k, v, COUNT(*) AS n FROM r GROUP BY ROLLUP (k, v)", "k = 1"),
    "computed": ("SELECT k + 1 AS k, n FROM (SELECT k, COUNT(*) AS n FROM r GROUP BY k)", "k = 2"),
    "of sums of sums": ("SELECT x, COUNT(*) AS n FROM (SELECT k, SUM(v) AS x FROM s GROUP BY k) GROUP BY x", "n = 1"),
}


@pytest.mark.parametrize("example", range(EXAMPLES))
@pytest.mark.parametrize("kind", TOLD)
def test_what_rows_tell_makes_no_difference(spark: SparkSession, tmp_path: Path, kind: str, example: int) -> None:
    query, condition = TOLD[kind]
    some = bags(Random(f"{kind} {example}"))
    sources = frames(spark, tmp_path, some)
    frame = spark.sql(query)
    everything, asked = traced(frame, sources), traced(frame, sources, only=condition)
    rows = {asked.about(plain(row)) for row in frame.where(condition).collect()}
    expected: Lineage = {}
    for (row, name, place), role in everything.lineage.items():
        key = asked.about(row), name, place
        if key[0] in rows and (role == "value" or key not in expected):
            expected[key] = role
    assert asked.lineage == expected
