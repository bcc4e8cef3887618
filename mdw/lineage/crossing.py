"""Crossing a mapping backwards: what a condition on target rows asks of the rows of one source entity.

The row of the source entity keeps plain variables, by attribute name and class, so that a copied attribute is the
same variable on every level; attributes of entities joined to it are variables of that mapping's own. A condition is
exact after crossing: substituted through the CASE of each population, joined with the clause's effective IF, the
filter and the join (semantics.md, Lineage).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from copy import copy
from itertools import product

from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.regions import NULL, Regions
from mdw.conditions.terms import NOTHING, UNKNOWN, YES, Atom, Terms, Value, evaluate, variable, variable_of
from mdw.lineage.graph import Graph
from mdw.lineage.universe import Universe
from mdw.lineage.view import Joined, Partner, Row, View, ways
from mdw.model import Attr, Clause, Condition, Head, Policy, Population
from mdw.name import entity_of, local_of
from mdw.rules import aggregates, attributes_of


class Crossing:
    """Carries conditions across mappings within one diagram."""

    def __init__(self, graph: Graph, universe: Universe, diagram: Diagram, policy: Policy | None) -> None:
        self.graph = graph
        self.universe = universe
        self.diagram = diagram
        self.policy = policy
        self.assumed: set[tuple[str, str, str]] = set()
        self.wanted: dict[str, int] = {}
        self._regions: dict[int, Regions] = {}
        self.terms = Terms(diagram, self._regions.__getitem__)
        self._rows: dict[str, int] = {}
        self._views: dict[tuple[str, str, frozenset[str], frozenset[str]], View] = {}
        self._guards: dict[Hashable, int] = {}
        self._cases: dict[Hashable, list[tuple[int, Value]]] = {}
        self._replaced: dict[Hashable, int] = {}
        self._speaking: dict[tuple[str, int], list[int]] = {}
        self._kept: dict[tuple[str, str], dict[int, bool]] = {}
        self._filled = graph.filled

    def within(self, passed: Mapping[int, bool]) -> Crossing:
        """The same, over the steps that have passed only."""
        narrowed = copy(self)
        narrowed.graph = self.graph.within(passed)
        return narrowed

    # -- variables ---------------------------------------------------------------------------------------------

    def row(self, attribute: str) -> int:
        """The variable of an attribute in the row a condition speaks of."""
        found = self._rows.get(attribute)
        if found is None:
            label = Row(local_of(attribute), self.universe.number(attribute))
            found = self._rows[attribute] = self._named(label, attribute)
        return found

    def label(self, variable_: int) -> Hashable:
        """What a variable stands for."""
        return self.diagram.labels[variable_]

    def condition(self, condition: Condition) -> int:
        """A condition on the row of one entity, true part."""
        return self.terms.read(condition, lambda name: variable(self.row(name)))[0]

    def regions(self, variable_: int) -> Regions:
        """The regions of a row or partner variable."""
        return self._regions[variable_]

    def _named(self, label: Hashable, attribute: str) -> int:
        regions = self.universe.regions(attribute)
        found = self.diagram.variable(label, regions.domain)
        self._regions[found] = regions
        return found

    # -- crossing ----------------------------------------------------------------------------------------------

    def back(self, condition: int, population: Population, clause: int, source: str) -> int:
        """The condition on rows of entity ``source`` that let the clause carry a row meeting ``condition``."""
        head = self.graph.heads[population.mapping]
        condition = self._forget(condition, head)
        if not head.joins:
            view = self.plain_view(head, source)
            return self.across(condition, view, self.guard(view, population, clause))
        found = FALSE
        for view in self.views(population, clause, source, condition):
            found = self.diagram.either(found, self.across(condition, view, self.guard(view, population, clause)))
        return found

    def guard(self, view: View, population: Population, clause: int) -> int:
        """When the clause is the one that fills the attribute: filter, joins, its IF and no earlier IF."""
        plain = clause == 0 and population.clauses[0].condition is None
        key = (view.key, None if plain else (population.target, clause))
        found = self._guards.get(key)
        if found is None:
            found = self.diagram.both(self.filtered(view), self.joined(view))
            found = self.diagram.both(found, self.wanted.get(view.source, TRUE))
            if not plain:
                found = self.diagram.both(found, self.effective(view, population, clause))
            self._guards[key] = found
        return found

    def effective(self, view: View, population: Population, clause: int) -> int:
        """The clause's IF and not any earlier one."""
        key = (view.key, population.target, clause, "if")
        found = self._guards.get(key)
        if found is None:
            found = TRUE
            for number, given in enumerate(population.clauses[: clause + 1]):
                true = self._chosen(view, given)
                found = self.diagram.both(found, true if number == clause else self.diagram.negate(true))
            self._guards[key] = found
        return found

    def filtered(self, view: View) -> int:
        """What the mapping's filter asks of the row."""
        condition = view.head.filter
        return TRUE if condition is None else self.terms.read(condition, lambda name: self._value(view, name))[0]

    def joined(self, view: View) -> int:
        """What the joins present ask of the row: known keys and a partner."""
        found = TRUE
        for join in view.present:
            pairs = []
            for left, right in join.on:
                value = self._value(view, left)
                if isinstance(value, Attr):
                    found = self.diagram.both(found, self.diagram.allow(variable_of(value), ~NULL))
                if value is not None:
                    pairs.append((value, left if entity_of(right) == view.source else right))
            known = self.diagram.variable(Joined(view.head.mapping, join.entity, tuple(pairs)), UNKNOWN | YES)
            found = self.diagram.both(found, self.diagram.allow(known, YES))
        return found

    def across(self, condition: int, view: View, guard: int) -> int:
        """The condition after substitution, under a guard."""
        return self.diagram.both(guard, self._replace(condition, view)) if guard else FALSE

    def population(self, head: Head, attribute: str) -> Population | None:
        """The population that fills the attribute in a mapping, if any."""
        return self._filled.get((head.mapping, attribute))

    def views(self, population: Population, clause: int, source: str, condition: int) -> Iterator[View]:
        """The ways a row can come about that matter to a clause and a condition."""
        labels = (self.diagram.labels[variable_] for variable_ in self.diagram.support(condition))
        return self.views_for({local for label in labels for local in _locals(self, label)}, population, clause, source)

    def views_for(self, locals_: Iterable[str], population: Population, clause: int, source: str) -> Iterator[View]:
        """The same for a condition on the named attributes of the target."""
        head = self.graph.heads[population.mapping]
        if not head.joins:
            return iter((self.plain_view(head, source),))
        mentioned = self._mentioned(locals_, head, population, clause)
        return (self._view(head, source, present, missing) for present, missing in ways(head, source, mentioned))

    def every_view(self, head: Head, source: str) -> Iterator[View]:
        """All ways a row of the mapping can come about."""
        every = frozenset(join.entity for join in head.joins)
        return (self._view(head, source, present, missing) for present, missing in ways(head, source, every))

    def plain_view(self, head: Head, source: str) -> View:
        """The one way a row of a mapping without joins comes about."""
        return self._view(head, source, frozenset(), frozenset())

    def copies(self, variable_: int, view: View) -> bool:
        """Whether the mapping copies the variable as it is."""
        label = self.diagram.labels[variable_]
        if isinstance(label, Partner):
            return True
        if not isinstance(label, Row):
            return not any(True for _ in _locals(self, label))
        name = f"{view.head.target}.{label.local}"
        population = self._filled.get((view.head.mapping, name))
        if population and not view.present and len(population.clauses) == 1:
            (clause,) = population.clauses
            if clause.condition is None and isinstance(clause.expression, Attr):
                source = clause.expression.name
                return entity_of(source) == view.source and self.row(source) == variable_
        return self.cases(view, name) == [(TRUE, variable(variable_))]

    def speaking(self, entity: str) -> list[int]:
        """The row variables that conditions can mean on rows of an entity."""
        found = self._speaking.get((entity, len(self.diagram.labels)))
        if found is None:
            found = []
            for number, label in enumerate(self.diagram.labels):
                if isinstance(label, Row) and self.universe.number(f"{entity}.{label.local}") == label.number:
                    found.append(number)
            self._speaking[entity, len(self.diagram.labels)] = found
        return found

    def cases(self, view: View, attribute: str) -> list[tuple[int, Value]]:
        """What the mapping puts into a target attribute: values with the conditions under which each is chosen."""
        key = (view.key, attribute)
        found = self._cases.get(key)
        if found is None:
            found = self._cases[key] = list(self._case(view, attribute))
        return found

    def _case(self, view: View, attribute: str) -> Iterator[tuple[int, Value]]:
        population = self._filled.get((view.head.mapping, attribute))
        if population is None:
            yield TRUE, self._unpopulated(view, attribute)
            return
        if any(aggregates(clause.expression) for clause in population.clauses):
            yield TRUE, None  # which clause fills the attribute is another row's affair too
            return
        left = TRUE
        for clause in population.clauses:
            true = self._chosen(view, clause)
            guard = self.diagram.both(left, true)
            if guard:
                yield guard, self._given(view, clause)
            left = self.diagram.both(left, self.diagram.negate(true))
        if left:
            yield left, NOTHING

    def _chosen(self, view: View, clause: Clause) -> int:
        if clause.condition is None:
            return TRUE
        return self.terms.read(clause.condition, lambda name: self._value(view, name))[0]

    def _given(self, view: View, clause: Clause) -> Value:
        return evaluate(clause.expression, lambda name: self._value(view, name))

    def _unpopulated(self, view: View, attribute: str) -> Value:
        head = view.head
        carried = f"{head.driving}.{local_of(attribute)}"
        policy = self.policy or "carry"
        if head.update:
            return self._value(view, carried)
        if policy == "closed":
            return NOTHING
        if policy == "carry" and (carried, attribute) in self.graph.candidates.carried:
            self.assumed.add((head.mapping, attribute, carried))
            return self._value(view, carried)
        return None

    # -- ways a row comes about --------------------------------------------------------------------------------

    def _mentioned(self, locals_: Iterable[str], head: Head, population: Population, clause: int) -> frozenset[str]:
        """The joined entities that matter: those whose attributes the rules on the way mention."""
        names = list(attributes_of(head.filter)) if head.filter else []
        rows = [(population, clause + 1)]
        for local in locals_:
            filled = self._filled.get((head.mapping, f"{head.target}.{local}"))
            if filled:
                rows.append((filled, len(filled.clauses)))
        for filled, count in rows:
            for given in filled.clauses[:count]:
                names += [source.attribute for source in given.sources]
        return frozenset(entity_of(name) for name in names)

    def _view(self, head: Head, source: str, present: frozenset[str], missing: frozenset[str]) -> View:
        key = (head.mapping, source, present, missing)
        found = self._views.get(key)
        if found is None:
            joins = tuple(join for join in head.joins if join.entity in present)
            found = self._views[key] = View(head, source, joins, missing)
        return found

    def _value(self, view: View, name: str) -> Value:
        """An attribute of a mapping's row as the view sees it."""
        entity = entity_of(name)
        if entity in view.missing:
            return NOTHING
        if view.present:
            name = view.merged.get(name, name)
            entity = entity_of(name)
        if entity == view.source:
            return variable(self.row(name))
        head = view.head
        if entity == head.driving or any(join.entity == entity for join in view.present):
            return variable(self._named(Partner(head.mapping, name), name))
        return None

    # -- substitution ------------------------------------------------------------------------------------------

    def _replace(self, condition: int, view: View) -> int:
        """The condition with every attribute of the target row replaced by what the mapping puts there."""
        if condition <= TRUE:
            return condition
        head = view.head
        kept = self._kept.setdefault((head.mapping, view.source), {}) if not head.joins else {}
        changed = False
        for variable_ in self.diagram.support(condition):
            same = kept.get(variable_)
            if same is None:
                same = kept[variable_] = self.copies(variable_, view)
            changed |= not same
        if not changed:
            return condition
        key = (condition, view.key)
        found = self._replaced.get(key)
        if found is None:
            found = self.diagram.replace(condition, lambda v, mask: self._put(v, mask, view))
            self._replaced[key] = found
        return found

    def _put(self, variable_: int, mask: int, view: View) -> int:
        label = self.diagram.labels[variable_]
        diagram = self.diagram
        if isinstance(label, Row):
            regions = self.regions(variable_)
            found = FALSE
            for guard, value in self.cases(view, f"{view.head.target}.{label.local}"):
                found = diagram.either(found, diagram.both(guard, self.terms.lies_in(value, mask, regions)))
            return found
        if isinstance(label, Atom):
            return self._put_atom(label, mask, view)
        if isinstance(label, Joined):
            return self._put_joined(label, mask, view)
        return diagram.allow(variable_, mask)

    def _put_atom(self, atom: Atom, mask: int, view: View) -> int:
        diagram = self.diagram
        found = FALSE
        for guard, lookup in self._combinations(attributes_of(atom.condition), view):
            part = self.terms.holds(atom.condition, mask, lookup.__getitem__)
            found = diagram.either(found, diagram.both(guard, part))
        return found

    def _put_joined(self, label: Joined, mask: int, view: View) -> int:
        found = FALSE
        names = [name for value, _ in label.pairs for name in attributes_of(value)]
        for guard, lookup in self._combinations(names, view):
            pairs = []
            for value, attribute in label.pairs:
                put = evaluate(value, lambda name, put=lookup: put[name])  # type: ignore[misc]
                if put is not None:
                    pairs.append((put, attribute))
            known = self.diagram.variable(Joined(label.mapping, label.entity, tuple(pairs)), UNKNOWN | YES)
            found = self.diagram.either(found, self.diagram.both(guard, self.diagram.allow(known, mask)))
        return found

    def _combinations(self, names: Iterable[str], view: View) -> Iterator[tuple[int, dict[str, Value]]]:
        """Every combination of values the named variables can take, with its guard."""
        every = list(dict.fromkeys(names))
        options: list[list[tuple[int, Value]]] = []
        for name in every:
            label = self.diagram.labels[int(name[1:])]
            if isinstance(label, Row):
                options.append(self.cases(view, f"{view.head.target}.{label.local}"))
            else:
                options.append([(TRUE, Attr(name))])
        for choice in product(*options):
            guard = TRUE
            for part, _ in choice:
                guard = self.diagram.both(guard, part)
            if guard:
                yield guard, {name: value for name, (_, value) in zip(every, choice, strict=True)}

    def _forget(self, condition: int, head: Head) -> int:
        """Drop what is known of rows this mapping joined before: crossing it again joins other rows."""
        if not head.joins or condition <= TRUE:
            return condition
        return self.diagram.exists(condition, lambda v: _belongs(self, self.diagram.labels[v], head.mapping))


def _locals(crossing: Crossing, label: Hashable) -> Iterator[str]:
    """Names of the row attributes a variable depends on."""
    if isinstance(label, Row):
        yield label.local
        return
    names: Iterable[str] = ()
    if isinstance(label, Atom):
        names = attributes_of(label.condition)
    elif isinstance(label, Joined):
        names = (name for value, _ in label.pairs for name in attributes_of(value))
    for name in names:
        inner = crossing.label(int(name[1:]))
        if isinstance(inner, Row):
            yield inner.local


def _belongs(crossing: Crossing, label: Hashable, mapping: str) -> bool:
    if isinstance(label, (Partner, Joined)):
        return label.mapping == mapping
    if isinstance(label, Atom):
        names = attributes_of(label.condition)
        return any(_belongs(crossing, crossing.label(int(name[1:])), mapping) for name in names)
    return False
