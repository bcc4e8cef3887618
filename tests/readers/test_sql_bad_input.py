"""Bad input: a status for each statement, its place, and nothing lost of those beside it."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

import pytest

from mdw import Scan, Warehouse, scan_sql


def told(scan: Scan) -> list[tuple[str, str, int]]:
    return [(one.kind, one.status, one.location.line) for one in scan.statements]


def test_one_bad_statement_costs_itself() -> None:
    scan = scan_sql("SELECT a FROM t;\nSELECT * FRM x WHERE;\nINSERT INTO u SELECT b FROM v")
    assert told(scan) == [("select", "whole", 1), ("select", "failed", 2), ("insert", "whole", 3)]
    assert scan.statements[1].location.column == 14
    assert scan.statements[1].message == "not expected here: x"
    assert "it was read as ansi SQL" in scan.statements[1].hint


@pytest.mark.parametrize("dialect", ["bigquery", "spark"])
def test_structs_in_structs_are_read_in_time_or_said_to_be_too_deep(dialect: str) -> None:
    def scan(depth: int) -> Scan:
        made = "STRUCT(" * depth + "t.x" + " AS a)" * depth
        return scan_sql(
            f"CREATE VIEW v AS SELECT {made} AS s FROM t; CREATE VIEW w AS SELECT y FROM u", dialect=dialect
        )

    started = process_time()
    assert [one.status for one in scan(10).statements] == ["whole", "whole"]
    first, second = scan(28).statements
    assert (first.status, first.message, second.status) == ("failed", "nested too deep to be parsed", "whole")
    assert process_time() - started < 10


FAULTS = {
    "SELECT a FROM": ("missing: the name of a table behind FROM", 10),
    "SELECT FROM WHERE": ("missing: the name of a table before WHERE", 13),
    "SELECT (a FROM t": ("missing: ) before FROM", 11),
    "SELECT a FROM t WHERE (a = 1": ("missing: ) at the end", 28),
    "SELECT CASE WHEN a THEN 1 FROM t": ("missing: END behind CASE", 25),
    "SELECT a FROM t WHERE": ("missing: a part of WHERE at the end", 17),
    "SELECT 'abc": ("not closed: the quote ' that opens here", 8),
    "SELECT a /* b": ("not closed: the comment /* that opens here", 10),
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_wrong_is_said_in_plain_words_with_its_place(text: str) -> None:
    (one,) = scan_sql(text).statements
    assert (one.status, (one.message, one.location.column)) == ("failed", FAULTS[text])
    assert one.hint
    assert one.text == text and one.start == ("<sql>", 1, 1)


CALLS = {
    "CALL load_customers(1)": "load_customers",
    "EXEC dbo.load @day = 1": "dbo.load",
    "EXEC @r = dbo.load": "dbo.load",
    "PERFORM refresh()": "refresh",
}


@pytest.mark.parametrize("text", CALLS)
def test_a_call_is_told_as_one_whose_body_is_not_known(text: str) -> None:
    (one,) = scan_sql(text, dialect="tsql").statements
    assert (one.status, one.message) == ("opaque", f"a call of which the body is not known: {CALLS[text]}")


def test_the_table_that_gets_the_rows_of_an_unknown_call_is_told() -> None:
    (one,) = scan_sql("INSERT INTO dbo.t (a) EXEC far.dw.dbo.listed 1", dialect="tsql").statements
    assert (one.kind, one.status, one.writes) == ("insert", "opaque", ("dbo.t",))
    assert one.message == "a call of which the body is not known: far.dw.dbo.listed"


@pytest.mark.parametrize("text", ["EXECUTE IMMEDIATE 'UPDATE ' + @t", "EXEC('SELECT 1 FROM ' + @t)"])
def test_dynamic_sql_is_told_as_what_it_is(text: str) -> None:
    (one,) = scan_sql(text, dialect="tsql").statements
    assert (one.status, one.message) == ("opaque", "a text that is run, and that is not known")


@pytest.mark.parametrize("text", ["ALTER SCHEMA a RENAME TO b", "FROBNICATE t", "EXPLAIN ANALYZE DELETE FROM t"])
def test_what_the_parser_does_not_look_into_is_opaque(text: str) -> None:
    (one,) = scan_sql(text, dialect="postgres").statements
    assert one.status in ("opaque", "failed") and one.message


HEADS = """
    CREATE TRIGGER|CREATE TRIGGER g|CREATE TRIGGER g ON t|CREATE PROCEDURE|CREATE FUNCTION f|DECLARE
    CREATE PACKAGE BODY|CREATE EVENT|CREATE TASK|CREATE RULE|DO|CALL|EXECUTE|MERGE|CREATE OR REPLACE|ALTER TRIGGER|DROP
    FOR|WHILE|IF|OPEN|FETCH
"""


@pytest.mark.parametrize("dialect", ["ansi", "duckdb", "mysql", "oracle", "postgres", "snowflake", "teradata", "tsql"])
def test_a_statement_of_which_only_the_head_is_there(dialect: str) -> None:
    """`CREATE TRIGGER` on no table has no rows of OLD and NEW, so nothing that ways could meet in."""
    for head in HEADS.replace("\n", "|").split("|"):
        scan = scan_sql(f"{head.strip()} ;\nINSERT INTO t SELECT a FROM s", dialect=dialect)
        assert scan.statements or not head.strip()
        for one in scan.statements:
            assert one.status == "whole" or one.message, (head, dialect)


def test_a_quote_that_is_not_closed() -> None:
    scan = scan_sql("INSERT INTO t SELECT a FROM s;\nINSERT INTO u SELECT 'abc FROM s;\nSELECT 1 FROM z")
    assert scan.statements[0].status == "whole"
    assert "failed" in [one.status for one in scan.statements]
    assert {one.target for one in scan.steps if one.kind == "direct"} == {"t.a"}


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO t (SELECT a FROM",
        "\x00\x01\x02\x89PNG\r\n\x1a\n" * 50,
        "SELECT 'abc",
        "}}} {{{",
        "SELECT TOP 5 [a b] FROM [t]",
        "CREATE OR REPLACE",
        "MERGE INTO t",
        "WITH a AS (SELECT 1",
    ],
)
def test_what_is_no_sql_is_told(text: str) -> None:
    scan = scan_sql(text, dialect="postgres")
    assert scan.statements
    assert all(one.status in ("failed", "opaque") and one.message for one in scan.statements)


@pytest.mark.parametrize("text", ["", "  \n ;; \n", "-- nothing\n", "\ufeff"])
def test_nothing_is_nothing(text: str) -> None:
    assert scan_sql(text).statements == ()


NESTED = {
    "parentheses": lambda depth: "SELECT " + "(" * depth + "a" + ")" * depth + " AS x FROM s",
    "functions": lambda depth: "SELECT " + "f(" * depth + "a" + ")" * depth + " AS x FROM s",
    "cases": lambda depth: "SELECT " + "CASE WHEN b = 1 THEN " * depth + "a" + " END" * depth + " AS x FROM s",
    "subqueries": lambda depth: "SELECT a AS x FROM " + "(SELECT a FROM " * depth + "s" + ") q" * depth,
    "negations": lambda depth: "SELECT a AS x FROM s WHERE " + "NOT " * depth + "b = 1",
}


@pytest.mark.parametrize("kind", NESTED)
@pytest.mark.parametrize("depth", [50, 500, 5000])
def test_nesting(kind: str, depth: int) -> None:
    scan = scan_sql(f"{NESTED[kind](depth)};\nSELECT 1 AS y FROM z")
    assert [one.location.line for one in scan.statements] == [1, 2]
    assert scan.statements[1].status == "whole"
    if depth == 50:
        assert "s.a -> <sql>.x" in {f"{one.source} -> {one.target}" for one in scan.steps}
    else:
        assert scan.statements[0].status == "whole" or "too deep" in scan.statements[0].message


@pytest.mark.parametrize("dialect", ["teradata", "oracle", "bigquery", "tsql"])
def test_thousands_of_parentheses_are_told_at_once(dialect: str) -> None:
    """Words that a dialect alone knows are looked for behind each of them: that may not become each times each."""
    start = process_time()
    for text in ("SELECT " + "f(" * 5_000 + "a" + ")" * 5_000 + " FROM t", "f(" * 5_000 + "a", ")" * 5_000):
        assert scan_sql(text, dialect=dialect).statements[0].message
    assert process_time() - start < 10


@pytest.mark.parametrize("operator", [" OR ", " AND ", " + ", " || "])
def test_long_chains(operator: str) -> None:
    chained = operator.join(f"a{number}" for number in range(4000))
    sql = f"SELECT b FROM s WHERE {chained}" if operator in (" OR ", " AND ") else f"SELECT {chained} AS b FROM s"
    scan = scan_sql(sql)
    assert scan.statements[0].status == "whole"
    assert len({one.source for one in scan.steps}) >= 4000


def test_a_long_line() -> None:
    scan = scan_sql("SELECT " + ", ".join(f"a{number}" for number in range(10_000)) + " FROM s")
    assert len(scan.steps) == 10_000


def test_templates_left_in_are_unknown_constants() -> None:
    scan = scan_sql("SELECT {{ x }} AS x, '{{ ds }}' AS d, a FROM orders WHERE b = ${y} AND c = '${ds}'")
    assert [one.status for one in scan.statements] == ["whole"]
    assert [column.name for column in scan.statements[0].columns] == ["x", "d", "a"]
    (step,) = [one for one in scan.steps if one.kind == "direct"]
    assert step.target == "<sql>.a"
    assert {one.source.rpartition(".")[2] for one in scan.steps} == {"a", "b", "c"}


LEFT_IN = {
    "SELECT a FROM {{ ref('orders') }}": "{{ ref('orders') }}",
    "SELECT a FROM ${schema}.t": "${schema}",
    "SELECT a FROM t {% if z %} WHERE b = 1 {% endif %}": "{% if z %}",
    "INSERT INTO ${x} SELECT a FROM t": "${x}",
    "SELECT a FROM t {% if z %} WHERE b = 1 {% else %} WHERE c = 2 {% endif %}": "{% else %}",
}


@pytest.mark.parametrize("text", LEFT_IN)
def test_a_template_in_the_place_of_a_name_is_said(text: str) -> None:
    first, second = scan_sql(f"{{{{ config(x=1) }}}} {text};\nSELECT a FROM u").statements
    assert (first.status, second.status) == ("partial", "whole")
    assert LEFT_IN[text] in first.unresolved and LEFT_IN[text] in first.message


@pytest.mark.parametrize(
    ("dialect", "written"), [("snowflake", ":y"), ("tsql", "@y"), ("mysql", "?"), ("postgres", "$1")]
)
def test_parameters_are_unknown_constants(dialect: str, written: str) -> None:
    scan = scan_sql(f"SELECT a, {written} AS p FROM t WHERE b = {written}", dialect=dialect)
    assert scan.statements[0].status == "whole"
    assert {one.source for one in scan.steps} == {"t.a", "t.b"}


def test_go_ends_statements_behind_semicolons_too() -> None:
    """For sqlglot GO behind a semicolon is a command, with what follows as its text."""
    text = "INSERT INTO a SELECT p FROM s;\nGO\nINSERT INTO b SELECT q FROM s;\n"
    text += "GO 5\nINSERT INTO c SELECT 'GO\nGO', r FROM s\nGO\n"
    scan = scan_sql(text, dialect="tsql")
    assert [(one.status, one.target, one.location.line) for one in scan.statements] == [
        ("whole", "a", 1),
        ("whole", "b", 3),
        ("whole", "c", 5),
    ]
    assert [(step.source, step.location.line) for step in scan.steps] == [("s.p", 1), ("s.q", 3), ("s.r", 6)]


def test_what_is_no_file_in_a_folder_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "good.sql").write_text("CREATE VIEW v AS SELECT a FROM t")
    (tmp_path / "gone.sql").symlink_to(tmp_path / "nowhere.sql")
    os.mkfifo(tmp_path / "pipe.sql")
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path, dialect="duckdb")
        assert len(warehouse.mappings()) == 1
    assert sorted(str(error).partition(": ")[2].partition("\n")[0] for error in report.errors) == [
        "it is neither a file nor a folder",
        "no such file or directory",
    ]


def test_a_value_that_is_missing_in_a_trigger_costs_its_statement() -> None:
    trigger = "create or replace trigger c.t before insert on c.f for each row begin :new.a := ; end;\n/\n"
    scan = scan_sql(f"{trigger}create view v as select a from s;", dialect="oracle")
    assert [(one.kind, one.status) for one in scan.statements if one.kind != "create trigger"][-1] == (
        "create view",
        "whole",
    )
    assert "failed" in {one.status for one in scan.statements}


def test_what_a_rewrite_of_words_trips_over_is_said_of_its_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def tripping(words: list[object]) -> None:
        raise KeyError(len(words))

    monkeypatch.setattr("mdw.readers.sql.parsing.plain_create", tripping)
    first, second = scan_sql("SELECT * FRM x WHERE; CREATE VIEW w AS SELECT y FROM u").statements
    assert (first.status, second.status) == ("failed", "whole")
    assert first.message.startswith("not followed: KeyError")
