"""Words -> the index of a store's names, made anew when the store has changed -> hits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mdw.model.answers.results import Hits
from mdw.model.answers.things import Thing
from mdw.store.engine import Store

if TYPE_CHECKING:
    from mdw.store.search import Index


class Searching:
    """Searches in one store; keeps the index between them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._index: tuple[int, Index] | None = None

    def search(self, text: str, kinds: Iterable[Thing], limit: int) -> Hits:
        """What the words of a text find, best first."""
        from mdw.store.search import current  # its library is slow to import

        if self._index is None or self._index[0] != self._store.changes:
            self._index = self._store.changes, current(self._store)
        return Hits(text, tuple(self._index[1].search(text, kinds=kinds, limit=limit)))
