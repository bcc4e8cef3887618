"""A whole warehouse's lineage as a Parquet file: one row per attribute, source and kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mdw.answer import Origins
from mdw.lineage.everything import Arrivals, Numbering
from mdw.name import entity_of
from mdw.tables.files import arrow_table

COLUMNS = ("attribute", "source", "kind", "mapping", "value", "location")
SCHEMA = pa.schema([*((name, pa.string()) for name in COLUMNS), ("undecided", pa.bool_())])
KINDS = ("golden", "interrupted", "constant")
NOTHING = pa.array([], pa.string())
ROWS = 200_000
"""Rows of one group: what is held in memory before it is written."""

Row = tuple[str, str, str, str | None, str | None, str | None, bool]


def write(records: Iterable[Origins], target: Path) -> None:
    """One row per golden source, interrupted attribute and constant; an attribute nothing arrives at has no row.

    ``kind`` is golden, interrupted or constant; of a constant ``source`` is the attribute it is written for, and
    ``mapping``, ``value`` and ``location`` say where. A file that is there already stays until the new one is whole.
    """
    draft = target.with_name(f".{target.name}.draft")
    try:
        with pq.ParquetWriter(draft, SCHEMA) as writer:
            waiting: list[Row] = []
            for record in records:
                waiting += _rows(record)
                if len(waiting) >= ROWS:
                    writer.write_table(arrow_table(waiting, SCHEMA))
                    waiting = []
            writer.write_table(arrow_table(waiting, SCHEMA))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


class Naming:
    """What arrives, by number -> the same rows: no name is looked at row by row."""

    def __init__(self, numbering: Numbering, populated: frozenset[str]) -> None:
        names, constants = numbering.names, numbering.constants
        self._size = len(names)
        self._names = pa.array(names, pa.string())
        self._interrupted = np.array([entity_of(name) in populated for name in names], dtype=bool)
        self._written_for = np.array([numbering.numbers[one.target] for one in constants], dtype=np.int64)
        written = ([one.mapping, one.value, str(one.location)] for one in constants)
        self._written = [pa.array(column, pa.string()) for column in zip(*written, strict=True)] or [NOTHING] * 3

    def table(self, found: Arrivals) -> pa.Table:
        """The rows of some attributes, one after the other."""
        ends, counts = found.rows.ends, np.diff(found.rows.starts)
        constant = ends >= self._size
        source, kind = ends.copy(), np.full(len(ends), KINDS.index("constant"))
        source[constant] = self._written_for[ends[constant] - self._size]
        kind[~constant] = self._interrupted[ends[~constant]]
        places = pa.array(ends - self._size, mask=~constant)
        columns = [
            self._names.take(pa.array(np.repeat(found.rows.nodes, counts))),
            self._names.take(pa.array(source)),
            pa.array(KINDS).take(pa.array(kind)),
            *[column.take(places) for column in self._written],
            pa.array(np.repeat(found.undecided, counts)),
        ]
        return pa.Table.from_arrays(columns, schema=SCHEMA)


def _rows(record: Origins) -> Iterator[Row]:
    name, undecided = record.attribute, record.undecided
    for source in record.golden:
        yield name, source, "golden", None, None, None, undecided
    for source in record.interrupted:
        yield name, source, "interrupted", None, None, None, undecided
    for constant in record.constants:
        yield (
            name,
            constant.target,
            "constant",
            constant.mapping,
            constant.value,
            str(constant.location),
            undecided,
        )
