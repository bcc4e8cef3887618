"""Steps crossed with only some of their rules in force.

Out of force means: a question, filter or IF is TRUE; the rows joined are any that exist; an attribute filled by more
than a copy may be anything. Copies, types and arithmetic always hold.

    T FROM S: T.R WITH "US", T.N WITH S.N, SELECT ROWS WHERE S.K = 1      crossed by  R = "EU" AND N = 5

With all rules in force no row passes. Without the population of R it is S.K = 1 AND S.N = 5, without the filter too
S.N = 5: that N is copied needs no rule.
"""

from __future__ import annotations

from dataclasses import replace

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.reasons.rule import ClauseRule, FilterRule, JoinRule, PopulationRule, QuestionRule, Rule
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Part, RowView
from mdw.lineage.steps.graph import Edge
from mdw.model.rules import Population

Rules = frozenset[Rule]
QUESTION = QuestionRule()


class Force:
    """Carries conditions backwards across the steps of one graph; what it has carried once it remembers.

    ``effort`` counts the crossings worked out.
    """

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.effort = 0
        self._spoken = frozenset(crossing.universe.known())
        self._writing: dict[str, tuple[Population, ...]] = {}
        self._rules: dict[int, Rules] = {}
        self._existing: dict[int, dict[Part, Rule]] = {}
        self._binding: dict[tuple[int, Rules], Rules] = {}
        self._crossed: dict[tuple[int, int, Rules], int] = {}
        self._plain: dict[tuple[int, Rules], tuple[RowView, int]] = {}

    def rules(self, edge: Edge) -> Rules:
        """All rules that crossing the step may ask for, but for the question."""
        found = self._rules.get(edge.number)
        if found is None:
            found = self._rules[edge.number] = frozenset((*self.own(edge), *self._beside(edge).values()))
        return found

    def back(self, condition: int, edge: Edge, rules: Rules) -> int:
        """The condition on rows of the step's source with only these rules in force; 0 if no row passes."""
        # Sets of rules differ by what other mappings say, which is nothing to this step: what is left is often known.
        binding = self._binding.get((edge.number, rules))
        if binding is None:
            binding = self._binding[edge.number, rules] = rules & self.rules(edge) | rules & {QUESTION}
        key = (condition, edge.number, binding)
        found = self._crossed.get(key)
        if found is None:
            self.effort += 1
            found = self._crossed[key] = self._carry(condition, edge, binding)
        return found

    def writing(self, mapping: str) -> tuple[Population, ...]:
        """Populations of the mapping that do more than copy, for attributes that conditions speak of."""
        found = self._writing.get(mapping)
        if found is None:
            graph = self.crossing.graph
            filled = sorted(graph.filled[mapping].items())
            copied = graph.copied[mapping]
            found = tuple(one for name, one in filled if name in self._spoken and name not in copied)
            self._writing[mapping] = found
        return found

    def own(self, edge: Edge) -> list[Rule]:
        """Those of the step's own mapping; the others make rows that it joins."""
        head = self.crossing.graph.heads[edge.population.mapping]
        found: list[Rule] = [PopulationRule(head.mapping, one.target) for one in self.writing(head.mapping)]
        if edge.clause or edge.population.clauses[edge.clause].condition is not None or edge.test is not None:
            found.append(ClauseRule(head.mapping, edge.target, edge.clause, edge.test))
        if head.filter is not None or head.having is not None:
            found.append(FilterRule(head.mapping))
        if head.joins:
            found.append(JoinRule(head.mapping))
        return found

    def _beside(self, edge: Edge) -> dict[Part, Rule]:
        found = self._existing.get(edge.number)
        if found is None:
            found = self._existing[edge.number] = beside(self.crossing, edge)
        return found

    def _carry(self, condition: int, edge: Edge, rules: Rules) -> int:
        crossing, population = self.crossing, edge.population
        head = crossing.graph.heads[population.mapping]
        condition = crossing.forget(condition, head)
        if crossing.alone(edge):
            # Without joins a row comes about in one way, whatever the condition.
            plain = self._plain.get((edge.number, rules))
            if plain is None:
                view = crossing.plain_view(edge)
                plain = self._plain[edge.number, rules] = self._bound(view, edge, rules)
            return crossing.across(condition, *plain)
        found = FALSE
        for view in crossing.views(edge, condition):
            found = crossing.diagram.either(found, crossing.across(condition, *self._bound(view, edge, rules)))
        return found

    def _bound(self, every: RowView, edge: Edge, rules: Rules) -> tuple[RowView, int]:
        """The view with only these rules in force, and what they ask of a row that comes about so."""
        crossing, diagram = self.crossing, self.crossing.diagram
        mapping, population = edge.population.mapping, edge.population
        head = every.head
        free = frozenset(
            one.target for one in self.writing(mapping) if PopulationRule(mapping, one.target) not in rules
        )
        joined = JoinRule(mapping) in rules
        bounding = self._beside(edge) if head.joins else {}
        off = frozenset(part for part, rule in bounding.items() if rule not in rules)
        # Filter and joins bind other rows of the group too: without one of them these may be any.
        bound = FilterRule(mapping) in rules and (joined or not head.joins)
        view = replace(every, joined=every.joined and (joined or not every.present), free=free, off=off, bound=bound)
        guard = crossing.asked_of(view) if QUESTION in rules else TRUE
        if FilterRule(mapping) in rules:
            guard = diagram.both(guard, crossing.filtered(view))
        if joined:
            guard = diagram.both(guard, crossing.joined(view))
        if ClauseRule(mapping, edge.target, edge.clause, edge.test) in rules:
            guard = diagram.both(guard, crossing.effective(view, population, edge.clause))
        return view, guard


def beside(crossing: Crossing, edge: Edge) -> dict[Part, Rule]:
    """The rules that make the rows beside the step's own, by what they are parts of: such rows must exist."""
    head = crossing.graph.heads[edge.population.mapping]
    entities = {head.row: head.driving, **{join.row: join.entity for join in head.joins}}
    others = dict.fromkeys(entity for row, entity in entities.items() if row != edge.row)
    return {part: _rule_of(part) for entity in others for part in sorted(crossing.existing.parts(entity))}


def _rule_of(part: Part) -> Rule:
    match part:
        case ("filter", mapping, _):
            return FilterRule(mapping)
        case ("join", mapping, _):
            return JoinRule(mapping)
        case (_, mapping, target):
            return PopulationRule(mapping, target)
