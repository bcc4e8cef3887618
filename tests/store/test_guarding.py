"""The graphs of mappings come and go whole: no update writes to a part of them, however it says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphs import stored

from mdw import QueryError, StoreError, Warehouse
from mdw.rdf.vocabulary import MDW
from mdw.store.editor import Editor
from mdw.store.sparql import read_update

TEXT = "MAPPING m: WHEN POPULATING T FROM S POPULATE T.A WITH S.B\n"
GRAPH, RULE = "urn:mdw:mapping:m", "<urn:mdw:attribute:T.A> mdw:rule 'x'"
REFUSED = [
    f"INSERT DATA {{ GRAPH <{GRAPH}> {{ <urn:a> <urn:b> 1 }} }}",
    "PREFIX g: <urn:mdw:> DELETE WHERE { GRAPH g:mapping:m { ?s mdw:rule ?o } }",
    f"BASE <{GRAPH}> INSERT DATA {{ GRAPH <> {{ <urn:a> <urn:b> 1 }} }}",
    f"WITH <{GRAPH}> DELETE {{ ?s ?p ?o }} WHERE {{ ?s ?p ?o }}",
    f"ADD DEFAULT TO <{GRAPH}>",
    f"COPY <{GRAPH}> TO <urn:g>",
    "DELETE WHERE { GRAPH ?g { ?s mdw:rule ?o } }",
    "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?g), 'mapping')) } ;",
    "INSERT { GRAPH ?g { <urn:a> <urn:b> 1 } } WHERE { BIND(IRI(CONCAT('urn:mdw:', 'mapping:new')) AS ?g) }",
    f"INSERT {{ GRAPH <urn:g> {{ ?s ?p ?o }} }} USING <{GRAPH}> WHERE {{ ?s ?p ?o }}",
    "INSERT DATA { <urn:a> <urn:b> 1 } ; DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }",
    f"INSERT DATA {{ {RULE} }}",
    f"INSERT DATA {{ GRAPH <urn:g> {{ {RULE} }} }}",
    "BASE <https://w3id.org/> INSERT DATA { <urn:a> <mdw#rule> 'x' }",
    "PREFIX w: <https://w3id.org/> INSERT DATA { <urn:a> w:mdw\\#head 'x' }",
]
FINE = [
    "INSERT DATA { <urn:a> <urn:b> 1 }",
    "DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o FILTER(?p = <urn:b>) } }",
    "WITH <urn:g> DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { ?s ?p ?o . GRAPH ?g { ?s ?p ?o } }",
    "INSERT { ?s ?q ?o } WHERE { ?s ?p ?o BIND(<urn:c> AS ?q) }",
    "DELETE WHERE { ?s ?p ?o }",
    "INSERT DATA { <urn:mdw:attribute:T.A> rdfs:comment 'mine' }",
]


@pytest.mark.parametrize("update", REFUSED)
def test_no_update_writes_to_a_mapping_s_graph(update: str) -> None:
    store = stored(TEXT)
    before = store.query_text("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }", "ntriples")
    with pytest.raises(QueryError, match=r"whole|only the graph of a mapping"):
        Editor(store).update(read_update(update))
    after = store.query_text("CONSTRUCT { ?s ?p ?o } WHERE { GRAPH ?g { ?s ?p ?o } }", "ntriples")
    assert sorted(before.splitlines()) == sorted(after.splitlines())


@pytest.mark.parametrize("update", FINE)
def test_whatever_else_is_written(update: str) -> None:
    store = stored(TEXT)
    Editor(store).update(read_update("INSERT DATA { GRAPH <urn:g> { <urn:a> <urn:b> 1 } }"))
    Editor(store).update(read_update(update))
    assert [end.attribute for end in Warehouse.around(store).lineage("T.A").golden] == ["S.B"]


def test_a_mapping_s_graph_may_go_whole() -> None:
    store = stored(TEXT)
    Editor(store).update(read_update(f"DROP GRAPH <{GRAPH}>"))
    assert not Warehouse.around(store).mappings()
    Warehouse.around(store).load(TEXT)
    assert Editor(store).drop(GRAPH)
    assert not Warehouse.around(store).mappings()


def test_nor_does_a_graph_that_is_put_or_added(tmp_path: Path) -> None:
    file, store = tmp_path / "x.nt", stored(TEXT)
    file.write_text("<urn:a> <urn:b> 1 .")
    editor = Editor(store)
    for graph, text in ((GRAPH, "<urn:a> <urn:b> 1 ."), ("urn:g", "<urn:a> <https://w3id.org/mdw#rule> 'x' .")):
        file.write_text(text)
        with pytest.raises(QueryError, match=r"whole|only the graph of a mapping"):
            editor.put(graph, file, "text/turtle", "urn:base")
        with pytest.raises(QueryError, match=r"whole|only the graph of a mapping"):
            editor.add(graph, [(file, "text/turtle")], "urn:base")
    assert [end.attribute for end in Warehouse.around(store).lineage("T.A").golden] == ["S.B"]


def test_a_rule_that_cannot_be_read_is_said() -> None:
    for rule in ("x", '["m"]', '["m","T.A",["?"]]', '["m","T.A",[[["a"],0,0,0,0,[]]]]'):
        store = stored(TEXT)
        # Not through a door of ours: an earlier version let it in.
        with store.writing() as quads:
            quads.update(f"INSERT DATA {{ GRAPH <{GRAPH}> {{ <urn:mdw:attribute:T.A> <{MDW}rule> {rule!r} }} }}")
        with pytest.raises(
            StoreError, match=r"cannot be read .* changed by hand; remove the mapping, and load it again"
        ):
            Warehouse.around(store).lineage("T.A")
        warehouse = Warehouse.around(store)
        warehouse.remove("m")
        warehouse.load(TEXT)
        assert [end.attribute for end in warehouse.lineage("T.A").golden] == ["S.B"]
