"""Tables in a real PostgreSQL: store to database to store is identity, and nothing is ever half written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import postgresql
import pytest
from beside_spark import held
from places import BANK
from texts import HOSTILE

from mdw import SparkError, Warehouse
from mdw.cli import run
from mdw.spark.load import database
from mdw.spark.pipeline import build

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
PASSWORD = "a@b/geheim"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The URL of a database, with all it takes to log in."""
    if lacking := postgresql.missing():
        pytest.skip(lacking)
    with postgresql.server(PASSWORD) as address:
        yield f"{address}?user={postgresql.USER}&password={PASSWORD}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the bank and of hostile names and texts."""
    folder = tmp_path_factory.mktemp("exported") / "store"
    with Warehouse(folder) as warehouse:
        warehouse.load(BANK, HOSTILE).raise_for_errors()
    return folder


@pytest.fixture(scope="module")
def filled(spark: SparkSession, store: Path, url: str) -> str:
    """The URL of a database that holds what the store does, until a table is dropped in the last test of it."""
    assert export(store, url) == 0
    return url


@pytest.fixture(autouse=True)
def no_store_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable says which store is meant."""
    monkeypatch.delenv("MDW_STORE", raising=False)


def export(store: Path, url: str) -> int:
    """Write the tables of a store into a database by command; its exit code."""
    return run(["export", "--store", str(store), "--format", "tables", "--output", url])


def rows(spark: SparkSession, url: str) -> int:
    """How many mappings a database holds."""
    return database.read(spark, url, "entity_mapping").count()


def execute(spark: SparkSession, url: str, *statements: str) -> None:
    """Change a database otherwise than mdw does."""
    with database._transaction(spark, url) as (do, _):
        for statement in statements:
            do(statement)


def test_store_to_database_to_store_is_identity(
    spark: SparkSession, filled: str, store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = build(spark, [filled], tmp_path / "copy")
    assert manifest.rejects == 0
    assert manifest.mappings == rows(spark, filled) > 130
    assert held(tmp_path / "copy") == held(store)
    assert manifest.inputs[0].kind == "database"
    written = "".join(path.read_text() for path in (tmp_path / "copy").glob("*.json")) + capsys.readouterr().err
    assert "127.0.0.1" in written
    assert "geheim" not in written


def test_a_write_that_fails_leaves_the_rows_in_force(
    spark: SparkSession, filled: str, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows(spark, filled)
    execute(spark, filled, "ALTER TABLE mdw_using ADD CHECK (using_id < 0) NOT VALID")
    with Warehouse(store) as warehouse:
        warehouse.remove(warehouse.mappings()[0].name)
    capsys.readouterr()
    assert export(store, filled) == 1
    said = capsys.readouterr().err
    assert "the tables in force are what they were: ERROR: new row for relation" in said
    assert "geheim" not in said
    assert rows(spark, filled) == before
    execute(spark, filled, "ALTER TABLE mdw_using DROP CONSTRAINT mdw_using_using_id_check")
    assert export(store, filled) == 0, "what is there is replaced"
    assert f"{before - 1} mappings" in capsys.readouterr().err
    assert rows(spark, filled) == before - 1
    with pytest.raises(SparkError, match='relation "mdw_draft_using" does not exist'):
        execute_failing(spark, filled)


def execute_failing(spark: SparkSession, url: str) -> None:
    """Ask for a draft, of which none is left."""
    with database.failing(url, "no"):
        execute(spark, url, "DELETE FROM mdw_draft_using")


def test_what_is_missing_is_named_in_one_line(
    spark: SparkSession, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(source: str) -> str:
        with pytest.raises(SparkError) as error:
            build(spark, [source], tmp_path / "none")
        assert "\n" not in str(error.value)
        assert "geheim" not in str(error.value)
        return str(error.value)

    execute(spark, url, "DROP TABLE IF EXISTS mdw_navigation")
    assert "the table mdw_" in said(url)
    assert "Connection refused" in said(url.replace(url.split("/")[2], "127.0.0.1:1"))
    assert "password authentication failed" in said(url.replace("geheim", "geheimer"))
    assert "the driver of this database is not there: give its jar with --jars" in said("jdbc:none://geheim@x/y")
    monkeypatch.setattr(database, "DRIVER", "org.postgresql.NoDriver")
    assert "or install libpostgresql-jdbc-java" in said(url)


def test_drivers_are_what_is_given_else_where_debian_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jar = tmp_path / "driver.jar"
    jar.write_bytes(b"")
    monkeypatch.setattr(database, "JAR", jar)
    assert database.settings("", "data", "jdbc:postgresql://h/d") == {"spark.jars": str(jar)}
    assert database.settings("", "data", "jdbc:mysql://h/d") == {}
    assert database.settings(f"{jar}, hdfs://x/y.jar", "jdbc:mysql://h/d") == {"spark.jars": f"{jar},hdfs://x/y.jar"}
    with pytest.raises(SparkError, match=r"there is no file .*none\.jar"):
        database.settings(f"{jar},none.jar")


def test_databases_are_for_spark_and_for_tables(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = "jdbc:postgresql://127.0.0.1/bank?user=me&password=geheim"
    assert run(["load", secret, "--store", str(store)]) == 1
    assert run(["export", "--store", str(store), "--output", secret]) == 2
    said = capsys.readouterr().err
    assert "jdbc:postgresql://127.0.0.1/bank?user=…&password=… is read by Spark" in said
    assert "a database takes tables: --format tables" in said
    assert "geheim" not in said
