"""What databases call columns to which nobody gives a name.

SELECT max(a), d::date, CASE WHEN x THEN b END, (SELECT MIN(z) FROM q)      MAX, D, CASE, MIN (PostgreSQL)
SELECT a + 1, 'x'                                                           no name that anybody could use
SELECT b, max(a)                                                            B, _C1 (Hive), _COL1 (Trino), F0_ (BigQuery)
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from sqlglot import exp

from mdw.readers.sql.dialects import Flavour

CALLING = frozenset(("postgres", "redshift", "materialize", "risingwave"))
AROUND = (exp.Window, exp.Filter, exp.WithinGroup, exp.Paren, exp.IgnoreNulls, exp.RespectNulls, exp.Bracket)
"""What is called as what stands in it: SUM(x) OVER (), (a), a[1]."""
WORD = re.compile(r"[A-Za-z_]\w*")
LEAD = re.compile(r"(?:\w+\.)*([A-Za-z_]\w*)[(\[]")


def called_by_itself(one: Any, flavour: Flavour, text: str = "") -> str:
    """The name of an unnamed column; "" where it has none, or the dialect gives none.

    ``text`` is what it was read from: there a function may be called otherwise than sqlglot calls it.

    >>> from sqlglot import parse_one
    >>> from mdw.readers.sql.dialects import flavour_of
    >>> query = parse_one("SELECT SUM(x) OVER (), MIN(x)::INT, CASE WHEN y THEN 1 ELSE x END, x + 1", "postgres")
    >>> [called_by_itself(item, flavour_of("postgres")) for item in query.expressions]
    ['sum', 'min', 'x', '']
    """
    return _called(one, flavour, text) if flavour.name in CALLING else ""


PLACED = {"hive": "_c{}", "trino": "_col{}", "presto": "_col{}", "athena": "_col{}", "bigquery": "f{}_"}
"""Names by place; BigQuery counts only those without one."""


def called_by_place(flavour: Flavour, before: Collection[str]) -> str:
    """The name of an unnamed column behind these; "" where the dialect gives none.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> [called_by_place(flavour_of(name), ("A", "F0_")) for name in ("hive", "trino", "bigquery", "oracle")]
    ['_c2', '_col2', 'f1_', '']
    """
    pattern = PLACED.get(flavour.name, "")
    own = [name for name in before if flavour.name != "bigquery" or UNNAMED.fullmatch(name)]
    return pattern.format(len(own))


UNNAMED = re.compile(r"(?i)f\d+_")


def _called(one: Any, flavour: Flavour, text: str) -> str:
    while isinstance(one, (*AROUND, exp.Cast)):
        one = one.this
    if isinstance(one, (exp.Column, exp.Dot)):
        return str(one.output_name)
    if isinstance(one, exp.Case):
        # Only a column names it: of ELSE 0 nothing is called.
        return _called(one.args.get("default"), flavour, text) or "case"
    if isinstance(one, exp.Subquery) and isinstance(one.this, exp.Select) and one.this.expressions:
        first = one.this.expressions[0]
        return str(first.alias) if isinstance(first, exp.Alias) else _called(first, flavour, text)
    begin, end = (one.meta.get(key, -1) for key in ("start", "end")) if one is not None else (-1, -1)
    if isinstance(one, (exp.Func, exp.Mod, exp.IntDiv)) and begin >= 0 and WORD.fullmatch(text[begin : end + 1]):
        return text[begin : end + 1].lower()
    if not isinstance(one, (exp.Func, exp.Exists)) or isinstance(one, exp.Connector):
        return ""
    found = LEAD.match(one.sql(dialect=flavour.parser))
    return found[1].lower() if found else ""
