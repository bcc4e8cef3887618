"""How the batches of a load get into the engine: into its memory, or into a copy of its folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pyoxigraph as ox

from mdw.drafting import PRIVATE_FOLDER
from mdw.model.errors import StoreError
from mdw.rdf.graph import MappingGraph
from mdw.store.batches import SMALL, Batch, LoadCounts, document, mentioned, replacement, write_behind
from mdw.store.failures import failing_as

WAITING = 3
"""Batches that may wait in memory while one is written and the next is read; on the way to a disk none waits."""
Others = Callable[[], str]
Entities = Callable[[list[str]], set[str]]
"""The entities that the graphs of some IRIs mention, as the store has them."""


def into_memory(quads: ox.Store, some: Iterable[Batch], others: Others, entities: Entities) -> LoadCounts:
    """New graphs batch by batch, all others at the end in one transaction.

    Until then nothing that was there is touched: what has failed is undone by dropping what came new.
    """
    stale: set[str] = set()
    brought: list[str] = []
    replacing: list[MappingGraph] = []

    def write(batch: Batch) -> None:
        brought.extend(graph.iri for graph in batch.new)
        replacing.extend(batch.replacing)
        stale.update(mentioned(batch.new))
        bring(quads, document(batch.new))

    try:
        counts = write_behind(some, write, WAITING)
        replaced = [graph.iri for graph in replacing]
        stale |= mentioned(replacing) | entities(replaced)
        with failing_as(StoreError, "the store cannot be written"):
            quads.update(replacement(replaced, replacing, stale, others()))
    # In memory there is no generation to throw away: what was brought is taken out again, by name.
    except BaseException:
        quads.update(replacement(brought, (), ()))
        raise
    return counts


def into_copy(
    quads: ox.Store, folder: Path, some: Iterable[Batch], others: Others, entities: Entities, writers: int
) -> tuple[LoadCounts, ox.Store]:
    """Everything into a copy of an engine's files (hard links, made at once) in ``folder``, and the engine there."""
    stale: set[str] = set()
    with failing_as(StoreError, "the store cannot be written"):
        quads.backup(str(folder))
        folder.chmod(PRIVATE_FOLDER)
        copy = ox.Store(str(folder))

    def write(batch: Batch) -> None:
        replaced = [graph.iri for graph in batch.replacing]
        graphs = [*batch.new, *batch.replacing]
        stale.update(mentioned(graphs), entities(replaced))
        if replaced:
            with failing_as(StoreError, "the store cannot be written"):
                copy.update(replacement(replaced, (), ()))
        text = document(graphs)
        # The text of a batch stands in memory once: what it was made of goes before the engine takes its own copy.
        batch.new.clear()
        batch.replacing.clear()
        graphs.clear()
        bring(copy, text, as_files=batch.size >= SMALL)

    counts = write_behind(some, write, writers - 1, writers)
    with failing_as(StoreError, "the store cannot be written"):
        copy.update(replacement((), (), stale, others()))
        copy.flush()
    return counts, copy


def bring(quads: ox.Store, text: str, *, as_files: bool = False) -> None:
    """Add a TriG document in one transaction, or as files: half the time on a disk, and never into what is in force."""
    add = quads.bulk_load if as_files else quads.load
    with failing_as(StoreError, "the store cannot be written"):
        add(text, ox.RdfFormat.TRIG, lenient=True)
