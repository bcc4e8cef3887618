"""Pipelines on Spark: E24 by each property, E25 declared, merged and not, any graph, and wrong input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from pyspark.sql import functions as f
from sales import FOUND, SALES, bisected, declared, keys_of, sources

from mdw.model.errors import QuestionError
from mdw.spark.tuples import Pipeline, Transformation
from mdw.spark.tuples.pipelines import pipeline
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
from mdw.tracing.choice import Derivation

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from mdw.spark.tuples import Trace

pytestmark = pytest.mark.spark

I = [("a", -1), ("a", 2), ("b", 0)]  # noqa: E741
"""E24."""


@pytest.fixture(autouse=True)
def declared_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is derived here: what is declared is all there is."""
    monkeypatch.setattr(pipeline, "derivations", lambda _, one: (Derivation(),) * len(one.reads))


@pytest.fixture(scope="module")
def small(spark: SparkSession) -> dict[str, DataFrame]:
    return {"I": spark.createDataFrame(I, "x string, y int").coalesce(1)}


def rows(found: Trace, name: str = "I") -> set[tuple[Any, ...]]:
    return {tuple(row)[:2] for row in found[name].frame.collect()}


def traced(given: dict[str, DataFrame], when: str, function: Any, *declared: Any, **options: Any) -> Trace:
    one = Transformation("O", function, reads="I", properties=declared, **options)
    return Pipeline(one).trace("O", when, given)


def doubled(table: DataFrame) -> DataFrame:
    return table.groupBy("x").agg((2 * f.sum("y")).alias("y"))


def not_negative(table: DataFrame) -> DataFrame:
    return table.where("y >= 0")


def test_e24_as_filter_and_as_a_sum_and_as_nothing(small: dict[str, DataFrame]) -> None:
    """T8, T13, T20."""
    assert rows(traced(small, "x = 'a' AND y = 2", not_negative, row_filter("y"))) == {("a", 2)}
    assert rows(traced(small, "x = 'a' AND y = 2", doubled, forward_key("x"))) == {("a", -1), ("a", 2)}
    unknown = traced(small, "x = 'a' AND y = 2", doubled)
    assert rows(unknown) == set(I)
    assert unknown["I"].accuracy == {"value": "unknown"}


def test_maps_and_what_the_user_gives(small: dict[str, DataFrame]) -> None:
    """T9, T10, T11, T12, T19."""
    total = traced(small, "z = 4", lambda t: t.selectExpr("x", "y", "2 * y AS z"), backward_total(["x", "y"]))
    assert rows(total) == {("a", 2)}

    def listed(table: DataFrame) -> DataFrame:
        return table.groupBy("x").agg(f.sort_array(f.collect_list("y")).alias("ys"))

    def unlisted(table: DataFrame) -> DataFrame:
        return table.select("x", f.explode("ys").alias("y"))

    assert rows(traced(small, "x = 'a'", listed, inverse(unlisted))) == {("a", -1), ("a", 2)}
    own = procedure(lambda o, i: i.join(o.select("x"), "x", "left_semi"))
    assert rows(traced(small, "x = 'a'", doubled, own)) == {("a", -1), ("a", 2)}

    def upper(table: DataFrame) -> DataFrame:
        return table.selectExpr("upper(x) AS u", "2 * y AS v")

    assert rows(traced(small, "v = 4", upper, backward_key({"y": "v div 2"}))) == {("a", 2)}
    alone = traced(small, "y = 2", not_negative, forward_map("x"))
    assert rows(alone) == {("a", -1), ("a", 2)}
    assert alone["I"].accuracy == {"value": "at most"}


def test_bisection_by_jobs(small: dict[str, DataFrame]) -> None:
    """T14, T15, T17, T18 of Spark functions; what the budget leaves is `at most`."""
    exploded = lambda t: t.select(f.explode(f.array("y", f.col("y") + 1)).alias("z"))  # noqa: E731
    assert rows(traced(small, "z = 0", exploded, dispatcher())) == {("a", -1), ("b", 0)}
    pipeline = Pipeline(Transformation("O", exploded, reads="I", properties=[dispatcher()]))
    few = pipeline.trace("O", "z = 0", small, budget=1)
    assert few["I"].accuracy == {"value": "at most"} and rows(few) == set(I)
    assert "1 jobs were not enough to bisect it" in few.plan[-1]
    assert rows(traced(small, "y = 2", doubled, key_preserving("x"))) == {("a", -1), ("a", 2)}
    hidden = lambda t: doubled(t).select("y")  # noqa: E731
    assert rows(traced(small, "y = 2", hidden, context_free(), forward_map([]))) == {("a", -1), ("a", 2)}
    assert rows(traced(small, "y = 0", hidden, aggregator())) == {("b", 0)}


def test_functions_of_pandas_frames(spark: SparkSession) -> None:
    """T14, T16, T17, T18 inside executors and in hand; NULLs, copies and what is no number stay as they are."""
    given = {"I": spark.createDataFrame([*I, (None, None), ("b", 0)], "x string, y int")}

    def exploded(table: pd.DataFrame) -> pd.DataFrame:
        return pd.concat([table[["y"]], table[["y"]] + 1])

    def counted(table: pd.DataFrame) -> pd.DataFrame:
        return exploded(table).groupby("y", as_index=False, dropna=False).size()

    def summed(table: pd.DataFrame) -> pd.DataFrame:
        return table.groupby("x", as_index=False, dropna=False)[["y"]].sum(min_count=1)[["y"]]

    options = {"pandas": True, "schema": "y int"}
    zero = traced(given, "y = 0", exploded, dispatcher(), **options)
    assert rows(zero) == {("a", -1), ("b", 0)}
    assert {row["_copies"] for row in zero["I"].frame.where("x = 'b'").collect()} == {2}
    assert rows(traced(given, "y IS NULL", exploded, dispatcher(), **options)) == {(None, None)}
    sized = {"pandas": True, "schema": "y int, size int"}
    assert rows(traced(given, "y = 0", counted, keyed("y"), **sized)) == {("a", -1), ("b", 0)}
    assert rows(traced(given, "y = 1", summed, context_free(), **options)) == {("a", -1), ("a", 2)}
    assert rows(traced(given, "y = 0", summed, aggregator(), **options)) == {("b", 0)}


def test_a_function_that_fails_on_a_part_loses_no_row(small: dict[str, DataFrame]) -> None:
    def careful(table: pd.DataFrame) -> pd.DataFrame:
        if len(table) == 1:
            raise ValueError("one row is not enough")
        return table

    def changing(table: pd.DataFrame) -> pd.DataFrame:
        return table if len(table) > 1 else table.rename(columns={"y": "z"})

    for function, because in ((careful, "one row is not enough"), (changing, "it gives the columns x, z instead of")):
        found = traced(small, "y = 2", function, dispatcher(), pandas=True)
        assert rows(found) == set(I)
        assert found["I"].accuracy == {"value": "unknown"}
        assert because in found.plan[-1]


@pytest.mark.parametrize("combine", [True, False], ids=["merged", "step by step"])
@pytest.mark.parametrize("made", [declared, bisected])
def test_e25(spark: SparkSession, made: Any, combine: bool) -> None:
    """Exact, whatever is declared, merged or not."""
    found = made().trace("sales", SALES, sources(spark), combine=combine)
    assert [(one.name, one.accuracy) for one in found.sources] == [
        ("orders", {"value": "exact"}),
        ("products", {"value": "exact"}),
    ]
    assert keys_of(found["orders"].frame.collect(), "order_id") == FOUND["orders"]
    assert keys_of(found["products"].frame.collect(), "id", "price") == FOUND["products"]
    merged = any("merged" in line for line in found.plan)
    assert merged == (combine and made is bisected)


def test_a_stored_intermediate_is_used_and_not_made_again(spark: SparkSession) -> None:
    given = sources(spark)
    pipeline = declared()
    stored = pipeline.frame("quarters", given).localCheckpoint()
    found = pipeline.trace("sales", SALES, given, stored={"quarters": stored})
    assert keys_of(found["orders"].frame.collect(), "order_id") == FOUND["orders"]


def test_rows_of_parquet_are_told_by_file_and_number(spark: SparkSession, tmp_path: Any) -> None:
    """T37: and keys found go into the scan (T33)."""
    spark.createDataFrame([*I, ("b", 0)], "x string, y int").coalesce(1).write.parquet(str(tmp_path / "i"))
    found = traced({"I": spark.read.parquet(str(tmp_path / "i"))}, "x = 'b'", doubled, forward_key("x"))
    frame = found["I"].frame
    assert sorted(row["_row"] for row in frame.collect()) == [2, 3]
    assert all(row["_file"].endswith(".parquet") for row in frame.collect())
    explained = spark._jvm.PythonSQLUtils.explainString(frame._jdf.queryExecution(), "simple")  # type: ignore[union-attr]
    assert "EqualTo(x,b)" in explained
    assert found.to_dict()["sources"][0]["rows"][0]["copies"] == 1


def test_graphs_with_several_outputs_reads_and_exclusive_inputs(spark: SparkSession) -> None:
    """A diamond; a read of the same source twice; inputs taken each alone."""
    given = {
        "a": spark.createDataFrame([("x", 1), ("y", 2), ("z", 3)], "k string, v int"),
        "b": spark.createDataFrame([("x", 1), ("z", 9)], "k string, v int"),
    }
    split = [
        Transformation("low", lambda t: t.where("v < 3"), reads="a", properties=[row_filter("v")]),
        Transformation("high", lambda t: t.where("v > 1"), reads="a", properties=[row_filter("v")]),
    ]
    join = Transformation(
        "pairs",
        lambda one, two: one.selectExpr("k", "v").crossJoin(two.selectExpr("k AS k2", "v AS v2")),
        reads=("low", "high"),
        properties={"low": [backward_total(["k", "v"])], "high": [backward_total({"k": "k2", "v": "v2"})]},
    )
    found = Pipeline(join, *split).trace("pairs", "k = 'x' AND k2 = 'z'", given)
    assert rows(found, "a") == {("x", 1), ("z", 3)}
    twice = Transformation(
        "self",
        lambda one, two: one.merge(two.assign(v=two["v"] - 1), on="v")[["k_x", "k_y"]],
        reads=("a", "a"),
        properties=[dispatcher()],
        pandas=True,
        schema="k_x string, k_y string",
    )
    assert rows(Pipeline(twice).trace("self", "k_x = 'x'", given), "a") == {("x", 1), ("y", 2)}
    union = Transformation(
        "both",
        lambda one, two: one.where("v > 1").unionAll(two.where("v > 1")),
        reads=("a", "b"),
        exclusive=True,
        properties={"a": [forward_map("k"), row_filter("v")], "b": [forward_key("k")]},
    )
    found = Pipeline(union).trace("both", "k = 'z' AND v = 3", given)
    assert rows(found, "a") == {("z", 3)}
    assert rows(found, "b") == set(), "the row of this key comes from the other input"


def test_a_plan_starts_no_job(spark: SparkSession) -> None:
    spark.sparkContext.setJobGroup("planning", "")
    told = str(declared().plan("sales"))
    assert list(spark.sparkContext.statusTracker().getJobIdsForGroup("planning")) == []
    assert "quarters, its priced: forward key map `prod_name` -> prod_name (exact)" in told
    assert "intermediates wanted:" in told


def failing(*parts: Any, name: str = "O", when: str = "true", **given: Any) -> str:
    with pytest.raises(QuestionError) as caught:
        Pipeline(*parts).trace(name, when, **given)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_wrong_pipelines_are_refused_in_a_line() -> None:
    one = Transformation("O", not_negative, reads="I")
    with pytest.raises(QuestionError, match="two transformations are called O"):
        Pipeline(one, one)
    with pytest.raises(QuestionError, match="read each other: O reads P reads O"):
        Pipeline(Transformation("O", not_negative, reads="P"), Transformation("P", not_negative, reads="O"))
    with pytest.raises(QuestionError, match="has properties of item, which it does not read; did you mean items"):
        Transformation("O", not_negative, reads="items", properties={"item": [dispatcher()]})
    with pytest.raises(QuestionError, match="say of which its properties are"):
        Transformation("O", not_negative, reads=("a", "b"), properties=[dispatcher()])
    with pytest.raises(QuestionError, match="is no property"):
        Transformation("O", not_negative, reads="a", properties=[dispatcher])  # type: ignore[list-item]


def test_wrong_questions_are_refused_in_a_line(small: dict[str, DataFrame], capfd: pytest.CaptureFixture[str]) -> None:
    def of(*declared: Any, function: Any = not_negative, **options: Any) -> Transformation:
        return Transformation("O", function, reads="I", properties=declared, **options)

    near = failing(of(), sources={"I2": small["I"], "other": small["I"]})
    assert near == "transformation O reads I, which is no source given; did you mean I2?"
    assert "the output has no column z" in failing(of(keyed("z")), sources=small)
    assert "cannot be worked out" in failing(of(forward_key({"x": "nowhere + 1"})), sources=small)
    assert "tells nothing of y" in failing(of(backward_total(["x"])), sources=small)
    assert "did you mean sales" in failing(Transformation("sales", not_negative, reads="I"), name="sale", sources=small)
    assert "3 rows" in failing(of(function=lambda t: t), sources=small, max_rows=2)
    none = failing(of(), when="x = 'a' AND y = 7", sources=small)
    assert none == "no row of O where x = 'a' AND y = 7: none meets y = 7"
    both = failing(of(), when="x = 'a' AND y = 0", sources=small)
    assert both.endswith("each part is met, but by different rows")
    assert "cannot be asked of O" in failing(of(), when="nowhere = 1", sources=small)
    assert "O has no column q" in failing(of(), sources=small, columns=["q"])
    assert "transformation O fails" in failing(of(function=lambda t: t.select("nowhere")), sources=small)
    assert "gives a int, not a Spark DataFrame" in failing(of(function=lambda t: t.count()), sources=small)
    assert "ERROR" not in capfd.readouterr().err
