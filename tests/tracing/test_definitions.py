"""Bisection and the search for parts against lineage by definition, over small bags with copies and NULLs."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bags import DOMAIN, Function, Row, SmallTrial, bags, each, grouped, largest, lineage, some_bags, total

from mdw.tracing import aggregator, context_free, dispatcher, key_preserving, keyed
from mdw.tracing.bisection import bisect, halves
from mdw.tracing.properties import Property
from mdw.tracing.subsets import SpentError, counted, in_parts, in_subsets


def exploded(row: Row) -> list[Row]:
    """explode(y, y + 1), the larger modulo 2."""
    return [row, (row[0], (row[1] + 1) % 2)] if row[0] != 1 else []


def chained(rows: list[Row]) -> list[Row]:
    """Clusters of y at most 1 apart: their sizes, and smallest."""
    parts: list[list[int]] = []
    for y in sorted(row[1] for row in rows):
        if parts and y - parts[-1][-1] <= 1:
            parts[-1].append(y)
        else:
            parts.append([y])
    return [(len(part), part[0]) for part in parts]


BISECTED: dict[str, tuple[Property, Function]] = {
    "T14 explode": (dispatcher(), each(exploded)),
    "T14 filter": (dispatcher(), each(lambda row: [row] if row[0] is None else [])),
    "T15 MAX by x": (key_preserving("x"), grouped(lambda row: row[0], largest)),
    "T16 explode, then count each": (keyed("x"), grouped(lambda row: row[1], len)),
    "T16 explode, total": (keyed("x"), lambda rows: grouped(lambda row: row[1], total(0))(each(exploded)(rows))),
}


@pytest.mark.parametrize("name", BISECTED)
def test_bisection_finds_the_rows_of_the_definition(name: str) -> None:
    one, function = BISECTED[name]
    trial = SmallTrial(function)
    for rows in some_bags(Random(name), 60, most=9):
        for o in trial.run(rows):
            at = [trial.output.index(column) for column in one.key or trial.output]
            wanted = tuple(o[place] for place in at)

            def present(batch: range, rows: tuple[Row, ...] = rows, at: list[int] = at, o: Row = wanted) -> bool:
                given = trial.run([rows[place] for place in batch])
                return o in {tuple(row[place] for place in at) for row in given}

            every = [range(len(rows))]
            found = {rows[batch.start] for batch in bisect(every, halves, present).met}
            assert found == lineage(one, trial, rows, o)
            for budget in (1, 3):
                few = bisect(every, halves, present, budget=budget)
                kept = {rows[place] for batch in (*few.met, *few.left) for place in batch}
                assert kept >= found, "no row is lost where calls are spent"


PARTED: dict[str, tuple[Property, Function]] = {
    "SUM by x": (
        context_free(),
        lambda rows: [(None, value) for _, value in grouped(lambda row: row[0], total(1))(rows)],
    ),
    "each row its own part": (context_free(), list),
    "grand total": (context_free(), lambda rows: [(None, total(1)(rows))] if rows else []),
}


@pytest.mark.parametrize("name", PARTED)
@pytest.mark.parametrize("property_", [context_free(), aggregator()], ids=["T17", "T18"])
def test_parts_are_those_of_the_definition(name: str, property_: Property) -> None:
    _, function = PARTED[name]
    trial = SmallTrial(function)
    for rows in some_bags(Random(name), 50, most=5):
        for o in trial.run(rows):
            run = lambda places, rows=rows: trial.run([rows[place] for place in places])  # noqa: E731
            places = in_parts(len(rows), {o}, run) if property_ == context_free() else in_subsets(rows, {o}, run)
            assert places is not None
            parts = lineage(property_, trial, rows, o)
            assert {rows[place] for place in places} == parts


def test_clusters_are_an_aggregator_whose_parts_depend_on_other_rows() -> None:
    """T18 and no T17: 2 joins 1 and 3."""
    rows = [(0, 1), (0, 3), (0, 2), (0, 7)]
    run = lambda places: Counter(chained([rows[place] for place in places]))  # noqa: E731
    assert in_subsets(rows, {(3, 1)}, run) == {0, 1, 2}
    assert in_subsets(rows, {(1, 7)}, run) == {3}


def test_without_its_second_test_max_would_come_from_one_row() -> None:
    """The false friend of T18: T({2}) = {2}, and yet 2 is of {1, 2}."""
    rows = [(0, 1), (0, 2)]
    run = lambda places: Counter([max(rows[place] for place in places)] if places else [])  # noqa: E731
    assert in_subsets(rows, {(0, 2)}, run) == {0, 1}


def test_each_copy_of_a_row_has_its_part() -> None:
    rows = [(0, 1), (1, 1), (2, 0)]
    run = lambda places: Counter(row[1:] for row in (rows[place] for place in places))  # noqa: E731
    assert in_subsets(rows, {(1,)}, run) == {0, 1}


def test_what_is_no_aggregator_is_found_to_be_none() -> None:
    rows = [(0, 1), (1, 1)]
    run = lambda places: Counter((number,) for number in range(len(places)))  # noqa: E731
    assert in_subsets(rows, {(1,)}, run) is None


def test_calls_are_counted_and_bags_run_once() -> None:
    asked = []
    run = counted(lambda places: Counter(asked.append(places) or [()]), 2)  # type: ignore[func-returns-value]
    run((0,)), run((1, 0)), run((0, 1))
    assert asked == [(0,), (0, 1)]
    with pytest.raises(SpentError):
        run((1,))


def test_small_bags_are_all_there() -> None:
    assert len(list(bags(DOMAIN, 2))) == 1 + 6 + 21
