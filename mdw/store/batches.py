"""Mapping graphs in batches: which are new, which replace another, which the store holds already."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice

from mdw.model.errors import StoreError
from mdw.rdf.graph import PREFIX, MappingGraph
from mdw.rdf.vocabulary import INFERRED, MAPPING, name_of

LOOKUP = 50


@dataclass(frozen=True, slots=True)
class LoadCounts:
    """How many mappings a load brought: new ones, replaced ones, and ones that say what was known already.

    Scripts are no mappings, though their graphs come and go the same way.
    """

    new: int = 0
    replaced: int = 0
    unchanged: int = 0

    def __add__(self, other: LoadCounts) -> LoadCounts:
        return LoadCounts(self.new + other.new, self.replaced + other.replaced, self.unchanged + other.unchanged)


SMALL = 1_000_000
"""Bytes of text below which it is not taken in as files, and nothing else meanwhile.

The engine ends with a segmentation fault now and then where it takes in small texts as files: of two at a time one in a
hundred of 2 kB, one in 650 of 30 kB, none in 6,780 of 100 kB (pyoxigraph 0.5.13). One behind the other and flushed it
is one load in 800 of a dozen texts. A megabyte takes 0.3 s in a transaction, and 0.1 s as files.
"""


@dataclass(slots=True)
class Batch:
    """Some mappings of one load; ``size`` counts the characters of their text."""

    new: list[MappingGraph] = field(default_factory=list)
    replacing: list[MappingGraph] = field(default_factory=list)
    unchanged: int = 0
    size: int = 0

    @property
    def counts(self) -> LoadCounts:
        """What the batch brings."""
        new, replaced = (sum(map(is_mapping, some)) for some in (self.new, self.replacing))
        return LoadCounts(new, replaced, self.unchanged)


def is_mapping(graph: MappingGraph) -> bool:
    """Whether a graph is that of a mapping: scripts and entries of the data dictionary are not counted."""
    return graph.iri.startswith(MAPPING)


def mentioned(graphs: Iterable[MappingGraph]) -> set[str]:
    """The entities that some mappings fill or read."""
    return {entity for graph in graphs for entity in graph.entities}


def in_batches(
    graphs: Iterable[MappingGraph], digests: Callable[[list[str]], dict[str, str]], size: int
) -> Iterator[Batch]:
    """The graphs in batches of about ``size`` characters; ``digests`` tells which mappings are held, saying what.

    StoreError if a mapping comes twice.
    """
    met: set[str] = set()
    waiting = iter(graphs)
    batch = Batch()
    while some := list(islice(waiting, LOOKUP)):
        # Fifty mappings to a query: one by one the queries would cost more than the loading.
        held = digests([graph.iri for graph in some])
        for graph in some:
            if graph.iri in met:
                raise StoreError(f"the mapping {name_of(graph.iri)} comes twice in one load")
            met.add(graph.iri)
            # Loading the same files again is the usual case: what says nothing new is not written.
            if held.get(graph.iri) == graph.digest:
                batch.unchanged += is_mapping(graph)
                continue
            (batch.replacing if graph.iri in held else batch.new).append(graph)
            batch.size += len(graph.block)
        if batch.size >= size:
            yield batch
            batch = Batch()
    yield batch


def document(graphs: Iterable[MappingGraph], stale: Iterable[str] = ()) -> str:
    """The graphs as a TriG document that also marks the entities whose inferred facts are stale."""
    return "".join([PREFIX, *(graph.block for graph in graphs), marks(stale)])


def replacement(dropped: Iterable[str], graphs: Iterable[MappingGraph], stale: Iterable[str], others: str = "") -> str:
    """One SPARQL update that puts the graphs, and other blocks, in the place of what it drops."""
    drops = "".join(f"DROP SILENT GRAPH <{iri}>;\n" for iri in dropped)
    blocks = "".join(graph.block for graph in graphs)
    return f"{PREFIX}{drops}INSERT DATA {{\n{blocks}{others}{marks(stale)}}}"


def marks(stale: Iterable[str]) -> str:
    """The statement that what was inferred about these entities is to be inferred again."""
    entities = ",".join(f"<{iri}>" for iri in sorted(stale))
    return f"GRAPH <{INFERRED}> {{ <{INFERRED}> mdw:stale {entities}. }}\n" if entities else ""


def write_behind(some: Iterable[Batch], write: Callable[[Batch], None], waiting: int, writers: int = 1) -> LoadCounts:
    """Write batches while the next ones are being read: in order, or several that only bring what is new at a time."""
    counts = LoadCounts()
    writing: deque[Future[None]] = deque()
    # It lets Python go on while it works. What is new it takes side by side; changes made so it loses.
    with ThreadPoolExecutor(max_workers=writers) as worker:
        for batch in some:
            counts += batch.counts
            # A batch that replaces is a change: all before it are waited for, and it is before the next one begins.
            alone = bool(batch.replacing) or (writers > 1 and batch.size < SMALL)
            _wait(writing, 0 if alone else len(writing))
            writing.append(worker.submit(write, batch))
            _wait(writing, 0 if alone and writers > 1 else waiting)
        _wait(writing, 0)
    return counts


def _wait(writing: deque[Future[None]], most: int) -> None:
    """Wait until no more than so many are being written or are to be."""
    while len(writing) > most:
        writing.popleft().result()
