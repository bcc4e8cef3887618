"""Rows traced through the mappings of a warehouse, by small ones of which each row is known by hand (T2, T34-T37)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from mdw import InputError, QuestionError, Warehouse

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.tuples import Trace

pytestmark = pytest.mark.spark
SHOP = Path(__file__).parents[3] / "data" / "shop"
Asks = Callable[..., "Trace"]


@pytest.fixture
def asks(spark: SparkSession, tmp_path: Path) -> Asks:
    """What a warehouse of some files answers, over tables of rows."""

    def ask(files: dict[str, str], tables: dict[str, dict[str, list[Any]]], entity: str, **asked: Any) -> Trace:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        rows = tmp_path / "rows"
        rows.mkdir(exist_ok=True)
        for name, columns in tables.items():
            parquet.write_table(pa.table(columns), rows / f"{name}.parquet")
        with Warehouse() as warehouse:
            warehouse.load(*(tmp_path / name for name in files))
            return warehouse.trace(spark, entity, data=rows, **asked)

    return ask


def told(found: Trace) -> dict[tuple[str, str], tuple[list[int], str]]:
    """By source and role the numbers of the rows, and how sure they are."""
    return {
        (one["source"], one["role"]): (sorted(row["row"] for row in one["rows"]), one["accuracy"])
        for one in found.to_dict()["sources"]
        if one["rows"]
    }


def test_the_shop(spark: SparkSession) -> None:
    with Warehouse() as warehouse:
        warehouse.load(SHOP)
        found = warehouse.trace(
            spark, "SALES", when={"PROD_NAME": "Sony VAIO"}, data=SHOP / "rows", columns=["q4"], rerun=True
        )
    assert told(found) == {
        ("SHOP.ITEMS", "value"): ([9, 10], "exact"),
        ("SHOP.ITEMS", "decides"): ([1, 3], "exact"),
        ("SHOP.PRODUCTS", "value"): ([3], "exact"),
        ("SHOP.PRODUCTS", "decides"): ([2], "exact"),
    }
    [left] = found.to_dict()["not_run"]
    assert left["mapping"] == "sales_old"
    assert left["because"][0]["condition"] == 'SHOP.OLD.KIND = "phone"'
    assert found.plan[-1] == "run again on the rows found: 1 of 1 rows come out"


SQL = """
CREATE TABLE s.orders (id INT, kind VARCHAR(5), amount INT);
CREATE TABLE s.other (id INT, amount INT);
CREATE VIEW m.big AS
WITH some AS (SELECT id, kind, amount FROM s.orders WHERE amount > 10)
SELECT kind, SUM(amount) AS total, COUNT(*) AS n FROM some GROUP BY kind
UNION ALL
SELECT 'o' AS kind, amount AS total, 1 AS n FROM s.other;
CREATE TABLE m.t (k VARCHAR(5), v INT);
INSERT INTO m.t SELECT kind, total + 0 FROM m.big WHERE n >= 1;
"""
ORDERS = {"id": [1, 2, 3, 4], "kind": ["a", "a", "b", "a"], "amount": [20, 5, 30, 40]}
OTHER = {"id": [7, 8], "amount": [20, 60]}


def test_statements_are_run_by_their_own_text(asks: Asks) -> None:
    found = asks({"a.sql": SQL}, {"S.ORDERS": ORDERS, "S.OTHER": OTHER}, "M.T", when={"K": "a"}, columns=["V"])
    assert told(found) == {("S.ORDERS", "value"): ([0, 3], "exact")}
    assert [one.mapping.rpartition("/")[2] for one in found.not_run] == ["a.sql:m.big (2)"]
    assert not found.unread


def test_what_only_a_mapping_that_is_not_run_reads_is_not_opened(asks: Asks) -> None:
    tables = {"S.ORDERS": ORDERS, "M.BIG": {"kind": ["a"], "total": [60], "n": [2]}}
    found = asks({"a.sql": SQL}, tables, "M.T", when={"K": "a"})
    assert told(found)["S.ORDERS", "value"] == ([0, 3], "exact")
    assert not found.unread


def test_rows_that_sources_no_longer_give(asks: Asks) -> None:
    stale = {"k": ["a", "z"], "v": [61, 5]}
    tables = {"S.ORDERS": ORDERS, "S.OTHER": OTHER, "M.T": stale}
    found = asks({"a.sql": SQL}, tables, "M.T", when={"K": "a"})
    assert told(found)["S.ORDERS", "value"] == ([0, 3], "at most")
    assert any("V" in one and "gives no such row today" in one for one in found.plan)
    lost = asks({"a.sql": SQL}, tables, "M.T", when={"K": "z"})
    assert {accuracy for _, accuracy in told(lost).values()} <= {"at most", "unknown"}
    assert lost.unread


def test_changes_are_at_most(asks: Asks) -> None:
    text = """
    CREATE TABLE m.t (k INT, v INT);
    INSERT INTO m.t (k, v) SELECT id, amount FROM s.o;
    UPDATE m.t SET v = (SELECT MAX(x.v) FROM s.fix x WHERE x.k = m.t.k) WHERE k IN (SELECT k FROM s.fix);
    """
    tables = {"S.O": {"id": [1, 2], "amount": [10, 20]}, "S.FIX": {"k": [1], "v": [99]}}
    found = asks({"a.sql": text}, {**tables, "M.T": {"k": [1, 2], "v": [99, 20]}}, "M.T", when="K = 1")
    assert told(found)["S.O", "value"] == ([0], "at most")
    assert told(found)["S.FIX", "value"] == ([0], "unknown")


def test_what_is_not_populated(asks: Asks) -> None:
    carry = "WHEN POPULATING M.T FROM S.A\n  POPULATE M.T.K WITH S.A.K\n{}"
    more = "WHEN POPULATING M.U FROM S.A\n  POPULATE M.U.V WITH S.A.V\n  POPULATE M.U.W WITH M.T.V\n"
    more += "LEFT JOIN M.T ON M.T.K = S.A.K"
    tables = {"S.A": {"K": [1, 1], "V": [5, 6]}}
    for word, rows, sure in (("OTHERS CARRY", [1], "exact"), ("OTHERS OPEN", [0, 1], "at most")):
        there = {**tables, "M.T": {"K": [1], "V": [6]}}
        found = asks({"a.map": carry.format(word), "b.map": more}, there, "M.T", when="V = 6")
        assert told(found) == {("S.A", "value"): (rows, sure)}


def test_what_cannot_be_run_leaves_its_sources_unknown(asks: Asks) -> None:
    text = (
        'MAPPING odd: WHEN POPULATING M.T FROM S.A\n  POPULATE M.T.K WITH OPAQUE("f(k)", S.A.K)\n'
        "MAPPING plain: WHEN POPULATING M.T FROM S.B\n  POPULATE M.T.K WITH S.B.K\n"
    )
    tables = {"S.A": {"K": [1, 2]}, "S.B": {"K": [1, 2]}, "M.T": {"K": [1]}}
    found = asks({"a.map": text}, tables, "M.T", when="K = 1")
    assert told(found) == {("S.A", "value"): ([0, 1], "unknown"), ("S.B", "value"): ([0], "exact")}
    assert "mapping odd" in str(found.unread[0])


def test_an_entity_without_rows_or_mappings_is_named(asks: Asks) -> None:
    text = "MAPPING a: WHEN POPULATING M.T FROM S.A\n  POPULATE M.T.K WITH S.A.K\n"
    text += "MAPPING b: WHEN POPULATING M.T FROM S.B\n  POPULATE M.T.K WITH S.B.K\n"
    found = asks({"a.map": text}, {"S.A": {"K": [1]}}, "M.T", when="K = 1")
    assert told(found) == {("S.A", "value"): ([0], "exact")}
    assert any("S.B" in str(one) for one in found.unread)


def test_circles_end(asks: Asks) -> None:
    text = """
    CREATE VIEW m.u AS SELECT k FROM m.t;
    CREATE VIEW m.v AS SELECT k FROM s.a UNION ALL SELECT k FROM s.a WHERE k > 1;
    INSERT INTO m.t (k) SELECT k FROM m.v;
    INSERT INTO m.t (k) SELECT k FROM m.u WHERE k > 0;
    INSERT INTO m.t (k) SELECT k + 1 FROM m.t;
    """
    found = asks({"a.sql": text}, {"S.A": {"k": [1, 2]}, "M.T": {"k": [1, 2]}}, "M.T", when="K = 1")
    assert told(found)["S.A", "value"] == ([0, 1], "at most")
    assert any("itself" in str(one) for one in found.unread)


def test_csv_is_typed_by_the_dictionary(asks: Asks, tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "s.orders.csv").write_text("id,kind,amount\n1,a,20\n2,a,5\n2,a,5\n3,b,\n", encoding="utf-8")
    found = asks({"a.sql": SQL}, {"S.OTHER": OTHER}, "S.ORDERS", when="AMOUNT < 10")
    [one] = [one for one in found.to_dict()["sources"] if one["rows"]]
    assert one["rows"] == [{"file": None, "row": None, "copies": 2, "values": {"id": 2, "kind": "a", "amount": 5}}]


WRONG: Sequence[tuple[dict[str, Any], str]] = [
    ({"when": "K = 'a' AND V = 7"}, "none meets V = 7, though some meet K = .a."),
    ({"when": "V > 0", "max_rows": 1}, r"4 rows of M.T meet this, more than 1"),
    ({"when": "KK = 1"}, "M.T.K"),
    ({"when": "V = 60", "columns": ["W"]}, "no attribute W"),
    ({"when": "S.OTHER.ID = 7"}, "speaks of S.OTHER.ID"),
    ({"when": ""}, "which rows"),
]


@pytest.mark.parametrize(("asked", "says"), WRONG)
def test_wrong_input(asks: Asks, asked: dict[str, Any], says: str) -> None:
    with pytest.raises(QuestionError) as raised:
        asks({"a.sql": SQL}, {"S.ORDERS": ORDERS, "S.OTHER": OTHER}, "M.T", **asked)
    assert re.search(says, str(raised.value)) and "\n" not in str(raised.value)


def test_files_that_cannot_be_read(asks: Asks, tmp_path: Path, spark: SparkSession) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "M.T.parquet").write_text("no parquet", encoding="utf-8")
    with pytest.raises((QuestionError, InputError), match=r"cannot read .*M\.T\.parquet"):
        asks({"a.sql": SQL}, {"S.ORDERS": ORDERS}, "M.T", when="V = 1")
    with Warehouse() as warehouse, pytest.raises(QuestionError, match="no mapping mentions the entity"):
        warehouse.trace(spark, "M.X", when="K = 1", data=tmp_path)
