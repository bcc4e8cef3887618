"""Why a step was dropped: a smallest set of rules on a way to the question that contradict each other.

On each way the rules are taken out one by one; those whose absence would let a row pass stay (a minimal
unsatisfiable core by deletion). A step reached over several ways is explained for a few of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Row
from mdw.lineage.steps.graph import Edge, all_of
from mdw.model.answers.answer import Reason
from mdw.model.rules import Head, Population
from mdw.model.text import expression_text
from mdw.model.tree import Location

WAYS = 4
"""Ways to a dropped step that are explained."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule on a way: ``what`` is "if", "filter", "when" or the target attribute a population decides."""

    mapping: str
    what: str
    clause: int = 0


@dataclass(frozen=True, slots=True)
class Asked:
    """Which kinds of rules of one step are in force."""

    clause: bool
    filter: bool
    join: bool
    when: bool


class Explainer:
    """Finds the contradicting rules for dropped steps of one answer."""

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
        self._crossed: dict[tuple[int, int, frozenset[str], Asked], int] = {}
        self._known: dict[tuple[str, str, str, int], tuple[Reason, ...]] = {}

    def because(self, edge: Edge, asked: str) -> tuple[Reason, ...]:
        """The rules that contradict, the dropped step's own first."""
        head = self._crossing.graph.heads[edge.population.mapping]
        clause = edge.population.clauses[edge.clause]
        beyond = edge.source if self._forward else edge.row
        plain = clause.condition is None and edge.clause == 0
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
        kept = set(rules)
        if self._passes(way, kept):
            dropped = way[0] if self._forward else way[-1]
            return [rule for rule in rules if rule.mapping == dropped.population.mapping]
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
                found.setdefault(Rule(head.mapping, "if:" + edge.target, edge.clause))
            if head.filter is not None:
                found.setdefault(Rule(head.mapping, "filter"))
            if head.joins:
                found.setdefault(Rule(head.mapping, "join"))
            for population in self._deciding(head):
                found.setdefault(Rule(head.mapping, population.target))
        if self._when:
            found.setdefault(Rule("", "when"))
        return list(found)

    def _deciding(self, head: Head) -> list[Population]:
        """Populations of the mapping that do more than copy, for attributes that conditions speak of."""
        found = self._populations.get(head.mapping)
        if found is None:
            labels = self._crossing.diagram.labels
            named = {f"{head.target}.{label.local}" for label in labels if isinstance(label, Row)}
            every = [self._crossing.population(head, name) for name in sorted(named)]
            copied = self._crossing.graph.copied[head.mapping]
            found = self._populations[head.mapping] = [one for one in every if one and one.target not in copied]
        return found

    def _passes(self, way: list[Edge], rules: set[Rule]) -> bool:
        asked = self._initial if Rule("", "when") in rules else TRUE
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
        mapping = edge.population.mapping
        free = frozenset(p.target for p in self._deciding(self._head(edge)) if Rule(mapping, p.target) not in rules)
        asked = Asked(
            clause=Rule(mapping, "if:" + edge.target, edge.clause) in rules,
            filter=Rule(mapping, "filter") in rules,
            join=Rule(mapping, "join") in rules,
            when=Rule("", "when") in rules,
        )
        key = (condition, edge.number, free, asked)
        found = self._crossed.get(key)
        if found is None:
            found = self._crossed[key] = self._carry(condition, edge, free, asked)
        return found

    def _carry(self, condition: int, edge: Edge, free: frozenset[str], asked: Asked) -> int:
        crossing, diagram = self._crossing, self._crossing.diagram
        if free:
            gone = {crossing.row(name).number for name in free}
            condition = diagram.exists(condition, lambda v: v in gone)
        found = FALSE
        for view in crossing.views(edge.population, edge.clause, edge.row, condition):
            guard = crossing.effective(view, edge.population, edge.clause) if asked.clause else TRUE
            if asked.filter:
                guard = diagram.both(guard, crossing.filtered(view))
            if asked.join:
                guard = diagram.both(guard, crossing.joined(view))
            if asked.when:
                guard = diagram.both(guard, crossing.wanted.get(view.source, TRUE))
            found = diagram.either(found, crossing.across(condition, view, guard))
        return found

    def _head(self, edge: Edge) -> Head:
        return self._crossing.graph.heads[edge.population.mapping]

    def _reason(self, rule: Rule, way: list[Edge]) -> Reason:
        if rule.what == "when":
            return Reason("", self._when, None)
        head = self._crossing.graph.heads[rule.mapping]
        if rule.what == "filter":
            return Reason(rule.mapping, head.filter_text, Location(head.file, head.filter_line, 1))
        if rule.what == "join":
            text = " AND ".join(join.text for join in head.joins)
            return Reason(rule.mapping, text, Location(head.file, head.joins[0].line, 1))
        if rule.what.startswith("if:"):
            edge = next(e for e in way if e.population.mapping == rule.mapping and e.target == rule.what[3:])
            return self._if_reason(edge)
        population = self._crossing.population(head, rule.what)
        assert population is not None
        return Reason(rule.mapping, population_text(population), _place(head, population, 0))

    def _if_reason(self, edge: Edge) -> Reason:
        head = self._crossing.graph.heads[edge.population.mapping]
        clauses = edge.population.clauses[: edge.clause + 1]
        texts = [f"NOT ({clause.text})" for clause in clauses[:-1] if clause.text]
        texts += [clauses[-1].text] if clauses[-1].text else []
        return Reason(head.mapping, all_of(texts), _place(head, edge.population, edge.clause))


def population_text(population: Population) -> str:
    """What fills an attribute, on one line."""
    parts = [
        f"WITH {expression_text(clause.expression)}" + (f" IF {clause.text}" if clause.text else "")
        for clause in population.clauses
    ]
    return f"{population.target} " + " ".join(parts)


def _place(head: Head, population: Population, clause: int) -> Location:
    given = population.clauses[clause]
    return Location(head.file, given.line, given.column)
