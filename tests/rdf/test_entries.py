"""Entries of the data dictionary are the same after they have been RDF."""

from __future__ import annotations

import pyoxigraph as ox
import pyshacl
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import Graph, Literal, URIRef

from mdw.model.dictionary import AttributeEntry, EntityEntry, Reference
from mdw.rdf.entries import describe_entry, restore_entry
from mdw.rdf.graph import PREFIX
from mdw.rdf.vocabulary import MDW
from mdw.resources import ONTOLOGY

names = st.sampled_from(["A", "B", "`c d`", "T_1"])
texts = st.text(max_size=4) | st.sampled_from(["'EU'", 'say "hi"\n', "\\"])
tags = st.sets(texts.filter(bool), max_size=2).map(lambda some: tuple(sorted(some)))
attributes = st.builds(
    AttributeEntry,
    names,
    type=texts,
    default=texts,
    computed=texts,
    identity=st.booleans(),
    required=st.booleans(),
    description=texts,
    tags=tags,
    label=st.sampled_from(["", "a", "b", "t_1"]) | texts,
)


@st.composite
def entries(draw: st.DrawFn) -> EntityEntry:
    some = draw(st.lists(attributes, unique_by=lambda one: one.name, max_size=3))
    key = draw(st.permutations([one.name for one in some]))
    pairs = draw(st.lists(st.lists(st.tuples(names, names), min_size=1, max_size=2), max_size=2))
    referring = [Reference(tuple(a for a, _ in one), "S.P", tuple(b for _, b in one)) for one in pairs]
    return EntityEntry(
        draw(st.sampled_from(["T", "DB.S.`my t`"])),
        tuple(some),
        whole=draw(st.booleans()),
        kind=draw(texts),
        key=tuple(key),
        references=tuple(referring),
        description=draw(texts),
        tags=draw(tags),
        file=draw(texts),
        dialect=draw(texts),
    )


def quads(entry: EntityEntry) -> list[ox.Quad]:
    return list(ox.parse((PREFIX + describe_entry(entry).block).encode(), ox.RdfFormat.TRIG))


@settings(max_examples=60)
@given(entries())
def test_an_entry_comes_back(entry: EntityEntry) -> None:
    found = quads(entry)
    assert len(set(found)) == describe_entry(entry).quads
    said = [(one.subject.value, one.predicate.value, one.object.value) for one in found]
    assert restore_entry(said[::-1]) == entry


def test_the_graph_keeps_to_the_shapes() -> None:
    told = (
        AttributeEntry("A", "INT", "1", required=True, description="a"),
        AttributeEntry("B", computed="A", tags=("x",)),
    )
    entry = EntityEntry(
        "S.T", told, True, "table", ("A",), (Reference(("A",), "S.P", ("X",)),), "a table", file="f.sql"
    )
    triples = ox.serialize((one.triple for one in quads(entry)), format=ox.RdfFormat.N_TRIPLES)
    data = Graph().parse(data=triples, format="nt")
    shapes, ontology = (Graph().parse(ONTOLOGY / name) for name in ("shapes.ttl", "mdw.ttl"))
    good, _, report = pyshacl.validate(data, shacl_graph=shapes, ont_graph=ontology, inference="none")
    assert good, report
    data.remove((None, URIRef(f"{MDW}listing"), None))
    data.add((URIRef("urn:mdw:dictionary:S.T"), URIRef(f"{MDW}listing"), Literal("")))
    assert not pyshacl.validate(data, shacl_graph=shapes, ont_graph=ontology, inference="none")[0]
