"""E25 with nothing declared but of the function without a plan: what plans tell competes with what is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sales import (
    FOUND,
    OF_ITEMS,
    SALES,
    averaged,
    better,
    by_quarter,
    keys_of,
    only_computers,
    priced,
    projected,
    split,
)
from sales import sources as made

from mdw.spark.tuples import Pipeline, Transformation
from mdw.tracing import dispatcher

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def pipeline() -> Pipeline:
    return Pipeline(
        Transformation("items", split, reads="orders", properties=[dispatcher()], pandas=True, schema=OF_ITEMS),
        Transformation("computers", only_computers, reads="products"),
        Transformation("priced", priced, reads=("items", "computers")),
        Transformation("quarters", by_quarter, reads="priced"),
        Transformation("averages", averaged, reads="quarters"),
        Transformation("better", better, reads="averages"),
        Transformation("sales", projected, reads="better"),
    )


def test_derived_neighbours_are_one_query_and_tell_roles(spark: SparkSession) -> None:
    found = pipeline().trace("sales", SALES, made(spark), columns=["q4"])
    assert [source.accuracy for source in found.sources] == [{"value": "exact", "decides": "exact"}] * 2
    orders, products = (found[name].frame.collect() for name in ("orders", "products"))
    assert keys_of(orders, "order_id", "_role") == {
        ("0101", "decides"), ("0379", "decides"), ("1028", "value"), ("1250", "value"),
    }  # fmt: skip
    assert keys_of(products, "id", "price", "_role") == {(222, 1980, "value"), (222, 2250, "decides")}
    assert any("better and sales, merged, its items: derived (exact)" in line for line in found.plan)


def test_step_by_step_finds_the_same_rows(spark: SparkSession) -> None:
    """Roles are known of single steps alone, so that a value is `at most` behind one."""
    found = pipeline().trace("sales", SALES, made(spark), combine=False)
    assert keys_of(found["orders"].frame.collect(), "order_id") == FOUND["orders"]
    assert keys_of(found["products"].frame.collect(), "id", "price") == FOUND["products"]
