"""Rows in bundles: none is lost, and what belongs together meets in one bucket; rows of tables as they come."""

from __future__ import annotations

from itertools import chain

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as some

from mdw.readers.tables.schema import BY_NAME
from mdw.readers.tables.stating import PROBLEM
from mdw.spark.load import bundles
from mdw.spark.load.bundles import Buckets, bundled, gathered
from mdw.spark.load.checking import WITHOUT, checked, used

ROWS = some.lists(some.tuples(some.sampled_from(["a", "b", "ä", "", "m " * 40]), some.integers(0, 9)), max_size=40)
PARTED = some.lists(ROWS, min_size=1, max_size=4)


def batch(rows: list[tuple[str, int]]) -> pa.RecordBatch:
    """Rows of a key and a number."""
    keys, numbers = [key for key, _ in rows], [number for _, number in rows]
    return pa.RecordBatch.from_arrays([pa.array(keys, pa.string()), pa.array(numbers, pa.int32())], ["key", "number"])


@given(PARTED, some.integers(1, 4), some.integers(1, 5), some.sampled_from([1, 200, bundles.HEAVY]))
def test_rows_come_out_as_they_went_in_and_meet_by_their_keys(
    tables: list[list[tuple[str, int]]], partitions: int, each: int, heavy: int
) -> None:
    buckets = Buckets(partitions, each)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundles, "HEAVY", heavy)
        made = [
            one
            for label, rows in enumerate(tables)
            if rows
            for one in bundled(str(label), batch(rows), batch(rows).column(0), buckets)
        ]
    found: dict[str, list[tuple[str, int]]] = {}
    places: dict[str, set[tuple[int, int]]] = {}
    moved = pa.Table.from_batches(made, bundles._SCHEMA)
    for partition in range(partitions):
        mine = moved.filter(pa.compute.equal(moved["partition"], partition)).sort_by("bucket")
        for number, bucket in enumerate(gathered(iter(mine.to_batches(max_chunksize=3)))):
            for label, table in bucket.items():
                rows = list(zip(*(column.to_pylist() for column in table.columns), strict=True))
                found.setdefault(label, []).extend(rows)
                for key, _ in rows:
                    places.setdefault(key, set()).add((partition, number))
    assert {label: sorted(rows) for label, rows in found.items()} == {
        str(label): sorted(rows) for label, rows in enumerate(tables) if rows
    }
    assert all(len(one) == 1 for one in places.values())
    assert set(places) == {key for key, _ in chain.from_iterable(tables)}


def problems(table: str, **columns: pa.Array) -> tuple[list[dict[str, object]], list[str | None]]:
    """The rows of a table as they are taken, and what is wrong with each."""
    given = pa.RecordBatch.from_arrays([*columns.values()], [*columns])
    found = checked(given, BY_NAME[table], used(BY_NAME[table]))
    rows = found.to_pylist()
    return rows, [row.pop(PROBLEM) for row in rows]


def test_each_row_says_itself_what_is_wrong_with_it() -> None:
    texts = pa.array([b"m", b"\xff", None, b"n"], pa.binary()).view(pa.string())
    rows, said = problems("with_clause", mapping_id=texts, population_id=pa.array([1, 2, 3, 1 << 40]),
                          with_id=pa.array(["1", "one", None, "7"]))  # fmt: skip
    assert rows == [
        {"mapping_id": "m", "population_id": 1, "with_id": 1},
        {"mapping_id": "\ufffd", "population_id": 2, "with_id": None},
        {"mapping_id": WITHOUT, "population_id": 3, "with_id": None},
        {"mapping_id": "n", "population_id": None, "with_id": 7},
    ]
    assert said == [
        None,
        "with_clause: mapping_id is no UTF-8 text",
        "with_clause: mapping_id is empty",
        "with_clause: population_id is 1099511627776, too large",
    ]


def test_columns_that_may_be_missing_are_empty() -> None:
    number = pa.array([1], pa.int64())
    text = pa.array(["m"])
    rows, said = problems("entity_attribute_population", mapping_id=text, population_id=number, attribute_id=text)
    assert rows == [{"mapping_id": "m", "population_id": 1, "attribute_id": "m", "written": None, "place": None}]
    assert said == [None]
