"""Answers on a terminal are short: verdict, notes, tree, ends, some of what was left out; files are whole."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from render_samples import party, step

from mdw import Warehouse
from mdw.cli import run
from mdw.model.answers.ends import End, Readable
from mdw.render.text import answer_text

SCRIPT = """
CREATE VIEW mart.spend AS SELECT paid FROM core.claim WHERE kind = 'medical' AND day > DATE '2020-01-01';
CREATE VIEW core.claim AS SELECT paid, 'medical' AS kind, day FROM raw.medical
UNION ALL SELECT price, 'pharmacy', day FROM raw.pharmacy UNION ALL SELECT fee, 'dental', day FROM raw.dental
UNION ALL SELECT total, 'travel', day FROM raw.travel UNION ALL SELECT bill, 'pet', day FROM raw.pet;
"""
REASON = "left out because core.claim"


@pytest.fixture
def store(tmp_path: Path) -> str:
    (tmp_path / "sql").mkdir()
    (tmp_path / "sql" / "claims.sql").write_text(SCRIPT, encoding="utf-8")
    with Warehouse(tmp_path / "store.mdw") as warehouse:
        warehouse.load(tmp_path / "sql", dialect="postgres")
    return str(tmp_path / "store.mdw")


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints, on one line."""
    run(list(words))
    return " ".join(capsys.readouterr().out.split())


def test_notes_stand_right_under_the_verdict_and_are_never_cut() -> None:
    many = tuple(f"R.A{n} is S.A{n}" for n in range(30))
    lines = answer_text(replace(party(), assumptions=many), 200, why=False).splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("active lineage"))
    said = "\n".join(lines[:at])
    assert all(one in said for one in many) and "undecided" in said and "note " in said
    assert "Undecided, therefore kept" not in "\n".join(lines)


def test_three_contradictions_are_told_and_how_many_more_there_are(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    short = told(capsys, "lineage", "mart.spend.paid", "--store", store)
    assert short.count("✕ ") == 3 and "1 more: --why" in short
    assert "What decides" not in short and "CREATE VIEW" not in short
    long = told(capsys, "lineage", "mart.spend.paid", "--store", store, "--why")
    assert long.count(REASON) == 4 and "What decides" in long and "In the words of the scripts" in long


def test_where_nothing_is_found_each_last_step_has_its_contradiction(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    short = told(capsys, "lineage", "mart.spend.paid", "--store", store, "--when", "core.claim.kind = 'dental'")
    assert "no source can reach" in short and "✕ RAW.DENTAL.FEE" not in short
    assert short.count("✕ ") == 1 and "5 more: --why" in short
    nothing = told(capsys, "lineage", "core.claim.paid", "--store", store, "--when", "kind = 'none'")
    assert nothing.count("✕ ") == 5 and "more: --why" not in nothing


def test_files_and_json_and_python_are_whole(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "answer.txt"
    told(capsys, "lineage", "mart.spend.paid", "--store", store, "--output", str(kept))
    assert " ".join(kept.read_text(encoding="utf-8").split()).count(REASON) == 4
    whole = json.loads(told(capsys, "lineage", "mart.spend.paid", "--store", store, "--format", "json"))
    assert len(whole["dropped"]) == 4
    with Warehouse(store) as warehouse:
        assert " ".join(str(warehouse.lineage("mart.spend.paid")).split()).count(REASON) == 4


def test_a_name_that_begins_with_its_file_does_not_say_its_place_twice(
    store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    short = told(capsys, "lineage", "mart.spend.paid", "--store", store)
    assert "by mart.spend (claims.sql:2)" in short and not re.search(r"claims\.sql:\D", short)
    steps = json.loads(told(capsys, "lineage", "mart.spend.paid", "--store", store, "--format", "json"))["steps"]
    assert "claims.sql:mart.spend" in {one["mapping"] for one in steps}


def test_many_ends_are_told_by_schema_and_the_undecided_by_name() -> None:
    """An end that only an undecided step reaches is named; one that another way reaches too is not."""
    names = [f"SRC{n % 2}.T{n}.A" for n in range(30)]
    steps = tuple(step(name, "RPT.CUSTOMER.NAME", "m") for name in names)
    golden = tuple(End(name, Readable("TRUE", "TRUE")) for name in names)
    answer = replace(party(), golden=golden, steps=steps, undecided=steps[:1], indirect=())
    section = answer_text(answer, 200, depth=1, why=False).partition("Golden sources")[2]
    assert "★ SRC0 " in section and "14 golden sources in T2, T4, T6, T8 and 10 more" in section
    assert "★ SRC1 " in section and "★ SRC0.T0.A" in section and "SRC1.T1.A" not in section
    assert "★ SRC1.T1.A" in answer_text(answer, 200, depth=1)


@pytest.mark.parametrize(
    "day", ["DATE '2019-12-31'", "date '2019-12-31'", "TIMESTAMP '2019-12-31 00:00:00'", "31.12.2019"]
)
def test_days_are_written_as_in_sql(day: str, store: str, capsys: pytest.CaptureFixture[str]) -> None:
    none = told(capsys, "lineage", "mart.spend.paid", "--store", store, "--when", f"core.claim.day <= {day}")
    assert "no source can reach MART.SPEND.PAID" in none
    some = told(capsys, "lineage", "core.claim.paid", "--store", store, "--when", f"day <= {day} AND kind = 'pet'")
    assert "golden source RAW.PET.BILL" in some and "could not be decided" not in some


def test_a_day_that_is_none_is_told_with_its_place(store: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["lineage", "core.claim.paid", "--store", store, "--when", "day > DATE '2019-02-30'"]) == 1
    assert "there is no day 2019-02-30" in capsys.readouterr().err
