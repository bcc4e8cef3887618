"""Which rule annotates which node of a plan."""

from __future__ import annotations

from mdw.spark.tuples.derived.groups import aggregate, deduplicated, excepted, intersected
from mdw.spark.tuples.derived.joins import join
from mdw.spark.tuples.derived.simple import (
    distinct,
    expanded,
    filtered,
    generated,
    limited,
    passed,
    project,
    sampled,
    union,
    view,
)
from mdw.spark.tuples.derived.walk import Rule
from mdw.spark.tuples.derived.windows import window

RULES: dict[str, Rule] = {
    "Aggregate": aggregate,
    "CollectMetrics": passed,
    "Deduplicate": deduplicated,
    "Distinct": distinct,
    "Except": excepted,
    "Expand": expanded,
    "Filter": filtered,
    "Generate": generated,
    "GlobalLimit": limited,
    "Intersect": intersected,
    "Join": join,
    "LocalLimit": limited,
    "Offset": limited,
    "Project": project,
    "RebalancePartitions": passed,
    "Repartition": passed,
    "RepartitionByExpression": passed,
    "ResolvedHint": passed,
    "Sample": sampled,
    "Sort": passed,
    "SubqueryAlias": passed,
    "Tail": limited,
    "Union": union,
    "View": view,
    "Window": window,
    "WithWindowDefinition": passed,
}
"""By the name of the class; a node that is not here is named, and below it nothing is known (rule T32)."""
