"""Files of SQL -> named mappings with their rules, whatever order the files come in.

What one file makes another reads: `SELECT *` from a view wants to know the view's columns. So the first pass looks at
the words of every file (`mdw.readers.files`), which tells what each seems to make and to read; the second reads each
file once, after those that make what it reads, and tells it their columns. Files in a circle are read until no more
becomes known. A file that was read before, and would be told the same, is not read again.

    a.sql  CREATE VIEW a AS SELECT * FROM b      seems to make a, to read b
    b.sql  CREATE TABLE b (x INT, y INT)         makes B (X, Y); then a.sql is told so, and makes A (X, Y)

What a file is told follows from the files alone and not from their order, so every load of the same files says the
same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import Protocol, TypeAlias

from mdw.collecting import uncollected
from mdw.model.answers.statements import SqlStatement
from mdw.model.circles import circles, in_levels
from mdw.model.dictionary import NOTHING, SHARED, AttributeEntry, EntityEntry, Told
from mdw.model.errors import InputError
from mdw.model.files import BorrowedRoutine, FileRecord, SqlFile
from mdw.model.name import alike
from mdw.model.query import ScriptSource, SqlScript
from mdw.rdf.graph import MappingGraph
from mdw.readers.files.borrowing import Borrowing
from mdw.readers.files.entries import Listener, ToldByFiles, made_in_several
from mdw.readers.files.glances import last_of
from mdw.readers.files.namesakes import Namesakes
from mdw.readers.files.planning import FoundFile, Look, PlannedFile, agree, look, planned
from mdw.readers.files.settings import FolderSettings
from mdw.readers.inputs import Input
from mdw.readers.reading import Described, Meter, Named
from mdw.readers.scripts import AssignedFile, DescribedFile, ScriptItem, given, read_planned, source_of, unreadable

ROUNDS = 10
"""Times that files in a circle are read; what still changes then is taken to be unknown."""

SHOWN = 3
"""Files that a note names."""

FolderItem: TypeAlias = ScriptItem | Described | SqlStatement | MappingGraph | DescribedFile


Looking: TypeAlias = Callable[[], Sequence[Look | InputError]]
"""Waits for what is being seen of files elsewhere, in their order."""


class Elsewhere(Protocol):
    """Whoever reads files elsewhere, many at a time."""

    least: int
    """Files for which it is worth the way."""
    worth: int
    """Bytes in all for which it is."""

    def look(self, files: Sequence[FoundFile]) -> Looking | None:
        """Begin to look at the files, while others are looked at here; None where so few are not worth it."""

    def read(self, files: Iterable[AssignedFile], before: Told) -> Iterable[Sequence[FolderItem]]:
        """What came of the files, in their order; ``before`` is what is told of entities besides.

        Of each file the last item says what became of it, a `DescribedFile`; before it comes what is not kept there.
        """


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file by its number, as it was read now or before, and what it asked for."""

    number: int
    found: SqlScript | FileRecord
    asked: Mapping[str, EntityEntry | None]


class FolderReader:
    """Files of SQL, read together.

    ``settings`` hold for them, folder by folder; ``records`` are those of files whose mappings are still there;
    ``before`` is what was told of entities by others, ``besides`` whether there are mappings that no file of SQL tells.
    Where it pays, files are read ``elsewhere``. ``files``, what is said of each, and ``notes`` are whole when `read` is
    at an end.
    """

    def __init__(
        self,
        inputs: Sequence[Input],
        settings: FolderSettings | None = None,
        records: Mapping[str, FileRecord] | None = None,
        before: Told = NOTHING,
        meter: Meter | None = None,
        elsewhere: Elsewhere | None = None,
        *,
        besides: bool = False,
    ) -> None:
        self.files: list[SqlFile] = []
        self.notes: list[str] = []
        self._inputs = inputs
        self._settings = settings or FolderSettings()
        self._records = records or {}
        self._before = before
        self._meter = meter or Meter(0, None)
        self._elsewhere = elsewhere
        self._besides = besides
        self._scripts: list[PlannedFile] = []
        self._told = ToldByFiles()
        self._views: dict[str, tuple[str, ...]] = {}
        self._silent: list[str] = []
        self._borrowed: dict[str, list[tuple[int, BorrowedRoutine]]] = {}
        self._missed: set[str] = set()
        self._shared: Mapping[int, tuple[AttributeEntry, ...]] = {}
        self._waiting: list[ReadFile] = []
        self._bound: list[str] = []

    def read(self) -> Iterator[FolderItem]:
        """Each file's mappings, statements and errors, and a record behind them; of one not read again only that."""
        with uncollected():  # thousands of files that are as they were: many values, and never a cycle
            failed = [*self._planned()]
        for one, error in failed:
            yield error
            yield unreadable(one, error)
        yield from self._settings.errors
        agree(self._scripts)
        unread = sum(one.input.size for one in self._scripts if one.usable is None)
        if self._elsewhere and unread < self._elsewhere.worth:
            self._elsewhere = None
        self._borrowing = Borrowing(self._scripts)
        with uncollected():
            self._namesakes = Namesakes((one.glance, one.path) for one in self._scripts)
            self._shared = made_in_several([one.glance for one in self._scripts], besides=self._besides)
            levels = in_levels(self._needs())
        for groups in levels:
            yield from self._level(groups)
        # Which of a file's routines others run is known only now, when all that may call them were read (rule Q29).
        for waiting in self._waiting:
            yield from self._called(waiting)
        if self._silent:
            self.notes.append(f"no statement in {listed(self._silent)}: nothing was read of it")
        if self._bound:
            self.notes.append(
                f"routines of {listed(self._bound)} are taken to be called only as the files loaded here call them;"
                " list those that others call under entries in mdw.toml"
            )
        self.notes += [
            f"views in a circle: {' -> '.join((*names, names[0]))}" for names in circles(self._views) if names[1:]
        ]

    def _planned(self) -> Iterator[tuple[Input, InputError]]:
        """Look at every file; gives those that cannot be read."""
        files = [FoundFile(one, self._settings.of(one.path, one.folder)) for one in self._inputs]
        away = [one for number, one in enumerate(files) if _away(number)]
        # Elsewhere nobody knows what became of a file before.
        looking = self._elsewhere.look(away) if self._elsewhere and not self._records else None
        here = [one for number, one in enumerate(files) if not (looking and _away(number))]
        found = iter([look(one, self._records.get(one.input.label)) for one in here])
        there = iter(looking() if looking else ())
        for number, one in enumerate(files):
            seen = next(there if looking and _away(number) else found)
            if isinstance(seen, InputError):
                yield one.input, seen
            else:
                self._scripts.append(planned(one, seen, self._records.get(one.input.label)))

    def _needs(self) -> dict[int, list[int]]:
        """Which files seem to tell what each is told, all by their numbers."""
        tellers: dict[str, dict[str, list[int]]] = {}
        watchers: dict[str, dict[str, list[int]]] = {}
        for number, script in enumerate(self._scripts):
            for name in script.glance.makes | script.glance.tells:
                tellers.setdefault(last_of(name), {}).setdefault(name, []).append(number)
            for name in script.glance.watches:
                watchers.setdefault(last_of(name), {}).setdefault(name, []).append(number)
        found: dict[int, list[int]] = {}
        for number, script in enumerate(self._scripts):
            # Of what a file makes itself it needs to know nothing but the triggers of others.
            own = script.glance.fills
            read = {*_among(self._borrowing.reads(number), tellers), *_among(own, watchers)}
            found[number] = sorted({*read, *self._borrowing.direct.get(number, ())} - {number})
        return found

    # -- files ---------------------------------------------------------------------------------------------------------

    def _level(self, groups: list[list[int]]) -> Iterator[FolderItem]:
        """Files that do not need one another, unless they are in one group."""
        # Wherever they are read, they are told what was known when the level began.
        with uncollected():
            told = {group[0]: self._of_files(group[0]) for group in groups if len(group) == 1}
            kept = {number: record for number, entries in told.items() if (record := self._still(number, entries))}
        away = self._away([number for number in told if number not in kept])
        elsewhere: Iterator[Sequence[FolderItem]] = iter(())
        if self._elsewhere and away:
            files = (AssignedFile(self._scripts[number], told[number]) for number in away)
            elsewhere = iter(self._elsewhere.read(files, self._before))
        for group in groups:
            number = group[0]
            if number in kept:
                self._put(number, kept[number].entries)
                yield from self._done(ReadFile(number, kept[number], {}))
            elif number in away:
                yield from self._described(number, next(elsewhere))
            elif number in told:
                yield from self._one(number, Listener(told[number], self._before))
            else:
                yield from self._circle(group)

    def _still(self, number: int, told: tuple[EntityEntry, ...]) -> FileRecord | None:
        """The record of a file that would be read as it was."""
        record = self._scripts[number].usable
        if record is None:
            return None
        # The text is what it was; that it would be read as it was takes the same answers to all it asked for.
        return record if record.answers == Listener(told, self._before).answers(record.asked) else None

    def _away(self, numbers: Sequence[int]) -> dict[int, None]:
        """Which of these files are read elsewhere, in their order."""
        away = dict.fromkeys(filter(self._alone, numbers))
        return away if self._elsewhere and len(away) >= self._elsewhere.least else {}

    def _alone(self, number: int) -> bool:
        """Whether a file has nothing to do with the routines of others."""
        return number not in self._borrowing.lending and not self._borrowing.lenders.get(number)

    def _one(self, number: int, told: Listener) -> Iterator[FolderItem]:
        found = self._read(number, told)
        self._put(number, found.entries)
        yield from self._done(ReadFile(number, found, told.asked))

    def _circle(self, group: list[int]) -> Iterator[FolderItem]:
        """Files that need one another."""
        scripts = {number: self._scripts[number] for number in group}
        records = {number: record for number, script in scripts.items() if (record := script.usable)}
        if len(records) == len(group) and self._settled(records):
            for number, record in records.items():
                yield from self._done(ReadFile(number, record, {}))
            return
        for number in group:
            self._put(number, ())
        found: dict[int, SqlScript] = {}
        told: dict[int, Listener] = {}
        asked: dict[int, dict[str, EntityEntry | None]] = {number: {} for number in group}
        # Each round tells all of them what was known when it began: which of them comes first makes no difference.
        for rounds in count(1):
            now = {number: self._asking(number) for number in group}
            # Only who would be told something else of what it asked for is read again.
            changing = [one for one in group if one not in told or told[one].asked != now[one].all(told[one].asked)]
            if not changing:
                break
            new: set[str] = set()
            for number in changing:
                told[number], found[number] = now[number], self._read(number, now[number])
            for number in changing:
                new |= self._put(number, found[number].entries)
                # What was asked for in any round decides what is known in the end.
                asked[number] |= told[number].asked
            # `a` selects * from `b` and one column more, `b` all of `a`: that never ends. Of what still changes nothing
            # is told any more, so that the rounds come to an end.
            self._told.unsteady |= new if rounds > ROUNDS else set()
        for number in scripts:
            yield from self._done(ReadFile(number, found[number], self._asking(number).all(asked[number])))

    def _settled(self, records: Mapping[int, FileRecord]) -> bool:
        """Whether files in a circle would be told now what they were told before."""
        for number, record in records.items():
            self._put(number, record.entries)
        return all(one.answers == self._asking(number).answers(one.asked) for number, one in records.items())

    def _put(self, number: int, entries: Iterable[EntityEntry]) -> set[str]:
        script = self._scripts[number]
        return self._told.put((script.file, number), script.glance, entries)

    def _asking(self, number: int) -> Listener:
        return Listener(self._of_files(number), self._before)

    def _of_files(self, number: int) -> tuple[EntityEntry, ...]:
        """What the files read so far tell a file.

        Of what it makes itself that is no more than the triggers they make, and which of it other files make, too.
        """
        file, own = (self._scripts[number].file, number), self._scripts[number].glance.fills
        watched = self._told.told(file, own) if own else ()
        triggers = [EntityEntry(one.name, triggers=one.triggers) for one in watched if one.triggers]
        shared = [EntityEntry(SHARED, some)] if (some := self._shared.get(number)) else []
        reads = self._borrowing.reads(number)
        # What it makes itself may be meant where it reads a name without schema, too.
        names = reads | self._scripts[number].glance.makes
        return (*self._told.told(file, reads), *triggers, *shared, *self._namesakes.told(names))

    def _read(self, number: int, told: Told) -> SqlScript:
        return read_planned(self._scripts[number], told, partial(self._lenders, number))

    def _lenders(self, number: int, name: str) -> Iterator[tuple[int, ScriptSource]]:
        """The files that make the routine of a name that a file calls."""
        for one in self._borrowing.making(name, number):
            try:
                yield one + 1, source_of(self._scripts[one])
            except InputError:
                # It is said where the file itself is read.
                continue

    # -- what comes of files -------------------------------------------------------------------------------------------

    def _done(self, one: ReadFile) -> Iterator[FolderItem]:
        """A file was read, or need not be; whose routines others may call, that waits until these were read."""
        for routine in one.found.borrowed:
            self._borrowed.setdefault(routine.file, []).append((one.number, routine))
        self._missed |= set(one.found.missed)
        bound = isinstance(one.found, FileRecord) and one.found.bound
        if bound or one.number in self._borrowing.lending:
            self._waiting.append(one)
        else:
            yield from self._told_of(one, ())

    def _called(self, one: ReadFile) -> Iterator[FolderItem]:
        """What comes of a file whose routines others may call: those that they do run only where they are called."""
        script = self._scripts[one.number]
        bound = self._borrowing.bound(one.number, self._borrowed.get(script.file, ()), self._missed)
        if isinstance(one.found, FileRecord) and one.found.bound != bound:
            told = self._asking(one.number)
            one = ReadFile(one.number, self._read(one.number, told), told.asked)
        if bound:
            self._bound.append(script.file)
        yield from self._told_of(one, bound)

    def _told_of(self, one: ReadFile, bound: tuple[int, ...]) -> Iterator[FolderItem]:
        if isinstance(one.found, FileRecord):
            yield self._kept(self._scripts[one.number], one.found)
        else:
            yield from self._given(self._scripts[one.number], one.found, one.asked, bound)

    def _kept(self, script: PlannedFile, record: FileRecord) -> FileRecord:
        """A file that need not be read."""
        self._views |= dict(record.views)
        self._meter.done += script.input.size
        self.files.append(script.said(unchanged=True))
        return record

    def _described(self, number: int, items: Sequence[FolderItem]) -> Iterator[FolderItem]:
        """A file that was read elsewhere."""
        script, found = self._scripts[number], items[-1]
        assert isinstance(found, DescribedFile)
        self._put(number, found.record.entries)
        self._missed |= set(found.record.missed)
        self._views |= dict(found.record.views)
        self._silent += [] if found.statements else [script.file]
        self._meter.done += script.input.size
        self.files.append(script.said(unchanged=False))
        for item in items:
            if isinstance(item, Described):
                self._meter.count()
            yield item

    def _given(
        self, script: PlannedFile, found: SqlScript, asked: Mapping[str, EntityEntry | None], bound: tuple[int, ...]
    ) -> Iterator[FolderItem]:
        """What was read of a file."""
        self._silent += [] if found.statements else [script.file]
        self._meter.done += script.input.size
        self.files.append(script.said(unchanged=False))
        for item in given(script, found, asked, bound):
            if isinstance(item, Named):
                self._meter.count()
            elif isinstance(item, FileRecord):
                self._views |= dict(item.views)
            yield item


def _away(number: int) -> bool:
    """Whether a file is looked at elsewhere: two of five, since a look is short and what is seen has a long way."""
    return number % 5 in (1, 3)


def _among(names: Iterable[str], some: Mapping[str, Mapping[str, list[int]]]) -> Iterator[int]:
    """The files known by names that may mean one of these."""
    for read in names:
        for name, numbers in some.get(last_of(read), {}).items():
            if alike(name, read):
                yield from numbers


def listed(files: Sequence[str]) -> str:
    """The first of some files, and how many there are besides."""
    more = f" and {len(files) - SHOWN} more" if len(files) > SHOWN else ""
    return f"{', '.join(sorted(files)[:SHOWN])}{more}"
