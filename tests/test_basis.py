"""What an answer says it rests on, and that the same rules give the same bytes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from hashlib import sha256

import pytest
from places import BANK, ROOT
from reading import bank_candidates, condition

from mdw import Budget, Warehouse
from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Answer
from mdw.model.answers.basis import DECIDERS
from mdw.render.text import answer_text

QUESTIONS = {
    "MART.GROUP_CUSTOMER.CUSTOMER_NAME": 'MART.GROUP_CUSTOMER.REGION = "EU" AND MART.GROUP_CUSTOMER.PARTY_TYPE = 2',
    "RISK.LARGE_EXPOSURE.GROSS_AMOUNT": "",
    "RISK.WATCH_LIST.AMOUNT": "RISK.WATCH_LIST.AMOUNT > 5",
}
BUDGETS = {"all tiers": Budget(), "bounds": Budget(nodes=0), "nothing": Budget(nodes=0, witnesses=0, search=0)}
TEXT = """
MAPPING m: WHEN POPULATING T FROM S POPULATE T.V WITH S.V POPULATE T.C WITH substr(S.A, 1, 2)
MAPPING u: WHEN POPULATING U FROM T POPULATE U.V WITH T.V SELECT ROWS WHERE T.C = "a"
MAPPING away: WHEN POPULATING X FROM Y POPULATE X.V WITH Y.V
"""
# Loads texts in the order given and prints every answer to the questions, all that is written when read included.
ANSWERS = """
import json, sys
from mdw import Warehouse
*files, seed = sys.argv[1:]
with Warehouse() as held:
    for file in files if seed == "0" else files[::-1]:
        held.load(open(file, encoding="utf-8").read())
    for name in ("MART.GROUP_CUSTOMER.CUSTOMER_NAME", "RISK.WATCH_LIST.AMOUNT", "MART.WEALTH_REPORT.AMOUNT_EUR"):
        print(json.dumps(held.lineage(name).to_dict()))
        print(held.lineage(name, mode="passive"))
    asked = {"REGION": "EU", "PARTY_TYPE": 2}
    print(json.dumps(held.lineage("MART.GROUP_CUSTOMER.CUSTOMER_NAME", when=asked).to_dict()))
    print(json.dumps(held.impact("SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT").to_dict()))
"""


def steps(answer: Answer) -> int:
    return sum(step.kind == "direct" for step in answer.steps) + len(answer.dropped)


@pytest.mark.parametrize("budget", BUDGETS.values(), ids=BUDGETS)
@pytest.mark.parametrize("asked", QUESTIONS)
def test_each_step_is_decided_by_one_thing(asked: str, budget: Budget) -> None:
    when = QUESTIONS[asked]
    answer = trace_lineage(Question(asked, condition(when), when, budget=budget), bank_candidates())
    counts = dict(answer.basis.decided)
    assert list(counts) == list(DECIDERS)
    assert sum(counts.values()) == steps(answer) > 0
    assert counts["undecided"] == len(answer.undecided)
    if not budget.nodes:
        assert counts["bounds"] + counts["undecided"] > 0
    elif asked == "RISK.LARGE_EXPOSURE.GROSS_AMOUNT":
        assert counts["Z3"] > 0


def test_of_an_impact_too() -> None:
    for budget in (Budget(), Budget(nodes=1000)):
        question = Question("SRC_LOAN.CONSUMER_CREDIT.REMAINING_DEBT", budget=budget)
        answer = trace_impact(question, bank_candidates())
        assert sum(number for _, number in answer.basis.decided) == steps(answer) > 0


def test_the_digest_is_that_of_the_mappings_looked_at() -> None:
    with Warehouse() as held:
        held.load(TEXT)
        before = held.lineage("U.V").basis
        rows = held.query(
            "SELECT ?m ?d { GRAPH ?g { ?g <https://w3id.org/mdw#digest> ?d } BIND(REPLACE(STR(?g), '.*:', '') AS ?m) "
            "FILTER(?m != 'away') } ORDER BY ?m"
        ).rows
        lines = "".join(f"{name} {digest}\n" for name, digest in rows)
        assert (before.mappings, before.digest) == (2, sha256(lines.encode()).hexdigest())
        held.load(TEXT.replace("Y.V", "Y.W"))
        assert held.lineage("U.V").basis == before
        held.load(TEXT.replace("T.V WITH S.V", "T.V WITH S.W"))
        assert held.lineage("U.V").basis.digest != before.digest


def test_it_stands_in_the_text_and_whole_in_json() -> None:
    with Warehouse() as held:
        held.load(TEXT)
        answer = held.lineage("U.V")
        assert answer_text(answer, 300).splitlines()[-1] == (
            f"Rests on 2 mappings (digest {answer.basis.digest[:12]}), read by mdw {answer.basis.version}; "
            "2 steps decided: 2 undecided; functions not known: SUBSTR"
        )
        assert answer.to_dict()["basis"] == answer.basis.to_dict()
        assert answer.basis.to_dict()["budget"] == {"nodes": 20000, "rlimit": 2000000, "search": 4000, "witnesses": 32}
        passive = held.lineage("U.V", mode="passive")
        assert passive.basis.decided == ()
        assert "decided" not in answer_text(passive, 300)
    version = re.search(r'^version = "(.*)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version and answer.basis.version == version[1]


def test_the_same_bytes_for_every_load_order_and_hash_seed() -> None:
    files = sorted(map(str, BANK.rglob("*.map")))
    path = os.pathsep.join(sys.path)
    told = {
        subprocess.run(
            [sys.executable, "-c", ANSWERS, *files, seed],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(told) == 1
    assert b'"basis"' in told.pop()
