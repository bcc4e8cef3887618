"""Contradictions of an answer as scripts for any solver: what is left out can be checked without mdw.

A script speaks of the rows of one way, from the source to the question: `|row 1 SRC.D.REGION|` is an attribute of the
first, `|beside row 1 SRC.J.REGION|` one of a row joined to it. What mappings copy is always said. Each rule has a name;
all of them together are said to be unsat, and sat with any one left out:

    (define-fun rule-1 () Bool (= |row 2 CORE.B.REGION| (text "US")))
    (define-fun rule-2 () Bool (= |row 2 CORE.B.REGION| (text "EU")))

It is made from the trees of the rules. Nothing of what lineage worked out goes in but the rules and the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from mdw.conditions.sentences import NUMBER, Becomes, Holds, Sentence, kinds_of
from mdw.conditions.smtlib import Script, shown
from mdw.conditions.solver import answers
from mdw.lineage.reasons.sentences import WaySentences, renaming
from mdw.lineage.steps.graph import Graph
from mdw.model.answers.answer import Lineage
from mdw.model.answers.reasons import Group, Reason
from mdw.model.answers.steps import Step
from mdw.model.candidates import Candidates
from mdw.model.expressions import Attr, Compare, Condition, Expression
from mdw.model.name import plain, row_of
from mdw.model.walks import with_leaves

STEPS = 10
"""Steps that a script names of those its contradiction leaves out."""
UNCONFIRMED = "; Z3 does not confirm this: the contradiction rests on more than this script says."
FEWER = "; Some of these rules would have done: of texts put together mdw knows the ends, and Z3 more."
THEN_SAT = "; A solver is to answer unsat, and then sat for each rule left out."
AS_IT_STANDS = "; A solver is to answer as stands at each check."
WITHOUT_ANY = "; without any one of them some row can."
STATUS = re.compile(r"\(set-info :status (\w+)\)")


def dropped_smt2(answer: Lineage, candidates: Candidates, condition: Condition | None) -> list[str]:
    """A script for each contradiction of an answer to a question with this condition, in the order they are told.

    Z3 has run each; one that it does not answer as the script says begins with a line that tells so.
    """
    # Many steps are dropped by one contradiction: it is one script that names them.
    held: dict[Group, list[Step]] = {}
    for dropped in answer.dropped:
        for group in dropped.groups:
            held.setdefault(group, []).append(dropped.step)
    graph = Graph.of(candidates)
    kinds = kinds_of(_sentences(candidates, condition))
    found = []
    for group, steps in held.items():
        way = WaySentences(answer, graph, group)
        way.follow(condition)
        script = "\n".join([*_heading(group, steps), *_script(way, kinds), ""])
        # Run before it is shown: what no solver would confirm is not to be found out by whoever checks it.
        said = answers(script)
        if said != ["unsat", *["sat"] * len(group.rules)]:
            script = f"{FEWER}\n{_of_fewer(script, said)}" if said[:1] == ["unsat"] else f"{UNCONFIRMED}\n{script}"
        found.append(script)
    return found


def _of_fewer(script: str, said: Iterable[str]) -> str:
    """The script with the answers that Z3 gives instead of those that mdw knows."""
    given = (one for one in said if one in ("sat", "unsat", "unknown"))
    script = script.replace(WITHOUT_ANY, ".", 1).replace(THEN_SAT, AS_IT_STANDS, 1)
    return STATUS.sub(lambda found: f"(set-info :status {next(given, found[1])})", script)


def _script(way: WaySentences, kinds: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """The sentences, and the questions to a solver."""
    script = Script(lambda name: kinds.get(way.attributes[name], NUMBER))
    copies = []
    for why, some in groupby(way.always, key=lambda one: one[0]):
        copies += [_comment(why), *(shown(("assert", script.said(one))) for _, one in some)]
    named = []
    for number, rule in enumerate(way.group.rules, 1):
        terms = [script.said(one) for one in way.rules.get(rule, ())]
        said = ("and", *terms) if len(terms) > 1 else terms[0] if terms else "true"
        named += [_comment(_told(rule)), shown(("define-fun", f"rule-{number}", "()", "Bool", said))]
    yield from (*script.head(), *copies, *named, "; all of them")
    numbers = range(1, len(way.group.rules) + 1)
    yield from _question(numbers, "unsat")
    for left_out in numbers:
        yield f"; without rule-{left_out}"
        yield from _question((number for number in numbers if number != left_out), "sat")


def _sentences(candidates: Candidates, condition: Condition | None) -> Iterator[Sentence]:
    """All that the rules and the question say of attributes, in whatever rows."""
    for one in candidates.conditions():
        yield Holds(_plainly(one))
    if condition is not None:
        yield Holds(condition)
    for head in candidates.heads.values():
        for left, right in (pair for join in head.joins for pair in join.on):
            yield Holds(Compare("=", Attr(plain(left)), Attr(plain(right))))
    for population in candidates.populations:
        cases = ((clause.condition, clause.expression) for clause in population.clauses)
        yield Becomes(population.target, tuple((asked and _plainly(asked), _named(value)) for asked, value in cases))
    for source, target in candidates.carried:
        yield Becomes(target, ((None, Attr(source)),))


def _plainly(condition: Condition) -> Condition:
    """A condition whose attributes are named whatever roles they are read in."""
    return with_leaves(condition, renaming(plain))


def _named(expression: Expression) -> Expression:
    return with_leaves(expression, renaming(plain))


def _question(numbers: Iterable[int], expected: str) -> Iterator[str]:
    yield "(push 1)"
    yield from (f"(assert rule-{number})" for number in numbers)
    yield f"(set-info :status {expected})\n(check-sat)\n(pop 1)"


def _heading(group: Group, steps: list[Step]) -> Iterator[str]:
    yield f"; No row can go this way under all of these rules{WITHOUT_ANY}"
    yield THEN_SAT
    yield ";"
    yield "; Left out because of it:"
    for step in steps[:STEPS]:
        yield _comment(f"{step.source} into {step.target} by {step.mapping} ({step.location})", inner=True)
    if len(steps) > STEPS:
        yield f";   and {len(steps) - STEPS} more"
    yield "; The way:"
    for number, step in enumerate(group.way, 1):
        yield _comment(f"row {number} of {row_of(step.source)}, from it {step.mapping} makes", inner=True)
    end = f"row {len(group.way) + 1} of {row_of(group.way[-1].target)}" if group.way else "one row"
    yield _comment(end, inner=True)


def _told(rule: Reason) -> str:
    if rule.kind == "question":
        return f"the question: {rule.condition}"
    return f"{rule.mapping} ({rule.location}), {rule.kind}: {rule.condition}"


def _comment(text: str, *, inner: bool = False) -> str:
    """A comment of one line: a text of the rules may hold line breaks, and what comes after one would be read."""
    return f"; {'  ' * inner}{' '.join(text.split())}"
