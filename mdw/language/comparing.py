"""Operators of the language that compare values -> conditions."""

from __future__ import annotations

from collections.abc import Sequence

from mdw.model.expressions import (
    NULL,
    OPPOSITE,
    YES,
    And,
    Call,
    Compare,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
)
from mdw.model.truth import fails


def compared(word: str, values: Sequence[Expression]) -> Condition:
    """The condition that compares values by an operator of the language."""
    subject, *rest = values
    if word in OPPOSITE:
        return Compare(word, subject, rest[0])
    # The grammar reads NOT IN, NOT LIKE, IS NOT NULL as one operator each; conditions know the plain ones under a Not.
    if word.endswith("NULL"):
        return _negated(IsNull(subject), "NOT" in word)
    if word.endswith("TRUE"):
        return fails(holds(subject)) if "NOT" in word else holds(subject)
    if word.endswith("FROM"):
        known = And((Not(IsNull(subject)), Not(IsNull(rest[0])), Compare("=", subject, rest[0])))
        return _negated(Or((known, And((IsNull(subject), IsNull(rest[0]))))), "NOT" not in word)
    if word.endswith("IN"):
        return _negated(_in(subject, rest), word.startswith("NOT"))
    if word.endswith("LIKE"):
        return _negated(_like(subject, rest[0]), word.startswith("NOT"))
    if word.endswith("BETWEEN"):
        between = And((Compare(">=", subject, rest[0]), Compare("<=", subject, rest[1])))
        return _negated(between, word.startswith("NOT"))
    return Compare("!=" if word == "<>" else word, subject, rest[0])


def _in(subject: Expression, listed: Sequence[Expression]) -> Condition:
    # Constants are one value set, however many; attributes and NULL among them are compared one by one.
    constants = tuple(one for one in listed if isinstance(one, Const) and one != NULL)
    others = [Compare("=", subject, one) for one in listed if not isinstance(one, Const) or one == NULL]
    if not others:
        return In(subject, constants)
    return Or((*((In(subject, constants),) if constants else ()), *others))


def _like(subject: Expression, pattern: Expression) -> Condition:
    if isinstance(pattern, Const) and pattern.kind == "string":
        return Like(subject, pattern.text)
    return holds(Call("LIKE", (subject, pattern)))


def holds(value: Expression) -> Condition:
    return Compare("=", value, YES)


def _negated(condition: Condition, negated: bool) -> Condition:
    return Not(condition) if negated else condition
