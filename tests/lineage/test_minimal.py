"""Conditions shown are as short as they can be and say what they say: checked by Z3 from their texts alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import pytest
import z3
from meaning import Meaning, Value
from reading import bank_candidates, condition

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.ends import End
from mdw.model.expressions import (
    FALSE,
    TRUE,
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    In,
    Not,
    Or,
    Window,
)
from mdw.model.name import entity_of
from mdw.model.text import to_text
from mdw.model.walks import attributes_of, walk

MADE = (Aggregate, Call, Compute, Concat, Window)
"""What is made of other values."""
EVERY = 8
"""Of so many attributes of the bank one is asked."""
LEAVES = 6
"""Of so many conditions each leaf of one is checked."""
LONGEST = 1_200
"""Characters of a condition each leaf of which is checked."""
PROTOTYPE = 10_286
"""Characters of the longest condition that a prototype made of the bank."""
ROWS = 200
"""Rows that complete what is shown of one condition."""


@cache
def shown() -> tuple[tuple[End, Condition], ...]:
    """Ends of the bank with their conditions whole, each once; where something is made of values they are left out."""
    candidates = bank_candidates()
    found: dict[tuple[str, str], tuple[End, Condition]] = {}
    for name in sorted({population.target for population in candidates.populations})[::EVERY]:
        for end in trace_lineage(Question(name), candidates).golden:
            whole = condition(end.whole)
            # The oracle knows no functions and cannot always decide arithmetic.
            if whole is not None and not any(isinstance(one, MADE) for one in walk(whole)):
                found[entity_of(end.attribute), end.whole] = end, whole
    return tuple(found.values())


def variants(given: Condition) -> Iterator[tuple[Condition, Condition]]:
    """Each leaf, with the condition in which it is TRUE, FALSE or short of one value."""
    if isinstance(given, (And, Or)):
        for place, part in enumerate(given.parts):
            for leaf, other in variants(part):
                yield leaf, type(given)((*given.parts[:place], other, *given.parts[place + 1 :]))
        return
    yield given, TRUE
    yield given, FALSE
    listed = given.part if isinstance(given, Not) else given
    if isinstance(listed, In) and len(listed.constants) > 1:
        for place in range(len(listed.constants)):
            fewer = In(listed.subject, listed.constants[:place] + listed.constants[place + 1 :])
            yield given, Not(fewer) if isinstance(given, Not) else fewer


def test_no_leaf_and_no_value_can_go() -> None:
    solver, superfluous, leaves = z3.Solver(), [], 0
    for end, whole in shown()[::LEAVES]:
        if len(end.whole) > LONGEST:
            continue
        meaning = Meaning(whole)
        true = meaning.true(whole)
        for leaf, other in variants(whole):
            leaves += 1
            solver.push()
            solver.add(true != meaning.true(other))
            if solver.check() != z3.sat:
                superfluous.append((end.attribute, to_text(leaf)))
            solver.pop()
    assert leaves > 100
    assert superfluous == []


def uncompleted(part: Condition, whole: Condition, own: set[str]) -> z3.ModelRef | None:
    """Values of the ``own`` attributes that meet the part, and with which no values of the others meet the whole.

    Each value found is completed by a row of the others; with that row the whole asks something of the own attributes
    alone, and what meets that need not be looked at again. Keys of the row are those of the own one, where they match.
    """
    meaning = Meaning(whole, part)
    true = meaning.true(whole)
    every = {name: meaning.constants(name) for name in attributes_of(whole)}
    asked = z3.Solver()
    asked.add(meaning.true(part))
    for _ in range(ROWS):
        if asked.check() == z3.unsat:
            return None
        given = asked.model()
        held = z3.Solver()
        held.add(true, *(one == given.eval(one, True) for name in own for one in meaning.constants(name)))
        if held.check() != z3.sat:
            return given
        row = held.model()
        put: dict[str, Value] = {name: every[name] for name in own & every.keys()}
        # Twice, so that a key is found over another one too.
        for key, other in keys(whole) * 2:
            if other in put and key not in put and z3.is_true(row.eval(meaning.same(key, other), True)):
                put[key] = put[other]
        for name in every.keys() - put.keys():
            null, value = every[name]
            put[name] = row.eval(null, True), row.eval(value, True)
        asked.add(
            z3.Not(z3.substitute(true, *(pair for name in every for pair in zip(every[name], put[name], strict=True))))
        )
    raise AssertionError("no end of rows")


def keys(whole: Condition) -> list[tuple[str, str]]:
    """The attributes that a condition asks to be equal, in both orders."""
    found = []
    for one in walk(whole):
        match one:
            case Compare("=", Attr(left), Attr(right)):
                found += [(left, right), (right, left)]
    return found


def test_what_is_shown_can_be_completed() -> None:
    """Every own row shown with joined rows to the whole, and every value shown to a row."""
    forms, wrong = Counter[str](), []
    for end, whole in shown():
        short = condition(end.condition) or TRUE
        names = {name for name in attributes_of(whole) if entity_of(name) == entity_of(end.attribute)}
        parts = [(short, names)]
        if end.form in ("values", "parts"):
            every = short.parts if isinstance(short, And) else (short,)
            parts = [(part, {*attributes_of(part)}) for part in every]
        for part, own in parts if end.form != "whole" else ():
            forms[end.form] += 1
            if (row := uncompleted(part, whole, own)) is not None:
                wrong.append((end.attribute, end.form, to_text(part), str(row)))
    assert wrong == []
    assert forms["own row"] > 5
    assert forms["values"] > 2


def test_what_is_shown_follows_from_the_whole() -> None:
    solver, forms = z3.Solver(), set()
    for end, whole in shown():
        short = condition(end.condition) or TRUE
        meaning = Meaning(whole, short)
        solver.push()
        solver.add(meaning.true(whole))
        assert solver.check() == z3.sat, "the whole can be met"
        solver.add(z3.Not(meaning.true(short)))
        assert solver.check() == z3.unsat, end.attribute
        solver.pop()
        forms.add(end.form)
    assert forms >= {"whole", "own row"}


@pytest.mark.parametrize("asked", ["RISK.LARGE_EXPOSURE.NET_AMOUNT", "MART.LOAN_SUMMARY.OUTSTANDING"])
def test_the_longest_conditions_say_things_once(asked: str) -> None:
    """They have arithmetic between attributes, which Z3 is not asked of here."""
    ends = {end.attribute: end for end in trace_lineage(Question(asked), bank_candidates()).golden}
    whole = ends["SRC_LOAN.LOAN.OUTSTANDING"].whole
    assert len(whole.replace("SRC_LOAN.LOAN.", "")) < PROTOTYPE
    assert "IN ()" not in whole
    # All mappings look up the same agreement, by its number; what all cases ask of it stands before them.
    assert whole.startswith(
        'CORE.AGREEMENT.AGREEMENT_ID = SRC_LOAN.LOAN.LOAN_NO AND CORE.AGREEMENT.AGREEMENT_TYPE = "L" AND'
    )
    assert whole.count("CORE.AGREEMENT.AGREEMENT_ID") == whole.count("CORE.AGREEMENT.AGREEMENT_TYPE") == 1
    assert "OTHER_AGREEMENT" not in whole
