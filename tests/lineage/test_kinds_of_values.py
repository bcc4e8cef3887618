"""What the rules leave open of the kinds of values is kept; what no kind can satisfy is not."""

from __future__ import annotations

import pytest
from reading import condition, rules_of

from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import trace_lineage
from mdw.model.candidates import Candidates

KEPT = {
    "days beside a number stay days": (
        """
        WHEN POPULATING T FROM S
        POPULATE T.V WITH S.V IF S.D != 0 POPULATE T.D WITH S.D SELECT ROWS WHERE S.D >= 15.06.2014
        """,
        "T.V",
        "T.D <= 01.01.2015",
    ),
    "a number written into an attribute that is compared with texts": (
        """
        WHEN POPULATING T FROM S POPULATE T.R WITH 1 + 2 POPULATE T.V WITH S.V
        WHEN POPULATING U FROM T POPULATE U.V WITH T.V IF T.R IS NOT NULL AND T.R != "x"
        """,
        "U.V",
        "",
    ),
    "a text put together beside days": (
        """
        WHEN POPULATING T FROM S
        POPULATE T.V WITH S.V POPULATE T.D WITH S.D IF S.D < 01.01.2010 WITH "DEFAULT" || " MAX"
        WHEN POPULATING U FROM T POPULATE U.V WITH T.V SELECT ROWS WHERE T.D IS NOT NULL AND T.D > 01.01.2015
        """,
        "U.V",
        "",
    ),
    "the text 01 is not the text 1": (
        """
        WHEN POPULATING T FROM S POPULATE T.V WITH S.V IF S.R = "01" AND S.R != "1"
        WHEN POPULATING U FROM S POPULATE U.V WITH S.V IF S.R != 7
        """,
        "T.V",
        "",
    ),
    "a computed number between two texts": (
        "WHEN POPULATING T FROM S POPULATE T.N WITH S.N * 2 POPULATE T.V WITH S.V",
        "T.V",
        'T.N > "9" AND T.N < "10"',
    ),
    "a number between two texts": (
        'WHEN POPULATING T FROM S POPULATE T.V WITH S.V SELECT ROWS WHERE S.N > "9" AND S.N < "10"',
        "T.V",
        "",
    ),
    "a text that may be a number": (
        'WHEN POPULATING T FROM S POPULATE T.V WITH S.V IF S.R != "07" WITH S.W SELECT ROWS WHERE S.R = 7',
        "T.V",
        "",
    ),
}
TIERS = {"all tiers": Budget(), "bounds only": Budget(nodes=0)}


def golden(text: str, asked: str, when: str, budget: Budget) -> list[str]:
    question = Question(asked, condition(when), when, budget=budget)
    return [end.attribute for end in trace_lineage(question, Candidates.of(rules_of(text))).golden]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("name", KEPT)
def test_what_may_hold_in_some_database_is_kept(name: str, tier: str) -> None:
    assert "S.V" in golden(*KEPT[name], TIERS[tier])


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "filter_",
    [
        'S.R = "EU" AND S.R = "US"',
        'S.R = "EU" AND S.R = 7',
        'S.R = 7 AND S.R = 8 AND S.R != "x"',
        'S.R = "01" AND S.R = "02"',
        'S.R = "01" AND S.R != "01" AND S.R != "x"',
        "S.D >= 15.06.2014 AND S.D <= 01.01.2014",
        "S.D = 15.06.2014 AND S.D = 01.01.2014 AND S.D != 0",
        'S.N LIKE "1%" AND S.N = "25"',
    ],
)
def test_what_no_database_lets_through_is_dropped(filter_: str, tier: str) -> None:
    text = f"WHEN POPULATING T FROM S POPULATE T.V WITH S.V SELECT ROWS WHERE {filter_}"
    assert golden(text, "T.V", "", TIERS[tier]) == []
