"""Contradictions as scripts: two solvers that know nothing of mdw answer each as it says they do."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import cvc5
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from reading import bank_candidates, condition, rules_of
from small import Features, initial_condition, small_warehouse

from mdw import OutputError, Warehouse
from mdw.conditions.solver import answers
from mdw.lineage.reasons import sentences
from mdw.lineage.reasons.scripts import FEWER, UNCONFIRMED, dropped_smt2
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.candidates import Candidates
from mdw.model.rules import POLICIES, Policy

EVERY = 10
"""Of so many attributes of the bank one is asked."""
QUESTIONS = {
    "MART.GROUP_CUSTOMER.CUSTOMER_NAME": 'MART.GROUP_CUSTOMER.REGION = "EU" AND MART.GROUP_CUSTOMER.PARTY_TYPE = 2',
    "MART.TRANSACTION_REPORT.AMOUNT": "MART.TRANSACTION_REPORT.BOOKING_DATE < 1.1.2015",
    "RISK.LARGE_EXPOSURE.GROSS_AMOUNT": "",
    "RISK.WATCH_LIST.AMOUNT": "RISK.WATCH_LIST.AMOUNT < 0",
}


def scripts(asked: str, when: str, candidates: Candidates, policy: Policy | None = None) -> list[str]:
    meant = condition(when)
    answer = trace_lineage(Question(asked, meant, when, policy=policy), candidates)
    found = dropped_smt2(answer, candidates, meant)
    assert bool(found) == any(dropped.groups for dropped in answer.dropped)
    return found


def answered(script: str) -> list[str]:
    """What cvc5 answers."""
    manager = cvc5.TermManager()
    solver, symbols = cvc5.Solver(manager), cvc5.SymbolManager(manager)
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "script")
    found = []
    while not (command := parser.nextCommand()).isNull():
        found += command.invoke(solver, symbols).split()
    return found


def stated(script: str) -> list[str]:
    """What the script says that a solver is to answer."""
    return re.findall(r":status (\w+)", script)


def obey(script: str) -> None:
    first, *others = stated(script)
    if FEWER in script:
        # Of texts put together solvers know more than mdw: some of the rules would have done.
        assert "(joined " in script, script
        assert "without any one of them" not in script
        assert (first, {*others}) == ("unsat", {"sat", "unsat"})
        assert answered(script) == stated(script), script
        return
    assert (first, {*others}) == ("unsat", {"sat"})
    assert UNCONFIRMED not in script, script
    assert answered(script) == stated(script), script


@pytest.mark.parametrize("asked", QUESTIONS)
def test_what_contradicts_in_the_bank(asked: str) -> None:
    found = scripts(asked, QUESTIONS[asked], bank_candidates())
    assert found
    for script in found[:: 1 + len(found) // 40]:
        obey(script)


def test_what_contradicts_in_the_bank_without_a_question() -> None:
    candidates, met = bank_candidates(), set[str]()
    for name in sorted({population.target for population in candidates.populations})[::EVERY]:
        for script in scripts(name, "", candidates):
            said = script[script.index("(set-logic") :]
            if said not in met:
                obey(script)
            met.add(said)
    assert len(met) > 50


@settings(
    max_examples=50,
    derandomize=True,
    suppress_health_check=[*HealthCheck],
    phases=[Phase.explicit, Phase.generate],
)
@given(st.randoms(use_true_random=False))
def test_what_contradicts_in_a_small_warehouse(draw: Random) -> None:
    features = Features(dates=draw.random() < 0.3, patterns=draw.random() < 0.2, doubled=draw.random() < 0.2)
    warehouse = small_warehouse(draw, features)
    entity = draw.choice(warehouse.layers[-1])
    when = initial_condition(draw, warehouse, entity)
    candidates = Candidates.of(rules_of(warehouse.text))
    for script in scripts(f"{entity}.{draw.choice(list(warehouse.locals))}", when, candidates, draw.choice(POLICIES)):
        obey(script)


# What each rule of a contradiction may be, and what makes it one: text, asked attribute, condition.
RULES = {
    "a population with cases": ('POPULATE T.R WITH "a" IF S.K = 1 WITH "b"', "", 'T.R = "c"'),
    "an earlier clause": ("POPULATE T.R WITH S.R IF S.K = 1 WITH S.M", "SELECT ROWS WHERE S.K = 1", "T.R IS NOT NULL"),
    "a later clause": ("POPULATE T.R WITH S.R IF S.K = 1 WITH S.M", "SELECT ROWS WHERE S.K != 1", "T.R IS NOT NULL"),
    "a filter": ("POPULATE T.R WITH S.R", 'SELECT ROWS WHERE S.R LIKE "a%"', 'T.R LIKE "b%"'),
    "an order of texts": ("POPULATE T.R WITH S.R", 'SELECT ROWS WHERE S.R >= "b"', 'T.R < "a"'),
    "a sum": ("POPULATE T.N WITH S.N + S.M POPULATE T.M WITH S.M", "SELECT ROWS WHERE S.N > 1", "T.N <= T.M"),
    "a quotient": ("POPULATE T.N WITH S.N / S.M POPULATE T.M WITH S.M", "", "T.N > 0 AND T.M = 0"),
    "texts together": ('POPULATE T.R WITH "x" || S.R', 'SELECT ROWS WHERE S.R = "a"', 'T.R != "xa"'),
    "a part of a text": ("POPULATE T.R WITH SUBSTR(S.R, 1, 2)", 'SELECT ROWS WHERE S.R LIKE "ab%"', 'T.R = "ac"'),
    "days": ("POPULATE T.D WITH S.D", "SELECT ROWS WHERE S.D >= 01.02.2015", "T.D < 2015-01-31"),
    "NULL": ("POPULATE T.R WITH S.R IF S.R IS NOT NULL", "SELECT ROWS WHERE S.R IS NULL", "T.R IS NOT NULL"),
    "a join": (
        "POPULATE T.R WITH J.R NAVIGATE FROM S TO J USING S.K = J.K",
        "",
        "T.R IS NOT NULL AND T.K IS NULL",
    ),
    "a missing partner": (
        "POPULATE T.R WITH J.R POPULATE T.M WITH J.M NAVIGATE FROM S TO J USING S.K = J.K",
        "SELECT ROWS WHERE J.K IS NULL",
        "T.R = 1",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rules_of_every_kind(rule: str) -> None:
    filled, filtering, when = RULES[rule]
    filled, _, joined = filled.partition(" NAVIGATE")
    text = f"WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.K WITH S.K {filled} {filtering}"
    rules = rules_of(f"MAPPING m: {text}{' NAVIGATE' * bool(joined)}{joined}")
    found = [one for asked in ("T.V", "T.R", "T.N") for one in scripts(asked, when, Candidates.of(rules), "closed")]
    assert found
    for script in found:
        obey(script)


@pytest.mark.parametrize(("levels", "makers"), [(3, 1), (20, 2), (400, 1)])
def test_rows_joined_are_made_on_any_number_of_levels_in_any_number_of_ways(levels: int, makers: int) -> None:
    text = ['MAPPING j0: WHEN POPULATING J0 FROM R POPULATE J0.I WITH R.I POPULATE J0.K WITH "a"']
    for level in range(1, levels + 1):
        made, read = f"J{level}", f"J{level - 1}"
        filled = f"POPULATE {made}.I WITH {read}.I POPULATE {made}.K WITH {read}.K"
        text += [f"MAPPING j{level}_{one}: WHEN POPULATING {made} FROM {read} {filled}" for one in range(makers)]
    last = f"J{levels}"
    joined = f'SELECT ROWS WHERE {last}.K = "b" NAVIGATE FROM S TO {last} USING S.I = {last}.I'
    text += [f"MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V {joined}"]
    [script] = scripts("T.V", "", Candidates.of(rules_of("\n".join(text))))
    obey(script)
    assert len(script) < 1_000_000


def test_of_rows_that_are_made_in_too_many_ways_less_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "MOST_ROWS", 1)
    text = """
    MAPPING a: WHEN POPULATING J FROM R POPULATE J.I WITH R.I POPULATE J.K WITH "a"
    MAPPING b: WHEN POPULATING L FROM J POPULATE L.I WITH J.I POPULATE L.K WITH J.K
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V SELECT ROWS WHERE L.K = "b"
    NAVIGATE FROM S TO L USING S.I = L.I
    """
    [script] = scripts("T.V", "", Candidates.of(rules_of(text)))
    assert script.startswith(UNCONFIRMED)


def test_kinds_are_those_of_all_rules() -> None:
    """N and M are equal, so what one less the other gives is 0; that they are numbers only the second mapping tells."""
    text = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "b" IF S.N = S.M
    POPULATE T.N WITH S.N - S.M
    MAPPING n: WHEN POPULATING T FROM R POPULATE T.V WITH R.V POPULATE T.M WITH R.V IF S.N = 1
    NAVIGATE FROM R TO S USING R.V = S.V
    """
    [script, *_] = scripts("T.V", 'T.R = "b" AND T.N = 2', Candidates.of(rules_of(text)))
    obey(script)
    assert "(or (= |row 1 S.N| null) ((_ is number) |row 1 S.N|))" in script


def test_names_and_texts_of_rules_stay_names_and_texts() -> None:
    hostile = """
    MAPPING `m
; (check-sat)`: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "a"") (exit) ; \\u{41} ä"
        POPULATE T.`x| y\\z` WITH S.`x| y\\z` POPULATE T.`x/ y/z` WITH S.`x/ y/z`
        SELECT ROWS WHERE S.`x| y\\z` = 1 AND S.`x/ y/z` = 2
    """.replace("\n; (check-sat)", " ; (check-sat)").replace('"")', "')")
    when = 'T.R = "b" OR T.`x| y\\z` = 2 OR T.`x/ y/z` = 1'
    found = scripts("T.V", when, Candidates.of(rules_of(hostile)))
    assert found
    for script in found:
        obey(script)


def test_where_fewer_rules_would_do_the_script_says_so() -> None:
    text = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "b"
    MAPPING n: WHEN POPULATING U FROM T POPULATE U.V WITH T.V POPULATE U.R WITH T.R || T.R
    """
    [script, *_] = scripts("U.V", 'U.R = "ab"', Candidates.of(rules_of(text)))
    assert script.startswith(FEWER)
    obey(script)


def test_a_script_that_says_too_much_is_found_out() -> None:
    [script] = scripts(
        "T.V",
        'T.R = "b"',
        Candidates.of(
            rules_of('MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "a" IF S.K = 1')
        ),
    )
    wrong = re.sub(r"\(set-info :status \w+\)", "", script.replace('(text "b")', '(text "a")'))
    assert answered(wrong)[0] == answers(wrong)[0] == "sat"


def test_they_are_written_beside_the_answer_and_take_the_place_of_those_of_before(tmp_path: Path) -> None:
    rules = """
    MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.R WITH "a" POPULATE T.K WITH S.K
    MAPPING n: WHEN POPULATING T FROM R POPULATE T.V WITH R.V POPULATE T.R WITH "b" POPULATE T.K WITH R.K
    """
    with Warehouse() as held:
        held.load(rules)
        held.prove("T.V", tmp_path, when='R = "c"')
        assert sorted(one.name for one in tmp_path.glob("[!R]*")) == [
            "dropped-001.smt2",
            "dropped-002.smt2",
            "kept.sql",
        ]
        (tmp_path / "dropped-notes.smt2").touch()
        held.prove("T.V", tmp_path, when='R = "a"')
    names = ["dropped-001.smt2", "dropped-notes.smt2", "kept.sql"]
    assert sorted(one.name for one in tmp_path.glob("[!R]*")) == names
    script = (tmp_path / "dropped-001.smt2").read_text(encoding="utf-8")
    obey(script)
    assert script.splitlines()[4].startswith(";   R.V into T.V by n (")


def test_they_are_not_written_into_a_store(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as held:
        held.load("MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V")
        with pytest.raises(OutputError, match="proofs take a folder of their own"):
            held.prove("T.V", tmp_path / "store")
        assert not list((tmp_path / "store").glob("*.sql"))
