"""The processes, as the reader of folders sees them: files of SQL are read there, each by itself, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count

from mdw.model.dictionary import EntityEntry, Told
from mdw.model.name import parts
from mdw.readers.files.planning import FoundFile
from mdw.readers.scripts import AssignedFile
from mdw.readers.sharing.pool import Pool, Task
from mdw.readers.sharing.work import ScriptItem, ScriptTask

WORTH = 250_000
"""Bytes of SQL to be read for which processes are worth their start: it takes longer than as much mapping text."""
_numbers = count()


class Sharing:
    """Files are read by processes, and what comes of them comes back.

    ``names`` are those of all entities that something is told of before the files are read.
    """

    least = 2
    worth = WORTH

    def __init__(self, pool: Pool, names: Callable[[], Iterable[str]]) -> None:
        self._pool, self._names = pool, names
        self._number = next(_numbers)

    def look(self, _files: Sequence[FoundFile]) -> None:
        """Nothing: processes are started when it is known that there is enough to read."""

    def read(self, files: Iterable[AssignedFile], before: Told) -> Iterator[list[ScriptItem]]:
        """What became of the files, in their order."""

        def answer(name: str | None) -> frozenset[str] | EntityEntry | None:
            if name is None:
                return frozenset([parts(one)[-1] for one in self._names()])
            return before.entity(name)

        tasks = (self._task(one, answer) for one in files)
        for _, found in self._pool.map(tasks, sure=True):
            yield found

    def _task(self, one: AssignedFile, answer: Callable[[str | None], object]) -> Task[None]:
        # What it was read as before says nothing about how it is read.
        file = one._replace(script=replace(one.script, record=None))
        return Task(ScriptTask(file, self._number), answer, one.script.input.size, one.script.file, None)
