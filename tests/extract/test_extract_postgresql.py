"""PostgreSQL, a real one: extracted by its owner and by a role without rights, loaded, and held to its own rows."""

from __future__ import annotations

import json
import re
import stat
from collections import Counter
from pathlib import Path

import pytest
from extracting import OBJECTS
from places import ROOT

from mdw import Warehouse
from mdw.cli import run
from mdw.extract.addresses import address
from mdw.extract.limits import Clock, Patience
from mdw.extract.objects import Chosen, DatabaseObject
from mdw.extract.running import extract
from mdw.readers.files.manifests import read_manifest

psycopg = pytest.importorskip("psycopg")
NO_RIGHTS = ("pg_proc", "pg_trigger", "pg_description", "pg_constraint")


def asked(url: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(query.encode())
        return found.fetchall() if found.description else []


def texts(folder: Path) -> dict[str, str]:
    """The files of an extraction but for its manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


def test_an_owner_extracts_and_loads_everything(warehouse_url: str, tmp_path: Path) -> None:
    folder = tmp_path / "extracted"
    manifest = extract(warehouse_url, folder)
    assert (manifest.state, manifest.errors, manifest.untried) == ("complete", (), False)
    assert Counter(one.kind for one in manifest.objects) == OBJECTS
    assert [one.name for one in manifest.objects if not one.enabled] == ["off"]
    assert re.match(r"PostgreSQL \d+", manifest.server)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.rglob("*")) if path.is_dir()}
    assert modes == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()} == {0o600}
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        # Routines in a file each call one another: that is said, and nothing else.
        assert all("entries in mdw.toml" in note for note in report.notes)
        # What a trigger does is not followed yet, nor is a rule; all else is read whole.
        others = re.compile(r"/(functions|triggers|rules)/")
        assert [one for one in report.sql if not others.search(one.location.file) and one.status != "whole"] == []
        customer = warehouse.dictionary().entity("RAW.CUSTOMER")
        assert customer is not None and customer.description == "who buys; it's us" and customer.key == ("ID",)
        assert [one.label or one.name for one in customer.attributes][:2] == ["id", "`Name`"]
        for attribute, source in (
            ("mart.top.total", "RAW.ORDERS.AMOUNT"),
            ("mart.report.total", "RAW.ORDERS.AMOUNT"),
            ("mart.report.name", "RAW.CUSTOMER.`Name`"),
        ):
            assert {end.attribute for end in warehouse.lineage(attribute).golden} == {source}
    asked(warehouse_url, "CALL mart.fill()")
    rows = "SELECT {}.name, {}.total::int FROM mart.{} ORDER BY 1"
    found = [asked(warehouse_url, rows.replace("{}", table)) for table in ("report", "spend", "top")]
    assert found == [[("Ann", 250), ("Eve", 20)]] * 2 + [[("Ann", 250)]]


def test_the_condition_of_a_view_is_that_of_its_rows(warehouse_url: str, tmp_path: Path) -> None:
    extract(warehouse_url, tmp_path / "extracted")
    with Warehouse() as warehouse:
        warehouse.load(tmp_path / "extracted")
        answer = warehouse.lineage("mart.eu.name", sql_dialect="postgres")
        (end,) = answer.golden
    rows = asked(warehouse_url, f'SELECT "Name" FROM raw.customer WHERE {end.sql} ORDER BY 1')
    assert rows == asked(warehouse_url, "SELECT name FROM mart.eu ORDER BY 1") == [("Ann",), ("Eve",)]


def test_a_role_without_rights_sees_the_same(warehouse_url: str, poor_url: str, tmp_path: Path) -> None:
    seen = asked(poor_url, "SELECT 1 FROM information_schema.columns WHERE table_schema IN ('raw', 'mart')")
    hidden = asked(poor_url, "SELECT routine_definition FROM information_schema.routines WHERE routine_schema = 'mart'")
    assert seen == [] and set(hidden) <= {(None,)}
    extract(warehouse_url, tmp_path / "owner")
    assert extract(poor_url, tmp_path / "poor").state == "complete"
    assert texts(tmp_path / "owner") == texts(tmp_path / "poor")


def test_what_a_role_may_not_see_is_named_and_run_again(
    warehouse_url: str, poor_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = extract(warehouse_url, tmp_path / "owner")
    for table in NO_RIGHTS:
        asked(warehouse_url, f"REVOKE SELECT ON pg_catalog.{table} FROM PUBLIC")
    folder = tmp_path / "poor"
    assert run(["extract", poor_url, "--output", str(folder)]) == 1
    said = capsys.readouterr().out
    for kind in ("function", "procedure", "trigger", "keys", "comments"):
        assert f"not read: all of kind {kind}: permission denied for table pg_" in said
    half = read_manifest(folder)
    assert half is not None and half.state == "partial" and {one.cause for one in half.errors} == {"rights"}
    assert Counter(one.kind for one in half.objects) == {"table": 3, "view": 2, "materialized view": 1, "rule": 1}
    with Warehouse() as warehouse:
        (note,) = warehouse.load(folder).notes
        assert "5 errors" in note and "permission denied for table pg_proc" in note
        assert warehouse.lineage("mart.eu.name").golden
    for table in NO_RIGHTS:
        asked(warehouse_url, f"GRANT SELECT ON pg_catalog.{table} TO PUBLIC")
    assert run(["extract", poor_url, "--output", str(folder), "--again"]) == 0
    again = read_manifest(folder)
    assert again is not None and again.state == "complete"
    assert sorted((one.file, one.sha256) for one in again.objects) == sorted(
        (one.file, one.sha256) for one in whole.objects
    )


def test_only_what_was_not_read_runs_again(warehouse_url: str, tmp_path: Path) -> None:
    """Another session holds a table: what rests on it is listed, and that alone is read when it has let go."""
    folder, limits = tmp_path / "extracted", Patience(lock=0.2)
    with psycopg.connect(warehouse_url) as other:
        other.execute("LOCK TABLE raw.orders IN ACCESS EXCLUSIVE MODE")
        manifest = extract(warehouse_url, folder, limits)
        held = [("view mart.spend", "locked"), ("rule raw.kept", "locked")]
        assert [(one.what, one.cause) for one in manifest.errors] == held
        assert sum(OBJECTS.values()) - 2 == len(manifest.objects)
    (folder / "mart/views/eu.sql").write_text("-- not touched\n", encoding="utf-8")
    again = extract(warehouse_url, folder, limits, again=True)
    assert again.state == "complete" and len(again.objects) == sum(OBJECTS.values())
    assert "sum(o.amount)" in (folder / "mart/views/spend.sql").read_text(encoding="utf-8")
    assert (folder / "mart/views/eu.sql").read_text(encoding="utf-8") == "-- not touched\n"


def test_what_is_dropped_meanwhile_is_whole_or_named(
    warehouse_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the lists were read: the snapshot still has the table, the server writes out no view that is gone."""
    from mdw.extract.catalogues.postgresql import Postgresql

    read, seen = Postgresql._some, []

    def dropping(self: Postgresql, some: list, how: object) -> object:
        if not seen:
            asked(warehouse_url, "DROP TABLE mart.report; DROP VIEW mart.spend CASCADE")
        seen.append(some)
        return read(self, some, how)

    monkeypatch.setattr(Postgresql, "_some", dropping)
    manifest = extract(warehouse_url, tmp_path / "extracted")
    assert {(one.what, one.cause) for one in manifest.errors} == {
        ("view mart.spend", "gone"),
        ("materialized view mart.top", "gone"),
    }
    assert "PRIMARY KEY (name)" in texts(tmp_path / "extracted")["mart/tables/report.sql"]


def test_one_read_only_snapshot_with_the_path_of_the_catalogue(warehouse_url: str) -> None:
    from mdw.extract.catalogues.postgresql import Postgresql

    catalogue = Postgresql(address(warehouse_url), Clock(Patience()))
    try:
        found = [one for one in catalogue.objects(Chosen()) if isinstance(one, DatabaseObject)]
        assert len(found) == sum(OBJECTS.values())
        said = catalogue._rows("SELECT current_setting('search_path'), current_setting('transaction_isolation')")
        assert said == [("pg_catalog", "repeatable read")]
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            catalogue._rows("CREATE TABLE public.x (a int)")
    finally:
        catalogue.close()


def test_a_function_of_the_same_name_as_the_servers_is_not_called(warehouse_url: str, tmp_path: Path) -> None:
    asked(
        warehouse_url,
        "CREATE FUNCTION public.pg_get_viewdef(oid) RETURNS text LANGUAGE sql AS $$ SELECT 'trap' $$;"
        'ALTER DATABASE "{}" SET search_path = public, pg_catalog, "Old DW"'.format(warehouse_url.rpartition("/")[2]),
    )
    manifest = extract(warehouse_url, tmp_path / "extracted")
    assert manifest.search_path == ("public", "pg_catalog", "Old DW")
    assert "trap" not in texts(tmp_path / "extracted")["mart/views/eu.sql"]


def test_hostile_names_stay_in_the_folder_and_apart(warehouse_url: str, tmp_path: Path) -> None:
    names = [
        "../../up",
        "/etc/passwd",
        "..",
        ".",
        "a/b",
        "x",
        "X",
        "nul",
        "é" * 31,
        'say "hi"',
        "a\\b",
        "x.tsql",
        "x^1",
    ]
    asked(warehouse_url, 'CREATE SCHEMA "../out"; CREATE SCHEMA "Raw"; CREATE SCHEMA "mdw.toml"')
    for schema in ("../out", "Raw", "mdw.toml"):
        for name in names:
            whole = '"{}"."{}"'.format(schema, name.replace('"', '""'))
            asked(warehouse_url, f"CREATE TABLE {whole} (a int); COMMENT ON TABLE {whole} IS 'it''s; \\ --'")
    folder = tmp_path / "deep" / "extracted"
    manifest = extract(warehouse_url, folder)
    assert manifest.state == "complete" and len(manifest.objects) == sum(OBJECTS.values()) + 3 * len(names)
    assert len({one.file.lower() for one in manifest.objects}) == len(manifest.objects)
    assert all((folder / one.file).resolve().is_relative_to(folder.resolve()) for one in manifest.objects)
    assert sorted(path.name for path in tmp_path.rglob("*") if not path.is_relative_to(folder)) == ["deep"]
    with Warehouse() as warehouse:
        report = warehouse.load(folder)
        # Routines in a file each call one another: that is said, and nothing else.
        assert all("entries in mdw.toml" in note for note in report.notes)
        tables = [one for one in report.sql if "/tables/" in one.location.file]
        assert len(tables) > 2 * 3 * len(names) and {one.status for one in tables} == {"whole"}


def test_secrets_of_definitions_and_of_the_url_stay_where_they_are(
    warehouse_url: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    planted = ["Planted1Wort", "Planted2Wort", "Planted3Wort", "AKIAQ3EGTP5XJRWNZB7M"]
    asked(
        warehouse_url,
        f"""
        CREATE FUNCTION mart.far() RETURNS int LANGUAGE plpgsql AS $$ BEGIN
            PERFORM dblink('host=h user=u password={planted[0]}', 'select 1');
            EXECUTE 'CREATE USER u PASSWORD ''{planted[1]}''';
            CREATE USER MAPPING FOR u SERVER s OPTIONS (user 'u', password '{planted[2]}');
            COPY raw.orders TO 's3://{planted[3]}'; RETURN 1; END $$;
        CREATE VIEW mart.link AS SELECT id, 'https://a.blob/x?sv=1&sig={planted[0]}' AS url FROM raw.orders;
        CREATE TABLE mart.settings (a text DEFAULT 'host=h password={planted[1]}');
        COMMENT ON TABLE mart.settings IS 'password: {planted[2]}';
        """,
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DWH", warehouse_url)
    assert run(["extract", "--url-env", "DWH", "--output", "extracted"]) == 0
    assert "secrets masked in: table mart.settings, view mart.link, function mart.far" in capfd.readouterr().out
    run(["extract", "--url-env", "DWH", "--output", "extracted", "--format", "json"])
    run(["load", "extracted", "--store", "s"])
    run(["report", "--store", "s", "--format", "json"])
    password = warehouse_url.partition("://")[2].partition("@")[0].partition(":")[2]
    monkeypatch.setenv("WRONG", warehouse_url.replace(password, password + "X"))
    assert run(["extract", "--url-env", "WRONG", "--output", "no"]) == 1
    shown = "".join(capfd.readouterr()) + caplog.text
    assert "password authentication failed" in shown and not Path("no").exists()
    with Warehouse("s", create=False) as warehouse:
        warehouse.export("nquads", tmp_path / "all.nq")
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for secret in (*planted, password):
        assert secret not in shown and secret.lower().encode() not in kept.lower()


def test_what_is_no_text_is_named_and_the_rest_is_there(server: str, tmp_path: Path) -> None:
    asked(server, "CREATE DATABASE bytes ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    url = server.rpartition("/")[0] + "/bytes"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE a (x int); CREATE TABLE b (x int)")
        connection.execute(b"CREATE VIEW fine AS SELECT x FROM a; CREATE VIEW odd AS SELECT '\xff' AS y")
    manifest = extract(url, tmp_path / "extracted")
    assert [(one.what, one.cause) for one in manifest.errors] == [("view public.odd", "refused")]
    assert [one.name for one in manifest.objects] == ["a", "b", "fine"]


def test_the_commands_of_the_readme_work(
    warehouse_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = re.findall(r"^mdw ((?:extract|load extracted|lineage mart\.top).*?)(?:  #.*)?$", readme, re.MULTILINE)
    assert len(commands) == 3
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DWH_URL", warehouse_url)
    for command in commands:
        assert run(command.split()) == 0
    assert "RAW.ORDERS.AMOUNT" in capsys.readouterr().out


def test_the_manifest_is_plain_json(warehouse_url: str, tmp_path: Path) -> None:
    manifest = extract(warehouse_url, tmp_path / "extracted")
    said = json.loads((tmp_path / "extracted/manifest.json").read_text(encoding="utf-8"))
    assert next(iter(said)) == "mdw_extraction" and said["state"] == "complete"
    assert read_manifest(tmp_path / "extracted") == manifest
    assert "@" not in said["database"]
