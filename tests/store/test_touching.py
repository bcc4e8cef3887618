"""Changes that no load makes: the carry rule holds after each, and a store nobody settled is answered rightly."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphs import graphs, stored

from mdw.rdf.vocabulary import MDW
from mdw.store import candidates
from mdw.store.editor import Editor
from mdw.store.engine import Store
from mdw.store.inference import anew
from mdw.store.snapshot import Snapshot
from mdw.store.sparql import read_update
from mdw.store.touching import touches_rules
from mdw.warehouse import Warehouse

TEXT = """
MAPPING up: WHEN POPULATING B FROM A POPULATE B.X WITH A.X
MAPPING use: WHEN POPULATING C FROM B POPULATE C.X WITH B.X IF B.R = 1
MAPPING known: WHEN POPULATING Z FROM A POPULATE Z.R WITH A.R
"""
NEW = "urn:mdw:attribute:A.S"
MORE = f"GRAPH <urn:more> {{ <{NEW}> mdw:attributeOf <urn:mdw:entity:A> }}"


def pairs(store: Store) -> set[str]:
    """What is carried, as ``from,to``."""
    return set(store.query_text("SELECT ?a ?b { ?a mdw:carries ?b }", "csv").split()[1:])


@pytest.mark.parametrize(
    ("update", "touches"),
    [
        ("INSERT DATA { <urn:a> <urn:p> 1 . <urn:a> a <urn:c> ; rdfs:label 'x' }", False),
        ("DELETE { ?s <urn:p> ?o } INSERT { ?s <urn:q> ?o } WHERE { ?s mdw:attributeOf ?e ; ?any ?o }", False),
        ("PREFIX x: <urn:x#> INSERT DATA { GRAPH <urn:mdw:mapping:m> { <urn:a> x:y x:z } }", False),
        (f"INSERT DATA {{ {MORE} }}", True),
        (f"PREFIX m: <{MDW}> DELETE WHERE {{ ?a m:attributeOf ?e }}", True),
        ("PREFIX w: <https://w3id.org/> DELETE DATA { <urn:a> w:mdw\\#attributeOf <urn:e> }", True),
        (f"DELETE DATA {{ <urn:a> <{MDW}attributeOf> <urn:e> }}", True),
        ("BASE <https://w3id.org/> DELETE DATA { <urn:a> <mdw#attributeOf> <urn:e> }", True),
        ("DELETE WHERE { ?s ?p ?o }", True),
        ("INSERT DATA { <urn:a> <urn:p> 1 } ; CLEAR GRAPH <urn:g>", True),
        ("DROP ALL", True),
        ("COPY <urn:a> TO <urn:b>", True),
    ],
)
def test_what_an_update_touches_is_told_from_its_text(update: str, touches: bool) -> None:
    assert touches_rules(read_update(update)) is touches


@pytest.mark.parametrize(
    "update",
    [
        "DELETE WHERE { GRAPH ?g { <urn:mdw:attribute:A.Q> mdw:attributeOf ?e } }",
        "DROP GRAPH <urn:mdw:mapping:known>",
        "DROP GRAPH <urn:mdw:mapping:use>",
        "CLEAR GRAPH <urn:mdw:inferred>",
        f"INSERT DATA {{ GRAPH <urn:mine> {{ <urn:mdw:attribute:B.S> mdw:attributeOf <urn:mdw:entity:B> }} {MORE} }}",
    ],
)
def test_the_carry_rule_holds_after_any_update(update: str) -> None:
    store = stored(TEXT)
    assert pairs(store) == {"urn:mdw:attribute:A.R,urn:mdw:attribute:B.R"}
    Editor(store).update(read_update(update))
    found = pairs(store)
    anew(store)
    assert found == pairs(store)


def test_graphs_taken_whole_are_looked_into() -> None:
    holding = {"urn:rules"}
    for text, touches in (
        ("DROP GRAPH <urn:rules>", True),
        ("CLEAR GRAPH <urn:plain>", False),
        ("COPY <urn:rules> TO <urn:plain>", True),
        ("MOVE <urn:plain> TO <urn:other>", False),
        ("ADD DEFAULT TO <urn:plain>", False),
        ("CLEAR NAMED", True),
        ("PREFIX a: <urn:> DROP GRAPH a:plain", True),
    ):
        assert touches_rules(read_update(text), holding.__contains__) is touches, text


def test_an_update_that_is_refused_leaves_the_rule_in_force() -> None:
    store = stored(TEXT)
    with pytest.raises(Exception, match="cannot be carried out"):
        Editor(store).update(read_update("INSERT DATA { <urn:a> mdw:feeds 1 } ; PREFIX a: <urn:a> CLEAR DEFAULT"))
    assert store.settled
    assert pairs(store) == {"urn:mdw:attribute:A.R,urn:mdw:attribute:B.R"}


def test_graphs_that_speak_of_rules_are_noticed(tmp_path: Path) -> None:
    store, file = stored(TEXT), tmp_path / "more.ttl"
    editor = Editor(store)
    words = f"<urn:mdw:attribute:{{}}> <{MDW}attributeOf> <urn:mdw:entity:{{}}> ."
    file.write_text("\n".join(words.format(f"{name}.S", name) for name in "AB"))
    editor.put("urn:mine", file, "text/turtle", "urn:base")
    both = {f"urn:mdw:attribute:A.{name},urn:mdw:attribute:B.{name}" for name in "RS"}
    assert pairs(store) == both
    editor.drop("urn:mine")
    assert len(pairs(store)) == 1
    editor.add("urn:mine", [(file, "text/turtle")], "urn:base")
    assert pairs(store) == both


def test_a_store_that_nobody_settled_is_answered_rightly_without_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = {}
    for name in ("settled", "left"):
        with monkeypatch.context() as older, Store(tmp_path / name) as store:
            if name == "left":
                older.setattr(Store, "_settle", lambda _: None)
            store.load(graphs(TEXT))
            Editor(store).checkpoint(tmp_path / f"{name}.copy")
        copy = Snapshot(tmp_path / f"{name}.copy").store
        assert copy.settled is (name == "settled")
        warehouse = Warehouse.around(copy)
        answers[name] = [
            warehouse.lineage("C.X", when="X = 1").to_dict(),
            warehouse.impact("A.R").to_dict(),
            warehouse.impact("A.X").to_dict(),
            sorted(record.attribute for record in warehouse.lineage_all()),
        ]
    assert answers["left"] == answers["settled"]
    assert candidates.everything(stored(TEXT)).final == {"C", "Z"}
