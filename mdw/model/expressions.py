"""What a WITH gives and what an IF asks: expressions and conditions, and walks over them.

Attributes are named by canonical strings (see `mdw.model.name`). Everything here is frozen and hashable.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, overload

from mdw.model.function_names import CHOICE, GENERATING, PICKING, STRICT

# -- expressions: what a WITH gives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attr:
    """The value of an attribute, by canonical name ``ENTITY.ATTRIBUTE``."""

    name: str


@dataclass(frozen=True, slots=True, repr=False)
class Variable:
    """A value of some row, by the number that a diagram of conditions knows it by; no mapping ever says one.

    Rules speak of attributes. Carried from row to row (`mdw.conditions.terms`) the same expression speaks of
    variables, because one attribute has another value in every row.
    """

    number: int

    def __repr__(self) -> str:
        return f"#{self.number}"


@dataclass(frozen=True, slots=True)
class Const:
    """A constant: a string, a number (canonical decimal text), a date (ISO text), TRUE or FALSE, or NULL (empty text).

    Numbers and dates are texts in one spelling each: equal constants are then equal values, and no digit is lost.
    """

    kind: Literal["string", "number", "date", "boolean", "null"]
    text: str


@dataclass(frozen=True, slots=True)
class Compute:
    """Arithmetic, ``op`` one of + - * /."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Concat:
    """Strings put together with ||."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """SUM, AVG, MIN, MAX or COUNT over the rows of a group."""

    function: str
    argument: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A function known by name only: equal for equal arguments, otherwise free (SUBSTR is one)."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """A value taken from the rows that have the same ``keys``: a rank, LAG(X), SUM(X) OVER (PARTITION BY K)."""

    function: Expression
    keys: tuple[Expression, ...]


Expression = Attr | Variable | Const | Compute | Concat | Aggregate | Call | Window


# -- conditions: which rows pass ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Compare:
    """``left op right``, op one of = != < <= > >=."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class In:
    """``subject IN (constants)``."""

    subject: Expression
    constants: tuple[Const, ...]


@dataclass(frozen=True, slots=True)
class Like:
    """``subject LIKE pattern``, % for any text and _ for one character."""

    subject: Expression
    pattern: str


@dataclass(frozen=True, slots=True)
class IsNull:
    """``subject IS NULL``."""

    subject: Expression


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts; without parts it is TRUE."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """One of the parts; without parts it is FALSE."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part is false (three-valued: NOT of unknown is unknown)."""

    part: Condition


Condition = Compare | In | Like | IsNull | And | Or | Not
CONDITIONS = (Compare, In, Like, IsNull, And, Or, Not)
# No class of their own: whoever handles And and Or handles them too.
TRUE = And(())
FALSE = Or(())
YES, NO, NULL = Const("boolean", "TRUE"), Const("boolean", "FALSE"), Const("null", "")
OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
PARAMETER = re.compile(r"[^A-Z0-9_\"'(?\s].+", re.DOTALL)


# -- walks: what is in them, and the same with something changed ------------------------------------------------------

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
    match item:
        case Attr() | Variable() | Const():
            return ()
        case Compute(_, left, right) | Compare(_, left, right):
            return left, right
        case Concat(inner) | Call(_, inner) | And(inner) | Or(inner):
            return inner
        case Aggregate(_, one) | Like(one, _) | IsNull(one) | Not(one):
            return (one,)
        case In(subject, constants):
            return subject, *constants
        case Window(function, keys):
            return function, *keys


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


def parameter(call: Call) -> bool:
    """Whether a call stands for a parameter: one value throughout a mapping, whose name is its argument.

    >>> parameter(Call(":FROM_DAY", (Const("string", "m"),))), parameter(Call("UPPER", (Const("string", "m"),)))
    (True, False)
    """
    named = PARAMETER.fullmatch(call.function.upper()) is not None
    return named and all(isinstance(one, Const) for one in call.arguments)


def repeats(call: Call) -> bool:
    """Whether a function gives the same wherever its arguments are the same, and NULL where one of them is.

    >>> repeats(Call("UPPER", (Attr("A.X"),))), repeats(Call("RANDOM", ()))
    (True, False)
    """
    if parameter(call):
        return True
    name = call.function.upper()
    if not call.arguments:
        return False
    # Of others nobody knows what they give for NULL: CONCAT(A, "x") may be a text where A is none.
    return name in STRICT or name.startswith(("CAST AS ", "FIELD ", "COLLATED "))


def generates(expression: Expression) -> bool:
    """Whether an expression that takes no attribute's value gives one that is no constant: a count, a rank, a clock."""
    if isinstance(expression, (Attr, Const)):
        return False
    return any(
        isinstance(one, (Aggregate, Window))
        or (isinstance(one, Call) and (one.function.upper() in GENERATING or not (one.arguments or repeats(one))))
        for one in walk(expression)
    )


def within(item: Expression, keys: Sequence[Expression]) -> Expression:
    """The same, where of rows that differ only the keys are told: what is no function of them is any row's value.

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


def fails(condition: Condition) -> Condition:
    """That a condition is not TRUE: FALSE or NULL. What comes out is never NULL itself.

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


def decimal_text(number: Decimal) -> str:
    """Canonical text of a number: no exponent, no trailing zeros.

    >>> decimal_text(Decimal("1.50")), decimal_text(Decimal("-0"))
    ('1.5', '0')
    """
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
