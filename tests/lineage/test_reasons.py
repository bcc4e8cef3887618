"""Reasons: sufficient and minimal over all ways, told as contradictions of which every way holds one."""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from in_force import handing_nothing, only, part_of, value
from reading import bank_candidates, condition, rules_of
from small import Features, initial_condition, maybe, small_warehouse

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Impact, Lineage
from mdw.model.answers.reasons import Dropped, Reason
from mdw.model.answers.steps import Step
from mdw.model.candidates import Candidates
from mdw.model.name import entity_of
from mdw.model.rules import Policy, Rules

TWO = """
MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "a"
MAPPING u: WHEN POPULATING U FROM T POPULATE U.V WITH T.V SELECT ROWS WHERE T.R = "b"
MAPPING w: WHEN POPULATING U FROM X POPULATE U.V WITH X.V
"""
MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FEATURES = Features(aggregations=False)


def lineage(rules: list[Rules], attribute: str, when: str = "", policy: Policy = "closed") -> Lineage:
    """Active lineage without a store."""
    return trace_lineage(Question(attribute, condition(when), when, policy=policy), Candidates.of(rules))


def told(dropped: Dropped) -> list[list[tuple[str, str]]]:
    """The contradictions by mapping and text."""
    return [[(rule.mapping, rule.condition) for rule in group.rules] for group in dropped.groups]


def of_mapping(answer: Lineage, mapping: str) -> Dropped:
    """The step that a mapping was to make."""
    return next(one for one in answer.dropped if one.step.mapping == mapping)


# -- laws -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A small warehouse and a question about it; ``forward``: what the attribute feeds, not where it comes from."""

    rules: list[Rules]
    attribute: str
    when: str
    policy: Policy
    forward: bool

    @classmethod
    def of(cls, seed: int, policy: Policy, *, forward: bool) -> Asked:
        """An attribute of a filled entity, or of a golden one, and perhaps a condition."""
        draw = Random(seed)
        small = small_warehouse(draw, FEATURES)
        entity = draw.choice(small.layers[0] if forward else small.filled[::-1])
        when = initial_condition(draw, small, entity, FEATURES) if maybe(draw, 0.5) else ""
        return cls(rules_of(small.text), f"{entity}.{draw.choice('PCNDMK')}", when, policy, forward)

    def answer(self, when: str | None = None) -> Lineage | Impact:
        return self.ask(self.rules, self.attribute, self.when if when is None else when)

    def ask(self, rules: list[Rules], attribute: str, when: str) -> Lineage | Impact:
        trace = trace_impact if self.forward else trace_lineage
        return trace(Question(attribute, condition(when), when, policy=self.policy), Candidates.of(rules))

    def parts(self, step: Step) -> list[str]:
        """The mappings that stand for the clauses a step uses, in warehouses with only some rules in force."""
        return [
            part_of(one.head.mapping, step.target, number)
            for one in self.rules
            for population in one.populations
            for number, clause in enumerate(population.clauses)
            if (one.head.mapping, population.target) == (step.mapping, step.target)
            and (clause.line, clause.column) == (step.location.line, step.location.column)
        ]

    def opens(self, step: Step, because: Sequence[Reason], within: Sequence[str] | None = None) -> bool:
        """Whether some row takes the step with only these rules in force, of some mappings only: asked anew."""
        asks = any(not reason.mapping for reason in because)
        made = [
            one if within is None or one.head.mapping in within else handing_nothing(one)
            for one in only(self.rules, because)
        ]
        answer = self.ask(made, value(self.attribute), self.when if asks else "")
        parts, source = self.parts(step), value(step.source)
        return any(kept.mapping in parts and kept.source == source for kept in answer.steps)

    def ways(self, step: Step) -> Iterator[list[str]]:
        """Ways through the step from a golden source to the question, as the mappings that stand for their steps."""
        made = only(self.rules, ())
        passive = trace_lineage(Question(value(self.attribute), mode="passive"), Candidates.of(made))
        filled = {one.head.target for one in self.rules}
        into: dict[str, list[Step]] = {}
        for one in passive.steps:
            into.setdefault(one.target, []).append(one)
        parts = set(self.parts(step))

        def up(name: str, way: list[Step]) -> Iterator[list[str]]:
            crossed = any(one.mapping in parts and one.source == value(step.source) for one in way)
            if crossed and entity_of(name) not in filled:
                yield [one.mapping for one in way]
            for one in (one for one in into.get(name, ()) if one not in way):
                yield from up(one.source, [*way, one])

        return up(value(self.attribute), [])


def unfounded(asked: Asked) -> list[str]:
    """What of the laws does not hold for the reasons of some dropped steps."""
    answer, kept = asked.answer(), {one.step for one in asked.answer("").dropped}
    found = []
    for one in answer.dropped[:: max(1, len(answer.dropped) // 2)]:
        because, step = list(one.because), one.step
        assert one.complete
        if asked.opens(step, because):
            found.append(f"{step}: a row goes with {because} in force")
        for rule in because:
            if asked.opens(step, [other for other in because if other != rule]):
                continue
            found.append(f"{step}: {rule} of {because} is not needed")
        if any(not rule.mapping for rule in because) == (step in kept):
            found.append(f"{step}: whether the question is named does not fit {because}")
        if {rule for group in one.groups for rule in group.rules} != set(because):
            found.append(f"{step}: {one.groups} are made of other rules than {because}")
        # What is carried depends on all that is mentioned anywhere, so a way alone says it under "closed" only.
        found += [
            f"{step}: {way} holds none of {one.groups}"
            for way in islice(asked.ways(step), 3 * (asked.policy == "closed" and not asked.forward))
            if all(asked.opens(step, group.rules, way) for group in one.groups)
        ]
    return found


@pytest.mark.parametrize("forward", [False, True], ids=["lineage", "impact"])
@pytest.mark.parametrize("policy", ["closed", "carry"])
def test_with_only_these_rules_no_row_goes_and_without_any_one_some_does(policy: Policy, forward: bool) -> None:
    @settings(
        max_examples=max(1, int(30 * MORE)),
        derandomize=MORE == 1,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.integers(0, 2**32))
    def law(seed: int) -> None:
        complaints = unfounded(Asked.of(seed, policy, forward=forward))
        assert not complaints, "\n".join([f"seed {seed}", *complaints])

    law()


# -- cases ----------------------------------------------------------------------------------------------------------


def test_reasons_are_found_when_they_are_asked_for() -> None:
    answer = lineage(rules_of(TWO), "U.V")
    again = lineage(rules_of(TWO), "U.V")
    dropped = of_mapping(again, "m")
    assert "explanation" not in vars(dropped)
    kept = pickle.loads(pickle.dumps(answer))
    assert kept == again == answer
    assert hash(kept.dropped) == hash(again.dropped)
    assert repr(kept.dropped) == repr(again.dropped)
    assert kept.to_dict() == again.to_dict()
    assert told(dropped) == [[("m", 'T.R WITH "a"'), ("u", 'T.R = "b"')]]


def test_what_two_rules_write_contradicts_a_question_that_compares_them() -> None:
    rules = rules_of(
        "MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.N WITH 2 POPULATE T.M WITH 1"
    )
    [dropped] = lineage(rules, "T.V", "T.M >= T.N").dropped
    assert {rule.condition for rule in dropped.because} == {"T.M WITH 1", "T.N WITH 2", "T.M >= T.N"}


def test_a_join_that_carries_the_contradiction_is_named() -> None:
    text = """MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V
    SELECT ROWS WHERE S.K = 1 AND J.K = 2 NAVIGATE FROM S TO J USING S.K = J.K"""
    [dropped] = lineage(rules_of(text), "T.V").dropped
    assert [rule.condition for rule in dropped.because] == ["S.K = 1 AND J.K = 2", "S.K = J.K"]


def test_a_value_that_no_rule_mentions_is_noted_with_the_one_most_like_it() -> None:
    rules = rules_of(TWO.replace("POPULATE U.V WITH T.V", "POPULATE U.V WITH T.V POPULATE U.R WITH T.R"))
    assert lineage(rules, "U.V", 'U.R = "B"').notes == ('no rule mentions R = "B"; did you mean "b"?',)
    said = "rules compare R with texts, not with"
    assert lineage(rules, "U.V", "U.R = 5").notes == (f'{said} numbers such as 5; a text is written "5"',)
    assert lineage(rules, "U.V", "U.R IN (01.02.2015)").notes[0].startswith(f"{said} days such as 01.02.2015")
    assert lineage(rules, "U.V", 'U.R = "b"').notes == lineage(rules, "U.V", 'U.V = "B"').notes == ()


def test_leaves_of_an_impact_are_final_unused_or_stopped() -> None:
    text = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.V POPULATE T.B WITH S.V POPULATE T.C WITH S.V
    POPULATE T.R WITH "a"
    MAPPING u: WHEN POPULATING U FROM T POPULATE U.A WITH T.A
    MAPPING w: WHEN POPULATING W FROM T POPULATE W.B WITH T.B SELECT ROWS WHERE T.R = "b"
    """
    answer = trace_impact(Question("S.V"), Candidates.of(rules_of(text)))
    assert ([end.attribute for end in answer.final], answer.unused, answer.stopped) == (["U.A"], ("T.C",), ("T.B",))


def test_a_question_that_contradicts_itself_is_the_reason() -> None:
    rules = rules_of("MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH S.R")
    [dropped] = lineage(rules, "T.V", 'T.R = "a" AND T.V = 1 AND T.R = "b"').dropped
    assert [rule.mapping for rule in dropped.because] == [""]
    [group] = dropped.groups
    assert [link.text for link in group.chain] == ['T.R = "a" and T.R = "b"'] * 2


def test_a_question_may_contradict_itself_about_what_is_filled_round_a_cycle() -> None:
    text = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V
    MAPPING n: WHEN POPULATING U FROM T POPULATE U.V WITH T.V
    MAPPING o: WHEN POPULATING T FROM U POPULATE T.V WITH U.V
    """
    answer = lineage(rules_of(text), "T.V", 'T.V = "a" AND T.V IS NULL')
    assert (answer.golden, {step.mapping for step in answer.steps}) == ((), set())
    assert {rule.mapping for dropped in answer.dropped for rule in dropped.because} == {""}


def test_steps_beyond_a_dropped_one_name_the_question_only_if_they_need_it() -> None:
    text = """
    MAPPING a: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "a"
    MAPPING b: WHEN POPULATING U FROM T POPULATE U.V WITH T.V POPULATE U.R WITH T.R POPULATE U.K WITH "k"
    SELECT ROWS WHERE T.R = "b"
    """
    near, far = lineage(rules_of(text), "U.V", 'U.K = "other"').dropped
    assert told(near) == told(far) == [[("b", 'T.R = "b"'), ("a", 'T.R WITH "a"')]]


def test_ways_may_be_a_thousand_millions() -> None:
    """Thirty layers of two mappings: one contradiction closes all ways."""
    layers = "".join(
        f"""
    MAPPING m{n}a: WHEN POPULATING T{n} FROM T{n - 1} POPULATE T{n}.V WITH T{n - 1}.V POPULATE T{n}.R WITH T{n - 1}.R
    MAPPING m{n}b: WHEN POPULATING T{n} FROM T{n - 1} POPULATE T{n}.V WITH T{n - 1}.V POPULATE T{n}.R WITH T{n - 1}.R
    """
        for n in range(1, 31)
    )
    answer = lineage(rules_of(layers), "T30.V", 'T30.R = "a" AND T0.R = "b"')
    assert {len(dropped.groups) for dropped in answer.dropped} == {1}
    assert all(dropped.complete for dropped in answer.dropped)


# -- the bank -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def bank() -> Candidates:
    """The example bank without a store."""
    return bank_candidates()


def test_nine_ways_of_a_company_name_hold_one_contradiction(bank: Candidates) -> None:
    when = 'MART.GROUP_CUSTOMER.REGION = "EU" AND MART.GROUP_CUSTOMER.PARTY_TYPE = 2'
    answer = trace_lineage(Question("MART.GROUP_CUSTOMER.CUSTOMER_NAME", condition(when), when), bank)
    [group] = of_mapping(answer, "stg_customer_eu_businesses").groups
    assert [link.kind for link in group.chain] == ["rule", *["copy"] * 4, "rule", "contradiction"]
    assert group.chain[-1].text == "PARTY_TYPE = 1 and PARTY_TYPE = 2"
