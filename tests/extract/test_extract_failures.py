"""Databases out of reach, silent, lost half-way or too slow: status and cause of each, and the rest is there."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from extracting import OBJECTS, Relay, silent

from mdw.cli import run
from mdw.extract.addresses import address
from mdw.extract.limits import Patience
from mdw.extract.running import extract
from mdw.model.errors import DatabaseError, OutputError
from mdw.readers.files.manifests import read_manifest

pytest.importorskip("psycopg")


def test_nobody_listens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        port = some.getsockname()[1]
    url = f"postgresql://me:geheim@127.0.0.1:{port}/dwh"
    assert run(["extract", url, "--output", str(tmp_path / "x")]) == 1
    said = capsys.readouterr().err
    assert "refused" in said and f"postgresql://127.0.0.1:{port}/dwh" in said and "geheim" not in said
    assert "--url-env" in said
    assert not (tmp_path / "x").exists()


def test_a_server_that_never_answers(tmp_path: Path) -> None:
    start = monotonic()
    with silent() as port, pytest.raises(DatabaseError, match="timeout"):
        extract(f"postgresql://me:geheim@127.0.0.1:{port}/dwh", tmp_path / "x", Patience(connect=2))
    assert monotonic() - start < 10
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("hangs_up", [True, False], ids=["hangs up", "keeps silent"])
def test_a_server_that_is_lost_half_way(hangs_up: bool, warehouse_url: str, tmp_path: Path) -> None:
    """What was read until then is written, what was not is named, and all of it is there after another run."""
    with Relay(warehouse_url) as relay:
        whole = extract(relay.url, tmp_path / "whole")
    folder = tmp_path / "half"
    start = monotonic()
    with Relay(warehouse_url, relay.passed * 2 // 3, hangs_up=hangs_up) as relay:
        half = extract(relay.url, folder, Patience(statement=60 if hangs_up else 1))
    assert monotonic() - start < 20
    assert half.state == "partial" and 0 < len(half.objects) < len(whole.objects)
    assert {one.cause for one in half.errors} == {"lost" if hangs_up else "time"}
    assert {one.kind for one in half.errors} | {one.kind for one in half.objects} == OBJECTS.keys()
    assert all(one.message and "Geheim" not in one.message for one in half.errors)
    said = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps(said | {"database": address(warehouse_url).shown}))
    again = extract(warehouse_url, folder, again=True)
    assert again.state == "complete"
    files = [(one.file, one.sha256) for one in whole.objects]
    assert sorted((one.file, one.sha256) for one in again.objects) == sorted(files)


def test_the_whole_has_a_limit(warehouse_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mdw.extract.catalogues.postgresql import Postgresql

    read = Postgresql._tables
    monkeypatch.setattr(Postgresql, "_tables", lambda *given: (read(*given), sleep(2))[0])
    manifest = extract(warehouse_url, tmp_path / "x", Patience(whole=2))
    assert manifest.state == "partial" and {one.kind for one in manifest.objects} == {"table"}
    assert {(one.cause, one.message) for one in manifest.errors} == {("time", "the limit of 2 s for the whole is over")}
    assert {one.kind for one in manifest.errors} == OBJECTS.keys() - {"table"}


def test_a_killed_run_leaves_half_an_extraction_that_says_so(
    warehouse_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = f"""
import os
from pathlib import Path
from mdw.extract.running import extract
extract({warehouse_url!r}, Path("x"), progress=lambda count: os._exit(9) if count == 4 else None)
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env={**os.environ})
    assert done.returncode == 9
    manifest = read_manifest(tmp_path / "x")
    assert manifest is not None and manifest.state == "running"
    run(["load", str(tmp_path / "x"), "--store", str(tmp_path / "s")])
    assert "half of an extraction" in "".join(capsys.readouterr())
    with pytest.raises(DatabaseError, match="nothing can be run again"):
        extract(warehouse_url, tmp_path / "x", again=True)
    assert extract(warehouse_url, tmp_path / "x").state == "complete"


def test_what_is_gone_from_the_database_goes_from_the_folder(warehouse_url: str, tmp_path: Path) -> None:
    import psycopg

    folder = tmp_path / "x"
    extract(warehouse_url, folder)
    (folder / "mart/views/eu.sql").write_text("-- mine\n", encoding="utf-8")
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with psycopg.connect(warehouse_url, autocommit=True) as connection:
        connection.execute("DROP VIEW mart.eu CASCADE")
    manifest = extract(warehouse_url, folder)
    assert manifest.gone == ("mart/materialized_views/top.sql", "mart/views/eu.sql", "mart/views/spend.sql")
    assert not (folder / "mart/views/spend.sql").exists() and not (folder / "mart/materialized_views/top.sql").exists()
    assert (folder / "notes.txt").exists() and (folder / "mart/views/eu.sql").read_text() == "-- mine\n"
    assert sum(OBJECTS.values()) - 3 == len(manifest.objects)


@pytest.mark.parametrize(
    "url",
    [
        "dwh",
        "postgresql:/me:geheim@host/dwh",
        "postgresql://me:geheim/1@host/dwh",
        "postgresql://me:geh#eim@host/dwh",
        "postgresql://me:geh@eim@host/dwh",
        "sqlite:///x.db?mode=rwc&key=geheim",
        "sqlite:///:memory:",
        "duckdb://geheim",
        "nosuch://me:geheim@host/dwh",
        "sqlite:///not/there.db",
        "duckdb:///not/there.db",
    ],
)
def test_a_url_of_no_use_is_said_without_what_it_hides(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["extract", url, "--output", str(tmp_path / "x")]) == 1
    said = capsys.readouterr().err
    assert said and "geh" not in said and "eim" not in said and "Traceback" not in said
    assert not (tmp_path / "x").exists()


def test_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_URL", raising=False)
    assert run(["extract", "--output", str(tmp_path)]) == 2
    assert run(["extract", "--url-env", "NO_SUCH_URL", "--output", str(tmp_path)]) == 2
    assert run(["extract", "sqlite:///x", "--url-env", "PATH", "--output", str(tmp_path)]) == 2


def test_a_folder_that_holds_other_things_is_left_alone(warehouse_url: str, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(OutputError, match="holds other things"):
        extract(warehouse_url, tmp_path)
    extract(warehouse_url, tmp_path / "x")
    other = warehouse_url.rpartition("/")[0] + "/postgres"
    with pytest.raises(OutputError, match="name another folder"):
        extract(other, tmp_path / "x")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "x"]


def test_drivers_say_nothing_of_the_password() -> None:
    place = address("postgresql://me:Geh%23eim@host/dwh?sslpassword=tls%2Fkey")
    said = place.scrubbed(ValueError(f'bad "{place.url}": Geh#eim Geh%23eim tls/key\nuser "me" failed'))
    assert said == 'bad "…": … … … user "…" failed'
    assert "Geh" not in repr(place)
