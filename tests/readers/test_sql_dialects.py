"""Some three hundred statements as people write them, dialect by dialect: what each fills, and from what.

`tests/cases/scanned/dialects.sql` has a block for each: its dialect, "partial" where not all can be known of it, the
statement, and for each column that it fills those whose values flow into it. `unseen.sql` has more: their tables
stand where a look at the text of a file does not see them (`mdw.readers.files.glances`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import pytest
from scans import SCANNED

from mdw import scan_sql


@dataclass(frozen=True)
class Case:
    dialect: str
    partial: bool
    sql: str
    flows: frozenset[str]


def cases() -> dict[str, list[Case]]:
    found: defaultdict[str, list[Case]] = defaultdict(list)
    texts = [(SCANNED / name).read_text(encoding="utf-8").strip() for name in ("dialects.sql", "unseen.sql")]
    for block in "\n\n".join(texts).split("\n\n"):
        head, *lines = block.splitlines()
        dialect, *marks = head.removeprefix("-- ").split()
        sql = "\n".join(line for line in lines if not line.startswith("--> "))
        flows = frozenset(line.removeprefix("--> ") for line in lines if line.startswith("--> "))
        found[dialect].append(Case(dialect, marks == ["partial"], sql, flows))
    return found


CASES = cases()


def told(case: Case) -> tuple[frozenset[str], bool]:
    """What flows by a scan, and whether any of its statements is partial; none may be worse."""
    scan = scan_sql(case.sql, dialect=case.dialect)
    statuses = {one.status for one in scan.statements}
    assert statuses <= {"whole", "partial"}, (case.sql, [one.message for one in scan.statements])
    into: defaultdict[str, set[str]] = defaultdict(set)
    for step in scan.steps:
        if step.kind == "direct":
            into[step.target].add(step.source)
    return frozenset(f"{one} <- {', '.join(sorted(into[one]))}" for one in into), "partial" in statuses


@pytest.mark.parametrize("dialect", CASES)
def test_what_statements_fill(dialect: str) -> None:
    wrong = {case.sql: told(case) for case in CASES[dialect] if told(case) != (case.flows, case.partial)}
    assert not wrong


def test_there_are_many() -> None:
    assert sum(map(len, CASES.values())) > 300
    assert set(CASES) >= {"bigquery", "oracle", "tsql", "snowflake", "redshift", "databricks", "hive", "teradata"}


ALIKE = [
    ("bigquery", "SELECT a FROM ds.s; SELECT a FROM ds.S", "ds.S is taken for ds.s"),
    ("clickhouse", "SELECT a FROM d.s; SELECT a FROM d.S", "d.S is taken for d.s"),
    ("postgres", 'SELECT a FROM emp; SELECT a FROM "EMP"', ""),
    ("bigquery", "WITH Q AS (SELECT A FROM ds.s) SELECT a FROM q JOIN `ds.s` AS S USING (a)", ""),
    ("postgres", 'SELECT a FROM emp; SELECT a FROM EMP JOIN "emp" AS e USING (a)', ""),
    ("postgres", 'INSERT INTO "T" SELECT "ID", id FROM "S"', ""),
    ("duckdb", 'SELECT a FROM emp; SELECT a FROM "EMP"', ""),
]


@pytest.mark.parametrize(("dialect", "text", "said"), ALIKE)
def test_a_table_that_is_taken_for_another_one_is_told(dialect: str, text: str, said: str) -> None:
    """Names that differ in capitals only are one here; where a database tells them apart the statement is partial."""
    last = scan_sql(text, dialect=dialect).statements[-1]
    assert (last.status, last.message.partition(",")[0]) == ("partial" if said else "whole", said)


@pytest.mark.parametrize("dialect", ["snowflake", "duckdb", "databricks", "clickhouse"])
def test_q13_order_by_all_sorts_by_each_column_that_is_given(dialect: str) -> None:
    steps = scan_sql("SELECT a, k + 1 AS x FROM s ORDER BY ALL", dialect=dialect).steps
    assert {(one.source, one.target) for one in steps if one.kind == "indirect"} == {
        (source, target) for source in ("s.a", "s.k") for target in ("<sql>.a", "<sql>.x")
    }


def test_where_a_function_of_snowflake_runs_is_no_expression() -> None:
    text = "CREATE EXTERNAL FUNCTION e(x INT) RETURNS INT API_INTEGRATION = i AS 'https://h'; SELECT e(a) AS y FROM s"
    scan = scan_sql(text, dialect="snowflake")
    assert [one.status for one in scan.statements] == ["opaque", "whole"]
    assert [(one.source, one.target) for one in scan.steps] == [("s.a", "<sql>.y")]


def test_what_exists_gives_need_not_be_known() -> None:
    """SELECT * within EXISTS asks for no column (rule Q11); where rows are grouped or counted it may decide."""
    text = "SELECT a FROM s WHERE EXISTS (SELECT * FROM u WHERE u.k = s.k) OR NOT EXISTS (SELECT w.* FROM w)"
    assert [one.status for one in scan_sql(text, dialect="postgres").statements] == ["whole"]
    assert scan_sql("SELECT a FROM s WHERE EXISTS (SELECT DISTINCT * FROM u)").statements[0].status == "partial"


def test_the_keys_of_clickhouse_s_limit_by_decide() -> None:
    steps = scan_sql("SELECT a FROM s LIMIT 1 OFFSET 2 BY b LIMIT 5", dialect="clickhouse").steps
    assert {(one.source, one.kind) for one in steps} == {("s.a", "direct"), ("s.b", "indirect")}


ALONE = [
    ("SELECT s.x FROM s CROSS JOIN v", {"v.*"}),
    ("SELECT v.a AS x FROM s CROSS JOIN v", {"s.*"}),
    ("SELECT s.x FROM s, v WHERE v.a = 1", {"v.a"}),
    ("SELECT s.x FROM s JOIN v ON v.a = s.k, f(1) AS f", {"v.a", "s.k", "u.w"}),
    ("SELECT s.x, b.a FROM s CROSS JOIN v AS b", set()),
    ("SELECT s.x FROM s CROSS JOIN (SELECT 1 FROM u WHERE z = 1) AS w", {"u.z"}),
    ("SELECT s.x FROM s LEFT JOIN v ON TRUE", set()),
    ("SELECT v.a AS x FROM generate_series(1, 3) AS g CROSS JOIN v", set()),
]


@pytest.mark.parametrize(("query", "decides"), ALONE)
def test_what_is_joined_to_all_rows_and_asked_for_nothing_decides_whether_rows_come(
    query: str, decides: set[str]
) -> None:
    """Its own rows may be none: what decides in a view or a function is lost if nobody names it (rule Q10)."""
    made = "CREATE VIEW v AS SELECT a FROM u WHERE z > 3; CREATE TABLE s (x INT, k INT);"
    body = "BEGIN RETURN QUERY SELECT u.a FROM u WHERE u.w > p; END"
    function = f"CREATE FUNCTION f(p INT) RETURNS TABLE (a INT) AS $$ {body} $$ LANGUAGE plpgsql;"
    assert not scan_sql("SELECT s.x FROM s CROSS JOIN dual", dialect="oracle").steps[1:]
    steps = scan_sql(f"{made} {function} INSERT INTO t (x) {query}", dialect="postgres").steps
    found = {one.source for one in steps if one.kind == "indirect" and one.target == "t.x"}
    assert found == decides


def test_what_resets_a_window_of_teradata_decides() -> None:
    window = "SUM(b) OVER (PARTITION BY c ORDER BY d RESET WHEN e > 1 ROWS UNBOUNDED PRECEDING)"
    text = f"SELECT {window} AS x, RANK() OVER (ORDER BY f RESET WHEN g = 1) AS r, reset FROM s"
    steps = [one for one in scan_sql(text, dialect="teradata").steps if one.kind == "indirect"]
    assert {one.source for one in steps if one.target == "<sql>.x"} == {"s.c", "s.d", "s.e"}
    assert {one.source for one in steps if one.target == "<sql>.r"} == {"s.f", "s.g"}
