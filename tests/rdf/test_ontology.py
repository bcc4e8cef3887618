"""The ontology says what every word means, and the graphs of mappings keep to it."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pyshacl
import pytest
from graphs import stored
from places import ROOT
from rdflib import OWL, RDF, RDFS, Graph, Literal, URIRef
from texts import AGREEMENT, WIDE
from whole import whole_mapping

from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.language.unparse import unparse
from mdw.model.rules import DIRECT
from mdw.rdf.contexts import contexts_of
from mdw.rdf.folds import FILLING, FOLDS, unfolded
from mdw.rdf.vocabulary import JOINS, MDW, STEPS, context_iri, role_class
from mdw.resources import ONTOLOGY, QUERIES

USES = [*(ROOT / "mdw").rglob("*.py"), *QUERIES.rglob("*.rq"), ONTOLOGY / "shapes.ttl"]
TERM = re.compile(r"(?<!urn:)\bmdw:([A-Za-z]\w*)")


@pytest.fixture(scope="module")
def ontology() -> Graph:
    return Graph().parse(ONTOLOGY / "mdw.ttl")


def term(name: str) -> URIRef:
    return URIRef(MDW + name)


@pytest.mark.parametrize("file", USES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_term_used_is_declared(ontology: Graph, file: Path) -> None:
    used = set(TERM.findall(file.read_text(encoding="utf-8")))
    assert {name for name in used if (term(name), RDF.type, None) not in ontology} == set()


def test_every_term_is_labelled_and_commented_once(ontology: Graph) -> None:
    terms = {subject for subject in ontology.subjects() if isinstance(subject, URIRef)}
    assert len(terms) > 100
    for one in terms:
        for said in (RDFS.label, RDFS.comment):
            texts = list(ontology.objects(one, said))
            assert len(texts) == 1, one
            assert str(texts[0]).strip(), one


def test_every_term_mentioned_is_declared(ontology: Graph) -> None:
    own = {value for triple in ontology for value in triple if str(value).startswith(MDW)}
    assert {value for value in own if (value, RDF.type, None) not in ontology} == set()


def test_every_role_of_the_grammar_is_a_class_of_nodes(ontology: Graph) -> None:
    for role in (*MetaTree.of(MAPPING_GRAMMAR).roles, "keyword"):
        node = role_class(role) if role != "keyword" else "mdw:KeywordNode"
        name = term(node.removeprefix("mdw:"))
        assert (name, RDFS.subClassOf, term("Node")) in ontology
        assert (name, RDFS.label, Literal(role)) in ontology


def test_folds_are_classes_below_those_of_all_their_roles(ontology: Graph) -> None:
    for name in FOLDS:
        roles, holder = unfolded(f"{MDW}{name}Node")
        above = {term(role_class(role).removeprefix("mdw:")) if role else term("KeywordNode") for role in roles}
        if name in FILLING:
            above = {term("PopulateNode"), term(f"{name.removeprefix('Populate')}Node")}
        said = {one for one in ontology.objects(term(f"{name}Node"), RDFS.subClassOf) if one.startswith(MDW)}
        assert said == above
        assert 0 <= holder < len(roles) > 1


def test_the_ontology_has_the_contexts_that_classes_fix(ontology: Graph) -> None:
    fixed = contexts_of(MetaTree.of(MAPPING_GRAMMAR)).fixed
    assert len(fixed) > 30
    for kind in (one for one in ontology.subjects(RDF.type, OWL.Class) if one.startswith(MDW) and one.endswith("Node")):
        above = set(ontology.transitive_objects(kind, RDFS.subClassOf))
        contexts = {str(value) for one in above for value in ontology.objects(one, OWL.hasValue)}
        told = fixed.get(str(kind).replace(MDW, "mdw:"))
        assert contexts == ({context_iri(told)} if told else set()), kind


def test_contexts_are_classes_below_those_of_their_roles(ontology: Graph) -> None:
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    fixed = contexts_of(metatree).fixed
    for path in {node.path for node in metatree.nodes if node.kind == "leaf"}:
        kind = role_class(path.rpartition(".")[2])
        said = set(ontology.objects(URIRef(context_iri(path)), RDFS.subClassOf))
        # Where the class of the role fixes the context, that class is the one below.
        assert said == (set() if kind in fixed else {term(kind.removeprefix("mdw:"))}), path


def test_steps_bear_the_names_of_openlineage(ontology: Graph) -> None:
    for subtype, name in STEPS.items():
        step = term(name.removeprefix("mdw:"))
        kind = term("directStep" if subtype in DIRECT else "indirectStep")
        assert (step, term("openLineageSubtype"), Literal(subtype)) in ontology
        assert (step, RDFS.subPropertyOf, kind) in ontology
    assert (term("directStep"), term("openLineageType"), Literal("DIRECT")) in ontology
    assert (term("indirectStep"), term("openLineageType"), Literal("INDIRECT")) in ontology


def test_joins_are_declared(ontology: Graph) -> None:
    for name in JOINS.values():
        assert (term(name.removeprefix("mdw:")), RDF.type, OWL.Class) in ontology


def violations(ontology: Graph, text: str, change: str = "") -> str:
    """What pySHACL says of a text's graphs, changed by an update."""
    ntriples = stored(text).query_text("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "ntriples")
    data = Graph().parse(data=ntriples, format="nt")
    if change:
        size = len(data)
        data.update(f"PREFIX mdw: <{MDW}> PREFIX rdfs: <{RDFS}> {change}")
        assert len(data) != size or "INSERT" in change, "the change changes something"
    shapes = Graph().parse(ONTOLOGY / "shapes.ttl")
    good, _, report = pyshacl.validate(data, shacl_graph=shapes, ont_graph=ontology, inference="none")
    return "" if good else report


@pytest.mark.parametrize("text", [AGREEMENT, WIDE, *[unparse(whole_mapping(Random(seed))) for seed in range(8)]])
def test_graphs_of_mappings_keep_to_the_shapes(ontology: Graph, text: str) -> None:
    assert violations(ontology, text) == ""


@pytest.mark.parametrize(
    "change",
    [
        "DELETE WHERE { ?m mdw:targetEntity ?e }",
        "INSERT { ?m mdw:drivingEntity <urn:mdw:entity:SECOND> } WHERE { ?m a mdw:Mapping }",
        "DELETE { ?a mdw:copiesTo ?b } INSERT { ?m mdw:copiesTo ?b } WHERE { ?a mdw:copiesTo ?b . ?m a mdw:Mapping }",
        "DELETE { ?a mdw:copiesTo ?b } INSERT { ?a mdw:copiesTo ?m } WHERE { ?a mdw:copiesTo ?b . ?m a mdw:Mapping }",
        "INSERT { ?a mdw:filters ?b } WHERE { ?a mdw:copiesTo ?b }",
        "DELETE { ?a mdw:attributeOf ?e } WHERE { ?a mdw:attributeOf ?e }",
        "DELETE { ?n mdw:parent ?p } WHERE { ?n a mdw:Populate_AttributeNode ; mdw:parent ?p }",
        "INSERT { ?n mdw:content 5 } WHERE { ?n a mdw:Populate_AttributeNode }",
        "INSERT { ?n mdw:order 0 } WHERE { ?n a mdw:Populate_AttributeNode }",
        "DELETE { ?n a ?c } WHERE { ?n mdw:content ?x ; a ?c }",
        "INSERT { ?m mdw:line 1.5 } WHERE { ?m a mdw:Mapping }",
    ],
)
def test_a_broken_graph_is_found(ontology: Graph, change: str) -> None:
    assert "Constraint Violation" in violations(
        ontology, AGREEMENT[: AGREEMENT.index("  POPULATE Attribute: AGREEMENT.ACCOUNT_FIRST")], change
    )
