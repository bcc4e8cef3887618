"""A store as it was at one moment, for reading only: what its queries and graphs are, written as they are found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import IO, Any, Literal, Protocol, cast

import pyoxigraph as ox

from mdw.model.errors import QueryError, StoreError
from mdw.rdf.documents import line_of
from mdw.rdf.vocabulary import PREFIXES
from mdw.store.engine import Store
from mdw.store.failures import FAILURES
from mdw.store.lookup import look_up
from mdw.store.pattern import Pattern
from mdw.store.sparql import Operation, explain, refused

Kind = Literal["rows", "boolean", "triples"]


class Target(Protocol):
    """Where an answer is written to."""

    def write(self, content: bytes, /) -> int:
        """Take some bytes; whatever it raises ends the query."""

    def flush(self) -> None:
        """Send what is waiting, if it likes."""


class Snapshot:
    """The quads in a folder that nobody changes; any number of processes may read it."""

    def __init__(self, folder: Path) -> None:
        try:
            self._quads = ox.Store.read_only(str(folder))
        except FAILURES as error:
            raise StoreError(f"the snapshot {folder.name} cannot be opened: {line_of(error)}") from error

    def answer(
        self,
        operation: Operation,
        choose: Callable[[Kind], str],
        target: Target,
        *,
        base: str | None = None,
        default: Sequence[str] = (),
        named: Sequence[str] = (),
        union: bool = True,
    ) -> None:
        """Write what a query finds, in the media type chosen, to ``target``, which may stop the query by raising.

        It looks into the graphs given; where none is, into those the query names; where it names none, into the union
        of all, or only into the default graph. QueryError if the engine refuses it.
        """
        graphs: dict[str, Any] = {"use_default_graph_as_union": union and not operation.names_dataset}
        if default or named:
            graphs = {"default_graph": _nodes(default), "named_graphs": _nodes(named)}
        try:
            found = self._quads.query(operation.text, base_iri=base, prefixes=PREFIXES, **graphs)
        # The engine says where it stopped; our grammar says what was expected there.
        except SyntaxError as error:
            explain(operation)
            raise refused(operation.text, "query", error) from error
        except FAILURES as error:
            raise _refused(error) from error
        if isinstance(found, ox.QueryTriples):
            found.serialize(cast(IO[bytes], target), ox.RdfFormat.from_media_type(choose("triples")))
        else:
            kind: Kind = "rows" if isinstance(found, ox.QuerySolutions) else "boolean"
            found.serialize(cast(IO[bytes], target), ox.QueryResultsFormat.from_media_type(choose(kind)))

    def look_up(self, pattern: Pattern, most: int) -> bytes | None:
        """The JSON of what a query that is one pattern finds; None if it is long or unusual (`mdw.store.lookup`).

        QueryError if the engine refuses it.
        """
        try:
            return look_up(self._quads, pattern, most)
        except FAILURES as error:
            raise _refused(error) from error

    @property
    def store(self) -> Store:
        """The same as a store that nothing is written to."""
        return Store.around(self._quads)

    @cached_property
    def doubted(self) -> bool:
        """Whether some graph in it is not believed (see `mdw.store.doubts`), which every answer has to say."""
        return bool(self.store.doubted)

    def holds(self, graph: str) -> bool:
        """Whether there is a named graph, be it empty."""
        return self._quads.contains_named_graph(ox.NamedNode(graph))

    def write_graph(self, graph: str, media: str, target: Target) -> None:
        """Write one graph; ``""`` is the default graph."""
        node = ox.NamedNode(graph) if graph else ox.DefaultGraph()
        self._quads.dump(
            cast(IO[bytes], target), ox.RdfFormat.from_media_type(media), from_graph=node, prefixes=PREFIXES
        )

    def write_all(self, media: str, target: Target) -> None:
        """Write every quad, in a form that can say which graph it belongs to."""
        self._quads.dump(cast(IO[bytes], target), ox.RdfFormat.from_media_type(media), prefixes=PREFIXES)


def _refused(error: BaseException) -> QueryError:
    return QueryError(f"the query cannot be answered: {line_of(error)}")


def _nodes(graphs: Sequence[str]) -> list[ox.NamedNode]:
    return [ox.NamedNode(graph) for graph in graphs]
