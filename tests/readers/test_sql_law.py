"""Whatever the reader makes of SQL is a mapping of the language: its text is read back as the same tree."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from scans import ScanCase, scan_cases
from test_sql_suite import cases

from mdw.language.derive import derive
from mdw.language.mapping import read
from mdw.language.unparse import unparse
from mdw.model.tree import Node
from mdw.readers.blocks import mapping_of
from mdw.readers.sql.entries import GivenSchema
from mdw.readers.sql.scripts import read_script

DEEP = "SELECT " + "f(" * 150 + "a" + ")" * 150 + " AS x FROM s WHERE " + "NOT " * 150 + "b = 1"
CASES = [case for file in ("values.sql", "six_dialects.sql", "more.sql") for case in scan_cases(file)]


def trees(sql: str, dialect: str, schema: dict[str, list[str]] | None) -> Iterator[Node]:
    for statement in read_script(sql, "core/x.sql", dialect, GivenSchema(schema or {}, dialect)).statements:
        yield from map(mapping_of, statement.blocks)


def holds(sql: str, dialect: str, schema: dict[str, list[str]] | None = None) -> None:
    for tree in trees(sql, dialect, schema):
        reading = read(unparse(tree))
        assert reading.errors == (), unparse(tree)
        assert reading.trees == (tree,)
        assert derive(tree, "m").head.target


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cases(case: ScanCase) -> None:
    holds(case.sql, case.dialect, case.schema)


def test_what_is_nested_too_deep() -> None:
    holds(DEEP, "ansi")


def test_the_suite() -> None:
    for kind in ("column", "table"):
        for case in cases(kind):
            holds(case["sql"], case["dialect"], case["schema"] or None)
