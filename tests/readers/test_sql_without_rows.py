"""A statement has its columns, with their types, also where it gives no row."""

from __future__ import annotations

import pytest

from mdw import scan_sql

MADE = {
    "a limit of none": ("duckdb", "CREATE TABLE w.t AS SELECT CAST(NULL AS TEXT) AS p, 1 AS q LIMIT 0"),
    "no row of a table": ("mysql", "CREATE TABLE w.t AS SELECT s.p, s.q FROM s WHERE FALSE"),
    "a comparison of numbers": ("oracle", "CREATE TABLE w.t AS SELECT s.p, s.n + 1 AS q FROM s WHERE 1 = 2"),
    "SELECT INTO": ("tsql", "SELECT s.p, s.q INTO w.t FROM s WHERE 1 = 0"),
    "TOP": ("tsql", "SELECT TOP (0) s.p, s.q INTO w.t FROM s"),
    "no data": ("postgres", "CREATE TABLE w.t (p, q) AS SELECT s.a, s.b FROM s WITH NO DATA"),
    "no data, in brackets": ("teradata", "CREATE TABLE w.t AS (SELECT s.p, s.q FROM s) WITH NO DATA"),
    "a definition alone": ("db2", "CREATE TABLE w.t AS (SELECT s.p, s.q FROM s) DEFINITION ONLY"),
    "a table of values": ("snowflake", "CREATE TABLE w.t AS SELECT * FROM (VALUES (1, 2)) AS v(p, q) LIMIT 0"),
    "a view": ("bigquery", "CREATE VIEW w.t AS SELECT s.p, s.q FROM s WHERE FALSE"),
    "an INSERT": ("spark", "INSERT INTO w.t (p, q) SELECT s.a, s.b FROM s LIMIT 0"),
}


@pytest.mark.parametrize("case", MADE)
def test_columns_are_told_where_no_row_is(case: str) -> None:
    dialect, text = MADE[case]
    (found,) = scan_sql(text, dialect=dialect).statements
    assert (found.target, [one.name for one in found.columns], found.status) == ("w.t", ["p", "q"], "whole")


def test_their_types_are_those_that_they_have_with_rows() -> None:
    text = "CREATE TABLE t AS SELECT CAST(s.a AS DATE) AS d, 'x' AS x FROM s"
    told = [scan_sql(text + more, dialect="duckdb").statements[0].columns for more in ("", " WHERE FALSE", " LIMIT 0")]
    assert told[0] == told[1] == told[2]
    assert told[0][0].type == "DATE"


def test_a_table_made_like_another_without_its_rows_has_its_columns() -> None:
    text = "CREATE TABLE s (p INT, q INT); CREATE TABLE t AS s WITH NO DATA"
    found = scan_sql(text, dialect="teradata").statements[1]
    assert [(one.name, one.type) for one in found.columns] == [("p", "INT"), ("q", "INT")]
