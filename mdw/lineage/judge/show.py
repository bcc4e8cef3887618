"""Conditions of the diagram as people read them: mapping-language text, SQL, an example row."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from mdw.conditions.cover import Cover, Cube, absorbed, atom_condition, condition_of, conjunction, values_condition
from mdw.conditions.diagram import TRUE
from mdw.conditions.regions import NULL, sample
from mdw.conditions.terms import NO, UNKNOWN, YES, Atom
from mdw.lineage.judge.naming import Names, rename, rename_expression
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Free, Joined, Own, Partner
from mdw.model.errors import TooLargeError
from mdw.model.expressions import TRUE as ALWAYS
from mdw.model.expressions import (
    Attr,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    IsNull,
    Or,
    Variable,
    attributes_of,
    parts,
    variables_of,
)
from mdw.model.text import expression_text, to_sql, to_text

READABLE = 250
"""Alternatives of a condition that are shown; with more of them nobody reads it, and bounds say more."""


@dataclass(frozen=True, slots=True)
class Readable:
    """A condition ready to be read."""

    text: str
    sql: str
    exact: bool
    common: str
    witness: tuple[tuple[str, str], ...]


class Showing:
    """Writes conditions on rows of an entity; work on shared parts is done once."""

    def __init__(self, crossing: Crossing) -> None:
        self._crossing = crossing
        self._cover = Cover(crossing.diagram)
        self._literals: dict[Hashable, Condition] = {}
        self._shown: dict[tuple[int, str], Readable] = {}

    def show(self, node: int, entity: str) -> Readable:
        """The condition on rows of the entity."""
        key = (node, entity)
        found = self._shown.get(key)
        if found is None:
            found = self._shown[key] = self._show(node, entity)
        return found

    def _show(self, node: int, entity: str) -> Readable:
        if node == TRUE:
            return Readable("TRUE", "TRUE", True, "", ())
        # What cannot be named is left out: then the text is weaker than the condition, and not called exact.
        named = self._crossing.diagram.replace(node, self._nameable)
        exact = named == node and not self._of_open_kind(node)
        if named == TRUE:
            return Readable("TRUE", "TRUE", exact, "", ())
        cubes = self._cubes(named, entity)
        if len(cubes) > READABLE:
            cubes = (tuple(self._crossing.diagram.hull(named).items()),)
            exact = False
        shown = self.products(cubes, entity)
        return Readable(shown.text, shown.sql, exact, self._common(cubes, entity), shown.witness)

    def _of_open_kind(self, node: int) -> bool:
        """Whether the condition speaks of values that may be of several kinds, which each database compares its way."""
        labels = self._crossing.diagram.labels
        told = (v for v in self._crossing.diagram.support(node) if isinstance(labels[v], (Own, Partner)))
        return any(self._crossing.regions(v).open for v in told)

    def _cubes(self, node: int, entity: str) -> tuple[Cube, ...]:
        """The condition as products, or more than anyone reads where there are too many to work out."""
        try:
            names = Names(self._crossing, entity)
            return absorbed([self._tidy(cube, names) for cube in self._cover.cubes(node)])
        except TooLargeError:
            return ((),) * (READABLE + 1)

    def products(self, cubes: tuple[Cube, ...], entity: str) -> Readable:
        """The OR of products of value sets on rows of the entity."""
        names = self._names(cubes, entity)
        text = to_text(condition_of(cubes, lambda v, mask: self._literal(v, mask, names)))
        return Readable(text, self._sql(cubes, names), True, "", self._witness(cubes[0], names))

    def _names(self, cubes: tuple[Cube, ...], entity: str) -> Names:
        return Names.telling_apart(self._crossing, entity, ([variable for variable, _ in cube] for cube in cubes))

    def _tidy(self, cube: Cube, names: Names) -> Cube:
        """A product without what says nothing, joins first.

        A partner that need not exist restricts nothing, nor do its attributes; a join says itself that keys are known,
        a comparison that its sides are.
        """
        diagram = self._crossing.diagram
        labels = diagram.labels
        # "T.K IS NOT NULL AND T.K = P.ID" says no more than "T.K = P.ID".
        joins = [label for v, mask in cube if isinstance(label := labels[v], Joined) and mask == YES]
        joined = {label.mapping for label in joins}
        keys = {at.number for one in joins for value, _ in one.pairs for at in variables_of(value)}
        sides = {side for v, mask in cube if not mask & UNKNOWN for side in _sides(labels[v])}
        kept = []
        for variable, mask in cube:
            label = labels[variable]
            if isinstance(label, Atom) and isinstance(label.condition, IsNull):
                known = mask == NO and label.condition.subject in sides
            else:
                known = mask | NULL == diagram.domains[variable] and (variable in keys or Variable(variable) in sides)
            idle = not self._mappings(variable) <= joined
            if not (known or idle or (isinstance(label, Joined) and mask != YES)):
                kept.append((variable, mask))
        return tuple(sorted(kept, key=lambda one: (not isinstance(labels[one[0]], Joined), self._words(one, names))))

    def _words(self, literal: tuple[int, int], names: Names) -> str:
        return to_text(self._literal(*literal, names))

    def _literal(self, variable: int, mask: int, names: Names) -> Condition:
        key = (variable, mask, names.key)
        found = self._literals.get(key)
        if found is None:
            found = self._literals[key] = self._read(variable, mask, names)
        return found

    def _read(self, variable: int, mask: int, names: Names) -> Condition:
        label = self._crossing.diagram.labels[variable]
        if isinstance(label, Atom):
            return rename(atom_condition(label.condition, mask), names)
        if isinstance(label, Joined):
            return self._join(label, names)
        return values_condition(Attr(names(Variable(variable))), mask, self._crossing.regions(variable))

    def _join(self, label: Joined, names: Names) -> Condition:
        pairs: list[Condition] = []
        for value, attribute in label.pairs:
            sides = (rename_expression(value, names), Attr(names.partner(label.mapping, attribute)))
            left, right = sorted(sides, key=lambda side: (isinstance(side, Const), expression_text(side)))
            pairs.append(Compare("=", left, right))
        return conjunction(pairs) if pairs else ALWAYS

    def _sql(self, cubes: tuple[Cube, ...], names: Names) -> str:
        """SQL over the entity: what is said of join partners goes into EXISTS."""
        parts = [self._product_sql(cube, names) for cube in cubes]
        parts = list(dict.fromkeys(parts))
        return parts[0] if len(parts) == 1 else " OR ".join(f"({part})" if " AND " in part else part for part in parts)

    def _product_sql(self, cube: Cube, names: Names) -> str:
        own: list[str] = []
        others: list[Group] = []
        for variable, mask in cube:
            condition = self._literal(variable, mask, names)
            mappings = self._mappings(variable)
            if mappings:
                others = _together(mappings, condition, others)
            else:
                text = to_sql(condition)
                own.append(f"({text})" if isinstance(condition, Or) and len(cube) > 1 else text)
        # All that is said of one partner must hold of the same row of it: one EXISTS.
        for _, conditions in others:
            inner = conjunction(conditions)
            tables = names.tables(attributes_of(inner))
            if tables:
                own.append(f"EXISTS (SELECT 1 FROM {', '.join(tables)} WHERE {to_sql(inner)})")
        return " AND ".join(own) or "TRUE"

    def _mappings(self, variable: int) -> frozenset[str]:
        """The mappings whose join partners a variable speaks of."""
        label = self._crossing.diagram.labels[variable]
        if isinstance(label, (Partner, Joined)):
            return frozenset((label.mapping,))
        if isinstance(label, Atom):
            mentioned = [self._mappings(one.number) for one in variables_of(label.condition)]
            return frozenset().union(*mentioned)
        return frozenset()

    def _nameable(self, variable: int, mask: int) -> int:
        """The condition that a variable lies in a set; if people have no name for it, what can still be said."""
        diagram = self._crossing.diagram
        label = diagram.labels[variable]
        if isinstance(label, Free):
            return TRUE
        if not isinstance(label, Atom):
            return diagram.allow(variable, mask)
        mentioned = [one.number for one in variables_of(label.condition)]
        rest = [one for one in mentioned if not isinstance(diagram.labels[one], Free)]
        if len(rest) == len(mentioned):
            return diagram.allow(variable, mask)
        known = mask == NO if isinstance(label.condition, IsNull) else not mask & UNKNOWN
        found = TRUE
        for one in rest if known else ():
            found = diagram.both(found, diagram.allow(one, ~NULL))
        return found

    def _common(self, cubes: tuple[Cube, ...], entity: str) -> str:
        """The alternatives that ask least: what all rules on the way agree on (seed 6.3.2), for display only."""
        sizes = {len(cube) for cube in cubes}
        if len(sizes) < 2:
            return ""
        least = tuple(cube for cube in cubes if len(cube) == min(sizes))
        names = self._names(cubes, entity)
        return to_text(condition_of(least, lambda v, mask: self._literal(v, mask, names)))

    def _witness(self, cube: Cube, names: Names) -> tuple[tuple[str, str], ...]:
        """An example row: one value for each attribute the first alternative restricts."""
        found = []
        for variable, mask in cube:
            if isinstance(self._crossing.diagram.labels[variable], (Own, Partner)):
                members = self._crossing.regions(variable).members(mask)
                found.append((names(Variable(variable)), sample(members[0]) if members else "NULL"))
        return tuple(found)


Group = tuple[frozenset[str], list[Condition]]


def _together(mappings: frozenset[str], condition: Condition, groups: list[Group]) -> list[Group]:
    """The groups of conditions on partners, one more condition among them; what shares partners stays together."""
    apart = [group for group in groups if not group[0] & mappings]
    shared = [group for group in groups if group[0] & mappings]
    every = mappings.union(*[some for some, _ in shared])
    return [*apart, (every, [*[one for _, conditions in shared for one in conditions], condition])]


def _strict(expression: Expression) -> Iterator[Variable]:
    """The variables without which arithmetic, or a text put together, is NULL."""
    if isinstance(expression, Variable):
        yield expression
    elif isinstance(expression, (Compute, Concat)):
        for part in parts(expression):
            yield from _strict(part)


def _sides(label: Hashable) -> tuple[Expression, ...]:
    """The two sides of an atom that compares, and the values that they are computed from."""
    if not isinstance(label, Atom) or not isinstance(label.condition, Compare):
        return ()
    sides = label.condition.left, label.condition.right
    return (*sides, *(one for side in sides if isinstance(side, (Compute, Concat)) for one in _strict(side)))
