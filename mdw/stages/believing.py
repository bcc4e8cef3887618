"""Which graphs of a store are believed: those that are what they must be by what they say themselves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from mdw.language.mapping import MAPPING_GRAMMAR
from mdw.language.metatree import MetaTree
from mdw.model.errors import StoreError
from mdw.rdf.vocabulary import name_of
from mdw.readers.folder import listed
from mdw.readers.reading import Progress
from mdw.readers.rebuilding import agrees
from mdw.store import doubts
from mdw.store.engine import Store

TOLD = 100
"""Graphs after which it is told how many there were."""


def look_through(store: Store, progress: Progress | None = None) -> None:
    """Hold each graph against what it says, once in the life of a store; one that cannot be written stays as it is.

    ``progress`` is told how many graphs have been looked at, and their share.
    """
    if store.unwritable or doubts.looked_through(store):
        return
    metatree = MetaTree.of(MAPPING_GRAMMAR)
    doubted: list[str] = []
    for number, (iri, triples, share) in enumerate(doubts.own_graphs(store), 1):
        if progress and (number % TOLD == 1 or share == 1):
            progress(number, share)
        if not agrees(iri, triples, metatree):
            doubted.append(iri)
    doubts.mark(store, doubted)


def doubted(store: Store) -> tuple[str, ...]:
    """The names of the mappings, files and entities whose graphs are not believed, in order."""
    return tuple(sorted(map(name_of, store.doubted)))


def notes(store: Store) -> list[str]:
    """What an answer says of them: they may have a say in it, or may have lost it."""
    names = doubted(store)
    if not names:
        return []
    them, until = ("it", "it is") if len(names) == 1 else ("them", "they are")
    return [
        f"{listed(names)}: what the store holds of {them} is not what it must be: it was changed by hand, damaged, or "
        f"written by another version of mdw. Until {until} loaded again this answer may be wrong"
    ]


@contextmanager
def answering(store: Store) -> Iterator[None]:
    """StoreError for whatever goes wrong inside because of graphs that are not believed."""
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        if names := doubted(store):
            said = f"{listed(names)}: what the store holds of them is not what it must be, and cannot be read"
            raise StoreError(f"{said}; load them again") from error
        raise
