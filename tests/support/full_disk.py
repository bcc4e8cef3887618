"""A server whose disk fills and empties, on a file system of its own: `unshare -Urm python full_disk.py FOLDER`.

Prints what happened as JSON, for the test that started it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from serving import Server, loaded, serving

UPDATE = 'INSERT DATA { <urn:s%d> <urn:p> "%s" }'
COUNT = "SELECT (COUNT(*) AS ?n) { ?s <urn:p> ?o }"
TEXT = "x" * 50_000
ROOM = 300_000
"""Bytes that are left at first."""


def fill(path: Path) -> None:
    """Take all the space there is but some."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(1 << 16))
        except OSError:
            file.truncate(path.stat().st_size - ROOM)


def happened(server: Server, disk: Path) -> dict[str, Any]:
    """What a server does before, while and after its disk is full."""
    found: dict[str, Any] = {"before": server.query(COUNT).status}
    fill(disk / "fill")
    acknowledged = 0
    while server.update(UPDATE % (acknowledged, TEXT)).status == 204:
        acknowledged += 1
    at_once = server.ask("GET", "/health").json
    asked = [server.query(COUNT) for _ in range(30)]
    found["changes"] = sorted({server.update(UPDATE % (1000, TEXT)).status for _ in range(30)})
    # what has been acknowledged is shown, or nothing
    found["answers"] = sorted({one.status for one in asked})
    found["short"] = [one.rows for one in asked if one.status == 200 and int(one.rows[0]["n"]) < acknowledged]
    found |= {"at once": at_once["status"], "health": server.ask("GET", "/health").json}
    found["search"] = server.ask("GET", "/api/search?q=T").status
    (disk / "fill").unlink()
    until = time.monotonic() + 10
    while time.monotonic() < until and server.update(UPDATE % (2000, TEXT)).status != 204:
        time.sleep(0.1)
    rows = int(server.query(COUNT).rows[0]["n"])
    found |= {"lost": max(0, acknowledged + 1 - rows), "after": server.ask("GET", "/health").json}
    return found | {"acknowledged": acknowledged, "searched": server.ask("GET", "/api/search?q=T").status}


def main(folder: str) -> None:
    """Mount, serve, fill, empty."""
    disk = Path(folder, "disk")
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=30m", "disk", str(disk)], check=True)
    (disk / "store.log").symlink_to(Path(folder, "store.log"))  # the log has room
    with serving(loaded(disk / "store"), "--allow-update", "--workers", "1") as server:
        print(json.dumps(happened(server, disk)))


if __name__ == "__main__":
    main(sys.argv[1])
