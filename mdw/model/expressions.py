"""What a WITH gives and what an IF asks: expressions and conditions.

Attributes are named by canonical strings (see `mdw.model.name`). Everything here is fixed and hashable.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from mdw.model.fixed import fixed

# -- expressions: what a WITH gives -------------------------------------------------------------------------------


@fixed
class Attr:
    """The value of an attribute, by canonical name ``ENTITY.ATTRIBUTE``."""

    name: str


@fixed
class Variable:
    """A value of some row, by the number that a diagram of conditions knows it by; no mapping ever says one.

    Rules speak of attributes. Carried from row to row (`mdw.conditions.terms`) the same expression speaks of
    variables, because one attribute has another value in every row.
    """

    number: int

    def __repr__(self) -> str:
        return f"#{self.number}"


@fixed
class Const:
    """A constant: a string, a number (canonical decimal text), a date (ISO text), TRUE or FALSE, or NULL (empty text).

    Numbers and dates are texts in one spelling each: equal constants are then equal values, and no digit is lost.
    """

    kind: Literal["string", "number", "date", "boolean", "null"]
    text: str


@fixed
class Compute:
    """Arithmetic, ``op`` one of + - * /."""

    op: str
    left: Expression
    right: Expression


@fixed
class Concat:
    """Strings put together with ||."""

    parts: tuple[Expression, ...]


@fixed
class Aggregate:
    """SUM, AVG, MIN, MAX or COUNT over the rows of a group."""

    function: str
    argument: Expression


@fixed
class Call:
    """A function known by name only: equal for equal arguments, otherwise free (SUBSTR is one)."""

    function: str
    arguments: tuple[Expression, ...]


@fixed
class Window:
    """A value taken from the rows that have the same ``keys``: a rank, LAG(X), SUM(X) OVER (PARTITION BY K)."""

    function: Expression
    keys: tuple[Expression, ...]


Expression = Attr | Variable | Const | Compute | Concat | Aggregate | Call | Window


# -- conditions: which rows pass ----------------------------------------------------------------------------------


@fixed
class Compare:
    """``left op right``, op one of = != < <= > >=."""

    op: str
    left: Expression
    right: Expression


@fixed
class In:
    """``subject IN (constants)``."""

    subject: Expression
    constants: tuple[Const, ...]


@fixed
class Like:
    """``subject LIKE pattern``, % for any text and _ for one character."""

    subject: Expression
    pattern: str


@fixed
class IsNull:
    """``subject IS NULL``."""

    subject: Expression


@fixed
class And:
    """All of the parts; without parts it is TRUE."""

    parts: tuple[Condition, ...]


@fixed
class Or:
    """One of the parts; without parts it is FALSE."""

    parts: tuple[Condition, ...]


@fixed
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


def decimal_text(number: Decimal) -> str:
    """Canonical text of a number: no exponent, no trailing zeros.

    >>> decimal_text(Decimal("1.50")), decimal_text(Decimal("-0"))
    ('1.5', '0')
    """
    text = format(number, "f")
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text
