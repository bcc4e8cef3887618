"""Rows of a pipeline traced by what is declared of it, against running the pipeline once.

Claims: of E25 over functions of pandas frames, a dispatcher bisected by batches takes at most 2 times running it once,
and neighbours traced as one less than step by step. Finding the row that is asked for counts: a run of its own.

Needs the extra ``spark``, Java 17 or what that extra brings, 6 GB of memory and about 5 minutes.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from measuring import Measure, alternating, arguments, report

# isort: split
from sales import OF_ITEMS, OF_ORDERS, OF_PRODUCTS, PRODUCTS, SALES, declared, many_orders, split

from mdw.spark.session import session  # isort: skip
from mdw.spark.tuples import Pipeline, Transformation  # isort: skip
from mdw.tracing import dispatcher  # isort: skip

if TYPE_CHECKING:
    import pandas as pd
    from pyspark.sql import DataFrame, SparkSession


def data(spark: SparkSession, folder: Path, orders: int) -> dict[str, DataFrame]:
    """Orders and products in Parquet; the products that orders name."""
    since, until = PRODUCTS[1][4], PRODUCTS[0][5]
    more = [(n, f"product {n % 101}", "computer", 100 + n % 50, since, until) for n in range(1000, 1997)]
    made = {
        "orders": spark.createDataFrame(many_orders(orders), OF_ORDERS).repartition(4),
        "products": spark.createDataFrame([*PRODUCTS, *more], OF_PRODUCTS).coalesce(1),
    }
    for name, frame in made.items():
        frame.write.parquet(str(folder / name))
    return {name: spark.read.parquet(str(folder / name)) for name in made}


def halved() -> Pipeline:
    """Two dispatchers of pandas frames, which may be traced as one."""

    def doubled(items: pd.DataFrame) -> pd.DataFrame:
        return items.assign(quantity=items["quantity"] * 2)

    return Pipeline(
        Transformation("items", split, reads="orders", properties=[dispatcher()], pandas=True, schema=OF_ITEMS),
        Transformation("twice", doubled, reads="items", properties=[dispatcher()], pandas=True, schema=OF_ITEMS),
    )


def run(pipeline: Pipeline, name: str, given: dict[str, DataFrame]) -> int:
    """The pipeline once, every row looked at."""
    pipeline.frame(name, given).write.format("noop").mode("overwrite").save()
    return 0


def traced(pipeline: Pipeline, name: str, when: str, given: dict[str, DataFrame], *, combine: bool = True) -> int:
    """The rows of all sources; how many they are."""
    found = pipeline.trace(name, when, given, combine=combine)
    assert all(set(source.accuracy.values()) == {"exact"} for source in found.sources)
    return sum(source.frame.count() for source in found.sources)


def main() -> None:
    options = arguments(__doc__, orders=(int, 400_000, "orders"))
    with TemporaryDirectory() as temporary, session("local[2]", memory="3g") as spark:
        given = data(spark, Path(temporary), options.orders)
        pipeline, pandas = declared(), halved()
        of_row = "order_id = '0000005' AND prod_id = 222"
        (once, _), (bisected, rows) = alternating(
            lambda: run(pandas, "items", given),
            lambda: traced(pandas, "items", of_row, given),
            repeat=options.repeat,
        )
        (twice, _), (merged, _), (steps, _) = alternating(
            lambda: run(pandas, "twice", given),
            lambda: traced(pandas, "twice", of_row, given),
            lambda: traced(pandas, "twice", of_row, given, combine=False),
            repeat=options.repeat,
        )
        (whole, _), (one, sources) = alternating(
            lambda: run(pipeline, "sales", given),
            lambda: traced(pipeline, "quarters", SALES, given),
            repeat=options.repeat,
        )
    measures = [
        Measure("a dispatcher of pandas frames run", once, f"{options.orders} orders"),
        Measure("a row of it traced by batches", bisected, f"{rows} rows", bisected / once, 2, "run"),
        Measure("two dispatchers run", twice),
        Measure("a row traced, merged", merged, "", merged / steps, 1, "step by step"),
        Measure("a row traced step by step", steps, "", steps / twice, None, "run"),
        Measure("E25 run", whole),
        Measure("a row of its quarters traced by keys", one, f"{sources} source rows", one / whole, None, "run"),
    ]
    report("Rows of pipelines traced, two executors on one machine", measures, options.json)


if __name__ == "__main__":
    main()
