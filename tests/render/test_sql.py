"""Mappings as SQL: what they say is what DuckDB and SQLite do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from reading import rules_of
from rows import Cell, Database, _connect, with_trails

from mdw.model.errors import InputError
from mdw.model.expressions import Attr
from mdw.model.rules import Clause, Join, Population, Rules
from mdw.model.rules import Head as ModelHead
from mdw.model.standard_sql import expression_sql
from mdw.render.columns import Dialect
from mdw.render.sql import create_table, insert_select

DIALECTS: tuple[Dialect, ...] = ("sqlite", "duckdb")


def run(dialect: Dialect, text: str, tables: Mapping[str, tuple[dict[str, str], Sequence[Sequence[Any]]]]) -> list[Any]:
    """Rows of the target of the last mapping, in order of their texts; a target is a table without rows."""
    connection = _connect(dialect)
    for entity, (columns, rows) in tables.items():
        connection.execute(create_table(entity, columns))
        for row in rows:
            connection.execute(f"INSERT INTO {entity} VALUES ({', '.join('?' * len(row))})", list(row))
    rules = rules_of(text)
    for one in rules:
        connection.execute(insert_select(one, dialect=dialect))
    return sorted(connection.execute(f"SELECT * FROM {rules[-1].head.target}").fetchall(), key=str)


S = {"A": "VARCHAR", "N": "DOUBLE", "K": "VARCHAR"}
T = {"A": "VARCHAR", "N": "DOUBLE"}

FIRST_TRUE = """
WHEN POPULATING T FROM S
POPULATE T.A WITH "one" IF S.N = 1 WITH "small" IF S.N <= 2 WITH "other"
POPULATE T.N WITH S.N IF S.N > 1
"""

FILTERED = """
WHEN POPULATING T FROM S
POPULATE T.A WITH S.A || "-" || S.K
POPULATE T.N WITH (S.N + 1) * 2
SELECT ROWS WHERE NOT (S.N = 2)
"""

JOINED = """
WHEN POPULATING T FROM S
POPULATE T.A WITH J.A
POPULATE T.N WITH S.N
NAVIGATE FROM S TO J USING S.K = J.K
"""

JOINED_INNER = JOINED.replace("NAVIGATE", "SELECT ROWS WHERE J.A IS NOT NULL NAVIGATE")

GROUPED = """
WHEN POPULATING T FROM S
POPULATE T.A WITH S.A
POPULATE T.N WITH SUM(S.N) IF S.K = "x" WITH 0
"""

WHOLE = """
WHEN POPULATING T FROM S
POPULATE T.A WITH "all"
POPULATE T.N WITH SUM(S.N) / COUNT(S.N)
"""

SOURCE: list[tuple[Any, ...]] = [("a", 1.0, "x"), ("a", 2.0, "x"), ("a", None, "y"), ("b", 3.0, None)]
CASES: dict[str, tuple[str, list[Any]]] = {
    "first true IF": (FIRST_TRUE, [("one", None), ("other", 3.0), ("other", None), ("small", 2.0)]),
    "filter and unknown": (FILTERED, [("a-x", 4.0), (None, 8.0)]),
    "left join": (JOINED, [("jx", 1.0), ("jx", 2.0), (None, 3.0), (None, None)]),
    "inner in effect": (JOINED_INNER, [("jx", 1.0), ("jx", 2.0)]),
    "grouped": (GROUPED, [("a", 3.0), ("b", 0.0)]),
    "whole table": (WHOLE, [("all", 2.0)]),
}


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("case", CASES)
def test_rows(case: str, dialect: Dialect) -> None:
    text, expected = CASES[case]
    tables = {"S": (S, SOURCE), "J": ({"K": "VARCHAR", "A": "VARCHAR"}, [("x", "jx")]), "T": (T, [])}
    assert run(dialect, text, tables) == sorted(expected, key=str)


DATES = """
WHEN POPULATING T FROM S
POPULATE T.A WITH "closed" IF S.D < 01.01.2020 WITH "open"
POPULATE T.N WITH S.N / S.M
"""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dates_and_division_without_remainder_and_by_zero(dialect: Dialect) -> None:
    source = {"D": "DATE", "N": "INTEGER", "M": "INTEGER"}
    rows = [("2019-12-31", 7, 2), ("2020-01-01", 7, 0)]
    assert run(dialect, DATES, {"S": (source, rows), "T": (T, [])}) == [("closed", 3.5), ("open", None)]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_that_need_quotes(dialect: Dialect) -> None:
    text = "WHEN POPULATING `my t` FROM s POPULATE `my t`.`end date` WITH s.`select`"
    connection = _connect(dialect)
    connection.execute(create_table("S", {"`select`": "VARCHAR"}))
    connection.execute(create_table("`my t`", {"`end date`": "VARCHAR"}))
    connection.execute("INSERT INTO S VALUES ('it')")
    connection.execute(insert_select(rules_of(text)[0], dialect=dialect))
    assert connection.execute('SELECT "end date" FROM "my t"').fetchall() == [("it",)]


def test_statement_is_readable() -> None:
    assert insert_select(rules_of(GROUPED)[0]).splitlines() == [
        "INSERT INTO T (A, N)",
        "SELECT S.A AS A,",
        "       COALESCE(SUM(CASE WHEN S.K = 'x' THEN S.N END), MAX(CASE WHEN S.K = 'x' THEN NULL ELSE 0 END)) AS N",
        "FROM S",
        "GROUP BY 1",
    ]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_empty_source_gives_no_row(dialect: Dialect) -> None:
    assert run(dialect, WHOLE, {"S": (S, []), "T": (T, [])}) == []


def test_a_mapping_that_populates_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="populates no attribute"):
        insert_select(rules_of("WHEN POPULATING T FROM S")[0])


def test_other_joins_are_written_as_they_are() -> None:
    head = ModelHead("m", "T", "S", (Join("J", "inner", (("S.K", "J.K"),), 1), Join("L", "cross", (), 2)))
    rules = Rules(head, (Population("m", "T.A", (Clause(Attr("J.A"), None, "", 1, 1, ()),)),))
    assert insert_select(rules).splitlines()[-2:] == ["INNER JOIN J ON S.K = J.K", "CROSS JOIN L"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_trails_name_the_cells_that_reach_a_value(dialect: Dialect) -> None:
    database = Database(dialect)
    database.create("S", {"S.A": "string", "S.N": "number", "S.K": "string"})
    database.create("T", {"T.A": "string", "T.N": "number"})
    database.fill("S", [dict(zip(("S.A", "S.N", "S.K"), row, strict=True)) for row in SOURCE])
    database.run(rules_of(GROUPED))
    assert database.cells("T.N") == {Cell("S.N", 0), Cell("S.N", 1)}
    assert database.cells("T.A", "N = 0") == {Cell("S.A", 3)}
    assert database.meets(Cell("S.A", 3), "S.N > 2")
    assert len(with_trails(rules_of(GROUPED)[0]).populations) == 4


@pytest.mark.parametrize("dialect", DIALECTS)
def test_words_of_sql_serve_as_names(dialect: Dialect) -> None:
    connection = _connect(dialect)
    words = [
        word.upper() for (word,) in _connect("duckdb").execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()
    ]
    assert {"ORDER", "FROM", "USER"} <= set(words)
    for word in words:
        connection.execute(create_table(word, {word: "INTEGER"}))
        name = expression_sql(Attr(f"{word}.{word}"))
        found = connection.execute(f"SELECT {name} FROM {name.partition('.')[0]} WHERE {name} = 1").fetchall()
        assert found == []
        connection.execute(f"DROP TABLE {name.partition('.')[0]}")


def test_each_choice_of_a_sum_takes_its_own_values() -> None:
    """Rule Q1: beyond some combinations of arms a sum is one value, of which each part still chooses for itself."""
    one = "CASE WHEN S.K{0} = 1 THEN S.X{0} WHEN S.K{0} = 2 THEN S.Y{0} END"
    total = " + ".join(one.format(number) for number in range(4))
    (rules,) = rules_of(f"WHEN POPULATING T FROM S POPULATE T.A WITH {total}")
    cases = re.findall(r"CASE .*? END", insert_select(rules))
    assert [set(re.findall(r"S\.[XY]\d", case)) for case in cases] == [{f"S.X{at}", f"S.Y{at}"} for at in range(4)]


def test_totals_of_groups_are_said_where_the_database_has_words() -> None:
    """Rule Q14: which totals there are no rule tells, so these are all that may be; SQLite has none."""
    mapping = "WHEN POPULATING T FROM S {} POPULATE T.N WITH MAX(S.X) GROUP BY ROLLUP S.K, S.T"
    (plain,), (keys,) = rules_of(mapping.format("")), rules_of(mapping.format("POPULATE T.K WITH S.K"))
    assert insert_select(plain).endswith("GROUP BY CUBE (S.K, S.T)")
    assert insert_select(plain, dialect="sqlite").endswith("GROUP BY S.K, S.T")
    assert "CASE WHEN GROUPING(S.K) = 1 THEN NULL ELSE S.K END AS K" in insert_select(keys)
    with pytest.raises(InputError, match="for which sqlite has no words"):
        insert_select(keys, dialect="sqlite")
