"""Lines of N-Triples and N-Quads -> checked quads as text, in which blank nodes have names of their file's own.

>>> found = checked([b"<urn:a> <urn:b> _:x .", b"no statement"], "nt", "f1")
>>> found.text, found.quads, found.bad[0][:2]
(b'<urn:a> <urn:b> <urn:mdw:blank:f1:x> .\\n', 1, (2, b'no statement'))

Blank nodes become IRIs because a file is read in parts, on several machines: `_:x` must mean the same node in all of
them and another in every other file. Files that are right are parsed as a whole; only where that fails, line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyoxigraph as ox

from mdw.rdf.vocabulary import BLANK, DOUBTED, INFERRED, MDW, PREFIXES, SCHEMA, encoded

FORMS = {"nt": ox.RdfFormat.N_TRIPLES, "nq": ox.RdfFormat.N_QUADS}
LEFT_OUT = tuple(f" <{graph}> .\n".encode() for graph in (INFERRED, SCHEMA, DOUBTED))
"""How lines of graphs end that every store draws for itself."""
_PLACE = re.compile(r"^Parser error at line [^:]*: | \(line \d+\)$")
_TYPE, _CLASS = (re.escape(iri.encode()) for iri in (f"{PREFIXES['rdf']}type", f"{MDW}Mapping"))
# A quad that says of a mapping, in the mapping's own graph, that it is one: there is one of each.
_MAPPING = re.compile(rb"^<([^>]*)> <%s> <%s> <\1> \.$" % (_TYPE, _CLASS), re.MULTILINE)

SHOWN = 100
"""Bytes that are shown of a line too long to be read."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What lines say, as N-Quads: how many quads and mappings; and the lines that say nothing.

    Of each of these its number, from 1, the line and the reason.
    """

    text: bytes
    quads: int
    mappings: int
    bad: tuple[tuple[int, bytes, str], ...]


def checked(lines: Sequence[bytes], form: str, file: str) -> Checked:
    """Check lines of N-Triples (``nt``) or N-Quads (``nq``); ``file`` tells blank nodes of one file from another's."""
    bad: list[tuple[int, bytes, str]] = []
    try:
        text = _written(b"\n".join(lines), form, file)
    except (SyntaxError, MemoryError):
        text = b"".join([_line(number, line, form, file, bad) for number, line in enumerate(lines, 1)])
    # A search through the bytes first: hardly any file has such lines, and taking lines apart is slow.
    if any(end in text for end in LEFT_OUT):
        text = b"".join([line for line in text.splitlines(keepends=True) if not _is_left_out(line)])
    return Checked(text, text.count(b"\n"), len(_MAPPING.findall(text)), tuple(bad))


def _is_left_out(line: bytes) -> bool:
    """Whether a line, as we write them, ends with such a graph, after three terms; after two it is the object."""
    return any(line.endswith(end) and line.count(b" ", 0, -len(end)) > 1 for end in LEFT_OUT)


def _line(number: int, line: bytes, form: str, file: str, bad: list[tuple[int, bytes, str]]) -> bytes:
    try:
        return _written(line, form, file)
    except SyntaxError as error:
        bad.append((number, line, _PLACE.sub("", str(error))))
        return b""
    except MemoryError:
        # The engine's own limit, whatever memory there is.
        bad.append((number, line[:SHOWN], "a line of more than 16 MB"))
        return b""


def _written(text: bytes, form: str, file: str) -> bytes:
    # Serialised again even if nothing changes: then equal quads are equal bytes, whatever spaces or escapes they had.
    quads = ox.parse(text, FORMS[form])
    named = (_named_quad(quad, file) for quad in quads) if b"_:" in text else quads
    return ox.serialize(named, format=ox.RdfFormat.N_QUADS) or b""


def _named_quad(quad: ox.Quad, file: str) -> ox.Quad:
    terms = (quad.subject, quad.predicate, quad.object, quad.graph_name)
    return ox.Quad(*[_named(term, file) for term in terms])


def _named(term: Any, file: str) -> Any:
    """The term, with an IRI in the place of a blank node, also inside a triple term."""
    if isinstance(term, ox.BlankNode):
        return ox.NamedNode(f"{BLANK}{file}:{encoded(term.value)}")
    if isinstance(term, ox.Triple):
        return ox.Triple(*[_named(part, file) for part in (term.subject, term.predicate, term.object)])
    return term
