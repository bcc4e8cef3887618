"""E25: orders with lists of items, products with prices for a while, and which computers sell better at the end."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pandas as pd
from pyspark import cloudpickle
from pyspark.sql import functions as f

from mdw.spark.tuples import Pipeline, Transformation
from mdw.tracing import backward_key, backward_total, dispatcher, forward_key, key_preserving, row_filter

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Executors cannot import what only tests can.
cloudpickle.register_pickle_by_value(sys.modules[__name__])

FOREVER = date(9999, 12, 31)
PRODUCTS = [
    (111, "Apple IMAC", "computer", 1200, date(1998, 10, 1), FOREVER),
    (222, "Sony VAIO", "computer", 3280, date(1998, 9, 1), date(1998, 11, 30)),
    (222, "Sony VAIO", "computer", 2250, date(1998, 12, 1), date(1999, 9, 30)),
    (222, "Sony VAIO", "computer", 1980, date(1999, 10, 1), FOREVER),
    (333, "Canon A5", "electronics", 400, date(1999, 4, 2), FOREVER),
    (444, "Sony VAIO", "computer", 2750, date(1998, 12, 1), FOREVER),
]
ORDERS = [
    ("0101", date(1999, 2, 1), "333(10),222(10)"),
    ("0102", date(1999, 2, 8), "111(10)"),
    ("0379", date(1999, 4, 9), "222(5),333(5)"),
    ("0524", date(1999, 6, 9), "111(20),333(20)"),
    ("0761", date(1999, 8, 21), "111(10)"),
    ("0952", date(1999, 11, 8), "111(5)"),
    ("1028", date(1999, 11, 24), "222(10)"),
    ("1250", date(1999, 12, 15), "222(10),333(10)"),
]
OF_ORDERS = "order_id string, order_date date, list string"
OF_PRODUCTS = "id int, prod_name string, category string, price int, since date, until date"
OF_ITEMS = "order_id string, order_date date, prod_id int, quantity int"
ITEM = ("order_id", "order_date", "prod_id", "quantity")
SALES = "prod_name = 'Sony VAIO'"
FOUND = {
    "orders": {"0101", "0379", "1028", "1250"},
    "products": {(222, 2250), (222, 1980)},
}
QUARTERS = ("q1", "q2", "q3", "q4")


def sources(spark: SparkSession) -> dict[str, DataFrame]:
    return {
        "orders": spark.createDataFrame(ORDERS, OF_ORDERS),
        "products": spark.createDataFrame(PRODUCTS, OF_PRODUCTS),
    }


def many_orders(count: int) -> list[tuple[str, date, str]]:
    """So many orders of 1999, each of one to three items; the product 222 is rare."""
    found = []
    for number in range(count):
        items = [f"{1000 + (number * 7 + k * 13) % 997}({1 + number % 9})" for k in range(1 + number % 3)]
        rare = [f"222({1 + number % 5})"] if number % 20_011 == 5 else []
        found.append((f"{number:07}", date(1999, 1, 1) + timedelta(days=number % 365), ",".join([*items, *rare])))
    return found


def split(orders: pd.DataFrame) -> pd.DataFrame:
    """A row for each item of a list."""
    lists = orders.assign(item=orders["list"].str.split(",")).explode("item").dropna(subset="item")
    numbers = lists["item"].str.extract(r"(\d+)\((\d+)\)")
    return pd.DataFrame(
        {
            "order_id": lists["order_id"],
            "order_date": lists["order_date"],
            "prod_id": numbers[0].astype("int32"),
            "quantity": numbers[1].astype("int32"),
        }
    ).reset_index(drop=True)


def only_computers(products: DataFrame) -> DataFrame:
    return products.where("category = 'computer'")


def priced(items: DataFrame, products: DataFrame) -> DataFrame:
    met = (f.col("prod_id") == f.col("id")) & f.col("order_date").between(f.col("since"), f.col("until"))
    return items.join(products, met).select(*ITEM, "prod_name", "price", "since")


def by_quarter(sales: DataFrame) -> DataFrame:
    amount = f.col("price") * f.col("quantity")
    quarters = [
        f.sum(f.when(f.quarter("order_date") == n + 1, amount).otherwise(0)).alias(name)
        for n, name in enumerate(QUARTERS)
    ]
    return sales.groupBy("prod_name").agg(*quarters)


def averaged(amounts: DataFrame) -> DataFrame:
    return amounts.select("*", ((f.col("q1") + f.col("q2") + f.col("q3")) / 3).alias("avg3"))


def better(amounts: DataFrame) -> DataFrame:
    return amounts.where("q4 > 2 * avg3")


def projected(amounts: DataFrame) -> DataFrame:
    return amounts.select("prod_name", "avg3", "q4")


def declared() -> Pipeline:
    """The pipeline with the best that can be said of each transformation."""
    return Pipeline(
        Transformation("items", split, reads="orders", properties=[dispatcher()], pandas=True, schema=OF_ITEMS),
        Transformation("computers", only_computers, reads="products", properties=[row_filter("category")]),
        Transformation(
            "priced",
            priced,
            reads=("items", "computers"),
            properties={
                "items": [backward_total(ITEM)],
                "computers": [backward_key({"id": "prod_id", "since": "since"})],
            },
        ),
        Transformation("quarters", by_quarter, reads="priced", properties=[forward_key("prod_name")]),
        Transformation("averages", averaged, reads="quarters", properties=[backward_total(["prod_name", *QUARTERS])]),
        Transformation("better", better, reads="averages", properties=[row_filter("q4", "avg3")]),
        Transformation("sales", projected, reads="better", properties=[backward_key("prod_name")]),
    )


def priced_in_pandas(items: pd.DataFrame, products: pd.DataFrame) -> pd.DataFrame:
    met = items.merge(products[products["category"] == "computer"], left_on="prod_id", right_on="id")
    met = met[(met["since"] <= met["order_date"]) & (met["order_date"] <= met["until"])]
    return met[[*ITEM, "prod_name", "price"]]


def by_quarter_in_pandas(sales: pd.DataFrame) -> pd.DataFrame:
    months = sales["order_date"].map(lambda day: (day.month - 1) // 3) if len(sales) else []
    amounts = sales.assign(amount=sales["price"] * sales["quantity"], quarter=months)
    rows = [
        [name, *(int(few.loc[few["quarter"] == n, "amount"].sum()) for n in range(4))]
        for name, few in amounts.groupby("prod_name")
    ]
    return pd.DataFrame(rows, columns=["prod_name", *QUARTERS])


def bisected() -> Pipeline:
    """The same with functions of pandas frames, of which only is said what lets rows be found by halving."""
    last = Transformation("sales", better_in_one, reads="quarters", properties=[backward_key("prod_name")])
    return Pipeline(*in_pandas().transformations.values(), last)


def in_pandas() -> Pipeline:
    """That without its last transformation."""
    both = {"items": [dispatcher()], "products": [dispatcher()]}
    of_priced = f"{OF_ITEMS}, prod_name string, price int"
    of_quarters = "prod_name string, " + ", ".join(f"{name} bigint" for name in QUARTERS)
    return Pipeline(
        Transformation("items", split, reads="orders", properties=[dispatcher()], pandas=True, schema=OF_ITEMS),
        Transformation(
            "priced", priced_in_pandas, reads=("items", "products"), properties=both, pandas=True, schema=of_priced
        ),
        Transformation(
            "quarters",
            by_quarter_in_pandas,
            reads="priced",
            properties=[key_preserving("prod_name")],
            pandas=True,
            schema=of_quarters,
        ),
    )


def better_in_one(quarters: DataFrame) -> DataFrame:
    return projected(better(averaged(quarters)))


def keys_of(rows: Sequence[Any], *columns: str) -> set[Any]:
    """The values of some columns, of one alone as they are."""
    found = {tuple(row[column] for column in columns) for row in rows}
    return {value for (value,) in found} if len(columns) == 1 else found
