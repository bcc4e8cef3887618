"""What decides by not being there, as sentences (rule T4)."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import named
from mdw.spark.tuples.derived.catalyst import Catalyst, Node, children, kind, references, text

COMPARED = {
    "EqualTo": ("=", "="),
    "EqualNullSafe": ("=", "="),
    "LessThan": ("<", ">"),
    "LessThanOrEqual": ("<=", ">="),
    "GreaterThan": (">", "<"),
    "GreaterThanOrEqual": (">=", "<="),
}
"""Comparisons, and the same with their sides exchanged."""


def sentence(catalyst: Catalyst, who: str, conditions: Sequence[Node], there: set[int]) -> Column:
    """No row of somebody meets the conditions, with the values of the attributes that are ``there``."""
    parts: list[Column] = []
    for place, one in enumerate(conditions):
        parts += [f.lit(" and " if place else " with "), _told(catalyst, one, there)]
    return f.concat(f.lit(f"no {who}"), *parts)


def _told(catalyst: Catalyst, condition: Node, there: set[int]) -> Column:
    if kind(condition) == "Or" and kind(children(condition)[1]) == "IsNull":
        return f.concat(_told(catalyst, children(condition)[0], there), f.lit(" or NULL"))
    if kind(condition) in COMPARED:
        one, other = children(condition)
        straight, turned = COMPARED[kind(condition)]
        if references(other) <= there and not references(one) & there:
            return f.concat(f.lit(f"{_name(one)} {straight} "), shown(catalyst.column(other, named), other))
        if references(one) <= there and not references(other) & there:
            return f.concat(f.lit(f"{_name(other)} {turned} "), shown(catalyst.column(one, named), one))
    return f.lit(text(condition))


def shown(value: Column, expression: Node) -> Column:
    """A value as a sentence has it."""
    told = f.coalesce(value.cast("string"), f.lit("NULL"))
    if str(expression.dataType().typeName()) not in ("string", "date", "timestamp"):
        return told
    return f.when(value.isNull(), "NULL").otherwise(f.concat(f.lit("'"), told, f.lit("'")))


def _name(expression: Node) -> str:
    return str(expression.name()) if kind(expression) == "AttributeReference" else text(expression)
