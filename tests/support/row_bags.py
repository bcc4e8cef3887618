"""Random bags of rows in Parquet, queries over them run by DuckDB, and what a trace finds of all rows of a result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from mdw.spark.tuples.derived.annotated import named, row_id
from mdw.spark.tuples.derived.asked import AskedRows, Demand
from mdw.spark.tuples.derived.catalyst import Catalyst, numbers
from mdw.spark.tuples.derived.reads import PlanSources
from mdw.spark.tuples.derived.rules import RULES
from mdw.spark.tuples.derived.walk import PlanWalk

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Row = tuple[Any, ...]
Bags = Mapping[str, list[Row]]
Lineage = dict[tuple[Row, str, int], str]
"""The role of a row of a source, by the row of the result, the source and its place there."""
DATABASE = duckdb.connect()
COLUMNS = {"r": ("k", "v", "w"), "s": ("k", "v"), "t": ("k", "w")}


def bags(random: Random, most: int = 7) -> dict[str, list[Row]]:
    """Rows of small numbers, with NULLs and copies."""
    found: dict[str, list[Row]] = {}
    for name, columns in COLUMNS.items():
        rows = [tuple(random.choice([None, 1, 1, 2, 2, 3]) for _ in columns) for _ in range(random.randint(2, most))]
        found[name] = [*rows, random.choice(rows)]
    return found


def frames(spark: SparkSession, folder: Path, some: Bags) -> dict[str, DataFrame]:
    """The bags in files, and as views of their names."""
    found = {}
    for name, rows in some.items():
        columns = [pa.array([row[place] for row in rows], pa.int32()) for place in range(len(COLUMNS[name]))]
        pq.write_table(pa.table(columns, names=list(COLUMNS[name])), folder / f"{name}.parquet")
        schema = ", ".join(f"{one} INT" for one in COLUMNS[name])  # else a job looks for it
        found[name] = spark.read.schema(schema).parquet(str(folder / f"{name}.parquet"))
        found[name].createOrReplaceTempView(name)
    return found


def run(query: str, some: Bags) -> list[Row]:
    """The rows that DuckDB gives; ``rowid`` is the place of a row in its bag."""
    cursor = DATABASE.cursor()
    for name, rows in some.items():
        values = ", ".join(str(tuple("NULL" if one is None else one for one in row)).replace("'", "") for row in rows)
        cursor.execute(f"CREATE OR REPLACE TABLE {name} ({', '.join(f'{one} INTEGER' for one in COLUMNS[name])})")
        if rows:
            cursor.execute(f"INSERT INTO {name} VALUES {values}")
    return [plain(row) for row in cursor.execute(query).fetchall()]


def plain(row: Iterable[Any]) -> Row:
    """A row as it can be compared: numbers of whatever type."""
    return tuple(
        float(one) if isinstance(one, (int, float)) or hasattr(one, "quantize") else _listed(one) for one in row
    )


def _listed(value: Any) -> Any:
    return tuple(map(str, value)) if isinstance(value, list) else value


@dataclass
class Traced:
    """What a trace finds of every row of a result."""

    lineage: Lineage
    accuracy: dict[str, str]
    unread: list[str]
    fixed: list[int]
    """Places of the columns that are the same in each run."""

    def about(self, row: Row) -> Row:
        return tuple(row[place] for place in self.fixed)


def traced(frame: DataFrame, sources: Mapping[str, DataFrame], columns: Iterable[int] = (), only: str = "") -> Traced:
    """The lineage of all rows at once: of each row that the annotated plan gives; or of those alone that are asked for
    by a condition, as `trace` asks.
    """
    catalyst = Catalyst(frame.sparkSession)
    plan = catalyst.decorrelated(catalyst.analysed(frame))
    walk = PlanWalk(catalyst, PlanSources(catalyst, sources), RULES)
    shown = numbers(plan)
    if only:
        names = [f"c{place}" for place in range(len(shown))]
        asked = AskedRows(catalyst.kept(frame.where(only)).toDF(*names), kept=True)
        told = dict(zip(names, shown, strict=True))
        demand = Demand(asked, {which: name for name, which in told.items()}, top=True)
        found = asked.met(walk.annotate(plan, demand), told)
    else:
        found = walk.annotate(plan, Demand(AskedRows(frame, kept=False)))
    wanted = [shown[place] for place in columns] or shown
    flags = {read: [flag for which in wanted if (flag := found.flags.get(which, {}).get(read))] for read in found.reads}
    lineage: Lineage = {}
    fixed = [place for place, which in enumerate(shown) if found.meeting.get(which) not in ("loose", "shown")]
    for row in found.frame.collect():
        about = plain(row[named(shown[place])] for place in fixed)
        for read in found.reads:
            place = row[row_id(read)]
            if place is not None:
                value = any(flag is True or row[flag] for flag in flags[read])
                key = about, walk.reads[read].name, int(place["row"])
                lineage[key] = "value" if value or lineage.get(key) == "value" else "decides"
    accuracy: dict[str, str] = {}
    for number, read in enumerate(walk.reads):
        told = "unknown" if number in walk.unknown else found.accuracy.get(number, "exact")
        accuracy[read.name] = max(told, accuracy.get(read.name, "exact"), key=["exact", "at most", "unknown"].index)
    return Traced(lineage, accuracy, walk.unread, fixed)


def without(some: Bags, name: str, place: int) -> Bags:
    """The bags, one row of one of them left out."""
    return {one: [row for at, row in enumerate(rows) if (one, at) != (name, place)] for one, rows in some.items()}


def only(some: Bags, kept: set[tuple[str, int]], whole: Iterable[str]) -> Bags:
    """The bags with these rows alone, but for those that are kept whole."""
    return {
        one: [row for at, row in enumerate(rows) if one in whole or (one, at) in kept] for one, rows in some.items()
    }


def lost(query: str, some: Bags, found: Traced) -> list[tuple[Row, str, int]]:
    """Rows whose removal makes a row of the result rarer, and which are not in its lineage (rule T40)."""
    before = Counter(run(query, some))
    missing = []
    for name, rows in some.items():
        for place in range(len(rows) if found.accuracy.get(name) != "unknown" else 0):
            after = Counter(run(query, without(some, name, place)))
            missing += [
                (row, name, place)
                for row, count in before.items()
                if after[row] < count and (found.about(row), name, place) not in found.lineage
            ]
    return missing


def not_given(query: str, some: Bags, found: Traced, whole: Iterable[str]) -> list[Row]:
    """Rows of the result that their lineage alone does not give as often (rule T39)."""
    missing = []
    for row, count in Counter(run(query, some)).items():
        kept = {(name, place) for about, name, place in found.lineage if about == found.about(row)}
        if Counter(run(query, only(some, kept, whole)))[row] < count:
            missing.append(row)
    return missing
