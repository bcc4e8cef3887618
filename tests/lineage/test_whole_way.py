"""A step is kept only if a row can go the whole way: from rows that are there to the question."""

from __future__ import annotations

import pytest
from places import ROOT
from reading import condition, rules_of

from mdw import Warehouse
from mdw.conditions.solver import Verdict
from mdw.lineage.everything.sweep import active
from mdw.lineage.judge.upwards import Upwards
from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import origins_of, trace_impact, trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.candidates import Candidates
from mdw.model.errors import QuestionError
from mdw.render.summary import summary

ONLY_US = """
MAPPING e: WHEN POPULATING E FROM S POPULATE E.R WITH "US"
MAPPING t: WHEN POPULATING T FROM E POPULATE T.K WITH "x" POPULATE T.W WITH E.W SELECT ROWS WHERE E.R = "{region}"
"""
TIERS = [Budget(), Budget(nodes=0)]


def lineage(text: str, attribute: str, when: str = "", budget: Budget | None = None, source: str = "") -> Lineage:
    """Active lineage without a store."""
    question = Question(attribute, condition(when), when, budget=budget or Budget(), other=source)
    return trace_lineage(question, Candidates.of(rules_of(text)))


def flows(answer: Lineage) -> list[tuple[str, str]]:
    """The direct steps of an answer."""
    return [(step.source, step.target) for step in answer.steps if step.kind == "direct"]


@pytest.mark.parametrize("budget", TIERS)
def test_a_constant_arrives_only_with_a_row_that_is_there(budget: Budget) -> None:
    assert [one.value for one in lineage(ONLY_US.format(region="US"), "T.K", budget=budget).constants] == ['"x"']
    answer = lineage(ONLY_US.format(region="LATAM"), "T.K", budget=budget)
    assert answer.constants == ()
    assert [one.value for one in answer.unwritten] == ['"x"']
    assert summary(answer).startswith("Nothing arrives at T.K: no row that could have it")


@pytest.mark.parametrize("budget", TIERS)
def test_what_nothing_fills_is_interrupted_only_in_rows_that_are_there(budget: Budget) -> None:
    assert lineage(ONLY_US.format(region="US"), "T.W", budget=budget).interrupted == ("E.W",)
    answer = lineage(ONLY_US.format(region="LATAM"), "T.W", budget=budget)
    assert answer.interrupted == ()
    assert flows(answer) == []
    assert [(one.step.source, one.dead_end) for one in answer.dropped] == [("E.W", True)]


@pytest.mark.parametrize("region", ["US", "LATAM"])
def test_all_at_once_know_which_rows_are_there(region: str) -> None:
    rules = rules_of(ONLY_US.format(region=region))
    names = {"S.X", "E.R", "E.W", "T.K", "T.W"}
    records = {one.attribute: one for one in active(Candidates.of(rules), names, policy=None)}
    there = region == "US"
    assert [one.value for one in records["T.K"].constants] == ['"x"'] * there
    assert records["T.W"].interrupted == ("E.W",) * there


def test_what_decides_over_a_constant_is_named() -> None:
    answer = lineage('MAPPING t: WHEN POPULATING T FROM S POPULATE T.K WITH "a" IF S.R = 1', "T.K")
    assert [one.attribute for one in answer.indirect] == ["S.R"]


def test_a_value_that_grows_round_a_cycle_is_kept_and_undecided() -> None:
    text = """
    MAPPING first: WHEN POPULATING T FROM S POPULATE T.N WITH 0
    MAPPING more: WHEN POPULATING T FROM T POPULATE T.N WITH T.N + 2
    """
    answer = lineage(text, "T.N", "T.N = 7")
    assert flows(answer) == [("T.N", "T.N")]
    assert list(answer.undecided) == [step for step in answer.steps if step.kind == "direct"]
    assert [(constant.value, constant.undecided) for constant in answer.constants] == [("0", True)]
    assert "T.N can only be the constant 0; 1 step and 1 constant could not be decided and are kept." in str(answer)
    even = lineage(text, "T.N", "T.N = 8")
    assert [(constant.value, constant.undecided) for constant in even.constants] == [("0", False)]
    assert "T.N is always the constant 0." in str(even)


@pytest.mark.parametrize("budget", [Budget(), Budget(nodes=0)])
def test_a_constant_behind_what_nobody_knows_is_undecided(budget: Budget) -> None:
    text = """
    MAPPING u: WHEN POPULATING U FROM S POPULATE U.V WITH "x" POPULATE U.K WITH S.A || S.B
    MAPPING w: WHEN POPULATING W FROM U POPULATE W.V WITH U.V SELECT ROWS WHERE U.K = "A1"
    """
    answer = lineage(text, "W.V", "", budget)
    assert [(constant.value, constant.undecided) for constant in answer.constants] == [('"x"', True)]
    assert origins_of(answer).undecided
    # The step and the constant are drawn alike, and the legend says how.
    assert (answer._repr_html_() or "").count('stroke-dasharray="2 3"') == 3


def test_an_entity_filled_from_itself_alone_is_golden() -> None:
    alone = """
    MAPPING again: WHEN POPULATING T FROM T POPULATE T.V WITH T.V POPULATE T.K WITH T.K
    MAPPING on: WHEN POPULATING U FROM T POPULATE U.V WITH T.V POPULATE U.W WITH T.W
    """
    assert [end.attribute for end in lineage(alone, "U.V").golden] == ["T.V"]
    assert [end.attribute for end in lineage(alone, "U.W").golden] == ["T.W"]
    fed = alone + "MAPPING first: WHEN POPULATING T FROM S POPULATE T.V WITH S.V"
    assert [end.attribute for end in lineage(fed, "U.V").golden] == ["S.V"]
    assert lineage(fed, "U.W").interrupted == ("T.W",)


def test_a_sum_that_nothing_groups_gives_a_row_without_any() -> None:
    text = """
    MAPPING e: WHEN POPULATING E FROM S POPULATE E.R WITH "US" POPULATE E.N WITH S.N
    MAPPING t: WHEN POPULATING T FROM E POPULATE T.K WITH "x" POPULATE T.N WITH {sum}
    MAPPING u: WHEN POPULATING U FROM T POPULATE U.K WITH T.K
    """.replace("WITH {sum}", 'WITH {sum} SELECT ROWS WHERE E.R = "LATAM"')
    assert len(lineage(text.format(sum="SUM(E.N)"), "U.K").constants) == 1
    assert lineage(text.format(sum="E.N"), "U.K").constants == ()


def test_the_bank_has_no_customers_from_latin_america() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data" / "bank")
        [dropped] = warehouse.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME").dropped
        assert (dropped.step.mapping, dropped.dead_end) == ("mart_group_customer_from_latin_america", True)
        asked = warehouse.lineage("RISK.WATCH_LIST.AMOUNT", when='REASON = "OVER LIMIT"')
        [source] = asked.golden
        direct = {step for step in asked.steps if step.kind == "direct"}
        assert direct <= set(warehouse.impact(source.attribute).steps)


def test_between_two_attributes_only_their_ways_count() -> None:
    text = """
    MAPPING one: WHEN POPULATING T FROM S POPULATE T.V WITH S.V IF S.K = 1 WITH S.W
    MAPPING two: WHEN POPULATING U FROM T POPULATE U.V WITH T.V
    """
    answer = lineage(text, "U.V", source="S.W")
    assert flows(answer) == [("T.V", "U.V"), ("S.W", "T.V")]
    assert [end.attribute for end in answer.golden] == ["S.W"]
    turned = trace_impact(Question("S.W", other="U.V"), Candidates.of(rules_of(text)))
    assert turned.steps == answer.steps
    assert [(end.attribute, end.condition) for end in turned.final] == [("U.V", answer.golden[0].condition)]


def test_between_two_attributes_through_the_store() -> None:
    with Warehouse() as warehouse:
        warehouse.load(ROOT / "data" / "bank")
        name, source = "MART.GROUP_CUSTOMER.CUSTOMER_NAME", "SRC_CRM.PARTNER.FIRM_NAME"
        there, back = warehouse.lineage(name, source=source), warehouse.impact(source, target=name)
        assert there.steps == back.steps
        assert there.constants == back.constants == ()
        assert [end.attribute for end in there.golden] == [source]
        assert set(there.steps) <= set(warehouse.lineage(name).steps)
        with pytest.raises(QuestionError, match="no mapping mentions"):
            warehouse.lineage(name, source="SRC_CRM.PARTNER.FIRM")


def test_where_ways_up_outgrow_the_diagram_the_bounds_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    text = """
    MAPPING s: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "US"
    MAPPING m: WHEN POPULATING U FROM T POPULATE U.V WITH T.V SELECT ROWS WHERE T.R = "UK"
    MAPPING n: WHEN POPULATING U FROM T POPULATE U.V WITH T.V SELECT ROWS WHERE T.R = "US"
    """
    candidates = Candidates.of(rules_of(text))
    plain = trace_lineage(Question("U.V"), candidates)
    met: list[Upwards] = []
    comes = Upwards.comes

    def outgrown(self: Upwards, name: str, condition: int) -> Verdict:
        met.append(self)
        self.outgrown = self is met[0]
        return "undecided" if self.outgrown else comes(self, name, condition)

    monkeypatch.setattr(Upwards, "comes", outgrown)
    found = trace_lineage(Question("U.V"), candidates)
    assert ({*found.steps}, found.undecided, found.golden[0].exact) == ({*plain.steps}, (), True)
    assert dict(found.basis.decided)["diagram"] == 0
    assert [step.step.mapping for step in found.dropped] == ["m"]
