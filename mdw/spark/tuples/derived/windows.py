"""Windows: a row was made of itself and of the rows of its partition (rule T28)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import Annotated, Computed, Flags, Meeting, either, giving, named, only
from mdw.spark.tuples.derived.asked import Demand
from mdw.spark.tuples.derived.catalyst import Node, children, kind, listed, number, numbers, output
from mdw.spark.tuples.derived.joins import with_subqueries
from mdw.spark.tuples.derived.roles import CHANCE, COUNTS, LISTS, PICKED, Values, floating
from mdw.spark.tuples.derived.walk import PlanWalk

RANKS = ("CumeDist", "DenseRank", "PercentRank", "Rank", *COUNTS)
"""Places and counts that are the same for all rows that are equal in the order: all rows decide."""
TIES = ("NTile", "RowNumber")
"""Places that differ among rows that are equal in the order."""
TAKEN = ("First", "Lag", "Last", "Lead", "NthValue")
"""Functions that take a value from one row."""
WHOLE, RUNNING = "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", "UNBOUNDED PRECEDING AND CURRENT ROW"


@dataclass(frozen=True)
class Function:
    """A function over a window. ``total``: no two rows that differ are equal in its order."""

    attribute: int
    outer: Node
    order: Sequence[Node]
    frame: str
    total: bool
    value: Column
    row: Column | None
    """The values of the row that the value is taken from, if it is taken from one."""

    @property
    def inner(self) -> Node:
        """The function itself, without what Spark wraps aggregates in."""
        return self.outer.aggregateFunction() if kind(self.outer) == "AggregateExpression" else self.outer

    @property
    def running(self) -> bool:
        return self.frame.endswith(RUNNING)


@dataclass(frozen=True)
class WindowRows:
    """The rows of a window as they run: what they have of the plan below, and their functions."""

    frame: DataFrame
    own: dict[int, str]
    functions: list[Function]


def window(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Every row with all rows of its partition."""
    partition = listed(plan.partitionSpec())
    plain = [number(key) for key in partition if kind(key) == "AttributeReference"]
    told = {which: name for which, name in demand.columns.items() if which in plain}
    below = walk.annotate(plan.child(), demand.over(told))
    below = with_subqueries(walk, below, partition, demand)
    below = demand.near(below, {which: below[which] for which in plain if below.meeting.get(which) is None})
    certain = below.certain and not any(
        Values(walk.catalyst, below).meeting(key) == "loose" for key in [*partition, *listed(plan.orderSpec())]
    )
    rows = _numbered(walk, plan, _running(walk, plan)) if certain else _possible(walk, plan, below)
    return _partitioned(walk, partition, below, rows, certain)


def _partitioned(
    walk: PlanWalk, partition: Sequence[Node], below: Annotated, rows: WindowRows, certain: bool
) -> Annotated:
    """Rows joined with the rows of their partitions."""
    values = Values(walk.catalyst, below)
    keys = [values.column(key).eqNullSafe(walk.catalyst.column(key, rows.own.__getitem__)) for key in partition]
    itself = reduce(Column.__and__, [below[which].eqNullSafe(f.col(name)) for which, name in rows.own.items()])
    frame = rows.frame.join(below.frame, reduce(Column.__and__, keys, f.lit(True)))
    outputs = [
        Computed(which, f.col(name), only(below.values(which), itself), below.meeting.get(which))
        for which, name in rows.own.items()
    ]
    sure = certain
    for one in rows.functions:
        met = _meeting(one, values) if certain else "loose"
        flags = _flags(walk, one, values, rows.own, itself)
        outputs.append(Computed(one.attribute, one.value, flags, met))
        ranked = kind(one.inner) in TIES and not one.total
        sure = sure and met != "loose" and not ranked and (one.running or _whole(one) or kind(one.inner) in TAKEN)
    found = giving(replace(below, frame=frame, alone=False), outputs, walk.names)
    enumerated = any(kind(one.inner) == "RowNumber" and not one.total for one in rows.functions)
    return found if sure else found.at_most(certain=certain and not enumerated)


def _running(walk: PlanWalk, plan: Node) -> WindowRows:
    """The window as it runs, each function that takes a value with the row that it takes it from."""
    shown, whole = listed(plan.windowExpressions()), walk.catalyst.row(output(plan.child()))
    outers = [children(one.child())[0] for one in shown]
    inner = [one.aggregateFunction() if kind(one) == "AggregateExpression" else one for one in outers]
    taken = [place for place, one in enumerate(inner) if kind(one) in TAKEN]
    made = walk.catalyst.windowed(plan, [walk.catalyst.taking(shown[place].child(), whole) for place in taken])
    names = [walk.names("w") for _ in range(made.output().size())]
    columns = [walk.catalyst.resolved(one).alias(name) for one, name in zip(listed(made.output()), names, strict=True)]
    first = plan.child().output().size()
    rows = {place: names[first + len(shown) + which] for which, place in enumerate(taken)}
    functions = [
        _function(plan, one, f.col(names[first + place]), f.col(rows[place]) if place in rows else None)
        for place, one in enumerate(shown)
    ]
    own = dict(zip(numbers(plan.child()), names, strict=False))
    return WindowRows(walk.catalyst.frame(made).select(*columns), own, functions)


def _numbered(walk: PlanWalk, plan: Node, rows: WindowRows) -> WindowRows:
    """Rows with every number that ROW_NUMBER may have given them: which of equal ones comes first is not known."""
    frame = rows.frame
    for one in rows.functions:
        if kind(one.inner) != "RowNumber" or one.total:
            continue
        keys = [walk.catalyst.column(key, rows.own.__getitem__) for key in listed(plan.partitionSpec())]
        order = [_sorted(walk.catalyst.column(key.child(), rows.own.__getitem__), key) for key in one.order]
        over = Window.partitionBy(*keys).orderBy(*order)
        last = f.count(f.lit(1)).over(over.rangeBetween(Window.unboundedPreceding, Window.currentRow))
        low, high, name = walk.names("low"), walk.names("high"), walk.names("w")
        frame = frame.select("*", f.rank().over(over).cast("int").alias(low), last.cast("int").alias(high))
        frame = frame.select("*", f.explode(f.sequence(low, high)).alias(name))
        rows = replace(rows, functions=[replace(it, value=f.col(name)) if it is one else it for it in rows.functions])
    return replace(rows, frame=frame)


def _possible(walk: PlanWalk, plan: Node, below: Annotated) -> WindowRows:
    """Rows that may have been in the run, their functions not known."""
    own = {which: walk.names("w") for which in dict.fromkeys(numbers(plan.child()))}
    frame = below.frame.select(*(below[which].alias(name) for which, name in own.items())).distinct()
    nothing = [f.lit(None).cast(str(one.dataType().sql())) for one in listed(plan.windowExpressions())]
    functions = [
        _function(plan, one, value, None) for one, value in zip(listed(plan.windowExpressions()), nothing, strict=True)
    ]
    return WindowRows(frame, own, functions)


def _function(plan: Node, one: Node, value: Column, row: Column | None) -> Function:
    outer, specification = children(one.child())
    order = listed(specification.orderSpec())
    keys = [*listed(specification.partitionSpec()), *(key.child() for key in order)]
    told = {number(key) for key in keys if kind(key) == "AttributeReference"}
    total = told >= set(numbers(plan.child()))
    return Function(number(one), outer, order, str(specification.frameSpecification().sql()), total, value, row)


def _whole(one: Function) -> bool:
    return one.frame.endswith(WHOLE) or kind(one.inner) in RANKS


def _flags(walk: PlanWalk, one: Function, values: Values, own: dict[int, str], itself: Column) -> Flags:
    """Which rows of the partition give a function its value."""
    what = kind(one.inner)
    if what in RANKS + TIES:
        return {}
    if one.row is not None:
        arguments = children(one.inner)
        row = f.struct(*(f.col(named(which)) for which in own))
        taken = only(values.of(arguments[0]), row.eqNullSafe(one.row))
        if what not in ("Lag", "Lead"):
            return taken
        return either(taken, only(values.of(arguments[2]), one.row.isNull() & itself))
    shown = Values(walk.catalyst, values.below, lambda _: one.value)
    flags = shown.of(one.outer)
    if not one.running:
        return flags
    return only(flags, _before(walk, one, own))


def _before(walk: PlanWalk, one: Function, own: dict[int, str]) -> Column:
    """Whether a row of the partition is not behind the row itself; rows equal in the order are not."""
    found = f.lit(True)
    for key in reversed(one.order):
        mine, other = (walk.catalyst.column(key.child(), name) for name in (own.__getitem__, named))
        less = other < mine if key.isAscending() else other > mine
        nulls_first = str(key.nullOrdering().sql()) == "NULLS FIRST"
        null = other.isNull() & mine.isNotNull() if nulls_first else other.isNotNull() & mine.isNull()
        found = f.coalesce(less, f.lit(False)) | null | (other.eqNullSafe(mine) & found)
    return found


def _sorted(column: Column, key: Node) -> Column:
    if key.isAscending():
        return column.asc_nulls_first() if "FIRST" in str(key.nullOrdering().sql()) else column.asc_nulls_last()
    return column.desc_nulls_first() if "FIRST" in str(key.nullOrdering().sql()) else column.desc_nulls_last()


def _meeting(one: Function, values: Values) -> Meeting | None:
    """How the value of a function meets that of another run."""
    what = kind(one.inner)
    if what in RANKS or (what == "RowNumber"):
        return None
    ordered = what in (*TIES, *TAKEN) or (one.frame.startswith("ROWS") and not one.frame.endswith(WHOLE))
    if ordered and not one.total:
        return "loose"
    if what in LISTS or (what in CHANCE and what not in TAKEN):
        return "loose"
    if any(values.meeting(argument) == "loose" for argument in children(one.inner)):
        return "loose"
    return "rounded" if floating(one.inner) and what not in PICKED + TAKEN else None
