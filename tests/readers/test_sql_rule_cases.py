"""A case by hand of each rule of programs (Q25 to Q31) and dialect, written by the manuals' grammar.

`tests/cases/followed/` has a file for each dialect. A block begins with its rule, then comes the script, and with `-->`
of each column that is asked for its golden sources.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import test_sql_following
import test_sql_remaking
import test_sql_triggers
import test_sql_ways
from places import CASES

from mdw import QuestionError, Warehouse

FILES = sorted((CASES / "followed").glob("*.sql"))
BLOCKS = {
    f"{path.stem}: {block.partition(chr(10))[0].removeprefix('-- ')}": (path.stem, block)
    for path in FILES
    for block in re.split(r"\n\n(?=-- Q)", path.read_text(encoding="utf-8").strip())
}
RULES = ("Q25", "Q26", "Q27", "Q28", "Q29", "Q30", "Q31")
NONE = {("Q28", one) for one in ("tsql", "snowflake", "teradata")} | {
    ("Q30", one) for one in ("snowflake", "bigquery", "spark")
}
"""What a dialect does not have: names of variables without a mark, triggers."""


def test_each_rule_has_a_case_in_each_dialect() -> None:
    written = {(name.split(": ")[1][:3], name.split(":")[0]) for name in BLOCKS}
    for cases in (test_sql_following.CASES, test_sql_remaking.WAYS, test_sql_ways.WAYS):
        written |= {(name[:3], case[0]) for name, case in cases.items()}
    written |= {("Q30", case[0]) for case in test_sql_triggers.CASES.values()}
    assert {(rule, path.stem) for rule in RULES for path in FILES} - NONE <= written


@pytest.mark.parametrize("name", BLOCKS)
def test_a_rule_in_a_dialect(name: str, tmp_path: Path) -> None:
    dialect, block = BLOCKS[name]
    expected = dict(re.findall(r"^--> (\S+) <- (.*)$", block, re.MULTILINE))
    file = tmp_path / "program.sql"
    file.write_text(re.sub(r"(?m)^--> .*\n?", "", block), encoding="utf-8")
    with Warehouse() as warehouse:
        warehouse.load(file, dialect=dialect).raise_for_errors()
        found = {asked: golden(warehouse, asked.upper()) for asked in expected}
    assert found == expected


def golden(warehouse: Warehouse, asked: str) -> str:
    try:
        return " ".join(sorted(end.attribute for end in warehouse.lineage(asked).golden))
    except QuestionError as error:
        return str(error)
