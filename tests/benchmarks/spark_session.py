"""Thirty different queries one after the other in one Spark session: as fast at the end as at the beginning.

Java compiles code for each of them; where it has no room left for code it compiles nothing any more. Each third has the
same ten shapes with other constants and columns. Claim: the last ten take at most 1.1 times as long as the first ten.

Needs the extra ``spark``, Java 17 or what that extra brings, 4 GB of memory and about 5 minutes.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from measuring import Measure, arguments, report

# isort: split
from pyspark.sql import functions as f

from mdw.spark.session import session  # isort: skip

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WORKERS = 2
WARM = 3
"""Queries before the first that counts: what all of them share is compiled then."""
COLUMNS = 60
SHAPES = 10
OPERATORS = (
    "{0} + {1} + {2}",
    "{0} * {1} % {2}",
    "abs({0} - {1} - {2})",
    "greatest({0}, {1}, {2})",
    "coalesce({0}, {1}) - {2}",
    "{0} ^ {1} ^ {2}",
)


def query(spark: SparkSession, number: int, rows: int) -> DataFrame:
    """A query of one of ten shapes with constants of its own: columns made of columns, sums, joined and sorted."""
    shape, constant = number % SHAPES, number + 90
    table = spark.range(rows).selectExpr("id", "id % 97 AS k", *(f"id % {2 + n} AS c{n}" for n in range(4)))
    for column in range(4, COLUMNS):
        form = OPERATORS[(shape * column + column // 3) % len(OPERATORS)]
        left, right = (shape + column) % column, (shape * 3 + 1) % column
        table = table.withColumn(f"c{column}", f.expr(form.format(f"c{left}", f"c{right}", constant + column)))
    sums = table.groupBy("k").agg(*(f.sum(f"c{n}").alias(f"s{number}_{n}") for n in range(4, COLUMNS)))
    most = f.max(f"s{number}_{4 + shape}").alias("most")
    return table.join(sums, "k").groupBy("c1", "c2").agg(most, f.count("*").alias("rows")).sort("rows")


def seconds(spark: SparkSession, number: int, rows: int) -> float:
    """How long one query takes."""
    start = perf_counter()
    query(spark, number, rows).collect()
    return perf_counter() - start


def code(spark: SparkSession) -> str:
    """How much of the room for compiled code is taken, in megabytes."""
    pools = spark._jvm.java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
    usages = [pool.getUsage() for pool in pools if pool.getName().startswith("Code")]
    used, most = (sum(counts) >> 20 for counts in zip(*((one.getUsed(), one.getMax()) for one in usages), strict=True))
    return f"{used} of {most} MB of compiled code"


def main() -> None:
    options = arguments(__doc__, queries=(int, 30, "queries"), rows=(int, 200_000, "rows each of them reads"))
    with session(f"local[{WORKERS}]") as spark:
        for number in range(WARM):
            seconds(spark, options.queries + number, options.rows)
        begun = code(spark)
        taken = [seconds(spark, number, options.rows) for number in range(options.queries)]
        ended = code(spark)
    third = options.queries // 3
    first, last = sum(taken[:third]), sum(taken[-third:])
    measures = [
        Measure(f"the first {third} queries", first, f"before them {begun}"),
        Measure(f"the {third} in the middle", sum(taken[third : 2 * third])),
        Measure(f"the last {third} queries", last, "", last / first, 1.1, f"the first; then {ended}"),
    ]
    report("A long session of Spark", measures, options.json)


if __name__ == "__main__":
    main()
