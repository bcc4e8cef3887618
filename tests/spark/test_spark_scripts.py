"""Files of SQL through Spark: the quads of a load in process, whoever reads which file, in whatever order."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from beside_spark import held, in_process
from dbt_projects import ProjectMaker
from graphs import quads
from places import ROOT
from pyarrow import parquet
from sql_folders import FolderWriter
from tangled import written

from mdw import InputError, StoreError, Warehouse
from mdw.spark import pipeline
from mdw.spark.load import scripts
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

FILL = """CREATE PROCEDURE fill(kind TEXT) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO t (a, k) SELECT a, kind FROM v;
END $$;
"""


@pytest.fixture(autouse=True)
def everything_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever may be read by executors is."""
    monkeypatch.setattr(scripts, "LEAST", 1)
    monkeypatch.setattr(scripts, "LOOKED", 1)
    monkeypatch.setattr(scripts, "SHARE", 1)


def in_one_process(*sources: Path, dialect: str) -> list[bytes]:
    with Warehouse() as warehouse:
        warehouse.load(*sources, dialect=dialect)
        warehouse.query("ASK {}")
        return quads(warehouse)


def folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / f"{name}.sql").write_text(text, encoding="utf-8")
    return path


def chain(path: Path) -> Path:
    """Three files, each of which needs the one before."""
    return folder(
        path,
        c="CREATE TABLE r (a INT, b INT)",
        b="CREATE VIEW v AS SELECT * FROM r",
        a="CREATE VIEW w AS SELECT * FROM v",
    )


@pytest.mark.parametrize(("source", "dialect", "parts"), [("claims", "snowflake", 4), ("", "", 10)])
def test_the_examples_become_the_quads_of_a_plain_load(
    spark: SparkSession, tmp_path: Path, source: str, dialect: str, parts: int
) -> None:
    data = ROOT / "data" / source
    manifest = build(spark, [data], tmp_path / "store", dialect=dialect)
    assert held(tmp_path / "store") == in_one_process(data, dialect=dialect)
    assert manifest.rejects == 0
    assert manifest.parts >= parts, "more than this process wrote"


def test_a_folder_as_warehouses_have_them(spark: SparkSession, tmp_path: Path) -> None:
    FolderWriter(tmp_path / "sql", 3).write(60)
    build(spark, [tmp_path / "sql"], tmp_path / "store", dialect="snowflake")
    assert held(tmp_path / "store") == in_one_process(tmp_path / "sql", dialect="snowflake")


def test_the_models_of_a_dbt_project(spark: SparkSession, tmp_path: Path) -> None:
    project = ProjectMaker(30, 2).write(tmp_path)
    manifest = build(spark, [project], tmp_path / "store")
    assert held(tmp_path / "store") == in_process(project)
    assert manifest.parts > 3


@pytest.mark.parametrize("seed", range(3))
def test_tangled_files_in_whatever_order(spark: SparkSession, tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    files = [tmp_path / f"f{number}.sql" for number in range(9)]
    for file in files:
        written(draw, file)
    expected = in_process(*files)
    for number in range(2):
        draw.shuffle(files)
        build(spark, files, tmp_path / f"store{number}", rejects=1)
        assert held(tmp_path / f"store{number}") == expected


def test_routines_that_files_lend_one_another(spark: SparkSession, tmp_path: Path) -> None:
    # Rule Q29 across files: what calls and what is called is read where both are at hand.
    source = folder(
        tmp_path / "sql",
        fill=FILL,
        job="CALL fill('x');",
        view="CREATE VIEW v AS SELECT a FROM s WHERE b = 1",
        after="CREATE VIEW w AS SELECT * FROM v, t",
    )
    manifest = build(spark, [source], tmp_path / "store", dialect="postgres")
    assert held(tmp_path / "store") == in_one_process(source, dialect="postgres")
    with Warehouse() as warehouse:
        assert manifest.notes == warehouse.load(source, dialect="postgres").notes
    assert "fill.sql" in manifest.notes[0]


def test_notes_and_settings_are_those_of_a_plain_load(spark: SparkSession, tmp_path: Path) -> None:
    source = folder(tmp_path / "sql", empty="-- nothing", a="CREATE VIEW a AS SELECT * FROM b", **{"x.y": "SELECT 1"})
    (source / "b.sql").write_bytes("CREATE VIEW b AS SELECT x AS é FROM a".encode("latin-1"))
    (source / "mdw.toml").write_text('schema = "mart"\ndialect = "tsql"')
    manifest = build(spark, [source], tmp_path / "store")
    with Warehouse() as warehouse:
        assert manifest.notes == warehouse.load(source).notes
    assert len(manifest.notes) == 2
    assert held(tmp_path / "store") == in_process(source)


def test_what_is_told_besides_reaches_the_executors(spark: SparkSession, tmp_path: Path) -> None:
    source = folder(tmp_path / "in", v="CREATE VIEW v AS SELECT * FROM r", w="CREATE VIEW w AS SELECT b FROM v, q")
    (source / "columns.csv").write_text(
        "table_schema,table_name,column_name,ordinal_position,data_type\n,R,A,1,INT\n,R,B,2,INT\n"
    )
    (source / "x.map").write_text("WHEN POPULATING T FROM V POPULATE T.A WITH V.B")
    with Warehouse() as warehouse:
        warehouse.load(folder(tmp_path / "ddl", q="CREATE TABLE q (z DATE)"))
        warehouse.tables(source / "tables")
    build(spark, [source], tmp_path / "store")
    assert held(tmp_path / "store") == in_process(source)
    with Warehouse(tmp_path / "store") as warehouse:
        assert [end.attribute for end in warehouse.lineage("T.A").golden] == ["R.B"]


def test_a_store_so_made_knows_its_files(spark: SparkSession, tmp_path: Path) -> None:
    store, source = tmp_path / "store", chain(tmp_path / "sql")
    with Warehouse(store) as warehouse:
        warehouse.load(folder(tmp_path / "old", old="CREATE VIEW r AS SELECT 1 AS c, 2 AS d"))
    build(spark, [source], store)
    with Warehouse(store) as warehouse:
        assert [one.file for one in warehouse.load(source, mirror=True).files if not one.unchanged] == []
        (source / "c.sql").write_text("CREATE TABLE r (a INT, c INT)")
        warehouse.load(source, mirror=True)
        assert quads(warehouse) == in_one_process(source, dialect="")


def test_statements_that_cannot_be_read_are_rejects(spark: SparkSession, tmp_path: Path) -> None:
    source = folder(tmp_path / "sql", good="CREATE VIEW v AS SELECT a FROM r", bad="SELECT FROM WHERE;\nSELECT 1 AS b")
    (source / "binary.sql").write_bytes(b"\0\1")
    (source / "mdw.toml").write_text('dialect = "nonsense"')
    with pytest.raises(InputError, match=r"3 of 5 mappings are rejected: the store was not rebuilt"):
        build(spark, [source], tmp_path / "store")
    rejects = parquet.read_table(tmp_path / "store" / "rejects.parquet").to_pylist()
    assert {Path(one["input"]).name: one["place"] for one in rejects} == {
        "bad.sql": "bad.sql:1:13",
        "binary.sql": "binary.sql:1:1",
        "": f"{source / 'mdw.toml'}:1:1",
    }
    build(spark, [source], tmp_path / "store", rejects=1)
    assert held(tmp_path / "store") == in_process(source)


def test_files_that_no_look_can_read_are_rejects(spark: SparkSession, tmp_path: Path) -> None:
    sql = folder(tmp_path / "sql", **{name: f"CREATE TABLE {name} (a INT)" for name in "abcdefg"})
    for name in "bcd":  # executors look at the second and at the fourth of five
        (sql / f"{name}.sql").write_bytes(b"\xff\xfeSELECT \xd8")
    with Warehouse() as warehouse:
        said = [error.message for error in warehouse.load(sql).errors]
    build(spark, [sql], tmp_path / "store", rejects=1)
    rejects = parquet.read_table(tmp_path / "store" / pipeline.REJECTS).to_pylist()
    assert sorted(one["reason"] for one in rejects) == sorted(said)
    assert len(said) == 3
    assert held(tmp_path / "store") == in_one_process(sql, dialect="")


def test_a_run_that_failed_reads_no_file_again(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, source = tmp_path / "store", chain(tmp_path / "sql")

    def full(*_: object, **__: object) -> int:
        raise StoreError("no space left on device")

    def seen() -> set[tuple[str, int]]:
        (parts,) = (store / "parts").iterdir()
        return {(one.name, one.stat().st_mtime_ns) for one in parts.iterdir() if one.name.startswith("sql")}

    monkeypatch.setattr(pipeline.Growing, "finish", full)
    with pytest.raises(StoreError, match="no space left"):
        build(spark, [source], store)
    before = seen()
    with pytest.raises(StoreError, match="no space left"):
        build(spark, [source], store)
    assert before == seen() and len(before) == 9, "a part, its index and its records for each of three waves"
    (source / "mdw.toml").write_text('schema = "mart"')
    monkeypatch.undo()
    build(spark, [source], store)
    assert held(store) == in_process(source)
