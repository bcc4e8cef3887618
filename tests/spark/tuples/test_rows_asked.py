"""`trace`: the examples E2, E24 and E25, what it says, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as f
from sales import ORDERS, PRODUCTS

from mdw import QuestionError, SparkError
from mdw.spark.tuples import Trace, asking, trace
from mdw.spark.tuples.derived.lineage import lineage_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
SALES = """
WITH items AS (
  SELECT no, day, CAST(split_part(item, '(', 1) AS INT) AS id, CAST(rtrim(')', split_part(item, '(', 2)) AS INT) AS n
  FROM orders LATERAL VIEW explode(split(list, ',')) AS item
),
sold AS (
  SELECT name, quarter(day) AS q, n * price AS amount
  FROM items JOIN products p ON items.id = p.id AND day BETWEEN first AND last WHERE category = 'computer'
),
quarters AS (
  SELECT name, SUM(CASE WHEN q = 1 THEN amount ELSE 0 END) AS q1, SUM(CASE WHEN q = 2 THEN amount ELSE 0 END) AS q2,
    SUM(CASE WHEN q = 3 THEN amount ELSE 0 END) AS q3, SUM(CASE WHEN q = 4 THEN amount ELSE 0 END) AS q4
  FROM sold GROUP BY name
)
SELECT name AS prod_name, (q1 + q2 + q3) DIV 3 AS avg3, q4 FROM quarters WHERE q4 > 2 * ((q1 + q2 + q3) DIV 3)
"""


@pytest.fixture(scope="module")
def shop(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, DataFrame]:
    """Orders and products of E25, a file each."""
    folder = tmp_path_factory.mktemp("shop")
    products = "id INT, name STRING, category STRING, price INT, first DATE, last DATE"
    for name, rows, schema in (
        ("orders", ORDERS, "no STRING, day DATE, list STRING"),
        ("products", PRODUCTS, products),
    ):
        spark.createDataFrame(rows, schema).coalesce(1).write.parquet(str(folder / name))
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    return {name: spark.read.parquet(str(folder / name)) for name in ("orders", "products")}


def roles(found: Trace, source: str, *columns: str) -> dict[Any, str]:
    """What rows of a source did, by their values."""
    return {tuple(row[one] for one in columns): row["_role"] for row in found[source].frame.collect()}


def test_the_product_that_sold_best_at_the_end_of_the_year(spark: SparkSession, shop: dict[str, DataFrame]) -> None:
    """E25, T3, T37: the rows of the whole row, and those of its last quarter."""
    frame = spark.sql(SALES)
    assert [tuple(row) for row in frame.collect()] == [("Sony VAIO", 11250, 39600)]
    found = trace(frame, "q4 = 39600", sources=shop)
    assert roles(found, "orders", "no") == dict.fromkeys([("0101",), ("0379",), ("1028",), ("1250",)], "value")
    assert roles(found, "products", "id", "price") == {(222, 2250): "value", (222, 1980): "value"}
    found = trace(frame, "q4 = 39600", sources=shop, columns=["q4"])
    assert {row["no"]: (row["_role"], row["_row"], row["_copies"]) for row in found["orders"].frame.collect()} == {
        "0101": ("decides", 0, 1),
        "0379": ("decides", 2, 1),
        "1028": ("value", 6, 1),
        "1250": ("value", 7, 1),
    }
    assert roles(found, "products", "id", "price") == {(222, 2250): "decides", (222, 1980): "value"}
    assert found["orders"].accuracy == found["products"].accuracy == {"value": "exact", "decides": "exact"}
    assert (found.together, tuple(found.absent), found.unread, found.count) == (None, (), (), 1)
    lines = str(found).splitlines()
    assert lines[0] == "1 row of the frame where q4 = 39600; its q4 comes from"
    assert [line.split()[:6] for line in lines[1:3]] == [
        ["orders", "value", "2", "of", "8", "rows,"],
        ["decides", "2", "rows,", "exact", lines[2].split()[4], "rows"],
    ]
    told = found.to_dict()["sources"]
    assert [(one["source"], one["role"], len(one["rows"])) for one in told] == [
        ("orders", "value", 2), ("orders", "decides", 2), ("products", "value", 1), ("products", "decides", 1),
    ]  # fmt: skip
    assert {"file", "row", "copies", "values"} == set(told[0]["rows"][0])


def test_which_rows_went_together(spark: SparkSession) -> None:
    """E2, T38: A1 went with B1 and with B2."""
    a = spark.createDataFrame([("x1", "y1", "z1"), ("x2", "y2", "z2")], "x STRING, y STRING, z STRING")
    b = spark.createDataFrame(
        [("x1", "u1", "v1"), ("x1", "u2", "v1"), ("x3", "u3", "v3")], "x STRING, u STRING, v STRING"
    )
    frame = a.alias("a").join(b.alias("b"), f.expr("a.x = b.x")).where("v = 'v1'").select("a.x", "z")
    found = trace(frame, "z = 'z1'", sources={"A": a, "B": b}, columns=["z"])
    assert roles(found, "A", "x", "y", "z") == {("x1", "y1", "z1"): "value"}
    assert roles(found, "B", "u") == {("u1",): "decides", ("u2",): "decides"}
    assert found.together is not None
    assert {(row["A"]["y"], row["B"]["u"]) for row in found.together.collect()} == {("y1", "u1"), ("y1", "u2")}
    assert found.count == 2


def test_of_one_value_under_three_transformations(spark: SparkSession) -> None:
    """E24: a filter, a sum by key, and a function of which nothing is known."""
    rows = spark.createDataFrame([("a", -1), ("a", 2), ("b", 0)], "x STRING, y INT")
    asked = spark.createDataFrame([("a", 2)], "x STRING, y INT")
    whole = rows.mapInPandas(lambda batches: (batch[batch.y >= 0] for batch in batches), "x STRING, y INT")
    frames = rows.where("y >= 0"), rows.groupBy("x").agg((2 * f.sum("y")).alias("y")), whole
    found = [lineage_of(one, asked, reads={"I": rows}) for one in frames]
    assert [{row["y"] for row in one.sources["I"].frame.collect()} for one in found] == [{2}, {-1, 2}, {-1, 2, 0}]
    assert [one.sources["I"].accuracy["value"] for one in found] == ["exact", "exact", "unknown"]
    assert [one.unread for one in found] == [(), (), ("MapInPandas: no rule",)]


def test_what_is_not_there_is_told(spark: SparkSession) -> None:
    """T4, T5: outer joins, NOT EXISTS, NOT IN, EXCEPT, LIMIT, totals of nothing."""
    left = spark.createDataFrame([(5, "x"), (6, None)], "k INT, v STRING")
    right = spark.createDataFrame([(7, "y")], "k INT, w STRING")
    left.createOrReplaceTempView("l")
    right.createOrReplaceTempView("p")
    told = {
        "SELECT l.k, w FROM l LEFT JOIN p ON p.k = l.k": ["no p with k = 5"],
        "SELECT l.k FROM l WHERE NOT EXISTS (SELECT 1 FROM p WHERE p.w = l.v)": ["no p with w = 'x'"],
        "SELECT l.k FROM l WHERE k NOT IN (SELECT k FROM p)": ["no p with k = 5 or NULL"],
        "SELECT k FROM l EXCEPT SELECT k FROM p": ["no p with k = 5"],
        "SELECT k FROM l LIMIT 2": ["rows left out by LIMIT or OFFSET"],
    }
    for query, sentences in told.items():
        found = trace(spark.sql(query), "k = 5", sources={"l": left} | ({"p": right} if "p" in query.split() else {}))
        assert list(found.absent) == sentences, query
        assert roles(found, "l", "k") == {(5,): "value"}
    total = trace(spark.sql("SELECT COUNT(*) AS n FROM l WHERE k > 9"), "n = 0", sources={"l": left})
    assert list(total.absent) == ["no l: the total of no rows"]
    assert (total["l"].frame.count(), total["l"].accuracy["decides"]) == (0, "exact")


def test_rows_in_memory_are_known_by_their_values(spark: SparkSession) -> None:
    """T2, T37: copies go together, NULLs and maps are values."""
    rows = [(1, None, {"a": 1}), (1, None, {"a": 1}), (2, 3.5, None)]
    source = spark.createDataFrame(rows, "k INT, x DOUBLE, m MAP<STRING, INT>")
    found = trace(source.groupBy("k").agg(f.count("*").alias("n")), "k = 1", sources={"s": source})
    assert [tuple(row) for row in found["s"].frame.collect()] == [(1, None, {"a": 1}, "value", None, None, 2)]
    assert str(found).splitlines()[1].split() == ["s", "value", "2", "of", "3", "rows,", "exact"]


def test_what_may_come_out_otherwise_is_at_most(spark: SparkSession, shop: dict[str, DataFrame]) -> None:
    """T7, T21, T30: nothing of it is lost; functions of Python are named."""
    orders = shop["orders"]
    double = f.udf(lambda no: no + no, "STRING")
    for frame, condition, count in (
        (orders.where(f.rand(1) >= 0), "no = '0101'", 1),
        (orders.sample(0.99999, 1), "no = '0101'", 1),
        (orders.select(f.uuid().alias("u"), "no"), "no = '0101'", 1),
        (orders.groupBy(f.quarter("day").alias("q")).agg(f.first("no").alias("no")), "q = 4", 3),
        (orders.dropDuplicates(["list"]), "list = '111(10)'", 2),
        (orders.groupBy("list").agg(f.collect_list("no").alias("all")), "list = '111(10)'", 2),
    ):
        found = trace(frame, condition, sources={"orders": orders})
        assert found["orders"].frame.count() == count
        assert found["orders"].accuracy["value"] == ("exact" if "all" in frame.columns else "at most")
    found = trace(orders.select(double("no").alias("twice")), "twice = '01010101'", sources={"orders": orders})
    assert roles(found, "orders", "no") == {("0101",): "value"}
    assert found.plan == ("<lambda>: a function of Python, taken to give the same for the same row",)


def test_sources_need_no_names_and_may_be_anything(spark: SparkSession, shop: dict[str, DataFrame]) -> None:
    late = shop["orders"].where("no > '1000'").select("no", "day")
    frame = late.groupBy(f.month("day").alias("m")).agg(f.max("no").alias("no"))
    assert [one.name for one in trace(frame, "m = 12").sources] == ["orders"]
    found = trace(frame, "m = 12", sources={"late": late})
    assert found["late"].frame.columns == ["no", "day", "_role", "_file", "_row", "_copies"]
    assert [row["_row"] for row in found["late"].frame.collect()] == [7], "as many rows stand before it in its file"


def test_of_many_rows_the_question_is_kept(
    spark: SparkSession, shop: dict[str, DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "AT_HAND", 1)
    frame = shop["orders"].groupBy(f.quarter("day").alias("q")).agg(f.count("*").alias("n"))
    found = trace(frame, "q >= 2", sources={"orders": shop["orders"]}, columns=["q"])
    assert (found.count, found["orders"].frame.count()) == (None, 6)
    assert str(found).splitlines()[0] == "rows of the frame where q >= 2; its q comes from"


def test_wrong_questions_are_answered_in_a_line(spark: SparkSession, shop: dict[str, DataFrame]) -> None:
    frame = spark.sql(SALES)
    for sources, condition, columns, message in (
        (
            shop,
            "q4 = 39600 AND avg3 < 5",
            [],
            r"^no such row: none meets avg3 < 5, though some meet q4 = 39600$",
        ),
        (shop, "q4 = 39600", ["avg"], r"^the frame has no column avg; did you mean avg3\?$"),
        (shop, "q5 = 39600", [], "^q5 = 39600: .*UNRESOLVED_COLUMN.*q4"),
        (shop, "q4 = = 1", [], "^q4 = = 1: .*PARSE_SYNTAX_ERROR"),
        (shop | {"late": spark.range(3)}, "q4 = 39600", [], "^late is no source of the frame$"),
        (
            {"product": spark.range(3)},
            "q4 = 39600",
            [],
            "^product is no source of .*, which reads .*products.*mean products",
        ),
    ):
        with pytest.raises(QuestionError, match=message) as told:
            trace(frame, condition, sources=sources, columns=columns)
        assert "\n" not in str(told.value)


def test_plans_that_cannot_be_had_are_refused(spark: SparkSession, shop: dict[str, DataFrame], tmp_path: Path) -> None:
    stream = spark.readStream.schema(shop["orders"].schema).parquet(str(tmp_path))
    with pytest.raises(SparkError, match=r"^rows of streams cannot be traced: read what the stream has written$"):
        trace(stream, "no = '0101'")

    class Remote:
        __module__ = "pyspark.sql.connect.dataframe"

    with pytest.raises(SparkError, match=r"^rows are traced by Spark's plans, which Spark Connect does not show$"):
        trace(Remote(), "no = '0101'")  # type: ignore[arg-type]


def test_a_run_that_fails_says_why(spark: SparkSession, shop: dict[str, DataFrame]) -> None:
    frame = shop["orders"].select(f.expr("CAST(list AS INT)").alias("n"))
    with pytest.raises(SparkError, match=r"^Spark could not finish: .*CAST_INVALID_INPUT"):
        trace(frame, "n = 1")
