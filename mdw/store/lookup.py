"""One triple pattern, looked up among quads without the query engine, and written as the engine writes it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from json.encoder import encode_basestring as quoted
from operator import attrgetter

import pyoxigraph as ox

from mdw.rdf.vocabulary import PREFIXES
from mdw.store.pattern import Pattern

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
STRING = ox.NamedNode(f"{PREFIXES['xsd']}string")
PLACES: tuple[Callable[[ox.Quad], Term], ...] = (attrgetter("subject"), attrgetter("predicate"), attrgetter("object"))


def look_up(quads: ox.Store, pattern: Pattern, most: int) -> bytes | None:
    """What the pattern fits in all graphs, in JSON (SPARQL 1.1 Query Results JSON Format), a row for each quad.

    None if these are more than ``most``, or if a term is one of RDF 1.2, which that format has no word for. ValueError
    if an IRI in the pattern is none.
    """
    subject, predicate, value = pattern.terms
    fitting = quads.quads_for_pattern(_iri(subject), _iri(predicate), _iri_or_string(value), None)
    wanted = most + 1 if pattern.limit is None else min(pattern.limit, most + 1)
    found = list(islice(fitting, wanted))
    if len(found) > most:
        return None
    if pattern.result is None:
        return b'{"head":{},"boolean":true}' if found else b'{"head":{},"boolean":false}'
    places = [(quoted(name), PLACES[pattern.terms.index(f"?{name}")]) for name in pattern.result]
    try:
        rows = ["{" + ",".join([f"{name}:{_said(place(quad))}" for name, place in places]) + "}" for quad in found]
    except TypeError:
        return None
    names = ",".join([name for name, _ in places])
    return f'{{"head":{{"vars":[{names}]}},"results":{{"bindings":[{",".join(rows)}]}}}}'.encode()


def _iri(term: str) -> ox.NamedNode | None:
    return None if term[0] == "?" else ox.NamedNode(term)


def _iri_or_string(term: str) -> ox.NamedNode | ox.Literal | None:
    return ox.Literal(term[1:]) if term[0] == '"' else _iri(term)


def _said(term: Term) -> str:
    """A term in JSON; TypeError if it is one of RDF 1.2."""
    if isinstance(term, ox.NamedNode):
        return f'{{"type":"uri","value":{quoted(term.value)}}}'
    if isinstance(term, ox.BlankNode):
        return f'{{"type":"bnode","value":{quoted(term.value)}}}'
    if not isinstance(term, ox.Literal) or term.direction:
        raise TypeError(term)
    said = f'{{"type":"literal","value":{quoted(term.value)}'
    if term.language:
        return f'{said},"xml:lang":{quoted(term.language)}}}'
    return f"{said}}}" if term.datatype == STRING else f'{said},"datatype":{quoted(term.datatype.value)}}}'
