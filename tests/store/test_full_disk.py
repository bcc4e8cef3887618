"""A disk that is really full, of bytes or of files, or read only: what was acknowledged stays and is answered.

With room writing goes on.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from mdw import Warehouse
from mdw.store.backups import restore

FILLED = """
import sys
from pathlib import Path
from mdw import Warehouse
from mdw.store.backups import restore
from mdw.model.errors import MdwError
room, fill = Path(sys.argv[1]), sys.argv[2]
text = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B\\n" for n in range(3))
with Warehouse(room / "store") as warehouse:
    warehouse.load(text)
fillers = []
try:
    while True:  # leaves no room at all
        fillers.append(room / f"filler{len(fillers)}")
        with fillers[-1].open("wb", buffering=0) as file:
            while fill == "bytes":
                file.write(bytes(4096))
except OSError:
    pass
said = ""
try:
    with Warehouse(room / "store") as warehouse:
        warehouse.load(text.replace("S.B", "S.C") + "MAPPING m9: WHEN POPULATING T9 FROM S POPULATE T9.A WITH S.B\\n")
except MdwError as error:
    said = str(error)
for one in fillers:
    one.unlink(missing_ok=True)
with Warehouse(room / "store") as warehouse:
    before = {end.attribute for n in range(3) for end in warehouse.lineage(f"T{n}.A").golden}
    warehouse.load(text.replace("S.B", "S.C"))
    after = {end.attribute for n in range(3) for end in warehouse.lineage(f"T{n}.A").golden}
print(bool(said), len(before), after)
"""


UNWRITABLE = """
import contextlib, io, json, os, subprocess, sys, tempfile
from pathlib import Path
from serving import serving
from mdw import Warehouse
from mdw.store.backups import restore
from mdw.cli import run
from mdw.store.engine import Store
from mdw.store.editor import Editor
from mdw.store.sparql import read_update
room, how = Path(sys.argv[1]), sys.argv[2]
store = str(room / "store")
(room / "s.sql").write_text("INSERT INTO X.T9 (A) SELECT B FROM X.S;")
text = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B\\n" for n in range(3))
with Warehouse(store) as warehouse:
    warehouse.load(text)
    warehouse.load(room / "s.sql")
    warehouse.search("T1")
# The last changes stand in the log alone: whoever made them was killed.
if not os.fork():
    opened = Store(store)
    for number in range(5):
        Editor(opened).update(read_update(f"INSERT DATA {{ <urn:a{number}> <urn:b> {number} }}"))
    os.kill(os.getpid(), 9)
os.wait()
def said(*words):
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run([*words, "--store", store])
    for one in (out, err):
        one.flush()
    return code, out.buffer.getvalue().decode(), err.buffer.getvalue().decode()
asked = [("lineage", "T1.A"), ("lineage", "--all"), ("impact", "S.B"), ("query", "SELECT ?s ?o { ?s <urn:b> ?o }"),
    ("report",), ("explain", "s.sql:1"), ("search", "T1"), ("tree", "m1"), ("export", "--format", "text")]
if how == "full":
    with contextlib.suppress(OSError), (room / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
else:
    subprocess.run(["mount", "-o", "remount,ro", str(room)], check=True)
found = [said(*words) for words in asked]
with Warehouse(store, create=False) as one, Warehouse(store, create=False) as other:  # any number may read
    why = one.unwritable, other.unwritable
kept = said("backup", str(room.parent / "kept"))[0]
link = room.parent / "linked"  # the server's log is to be beside it, where there is room
link.symlink_to(store)
form = {"Content-Type": "application/x-www-form-urlencoded"}
with serving(link, "--allow-update") as server:
    points = [server.query("SELECT ?o { <urn:a4> <urn:b> ?o }").rows for _ in range(3)]
    pages = [server.ask("GET", place).status for place in ("/", "/lineage/T1.A", "/api/search?q=T1", "/store",
        "/api/lineage/T1.A", "/metrics", "/report", "/admin/running")]
    changes = [server.ask(how, place, body, {"Content-Type": media}) for how, place, body, media in (
        ("POST", "/update", "INSERT DATA { <urn:x> <urn:y> 1 }", "application/sparql-update"),
        ("POST", "/api/mappings", text, "text/plain"), ("DELETE", "/store?graph=urn:g", "", "text/plain"),
        ("POST", "/admin/compact", "", "text/plain"), ("POST", "/admin/backup", "", "text/plain"))]
    health = server.ask("GET", "/health")
    writers = said("load", str(room / "s.sql"))
    refusals = [[one.status, one.json["detail"]] for one in changes]
    served = [points, pages, refusals, [health.status, health.json], writers]
left = sorted(one.name for one in Path(tempfile.gettempdir()).glob("mdw-*"))
refused = [said(*words) for words in [("load", str(room / "s.sql")), ("remove", "m1"), ("token", "ana"), ("compact",)]]
if how == "full":
    (room / "filler").unlink()
else:
    subprocess.run(["mount", "-o", "remount,rw", str(room)], check=True)
right = [said(*words) for words in asked]
written = said("load", str(room / "s.sql"))[0], said("token", "ana")[0]
print(json.dumps([found, right, why, kept, refused, written, served, left]))
"""


def on_its_own_disk(folder: Path, option: str, script: str, *words: str) -> str:
    """What a script prints that runs on a small disk mounted at the folder."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-Urm", "true"], capture_output=True).returncode:
        pytest.skip("no disk of its own can be made here (unshare -Urm)")
    mount = f'mount -t tmpfs -o {option} tmpfs "$1" && exec "$2" -c "$3" "$1" {" ".join(words)}'
    command = [unshare, "-Urm", "sh", "-c", mount, "sh", str(folder), sys.executable, script]
    environment = os.environ | {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'support'}", "TMPDIR": str(folder.parent)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("option", "fill"), [("size=8m", "bytes"), ("size=64m,nr_inodes=80", "files")])
def test_a_full_disk(tmp_path: Path, option: str, fill: str) -> None:
    assert on_its_own_disk(tmp_path, option, FILLED, fill) == "True 1 {'S.C'}\n"


@pytest.mark.parametrize(("how", "reason"), [("full", "no space left on device"), ("only", "read-only file system")])
def test_a_store_that_cannot_be_written_is_read(tmp_path: Path, how: str, reason: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    told = json.loads(on_its_own_disk(disk, "size=16m", UNWRITABLE, how))
    found, right, why, kept, refused, written, served, left = told
    assert found == right
    assert [code for code, _, _ in found] == [0] * len(found)
    assert why == [reason, reason]
    for code, out, err in refused:
        assert (code, out) == (1, "")
        assert reason in err
        assert err.startswith("Error: ")
        assert err.count("\n") == 1
    points, pages, changes, health, writing = served
    assert points == [[{"o": "4"}]] * 3
    assert pages == [200] * len(pages)
    trouble = f"the store can only be read: {reason}"
    assert changes[:-1] == [[503, trouble]] * (len(changes) - 1)
    assert changes[-1][0] == 503  # a backup needs a folder first
    assert changes[-1][1].endswith(reason)
    assert health == [200, {"status": "read-only", "reason": trouble}]
    assert writing[0] == 1
    assert left == []
    assert written == [0, 0]
    assert kept == 0
    assert restore(tmp_path / "kept", tmp_path / "again")
    with Warehouse(tmp_path / "again") as warehouse:
        assert [end.attribute for end in warehouse.lineage("T1.A").golden] == ["S.B"]
