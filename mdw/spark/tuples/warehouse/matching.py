"""Which rows in hand a mapping gives today, and by what others are met (`tracing.md`, rules T34-T36)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from mdw.spark.tuples.derived.annotated import meets
from mdw.spark.tuples.warehouse.frames import column
from mdw.tracing.queries import EntityQuery


@dataclass(frozen=True)
class Matched:
    """Rows as a mapping is asked for them, with the columns they are met by; None where nothing tells them.

    ``loose``: other rows may meet them too. ``note`` says what differs.
    """

    rows: DataFrame | None
    loose: bool = False
    note: str = ""


class Matching:
    """Rows of an entity against what its mappings give; ``looked_for``: they were read, and may be given no more."""

    def __init__(self, entity: str, rows: DataFrame, changed: set[str], *, looked_for: bool) -> None:
        self._entity = entity
        self._rows = rows
        self._changed = {one.casefold() for one in changed}
        self._looked_for = looked_for
        self._missing: DataFrame | None = None

    def of(self, filling: EntityQuery, frame: DataFrame, frames: Sequence[DataFrame]) -> Iterator[Matched]:
        """The rows as one of the mappings is asked for them; ``frames`` are what all of them give."""
        names = self._met(frame)
        rows = self._closed(filling)
        loose = bool(filling.open) or not names
        yield Matched(_as(rows, frame, names), loose)
        if not self._looked_for:
            return
        missing = self.given_no_more(frames)
        if missing.isEmpty():
            return
        fixed = [name for name in names if name.casefold() in {one.casefold() for one in filling.fixed}]
        asked = _as(missing, frame, fixed) if fixed else None
        alike = None if asked is None else frame.join(f.broadcast(_prefixed(asked)), _equal(frame, fixed), "inner")
        if alike is not None and not alike.isEmpty():
            note = f"{self._entity}: {filling.called} gives no such row today; met by {', '.join(fixed)}"
            differing = self._differing(frame, missing, fixed, names)
            yield Matched(asked, True, f"{note}, not by {', '.join(differing)}" if differing else note)
        elif len(frames) == 1:
            yield Matched(None, True)

    def _met(self, frame: DataFrame) -> list[str]:
        """The columns of what a mapping gives that tell a row of the entity."""
        own = {name.casefold() for name in self._rows.columns}
        return [name for name in frame.columns if name.casefold() in own and name.casefold() not in self._changed]

    def _closed(self, filling: EntityQuery) -> DataFrame:
        rows = self._rows
        own = {name.casefold(): name for name in rows.columns}
        for name in filling.closed:
            if name.casefold() in own and name.casefold() not in self._changed:
                rows = rows.where(column(own[name.casefold()]).isNull())
        return rows

    def given_no_more(self, frames: Sequence[DataFrame]) -> DataFrame:
        """The rows that no mapping gives."""
        if self._missing is None:
            found = self._rows
            for frame in frames:
                names = self._met(frame)
                given = _prefixed(_as_columns(frame, names))
                found = found.join(given, _equal(_cast(found, frame), names), "left_anti")
            self._missing = found
        return self._missing

    def _differing(self, frame: DataFrame, missing: DataFrame, fixed: Sequence[str], names: Sequence[str]) -> list[str]:
        """The columns in which rows that are met by some columns are not equal."""
        given = _prefixed(_as_columns(frame, names))
        pairs = missing.join(given, _equal(missing, fixed), "inner")
        others = [name for name in names if name not in fixed]
        if not others:
            return []
        told = pairs.agg(*(f.max(~_same(missing, name)) for name in others)).first()
        return [name for name, differs in zip(others, told or (), strict=True) if differs]


def _as(rows: DataFrame, frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """Columns of rows, called and typed as a frame has them where texts meet others."""
    return _cast(rows, frame).select(*(column(name).alias(name) for name in names))


def _as_columns(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    return frame.select(*map(column, names))


def _cast(rows: DataFrame, frame: DataFrame) -> DataFrame:
    types = {one.name.casefold(): one.dataType for one in frame.schema}
    columns = []
    for one in rows.schema:
        other = types.get(one.name.casefold())
        text = isinstance(other, t.StringType) and not isinstance(one.dataType, t.StringType)
        columns.append(column(one.name).cast("string").alias(one.name) if text else column(one.name))
    return rows.select(*columns)


def _prefixed(frame: DataFrame) -> DataFrame:
    return frame.select(*(column(name).alias(f"asked_{name}") for name in frame.columns))


def _equal(frame: DataFrame, names: Sequence[str]) -> Column:
    return reduce(Column.__and__, [_same(frame, name) for name in names], f.lit(True))


def _same(frame: DataFrame, name: str) -> Column:
    """Whether a column equals the one asked for; sums of fractions differ from run to run."""
    fractions = any(isinstance(one.dataType, (t.DoubleType, t.FloatType)) for one in frame.schema if one.name == name)
    same = meets(column(name), column(f"asked_{name}"), "rounded" if fractions else None)
    assert same is not None
    return same
