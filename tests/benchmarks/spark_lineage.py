"""The lineage of all attributes on Spark with two executors, writing included, against one process and against joins.

Claims: passive at most 8 times the in-process sparse kernel and at least 5 times as fast as iterative joins (on a
smaller warehouse, both measured there); active at least 1.3 times as fast as in process with one, both to Parquet.

Needs the extra ``spark``, Java 17 or what that extra brings, 12 GB of memory and about 20 minutes.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from measuring import Measure, arguments, best, report

# isort: split
import numpy as np
from all import steps_of
from pyspark.sql import functions as f

from generator import Shape, warehouse  # isort: skip
from mdw import Warehouse  # isort: skip
from mdw.lineage.everything.closure import Steps, sweep  # isort: skip
from mdw.render.parquet import write  # isort: skip
from mdw.spark.session import session  # isort: skip

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def joined(spark: SparkSession, steps: Steps, folder: Path) -> int:
    """The closure by joins, round by round, written to Parquet: how it is done without a kernel; pairs found."""
    pairs = np.unique(np.stack([steps.sources, steps.targets], axis=1), axis=0)
    path = str(folder / "steps")
    spark.createDataFrame(pairs, ["source", "target"]).write.parquet(path)
    step = spark.read.parquet(path).cache()
    ends = step.select("source").distinct().join(step.select(f.col("target").alias("source")), "source", "left_anti")
    fresh = step.join(ends, "source").select(f.col("target").alias("node"), f.col("source").alias("end")).distinct()
    fresh = fresh.localCheckpoint()
    reached = fresh
    while not fresh.isEmpty():
        on = fresh.join(step, fresh.node == step.source).select(f.col("target").alias("node"), "end").distinct()
        fresh = on.join(reached, ["node", "end"], "left_anti").localCheckpoint()
        reached = reached.union(fresh).localCheckpoint()
    reached.write.parquet(str(folder / "reached"))
    return int(spark.read.parquet(str(folder / "reached")).count())


def loaded(width: int, attributes: int) -> Warehouse:
    """A warehouse in memory, nothing left to be inferred."""
    found = Warehouse()
    shape = Shape(width=width, attributes=attributes)
    found.load("".join(warehouse(1, shape))).raise_for_errors()
    found.lineage(shape.asked)
    return found


def traced(spark: SparkSession, found: Warehouse, mode: str, folder: Path) -> tuple[float, str]:
    """Seconds of one run on Spark, and how evenly the work was shared out."""
    start = perf_counter()
    result = found.spark_lineage(spark, folder / mode, mode=mode)  # type: ignore[arg-type]
    text = f"{result.sources} sources, {len(result.shares)} shares, slowest {result.skew:.1f} times the median"
    return perf_counter() - start, text


def main() -> None:
    options = arguments(
        __doc__,
        width=(int, 357, "entities per layer"),
        attributes=(int, 37, "payload attributes of an entity"),
        narrow=(int, 100, "entities per layer where joins are measured"),
    )
    measures = []
    with TemporaryDirectory() as temporary, session("local[2]", memory="4g") as spark:
        folder = Path(temporary)
        with loaded(options.narrow, 1) as small:
            steps = steps_of(small)
            traced(spark, small, "passive", folder)
            on_spark, text = traced(spark, small, "passive", folder)
            start = perf_counter()
            pairs = joined(spark, steps, folder)
            joins = perf_counter() - start
            measures += [
                Measure("iterative joins", joins, f"{len(steps.sources)} steps, {pairs} pairs"),
                Measure("passive on Spark", on_spark, "", on_spark / joins, 0.2, f"joins; {text}"),
            ]
        with loaded(options.width, options.attributes) as large:
            steps = steps_of(large)
            kernel, pairs = best(lambda: sum(len(rows.ends) for rows in sweep(steps)), 2)
            on_spark, text = traced(spark, large, "passive", folder)
            measures += [
                Measure("the kernel in process", kernel, f"{len(steps.sources)} steps, {pairs} pairs"),
                Measure("passive on Spark", on_spark, "", on_spark / kernel, 8, f"kernel; {text}"),
            ]
            on_spark, text = traced(spark, large, "active", folder)
            start = perf_counter()
            write(large.lineage_all(), folder / "alone.parquet")
            alone = perf_counter() - start
            measures += [
                Measure("active in process, to Parquet", alone),
                Measure("active on Spark", on_spark, "", on_spark / alone, 1 / 1.3, f"in process; {text}"),
            ]
    report("All attributes on Spark, two executors on one machine", measures, options.json)


if __name__ == "__main__":
    main()
