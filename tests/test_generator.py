"""Generated warehouses are what they say: readable, of the stated size, the same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from generator import Shape, distractors, warehouse
from reading import rules_of
from small import Features, initial_condition, small_warehouse

from mdw.model.expressions import Attr, Compare
from mdw.model.name import entity_of
from mdw.model.rules import Rules

SHAPE = Shape(layers=4, width=6, fan_in=3, attributes=2, condition_attributes=3, restricting=0.5)


def payload_steps(rules: list[Rules]) -> int:
    """Direct steps between payload attributes."""
    return sum(population.target.rpartition(".")[2][0] == "P" for one in rules for population in one.populations)


@pytest.mark.parametrize("style", ["values", "comparisons", "arithmetic"])
def test_layered_warehouse_has_the_stated_size(style: str) -> None:
    shape = replace(SHAPE, style=style)  # type: ignore[arg-type]
    rules = rules_of("".join(warehouse(1, shape)))
    assert payload_steps(rules) == shape.steps == 108
    assert shape.paths == 27
    assert {one.head.driving[:2] for one in rules} == {"L0", "L1", "L2"}
    assert shape.asked in {population.target for one in rules for population in one.populations}
    assert any(one.head.filter for one in rules)


def test_the_benchmark_graph_has_six_thousand_million_paths() -> None:
    assert (Shape().steps, Shape().paths) == (14_000, 6_103_515_625)


def test_same_seed_same_text() -> None:
    assert list(warehouse(7, SHAPE)) == list(warehouse(7, SHAPE)) != list(warehouse(8, SHAPE))


def test_share_of_restricting_steps() -> None:
    shape = Shape(layers=6, width=50, condition_attributes=3, restricting=0.17)
    texts = list(warehouse(3, shape))
    restricting = sum("C0 IN" in text or "C0 =" in text for text in texts)
    assert 0.12 < restricting / len(texts) < 0.22


def test_distractors_stay_apart_and_stream() -> None:
    shape = replace(SHAPE, distractors=500)
    entities = {
        entity for one in rules_of("".join(warehouse(1, shape))) for entity in (one.head.target, one.head.driving)
    }
    assert {entity[0] for entity in entities} == {"L", "D"}
    assert len(rules_of("".join(distractors(100)))) * 20 == 100
    assert len(list(islice(distractors(10**9), 3))) == 3


@pytest.mark.parametrize("seed", range(30))
def test_small_warehouses_are_consistent(seed: int) -> None:
    draw = Random(seed)
    small = small_warehouse(draw, Features(dates=True, cycles=seed % 2 == 0))
    rules = rules_of(small.text)
    known = {name for entity in small.entities for name in small.kinds(entity)}
    used = {
        source.attribute
        for one in rules
        for row in one.populations
        for clause in row.clauses
        for source in clause.sources
    }
    assert used <= known
    assert {one.head.target for one in rules} == set(small.filled)
    assert initial_condition(draw, small, small.filled[-1])


def test_the_smallest_draw_is_the_plainest_warehouse() -> None:
    class Zero(Random):
        def random(self) -> float:
            return 0.0

        def randrange(self, *_: int | None) -> int:
            return 0

        def shuffle(self, _: Sequence[str]) -> None:
            """Leave the order as it is."""

    small = small_warehouse(Zero())
    assert small.text.splitlines() == [
        "MAPPING m0:",
        "WHEN POPULATING T0 FROM S0",
        *(f"POPULATE T0.{local} WITH S0.{local}" for local in small.locals),
    ]


def test_comparison_style_compares_attributes() -> None:
    rules = rules_of("".join(warehouse(2, replace(SHAPE, style="comparisons"))))
    compared = [
        clause.condition
        for one in rules
        for row in one.populations
        for clause in row.clauses
        if isinstance(clause.condition, Compare) and isinstance(clause.condition.right, Attr)
    ]
    assert compared
    assert all(
        entity_of(c.left.name) == entity_of(c.right.name)
        for c in compared
        if isinstance(c.left, Attr) and isinstance(c.right, Attr)
    )
