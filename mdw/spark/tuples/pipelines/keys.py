"""Rows that meet keys by `<=>`, where the operator stands: Spark's optimiser alone moves what is asked (rule T33)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from mdw.spark.tuples.pipelines.functions import columns_of, table_of
from mdw.tracing.properties import Layer

FEW = 200
"""Keys that are written into a query: they go into scans, as a join of many does not."""
LITERALS = (
    t.StringType, t.BooleanType, t.IntegerType, t.LongType, t.ShortType, t.ByteType, t.DecimalType, t.DateType,
    t.DoubleType, t.FloatType,
)  # fmt: skip
"""Types whose values come back as they were when written into a query; of times the zone gets lost."""
Map = Sequence[Layer] | None


def quoted(name: str) -> str:
    """A column as SQL has it."""
    return "`" + name.replace("`", "``") + "`"


def equal_on(names: Sequence[str]) -> Sequence[Layer]:
    """The map that takes columns as they are."""
    return [tuple((name, quoted(name)) for name in names)]


def mapped(frame: DataFrame, layers: Map, prefix: str) -> tuple[DataFrame, list[str]]:
    """The frame with what a map gives in further columns, and their names. None: all columns, as they are."""
    given = equal_on(frame.columns) if layers is None else layers
    names = [f"{prefix}{number}" for number in range(len(given[-1]))]
    if len(given) == 1:
        return frame.select("*", *(f.expr(e).alias(name) for name, (_, e) in zip(names, given[0], strict=True))), names
    row = "_row_of_input"
    made = frame.select(f.struct("*").alias(row), *(f.expr(text).alias(name) for name, text in given[0]))
    for layer in given[1:]:
        made = made.select(row, *(f.expr(text).alias(name) for name, text in layer))
    values = [f.col(quoted(column)).alias(name) for name, (column, _) in zip(names, given[-1], strict=True)]
    return made.select(f"{row}.*", *values), names


def image(frame: DataFrame, layers: Map, columns: Sequence[str]) -> DataFrame:
    """What a map gives of each row, under these names."""
    made, names = mapped(frame, layers, "_image_")
    return made.select(*(f.col(name).alias(column) for name, column in zip(names, columns, strict=True)))


@dataclass(frozen=True)
class Keys:
    """What maps give of some rows, worked out once, to be met by other rows."""

    frame: DataFrame
    literals: tuple[tuple[Any, ...], ...] | None

    @classmethod
    def of(cls, rows: DataFrame, maps: Sequence[Map]) -> Keys:
        """The keys of rows; a few are looked up now."""
        frame, names = _beside(rows, maps, "_right")
        keys = columns_of(frame, names) if names else rows.limit(1).select(f.lit(1).alias("_right"))
        few = None
        if names and all(isinstance(field.dataType, LITERALS) for field in keys.schema):
            # Rows in hand cost no job as they are; to make them different does.
            few = _few(keys) or _few(keys.distinct())
        return cls(keys.distinct(), tuple(dict.fromkeys(map(tuple, few))) if few is not None else None)

    def met(self, frame: DataFrame, maps: Sequence[Map]) -> DataFrame:
        """The rows of a frame of which the maps give what those of the keys gave, all of one and the same row."""
        left, names = _beside(frame, maps, "_left")
        if self.literals is not None:
            found = left.where(_literally(names, self.literals))
        else:
            found = left.join(f.broadcast(self.frame), _same(names, self.frame.columns), "left_semi")
        return columns_of(found, frame.columns)


def met(frame: DataFrame, rows: DataFrame, maps: Sequence[tuple[Map, Map]]) -> DataFrame:
    """The rows of a frame of which each map gives what its partner gives of one and the same of ``rows``."""
    return Keys.of(rows, [right for _, right in maps]).met(frame, [left for left, _ in maps])


def _few(keys: DataFrame) -> list[Any] | None:
    found = keys.limit(FEW + 1).collect()
    return found if len(found) <= FEW else None


def _beside(frame: DataFrame, maps: Sequence[Map], prefix: str) -> tuple[DataFrame, list[str]]:
    """The frame with what each map gives of its columns beside them."""
    columns, every = frame.columns, []
    for number, layers in enumerate(maps):
        given = equal_on(columns) if layers is None else layers
        frame, names = mapped(frame, given, f"{prefix}_{number}_")
        every += names
    return frame, every


def _same(lefts: Sequence[str], rights: Sequence[str]) -> Column:
    # Without columns every row meets every other (a grand total).
    tests = [f.col(left).eqNullSafe(f.col(right)) for left, right in zip(lefts, rights, strict=False)]
    return reduce(lambda a, b: a & b, tests, f.lit(True))


def _literally(names: Sequence[str], keys: Sequence[tuple[Any, ...]]) -> Column:
    """The test for keys with their values written out."""
    if len(names) == 1 and all(value is not None and value == value for (value,) in keys):
        return f.col(names[0]).isin([value for (value,) in keys])
    return reduce(lambda a, b: a | b, (_is(names, key) for key in keys), f.lit(False))


def _is(names: Sequence[str], key: Sequence[Any]) -> Column:
    tests = (f.col(name).eqNullSafe(f.lit(value)) for name, value in zip(names, key, strict=True))
    return reduce(lambda a, b: a & b, tests)


def few_of(rows: DataFrame, most: int) -> pa.Table | None:
    """Rows in hand, if there are not more than that."""
    table = table_of(rows.limit(most + 1))
    return table if table.num_rows <= most else None
