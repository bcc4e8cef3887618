"""What rules speak of: the rules of a mapping -> the attributes and entities they name, read, fill and hand on."""

from __future__ import annotations

from collections.abc import Iterator

from mdw.model.expressions import TRUE, Aggregate, And, Attr, Condition, Expression
from mdw.model.name import entity_of
from mdw.model.rules import Population, Rules
from mdw.model.walks import attributes_of


def mentioned(rules: Rules) -> Iterator[str]:
    """The attributes that rules name."""
    head = rules.head
    asked = [head.filter, head.having, *(join.rest for join in head.joins)]
    given: list[Expression] = [*(head.group or ())]
    for population in rules.populations:
        yield population.target
        asked += [clause.condition for clause in population.clauses]
        given += [clause.expression for clause in population.clauses]
        # What an expression chooses between stands in its uses, with the tests of these.
        sources = [source for clause in population.clauses for source in clause.sources]
        yield from (source.attribute for source in sources)
        asked += [source.test for source in sources]
    yield from (name for join in head.joins for pair in join.on for name in pair)
    yield from (name for one in (*asked, *given) if one is not None for name in attributes_of(one))


def entities_of(rules: Rules) -> set[str]:
    """The entities that rules read and fill."""
    head = rules.head
    return {head.driving, head.target, *(join.entity for join in head.joins), *map(entity_of, mentioned(rules))}


def summed(item: Expression | Condition) -> bool:
    """Whether something is added up over rows."""
    return isinstance(item, Aggregate) and item.function in ("SUM", "AVG")


def handed_on(population: Population) -> Iterator[str]:
    """The attributes that one is filled with as they are."""
    return (clause.expression.name for clause in population.clauses if isinstance(clause.expression, Attr))


def asked_of(condition: Condition | None, entity: str) -> Condition:
    """What a condition asks of rows of the entity."""
    parts = condition.parts if isinstance(condition, And) else (condition,) if condition else ()
    own = tuple(part for part in parts if all(entity_of(name) == entity for name in attributes_of(part)))
    return And(own) if own else TRUE
