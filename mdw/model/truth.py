"""Conditions whose truth is never NULL: that a condition is TRUE, and that it is not."""

from __future__ import annotations

from mdw.model.expressions import CONDITIONS, NULL, OPPOSITE, And, Compare, Condition, Const, IsNull, Not, Or
from mdw.model.walks import parts


def fails(condition: Condition) -> Condition:
    """That a condition is not TRUE: FALSE or NULL. What comes out is never NULL itself.

    >>> from mdw.model.expressions import Attr
    >>> fails(Compare("=", Attr("S.A"), Const("number", "1"))) == Or(
    ...     (Compare("!=", Attr("S.A"), Const("number", "1")), IsNull(Attr("S.A")))
    ... )
    True
    """
    return _not(condition, nulls=True)


def succeeds(condition: Condition) -> Condition:
    """That a condition is TRUE, where it may be NULL itself: the opposite of `fails`."""
    return Not(fails(condition))


def _not(condition: Condition, *, nulls: bool) -> Condition:
    """That a condition is FALSE, or else NULL if ``nulls``."""
    match condition:
        case And(parts_):
            return Or(tuple(_not(part, nulls=nulls) for part in parts_))
        case Or(parts_):
            return And(tuple(_not(part, nulls=nulls) for part in parts_))
        case Not(part):
            return _is(part, nulls=nulls)
        case Compare(op, left, right):
            return _known(Compare(OPPOSITE[op], left, right), nulls=nulls)
        case _:
            return _known(Not(condition), nulls=nulls)


def _is(condition: Condition, *, nulls: bool) -> Condition:
    """That a condition is TRUE, or else NULL if ``nulls``."""
    match condition:
        case And(parts_):
            return And(tuple(_is(part, nulls=nulls) for part in parts_))
        case Or(parts_):
            return Or(tuple(_is(part, nulls=nulls) for part in parts_))
        case Not(part):
            return _not(part, nulls=nulls)
        case _:
            return _known(condition, nulls=nulls)


def _known(condition: Condition, *, nulls: bool) -> Condition:
    """A comparison made to be TRUE where something it compares is NULL, or FALSE there."""
    plain = condition.part if isinstance(condition, Not) else condition
    if isinstance(plain, IsNull):
        return condition
    compared = [part for part in parts(plain) if not isinstance(part, Const) or part == NULL]
    tests = tuple(IsNull(part) for part in compared if not isinstance(part, CONDITIONS))
    if not tests:
        return condition
    return Or((condition, *tests)) if nulls else And((condition, *(Not(test) for test in tests)))
