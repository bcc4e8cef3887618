"""A whole warehouse's lineage as a Parquet file: one row per attribute, source and kind of source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from mdw.answer import Origins
from mdw.tables.files import arrow_table

COLUMNS = ("attribute", "source", "kind", "mapping", "value", "location")
SCHEMA = pa.schema([*((name, pa.string()) for name in COLUMNS), ("undecided", pa.bool_())])
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
