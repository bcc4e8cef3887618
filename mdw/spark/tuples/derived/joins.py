"""Joins, and subqueries that have become joins (rules T23, T24)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import reduce

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.absence import sentence
from mdw.spark.tuples.derived.annotated import Annotated, Meeting, named
from mdw.spark.tuples.derived.asked import Demand
from mdw.spark.tuples.derived.catalyst import Node, children, conjuncts, kind, number, numbers, references, walked
from mdw.spark.tuples.derived.walk import PlanWalk

HOW = {
    "Inner": "inner",
    "Cross": "inner",
    "LeftOuter": "left",
    "LeftSingle": "left",
    "RightOuter": "right",
    "FullOuter": "full",
    "LeftSemi": "inner",
    "LeftAnti": "anti",
    "ExistenceJoin": "left",
}


def join(walk: PlanWalk, plan: Node, demand: Demand) -> Annotated:
    """Both sides of an inner join; of others the side that is there, the missing one is absence."""
    of, exists = _type(plan)
    if of not in HOW:
        raise NotImplementedError(f"a join of type {of}")
    how, (left_plan, right_plan) = HOW[of], children(plan)
    left_demand = demand.within(set(numbers(left_plan)), present=how not in ("right", "full"))
    right_demand = demand.within(set(numbers(right_plan)), present=how not in ("left", "full"))
    left, right = walk.annotate(left_plan, left_demand), walk.annotate(right_plan, right_demand)
    conditions = conjuncts(plan.condition().get()) if plan.condition().isDefined() else []
    left = with_subqueries(walk, left, conditions, demand)
    if how == "anti":
        return _anti(walk, left, right, right_plan, conditions)
    found = _paired(walk, (left, right), how, conditions, (left_plan, right_plan))
    if of == "LeftSemi":
        return replace(found, attributes=left.attributes)
    return found if exists is None else _existence(found, left, exists)


def with_subqueries(walk: PlanWalk, found: Annotated, expressions: Iterable[Node], demand: Demand) -> Annotated:
    """The plan with the values of subqueries that stand in expressions, each by a left join on TRUE."""
    for expression in expressions:
        for one in walked(expression):
            if kind(one) == "ScalarSubquery" and number(one) not in found.attributes:
                found = _with_subquery(walk, found, one, demand)
            elif kind(one) in ("Exists", "ListQuery", "LateralSubquery", "OuterReference"):
                raise NotImplementedError(f"{kind(one)} left in an expression")
    return found


def _with_subquery(walk: PlanWalk, found: Annotated, subquery: Node, demand: Demand) -> Annotated:
    plan = walk.catalyst.decorrelated(subquery.plan())
    below, value, which = walk.annotate(plan, demand.over({})), numbers(plan)[0], number(subquery)
    flags = below.flags.get(value, {})
    columns = [f.col(flag) for flag in flags.values() if flag is not True]
    side = replace(
        below,
        frame=below.frame.select(below[value].alias(named(which)), *columns, *below.annotations()),
        attributes=(which,),
        flags={which: flags},
        meeting={which: below.meeting[value]} if value in below.meeting else {},
    )
    return _paired(walk, (found, side), "left", [], (None, plan))


def _paired(
    walk: PlanWalk, sides: tuple[Annotated, Annotated], how: str, conditions: Sequence[Node], plans: tuple[Node, Node]
) -> Annotated:
    """Rows of both sides that meet the conditions, and of outer joins rows of one; tests unknown are left out (T30)."""
    left, right = sides
    both = _together(left, right)
    tested = [one for one in conditions if not both.loose(references(one)) and one.deterministic()]
    whole = len(tested) == len(conditions)
    vague = not (whole and left.certain and right.certain)
    left, left_missing = _marked(walk, left, how in ("right", "full"))
    right, right_missing = _marked(walk, right, how in ("left", "full"))
    condition = reduce(Column.__and__, [walk.catalyst.column(one, named) for one in tested], f.lit(True))
    frame = _joined(left.frame, right.frame, condition, how, vague)
    absences = [
        (missing, sentence(walk.catalyst, walk.called(plan, side.reads), conditions, set(other.attributes)))
        for missing, plan, side, other in (
            (left_missing, plans[0], left, right),
            (right_missing, plans[1], right, left),
        )
        if missing is not None
    ]
    found = replace(both, frame=frame, certain=not vague)
    # Rows that LIMIT took may have kept out others that would have been partners: there any row may have decided.
    for side, missing in ((left, left_missing), (right, right_missing)):
        if side.cut and missing is not None:
            walk.unknown.update(side.reads)
    for missing, told in absences:
        found = with_absence(walk, found, f.when(f.col(missing).isNull(), told))
    return found.at_most() if vague else found


def _joined(left: DataFrame, right: DataFrame, condition: Column, how: str, vague: bool) -> DataFrame:
    """A join; where rows may be there that were not in the run, a row may also have had no partner."""
    if how == "inner" or not vague:
        return left.join(right, condition, how)
    found = left.join(right, condition, "inner")
    for side, there in ((left, how in ("left", "full")), (right, how in ("right", "full"))):
        if there:
            found = found.unionByName(side, allowMissingColumns=True)
    return found


def _together(left: Annotated, right: Annotated) -> Annotated:
    """What is known of both sides, over a frame still to be made."""
    return replace(
        left,
        attributes=(*left.attributes, *right.attributes),
        reads=(*left.reads, *right.reads),
        flags={**left.flags, **right.flags},
        accuracy={**left.accuracy, **right.accuracy},
        meeting={**left.meeting, **right.meeting},
        certain=left.certain and right.certain,
        cut=left.cut or right.cut,
        absences=(*left.absences, *right.absences),
        alone=left.alone and right.alone,
    )


def _marked(walk: PlanWalk, side: Annotated, may_miss: bool) -> tuple[Annotated, str | None]:
    """A side with a column that is NULL where it has no row."""
    if not may_miss:
        return side, None
    name = walk.names("m")
    return replace(side, frame=side.frame.withColumn(name, f.lit(True))), name


def with_absence(walk: PlanWalk, found: Annotated, told: Column) -> Annotated:
    """The plan with a sentence in those rows that something decides by not being there."""
    name = walk.names("n")
    return replace(found, frame=found.frame.withColumn(name, told), absences=(*found.absences, name))


def _anti(walk: PlanWalk, left: Annotated, right: Annotated, plan: Node, conditions: Sequence[Node]) -> Annotated:
    """Rows without a partner; where partners may not have been there, all rows."""
    both = _together(left, right)
    tested = all(not both.loose(references(one)) and one.deterministic() for one in conditions)
    told = sentence(walk.catalyst, walk.called(plan, right.reads), conditions, set(left.attributes))
    if right.cut:
        walk.unknown.update(right.reads)
    if not tested or not right.certain:
        return with_absence(walk, left.at_most(certain=False), told)
    condition = reduce(Column.__and__, [walk.catalyst.column(one, named) for one in conditions], f.lit(True))
    partners = right.frame.select(*map(named, right.attributes))
    found = replace(left, frame=left.frame.join(partners, condition, "left_anti"))
    return with_absence(walk, found, told)


def _existence(found: Annotated, left: Annotated, exists: int) -> Annotated:
    """The answer of EXISTS or IN as an attribute; all partners decide it."""
    marker = next(name for name in found.frame.columns if name.startswith("m_") and name not in left.frame.columns)
    frame = found.frame.withColumn(named(exists), f.col(marker).isNotNull())
    meeting: dict[int, Meeting] = dict(left.meeting)
    if not found.certain:
        meeting[exists] = "loose"
    return replace(found, frame=frame, attributes=(*left.attributes, exists), meeting=meeting)


def _type(plan: Node) -> tuple[str, int | None]:
    """The type of a join; of an existence join the attribute that it makes too."""
    of = plan.joinType()
    name = re.sub(r"\W.*", "", str(of.toString()))
    return name, number(of.exists()) if name == "ExistenceJoin" else None
