"""Attributes that nobody names: a star that could not be expanded passes on whatever is asked for, by name (rule Q22).

``CREATE VIEW b AS SELECT * FROM nobody`` fills B.`*` from NOBODY.`*`. Asked of B.X, the same rules say that it comes
from NOBODY.X. What a star leaves out it does not pass on: `SELECT * EXCEPT (x)` fills B.`*` by ALL_BUT.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mdw.model.candidates import Candidates
from mdw.model.expressions import Attr, Call, Const, Expression, attributes_of, with_leaves
from mdw.model.name import entity_of, local_of, row_of
from mdw.model.query import ALL, ALL_BUT
from mdw.model.rules import Clause, Head, Population, Source


def star_of(attribute: str) -> str:
    """The attribute that stands for all of an entity's.

    >>> star_of("B.X")
    'B.`*`'
    """
    return f"{entity_of(attribute)}.{ALL}"


def passed(candidates: Candidates, name: str) -> Candidates:
    """The same rules, all attributes of an entity being this one of them."""
    heads = {mapping: _head(head, name) for mapping, head in candidates.heads.items()}
    named = {(one.mapping, one.target) for one in candidates.populations}
    # Where a statement does name it the star does not mean it.
    kept = [
        one
        for one in candidates.populations
        if local_of(one.target) != ALL or (one.mapping, _called(one.target, name)) not in named
    ]
    populations = tuple([given for one in kept if (given := _population(one, name)) is not None])
    carried = frozenset((_called(one, name), _called(other, name)) for one, other in candidates.carried)
    return replace(candidates, heads=heads, populations=populations, carried=carried)


def _head(head: Head, name: str) -> Head:
    joins = tuple([replace(one, rest=_item(one.rest, name) if one.rest is not None else None) for one in head.joins])
    return replace(
        head,
        joins=joins,
        filter=_item(head.filter, name) if head.filter is not None else None,
        having=_item(head.having, name) if head.having is not None else None,
        group=tuple([_item(key, name) for key in head.group]) if head.group is not None else None,
        sources=_sources(head.sources, name),
    )


def _population(one: Population, name: str) -> Population | None:
    """The population of that name; None where its star leaves the name out."""
    clauses = one.clauses
    if local_of(one.target) == ALL:
        clauses = tuple([given for part in clauses if (given := _starred(part, name)) is not None])
    named = tuple([_clause(part, name) for part in clauses])
    return replace(one, target=_called(one.target, name), clauses=named) if named else None


def _starred(one: Clause, name: str) -> Clause | None:
    """The clause of a star, with those of its sources alone that may have the name."""
    expression = _having(one.expression, name)
    if expression is None or expression == one.expression:
        return one if expression else None
    mentioned = set(attributes_of(expression))
    sources = [part for part in one.sources if part.name in mentioned]
    if isinstance(expression, Attr):
        sources = [replace(part, subtype="IDENTITY") for part in sources]
    return replace(one, expression=expression, sources=tuple(sources))


def _having(star: Expression, name: str) -> Expression | None:
    """The part of a star that may have the name; None if none has."""
    if not isinstance(star, Call) or star.function not in ("*", ALL_BUT):
        return star
    if star.function == ALL_BUT:
        return star.arguments[0] if Const("string", name) not in star.arguments[1:] else None
    parts = [one for part in star.arguments if (one := _having(part, name)) is not None]
    return Call("*", tuple(parts)) if len(parts) > 1 else next(iter(parts), None)


def _clause(one: Clause, name: str) -> Clause:
    condition = _item(one.condition, name) if one.condition is not None else None
    return replace(
        one, expression=_item(one.expression, name), condition=condition, sources=_sources(one.sources, name)
    )


def _sources(several: tuple[Source, ...], name: str) -> tuple[Source, ...]:
    return tuple([replace(one, attribute=_called(one.attribute, name)) for one in several])


def _item(item: Any, name: str) -> Any:
    return with_leaves(item, lambda one: Attr(_called(one.name, name)) if isinstance(one, Attr) else one)


def _called(attribute: str, name: str) -> str:
    return f"{row_of(attribute)}.{name}" if local_of(attribute) == ALL else attribute
