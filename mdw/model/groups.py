"""What an expression takes from the rows of a group: whether it aggregates, and which row's own value it gives.

MAX(A.X) + A.K      `picking` A.X: the aggregation gives the value of one row as it is
A.K + A.X           `within` groups by A.K: A.K + ANY_VALUE(A.X), for rows of a group differ in A.X only
"""

from __future__ import annotations

from collections.abc import Sequence

from mdw.model.expressions import Aggregate, Attr, Call, Condition, Const, Expression, Variable, Window
from mdw.model.function_names import CHOICE, PICKING
from mdw.model.walks import attributes_of, parts, walk, with_parts


def aggregates(expression: Expression) -> bool:
    """Whether the expression aggregates; a window takes in rows and makes no fewer of them.

    >>> total = Aggregate("SUM", Attr("A.X"))
    >>> aggregates(total), aggregates(Window(total, ())), aggregates(Window(Aggregate("SUM", total), ()))
    (True, False, True)
    """
    if isinstance(expression, (Attr, Const)):
        return False
    pending: list[Expression | Condition] = [expression]
    while pending:
        one = pending.pop()
        if isinstance(one, Aggregate):
            return True
        # Of a window the function itself is no aggregation; what it takes in may be one.
        pending += (*parts(one.function), *one.keys) if isinstance(one, Window) else parts(one)
    return False


def picking(expression: Expression, name: str) -> Aggregate | None:
    """The aggregation that gives an attribute's value of one row as it is, where no other takes it in.

    >>> from mdw.model.expressions import Compute
    >>> most = Aggregate("MAX", Attr("A.X"))
    >>> picking(Compute("+", most, Attr("A.K")), "A.X") == most
    True
    >>> picking(Compute("-", most, Aggregate("MIN", Attr("A.X"))), "A.X") is None
    True
    """
    if isinstance(expression, (Attr, Const)):
        return None
    pending: list[Expression | Condition] = [expression]
    found: list[Aggregate] = []
    while pending:
        match pending.pop():
            case Aggregate() | Window() as one:
                if name in attributes_of(one):
                    found += [one] if isinstance(one, Aggregate) else [Aggregate("", one)]
            case one:
                pending += parts(one)
    if len(found) != 1 or found[0].function not in PICKING:
        return None
    value = argument_of(found[0])
    # Which arm of a CASE gave the value its function does not tell.
    chosen = any(isinstance(one, (Aggregate, Window)) or _chooses(one) for one in walk(value))
    return None if chosen or name not in attributes_of(value) else found[0]


def argument_of(one: Aggregate) -> Expression:
    """The value that an aggregation takes in; what else it takes in only says of which row."""
    match one.argument:
        case Call("", (first, *_)):
            return first
        case argument:
            return argument


def _chooses(one: Expression | Condition) -> bool:
    return isinstance(one, Call) and one.function.startswith(CHOICE)


def with_picked(item: Expression, one: Aggregate) -> Expression:
    """The same with the row's own value for what an aggregation gives."""
    return _with_picked(item, one)  # type: ignore[return-value]


def condition_with_picked(item: Condition, one: Aggregate) -> Condition:
    """`with_picked` for a condition."""
    return _with_picked(item, one)  # type: ignore[return-value]


def _with_picked(item: Expression | Condition, one: Aggregate) -> Expression | Condition:
    if item == one:
        return argument_of(one)
    match item:
        case Attr() | Variable() | Const() | Aggregate() | Window():
            return item
        # To say whether NULLs count changes nothing of a value that is given.
        case Call("IGNORENULLS" | "RESPECTNULLS", (inner,)) if inner == one:
            return argument_of(one)
    return with_parts(item, [_with_picked(part, one) for part in parts(item)])


def within(item: Expression, keys: Sequence[Expression]) -> Expression:
    """The same, where of rows that differ only the keys are told: what is no function of them is any row's value.

    >>> from mdw.model.expressions import Compute
    >>> within(Compute("+", Attr("A.K"), Attr("A.X")), [Attr("A.K")]).right
    Aggregate(function='ANY_VALUE', argument=Attr(name='A.X'))
    """
    return _within(item, keys)  # type: ignore[return-value]


def condition_within(item: Condition, keys: Sequence[Expression]) -> Condition:
    """`within` for a condition."""
    return _within(item, keys)  # type: ignore[return-value]


def _within(item: Expression | Condition, keys: Sequence[Expression]) -> Expression | Condition:
    if item in keys or isinstance(item, (Const, Variable, Aggregate, Window)):
        return item
    if isinstance(item, Attr):
        return Aggregate("ANY_VALUE", item)
    return with_parts(item, [_within(part, keys) for part in parts(item)])
