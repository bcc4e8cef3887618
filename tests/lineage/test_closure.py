"""The kernels against the plainest way to say the same, on random graphs with cycles."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdw.lineage.everything import closure, spread
from mdw.lineage.everything.closure import Steps, levels, sweep
from mdw.lineage.everything.spread import Relation, Web


def random_steps(draw: Random) -> Steps:
    count = 1 + draw.randrange(30)
    pairs = [(draw.randrange(count), draw.randrange(count)) for _ in range(draw.randrange(60))]
    sources, targets = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    return Steps(count, sources, targets)


def reached(steps: Steps) -> dict[int, set[int]]:
    """The ends that lead to each node, by walking back."""
    above: dict[int, set[int]] = {node: set() for node in range(steps.count)}
    for source, target in zip(steps.sources.tolist(), steps.targets.tolist(), strict=True):
        above[target].add(source)
    found = {}
    for node in above:
        seen, pending = {node}, [node]
        while pending:
            fresh = above[pending.pop()] - seen
            seen |= fresh
            pending += fresh
        found[node] = {one for one in seen if not above[one]}
    return found


def spelled(steps: Steps, asked: list[int] | None = None, ends: list[int] | None = None) -> dict[int, set[int]]:
    found = {}
    some, few = (None if one is None else np.array(one, dtype=np.int64) for one in (asked, ends))
    for rows in sweep(steps, some, few):
        for place, node in enumerate(rows.nodes.tolist()):
            found[node] = set(rows.ends[rows.starts[place] : rows.starts[place + 1]].tolist())
    return found


@given(st.integers(0, 2**32), st.sampled_from([1, 3, 4096]))
def test_the_sweep_finds_what_walking_back_finds(seed: int, rows: int) -> None:
    draw = Random(seed)
    steps = random_steps(draw)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closure, "ROWS", rows)
        expected = reached(steps)
        assert spelled(steps) == expected
        asked = sorted({draw.randrange(steps.count) for _ in range(3)})
        assert spelled(steps, asked) == {node: expected[node] for node in asked}
        ends = sorted({draw.randrange(steps.count) for _ in range(10)})
        assert spelled(steps, asked, ends) == {node: expected[node] & set(ends) for node in asked}


def test_levels_are_the_longest_ways() -> None:
    steps = Steps(5, np.array([0, 1, 0, 3]), np.array([1, 2, 2, 2]))
    assert levels(steps).tolist() == [0, 1, 2, 0, 0]


def test_ends_spread_from_state_to_state_and_around_cycles() -> None:
    end = Relation.of(np.array([1]), np.array([0]), 2, 1)
    swap = Relation.of(np.array([0, 1]), np.array([1, 0]), 2, 2)
    first = Relation.of(np.array([0]), np.array([0]), 2, 2)
    steps = {1: [(0, end), (2, swap)], 2: [(1, first)], 3: [(2, swap), (spread.UNSURE, end)]}
    incoming = {node: [(*step, None) for step in some] for node, some in steps.items()}
    web = Web([[1, 2], [3]], {1: 2, 2: 2, 3: 2}, incoming, [0])
    (found,) = spread.spread(web)
    assert {node: spread.columns(found, node).tolist() for node in (1, 2, 3)} == {1: [0], 2: [], 3: []}
    assert found.unsure == {3}


def test_what_a_row_brings_arrives_where_the_row_is_there() -> None:
    first = Relation.of(np.array([0]), np.array([0]), 2, 1)
    same = Relation.of(np.array([0, 1]), np.array([0, 1]), 2, 2)
    other = Relation.of(np.array([0]), np.array([1]), 1, 2)
    # Rows 5 are made of rows 4 in their first state; they bring end 0 to node 2 in each state, to node 3 in the second.
    incoming = {5: [(4, first, None)], 2: [(5, same, 0)], 3: [(5, other, 0)]}
    (found,) = spread.spread(Web([[5], [2], [3]], {4: 1, 5: 2, 2: 2, 3: 1}, incoming, [0, 1], [4]))
    assert {node: spread.columns(found, node).tolist() for node in (2, 3)} == {2: [0], 3: []}


def test_many_ends_come_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spread, "COLUMNS", 4)
    only = Relation.of(np.array([0]), np.array([0]), 1, 1)
    web = Web([[7]], {7: 1}, {7: [(end, only, None) for end in range(5)]}, list(range(6)))
    blocks = list(spread.spread(web))
    assert [spread.columns(block, 7).tolist() for block in blocks] == [[0, 1], [2, 3], [4]]
