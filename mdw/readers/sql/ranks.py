"""What the first row of a window takes from its window: where QUALIFY keeps that row alone (rule Q16).

Windows of the same keys and the same order have their rows in one order, so the row with number 1 is the first of all
of them: FIRST_VALUE is its own value there, and no row comes before it for LAG to take one from.

>>> import sqlglot
>>> query = sqlglot.parse_one('''
...     SELECT FIRST_VALUE(v) OVER (PARTITION BY k ORDER BY d) AS a, LAG(v) OVER (PARTITION BY k ORDER BY d) AS b,
...     LAG(v) OVER (PARTITION BY k ORDER BY d DESC) AS c FROM s
...     QUALIFY ROW_NUMBER() OVER (PARTITION BY k ORDER BY d) = 1
... ''')
>>> for item in of_first_rows(query).expressions:
...     print(item.sql())
v AS a
CASE WHEN 1 > 1 THEN LAG(v) OVER (PARTITION BY k ORDER BY d) END AS b
LAG(v) OVER (PARTITION BY k ORDER BY d DESC) AS c
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from sqlglot import exp

FIRST = {exp.EQ: "1", exp.LTE: "1", exp.LT: "2"}
"""What a row's number is compared with where it must be the first."""


def of_first_rows(query: exp.Select) -> exp.Select:
    """The query with what first rows take from their windows, where it keeps only such."""
    qualify = query.args.get("qualify")
    parts = list(qualify.this.flatten()) if qualify is not None and isinstance(qualify.this, exp.And) else []
    kept = {_first(part) for part in parts or ([qualify.this] if qualify is not None else [])} - {None}
    if not kept or not any(_window(one) in kept for one in _taking(query)):
        return query
    found = query.copy()
    found.parent = query.parent
    for one in _taking(found):
        if _window(one) in kept:
            given = one.this
            # LAG takes a value where the number of the row is above 1.
            above = exp.GT(this=exp.Literal.number(1), expression=exp.Literal.number(1))
            none = exp.Case(ifs=[exp.If(this=above, true=one.copy())])
            one.replace(given.this.copy() if isinstance(given, exp.FirstValue) else none)
    return found


def _first(part: Any) -> Hashable:
    """The window of which a condition keeps the first rows, if it does."""
    part = part.unnest()
    number = FIRST.get(type(part))
    if number is None or not isinstance(part.this, exp.Window) or not isinstance(part.this.this, exp.RowNumber):
        return None
    return _window(part.this) if part.expression == exp.Literal.number(number) else None


def _taking(query: exp.Select) -> list[exp.Window]:
    """The windows of a query's own columns that take a value from the first row, or from the row before."""
    found = [one for item in query.expressions for one in item.find_all(exp.Window) if one.parent_select is query]
    return [one for one in found if isinstance(one.this, (exp.FirstValue, exp.Lag)) and _plainly(one.this)]


def _plainly(given: exp.Expr) -> bool:
    """Whether a value is that of one row, NULL or not, or NULL where there is no such row."""
    nulls = isinstance(given.this, (exp.IgnoreNulls, exp.RespectNulls))
    return not nulls and not any(value for key, value in given.args.items() if key != "this")


def _window(one: exp.Window) -> Hashable:
    """What tells the rows of a window and their order; none where it has a frame, or is named elsewhere."""
    order = one.args.get("order")
    if order is None or any(one.args.get(key) for key in ("spec", "alias", "first")):
        return None
    return (*(one.args.get("partition_by") or ()), order)
