"""A file of SQL that was planned -> its mappings, statements and errors, and a record of what came of it.

One file by itself: what others tell of entities is handed to it (`mdw.readers.folder` says when, and by whom).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import EntityEntry, Told
from mdw.model.errors import InputError
from mdw.model.files import FileRecord
from mdw.model.query import ScriptSource, SqlScript, Statement
from mdw.model.tree import Location, lines_of
from mdw.rdf.entries import describe_entry
from mdw.rdf.graph import MappingGraph
from mdw.rdf.scripts import describe_script
from mdw.readers.blocks import mappings_of
from mdw.readers.files.entries import Listener, answers
from mdw.readers.files.planning import PlannedFile
from mdw.readers.inputs import Input
from mdw.readers.reading import Named

if TYPE_CHECKING:
    from mdw.readers.sql.scripts import Lenders

UNREADABLE = "file"
"""The kind of statement that a file counts as which cannot be read."""

ScriptItem: TypeAlias = Named | Statement | InputError | FileRecord


class AssignedFile(NamedTuple):
    """A file that nothing keeps from being read, with what the files before it tell of entities."""

    script: PlannedFile
    told: tuple[EntityEntry, ...]


@dataclass(frozen=True, slots=True)
class DescribedFile:
    """A file that was read elsewhere, where the graphs of all its ``statements``, so many, were made, too.

    ``entries`` are the graphs of what it tells of entities, as they are where no other file tells of them.
    """

    record: FileRecord
    statements: int
    entries: tuple[MappingGraph, ...]

    @classmethod
    def of(cls, record: FileRecord, statements: int) -> DescribedFile:
        """A file by its record."""
        return cls(record, statements, tuple(map(describe_entry, record.entries)))


def read_alone(one: AssignedFile, before: Told) -> Iterator[ScriptItem]:
    """A file that neither calls routines of others nor lends them any: what came of it, then its record."""
    told = Listener(one.told, before)
    found = read_planned(one.script, told)
    yield from given(one.script, found, told.asked, ())


def read_planned(script: PlannedFile, told: Told, lenders: Lenders | None = None) -> SqlScript:
    """A file as it is read; one that cannot be is one statement that failed."""
    from mdw.readers.sql.scripts import alone, read_script  # sqlglot is slow to import, and often nothing needs reading

    try:
        own = source_of(script)
    except InputError as error:
        return SqlScript((unreadable(script.input, error),), frozenset(), ())
    said = script.settings
    return read_script(
        own.text, own.file, own.dialect, told, own.path, own.catalog, lenders or alone, said.entries, said.collation
    )


def source_of(script: PlannedFile) -> ScriptSource:
    """The text of a file, and what it is read under; InputError if it cannot be read."""
    said = script.settings
    return ScriptSource(script.file, script.text(), script.dialect, script.path, said.catalog, said.collation)


def given(
    script: PlannedFile,
    found: SqlScript,
    asked: Mapping[str, EntityEntry | None],
    bound: tuple[int, ...],
) -> Iterator[ScriptItem]:
    """What was read of a file, and the record of it; ``bound`` are its routines that count only where others call them.

    ``asked`` is what the file asked for, and what it was told.
    """
    whole = True
    for item in _items(script, found, bound):
        whole = whole and not isinstance(item, InputError)
        yield item
    yield script.seen(
        asked=tuple(asked),
        answers=answers(asked),
        entries=found.entries,
        views=tuple((one.target, one.reads) for one in found.statements if one.kind == "create view"),
        borrowed=tuple(sorted(found.borrowed, key=attrgetter("file", "place"))),
        missed=tuple(sorted(found.missed)),
        bound=bound,
        whole=whole,
    )


def _items(script: PlannedFile, found: SqlScript, bound: Collection[int]) -> Iterator[Named | Statement | InputError]:
    lines: list[str] = []
    for statement in found.statements:
        yield from [Named(tree, rules) for tree, rules in mappings_of(statement, found, bound)]
        if statement.status == "failed":
            lines = lines or _lines(statement, script)
            yield _failed(statement, lines)
        yield statement


def _lines(statement: Statement, script: PlannedFile) -> list[str]:
    """The lines of a file, read again for the messages of what failed in it: texts are not kept."""
    # sqlglot is slow to import, and often nothing needs reading.
    from mdw.readers.sql.masking import masked
    from mdw.readers.sql.programs.shells import hidden, is_shell

    if statement.kind == UNREADABLE:
        return []
    text = masked(script.text(), script.dialect)
    return lines_of(hidden(text, shell=is_shell(script.file, text)))


def _failed(statement: Statement, lines: Sequence[str]) -> InputError:
    at = statement.location
    excerpt = lines[at.line - 1] if 0 < at.line <= len(lines) else ""
    return InputError(statement.message, location=at, excerpt=excerpt, caret=at.column - 1, hint=statement.hint)


def unreadable(one: Input, error: InputError) -> Statement:
    """A file that cannot be read counts as a statement that failed."""
    at = error.location or Location(one.label, 1, 1)
    return Statement(UNREADABLE, "failed", "", (), (), (), (), (), error.message, at)


class Scripts:
    """The graphs of scripts, each as soon as its file was read."""

    def __init__(self) -> None:
        self._some: dict[str, list[SqlStatement]] = {}
        self._done: set[str] = set()

    def put(self, one: SqlStatement) -> None:
        """One more statement; of a file that is not read, or of a part of it, it may come at any time."""
        self._some.setdefault(one.location.file, []).append(one)

    def ended(self, file: str, graph: MappingGraph | None = None) -> Iterator[MappingGraph]:
        """The script of a file, which may hold no statement; perhaps its ``graph`` was made elsewhere."""
        some = self._some.pop(file, [])
        # Of two files of one name the first is kept, as of two mappings.
        if file not in self._done:
            self._done.add(file)
            yield graph or describe_script(file, some)

    def rest(self) -> Iterator[MappingGraph]:
        """The scripts of files that were not read."""
        for file in list(self._some):
            yield from self.ended(file)
