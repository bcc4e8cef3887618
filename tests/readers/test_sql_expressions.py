"""Rule Q2: no expression loses a column that it is made of, and none has one more, whatever words its dialect has.

`tests/cases/scanned/expressions.txt` has five hundred of them, each made of X1, X2 and so on.
`conditions.txt` has those that decide.
"""

from __future__ import annotations

import re

import pytest
from scans import SCANNED

from mdw import scan_sql

COLUMN = re.compile(r"\bx\d\b")
INNER = frozenset("abkqvz")
"""Columns of subqueries within them."""


def expressions(file: str) -> dict[str, list[str]]:
    blocks = (SCANNED / file).read_text(encoding="utf-8").strip().split("\n\n")
    parted = [block.splitlines() for block in blocks]
    return {head.removeprefix("-- "): lines for head, *lines in parted}


VALUES, TESTS = expressions("expressions.txt"), expressions("conditions.txt")


def columns(query: str, dialect: str) -> tuple[str, set[str]]:
    """How a query is read, and the columns that flow into it or decide it."""
    scan = scan_sql(f"INSERT INTO t (v) {query}", dialect=dialect)
    (statement,) = scan.statements
    return statement.status, {step.source.rpartition(".")[2] for step in scan.steps} - INNER - {"", "my col"}


@pytest.mark.parametrize("dialect", VALUES)
def test_no_column_is_lost(dialect: str) -> None:
    found = {one: columns(f"SELECT {one} FROM s", dialect) for one in VALUES[dialect]}
    assert {one: got for one, got in found.items() if got != ("whole", set(COLUMN.findall(one)))} == {}


@pytest.mark.parametrize("dialect", TESTS)
def test_no_column_that_decides_is_lost(dialect: str) -> None:
    found = {one: columns(f"SELECT s.v FROM s WHERE {one}", dialect) for one in TESTS[dialect]}
    assert {one: got for one, got in found.items() if got != ("whole", set(COLUMN.findall(one)))} == {}


def test_there_are_many() -> None:
    assert sum(map(len, VALUES.values())) > 500
    assert sum(map(len, TESTS.values())) > 150
