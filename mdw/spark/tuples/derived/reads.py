"""Sources that a plan reads: which plan is whose, and the ids of their rows (rule T37)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import Annotated, named, row_id
from mdw.spark.tuples.derived.catalyst import Catalyst, Node, children, kind, leaf_name, number, numbers, output

LEAVES = ("LogicalRelation", "LogicalRDD", "HiveTableRelation", "DataSourceV2Relation", "ExternalRDD")
"""Plans that read something; VALUES and range do not (rule T21)."""
ROW_BY_ROW = ("Project", "Filter", "SubqueryAlias", "View", "Sort", "Repartition", "RepartitionByExpression")


@dataclass(frozen=True)
class SourceRead:
    """One read of a source: a self join has two (rule T1)."""

    name: str
    plan: Node


class PlanSources:
    """The frames that are named, and what else a plan reads."""

    def __init__(self, catalyst: Catalyst, frames: Mapping[str, DataFrame]) -> None:
        self._catalyst = catalyst
        self._plans: list[tuple[str, Node]] = []
        for name, frame in frames.items():
            plan = catalyst.analysed(frame)
            self._plans += [(name, plan), (name, catalyst.decorrelated(plan))]

    def name_of(self, plan: Node) -> str | None:
        """The source that a plan is, whole; None if it is something made of sources, or of none."""
        ours = numbers(plan)
        alike = [(name, one) for name, one in self._plans if one.output().size() == len(ours) and one.sameResult(plan)]
        same = [name for name, one in alike if numbers(one) == ours]
        spelled = [name for name, one in alike if _names(one) == _names(plan)]
        for name in (*same, *spelled, *(name for name, _ in alike)):
            return name
        return leaf_name(plan) if kind(plan) in LEAVES else None

    def below(self, plan: Node) -> Iterable[SourceRead]:
        """What a plan reads."""
        name = self.name_of(plan)
        if name is not None:
            yield SourceRead(name, plan)
            return
        for child in [*children(plan), *_subplans(plan)]:
            yield from self.below(child)


def identified(catalyst: Catalyst, plan: Node, read: int) -> Annotated:
    """A source whose rows carry their ids: the file and the number there (of Parquet), and the values."""
    attributes = tuple(dict.fromkeys(numbers(plan)))
    file, row, frame = _placed(catalyst, plan)
    values = f.struct(*(f.col(named(which)).alias(f"v{place}") for place, which in enumerate(numbers(plan))))
    identity = f.struct(file.alias("file"), row.alias("row"), values.alias("values")).alias(row_id(read))
    return Annotated(
        frame.select(*map(named, attributes), identity),
        attributes,
        (read,),
        {which: {read: True} for which in attributes},
        {read: "exact"},
    )


def is_placed(catalyst: Catalyst, plan: Node) -> bool:
    """Whether the rows of a source have a place in a file."""
    return _leaf(catalyst, plan) is not None


def _leaf(catalyst: Catalyst, plan: Node) -> Node | None:
    """The leaf that knows places, below nothing but what takes row by row."""
    while kind(plan) in ROW_BY_ROW and not _subplans(plan):
        plan = plan.child()
    return catalyst.with_metadata(plan)


def _placed(catalyst: Catalyst, plan: Node) -> tuple[Column, Column, DataFrame]:
    """A source as a frame, and the place of each of its rows."""
    unknown = f.lit(None).cast("string"), f.lit(None).cast("bigint")
    if not is_placed(catalyst, plan):
        return *unknown, catalyst.renamed(plan, named)
    plan = catalyst.showing(plan, catalyst.with_metadata)
    hidden = next(one for one in reversed(output(plan)) if one.name() == "_metadata")
    place = f.col(named(number(hidden)))
    return place["file_path"], place["row_index"], catalyst.renamed(plan, named)


def _names(plan: Node) -> list[str]:
    return [str(one.name()) for one in output(plan)]


def _subplans(plan: Node) -> list[Node]:
    found = plan.subqueries()
    return [found.apply(place) for place in range(found.size())]
