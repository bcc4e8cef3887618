"""Views: one level at a time, and all levels together are the whole answer."""

from __future__ import annotations

import pytest

from mdw import Warehouse
from mdw.model.answers.answer import Answer, Lineage
from mdw.render.picture import lineage_svg
from mdw.render.view import view
from mdw.resources import BANK

ASKED = ["MART.GROUP_CUSTOMER.CUSTOMER_NAME", "RISK.LARGE_EXPOSURE.GROSS_AMOUNT", "MART.WEALTH_REPORT.AMOUNT_EUR"]
SPREAD = ["SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT", "STG.CUSTOMER_EU.NAME"]


@pytest.fixture(scope="module")
def answers() -> list[Answer]:
    with Warehouse() as bank:
        bank.load(BANK).raise_for_errors()
        return [*map(bank.lineage, ASKED), *map(bank.impact, SPREAD)]


def test_opening_everything_shows_the_whole_answer(answers: list[Answer]) -> None:
    for answer in answers:
        opened: list[str] = []
        while more := view(answer, opened).closed:
            opened += more
        shown = view(answer, opened).answer
        assert set(shown.steps) == set(answer.steps)
        assert {one.step for one in shown.dropped} == {one.step for one in answer.dropped}
        if isinstance(answer, Lineage) and isinstance(shown, Lineage):
            assert (shown.golden, shown.indirect) == (answer.golden, answer.indirect)


def test_levels_open_what_is_within_them(answers: list[Answer]) -> None:
    for answer in answers:
        two = view(answer, levels=2)
        assert set(two.answer.steps) == set(view(answer, view(answer).closed).answer.steps)
        assert view(answer, levels=1000).closed == {}


def test_one_level_is_what_is_next_to_the_asked_attribute(answers: list[Answer]) -> None:
    for answer in answers:
        first = view(answer, [])
        direct = [step for step in first.answer.steps if step.kind == "direct"]
        back = isinstance(answer, Lineage)
        assert direct
        assert {step.target if back else step.source for step in direct} == {answer.attribute}
        assert len(first.answer.steps) < len(answer.steps)
        assert set(first.closed) <= {step.source if back else step.target for step in answer.steps} | {
            one.step.source if back else one.step.target for one in answer.dropped
        }


def test_what_only_decides_and_what_was_left_out_can_be_hidden(answers: list[Answer]) -> None:
    for answer in answers:
        shown = view(answer, [], indirect=False, dropped=False).answer
        assert {step.kind for step in shown.steps} == {"direct"}
        assert shown.dropped == ()


def test_what_was_opened_but_is_not_reached_is_not_shown(answers: list[Answer]) -> None:
    assert view(answers[0], ["NOWHERE.A", answers[0].steps[-1].source]).opened in ((), (answers[0].steps[-1].source,))


def test_attributes_lead_to_addresses(answers: list[Answer]) -> None:
    first = view(answers[0], [])
    links = {name: f'/x?a=1&b="{number}"' for number, name in enumerate(first.closed)}
    svg = lineage_svg(first.answer, says="all of it", links=links)
    assert svg.count("<a ") == len(links)
    assert "/x?a=1&amp;b=&quot;0&quot;" in svg
    assert "all of it" in svg
