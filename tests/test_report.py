"""Statements of SQL are kept in the store, one graph for each file, and summed up: nothing is silently empty."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import ROOT
from pyshacl import validate
from rdflib import Graph

from mdw import QuestionError, Report, Warehouse
from mdw.cli import run
from mdw.render.statements import report_text
from mdw.resources import ONTOLOGY

CLAIMS = ROOT / "data" / "claims"
FILES = {
    "core/v.sql": "CREATE VIEW v AS SELECT x, y FROM s;\nCREATE VIEW w AS SELECT z FROM {{ ref('u') }};\n",
    "core/bad.sql": "CREATE VIEW u AS\n  SELECT a FRM b c d;\nCALL load_all();\nALTER SCHEMA a RENAME TO b;\n",
    "mart/none.sql": "-- nothing yet\n",
}
HELD = "SELECT ?s ?p ?o WHERE { GRAPH ?g { ?g a mdw:Script . ?s ?p ?o } } ORDER BY ?s ?p ?o"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "sql", **FILES)
    return tmp_path / "sql"


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


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
    assert [(one.name, one.files, one.statuses.get("opaque", 0)) for one in report.folders] == [
        ("core", 2, 2),
        ("mart", 1, 0),
    ]
    assert report.empty == ("mart/none.sql",)
    causes = {(one.kind, one.status, one.cause): (one.count, one.names) for one in report.causes}
    assert causes == {
        ("assumed", "partial", "not resolved"): (1, ("{{ ref('u') }}",)),
        ("not parsed", "failed", "not expected here"): (1, ("b",)),
        ("opaque", "opaque", "a call of which the body is not known"): (1, ("load_all",)),
        ("opaque", "opaque", "ALTER is not followed"): (1, ()),
        ("unknown table", "whole", "tables whose columns nothing tells"): (1, ("S",)),
    }
    assert [(one.statements, one.says) for one in report.help] == [
        (1, "if it moves data, say what it does in mapping text, and load that beside it"),
        (1, "it was read as ansi SQL: mend it, or say in which dialect it is written (--dialect)"),
        (1, "load the files that make load_all"),
        (1, "load what templates become, such as the compiled files of dbt"),
    ]
    said = str(report)
    assert "5 SQL statements: 1 whole, 1 partial, 2 opaque, 1 failed in 3 files" in said
    assert "core/bad.sql:2:16: failed: not expected here: b\n      SELECT a FRM b c d\n" in said
    assert (
        said.splitlines()[[line.strip() for line in said.splitlines()].index("SELECT a FRM b c d") + 1].index("^") == 19
    )
    assert "1 file without any statement:\n  mart/none.sql" in said


def test_what_would_help_is_counted_statement_by_statement(tmp_path: Path) -> None:
    """One template among columns nobody can place, one cause in two dialects: each is told what helps it."""
    write(
        tmp_path,
        **{
            "a.oracle.sql": "CREATE VIEW a AS SELECT x FROM {{ ref('u') }};\nCREATE VIEW b AS SELECT y FROM t, u;\n",
            "b.oracle.sql": "CREATE VIEW c AS SELECT (a FROM t",
            "c.tsql.sql": "CREATE VIEW d AS SELECT (a FROM t",
        },
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        report = warehouse.report()
    says = {one.says: one.statements for one in report.help if "dictionary" not in one.says}
    mend = "SQL: mend it, or say in which dialect it is written (--dialect)"
    assert says == {
        "load what templates become, such as the compiled files of dbt": 1,
        f"it was read as oracle {mend}": 1,
        f"it was read as tsql {mend}": 1,
    }
    assert [(one.count, one.hint) for one in report.causes if one.kind != "unknown table"] == [(2, ""), (2, "")]
    assert "missing: ) before FROM" in str(report)


def test_a_report_fits_the_width_and_breaks_no_name_of_a_file(tmp_path: Path) -> None:
    files = [f"a_long_folder/and_file_{number}.sql" for number in range(3)]
    write(tmp_path, **dict.fromkeys(files, "CREATE VIEW v AS SELECT x, y FROM raw.first a, raw.second b"))
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        report = warehouse.report()
    for width in (80, 120):
        told = report_text(report, width)
        assert max(map(len, told.splitlines())) <= width
        assert all(f"{name}:1" in told for name in files)


def test_columns_that_tables_do_not_have_are_reported(tmp_path: Path) -> None:
    """Mistyped ones, in the column list and the filter; what a database adds is none, nor is what nobody tells of."""
    write(
        tmp_path,
        **{
            "a.sql": "CREATE VIEW w AS SELECT t.nmae, t.id FROM core.t t;\n\n"
            "CREATE VIEW ok AS SELECT t.name FROM core.t t;\n"
            "CREATE VIEW r AS SELECT t.rowid AS r, o.x FROM core.t t, raw.other o;\n"
            "CREATE VIEW u AS SELECT v.id FROM core.v v\nWHERE v.nam = 'x';\n",
            "t.sql": "CREATE TABLE core.t (id INT, name VARCHAR(9));\n"
            "CREATE VIEW core.v AS SELECT id, name FROM core.t;",
        },
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle").raise_for_errors()
        report = warehouse.report()
        (cause,) = [one for one in report.causes if one.kind == "unknown column"]
        assert (cause.names, [one.target for one in cause.statements]) == (("CORE.T.NMAE", "CORE.V.NAM"), ["W", "U"])
        assert "columns that their tables do not have: CORE.T.NMAE and" in str(report)


def test_a_report_of_a_folder_or_a_dialect(tmp_path: Path) -> None:
    write(
        tmp_path,
        **{
            "etl/a/v.hive.sql": "CREATE VIEW v AS SELECT x FROM s",
            "etl/b/w.bigquery.sql": "ALTER SCHEMA a RENAME TO b",
        },
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        assert [one.name for one in warehouse.report().dialects] == ["bigquery", "hive"]
        assert warehouse.report(folder="etl/a").files == warehouse.report(dialect="hive").files == ("etl/a/v.hive.sql",)
        assert warehouse.report(folder="./etl/").statuses == {"whole": 1, "opaque": 1}
        assert warehouse.report(folder="etl/b", dialect="BigQuery").causes[0].to_dict() | {"hint": ""} == {
            "kind": "opaque",
            "status": "opaque",
            "cause": "ALTER is not followed",
            "count": 1,
            "places": ["etl/b/w.bigquery.sql:1:1"],
            "names": [],
            "hint": "",
            "folders": {"etl/b": 1},
            "dialects": {"bigquery": 1},
        }
        with pytest.raises(
            QuestionError, match="no SQL was read in c and as oracle; there is some in etl/a, etl/b, as bigquery, hive"
        ):
            warehouse.report(folder="c", dialect="oracle")


def test_a_dictionary_resolves_what_the_report_says(tmp_path: Path) -> None:
    join = "FROM raw.a JOIN raw.b ON a.id = b.id"
    write(tmp_path, **{"v.sql": f"CREATE VIEW v AS SELECT x, y {join}", "w.sql": f"CREATE VIEW w AS SELECT x {join}"})
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        (helps,) = warehouse.report().help
        assert (helps.statements, helps.columns) == (2, 3)
        assert helps.says == (
            "a dictionary for schema RAW (2 tables: RAW.A and RAW.B) would resolve 3 columns: "
            "load their CREATE TABLE, or an export of information_schema.columns"
        )
        write(tmp_path, **{"t.sql": "CREATE TABLE raw.a (id INT, x INT); CREATE TABLE raw.b (id INT, y INT)"})
        warehouse.load(tmp_path)
        report = warehouse.report()
    assert (report.statuses, report.causes, report.help) == ({"whole": 4}, (), ())


def test_tables_of_two_schemas_need_dictionaries_of_both(tmp_path: Path) -> None:
    views = (
        "CREATE VIEW v AS SELECT x FROM a.s JOIN b.s USING (id); CREATE VIEW w AS SELECT y FROM a.s JOIN a.t USING (id)"
    )
    write(tmp_path, **{"v.sql": views})
    with Warehouse() as warehouse:
        warehouse.load(tmp_path)
        first, second = warehouse.report().help
    assert (first.statements, first.columns, second.statements, second.columns) == (2, 2, 1, 1)
    assert first.says.startswith(
        "a dictionary for schema A (2 tables: A.S and A.T) would resolve 1 column and 1 more column together with B: "
    )
    assert second.says.startswith("a dictionary for schema B (1 table: B.S) would resolve 1 column together with A: ")


def test_views_in_a_circle_and_texts_that_are_run_are_causes(tmp_path: Path) -> None:
    job = "DO $$ DECLARE t TEXT; BEGIN SELECT MAX(n) INTO t FROM names; EXECUTE t; END $$;"
    views = "CREATE VIEW a AS SELECT x FROM b; CREATE VIEW b AS SELECT x FROM a;"
    write(tmp_path, **{"job.sql": job, "views.sql": views})
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        report = warehouse.report()
    found = {one.kind: (one.cause, [str(place) for place in one.places]) for one in report.causes}
    assert found["cycle"] == ("views in a circle: A -> B -> A", ["views.sql:1:1", "views.sql:1:35"])
    assert found["dynamic SQL"] == ("a text that is run, and that is not known", ["job.sql:1:62"])
    # What statements make need not be told by anybody.
    assert report.untold == {"NAMES"}


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("EXECUTE t;", "dynamic SQL"),
        ("EXECUTE 'INSERT INTO ' || t || ' SELECT a FROM s';", "dynamic SQL"),
        ("CALL gone();", "opaque"),
        ("RETURN; DELETE FROM s;", "dead branch"),
    ],
)
def test_causes_are_of_the_kind_that_the_reader_means(tmp_path: Path, body: str, kind: str) -> None:
    job = f"CREATE PROCEDURE p(t TEXT) LANGUAGE plpgsql AS $$ BEGIN {body} END $$;"
    write(tmp_path, **{"job.sql": job})
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        kinds = [one.kind for one in warehouse.report().causes if one.kind != "unknown table"]
    assert kinds == [kind]


def test_a_trigger_that_is_disabled_is_a_dead_branch(tmp_path: Path) -> None:
    made = "CREATE TRIGGER g AFTER INSERT ON s FOR EACH ROW DISABLE BEGIN INSERT INTO h (a) VALUES (:NEW.a); END;\n/\n"
    write(tmp_path, **{"g.sql": made})
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="oracle")
        assert [(one.kind, one.cause) for one in warehouse.report().causes if one.kind == "dead branch"] == [
            ("dead branch", "it is disabled: it is not followed")
        ]


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
    # Of what was not read all names are kept (Q39).
    assert statements == 12 and len(graph) < 12 * statements
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


def test_interrupted_attributes_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text(
        "INSERT INTO w.t (a) SELECT x FROM src.s;\nCREATE VIEW v AS SELECT t.a, t.z FROM w.t;\n"
        "WITH c AS (SELECT a FROM w.t) SELECT c.a FROM c;\nCREATE VIEW u AS SELECT * FROM v;\n"
    )
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres")
        # The lineage of one of them ends there.
        assert warehouse.lineage("v.z").interrupted == ("W.T.Z",)
        found = warehouse.report()
        assert found.to_dict()["interrupted"] == [{"attribute": "W.T.Z", "location": "a.sql:2"}]
        assert "1 attribute is interrupted" in report_text(found) and "W.T.Z   read by a.sql:2" in report_text(found)
        (tmp_path / "b.sql").write_text("INSERT INTO w.t (z) SELECT y FROM src.s")
        warehouse.load(tmp_path, dialect="postgres")
        assert warehouse.report().interrupted == ()


def test_many_interrupted_attributes_are_counted_in_text_and_all_in_json(tmp_path: Path) -> None:
    names = [f"z{number:02}" for number in range(30)]
    read = ", ".join(f"t.{one}" for one in names)
    (tmp_path / "a.sql").write_text(f"INSERT INTO w.t (a) SELECT x FROM s; CREATE VIEW v AS SELECT {read} FROM w.t")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb")
        found = warehouse.report()
    assert "30 attributes are interrupted" in report_text(found)
    assert "10 more: --format json names all" in report_text(found)
    assert len(found.to_dict()["interrupted"]) == 30


def test_what_does_not_fit_is_no_matter_of_a_dictionary(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_text("INSERT INTO w.t (a, b) SELECT x FROM s")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="duckdb")
        (helps,) = warehouse.report().help
    assert helps.says == "mend the columns, or load the definition of the table as it is now"
