"""Rows of a table as any program may have written them -> rows of the declared types, each with what is wrong with it.

Nothing is dropped and nothing is raised: one value that is wrong costs its mapping, and not the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from mdw.readers.tables.files import MARK, unmarked
from mdw.readers.tables.schema import Column, TableSchema
from mdw.readers.tables.stating import PROBLEM, TYPES

WITHOUT = "without mapping_id"
"""The mapping of rows that have none: they, too, are reported somewhere."""
NUMBER = re.compile(r"-?[0-9]+")
SHOWN = 40
"""Characters of a value that are told where it is wrong."""


def checked(found: pa.RecordBatch, table: TableSchema, wanted: Iterable[Column]) -> pa.RecordBatch:
    """Some columns of a table, of their types, and `PROBLEM`; those with a column MARK come from CSV."""
    there = found.schema.names
    names, columns, problems = [], [], []
    for column in wanted:
        names.append(column.name)
        if column.name not in there:
            columns.append(pa.nulls(len(found), TYPES[column.type]))
            continue
        given = found.column(column.name)
        said = f"{table.name}: {column.name}"
        if column.type == "integer":
            values, wrong = _numbers(given, said)
        else:
            values, wrong = _texts(given, said)
            values = unmarked(values, found.column(MARK)) if MARK in there else values
        if not column.optional and given.null_count:
            wrong.append(pc.if_else(pc.is_null(given), f"{said} is empty", NOTHING))
        problems += wrong
        columns.append(pc.fill_null(values, WITHOUT) if column.name == "mapping_id" else values)
    problem = pc.coalesce(*problems) if problems else pa.nulls(len(found), pa.string())
    return pa.RecordBatch.from_arrays([*columns, problem], names=[*names, PROBLEM])


NOTHING = pa.scalar(None, pa.string())


def used(table: TableSchema) -> tuple[Column, ...]:
    """The columns of a table that its facts are made of; of others its key."""
    names = {value for fact in table.facts for value in fact.stated().values() if isinstance(value, str)}
    return tuple(one for one in table.columns if one.name in names) or table.columns[:1]


def _numbers(given: pa.Array, said: str) -> tuple[pa.Array, list[pa.Array]]:
    """Whole numbers, and what is said of those that are none."""
    texts, wrong = _texts(given, said)
    try:
        return (texts if wrong or not pa.types.is_integer(given.type) else given).cast(pa.int32()), wrong
    except pa.ArrowInvalid:
        written = texts.to_pylist()
    found = [None if text is None else _number(text) for text in written]
    strange = [
        f"{said} is {text[:SHOWN]}, {'too large' if NUMBER.fullmatch(text) else 'no whole number'}"
        if text is not None and number is None
        else None
        for text, number in zip(written, found, strict=True)
    ]
    return pa.array(found, pa.int32()), [*wrong, pa.array(strange, pa.string())]


def _number(text: str) -> int | None:
    number = int(text) if NUMBER.fullmatch(text) and len(text) <= SHOWN else None
    return number if number is not None and -(1 << 31) <= number < 1 << 31 else None


def _texts(given: pa.Array, said: str) -> tuple[pa.Array, list[pa.Array]]:
    """Texts, and what is said of those that are none: a file may hold whatever bytes it likes."""
    if pa.types.is_integer(given.type):
        return given.cast(pa.string()), []
    raw = given.cast(pa.binary())
    try:
        return raw.cast(pa.string()), []
    except pa.ArrowInvalid:
        values = raw.to_pylist()
    texts = [one if one is None else one.decode(errors="replace") for one in values]
    wrong = [
        f"{said} is no UTF-8 text" if text is not None and text.encode() != one else None
        for one, text in zip(values, texts, strict=True)
    ]
    return pa.array(texts, pa.string()), [pa.array(wrong, pa.string())]
