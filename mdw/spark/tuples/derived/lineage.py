"""The rows of sources that rows of a frame were made of, derived from its plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.spark.tuples.answer import SourceTrace
from mdw.spark.tuples.derived.asked import AskedRows, Demand
from mdw.spark.tuples.derived.catalyst import Catalyst, numbers
from mdw.spark.tuples.derived.found import Sentences, TracedRows, sources, together
from mdw.spark.tuples.derived.reads import PlanSources
from mdw.spark.tuples.derived.rules import RULES
from mdw.spark.tuples.derived.walk import PlanWalk


@dataclass(frozen=True)
class Derived:
    """What a plan tells of rows: their sources, what was missing, what went together, and what has no rule."""

    sources: Mapping[str, SourceTrace]
    absent: Sequence[str]
    together: DataFrame | None
    plan: tuple[str, ...]
    unread: tuple[str, ...]


def lineage_of(
    frame: DataFrame, rows: DataFrame, *, reads: Mapping[str, DataFrame], columns: Sequence[str] = ()
) -> Derived:
    """The rows of ``reads`` that ``rows`` of a frame were made of, none of them computed yet (rules T2, T21-T32).

    ``rows`` has some of the frame's columns, met by ``<=>``. ``reads`` are frames whose plans are leaves of the frame's
    plan; other leaves are named by file or table. ``columns`` are those whose values are asked for (default all).
    QuestionError for a column that is not there.
    """
    met = {name: place(frame, name) for name in rows.columns}
    return derived(frame, AskedRows(rows, kept=False), met, reads, [place(frame, name) for name in columns])


def derived(
    frame: DataFrame,
    asked: AskedRows,
    met: Mapping[str, int],
    reads: Mapping[str, DataFrame],
    columns: Sequence[int],
) -> Derived:
    """The same, where columns are told by their places in the frame."""
    catalyst = Catalyst(frame.sparkSession)
    plan = catalyst.decorrelated(catalyst.analysed(frame))
    walk = PlanWalk(catalyst, PlanSources(catalyst, reads), RULES)
    shown = numbers(plan)
    attributes = {name: shown[where] for name, where in met.items()}
    told = {which: name for name, which in attributes.items()}
    found = asked.met(walk.annotate(plan, Demand(asked, told, top=True)), attributes)
    wanted = [shown[where] for where in columns] or shown
    answers = TracedRows(walk, found, wanted)
    return Derived(
        {one.name: one for one in sources(answers)},
        Sentences(answers),
        together(answers),
        tuple(walk.notes),
        tuple(walk.unread),
    )


def place(frame: DataFrame, name: str) -> int:
    """Where a column stands; QuestionError for one that is not there."""
    columns = [one.lower() for one in frame.columns]
    if name.lower() in columns:
        return columns.index(name.lower())
    near = did_you_mean(nearest(name, frame.columns))
    raise QuestionError(f"the frame has no column {name}{near}", missing=True)
