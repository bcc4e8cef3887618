"""Conditions of answers in the SQL of a database: run there, they select the rows that the script's own selects."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path

import duckdb
import postgresql
import pytest
from places import ROOT

from mdw import QuestionError, Warehouse
from mdw.cli import run
from mdw.readers.sql.writing import in_dialect

COLUMNS = 'n VARCHAR(9), k INT, l INT, d DATE, e DATE, b BOOLEAN, "order" INT'
NAMES = ("ab", "x", "a-b", None)
DAYS = (("2020-01-01", "2019-12-31"), ("2019-12-31", "2020-03-05"), (None, "2020-01-01"))
ROWS = [
    (number, name, k, (number % 4) or None, *days, number % 3 == 0 if number % 5 else None, k)
    for number, (name, days, k) in enumerate(product(NAMES, DAYS, (-1, 2, 3, None)))
]
EVERYWHERE = [
    "n = 'x'",
    "NOT (k = 2 OR n IS NULL)",
    "n <> 'x' AND k IS NOT NULL",
    "k BETWEEN 0 AND 2",
    "n IN ('x', 'ab') AND NOT b",
    "b OR k > 2",
    "n LIKE 'a%'",
    "n NOT LIKE 'a_'",
    "EXTRACT(YEAR FROM d) = 2020",
    "EXTRACT(MONTH FROM e) = 12",
    "d = DATE '2020-01-01'",
    "d > e",
    "d + INTERVAL '1' DAY > e",
    "d - INTERVAL '1' DAY = DATE '2019-12-31'",
    "UPPER(n) = 'AB'",
    "SUBSTRING(n, 2, 1) = 'b'",
    "LENGTH(TRIM(n)) > 1",
    "LEFT(n, 1) = 'a'",
    "REPLACE(n, '-', '') = 'ab'",
    "n || 'y' = 'xy'",
    "COALESCE(n, 'none') = 'none'",
    "CASE WHEN k = 2 THEN n ELSE 'ab' END = 'ab'",
    "MOD(k, 2) = 1",
    "ABS(k) = 1",
    "k + l > 4",
    "k * 1.0 / l > 1",
    "ROUND(k * 1.5, 0) = 3",
    "DATE_TRUNC('month', d) = DATE '2020-01-01'",
    "CAST(k AS VARCHAR) = '2'",
    "n IS DISTINCT FROM 'x'",
    "NULLIF(k, 2) IS NULL",
    '"order" = 2',
]
# What only one of them says so, and what each means by /.
NATIVE = {
    "postgres": [
        "k / 2 = 1",
        "EXTRACT(DOW FROM d) = 3",
        "SPLIT_PART(n, '-', 2) = 'b'",
        "d + INTERVAL '2 days' > e",
        "d::text = '2020-01-01'",
    ],
    "sqlite": ["k / 2 = 1", "STRFTIME('%Y', d) = '2020'", "IFNULL(k, 0) = 0", "INSTR(n, 'b') = 2"],
    "duckdb": [
        "k // 2 = 1",
        "YEAR(d) = 2020",
        "DATEDIFF('day', d, e) > 3",
        "STRPOS(n, 'b') = 2",
        "d + INTERVAL 3 DAY > e",
        "TRY_CAST(n AS INT) IS NULL",
    ],
}
Select = Callable[[Sequence[str]], list[set[int]]]
"""The numbers of the rows that conditions select."""


def tables() -> Iterator[str]:
    yield f"CREATE TABLE s (id INT, {COLUMNS})"
    yield "CREATE TABLE j (k INT, m VARCHAR(9))"
    yield "INSERT INTO j VALUES (2, 'x'), (3, 'y'), (NULL, 'x')"
    for row in ROWS:
        yield f"INSERT INTO s VALUES ({', '.join(map(_constant, row))})"


def _constant(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "NULL" if value is None else str(value).upper()
    return f"'{value}'" if isinstance(value, str) else str(value)


def _select(condition: str) -> str:
    return f"SELECT id FROM s WHERE {condition}"


def in_duckdb(conditions: Sequence[str]) -> list[set[int]]:
    with duckdb.connect() as connection:
        for statement in tables():
            connection.execute(statement)
        return [{number for (number,) in connection.execute(_select(one)).fetchall()} for one in conditions]


def in_sqlite(conditions: Sequence[str]) -> list[set[int]]:
    connection = sqlite3.connect(":memory:")
    for statement in tables():
        connection.execute(statement)
    return [{number for (number,) in connection.execute(_select(one))} for one in conditions]


def in_postgres(conditions: Sequence[str]) -> list[set[int]]:
    with postgresql.server("secret") as url:
        port = re.search(r":(\d+)/", url)
        assert port
        script = ";\n".join((*tables(), *(f"SELECT '=';\n{_select(one)}" for one in conditions), ""))
        login = [postgresql.program("psql"), "-h", "127.0.0.1", "-p", port[1], "-U", postgresql.USER, "-d", "postgres"]
        found = subprocess.run(
            [*login, "-qAt", "-v", "ON_ERROR_STOP=1"], input=script, capture_output=True, text=True,
            env={**os.environ, "PGPASSWORD": "secret"}, check=False,
        )  # fmt: skip
    assert found.returncode == 0, found.stderr
    return [{int(number) for number in block.split()} for block in found.stdout.split("=\n")[1:]]


DATABASES: dict[str, Select] = {"duckdb": in_duckdb, "sqlite": in_sqlite, "postgres": in_postgres}
needs_server = pytest.mark.skipif(bool(postgresql.no_server()), reason=postgresql.no_server())
EACH = [pytest.param(name, marks=needs_server) if name == "postgres" else name for name in DATABASES]


def told(tmp_path: Path, conditions: Sequence[str], written_in: str, dialect: str) -> list[str]:
    """The conditions as answers tell them in a dialect, of a warehouse of scripts in another."""
    views = [f"CREATE VIEW v{number} AS SELECT id FROM s WHERE {one};" for number, one in enumerate(conditions)]
    (tmp_path / "v.sql").write_text("\n".join((*list(tables())[:2], "", *views)).replace(")\n", ");\n"))
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path, dialect=written_in)
        assert {one.status for one in report.sql} == {"whole"}, str(report)
        answers = [warehouse.lineage(f"v{number}.id", sql_dialect=dialect) for number in range(len(conditions))]
        return [answer.golden[0].sql for answer in answers]


@pytest.mark.parametrize("dialect", EACH)
def test_the_same_rows_are_selected_in_every_database(tmp_path: Path, dialect: str) -> None:
    texts = told(tmp_path, EVERYWHERE, "duckdb", dialect)
    meant, found = in_duckdb(EVERYWHERE), DATABASES[dialect](texts)
    wrong = {one: text for one, text, rows, some in zip(EVERYWHERE, texts, meant, found, strict=True) if rows != some}
    assert wrong == {}
    # Conditions that select all rows, or none, would show nothing.
    assert all(0 < len(rows) < len(ROWS) for rows in meant)


@pytest.mark.parametrize("dialect", EACH)
def test_the_dialect_of_the_scripts_is_the_usual_one(tmp_path: Path, dialect: str) -> None:
    texts = told(tmp_path, NATIVE[dialect], dialect, "")
    select = DATABASES[dialect]
    assert dict(zip(texts, select(texts), strict=True)) == dict(zip(texts, select(NATIVE[dialect]), strict=True))


WRITTEN = {
    "tsql": "DATEPART(YEAR, S.D) = 2020 AND S.B = 1",
    "snowflake": "DATE_PART(YEAR, S.D) = 2020 AND S.B = TRUE",
    "ansi": "EXTRACT(YEAR FROM S.D) = 2020 AND S.B = TRUE",
}


@pytest.mark.parametrize("dialect", WRITTEN)
def test_functions_have_the_names_of_the_dialect(dialect: str) -> None:
    assert in_dialect("EXTRACT(YEAR FROM S.D) = 2020 AND S.B = TRUE", dialect) == WRITTEN[dialect]


def test_what_is_no_sql_stays_as_it_is() -> None:
    assert in_dialect("A ?? B (", "tsql") == "A ?? B ("


def test_a_dialect_that_there_is_not_is_said() -> None:
    with Warehouse() as warehouse:
        warehouse.load("WHEN POPULATING T FROM S POPULATE T.A WITH S.X")
        with pytest.raises(QuestionError, match="no SQL dialect is called klingon"):
            warehouse.lineage("T.A", sql_dialect="klingon")
        with pytest.raises(QuestionError, match="no SQL dialect is called klingon"):
            warehouse.impact("S.X", sql_dialect="klingon")


def test_the_command_line_shows_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "claims.mdw")
    run(["load", str(ROOT / "data/claims"), "--dialect", "snowflake", "--store", store])
    capsys.readouterr()
    assert run(["lineage", "medical_spend.paid", "--store", store, "--sql-dialect", "mysql"]) == 0
    assert "mysql: RAW.MEDICAL_CLAIM.STATE <> 'DENIED' AND EXISTS(" in capsys.readouterr().out
    assert run(["lineage", "medical_spend.paid", "--store", store, "--sql-dialect", "mysql", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["sql_dialect"] == "mysql"
