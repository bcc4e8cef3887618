"""Functions that every database has: what they make of constants, and what a comparison with them asks of a value.

>>> folded("UPPER", [Const("string", "ab")]), folded("ROUND", [Const("number", "2.5")])
(Const(kind='string', text='AB'), None)

Databases round 2.5 to 2 or to 3, so what ROUND makes of it stays open. Everything not said here is opaque: equal for
equal arguments, else free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from decimal import Decimal, DecimalException

from mdw.conditions.kinds import EXACT, point_of
from mdw.conditions.patterns import WILDCARD
from mdw.model.expressions import Call, Compare, Const, Expression, decimal_text

NULL = Const("null", "")
YEARS = range(date.min.year, date.max.year)
"""Years whose first day and whose successor's first day are days."""


def folded(function: str, arguments: Sequence[Const]) -> Const | None:
    """What a function makes of constants, where every database makes the same."""
    known = FOLDED.get(function)
    if known is None:
        return None
    if NULL in arguments:
        return NULL
    # A wrong number of arguments, a text where a number should be: databases differ or fail, so it stays open.
    try:
        return known(*map(point_of, arguments))
    except (DecimalException, TypeError, ValueError):
        return None


def picked(call: Call) -> tuple[Expression, int, int] | None:
    """Text, first and last place of a SUBSTR that takes certain characters; None of any other call."""
    if call.function != "SUBSTR" or len(call.arguments) != 3:
        return None
    subject, *places = call.arguments
    told = [one.text for one in places if isinstance(one, Const) and one.kind == "number"]
    # Whoever tells places in thousands of digits takes nothing.
    found = [int(text) for text in told if text.isascii() and text.isdigit() and len(text) < 9]
    return (subject, *found) if len(found) == 2 and 1 <= found[0] <= found[1] < 1000 else None  # type: ignore[return-value]


def picks(call: Call, text: str) -> str | None:
    """The pattern of the texts from which SUBSTR takes just this one; None where no pattern says it.

    >>> from mdw.model.expressions import Attr
    >>> taken = Call("SUBSTR", (Attr("S.P"), Const("number", "2"), Const("number", "3")))
    >>> picks(taken, "CA"), picks(taken, "C"), picks(taken, "CAR")
    ('_CA%', '_C', None)
    """
    found = picked(call)
    # Some databases take an empty text for NULL.
    if found is None or not text or WILDCARD.search(text) or len(text) > found[2] - found[1] + 1:
        return None
    _, first, last = found
    return "_" * (first - 1) + text + ("%" if len(text) == last - first + 1 else "")


def of_year(op: str, value: Expression, year: Const) -> list[Compare] | None:
    """What comparing a day's year with a number asks of the day: all of these; None where days do not say it."""
    if (
        year.kind != "number"
        or not (year.text.isascii() and year.text.isdigit())
        or len(year.text) > 4
        or int(year.text) not in YEARS
    ):
        return None
    starts, ends = (Const("date", date(int(year.text) + more, 1, 1).isoformat()) for more in (0, 1))
    bounds = {"<": [("<", starts)], ">=": [(">=", starts)], "<=": [("<", ends)], ">": [(">=", ends)]}
    bounds["="] = [*bounds[">="], *bounds["<="]]
    return [Compare(one, value, bound) for one, bound in bounds[op]] if op in bounds else None


def _upper(text: object) -> Const | None:
    return _text(text, str.upper)


def _lower(text: object) -> Const | None:
    return _text(text, str.lower)


def _trim(text: object) -> Const | None:
    return _text(text, lambda one: one.strip(" "))


def _text(text: object, change: Callable[[str], str]) -> Const | None:
    # Beyond ASCII databases differ in what is upper case, and some take an empty text for NULL.
    return Const("string", change(text)) if isinstance(text, str) and text.isascii() and change(text) else None


def _length(text: object) -> Const | None:
    # Bytes are not characters, and some do not count spaces at the end.
    plain = isinstance(text, str) and text.isascii() and text and not text.endswith(" ")
    return Const("number", str(len(text))) if isinstance(text, str) and plain else None


def _substr(text: object, first: object, last: object) -> Const | None:
    if not isinstance(text, str) or not isinstance(first, Decimal) or not isinstance(last, Decimal):
        return None
    whole = first % 1 == 0 and last % 1 == 0 and 1 <= first <= last < 1000
    found = text[int(first) - 1 : int(last)] if whole else ""
    return Const("string", found) if found else None


def _abs(number: object) -> Const | None:
    return Const("number", decimal_text(number.copy_abs())) if isinstance(number, Decimal) else None


def _round(number: object, places: object = Decimal(0)) -> Const | None:
    if not isinstance(number, Decimal) or not isinstance(places, Decimal) or places % 1 or not 0 <= places < 100:
        return None
    step = Decimal(1).scaleb(-int(places))
    below = EXACT.multiply(EXACT.divide_int(number, step), step)
    rest = abs(EXACT.divide(EXACT.subtract(number, below), step))
    if rest == Decimal("0.5"):
        return None
    more = step.copy_sign(number) if rest > Decimal("0.5") else Decimal(0)
    return Const("number", decimal_text(EXACT.add(below, more)))


def _part(of: Callable[[date], int]) -> Callable[..., Const | None]:
    return lambda day: Const("number", str(of(day))) if isinstance(day, date) else None


FOLDED: dict[str, Callable[..., Const | None]] = {
    "UPPER": _upper,
    "LOWER": _lower,
    "TRIM": _trim,
    "LENGTH": _length,
    "SUBSTR": _substr,
    "ABS": _abs,
    "ROUND": _round,
    "YEAR": _part(lambda day: day.year),
    "MONTH": _part(lambda day: day.month),
    "DAY": _part(lambda day: day.day),
}
