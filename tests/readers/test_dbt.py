"""A compiled dbt project: its manifest as dbt 1.10 writes it, cut to what is read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mdw import Warehouse
from mdw.readers.dbt import read_project

SCHEMA = "https://schemas.getdbt.com/dbt/manifest/v12.json"


def node(name: str, code: str = "", **more: Any) -> dict[str, Any]:
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


def source(name: str, *columns: str) -> dict[str, Any]:
    return {
        "unique_id": f"source.shop.raw.{name}",
        "resource_type": "source",
        "relation_name": f'"wh"."raw"."{name}"',
        "columns": {column: {"name": column} for column in columns},
    }


def written(folder: Path, *nodes: dict[str, Any], catalogue: dict[str, Any] | None = None) -> Path:
    """A folder ``target`` with these nodes."""
    sources = {one["unique_id"]: one for one in nodes if one["resource_type"] == "source"}
    others = {one["unique_id"]: one for one in nodes if one["resource_type"] != "source"}
    manifest = {"metadata": {"dbt_schema_version": SCHEMA, "adapter_type": "duckdb"}, "nodes": others}
    target = folder / "target"
    target.mkdir()
    (target / "manifest.json").write_text(json.dumps({**manifest, "sources": sources}))
    if catalogue:
        (target / "catalog.json").write_text(json.dumps(catalogue))
    return target


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
        report = warehouse.load(written(tmp_path, *CLAIMS[::-1])).raise_for_errors()
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
    assert [error.hint for error in project.errors] == ["compile the project first: dbt compile"]


def test_what_is_not_compiled_or_not_sql_is_said_and_costs_nothing_else(tmp_path: Path) -> None:
    python = node("p", language="python", depends_on={"nodes": ["model.shop.good"]})
    with Warehouse() as warehouse:
        report = warehouse.load(written(tmp_path, node("bare"), python, node("good", "select 1 as a")))
        said = [str(error) for error in report.errors]
        assert any("models/bare.sql:1:1: a model without compiled code" in one for one in said)
        assert any("a model in python: what it makes of model.shop.good is not known" in one for one in said)
        assert [one.value for one in warehouse.lineage("good.a").constants] == ["1"]


@pytest.mark.parametrize("text", ["{", '["dbt_schema_version"]', '{"metadata": {"dbt_schema_version": ""'])
def test_a_manifest_that_cannot_be_read_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text + " dbt_schema_version")
    with Warehouse() as warehouse:
        (error,) = warehouse.load(tmp_path).errors
        assert "manifest.json" in str(error)
