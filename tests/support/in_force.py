"""Warehouses in which only some rules are in force, to ask lineage anew instead of those who give reasons.

Values and conditions are taken apart, because a clause out of force must hand its value on for every row while the
attribute is still what the CASE says. So for each clause of each population there is a mapping of its own, which makes
the same rows and fills a second attribute, ``T.A (value)``, from second attributes only; all conditions speak of the
first ones.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from mdw.model.answers.reasons import Reason
from mdw.model.expressions import Aggregate, Attr, Const, Expression
from mdw.model.rules import DIRECT, Clause, Population, Rules, Source
from mdw.model.walks import with_leaves

NOTHING = Const("null", "")


def value(name: str) -> str:
    """The second attribute that hands on the value of an attribute."""
    return f"{name} (value)"


def only(rules: Sequence[Rules], because: Collection[Reason]) -> list[Rules]:
    """The warehouse with these rules in force and no others."""
    return [made for one in rules for made in _parts(one, because)]


def handing_nothing(one: Rules) -> Rules:
    """A mapping that makes rows for others to join, and hands on no value."""
    return replace(one, populations=one.populations[:-1])


def part_of(mapping: str, target: str, clause: int) -> str:
    """The name of the mapping that stands for one clause."""
    return f"{mapping} fills {target} by {clause}"


def _parts(one: Rules, because: Collection[Reason]) -> list[Rules]:
    head = one.head
    own = [reason for reason in because if reason.mapping == head.mapping]
    texts = {reason.condition for reason in own}
    places = {(reason.condition, reason.location.line) for reason in own if reason.location}
    if head.filter is not None and (head.filter_text, head.filter_line) not in places:
        head = replace(head, filter=None, filter_text="", filter_line=0)
    if head.joins and " AND ".join(join.text for join in head.joins) not in texts:
        head = replace(head, joins=tuple(replace(join, on=()) for join in head.joins))
    # Aggregates stand for values that may be anything here; grouped ones still want a row to be made of.
    head = replace(head, sources=(*head.sources, Source(f"{head.driving}.K", "GROUP_BY")))
    filled = [_filled(population, texts) for population in one.populations]
    found = []
    for population in one.populations:
        for number in range(len(population.clauses)):
            name = part_of(head.mapping, population.target, number)
            handed = _handed(population, number, own)
            every = [replace(each, mapping=name) for each in (*filled, handed)]
            found.append(Rules(replace(head, mapping=name), tuple(every)))
    return found


def _filled(population: Population, texts: Collection[str]) -> Population:
    """The attribute that conditions speak of: what its population says, or anything, as an aggregate may be."""
    if population.copied or any(text.startswith(f"{population.target} WITH ") for text in texts):
        return population
    return replace(population, clauses=tuple(one._replace(expression=_any(one)) for one in population.clauses))


def _any(clause: Clause) -> Expression:
    return Aggregate("SUM", clause.expression)


def _handed(population: Population, number: int, own: Collection[Reason]) -> Population:
    """The value that one clause hands on: where its IF says so, or always where that is out of force."""
    *earlier, clause = population.clauses[: number + 1]
    given = clause.expression
    handing = clause._replace(
        expression=with_leaves(given, lambda leaf: Attr(value(leaf.name)) if isinstance(leaf, Attr) else leaf),
        sources=tuple(
            Source(value(one.attribute), one.subtype) if one.subtype in DIRECT else one for one in clause.sources
        ),
    )
    target = value(population.target)
    if any(reason.location and reason.location.line == clause.line and _is_if(reason) for reason in own):
        before = tuple(
            one._replace(expression=NOTHING, sources=tuple(each for each in one.sources if each.subtype not in DIRECT))
            for one in earlier
        )
        return Population(population.mapping, target, (*before, handing))
    return Population(population.mapping, target, (handing._replace(condition=None, text=""),))


def _is_if(reason: Reason) -> bool:
    return " WITH " not in reason.condition
