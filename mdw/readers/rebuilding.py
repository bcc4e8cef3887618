"""The graph of a mapping, as it must be by its own parse tree: what others have written is held against it.

triples -> parse tree -> rules -> graph; the same triples, or the graph is not believed
"""

from __future__ import annotations

from collections import defaultdict

import pyoxigraph as ox

from mdw.language.derive import derive
from mdw.language.metatree import MetaTree, leaf_contexts
from mdw.model.errors import MdwError
from mdw.rdf.graph import PREFIX, NodeRow, describe, restore
from mdw.rdf.vocabulary import MDW, name_of

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def agrees(iri: str, triples: bytes, metatree: MetaTree) -> bool:
    """Whether the triples of a mapping's graph, lines of N-Triples, are those that its parse tree makes."""
    try:
        return set(_rebuilt(iri, triples, metatree)) == set(triples.splitlines())
    # A tree that is none, or not one of a mapping, fails somewhere on the way.
    except (MdwError, LookupError, ValueError, TypeError, AttributeError, AssertionError, StopIteration):
        return False


def _rebuilt(iri: str, triples: bytes, metatree: MetaTree) -> list[bytes]:
    said: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in ox.parse(triples, ox.RdfFormat.N_TRIPLES):
        if isinstance(one.subject, ox.NamedNode) and not isinstance(one.object, ox.BlankNode | ox.Triple):
            said[one.subject.value][one.predicate.value] = one.object.value
    rows = [
        NodeRow(node, of[_TYPE], of[f"{MDW}parent"], of.get(f"{MDW}order", ""), of.get(f"{MDW}content", ""))
        for node, of in said.items()
        if f"{MDW}parent" in of
    ]
    head = said[iri]
    tree = restore(rows, head.get(f"{MDW}places", ""), head.get(f"{MDW}file", ""))
    graph = describe(tree, derive(tree, name_of(iri)), leaf_contexts(tree, metatree))
    quads = ox.parse((PREFIX + graph.block).encode(), ox.RdfFormat.TRIG)
    lines = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b""
    return lines.splitlines()
