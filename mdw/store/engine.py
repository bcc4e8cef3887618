"""The only home of the Oxigraph store: open, load, replace, select.

Any number of threads may ask; one at a time writes. A load is whole or has not happened: a small one is one
transaction, a big one on disk fills the next generation (see `mdw.store.directory`), a big one in memory is undone
when it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from threading import RLock
from time import monotonic
from types import TracebackType
from typing import IO, Literal

import pyoxigraph as ox

from mdw.model.errors import QueryError, StoreError, writing
from mdw.rdf.graph import MappingGraph
from mdw.rdf.vocabulary import DOUBTED, INFERRED, MDW, PREFIXES, reference
from mdw.store.batches import Batch, LoadCounts, document, in_batches, mentioned, replacement
from mdw.store.bringing import bring, into_copy, into_memory
from mdw.store.directory import Directory, make_private
from mdw.store.failures import FAILURES, failing_as
from mdw.store.files import FileRecords
from mdw.store.forms import QUADS, as_text
from mdw.store.merging import time_for_merging, wait_for_merging
from mdw.store.opening import OpenedEngine, opened
from mdw.store.queries import filled, first, query
from mdw.store.sparql import explain, read_query, refused

# Characters of text per batch: in memory many small ones, so that loading keeps up with reading; on disk every batch
# costs files, and the engine writes all anew where four of them lie over one another.
MEMORY_BATCH = 500_000
DISK_BATCH = 24_000_000
# Replacing this many graphs, or so many characters of text, in one transaction on disk costs more than a new generation
# does.
MANY, MUCH = 50, 1_000_000
FEW = 100
"""Stale entities that are looked up one by one, whatever the store holds."""
_DOUBTED, _INFERRED, _STALE = map(ox.NamedNode, (DOUBTED, INFERRED, f"{MDW}stale"))


class Store:
    """The warehouse's quads, in memory or in a folder that one process at a time may open.

    With ``or_read`` a folder that cannot be written is opened for questions alone, by any number of processes, and
    ``unwritable`` says why; else that is a StoreError.
    """

    def __init__(self, folder: str | Path | None = None, *, or_read: bool = False) -> None:
        self.changes = 0
        self._lock = RLock()
        self._directory = Directory(Path(folder)) if folder is not None else None
        self.files = FileRecords(self._directory.files if self._directory else None)
        self._doors, self._touched = 0, False
        self._loaded: set[str] = set()
        self._merging = 0.0
        found = opened(self._directory, or_read=or_read) if self._directory else OpenedEngine(ox.Store())
        self._quads: ox.Store | None = found.quads
        self._generation, self._sums, self._counted = found.generation, found.sums, found.counted
        self._reading, self.unwritable = found.reading, found.unwritable
        # A store that another version filled, or that a process left between a change and its conclusions. One that
        # cannot be written is answered from all its rules.
        if not self.unwritable:
            with failing_as(StoreError, "the store cannot be written"):
                self._settle()

    @classmethod
    def around(cls, quads: ox.Store) -> Store:
        """A store that holds these quads, opened elsewhere, perhaps for reading only."""
        found = cls()
        found._quads = quads
        return found

    @property
    def settled(self) -> bool:
        """Whether the carry rule is up to date: always, but for a store that is read only and was left unsettled."""
        return not self._stale(more_than=0)

    @property
    def search_folder(self) -> Path | None:
        """Where an index of the store's names is kept, if the store is on disk."""
        return self._directory.search if self._directory else None

    @property
    def generation(self) -> Path | None:
        """The folder of the engine's files, if the store is on disk."""
        return self._directory.path / self._generation if self._directory else None

    @property
    def doubted(self) -> frozenset[str]:
        """The graphs that are there and not believed whole (see `mdw.store.doubts`)."""
        quads = self._open_quads()
        with failing_as(StoreError, "the store cannot be read"):
            return frozenset(iri for iri in self._marked if quads.contains_named_graph(ox.NamedNode(iri)))

    # -- asking --------------------------------------------------------------------------------------------------------

    def select(self, name: str, /, **values: Iterable[str]) -> list[tuple[str, ...]]:
        """Rows of ``queries/<name>.rq`` over all graphs, unbound as ""; ``values`` fill its VALUES blocks."""
        return list(self.stream(name, **values))

    def stream(self, name: str, /, **values: Iterable[str]) -> Iterator[tuple[str, ...]]:
        """The same row by row, as they are found."""
        found = self._query(filled(query(name), values))
        if not isinstance(found, ox.QuerySolutions):
            raise TypeError(f"{name} selects no rows")
        # Terms become texts at once: no type of the engine leaves the store.
        with failing_as(StoreError, "the store cannot be read"):
            for row in found:
                yield tuple([term.value if term else "" for term in row])

    def ask(self, name: str, /, **values: Iterable[str]) -> bool:
        """The answer of the ASK query ``queries/<name>.rq`` over all graphs."""
        return bool(self._query(filled(query(name), values)))

    def says(self, property_: str) -> bool:
        """Whether anything has this property, by IRI: a look that costs no query."""
        quads = self._open_quads()
        with failing_as(StoreError, "the store cannot be read"):
            found = quads.quads_for_pattern(None, ox.NamedNode(property_), None, None)
            return next(iter(found), None) is not None

    def query_text(self, sparql: str, form: str | None = None) -> str:
        """What anyone's query over all graphs finds: rows as json (usual), csv, tsv, xml; triples as turtle, ntriples.

        The prefixes of the ontology need not be declared. QueryError if it cannot be answered, or would go elsewhere.
        """
        asked = read_query(sparql)
        try:
            found = self._query(asked.text)
        except QueryError as error:
            # The engine says where it stopped; our grammar says what was expected there.
            if isinstance(error.__cause__, SyntaxError):
                explain(asked)
                raise refused(asked.text, "query", error.__cause__) from error
            raise
        with failing_as(QueryError, "the query cannot be answered"):
            return as_text(found, form)

    def export(self, target: str | Path | IO[bytes], form: Literal["trig", "nquads"] = "trig") -> None:
        """Write every quad to a file or a binary stream; OutputError if that cannot be written."""
        if form not in QUADS:
            raise StoreError(f"a store is exported as {' or '.join(QUADS)}, not as {form}")
        where = target if isinstance(target, str | Path) else "to the stream"
        with failing_as(StoreError, "the store cannot be exported"), writing(where):
            self._open_quads().dump(target, QUADS[form], prefixes=PREFIXES)

    # -- writing -------------------------------------------------------------------------------------------------------

    def load(self, graphs: Iterable[MappingGraph], others: Callable[[], str] = str, *, writers: int = 1) -> LoadCounts:
        """Bring in mapping graphs; each replaces the whole graph of its mapping, one that says nothing new is skipped.

        ``others`` is asked when the graphs are at an end: blocks of what belongs to no mapping, added to what is there.
        If reading or writing fails, the store holds what it held before. Up to so many ``writers`` work side by side,
        where much is brought to a disk.
        """
        with self.writing():
            try:
                counts = self._load(graphs, others, writers)
            finally:
                loaded, self._loaded = self._loaded, set()
            self._trust(loaded)
            return counts

    def _load(self, graphs: Iterable[MappingGraph], others: Callable[[], str], writers: int) -> LoadCounts:
        some = in_batches(graphs, self._digests, DISK_BATCH // writers if self._directory else MEMORY_BATCH)
        first = next(some)
        second = next(some, None)
        if self._directory and (second or len(first.replacing) > MANY or first.size > MUCH):
            # A crash in the middle of many transactions would leave half a load; a generation is all or nothing. And
            # only there the engine may take in files: where the disk fails just then, its list names files that are
            # gone, and what was there before cannot be opened any more.
            return self._load_generation(chain(filter(None, (first, second)), some), others, writers)
        if second:
            return into_memory(self._open_quads(), chain((first, second), some), others, self._entities)
        self._load_at_once(first.new, first.replacing, others())
        return first.counts

    def remove(self, iris: Iterable[str]) -> None:
        """Drop the graphs of mappings, whole."""
        with self.writing():
            dropped = list(iris)
            self._update(replacement(dropped, (), self._entities(dropped)))
            self._trust(dropped)

    def apply(self, name: str, /, **values: Iterable[str]) -> None:
        """Run the update ``queries/<name>.rq``, in one transaction."""
        with self.writing():
            self._update(filled(query(name), values))

    def restart(self, unfilled: Iterable[str]) -> None:
        """Forget all that has been inferred, and infer it again, into these entities (inference/unfilled)."""
        with self.writing():
            self._restart(unfilled)

    def replace(self, graph: str, ntriples: bytes) -> None:
        """Put triples in the place of a whole graph."""
        with self.writing():
            self._replace(graph, ntriples.decode())

    def require_writable(self) -> None:
        """StoreError if the store is open for questions alone."""
        if self.unwritable:
            where = self._directory.path if self._directory else "the store"
            raise StoreError(f"{where} can only be read, it cannot be written: {self.unwritable}")

    def merge(self) -> None:
        """Behind a large load: let the engine merge its tables, for a quarter of the time of the load at most.

        For who is going to close a store for good: the next one that opens it would have to do it.
        """
        wait_for_merging(self._merging)

    def close(self) -> None:
        """Let go of the folder, so that another process may open it."""
        with self._lock:
            quads, self._quads = self._quads, None
            if self._reading:
                self._reading.close()
            if quads is None or self._directory is None or self.unwritable:
                return
            if self.changes:
                # The engine's tables have sums, its log has none that tells. What it cannot write stays in the log.
                with suppress(*FAILURES):
                    quads.flush()
            del quads  # which waits for tables that are still being written
            # In this order: sums are noted of tables that nobody writes to any more. Who only asks has tables made of
            # what stood in the log.
            with suppress(OSError):
                make_private(self._directory.path / self._generation)
            if self._sums and self.changes:
                self._sums.note()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- how -----------------------------------------------------------------------------------------------------------

    @contextmanager
    def held(self) -> Iterator[ox.Store]:
        """The engine, for nobody else to write to meanwhile; not if another process has replaced what is open here."""
        with self._lock:
            if self._directory and self._directory.current.name != self._generation:
                raise StoreError(f"the store {self._directory.path} has been rebuilt meanwhile: open it again")
            yield self._open_quads()

    @contextmanager
    def writing(self, *, touching: bool = True) -> Iterator[ox.Store]:
        """The one door of every change: the same for one who is going to write.

        Whoever comes out of it has left the carry rule up to date, so that questions need not write. Costs a look
        unless the change is known not to be ``touching`` what the rule rests on, and else follows the entities touched.
        The change is on the disk then.
        """
        with self.held() as quads:
            self.require_writable()
            if self._counted:
                self._counted.require_sound()
            self.changes += 1
            # Before the change: after a crash in its middle an index of names would be out of date, and say it is not.
            if self._directory:
                with failing_as(StoreError, "the store cannot be written"):
                    self._directory.changing()
            self._doors += 1
            self._touched |= touching
            try:
                yield quads
            finally:
                self._doors -= 1
                if not self._doors and self._touched:  # changes are made of changes: the last one out settles
                    self._touched = False
                    self._settle()
            # Not where the change has failed: what is not answered need not be counted (`mdw.store.changes`).
            if self._counted and not self._doors:
                with failing_as(StoreError, "the store cannot be written"):
                    self._counted.acknowledge(self._open_quads())
                if self._sums:
                    self._sums.note()

    def _settle(self) -> None:
        if not self.settled:
            # Part of what all rules inferred may not follow from what is there now. Behind a first load nearly all is
            # stale: then all at once costs a third of one by one.
            mostly = self._stale(more_than=FEW) and self.ask("inference/is-mostly-stale")
            if mostly or self.ask("inference/is-complete"):
                self._restart(first(self.select("inference/unfilled")))
            self._update(query("inference/carry"))

    def _restart(self, unfilled: Iterable[str]) -> None:
        marks = "".join([f"<{INFERRED}> {_STALE} {reference(one)}." for one in unfilled])
        self._replace(INFERRED, marks)

    def _replace(self, graph: str, triples: str) -> None:
        self._update(f"DROP SILENT GRAPH <{graph}>; INSERT DATA {{ GRAPH <{graph}> {{ {triples} }} }}")

    def _stale(self, *, more_than: int) -> bool:
        """Whether more entities than so many are marked as stale."""
        # Asked after every change: the pattern costs a tenth of the query that says the same.
        marks = self._open_quads().quads_for_pattern(_INFERRED, _STALE, None, _INFERRED)
        return next(islice(marks, more_than, None), None) is not None

    def _open_quads(self) -> ox.Store:
        if self._quads is None:
            raise StoreError("the store is closed")
        return self._quads

    def _query(self, sparql: str) -> ox.QuerySolutions | ox.QueryBoolean | ox.QueryTriples:
        with failing_as(QueryError, "the query cannot be answered"):
            return self._open_quads().query(sparql, use_default_graph_as_union=True, prefixes=PREFIXES)

    def _update(self, sparql: str) -> None:
        with failing_as(StoreError, "the store cannot be written"):
            self._open_quads().update(sparql, prefixes=PREFIXES)

    def _digests(self, iris: list[str]) -> dict[str, str]:
        found = {row[0]: row[1] for row in self.select("store/digests", mapping=map(reference, iris))}
        self._loaded.update(self._marked.intersection(iris))
        # What is doubted says nothing: whatever is loaded in its place replaces it.
        return found | dict.fromkeys(self.doubted.intersection(iris), "")

    @property
    def _marked(self) -> set[str]:
        with failing_as(StoreError, "the store cannot be read"):
            marked = self._open_quads().quads_for_pattern(None, None, None, _DOUBTED)
            return {quad.subject.value for quad in marked if isinstance(quad.subject, ox.NamedNode)}

    def _trust(self, iris: Iterable[str]) -> None:
        """Take the marks off graphs that have been loaded anew, or taken out."""
        quads = self._open_quads()
        with failing_as(StoreError, "the store cannot be written"):
            for iri in self._marked.intersection(iris):
                for quad in list(quads.quads_for_pattern(ox.NamedNode(iri), None, None, _DOUBTED)):
                    quads.remove(quad)

    def _entities(self, iris: Iterable[str]) -> set[str]:
        return {entity for (entity,) in self.select("store/entities", mapping=map(reference, iris))}

    def _load_at_once(self, new: list[MappingGraph], replacing: list[MappingGraph], others: str) -> None:
        replaced = [graph.iri for graph in replacing]
        stale = mentioned(new) | mentioned(replacing) | self._entities(replaced)
        if replacing or others:
            self._update(replacement(replaced, [*new, *replacing], stale, others))
        elif new:
            bring(self._open_quads(), document(new, stale))

    def _load_generation(self, some: Iterable[Batch], others: Callable[[], str], writers: int) -> LoadCounts:
        """Everything into a copy of the store, which then takes its place."""
        assert self._directory
        assert self._counted
        assert self._sums
        # Whoever asks meanwhile is answered from the generation in force, of which nothing changes.
        self._directory.sweep()
        folder = self._directory.fresh()
        start = monotonic()
        try:
            counts, quads = into_copy(self._open_quads(), folder, some, others, self._entities, writers)
            with failing_as(StoreError, "the store cannot be written"):
                self._directory.put_in_force(folder.name)
        except BaseException:
            self._directory.give_up(folder)
            raise
        make_private(folder)
        self._counted, self._sums = self._counted.of(folder), self._sums.of(folder)
        self._generation = folder.name
        self._merging = time_for_merging(monotonic() - start)
        self._quads = quads  # the old generation is swept later: threads may still be asking it
        return counts
