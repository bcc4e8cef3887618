"""Mappings that no row can pass, by their own conditions alone: ``WHERE 1 = 0``, ``k = 1 AND k = 2``."""

from __future__ import annotations

from dataclasses import replace

from mdw.lineage.steps.question import Budget, Question
from mdw.lineage.trace import trace_lineage
from mdw.model.candidates import Candidates
from mdw.model.expressions import And, Condition, Const
from mdw.model.rules import Clause, Head, Population, Rules
from mdw.model.walks import attributes_of

TARGET = "`rows`.`row`"


def unpassable(head: Head) -> bool:
    """Whether no row can pass a mapping, whatever the rows are that it reads.

    An aggregation without keys has a row even then (rule Q15). What cannot be decided counts as passable.
    """
    if head.group == () or not (head.filter or head.having or head.joins):
        return False
    # Asked as lineage asks: what writes a constant with each row of the mapping, alone in its warehouse. The constant
    # arrives iff some row passes.
    alone = replace(head, target="`rows`", update=False, inner=False)
    clause = Clause(Const("number", "1"), None, "", head.line, 1, ())
    rules = Rules(alone, (Population(head.mapping, TARGET, (clause,)),))
    found = trace_lineage(Question(TARGET, None, "", "active", None, Budget()), Candidates.of([rules]))
    return not found.constants


def never(head: Head, met: dict[Condition, bool]) -> bool | None:
    """Whether what a mapping asks that is the same for all rows is never true; None where it asks nothing such.

    ``met`` has the conditions that were looked at before: many mappings ask the same.
    """
    same = [part for part in _parts(head.filter) if not any(attributes_of(part))]
    if not same:
        return None
    asked = same[0] if len(same) == 1 else And(tuple(same))
    if asked not in met:
        met[asked] = unpassable(Head(head.mapping, "`rows`", "`row`", filter=asked, line=head.line))
    return met[asked] and head.group != ()


def _parts(condition: Condition | None) -> tuple[Condition, ...]:
    if condition is None:
        return ()
    return condition.parts if isinstance(condition, And) else (condition,)
