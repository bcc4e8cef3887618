"""Why a step was dropped: a smallest set of rules on a way to the question that contradict each other.

On each way the rules are taken out one by one; those whose absence would let a row pass stay (a minimal
unsatisfiable core by deletion). A step reached over several ways is explained for a few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.judge.rule import (
    ClauseRule,
    FilterRule,
    JoinRule,
    PopulationRule,
    QuestionRule,
    Rule,
    clause_reason,
    filter_reason,
    join_reason,
    population_reason,
)
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Own
from mdw.lineage.steps.graph import Edge
from mdw.model.answers.answer import Reason
from mdw.model.rules import Head, Population

WAYS = 4
"""Ways to a dropped step that are explained."""


@dataclass(frozen=True, slots=True)
class InForce:
    """Which rules are in force where one step is crossed; of ``free`` attributes of the target row nothing is said."""

    question: bool
    clause: bool
    filter: bool
    join: bool
    free: frozenset[str]


class Explainer:
    """Finds the contradicting rules for dropped steps of one answer.

    Cost: for each way explained every rule on it is left out once, and the whole way crossed again; crossings under the
    same rules are remembered.
    """

    def __init__(
        self,
        crossing: Crossing,
        initial: int,
        when: str,
        passed: Mapping[int, object],
        possible: Callable[[int], bool],
        *,
        forward: bool = False,
    ) -> None:
        self._crossing = crossing
        self._initial = initial
        self._when = when
        self._possible = possible
        self._forward = forward
        self._reaching: dict[str, list[Edge]] = {}
        for edges in crossing.graph.incoming.values():
            for edge in edges:
                if passed.get(edge.number):
                    self._reaching.setdefault(self._outer(edge), []).append(edge)
        self._nearest: dict[str, Edge] = {}
        self._populations: dict[str, list[Population]] = {}
        self._crossed: dict[tuple[int, int, InForce], int] = {}
        self._known: dict[tuple[str, str, str, int], tuple[Reason, ...]] = {}

    def because(self, edge: Edge, asked: str) -> tuple[Reason, ...]:
        """The rules that contradict, the dropped step's own first."""
        head = self._crossing.graph.heads[edge.population.mapping]
        clause = edge.population.clauses[edge.clause]
        beyond = edge.source if self._forward else edge.row
        plain = clause.condition is None and edge.clause == 0
        # Steps of one mapping that differ by source only are dropped for the same reason.
        key = (edge.target, head.mapping, beyond, 0 if plain else edge.clause + 1)
        found = self._known.get(key)
        if found is None:
            reasons: dict[Reason, None] = {}
            for way in self._ways(edge, asked):
                for rule in self._core(way):
                    reasons.setdefault(self._reason(rule, way))
            found = self._known[key] = tuple(reasons)
        return found

    def _outer(self, edge: Edge) -> str:
        """The end of a step that lies further from the asked attribute."""
        return edge.target if self._forward else edge.source

    def _inner(self, edge: Edge) -> str:
        """The end of a step that lies nearer to the asked attribute."""
        return edge.source if self._forward else edge.target

    def _ways(self, edge: Edge, asked: str) -> list[list[Edge]]:
        """Ways between the step and the asked attribute, each as the edges crossed, the target end first."""
        start = self._inner(edge)
        if start == asked:
            return [[edge]]
        toward = self._toward(asked)
        found = []
        for last in self._reaching.get(start, ())[:WAYS]:
            way = [edge, last]
            while (at := self._inner(way[-1])) != asked and at in toward:
                way.append(toward[at])
            if at == asked:
                found.append(way if self._forward else way[::-1])
        return found

    def _toward(self, asked: str) -> dict[str, Edge]:
        """For every attribute rows pass, the first step of a shortest way to the asked one."""
        if not self._nearest:
            leaving: dict[str, list[Edge]] = {}
            for edges in self._reaching.values():
                for edge in edges:
                    leaving.setdefault(self._inner(edge), []).append(edge)
            # Breadth first: the first step found from an attribute begins a shortest way. The list grows as it is read.
            pending = [asked]
            for at in pending:
                for edge in leaving.get(at, ()):
                    if self._outer(edge) not in self._nearest and self._outer(edge) != asked:
                        self._nearest[self._outer(edge)] = edge
                        pending.append(self._outer(edge))
        return self._nearest

    def _core(self, way: list[Edge]) -> list[Rule]:
        """A minimal set of rules under which nothing passes the way, nearest to the dropped step first."""
        rules = self._rules(way)
        # Where the way by itself would pass, its rules do not decide; those of the step's own mapping are told.
        kept = set(rules)
        if self._passes(way, kept):
            dropped = way[0] if self._forward else way[-1]
            mapping = dropped.population.mapping
            return [rule for rule in rules if not isinstance(rule, QuestionRule) and rule.mapping == mapping]
        # Far ones are tried first, so that what stays is near the dropped step where there is a choice.
        for rule in reversed(rules):
            kept.discard(rule)
            if self._passes(way, kept):
                kept.add(rule)
        return [rule for rule in rules if rule in kept]

    def _rules(self, way: list[Edge]) -> list[Rule]:
        """The rules on the way, the dropped step's first."""
        found: dict[Rule, None] = {}
        for edge in way if self._forward else reversed(way):
            head = self._crossing.graph.heads[edge.population.mapping]
            clause = edge.population.clauses[edge.clause]
            if clause.condition is not None or edge.clause:
                found.setdefault(ClauseRule(head.mapping, edge.target, edge.clause))
            if head.filter is not None:
                found.setdefault(FilterRule(head.mapping))
            if head.joins:
                found.setdefault(JoinRule(head.mapping))
            for population in self._deciding(head):
                found.setdefault(PopulationRule(head.mapping, population.target))
        if self._when:
            found.setdefault(QuestionRule())
        return list(found)

    def _deciding(self, head: Head) -> list[Population]:
        """Populations of the mapping that do more than copy, for attributes that conditions speak of."""
        found = self._populations.get(head.mapping)
        if found is None:
            labels = self._crossing.diagram.labels
            named = {f"{head.target}.{label.local}" for label in labels if isinstance(label, Own)}
            every = [self._crossing.population(head, name) for name in sorted(named)]
            copied = self._crossing.graph.copied[head.mapping]
            found = self._populations[head.mapping] = [one for one in every if one and one.target not in copied]
        return found

    def _passes(self, way: list[Edge], rules: set[Rule]) -> bool:
        asked = self._initial if QuestionRule() in rules else TRUE
        condition = TRUE if self._forward else asked
        for edge in way:
            condition = self._cross(condition, edge, rules)
            if condition == FALSE:
                return False
        if self._forward:
            condition = self._crossing.diagram.both(condition, asked)
        if condition == FALSE:
            return False
        return condition == TRUE or self._possible(condition)

    def _cross(self, condition: int, edge: Edge, rules: set[Rule]) -> int:
        """Carry the condition across one step with only the given rules in force."""
        mapping, deciding = edge.population.mapping, self._deciding(self._head(edge))
        force = InForce(
            question=QuestionRule() in rules,
            clause=ClauseRule(mapping, edge.target, edge.clause) in rules,
            filter=FilterRule(mapping) in rules,
            join=JoinRule(mapping) in rules,
            free=frozenset(one.target for one in deciding if PopulationRule(mapping, one.target) not in rules),
        )
        key = (condition, edge.number, force)
        found = self._crossed.get(key)
        if found is None:
            found = self._crossed[key] = self._carry(condition, edge, force)
        return found

    def _carry(self, condition: int, edge: Edge, force: InForce) -> int:
        crossing, diagram = self._crossing, self._crossing.diagram
        # A population out of force: its attribute may be anything, so nothing that was asked of it holds.
        if force.free:
            gone = {crossing.row(name).number for name in force.free}
            condition = diagram.exists(condition, lambda v: v in gone)
        found = FALSE
        for view in crossing.views(edge.population, edge.clause, edge.row, condition):
            guard = crossing.effective(view, edge.population, edge.clause) if force.clause else TRUE
            if force.filter:
                guard = diagram.both(guard, crossing.filtered(view))
            if force.join:
                guard = diagram.both(guard, crossing.joined(view))
            if force.question:
                guard = diagram.both(guard, crossing.wanted.get(view.source, TRUE))
            found = diagram.either(found, crossing.across(condition, view, guard))
        return found

    def _head(self, edge: Edge) -> Head:
        return self._crossing.graph.heads[edge.population.mapping]

    def _reason(self, rule: Rule, way: list[Edge]) -> Reason:
        """The rule as the answer tells it."""
        if isinstance(rule, QuestionRule):
            return Reason("", self._when, None)
        head = self._crossing.graph.heads[rule.mapping]
        match rule:
            case FilterRule():
                return filter_reason(head)
            case JoinRule():
                return join_reason(head)
            case ClauseRule(mapping, target, _):
                edge = next(one for one in way if one.population.mapping == mapping and one.target == target)
                return clause_reason(head, edge)
            case PopulationRule(_, target):
                population = self._crossing.population(head, target)
                assert population is not None
                return population_reason(head, population)
