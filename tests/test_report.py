"""Statements of SQL are kept in the store, one graph for each file, and summed up: nothing is silently empty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import ROOT
from pyshacl import validate
from rdflib import Graph

from mdw import Report, Warehouse
from mdw.cli import run
from mdw.resources import ONTOLOGY

CLAIMS = ROOT / "data" / "claims"
FILES = {
    "core/v.sql": "CREATE VIEW v AS SELECT x, y FROM s;\nCREATE VIEW w AS SELECT z FROM {{ ref('u') }};\n",
    "core/bad.sql": "CREATE VIEW u AS\n  SELECT a FRM b c d;\nCALL load_all();\nVACUUM t;\n",
    "mart/none.sql": "-- nothing yet\n",
}
HELD = "SELECT ?s ?p ?o WHERE { GRAPH ?g { ?g a mdw:Script . ?s ?p ?o } } ORDER BY ?s ?p ?o"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / "sql" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sql" / name).write_text(text)
    return tmp_path / "sql"


def test_statements_are_kept_with_their_places_and_texts(folder: Path) -> None:
    with Warehouse() as warehouse:
        loaded = warehouse.load(folder)
        report = warehouse.report()
    first, second = [one for one in report.statements if one.location.file == "core/v.sql"]
    assert (first.kind, first.status, first.target, first.reads, first.writes) == (
        ("create view", "whole", "V", ("S",), ("V",))
    )
    assert first.text == "CREATE VIEW v AS SELECT x, y FROM s"
    assert first.start == ("core/v.sql", 1, 1) and first.end == ("core/v.sql", 1, 36)
    assert (second.status, second.unresolved) == ("partial", ("{{ ref('u') }}",))
    assert second.text.endswith("{{ ref('u') }}")
    # The same is told when they are loaded.
    assert sorted((one.location, one.status, one.message) for one in loaded.sql) == [
        (one.location, one.status, one.message) for one in sorted(report.statements, key=lambda one: one.location)
    ]


def test_the_report_sums_up_by_folder_and_by_cause(folder: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(folder)
        report = warehouse.report()
    assert report.statuses == {"whole": 1, "partial": 1, "opaque": 2, "failed": 1}
    assert [(one.folder, one.files, one.statuses.get("opaque", 0)) for one in report.folders] == [
        ("core", 2, 2),
        ("mart", 1, 0),
    ]
    assert report.empty == ("mart/none.sql",)
    causes = {(one.status, one.cause): one.count for one in report.causes}
    assert causes == {
        ("partial", "not resolved"): 1,
        ("failed", "not expected here"): 1,
        ("opaque", "a call of which the body is not known"): 1,
        ("opaque", "VACUUM is not followed"): 1,
    }
    said = str(report)
    assert "5 SQL statements: 1 whole, 1 partial, 2 opaque, 1 failed in 3 files" in said
    assert "core/bad.sql:2:16: failed: not expected here: b\n      SELECT a FRM b c d\n" in said
    assert (
        said.splitlines()[[line.strip() for line in said.splitlines()].index("SELECT a FRM b c d") + 1].index("^") == 19
    )
    assert "1 file without any statement:\n  mart/none.sql" in said


def test_what_is_loaded_again_is_replaced_and_what_is_removed_is_gone(folder: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(folder)
        before = warehouse.query_text(HELD)
        again = warehouse.load(folder)
        assert (again.loaded, again.replaced, again.unchanged) == (0, 0, 2)
        assert warehouse.query_text(HELD) == before
        (folder / "core/v.sql").write_text("CREATE VIEW v AS SELECT x FROM s")
        warehouse.load(folder)
        assert [one.text for one in warehouse.report().statements if one.location.file == "core/v.sql"] == [
            "CREATE VIEW v AS SELECT x FROM s"
        ]
        warehouse.remove(*[one.name for one in warehouse.mappings() if one.file == "core/v.sql"])
        assert "core/v.sql" not in warehouse.report().files


def test_a_script_stays_while_one_of_its_mappings_does(folder: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(folder)
        first, second = [one.name for one in warehouse.mappings() if one.file == "core/v.sql"]
        warehouse.remove(first)
        assert "core/v.sql" in warehouse.report().files
        warehouse.remove(second)
        assert "core/v.sql" not in warehouse.report().files


def test_statements_come_back_from_an_export(folder: Path, tmp_path: Path) -> None:
    with Warehouse() as warehouse, Warehouse() as other:
        warehouse.load(folder)
        warehouse.export("nquads", tmp_path / "all.nq")
        report = other.load(tmp_path / "all.nq")
        assert (report.loaded, report.statements) == (2, 0)
        assert other.report() == warehouse.report()


def test_the_graph_of_a_script_keeps_to_its_shape(folder: Path) -> None:
    with Warehouse() as warehouse:
        warehouse.load(folder, CLAIMS, dialect="snowflake")
        graph = Graph().parse(
            data=warehouse.query_text("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?g a mdw:Script . ?s ?p ?o } }")
        )
        statements = len(warehouse.report().statements)
    assert statements == 12 and len(graph) < 11 * statements
    conforms, _, text = validate(graph, shacl_graph=Graph().parse(ONTOLOGY / "shapes.ttl"))
    assert conforms, text


def test_a_report_of_the_command_line(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "wh.mdw")
    run(["load", str(folder), "--store", store])
    capsys.readouterr()
    assert run(["report", "--store", store, "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["statuses"] == {"whole": 1, "partial": 1, "opaque": 2, "failed": 1}
    assert {one["location"] for one in told["unclear"] if one["status"] == "failed"} == {"core/bad.sql:2:16"}


def test_without_sql_there_is_nothing_to_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "bank.mdw")
    run(["load", str(ROOT / "data/bank"), "--store", store])
    capsys.readouterr()
    assert run(["report", "--store", store]) == 1
    assert capsys.readouterr().out == "no SQL was loaded\n"
    assert str(Report((), ())) == "no SQL was loaded"


def test_what_a_dbt_project_does_not_show_is_told_too(tmp_path: Path) -> None:
    # The bank as a dbt project has models in other languages, hooks and files that tell nothing.
    with Warehouse() as warehouse:
        loaded = warehouse.load(ROOT / "data/bank_dbt/target")
        report = warehouse.report()
    assert len(loaded.sql) > 30
    assert sorted((one.location, one.status) for one in loaded.sql) == sorted(
        (one.location, one.status) for one in report.statements
    )
