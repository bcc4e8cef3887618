"""Incremental models are compiled for one run: rows of others came too (rule Q19, `mdw.readers.dbt.runs`)."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from mdw import Warehouse
from mdw.readers.dbt.runs import in_other_runs, unlimited

CALLS = {"{{ ref('s') }}": '"w"."m"."s"', "{{ ref('t') }}": '"w"."m"."t"', "{{ this }}": '"w"."m"."inc"'}


def fill(call: str) -> str:
    return CALLS.get(call, call)


def project(folder: Path, raw: str, code: str, **more: Any) -> Path:
    """A project whose model `inc` reads the seeds s and t; `late` asks for rows before June."""

    def node(kind: str, name: str, **said: Any) -> dict[str, Any]:
        one = {"resource_type": kind, "name": name, "package_name": "p", "original_file_path": f"models/{name}.sql"}
        return {**one, "unique_id": f"{kind}.p.{name}", "relation_name": f'"w"."m"."{name}"', **said}

    columns = {name: {"name": name, "data_type": "text"} for name in ("id", "note", "day")}
    needs = {"nodes": ["seed.p.s", "seed.p.t"]}
    incremental = {"config": {"materialized": "incremental", "unique_key": "id"}, "raw_code": raw, "depends_on": needs}
    late = """select note from "w"."m"."inc" where day < '2024-06-01'"""
    nodes = [
        node("seed", "s", columns=columns),
        node("seed", "t", columns=columns),
        node("model", "inc", compiled_code=code, **incremental, **more),
        node("model", "late", compiled_code=late, raw_code=late),
    ]
    metadata = {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json", "adapter_type": "duckdb"}
    found = {"metadata": metadata, "nodes": {one["unique_id"]: one for one in nodes}}
    folder.joinpath("manifest.json").write_text(json.dumps(found))
    return folder


FILTER = "select id, note, day from {{ ref('s') }}\n{% if is_incremental() %} where day > '2024-12-01' {% endif %}"
TWO = """{{ config(materialized='incremental') }}
select id, {%- if is_incremental() %} note {% else %} upper(t.note) as note {% endif -%}, day
from {% if not is_incremental() -%} {{ ref('t') }} as t {%- else -%} {{ ref('s') }} where day > '2024-12-01'
{%- endif %}
"""
LATER = """select id, note, day from "w"."m"."s"\n where day > '2024-12-01' """
FIRST = """select id, note, day from "w"."m"."s"\n"""


@pytest.mark.parametrize(
    ("raw", "code", "ends"),
    [
        (FILTER, LATER, ["S"]),
        (FILTER, FIRST, ["S"]),
        (TWO, """\nselect id, note , day\nfrom "w"."m"."s" where day > '2024-12-01'""", ["T"]),
        (TWO, """\nselect id, upper(t.note) as note , day\nfrom "w"."m"."t" as t""", ["T"]),
    ],
)
def test_rows_of_the_first_run_are_there_whichever_run_was_compiled(
    raw: str, code: str, ends: list[str], tmp_path: Path
) -> None:
    with Warehouse() as warehouse:
        report = warehouse.load(project(tmp_path, raw, code)).raise_for_errors()
        assert {one.status for one in report.sql} == {"whole"}
        assert [end.attribute for end in warehouse.lineage("late.note").golden] == [f"W.M.{end}.NOTE" for end in ends]
        everything = [end.attribute for end in warehouse.lineage("inc.note").golden]
    assert everything == (["W.M.S.NOTE", "W.M.T.NOTE"] if raw == TWO else ["W.M.S.NOTE"])


def test_nothing_is_told_of_rows_that_a_later_run_alone_asks_for(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(project(tmp_path, FILTER, LATER)).raise_for_errors()
        (end,) = warehouse.lineage("inc.note").golden
        (place,) = {one.name for one in warehouse.mappings() if "first run" in one.name}
    assert end.sql == "TRUE"
    assert place.startswith("models/inc.sql (first run)")


@pytest.mark.parametrize(
    ("raw", "code", "others"),
    [
        (FILTER, FIRST, []),
        (FILTER, LATER, [("first", 'select id, note, day from "w"."m"."s"')]),
        # Where a macro stands, anything may.
        (
            "select {{ key('id') }} as k from {{ ref('s') }} {% if is_incremental() and var('x') %}, t {% endif %}",
            'select md5(id) as k from "w"."m"."s"',
            [("later", 'select md5(id) as k from "w"."m"."s" , t')],
        ),
        (
            "{% set day = '2024' %}{% if is_incremental() %}{{ newer() }}{% else %}select 1 as a{% endif %}",
            "select 2 as a",
            [("first", "select 1 as a")],
        ),
        (
            "select a from s {% if is_incremental() %} where b {% elif x %} where c {% else %} where d {% endif %}",
            "select a from s where c",
            [("first", "select a from s where d"), ("later", "select a from s where b")],
        ),
        # Hooks have runs of their own.
        (
            """{{ config(pre_hook="{% if is_incremental() %} delete {{ this }} {% endif %}") }} select 1""",
            "select 1",
            [],
        ),
        ("{% set later = is_incremental() %} select 1 {% if later %} where a {% endif %}", "select 1", None),
        ("select 1 {{ 'where a' if is_incremental() }}", "select 1", None),
        # A block in a loop is a call like that of a macro.
        ("{% for x in y %}{% if is_incremental() %}{{ x }}{% endif %}{% endfor %} select 1", "select 1", None),
        ("select 2 {% if is_incremental() %} from s {% endif %}", "select 1", None),
    ],
)
def test_arms_are_found_in_what_was_compiled(raw: str, code: str, others: list[tuple[str, str]] | None) -> None:
    found = in_other_runs(code, raw, fill)
    plain = None if found is None else [(run, " ".join(text.split())) for run, text in found]
    assert plain == others


LATER_ARM = "{% if is_incremental() %} where a {% endif %}"


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ("{{ f() }} {{ g() }} b " + LATER_ARM, "a " * 5_000),
        ("{{ f() }} b " + LATER_ARM, "a" + " " * 50_000 + "a"),
        ("{{ f() }} a " + LATER_ARM, "a " * 100_000 + "b"),
        ("{{" * 50_000 + LATER_ARM, "select 1"),
        ("{% if is_incremental() %}" * 5_000 + "a" + "{% endif %}" * 5_000, "a"),
        ("{% if is_incremental() %}{% endif %} " * 500 + "a", "a"),
        ("{% if is_incremental() %}" + "{% elif x %}" * 20_000 + "{% endif %} a", "a"),
    ],
)
def test_arms_are_looked_for_in_no_more_places_than_there_are(raw: str, code: str) -> None:
    started = process_time()
    assert in_other_runs(code, raw, fill) is None
    assert process_time() - started < 5


def test_conditions_in_an_arm_lie_as_deep_as_they_like() -> None:
    started = process_time()
    arm = "where " + "(" * 50_000 + "a union b" + ")" * 50_000
    raw = "select 1 {% if is_incremental() %} " + arm + " {% endif %}"
    assert in_other_runs("select 1", raw, fill) == []
    ((run, _),) = in_other_runs("select 1", raw.replace(" {% end", " or b {% end"), fill) or []
    assert (run, process_time() - started < 5) == ("later", True)


def test_where_no_arm_is_found_it_is_said_and_no_relation_is_lost(tmp_path: Path) -> None:
    raw = "{% for x in [1] %}{% if is_incremental() %}{{ a() }}{% else %}{{ b() }}{% endif %}{% endfor %}"
    with Warehouse() as warehouse:
        report = warehouse.load(project(tmp_path, raw, LATER)).raise_for_errors()
        (said,) = [one for one in report.sql if one.status != "whole"]
        ends = [end.attribute for end in warehouse.lineage("inc.note").golden]
    assert ends == ["W.M.S.NOTE", "W.M.T.DAY", "W.M.T.ID", "W.M.T.NOTE"]
    assert said.message == (
        "a model that was compiled for one run, others not found in it: whatever is asked of it may come "
        "from any attribute of w.m.t"
    )


S = '"w"."m"."s"'


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        (f"(select * from {S} where false limit 0) as x", f"{S} as x"),
        ("(select * from __dbt__cte__e where false limit 0)", "__dbt__cte__e"),
        ("(select * from [w].[m].[s] where 1=0) _dbt_limit_subq_s", "[w].[m].[s] _dbt_limit_subq_s"),
        (f"(select * from {S} where day >= '2024-01-01 00:00' and day < '2024-01-02 00:00')", S),
        (f"(select * from {S} where day >= '2024-01-01' and day < x)", None),
        (f"(select * from {S} where false)", None),
        (f"(select * from {S})", None),
        (f"t, x as (select * from {S} where false limit 0)", None),
    ],
)
def test_a_part_of_a_relation_that_dbt_took_stands_for_all_of_it(part: str, whole: str | None) -> None:
    assert unlimited(f"select a from {part}", "select a from {{ ref('s') }}") == f"select a from {whole or part}"
    assert unlimited(f"select a from {part}", f"select a from {part}") == f"select a from {part}"


def test_what_is_filled_in_batches_has_the_rows_of_all(tmp_path: Path) -> None:
    folder = tmp_path / "compiled" / "p" / "models" / "inc"
    folder.mkdir(parents=True)
    for year in (2025, 2026):
        part = f"(select * from {S} where day >= '{year}-01-01 00:00' and day < '{year + 1}-01-01 00:00')"
        (folder / f"inc_{year}.sql").write_text(f"select id, note, day from {part}")
    with Warehouse() as warehouse:
        raw = "select id, note, day from {{ ref('s') }}"
        warehouse.load(project(tmp_path, raw, "")).raise_for_errors()
        (end,) = warehouse.lineage("late.note").golden
    assert (end.attribute, end.sql) == ("W.M.S.NOTE", "W.M.S.DAY < '2024-06-01'")
