"""Tables that are made as a query is, and get none of its rows: copies of a structure.

CREATE TABLE t AS SELECT a FROM s WITH NO DATA       T has a column A; no row of S is in it
SELECT * INTO #t FROM s WHERE 1 = 0                  the same
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.work import Work


def structure_only(found: Outcome, query: Any, work: Work, create: Any = None) -> None:
    """Let a table that is made have no rows where its query, or the statement, gives it none."""
    if not without_data(create) and not _without_rows(query):
        return
    work.blocks[:] = [block for block in work.blocks if block not in found.filling]
    found.structure, found.filling = found.filling, []


def without_data(create: Any) -> bool:
    """CREATE TABLE ... WITH NO DATA, EMPTY AS SELECT; a materialized view gets its rows when it is refreshed."""
    properties = create.args.get("properties") if create is not None else None
    if properties is None or properties.find(exp.MaterializedProperty) is not None:
        return False
    empty = properties.find(exp.EmptyProperty) is not None
    return empty or any(given.args.get("no") for given in properties.find_all(exp.WithDataProperty))


def _without_rows(query: Any) -> bool:
    """SELECT ... WHERE 1 = 0, LIMIT 0; an aggregation gives a row even then."""
    if not isinstance(query, exp.Select) or query.args.get("group") or query.find(exp.AggFunc):
        return False
    limit, where = query.args.get("limit"), query.args.get("where")
    amount = limit.args.get("expression") if limit is not None else None
    if isinstance(amount, exp.Literal) and amount.name == "0":
        return True
    test = where.this.unnest() if where is not None else None
    if isinstance(test, exp.EQ) and isinstance(test.this, exp.Literal) and isinstance(test.expression, exp.Literal):
        return (
            not test.this.is_string and not test.expression.is_string and _number(test.this) != _number(test.expression)
        )
    return isinstance(test, exp.Boolean) and not test.this


def _number(one: Any) -> float:
    return float(one.name)
