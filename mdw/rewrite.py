"""Expressions and conditions rebuilt with something in them changed."""

from __future__ import annotations

from collections.abc import Callable

from mdw.model import (
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
)

Leaf = Callable[[Attr | Const], Expression]


def with_leaves(expression: Expression, leaf: Leaf) -> Expression:
    """The expression with every attribute and constant in it changed.

    >>> with_leaves(Compute("+", Attr("A.X"), Const("number", "1")), lambda one: Const("null", ""))
    Compute(op='+', left=Const(kind='null', text=''), right=Const(kind='null', text=''))
    """
    match expression:
        case Attr() | Const():
            return leaf(expression)
        case Compute(op, left, right):
            return Compute(op, with_leaves(left, leaf), with_leaves(right, leaf))
        case Concat(parts):
            return Concat(tuple(with_leaves(part, leaf) for part in parts))
        case Aggregate(function, argument):
            return Aggregate(function, with_leaves(argument, leaf))
        case Call(function, arguments):
            return Call(function, tuple(with_leaves(argument, leaf) for argument in arguments))


def with_condition_leaves(condition: Condition, leaf: Leaf) -> Condition:
    """The condition with every attribute and constant in its expressions changed; constants stay constants in IN.

    >>> with_condition_leaves(Not(IsNull(Attr("A.X"))), lambda one: Attr("B.X"))
    Not(part=IsNull(subject=Attr(name='B.X')))
    """
    match condition:
        case Compare(op, left, right):
            return Compare(op, with_leaves(left, leaf), with_leaves(right, leaf))
        case In(subject, constants):
            some = tuple(changed for one in constants if isinstance(changed := leaf(one), Const))
            return In(with_leaves(subject, leaf), some)
        case Like(subject, pattern):
            return Like(with_leaves(subject, leaf), pattern)
        case IsNull(subject):
            return IsNull(with_leaves(subject, leaf))
        case Not(part):
            return Not(with_condition_leaves(part, leaf))
        case And(parts):
            return And(tuple(with_condition_leaves(part, leaf) for part in parts))
        case Or(parts):
            return Or(tuple(with_condition_leaves(part, leaf) for part in parts))
