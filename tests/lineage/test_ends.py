"""Where answers end: conditions are written when they are read, and say the same whenever that is."""

from __future__ import annotations

import pickle

import pytest
from reading import bank_candidates, condition

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Impact, Lineage

QUESTIONS = {
    "MART.GROUP_CUSTOMER.CUSTOMER_NAME": 'MART.GROUP_CUSTOMER.REGION = "EU" AND MART.GROUP_CUSTOMER.PARTY_TYPE = 2',
    "MART.TRANSACTION_REPORT.AMOUNT": "MART.TRANSACTION_REPORT.BOOKING_DATE < 1.1.2015",
    "RISK.WATCH_LIST.AMOUNT": "",
    "MART.WEALTH_REPORT.AMOUNT_EUR": "",
}


def lineage(asked: str) -> Lineage:
    when = QUESTIONS[asked]
    return trace_lineage(Question(asked, condition(when), when), bank_candidates())


def impact() -> Impact:
    return trace_impact(Question("SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT"), bank_candidates())


def test_a_condition_is_written_when_it_is_read() -> None:
    answer = lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME")
    first, second = answer.golden[:2]
    assert first.condition
    assert "readable" in vars(first)
    assert "readable" not in vars(second)
    kept = pickle.loads(pickle.dumps(answer))
    assert kept == answer
    assert hash(kept) == hash(answer)
    assert repr(kept) == repr(answer)


@pytest.mark.parametrize("asked", QUESTIONS)
def test_what_is_read_first_changes_no_word(asked: str) -> None:
    ends_first, reasons_first = lineage(asked), lineage(asked)
    ends = [end.to_dict() for end in ends_first.golden]
    reasons = [dropped.to_dict() for dropped in reasons_first.dropped]
    assert [end.to_dict() for end in reversed(reasons_first.golden)] == ends[::-1]
    assert [dropped.to_dict() for dropped in ends_first.dropped] == reasons


def test_what_is_read_first_changes_no_word_of_an_impact() -> None:
    ends_first, reasons_first = impact(), impact()
    ends = [end.to_dict() for end in ends_first.final]
    reasons = [dropped.to_dict() for dropped in reasons_first.dropped]
    assert [end.to_dict() for end in reversed(reasons_first.final)] == ends[::-1]
    assert [dropped.to_dict() for dropped in ends_first.dropped] == reasons
