"""Fields of structs that come through other entities have sources of their own (rule Q6)."""

from __future__ import annotations

import pytest
from scans import direct

from mdw import scan_sql
from mdw.language.mapping import read
from mdw.language.unparse import unparse
from mdw.readers.blocks import mappings_of
from mdw.readers.sql.scripts import read_script

MADE = [
    ("duckdb", "{'a': t.x, 'b': t.y}", "s.a", "s.b"),
    ("duckdb", "struct_pack(a := t.x, b := t.y)", "struct_extract(s, 'a')", "s['b']"),
    ("duckdb", "CASE WHEN t.k = 1 THEN {'a': t.x, 'b': t.y} WHEN t.k = 2 THEN NULL END", "s.a", "s.B"),
    ("bigquery", "STRUCT(t.x AS a, t.y AS b)", "c.s.a", "s.b"),
    ("bigquery", "STRUCT<a INT64, b INT64>(t.x, t.y)", "s.a", "s.b"),
    ("bigquery", "(SELECT AS STRUCT t.x AS a, t.y AS b)", "s.a", "s.b"),
    ("spark", "named_struct('a', t.x, 'b', t.y)", "s.a", "s.b"),
    ("databricks", "struct(t.x AS a, t.y AS b)", "s.a", "s.b"),
    ("snowflake", "OBJECT_CONSTRUCT('a', t.x, 'b', t.y)", "s:a", "s:b"),
    ("trino", "CAST(ROW(t.x, t.y) AS ROW(a INT, b INT))", "s.a", "s.b"),
    ("clickhouse", "CAST((t.x, t.y) AS Tuple(a Int32, b Int32))", "s.a", "s.b"),
]  # fmt: skip
THROUGH = "WITH c AS (SELECT {} AS s FROM t), d AS (SELECT c.s FROM c) SELECT {} AS p FROM d AS c WHERE {} = 1"


def of_p(sql: str, dialect: str = "duckdb") -> dict[str, str]:
    """The sources of P of what the last statement makes, each with the condition under which it flows."""
    scan = scan_sql(sql, dialect=dialect, schema={"t": ["x", "y", "k", "z"]})
    assert all(one.status == "whole" for one in scan.statements), scan.statements
    return {one.source: one.condition for one in scan.steps if one.kind == "direct" and one.target.endswith(".p")}


@pytest.mark.parametrize(("dialect", "made", "given", "asked"), MADE)
def test_q6_a_field_comes_through_ctes_from_what_it_is_made_of(dialect: str, made: str, given: str, asked: str) -> None:
    found = of_p(THROUGH.format(made, given, asked), dialect)
    assert found.keys() == {"t.x"}
    # The test of B is one of an attribute that is B of the struct, and nothing else.
    assert ".b` = 1" in found["t.x"] or '"b"` = 1' in found["t.x"]


def test_q6_fields_of_elements_come_through_arrays() -> None:
    for dialect, made, source in (
        ("bigquery", "ARRAY_AGG(STRUCT(t.x AS a, t.y AS b))", "c, UNNEST(c.s) AS e"),
        ("bigquery", "ARRAY(SELECT AS STRUCT u.x AS a, u.y AS b FROM t AS u)", "c, UNNEST(c.s) AS e"),
        ("spark", "collect_list(struct(t.x AS a, t.y AS b))", "c LATERAL VIEW explode(c.s) w AS e"),
        ("duckdb", "list({'a': t.x, 'b': t.y})", "(SELECT UNNEST(s) AS e FROM c)"),
    ):
        sql = f"WITH c AS (SELECT {made} AS s FROM t) SELECT e.a AS p FROM {source} WHERE e.b = 1"
        assert of_p(sql, dialect).keys() == {"t.x"}


def test_q6_structs_in_structs_stars_and_branches() -> None:
    nested = "SELECT {'n': {'a': t.x, 'b': t.y}, 'm': t.z} AS o FROM t"
    assert of_p(f"SELECT o.n.a AS p FROM ({nested}) AS c").keys() == {"t.x"}
    assert of_p(f"SELECT q.b AS p FROM (SELECT o.n AS q FROM ({nested}) AS c) AS d").keys() == {"t.y"}
    assert of_p(f"SELECT a AS p FROM (SELECT d.q.* FROM (SELECT o.n AS q FROM ({nested}) AS c) AS d) AS e").keys() == {
        "t.x"
    }
    branches = "SELECT {'a': x, 'b': y} AS s FROM t UNION ALL SELECT {'a': z, 'b': k} FROM t"
    assert of_p(f"SELECT s.a AS p FROM ({branches}) AS c").keys() == {"t.x", "t.z"}
    again = "WITH RECURSIVE c AS (SELECT {'a': x, 'b': y} AS s FROM t UNION ALL SELECT {'a': s.a + 1, 'b': s.b} FROM c)"
    assert of_p(f"{again} SELECT s.a AS p FROM c").keys() == {"t.x"}


@pytest.mark.parametrize(
    ("made", "sources"),
    [
        ("COALESCE({'a': x, 'b': y}, {'a': z, 'b': k})", {"t.x", "t.y", "t.z", "t.k"}),
        ("f({'a': x, 'b': y})", {"t.x", "t.y"}),
        # Branches whose fields stand in another order are not taken apart: databases differ in what they make of them.
        ("CASE WHEN k = 1 THEN {'a': x, 'b': y} ELSE {'b': x, 'a': y} END", {"t.x", "t.y"}),
        ("{'c': x, 'd': y}", {"t.x", "t.y"}),
    ],
)
def test_q6_where_nobody_knows_a_field_all_of_the_struct_are_its_sources(made: str, sources: set[str]) -> None:
    assert of_p(f"SELECT s.a AS p FROM (SELECT {made} AS s FROM t) AS c").keys() == sources


def test_q6_a_branch_that_tells_no_fields_loses_nothing() -> None:
    sql = "SELECT {'a': x, 'b': y} AS s FROM t UNION ALL SELECT f(z, k) FROM t"
    assert of_p(f"SELECT s.a AS p FROM ({sql}) AS c").keys() == {"t.x", "t.z", "t.k"}
    # A struct that a table holds has the fields that it has: these are its own.
    scan = scan_sql("SELECT s.a AS p FROM (SELECT s FROM u) AS c", dialect="duckdb", schema={"u": ["s"]})
    assert direct(scan) == {"u.s -> <sql>.p"}


def test_q6_an_update_of_a_struct_is_one_of_its_fields() -> None:
    sql = """
    CREATE TEMP TABLE c AS SELECT {'a': x, 'b': y} AS s, k FROM t;
    UPDATE c SET s = {'a': t.z, 'b': 1} FROM t WHERE t.k = c.k;
    CREATE TABLE m AS SELECT s.a AS p FROM c
    """
    assert of_p(sql).keys() == {"t.x", "t.z"}


def test_q14_fields_of_a_key_are_keys() -> None:
    """What groups are made by is the same for all of their rows, and so are its fields."""
    sql = "SELECT s.a AS p, SUM(n) AS n FROM (SELECT {'a': x, 'b': y} AS s, z AS n FROM t) AS c GROUP BY s"
    script = read_script(sql, "f.sql", "duckdb")
    texts = [unparse(tree) for one in script.statements for tree, _ in mappings_of(one, script, ())]
    assert any("GROUP BY c.s, c.`s.a`" in text for text in texts)
    assert [unparse(tree) for text in texts for tree in read(text).trees] == texts
