"""Mappings that no row can pass, by their own conditions alone: ``WHERE 1 = 0``, ``k = 1 AND k = 2``."""

from __future__ import annotations

from dataclasses import replace

from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import trace_lineage
from mdw.model.candidates import Candidates
from mdw.model.expressions import And, Condition, Const, attributes_of
from mdw.model.rules import Clause, Head, Population, Rules

TARGET = "`rows`.`row`"


def unpassable(head: Head) -> bool:
    """Whether no row can pass a mapping, whatever the rows are that it reads.

    An aggregation without keys has a row even then (rule Q15). What cannot be decided counts as passable.
    """
    if head.group == () or not (head.filter or head.having or head.joins):
        return False
    alone = replace(head, target="`rows`", update=False, inner=False)
    clause = Clause(Const("number", "1"), None, "", head.line, 1, ())
    rules = Rules(alone, (Population(head.mapping, TARGET, (clause,)),))
    found = trace_lineage(Question(TARGET, None, "", "active", None, Budget()), Candidates.of([rules]))
    return not found.constants


def constant(head: Head) -> bool:
    """Whether a part of what a mapping asks of its rows is the same for all of them."""
    return any(not any(attributes_of(part)) for part in _parts(head.filter))


def _parts(condition: Condition | None) -> tuple[Condition, ...]:
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, And) else (condition,)
