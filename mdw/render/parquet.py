"""A whole warehouse's lineage as a Parquet file: one row per attribute, source and kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import Path

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
SCHEMA = pa.schema([*((name, pa.string()) for name in COLUMNS), ("undecided", pa.bool_())])
PLACED = pa.schema([*((name, pa.dictionary(pa.int32(), pa.string())) for name in COLUMNS), ("undecided", pa.bool_())])
"""The same with texts as places in dictionaries; a file that is written from it without this schema is the same."""
# `Naming` relies on the order: whether an end is in a populated entity, 0 or 1, is its place here.
KINDS = ("golden", "interrupted", "constant", "generated")
ROWS = 200_000
"""Rows of one group: what is held in memory before it is written."""


def write(records: Iterable[Origins], target: Path) -> None:
    """One row per golden source, interrupted attribute, constant and generated value; where nothing arrives, no row.

    ``kind`` is golden, interrupted, constant or generated; of these two ``source`` is the attribute it is written for,
    and ``mapping``, ``value`` (of a generated one how it is made) and ``location`` say where. A file that is there
    already stays until the new one is whole.
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
        *[column.take(places) for column in _written([one for record in records for one in _ends_written(record)])],
        pa.array([record.undecided for record in records], pa.bool_()).take(pa.array(owner)),
    ]
    return pa.Table.from_arrays(columns, schema=SCHEMA)


def _sides(record: Origins) -> tuple[Sequence[str], ...]:
    """What arrives, by kind."""
    written = ([one.target for one in some] for some in (record.constants, record.generated))
    return (record.golden, record.interrupted, *written)


def _ends_written(record: Origins) -> tuple[Constant | Generated, ...]:
    return (*record.constants, *record.generated)


def _written(constants: Sequence[Constant | Generated]) -> list[pa.Array]:
    """What is said of constants and generated values: mapping, value and location."""
    said = [(one.mapping, one.value, str(one.location)) for one in constants]
    return [pa.array([row[place] for row in said], pa.string()) for place in range(3)]


class Naming:
    """What arrives, by number -> the same rows, texts by their places in dictionaries."""

    def __init__(self, numbering: Numbering, populated: frozenset[str]) -> None:
        names, constants = numbering.names, numbering.constants
        self._size = len(names)
        self._names = pa.array(names, pa.string())
        self._interrupted = np.array([entity_of(name) in populated for name in names], dtype=bool)
        self._written_for = np.array([numbering.numbers[one.target] for one in constants], dtype=np.int64)
        self._generated = np.array([isinstance(one, Generated) for one in constants], dtype=np.int64)
        self._written = _written(constants)

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
        ]
        return pa.Table.from_arrays(columns, schema=PLACED)


def _placed(places: Numbers, texts: pa.Array, missing: NDArray[np.bool_] | None = None) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32), mask=missing), texts)
