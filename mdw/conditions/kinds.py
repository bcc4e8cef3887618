"""Kinds of values: text, number, day, truth. The one place that decides what kind an attribute's values may be.

Rules name no types. What they leave open is kept, by four decisions:

- *An attribute is of the kinds of the constants that its class meets.* One kind: then that kind, in every database.
- *Texts alone may stand for numbers or days.* ``N > "9" AND N < "10"`` no text satisfies, but 9.5 does. So a class of
  texts holds numbers too where that makes a difference, else not: `hidden` says where.
- *Values and constants of two kinds compare as databases agree.* A number and ``"9"`` compare as numbers, a number
  never equals ``"x"``. Where databases disagree (the text "01" and the number 1, a day and 01010001) both true and
  false are possible: `across`.
- *What is written into an attribute may change its kind*, "07" to 7 and 7 to "7.0". `Regions.bit` gives every value set
  that it may come to lie in.

>>> one, two = Const("string", "9"), Const("string", "10")
>>> hidden({one, two}, set(), ordered=True), hidden({one, two}, set(), ordered=False)
({'number'}, set())
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import date
from decimal import Context, Decimal, DecimalException, DivisionByZero, Inexact, InvalidOperation, Overflow
from fractions import Fraction
from itertools import pairwise

from mdw.conditions.patterns import matches, number_matches
from mdw.model.expressions import Const, Expression

Point = str | Decimal | date
KINDS = ("string", "number", "date", "boolean")
TRUTHS = ("FALSE", "TRUE")
DIGITS = 1000
"""Digits of the longest number that is counted with; of longer ones nothing is known."""
EXACT = Context(DIGITS, Emin=-DIGITS, Emax=DIGITS, traps=[Inexact, InvalidOperation, DivisionByZero, Overflow])
"""Arithmetic that fails rather than round."""
BOTH = (True, True)
"""May be true and may be false."""
NUMBER = re.compile(r"\s*[+-]?(\d{1,999}\.?\d{0,999}|\.\d{1,999})([eE][+-]?\d{1,3})?\s*", re.ASCII)
ISO = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
SPELLINGS = (
    re.compile(r"(?P<d>\d{2})\.(?P<m>\d{2})\.(?P<y>\d{4})", re.ASCII),
    re.compile(r"(?P<y>\d{4})([-/.]?)(?P<m>\d{2})\2(?P<d>\d{2})([T ]00:00(:00(\.0{1,9})?)?)?", re.ASCII),
    re.compile(r"(?P<y>\d{4})([-/.])(?P<m>\d{1,2})\2(?P<d>\d{1,2})", re.ASCII),
)
"""Days as databases read them from texts, all of which know a day by them; 1/2/2020 is another one elsewhere."""
LEADING = re.compile(r"\s*[+-]?(\d{1,999}\.?\d{0,999}|\.\d{1,999})", re.ASCII)


def countable(constant: Const) -> bool:
    """Whether a constant is a value that can be counted with: no number of thousands of digits, no NaN.

    >>> countable(Const("number", "1" + "0" * 28)), countable(Const("number", "NaN"))
    (True, False)
    """
    if constant.kind != "number":
        return True
    try:
        return EXACT.create_decimal(constant.text).is_finite()
    except DecimalException:
        return False


def point_of(constant: Const) -> Point:
    """The value of a constant in its own kind."""
    if constant.kind == "number":
        return Decimal(constant.text)
    return date.fromisoformat(constant.text) if constant.kind == "date" else constant.text


def order_key(point: Point) -> tuple[Decimal | int, str]:
    """What orders values of one kind."""
    if isinstance(point, Decimal):
        return point, ""
    return (point.toordinal(), "") if isinstance(point, date) else (0, point)


def read_as(kind: str, point: Point) -> Point | None:
    """What a value reads as in another kind; of a text that is the same kind itself; None if it does not.

    >>> read_as("number", "07"), read_as("date", "1.1.2015"), read_as("date", "01.01.2015")
    (Decimal('7'), None, datetime.date(2015, 1, 1))

    Mappings may write a day as a number:

    >>> read_as("date", Decimal(1010001)), read_as("number", date(1, 1, 1))
    (datetime.date(1, 1, 1), Decimal('1010001'))
    """
    if kind == "number":
        if isinstance(point, date):
            return Decimal(f"{point:%d%m}{point.year:04d}")
        return _number(point) if isinstance(point, str) else point
    if kind == "date":
        if isinstance(point, Decimal):
            return _written_as_number(point)
        return _day(point) if isinstance(point, str) else point
    if kind == "boolean":
        return point if point in TRUTHS else None
    return point if isinstance(point, str) else None


def hidden(constants: Iterable[Const], patterns: Iterable[str], *, ordered: bool) -> set[str]:
    """The kinds that a class of texts may hold besides, because its texts compare otherwise in these."""
    texts = sorted(constant.text for constant in constants if constant.kind == "string")
    found = set()
    for kind in ("number", "date"):
        some = [(text, value) for text in texts if (value := read_as(kind, text)) is not None]
        # "1" and "01" are two texts and one number.
        alike = len({value for _, value in some}) < len(some)
        # The texts are in order; if what they read as is so too, no comparison tells texts and numbers apart.
        turned = ordered and any(order_key(a) > order_key(b) for (_, a), (_, b) in pairwise(some))
        if alike or turned or (kind == "number" and _spelled_apart(some, patterns)):
            found.add(kind)
    return found


def _spelled_apart(numbers: Iterable[tuple[str, Point]], patterns: Iterable[str]) -> bool:
    every = list(patterns)
    return any(
        number_matches(pattern, value) != (matches(pattern, text), not matches(pattern, text))
        for text, value in numbers
        if isinstance(value, Decimal)
        for pattern in every
    )


def across(op: str, read: Point | None, same: Callable[[Point], bool | None], *, agreed: bool) -> tuple[bool, bool]:
    """Whether values of one kind may compare so with a constant of another, and whether they may not.

    ``read`` is the constant in the kind of the values, ``same`` whether they compare so with it. ``agreed``: every
    database compares the two in that kind.
    """
    if agreed and read is not None:
        found = same(read)
        return found is not False, found is not True
    if op not in ("=", "!="):
        return BOTH
    # Whatever a database makes of the two, "x" and 7 are not equal, nor are "08" and 7.
    unequal = read is None or same(read) is (op == "!=")
    return BOTH if not unequal else (op == "!=", op == "=")


def counted(text: str) -> Decimal:
    """The number that MySQL takes any text for, where it needs one: that with which the text begins, else 0.

    >>> counted("1x"), counted("x"), counted("")
    (Decimal('1'), Decimal('0'), Decimal('0'))
    """
    found = LEADING.match(text)
    return Decimal(found[0].strip()) if found else Decimal(0)


def _number(text: str) -> Decimal | None:
    return Decimal(text.strip()) if NUMBER.fullmatch(text) else None


def _written_as_number(number: Decimal) -> date | None:
    if not 0 < number < 10**8 or number % 1:
        return None
    text = f"{int(number):08d}"
    return _day(f"{text[:2]}.{text[2:4]}.{text[4:]}") or _day(text)


def _day(text: str) -> date | None:
    found = next((one for spelling in SPELLINGS if (one := spelling.fullmatch(text.strip(" ")))), None)
    try:
        return date(int(found["y"]), int(found["m"]), int(found["d"])) if found else None
    except ValueError:
        return None


def halves(number: Fraction) -> bool:
    """Whether a number has a last binary digit: no database rounds it.

    >>> halves(Fraction(3, 8)), halves(Fraction(1, 10))
    (True, False)
    """
    return number.denominator & (number.denominator - 1) == 0


def doubles(number: Fraction) -> bool:
    """Whether one may multiply and divide by a number, and no database rounds what comes out: 2, 4, 1/8.

    >>> doubles(Fraction(-4)), doubles(Fraction(3)), doubles(Fraction(0))
    (True, False, False)
    """
    return number != 0 and halves(number) and halves(1 / number)


def halved(divisor: Expression) -> bool:
    """Whether to divide by it rounds nothing."""
    return isinstance(divisor, Const) and divisor.kind == "number" and doubles(Fraction(divisor.text))
