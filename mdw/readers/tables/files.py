"""Tables as Parquet or CSV files in a folder, through Arrow.

Writing is done in one pass, whatever the number of rows; reading holds all tables at once, since the facts of one
mapping stand in eleven of them. What is too large for that is for `mdw.spark.load.facts`, which holds some at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, parquet

from mdw.drafting import drafted
from mdw.model.cells import APOSTROPHE, marked
from mdw.model.dictionary import EntityEntry
from mdw.model.errors import InputError, OutputError, system_says
from mdw.readers.opening import opened
from mdw.readers.tables import dictionary
from mdw.readers.tables.fact_rows import MappingFacts
from mdw.readers.tables.schema import BY_NAME, TABLES, TableSchema
from mdw.readers.tables.split import Row
from mdw.readers.tables.stating import TYPES, arrow_schema, facts, missing, named, of_mappings
from mdw.readers.tables.unpacking import NO_NAME, batches

Form = Literal["parquet", "csv"]
VALUE = 100
"""Bytes that Python takes for a value of a row."""
ROWS = 50_000
"""Rows of a table that are written together."""
# Strings of mappings may hold line ends, which Arrow reads inside quotes only when told to.
CSV_READ = csv.ParseOptions(newlines_in_values=True)
CSV_WRITTEN = csv.WriteOptions(quoting_style="needed")
MARK = "apostrophe"
"""A column of CSV that says "yes" of a row whose texts have an apostrophe more (see `mdw.model.cells`)."""
MARKED = "yes"


def arrow_table(rows: Iterable[Sequence[object]], schema: pa.Schema) -> pa.Table:
    """Rows as a table of that schema; pyarrow.ArrowInvalid if a value is of another type."""
    columns = list(zip(*rows, strict=True)) or [()] * len(schema)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


# -- writing -----------------------------------------------------------------------------------------------------------


def write(rows: Iterable[tuple[str, Row]], folder: Path, form: Form = "parquet") -> dict[str, int]:
    """Write rows of any tables into a folder, a file for each table, in place of files written before; rows by table.

    A row that came before is written once only where its table has a key of one column. OutputError if it cannot be.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as drafts, ExitStack() as files:  # all are closed before the first takes its place
            paths = {one.name: drafts.enter_context(drafted(folder / f"{one.name}.{form}")) for one in TABLES}
            sinks = {table.name: _Sink(table, files, paths[table.name], form) for table in TABLES}
            for name, row in rows:
                sinks[name].add(row)
            for sink in sinks.values():
                sink.flush()
    except OSError as error:
        raise OutputError(f"tables cannot be written to {folder}: {system_says(error)}") from error
    return {name: sink.written for name, sink in sinks.items()}


class _Sink:
    """One table on its way into a file."""

    def __init__(self, table: TableSchema, files: ExitStack, path: Path, form: Form) -> None:
        self.schema = arrow_schema(table.columns)
        if form == "parquet":
            self._file: Any = files.enter_context(parquet.ParquetWriter(path, self.schema, compression="zstd"))
        else:
            self.schema = self.schema.append(pa.field(MARK, pa.string()))
            self._file = files.enter_context(csv.CSVWriter(path, self.schema, write_options=CSV_WRITTEN))
        self._form = form
        # Entities and attributes are named by many mappings and stand in their table once.
        self._met: set[object] | None = set() if table.key == 1 and not table.facts else None
        self._rows: list[Row] = []
        self.written = 0

    def add(self, row: Row) -> None:
        if self._met is not None:
            if row[0] in self._met:
                return
            self._met.add(row[0])
        if self._form == "csv":
            row, changed = marked(row)
            row = (*row, MARKED if changed else None)
        self._rows.append(row)
        if len(self._rows) >= ROWS:
            self.flush()

    def flush(self) -> None:
        self._file.write_table(arrow_table(self._rows, self.schema))
        self.written += len(self._rows)
        self._rows = []


# -- reading -----------------------------------------------------------------------------------------------------------


def form_of(folder: Path) -> Form | None:
    """How the tables in a folder are written, if it holds tables."""
    forms: tuple[Form, ...] = ("parquet", "csv")
    for form in forms:
        if (folder / f"entity_mapping.{form}").exists():
            return form
    return None


def read(folder: Path) -> Iterator[list[MappingFacts]]:
    """The facts of all tables of a folder, in the order `mdw.readers.tables.build.trees` wants them.

    InputError if a table or column is missing, or a column is of another type.
    """
    form = form_of(folder)
    if form is None:
        raise InputError(f"{folder} holds no tables: entity_mapping.parquet or entity_mapping.csv is missing")
    tables = {table.name: _read(folder, table, form) for table in TABLES}
    nowhere = {refers: missing(found, tables[refers].column(0)) for refers, found in named(tables).items()}
    yield from of_mappings(facts({table.name: tables[table.name] for table in TABLES if table.facts}, nowhere))


def entries(folder: Path) -> Iterator[EntityEntry]:
    """What the tables of a folder tell of entities; InputError as of `read`."""
    form = form_of(folder)
    names = (dictionary.ENTITIES, dictionary.ATTRIBUTES, dictionary.REFERENCES)
    found = {name: _read(folder, BY_NAME[name], form).to_pylist() for name in names} if form else {}
    yield from dictionary.entries_of(found) if found else ()


def records(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of one file of Parquet, whatever its columns; ValueError if it is none."""
    with opened(path) as file:
        try:
            for batch in batches(file, str(path), value=VALUE):
                yield from batch.to_pylist()
        except pa.ArrowException as error:
            raise ValueError(str(error).partition("\n")[0]) from error


def _read(folder: Path, table: TableSchema, form: Form) -> pa.Table:
    path = folder / f"{table.name}.{form}"
    try:
        with opened(path) as file:
            found = _read_parquet(file, table, str(path)) if form == "parquet" else _read_csv(file, table)
    except FileNotFoundError as error:
        if table.optional:
            return arrow_table((), arrow_schema(table.columns))
        raise InputError(f"{path} is missing") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} cannot be read: {NO_NAME}") from error
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {str(error).partition(chr(10))[0]}") from error
    return checked(found, table, str(path))


def _read_parquet(file: IO[bytes], table: TableSchema, name: str) -> pa.Table:
    some = [*batches(file, name, [column.name for column in table.columns])]
    return pa.Table.from_batches(some) if some else parquet.read_schema(file).empty_table()


def _read_csv(file: IO[bytes], table: TableSchema) -> pa.Table:
    types = {column.name: TYPES[column.type] for column in table.columns} | {MARK: pa.string()}
    # Typed by the declaration: left to itself Arrow would make numbers of identifiers such as 007.
    convert = csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""])
    found = csv.read_csv(file, parse_options=CSV_READ, convert_options=convert)
    if found.column_names.count(MARK) != 1:
        return found
    for column in table.columns:
        place = found.schema.get_field_index(column.name)
        if column.type == "text" and place >= 0:
            found = found.set_column(place, column.name, unmarked(found.column(place), found[MARK]))
    return found


def unmarked(texts: pa.Array, marks: pa.Array) -> pa.Array:
    """The texts of a column of CSV without the apostrophes that say to a spreadsheet that they are texts."""
    changed = pc.fill_null(pc.equal(marks.cast(pa.binary()), MARKED.encode()), False)
    led = pc.and_(changed, pc.fill_null(pc.starts_with(texts, APOSTROPHE), False))
    return pc.if_else(led, pc.utf8_slice_codeunits(texts, 1), texts)


def checked(found: pa.Table, table: TableSchema, where: str) -> pa.Table:
    """The table with exactly its columns, of their types; InputError says which one is missing or of another type."""
    arrays = []
    for column in table.columns:
        if column.name not in found.column_names:
            if not column.optional:
                raise InputError(f"{where} has no column {column.name}", hint=f"it says {column.meaning}")
            arrays.append(pa.nulls(len(found), TYPES[column.type]))
            continue
        if (count := found.column_names.count(column.name)) > 1:
            raise InputError(f"{where} cannot be read: it has {count} columns {column.name}")
        given = found[column.name]
        try:
            arrays.append(given.cast(TYPES[column.type]))
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            kind = "text" if column.type == "text" else "whole numbers"
            raise InputError(f"{where}: column {column.name} holds {given.type}, not {kind}") from error
        if not column.optional and arrays[-1].null_count:
            row = pc.index(pc.is_null(arrays[-1]), True).as_py() + 1
            raise InputError(f"{where}: column {column.name} is empty in row {row}")
    return pa.Table.from_arrays(arrays, schema=arrow_schema(table.columns))
