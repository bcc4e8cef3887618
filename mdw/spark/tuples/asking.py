"""The question put to a DataFrame: which rows of its sources were these rows made of?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame

from mdw.model.errors import QuestionError, SparkError, did_you_mean, nearest
from mdw.spark.run.failures import FAILURES, cause, giving_up
from mdw.spark.run.quiet import quietly
from mdw.spark.tuples.answer import Trace
from mdw.spark.tuples.derived.asked import AskedRows
from mdw.spark.tuples.derived.catalyst import Catalyst, conjuncts, text
from mdw.spark.tuples.derived.lineage import derived, place

AT_HAND = 1000
"""Rows asked for that are kept; of more only the question is."""


def trace(
    frame: DataFrame, condition: str, *, sources: Mapping[str, DataFrame] | None = None, columns: Sequence[str] = ()
) -> Trace:
    """The rows of sources that the rows of a frame that meet a condition were made of (`tracing.md`, rules T1-T7).

    ``condition`` is Spark SQL over the frame. ``sources`` names frames that it was made of, which may be any; other
    leaves of its plan are called by file or table. ``columns`` are those whose values are asked for (default all). The
    frame is run once, for the rows asked for; what was found is computed when it is looked at.

    QuestionError where no row meets the condition, for columns that are not there, sources that are not read and
    conditions that cannot be read; SparkError for streams, frames of Spark Connect, and runs that fail.
    """
    if type(frame).__module__.startswith("pyspark.sql.connect"):
        raise SparkError("rows are traced by Spark's plans, which Spark Connect does not show")
    places = [place(frame, name) for name in columns]
    catalyst = Catalyst(frame.sparkSession)
    catalyst.analysed(frame)
    chosen = _chosen(frame, condition)
    names = [f"c{where}" for where in range(len(frame.columns))]
    with giving_up():
        kept = catalyst.kept(chosen.limit(AT_HAND + 1))
        count = kept.count()
    if not count:
        raise QuestionError(_no_row(catalyst, frame, condition), missing=True)
    some = count > AT_HAND
    asked = AskedRows((chosen if some else kept).toDF(*names), kept=not some)
    try:
        found = derived(frame, asked, {name: where for where, name in enumerate(names)}, sources or {}, places)
    except FAILURES as error:
        raise SparkError(f"the plan of the frame cannot be traced: {cause(error)}") from error
    _check_read(sources or {}, list(found.sources))
    return Trace(
        "the frame",
        condition,
        tuple(frame.columns[where] for where in places),
        tuple(found.sources.values()),
        found.absent,
        found.together,
        plan=found.plan,
        unread=found.unread,
        count=None if some else count,
    )


def _chosen(frame: DataFrame, condition: str) -> DataFrame:
    try:
        with quietly():
            return frame.where(condition)
    except PySparkException as error:
        said = next(line for line in str(error).splitlines() if line.strip())
        raise QuestionError(f"{condition}: {said}") from error


def _no_row(catalyst: Catalyst, frame: DataFrame, condition: str) -> str:
    """Which part of a condition no row meets."""
    parts = [text(one) for one in conjuncts(catalyst.parsed(condition))]
    before: list[str] = []
    for part in parts:
        if frame.where(" AND ".join(f"({one})" for one in [*before, part])).isEmpty():
            met = f", though some meet {' AND '.join(before)}" if before else ""
            return f"no such row: none meets {part}{met}"
        before.append(part)
    return f"no such row: none meets {condition}"


def _check_read(sources: Mapping[str, DataFrame], found: Sequence[str]) -> None:
    """Every source that is named is read somewhere; else what it is asked for would be missing, and nobody knew."""
    for name in sources:
        if name not in found:
            others = [one for one in found if one not in sources]
            reads = f", which reads {', '.join(others)}" if others else ""
            near = did_you_mean(nearest(name, others))
            raise QuestionError(f"{name} is no source of the frame{reads}{near}", missing=True)
