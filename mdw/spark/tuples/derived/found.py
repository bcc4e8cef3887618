"""An annotated plan, asked rows only, as answers: rows of each source, sentences, what went together."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property, reduce
from itertools import count
from typing import overload

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.run.failures import FAILURES
from mdw.spark.tuples.answer import SourceTrace
from mdw.spark.tuples.derived.annotated import Annotated, row_id
from mdw.spark.tuples.derived.catalyst import Catalyst, Node, output
from mdw.spark.tuples.derived.reads import identified, is_placed
from mdw.spark.tuples.derived.walk import PlanWalk
from mdw.tracing.accuracy import Accuracy, worst

KEPT = count()
"""Numbers of what is kept."""
UNHASHED = ("map<", "variant")
"""Types whose values cannot be compared."""


class TracedRows:
    """The rows asked for, each with what it was made of: a column for each read and one that says whether it gives a
    value that is wanted, and the sentences.

    Computed when somebody looks at one of the answers, and kept for the others, as long as this is.
    """

    def __init__(self, walk: PlanWalk, found: Annotated, wanted: Sequence[int]) -> None:
        self.walk = walk
        self.found = found
        self.reads = found.reads
        flags = [_value(found, read, wanted).alias(_flag(read)) for read in found.reads]
        self.frame = found.frame.select(*map(row_id, found.reads), *flags, *found.absences)
        if len(found.reads) + len(found.absences) > 1:
            # Spark keeps equal plans once, and whoever lets go first lets go for all: so no two are equal.
            self.frame = self.frame.withColumn("kept", f.lit(next(KEPT))).persist()
            weakref.finalize(self, _forget, self.frame)


class Sentences(Sequence[str]):
    """Sentences, some of them known when somebody looks: then they are computed, once."""

    def __init__(self, found: TracedRows) -> None:
        self._found = found

    @cached_property
    def _all(self) -> tuple[str, ...]:
        known, told = self._found.walk.limits, self._found.found.absences
        if not told:
            return tuple(known)
        rows = self._found.frame.select(f.explode(f.array(*told)).alias("told")).where("told IS NOT NULL").distinct()
        return (*sorted(row["told"] for row in rows.collect()), *known)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._all[place]

    def __len__(self) -> int:
        return len(self._all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._all)


def sources(found: TracedRows) -> Iterator[SourceTrace]:
    """The rows of each source that the plan reads, by name, and how sure they are (rules T3, T6, T37)."""
    walk = found.walk
    names = dict.fromkeys(read.name for read in walk.reads)
    for name in names:
        numbers = [number for number, read in enumerate(walk.reads) if read.name == name]
        plan = walk.reads[numbers[0]].plan
        unknown = any(number in walk.unknown for number in numbers)
        there = [number for number in numbers if number in found.reads]
        frame = _whole(walk.catalyst, plan) if unknown else _rows(walk.catalyst, plan, found, there)
        sure = worst(*(found.found.accuracy.get(number, "exact") for number in there))
        yield source_trace(name, frame, "unknown" if unknown else sure, walk.catalyst.frame(plan))


def source_trace(name: str, frame: DataFrame, accuracy: Accuracy, whole: DataFrame) -> SourceTrace:
    """The rows of a source, equally sure in both roles: operators tell them together."""
    return SourceTrace(name, frame, {"value": accuracy, "decides": accuracy}, whole)


def together(found: TracedRows) -> DataFrame | None:
    """Which rows went together: a column for each read, with its row; behind aggregates nobody can tell (rule T38)."""
    walk = found.walk
    if not found.found.alone or not found.reads or walk.unknown:
        return None
    columns, counts = [], dict.fromkeys((read.name for read in walk.reads), 0)
    for number, read in enumerate(walk.reads):
        counts[read.name] += 1
        name = read.name if counts[read.name] == 1 else f"{read.name} {counts[read.name]}"
        if number in found.reads:
            identity = f.col(row_id(number))
            values = [identity["values"][f"v{place}"].alias(one) for place, one in enumerate(_names(read.plan))]
            row = f.struct(*values, identity["file"].alias("_file"), identity["row"].alias("_row"))
            columns.append(f.when(identity.isNotNull(), row).alias(name))
    made = found.frame.select(*columns)
    return made if any(one in made.schema.simpleString() for one in UNHASHED) else made.distinct()


def _rows(catalyst: Catalyst, plan: Node, found: TracedRows, numbers: Sequence[int]) -> DataFrame:
    """The rows of a source that reads of it name, each once, with its role."""
    if not numbers:
        return _whole(catalyst, plan).limit(0)
    some = [_named(found, number) for number in numbers]
    rows = reduce(lambda one, other: one.unionByName(other), some)
    keys = _keys(catalyst, plan)
    grouped = _grouped(plan, rows, keys, f.max("value").alias("value"))
    grouped = grouped.withColumn("_role", f.when(f.col("value"), "value").otherwise("decides"))
    if is_placed(catalyst, plan):
        return _shown(plan, grouped.withColumn("_copies", f.lit(1).cast("bigint")))
    copies = identified(catalyst, plan, 0).frame.select(f.col(row_id(0))["values"].alias("values"))
    counts = copies.groupBy(*keys).agg(f.count(f.lit(1)).alias("_copies"))
    counted = counts.select("_copies", *(f.col(_name(place)).alias(f"o{place}") for place in range(len(keys))))
    equal = [f.col(_name(place)).eqNullSafe(f.col(f"o{place}")) for place in range(len(keys))]
    joined = grouped.join(counted, reduce(Column.__and__, equal, f.lit(True)), "left")
    empty = f.lit(None).cast("string").alias("file"), f.lit(None).cast("bigint").alias("row")
    return _shown(plan, joined.select("*", *empty))


def _named(found: TracedRows, read: int) -> DataFrame:
    """The rows that one read names."""
    identity = f.col(row_id(read))
    columns = [identity[part].alias(part) for part in ("file", "row", "values")]
    return found.frame.where(identity.isNotNull()).select(*columns, f.col(_flag(read)).alias("value"))


def _value(found: Annotated, read: int, wanted: Sequence[int]) -> Column:
    """Whether the row of a read gives a value that is wanted."""
    flags = [flag for which in wanted if (flag := found.values(which).get(read)) is not None]
    return reduce(Column.__or__, [f.lit(True) if flag is True else flag for flag in flags], f.lit(False))


def _flag(read: int) -> str:
    return f"value{read}"


def _forget(frame: DataFrame) -> None:
    """Give back what was kept of a frame; a session that has ended has given it back."""
    with suppress(*FAILURES, OSError, AttributeError):
        frame.unpersist()


def _grouped(plan: Node, rows: DataFrame, keys: Sequence[Column], counted: Column) -> DataFrame:
    """Each row once. By values where they can be compared, as Spark looks for these much faster."""
    if any(_unhashed(one) for one in output(plan)):
        return rows.groupBy(*keys).agg(f.first("values").alias("values"), counted)
    parts = [f.col("values")[f"v{place}"].alias(f"v{place}") for place in range(plan.output().size())]
    grouped = rows.groupBy(*keys, *parts).agg(counted)
    return grouped.withColumn("values", f.struct(*(f"v{place}" for place in range(len(parts)))))


def _unhashed(attribute: Node) -> bool:
    return any(word in str(attribute.dataType().simpleString()) for word in UNHASHED)


def _keys(catalyst: Catalyst, plan: Node) -> list[Column]:
    """What tells a row from others: its place, else its values."""
    if is_placed(catalyst, plan):
        return [f.col("file"), f.col("row")]
    keys = []
    for place, one in enumerate(output(plan)):
        value = f.col("values")[f"v{place}"]
        keys.append((f.to_json(f.struct(value)) if _unhashed(one) else value).alias(_name(place)))
    return keys


def _whole(catalyst: Catalyst, plan: Node) -> DataFrame:
    """All rows of a source."""
    frame = identified(catalyst, plan, 0).frame
    rows = frame.select(*(f.col(row_id(0))[part].alias(part) for part in ("file", "row", "values")))
    rows = _grouped(plan, rows, _keys(catalyst, plan), f.count(f.lit(1)).alias("_copies"))
    if not is_placed(catalyst, plan):
        rows = rows.select("*", f.lit(None).cast("string").alias("file"), f.lit(None).cast("bigint").alias("row"))
    return _shown(plan, rows.withColumn("_role", f.lit("value")))


def _shown(plan: Node, rows: DataFrame) -> DataFrame:
    values = [f.col("values")[f"v{place}"].alias(name) for place, name in enumerate(_names(plan))]
    return rows.select(*values, "_role", f.col("file").alias("_file"), f.col("row").alias("_row"), "_copies")


def _name(place: int) -> str:
    return f"k{place}"


def _names(plan: Node) -> list[str]:
    return [str(one.name()) for one in output(plan)]
