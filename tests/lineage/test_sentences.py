"""Why a source of the bank is left out, in the sentences that a reader gets."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import bank_candidates, condition, rules_of

from mdw.lineage.reasons import explain
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.answer import Lineage
from mdw.model.answers.reasons import Dropped
from mdw.model.candidates import Candidates
from mdw.render.telling import because


def first(answer: Lineage, mapping: str) -> Dropped:
    """The first step that a mapping was to make."""
    return next(one for one in answer.dropped if one.step.mapping == mapping)


CASES = (Path(__file__).parent.parent / "cases" / "reasons.txt").read_text(encoding="utf-8")
"""By question what a reader should learn (data/README.md): for a mapping left out its sentence."""


def sentences() -> dict[tuple[str, str], dict[str, str]]:
    """The sentences by attribute and condition asked, and by mapping."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    said: dict[str, str] = {}
    mapping = ""
    for line in CASES.splitlines():
        text = line.strip()
        if line.startswith(" " * 8):
            said[mapping] = f"{said[mapping]} {text}".strip()
        elif line.startswith(" "):
            mapping = text
            said[mapping] = ""
        elif text:
            asked, _, when = text.partition(" when ")
            said = found[asked, when] = {}
    return found


@pytest.mark.parametrize(("asked", "said"), sentences().items(), ids=lambda one: " ".join(one)[:60])
def test_readers_learn_why_a_source_of_the_bank_is_left_out(asked: tuple[str, str], said: dict[str, str]) -> None:
    attribute, when = asked
    answer = trace_lineage(Question(attribute, condition(when), when), bank_candidates())
    assert {mapping: because(first(answer, mapping)) for mapping in said} == said


def test_what_several_rules_say_alike_is_said_once() -> None:
    """Of one mapping two rules are told together, and a word in a text is no word of the language."""
    text = """
    MAPPING s: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.K WITH S.K
    POPULATE T.R WITH "a WITH b" IF S.K = 1 WITH "c"
    """ + "\n".join(
        f"""
    MAPPING {name}: WHEN POPULATING U FROM T POPULATE U.V WITH T.V
    SELECT ROWS WHERE T.R = "d"
    """
        for name in ("m", "n")
    )
    answer = trace_lineage(Question("U.V"), Candidates.of(rules_of(text)))
    assert because(first(answer, "s")) == (
        's (<text>:3) writes "a WITH b" IF K = 1, else "c" into T.R, but m (<text>:6) and n (<text>:10) require R = "d"'
    )


def test_a_clause_after_one_that_takes_every_row_is_told_so() -> None:
    rules = rules_of("MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.A WITH S.B")
    [dropped] = trace_lineage(Question("T.V"), Candidates.of(rules)).dropped
    assert because(dropped) == "m (<text>:1) comes after a WITH without IF, which takes every row"


@pytest.mark.parametrize("effort", [0, 1, 3, 10, 100])
def test_with_little_effort_less_is_told_and_that_is_said(monkeypatch: pytest.MonkeyPatch, effort: int) -> None:
    asked, when = "MART.CAMPAIGN.ADDRESSEE", 'MART.CAMPAIGN.CAMPAIGN = "INVESTMENT DAY"'
    question = Question(asked, condition(when), when)
    whole = trace_lineage(question, bank_candidates()).dropped
    assert all(dropped.complete for dropped in whole)
    monkeypatch.setattr(explain, "EFFORT", effort)
    some = trace_lineage(question, bank_candidates()).dropped
    assert [dropped.step for dropped in some] == [dropped.step for dropped in whole]
    assert not all(dropped.complete for dropped in some)
    for dropped in some:
        assert dropped.complete != because(dropped).endswith(("not every way was looked at", "have taken too long"))


def test_all_explanations_of_an_answer_have_a_limit_together(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Question("RISK.WATCH_LIST.AMOUNT")
    monkeypatch.setattr(explain, "SHARES", 0)
    assert not any(dropped.complete for dropped in trace_lineage(asked, bank_candidates()).dropped)


def test_what_a_mapping_leaves_null_is_told_where_rules_ask_for_it() -> None:
    text = """
    MAPPING load: WHEN POPULATING B FROM S POPULATE B.N WITH S.N OTHERS CLOSED
    MAPPING kinds: WHEN POPULATING C FROM B POPULATE C.N WITH B.N POPULATE C.K WITH "firm" IF B.D IS NULL WITH "person"
    MAPPING people: WHEN POPULATING T FROM C POPULATE T.N WITH C.N SELECT ROWS WHERE C.K = "person"
    MAPPING other: WHEN POPULATING B FROM R POPULATE B.N WITH R.N POPULATE B.D WITH R.D
    """
    answer = trace_lineage(Question("T.N"), Candidates.of(rules_of(text)))
    [dropped] = answer.dropped
    assert because(dropped) == (
        'load (<text>:2) leaves B.D NULL, kinds (<text>:3) writes "firm" IF D IS NULL, else "person" into C.K and '
        'people (<text>:4) requires K = "person", which no row can meet together'
    )
    assert [link.kind for link in dropped.groups[0].chain].count("left") == 1
