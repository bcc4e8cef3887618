"""What a process does: a task -> what was read; the same function whichever process it is done in.

Some things only the process knows that reads the whole input: how many unnamed mappings came before a part of a file,
and what was told of entities before. It is asked for these in the middle of a task.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from mdw.language.chunks import Chunk
from mdw.language.mapping import Reading, read_cut
from mdw.model.answers.statements import SqlStatement
from mdw.model.dictionary import NAMESAKES, EntityEntry, Told
from mdw.model.errors import InputError
from mdw.model.files import FileRecord
from mdw.model.name import parts
from mdw.model.query import Statement
from mdw.rdf.graph import MappingGraph
from mdw.rdf.scripts import describe_script
from mdw.readers.reading import Described, Named, Pair, named, unnamed
from mdw.readers.scripts import AssignedFile, DescribedFile, read_alone

Ask: TypeAlias = Callable[[Any], Any]
"""Puts a question to the process that the task comes from."""
TextItem: TypeAlias = Described | InputError
ScriptItem: TypeAlias = Described | SqlStatement | InputError | MappingGraph | DescribedFile


class TextPart(NamedTuple):
    """Chunks of a file that follow each other; ``failure`` is why the file cannot be read further."""

    file: str
    stem: str
    chunks: tuple[Chunk, ...]
    failure: InputError | None = None


@dataclass(frozen=True, slots=True)
class TextTask:
    """Parts of texts; ``cut``: it is one part of a file that has others."""

    parts: tuple[TextPart, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class ScriptTask:
    """A file of SQL; ``before`` is the number of what is told of entities besides (see `RemoteTold`)."""

    file: AssignedFile
    before: int


def do(task: TextTask | ScriptTask, ask: Ask) -> list[list[TextItem]] | list[ScriptItem]:
    """What was read: of texts the items of each part, of a script its items, the last of which is its record."""
    if isinstance(task, TextTask):
        return [list(_text(part, ask if task.cut else None)) for part in task.parts]
    return list(_script(task, ask))


def _text(part: TextPart, ask: Ask | None) -> Iterator[TextItem]:
    readings: list[Reading] = []
    failure: InputError | None = None
    try:
        readings.extend(read_cut(_chunks(part), part.file))
    except InputError as error:
        failure = error
    pairs: Counter[Pair] = Counter()
    if ask:
        # All of the part is parsed before it is known how its mappings are called: those before it are counted
        # meanwhile, each part by whoever reads it.
        pairs.update(ask(Counter(pair for reading in readings for pair in unnamed(reading))))
    for reading in readings:
        for item in named(reading, part.stem, pairs):
            yield Described.of(item) if isinstance(item, Named) else item
    if failure:
        yield failure


def _chunks(part: TextPart) -> Iterator[Chunk]:
    yield from part.chunks
    # Raised where the whole file would raise it: what a chunk before it waits for does not come.
    if part.failure:
        raise part.failure


# -- scripts -----------------------------------------------------------------------------------------------------------


class RemoteTold:
    """What is told of entities in the process that a task comes from, asked for once and only where there may be any.

    An entity is found by its name or an ending of it, so one whose last word nobody has is not known (`EntityNames`).
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self._words: frozenset[str] = ask(None)
        self._found: dict[str, EntityEntry | None] = {}

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity."""
        if not name.startswith(NAMESAKES) and parts(name)[-1] not in self._words:
            return None
        if name not in self._found:
            self._found[name] = self.ask(name)
        return self._found[name]


_told: dict[int, RemoteTold] = {}
"""What is told besides, by its number; the last one only."""


def _remote(task: ScriptTask, ask: Ask) -> Told:
    if task.before not in _told:
        _told.clear()
        _told[task.before] = RemoteTold(ask)
    # What was answered stays from file to file; questions go by way of the task that is being done.
    _told[task.before].ask = ask
    return _told[task.before]


def _script(task: ScriptTask, ask: Ask) -> Iterator[ScriptItem]:
    statements: list[SqlStatement] = []
    for item in read_alone(task.file, _remote(task, ask)):
        if isinstance(item, Named):
            yield Described.of(item)
        elif isinstance(item, Statement):
            statements.append(SqlStatement.of(item))
            # Its text goes with the graph: nobody else asks for it.
            yield replace(statements[-1], text="")
        elif isinstance(item, FileRecord):
            yield describe_script(item.file, statements)
            yield DescribedFile.of(item, len(statements))
        else:
            yield item
