"""Tables in Spark -> the facts that mappings are built of (see `mdw.readers.tables.schema`), sorted by mapping.

    rows -> the identifiers they name, those that are there -> which are nowhere
    rows -> bundles, by mapping                             -> buckets -> facts, sorted: `mdw.readers.tables.stating`

What `mdw.readers.tables.files` does with all tables at once is done with those rows of all tables that speak of some
mappings. Wrong rows are not dropped and raise nothing: they carry their problem along and cost only their mapping.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from mdw.readers.tables import stating
from mdw.readers.tables.fact_rows import MappingFacts
from mdw.readers.tables.schema import Column, TableSchema
from mdw.spark.load.bundles import BUNDLE, Batches, Buckets, bundled, gathered, together
from mdw.spark.load.checking import used
from mdw.spark.load.tables import Doing, TableRows, scanned

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Nowhere = Mapping[str, pa.Array]
"""Identifiers that rows name, by the table that should have them and has them not."""
KNOWN, NAMED = "known", "named"
LOST = "refers string, identifier string"
_LOST = pa.schema([("refers", pa.string()), ("identifier", pa.string())])


def nowhere(spark: SparkSession, tables: Mapping[str, TableRows], partitions: int) -> Nowhere:
    """The identifiers that rows of tables name and that no table has."""
    buckets = _buckets(tables, partitions)
    naming = [one for one in tables.values() if _naming_columns(one.table)]
    named = together(scanned(spark, naming, _naming_columns, _naming(buckets), BUNDLE, partitions), partitions)
    found: defaultdict[str, list[str]] = defaultdict(list)
    for refers, identifier in named.mapInArrow(_lost, LOST).collect():
        found[refers].append(identifier)
    return {refers: pa.array(several, pa.string()) for refers, several in found.items()}


def bundles(spark: SparkSession, tables: Mapping[str, TableRows], partitions: int) -> DataFrame:
    """All rows of tables that state facts, those of a mapping in one bucket of one partition."""
    buckets = _buckets(tables, partitions)
    stated = [one for one in tables.values() if one.table.facts]
    return together(scanned(spark, stated, used, _bundling(buckets), BUNDLE, partitions), partitions)


def facts(batches: Batches, lost: Nowhere) -> Iterator[list[MappingFacts]]:
    """The facts that a partition of bundles states, sorted by mapping within each bucket."""
    for tables in gathered(batches):
        yield from stating.of_mappings(stating.facts(tables, lost))


def _buckets(tables: Mapping[str, TableRows], partitions: int) -> Buckets:
    return Buckets.of(sum(one.rows for one in tables.values()), partitions)


def _naming_columns(table: TableSchema) -> Sequence[Column]:
    """The columns that hold identifiers; of a table of which identifiers must be there, its key."""
    names = stating.references(table) if table.facts else table.keys
    return [one for one in table.columns if one.name in names]


def _bundling(buckets: Buckets) -> Doing:
    def run(table: TableSchema, found: pa.RecordBatch) -> Batches:
        if len(found):
            yield from bundled(table.name, found, found.column("mapping_id"), buckets)

    return run


def _naming(buckets: Buckets) -> Doing:
    def run(table: TableSchema, found: pa.RecordBatch) -> Batches:
        if table.facts:
            named = stating.named({table.name: pa.Table.from_batches([found])})
            several = [(f"{refers} {NAMED}", column) for refers, column in named.items()]
        else:
            several = [(f"{table.name} {KNOWN}", pa.chunked_array([found.column(0)]))]
        for label, column in several:
            identifiers = column.drop_null().unique()
            if len(identifiers):
                batch = pa.RecordBatch.from_arrays([identifiers], names=["identifier"])
                yield from bundled(label, batch, identifiers, buckets)

    return run


def _lost(batches: Batches) -> Batches:
    none = pa.chunked_array([], pa.string())
    for tables in gathered(batches):
        found = {label: table.column(0) for label, table in tables.items()}
        for label, named in found.items():
            refers, _, kind = label.partition(" ")
            if kind == NAMED:
                lost = stating.missing(named, found.get(f"{refers} {KNOWN}", none))
                yield pa.RecordBatch.from_arrays([pa.repeat(refers, len(lost)), lost], schema=_LOST)
