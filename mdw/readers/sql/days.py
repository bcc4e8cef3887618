"""Constants of days and times in conditions: written in whatever way, two that are days can be compared (rule Q3).

DATE '2020-01-02', TO_DATE('02.01.2020', 'DD.MM.YYYY'), TIMESTAMP '2020-01-02 00:00:00'      the day 2020-01-02
TIMESTAMP '2020-01-02 10:30:00'                                                             none: it stays what it is
"""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Any

from sqlglot import exp

from mdw.readers.sql.dialects import TRANSACT

DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[ T]00:00(?::00(?:\.0+)?)?)?")
SHORT = re.compile(r"(\d{4})(\d\d)(\d\d)")
FORMAT = re.compile(r"(?:%[YmdHMSf]|[-./: T])+")
DATED = frozenset(
    (exp.DType.DATE, exp.DType.TIMESTAMP, exp.DType.DATETIME, exp.DType.DATETIME2, exp.DType.SMALLDATETIME)
)
"""Types of which a day is a value; where time zones count none is."""


def day_of(one: Any, dialect: str) -> str:
    """The day that an expression is a constant of, "" if it is none.

    >>> import sqlglot
    >>> texts = "TO_DATE('02.01.2020', 'DD.MM.YYYY')", "DATE '2020-01-02'", "TIMESTAMP '2020-01-02 01:00:00'"
    >>> [day_of(sqlglot.parse_one(text, read="oracle"), "oracle") for text in texts]
    ['2020-01-02', '2020-01-02', '']
    """
    if isinstance(one, (exp.StrToDate, exp.StrToTime)):
        said: Any = one.args.get("format")
        return _formatted(one.this.name, said.name) if _is_text(one.this) and _is_text(said) else ""
    if isinstance(one, exp.Cast) and not isinstance(one, exp.TryCast):
        to, given = one.args.get("to"), one.this
    elif isinstance(one, exp.Convert) and one.args.get("style") is None:
        to, given = one.this, one.expression
    elif isinstance(one, exp.DateStrToDate) or (isinstance(one, exp.Date) and dialect in TRANSACT):
        to, given = exp.DataType(this=exp.DType.DATE), one.this
    else:
        return ""
    if not isinstance(to, exp.DataType) or to.this not in DATED or not _is_text(given):
        return ""
    found = DAY.fullmatch(given.name) or (SHORT.fullmatch(given.name) if dialect in TRANSACT else None)
    return _day(*map(int, found.groups())) if found else ""


def _is_text(one: Any) -> bool:
    return isinstance(one, exp.Literal) and bool(one.args.get("is_string"))


def _formatted(text: str, said: str) -> str:
    # Names of months go by the session's language, years of two digits by its settings.
    if not FORMAT.fullmatch(said) or any(mark not in said for mark in ("%Y", "%m", "%d")):
        return ""
    # TIMESTAMP '2020-01-02 00:00:00' is told to have fractions, which it need not have.
    for form in (said, said.removesuffix(".%f")):
        try:
            found = datetime.strptime(text, form)
        except ValueError:
            continue
        return found.date().isoformat() if found == datetime.combine(found.date(), datetime.min.time()) else ""
    return ""


def _day(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
