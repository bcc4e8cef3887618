"""The ontology's closure, the rules against owlrl, and the carry rule."""

from __future__ import annotations

from pathlib import Path
from random import Random

import owlrl
import pytest
from graphs import graphs, named, stored
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import RDF, Graph, Literal, URIRef
from small import Features, small_warehouse

from mdw.model.candidates import Candidates
from mdw.rdf.vocabulary import MDW, PREFIXES
from mdw.store import engine, inference
from mdw.store.engine import Store

TEXT = """
MAPPING one: WHEN POPULATING Core.T FROM D
  POPULATE Core.T.A WITH D.A IF D.B = 1
  POPULATE Core.T.S WITH SUM(J.N)
SELECT ROWS WHERE D.F = 1
NAVIGATE FROM D TO J USING D.K = J.K
MAPPING two: WHEN POPULATING R FROM Core.T
  POPULATE R.A WITH Core.T.A || "x" IF Core.T.F = 1
"""


def triples(store: Store) -> Graph:
    """All graphs of a store as one."""
    return Graph().parse(data=store.query_text("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "ntriples"), format="nt")


def test_the_closure_of_the_ontology() -> None:
    closure = Graph().parse(data=inference.schema_closure(), format="nt")
    own, prov = URIRef(MDW), URIRef(PREFIXES["prov"])
    above = URIRef("http://www.w3.org/2000/01/rdf-schema#subPropertyOf")
    assert (own + "copiesTo", above, prov + "influenced") in closure
    assert (own + "filters", above, own + "step") in closure
    assert all(isinstance(one, URIRef | Literal) for triple in closure for one in triple)


def test_rules_infer_what_owlrl_infers() -> None:
    store = stored(TEXT)
    before = triples(store)
    inference.run(store)
    expected = before + Graph().parse(data=inference.schema_closure(), format="nt")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(expected)
    assert of_instances(triples(store)) == of_instances(expected)
    assert len(of_instances(triples(store))) > len(of_instances(before)) + 100


def of_instances(graph: Graph) -> set[tuple[str, str, str]]:
    """What a graph says of instances in the words of mdw and PROV; nodes of parse trees stay with their role."""
    words = (MDW, PREFIXES["prov"])
    found = set()
    for subject, predicate, value in graph:
        said = str(value if predicate == RDF.type else predicate)
        instance = isinstance(subject, URIRef) and subject.startswith("urn:mdw:")
        if instance and said.startswith(words) and said not in (MDW + "Node", MDW + "complete"):
            found.add((str(subject), str(predicate), str(value)))
    return found


def test_running_again_changes_nothing_and_a_load_voids_what_was_inferred() -> None:
    store = stored(TEXT)
    inference.run(store)
    once = triples(store)
    inference.run(store)
    assert set(triples(store)) == set(once)
    store.load(graphs("MAPPING two: WHEN POPULATING R FROM Core.T POPULATE R.Z WITH 1"))
    alone = stored(TEXT[: TEXT.index("MAPPING two")] + "MAPPING two: WHEN POPULATING R FROM Core.T POPULATE R.Z WITH 1")
    assert inferred(store) == inferred(alone)


def inferred(store: Store) -> set[str]:
    """Inferred statements, in short."""
    rows = store.query_text("SELECT ?s ?p ?o { GRAPH <urn:mdw:inferred> { ?s ?p ?o } }", "csv").splitlines()[1:]
    return {row.replace(MDW, "").replace("urn:mdw:", "").replace("attribute:", "") for row in rows}


def carried(store: Store) -> set[str]:
    """What is carried, as ``from > to``."""
    rows = store.query_text("SELECT ?a ?b { ?a mdw:carries ?b }", "csv").replace("urn:mdw:attribute:", "").split()[1:]
    return {row.replace(",", " > ") for row in rows}


UP = "MAPPING up: WHEN POPULATING B FROM A POPULATE B.X WITH A.X"
USE = "MAPPING use: WHEN POPULATING C FROM B POPULATE C.X WITH B.X IF B.R = 1"
KNOWN = "MAPPING known: WHEN POPULATING Z FROM A POPULATE Z.R WITH A.R"


def test_what_is_not_populated_is_carried_from_its_namesake() -> None:
    assert carried(stored("\n".join((UP, USE, KNOWN)))) == {"A.R > B.R"}
    assert carried(stored("\n".join((UP, USE)))) == set(), "nobody knows of A.R"
    assert carried(stored("\n".join((UP, KNOWN)))) == set(), "nobody asks for B.R"
    assert carried(stored("\n".join((UP + " POPULATE B.R WITH 1", USE, KNOWN)))) == set(), "B.R is populated"


def test_another_mapping_may_populate_what_one_carries() -> None:
    other = "MAPPING other: WHEN POPULATING B FROM A POPULATE B.R WITH A.X"
    assert carried(stored("\n".join((UP, USE, KNOWN, other)))) == {"A.R > B.R"} | {"A.X > B.X"}


@pytest.mark.parametrize(
    ("text", "now"),
    [
        (KNOWN.replace("A.R", "A.S"), set()),
        (USE.replace("B.R", "B.X"), set()),
        (UP + " POPULATE B.R WITH A.R", set()),
        (UP.replace("FROM A", "FROM D").replace("A.X", "D.R"), {"D.R > B.R"}),
        ("MAPPING more: WHEN POPULATING B FROM E POPULATE B.X WITH E.R", {"A.R > B.R", "E.R > B.R"}),
    ],
)
def test_the_carry_rule_keeps_up_with_loads(text: str, now: set[str]) -> None:
    store = stored("\n".join((UP, USE, KNOWN)))
    assert carried(store) == {"A.R > B.R"}
    store.load(graphs(text))
    assert carried(store) == now
    assert not store.ask("inference/stale")


def test_the_carry_rule_keeps_up_with_removals() -> None:
    store = stored("\n".join((UP, USE, KNOWN)))
    assert carried(store) == {"A.R > B.R"}
    store.remove(["urn:mdw:mapping:known"])
    assert carried(store) == set()
    assert inferred(store) == set()


def test_filters_influence_carried_attributes() -> None:
    store = stored("\n".join((UP + " SELECT ROWS WHERE A.F = 1", USE, KNOWN)))
    assert inferred(store) == {
        "A.R,carries,B.R",
        "A.R,influences,B.R",
        "mapping:up,influences,B.R",
        "entity:B,carriedAttribute,B.R",
    }


@settings(max_examples=30)
@given(st.integers(0, 10**6))
def test_the_query_and_the_function_are_one_carry_rule(seed: int) -> None:
    text = small_warehouse(Random(seed), Features(cycles=seed % 2 == 0)).text
    expected = {
        f"{carrier} > {attribute}" for carrier, attribute in Candidates.of(one.rules for one in named(text)).carried
    }
    store = stored(text)
    assert carried(store) == expected
    before = inferred(store)
    inference.anew(store)
    assert (carried(store), inferred(store)) == (expected, before), "over the whole store, too"
    with pytest.MonkeyPatch.context() as fewer:
        fewer.setattr(engine, "FEW", 0)
        assert inferred(stored(text)) == before, "and so where much is stale"


@pytest.mark.parametrize(("few", "anew"), [(0, 1), (engine.FEW, 0)])
def test_where_most_is_stale_all_is_inferred_anew(few: int, anew: int, monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[list[str]] = []
    restart = Store._restart
    monkeypatch.setattr(Store, "_restart", lambda store, unfilled: (run.append(unfilled), restart(store, unfilled))[1])
    monkeypatch.setattr(engine, "FEW", few)
    store = stored(
        "\n".join((UP, USE, KNOWN, *(KNOWN.replace("known", f"m{n}").replace("Z", f"Z{n}") for n in "12345")))
    )
    assert carried(store) == {"A.R > B.R"}
    assert len(run) == anew
    store.load(graphs("MAPPING m6: WHEN POPULATING Z6 FROM Y POPULATE Z6.R WITH Y.R"))
    assert len(run) == anew, "two of many are looked up one by one"


def test_a_mapping_without_rules_carries_over_the_whole_store() -> None:
    store = stored("\n".join(("MAPPING none: WHEN POPULATING B FROM A", USE, KNOWN)))
    assert carried(store) == {"A.R > B.R"}
    inference.anew(store)
    assert carried(store) == {"A.R > B.R"}


def test_a_store_left_unsettled_settles_when_it_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older, Store(tmp_path / "store") as store:
        older.setattr(Store, "_settle", lambda _: None)
        store.load(graphs("\n".join((UP, USE, KNOWN))))
        assert not store.settled
    with Store(tmp_path / "store") as store:
        assert store.settled
        assert carried(store) == {"A.R > B.R"}
