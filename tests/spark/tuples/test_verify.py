"""verify on Spark: lies planted in pipelines are found, what is true is held, of functions of either kind."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from pyspark.sql import functions as f
from sales import in_pandas, sources

from mdw.spark.tuples import Pipeline, Transformation, verify
from mdw.tracing import (
    aggregator,
    backward_key,
    backward_total,
    context_free,
    dispatcher,
    forward_key,
    forward_map,
    inverse,
    key_preserving,
    keyed,
    procedure,
    row_filter,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

ROWS = [("a", -1), ("a", 2), ("a", 2), ("b", 0), ("c", None), (None, 4), ("d", 1), ("d", 3), ("d", 5)]


def largest(table: pd.DataFrame) -> pd.DataFrame:
    return table.groupby("x", as_index=False, dropna=False)[["y"]].max()


def rare(table: pd.DataFrame) -> pd.DataFrame:
    """HAVING COUNT(*) < 2: a row from each single row is not enough."""
    return table[~table.duplicated("x", keep=False)]


def different(table: pd.DataFrame) -> pd.DataFrame:
    return table.drop_duplicates()


def best(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["y"] == table["y"].max()]


def positive(table: pd.DataFrame) -> pd.DataFrame:
    return table[table["y"] > 0]


LIES: dict[str, tuple[Any, Any]] = {
    "T8": (row_filter(), best),
    "T9": (backward_total({"x": "x", "y": "y - 1"}), positive),
    "T10": (inverse(lambda rows: rows), largest),
    "T11": (procedure(lambda _, table: table.head(1)), largest),
    "T12": (backward_key({"x": "x"}), best),
    "T13": (forward_key("x"), rare),
    "T14": (dispatcher(), different),
    "T15": (key_preserving("y"), largest),
    "T16": (keyed("x"), rare),
    "T17": (context_free(), positive),
    "T18": (aggregator(), best),
    "T19": (forward_map("x"), best),
}
TRUE: list[Any] = [
    forward_key("x"),
    key_preserving("x"),
    keyed("x"),
    context_free(),
    forward_map({"x": "x"}),
    procedure(lambda rows, table: table[table["x"].isin(rows["x"]) | (table["x"].isna() & rows["x"].isna().any())]),
]


def test_a_lie_of_each_property_is_found(spark: SparkSession) -> None:
    given = {"I": spark.createDataFrame(ROWS, "x string, y int").coalesce(1)}
    options: dict[str, Any] = {"reads": "I", "pandas": True, "schema": "x string, y int"}
    lies = [Transformation(name, made, properties=[one], **options) for name, (one, made) in LIES.items()]
    found = verify(Pipeline(*lies, Transformation("true", largest, properties=TRUE, **options)), given, tries=28)
    held = [one for one in found if one.property == "the same again" or one.transformation == "true"]
    assert {one.verdict for one in held} == {"held"}, "\n".join(map(str, held))
    false = [one for one in found if one not in held]
    assert {one.transformation: one.verdict for one in false} == dict.fromkeys(LIES, "false")
    assert all(one.counterexample and len(one.counterexample.rows) <= 3 for one in false)
    assert all(one.input == "I" and one.times for one in found)


def test_functions_of_spark_frames_with_other_inputs(spark: SparkSession) -> None:
    """T14's false friend: of an outer join the optional side is no dispatcher, a partner removes a row."""
    given = {
        "one": spark.createDataFrame([(1, "a"), (2, "b")], "k int, v string"),
        "two": spark.createDataFrame([(1, "p"), (1, "q"), (7, "r")], "k int, w string"),
    }

    def joined(one: DataFrame, two: DataFrame) -> DataFrame:
        return one.join(two, "k", "left")

    both = {"one": [dispatcher()], "two": [dispatcher()]}
    found = verify(Pipeline(Transformation("j", joined, reads=("one", "two"), properties=both)), given, tries=7)
    told = {(one.input, one.property): one for one in found}
    assert told["one", "dispatcher"].verdict == "held"
    lie = told["two", "dispatcher"]
    assert lie.verdict == "false" and lie.counterexample is not None
    assert lie.counterexample.rows == ()
    assert "no rows give" in str(lie)


@pytest.mark.skipif("MDW_EXAMPLES" not in os.environ, reason="takes as long as all others: MDW_EXAMPLES=1 runs it")
def test_what_is_declared_of_e25_is_held(spark: SparkSession) -> None:
    found = verify(in_pandas(), sources(spark), tries=14)
    assert {one.verdict for one in found} == {"held"}, "\n".join(map(str, found))


def test_times_and_nested_values_go_in_as_they_were(spark: SparkSession) -> None:
    given = {
        "I": spark.sql(
            "SELECT 1 AS k, timestamp'2024-03-31 02:30:00' AS t, array(1, NULL) AS a, struct(1.50 AS d) AS s, "
            "double('NaN') AS n UNION ALL SELECT 2, NULL, array(2), NULL, 0.5"
        )
    }
    same = Transformation("O", lambda t: t.where("k < 3"), reads="I", properties=[dispatcher(), row_filter()])
    assert {one.verdict for one in verify(Pipeline(same), given, tries=4)} == {"held"}
    found = Pipeline(same).trace("O", "isnan(n)", given)
    assert [row["k"] for row in found["I"].frame.collect()] == [1]
    counted = Transformation("C", lambda t: t.select(f.size("a").alias("z"), "t"), reads="I", properties=[dispatcher()])
    assert [row["k"] for row in Pipeline(counted).trace("C", "z = 2", given)["I"].frame.collect()] == [1]
