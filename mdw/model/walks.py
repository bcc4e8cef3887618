"""Walks over expressions and conditions: what is in them, and the same with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, overload

from mdw.model.expressions import (
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
    Variable,
    Window,
)

# What `with_leaves` puts in the place of an attribute, variable or constant.
Leaf = Callable[[Attr | Variable | Const], Expression]


@overload
def parts(item: Expression) -> tuple[Expression, ...]: ...
@overload
def parts(item: Expression | Condition) -> tuple[Expression | Condition, ...]: ...
def parts(item: Expression | Condition) -> tuple[Expression | Condition, ...]:
    """What stands directly in an expression or condition, in order; nothing in an attribute, variable or constant.

    Walks that only go down need this and no class by name, so a new class of expression is written here once.

    >>> parts(Compare("=", Attr("A.X"), Const("number", "1")))
    (Attr(name='A.X'), Const(kind='number', text='1'))
    """
    return PARTS[type(item)](item)


PARTS: Mapping[type, Callable[[Any], tuple[Any, ...]]] = {
    **dict.fromkeys((Attr, Variable, Const), lambda _: ()),
    **dict.fromkeys((Compute, Compare), attrgetter("left", "right")),
    **dict.fromkeys((Concat, And, Or), attrgetter("parts")),
    Call: attrgetter("arguments"),
    Aggregate: lambda one: (one.argument,),
    **dict.fromkeys((Like, IsNull), lambda one: (one.subject,)),
    Not: lambda one: (one.part,),
    In: lambda one: (one.subject, *one.constants),
    Window: lambda one: (one.function, *one.keys),
}
"""What `parts` gives, by class: every walk asks it of every expression, and patterns would be tried one by one."""


def with_parts(item: Expression | Condition, changed: Sequence[Any]) -> Expression | Condition:
    """The same with other parts, as many as `parts` gives; of an IN's constants those that stay constants.

    >>> with_parts(Compute("+", Attr("A.X"), Attr("A.Y")), (Attr("A.X"), Attr("A.Z")))
    Compute(op='+', left=Attr(name='A.X'), right=Attr(name='A.Z'))
    """
    match item:
        case Attr() | Variable() | Const():
            return item
        case Compute(op, _, _):
            return Compute(op, *changed)
        case Compare(op, _, _):
            return Compare(op, *changed)
        case Aggregate(function, _):
            return Aggregate(function, *changed)
        case Call(function, _):
            return Call(function, tuple(changed))
        case In(_, _):
            # IN lists constants only: where a walk puts an attribute in the place of one, that one is left out.
            subject, *constants = changed
            return In(subject, tuple(one for one in constants if isinstance(one, Const)))
        case Window(_, _):
            return Window(changed[0], tuple(changed[1:]))
        case Like(_, pattern):
            return Like(changed[0], pattern)
        case IsNull() | Not():
            return type(item)(*changed)
        case Concat() | And() | Or():
            return type(item)(tuple(changed))


def walk(item: Expression | Condition) -> Iterator[Expression | Condition]:
    """The item and everything in it, each before its parts, from left to right.

    >>> [type(one).__name__ for one in walk(Not(Compare("<", Attr("A.X"), Const("number", "1"))))]
    ['Not', 'Compare', 'Attr', 'Const']
    """
    pending = [item]
    while pending:
        one = pending.pop()
        yield one
        pending += parts(one)[::-1]


@overload
def with_leaves(item: Expression, leaf: Leaf) -> Expression: ...
@overload
def with_leaves(item: Condition, leaf: Leaf) -> Condition: ...
def with_leaves(item: Expression | Condition, leaf: Leaf) -> Expression | Condition:
    """The expression or condition with every attribute, variable and constant changed; in IN constants stay constants.

    >>> with_leaves(Not(IsNull(Attr("A.X"))), lambda one: Attr("B.X"))
    Not(part=IsNull(subject=Attr(name='B.X')))
    """
    if isinstance(item, (Attr, Variable, Const)):
        return leaf(item)
    return with_parts(item, [with_leaves(part, leaf) for part in parts(item)])


def attributes_of(item: Expression | Condition) -> Iterator[str]:
    """Every attribute an expression or condition mentions, in order, with repetitions."""
    # Asked of every rule that is read: by its own loop it takes half the time that `walk` would.
    pending = [item]
    while pending:
        one = pending.pop()
        if isinstance(one, Attr):
            yield one.name
        elif not isinstance(one, Const):
            pending += parts(one)[::-1]


def variables_of(item: Expression | Condition) -> Iterator[Variable]:
    """Every variable an expression or condition mentions, in order, with repetitions."""
    return (one for one in walk(item) if isinstance(one, Variable))
