"""Operators that make each of their rows of one row (rules T21, T22, T26, T27, T29, T30)."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Literal

from pyspark.sql import Column
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import Annotated, Computed, Flag, Flags, Key, either, giving, named, only
from mdw.spark.tuples.derived.asked import Demand
from mdw.spark.tuples.derived.catalyst import (
    Node,
    children,
    conjuncts,
    kind,
    listed,
    number,
    numbers,
    output,
    references,
    unaliased,
)
from mdw.spark.tuples.derived.joins import with_subqueries
from mdw.spark.tuples.derived.roles import Values
from mdw.spark.tuples.derived.walk import PlanWalk


def passed(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """What changes neither rows nor columns."""
    return walk.annotate(plan.child(), demand)


def view(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """A view; its attributes are those of its query."""
    if numbers(plan) != numbers(plan.child()):
        raise NotImplementedError("a view whose columns are not those of its query")
    return walk.annotate(plan.child(), demand)


def project(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Columns computed of each row."""
    shown = listed(plan.projectList())
    bare = {number(one): unaliased(one) for one in shown}
    told = {
        number(one): demand.columns[which]
        for which, one in bare.items()
        if which in demand.columns and kind(one) == "AttributeReference"
    }
    below = walk.annotate(plan.child(), demand.over(told, top=True))
    below = with_subqueries(walk, below, bare.values(), demand)
    values = Values(walk.catalyst, below)
    outputs = []
    for which, one in bare.items():
        elements = below.elements(number(one)) if kind(one) == "AttributeReference" else {}
        outputs.append(Computed(which, values.column(one), values.of(one), values.meeting(one), elements))
    found = giving(below, outputs, walk.names)
    return found if all(one.deterministic() for one in bare.values()) else found.at_most()


def filtered(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Rows that meet a condition; a test that may come out otherwise in each run is left out (rule T30)."""
    conditions = conjuncts(plan.condition())
    below = walk.annotate(plan.child(), demand)
    below = with_subqueries(walk, below, conditions, demand)
    # Of the rows asked for it is known that they meet what is tested of values that they show.
    conditions = [one for one in conditions if not below.shown(references(one))]
    tested = [one for one in conditions if one.deterministic() and not below.loose(references(one))]
    found = reduce(lambda kept, one: kept.where(walk.catalyst.column(one, named)), tested, below)
    return found if len(tested) == len(conditions) else found.at_most(certain=False)


def limited(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """LIMIT and OFFSET: which rows they take is not known, only that those asked for were among them (rule T29)."""
    below = walk.annotate(plan.child(), demand)
    sentence = "rows left out by LIMIT or OFFSET"
    if sentence not in walk.limits:
        walk.limits.append(sentence)
    return replace(below if demand.top else below.at_most(), certain=False, cut=True)


def sampled(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """A sample: any row may have been taken."""
    return walk.annotate(plan.child(), demand).at_most(certain=False)


def generated(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Rows made of one row: explode, with OUTER too."""
    generator = plan.generator()
    if "Python" in kind(generator):
        raise NotImplementedError("a table function of Python keeps a state between rows")
    below = walk.annotate(plan.child(), demand.within(set(numbers(plan.child()))))
    below = with_subqueries(walk, below, [generator], demand)
    values, made = Values(walk.catalyst, below), listed(plan.generatorOutput())
    names = [walk.names("g") for _ in made]
    columns = walk.catalyst.generated(generator, bool(plan.outer()), names, named)
    frame = below.frame.select("*", columns)
    flags, meeting = values.of(generator), values.meeting(generator)
    kept = [Computed(which, below[which], below.values(which), below.meeting.get(which)) for which in below.attributes]
    fresh = [Computed(number(one), f.col(name), flags, meeting) for one, name in zip(made, names, strict=True)]
    found = giving(replace(below, frame=frame), [*kept, *fresh], walk.names)
    return found.at_most(certain=False) if meeting == "loose" else found


def expanded(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Each row several times, with other columns: ROLLUP, CUBE, GROUPING SETS, UNPIVOT (rule T26)."""
    projections = [listed(one) for one in listed(plan.projections())]
    told = {one: demand.columns[which] for which, one in _everywhere(plan, projections) if which in demand.columns}
    below = walk.annotate(plan.child(), demand.over(told))
    below = with_subqueries(walk, below, [one for row in projections for one in row], demand)
    values, types = Values(walk.catalyst, below), [str(one.dataType().sql()) for one in output(plan)]
    copies, turn = walk.names("e"), f.col(turned := walk.names("t"))
    rows = [
        f.struct(
            f.lit(place).alias("turn"),
            *(
                values.column(one).cast(types[column]).alias(f"c{column}")
                if castable(one, types[column])
                else values.column(one).alias(f"c{column}")
                for column, one in enumerate(row)
            ),
        )
        for place, row in enumerate(projections)
    ]
    frame = below.frame.select("*", f.explode(f.array(*rows)).alias(copies)).withColumn(turned, f.col(copies)["turn"])
    outputs = []
    for place, which in enumerate(numbers(plan)):
        flags = _by_turn([values.of(row[place]) for row in projections], turn)
        met = [found for row in projections if (found := values.meeting(row[place]))]
        outputs.append(Computed(which, f.col(copies)[f"c{place}"], flags, met[0] if met else None))
    return giving(replace(below, frame=frame), outputs, walk.names)


def _everywhere(plan: Node, projections: list[list[Node]]) -> list[tuple[int, int]]:
    """Attributes that are the same attribute of what is below in every projection."""
    columns = zip(numbers(plan), zip(*projections, strict=True), strict=True)
    plain = [(which, column) for which, column in columns if all(kind(one) == "AttributeReference" for one in column)]
    same = [(which, {number(one) for one in column}) for which, column in plain]
    return [(which, found.pop()) for which, found in same if len(found) == 1]


def castable(expression: Node, of: str) -> bool:
    """Whether a column of a projection is of another type than the column it fills: a NULL."""
    return str(expression.dataType().sql()) != of


def _by_turn(flags: list[Flags], turn: Column) -> Flags:
    """The flags of the projection whose turn it is."""
    if all(one == flags[0] and all(flag is True for flag in one.values()) for one in flags):
        return flags[0]
    found: dict[int, Flag] = {}
    for place, one in enumerate(flags):
        found = {**found, **either(found, only(one, turn == place))}
    return found


def union(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """UNION ALL: the branches, each with the ids of the others empty (rule T27)."""
    ours = numbers(plan)
    branches = []
    for child in children(plan):
        told = {
            which: demand.columns[one] for one, which in zip(ours, numbers(child), strict=True) if one in demand.columns
        }
        below = walk.annotate(child, demand.over(told))
        outputs = [
            Computed(one, below[which], below.values(which), below.meeting.get(which))
            for one, which in zip(ours, numbers(child), strict=True)
        ]
        branches.append(giving(below, outputs, walk.names))
    return _united(branches)


def _united(branches: list[Annotated]) -> Annotated:
    flags: dict[Key, dict[int, str | Literal[True]]] = {}
    for one in branches:
        for key, told in one.flags.items():
            flags.setdefault(key, {}).update(told)
    frames = [one.frame for one in branches]
    return replace(
        branches[0],
        frame=reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), frames),
        reads=tuple(read for one in branches for read in one.reads),
        flags=flags,
        accuracy={read: accuracy for one in branches for read, accuracy in one.accuracy.items()},
        meeting={which: met for one in branches for which, met in one.meeting.items()},
        certain=all(one.certain for one in branches),
        cut=any(one.cut for one in branches),
        absences=tuple(name for one in branches for name in one.absences),
        alone=all(one.alone for one in branches),
    )


def distinct(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """DISTINCT: equal rows go together as it is (rule T2)."""
    return walk.annotate(plan.child(), demand.over(demand.columns, top=True))
