"""Files of N-Triples and N-Quads -> the graphs of mappings in them, and whatever else they state.

A graph may be spread over files; what is stated twice counts once. All of it is held in memory: what is too large for
that is for `mdw.spark`.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import IO

import pyoxigraph as ox

from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.model.errors import InputError
from mdw.model.tree import Location
from mdw.rdf.graph import MappingGraph
from mdw.rdf.lines import checked
from mdw.rdf.vocabulary import BELIEVED, MAPPING, MDW, name_of
from mdw.readers.inputs import BOM, Input, fingerprint, unreadable
from mdw.readers.reading import Meter
from mdw.readers.rebuilding import agrees
from mdw.readers.recognising import rdf_form

# RDF of mappings is not taken apart: its graphs hold the tree, the rules and the digest, and go into the store as they
# stand. Only digests and entities are looked for, by regular expressions over lines in one known spelling.
PIECE = 20_000
"""Lines looked at together."""
PIECE_BYTES = 64 << 20
"""Bytes of them, about."""
LONGEST_LINE = (16 << 20) + 1000
"""Bytes of a line that are read: the engine takes 16 MiB."""
_MDW = re.escape(MDW.encode())
_DIGEST = re.compile(rb'^<([^>]*)> <%sdigest> "([^"]*)" \.$' % _MDW, re.MULTILINE)
_ENTITY = re.compile(rb"<%s(?:targetEntity|drivingEntity|joinedEntity|attributeOf)> <([^>]*)> \.$" % _MDW, re.MULTILINE)


_BELIEVED = re.compile(rb"\S+ <(?:%s)> " % b"|".join(re.escape(one.encode()) for one in BELIEVED))
DAMAGED = "lines are damaged or missing, or another version of mdw wrote them: load the mapping's text"


class Stated:
    """What files state: by graph (the default graph is ``""``) its triples, each once, as lines of N-Triples."""

    def __init__(self) -> None:
        self._graphs: defaultdict[str, dict[bytes, None]] = defaultdict(dict)

    def read(self, inputs: Iterable[Input], meter: Meter) -> Iterator[InputError]:
        """Take in files; an error for each line that says nothing, and for each file that cannot be read."""
        for one in inputs:
            try:
                yield from self._read(one, meter)
            except OSError as error:
                yield unreadable(one.name, error)
            except (EOFError, zlib.error) as error:
                yield unreadable(one.name, OSError(None, str(error)))

    def mappings(self, known: Mapping[str, str]) -> Iterator[MappingGraph | InputError]:
        """The graphs of mappings, as they stand; an error for each of which files say different things.

        ``known`` are the digests of mappings that come from elsewhere, by IRI: the same again is left out.
        """
        # Graphs of mappings are taken out on the way, so that what is left over is what belongs to none.
        for iri in [iri for iri in self._graphs if iri]:
            text = b"".join(self._graphs[iri])
            said = {digest.decode() for mapping, digest in _DIGEST.findall(text) if mapping.decode() == iri}
            own = iri.startswith(MAPPING)
            if not said and not own:
                continue
            quads = len(self._graphs.pop(iri))
            # Two digests in one graph: two files hold two states of the mapping, and neither is right for both. Of what
            # is taken, tree and rules must agree: rules that nobody derived would be believed.
            if len(said.union([known[iri]] if iri in known else [])) > 1:
                yield InputError(f"the inputs say different things of the mapping {name_of(iri)}")
            elif own and iri not in known and not (said and agrees(iri, text, MetaTree.of(MAPPING_GRAMMAR))):
                message = (
                    f"what is stated of the mapping {name_of(iri)} is not what its parse tree says: it is left out"
                )
                yield InputError(message, hint=DAMAGED)
            elif said and iri not in known:
                entities = frozenset(entity.decode() for entity in _ENTITY.findall(text))
                yield MappingGraph(iri, said.pop(), _block(iri, text), entities, quads)
        yield from self._unbelieved()

    def _unbelieved(self) -> Iterator[InputError]:
        """Take out what only graphs of mappings may say; an error for each graph that says it."""
        for iri, triples in self._graphs.items():
            if bad := [line for line in triples if _BELIEVED.match(line)]:
                for line in bad:
                    del triples[line]
                excerpt = bad[0].decode(errors="replace").rstrip()
                yield InputError(
                    f"what only the graph of a mapping says is stated in <{iri}>: left out", excerpt=excerpt
                )

    @property
    def left(self) -> int:
        """How many quads belong to no mapping, once `mappings` are at an end."""
        return sum(map(len, self._graphs.values()))

    def others(self) -> str:
        """These quads as blocks."""
        return "".join(_block(iri, b"".join(triples)) for iri, triples in self._graphs.items())

    def _read(self, one: Input, meter: Meter) -> Iterator[InputError]:
        assert one.path
        # Blank nodes are named by the content of their file, so reading it again gives the same IRIs.
        form, file, before = rdf_form(one.name), fingerprint(one.path), 0
        with one.open() as stream:
            while lines := list(_piece(stream)):
                meter.done += sum(map(len, lines))
                if not before:
                    lines[0] = lines[0].removeprefix(BOM)
                found = checked(lines, form, file)
                self._take(found.text)
                for number, line, reason in found.bad:
                    excerpt = line.decode(errors="replace").rstrip()
                    yield InputError(reason, location=Location(one.name, before + number, 1), excerpt=excerpt)
                before += len(lines)

    def _take(self, text: bytes) -> None:
        quads = ox.parse(text, ox.RdfFormat.N_QUADS)
        for graph, some in groupby(quads, key=attrgetter("graph_name")):
            iri = "" if isinstance(graph, ox.DefaultGraph) else graph.value
            triples = ox.serialize((quad.triple for quad in some), format=ox.RdfFormat.N_TRIPLES) or b""
            self._graphs[iri].update(dict.fromkeys(triples.splitlines(keepends=True)))


def _piece(stream: IO[bytes]) -> Iterator[bytes]:
    """The next lines, so many and no more bytes than that; of a line too long to be read its beginning."""
    size = number = 0
    while number < PIECE and size < PIECE_BYTES and (line := stream.readline(LONGEST_LINE)):
        yield line
        number, size = number + 1, size + len(line)
        while len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            line = stream.readline(LONGEST_LINE)


def _block(iri: str, triples: bytes) -> str:
    return f"GRAPH <{iri}> {{\n{triples.decode()}}}\n" if iri else triples.decode()
