"""A process whose calls fail on demand: told by lines of JSON what to do, it forks for each and says what came of it.

Started by `faults.Faulty` with the shim loaded. Each operation is one that changes a folder; its state is what a reader
finds there afterwards, part by part, so that each part is known to be the old or the new one.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mdw import Warehouse
from mdw.extract.running import extract
from mdw.model.errors import MdwError
from mdw.readers.files.manifests import read_manifest
from mdw.server import access
from mdw.store import engine
from mdw.store.backups import restore
from mdw.store.directory import has_index
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.sparql import read_update

State = dict[str, str | None]
OLD = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B IF S.C = {n}\n" for n in range(3))
NEW = "".join(f'MAPPING m{n}: WHEN POPULATING T{n} FROM R POPULATE T{n}.A WITH "{n}"\n' for n in range(2, 5))


def _load(root: Path) -> None:
    with Warehouse(root / "store") as warehouse:
        warehouse.load(NEW)
        acknowledged()


def _load_fresh(root: Path) -> None:
    with Warehouse(root / "fresh") as warehouse:
        warehouse.load(NEW)
        acknowledged()


def _load_generation(root: Path) -> None:
    engine.DISK_BATCH = 1  # more than one batch goes into the next generation
    _load(root)


def _updates(root: Path) -> None:
    with Store(root / "store") as store:
        for number in range(3):
            Editor(store).update(
                read_update(f"INSERT DATA {{ <urn:a{number}> <urn:b> 1 . <urn:a{number}> <urn:b> 2 }}")
            )
            acknowledged(f"urn:a{number}")


def _put(root: Path) -> None:
    with Store(root / "store") as store:
        Editor(store).put("urn:g", root / "graph.ttl", "text/turtle", "urn:base")
        acknowledged()


def _tables(root: Path) -> None:
    with Warehouse(root / "store") as warehouse:
        warehouse.tables(root / "tables", "csv")


def _backup(root: Path) -> None:
    with Warehouse(root / "store") as warehouse:
        warehouse.backup(root / "copy")
        acknowledged()


def _restore(root: Path) -> None:
    restore(root / "backup", root / "store")
    acknowledged()


def _compact(root: Path) -> None:
    with Warehouse(root / "store") as warehouse:
        warehouse.compact()


def _token(root: Path) -> None:
    access.add(root / "store", "new", "read")
    acknowledged()


def _search(root: Path) -> None:
    with Warehouse(root / "store") as warehouse:
        warehouse.search("T1")


def _extract(root: Path) -> None:
    extract(f"sqlite:///{root.parent / 'shop.db'}", root / "extracted")


def _store(root: Path, name: str = "store") -> State:
    if not (root / name / "mdw.store").exists():
        return {"quads": None, **dict.fromkeys(("urn:a0", "urn:a1", "urn:a2"), "0")}
    with Store(root / name) as store:
        return _quads(store)


def _quads(store: Store) -> State:
    found = BytesIO()
    store.export(found, "nquads")
    lines = sorted(found.getvalue().splitlines())
    own = [line for line in lines if b"<urn:mdw:inferred>" not in line and not line.startswith(b"<urn:a")]
    return {"quads": sha256(b"\n".join(own)).hexdigest()[:8] if own else None} | {
        one: str(sum(line.startswith(f"<{one}>".encode()) for line in lines)) for one in ("urn:a0", "urn:a1", "urn:a2")
    }


def _copied(root: Path) -> State:
    found = _store(root)
    if (root / "copy").exists():
        restore(root / "copy", root / "again")
        return found | {"copy": _store(root, "again")["quads"]}
    return found | {"copy": None}


def _files(root: Path) -> State:
    found = sorted((root / "tables").glob("*.csv")) if (root / "tables").exists() else []
    return {one.name: sha256(one.read_bytes()).hexdigest()[:8] for one in found}


def _tokens(root: Path) -> State:
    return _store(root) | {"new": str(sorted(name for name, _ in (access.load(root / "store") or {}).values()))}


def _found(root: Path) -> State:
    ready = has_index(root / "store" / "search")
    with Warehouse(root / "store") as warehouse:
        return {"hits": str([hit.name for hit in warehouse.search("T1")]) if ready else None}


def _extracted(root: Path) -> State:
    manifest = read_manifest(root / "extracted")
    whole = manifest is not None and manifest.state != "running"
    return {"state": "whole" if whole else None}


OPERATIONS: dict[str, tuple[Callable[[Path], None], Callable[[Path], State]]] = {
    "load into a store": (_load, _store),
    "load into a new folder": (_load_fresh, lambda root: _store(root, "fresh")),
    "load a generation": (_load_generation, _store),
    "updates": (_updates, _store),
    "put a graph": (_put, _store),
    "tables": (_tables, _files),
    "backup": (_backup, _copied),
    "restore": (_restore, _store),
    "compact": (_compact, _store),
    "token": (_token, _tokens),
    "search": (_search, _found),
    "extract": (_extract, _extracted),
}


def _prepare(root: Path) -> None:
    """What every operation begins with: a store, a backup of another, a graph to put, a database."""
    with Warehouse(root / "other") as other:
        other.load(NEW)
        other.backup(root / "backup")
    with Warehouse(root / "store") as warehouse:
        warehouse.load(OLD)
    access.add(root / "store", "old", "admin")
    (root / "graph.ttl").write_text("".join(f"<urn:s{n}> <urn:p> {n} .\n" for n in range(50)))
    import sqlite3

    with closing(sqlite3.connect(root.parent / "shop.db")) as connection:
        connection.executescript("CREATE TABLE a (x INT); CREATE VIEW v AS SELECT x FROM a;")


EVENTS = 198
"""The file that is told what was acknowledged."""


def acknowledged(what: str = "all") -> None:
    """Note that the operation has been answered."""
    os.write(EVENTS, f"acknowledged\t{what}\n".encode())


def _work(asked: dict[str, Any], answer: int) -> None:
    shim = ctypes.CDLL(None)
    root = Path(asked["root"])
    os.dup2(os.open(asked["events"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), EVENTS)
    operation, state = OPERATIONS.get(asked["do"], (_prepare, lambda _: {}))
    said: dict[str, Any] = {"outcome": "done", "state": {}}
    try:
        if asked["look"]:
            said["state"] = state(root)
        else:
            noted = EVENTS if asked["power"] else -1
            names = (str(root), asked["flag"], asked["graves"])
            shim.fault(names[0].encode(), asked["n"], asked["kind"], *(name.encode() for name in names[1:]), noted)
            try:
                operation(root)
            finally:
                said["count"] = shim.fault_count()
                if not asked["power"]:
                    shim.fault(b"", 0, 0, b"", b"", -1)
    except MdwError as error:
        said |= {"outcome": "error", "said": str(error)}
    except BaseException:
        said |= {"outcome": "traceback", "said": traceback.format_exc()}
    os.write(answer, json.dumps(said).encode())


def main() -> None:
    """Until the input ends: a line of JSON in, a line of JSON out."""
    # what is made and imported at first use is so once, not in every fork
    with Warehouse() as warehouse, TemporaryDirectory() as folder:
        warehouse.load(OLD)
        warehouse.tables(Path(folder, "tables"), "csv")
        warehouse.search("T1")
    read_update("CLEAR ALL")
    for line in sys.stdin:
        asked = json.loads(line)
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            with suppress(BaseException):
                signal.alarm(60)
                _work(asked, writer)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as answer:
            text = answer.read()
        _, status = os.waitpid(child, 0)
        said = json.loads(text) if text else {"outcome": "killed", "signal": os.WTERMSIG(status), "state": {}}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
