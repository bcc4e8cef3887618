"""What goes into a store: mappings, business terms; and the same reading without keeping anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from mdw.model.answers.results import CheckReport, LoadReport, SqlStatement
from mdw.model.query import Statement
from mdw.rdf.documents import triples
from mdw.rdf.vocabulary import TERMS
from mdw.readers.loading import Sources
from mdw.readers.reading import Progress
from mdw.store import inference, trees
from mdw.store.batches import is_mapping
from mdw.store.dictionary import StoredDictionary
from mdw.store.engine import Store


def load(store: Store, sources: tuple[str | Path, ...], progress: Progress | None, dialect: str = "ansi") -> LoadReport:
    """Sources -> named mappings -> their graphs -> the store; what cannot be read is in the report."""
    start = perf_counter()
    found = Sources(sources, progress, dialect, StoredDictionary(store))
    counts = store.load(found.graphs(), found.stated.others)
    seconds = perf_counter() - start
    errors = tuple(found.errors)
    sql = tuple(map(_said, found.statements))
    return LoadReport(counts.new, counts.replaced, counts.unchanged, errors, seconds, found.stated.left, sql)


def check(sources: tuple[str | Path, ...], progress: Progress | None, dialect: str = "ansi") -> CheckReport:
    """Sources -> named mappings, counted and let go."""
    found = Sources(sources, progress, dialect)
    mappings = sum(is_mapping(graph) for graph in found.graphs())
    return CheckReport(mappings, tuple(found.errors), tuple(map(_said, found.statements)))


def _said(one: Statement) -> SqlStatement:
    return SqlStatement(one.kind, one.status, one.target, one.unresolved, one.message, one.location)


def terms(store: Store, source: Path, media: str) -> int:
    """A file of RDF -> its terms with all that follows between them -> the graph of terms; how many there are."""
    store.replace(TERMS, inference.terms_closure(triples(source, media)))
    return len({term for term, says, _ in store.select("search/terms") if says == "label"})


def remove(store: Store, mappings: Sequence[str]) -> None:
    """Names -> graphs, all of which must be there -> out of the store."""
    store.remove(trees.mappings(store, mappings))
