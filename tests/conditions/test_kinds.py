"""Kinds of values: whatever a database lets through, whatever type it gives the column, value sets let through too."""

from __future__ import annotations

import sqlite3
from functools import cache
from typing import Any

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from mdw.conditions.cuts import Usage
from mdw.conditions.regions import NULL, Regions
from mdw.model.expressions import Attr, Compare, Condition, Const, Like
from mdw.model.standard_sql import to_sql

TEXTS = ["01", "1", "1.0", "9", "10", "x", "", "2015-01-01", "01.01.2015", "+7", " 7", "1e1"]
NUMBERS = ["1", "7", "10", "-1", "0.5", "1010001", "1012015"]
DAYS = ["2015-01-01", "0001-01-01", "2015-12-31"]
PATTERNS = ["1%", "%0", "_", "01%", "1", "%5-01%"]
CONSTANTS = [*(Const("string", text) for text in TEXTS), *(Const("number", text) for text in NUMBERS)]
CONSTANTS += [Const("date", text) for text in DAYS]
VALUES: dict[str, list[Any]] = {"VARCHAR": [*TEXTS, "2"], "DOUBLE": [1, 7, 9.5, 10, 25, -1, 0.5, 1010001], "DATE": DAYS}
KINDS = {"VARCHAR": "string", "DOUBLE": "number", "DATE": "date"}

OPERATORS = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
LEAVES: st.SearchStrategy[Any] = st.one_of(
    st.builds(Compare, OPERATORS, st.just(Attr("V")), st.sampled_from(CONSTANTS)),
    st.builds(Like, st.just(Attr("V")), st.sampled_from(PATTERNS)),
)


@cache
def database(engine: str, kind: str) -> Any:
    """A table of one column of the type with all values."""
    found: Any = duckdb.connect(":memory:") if engine == "duckdb" else sqlite3.connect(":memory:")
    if engine == "sqlite":
        found.execute("PRAGMA case_sensitive_like = ON")
    found.execute(f"CREATE TABLE t (N INTEGER, V {kind})")
    for number, value in enumerate(VALUES[kind]):
        found.execute("INSERT INTO t VALUES (?, ?)", [number, value])
    return found


def verdicts(engine: str, kind: str, conditions: list[Condition]) -> list[tuple[bool | None, ...]]:
    """For each value what the database makes of each condition; None where it refuses."""
    said = [f"({to_sql(condition)})" for condition in conditions]
    told = [f"TRY({sql})" for sql in said] if engine == "duckdb" else said
    try:
        rows = database(engine, kind).execute(f"SELECT {', '.join(told)} FROM t ORDER BY N").fetchall()
    except (duckdb.Error, sqlite3.Error):
        return []
    return [tuple(None if one is None else bool(one) for one in row) for row in rows]


def usage(parts: list[Condition]) -> Usage:
    found = Usage()
    for part in parts:
        if isinstance(part, Compare) and isinstance(part.right, Const):
            found.constants.add(part.right)
            found.ordered |= part.op not in ("=", "!=")
        elif isinstance(part, Like):
            found.patterns.add(part.pattern)
            found.constants |= set() if "%" in part.pattern or "_" in part.pattern else {Const("string", part.pattern)}
    return found


@settings(max_examples=200)
@given(st.lists(LEAVES, min_size=1, max_size=3), st.sampled_from(sorted(VALUES)), st.sampled_from(["sqlite", "duckdb"]))
def test_what_a_database_lets_through_lies_in_the_value_sets(parts: list[Any], kind: str, engine: str) -> None:
    regions = Regions(usage(parts))
    stated = {one.kind for part in parts if isinstance(part, Compare) and isinstance(one := part.right, Const)}
    # An attribute that meets numbers or days only is of that kind; texts alone may stand for others.
    if stated and KINDS[kind] not in stated and ("string" not in stated or len(stated) > 1):
        return
    sets = [
        regions.like(part.pattern) if isinstance(part, Like) else regions.compare(part.op, part.right) for part in parts
    ]
    for value, row in zip(VALUES[kind], verdicts(engine, kind, parts), strict=False):
        mask = regions.domain & ~NULL
        for verdict, (true, false) in zip(row, sets, strict=True):
            mask &= 0 if verdict is None else true if verdict else false
        if None not in row:
            bit = regions.bit(Const(KINDS[kind], str(value)))
            assert mask & bit, f"{value!r} in a column of type {kind} in {engine}: {row}"
