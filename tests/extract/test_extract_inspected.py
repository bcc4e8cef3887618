"""Databases no test can meet: by SQLAlchemy's inspector, with a SQLite file in the place of the database.

What is asked of SQL Server's and Oracle's own catalogue is run on tables that are called as theirs are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

pytest.importorskip("sqlalchemy")
from sqlalchemy import INTEGER, create_engine  # isort: skip
from sqlalchemy.pool import NullPool  # isort: skip

from mdw import Warehouse, scan_sql  # isort: skip
from mdw.extract.addresses import Address  # isort: skip
from mdw.extract.catalogues import inspected  # isort: skip
from mdw.extract.catalogues.inspected import Inspected  # isort: skip
from mdw.extract.limits import Clock, Patience  # isort: skip
from mdw.extract.objects import Chosen, DatabaseObject, TableDefinition  # isort: skip
from mdw.extract.running import extract  # isort: skip
from mdw.extract.telling import told  # isort: skip
from mdw.readers.files.manifests import Unread  # isort: skip

TABLES = """
CREATE TABLE customer (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) DEFAULT 'x');
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (id), price INTEGER, vat INTEGER,
  total INTEGER GENERATED ALWAYS AS (price + vat) STORED,
  twice INTEGER GENERATED ALWAYS AS ((price) * (2)) NOT NULL
);
CREATE VIEW spend AS SELECT c.name FROM orders o JOIN customer c ON c.id = o.customer_id;
"""
MSSQL = """
CREATE TABLE sys.schemas (schema_id INT, name TEXT); INSERT INTO sys.schemas VALUES (1, 'dbo');
CREATE TABLE sys.objects (object_id INT, schema_id INT, name TEXT, type TEXT);
INSERT INTO sys.objects VALUES (1, 1, 'v', 'V '), (2, 1, 'fill', 'P '), (3, 1, 'secret', 'P '), (4, 1, 'f', 'FN');
CREATE TABLE sys.sql_modules (object_id INT, definition TEXT);
INSERT INTO sys.sql_modules VALUES (1, 'CREATE VIEW dbo.v AS SELECT id FROM dbo.t'), (2, 'CREATE PROC dbo.fill AS
 SELECT 1'), (3, NULL), (4, 'CREATE FUNCTION dbo.f() RETURNS INT AS BEGIN RETURN 1 END');
"""
ORACLE = """
CREATE TABLE all_source (owner TEXT, name TEXT, type TEXT, line INT, text TEXT);
INSERT INTO all_source VALUES ('DWH', 'LOADS', 'PACKAGE', 2, '  PROCEDURE fill;\n'), ('DWH', 'LOADS', 'PACKAGE', 1,
 'PACKAGE loads AS\n'), ('DWH', 'LOADS', 'PACKAGE', 3, 'END;\n'), ('DWH', 'SHUT', 'PROCEDURE', 1,
 'PROCEDURE shut wrapped\n'), ('DWH', 'SHUT', 'PROCEDURE', 2, 'a000000 abcd'), ('SYS', 'X', 'PACKAGE', 1, 'PACKAGE x');
"""


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A SQLite file that SQLAlchemy opens whatever the URL says, with another attached as `sys`."""
    main, other = tmp_path / "main.db", tmp_path / "sys.db"
    with closing(sqlite3.connect(main)) as connection:
        connection.executescript(TABLES)

    def connect() -> sqlite3.Connection:
        made = sqlite3.connect(main, check_same_thread=False)
        made.execute("ATTACH ? AS sys", (str(other),))
        return made

    monkeypatch.setattr(
        inspected, "create_engine", lambda *_, **__: create_engine("sqlite://", creator=connect, poolclass=NullPool)
    )
    yield main
    assert list(tmp_path.glob("*.db-*")) == []


def objects(system: str, chosen: Chosen | None = None) -> list[DatabaseObject | Unread]:
    catalogue = Inspected(Address(f"{system}://host/dwh", system, f"{system}://me:geheim@host/dwh"), Clock(Patience()))
    try:
        return list(catalogue.objects(chosen or Chosen()))
    finally:
        catalogue.close()


def test_tables_and_views_are_extracted_and_said_to_be_untried(opened: Path, tmp_path: Path) -> None:
    manifest = extract("firebird+driver://me:geheim@host/dwh", tmp_path / "x")
    assert manifest.untried and manifest.state == "complete"
    assert "no test has met a database of this kind (firebird)" in told(manifest)
    assert {(one.kind, one.name) for one in manifest.objects} == {
        ("table", "customer"), ("table", "orders"), ("view", "spend"),
    }  # fmt: skip
    with Warehouse() as warehouse:
        assert warehouse.load(tmp_path / "x").errors == ()
        assert {end.attribute for end in warehouse.lineage("spend.name").golden} == {"MAIN.CUSTOMER.NAME"}
        told_of = warehouse.dictionary().entity("MAIN.ORDERS")
        assert told_of is not None and told_of.key == ("ID",) and told_of.references
        assert [one.computed for one in told_of.attributes[-2:]] == ["price + vat", "(price) * (2)"]
        assert {one.attribute for one in warehouse.lineage("main.orders.total").golden} >= {"MAIN.ORDERS.PRICE"}


def test_sql_servers_computed_columns_and_identities_are_written_as_it_writes_them(opened: Path) -> None:
    columns: list[dict[str, Any]] = [
        {"name": "id", "type": INTEGER(), "identity": {"start": 1}, "nullable": False},
        {"name": "a", "type": INTEGER()},
        {"name": "b", "type": INTEGER()},
        {"name": "total", "type": INTEGER(), "computed": {"sqltext": "([a]+[b])", "persisted": True}},
    ]
    address = Address("mssql://host/dwh", "mssql", "mssql://host/dwh")
    catalogue = Inspected(address, Clock(Patience()))
    try:
        table = TableDefinition("dbo.t", [*map(catalogue._column, columns)])
    finally:
        catalogue.close()
    assert "id INTEGER IDENTITY NOT NULL" in table.text()
    assert "total AS (([a]+[b]))" in table.text()
    scan = scan_sql(table.text(), dialect="tsql")
    steps = {(str(one.source), str(one.target)) for one in scan.steps}
    assert steps == {("dbo.t.a", "dbo.t.total"), ("dbo.t.b", "dbo.t.total")}


def test_sql_servers_definitions_are_whole_and_hidden_ones_are_named(opened: Path) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("ATTACH ? AS sys", (str(opened.with_name("sys.db")),))
        connection.executescript(MSSQL)
    found = {one.name: one for one in objects("mssql") if isinstance(one, DatabaseObject) and one.schema == "dbo"}
    assert {name: one.kind for name, one in found.items()} == {
        "v": "view", "fill": "procedure", "secret": "procedure", "f": "function",
    }  # fmt: skip
    assert found["fill"].text == "CREATE PROC dbo.fill AS\n SELECT 1;\n"
    assert [name for name, one in found.items() if one.note.startswith("hidden")] == ["secret"]
    again = objects("mssql", Chosen({("function", "dbo", "f", "")}))
    assert [one.name for one in again if isinstance(one, DatabaseObject)] == ["f"]


def test_oracles_source_is_put_together_and_wrapped_ones_are_named(opened: Path) -> None:
    with closing(sqlite3.connect(opened)) as connection:
        connection.executescript(ORACLE)
    found = {one.name: one for one in objects("oracle") if isinstance(one, DatabaseObject) and one.schema == "DWH"}
    assert found["LOADS"].text == "CREATE OR REPLACE PACKAGE loads AS\n  PROCEDURE fill;\nEND;\n"
    assert found["SHUT"].note == "hidden: its definition is wrapped" and "a000000" not in found["SHUT"].text
    assert found.keys() == {"LOADS", "SHUT"}


def test_what_the_catalogue_refuses_is_named_and_the_rest_is_there(opened: Path) -> None:
    found = objects("mssql")
    assert {one.name for one in found if isinstance(one, DatabaseObject)} >= {"customer", "orders"}
    refused = [one for one in found if isinstance(one, Unread)]
    assert [one.what for one in refused] == [
        f"all of kind {kind}" for kind in ("view", "procedure", "function", "trigger")
    ]
    assert all(one.cause == "refused" and "no such table" in one.message for one in refused)


def test_what_a_schema_refuses_runs_again(opened: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.engine.reflection import Inspector

    url = "firebird://me:geheim@host/dwh"
    read = Inspector.get_table_names
    monkeypatch.setattr(Inspector, "get_table_names", lambda *_: {}["odd"])
    manifest = extract(url, tmp_path / "x")
    assert [one.what for one in manifest.errors] == ["all of kind table in main"]
    assert [one.name for one in manifest.objects] == ["spend"]
    monkeypatch.setattr(Inspector, "get_table_names", read)
    again = extract(url, tmp_path / "x", again=True)
    assert again.state == "complete" and sorted(one.name for one in again.objects) == ["customer", "orders", "spend"]


def test_a_driver_that_never_comes_back_is_left_alone(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Inspected(Address("x://h", "x", "x://h"), Clock(Patience(statement=0.2)))
    waiting = Event()
    monkeypatch.setattr(catalogue._inspector, "get_view_definition", lambda *_: waiting.wait(20))
    try:
        found = list(catalogue.objects(Chosen()))
    finally:
        waiting.set()
        catalogue.close()
    (silent,) = (one for one in found if isinstance(one, Unread))
    assert (silent.what, silent.cause) == ("view main.spend", "time")
