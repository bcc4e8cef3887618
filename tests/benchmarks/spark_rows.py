"""Rows of a pipeline traced to its sources, against running the pipeline once on the same data.

Claims: the rows that one known row was made of, through split, join, amounts per quarter and a test of averages, at
most 1.5 times the run; of 100 rows at most 2.5 times. To look for the rows is another run at most.

Needs the extra ``spark``, Java 17 or what that extra brings, 4 GB of memory and about 5 minutes.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from measuring import Measure, alternating, arguments, report

# isort: split

from mdw.spark.session import session  # isort: skip
from mdw.spark.tuples import Trace, trace  # isort: skip

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PRODUCTS = """
SELECT 1 + id DIV 2 AS id, concat('product ', 1 + id DIV 2) AS name, if(id % 10 < 8, 'computer', 'phone') AS category,
  200 + id % 97 AS price,
  if(id % 2 = 0, DATE '1998-10-01', DATE '1999-07-01') AS first,
  if(id % 2 = 0, DATE '1999-06-30', DATE '9999-12-31') AS last
FROM range({products})
"""
ORDERS = """
SELECT lpad(id, 8, '0') AS no, date_add(DATE '1999-01-01', CAST(id % 365 AS INT)) AS day,
  concat_ws(',', transform(sequence(1, 1 + CAST(id % 3 AS INT)),
    x -> concat(1 + (id * 7919 + x * 104729) % {products}, '(', 1 + (id + x) % 9, ')'))) AS list
FROM range({orders})
"""
SALES = """
WITH items AS (
  SELECT day, CAST(split_part(item, '(', 1) AS INT) AS id, CAST(rtrim(')', split_part(item, '(', 2)) AS INT) AS n
  FROM orders LATERAL VIEW explode(split(list, ',')) AS item
),
sold AS (
  SELECT name, quarter(day) AS q, n * price AS amount
  FROM items JOIN products p ON items.id = p.id AND day BETWEEN first AND last WHERE category = 'computer'
),
quarters AS (
  SELECT name, SUM(CASE WHEN q = 1 THEN amount ELSE 0 END) AS q1, SUM(CASE WHEN q = 2 THEN amount ELSE 0 END) AS q2,
    SUM(CASE WHEN q = 3 THEN amount ELSE 0 END) AS q3, SUM(CASE WHEN q = 4 THEN amount ELSE 0 END) AS q4
  FROM sold GROUP BY name
)
SELECT name AS prod_name, (q1 + q2 + q3) DIV 3 AS avg3, q4 FROM quarters WHERE q4 > (q1 + q2 + q3) DIV 6
"""


def sources(spark: SparkSession, folder: Path, orders: int, products: int) -> dict[str, DataFrame]:
    """The files that orders and products are read from."""
    found = {}
    for name, text in (("orders", ORDERS), ("products", PRODUCTS)):
        size = products * 2 if name == "products" else orders
        rows = spark.sql(text.replace("range({products})", f"range({size})").format(orders=orders, products=products))
        rows.write.parquet(str(folder / name))
        found[name] = spark.read.parquet(str(folder / name))
        found[name].createOrReplaceTempView(name)
    return found


def fetched(found: Trace) -> int:
    """How many rows of sources a trace names, all of them fetched."""
    return sum(len(one.frame.collect()) for one in found.sources)


def main() -> None:
    options = arguments(__doc__, orders=(int, 400_000, "orders"), products=(int, 1000, "products"))
    with TemporaryDirectory() as temporary, session("local[2]", memory="2g") as spark:
        found = sources(spark, Path(temporary), options.orders, options.products)
        some = [
            row["prod_name"] for row in spark.sql(SALES).select("prod_name").orderBy("prod_name").limit(100).collect()
        ]
        names = ", ".join(f"'{name}'" for name in some)
        conditions = f"prod_name = '{some[0]}'", f"prod_name IN ({names})"
        known = [[trace(spark.sql(SALES), one, sources=found) for _ in range(options.repeat)] for one in conditions]
        (run, rows), (one, of_one), (many, of_many), (found_one, _), (found_many, _) = alternating(
            lambda: len(spark.sql(SALES).collect()),  # anew: a frame keeps what its stages gave
            lambda: fetched(known[0].pop()),
            lambda: fetched(known[1].pop()),
            lambda: fetched(trace(spark.sql(SALES), conditions[0], sources=found)),
            lambda: fetched(trace(spark.sql(SALES), conditions[1], sources=found)),
            repeat=options.repeat,
        )
    measures = [
        Measure("the pipeline, run once", run, f"{options.orders} orders, {rows} rows"),
        Measure("the rows of one known row", one, "", one / run, 1.5, f"the run; {of_one} rows of sources"),
        Measure("the rows of 100 known rows", many, "", many / run, 2.5, f"the run; {of_many} rows of sources"),
        Measure("one row looked for, and its rows", found_one, "", found_one / run, None, "the run"),
        Measure("100 rows looked for, and their rows", found_many, "", found_many / run, None, "the run"),
    ]
    report("Rows traced through split, join, sums and a test, two cores", measures, options.json)


if __name__ == "__main__":
    main()
