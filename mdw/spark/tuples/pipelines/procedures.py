"""The rows of one input that made rows of an output, by the property that is used (rules T8-T20)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from mdw.model.errors import QuestionError
from mdw.spark.run.failures import FAILURES, cause
from mdw.spark.tuples.pipelines import executors, jobs
from mdw.spark.tuples.pipelines.arrow import ColumnsError, rows_of, to_arrow, to_pandas
from mdw.spark.tuples.pipelines.functions import arrow_schema, columns_of, frame_of, table_of
from mdw.spark.tuples.pipelines.keys import Map, equal_on, few_of, image, met, quoted
from mdw.spark.tuples.pipelines.network import Network
from mdw.spark.tuples.pipelines.ways import HELD
from mdw.tracing.accuracy import Accuracy
from mdw.tracing.choice import PropertyChoice
from mdw.tracing.merging import Section
from mdw.tracing.properties import Property
from mdw.tracing.subsets import MOST, SpentError, counted, in_parts, in_subsets

INVERTED = 100
"""Rows that an inverse is asked for, each alone."""
COMPARED = 1_000
"""Rows of a context-free aggregator that are compared in pairs."""
CALLS = 20_000
"""Calls of a function of pandas frames, which cost no jobs."""


@dataclass(frozen=True)
class SectionInput:
    """One input of a section: its frame, which may have more than its ``columns``, and whether it is a source."""

    section: Section
    at: int
    frame: DataFrame
    columns: tuple[str, ...]
    source: bool

    @property
    def choice(self) -> PropertyChoice:
        """How it is traced."""
        return self.section.choices[self.at]


@dataclass(frozen=True)
class RowsFound:
    """Rows of an input, how surely they are all and the only ones, and why not more surely."""

    frame: DataFrame
    accuracy: Accuracy
    why: str = ""


@dataclass(frozen=True)
class Procedures:
    """The procedures, over the frames of a pipeline, with so many jobs for each that bisects."""

    network: Network
    budget: int

    def rows(self, one: SectionInput, asked: DataFrame) -> RowsFound:
        """The rows of an input that ``asked``, rows of its section's output, come from; all if a function fails."""
        used = one.choice.used
        if used.name == "none":
            return RowsFound(one.frame, "unknown", "no property of it is declared, nor does a plan tell")
        try:
            if one.section.exclusive and used.name != "dispatcher":
                asked = met(asked, self._run(one)(columns_of(one.frame, one.columns)), [(None, None)])
            return self._by(used)(one, self._narrowed(one, asked), asked)
        except (*FAILURES, QuestionError, ColumnsError, pa.ArrowException) as error:
            return RowsFound(one.frame, "unknown", cause(error))

    def _by(self, used: Property) -> Callable[[SectionInput, DataFrame, DataFrame], RowsFound]:
        match used.name:
            case "filter" | "backward total map":
                return _total
            case "inverse" | "procedure":
                return self._user
            case "backward key map" | "forward key map":
                return _key_map
            case "dispatcher" | "key-preserving" | "keyed":
                return self._bisected
            case "context-free" | "aggregator":
                return self._gathered
            case _:
                return _maps_alone

    def _narrowed(self, one: SectionInput, asked: DataFrame) -> DataFrame:
        """The input where schema maps let it be one of these rows' (T19)."""
        maps = [_sides(each) for each in one.choice.narrowing]
        return met(one.frame, asked, maps) if maps else one.frame

    def _run(self, one: SectionInput) -> Callable[[DataFrame], DataFrame]:
        return lambda rows: self.network.run(one.section, one.at, rows)

    def _user(self, one: SectionInput, source: DataFrame, asked: DataFrame) -> RowsFound:
        """What the user's inverse or procedure gives (T10, T11)."""
        used = one.choice.used
        function = used.function
        assert function is not None
        inputs = [columns_of(source, one.columns)] if used.takes_input else []
        if used.name == "procedure":
            return _of_rows(one, self._called(one, function, [asked.distinct(), *inputs]))
        table = few_of(asked.distinct(), INVERTED)
        if table is None:
            return RowsFound(source, "unknown", f"its inverse is asked for more than {INVERTED} rows")
        each = [
            self._called(one, function, [frame_of(asked.sparkSession, table.slice(at, 1), asked.schema)])
            for at in range(table.num_rows)
        ]
        found = source.limit(0).select(*map(quoted, one.columns))
        for rows in each:
            found = found.union(rows)
        return _of_rows(one, found)

    def _called(self, one: SectionInput, function: Callable[..., Any], frames: Sequence[DataFrame]) -> DataFrame:
        """A function of the user's over frames of the kind that the transformation takes, as rows of the input."""
        schema = columns_of(one.frame, one.columns).schema
        try:
            if self.network.transformations[one.section.members[0]].pandas:
                given = function(*(to_pandas(table_of(frame)) for frame in frames))
                spark = one.frame.sparkSession
                return frame_of(spark, to_arrow(given, arrow_schema(spark, schema)), schema)
            found = function(*frames)
        except ColumnsError:
            raise
        except Exception as error:  # whatever a function of the user's raises
            raise QuestionError(f"its {one.choice.used.name} fails: {cause(error)}") from error
        if not isinstance(found, DataFrame) or set(found.columns) != set(one.columns):
            raise QuestionError(f"its {one.choice.used.name} does not give the columns {', '.join(one.columns)}")
        return found.select(*(f.col(quoted(x.name)).cast(x.dataType).alias(x.name) for x in schema))

    def _bisected(self, one: SectionInput, source: DataFrame, asked: DataFrame) -> RowsFound:
        """Rows of batches that give the row, or its key (T14-T16)."""
        used = one.choice.used
        key = asked.columns if used.name == "dispatcher" else list(used.key)
        if one.section.batches:
            call = self.network.call(one.section, one.at)
            rows = table_of(columns_of(asked, key) if key else asked.limit(1))
            return _told(one, executors.bisected(source, one.columns, call, rows, key))
        small = few_of(source, COMPARED)
        local = source if small is None else frame_of(source.sparkSession, small, source.schema)
        found, why = jobs.bisected(local, one.columns, self._run(one), asked, key, self.budget)
        return RowsFound(found, "at most" if why else "exact", why)

    def _gathered(self, one: SectionInput, source: DataFrame, asked: DataFrame) -> RowsFound:
        """Rows of the parts that give the row (T17, T18)."""
        pairs = one.choice.used.name == "context-free"
        most = COMPARED if pairs else MOST
        table = few_of(source, most)
        if table is None:
            return RowsFound(source, "at most", f"it has more than {most:,} rows to find parts among")
        batches = one.section.batches
        call = self.network.call(one.section, one.at) if batches else jobs.by_job(source, one.columns, self._run(one))
        run = counted(jobs.in_hand(table, one.columns, call), CALLS if batches else self.budget)
        wanted = set(rows_of(table_of(asked)))
        try:
            if pairs:
                found = in_parts(table.num_rows, wanted, run)
            else:
                among = in_subsets(rows_of(table, one.columns), wanted, run)
                if among is None:
                    return RowsFound(source, "unknown", "no part of it gives the row: it is no aggregator")
                found = among
        except SpentError:
            return RowsFound(source, "at most", "the calls allowed were not enough to find its parts")
        except (*FAILURES, ColumnsError, QuestionError, pa.ArrowException):
            raise
        except Exception as error:  # whatever a function of the user's raises
            return RowsFound(source, "unknown", cause(error))
        taken = table.take(pa.array(sorted(found), pa.int64()))
        return RowsFound(frame_of(source.sparkSession, taken, source.schema), "exact")


def _sides(one: Property) -> tuple[Map, Map]:
    """What a map compares: of an input row, and of an output row."""
    if one.name.startswith("forward"):
        return one.layers, equal_on(one.ends)
    return equal_on(one.ends), one.layers


def _key_map(one: SectionInput, source: DataFrame, asked: DataFrame) -> RowsFound:
    return RowsFound(met(source, asked, [_sides(one.choice.used)]), "exact")


def _maps_alone(one: SectionInput, source: DataFrame, asked: DataFrame) -> RowsFound:
    return RowsFound(met(source, asked, [_sides(one.choice.used)]), "at most", "nothing but maps is declared of it")


def _total(one: SectionInput, _source: DataFrame, asked: DataFrame) -> RowsFound:
    """What the map says, without a look at the input if it is no source (T8, T9)."""
    used = one.choice.used
    layers = None if used.name == "filter" else used.layers
    return _of_rows(one, image(asked, layers, used.ends or asked.columns))


def _of_rows(one: SectionInput, rows: DataFrame) -> RowsFound:
    """Rows known by value: of a source those that equal them, of an intermediate they themselves."""
    if not one.source:
        types = columns_of(one.frame, one.columns).schema
        return RowsFound(rows.select(*(f.col(quoted(x.name)).cast(x.dataType).alias(x.name) for x in types)), "exact")
    named = equal_on(one.columns)
    return RowsFound(met(one.frame, rows, [(named, named)]), "exact")


def _told(one: SectionInput, found: DataFrame) -> RowsFound:
    """What executors found; all if a function failed there."""
    table = few_of(found, HELD)
    if table is None:
        failed = found.where(f.col(executors.WHY).isNotNull()).select(executors.WHY).head()
        why = failed[0] if failed else ""
        frame = found.drop(executors.WHY)
    else:
        why = next((one for one in table.column(executors.WHY).to_pylist() if one), "")
        schema = found.drop(executors.WHY).schema
        frame = frame_of(found.sparkSession, table.drop_columns([executors.WHY]), schema)
    return RowsFound(one.frame, "unknown", why) if why else RowsFound(frame, "exact")
