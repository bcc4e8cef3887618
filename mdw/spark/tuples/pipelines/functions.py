"""A transformation over frames: Spark functions as they are, functions of pandas frames in executors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import ArrayType, MapType, NullType, StringType, StructField, StructType

from mdw.model.errors import QuestionError
from mdw.spark.run.failures import cause
from mdw.spark.tuples.pipelines.arrow import by_batches, in_one_task, to_arrow, to_pandas
from mdw.spark.tuples.pipelines.transformation import Transformation

SAMPLE = 1_000
"""Rows of an input that tell what a function of pandas frames gives."""
Call = Callable[..., pa.Table]
"""From tables to a table."""


def apply(one: Transformation, inputs: Sequence[DataFrame], schema: StructType | None = None) -> DataFrame:
    """The output frame of a transformation; of one over pandas frames with the schema it is known to have."""
    if not one.pandas:
        return of_spark(one, inputs)
    if schema is None:
        schema = schema_of(one, inputs)
    call = of_tables(one.function, arrow_schema(inputs[0].sparkSession, schema))
    if one.batches:
        return inputs[0].mapInArrow(by_batches(call), schema)
    return _tagged(inputs).mapInArrow(in_one_task(call, [frame.columns for frame in inputs]), schema)


def of_spark(one: Transformation, inputs: Sequence[DataFrame]) -> DataFrame:
    """What a function of Spark frames gives; QuestionError in one line if it fails."""
    try:
        found = one.function(*inputs)
    except Exception as error:  # whatever a function of the user's raises
        raise QuestionError(f"transformation {one.name} fails: {cause(error)}") from error
    if not isinstance(found, DataFrame):
        raise QuestionError(f"transformation {one.name} gives a {type(found).__name__}, not a Spark DataFrame")
    return found


def of_tables(function: Callable[..., Any], schema: pa.Schema) -> Call:
    """A function of pandas frames as one of Arrow tables, which executors can be sent."""

    def call(*tables: pa.Table) -> pa.Table:
        return to_arrow(function(*map(to_pandas, tables)), schema)

    return call


def schema_of(one: Transformation, inputs: Sequence[DataFrame]) -> StructType:
    """The schema a function of pandas frames is declared to have, or has on the first rows of its inputs."""
    if one.schema is not None:
        return _read(one.schema, one.name)
    tables = [table_of(frame.limit(SAMPLE)) for frame in inputs]
    try:
        found = one.function(*map(to_pandas, tables))
        schema = from_arrow_schema(pa.Schema.from_pandas(found, preserve_index=False))
    except Exception as error:  # whatever a function of the user's raises
        raise QuestionError(
            f"transformation {one.name} fails on the first rows: {cause(error)}; say its schema if it needs more"
        ) from error
    # A column of which nothing but NULL is known: text can hold what is shown of any value.
    fields = [StructField(x.name, StringType() if isinstance(x.dataType, NullType) else x.dataType) for x in schema]
    return StructType(fields)


def _read(text: str, name: str) -> StructType:
    try:
        found = StructType.fromDDL(text)
    except PySparkException as error:
        raise QuestionError(f"transformation {name} has no readable schema: {cause(error)}") from error
    if not isinstance(found, StructType):
        raise QuestionError(f"transformation {name} has {text!r} for a schema: it names no columns")
    return found


def _tagged(inputs: Sequence[DataFrame]) -> DataFrame:
    """Inputs as rows of one frame in one partition, which is there even if they are empty."""
    tagged = [
        frame.select(f.lit(number).alias("_of"), *(f.col(_quoted(c)).alias(f"_{number}_{c}") for c in frame.columns))
        for number, frame in enumerate(inputs)
    ]
    nobody = inputs[0].sparkSession.range(1).select(f.lit(-1).alias("_of"))
    return reduce(lambda a, b: a.unionByName(b, allowMissingColumns=True), tagged, nobody).repartition(1)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def table_of(frame: DataFrame) -> pa.Table:
    """All rows of a frame in hand."""
    if any(isinstance(field.dataType, StructType | ArrayType | MapType) for field in frame.schema):
        frame = frame.to(_nullable(frame.schema))
    return frame.toArrow()


def frame_of(spark: SparkSession, table: pa.Table, schema: StructType) -> DataFrame:
    """Rows in hand as a frame."""
    return spark.createDataFrame(table, _nullable(schema))


def _nullable(kind: Any) -> Any:
    """A type whose parts may be NULL: Arrow refuses a struct that is NULL if its fields never are."""
    match kind:
        case StructType():
            return StructType([StructField(field.name, _nullable(field.dataType)) for field in kind])
        case ArrayType():
            return ArrayType(_nullable(kind.elementType))
        case MapType():
            return MapType(kind.keyType, _nullable(kind.valueType))
        case _:
            return kind


def arrow_schema(spark: SparkSession, schema: StructType) -> pa.Schema:
    """A schema as rows of it have it in Arrow, by what Spark itself gives for no rows."""
    nothing = (f.lit(None).cast(_nullable(field.dataType)).alias(field.name) for field in schema)
    found: pa.Schema = spark.range(0).select(*nothing).toArrow().schema
    return found


def columns_of(frame: DataFrame, names: Iterable[str]) -> DataFrame:
    """Some columns of a frame, whatever characters their names hold."""
    return frame.select(*(f.col(_quoted(name)) for name in names))
