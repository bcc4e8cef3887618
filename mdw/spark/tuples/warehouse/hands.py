"""Rows in hand: of each entity on the way the rows that were found, by what they did (rules T3, T6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.answer import OURS, SourceTrace
from mdw.spark.tuples.warehouse.frames import column
from mdw.tracing.accuracy import Accuracy, Role, worst

UNHASHED = ("map<", "variant")


@dataclass(frozen=True)
class RowsInHand:
    """Rows of an entity that one way has led to: with the columns of a `SourceTrace`."""

    frame: DataFrame
    role: Role
    accuracy: Accuracy
    columns: tuple[str, ...] = ()


@dataclass
class Hands:
    """What was found of each entity."""

    found: defaultdict[str, list[RowsInHand]] = field(default_factory=lambda: defaultdict(list))
    wholes: dict[str, DataFrame] = field(default_factory=dict)

    def add(self, entity: str, trace: SourceTrace, role: Role, accuracy: Accuracy, columns: tuple[str, ...]) -> None:
        """Rows found of an entity; what lies before a row that only decides only decides (rule T3)."""
        for own in ("value", "decides"):
            rows = trace.frame.where(f.col("_role") == own)
            both: Role = "decides" if "decides" in (own, role) else "value"
            self.found[entity].append(RowsInHand(rows, both, accuracy, columns if both == "value" else ()))
        if trace.whole is not None:
            self.wholes[entity] = trace.whole

    def rows(self, entity: str, role: Role) -> tuple[DataFrame, Accuracy, tuple[str, ...]] | None:
        """The rows in hand of an entity in one role, how sure they are, and of which columns values are asked for."""
        some = [one for one in self.found[entity] if one.role == role]
        if not some:
            return None
        frames = [one.frame.drop(*OURS) for one in some]
        every = all(one.columns for one in some)
        columns = tuple(dict.fromkeys(name for one in some for name in one.columns)) if every else ()
        return union(frames), worst(*(one.accuracy for one in some)), columns

    def source(self, entity: str) -> SourceTrace:
        """The rows found of an entity where the walk ends, each once."""
        some = self.found[entity]
        marked = [one.frame.withColumn("_role", f.lit(one.role)) for one in some]
        rows = union(marked)
        values = [name for name in rows.columns if name not in OURS]
        keys = [_key(rows, name).alias(f"_key{place}") for place, name in enumerate(values)]
        named = [f.col(f"_key{place}") for place in range(len(values))]
        kept = [f.first(column(name)).alias(name) for name in values]
        grouped = (
            rows.select("*", *keys)
            .groupBy("_file", "_row", *named)
            .agg(*kept, f.max("_role").alias("_role"), f.max("_copies").alias("_copies"))
        )
        accuracy: dict[Role, Accuracy] = {}
        for role in ("value", "decides"):
            if own := [one.accuracy for one in some if one.role == role]:
                accuracy[role] = worst(*own)
        return SourceTrace(entity, grouped.select(*map(column, values), *OURS), accuracy, self.wholes.get(entity))


def union(frames: Iterable[DataFrame]) -> DataFrame:
    """Rows of frames with the same columns."""
    return reduce(lambda one, other: one.unionByName(other), frames)


def _key(frame: DataFrame, name: str) -> Column:
    """A column by which rows can be grouped."""
    hidden = any(word in frame.schema[name].dataType.simpleString() for word in UNHASHED)
    return f.to_json(f.struct(column(name))) if hidden else column(name)
