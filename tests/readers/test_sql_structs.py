"""Fields of structs that come through other entities have sources of their own (rule Q6)."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from scans import direct

from mdw import Warehouse, scan_sql
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


def test_q6_thousands_of_fields_are_followed_at_once() -> None:
    made = ", ".join(f"'f{number}': t.x{number}" for number in range(2_000))
    asked = ", ".join(f"s.f{number} AS p{number}" for number in range(2_000))
    sql = f"CREATE TABLE o AS WITH c AS (SELECT {{{made}}} AS s FROM t) SELECT {asked} FROM c"
    started = process_time()
    script = read_script(sql, "f.sql", "duckdb")
    assert process_time() - started < 5
    texts = [unparse(tree) for one in script.statements for tree, _ in mappings_of(one, script, ())]
    assert any("c.`s.f1999`" in text for text in texts)


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


@pytest.mark.parametrize(("fields", "sources"), [("a INT64, b INT64", {"t.x"}), ("b INT64, a INT64", {"t.x", "t.y"})])
def test_q6_a_typed_column_may_take_fields_by_their_places(fields: str, sources: set[str]) -> None:
    sql = f"""
    CREATE TEMP TABLE c (s STRUCT<{fields}>);
    INSERT INTO c SELECT STRUCT(t.x AS a, t.y AS b) FROM t;
    CREATE TABLE m AS SELECT s.a AS p FROM c
    """
    assert of_p(sql, "bigquery").keys() == sources


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


T = "CREATE TABLE t (x INT, y INT, z INT, k INT);"
V = "CREATE VIEW v AS SELECT {'a': t.x, 'n': {'b': t.y}} AS s FROM t;"
M = "CREATE TABLE m AS SELECT s.a AS p FROM v WHERE s.n.b = 1;"


def ends(folder: Path, *files: str, warehouse: Warehouse | None = None) -> dict[str, str]:
    """The golden sources of M.P, each with its condition, when these files were loaded."""
    held = warehouse or Warehouse()
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(files):
        (folder / f"{folder.name}{number}.sql").write_text(text)
    report = held.load(folder, dialect="duckdb")
    assert not report.errors
    return {one.attribute: one.sql for one in held.lineage("m.p").golden}


def test_q6_fields_come_through_views_and_tables(tmp_path: Path) -> None:
    sharp = {"T.X": "T.Y = 1"}
    assert ends(tmp_path / "one", T + V + M) == sharp
    assert ends(tmp_path / "three", M, V, T) == sharp
    through = "CREATE TABLE w AS SELECT s, s.n AS q FROM v;", M.replace("v WHERE s.n.b", "w WHERE q.b")
    assert ends(tmp_path / "four", T, V, *through) == sharp
    starred = "CREATE TABLE m AS SELECT d.a AS p FROM (SELECT s.* FROM v) AS d;"
    assert ends(tmp_path / "starred", T, V, starred).keys() == {"T.X"}


def test_q6_whoever_fills_a_table_gives_its_fields(tmp_path: Path) -> None:
    table = V.replace("VIEW", "TABLE")
    for filling in ("INSERT INTO v SELECT f(z) FROM t;", "INSERT INTO v (s) SELECT f(z) FROM t;"):
        assert ends(tmp_path / "one", T + table + M + filling).keys() == {"T.X", "T.Z"}
        assert ends(tmp_path / "two", T + table + M, filling).keys() == {"T.X", "T.Z"}
    assert ends(tmp_path / "set", T, table + M, "UPDATE v SET s = f(t.z) FROM t;").keys() == {"T.X", "T.Z"}


def test_q6_what_several_files_make_has_no_fields_of_its_own(tmp_path: Path) -> None:
    """None of them knows what the others give: so all of the struct are sources, and none is lost."""
    other = "CREATE OR REPLACE VIEW v AS SELECT f(z) AS s FROM t;"
    assert ends(tmp_path / "all", T, V + M, other).keys() == {"T.X", "T.Y", "T.Z"}
    warehouse = Warehouse()
    assert ends(tmp_path / "first", T, V, M, warehouse=warehouse).keys() == {"T.X"}
    # One that comes later is told which fields the others have, and gives them.
    assert ends(tmp_path / "then", other, warehouse=warehouse).keys() == {"T.X", "T.Z"}


def test_q6_insert_without_into_is_told_of_fields(tmp_path: Path) -> None:
    folder = tmp_path / "bigquery"
    folder.mkdir()
    made = "CREATE TABLE d.v AS SELECT STRUCT(t.x AS a, t.y AS b) AS s FROM d.t;"
    (folder / "a.sql").write_text(f"{made} CREATE TABLE d.m AS SELECT s.a AS p FROM d.v")
    (folder / "b.sql").write_text("INSERT d.v (s) SELECT z FROM d.t")
    warehouse = Warehouse()
    assert not warehouse.load(folder, dialect="bigquery").errors
    assert {one.attribute for one in warehouse.lineage("d.m.p").golden} == {"D.T.X", "D.T.Z"}


@pytest.mark.parametrize("again", [False, True])
def test_a_struct_that_mapping_text_fills_too_has_all_its_sources(again: bool, tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.sql").write_text("CREATE TABLE v AS SELECT {'a': t.x, 'b': t.y} AS s FROM t")
    (folder / "b.sql").write_text("CREATE TABLE m AS SELECT s.a AS p FROM v")
    (folder / "c.map").write_text("MAPPING more:\nWHEN POPULATING V FROM Q\n  POPULATE V.S WITH Q.Z\n")
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(folder, dialect="duckdb").raise_for_errors()
        if again:
            (folder / "b.sql").write_text("CREATE TABLE m AS SELECT s.a AS p FROM v WHERE TRUE")
            warehouse.load(folder, dialect="duckdb").raise_for_errors()
        assert {one.attribute for one in warehouse.lineage("M.P").golden} >= {"T.X", "Q.Z"}


def test_q6_a_struct_may_be_called_like_its_table() -> None:
    """S.A is a field of column S where table S has no column A; one that it has goes before (as DuckDB finds them)."""
    made = "CREATE TABLE s AS SELECT {'a': t.x, 'b': t.y} AS s FROM t; "
    asked = "CREATE TABLE o AS SELECT s.a AS p FROM s WHERE s.b = 1"
    steps = {(step.source, step.target, step.kind) for step in scan_sql(made + asked, dialect="duckdb").steps}
    assert {step for step in steps if step[1] == "o.p"} == {("s.s.a", "o.p", "direct"), ("s.s.b", "o.p", "indirect")}
    both = scan_sql(made.replace(" FROM", ", t.z AS a FROM") + asked, dialect="duckdb").steps
    assert [step.source for step in both if step.target == "o.p" and step.kind == "direct"] == ["s.a"]
