"""verify on plain functions: one planted lie a property, every false friend of tracing.md, and what holds."""

from __future__ import annotations

from collections import Counter

import pytest
from bags import DOMAIN, Function, Row, SmallTrial, composed, each, grouped, largest

from mdw.tracing import (
    aggregator,
    backward_key,
    backward_map,
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
from mdw.tracing.properties import Property
from mdw.tracing.refuting import SAME, Verdict, verdicts

SAMPLE = [*DOMAIN, (0, 1), (0, 3), (1, 2), (2, 7)]
KEYED = [(0, 1), (1, 2), (2, 3), (3, 5), (None, 7)]


def tried(
    one: Property, function: Function, sample: list[Row] = SAMPLE, tries: int = 60, **columns: tuple[str, ...]
) -> Verdict:
    found = verdicts("t", "in", [one], SmallTrial(function, **columns), sample, tries=tries)
    assert [verdict.property for verdict in found] == [SAME, str(one)]
    return found[1]


def unchanged(row: Row) -> list[Row]:
    return [row]


def by_x(rows: list[Row]) -> list[Row]:
    return grouped(lambda row: row[0], largest)(rows)


def listed(rows: list[Row]) -> list[Row]:
    return grouped(lambda row: row[0], lambda group: tuple(sorted(row[1] for row in group)))(rows)


def unlisted(rows: list[Row]) -> list[Row]:
    return [(x, y) for x, values in rows for y in values]


def differences(rows: list[Row]) -> list[Row]:
    """Of the sorted y: the first, and what each adds to the one before."""
    ys = sorted(row[1] for row in rows)
    return [(0, y - before) for before, y in zip([0, *ys], ys, strict=False)]


def summed(rows: list[Row]) -> list[Row]:
    ys = [sum(row[1] for row in rows[: number + 1]) for number in range(len(rows))]
    return [(0, y) for y in ys]


def outer(rows: list[Row]) -> list[Row]:
    """The optional side of an outer join: a partner removes the row with NULL."""
    return [(0, y) for _, y in rows] or [(0, None)]


def clusters(rows: list[Row]) -> list[Row]:
    parts: list[list[int]] = []
    for y in sorted(row[1] for row in rows):
        if parts and y - parts[-1][-1] <= 1:
            parts[-1].append(y)
        else:
            parts.append([y])
    return [(len(part), part[0]) for part in parts]


HELD: dict[str, tuple[Property, Function]] = {
    "filter": (row_filter("y"), each(lambda row: [row] if row[1] > 0 else [])),
    "backward total": (backward_total({"x": "x", "y": "y - 1"}), each(lambda row: [(row[0], row[1] + 1)])),
    "inverse": (inverse(unlisted), listed),
    "procedure": (procedure(lambda rows: rows), each(lambda row: [row] if row[1] > 0 else [])),
    "procedure with input": (procedure(lambda rows, source: [r for r in source if r[0] == rows[0][0]]), by_x),
    "forward key": (forward_key({"x": "x"}), by_x),
    "grand total": (forward_key([]), lambda rows: [(0, len(rows))]),
    "dispatcher": (dispatcher(), each(lambda row: [row, row, (row[0], 0)])),
    "key-preserving": (key_preserving("x"), by_x),
    "keyed": (keyed("x"), composed(each(lambda row: [row, (row[1], 1)]), by_x)),
    "context-free": (context_free(), lambda rows: [(0, y) for _, y in by_x(rows)]),
    "aggregator": (aggregator(), listed),
    "forward map": (forward_map({"x": "x"}), composed(by_x, each(lambda row: [row] if row[1] > 1 else []))),
}


@pytest.mark.parametrize("name", HELD)
def test_what_holds_is_held_and_never_proved(name: str) -> None:
    found = tried(*HELD[name])
    assert (found.verdict, found.counterexample) == ("held", None)
    assert found.times > 10


def test_maps_back_to_a_key_hold_on_inputs_that_have_it() -> None:
    doubled = each(lambda row: [(row[1], 2 * row[1])])
    assert tried(backward_key({"y": "y // 2"}), doubled, KEYED).verdict == "held"
    assert tried(backward_map({"y": "x"}), doubled, KEYED).verdict == "held"
    found = tried(backward_key({"y": "y // 2"}), doubled, SAMPLE)
    assert found.verdict == "false" and "is A of several rows" in str(found), "A is no key of the data"


LIES: dict[str, tuple[Property, Function]] = {
    "filter that changes": (row_filter(), each(lambda row: [(row[0], row[1] + 1)] if row[1] > 2 else [row])),
    "filter of the best": (row_filter(), lambda rows: [row for row in rows if row[1] == max(y for _, y in rows)]),
    "filter on other columns": (row_filter("x"), each(lambda row: [row] if row[1] > 0 else [])),
    "backward total": (backward_total({"x": "x", "y": "y - 1"}), each(lambda row: [(row[0], row[1] + row[1] // 2)])),
    "T10 differences": (inverse(summed), differences),
    "inverse": (inverse(lambda rows: unlisted(rows)[:2]), listed),
    "procedure": (procedure(lambda _, source: source[:1]), by_x),
    "procedure from nowhere": (procedure(lambda _, __: [(9, 9)]), by_x),
    "T13 HAVING COUNT(*) < 2": (forward_key({"x": "x"}), grouped(lambda row: row[0], len, having=2)),
    "T13 filter inside": (forward_key({"x": "x"}), composed(each(lambda r: [r] if r[1] > 0 else []), by_x)),
    "forward key of two rows": (forward_key({"x": "x"}), lambda rows: sorted(set(rows), key=repr)),
    "T14 optional side": (dispatcher(), outer),
    "T14 DISTINCT": (dispatcher(), lambda rows: sorted(set(rows), key=repr)),
    "key-preserving that filters": (key_preserving("x"), composed(each(lambda r: [r] if r[1] > 0 else []), by_x)),
    "key-preserving, other key": (key_preserving("y"), by_x),
    "keyed HAVING": (keyed("x"), grouped(lambda row: row[0], len, having=2)),
    "keyed, no key": (keyed("x"), each(unchanged)),
    "T17 clusters": (context_free(), clusters),
    "T18 largest two": (aggregator(), lambda rows: sorted(rows, key=repr)[:2]),
    "forward map": (forward_map({"x": "x"}), lambda rows: [row for row in rows if row[1] == max(y for _, y in rows)]),
    "backward map": (backward_map({"y": "x"}), lambda rows: [(y, len(rows)) for _, y in rows]),
    "fails on no rows": (keyed("x"), lambda rows: [(1 // len(rows), 1)] * 0 + by_x(rows)),
}


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_with_a_small_example(name: str) -> None:
    found = tried(*LIES[name])
    assert found.verdict == "false", str(found)
    assert found.counterexample is not None
    assert len(found.counterexample.rows) <= 3
    assert found.counterexample.because


def test_the_smallest_example_is_told() -> None:
    found = tried(*LIES["T13 HAVING COUNT(*) < 2"])
    assert str(found).startswith("t, its in: forward key map x -> x: false, ")
    assert found.counterexample is not None
    assert len(found.counterexample.rows) == 2
    assert len({row[0] for row in found.counterexample.rows}) == 1, "of one part"


def test_order_and_partitioning_must_not_matter() -> None:
    found = verdicts("t", "in", [], SmallTrial(lambda rows: rows[:1]), SAMPLE, tries=20)
    assert [(one.property, one.verdict) for one in found] == [(SAME, "false")]


@pytest.mark.parametrize("one", [dispatcher(), keyed("x"), context_free(), forward_map({"x": "x"})], ids=str)
def test_a_try_that_could_not_fail_does_not_count(one: Property) -> None:
    """Of an input without rows nothing but that of no rows nothing comes is tried; maps and filters not even that."""
    found = tried(one, lambda _: [], [])
    assert (found.verdict, found.times) in {("held", 60), ("untried", 0)}
    single = verdicts("t", "in", [dispatcher()], SmallTrial(each(unchanged)), [(0, 0)], tries=6)[1]
    assert single.times < 6, "one row has no two parts"


def test_rows_that_are_not_of_the_data_may_be_refused() -> None:
    """A function that fails on NULLs, where there are none."""

    def careful(rows: list[Row]) -> list[Row]:
        return [(x, y // (0 if x is None or y is None else 1)) for x, y in rows]

    assert tried(dispatcher(), careful, [(1, 2), (2, 3), (3, 4)]).verdict == "held"
    found = tried(dispatcher(), careful, [(None, 2), (2, 3), (3, 4)])
    assert found.verdict == "false" and "it fails" in str(found)


def test_verdicts_are_the_same_each_time() -> None:
    first, second = (tried(*LIES["T14 DISTINCT"]) for _ in range(2))
    assert first == second
    assert Counter([first])[second] == 1, "frozen values"
