"""Graphs that are not believed whole: which they are, and that a store was looked through for them.

What is loaded is made here, and what others write is held against what it says of itself. But a store may come from a
version that did neither, or from Spark. It is looked through once; what disagrees is marked, until it is loaded again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyoxigraph as ox

from mdw.model.errors import StoreError
from mdw.rdf.vocabulary import CHECKED, DICTIONARY, DOUBTED, MAPPING, MDW, SCRIPT
from mdw.store.engine import Store
from mdw.store.failures import failing_as

UNREADABLE = "the store cannot be read"
_CHECKED = ox.NamedNode(CHECKED)
OWN = (MAPPING, SCRIPT, DICTIONARY)
"""How the IRIs of graphs begin that say themselves what they must hold."""


def looked_through(store: Store) -> bool:
    """Whether the graphs of a store were held against what they say of themselves."""
    with store.held() as quads, failing_as(StoreError, UNREADABLE):
        return quads.contains_named_graph(_CHECKED)


def own_graphs(store: Store) -> Iterator[tuple[str, bytes, float]]:
    """Each graph of a mapping, a script or an entry of the dictionary, with its triples as lines of N-Triples.

    And the share of the graphs that come no later.
    """
    with store.held() as quads, failing_as(StoreError, UNREADABLE):
        names = [one for one in quads.named_graphs() if isinstance(one, ox.NamedNode) and one.value.startswith(OWN)]
        for number, name in enumerate(names, 1):
            found = quads.quads_for_pattern(None, None, None, name)
            triples = ox.serialize((quad.triple for quad in found), format=ox.RdfFormat.N_TRIPLES) or b""
            yield name.value, triples, number / len(names)


def mark(store: Store, doubted: Iterable[str]) -> None:
    """Say of a store that it was looked through, and what disagreed."""
    # That nothing disagrees changes no answer, so it does not go through the door of changes.
    if not (found := list(doubted)):
        # Of no weight: a mark that is lost costs another look.
        with store.held() as quads, failing_as(StoreError, "the store cannot be written"):
            quads.add_graph(_CHECKED)
        return
    graph, says, true = ox.NamedNode(DOUBTED), ox.NamedNode(f"{MDW}doubted"), ox.Literal(True)
    with store.writing(touching=False) as quads:
        quads.extend(ox.Quad(ox.NamedNode(iri), says, true, graph) for iri in found)
        quads.add_graph(_CHECKED)
