"""Bisection inside executors: functions of pandas frames are asked for parts of the batches that are there."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import StringType, StructType

from mdw.spark.run.failures import cause
from mdw.spark.tuples.pipelines.arrow import Sought, by_batches
from mdw.spark.tuples.pipelines.functions import Call
from mdw.tracing.bisection import bisect, halves

WHY = "_why"
"""The column that says why a batch is kept whole: the function failed on a part of it."""


def bisected(source: DataFrame, columns: Sequence[str], call: Call, rows: pa.Table, key: Sequence[str]) -> DataFrame:
    """The rows of a source whose output holds one of ``rows`` by the columns of ``key``, with `WHY`."""

    def narrowed(batch: pa.Table) -> pa.Table:
        sought, inputs = Sought(rows, key), batch.select(list(columns))
        every = [range(batch.num_rows)] if batch.num_rows else []
        why = None
        try:
            asked = bisect(every, halves, lambda part: sought.there(call(inputs.slice(part.start, len(part)))))
            found = batch.take(pa.array(sorted(part.start for part in asked.met), pa.int64()))
        except Exception as error:  # whatever a function of the user's raises
            why, found = cause(error), batch
        return found.append_column(WHY, pa.array([why] * found.num_rows, pa.string()))

    schema = StructType(list(source.schema.fields)).add(WHY, StringType())
    return source.mapInArrow(by_batches(narrowed), schema)
