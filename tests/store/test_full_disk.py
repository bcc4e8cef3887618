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
import contextlib, io, json, os, subprocess, sys
from pathlib import Path
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
refused = [said(*words) for words in [("load", str(room / "s.sql")), ("remove", "m1"), ("token", "ana"), ("compact",)]]
if how == "full":
    (room / "filler").unlink()
else:
    subprocess.run(["mount", "-o", "remount,rw", str(room)], check=True)
right = [said(*words) for words in asked]
written = said("load", str(room / "s.sql"))[0], said("token", "ana")[0]
print(json.dumps([found, right, why, kept, refused, written]))
"""


def on_its_own_disk(folder: Path, option: str, script: str, *words: str) -> str:
    """What a script prints that runs on a small disk mounted at the folder."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-Urm", "true"], capture_output=True).returncode:
        pytest.skip("no disk of its own can be made here (unshare -Urm)")
    mount = f'mount -t tmpfs -o {option} tmpfs "$1" && exec "$2" -c "$3" "$1" {" ".join(words)}'
    command = [unshare, "-Urm", "sh", "-c", mount, "sh", str(folder), sys.executable, script]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
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
    found, right, why, kept, refused, written = json.loads(on_its_own_disk(disk, "size=16m", UNWRITABLE, how))
    assert found == right
    assert [code for code, _, _ in found] == [0] * len(found)
    assert why == [reason, reason]
    for code, out, err in refused:
        assert (code, out) == (1, "")
        assert reason in err
        assert err.startswith("Error: ")
        assert err.count("\n") == 1
    assert written == [0, 0]
    assert kept == 0
    assert restore(tmp_path / "kept", tmp_path / "again")
    with Warehouse(tmp_path / "again") as warehouse:
        assert [end.attribute for end in warehouse.lineage("T1.A").golden] == ["S.B"]
