"""The graph of a mapping, as it must be by its own parse tree: what others have written is held against it.

triples -> parse tree -> rules -> graph; the same triples, or the graph is not believed
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import pyoxigraph as ox

from mdw.language.derive import derive
from mdw.language.metatree import MetaTree
from mdw.model.errors import MdwError
from mdw.rdf.contexts import contexts_of
from mdw.rdf.entries import describe_entry, restore_entry
from mdw.rdf.graph import PREFIX, MappingGraph, describe
from mdw.rdf.nodes import NodeRow, restore
from mdw.rdf.scripts import describe_script, restore_statements
from mdw.rdf.vocabulary import DICTIONARY, MDW, SCRIPT, name_of

_OPTIONAL = tuple(f"{MDW}{name}" for name in ("order", "content", "fills", "castTo"))
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def agrees(iri: str, triples: bytes, metatree: MetaTree) -> bool:
    """Whether the triples of a graph, lines of N-Triples, are those that it must hold by what it says itself.

    By its parse tree, of a mapping; of a script and of an entry of the dictionary by the statements and what is told.
    """
    try:
        said = set(triples.splitlines())
        if iri.startswith(SCRIPT):
            return set(_lines(_script(iri, triples))) == said
        if iri.startswith(DICTIONARY):
            return set(_lines(describe_entry(restore_entry(_texts(triples))))) == said
        return set(_rebuilt(iri, triples, metatree)) == said
    # A tree that is none, or not one of a mapping, or deeper than any text, fails somewhere on the way.
    except (
        MdwError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        AssertionError,
        StopIteration,
        RecursionError,
    ):
        return False


def _rebuilt(iri: str, triples: bytes, metatree: MetaTree) -> list[bytes]:
    said: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in ox.parse(triples, ox.RdfFormat.N_TRIPLES):
        if isinstance(one.subject, ox.NamedNode) and not isinstance(one.object, ox.BlankNode | ox.Triple):
            said[one.subject.value][one.predicate.value] = one.object.value
    rows = [
        NodeRow(node, of[_TYPE], of[f"{MDW}parent"], *(of.get(name, "") for name in _OPTIONAL))
        for node, of in said.items()
        if f"{MDW}parent" in of
    ]
    head = said[iri]
    tree = restore(rows, head.get(f"{MDW}places", ""), head.get(f"{MDW}file", ""))
    return _lines(describe(tree, derive(tree, name_of(iri)), contexts_of(metatree)))


def _lines(graph: MappingGraph) -> list[bytes]:
    quads = ox.parse((PREFIX + graph.block).encode(), ox.RdfFormat.TRIG)
    return (ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b"").splitlines()


def _script(iri: str, triples: bytes) -> MappingGraph:
    said = list(_texts(triples))
    head = {predicate: value for subject, predicate, value in said if subject == iri}
    file, dialect = head[f"{MDW}file"], head.get(f"{MDW}dialect", "")
    rows = [one for one in said if one[0] != iri and one[1] != _TYPE]
    return describe_script(file, restore_statements(file, dialect, rows))


def _texts(triples: bytes) -> Iterator[tuple[str, str, str]]:
    for one in ox.parse(triples, ox.RdfFormat.N_TRIPLES):
        assert isinstance(one.subject, ox.NamedNode)
        assert not isinstance(one.object, ox.BlankNode | ox.Triple)
        yield one.subject.value, one.predicate.value, one.object.value
