"""A store rebuilt from parts: whole, counted, or the one that was there."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pyoxigraph as ox
import pytest
from graphs import graphs

import mdw.store.rebuild
from mdw import StoreError, Warehouse
from mdw.rdf.graph import PREFIX
from mdw.store import inference
from mdw.store.engine import Store
from mdw.store.rebuild import Done, Growing, Infer, Part

TEXT = "".join(f"MAPPING m{n}:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH S.A IF S.B = {n}\n" for n in range(300))


def parts(folder: Path) -> tuple[list[Part], int, list[str]]:
    """Two part files, how many quads they are, and the blocks of the second."""
    every = list(graphs(TEXT))
    halves = every[:100], every[100:]
    found = []
    for number, half in enumerate(halves):
        path = folder / f"part{number}.trig"
        path.write_text(PREFIX + "".join(graph.block for graph in half), encoding="utf-8")
        found.append(Part(path))
    return found, sum(graph.quads for graph in every), [graph.block for graph in halves[1]]


def rebuild(store: Path, some: Sequence[Part], least: int, most: int, infer: Infer, done: Done | None = None) -> int:
    """Put parts in the place of what a store holds; how many quads they are."""
    with Growing(store) as growing:
        return growing.finish(some, least, most, infer, done=done)


def mappings(store: Path) -> int:
    """How many mappings a store holds."""
    with Warehouse(store, create=False) as warehouse:
        return len(warehouse.mappings())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with one mapping."""
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load("MAPPING old:\nWHEN POPULATING T FROM S\nPOPULATE T.A WITH S.A\n")
    return tmp_path / "store"


def test_parts_take_the_place_of_everything(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdw.store.rebuild.SMALL", 1)
    some, quads, _ = parts(tmp_path)
    told: list[tuple[int, int]] = []
    assert rebuild(store, some, quads, quads, inference.begun, done=lambda n, of: told.append((n, of))) == quads
    assert told == [(1, 2), (2, 2)]
    assert mappings(store) == 300
    assert sorted(path.name for path in store.iterdir()) == ["2", "changes", "files.sqlite", "mdw.store", "sums"]


def test_small_parts_are_taken_in_together_and_no_two_bundles_of_them_at_a_time(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought: list[tuple[int, bool]] = []

    def noted(engine: ox.Store, bundle: Sequence[Part]) -> int:
        brought.append((len(bundle), threading.current_thread() is threading.main_thread()))
        return bring(engine, bundle)

    bring = mdw.store.rebuild._bring
    monkeypatch.setattr(mdw.store.rebuild, "_bring", noted)
    some, quads, _ = parts(tmp_path)
    (tmp_path / "more.nq").write_text("<urn:a> <urn:b> <urn:c> <urn:g> .\n", encoding="utf-8")
    assert rebuild(store, [*some, Part(tmp_path / "more.nq")], quads + 1, quads + 1, inference.begun) == quads + 1
    assert brought == [(2, True), (1, True)]


def test_what_is_cut_out_of_a_part_is_not_there(store: Path, tmp_path: Path) -> None:
    (first, second), quads, blocks = parts(tmp_path)
    start = len(PREFIX) + len(blocks[0])
    cut = Part(second.path, ((start, len(blocks[1])),))
    (gone,) = (graph.quads for graph in graphs(TEXT) if graph.block == blocks[1])
    rebuild(store, [first, cut], quads - gone, quads - gone, inference.begun)
    assert mappings(store) == 299


def test_many_small_parts_of_both_forms_are_loaded_together(store: Path, tmp_path: Path) -> None:
    some: list[Part] = []
    every = list(graphs(TEXT))
    for number, graph in enumerate(every):
        path = tmp_path / f"part{number}.trig"
        path.write_text(PREFIX + graph.block.rstrip("\n"), encoding="utf-8")
        # Of every tenth part nothing is wanted but its head.
        some.append(Part(path, ((len(PREFIX), path.stat().st_size),) if number % 10 == 0 else ()))
    for number in range(50):
        path = tmp_path / f"part{number}.nq"
        path.write_text(f"<https://a/{number}> <https://b/> <https://c/> <https://d/> .", encoding="utf-8")
        some.append(Part(path))
    quads = 50 + sum(graph.quads for number, graph in enumerate(every) if number % 10)
    told: list[tuple[int, int]] = []
    assert rebuild(store, some, quads, quads, inference.begun, done=lambda n, of: told.append((n, of))) == quads
    assert told[-1] == (350, 350)
    assert len(told) < 35
    assert mappings(store) == 270


@pytest.fixture
def in_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine as if it wrote a table of every quad, and took in whatever there is as files."""
    monkeypatch.setattr("mdw.store.rebuild.SMALL", 1)
    monkeypatch.setattr("mdw.store.rebuild.TABLE", 1)


@pytest.mark.usefixtures("in_small_tables")
def test_parts_may_be_taken_while_others_are_made(store: Path, tmp_path: Path) -> None:
    some, quads, _ = parts(tmp_path)
    told: list[tuple[int, int]] = []
    with Growing(store) as growing:
        for one in some:
            growing.take(one, quads // 2)
        (loading,) = growing._begun  # the second waits for others to come
        assert loading.result() == 1
        assert mappings(store) == 1
        assert growing.finish(some, quads, quads, inference.begun, done=lambda n, of: told.append((n, of))) == quads
    assert told == [(1, 2), (2, 2)]
    assert mappings(store) == 300
    assert not (store / "rebuild").exists()


@pytest.mark.usefixtures("in_small_tables")
def test_all_begins_anew_if_less_is_wanted_of_a_part_that_was_taken(store: Path, tmp_path: Path) -> None:
    (first, second), quads, blocks = parts(tmp_path)
    cut = Part(second.path, ((len(PREFIX) + len(blocks[0]), len(blocks[1])),))
    (gone,) = (graph.quads for graph in graphs(TEXT) if graph.block == blocks[1])
    with Growing(store) as growing:
        growing.take(second, 1)
        growing.take(first, 1)
        assert growing.finish([first, cut], quads - gone, quads - gone, inference.begun) == quads - gone
    assert mappings(store) == 299


@pytest.mark.usefixtures("in_small_tables")
def test_a_part_that_was_taken_and_cannot_be_read_leaves_the_store_as_it_was(store: Path, tmp_path: Path) -> None:
    (first, second), _, _ = parts(tmp_path)
    first.path.write_text("no quads", encoding="utf-8")
    with Growing(store) as growing:
        growing.take(first, 1)
        growing.take(second, 1)
        (loading,) = growing._begun
        assert isinstance(loading.exception(), SyntaxError)
        with pytest.raises(StoreError, match="the store was not rebuilt and is what it was"):
            growing.take(second, 1)
    assert mappings(store) == 1
    assert not (store / "rebuild").exists()


def test_conclusions_are_drawn_before_the_switch(store: Path, tmp_path: Path) -> None:
    some, quads, _ = parts(tmp_path)
    seen: list[int] = []

    def infer(grown: Store) -> Callable[[], None]:
        assert len(grown.select("mappings/names")) == 300
        return lambda: seen.append(mappings(store))

    rebuild(store, some, quads, quads, infer)
    assert seen == [1]


def test_wrong_counts_and_broken_parts_leave_the_store_as_it_was(store: Path, tmp_path: Path) -> None:
    some, quads, _ = parts(tmp_path)
    with pytest.raises(StoreError, match=f"should be {quads + 1} quads and are {quads}: the store was not rebuilt"):
        rebuild(store, some, quads + 1, quads + 1, inference.begun)
    text = some[1].path.read_bytes()
    some[1].path.write_bytes(text[: len(text) // 2])
    with pytest.raises(StoreError, match="the store was not rebuilt and is what it was"):
        rebuild(store, some, quads, quads, inference.begun)
    some[1].path.unlink()
    with pytest.raises(StoreError, match="the store was not rebuilt and is what it was"):
        rebuild(store, some, quads, quads, inference.begun)
    assert mappings(store) == 1
    assert sorted(path.name for path in store.iterdir()) == ["1", "changes", "files.sqlite", "mdw.store", "sums"]


CHILD = """
import resource, signal, sys
from pathlib import Path
from mdw import StoreError
from mdw.store import inference
from mdw.store.rebuild import Done, Growing, Infer, Part
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    with Growing(Path(sys.argv[1])) as growing:
        growing.finish([Part(Path(name)) for name in sys.argv[3:]], 0, 1 << 40, inference.begun)
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the size of files, which Windows cannot")
def test_a_disk_that_is_full_leaves_the_store_as_it_was(store: Path, tmp_path: Path) -> None:
    some, _, _ = parts(tmp_path)
    command = [sys.executable, "-c", CHILD, str(store), str(100_000), *[str(part.path) for part in some]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "the store was not rebuilt and is what it was" in done.stdout, done.stderr
    assert mappings(store) == 1
    assert not (store / "rebuild").exists()


def test_one_process_at_a_time_rebuilds_and_leftovers_are_swept(store: Path, tmp_path: Path) -> None:
    some, quads, _ = parts(tmp_path)
    (store / "rebuild").mkdir()
    (store / "rebuild" / "leftover").write_text("of a run that was killed")
    (store / "2").mkdir()
    hold = "import pyoxigraph, sys; held = pyoxigraph.Store(sys.argv[1]); print('held', flush=True); sys.stdin.read()"
    (store / "rebuild" / "leftover").unlink()
    command = [sys.executable, "-c", hold, str(store / "rebuild")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match="another process is rebuilding the store"):
            rebuild(store, some, quads, quads, inference.begun)
        assert (store / "rebuild").exists()
        other.communicate("")
    rebuild(store, some, quads, quads, inference.begun)
    assert mappings(store) == 300
    assert sorted(path.name for path in store.iterdir()) == ["3", "changes", "files.sqlite", "mdw.store", "sums"]
