"""Conditions whose truth is never NULL: that a condition is TRUE, and that it is not."""

from __future__ import annotations

from mdw.model.expressions import (
    CONDITIONS,
    FALSE,
    NULL,
    OPPOSITE,
    TRUE,
    And,
    Compare,
    Condition,
    Const,
    IsNull,
    Not,
    Or,
)
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


def settled(condition: Condition, *, passing: bool = True) -> Condition:
    """The condition without what constants decide: it is TRUE for the same rows, or FALSE if not ``passing``.

    >>> from mdw.model.expressions import Attr
    >>> settled(Or((Compare("=", NULL, NULL), And((Not(IsNull(NULL)), IsNull(Attr("S.A")))), IsNull(Attr("S.B")))))
    IsNull(subject=Attr(name='S.B'))
    """
    match condition:
        case And(items) | Or(items):
            settling, ending = (TRUE, FALSE) if isinstance(condition, And) else (FALSE, TRUE)
            kept = [one for one in (settled(part, passing=passing) for part in items) if one != settling]
            if ending in kept:
                return ending
            found = And(tuple(kept)) if isinstance(condition, And) else Or(tuple(kept))
            return kept[0] if len(kept) == 1 else found
        case Not(part):
            inner = settled(part, passing=not passing)
            if inner in (TRUE, FALSE):
                return FALSE if inner == TRUE else TRUE
            return inner.part if isinstance(inner, Not) else Not(inner)
        case IsNull(Const() as one):
            return TRUE if one == NULL else FALSE
        case Compare(_, left, right) if NULL in (left, right):
            # It is NULL, which passes no row and fails none.
            return FALSE if passing else TRUE
        case Compare("=" | "!=" as op, Const("boolean", one), Const("boolean", other)):
            return TRUE if (one == other) == (op == "=") else FALSE
    return condition


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
