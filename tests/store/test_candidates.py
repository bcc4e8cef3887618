"""Candidates from the store are enough for every question; trees and names come back."""

from __future__ import annotations

from random import Random

import pytest
from graphs import named, stored
from hypothesis import given, settings
from hypothesis import strategies as st
from small import Features, initial_condition, small_warehouse

from mdw.language.questions import initial_condition as condition_text
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.candidates import Candidates
from mdw.model.errors import QuestionError
from mdw.model.name import entity_of
from mdw.model.rules import Mode
from mdw.store import candidates, catalogue, trees
from mdw.store.engine import Store

CHAIN = """
MAPPING up: WHEN POPULATING B FROM A
  POPULATE B.X WITH A.X
  POPULATE B.KIND WITH "k"
SELECT ROWS WHERE A.F = 1
MAPPING middle: WHEN POPULATING C FROM B
  POPULATE C.X WITH B.X IF B.KIND = "k" AND B.F = 1
  POPULATE C.OTHER WITH D.O
NAVIGATE FROM B TO D USING B.ID = D.ID
MAPPING aside: WHEN POPULATING E FROM A POPULATE E.Z WITH A.Z
MAPPING down: WHEN POPULATING F FROM C POPULATE F.Y WITH C.X POPULATE F.W WITH C.OTHER
"""


def asked(attribute: str, mode: Mode = "active", when: str = "") -> Question:
    return Question(attribute, condition_text(when, attribute), when, mode)


def chain() -> Store:
    return stored(CHAIN)


def filled(found: Candidates) -> list[str]:
    """What the candidates populate, as ``mapping: attribute``."""
    return sorted(f"{population.mapping}: {population.target}" for population in found.populations)


def test_active_lineage_needs_what_flows_and_what_decides() -> None:
    found = candidates.upstream(chain(), asked("F.Y"))
    assert filled(found) == ["down: F.Y", "middle: C.X", "up: B.KIND", "up: B.X"]
    assert set(found.heads) == {"down", "middle", "up"}
    assert found.carried == {("A.F", "B.F")}, "B.ID has no namesake in A"
    assert found.populated == {"B", "C", "F"}


def test_passive_lineage_needs_what_flows() -> None:
    found = candidates.upstream(chain(), asked("F.Y", "passive"))
    assert filled(found) == ["down: F.Y", "middle: C.X", "up: B.X"]


def test_initial_condition_widens_the_cone() -> None:
    found = candidates.upstream(chain(), asked("F.Y", when="W = 1"))
    assert "middle: C.OTHER" in filled(found)


def test_impact_needs_whole_mappings() -> None:
    found = candidates.downstream(chain(), asked("A.X"))
    assert filled(found) == ["down: F.W", "down: F.Y", "middle: C.OTHER", "middle: C.X", "up: B.KIND", "up: B.X"]
    assert found.carried == {("A.F", "B.F")}
    assert found.final == {"F"}
    assert filled(candidates.downstream(chain(), asked("A.F", "passive"))) == ["up: B.KIND", "up: B.X"], "a filter"


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_an_attribute_nothing_is_known_of(mode: Mode) -> None:
    found = candidates.upstream(chain(), asked("NO.SUCH", mode))
    assert (found.heads, found.populations) == ({}, ())


def essence(answer: Lineage | Impact) -> dict[str, object]:
    """All but the wording: conditions may be put in other words when more constants are known of an attribute."""
    ends = answer.golden if isinstance(answer, Lineage) else answer.final
    return {
        "ends": [end.attribute for end in ends],
        "constants": answer.constants,
        "interrupted": answer.interrupted if isinstance(answer, Lineage) else (),
        "indirect": answer.indirect,
        "steps": set(answer.steps),
        "dropped": {dropped.step for dropped in answer.dropped},
        "reached": answer.reached,
    }


@settings(max_examples=12)
@given(st.integers(0, 10**6))
def test_candidates_answer_as_the_whole_warehouse_does(seed: int) -> None:
    draw = Random(seed)
    small = small_warehouse(draw, Features(cycles=seed % 2 == 0))
    whole = Candidates.of(one.rules for one in named(small.text))
    store = stored(small.text)
    attribute = draw.choice(catalogue.attributes(store))
    when = initial_condition(draw, small, entity_of(attribute)) if draw.random() < 0.5 else ""
    modes: tuple[Mode, ...] = ("active", "passive")
    for question in (asked(attribute, mode, when) for mode in modes):
        found = trace_lineage(question, candidates.upstream(store, question))
        assert essence(found) == essence(trace_lineage(question, whole))
        forwards = trace_impact(question, candidates.downstream(store, question))
        assert essence(forwards) == essence(trace_impact(question, whole))


def test_trees_by_name_and_by_what_they_mention() -> None:
    store = chain()
    every = {one.name: one.tree for one in named(CHAIN)}
    assert dict(trees.trees(store)) == every
    assert [name for name, _ in trees.trees(store)] == sorted(every)
    assert dict(trees.trees(store, ["up", "no such"])) == {"up": every["up"]}
    assert [name for name, _ in trees.trees(store, mentioning="D.O")] == ["middle"]
    assert [name for name, _ in trees.trees(store, mentioning="D")] == ["middle"]
    assert [name for name, _ in trees.trees(store, mentioning="A")] == ["aside", "up"]
    assert trees.tree(store, "down") == every["down"]
    with pytest.raises(QuestionError, match=r"^there is no mapping upp; did you mean up\?$"):
        trees.tree(store, "upp")


def test_many_trees_come_in_several_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "TREES", 3)
    assert len(dict(trees.trees(chain()))) == 4


def test_mappings_and_entities() -> None:
    store = chain()
    heads = catalogue.heads(store)
    assert [(head.mapping, head.target, head.driving, head.line) for head in heads] == [
        ("aside", "E", "A", 10),
        ("down", "F", "C", 11),
        ("middle", "C", "B", 6),
        ("up", "B", "A", 2),
    ]
    assert "F.W" in catalogue.attributes(store)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("CORE.PARTY.REGOIN", ("CORE.PARTY.REGION",)),
        ("PARTY.REGION", ("CORE.PARTY.REGION",)),
        ("CORE.PRATY.REGOIN", ("CORE.PARTY.REGION",)),
        ("CORE.PARTY.`end dat`", ("CORE.PARTY.`end date`",)),
        ("NOTHING.LIKE_IT", ()),
    ],
)
def test_names_like_an_unknown_one(name: str, near: tuple[str, ...]) -> None:
    store = stored(
        "WHEN POPULATING core.party FROM S POPULATE core.party.region WITH S.R POPULATE core.party.`end date` WITH S.E"
    )
    assert not catalogue.known(store, name)
    assert all(catalogue.known(store, one) for one in near)
    assert catalogue.near(store, name)[: len(near) or None] == near
