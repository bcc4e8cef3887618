"""Rows found by running a transformation on parts of its input, a job a call, under a budget (rules T14-T18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import reduce

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.pipelines.arrow import rows_of
from mdw.spark.tuples.pipelines.functions import Call, columns_of, frame_of, table_of
from mdw.spark.tuples.pipelines.keys import Keys, equal_on, quoted
from mdw.tracing.bisection import bisect, halves
from mdw.tracing.subsets import Bag, Run

MOST = 1_000_000
"""Different rows of an input that is bisected by jobs."""
Runs = Callable[[DataFrame], DataFrame]


def bisected(
    source: DataFrame, columns: Sequence[str], run: Runs, rows: DataFrame, key: Sequence[str], budget: int
) -> tuple[DataFrame, str]:
    """The rows of a source whose output holds one of ``rows`` by the columns of ``key``; and why there may be more.

    Batches are ranges of hashes: equal rows are in the same, however the source is partitioned.
    """
    hashed = f.xxhash64(*(f.col(quoted(name)) for name in columns))
    found = source.select(hashed).distinct().limit(MOST + 1).collect()
    if len(found) > MOST:
        return source, f"it has more than {MOST:,} different rows to bisect"
    hashes = sorted(value for (value,) in found)
    keys, by = Keys.of(rows, [equal_on(key)]), [equal_on(key)]

    def batch(of: range) -> DataFrame:
        return source.where(hashed.between(hashes[of.start], hashes[of.stop - 1]))

    def present(of: range) -> bool:
        # All of it is read: workers complain when functions of pandas frames are not heard out.
        return keys.met(run(columns_of(batch(of), columns)), by).count() > 0

    asked = bisect([range(len(hashes))] if hashes else [], halves, present, budget=budget)
    why = f"{budget} jobs were not enough to bisect it" if asked.left else ""
    return source.where(_in(hashed, hashes, [*asked.met, *asked.left])), why


def _in(hashed: Column, hashes: Sequence[int], batches: Iterable[range]) -> Column:
    tests = [hashed.between(hashes[of.start], hashes[of.stop - 1]) for of in batches]
    return reduce(lambda a, b: a | b, tests, f.lit(False))


def in_hand(table: pa.Table, columns: Sequence[str], call: Call) -> Run:
    """A transformation as a function of positions of rows in hand."""
    inputs = table.select(list(columns))

    def run(places: Sequence[int]) -> Bag:
        return Counter(rows_of(call(inputs.take(pa.array(places, pa.int64())))))

    return run


def by_job(frame: DataFrame, columns: Sequence[str], run: Runs) -> Call:
    """A transformation over Spark frames as a function of a table with the columns of a frame."""
    schema = columns_of(frame, columns).schema

    def call(table: pa.Table) -> pa.Table:
        return table_of(run(frame_of(frame.sparkSession, table, schema)))

    return call
