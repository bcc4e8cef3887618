"""Rows of one input, found on one way back from the output or several, as a trace shows them (rules T3, T37)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.answer import SourceTrace
from mdw.spark.tuples.pipelines.functions import columns_of, frame_of
from mdw.spark.tuples.pipelines.keys import few_of, quoted
from mdw.tracing.accuracy import Accuracy, Role, worst

HELD = 10_000
"""Rows of an intermediate that are held in hand."""
PLACE = ("_file", "_row")
ROLES: tuple[Role, ...] = ("value", "decides")


@dataclass(frozen=True)
class Arrival:
    """Rows of an input: of a source with what a trace adds to them, of an intermediate all of one role.

    ``partly``: not all columns of an intermediate need have given a value, and it is not known which did.
    """

    frame: DataFrame
    accuracy: Mapping[Role, Accuracy]
    partly: bool = False


def held(frame: DataFrame) -> DataFrame:
    """Rows of an intermediate, in hand if they are not too many."""
    table = few_of(frame, HELD)
    if table is None:  # copies may be what makes them many
        frame = frame.distinct()
        table = few_of(frame, HELD)
    return frame if table is None else frame_of(frame.sparkSession, table, frame.schema)


def identified(frame: DataFrame) -> DataFrame:
    """A source with the file and row number of each row, where it has them: of Parquet."""
    try:
        file, row = f.col("_metadata.file_path"), f.col("_metadata.row_index")
        return frame.select("*", file.alias("_file"), row.alias("_row"))
    except PySparkException:
        return frame


def shown(frame: DataFrame, columns: Sequence[str], role: Role) -> DataFrame:
    """Rows of a source with what a trace adds: of those without a place equal ones are one, with their number."""
    if "_row" in frame.columns:
        told = frame.withColumn("_copies", f.lit(1).cast("bigint"))
    else:
        nowhere = f.lit(None).cast("string").alias("_file"), f.lit(None).cast("bigint").alias("_row")
        counted = frame.groupBy(*map(quoted, columns)).agg(f.count(f.lit(1)).alias("_copies"))
        told = counted.select("*", *nowhere)
    return columns_of(told.withColumn("_role", f.lit(role)), [*columns, "_role", *PLACE, "_copies"])


def together(name: str, ways: Sequence[Arrival], source: DataFrame) -> SourceTrace:
    """Rows of a source found on several ways, each once; it gives a value if it does on one of them."""
    roles = [role for role in ROLES if any(role in way.accuracy for way in ways)]
    accuracy = {role: worst(*(way.accuracy[role] for way in ways if role in way.accuracy)) for role in roles}
    frame = ways[0].frame
    if len(ways) > 1:
        every = reduce(DataFrame.unionByName, (way.frame for way in ways))
        # Copies go together: each way that has a row has all of them.
        found = every.groupBy(*map(quoted, [*source.columns, *PLACE]))
        frame = found.agg(f.max("_role").alias("_role"), f.max("_copies").alias("_copies"))
        frame = columns_of(frame, [*source.columns, "_role", *PLACE, "_copies"])
    return SourceTrace(name, frame, accuracy, source)
