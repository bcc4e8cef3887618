"""What contradicts, as the answer tells it; worked out when first asked for, of all dropped steps together.

All together, because what explains one step is used for those beyond it, and so that it does not matter which of them
somebody looks at first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from mdw.lineage.reasons.chain import Chains
from mdw.lineage.reasons.explain import Contradiction, Explainer, Why
from mdw.lineage.reasons.rule import QuestionRule, Rule, reason_of
from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.question import Question
from mdw.model.answers.reasons import Dropped, Explanation, Group, Reason


def explained(
    graph: Graph, question: Question, edges: Sequence[Edge], explainer: Explainer, dead: Collection[int] = ()
) -> tuple[Dropped, ...]:
    """Steps left out, those with the numbers in ``dead`` as dead ends; why is worked out when it is asked for."""
    reasons = Reasons(graph, question, edges, explainer)

    def explain(number: int) -> Callable[[], Explanation]:
        return lambda: reasons.told[number]

    return tuple(Dropped(graph.step(edge), explain(number), edge.number in dead) for number, edge in enumerate(edges))


@dataclass
class Reasons:
    """The explanations of the dropped steps of one answer, in their order."""

    graph: Graph
    question: Question
    edges: Sequence[Edge]
    explainer: Explainer

    @cached_property
    def told(self) -> list[Explanation]:
        """Why each step was dropped; steps that were for the same reason share it."""
        found = self.explainer.explain(self.edges, self.question.attribute, self.question.other)
        told: dict[int, Explanation] = {}
        for one in found:
            if id(one) not in told:
                told[id(one)] = self._told(one)
        return [told[id(one)] for one in found]

    def _told(self, found: Why) -> Explanation:
        order = found.ordered(self.graph)
        groups = sorted(found.groups, key=lambda group: _place(group, order))
        because = tuple(self._reason(rule) for rule in order)
        return Explanation(because, tuple(self._group(group, order) for group in groups), found.complete)

    def _group(self, group: Contradiction, order: list[Rule]) -> Group:
        rules = [rule for rule in order if rule in group.rules]
        chains = Chains(self.explainer.crossing, self.question, self.explainer.forward, self.explainer.possible)
        way = tuple(self.graph.step(edge) for edge in reversed(group.way))
        return Group(tuple(self._reason(rule) for rule in rules), chains.links(rules, group.way), way)

    def _reason(self, rule: Rule) -> Reason:
        return reason_of(rule, self.graph, self.question.when)


def _place(group: Contradiction, order: list[Rule]) -> tuple[bool, list[int]]:
    """The question's contradictions first, then those of the rules told first."""
    return QuestionRule() not in group.rules, sorted(map(order.index, group.rules))
