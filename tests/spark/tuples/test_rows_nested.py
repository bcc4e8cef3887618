"""Queries made of queries at random: no row is lost (T40), what was found gives the row (T39), keys change nothing.

`MDW_EXAMPLES=20 pytest tests/spark/tuples/test_rows_nested.py` tries twenty times as many.
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
EXAMPLES = 5 * int(os.environ.get("MDW_EXAMPLES", "1"))
TABLES = ("SELECT k, v FROM s", "SELECT k, w AS v FROM t", "SELECT k, v FROM r WHERE w IS NOT NULL")
ONE = (
    "SELECT k, v FROM ({a}) x WHERE k > 1 OR k IS NULL",
    "SELECT k, CASE WHEN k = 1 THEN v WHEN k IS NULL THEN 7 ELSE k END AS v FROM ({a}) x",
    "SELECT k, coalesce(v, k, 0) AS v FROM ({a}) x",
    "SELECT c.k, d.v FROM ({a}) c JOIN ({a}) d ON c.k = d.k",
)
GROUPED = (
    "SELECT k, CAST(SUM(v) AS INT) AS v FROM ({a}) x GROUP BY k",
    "SELECT k, MAX(v) AS v FROM ({a}) x GROUP BY k",
    "SELECT k, CAST(COUNT(v) AS INT) AS v FROM ({a}) x GROUP BY k",
    "SELECT k, CAST(SUM(v) OVER (PARTITION BY k) AS INT) AS v FROM ({a}) x",
    "SELECT k, CAST(COUNT(*) OVER (PARTITION BY k ORDER BY k) AS INT) AS v FROM ({a}) x",
)
BOTH = (
    "SELECT a.k, b.v FROM ({a}) a JOIN ({b}) b ON a.k = b.k",
    "SELECT k, v FROM ({a}) a WHERE EXISTS (SELECT 1 FROM ({b}) b WHERE b.k = a.k)",
    "SELECT k, v FROM ({a}) x UNION ALL SELECT k, v FROM ({b}) y",
)
ABSENT = (
    "SELECT a.k, b.v FROM ({a}) a LEFT JOIN ({b}) b ON a.k = b.k",
    "SELECT coalesce(a.k, b.k) AS k, coalesce(b.v, a.v) AS v FROM ({a}) a FULL JOIN ({b}) b ON a.k = b.k",
    "SELECT k, v FROM ({a}) a WHERE NOT EXISTS (SELECT 1 FROM ({b}) b WHERE b.k = a.k AND b.k < 3)",
    "SELECT k, v FROM ({a}) a WHERE k NOT IN (SELECT k FROM ({b}) b WHERE b.k = 1) OR k = 2",
    "SELECT k, (SELECT MAX(v) FROM ({b}) b WHERE b.k = a.k) AS v FROM ({a}) a",
)
SETS = (
    "SELECT DISTINCT k, v FROM ({a}) x",
    "SELECT k, v FROM ({a}) x UNION SELECT k, v FROM ({b}) y",
    "SELECT k, v FROM ({a}) x INTERSECT SELECT k, v FROM ({b}) y",
)


def nested(random: Random, depth: int) -> tuple[str, bool, bool]:
    """A query over k and v; whether it computes values of groups, and whether rows decide by not being there."""
    if depth == 0:
        return random.choice(TABLES), False, False
    (a, grouped_a, absent_a), (b, grouped_b, absent_b) = (
        nested(random, depth - 1),
        nested(random, random.randint(0, depth - 1)),
    )
    # Values of groups are not compared: rule T40 says nothing then.
    pool = [*ONE, *GROUPED, *BOTH, *ABSENT, *(() if grouped_a or grouped_b else SETS)]
    form = random.choice(pool)
    uses_b = "{b}" in form
    grouped = grouped_a or form in GROUPED or "MAX" in form or (uses_b and grouped_b)
    return form.format(a=a, b=b), grouped, absent_a or form in ABSENT or (uses_b and absent_b)


@pytest.mark.parametrize("example", range(EXAMPLES))
def test_queries_made_of_queries(spark: SparkSession, tmp_path: Path, example: int) -> None:
    random = Random(f"nested {example}")
    query, grouped, absent = nested(random, random.choice([2, 3]))
    some = bags(random)
    sources, frame = frames(spark, tmp_path, some), spark.sql(query)
    found, rows = traced(frame, sources), run(query, some)
    assert (set(found.accuracy.values()), found.unread) == ({"exact"}, [])
    assert {found.about(row) for row in rows} == {about for about, _, _ in found.lineage}, query
    if not (grouped and absent):
        assert lost(query, some, found) == [], query
    if not absent:
        assert not_given(query, some, found, ()) == [], query
    for row in sorted(set(rows), key=str)[:1]:
        k, v = ("NULL" if one is None else int(one) for one in row)
        condition = f"k <=> {k} AND v <=> {v}"
        asked = traced(frame, sources, only=condition)
        expected: Lineage = {}
        for (about, name, place), role in found.lineage.items():
            key = asked.about(about), name, place
            if about == plain(row) and (role == "value" or key not in expected):
                expected[key] = role
        assert asked.lineage == expected, query
