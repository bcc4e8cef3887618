"""Graphs changed by hand, by an earlier version or elsewhere: marked, said in answers, whole when loaded again."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphs import quads
from places import ROOT
from serving import serving

from mdw import StoreError, Warehouse
from mdw.cli import run
from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.rdf.vocabulary import CHECKED, MDW
from mdw.readers.rebuilding import agrees
from mdw.store.doubts import own_graphs
from mdw.store.engine import Store

TEXT = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.B IF S.K = 1 POPULATE T.C WITH S.C\n"
OTHER = "MAPPING n: WHEN POPULATING U FROM T POPULATE U.A WITH T.A\n"
SCRIPT = "CREATE TABLE x.t (a INT PRIMARY KEY, b TEXT);\nINSERT INTO x.t (a) SELECT s.b FROM x.s s WHERE s.k = 1;\n"
OLD, NEW = "'S.B'", "'S.Y'"
GRAPH, RULE, CONTENT = "urn:mdw:mapping:m", f"<{MDW}rule>", f"<{MDW}content>"


def within(triples: str) -> str:
    return f"{{ GRAPH <{GRAPH}> {{ {triples} }} }}"


SPOILT = {
    "a rule is gone": f"DELETE WHERE {within(f'<urn:mdw:attribute:T.A> {RULE} ?o')}",
    "the head is gone": f"DELETE WHERE {within(f'?s <{MDW}head> ?o')}",
    "a rule is another's": f"DELETE {within(f'?a {RULE} ?o')} INSERT {within(f'?a {RULE} ?p')} "
    f"WHERE {{ {within(f'?a {RULE} ?o')} BIND(REPLACE(?o, 'S.B', 'S.X') AS ?p) FILTER(?p != ?o) }}",
    "something is added": f"INSERT DATA {within(f'<urn:mdw:attribute:S.Z> <{MDW}feeds> <urn:mdw:attribute:T.A>')}",
    "a node is another": f"DELETE {within(f'?n {CONTENT} {OLD}')} INSERT {within(f'?n {CONTENT} {NEW}')} "
    f"WHERE {within(f'?n {CONTENT} {OLD}')}",
    "the digest is gone": f"DELETE WHERE {within(f'?s <{MDW}digest> ?o')}",
}


def spoilt(folder: Path, update: str) -> Path:
    """A store as an earlier version left it that let such an update through."""
    with Store(folder) as store:
        before = quads(Warehouse.around(store))
        with store.writing() as engine:
            engine.update(update)
            for name in list(engine.named_graphs()):
                if str(name) == f"<{CHECKED}>":
                    engine.remove_graph(name)
        assert quads(Warehouse.around(store)) != before
    return folder


@pytest.mark.parametrize("what", SPOILT)
def test_a_spoilt_graph_is_said_and_heals(what: str, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Warehouse(folder) as warehouse:
        warehouse.load(TEXT + OTHER)
        assert warehouse.doubted == ()
        right = quads(warehouse)
    spoilt(folder, SPOILT[what])
    for _ in range(2):
        with Warehouse(folder) as warehouse:
            assert warehouse.doubted == ("m",)
            if what == "the head is gone":
                with pytest.raises(StoreError, match="m: what the store holds of them is not what it must be"):
                    warehouse.lineage("T.C")
                continue
            for answer in (warehouse.lineage("T.C"), warehouse.impact("S.C"), warehouse.lineage("U.A")):
                (note,) = answer.notes
                assert note.startswith("m: what the store holds of it is not what it must be"), note
    with Warehouse(folder) as warehouse:
        report = warehouse.load(TEXT + OTHER)
        assert (report.replaced, report.unchanged) == (1, 1)
        assert warehouse.doubted == ()
        assert not warehouse.lineage("U.A").notes
        assert quads(warehouse) == right
    with Warehouse(folder) as warehouse:
        assert warehouse.doubted == ()


def test_files_that_did_not_change_are_read_again_where_their_graphs_are_doubted(tmp_path: Path) -> None:
    folder, source = tmp_path / "store", tmp_path / "text"
    source.mkdir()
    (source / "m.map").write_text(TEXT)
    (source / "n.map").write_text(OTHER)
    (source / "s.sql").write_text(SCRIPT)
    with Warehouse(folder) as warehouse:
        warehouse.load(source)
        right = quads(warehouse)
        assert warehouse.load(source).unchanged == 3
    spoilt(folder, f"{SPOILT['a rule is gone']}; DELETE WHERE {{ GRAPH ?g {{ ?s <{MDW}span> ?o }} }};"
           f"DELETE WHERE {{ GRAPH ?g {{ ?s <{MDW}keyPosition> ?o }} }}")  # fmt: skip
    with Warehouse(folder) as warehouse:
        assert warehouse.doubted == ("X.T", "m", "s.sql")
        assert warehouse.load(source).replaced == 1
        assert warehouse.doubted == ()
        assert quads(warehouse) == right


def test_a_mapping_that_is_removed_is_doubted_no_more(tmp_path: Path) -> None:
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.load(TEXT)
    spoilt(tmp_path / "store", SPOILT["something is added"])
    with Warehouse(tmp_path / "store") as warehouse:
        warehouse.remove("m")
        assert warehouse.doubted == ()
        warehouse.load(TEXT)
        assert warehouse.doubted == ()


def test_who_opens_a_store_of_another_version_is_told_how_far_it_is_looked_through(tmp_path: Path) -> None:
    folder, told = tmp_path / "store", list[tuple[int, float]]()

    def opened() -> None:
        with Warehouse(folder, progress=lambda number, share: told.append((number, share))):
            pass

    with Warehouse(folder) as warehouse:
        warehouse.load(ROOT / "data" / "bank")
    opened()
    assert told == []
    with Store(folder) as store, store.held() as engine:
        engine.update(f"DROP GRAPH <{CHECKED}>")
        del engine  # which holds the folder
    opened()
    shares = [share for _, share in told]
    assert len(told) > 1 and shares == sorted(shares) and shares[-1] == 1
    told.clear()
    opened()
    assert told == []


@pytest.mark.parametrize("source", ["bank", "claims"])
def test_whatever_is_loaded_agrees_with_what_it_says(source: str, tmp_path: Path) -> None:
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    with Store(tmp_path / "store") as store:
        Warehouse.around(store).load(ROOT / "data" / source)
        found = {iri: triples for iri, triples, _ in own_graphs(store)}
        assert len(found) > 6
        assert [iri for iri, triples in found.items() if not agrees(iri, triples, metatree)] == []


@pytest.mark.parametrize(
    "question",
    [
        ("lineage", "--all"),
        ("query", "ASK { ?m a mdw:Mapping }"),
        ("search", "C"),
        ("request", "with, expression, S"),
        ("report",),
        ("lineage", "T.C"),
    ],
)
def test_commands_name_what_is_doubted_beside_what_they_answer(
    question: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "store"
    with Warehouse(folder) as warehouse:
        warehouse.load(TEXT + OTHER)
    command = [*question, "--store", str(folder)]
    run(command)
    before = capsys.readouterr()
    assert "not what it must be" not in before.out + before.err
    spoilt(folder, SPOILT["a rule is gone"])
    run(command)
    after = capsys.readouterr()
    assert "m: what the store holds of it is not what it must be" in after.out + after.err


def test_a_server_says_beside_each_answer_what_is_not_believed(tmp_path: Path) -> None:
    folder = tmp_path / "store"
    with Warehouse(folder) as warehouse:
        warehouse.load(TEXT.replace("m:", "`Größe m`:") + OTHER)
    spoilt(folder, SPOILT["a rule is gone"].replace(GRAPH, "urn:mdw:mapping:Gr%C3%B6%C3%9Fe%20m"))
    with Warehouse(folder) as warehouse:
        (note,) = warehouse.caveats
    with serving(folder, "--allow-update") as server:
        said = note.encode("unicode_escape").decode()
        point = "SELECT ?o { <urn:mdw:attribute:T.A> mdw:attributeOf ?o }"
        for _ in range(3):  # the server answers such a query itself as soon as the snapshot is open
            found = server.query(point)
            assert (found.status, found.headers["mdw-caveat"]) == (200, said)
        for place in ("/api/attributes/T.A", "/api/entities/T", "/api/report", "/api/mappings", "/store"):
            assert server.ask("GET", place).headers.get("mdw-caveat") == said, place
        for page in ("/attribute/T.A", "/lineage/T.C", "/entity/T", "/ask?query=ASK%7B%7D"):
            text = server.ask("GET", page, headers={"Accept": "text/html"}).body.decode()
            assert text.count("is not what it must be") == 1, page
        server.ask("POST", "/api/mappings", TEXT.replace("m:", "`Größe m`:"), {"Content-Type": "text/plain"})
        assert "mdw-caveat" not in server.query(point).headers
        assert "is not what it must be" not in server.ask("GET", "/attribute/T.A").body.decode()
