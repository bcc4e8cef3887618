"""A whole warehouse's lineage as a Parquet file: one row per attribute, source and kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from mdw.drafting import drafted
from mdw.lineage.everything.closure import Numbers
from mdw.lineage.everything.numbering import Numbering
from mdw.lineage.everything.sweep import Arrivals
from mdw.model.answers.answer import Origins
from mdw.model.answers.steps import Constant, Generated
from mdw.model.name import entity_of

COLUMNS = ("attribute", "source", "kind", "mapping", "value", "location")
SAID = (("undecided", pa.bool_()), ("unread", pa.bool_()))
SCHEMA = pa.schema([*((name, pa.string()) for name in COLUMNS), *SAID])
PLACED = pa.schema([*((name, pa.dictionary(pa.int32(), pa.string())) for name in COLUMNS), *SAID])
"""The same with texts as places in dictionaries; a file that is written from it without this schema is the same."""
# `Naming` relies on the order: whether an end is in a populated entity, 0 or 1, is its place here.
KINDS = ("golden", "interrupted", "constant", "generated", "unread")
ROWS = 200_000
"""Rows of one group: what is held in memory before it is written."""


def write(records: Iterable[Origins], target: Path) -> None:
    """One row per golden source, interrupted attribute, constant and generated value; where nothing arrives, no row.

    ``kind`` is golden, interrupted, constant or generated; of these two ``source`` is the attribute it is written for,
    and ``mapping``, ``value`` (of a generated one how it is made) and ``location`` say where. Of an attribute to which
    statements that were not read may bring values ``unread`` is true, and each has a row of that kind with its place. A
    file that is there already stays until the new one is whole.
    """
    with drafted(target) as draft, pq.ParquetWriter(draft, SCHEMA) as writer:
        waiting: list[Origins] = []
        size = 0
        for record in records:
            waiting.append(record)
            size += sum(map(len, _sides(record)))
            if size >= ROWS:
                writer.write_table(_table(waiting))
                waiting, size = [], 0
        writer.write_table(_table(waiting))


def _table(records: Sequence[Origins]) -> pa.Table:
    """The rows of some records, column by column."""
    # Column by column, by counts and places: a Python object for each row would cost more than tracing it.
    sides = [side for record in records for side in _sides(record)]
    counts = np.fromiter(map(len, sides), dtype=np.int64, count=len(sides))
    kind = np.repeat(np.tile(np.arange(len(KINDS)), len(records)), counts)
    owner = np.repeat(np.repeat(np.arange(len(records)), len(KINDS)), counts)
    constant = kind >= KINDS.index("constant")
    places = pa.array(np.cumsum(constant) - 1, mask=~constant)
    columns = [
        pa.array([record.attribute for record in records], pa.string()).take(pa.array(owner)),
        pa.array(list(chain.from_iterable(sides)), pa.string()),
        pa.array(KINDS).take(pa.array(kind)),
        *[column.take(places) for column in _places([row for record in records for row in _said(record)])],
        pa.array([record.undecided for record in records], pa.bool_()).take(pa.array(owner)),
        pa.array([bool(record.unread) for record in records], pa.bool_()).take(pa.array(owner)),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _sides(record: Origins) -> tuple[Sequence[str], ...]:
    """What arrives, by kind."""
    written = ([one.target for one in some] for some in (record.constants, record.generated))
    return (record.golden, record.interrupted, *written, [record.attribute] * len(record.unread))


Said: TypeAlias = tuple[str | None, str | None, str]
"""Mapping, value and location of what has these."""


def _said(record: Origins) -> Iterator[Said]:
    yield from _written((*record.constants, *record.generated))
    yield from ((None, None, str(place)) for place in record.unread)


def _written(constants: Iterable[Constant | Generated]) -> Iterator[Said]:
    """What is said of constants and generated values."""
    return ((one.mapping, one.value, str(one.location)) for one in constants)


def _places(said: Sequence[Said]) -> list[pa.Array]:
    return [pa.array([row[place] for row in said], pa.string()) for place in range(3)]


class Naming:
    """What arrives, by number -> the same rows, texts by their places in dictionaries."""

    def __init__(self, numbering: Numbering, populated: frozenset[str], unread: frozenset[str] = frozenset()) -> None:
        names, constants = numbering.names, numbering.constants
        self._size = len(names)
        self._names = pa.array(names, pa.string())
        self._interrupted = np.array([entity_of(name) in populated for name in names], dtype=bool)
        self._written_for = np.array([numbering.numbers[one.target] for one in constants], dtype=np.int64)
        self._generated = np.array([isinstance(one, Generated) for one in constants], dtype=np.int64)
        self._written = _places([*_written(constants)])
        self._unread = np.array([entity_of(name) in unread for name in names], dtype=bool)

    def table(self, found: Arrivals) -> pa.Table:
        """The rows of some attributes, one after the other."""
        # Numbers below the number of names are attributes, those from there on constants.
        ends, counts = found.rows.ends, np.diff(found.rows.starts)
        constant = ends >= self._size
        source, kind = ends.copy(), np.full(len(ends), KINDS.index("constant"))
        source[constant] = self._written_for[ends[constant] - self._size]
        kind[constant] += self._generated[ends[constant] - self._size]
        kind[~constant] = self._interrupted[ends[~constant]]
        columns = [
            _placed(np.repeat(found.rows.nodes, counts), self._names),
            _placed(source, self._names),
            _placed(kind, pa.array(KINDS)),
            *[_placed(ends - self._size, column, ~constant) for column in self._written],
            pa.array(np.repeat(found.undecided, counts)),
            pa.array(np.repeat(self._unread[found.rows.nodes], counts)),
        ]
        return pa.Table.from_arrays(columns, schema=PLACED)


def _placed(places: Numbers, texts: pa.Array, missing: NDArray[np.bool_] | None = None) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32), mask=missing), texts)
