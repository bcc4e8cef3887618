"""The data dictionary of a store: each entry is read when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from mdw.model.candidates import Candidates
from mdw.model.dictionary import NAMESAKES, EntityEntry, EntityNames, namesakes
from mdw.model.name import local_of
from mdw.rdf.entries import restore_entry
from mdw.rdf.vocabulary import attribute_iri, dictionary_iri, name_of, reference
from mdw.store.engine import Store
from mdw.store.queries import first, references


class StoredDictionary:
    """What a store tells of entities, found by name as `mdw.model.dictionary.DataDictionary` finds it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._found: dict[str, EntityEntry | None] = {}

    def __iter__(self) -> Iterator[EntityEntry]:
        return (entry for name in sorted(self._names) if (entry := self._read(name)))

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity."""
        if name.startswith(NAMESAKES):
            return namesakes(name, self._names)
        if name not in self._found:
            known = self._names.meant(name)
            self._found[name] = self._read(known) if known else None
        return self._found[name]

    def names(self) -> Iterable[str]:
        """The names of the entities of which it tells."""
        return self._names

    @cached_property
    def _names(self) -> EntityNames:
        return EntityNames(map(name_of, first(self._store.select("dictionary/entities"))))

    def _read(self, name: str) -> EntityEntry | None:
        rows = self._store.select("dictionary/entry", entry=[reference(dictionary_iri(name))])
        return restore_entry([(subject, said, value) for subject, said, value in rows]) if rows else None


AT_ONCE = 5_000
"""Attributes whose types are asked for at once."""
HIDDEN = re.compile(
    r"(?:ROWID|ROWNUM|ORA_ROWSCN|LEVEL|CTID|XMIN|XMAX|CMIN|CMAX|OID|TABLEOID|INPUT__FILE__NAME|BLOCK__OFFSET__INSIDE__FILE)\Z|`|_|METADATA\$"
)
"""How names begin that nothing lists, though the table has them: what a database adds, and parts of documents."""


def unlisted(store: Store) -> Iterator[tuple[str, str]]:
    """Attributes that mappings read and that their entity does not have, though all it has are told; by mapping."""
    for attribute, mapping in store.select("dictionary/unlisted"):
        if not HIDDEN.match(local_of(name_of(attribute))):
            yield name_of(attribute), name_of(mapping)


def absent(store: Store, names: Iterable[str]) -> list[str]:
    """Of some attributes those that their entity does not have, though all it has are told."""
    found = first(store.select("dictionary/absent", attribute=references(attribute_iri, sorted(set(names)))))
    return sorted(name for name in map(name_of, found) if not HIDDEN.match(local_of(name)))


def typed(store: Store, found: Candidates) -> Candidates:
    """The same, with the types that are told of the attributes of its rules."""
    names = sorted(found.mentioned())
    # Each attribute is looked up by itself, so many at once cost no more; a text of millions would.
    some = (references(attribute_iri, names[start : start + AT_ONCE]) for start in range(0, len(names), AT_ONCE))
    rows = [row for one in some for row in store.select("dictionary/types", attribute=one)]
    return replace(found, types={name_of(attribute): type_ for attribute, type_ in rows})


def partly(store: Store) -> Iterator[tuple[str, str]]:
    """The entities of which a definition was not read whole, each with the file where it stands, "" if none is told."""
    for entity, file in store.select("dictionary/partly"):
        yield name_of(entity), file


def whole(store: Store) -> EntityNames:
    """The entities of which all attributes are told."""
    return EntityNames(map(name_of, first(store.select("dictionary/whole"))))
