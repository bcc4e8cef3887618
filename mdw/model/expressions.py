"""What a WITH gives and what an IF asks: expressions and conditions, and walks over them.

Attributes are named by canonical strings (see `mdw.model.name`). Everything here is frozen and hashable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

# -- expressions: what a WITH gives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Attr:
    """The value of an attribute, by canonical name ``ENTITY.ATTRIBUTE``."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """A constant: a string, a number (canonical decimal text), a date (ISO text) or NULL (empty text)."""

    kind: Literal["string", "number", "date", "null"]
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


Expression = Attr | Const | Compute | Concat | Aggregate | Call


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
TRUE = And(())
FALSE = Or(())


# -- walks: what is in them, and the same with something changed ------------------------------------------------------


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


def attributes_of(item: Expression | Condition) -> Iterator[str]:
    """Every attribute an expression or condition mentions, in order, with repetitions."""
    match item:
        case Attr(name):
            yield name
        case Const():
            return
        case Compute(_, left, right) | Compare(_, left, right):
            yield from attributes_of(left)
            yield from attributes_of(right)
        case Concat(parts) | And(parts) | Or(parts):
            for part in parts:
                yield from attributes_of(part)
        case Call(_, arguments):
            for argument in arguments:
                yield from attributes_of(argument)
        case Aggregate(_, inner) | In(inner, _) | Like(inner, _) | IsNull(inner):
            yield from attributes_of(inner)
        case Not(part):
            yield from attributes_of(part)


def aggregates(expression: Expression) -> bool:
    """Whether the expression aggregates."""
    match expression:
        case Aggregate():
            return True
        case Compute(_, left, right):
            return aggregates(left) or aggregates(right)
        case Concat(parts) | Call(_, parts):
            return any(aggregates(part) for part in parts)
        case _:
            return False


def decimal_text(number: Decimal) -> str:
    """Canonical text of a number: no exponent, no trailing zeros.

    >>> decimal_text(Decimal("1.50")), decimal_text(Decimal("-0"))
    ('1.5', '0')
    """
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
