"""All attributes at once: here, one record after the other, or on Spark, into a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from mdw.collecting import uncollected
from mdw.lineage.trace import origins_of
from mdw.model.answers.answer import Origins
from mdw.model.name import entity_of
from mdw.model.rules import Mode, Policy
from mdw.readers.reading import Progress
from mdw.stages import believing
from mdw.stages.asking import Asking, lineage, understood
from mdw.stages.unread import places
from mdw.store import candidates, catalogue
from mdw.store.cones import stars
from mdw.store.engine import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from mdw.spark.lineage.origins import SparkLineage

LEFT_OPEN = (
    "statements were not read that may write what some attributes come from: what these have besides is told of each "
    "alone, by mdw lineage"
)
SEVERAL = 200
"""Records made at a time."""


def lineage_all(store: Store, mode: Mode, policy: Policy | None, progress: Progress | None) -> Iterator[Origins]:
    """All rules -> records; the first few that are undecided are asked for singly, which decides most of them."""
    understood(mode, policy)
    from mdw.lineage.everything.sweep import SINGLY  # numpy and scipy are slow to import

    left = SINGLY
    inner = {head.target for head in catalogue.heads(store) if head.inner}
    # What statements that were not read may write is asked for singly, too: there they are left open.
    unread = places(store)
    every = _records(store, mode, policy, progress)
    # Of what is local to a statement nobody outside of it asks.
    records = (one for one in every if entity_of(one.attribute) not in inner) if inner else every
    while some := _several(records):
        for found in some:
            open_ = unread.get(entity_of(found.attribute), ())
            if mode == "passive":
                yield replace(found, unread=open_)
            elif open_ or (found.undecided and left):
                left -= not open_
                yield origins_of(lineage(store, Asking(found.attribute, unpopulated=policy, shown=False)))
            else:
                yield found


def spark_lineage(
    store: Store,
    spark: SparkSession,
    folder: Path,
    mode: Mode,
    policy: Policy | None,
    progress: Callable[[str, float], None] | None,
) -> SparkLineage:
    """All rules -> shares -> executors -> files; what they leave undecided is asked for singly here."""
    understood(mode, policy)
    from mdw.spark.lineage import origins

    def ask(name: str) -> Origins:
        return origins_of(lineage(store, Asking(name, mode=mode, unpopulated=policy, shown=False)))

    unread = places(store)
    notes = (*believing.notes(store), *([LEFT_OPEN] if unread and mode == "active" else []))
    return origins.write(
        spark, store, folder, ask, mode=mode, policy=policy, progress=progress, notes=notes, unread=unread
    )


def _records(store: Store, mode: Mode, policy: Policy | None, progress: Progress | None) -> Iterator[Origins]:
    from mdw.lineage.everything import sweep

    names = catalogue.attributes(store)
    if mode == "passive" and not stars(store):
        yield from sweep.passive(names, catalogue.heads(store), candidates.populations(store), progress)
        return
    # Stars bring attributes that nobody names: these are asked for too, as what others take from them is.
    found = candidates.everything(store)
    passed = [one for one in found.populations if (one.mapping, one.target) in found.passed]
    sources = {source.attribute for one in passed for clause in one.clauses for source in clause.sources}
    names = tuple(sorted({*names, *(one.target for one in passed), *sources}))
    if mode == "passive":
        yield from sweep.passive(names, found.heads.values(), found.populations, progress)
    else:
        yield from sweep.active(found, names, policy, progress)


def _several(records: Iterator[Origins]) -> list[Origins]:
    """The next records, made without searching for garbage; whoever asked is free to make some between them."""
    with uncollected():
        return list(islice(records, SEVERAL))
