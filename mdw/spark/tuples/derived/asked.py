"""The rows asked for, and what they tell of the rows of other plans before anything is run (rules T25, T33)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql import types as t

from mdw.spark.tuples.derived.annotated import Annotated, meets

MANY = 1000
"""Values of a column that are written into a condition."""
WRITTEN = (t.StringType, t.IntegralType, t.DecimalType, t.BooleanType, t.DateType)
"""Types whose values come back from Python as they were; of others only a join tells."""


class AskedRows:
    """Rows of a result that are traced: all at hand if ``kept``, else a frame still to be computed."""

    def __init__(self, frame: DataFrame, *, kept: bool) -> None:
        self.frame = frame
        self._kept = kept
        self._values: dict[str, list[Any]] = {}
        if kept:
            rows = frame.select(*(f.col(_quoted(one.name)) for one in frame.schema if _written(one))).collect()
            for one in filter(_written, frame.schema):
                self._values[one.name] = list(dict.fromkeys(row[one.name] for row in rows))

    def written(self, name: str) -> bool:
        """Whether the values of a column can stand in a condition."""
        return name in self._values and len(self._values[name]) <= MANY

    def missing(self, name: str) -> bool:
        """Whether NULL may be among the values of a column."""
        return not self._kept or None in self._values.get(name, [None])

    def near(self, annotated: Annotated, told: Mapping[str, Column]) -> Annotated:
        """The rows that may have to do with those asked for: of each column, what a column of theirs is told to equal.

        Never fewer than these.
        """
        for name, column in told.items():
            if self.written(name):
                annotated = annotated.where(self._among(column, name))
        joined = {name: column for name, column in told.items() if not self.written(name)}
        if not joined:
            return annotated
        some = self.frame.select(*(f.col(_quoted(name)).alias(f"asked_{name}") for name in joined)).distinct()
        equal = [column.eqNullSafe(f.col(_quoted(f"asked_{name}"))) for name, column in joined.items()]
        return replace(annotated, frame=annotated.frame.join(self._small(some), _all(equal), "left_semi"))

    def met(self, annotated: Annotated, columns: Mapping[str, int]) -> Annotated:
        """The rows that equal those asked for, but for what may differ from run to run."""
        fixed = {name: which for name, which in columns.items() if annotated.meeting.get(which) is None}
        written = {name: annotated[which] for name, which in fixed.items() if self.written(name)}
        found = self.near(annotated, written)
        some = self.frame.select(*(f.col(_quoted(name)).alias(f"asked_{name}") for name in columns))
        equal = [
            same
            for name, which in columns.items()
            if (same := meets(found[which], f.col(_quoted(f"asked_{name}")), found.meeting.get(which))) is not None
        ]
        frame = found.frame.join(self._small(some), _all([f.lit(True), *equal]), "left_semi")
        found = replace(found, frame=frame)
        return found.at_most() if any(found.meeting.get(which) == "loose" for which in columns.values()) else found

    def _among(self, column: Column, name: str) -> Column:
        values = [value for value in self._values[name] if value is not None]
        among = column.isin(values) if values else f.lit(False)
        return among | column.isNull() if None in self._values[name] else among

    def _small(self, frame: DataFrame) -> DataFrame:
        return f.broadcast(frame) if self._kept else frame


@dataclass(frozen=True)
class Demand:
    """What is known of the rows that are wanted of a plan: which columns of those asked for its attributes equal.

    ``top``: every wanted row is one of those asked for, and nothing but single rows stands between.
    """

    asked: AskedRows
    columns: Mapping[int, str] = field(default_factory=dict)
    top: bool = False

    def over(self, columns: Mapping[int, str], *, top: bool = False) -> Demand:
        """What is known of rows below."""
        return replace(self, columns=columns, top=top and self.top)

    def within(self, attributes: set[int], *, present: bool = True) -> Demand:
        """What is known of the rows of one side of a join; of one that may be missing, NULL says nothing."""
        some = {
            which: name
            for which, name in self.columns.items()
            if which in attributes and (present or not self.asked.missing(name))
        }
        return self.over(some)

    def near(self, annotated: Annotated, keys: Mapping[int, Column]) -> Annotated:
        """The rows of a plan that may be wanted, by what its columns give to attributes of the plan above."""
        told = {self.columns[which]: column for which, column in keys.items() if which in self.columns}
        return self.asked.near(annotated, told)


def _written(column: t.StructField) -> bool:
    return isinstance(column.dataType, WRITTEN)


def _all(conditions: list[Column]) -> Column:
    return reduce(Column.__and__, conditions)


def _quoted(name: str) -> str:
    return f"`{name.replace('`', '``')}`"
