"""Values of the types that columns are told to have, for example rows; what can hold never depends on types.

Rules name no types: `N IS NOT NULL` holds for any value. Who reads an example of it wants a number where N is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import count

from mdw.conditions.cuts import Region
from mdw.conditions.kinds import read_as
from mdw.model.expressions import YES, Const, decimal_text

FIRST = date(2020, 1, 1)
"""The day that comes first where any would do."""
SEVERAL = 40
"""Texts that are tried."""
WORDS = re.compile(r"[A-Z]+")
NAMED = {
    "number": """
        INT INTEGER BIGINT SMALLINT TINYINT MEDIUMINT BYTEINT HUGEINT UINTEGER UBIGINT SERIAL BIGSERIAL NUMBER NUMERIC
        DECIMAL DEC FLOAT REAL DOUBLE MONEY SMALLMONEY BIGNUMERIC BIGDECIMAL LONG SHORT BIT
    """,
    "date": "DATE DATETIME SMALLDATETIME TIMESTAMP TIMESTAMPTZ TIMESTAMPLTZ TIMESTAMPNTZ DATETIMEOFFSET",
    "boolean": "BOOLEAN BOOL LOGICAL",
    "string": "CHAR CHARACTER VARCHAR NCHAR NVARCHAR TEXT STRING CLOB NCLOB BPCHAR CITEXT TINYTEXT MEDIUMTEXT LONGTEXT",
}
KIND = {word: kind for kind, words in NAMED.items() for word in words.split()}


def kind_of(told: str) -> str:
    """The kind of the values of a type, "" where that is not known.

    >>> kind_of("DECIMAL(10, 2)"), kind_of("varchar2(20)"), kind_of("TIMESTAMP WITH TIME ZONE"), kind_of("INT[]")
    ('number', 'string', 'date', '')
    """
    word = WORDS.match(told.strip().upper())
    nested = "[" in told or "<" in told
    return "" if nested or word is None else KIND.get(word[0], "")


def anything(kind: str) -> Iterator[Const]:
    """Values of a kind, each another one, where nothing says of what kind they must be.

    >>> from itertools import islice
    >>> [one.text for one in islice(anything("date"), 2)], [one.text for one in islice(anything(""), 2)]
    (['2020-01-01', '2020-01-02'], ['x', 'xx'])
    """
    if kind == "number":
        yield from (Const("number", str(number)) for number in count(1))
    elif kind == "date":
        yield from (Const("date", str(FIRST + timedelta(days=days))) for days in range(10_000))
    elif kind == "boolean":
        yield YES
    else:
        yield from (Const("string", "x" * number) for number in count(1))


def at_place(kind: str, place: Fraction) -> Const | None:
    """The value at a place of those in order; of texts there are nine, of which each database says that order.

    >>> at_place("number", Fraction(1, 2)), at_place("date", Fraction(2)), at_place("string", Fraction(10))
    (Const(kind='number', text='0.5'), Const(kind='date', text='2020-01-02'), None)
    """
    if kind in ("", "number"):
        return Const("number", decimal_text(Decimal(place.numerator) / Decimal(place.denominator)))
    whole = int(place) if place.denominator == 1 else 0
    if kind == "date" and 0 < whole < 10_000:
        return Const("date", str(FIRST + timedelta(days=whole - 1)))
    return Const("string", str(whole)) if kind == "string" and 0 < whole < 10 else None


def texts_of(kind: str, region: Region) -> Iterator[str]:
    """Texts that may lie in a region of texts and read as of a kind: where an INT is compared with '5' it is no text.

    >>> next(texts_of("number", Region("string", low="5")))
    '6'
    >>> next(texts_of("date", Region("string", low="2024-01-01", high="2024-02-01")))
    '2024-01-02'
    """
    low, high = (None if one is None else read_as(kind, one) for one in (region.low, region.high))
    if kind == "number":
        start, step = (low, 1) if isinstance(low, Decimal) else (high, -1) if isinstance(high, Decimal) else (0, 1)
        yield from (decimal_text(Decimal(start) + step * number) for number in range(1, SEVERAL))
    if kind == "date":
        day, back = (low, 1) if isinstance(low, date) else (high, -1) if isinstance(high, date) else (FIRST, 1)
        # Days near the first and the last that there are have none beside them on one side.
        some = (day.toordinal() + back * number for number in range(1, SEVERAL))
        yield from (str(date.fromordinal(one)) for one in some if 1 <= one <= date.max.toordinal())
