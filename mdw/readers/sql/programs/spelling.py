"""Functions of texts that programs put statements together with, computed over constants (rule Q31).

    QUOTENAME('a]b')             [a]]b]
    REPLACE(x, '#', 'eu')        where X is 'INSERT INTO t_#' + HOLE: 'INSERT INTO t_eu' + HOLE

What is given may have holes. A function whose result depends on what is in a hole gives a hole there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from mdw.readers.sql.dialects import Flavour

HOLE = "\ue000"
"""Stands in a text for a part of it that is not known: no text that anybody writes has it."""
LONGEST = 10_000

Given: TypeAlias = Sequence[str | None]
Spelled: TypeAlias = Callable[[Given, Flavour], "str | None"]

FORMATS = frozenset(("postgres", "redshift", "bigquery", "trino", "presto", "athena"))
"""Dialects whose FORMAT takes %s."""
FORMAT = re.compile(r"%(?:%|(?:(\d+)\$)?([sILdtT]))|%")
PAIRS = {"[": "[]", "]": "[]", "(": "()", ")": "()", "<": "<>", ">": "<>", "{": "{}", "}": "{}"}


def quoted(text: str, pair: str) -> str:
    """A text in quotes, those within it doubled.

    >>> quoted("a]b", "[]"), quoted("it's", "''")
    ('[a]]b]', "'it''s'")
    """
    return pair[0] + text.replace(pair[1], pair[1] * 2) + pair[1]


def strict(made: Callable[..., str]) -> Spelled:
    """A function that gives NULL for NULL, and a HOLE where it is given something it does not take."""

    def spelled(given: Given, _: Flavour) -> str | None:
        known = [one for one in given if one is not None]
        if len(known) < len(given):
            return None
        try:
            return made(*known)
        except (TypeError, ValueError):
            return HOLE + "".join(one + HOLE for one in known)

    return spelled


def _replaced(text: str, before: str, after: str = "") -> str:
    if not before or HOLE in before:
        return text + HOLE if before else text
    return text.replace(before, after)


def _repeated(text: str, times: str) -> str:
    if len(text) * int(times) > LONGEST:
        raise ValueError
    return text * int(times)


def _quotename(text: str, quote: str = "[") -> str:
    return quoted(text, PAIRS.get(quote, quote * 2))


def _enquoted(text: str, capital: str = "") -> str:
    if text.startswith('"') or capital:
        return text if text.startswith('"') else HOLE
    return quoted(text.upper(), '""')


def _literal(text: str) -> str:
    return quoted(text, "''") if "\\" not in text else HOLE


def _separated(given: Given, _: Flavour) -> str | None:
    first, *rest = given
    return None if first is None else first.join(one for one in rest if one is not None)


def _formatted(given: Given, flavour: Flavour) -> str | None:
    """FORMAT('INSERT INTO %I SELECT %s', a, b)."""
    text, *values = given
    if text is None or flavour.name not in FORMATS:
        return None if text is None else HOLE.join(("", *[one for one in given if one], ""))
    number = 0

    def part(found: re.Match[str]) -> str:
        nonlocal number
        place, kind = found.groups()
        if kind is None:
            return "%" if found.group() == "%%" else HOLE
        number = int(place) if place else number + 1
        value = values[number - 1] if 0 < number <= len(values) else HOLE
        if kind == "L":
            return _literal(value) if value is not None else "NULL"
        return quoted(value, '""') if kind == "I" and value and HOLE not in value else value or ""

    return FORMAT.sub(part, text)


_same = strict(lambda text: text)

FUNCTIONS: Mapping[str, Spelled] = {
    "UPPER": strict(lambda text: text.upper()),
    "LOWER": strict(lambda text: text.lower()),
    "TRIM": strict(lambda text: text.strip(" ")),
    "LTRIM": strict(lambda text: text.lstrip(" ")),
    "RTRIM": strict(lambda text: text.rstrip(" ")),
    "REPLACE": strict(_replaced),
    "REPEAT": strict(_repeated),
    "CHR": strict(lambda number: chr(int(number))),
    "CONCAT_WS": _separated,
    "FORMAT": _formatted,
    "QUOTE_IDENT": strict(lambda text: quoted(text, '""') if HOLE not in text else text),
    "QUOTE_LITERAL": strict(_literal),
    "QUOTE_NULLABLE": lambda given, _: "NULL" if given[0] is None else _literal(given[0]),
    "QUOTENAME": strict(_quotename),
    "ENQUOTE_NAME": strict(_enquoted),
    "ENQUOTE_LITERAL": strict(_literal),
    **dict.fromkeys(("SIMPLE_SQL_NAME", "QUALIFIED_SQL_NAME", "SQL_OBJECT_NAME", "SCHEMA_NAME", "NOOP"), _same),
    **dict.fromkeys(("PADDED", "TO_CHAR", "STRING", "CLOB", "TO_CLOB"), _same),
}
"""By their names, as the reader of SQL calls them."""
