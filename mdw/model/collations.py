"""Collations: by what rules a database takes texts for equal, and which comes first (rule Q35).

A comparison by another collation than the binary one has both its sides marked with it. The mark of one that nobody
told has no name:

>>> from mdw.model.expressions import Attr
>>> collated(Attr("S.T"), "nocase").function, collated(Attr("S.T"), "").function
('COLLATED NOCASE', 'COLLATED')
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from mdw.model.expressions import Call, Expression

Nature = Literal["binary", "sorted", "caseless", "loose"]
"""Texts are equal where they are the same: then their order is that of their characters, or another one (``sorted``);
else where they differ in case alone, and perhaps in more (``caseless``); or nobody knows where."""

MARK = "COLLATED"
COLLATE = "COLLATE"
"""The function of the mapping language that gives a value to be compared by a collation: COLLATE(s.t, "nocase")."""
SORTED = "default"
"""The collation of PostgreSQL where none is told: equal are the same texts, in the order of some language."""
DEFAULTS = dict.fromkeys(("tsql", "fabric", "mysql", "singlestore", "doris", "starrocks", "teradata"), "")
DEFAULTS |= dict.fromkeys(("postgres", "materialize", "risingwave"), SORTED)
"""The collations of dialects in which texts are compared by another than the binary one if nobody tells which."""

_BINARY = re.compile(r"c|posix|ucs_basic|pg_c_utf8|c\.utf-?8|(.*_)?(bin|bin2|binary)|binary|utf8_binary|casespecific")
_SORTED = re.compile(r"default|unicode|[a-z]{2,3}_[a-z]{2}(\.[a-z0-9-]+)?(@\w+)?|.*-x-icu")
_CASELESS = re.compile(r"nocase(\.noaccent)?|citext|utf8_lcase|(utf8_)?binary_ci|case_insensitive|.*[_:-]ci([_-].*)?")
_NAMED = re.compile(r".*[_:-](c[is]|a[is]|cs|german2)([_-].*)?|[a-z]{2,3}([_-].+)?|rtrim|noaccents?")
_DOTLESS = re.compile(r"(.*[_-])?(tr|az|lt|turkish|azeri|lithuanian)([_-].*)?")


@lru_cache(maxsize=1 << 10)
def nature_of(name: str) -> Nature:
    """What is known of a collation by its name.

    >>> [nature_of(one) for one in ("Latin1_General_BIN2", "de-x-icu", "en-ci", "SQL_Latin1_General_CP1_CI_AS", "")]
    ['binary', 'sorted', 'caseless', 'caseless', 'loose']
    """
    known = name.lower()
    if _CASELESS.fullmatch(known):
        # Of these languages I is not the capital letter of i.
        return "loose" if _DOTLESS.fullmatch(known) else "caseless"
    return "binary" if _BINARY.fullmatch(known) else "sorted" if _SORTED.fullmatch(known) else "loose"


def is_collation(name: str) -> bool:
    """Whether some database calls a collation so, as far as its name tells.

    >>> is_collation("utf8mb4_0900_as_cs"), is_collation("de"), is_collation("binnary")
    (True, True, False)
    """
    return nature_of(name) != "loose" or _NAMED.fullmatch(name.lower()) is not None


def collated(expression: Expression, name: str) -> Call:
    """What is compared by a collation."""
    # Functions are known by their names in capitals.
    return Call(f"{MARK} {name}".strip().upper(), (expression,))


def collation_of(expression: Expression) -> str | None:
    """The collation that something is marked with; None where it has no mark.

    >>> from mdw.model.expressions import Attr
    >>> collation_of(collated(Attr("S.T"), "nocase")), collation_of(Attr("S.T"))
    ('NOCASE', None)
    """
    if not isinstance(expression, Call):
        return None
    mark, _, name = expression.function.partition(" ")
    return name if mark == MARK and len(expression.arguments) == 1 else None


def bare(expression: Expression) -> Expression:
    """An expression without its mark."""
    marked = isinstance(expression, Call) and collation_of(expression) is not None
    return expression.arguments[0] if marked else expression  # type: ignore[union-attr]
