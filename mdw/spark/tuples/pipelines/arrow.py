"""Functions of pandas frames, run where rows are: Arrow in, Arrow out, whatever the session's types are.

Rows that a trace keeps never pass through pandas, which has no NULL among integers: functions get copies.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

Rows = Collection[tuple[Hashable, ...]]


class ColumnsError(Exception):
    """A function gives other columns than it should."""


def to_pandas(table: pa.Table) -> pd.DataFrame:
    """Rows as a function of pandas frames gets them: times without zone, in the session's."""
    frame = table.to_pandas(date_as_object=True, maps_as_pydicts="strict")
    for field in table.schema:
        if pa.types.is_timestamp(field.type) and field.type.tz:
            frame[field.name] = frame[field.name].dt.tz_convert(field.type.tz).dt.tz_localize(None)
    return frame


def to_arrow(frame: Any, schema: pa.Schema) -> pa.Table:
    """What such a function gave, by the columns it is to have; ColumnsError if it has others or other types."""
    if not isinstance(frame, pd.DataFrame):
        raise ColumnsError(f"it gives a {type(frame).__name__}, not a pandas DataFrame")
    if sorted(map(str, frame.columns)) != sorted(schema.names):
        told = ", ".join(map(str, frame.columns)) or "none"
        raise ColumnsError(f"it gives the columns {told} instead of {', '.join(schema.names)}")
    frame = frame[schema.names]
    for field in schema:
        if pa.types.is_timestamp(field.type) and field.type.tz and getattr(frame[field.name].dtype, "tz", "") is None:
            local = frame[field.name].dt.tz_localize(field.type.tz, ambiguous=False, nonexistent="shift_forward")
            frame = frame.assign(**{field.name: local})
    try:
        return pa.Table.from_pandas(frame, schema=schema, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as error:
        raise ColumnsError(f"it gives values of another type: {str(error).partition(chr(10))[0]}") from error


NAN = ("not a number",)
"""What stands for a float that does not equal itself."""


def frozen(value: Any) -> Hashable:
    """A value that compares as Spark's `<=>` does.

    >>> frozen([1, {"a": None}]), frozen(float("nan")) == frozen(float("nan"))
    ((1, (('a', None),)), True)
    """
    if isinstance(value, dict):
        return tuple((key, frozen(one)) for key, one in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(frozen, value))
    if isinstance(value, float) and value != value:
        return NAN
    hashable: Hashable = value
    return hashable


def rows_of(table: pa.Table, columns: Sequence[str] | None = None) -> list[tuple[Hashable, ...]]:
    """Rows of some columns as tuples of frozen values."""
    names = table.schema.names if columns is None else columns
    if not names:
        return [()] * table.num_rows
    return list(zip(*(map(frozen, table.column(name).to_pylist()) for name in names), strict=True))


class Sought:
    """Rows looked for in tables, by some of their columns."""

    def __init__(self, table: pa.Table, columns: Sequence[str]) -> None:
        self._columns = tuple(columns)
        self._rows = set(rows_of(table, columns))
        self._values = {name: table.column(name).combine_chunks() for name in columns}

    def there(self, table: pa.Table) -> bool:
        """Whether a table holds one of them."""
        if not self._columns:
            return bool(self._rows) and table.num_rows > 0
        for name, values in self._values.items():
            # Most batches end here, without a value made for Python.
            if not pa.types.is_nested(values.type) and not pa.types.is_floating(values.type):
                table = table.filter(pc.is_in(table.column(name), value_set=values.cast(table.column(name).type)))
            if not table.num_rows:
                return False
        return not self._rows.isdisjoint(rows_of(table, self._columns))


Batches = Iterator[pa.RecordBatch]


def by_batches(call: Callable[[pa.Table], pa.Table]) -> Callable[[Batches], Batches]:
    """A function of tables as `mapInArrow` takes it, each batch alone."""

    def run(batches: Batches) -> Batches:
        for batch in batches:
            yield from call(pa.Table.from_batches([batch])).to_batches()

    return run


def in_one_task(call: Callable[..., pa.Table], reads: Sequence[Sequence[str]]) -> Callable[[Batches], Batches]:
    """The same over whole inputs, which come as rows of one frame, of which there is one: `_of` tells whose."""

    def run(batches: Batches) -> Batches:
        table = pa.Table.from_batches(list(batches))
        inputs = []
        for number, columns in enumerate(reads):
            rows = table.filter(pc.equal(table.column("_of"), number))
            inputs.append(rows.select([f"_{number}_{name}" for name in columns]).rename_columns(list(columns)))
        yield from call(*inputs).to_batches()

    return run
