"""Rows of the tables in Arrow -> the facts that they state, in the order `mdw.readers.tables.build` wants them.

    entity_mapping m, T, S          m HEAD targetentity T, m HEAD drivingentity S, m HEAD name, m HEAD file
    with_clause    m, 1, 1          m WITH 1 1

For files that are read whole (`mdw.readers.tables.files`) and for some mappings at a time (`mdw.spark.load.facts`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from mdw.readers.tables.copying import with_copies
from mdw.readers.tables.fact_rows import FactRow, MappingFacts, fact_row
from mdw.readers.tables.schema import BY_NAME, FACT, ORDER, Column, Fact, Given, TableSchema, dangling

# int32, as JDBC and Spark have for an INTEGER.
TYPES = {"text": pa.string(), "integer": pa.int32()}
AT_HAND = 250
"""Facts that go through one step before any goes on, about: a mapping of more goes alone."""
PROBLEM = "problem"
"""A column of a table, if it has one, that says what is wrong with a row."""


def arrow_schema(columns: Iterable[Column]) -> pa.Schema:
    """The columns as Arrow knows them."""
    return pa.schema([pa.field(one.name, TYPES[one.type], nullable=one.optional) for one in columns])


def facts(tables: Mapping[str, pa.Table], nowhere: Mapping[str, pa.Array]) -> pa.Table:
    """The facts of tables (by name, at least one), which may have a column `PROBLEM`, in the order of ORDER.

    Those of a population that only copies are one (`mdw.readers.tables.copying`).

    ``nowhere`` are identifiers that rows name, by the table that should have them and has them not.
    """
    stated = [
        _stated(BY_NAME[name], fact, found, nowhere) for name, found in tables.items() for fact in BY_NAME[name].facts
    ]
    found = pa.concat_tables(stated).combine_chunks()
    return with_copies(found, pc.sort_indices(found, [(name, "ascending") for name in ORDER]))


def named(tables: Mapping[str, pa.Table]) -> dict[str, pa.ChunkedArray]:
    """The identifiers that facts of tables (by name) are about, by the table that should have them."""
    found: defaultdict[str, list[pa.Array]] = defaultdict(list)
    for name, held in tables.items():
        for column, refers in references(BY_NAME[name]).items():
            found[refers] += held[column].chunks
    return {refers: pa.chunked_array(chunks, pa.string()) for refers, chunks in found.items()}


def references(table: TableSchema) -> dict[str, str]:
    """The columns of a table whose identifiers facts are about, with the table that should have each."""
    return {fact.name: table.column(fact.name).refers for fact in table.facts if fact.name}


def missing(identifiers: pa.ChunkedArray, known: pa.ChunkedArray) -> pa.Array:
    """Those of identifiers that are not among the known ones; a NULL is none."""
    found = pc.drop_null(pc.unique(identifiers))
    return found.filter(pc.invert(pc.is_in(found, value_set=known)))


def of_mappings(stated: pa.Table) -> Iterator[list[MappingFacts]]:
    """Facts, as `facts` gives them, by mapping; those of some mappings at a time.

    What is made of some of them at once stays where the processor has it at hand.
    """
    for batch in stated.combine_chunks().to_batches():
        runs = pc.run_end_encode(batch.column(0))
        names, ends = runs.values.to_pylist(), runs.run_ends.to_pylist()
        first = start = 0
        while first < len(names):
            last = bisect_left(ends, start + AT_HAND, first, len(ends) - 1) + 1
            found = list(_rows(batch.slice(start, ends[last - 1] - start)))
            cuts = [0, *[end - start for end in ends[first:last]]]
            yield [(name, found[cut:end]) for name, cut, end in zip(names[first:last], cuts, cuts[1:], strict=False)]
            first, start = last, ends[last - 1]


def _stated(table: TableSchema, fact: Fact, found: pa.Table, nowhere: Mapping[str, pa.Array]) -> pa.Table:
    """One kind of fact as the rows of a table state it."""
    columns = []
    # The last column, the problem, is none of the table's own.
    for column, value in zip(FACT, fact.stated().values(), strict=False):
        kind = TYPES[column.type]
        if isinstance(value, Given):
            columns.append(pa.repeat(pa.scalar(value.value, kind), len(found)))
        else:
            columns.append(pc.fill_null(found[value], 0) if column.type == "integer" else found[value])
    columns.append(_problems(table, fact, found, nowhere))
    return pa.Table.from_arrays(columns, schema=arrow_schema(FACT))


def _problems(table: TableSchema, fact: Fact, found: pa.Table, nowhere: Mapping[str, pa.Array]) -> Any:
    """What is wrong with each row: in itself, or that what it names is nowhere."""
    own = found[PROBLEM] if PROBLEM in found.column_names else pa.nulls(len(found), pa.string())
    refers = references(table).get(fact.name, "")
    if not len(nowhere.get(refers, ())):
        return own
    said = pc.binary_join_element_wise(found[fact.name], dangling(refers), "")
    lost = pc.is_in(found[fact.name], value_set=nowhere[refers])
    return pc.coalesce(own, pc.if_else(lost, said, pa.scalar(None, pa.string())))


def _rows(batch: pa.RecordBatch) -> Iterator[FactRow]:
    *numbers, role, name, content, place, problem, copied, written, at = map(_values, batch.columns[1:])
    owner, component = zip(*numbers[:3], strict=True), zip(*numbers[3:], role, strict=True)
    source = zip(copied, written, at, strict=True)
    return map(fact_row, zip(owner, component, role, name, content, place, problem, source, strict=True))


def _values(column: pa.Array) -> list[Any]:
    """A column as Python has it: Arrow itself makes numbers one by one."""
    if column.null_count == len(column):
        return [None] * len(column)
    plain = pa.types.is_integer(column.type) and not column.null_count
    found: list[Any] = column.to_numpy().tolist() if plain else column.to_pylist()
    return found
