"""Conditions shown are as short as they can be and say what they say: checked by Z3 from their texts alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import z3
from meaning import Meaning
from reading import bank_candidates, condition

from mdw.lineage.steps.question import Question
from mdw.lineage.trace import trace_lineage
from mdw.model.answers.ends import End
from mdw.model.errors import InputError
from mdw.model.expressions import FALSE, TRUE, And, Condition, In, Not, Or
from mdw.model.name import entity_of
from mdw.model.text import to_text

EVERY = 12
"""Of so many attributes of the bank one is asked."""
LONGEST = 3_000
"""Characters of a condition each leaf of which is checked."""


@cache
def shown() -> tuple[tuple[End, Condition], ...]:
    """Ends of the bank with their conditions whole, each condition once; what no text can say yet is left out."""
    candidates = bank_candidates()
    found: dict[tuple[str, str], tuple[End, Condition]] = {}
    for name in sorted({population.target for population in candidates.populations})[::EVERY]:
        for end in trace_lineage(Question(name), candidates).golden:
            try:
                whole = condition(end.whole)
            except InputError:
                continue  # arithmetic between attributes
            if whole is not None:
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
    for end, whole in shown():
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
    assert leaves > 500
    assert superfluous == []


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
