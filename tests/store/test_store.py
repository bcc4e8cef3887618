"""The store: loads are whole or have not happened, folders are looked after, queries stay inside."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph as ox
import pytest
from graphs import graphs, stored
from places import ROOT, TESTS

import mdw.store.bringing
import mdw.store.engine
from mdw.model.errors import OutputError, QueryError, StoreError
from mdw.rdf.graph import MappingGraph
from mdw.store.backups import restore
from mdw.store.directory import MARKER, Directory
from mdw.store.engine import LoadCounts, Store


def text(number: int, value: str = "x", more: str = "") -> str:
    """A mapping of its own name."""
    return f'MAPPING m{number}: WHEN POPULATING T{number} FROM D POPULATE T{number}.A WITH "{value}" {more}\n'


def some(numbers: range, value: str = "x") -> list[MappingGraph]:
    return [graph for number in numbers for graph in graphs(text(number, value))]


def held(store: Store) -> set[str]:
    """Every mapping and constant in the store."""
    rows = store.query_text(
        "SELECT ?l ?c { ?m rdfs:label ?l GRAPH ?m { ?n a mdw:PopulateWithExpressionStringNode ; mdw:content ?c } }",
        "tsv",
    )
    return {row.replace('"', "").replace("\\", "").replace("\t", "=") for row in rows.splitlines()[1:]}


def expected(numbers: range, value: str = "x") -> set[str]:
    return {f"m{number}={value}" for number in numbers}


def test_what_the_engine_takes_in_as_files_goes_into_a_new_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []

    def bring(quads: ox.Store, text: str, *, as_files: bool = False) -> None:
        asked.append(as_files)
        bringing(quads, text)  # files of so little may end the process

    bringing = mdw.store.bringing.bring
    for module in (mdw.store.engine, mdw.store.bringing):
        monkeypatch.setattr(module, "bring", bring)
    with Store(tmp_path / "store") as store:
        store.load(some(range(3)))
        assert (asked, Directory(tmp_path / "store").current.name) == ([False], "1")
        monkeypatch.setattr(mdw.store.engine, "MUCH", 1_000)
        store.load(some(range(3, 9)))
        assert (asked, Directory(tmp_path / "store").current.name) == ([False, False], "2")
        monkeypatch.setattr(mdw.store.bringing, "SMALL", 1_000)
        store.load(some(range(9, 15)))
        assert (asked, Directory(tmp_path / "store").current.name) == ([False, False, True], "3")
        assert held(store) == expected(range(15))


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    with Store(None if request.param == "memory" else tmp_path / "store") as opened:
        yield opened


@pytest.fixture(params=["one transaction", "many batches"])
def batches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tests with every load so big that it comes in batches."""
    if request.param == "many batches":
        monkeypatch.setattr(mdw.store.engine, "MEMORY_BATCH", 1)
        monkeypatch.setattr(mdw.store.engine, "DISK_BATCH", 1)
        monkeypatch.setattr("mdw.store.batches.LOOKUP", 2)


@pytest.mark.usefixtures("batches")
class TestLoading:
    def test_new_replaced_and_unchanged_are_told_apart(self, store: Store) -> None:
        assert store.load(some(range(5))) == LoadCounts(new=5)
        assert store.load(some(range(5))) == LoadCounts(unchanged=5)
        changed = some(range(3), "y") + some(range(3, 8))
        assert store.load(changed) == LoadCounts(new=3, replaced=3, unchanged=2)
        assert held(store) == expected(range(3), "y") | expected(range(3, 8))

    def test_a_replaced_mapping_leaves_nothing_behind(self, store: Store) -> None:
        store.load(graphs(text(1, more="POPULATE T1.B WITH D.OLD SELECT ROWS WHERE D.GONE = 1")))
        store.load(some(range(1, 6), "y"))
        fresh = Store()
        fresh.load(some(range(1, 6), "y"))
        query = "SELECT * { GRAPH ?g { ?s ?p ?o } FILTER(?g != <urn:mdw:inferred>) }"
        assert sorted(store.query_text(query, "tsv").splitlines()) == sorted(
            fresh.query_text(query, "tsv").splitlines()
        )

    def test_what_a_load_touches_is_marked_stale(self, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        store.load(
            graphs("MAPPING a: WHEN POPULATING T FROM D POPULATE T.A WITH E.A NAVIGATE FROM D TO E USING D.X = E.X")
        )
        monkeypatch.setattr(Store, "_settle", lambda _: None)
        store.load([*graphs("MAPPING a: WHEN POPULATING T FROM F POPULATE T.A WITH F.A"), *some(range(4))])
        rows = store.query_text("SELECT ?e { <urn:mdw:inferred> mdw:stale ?e }", "csv").split()[1:]
        assert {row.removeprefix("urn:mdw:entity:") for row in rows} == {*"TDEF", "T0", "T1", "T2", "T3"}

    def test_a_load_that_fails_in_reading_leaves_what_was_there(self, store: Store) -> None:
        store.load(some(range(4)))

        def failing() -> Iterator[MappingGraph]:
            yield from some(range(2, 9), "y")
            raise KeyError("on purpose")

        with pytest.raises(KeyError):
            store.load(failing())
        assert held(store) == expected(range(4))
        assert store.load(some(range(4, 9), "z")) == LoadCounts(new=5), "and can go on"
        assert held(store) == expected(range(4)) | expected(range(4, 9), "z")

    def test_a_load_that_fails_in_writing_leaves_what_was_there(self, store: Store) -> None:
        store.load(some(range(4)))
        good = some(range(4, 9))
        bad = MappingGraph("urn:mdw:mapping:bad", "d", "GRAPH <urn:mdw:mapping:bad> { no turtle }", frozenset())
        with pytest.raises(StoreError, match="the store cannot be written"):
            store.load([*good, bad, *some(range(9, 12))])
        assert held(store) == expected(range(4))

    def test_a_mapping_comes_once(self, store: Store) -> None:
        with pytest.raises(StoreError, match="the mapping m1 comes twice in one load"):
            store.load([*some(range(4)), *some(range(1, 2), "y")])
        assert held(store) == set()

    def test_nothing_to_load(self, store: Store) -> None:
        assert store.load([]) == LoadCounts()

    def test_remove(self, store: Store) -> None:
        store.load(some(range(4)))
        store.remove(["urn:mdw:mapping:m1", "urn:mdw:mapping:m2"])
        assert held(store) == {"m0=x", "m3=x"}


def test_what_is_on_disk_stays(tmp_path: Path) -> None:
    for number in range(3):
        with Store(tmp_path / "deep" / "store") as store:
            store.load(some(range(number + 1)))
    with Store(tmp_path / "deep" / "store") as store:
        assert held(store) == expected(range(3))


KILLED = """
import sys, time
sys.path[:0] = {path!r}
import mdw.store.bringing
import mdw.store.engine
from mdw.store.engine import Store
from test_store import some
mdw.store.engine.DISK_BATCH = {batch}
def slowly():
    graphs = some(range(120), "new")
    yield from graphs[:100]
    time.sleep({pause})
    yield from graphs[100:]
    print("read", flush=True)
Store({folder!r}).load(slowly())
print("written", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("batch", [1, 10**9], ids=["next generation", "one transaction"])
@pytest.mark.parametrize("written", [False, True])
def test_a_store_killed_in_the_middle_of_a_load_opens_with_the_old_content(
    tmp_path: Path, batch: int, written: bool
) -> None:
    folder = str(tmp_path / "store")
    with Store(folder) as store:
        store.load(some(range(20)))
    script = KILLED.format(
        path=[str(TESTS / "store"), str(TESTS / "support"), str(ROOT)], folder=folder, batch=batch, pause=0.05
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "read\n"
        if written:
            assert process.stdout.readline() == "written\n"
        os.kill(process.pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    with Store(folder) as store:
        assert held(store) == (expected(range(120), "new") if written else expected(range(20)))
        store.load(some(range(30), "newer"))
        assert held(store) >= expected(range(30), "newer")
    assert len([entry for entry in Path(folder).iterdir() if entry.is_dir()]) == 1, "the half-filled generation is gone"


def test_a_second_process_gets_one_clear_sentence(tmp_path: Path) -> None:
    folder = str(tmp_path / "store")
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from mdw.store.engine import Store; Store({folder!r})"
    with Store(folder):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"mdw.StoreError: the store {folder} is in use: one process at a time may open it; wait, or")


def test_paths_that_are_no_store(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("hello")
    with pytest.raises(StoreError, match=r"file is a file, a store is a folder$"):
        Store(file)
    with pytest.raises(StoreError, match=r"holds other files and is no store$"):
        Store(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
    with pytest.raises(StoreError, match=r"cannot hold a store: not a directory$"):
        Store(file / "below")
    later = tmp_path / "later"
    later.mkdir()
    (later / MARKER).write_text("mdw store 2\n1\n")
    with pytest.raises(StoreError, match="was written by another version of mdw"):
        Store(later)
    damaged = tmp_path / "damaged"
    Store(damaged).close()
    next(damaged.glob("1/MANIFEST-*")).write_bytes(b"no manifest")
    with pytest.raises(StoreError, match="damaged cannot be opened"):
        Store(damaged)
    with pytest.raises(StoreError, match="is no backup of a store"):
        restore(damaged / "1", tmp_path / "restored")


def test_a_store_does_not_grow_by_being_opened(tmp_path: Path) -> None:
    sizes = []
    for _ in range(6):
        Store(tmp_path / "store").close()
        sizes.append(sum(path.stat().st_size for path in (tmp_path / "store").rglob("*")))
    assert max(sizes[1:]) - min(sizes[1:]) < 5000


def test_a_closed_store_says_so() -> None:
    store = stored(text(1))
    store.close()
    with pytest.raises(StoreError, match=r"^the store is closed$"):
        held(store)


def test_threads_ask_while_one_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mdw.store.engine, "MEMORY_BATCH", 1)
    store = Store()
    seen: list[int] = []
    writers = [threading.Thread(target=store.load, args=(some(range(20 * n, 20 * n + 20)),)) for n in range(3)]
    readers = [threading.Thread(target=lambda: seen.append(len(held(store)))) for _ in range(6)]
    for thread in (*writers, *readers):
        thread.start()
    for thread in (*writers, *readers):
        thread.join()
    assert held(store) == expected(range(60))
    assert len(seen) == 6


SERVICES = [
    "SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "select * { service silent <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "PREFIX e: <http://127.0.0.1:9/> SELECT * { ?s ?p ?o .SERVICE e:x { ?s ?p ?o } }",
    "SELECT * { VALUES ?e { <http://127.0.0.1:9/> } SERVICE ?e{ ?s ?p ?o } }",
    "SELECT * { SERVICE # why not {\n <http://127.0.0.1:9/> # here\r{ ?s ?p ?o } }",
    "SELECT * { ?s ?p 1SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "SELECT * { ?a ?p ?b FILTER(?a<'>') SERVICE <http://127.0.0.1:9/> { ?s ?p 'x' } }",
    "SELECT * { \\u0053ERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }",
    "ASK { { SELECT * { OPTIONAL { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } } } } }",
]


@pytest.mark.parametrize("query", SERVICES)
def test_queries_stay_inside(query: str) -> None:
    with pytest.raises(QueryError, match=r"SERVICE is refused|cannot be answered"):
        Store().query_text(query)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?service ?x { ?service ?p ?x }",
        "SELECT * { ?s rdfs:label 'SERVICE' , \"a SERVICE desk\" }",
        "PREFIX ex: <urn:service:> SELECT * { GRAPH ex:service { ?s ?p ?o } }",
        "# SERVICE with a smile\nASK { ?s ?p ?o }",
    ],
)
def test_the_word_service_is_free(query: str) -> None:
    Store().query_text(query)


def test_updates_are_no_queries() -> None:
    store = stored(text(1))
    for update in ("DROP ALL", "LOAD <http://127.0.0.1:9/>", "INSERT DATA { <urn:a> <urn:b> <urn:c> }"):
        with pytest.raises(QueryError, match=r"cannot be (answered|read)"):
            store.query_text(update)
    assert held(store) == {"m1=x"}


def test_forms() -> None:
    store = stored(text(1))
    rows = "SELECT ?l { ?m a mdw:Mapping ; rdfs:label ?l }"
    assert json.loads(store.query_text(rows))["results"]["bindings"] == [{"l": {"type": "literal", "value": "m1"}}]
    assert store.query_text(rows, "csv").split() == ["l", "m1"]
    assert store.query_text(rows, "tsv").split() == ["?l", '"m1"']
    assert "<literal>m1</literal>" in store.query_text(rows, "xml")
    assert json.loads(store.query_text("ASK {}"))["boolean"] is True
    triples = "CONSTRUCT { <urn:a> rdfs:label ?l } WHERE { ?m a mdw:Mapping ; rdfs:label ?l }"
    assert store.query_text(triples, "ntriples") == '<urn:a> <http://www.w3.org/2000/01/rdf-schema#label> "m1" .\n'
    assert '"m1"' in store.query_text(triples)
    with pytest.raises(QueryError, match="can be written as json, csv, tsv, xml, not as turtle"):
        store.query_text(rows, "turtle")
    with pytest.raises(QueryError, match="can be written as turtle, ntriples, not as csv"):
        store.query_text(triples, "csv")


def test_export_holds_everything(tmp_path: Path) -> None:
    store = stored(text(1))
    stream = io.BytesIO()
    store.export(stream, "nquads")
    store.export(tmp_path / "out.trig")
    count = int(store.query_text("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", "csv").split()[1])
    assert len(stream.getvalue().splitlines()) == count
    assert "mdw:targetEntity" in (tmp_path / "out.trig").read_text()
    with pytest.raises(OutputError, match=r"cannot write .*: no such file or directory"):
        store.export(tmp_path / "nowhere" / "out.trig")
