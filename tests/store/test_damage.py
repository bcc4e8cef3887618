"""What is stored is what is believed: changes are counted, damage is said, backups carry the sums of their files."""

from __future__ import annotations

import errno
import os
import random
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from places import ROOT

from mdw import StoreError, Warehouse
from mdw.cli import run
from mdw.model.errors import MdwError
from mdw.store.backups import SUMS, restore, verify
from mdw.store.directory import CHANGES
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.sparql import read_update

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FLIPS = 150 if MORE < 4 else 1000
"""Places of a store with its log, and of a backup, where a byte is changed."""
TEXT = "".join(f"MAPPING m{n}: WHEN POPULATING T{n} FROM S POPULATE T{n}.A WITH S.B IF S.C = {n}\n" for n in range(5))
KILLED = """
import os, sys
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.sparql import read_update
store = Store(sys.argv[1])
for number in range(int(sys.argv[2])):
    Editor(store).update(read_update(f"INSERT DATA {{ <urn:a{number}> <urn:b> {number} }}"))
os.kill(os.getpid(), 9)
"""


def filled(folder: Path, updates: int) -> Path:
    """A store whose last changes stand in the log alone: the process that made them was killed."""
    with Warehouse(folder) as warehouse:
        warehouse.load(TEXT)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KILLED, str(folder), str(updates)], env=environment)
    return folder


def content(folder: Path) -> tuple[int, list[str]]:
    """What a store answers: how many updates it holds, and where a value comes from."""
    with Warehouse(folder, create=False) as warehouse:
        found = warehouse.query_text("SELECT (COUNT(*) AS ?n) { ?s <urn:b> ?n }", "csv").split()[1]
        return int(found), [end.attribute for n in range(5) for end in warehouse.lineage(f"T{n}.A").golden]


def flipped(folder: Path, places: int, use: Callable[[], object], right: object) -> int:
    """Change one byte at a time, at random places of every file; how often it was said. Never is less believed."""
    kept = folder.with_name("kept")
    shutil.copytree(folder, kept)
    files = sorted(path.relative_to(kept) for path in kept.rglob("*") if path.is_file() and path.stat().st_size)
    chance, said = random.Random(places), 0
    for number in range(places):
        file = files[number % len(files)]
        shutil.rmtree(folder)
        shutil.copytree(kept, folder)
        data = bytearray((folder / file).read_bytes())
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
        before = (folder / file).stat()
        (folder / file).write_bytes(data)
        if number % 2:  # what a disk loses changes no time
            os.utime(folder / file, ns=(before.st_atime_ns, before.st_mtime_ns))
        try:
            found = use()
        except MdwError:
            said += 1
        else:
            assert found == right, f"{file}, byte {place} of {len(data)}"
    shutil.rmtree(folder)
    kept.rename(folder)
    return said


def modes(folder: Path) -> set[tuple[str, int]]:
    """What kinds of things with what modes a folder holds, itself among them."""
    found = [folder, *folder.rglob("*")]
    return {("folder" if path.is_dir() else "file", stat.S_IMODE(path.stat().st_mode)) for path in found}


def test_a_byte_changed_in_the_log_is_said(tmp_path: Path) -> None:
    folder = filled(tmp_path / "store", 200)
    log = max(folder.glob("1/*.log"), key=lambda path: path.stat().st_size)
    data = bytearray(log.read_bytes())
    data[len(data) // 3] ^= 1
    log.write_bytes(data)
    with pytest.raises(StoreError, match=r"store holds \d+ of the 201 changes .* files of it are damaged"):
        content(folder)
    (folder / CHANGES).unlink()
    assert 0 < content(folder)[0] < 200, "whoever has been told may go on with what is left"
    assert content(folder)[0] > 0, "and is not told again"


def test_a_byte_changed_anywhere_is_said_or_changes_nothing(tmp_path: Path) -> None:
    folder = filled(tmp_path / "store", 60)
    shutil.copytree(folder, tmp_path / "one")
    right = content(tmp_path / "one")
    assert right[0] == 60
    assert flipped(folder, FLIPS, lambda: content(folder), right)


def test_a_byte_changed_in_the_index_of_names_or_the_record_of_files(tmp_path: Path) -> None:
    folder, source = tmp_path / "store", tmp_path / "text"
    source.mkdir()
    (source / "m.map").write_text(TEXT)

    def use() -> object:
        with Warehouse(folder) as warehouse:
            report = warehouse.load(source)
            return [hit.name for hit in warehouse.search("T1").hits], report.unchanged

    for _ in range(2):
        right = use()
    flipped(folder, FLIPS // 5, use, right)


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(TEXT)
        warehouse.backup(tmp_path / "backup")

    def use() -> object:
        shutil.rmtree(tmp_path / "again", ignore_errors=True)
        assert verify(tmp_path / "backup")
        assert restore(tmp_path / "backup", tmp_path / "again")
        return content(tmp_path / "again")

    said = flipped(tmp_path / "backup", FLIPS, use, use())
    assert said == FLIPS, "each of them, whatever the engine would say"
    assert run(["restore", str(tmp_path / "backup"), "--verify"]) == 0
    (tmp_path / "backup" / "000999.log").touch()
    with pytest.raises(StoreError, match=r"backup is damaged: 000999.log is new$"):
        restore(tmp_path / "backup", tmp_path / "again")
    assert run(["restore", str(tmp_path / "backup"), "--verify"]) == 1
    (tmp_path / "backup" / "000999.log").unlink()
    (tmp_path / "backup" / SUMS).unlink()
    assert not restore(tmp_path / "backup", tmp_path / "again"), "an earlier version made none"
    assert content(tmp_path / "again")[1]


def test_a_copy_shares_no_file(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(TEXT)
        warehouse.compact()
        warehouse.backup(tmp_path / "shared")
        warehouse.backup(tmp_path / "own", copy=True)
    assert any(path.stat().st_nlink > 1 for path in (tmp_path / "shared").iterdir())
    assert all(path.stat().st_nlink == 1 for path in (tmp_path / "own").iterdir())
    assert verify(tmp_path / "own")
    restore(tmp_path / "own", tmp_path / "again")
    assert content(tmp_path / "again") == content(tmp_path / "store")


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
def test_stores_and_backups_are_their_owner_s(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(TEXT)
        warehouse.search("T1")
        warehouse.backup(tmp_path / "backup")
        warehouse.backup(tmp_path / "copy", copy=True)
    restore(tmp_path / "backup", tmp_path / "again")
    content(tmp_path / "again")
    for name in ("store", "backup", "copy", "again"):
        assert modes(tmp_path / name) == {("folder", 0o700), ("file", 0o600)}, name
    (tmp_path / "again").chmod(0o750)
    with Warehouse(tmp_path / "again") as warehouse:
        warehouse.load(TEXT)
    assert stat.S_IMODE((tmp_path / "again").stat().st_mode) == 0o750, "whom the owner lets in stays in"


def test_each_change_is_on_the_disk_before_it_is_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    real = os.fdatasync
    with Store(tmp_path / "store") as store:
        monkeypatch.setattr(
            os, "fdatasync", lambda file: (synced.append(str(Path(f"/proc/self/fd/{file}").readlink())), real(file))
        )
        Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 1 }"))
        assert synced
        assert all(name.endswith(".log") for name in synced)

        def full(_: int) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "fdatasync", full)
        with pytest.raises(StoreError, match=r"cannot be written: no space left"):
            Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 2 }"))
        monkeypatch.setattr(os, "fdatasync", real)
        with pytest.raises(StoreError, match="could not be put on the disk; open it again"):
            Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 3 }"))
    with Store(tmp_path / "store") as store:
        Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 4 }"))
        assert "4" in store.query_text("SELECT ?n { <urn:a> <urn:b> ?n }", "csv").split()


def test_the_first_count_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(draft: Path, _data: bytes) -> int:
        draft.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(draft))

    with monkeypatch.context() as patched, Store(tmp_path / "s") as store:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(StoreError, match="no space left"):
            Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 1 }"))
    assert not (tmp_path / "s" / CHANGES).exists()
    with Store(tmp_path / "s") as store:
        Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 2 }"))


@pytest.mark.skipif(not hasattr(os, "pwrite"), reason="the system has no writing at a place")
def test_a_count_of_which_the_disk_takes_a_part_at_a_time_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "s") as store:
        for number in range(9):
            Editor(store).update(read_update(f"INSERT DATA {{ <urn:a> <urn:b> {number} }}"))
        before = (tmp_path / "s" / CHANGES).read_bytes()
        write = os.pwrite
        monkeypatch.setattr(os, "pwrite", lambda file, data, at: write(file, data[: (len(data) + 1) // 2], at))
        # From 9 to 10 the first digit stands where none was.
        Editor(store).update(read_update("INSERT DATA { <urn:a> <urn:b> 9 }"))
        after = (tmp_path / "s" / CHANGES).read_bytes()
        assert (before.split()[1], after.split()[1], len(after)) == (b"9", b"10", len(before))


def test_a_generation_that_is_gone_is_said(tmp_path: Path) -> None:
    Store(tmp_path / "store").close()
    shutil.rmtree(tmp_path / "store" / "1")
    with pytest.raises(StoreError, match="its folder 1 is gone"):
        Store(tmp_path / "store")
