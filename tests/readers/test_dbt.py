"""A compiled dbt project: its manifest as dbt 1.10 writes it, cut to what is read."""

from __future__ import annotations

import json
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from mdw import Warehouse
from mdw.readers.dbt.code import filled, macros_only, model
from mdw.readers.dbt.manifest import DbtNode, read_manifest
from mdw.readers.dbt.project import read_project

SCHEMA = "https://schemas.getdbt.com/dbt/manifest/v12.json"


def node(name: str, code: str = "", /, **more: Any) -> dict[str, Any]:
    """A model of a manifest."""
    return {
        "unique_id": f"model.shop.{name}",
        "resource_type": "model",
        "name": name,
        "original_file_path": f"models/{name}.sql",
        "relation_name": f'"wh"."main"."{name}"',
        "compiled_code": code,
        "config": {"materialized": "view"},
        "language": "sql",
        "columns": {},
        "depends_on": {"nodes": []},
        **more,
    }


def source(name: str, /, *columns: str, **more: Any) -> dict[str, Any]:
    return {
        "unique_id": f"source.shop.raw.{name}",
        "resource_type": "source",
        "name": name,
        "relation_name": f'"wh"."raw"."{name}"',
        "columns": {column: {"name": column, "data_type": "text"} for column in columns},
        **more,
    }


def written(
    folder: Path,
    *nodes: dict[str, Any],
    catalogue: dict[str, Any] | None = None,
    adapter: str = "duckdb",
    project: str | None = None,
    disabled: dict[str, Any] | None = None,
) -> Path:
    """A folder ``target`` with these nodes."""
    metadata = {"dbt_schema_version": SCHEMA, "adapter_type": adapter, "project_name": project}
    parts: dict[str, Any] = {"sources": {}, "nodes": {}, "exposures": {}}
    for one in nodes:
        kind = one["resource_type"]
        parts[f"{kind}s" if kind in ("source", "exposure") else "nodes"][one["unique_id"]] = one
    target = folder / "target"
    target.mkdir()
    manifest = {"metadata": metadata, **parts, "disabled": disabled or {}}
    (target / "manifest.json").write_text(json.dumps(manifest))
    if catalogue:
        (target / "catalog.json").write_text(json.dumps(catalogue))
    return target


def listed(*columns: str, **more: Any) -> dict[str, Any]:
    """What a catalogue has of a relation."""
    told = {name: {"name": name, "index": at, "type": "text", **more} for at, name in enumerate(columns, 1)}
    return {"columns": told}


CLAIMS = [
    source("medical", "id", "paid"),
    source("pharmacy", "id", "paid"),
    node("claim", """select *, 'medical' as kind from "wh"."raw"."medical"
union all
select *, 'pharmacy' as kind from "wh"."raw"."pharmacy\""""),
    node("spend", """select sum(paid) as paid
from "wh"."main"."claim" where kind = 'medical'"""),
]  # fmt: skip


def test_models_are_read_with_their_conditions_in_whatever_order(tmp_path: Path) -> None:
    with Warehouse() as warehouse:
        known = {f"source.shop.raw.{name}": listed("id", "paid") for name in ("medical", "pharmacy")}
        target = written(tmp_path, *CLAIMS[::-1], catalogue={"sources": known})
        report = warehouse.load(target).raise_for_errors()
        assert {one.status for one in report.sql} == {"whole"}
        answer = warehouse.lineage("spend.paid")
    assert [end.attribute for end in answer.golden] == ["WH.RAW.MEDICAL.PAID"]
    (left,) = [one for one in answer.dropped if one.step.source == "WH.RAW.PHARMACY.PAID"]
    places = [str(rule.location).rpartition(":")[0] for rule in left.because]
    assert places == ["models/claim.sql:3", "models/spend.sql:2"]


def test_columns_of_the_catalogue_count_more_than_those_described(tmp_path: Path) -> None:
    known = {
        "sources": {"source.shop.raw.s": {"columns": {"B": {"name": "b", "index": 2}, "A": {"name": "a", "index": 1}}}}
    }
    target = written(tmp_path, source("s", "x"), node("m", 'select * from "wh"."raw"."s"'), catalogue=known)
    with Warehouse() as warehouse:
        warehouse.load(target).raise_for_errors()
        assert warehouse.entity("WH.MAIN.M").attributes == ("WH.MAIN.M.A", "WH.MAIN.M.B")


@pytest.mark.parametrize("case", ["described", "old", "new", "contract", "undated"])
def test_a_column_that_nobody_listed_is_not_lost(case: str, tmp_path: Path) -> None:
    """Rule Q23: half a dictionary gives no less than none; a catalogue of before knows no column that came since."""
    times = {"old": "2024-05-01T10:00:00.1Z", "new": "2024-05-03T10:00:00.1Z"}
    catalogue = {"metadata": {"generated_at": times.get(case)}, "sources": {"source.shop.raw.s": listed("a")}}
    code = 'with s as (select * from "wh"."raw"."s" where a > 0) select a, late from s'
    first = source("s", "a")
    if case == "contract":
        model = node("s", "", language="python", columns=first["columns"], config={"contract": {"enforced": True}})
        first = {**model, "relation_name": '"wh"."raw"."s"'}
    target = written(
        tmp_path, first, node("m", code), catalogue=None if case in ("described", "contract") else catalogue
    )
    path = target / "manifest.json"
    manifest = json.loads(path.read_text())
    path.write_text(
        json.dumps({**manifest, "metadata": {**manifest["metadata"], "generated_at": "2024-05-02T10:00:00Z"}})
    )
    with Warehouse() as warehouse:
        warehouse.load(target).raise_for_errors()
        ends = [end.attribute for end in warehouse.lineage("m.late").golden]
    assert ends == (["WH.RAW.S.LATE"] if case in ("described", "old") else [])


@pytest.mark.parametrize("catalogued", [True, False])
def test_fields_of_structs_are_no_columns(catalogued: bool, tmp_path: Path) -> None:
    """BigQuery lists them beside the column that they are in."""
    names = ("id", "home", "home.city", "home.at.x", "own.name")
    known = {"sources": {"source.shop.raw.s": listed(*names)}} if catalogued else None
    target = written(tmp_path, source("s", *names), adapter="bigquery", catalogue=known)
    with Warehouse() as warehouse:
        warehouse.load(target).raise_for_errors()
        found = [name.removeprefix("WH.RAW.S.") for name in warehouse.entity("WH.RAW.S").attributes]
    assert found == ["ID", "HOME", "`own.name`"]


def test_ephemeral_models_stand_in_the_code_of_others(tmp_path: Path) -> None:
    code = 'with __dbt__cte__e as (select a from "wh"."raw"."s") select a from __dbt__cte__e'
    ephemeral = node("e", 'select a from "wh"."raw"."s"', relation_name=None, config={"materialized": "ephemeral"})
    with Warehouse() as warehouse:
        warehouse.load(written(tmp_path, ephemeral, node("m", code))).raise_for_errors()
        answer = warehouse.lineage("m.a")
    assert [(step.source, step.target) for step in answer.steps] == [("WH.RAW.S.A", "WH.MAIN.M.A")]


def test_code_that_the_manifest_lacks_is_taken_from_the_file_it_was_compiled_into(tmp_path: Path) -> None:
    target = written(tmp_path, node("m", compiled_path="target/compiled/shop/models/m.sql"))
    (target / "compiled" / "shop" / "models").mkdir(parents=True)
    (target / "compiled" / "shop" / "models" / "m.sql").write_text('select a from "wh"."raw"."s"')
    (file,) = read_project(target).files
    assert file.text and file.text.endswith('select a from "wh"."raw"."s"')


@pytest.mark.parametrize("path", ["../secret.sql", "target/compiled/../../secret.sql", "/etc/passwd"])
def test_paths_of_a_manifest_stay_within_its_folder(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.sql").write_text("select secret from s")
    project = read_project(written(tmp_path, node("m", compiled_path=path)))
    assert project.files == ()
    assert [one.relation for one in project.unknown] == ['"wh"."main"."m"']


def test_whatever_is_asked_of_code_that_is_not_followed_may_come_from_all_it_depends_on(tmp_path: Path) -> None:
    """Models in Python and such as nobody compiled; the columns of the latter are those others ask for."""
    nodes = [
        source("s", "a", "b"),
        node("p", language="python", depends_on={"nodes": ["source.shop.raw.s"]}, columns={"x": {"name": "x"}}),
        node("bare", depends_on={"nodes": ["model.shop.p"]}),
        node("m", 'select y from "wh"."main"."bare" where z > 1'),
    ]
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, *nodes)).raise_for_errors()
        said = {one.target: one.message for one in report.sql if one.status == "opaque"}
        assert [end.attribute for end in warehouse.lineage("m.y").golden] == ["WH.RAW.S.A", "WH.RAW.S.B"]
    assert said == {
        "wh.main.p": "a model in python: whatever is asked of it may come from any attribute of wh.raw.s",
        "wh.main.bare": "a model without compiled code (compile the project first: dbt compile): "
        "whatever is asked of it may come from any attribute of wh.main.p",
    }


@pytest.mark.parametrize(
    ("written", "compiled", "line"),
    [
        ("select a" + "\n" * 20_000 + "from {{ ref('t') }}", "select a,1 as c\n" + "\n" * 20_000 + "from t", 20_001),
        (
            "select a from t where b in ({{ many() }}) or",
            "select a from t where b in (" + "1,\n" * 300_000 + "2) or",
            1,
        ),
    ],
)
def test_many_lines_that_are_alike_are_laid_out_at_once(written: str, compiled: str, line: int) -> None:
    found = DbtNode("model.p.m", "model", "m", "p", "m.sql", "m", compiled, written, "sql", {}, (), "", ())
    started = process_time()
    text = model(found)
    assert process_time() - started < 5
    assert text.count("\n") + 1 == line
    assert text.split() == ["CREATE", "VIEW", "m", "AS", *compiled.split()]


@pytest.mark.parametrize(
    ("hook", "only"),
    [
        ("{{ grants() }}" * 50, True),
        ("{{ grants() }}" * 50 + " delete from t", False),
        ("{% if x %} {{ a('}}') }}; {# delete #} {% endif %}", True),
        ("{{" * 50_000, False),
        ("{%" * 50_000, False),
    ],
)
def test_hooks_of_many_macros_are_told_from_statements_at_once(hook: str, only: bool) -> None:
    started = process_time()
    assert macros_only(hook) == only
    assert process_time() - started < 5


def test_hooks_are_statements_of_their_model(tmp_path: Path) -> None:
    hook = "{% if true %}update {{ this }} set a = s.late from {{ source('raw', 's') }} as s where s.id = 1{% endif %}"
    hooks = {"post-hook": [{"sql": hook}], "pre-hook": [{"sql": "{{ grants() }}"}], "materialized": "table"}
    start = {"resource_type": "operation", "tags": ["on-run-start"], "original_file_path": "./dbt_project.yml"}
    nodes = [
        source("s", "id", "a", "late", source_name="raw"),
        node("m", 'select a from "wh"."raw"."s"', config=hooks),
        node("shop-on-run-start-0", relation_name=None, raw_code="create table log as select 1 as one", **start),
    ]
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, *nodes)).raise_for_errors()
        assert [end.attribute for end in warehouse.lineage("m.a").golden] == ["WH.RAW.S.A", "WH.RAW.S.LATE"]
    places = {str(one.location): (one.kind, one.status) for one in report.sql}
    assert places["models/m.sql (post-hook):1:14"][1] == "whole"
    assert places["models/m.sql (pre-hook):1:1"] == ("hook", "opaque")
    assert places["dbt_project.yml (on-run-start):1:1"] == ("create table", "whole")


@pytest.mark.parametrize(
    ("words", "relation"),
    [
        ("{{ this }}", '"wh"."main"."m"'),
        ("{{ this.schema }}.{{ this.name }}", "main.m"),
        ("{{ ref('n') }}", '"wh"."main"."n"'),
        ("{{- ref('shop', 'n') -}}", '"wh"."main"."n"'),
        ("{{ ref('v') }}", '"wh"."main"."v_v2"'),
        ("{{ ref('v', v=1) }}", '"wh"."main"."v_v1"'),
        ('{{ source("raw", "s") }}', '"wh"."raw"."s"'),
        ("{{ ref('nobody') }}", "{{ ref('nobody') }}"),
    ],
)
def test_names_in_hooks_are_those_of_the_manifest(tmp_path: Path, words: str, relation: str) -> None:
    versions = [
        node(f"v.v{number}", name="v", relation_name=f'"wh"."main"."v_v{number}"', version=number, latest_version=2)
        for number in (1, 2)
    ]
    target = written(tmp_path, source("s", source_name="raw"), node("m"), node("n", package_name="shop"), *versions)
    manifest = read_manifest(target)
    assert filled(words, manifest.nodes["model.shop.m"], manifest) == relation


def test_snapshots_have_the_columns_dbt_adds(tmp_path: Path) -> None:
    """When a row began to hold is what its `updated_at` says; without one, the clock of a run of dbt says it."""

    def taken(name: str, **config: Any) -> dict[str, Any]:
        more = {"resource_type": "snapshot", "unique_id": f"snapshot.shop.{name}"}
        return node(name, 'select id, a, at from "wh"."raw"."s" -- all', config={"unique_key": "id", **config}, **more)

    renamed = {"dbt_valid_to": "gone", "dbt_valid_from": None}
    nodes = [
        source("s", "id", "a", "at"),
        taken("h", strategy="timestamp", updated_at="at"),
        taken("c", strategy="check", check_cols=["a"], snapshot_meta_column_names=renamed, hard_deletes="new_record"),
        node("now", 'select * from "wh"."main"."h" where dbt_valid_to is null'),
    ]
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, *nodes)).raise_for_errors()
        assert {one.status for one in report.sql} == {"whole"}
        for name, sources in [("dbt_valid_from", ["AT"]), ("dbt_valid_to", ["AT"]), ("dbt_scd_id", ["AT", "ID"])]:
            ends = warehouse.lineage(f"now.{name}").golden
            assert [end.attribute for end in ends] == [f"WH.RAW.S.{source}" for source in sources]
        assert warehouse.lineage("c.dbt_valid_from").generated and warehouse.lineage("c.gone").generated
        assert "WH.MAIN.C.DBT_IS_DELETED" in warehouse.entity("WH.MAIN.C").attributes


BY_TIME = {"strategy": "timestamp", "updated_at": "at"}
BY_COLUMNS = {"strategy": "check", "check_cols": ["a"], "updated_at": "at"}


@pytest.mark.parametrize(
    ("config", "clock", "column", "told"),
    [
        (BY_COLUMNS, False, "dbt_valid_from", True),
        ({**BY_COLUMNS, "hard_deletes": "ignore"}, False, "dbt_valid_from", True),
        (BY_TIME, False, "dbt_valid_to", False),
        ({**BY_TIME, "hard_deletes": "invalidate"}, True, "dbt_valid_to", False),
        ({**BY_TIME, "invalidate_hard_deletes": True}, True, "dbt_valid_to", False),
        ({**BY_TIME, "hard_deletes": "new_record"}, True, "dbt_valid_from", False),
    ],
)
def test_when_a_snapshots_row_begins_and_ends(
    config: dict[str, Any], clock: bool, column: str, told: bool, tmp_path: Path
) -> None:
    """A row found gone ends when dbt ran, and so begins the record of that: of neither `updated_at` tells anything."""
    taken = {"resource_type": "snapshot", "unique_id": "snapshot.shop.h", "config": {"unique_key": "id", **config}}
    nodes = [
        source("s", "id", "a", "at"),
        node("h", """select id, a, at from "wh"."raw"."s" where at < '2030-01-01'""", **taken),
        node("late", f"""select a from "wh"."main"."h" where {column} > '2024-01-01'"""),
    ]
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, *nodes)).raise_for_errors()
        assert {one.status for one in report.sql} == {"whole"}
        answer = warehouse.lineage(f"h.{column}")
        assert [end.attribute for end in answer.golden] == ["WH.RAW.S.AT"]
        assert bool(answer.generated) == clock
        (end,) = warehouse.lineage("late.a").golden
    assert end.attribute == "WH.RAW.S.A"
    assert end.sql.startswith("""WH.RAW.S."AT" > '2024-01-01'""") == told


def test_exposures_are_where_values_go_in_the_end(tmp_path: Path) -> None:
    exposure = {"unique_id": "exposure.shop.paper", "resource_type": "exposure", "name": "paper"}
    uses = {"depends_on": {"nodes": ["model.shop.spend", "source.shop.raw.medical"]}, "original_file_path": "e.yml"}
    with Warehouse() as warehouse:
        warehouse.load(written(tmp_path, *CLAIMS, {**exposure, **uses})).raise_for_errors()
        answer = warehouse.impact("WH.RAW.MEDICAL.PAID")
        assert [end.attribute for end in answer.final] == ["EXPOSURE.PAPER.PAID"]
        assert "e.yml (paper of spend):exposure.paper" in {one.name for one in warehouse.mappings()}


def test_an_incremental_model_reads_what_it_made_before(tmp_path: Path) -> None:
    """Rule Q19: neither what it was filled from is lost, nor what it had where nothing else fills it."""
    config = {"materialized": "incremental"}
    code = 'select a, at from "wh"."raw"."s" where at > (select max(at) from "wh"."main"."m")'
    nodes = [
        source("s", "a", "at"),
        node("m", code, config=config),
        node("kept", 'select * from "wh"."main"."kept" where a > 0', config=config),
    ]
    known = {"nodes": {"model.shop.kept": {"columns": {"a": {"name": "a", "index": 1}}}}}
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, *nodes, catalogue=known)).raise_for_errors()
        assert {one.status for one in report.sql} == {"whole"}
        assert [end.attribute for end in warehouse.lineage("m.a").golden] == ["WH.RAW.S.A"]
        assert [end.attribute for end in warehouse.lineage("kept.a").golden] == ["WH.MAIN.KEPT.A"]


@pytest.mark.parametrize(
    "code",
    [
        """select a, at from "wh"."raw"."s" where a = 'x' and at > (select max(at) from "wh"."main"."m")""",
        """with last as (select max(at) as at from "wh"."main"."m"), far as (select * from last)
        select a, at from "wh"."raw"."s" where a = 'x' and at > (select at from far)""",
        """with last as (select max(at) as at from "wh"."main"."m")
        select s.a, s.at from "wh"."raw"."s" cross join last where s.a = 'x' and s.at > last.at""",
    ],
)
def test_a_first_load_asks_nothing_of_what_was_there(tmp_path: Path, code: str) -> None:
    """Rule Q19: rows that came before anybody asked what the model held are not left out."""
    two = """select a, at from "wh"."main"."m" where at < '2020-01-01'"""
    nodes = [source("s", "a", "at"), node("m", code, config={"materialized": "incremental"}), node("u", two)]
    never = node("none", code.replace("'x'", "'x' and a = 'y'"), relation_name='"wh"."main"."n"')
    with Warehouse() as warehouse:
        warehouse.load(written(tmp_path, *nodes, never)).raise_for_errors()
        (end,) = warehouse.lineage("u.a").golden
        assert end.attribute == "WH.RAW.S.A"
        assert "S.A = 'x'" in end.sql and 'S."AT" < ' in end.sql
        # No SQL runs that asks for a parameter; the condition tells it.
        assert "FIRST_LOAD" in end.condition.upper() and "FIRST_LOAD" not in end.sql.upper()
        assert warehouse.lineage("n.a").golden == ()


def test_a_seed_nobody_described_has_the_columns_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "s.csv").write_text("id;order\n1;2\n")
    seed = {"resource_type": "seed", "config": {"delimiter": ";"}, "original_file_path": "seeds/s.csv"}
    with Warehouse() as warehouse:
        target = written(tmp_path, node("s", **seed), node("m", 'select * from "wh"."main"."s"'))
        assert {one.status for one in warehouse.load(target).raise_for_errors().sql} == {"whole"}
        assert warehouse.entity("WH.MAIN.M").attributes == ("WH.MAIN.M.ID", "WH.MAIN.M.ORDER")


def test_models_of_packages_and_of_one_name_are_told_apart(tmp_path: Path) -> None:
    other = node("m", "select 2 as a", unique_id="model.kit.m", package_name="kit", relation_name='"wh"."kit"."m"')
    project = read_project(written(tmp_path, node("m", "select 1 as a", package_name="shop"), other, project="shop"))
    assert [one.name for one in project.files] == ["models/m.sql", "dbt_packages/kit/models/m.sql"]


@pytest.mark.parametrize(
    ("adapter", "dialect"),
    [("redshift", "redshift"), ("sqlserver", "sqlserver"), ("glue", "spark"), ("nosuch", "ansi"), ("", "ansi")],
)
def test_the_adapter_tells_the_dialect(tmp_path: Path, adapter: str, dialect: str) -> None:
    project = read_project(written(tmp_path, adapter=adapter))
    assert project.dialect == dialect
    assert bool(project.notes) == (adapter == "nosuch")


def test_lines_are_those_of_the_file_that_somebody_wrote(tmp_path: Path) -> None:
    """A block of `config` leaves an empty line of the many it has, a macro many for one."""
    raw = "{{ config(\n  materialized='table'\n) }}\n\nselect a,\n  {{ twice('b') }} as b,\n  c\nfrom s"
    model = node("m", "\n\nselect a,\n  case when b = 'x'\n    then b\n  end as b,\n  c\nfrom s", raw_code=raw)
    (file,) = read_project(written(tmp_path, model)).files
    lines = ["select a,\n", "  case when b = 'x' then b end as b,\n", "  c\n", "from s"]
    assert list(file.lines())[4:] == lines


def test_what_makes_no_rows_is_counted(tmp_path: Path) -> None:
    tests = [node(f"t{number}", resource_type="test", unique_id=f"test.shop.t{number}") for number in (1, 2)]
    analysis = node("a", resource_type="analysis", unique_id="analysis.shop.a")
    project = read_project(written(tmp_path, *tests, analysis, disabled={"model.shop.old": [{}]}))
    assert project.notes == ("not loaded, since they make no rows: 2 tests, 1 analysis, 1 disabled node",)


def test_rows_that_a_test_keeps_come_from_what_it_tests(tmp_path: Path) -> None:
    code = """select a from "wh"."raw"."s" where a = 'x'"""
    kept = {"resource_type": "test", "unique_id": "test.shop.kept", "config": {"store_failures": True}}
    nodes = [node("kept", code, **kept), node("t", code, **{**kept, "unique_id": "test.shop.t"}, relation_name=None)]
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, source("s", "a"), *nodes)).raise_for_errors()
        (end,) = warehouse.lineage("kept.a").golden
    assert (end.attribute, end.sql) == ("WH.RAW.S.A", "WH.RAW.S.A = 'x'")
    assert report.notes == ("not loaded, since they make no rows: 1 test",)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"database": "wh", "schema": "main", "alias": "called"}, "WH.MAIN.CALLED"),
        ({"database": None, "schema": "main", "alias": None}, "MAIN.M"),
        ({"database": "wh", "schema": "a b", "alias": "m"}, ""),
        ({"database": "wh", "schema": "main", "config": {"materialized": "ephemeral"}}, ""),
    ],
)
def test_a_relation_without_a_name_is_called_by_what_it_is_made_of(
    more: dict[str, Any], found: str, tmp_path: Path
) -> None:
    model = node("m", 'select a from "wh"."raw"."s"', relation_name=None, **more)
    with Warehouse() as warehouse:
        warehouse.load(written(tmp_path, source("s", "a"), model)).raise_for_errors()
        assert warehouse.attributes() == ((f"{found}.A", "WH.RAW.S.A") if found else ())


@pytest.mark.parametrize("mirror", [True, False])
def test_what_is_said_of_a_model_is_of_the_project_that_was_loaded_last(mirror: bool, tmp_path: Path) -> None:
    """A model may become SQL, become Python again, and go."""

    def load(warehouse: Warehouse, number: int, *models: dict[str, Any]) -> dict[str, str]:
        folder = tmp_path / str(number)
        folder.mkdir()
        target = written(folder, source("s", "a"), *models, node("u", 'select a from "wh"."raw"."s"'))
        place = tmp_path / "target"
        place.mkdir(exist_ok=True)
        (place / "manifest.json").write_text((target / "manifest.json").read_text())
        warehouse.load(place, mirror=mirror).raise_for_errors()
        return {str(one.location): one.status for one in warehouse.report().statements}

    python = node("m", language="python", depends_on={"nodes": ["source.shop.raw.s"]})
    hooked = node("h", 'select a from "wh"."raw"."s"', config={"pre-hook": "{{ grants() }}"})
    whole = {"models/u.sql:1:1": "whole"}
    with Warehouse() as warehouse:
        assert load(warehouse, 1, python) == {"models/m.sql:1:1": "opaque", **whole}
        assert load(warehouse, 2, node("m", "select 1 as a")) == {"models/m.sql:1:1": "whole", **whole}
        assert load(warehouse, 3, python, hooked) == {
            "models/m.sql:1:1": "opaque",
            "models/h.sql:1:1": "whole",
            "models/h.sql (pre-hook):1:1": "opaque",
            **whole,
        }
        if mirror:
            assert load(warehouse, 4) == whole
            assert load(warehouse, 5, python) == {"models/m.sql:1:1": "opaque", **whole}


def test_a_project_is_told_to_be_compiled(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text("name: shop")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "m.sql").write_text("select * from {{ ref('n') }}")
    with Warehouse() as warehouse:
        (error,) = warehouse.load(tmp_path).errors
        assert str(error).splitlines()[0].endswith("is a dbt project without a folder target")
        assert error.hint == "compile the project first: dbt compile"
        target = written(tmp_path, *CLAIMS)
        for one in (tmp_path, target, target / "manifest.json"):
            assert warehouse.load(one).raise_for_errors().mappings == 3


@pytest.mark.parametrize("text", ["{", '["dbt_schema_version"]', '{"metadata": {"dbt_schema_version": ""'])
def test_a_manifest_that_cannot_be_read_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text + " dbt_schema_version")
    with Warehouse() as warehouse:
        (error,) = warehouse.load(tmp_path).errors
        assert "manifest.json" in str(error)
