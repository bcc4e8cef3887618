"""The SQL of an end runs: its dialect reads it, and DuckDB executes it over empty tables of the entities it names.

`MDW_EXAMPLES=20 pytest tests/test_sql_runs.py` asks twenty times as many attributes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

import duckdb
import pytest
from places import ROOT
from runnable import ABSENT, fault
from sql_warehouses import SqlWriter

from mdw import Lineage, Warehouse

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
TRUST = ROOT.parent / "shared" / "cases" / "trust.json"
MARKS = re.compile(r"FOLDED|COLLATED|UNCASED|PADDED|TEST\(|@|THIS_WAY|:this_way|one row|rows written|NULL (<>|!=) ")
"""What only the engine has words for."""
CORPORA: Mapping[str, tuple[str, str]] = {
    "mapping text": ("data/bank", ""),
    "dbt": ("data/bank_dbt", "duckdb"),
    "insurer": ("data/claims", "snowflake"),
    **{f"followed {name}": (f"tests/cases/followed/{name}.sql", name) for name in ("bigquery", "mysql", "tsql")},
    **{f"programs {name}": (f"tests/cases/programs/bank.{name}.sql", name) for name in ("postgres", "spark")},
}
"""Folders and files, each with its dialect."""
ASKED = 3
"""Attributes asked of each."""
WRITTEN, FEW = 50, 8
"""Warehouses that the generator can write, and cases and warehouses that are tried in every run."""


Item = TypeVar("Item")


def some(items: Sequence[Item]) -> list[Item]:
    """A few of them, the same in each run; all where more examples are asked for."""
    return Random(1).sample(items, min(len(items), int(FEW * MORE)))


def answers(warehouse: Warehouse, draw: Random, count: float) -> Iterator[Lineage]:
    """The lineage of so many attributes that something fills."""
    names = sorted(record.attribute for record in warehouse.lineage_all(mode="passive"))
    for name in draw.sample(names, min(len(names), int(count))):
        yield warehouse.lineage(name)


def faults(answer: Lineage, dialect: str) -> Iterator[str]:
    """What is wrong with the conditions of an answer; what is wrong with a function that DuckDB lacks is so too."""
    told = [step.condition for step in answer.steps]
    told += [rule.condition for one in answer.dropped[:4] for rule in one.because]
    for end in answer.golden:
        told += [end.condition, end.sql, end.whole, end.at_least, end.common, *end.open]
        wrong = fault(end.sql, end.attribute, dialect)
        if wrong:
            yield f"{answer.attribute} from {end.attribute}: {wrong}"
    yield from (f"{answer.attribute} tells {text}" for text in told if MARKS.search(text))


def read(texts: Mapping[str, str], dialect: str, folder: Path) -> Warehouse:
    """A warehouse of scripts."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    warehouse = Warehouse()
    warehouse.load(folder, dialect=dialect)
    return warehouse


@pytest.mark.parametrize("corpus", CORPORA)
def test_conditions_of_every_end_run(corpus: str) -> None:
    path, dialect = CORPORA[corpus]
    with Warehouse() as warehouse:
        warehouse.load(ROOT / path, dialect=dialect)
        found = [one for answer in answers(warehouse, Random(corpus), ASKED * MORE) for one in faults(answer, dialect)]
    lacking = [one for one in found if ABSENT in one]
    assert len(lacking) <= 2 * MORE
    assert [one for one in found if one not in lacking] == []


def test_conditions_of_generated_warehouses_run(tmp_path: Path) -> None:
    found = []
    for seed in sorted({1, *some(range(WRITTEN))}):
        made = SqlWriter(Random(seed)).warehouse()
        with read(made.files, "duckdb", tmp_path / str(seed)) as warehouse:
            found += [one for answer in answers(warehouse, Random(seed), 2 * MORE) for one in faults(answer, "duckdb")]
    assert found == []


@pytest.mark.skipif(not TRUST.exists(), reason="the cases are not on this machine")
def test_conditions_of_the_cases_run(tmp_path: Path) -> None:
    found = []
    for number, case in enumerate(some(json.loads(TRUST.read_text(encoding="utf-8")))):
        with read({"a.sql": case["sql"]}, case["dialect"], tmp_path / str(number)) as warehouse:
            for answer in answers(warehouse, Random(1), 4 * MORE):
                found += [f"{case['id']}: {one}" for one in faults(answer, case["dialect"])]
    assert found == []


def test_a_condition_that_does_not_run_is_noticed() -> None:
    """The law can fail."""
    assert "does not run" in fault("S.A = 1 AND NO_SUCH(S.B) = 2", "S.A") and ABSENT in fault("F(S.B) = 2", "S.A")
    assert "cannot be parsed" in fault("S.A = = 1", "S.A")
    assert "does not run" in fault("EXISTS(SELECT 1 FROM P WHERE P.K = Q.K)", "S.A")
    assert fault("S.A > 1 AND EXISTS(SELECT 1 FROM C.P WHERE C.P.K = S.K)", "S.A", "postgres") == ""


ACCOUNTS = "CREATE VIEW v AS SELECT amount FROM raw.account WHERE country = "


@pytest.mark.parametrize("dialect", ["ansi", "postgres", "tsql", "bigquery", "snowflake"])
def test_a_query_within_captures_no_row_around_it(dialect: str, tmp_path: Path) -> None:
    """The row around has no alias, the one within has: only rows of the greatest country of their kind arrive."""
    script = f"{ACCOUNTS}(SELECT MAX(b.country) FROM raw.account b WHERE b.kind = raw.account.kind);"
    with read({"a.sql": script}, dialect, tmp_path / "scripts") as warehouse:
        [end] = warehouse.lineage("v.amount", sql_dialect="duckdb").golden
    with duckdb.connect() as database:
        database.execute("CREATE SCHEMA raw; CREATE TABLE raw.account (amount INT, country INT, kind INT)")
        database.execute("INSERT INTO raw.account VALUES (1, 1, 1), (2, 2, 1), (3, 1, 2)")
        rows = database.execute(f"SELECT amount FROM raw.account WHERE {end.sql} ORDER BY 1").fetchall()
    assert rows == [(2,), (3,)]


@pytest.mark.parametrize(
    ("dialect", "test", "said", "known"),
    [
        ("postgres", "amount > $1", "AMOUNT IS NOT NULL", "what :`1` is (a.sql:1)"),
        ("snowflake", "amount > $least AND kind = 'x'", "KIND = 'x'", "what :LEAST is (a.sql:1)"),
        ("mysql", "kind IN (SELECT kind FROM p WHERE p.n > ?)", "EXISTS(SELECT 1 FROM P", "what a query within says"),
    ],
)
def test_what_a_parameter_decides_is_not_known(dialect: str, test: str, said: str, known: str, tmp_path: Path) -> None:
    """SQL says what is asked of rows whatever the parameter is; that it is not known is told."""
    with read({"a.sql": f"CREATE VIEW v AS SELECT amount FROM s WHERE {test};"}, dialect, tmp_path / "a") as warehouse:
        [end] = warehouse.lineage("v.amount").golden
    assert said in end.sql and not re.search(r"[:?$]", end.sql)
    assert not end.exact and any(one.startswith(known) for one in end.open), end.open
    assert fault(end.sql, end.attribute, dialect) == ""


@pytest.mark.parametrize(
    ("select", "known"),
    [
        ("SELECT k, SUM(paid) AS n FROM sales GROUP BY k", "how many rows of SALES are added up (a.sql:1)"),
        ("SELECT k, COUNT(*) AS n FROM sales GROUP BY k", "how many rows of SALES are counted (a.sql:1)"),
        ("SELECT k, RANDOM() AS n FROM sales", "what RANDOM gives each time (a.sql:1)"),
    ],
)
def test_what_is_not_known_is_told_by_name_and_place(select: str, known: str, tmp_path: Path) -> None:
    script = f"CREATE TABLE t AS {select};\nCREATE VIEW v AS SELECT k FROM t WHERE n > 5;"
    with read({"a.sql": script}, "postgres", tmp_path / "scripts") as warehouse:
        [end] = warehouse.lineage("v.k").golden
    assert known.replace("RANDOM", "RAND") in [one.replace("RANDOM", "RAND") for one in end.open]
