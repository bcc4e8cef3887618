"""Properties against the columns that are there, before anything runs."""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.spark.run.failures import cause
from mdw.spark.tuples.pipelines.keys import image
from mdw.spark.tuples.pipelines.network import Network
from mdw.spark.tuples.pipelines.transformation import Transformation
from mdw.tracing.properties import Property


def check(network: Network, transformations: Iterable[Transformation]) -> None:
    """Raise QuestionError for a property over columns that are not there, and for a name that is a source's too."""
    for one in transformations:
        output = network.frame(one.name)
        for read, declared in zip(one.reads, one.properties, strict=True):
            for each in declared:
                _check(each, f"transformation {one.name}, its {read}", network.frame(read), output)


def _check(one: Property, of: str, source: DataFrame, output: DataFrame) -> None:
    forward = one.name.startswith("forward")
    ends = one.ends if one.name.startswith("backward") else one.key
    side, called = (source, "the input") if one.name.startswith("backward") else (output, "the output")
    for column in ends:
        if column not in side.columns:
            near = did_you_mean(nearest(column, side.columns))
            raise QuestionError(f"{of}: {one} is declared, and {called} has no column {column}{near}")
    if one.name == "backward total map" and (left := [c for c in source.columns if c not in ends]):
        raise QuestionError(f"{of}: {one} is declared, and tells nothing of {', '.join(left)}")
    if one.name == "filter" and list(source.columns) != list(output.columns):
        raise QuestionError(f"{of}: filter is declared, and input and output have other columns")
    if one.layers:
        starts = source if forward else output
        try:
            _ = image(starts, one.layers, one.ends).schema
        except PySparkException as error:
            raise QuestionError(f"{of}: {one} cannot be worked out: {cause(error)}") from error
