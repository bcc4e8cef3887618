"""Databases that are files: opened read-only, nothing made beside them, and loaded as they were extracted."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path

import pytest

from mdw import Warehouse
from mdw.drafting import drafted
from mdw.extract.running import extract
from mdw.model.errors import DatabaseError, OutputError
from mdw.readers.recognising import MANIFEST

SQLITE = """
CREATE TABLE customer (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL DEFAULT 'x', region TEXT);
CREATE TABLE orders (id INT, customer_id INT REFERENCES customer (id), amount REAL, PRIMARY KEY (id)) WITHOUT ROWID;
CREATE TABLE "Odd/Name" (a INT, b INT GENERATED ALWAYS AS (a + 1) STORED) STRICT;
CREATE VIEW eu AS SELECT c.id, c.name FROM customer c WHERE c.region = 'EU';
CREATE VIEW spend AS
    SELECT e.name, sum(o.amount) AS total FROM eu e JOIN orders o ON o.customer_id = e.id GROUP BY e.name;
CREATE TRIGGER up AFTER INSERT ON orders BEGIN UPDATE customer SET name = name WHERE id = NEW.customer_id; END;
"""
DUCKDB = """
CREATE SCHEMA mart;
CREATE TABLE customer (id BIGINT PRIMARY KEY, "Name" VARCHAR NOT NULL DEFAULT 'it''s', region VARCHAR, tags VARCHAR[]);
CREATE TABLE orders (id INT, customer_id BIGINT REFERENCES customer (id), amount DECIMAL(10, 2), CHECK (id > 0));
COMMENT ON TABLE customer IS 'who buys; it''s us';
COMMENT ON COLUMN customer."Name" IS 'the name';
CREATE VIEW mart.eu AS SELECT c.id, c."Name" AS name FROM customer c WHERE c.region = 'EU';
CREATE VIEW mart.spend AS
    SELECT e.name, sum(o.amount) AS total FROM mart.eu e JOIN orders o ON o.customer_id = e.id GROUP BY e.name;
CREATE MACRO mart.rate(a, b) AS a + b;
CREATE MACRO mart.rows_of(x) AS TABLE SELECT * FROM customer WHERE id = x;
"""


def beside(path: Path) -> dict[str, str]:
    """All that lies where a database lies, with its digests."""
    return {one.name: sha256(one.read_bytes()).hexdigest() for one in sorted(path.parent.iterdir()) if one.is_file()}


@pytest.fixture
def sqlite_file(tmp_path: Path) -> Path:
    path = tmp_path / "there" / "shop.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SQLITE)
    return path


def test_sqlite(sqlite_file: Path, tmp_path: Path) -> None:
    before = beside(sqlite_file)
    manifest = extract(f"sqlite:///{sqlite_file}", tmp_path / "x")
    assert manifest.state == "complete" and manifest.errors == ()
    assert Counter(one.kind for one in manifest.objects) == {"table": 3, "view": 2, "trigger": 1}
    assert beside(sqlite_file) == before
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path / "x")
        assert [one for one in report.sql if one.status != "whole" and "/triggers/" not in one.location.file] == []
        assert {end.attribute for end in warehouse.lineage("spend.total").golden} == {"ORDERS.AMOUNT"}
        (end,) = warehouse.lineage("eu.name", sql_dialect="sqlite").golden
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute("INSERT INTO customer (name, region) VALUES ('Ann', 'EU'), ('Bob', 'US')")
        assert connection.execute(f"SELECT name FROM customer WHERE {end.sql}").fetchall() == [("Ann",)]


def test_a_run_killed_before_its_first_manifest_leaves_a_folder_for_the_next(sqlite_file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "x"
    folder.mkdir()
    with suppress(KeyError), drafted(folder / MANIFEST) as draft:
        left = draft.read_bytes(), draft.name
        raise KeyError
    (folder / left[1]).write_bytes(left[0])
    assert extract(f"sqlite:///{sqlite_file}", folder).state == "complete"
    assert not (folder / left[1]).exists()
    # Drafts of other files are somebody else's.
    other = tmp_path / "y"
    other.mkdir()
    (other / left[1].replace(MANIFEST, "other.json")).touch()
    with pytest.raises(OutputError, match="holds other things"):
        extract(f"sqlite:///{sqlite_file}", other)


def test_sqlite_with_a_log_is_read_as_it_is_and_nothing_is_made(sqlite_file: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{sqlite_file}"
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    before = beside(sqlite_file)
    assert len(extract(url, tmp_path / "x").objects) == 6
    assert beside(sqlite_file) == before
    with closing(sqlite3.connect(sqlite_file)) as writing:
        # What is written and not yet in the file itself is seen too.
        writing.execute("CREATE TABLE late (a INT)")
        before = beside(sqlite_file)
        assert {"late"} < {one.name for one in extract(url, tmp_path / "x").objects}
        assert beside(sqlite_file).keys() == before.keys()
    killed = "import os, sqlite3; c = sqlite3.connect({!r}); c.execute('CREATE TABLE lost (a INT)'); os._exit(0)"
    subprocess.run([sys.executable, "-c", killed.format(str(sqlite_file))], check=True)
    sqlite_file.with_name("shop.db-shm").unlink()
    before = beside(sqlite_file)
    with pytest.raises(DatabaseError, match="its log was left"):
        extract(url, tmp_path / "x")
    assert beside(sqlite_file) == before


def test_sqlite_files_of_no_use(sqlite_file: Path, tmp_path: Path) -> None:
    other = tmp_path / "note.txt"
    other.write_text("no database", encoding="utf-8")
    with pytest.raises(DatabaseError, match="it is no sqlite database"):
        extract(f"sqlite:///{other}", tmp_path / "x")
    data = bytearray(sqlite_file.read_bytes())
    data[100:4096] = b"\xff" * 3996
    sqlite_file.write_bytes(data)
    manifest = extract(f"sqlite:///{sqlite_file}", tmp_path / "x")
    assert manifest.state == "partial"
    assert [(one.kind, one.cause) for one in manifest.errors] == [
        (kind, "refused") for kind in ("table", "view", "trigger")
    ]


@pytest.fixture
def duckdb_file(tmp_path: Path) -> Path:
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "there" / "shop.duckdb"
    path.parent.mkdir()
    with duckdb.connect(str(path)) as connection:
        connection.execute(DUCKDB)
    return path


def test_duckdb(duckdb_file: Path, tmp_path: Path) -> None:
    before = beside(duckdb_file)
    manifest = extract(f"duckdb:///{duckdb_file}", tmp_path / "x")
    assert (manifest.state, manifest.errors, manifest.search_path) == ("complete", (), ("main",))
    assert Counter(one.kind for one in manifest.objects) == {"table": 2, "view": 2, "macro": 2}
    assert beside(duckdb_file) == before
    with Warehouse() as warehouse:
        report = warehouse.load(tmp_path / "x")
        assert [one for one in report.sql if one.status != "whole" and "/macros/" not in one.location.file] == []
        assert {end.attribute for end in warehouse.lineage("mart.spend.total").golden} == {"MAIN.ORDERS.AMOUNT"}
        told = warehouse.dictionary().entity("MAIN.CUSTOMER")
        assert told is not None and (told.description, told.key) == ("who buys; it's us", ("ID",))
        name = next(one for one in told.attributes if one.name.strip("`").upper() == "NAME")
        assert (name.description, name.required) == ("the name", True)
        (end,) = warehouse.lineage("mart.eu.name", sql_dialect="duckdb").golden
    import duckdb

    with duckdb.connect(str(duckdb_file)) as connection:
        connection.execute("INSERT INTO customer VALUES (1, 'Ann', 'EU', NULL), (2, 'Bob', 'US', NULL)")
        assert connection.execute(f'SELECT "Name" FROM customer WHERE {end.sql}').fetchall() == [("Ann",)]


def test_duckdb_that_another_process_writes_to(duckdb_file: Path, tmp_path: Path) -> None:
    script = "import duckdb, sys; c = duckdb.connect(sys.argv[1]); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", script, str(duckdb_file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout and holder.stdin and holder.stdout.readline()
        with pytest.raises(DatabaseError, match="lock"):
            extract(f"duckdb:///{duckdb_file}", tmp_path / "x")
        holder.stdin.close()


def test_duckdb_attaches_installs_and_writes_nothing(duckdb_file: Path) -> None:
    import duckdb

    from mdw.extract.addresses import address
    from mdw.extract.catalogues.duckdb import Duckdb
    from mdw.extract.limits import Clock, Patience

    opened = Duckdb(address(f"duckdb:///{duckdb_file}"), Clock(Patience()))
    try:
        for statement in (
            "CREATE TABLE x (a INT)", "ATTACH 'y.duckdb' AS y", "INSTALL httpfs", "COPY customer TO 'c.csv'",
            "SELECT * FROM read_csv('/etc/passwd')", "SET enable_external_access = true",
        ):  # fmt: skip
            with pytest.raises(duckdb.Error):
                opened._rows(statement)
    finally:
        opened.close()
