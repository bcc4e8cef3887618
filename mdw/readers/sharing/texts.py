"""Files of mapping text -> parts -> what the mappings of each are, in order.

A text is cut here, which is quick, and parsed, compiled and described by processes. Small files go together, of a large
one each part by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from mdw.language.chunks import Chunk
from mdw.language.mapping import cut, nothing_in
from mdw.model.errors import InputError
from mdw.readers.inputs import Input
from mdw.readers.reading import Meter
from mdw.readers.sharing.counts import Counts
from mdw.readers.sharing.pool import Pool, Task
from mdw.readers.sharing.work import TextItem, TextPart, TextTask

PART = 1 << 16
"""Characters of a part: few enough that processes end together, enough that sending it costs nothing beside them."""

Of = TypeVar("Of")


class PartOf(NamedTuple, Generic[Of]):
    """What was read of an input, or of a part of it; ``last``: nothing comes after it."""

    of: Of
    items: list[TextItem]
    last: bool


@dataclass(frozen=True, slots=True)
class _PlacedPart(Generic[Of]):
    """A part of an input; None where nothing is to be read."""

    of: Of
    part: TextPart | None = None
    last: bool = True


def read_texts(pool: Pool, inputs: Iterable[tuple[Of, Input | None]], meter: Meter) -> Iterator[PartOf[Of]]:
    """What inputs of mapping text hold, in order; nothing of those that are None."""
    for task, found in pool.map(_tasks(pool, inputs)):
        results = iter(found)
        for place in task.source:
            items = next(results) if place.part else []
            for _ in items:
                meter.count()
            yield PartOf(place.of, items, place.last)
        meter.done += task.size


def _tasks(pool: Pool, inputs: Iterable[tuple[Of, Input | None]]) -> Iterator[Task[list[_PlacedPart[Of]]]]:
    small: list[_PlacedPart[Of]] = []
    size = 0
    for of, one in inputs:
        counts: Counts | None = None
        for number, (part, last) in enumerate(_parts(one) if one else ()):
            # The only part of its file: it needs no counts of others, and goes with other small files.
            if last and not number:
                small.append(_PlacedPart(of, part))
                size += _size(part)
                continue
            # What comes back is in the order of the tasks, so what was gathered goes first.
            if small:
                yield _together(small)
                small, size = [], 0
            if counts is None:
                counts = Counts()
                pool.at_end(counts.close)
            yield Task(
                TextTask((part,), cut=True), counts.of(number), _size(part), part.file, [_PlacedPart(of, part, last)]
            )
        if one is None:
            small.append(_PlacedPart(of))
        if size >= PART:
            yield _together(small)
            small, size = [], 0
    if small:
        yield _together(small)


def _together(places: list[_PlacedPart[Of]]) -> Task[list[_PlacedPart[Of]]]:
    """Whole files in one task."""
    parts = tuple([place.part for place in places if place.part])
    what = f"{parts[0].file}" + (f" and {len(parts) - 1} more" if len(parts) > 1 else "") if parts else ""
    return Task(TextTask(parts, cut=False), _unasked, sum(map(_size, parts)), what, places)


def _unasked(question: Any) -> Any:
    raise AssertionError(f"whole files are read without a question, not with {question}")


def _size(part: TextPart) -> int:
    return sum(len(chunk.text) for chunk in part.chunks)


def _parts(one: Input) -> Iterator[tuple[TextPart, bool]]:
    """The parts of a text, each with whether it is the last; of one without mappings a part that says so."""
    chunks: list[Chunk] = []
    size = 0
    failure: InputError | None = None
    waiting = cut(one.lines())
    first = True
    while True:
        try:
            chunk = next(waiting, None)
        except InputError as error:
            failure, chunk = error, None
        if chunk is None:
            break
        # Of a chunk with an open string the next one may be the rest: they are not parted.
        if size >= PART and not chunks[-1].open:
            yield TextPart(one.name, one.stem, tuple(chunks)), False
            chunks, size, first = [], 0, False
        chunks.append(chunk)
        size += len(chunk.text)
    if first and not chunks and failure is None:
        failure = nothing_in(one.name)
    yield TextPart(one.name, one.stem, tuple(chunks), failure), True
