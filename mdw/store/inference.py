"""What follows from the ontology: its own closure by owlrl, its consequences for the store by the queries.

owlrl needs a minute for what rules as queries do in seconds, so it computes only the small part, the ontology itself,
and is the judge of the rules in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from mdw.rdf.vocabulary import SCHEMA
from mdw.resources import ONTOLOGY
from mdw.store.engine import Store
from mdw.store.queries import first

# The rules in an order in which one round usually suffices: properties, then what they say of classes.
RULES = ("subproperty", "inverse", "domain", "range", "subclass", "hasvalue")


@cache
def schema_closure() -> bytes:
    """The ontology with all that OWL RL entails between its own terms, as N-Triples."""
    import owlrl
    from rdflib import OWL, RDFS, BNode, Graph, Literal

    graph = Graph().parse(ONTOLOGY / "mdw.ttl")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    # What holds of everything, or of nothing, tells nobody anything.
    trivial = {OWL.Thing, OWL.Nothing, RDFS.Resource}
    kept = Graph()
    for subject, predicate, value in graph:
        own = not isinstance(subject, Literal | BNode) and not isinstance(value, BNode)
        # A context is the value, and the class of all that have it.
        known = subject != value or predicate == OWL.hasValue
        if own and predicate != OWL.sameAs and known and not {subject, value} & trivial:
            kept.add((subject, predicate, value))
    return kept.serialize(format="nt", encoding="utf-8")


def terms_closure(terms: str) -> bytes:
    """Business terms with all that RDFS entails between them; both as N-Triples."""
    import owlrl
    from rdflib import RDFS, SKOS, BNode, Graph, Literal

    graph = Graph().parse(data=terms, format="nt")
    said = set(graph)
    # SKOS does not say that `broader` goes on over several terms, RDFS says so of subclasses.
    for subject, value in graph.subject_objects(SKOS.broader):
        graph.add((subject, RDFS.subClassOf, value))
    owlrl.DeductiveClosure(owlrl.RDFS_Semantics).expand(graph)
    kept = Graph()
    for triple in graph:
        subject, predicate, value = triple
        broader = predicate == RDFS.subClassOf and subject != value and value != RDFS.Resource
        if triple in said or (broader and not isinstance(subject, Literal | BNode) and not isinstance(value, BNode)):
            kept.add(triple)
    return kept.serialize(format="nt", encoding="utf-8")


def begun(store: Store) -> Callable[[], None]:
    """What follows by the carry rule from all that a store holds: looked for now, written when the result is called."""
    return partial(store.restart, first(store.select("inference/unfilled")))


def anew(store: Store) -> None:
    """Apply the carry rule to a store that has just been filled with whatever it holds."""
    begun(store)()


def run(store: Store) -> None:
    """Put the ontology into its graph and everything that follows for the instances into `urn:mdw:inferred`."""
    store.replace(SCHEMA, schema_closure())
    anew(store)
    # Rules feed one another; when a round adds nothing, nothing more follows.
    before = -1
    while before != (before := int(store.select("inference/count")[0][0])):
        for rule in RULES:
            store.apply(f"inference/{rule}")
    store.apply("inference/complete")
