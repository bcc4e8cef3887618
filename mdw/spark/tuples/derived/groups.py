"""Aggregates and other groups: a row was made of the rows of its groups (rules T25, T26, T27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import Annotated, Computed, Meeting, giving, named, only
from mdw.spark.tuples.derived.asked import Demand
from mdw.spark.tuples.derived.catalyst import Node, children, kind, listed, number, numbers, unaliased, walked
from mdw.spark.tuples.derived.joins import with_absence, with_subqueries
from mdw.spark.tuples.derived.roles import PICKED, Values
from mdw.spark.tuples.derived.walk import PlanWalk


@dataclass(frozen=True)
class Groups:
    """The groups of an aggregate as it runs: columns of its outputs, of its keys, and of values that are shown."""

    frame: DataFrame
    outputs: Sequence[Column]
    keys: Sequence[Column]
    shown: Sequence[tuple[Node, Column]]


def aggregate(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """The rows of the groups, found by their keys; of a grand total all rows, or none (rule T5)."""
    keys, shown = listed(plan.groupingExpressions()), listed(plan.aggregateExpressions())
    asked = {
        place: demand.columns[number(one)]
        for one in shown
        if number(one) in demand.columns
        for place, key in enumerate(keys)
        if unaliased(one).semanticEquals(key)
    }
    told = {number(keys[place]): name for place, name in asked.items() if kind(keys[place]) == "AttributeReference"}
    below = walk.annotate(plan.child(), demand.over(told))
    below = with_subqueries(walk, below, [*keys, *map(unaliased, shown)], demand)
    values = Values(walk.catalyst, below)
    asked = {place: name for place, name in asked.items() if values.meeting(keys[place]) is None}
    below = demand.asked.near(below, {name: values.column(keys[place]) for place, name in asked.items()})
    if not below.certain or any(values.meeting(key) == "loose" for key in keys):
        return _by_keys(walk, below, shown, "loose").at_most(certain=False)
    if demand.top and len(asked) == len(keys) > 0 and not any(map(_picked, shown)):
        return _by_keys(walk, below, shown, "shown")
    found = groups(walk, plan)
    # Few groups are wanted where the rows asked for tell all keys: the other side need not be sorted to meet them.
    small = bool(keys) and len(asked) == len(keys)
    return _grouped(walk, plan, replace(found, frame=f.broadcast(found.frame)) if small else found, below)


def groups(walk: PlanWalk, plan: Node) -> Groups:
    """The groups as they run, with what an answer needs of them beside their outputs."""
    keys, shown = listed(plan.groupingExpressions()), listed(plan.aggregateExpressions())
    picked = [one for expression in shown for one in _picked(expression)]
    made = walk.catalyst.aggregated(plan, [*keys, *picked])
    names = [walk.names("g") for _ in range(made.output().size())]
    columns = [walk.catalyst.resolved(one).alias(name) for one, name in zip(listed(made.output()), names, strict=True)]
    ours = [f.col(name) for name in names]
    last = len(shown) + len(keys)
    return Groups(
        walk.catalyst.frame(made).select(*columns),
        ours[: len(shown)],
        ours[len(shown) : last],
        list(zip(picked, ours[last:], strict=True)),
    )


def _picked(expression: Node) -> list[Node]:
    """Aggregates whose value must be known to tell whose it is."""
    functions = [one for one in walked(expression) if kind(one) == "AggregateExpression"]
    return [one for one in functions if kind(one.aggregateFunction()) in PICKED]


def _grouped(walk: PlanWalk, plan: Node, found: Groups, below: Annotated) -> Annotated:
    """Rows with their groups, joined by the keys."""

    def shown(expression: Node) -> Column | None:
        return next((column for one, column in found.shown if one.semanticEquals(expression)), None)

    values = Values(walk.catalyst, below, shown)
    keys = listed(plan.groupingExpressions())
    equal = [same(values.column(key), column) for key, column in zip(keys, found.keys, strict=True)]
    condition = reduce(Column.__and__, equal, f.lit(True))
    marker = walk.names("m")
    side = below.frame.withColumn(marker, f.lit(True))
    joined = replace(below, frame=found.frame.join(side, condition, "inner" if keys else "left"), alone=False)
    if not keys:
        told = f.lit(f"no {walk.called(plan.child(), below.reads)}: the total of no rows")
        joined = with_absence(walk, joined, f.when(f.col(marker).isNull(), told))
    outputs = [
        Computed(
            number(one),
            column,
            values.of(unaliased(one)),
            values.meeting(unaliased(one)),
            values.elements(unaliased(one)),
        )
        for one, column in zip(listed(plan.aggregateExpressions()), found.outputs, strict=True)
    ]
    made = giving(joined, outputs, walk.names)
    return made.at_most() if any(one.meeting == "loose" for one in outputs) else made


def _by_keys(walk: PlanWalk, below: Annotated, shown: Sequence[Node], computed: Meeting | None) -> Annotated:
    """Rows as those of the group of their keys, without what is computed of groups.

    The rows asked for show it if they show all keys (rule T25); nobody knows it of rows that may not have been there:
    any row with the keys of a group may belong to it (rule T30).
    """
    values = Values(walk.catalyst, below)
    outputs = []
    for named_one in shown:
        one = unaliased(named_one)
        if any(kind(part) == "AggregateExpression" for part in walked(one)):
            column, met = f.lit(None).cast(str(one.dataType().sql())), computed
        else:
            column, met = values.column(one), values.meeting(one)
        outputs.append(Computed(number(named_one), column, values.of(one), met, values.elements(one)))
    return giving(replace(below, alone=False), outputs, walk.names)


def deduplicated(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """One row of each group, and nobody knows which: any may have been taken, the others decide (rule T7)."""
    keys, attributes = {number(one) for one in listed(plan.keys())}, dict.fromkeys(numbers(plan))
    told = {which: name for which, name in demand.columns.items() if which in keys}
    below = walk.annotate(plan.child(), demand.over(told))
    if keys >= set(attributes):
        return below
    below = demand.near(below, {which: below[which] for which in keys if below.meeting.get(which) is None})
    other = {which: walk.names("d") for which in attributes}
    taken = below.frame.select(*(below[which].alias(name) for which, name in other.items())).distinct()
    equal = {which: same(below[which], f.col(name)) for which, name in other.items()}
    condition = reduce(Column.__and__, [equal[which] for which in keys], f.lit(True))
    itself = reduce(Column.__and__, equal.values())
    outputs = [
        Computed(
            which,
            f.col(name),
            below.values(which) if which in keys else only(below.values(which), itself),
            below.meeting.get(which),
        )
        for which, name in other.items()
    ]
    joined = replace(below, frame=below.frame.join(taken, condition), alone=False)
    return giving(joined, outputs, walk.names).at_most(certain=False)


def intersected(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """INTERSECT ALL: rows of the left, equal rows of the right decide."""
    left_plan, right_plan = children(plan)
    pairs = list(zip(numbers(left_plan), numbers(right_plan), strict=True))
    told = {other: demand.columns[one] for one, other in pairs if one in demand.columns}
    left, right = walk.annotate(left_plan, demand.over(demand.columns)), walk.annotate(right_plan, demand.over(told))
    fixed = [(one, other) for one, other in pairs if not left.loose({one}) and not right.loose({other})]
    condition = reduce(Column.__and__, [same(left[one], right[other]) for one, other in fixed], f.lit(True))
    found = replace(
        left,
        frame=left.frame.join(right.frame, condition),
        reads=(*left.reads, *right.reads),
        accuracy={**left.accuracy, **right.accuracy},
        certain=left.certain and right.certain and len(fixed) == len(pairs),
        cut=left.cut or right.cut,
        absences=(*left.absences, *right.absences),
        alone=left.alone and right.alone,
    )
    return found.at_most()


def excepted(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """EXCEPT ALL: rows of the left that are left over; the right is absence."""
    left_plan, right_plan = children(plan)
    left = walk.annotate(left_plan, demand.over(demand.columns))
    right = walk.annotate(right_plan, demand.over({}))
    if not (left.certain and right.certain):
        return left.at_most(certain=False)
    rest = {which: walk.names("x") for which in numbers(plan)}
    over = walk.plain(plan, lambda which: rest[which]).distinct()
    fixed = [which for which in rest if left.meeting.get(which) is None]
    condition = reduce(Column.__and__, [same(left[which], f.col(rest[which])) for which in fixed], f.lit(True))
    told = f.lit("not as often in the right of EXCEPT ALL")
    return with_absence(walk, replace(left, frame=left.frame.join(over, condition, "left_semi")), told).at_most()


def same(one: Column, other: Column) -> Column:
    """Whether two values are one, NULL too."""
    return one.eqNullSafe(other)


__all__ = ["aggregate", "deduplicated", "excepted", "intersected", "named", "same"]
