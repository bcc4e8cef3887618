"""What files tell of entities, and what of it another file is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, reduce
from hashlib import blake2b
from operator import itemgetter

from mdw.model.dictionary import (
    FIELDS,
    NAMESAKES,
    AttributeEntry,
    DataDictionary,
    EntityEntry,
    EntityNames,
    Told,
    ToldByName,
    merged,
    namesakes,
)
from mdw.model.files import FileRecord
from mdw.model.name import alike
from mdw.readers.files.glances import Glance, last_of, plain_name

Teller = tuple[str, int]
"""A file by its path, and by its number: two folders may have files of the same path."""


class ToldByFiles:
    """Entries of entities by the files that tell them.

    Of files that say different things of an entity nobody knows which is in force: told is what all of them say, and
    that there may be more. Of what never settles, ``unsteady``, nothing is told.
    """

    def __init__(self) -> None:
        self.unsteady: set[str] = set()
        self._found: dict[str, dict[str, dict[Teller, EntityEntry]]] = {}
        self._told: dict[Teller, dict[str, EntityEntry]] = {}

    def put(self, file: Teller, glance: Glance, entries: Iterable[EntityEntry]) -> set[str]:
        """Keep what a file tells in the place of what it told; the names of which that says something new.

        Others count on what a glance at the file shows: of what it tells besides nobody else learns.
        """
        # The order of reading follows from glances: what no glance shows would be told to some files and not to others,
        # whichever happened to be read before.
        seen = glance.makes | glance.tells
        before = self._told.get(file, {})
        now = {one.name: one for one in entries if any(alike(plain_name(one.name), name) for name in seen)}
        changed = {name for name in {**before, **now} if before.get(name) != now.get(name)}
        for name in changed:
            tellers = self._found.setdefault(last_of(plain_name(name)), {}).setdefault(name, {})
            tellers.pop(file, None)
            if name in now:
                tellers[file] = now[name]
        self._told[file] = now
        return changed

    def told(self, file: Teller, reads: Iterable[str]) -> tuple[EntityEntry, ...]:
        """What a file is told of the names it seems to read."""
        found: dict[str, EntityEntry] = {}
        for read in reads:
            for name, tellers in self._found.get(last_of(read), {}).items():
                said = [entry for teller, entry in sorted(tellers.items(), key=_teller) if teller != file]
                if said and alike(plain_name(name), read):
                    found[name] = EntityEntry(name) if name in self.unsteady else together(said)
        return tuple([found[name] for name in sorted(found)])


def _teller(one: tuple[Teller, EntityEntry]) -> Teller:
    return one[0]


def together(entries: Collection[EntityEntry]) -> EntityEntry:
    """What several files tell of one entity; of its attributes, if they differ, those that all of them have.

    >>> from mdw.model.dictionary import AttributeEntry
    >>> one, other = ([AttributeEntry(name) for name in names] for names in ("XY", "YZ"))
    >>> found = together([EntityEntry("T", tuple(one), whole=True), EntityEntry("T", tuple(other), whole=True)])
    >>> found.columns, found.whole
    (('Y',), False)
    """
    found = reduce(merged, entries)
    whole = {one.columns for one in entries if one.whole}
    if len(whole) < 2:
        return found
    common = tuple([one for one in found.attributes if all(one.name in columns for columns in whole)])
    return replace(found, attributes=common, whole=False, definition="")


def made_in_several(glances: Sequence[Glance], *, besides: bool = False) -> dict[int, tuple[AttributeEntry, ...]]:
    """For each of some files, by their numbers, the names of what it seems to make that another one makes, too.

    ``besides``: mappings that no file of SQL tells may fill any of it.
    """
    if besides:
        return {number: tuple(map(AttributeEntry, sorted(one.makes))) for number, one in enumerate(glances)}
    makers: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, one in enumerate(glances):
        for name in one.makes:
            makers[last_of(name)].append((number, name))
    found: defaultdict[int, list[str]] = defaultdict(list)
    for some in makers.values():
        for number, name in some if len(some) > 1 else ():
            if any(other != number and alike(name, called) for other, called in some):
                found[number].append(name)
    return {number: tuple([AttributeEntry(name) for name in sorted(names)]) for number, names in found.items()}


class Listener:
    """What a file is told of entities, and what it asked for so far."""

    def __init__(self, entries: tuple[EntityEntry, ...], before: Told) -> None:
        self.asked: dict[str, EntityEntry | None] = {}
        self._told = DataDictionary(entries, before)

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity."""
        if name not in self.asked:
            self.asked[name] = self._entity(name)
        return self.asked[name]

    def all(self, names: Iterable[str]) -> dict[str, EntityEntry | None]:
        """What would be told of these entities, if they were asked for."""
        return {name: self._entity(name) for name in names}

    def _entity(self, name: str) -> EntityEntry | None:
        if not name.startswith(FIELDS):
            return self._told.entity(name)
        found = self._told.entity(name.removeprefix(FIELDS))
        some = [AttributeEntry(one.name, fields=one.fields) for one in found.attributes if one.fields] if found else []
        return EntityEntry(name, tuple(some)) if some else None

    def answers(self, names: Iterable[str]) -> str:
        """A digest of that."""
        return answers(self.all(names))


def answers(told: Mapping[str, EntityEntry | None]) -> str:
    """A digest of what was told of entities: where nothing else is told, nothing else is read."""
    said = [(name, one and one.digest) for name, one in sorted(told.items(), key=itemgetter(0))]
    return blake2b(repr(said).encode(), digest_size=16).hexdigest()


class Before:
    """What was told before, without what those ``files`` told that are read anew or are gone.

    A store keeps together what several told of an entity; the records of files have it apart.
    """

    def __init__(self, stored: ToldByName, records: Iterable[FileRecord], files: Collection[str]) -> None:
        self._stored, self._files = stored, files
        self._tellers: dict[str, list[tuple[str, EntityEntry]]] = {}
        for record in records:
            for entry in record.entries:
                self._tellers.setdefault(entry.name, []).append((record.file, entry))

    def names(self) -> Iterable[str]:
        """The names of the entities of which something was told."""
        return {*self._tellers, *self._stored.names()}

    @cached_property
    def _others(self) -> EntityNames:
        """The names of which somebody tells whose file is not read anew."""
        gone = {name for name, some in self._tellers.items() if all(file in self._files for file, _ in some)}
        return EntityNames(sorted({*self.names()} - gone))

    def entity(self, name: str) -> EntityEntry | None:
        """What was told of an entity."""
        if name.startswith(NAMESAKES):
            return namesakes(name, self._others)
        # What records have need not be fetched: a folder loaded again asks for thousands of names.
        if name not in self._tellers:
            found = self._stored.entity(name)
            if found is None or found.name not in self._tellers:
                return found
            name = found.name
        others = [entry for file, entry in self._tellers[name] if file not in self._files]
        return reduce(merged, others) if others else None


def together_again(
    told: Iterable[tuple[str, EntityEntry]],
    touched: Iterable[str],
    unread: Iterable[tuple[str, EntityEntry]],
    before: ToldByName,
) -> Iterator[EntityEntry]:
    """One entry for each entity that files ``told`` of now or that is ``touched``, in the order of their names.

    ``unread`` is what files tell that were not read now, ``before`` what was told by others.
    """
    now = list(told)
    found: dict[str, list[tuple[str, EntityEntry]]] = {name: [] for name in (*touched, *(one.name for _, one in now))}
    for file, entry in (*now, *unread):
        if entry.name in found:
            found[entry.name].append((file, entry))
    for name, some in sorted(found.items()):
        known = before.entity(name)
        # In order of files: where two contradict, the same one wins in every load.
        entries = [entry for _, entry in sorted(some, key=itemgetter(0))]
        if known and known.name == name:
            entries.insert(0, known)
        if entries:
            yield reduce(merged, entries)
