"""ROLLUP, CUBE and GROUPING SETS: a key is what it is, or NULL in the rows of a total (rule Q14).

GROUP BY ROLLUP (T) HAVING T = "a" OR T IS NULL gives the row of "a" and the row of all, which takes in rows of every T.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mdw.language.meaning import Meaning
from mdw.model.expressions import NULL, YES, Aggregate, And, Attr, Compare, Condition, Const, Expression, Or, Window
from mdw.model.groups import aggregates
from mdw.model.rules import Clause, Population, unique
from mdw.model.truth import fails
from mdw.model.walks import attributes_of, parts, with_parts

MOST_KEYS = 4
"""Keys that a HAVING may ask for; each doubles the cases. Of more nobody knows what it asks of the rows of a group."""


def or_total(population: Population, keys: Sequence[Expression], meaning: Meaning) -> Population:
    """What fills an attribute, or NULL, which it is in the rows of some total.

    ``T.K WITH S.K`` becomes ``T.K WITH NULL IF GROUPING(S.K) IS TRUE WITH S.K``, and nobody knows of which rows it is.
    """
    first = population.clauses[0]
    said = [item for clause in population.clauses for item in (clause.condition, clause.expression) if item is not None]
    names = unique(name for item in said for name in attributes_of(item))
    if not names or all(aggregates(clause.expression) for clause in population.clauses):
        return population
    # A key by itself is that key in each of its totals; whatever else is made of keys is NULL in some.
    alone = len(population.clauses) == 1 and first.expression in keys
    of = (first.expression,) if alone else tuple(map(Attr, names))
    total = _summed(of, meaning)
    return replace(population, clauses=(Clause(NULL, total, "", first.line, first.column, ()), *population.clauses))


def asked_of_totals(having: Condition, keys: Sequence[Expression], meaning: Meaning) -> Condition:
    """What groups must meet, where each key that it mentions is that key or NULL.

    ``S.K = 1`` becomes ``GROUPING(S.K) IS TRUE AND NULL = 1 OR GROUPING(S.K) IS NOT TRUE AND S.K = 1``.
    """
    asked = unique(_keys_in(having, keys))
    if len(asked) > MOST_KEYS:
        return Compare("=", meaning.own("HAVING", *map(Attr, unique(attributes_of(having)))), YES)
    cases: list[Condition] = [having]
    for key in asked:
        total = _summed((key,), meaning)
        cases = [
            *(And((fails(total), one)) for one in cases),
            *(And((total, _without(one, key))) for one in cases),  # type: ignore[arg-type]
        ]
    return cases[0] if len(cases) == 1 else Or(tuple(cases))


def _summed(of: Sequence[Expression], meaning: Meaning) -> Condition:
    """That a row is of a total that does not tell these apart."""
    return Compare("=", meaning.own("GROUPING", *of), YES)


def _keys_in(item: Expression | Condition, keys: Sequence[Expression]) -> list[Expression]:
    """The keys that are mentioned by themselves; within aggregations each row has its own."""
    if isinstance(item, (Aggregate, Window, Const)):
        return []
    if item in keys:
        return [item]  # type: ignore[list-item]
    return [key for part in parts(item) for key in _keys_in(part, keys)]


def _without(item: Expression | Condition, key: Expression) -> Expression | Condition:
    if item == key:
        return NULL
    if isinstance(item, (Aggregate, Window)):
        return item
    return with_parts(item, [_without(part, key) for part in parts(item)])
