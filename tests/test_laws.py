"""Laws of lineage, checked on small warehouses against executed rows and against brute force.

`MDW_EXAMPLES=20 pytest tests/test_laws.py` looks twenty times as long and at new warehouses each time.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from brute_force import BruteForce, Found, TooManyPaths, mentioned
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st
from reading import condition, rules_of
from rows import Cell, Database, carrying, random_rows
from small import DATED, Features, Kind, Small, initial_condition, maybe, small_warehouse

from mdw.answer import End, Lineage
from mdw.candidates import Candidates
from mdw.conditions.text import to_sql
from mdw.errors import InputError
from mdw.lineage.question import Budget, Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model import Policy, Rules
from mdw.name import entity_of
from mdw.readers.mapping import read
from mdw.render.sql import Dialect
from mdw.unparse import unparse

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
ROWS = 8
TIERS = {"all tiers": Budget(), "bounds only": Budget(nodes=0), "few witnesses": Budget(nodes=0, witnesses=1)}
POLICIES: tuple[Policy, ...] = ("closed", "open", "carry")
DRAWS = st.randoms(use_true_random=False)


def laws(examples: int) -> settings:
    """So many examples; always the same unless more are asked for."""
    quiet = [
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
    ]
    return settings(
        max_examples=max(1, int(examples * MORE)), derandomize=MORE == 1, deadline=None, suppress_health_check=quiet
    )


def ask(
    rules: list[Rules], attribute: str, when: str = "", policy: Policy = "closed", budget: Budget | None = None
) -> Lineage:
    """Active lineage without a store."""
    question = Question(attribute, condition(when), when, "active", policy, budget or Budget())
    return trace_lineage(question, Candidates.of(rules))


def asked(draw: Random, small: Small, features: Features) -> tuple[str, str]:
    """An attribute of a filled entity and perhaps an initial condition."""
    entity = draw.choice(small.filled[::-1])
    when = initial_condition(draw, small, entity, features) if maybe(draw, 0.5) else ""
    return f"{entity}.{draw.choice('PCNDMK')}", when


def golden(answer: Lineage) -> dict[str, End]:
    return {end.attribute: end for end in answer.golden}


# -- rows ---------------------------------------------------------------------------------------------------------


def executed(draw: Random, small: Small, rules: list[Rules], rounds: int, dialect: Dialect) -> Database:
    """The warehouse with random rows, its mappings run in order."""
    database = Database(dialect)
    for entity in small.entities:
        database.create(entity, small.kinds(entity))
    for entity in small.layers[0]:
        database.fill(entity, random_rows(draw, small.kinds(entity), ROWS))
    for _ in range(rounds):
        database.run(rules)
    return database


def uncovered(database: Database, answer: Lineage, cells: set[Cell]) -> list[str]:
    """Cells that really arrive but are not in the answer, or not under a condition their row meets."""
    known = golden(answer)
    found = []
    for cell in sorted(cells):
        end = known.get(cell.attribute)
        if end is None:
            found.append(f"{cell} is not in the answer")
        elif not database.meets(cell, end.sql):
            found.append(f"{cell} {database.row(cell)} does not meet {end.sql}")
    return found


def check_rows(draw: Random, features: Features, policy: Policy, budget: Budget, dialect: Dialect) -> None:
    small = small_warehouse(draw, features)
    rules = rules_of(small.text)
    run = [carrying(one, mentioned(rules)) for one in rules] if policy == "carry" else rules
    database = executed(draw, small, run, 2 if features.cycles else 1, dialect)
    attribute, when = asked(draw, small, features)
    answer = ask(rules, attribute, when, policy, budget)
    wanted = condition(when)
    cells = database.cells(attribute, to_sql(wanted) if wanted else "TRUE")
    note(f"{small.text}\nlineage of {attribute} when {when or 'TRUE'}, policy {policy}")
    assert not uncovered(database, answer, cells)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_what_really_arrives_is_in_the_answer(policy: Policy, tier: str) -> None:
    @laws(40)
    @given(DRAWS)
    def law(draw: Random) -> None:
        check_rows(draw, Features(), policy, TIERS[tier], "sqlite")

    law()


@pytest.mark.parametrize("tier", TIERS)
def test_what_really_arrives_around_a_cycle_is_in_the_answer(tier: str) -> None:
    @laws(30)
    @given(DRAWS)
    def law(draw: Random) -> None:
        check_rows(draw, Features(cycles=True), "closed", TIERS[tier], "sqlite")

    law()


@laws(25)
@given(DRAWS)
def test_what_really_arrives_in_duckdb_is_in_the_answer(draw: Random) -> None:
    check_rows(draw, Features(dates=True), "closed", Budget(), "duckdb")


# -- brute force --------------------------------------------------------------------------------------------------


def compare(found: Found, answer: Lineage, *, cyclic: bool) -> None:
    """The answer holds exactly what brute force finds; around a cycle at least that."""
    steps = {(s.mapping, s.source, s.target, s.location.line) for s in answer.steps if s.kind == "direct"}
    constants = {(c.mapping, c.target, c.location.line) for c in answer.constants}
    pairs: list[tuple[set[object], set[object]]] = [
        (set(found.steps), set(steps)),
        (set(found.golden), set(golden(answer))),
        (set(found.interrupted), set(answer.interrupted)),
        (set(found.constants), set(constants)),
    ]
    for expected, actual in pairs:
        assert not expected - actual, "left out what can carry a row"
        assert cyclic or not actual - expected, "kept what cannot carry a row"


def forced(rules: list[Rules], small: Small, policy: Policy) -> BruteForce:
    kinds = {name: kind for entity in small.entities for name, kind in small.kinds(entity).items()}
    return BruteForce(rules, kinds, policy)


def check_brute_force(draw: Random, features: Features, policy: Policy, budget: Budget) -> None:
    small = small_warehouse(draw, features)
    rules = rules_of(small.text)
    attribute, when = asked(draw, small, features)
    note(f"{small.text}\nlineage of {attribute} when {when or 'TRUE'}, policy {policy}")
    try:
        found = forced(rules, small, policy).trace(attribute, condition(when))
    except TooManyPaths:
        assume(False)
    compare(found, ask(rules, attribute, when, policy, budget), cyclic=features.cycles)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("policy", POLICIES)
def test_the_answer_is_what_enumerating_paths_gives(policy: Policy, tier: str) -> None:
    @laws(30)
    @given(DRAWS)
    def law(draw: Random) -> None:
        check_brute_force(draw, Features(functions=False), policy, TIERS[tier])

    law()


@pytest.mark.parametrize("tier", TIERS)
def test_around_cycles_no_simple_path_is_lost(tier: str) -> None:
    @laws(20)
    @given(DRAWS)
    def law(draw: Random) -> None:
        check_brute_force(draw, Features(cycles=True), "carry", TIERS[tier])

    law()


# -- conditions ---------------------------------------------------------------------------------------------------


@laws(40)
@given(DRAWS, st.sampled_from(POLICIES), st.sampled_from(sorted(TIERS)))
def test_an_exact_condition_lets_through_the_rows_that_some_path_does(draw: Random, policy: Policy, tier: str) -> None:
    features = Features(functions=False, computations=False)
    small = small_warehouse(draw, features)
    rules = rules_of(small.text)
    attribute, when = asked(draw, small, features)
    samples = {entity: random_rows(draw, small.kinds(entity), 6) for entity in small.layers[0]}
    note(f"{small.text}\nlineage of {attribute} when {when or 'TRUE'}, policy {policy}")
    force = forced(rules, small, policy)
    try:
        found = force.trace(attribute, condition(when), samples)
    except TooManyPaths:
        assume(False)
    for name, end in golden(ask(rules, attribute, when, policy, TIERS[tier])).items():
        entity = entity_of(name)
        upper = {number for number, row in enumerate(samples[entity]) if force.allows(entity, end.condition, row)}
        lower = {number for number, row in enumerate(samples[entity]) if force.allows(entity, end.at_least, row)}
        expected = found.accepted.get(name, set())
        note(f"{name}: {end.condition}, exact {end.exact}, at least {end.at_least or '-'}; {samples[entity]}")
        assert expected <= upper, "a row that can pass is excluded"
        assert not end.exact or expected == upper, "an exact condition lets through a row no path does"
        assert end.exact or lower <= expected, "a lower bound lets through a row no path does"


@laws(60)
@given(DRAWS)
def test_a_condition_shown_means_what_was_written(draw: Random) -> None:
    small = Small([["S"], ["T"]], DATED)
    written = initial_condition(draw, small, "S", Features(dates=True))
    rules = rules_of(f"WHEN POPULATING T FROM S POPULATE T.P WITH S.P SELECT ROWS WHERE {written}")
    database = Database("duckdb")
    database.create("S", small.kinds("S"))
    database.fill("S", random_rows(draw, small.kinds("S"), 40))
    ends = golden(ask(rules, "T.P"))
    filtering = rules[0].head.filter
    assert filtering is not None
    shown = ends["S.P"].sql if ends else "FALSE"
    sql = f"SELECT * FROM S WHERE (({to_sql(filtering)}) IS TRUE) <> (({shown}) IS TRUE)"
    assert database.connection.execute(sql).fetchall() == [], f"{written} became {shown}"


@laws(60)
@given(DRAWS)
def test_value_sets_and_z3_agree(draw: Random) -> None:
    small = Small([["S"], ["T"]], DATED)
    features = Features(dates=True, comparisons=False)
    parts = [initial_condition(draw, small, "S", features) for _ in range(2 + draw.randrange(3))]
    written = " AND ".join(f"({part})" for part in parts)
    rules = rules_of(f"WHEN POPULATING T FROM S POPULATE T.P WITH S.P SELECT ROWS WHERE {written}")
    note(written)
    assert set(golden(ask(rules, "T.P"))) == forced(rules, small, "closed").trace("T.P", None).golden


@laws(40)
@given(DRAWS, st.sampled_from(POLICIES), st.sampled_from(sorted(TIERS)))
def test_a_stronger_initial_condition_never_adds_a_source(draw: Random, policy: Policy, tier: str) -> None:
    small = small_warehouse(draw, Features(functions=False))
    rules = rules_of(small.text)
    attribute, when = asked(draw, small, Features())
    stronger = initial_condition(draw, small, entity_of(attribute))
    both = f"({when}) AND ({stronger})" if when else stronger
    note(f"{small.text}\nlineage of {attribute} when {when or 'TRUE'} and when {both}, policy {policy}")
    one = ask(rules, attribute, when, policy, TIERS[tier])
    two = ask(rules, attribute, both, policy, TIERS[tier])
    assert set(golden(two)) <= set(golden(one))
    assert set(two.steps) <= set(one.steps)


# -- lineage and impact -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["active", "passive"])
def test_lineage_and_impact_are_each_other_backwards(mode: str) -> None:
    @laws(40)
    @given(DRAWS, st.sampled_from(POLICIES))
    def law(draw: Random, policy: Policy) -> None:
        check_backwards(draw, policy, mode)

    law()


def check_backwards(draw: Random, policy: Policy, mode: str) -> None:
    small = small_warehouse(draw, Features(functions=False, cycles=maybe(draw, 0.2)))
    rules = rules_of(small.text)
    candidates = Candidates.of(rules)
    note(f"{small.text}\npolicy {policy}")
    targets = [f"{entity}.{local}" for entity in small.filled for local in "PN"]
    sources = [f"{entity}.{local}" for entity in small.layers[0] for local in "PCN"]
    question = {name: Question(name, mode=mode, policy=policy) for name in targets + sources}  # type: ignore[arg-type]
    upstream = {name: set(golden(trace_lineage(question[name], candidates))) for name in targets}
    downstream = {name: trace_impact(question[name], candidates).reached for name in sources}
    back = {(source, target) for target, found in upstream.items() for source in found if source in sources}
    forth = {(source, target) for source, found in downstream.items() for target in found if target in targets}
    assert back == forth


# -- text ---------------------------------------------------------------------------------------------------------


@laws(60)
@given(DRAWS)
def test_text_to_tree_to_text(draw: Random) -> None:
    small = small_warehouse(draw, Features(dates=True))
    for tree in read(small.text).trees:
        text = unparse(tree)
        assert read(text).trees == (tree,)
        assert unparse(read(text).trees[0]) == text
