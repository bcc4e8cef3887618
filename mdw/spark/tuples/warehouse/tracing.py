"""A condition on rows of an entity, and a folder with rows -> the trace of these rows through the mappings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from mdw.model.errors import QuestionError
from mdw.spark.run.failures import FAILURES, cause, giving_up
from mdw.spark.tuples.answer import OURS, Trace
from mdw.spark.tuples.derived.catalyst import Catalyst
from mdw.spark.tuples.warehouse.backwards import EntityWalk, Excluded
from mdw.spark.tuples.warehouse.folder import Folder, Types
from mdw.spark.tuples.warehouse.frames import Frames, UnopenedError, column
from mdw.spark.tuples.warehouse.matching import Matching
from mdw.tracing.queries import EntityQuery, NotFollowed, NotRun


@dataclass(frozen=True)
class RowsAsked:
    """The rows that are asked for: of an entity, those that meet each part of a condition, in Spark's SQL.

    ``said`` is the condition as it was put, ``told`` are its parts so. ``columns`` are those whose values are asked
    for, none for all; ``at_most`` is the number of rows. ``rerun``: the mappings are run on the rows found.
    """

    entity: str
    said: str
    parts: tuple[str, ...]
    told: tuple[str, ...]
    columns: tuple[str, ...] = ()
    at_most: int = 100
    rerun: bool = False


@dataclass(frozen=True)
class Mappings:
    """What a warehouse tells: what fills an entity, which mappings the rows asked for exclude, which any rows do."""

    fillings: Callable[[str], tuple[EntityQuery, ...]]
    asked: Mapping[str, NotRun]
    excluded: Excluded
    types: Types


def trace_rows(spark: SparkSession, path: Path, asked: RowsAsked, mappings: Mappings) -> Trace:
    """The rows of sources that rows of an entity were made of.

    QuestionError where no row meets the condition, or too many do; InputError for folders and files that cannot be
    read; SparkError for runs that fail.
    """
    folder = Folder(spark, path, mappings.types)
    frames = Frames(spark, folder, mappings.fillings)
    entity, unmade = _entity(frames, asked, mappings)
    columns = tuple(_column(entity, name, asked.entity) for name in asked.columns)
    rows, count = _chosen(entity, asked)
    walk = EntityWalk(frames, mappings.fillings, mappings.excluded)
    sources = walk.follow(asked.entity, rows, columns)
    found = walk.way
    left = {one.mapping for one in found.not_run}
    also = [one for name, one in mappings.asked.items() if name not in left]
    missing = [one for one in unmade if one not in found.unread and not _left(one, left | set(mappings.asked))]
    made = Trace(
        asked.entity,
        asked.said,
        columns,
        tuple(sources),
        tuple(found.absent),
        not_run=(*found.not_run, *also),
        plan=tuple(found.plan),
        unread=(*found.unread, *missing),
        count=count,
    )
    return _run_again(spark, folder, asked, mappings, made, rows, count) if asked.rerun else made


def _entity(frames: Frames, asked: RowsAsked, mappings: Mappings) -> tuple[DataFrame, list[NotFollowed]]:
    """The entity whose rows are asked for: as it is there, else what those mappings make of it that may."""
    fillings = mappings.fillings(asked.entity)
    if frames.is_there(asked.entity):
        try:
            return frames.frame(asked.entity), []
        except UnopenedError as error:
            raise QuestionError(str(error)) from error
    some = [one for one in fillings if not one.mappings or not all(name in mappings.asked for name in one.mappings)]
    frame, failed = frames.some(some)
    if frame is None:
        why = "; ".join(f"{one.called}: {why}" for one, why in failed) or "no mapping fills it"
        raise QuestionError(f"{asked.entity} has no rows in the folder, and nothing makes any: {why}", missing=True)
    return frame, [NotFollowed(one.called, why) for one, why in failed]


def _left(one: NotFollowed, left: set[str]) -> bool:
    return any(f" {name} (" in f" {one.what}" for name in left)


def _column(frame: DataFrame, name: str, entity: str) -> str:
    """A column of the entity, as its rows have it."""
    for one in frame.columns:
        if one.casefold() == name.casefold():
            return one
    raise QuestionError(
        f"the rows of {entity} have no column {name}: they have {', '.join(frame.columns)}", missing=True
    )


def _chosen(frame: DataFrame, asked: RowsAsked) -> tuple[DataFrame, int]:
    """The rows that meet the condition, computed, and how many they are."""
    try:
        chosen = frame
        for part in asked.parts:
            chosen = chosen.where(part)
    except FAILURES as error:
        raise QuestionError(f"the condition does not fit the rows of {asked.entity}: {cause(error)}") from error
    with giving_up():
        kept = Catalyst(frame.sparkSession).kept(chosen.limit(asked.at_most + 1))
        count = kept.count()
        if count > asked.at_most:
            count = chosen.count()
    if count > asked.at_most:
        raise QuestionError(
            f"{count:,} rows of {asked.entity} meet this, more than {asked.at_most}: ask for fewer, or raise --max-rows"
        )
    if not count:
        raise QuestionError(_no_row(frame, asked), missing=True)
    return kept, count


def _no_row(frame: DataFrame, asked: RowsAsked) -> str:
    """Which part of the condition no row meets."""
    before: list[str] = []
    for part, told in zip(asked.parts, asked.told, strict=True):
        frame = frame.where(part)
        if frame.isEmpty():
            met = f", though some meet {' AND '.join(before)}" if before else ""
            return f"no such row of {asked.entity}: none meets {told}{met}"
        before.append(told)
    return f"no such row of {asked.entity}: it has none at all"


def _run_again(
    spark: SparkSession,
    folder: Folder,
    asked: RowsAsked,
    mappings: Mappings,
    made: Trace,
    rows: DataFrame,
    count: int,
) -> Trace:
    """The same, with a word on whether the rows found give the rows asked for (rule T39)."""
    given = {}
    for source in made.sources:
        own = [name for name in source.frame.columns if name not in OURS]
        copies = source.frame.selectExpr("*", "explode(sequence(1, int(_copies))) AS _copy")
        given[source.name] = copies.select(*map(column, own))
    frames = Frames(spark, folder, mappings.fillings, given)
    left = {one.mapping for one in made.not_run}
    some = [one for one in mappings.fillings(asked.entity) if not one.mappings or not set(one.mappings) <= left]
    frame, _ = frames.some(some)
    if frame is None:
        return replace(made, plan=(*made.plan, "run again: nothing could be run on the rows found"))
    with giving_up():
        missing = Matching(asked.entity, rows, set(), looked_for=True).given_no_more([frame]).count()
    said = f"run again on the rows found: {count - missing} of {count} rows come out"
    return replace(made, plan=(*made.plan, said))


__all__: Sequence[str] = ["Mappings", "RowsAsked", "trace_rows"]
