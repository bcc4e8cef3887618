"""A contradiction as a chain: a rule, what is copied on from there, the next rule, what contradicts in the end.

It goes the way rows go, from the source to the question. In `mdw.lineage.reasons` nothing is copied between the two
rules; with one mapping more between them it would be:

    rule           us    REGION = "US"                     writes it into CORE.B.REGION
    copy           mart  CORE.B.REGION into MART.C.REGION
    rule                 REGION = "EU"                     is asked of MART.C
    contradiction        REGION = "US" and REGION = "EU"

Of a rule only that part is told which matters, what it asks of the attribute copied. A rule of many parts implies it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.products import hull
from mdw.conditions.regions import NULL
from mdw.conditions.values import Symbol, Value
from mdw.conditions.wording import values_condition
from mdw.lineage.reasons.flow import At, Copied, Flow, seen
from mdw.lineage.reasons.force import beside
from mdw.lineage.reasons.rule import ClauseRule, FilterRule, JoinRule, PopulationRule, QuestionRule, Rule, reason_of
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge
from mdw.lineage.steps.question import Question
from mdw.model.answers.reasons import Link
from mdw.model.expressions import And, Attr, Condition, Const
from mdw.model.name import entity_of_row, local_of, row_of
from mdw.model.rules import Clause, Population
from mdw.model.text import to_text
from mdw.model.tree import Location
from mdw.model.walks import attributes_of

TOGETHER = "no row can meet all of these"


class Clash(NamedTuple):
    """Two rules that let no value of one attribute through: where each speaks of it, and what is copied between."""

    first: Rule
    last: Rule
    start: At
    copies: tuple[Copied, ...]
    end: At


@dataclass(frozen=True)
class Chains:
    """Follows contradictions of one answer; ``forward``: of an impact, whose question is about the first row."""

    crossing: Crossing
    question: Question
    forward: bool
    possible: Callable[[int], bool]

    def links(self, rules: Iterable[Rule], way: Sequence[Edge]) -> tuple[Link, ...]:
        """The chain of the rules of one way; the way is given from the question's end on."""
        edges = tuple(way)[::-1]
        placed = [(self._row(rule, edges), rule) for rule in rules]
        placed.sort(key=lambda one: (*self._order(one[0], one[1], edges), repr(one[1])))
        flow = Flow(self.crossing.graph, edges, tuple(placed))
        clash = self._clash(flow)
        between = self._between(flow)
        copies = clash.copies if clash else [one for _, _, path in between for one in path]
        met = {at for start, end, _ in between for at in (start, end)}
        told = [(self._order(row, rule, edges), self._rule(rule, row, copies, clash, met)) for row, rule in placed]
        # What a join makes equal is within one row: nothing is copied there, and the join is a rule of its own.
        told += [((one.source.row, 2), self._copy(one)) for one in copies if one.source.row < one.target.row]
        if [rule for _, rule in placed] == [QuestionRule()]:
            return self._against_itself()
        # Two rules that contradict each other say it all; of others who reads them must know where a NULL comes from.
        told += [] if clash else [((one.row - 1, 3), self._left(one, edges)) for one in self._unfilled(placed, edges)]
        told.sort(key=lambda one: one[0])
        links = dict.fromkeys(link for _, link in told)
        return (*links, Link("contradiction", "", self._contradiction(clash), None))

    def _unfilled(self, placed: Iterable[tuple[int, Rule]], edges: Sequence[Edge]) -> Iterable[At]:
        """The attributes that rules speak of and that the mapping which makes their row leaves NULL."""
        graph, found = self.crossing.graph, dict[At, None]()
        for row, rule in placed:
            spoken = self._spoken(rule, row, edges)
            if isinstance(rule, PopulationRule) and not self._making(rule, edges):
                clauses = graph.filled[rule.mapping][rule.target].clauses
                items = [item for one in clauses for item in (one.expression, one.condition) if item is not None]
                spoken = [At(row - 1, seen(edges[row - 1], name)) for item in items for name in attributes_of(item)]
            for at in spoken:
                if at.row and self._leaves(edges[at.row - 1], at.attribute):
                    found[at] = None
        return found

    def _leaves(self, edge: Edge, attribute: str) -> bool:
        """Whether a step's mapping leaves an attribute of the row that it makes NULL."""
        head = self.crossing.graph.heads[edge.population.mapping]
        closed = (head.policy or self.question.policy) == "closed" and not head.update and edge.keys is None
        if not closed or not head.closes(attribute) or row_of(attribute) != head.target:
            return False
        return attribute not in self.crossing.graph.filled[head.mapping]

    def _left(self, at: At, edges: Sequence[Edge]) -> Link:
        head = self.crossing.graph.heads[edges[at.row - 1].population.mapping]
        return Link("left", head.mapping, f"{at.attribute} IS NULL", Location(head.file, head.line, 1), at.attribute)

    def _against_itself(self) -> tuple[Link, ...]:
        """Of a question that no row can meet the parts that contradict one another."""
        given = self.question.condition
        parts = given.parts if isinstance(given, And) else (given,) if given else ()
        # What contradicts without a part does not need it.
        for part in parts:
            rest = tuple(one for one in parts if one != part)
            if rest and not self._meets(And(rest)):
                parts = rest
        told = " and ".join(map(to_text, parts))
        return Link("rule", "", told, None), Link("contradiction", "", told, None)

    def _meets(self, condition: Condition) -> bool:
        """Whether some rows may meet a condition, for each entity that it speaks of a row of its own."""
        of: dict[str, list[Condition]] = {}
        for part in condition.parts if isinstance(condition, And) else (condition,):
            of.setdefault(next((row_of(name) for name in attributes_of(part)), ""), []).append(part)
        nodes = [self.crossing.condition(And(tuple(some))) for some in of.values()]
        return all(node == TRUE or (node != FALSE and self.possible(node)) for node in nodes)

    # -- where rules stand ---------------------------------------------------------------------------------------

    def _row(self, rule: Rule, edges: Sequence[Edge]) -> int:
        """The row a rule speaks of: of a population the one it fills, of one that makes rows beside the one joined."""
        if isinstance(rule, QuestionRule):
            return 0 if self.forward else len(edges)
        if self._making(rule, edges):
            return next(row for row, edge in enumerate(edges) if rule in beside(self.crossing, edge).values())
        row = next(row for row, edge in enumerate(edges) if edge.population.mapping == rule.mapping)
        return row + isinstance(rule, PopulationRule)

    def _making(self, rule: Rule, edges: Sequence[Edge]) -> bool:
        """Whether a rule is of no mapping of the way: it makes rows that are joined on it."""
        return not isinstance(rule, QuestionRule) and all(edge.population.mapping != rule.mapping for edge in edges)

    def _order(self, row: int, rule: Rule, edges: Sequence[Edge]) -> tuple[int, int]:
        """What makes rows joined comes first; what is asked of a row comes before what is copied from it or written."""
        if self._making(rule, edges):
            return row, 0
        return (row - 1, 3) if isinstance(rule, PopulationRule) else (row, 1)

    def _spoken(self, rule: Rule, row: int, edges: Sequence[Edge]) -> list[At]:
        """The attributes a rule speaks of, where it speaks of them."""
        if isinstance(rule, PopulationRule) and not self._making(rule, edges):
            return [At(row, rule.target)]
        if self._making(rule, edges):
            return self._joined_rows(rule, row, edges[row]) if isinstance(rule, PopulationRule) else []
        names = [name for condition in self._conditions(rule) for name in attributes_of(condition)]
        if isinstance(rule, JoinRule):
            joins = self.crossing.graph.heads[rule.mapping].joins
            names += [name for join in joins for pair in join.on for name in pair]
        if not isinstance(rule, QuestionRule):
            return [At(row, seen(edges[row], name)) for name in dict.fromkeys(names)]
        # The question may also be about rows on the way.
        asked = row_of(self.question.attribute)
        found = [At(row, name) for name in dict.fromkeys(names) if row_of(name) == asked]
        for name in dict.fromkeys(names):
            found += [At(at, name) for at, edge in enumerate(edges) if entity_of_row(edge.row) == row_of(name) != asked]
        return found

    def _joined_rows(self, rule: PopulationRule, row: int, edge: Edge) -> list[At]:
        """The attribute that a rule fills in rows beside the step's own."""
        head, local = self.crossing.graph.heads[edge.population.mapping], local_of(rule.target)
        rows = [(head.row, head.driving), *((join.row, join.entity) for join in head.joins)]
        named = [name for name, entity in rows if entity == row_of(rule.target) and name != edge.row]
        return [At(row, seen(edge, f"{name}.{local}")) for name in named]

    # -- what contradicts ----------------------------------------------------------------------------------------

    def _clash(self, flow: Flow) -> Clash | None:
        """Two of the rules that leave one value no choice, if there are.

        ``A < B``, ``B < C`` and ``C < A`` have no two such: then all that is said is that they cannot be met together.
        """
        for row, first in flow.rules:
            for start in self._spoken(first, row, flow.edges):
                reached = flow.reached(start)
                for at, last in flow.rules:
                    if first == last:
                        continue
                    for end in self._spoken(last, at, flow.edges):
                        if end in reached and self._apart(first, start.attribute, last, end.attribute):
                            return Clash(first, last, start, reached[end], end)
        return None

    def _between(self, flow: Flow) -> list[tuple[At, At, tuple[Copied, ...]]]:
        """Where one rule speaks of a value that another speaks of further on, and the copies between."""
        found = []
        for row, first in flow.rules:
            for start in self._spoken(first, row, flow.edges):
                reached = flow.reached(start)
                for at, last in flow.rules:
                    ends = self._spoken(last, at, flow.edges) if first != last else []
                    found += [(start, end, reached[end]) for end in ends if end in reached]
        return found

    def _apart(self, first: Rule, start: str, last: Rule, end: str) -> bool:
        """Whether what one rule leaves to an attribute lies outside of what the other leaves to it further on."""
        one, other = self._values(first, start), self._values(last, end)
        same = self.crossing.universe.number(start) == self.crossing.universe.number(end)
        return same and one is not None and other is not None and not one & other

    def _values(self, rule: Rule, attribute: str) -> int | None:
        """The values a rule leaves to an attribute, None where that cannot be told from the rule alone."""
        variable = self.crossing.row(attribute).number
        regions = self.crossing.regions(variable)
        if isinstance(rule, PopulationRule):
            return self._written(self.crossing.graph.filled[rule.mapping][rule.target], attribute)
        # Told apart from the rows they are of, attributes of two roles would be one.
        if any("@" in name for condition in self._conditions(rule) for name in attributes_of(condition)):
            return None
        node = self._node(rule)
        return None if node <= TRUE else hull(self.crossing.diagram, node).get(variable, regions.domain)

    def _written(self, population: Population, attribute: str) -> int | None:
        regions = self.crossing.regions(self.crossing.row(attribute).number)
        found = NULL if population.clauses[-1].condition is not None else 0
        for clause in population.clauses:
            if not isinstance(clause.expression, Const):
                return None
            found |= regions.bit(clause.expression)
        return found

    def _node(self, rule: Rule) -> int:
        """What a rule asks, as a condition on the attributes it names."""
        diagram, found = self.crossing.diagram, TRUE
        conditions = self._conditions(rule)
        for number, condition in enumerate(conditions):
            true, false = self.crossing.terms.read(condition, self._own)
            passed = diagram.either(false, diagram.negate(true))
            # Of a clause the IFs before its own come first, and are not true. Its test is the last of all.
            earlier = isinstance(rule, ClauseRule) and number < rule.clause
            found = diagram.both(found, passed if earlier else true)
        return found

    def _own(self, symbol: Symbol) -> Value:
        """An attribute by itself, whatever rows it is met in."""
        return self.crossing.row(symbol.name) if isinstance(symbol, Attr) else symbol

    def _conditions(self, rule: Rule) -> list[Condition]:
        match rule:
            case QuestionRule():
                found = [self.question.condition]
            case FilterRule(mapping):
                head = self.crossing.graph.heads[mapping]
                found = [head.filter, head.having]
            case ClauseRule(mapping, target, clause, test):
                clauses: tuple[Clause, ...] = self.crossing.graph.filled[mapping][target].clauses
                found = [*(one.condition for one in clauses[: clause + 1]), test]
            case JoinRule(mapping):
                found = [join.rest for join in self.crossing.graph.heads[mapping].joins]
            case PopulationRule():
                found = []
        return [one for one in found if one is not None]

    # -- as text -------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule, row: int, copies: Iterable[Copied], clash: Clash | None, met: Collection[At]) -> Link:
        """A rule; of one that clashes, only what it asks of the attribute that matters."""
        reason = reason_of(rule, self.crossing.graph, self.question.when)
        if isinstance(rule, PopulationRule):
            return Link("rule", reason.mapping, reason.condition, reason.location, rule.target)
        if clash and rule in (clash.first, clash.last):
            attribute = (clash.start if rule == clash.first else clash.end).attribute
            return Link("rule", reason.mapping, self._text(rule, attribute, attribute), reason.location, attribute)
        if isinstance(rule, JoinRule):
            text = self._joined(rule, copies)
        else:
            text = self._part(rule, {at.attribute for at in met if at.row == row})
        return Link("rule", reason.mapping, text or reason.condition, reason.location)

    def _joined(self, rule: JoinRule, copies: Iterable[Copied]) -> str:
        """The pairs of a join over which values are the same for other rules."""
        used = {frozenset((one.source.attribute, one.target.attribute)) for one in copies}
        pairs = [pair for join in self.crossing.graph.heads[rule.mapping].joins for pair in join.on]
        return " AND ".join(f"{left} = {right}" for left, right in pairs if frozenset((left, right)) in used)

    def _part(self, rule: Rule, met: set[str]) -> str:
        """The parts of a rule that have to do with what other rules speak of, "" where it cannot be taken apart."""
        conditions = self._conditions(rule)
        if len(conditions) != 1 or not isinstance(conditions[0], And):
            return ""
        named, kept = set(met), tuple[Condition, ...]()
        # A part may have to do with them over another part: with BALANCE <= CARD_LIMIT, CARD_LIMIT < 5 matters too.
        while (more := tuple(part for part in conditions[0].parts if named.intersection(attributes_of(part)))) != kept:
            kept = more
            named.update(name for part in kept for name in attributes_of(part))
        return to_text(And(kept) if len(kept) > 1 else kept[0]) if kept else ""

    def _copy(self, copied: Copied) -> Link:
        head = self.crossing.graph.heads[copied.edge.population.mapping]
        population = self.crossing.graph.filled[head.mapping].get(copied.target.attribute)
        line, column = (population.clauses[0].line, population.clauses[0].column) if population else (head.line, 1)
        text = f"{copied.source.attribute} into {copied.target.attribute}"
        return Link("copy", head.mapping, text, Location(head.file, line, column), copied.target.attribute)

    def _contradiction(self, clash: Clash | None) -> str:
        if clash is None:
            return TOGETHER
        name = local_of(clash.end.attribute)
        first = self._text(clash.first, clash.start.attribute, name)
        return f"{first} and {self._text(clash.last, clash.end.attribute, name)}"

    def _text(self, rule: Rule, attribute: str, name: str) -> str:
        """What a rule leaves to an attribute, under a name."""
        values = self._values(rule, attribute)
        assert values is not None
        regions = self.crossing.regions(self.crossing.row(attribute).number)
        return to_text(values_condition(Attr(name), values, regions))
