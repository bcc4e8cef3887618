"""Worked examples: each case is a warehouse, questions, and the answers that must come out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from places import CASES

from mdw.language.derive import condition_of, derive, name_of
from mdw.language.mapping import read, read_condition
from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import trace_impact, trace_lineage
from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.candidates import Candidates

LINEAGE = CASES / "lineage"
BUDGETS = {"exact": Budget(), "bounds": Budget(nodes=0), "bounds with one witness": Budget(nodes=0, witnesses=1)}


def candidates(text: str) -> Candidates:
    """The whole warehouse a mapping text describes."""
    reading = read(text, "warehouse.map")
    assert not reading.errors, "\n".join(map(str, reading.errors))
    return Candidates.of(derive(tree, name_of(tree, "warehouse")) for tree in reading.trees)


def ask(line: str, rules: Candidates, budget: Budget) -> Answer:
    """``lineage|impact ATTRIBUTE [passive] [carry|open|closed] [when CONDITION]``."""
    head, _, when = line.partition(" when ")
    kind, attribute, *options = head.split()
    question = Question(
        attribute,
        condition_of(read_condition(when)) if when else None,
        when,
        mode="passive" if "passive" in options else "active",
        policy=next((option for option in ("carry", "open", "closed") if option in options), None),  # type: ignore[arg-type]
        budget=budget,
    )
    return trace_lineage(question, rules) if kind == "lineage" else trace_impact(question, rules)


def written(answer: Answer) -> Iterator[str]:
    """An answer as short lines."""
    ends = answer.golden if isinstance(answer, Lineage) else answer.final
    for end in ends:
        common = f"  (common: {end.common})" if end.common else ""
        yield f"  {'golden' if isinstance(answer, Lineage) else 'final'} {end.attribute}: {end.condition}{common}"
        if end.sql != end.condition.replace('"', "'").replace("!=", "<>"):
            yield f"    sql {end.sql}"
    for constant in answer.constants:
        yield f"  constant {constant.value} in {constant.target} by {constant.mapping}"
    if isinstance(answer, Lineage):
        for name in answer.interrupted:
            yield f"  interrupted {name}"
    if answer.indirect:
        yield f"  {'decided by' if isinstance(answer, Lineage) else 'decides'} " + ", ".join(
            f"{source.attribute} ({source.subtype})" for source in answer.indirect
        )
    for dropped in answer.dropped:
        reasons = " against ".join(f"{r.mapping or 'the question'}: {r.condition}" for r in dropped.because)
        kind = "beyond" if dropped.dead_end else "dropped"
        yield f"  {kind} {dropped.step.source} -> {dropped.step.target} by {dropped.step.mapping}: {reasons}"
    for assumption in answer.assumptions:
        yield f"  assuming {assumption}"


@pytest.mark.parametrize("case", sorted(LINEAGE.iterdir()), ids=lambda case: case.name)
def test_answers_are_as_expected(case: Path, accept: bool) -> None:
    rules = candidates((case / "warehouse.map").read_text())
    found = []
    for line in (case / "questions.txt").read_text().splitlines():
        found += [line, *written(ask(line, rules, Budget()))]
    text = "\n".join(found) + "\n"
    expected = case / "expected.txt"
    if accept:
        expected.write_text(text)
    assert text == expected.read_text()


@pytest.mark.parametrize("budget", list(BUDGETS), ids=str)
@pytest.mark.parametrize("case", sorted(LINEAGE.iterdir()), ids=lambda case: case.name)
def test_every_tier_finds_the_same_sources(case: Path, budget: str) -> None:
    rules = candidates((case / "warehouse.map").read_text())
    for line in (case / "questions.txt").read_text().splitlines():
        exact, other = (ask(line, rules, one) for one in (Budget(), BUDGETS[budget]))
        assert sources(exact) == sources(other), line


def sources(answer: Answer) -> tuple[object, ...]:
    """What every tier must agree on."""
    ends = answer.final if isinstance(answer, Impact) else (*answer.golden, *answer.constants)
    names = {end.attribute if hasattr(end, "attribute") else str(end) for end in ends}
    return names, {step for step in answer.steps if step.kind == "direct"}, {d.step for d in answer.dropped}


@pytest.mark.parametrize("case", sorted(LINEAGE.iterdir()), ids=lambda case: case.name)
def test_the_order_of_mappings_does_not_matter(case: Path) -> None:
    text = (case / "warehouse.map").read_text()
    reading = read(text, "warehouse.map")
    rules = [derive(tree, name_of(tree, "warehouse")) for tree in reading.trees]
    for line in (case / "questions.txt").read_text().splitlines():
        one, other = (ask(line, Candidates.of(order), Budget()) for order in (rules, rules[::-1]))
        assert one == other, line
