"""Faults of a disk, made on purpose: calls that fail, a process that is killed, a power cut.

shim (faults.c, built here) -> loaded into a child (faulty.py), which forks for each try -> the n-th call fails
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from places import ROOT, TESTS

ALL = -1
KINDS = {
    **{name: getattr(errno, name) for name in ("ENOSPC", "EIO", "EROFS", "EMFILE")},
    "short write": 1000,
    "killed": 1001,
    "power cut": 1001,
}


def shim(folder: Path) -> Path | None:
    """The shim, built into a folder; None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    built = folder / "faults.so"
    source = TESTS / "support" / "faults.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", built, source, "-ldl"], check=True)
    return built


@dataclass
class Faulty:
    """The child, and the folder in which it tries."""

    process: subprocess.Popen[str]
    folder: Path

    @property
    def root(self) -> Path:
        """What an operation works in."""
        return self.folder / "root"

    @property
    def events(self) -> Path:
        """What was acknowledged and, before a power cut, what was done to the disk."""
        return self.folder / "events"

    def fresh(self) -> None:
        """Everything as it was before any operation."""
        for one in ("root", "graves"):
            shutil.rmtree(self.folder / one, ignore_errors=True)
        self.events.unlink(missing_ok=True)
        (self.folder / "graves").mkdir()
        if (self.folder / "prepared").exists():
            shutil.copytree(self.folder / "prepared", self.root)
        else:
            self.root.mkdir()
            assert self._tell("prepare")["outcome"] == "done"
            shutil.copytree(self.root, self.folder / "prepared")

    def do(self, operation: str, n: int = 0, kind: str = "EIO") -> dict[str, Any]:
        """Try an operation whose n-th call fails; after a power cut the disk is what it would be."""
        before = _sizes(self.root)
        said = self._tell(operation, n=n, kind=KINDS[kind], power=kind == "power cut")
        if kind == "power cut" and said["outcome"] == "killed":
            cut(self.events, self.root, self.folder / "graves", before)
        return said

    def state(self, operation: str) -> dict[str, str | None]:
        """What a reader finds."""
        said = self._tell(operation, look=True)
        assert said["outcome"] == "done", said
        found: dict[str, str | None] = said["state"]
        return found

    def acknowledged(self) -> list[str]:
        """What the operation answered before it ended."""
        lines = self.events.read_text().splitlines() if self.events.exists() else []
        return [line.partition("\t")[2] for line in lines if line.startswith("acknowledged\t")]

    def _tell(self, operation: str, **said: Any) -> dict[str, Any]:
        given = {"n": 0, "kind": 0, "power": False, "look": False, **said}
        names = {
            "root": self.root,
            "events": self.events,
            "graves": self.folder / "graves",
            "flag": self.folder / "flag",
        }
        asked = {"do": operation, **given, **{name: str(path) for name, path in names.items()}}
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        found: dict[str, Any] = json.loads(self.process.stdout.readline())
        return found


@contextmanager
def faulty(folder: Path, built: Path) -> Iterator[Faulty]:
    """The child with the shim in it."""
    environment = os.environ | {"LD_PRELOAD": str(built), "PYTHONPATH": f"{ROOT}{os.pathsep}{TESTS / 'support'}"}
    command = [sys.executable, str(TESTS / "support" / "faulty.py")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield Faulty(process, folder)
        assert process.stdin
        process.stdin.close()


# -- a power cut -------------------------------------------------------------------------------------------------------


def cut(events: Path, root: Path, graves: Path, before: dict[int, int]) -> None:
    """Undo what no fsync has brought to the disk: names since the last one of their folder, bytes of files.

    ``before`` are the sizes of files as they were, by number of inode: those are on the disk.
    """
    synced = dict(before)
    waiting: list[tuple[str, int, str, str]] = []
    for line in events.read_text().splitlines():
        what, *rest = line.split("\t")
        if what == "acknowledged":
            continue
        folder, inode, size, path, other = int(rest[0]), int(rest[1]), int(rest[2]), rest[3], rest[4]
        if what == "synced" and folder:
            waiting = [one for one in waiting if str(Path(one[3] or one[2]).parent) != path]
        elif what == "synced":
            synced[inode] = size
        elif what in ("emptied", "cut"):
            synced[inode] = min(size, synced.get(inode, 0))
        else:
            waiting.append((what, inode, path, other))
    for what, inode, path, other in reversed(waiting):
        _undo(what, inode, Path(path), Path(other), graves)
    for path in root.rglob("*"):
        if path.is_file():
            is_now = path.stat()
            os.truncate(path, min(is_now.st_size, synced.get(is_now.st_ino, 0)))


def _undo(what: str, inode: int, path: Path, other: Path, graves: Path) -> None:
    with suppress(FileNotFoundError, FileExistsError, NotADirectoryError):
        if what == "made":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        elif what == "moved":
            other.rename(path)
            os.link(graves / f"{inode}", other)
        elif what == "removed":
            os.link(graves / f"{inode}", path)


def _sizes(root: Path) -> dict[int, int]:
    return {path.stat().st_ino: path.stat().st_size for path in root.rglob("*") if path.is_file()}
