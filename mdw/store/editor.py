"""Changes to a store that come as SPARQL updates or whole graphs of RDF, each one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.errors import QueryError, StoreError
from mdw.rdf.documents import triples
from mdw.rdf.vocabulary import MDW, PREFIXES
from mdw.store.engine import Store
from mdw.store.failures import FAILURES, failing_as, is_asked_wrong, said
from mdw.store.guarding import Asked, guard, refuse_graph, refuse_triples
from mdw.store.inference import anew
from mdw.store.sparql import Operation, refused, with_using
from mdw.store.touching import touches_rules

CARRYING = ("attributeOf", "drivingEntity", "influences", "rule", "targetEntity", "carries", "carriedAttribute")
"""The properties that the carry rule rests on or draws."""


class Editor:
    """What may be changed in a store besides its mappings."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def update(
        self, update: Operation, base: str | None = None, *, default: Sequence[str] = (), named: Sequence[str] = ()
    ) -> None:
        """Carry out an update, whole or not at all; QueryError if the engine refuses it.

        Its patterns look into the graphs given, where any are (SPARQL 1.1 Protocol, 2.2.3). The graphs of mappings it
        may only take away whole.
        """
        asked = guard(update, base or "")
        with self._store.held() as quads:
            if asked and _finds(quads, asked, base, default, named):
                raise QueryError("the update would write to the graphs of mappings, which come and go whole")
            text, touching = with_using(update, default, named), touches_rules(update, self._speaks_of_rules)
            self._update(text, base, touching=touching)

    def _update(self, text: str, base: str | None = None, *, touching: bool) -> None:
        with self._store.writing() as quads:
            # What the carry rule found is void before the change, so that no crash between leaves it in force.
            if touching:
                anew(self._store)
            try:
                quads.update(text, base_iri=base, prefixes=PREFIXES)
            except FAILURES as error:
                if is_asked_wrong(error):
                    raise refused(text, "update", error) from error
                raise StoreError(f"the store cannot be written: {said(error)}") from error
            if touching and self._store.settled:  # the update took the marks away with the graph they stand in
                anew(self._store)

    def put(self, graph: str, content: Path, media: str, base: str) -> bool:
        """Put the triples of a file in the place of a graph (``""``: the default graph); whether it is new.

        InputError if the file cannot be read.
        """
        new = not self.holds(graph)
        data = triples(content, media, base)
        refuse_graph(graph)
        refuse_triples(data)
        # What the graph has held goes, so it counts as well.
        cleared = f"DROP SILENT GRAPH <{graph}>; CREATE GRAPH <{graph}>" if graph else "CLEAR DEFAULT"
        self._update(f"{cleared}; {_insertion(graph, data)}", touching=MDW in data or self._speaks_of_rules(graph))
        return new

    def add(self, graph: str, parts: list[tuple[Path, str]], base: str) -> bool:
        """Add the triples of files, each of a media type, to a graph; whether it is new."""
        new = not self.holds(graph)
        data = "".join(triples(content, media, base) for content, media in parts)
        refuse_graph(graph)
        refuse_triples(data)
        created = f"CREATE SILENT GRAPH <{graph}>; " if graph else ""
        self._update(created + _insertion(graph, data), touching=MDW in data)
        return new

    def drop(self, graph: str) -> bool:
        """Take a graph away, or empty the default graph; whether it was there."""
        there = self.holds(graph)
        dropped = f"DROP SILENT GRAPH <{graph}>" if graph else "CLEAR DEFAULT"
        self._update(dropped, touching=self._speaks_of_rules(graph))
        return there

    def holds(self, graph: str) -> bool:
        """Whether there is a named graph, be it empty; the default graph always is."""
        with self._store.held() as quads:
            return not graph or quads.contains_named_graph(ox.NamedNode(graph))

    def _speaks_of_rules(self, graph: str) -> bool:
        """Whether a graph holds anything that the carry rule rests on."""
        name = ox.NamedNode(graph) if graph else ox.DefaultGraph()
        with self._store.held() as quads:
            return any(
                next(iter(quads.quads_for_pattern(None, ox.NamedNode(MDW + word), None, name)), None) is not None
                for word in CARRYING
            )

    def checkpoint(self, folder: Path) -> None:
        """Make a folder that holds the store as it is now and shares its files as long as they stay the same."""
        with self._store.held() as quads:
            if folder.exists():
                raise StoreError(f"{folder} is there already: a copy of a store takes a new folder")
            with failing_as(StoreError, "the store cannot be copied"):
                quads.backup(str(folder))
                folder.chmod(PRIVATE_FOLDER)

    def compact(self) -> None:
        """Let the engine tidy its files."""
        self._store.require_writable()
        with self._store.held() as quads, failing_as(StoreError, "the store cannot be tidied"):
            quads.optimize()
            quads.flush()


def _finds(quads: ox.Store, asked: Asked, base: str | None, default: Sequence[str], named: Sequence[str]) -> bool:
    """Whether variables of an update stand for what it may not write."""
    if not asked.alone:
        # What the operations before leave is not known yet; without mappings there is nothing to be spoilt.
        return next(iter(quads.quads_for_pattern(None, ox.NamedNode(f"{MDW}head"), None, None)), None) is not None
    graphs: dict[str, Any] = {}
    if default or named:
        graphs = {"default_graph": [*map(ox.NamedNode, default)], "named_graphs": [*map(ox.NamedNode, named)]}
    elif asked.within:
        graphs = {"default_graph": ox.NamedNode(asked.within), "named_graphs": list(quads.named_graphs())}
    with failing_as(QueryError, "the update cannot be carried out"):
        found = quads.query(asked.sparql, base_iri=base, prefixes=PREFIXES, **graphs)
        assert isinstance(found, ox.QuerySolutions)
        return next(found, None) is not None


def _insertion(graph: str, ntriples: str) -> str:
    return f"INSERT DATA {{ GRAPH <{graph}> {{ {ntriples} }} }}" if graph else f"INSERT DATA {{ {ntriples} }}"
