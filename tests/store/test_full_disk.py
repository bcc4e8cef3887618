"""A disk that is really full, of bytes or of files: what was acknowledged stays, and with room writing goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

FILLED = """
import sys
from pathlib import Path
from mdw import Warehouse
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


@pytest.mark.parametrize(("option", "fill"), [("size=8m", "bytes"), ("size=64m,nr_inodes=80", "files")])
def test_a_full_disk(tmp_path: Path, option: str, fill: str) -> None:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-Urm", "true"], capture_output=True).returncode:
        pytest.skip("no disk of its own can be made here (unshare -Urm)")
    mount = f'mount -t tmpfs -o {option} tmpfs "$1" && exec "$2" -c "$3" "$1" {fill}'
    command = [unshare, "-Urm", "sh", "-c", mount, "sh", str(tmp_path), sys.executable, FILLED]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120)
    assert done.stdout == "True 1 {'S.C'}\n", done.stdout + done.stderr
