"""Numbers are rationals: what arithmetic contradicts is dropped, what it does not is kept, however it is spelled."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import condition, rules_of

from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.candidates import Candidates

COMPUTED = """
WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.N WITH {value} SELECT ROWS WHERE {filter}
"""
TIERS = {"all tiers": Budget(), "bounds only": Budget(nodes=0)}


def traced(text: str, when: str, tier: str, asked: str = "T.V") -> Lineage:
    question = Question(asked, condition(when), when, budget=TIERS[tier])
    return trace_lineage(question, Candidates.of(rules_of(text)))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("value", "filter_", "when", "kept"),
    [
        ("S.L / 2", "S.L <= 50000", "T.N > 1000000", False),
        ("S.L / 2", "S.L <= 50000", "T.N > 20000", True),
        ("(S.L - 10) / 3", "S.L >= 13", "T.N < 1", False),
        ("(S.L - 10) / 3", "S.L >= 13", "T.N <= 1", True),
        ("10 - S.L x 3", "S.L > 3", "T.N >= 1", False),
        ("S.A / S.B", "S.B = 0", "T.N > 0", False),
        ("S.A / S.B", "S.B = 0", "T.N IS NULL", True),
        ("S.A / S.B", "S.B > 2 AND S.A < 2", "T.N > 1", False),
        ("S.A / S.B", "S.B > 2 AND S.A < 4", "T.N > 1", True),
        ("S.A / S.B", "S.A = 1 AND S.B = 3", "T.N < 0.3333333333333333333333333333333333", False),
        ("S.A / S.B", "S.A = 1 AND S.B = 3", "T.N > 0.3333333333333333333333333333333333", True),
        ("S.A + 1", "S.A = 10000000000000000000000000000", "T.N = 10000000000000000000000000001", True),
        ("S.A + 1", "S.A = 10000000000000000000000000000", "T.N = 10000000000000000000000000000", False),
        ("10000000000000000000000000000 + 1", "S.A = 1", "T.N = 10000000000000000000000000000", False),
        ("10000000000000000000000000000 + 1", "S.A = 1", "T.N = 10000000000000000000000000001", True),
        (f"{'9' * 700} x {'9' * 700}", "S.A = 1", "T.N = 1", True),
        ("S.A - S.A", "S.A > 1", "T.N != 0", False),
        ("S.A - S.A", "S.A > 1", "T.N = 0", True),
    ],
)
def test_what_arithmetic_contradicts_is_dropped(value: str, filter_: str, when: str, kept: bool, tier: str) -> None:
    answer = traced(COMPUTED.format(value=value, filter=filter_), when, tier)
    assert ([end.attribute for end in answer.golden] == ["S.V"]) is kept
    assert not answer.undecided


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("value", "shown"),
    [("S.L / 2", "S.L > 2000000"), ("S.L x 4 - 1000000", "S.L > 500000"), ("0 - S.L", "S.L < -1000000")],
)
def test_a_value_computed_from_one_is_shown_as_what_it_asks_of_that_one(value: str, shown: str, tier: str) -> None:
    text = COMPUTED.format(value=value, filter="S.L IS NOT NULL")
    end = traced(text, "T.N > 1000000", tier).golden[0]
    assert end.condition == shown


@pytest.mark.parametrize("text", ["01.02.2015!", "2015-02-01!", "1.2.2015!"])
def test_a_day_put_into_a_text_has_many_spellings(text: str) -> None:
    rules = """
    WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.D WITH 01.02.2015
    WHEN POPULATING U FROM T POPULATE U.V WITH T.V POPULATE U.R WITH T.D || "!"
    """
    answer = traced(rules, f'U.R = "{text}"', "all tiers", "U.V")
    assert [end.attribute for end in answer.golden] == ["S.V"]


@pytest.mark.parametrize("text", ["1.5!", "1.50!"])
def test_a_number_put_into_a_text_has_many_spellings(text: str) -> None:
    rules = """
    WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.N WITH 1.50
    WHEN POPULATING U FROM T POPULATE U.V WITH T.V POPULATE U.R WITH T.N || "!"
    """
    answer = traced(rules, f'U.R = "{text}"', "all tiers", "U.V")
    assert [end.attribute for end in answer.golden] == ["S.V"]
    both = traced(rules, f'U.R = "{text}" AND U.R = "2!"', "all tiers", "U.V")
    assert both.golden == ()


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("code", "kept"), [("CA", False), ("SA", True), ("SAV", False), ("S", True)])
def test_what_a_text_begins_with_is_a_pattern(code: str, kept: bool, tier: str) -> None:
    text = "WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.N WITH SUBSTR(S.P, 1, 2) SELECT ROWS WHERE {}"
    answer = traced(text.format('S.P LIKE "S%"'), f'T.N = "{code}"', tier)
    assert ([end.attribute for end in answer.golden] == ["S.V"]) is kept


def test_half_of_a_small_limit_is_no_large_exposure() -> None:
    bank = Path(__file__).parents[2] / "data" / "bank"
    text = "\n".join(path.read_text() for path in sorted(bank.rglob("*.map")))
    answer = traced(text, "", "all tiers", "RISK.LARGE_EXPOSURE.GROSS_AMOUNT")
    assert not [end.attribute for end in answer.golden if end.attribute.endswith("CARD_LIMIT")]
    [half] = [one for one in answer.dropped if one.step.mapping == "stg_card_us_company" and "LIMIT" in one.step.target]
    told = [reason.condition for reason in half.because]
    assert any("CARD_LIMIT / 2" in one for one in told)
    assert any("GROSS_AMOUNT > 1000000" in one for one in told)
