"""Lineage judged: the exact diagram while it stays small, else bounds from above and below, else step by step."""

from __future__ import annotations

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.judge.bounds import trace_bounds
from mdw.lineage.judge.doubts import Doubts
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.explain import Explainer
from mdw.lineage.judge.judgement import BoundedEnds, Judgement, MergedEnds
from mdw.lineage.judge.search import Search
from mdw.lineage.judge.show import Showing
from mdw.lineage.judge.start import UNLIMITED, Start, start
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.steps.graph import Graph
from mdw.lineage.steps.question import Question
from mdw.model.errors import TooLargeError


def judge_back(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of a lineage question.

    QuestionError if one part of the initial condition speaks of rows of several entities.
    """
    begun = start(graph, question)
    diagram = begun.crossing.diagram
    if question.budget.nodes:
        # If it hits the limit, what it has worked out by then stays for the bounds to use.
        diagram.limit = question.budget.nodes
        try:
            return _exact(begun, question)
        except TooLargeError:
            diagram.limit = UNLIMITED
    return _bounded(begun, question)


def _exact(begun: Start, question: Question) -> Judgement:
    crossing = begun.crossing
    reach = trace_back(crossing, {question.attribute: begun.initial}, begun.possible)
    crossing.diagram.limit = UNLIMITED
    explainer = Explainer(crossing, begun.initial, question.when, reach.passed, begun.possible)
    check = begun.solver.check
    undecided = {edge for edge, node in reach.passed.items() if node > TRUE and check(node) == "undecided"}
    return Judgement(
        asked=question.attribute,
        crossing=crossing,
        passed={edge: node != FALSE for edge, node in reach.passed.items()},
        constants={clause: node != FALSE for clause, node in reach.constants.items()},
        reached={name for name, node in reach.conditions.items() if node != FALSE},
        undecided=undecided,
        ends=MergedEnds(
            Showing(crossing, begun.solver), reach, Doubts(crossing, question.attribute, reach.passed, undecided)
        ),
        explainer=explainer,
        notes=["a cycle was widened: conditions beyond it are upper bounds"] if reach.weakened else [],
    )


def _bounded(begun: Start, question: Question) -> Judgement:
    crossing = begun.crossing
    boxes = Boxes(crossing)
    search = Search(crossing, begun.initial, begun.solver.check, question.budget.search)
    bounds = trace_bounds(boxes, question.attribute, begun.initial, question.budget.witnesses, search.decide)
    explainer = Explainer(crossing, begun.initial, question.when, bounds.passed, begun.possible)
    note = (
        f"the exact diagram outgrew {question.budget.nodes} nodes: {bounds.left_over} of {len(bounds.passed)} steps "
        f"were decided one by one, {len(bounds.undecided)} stay undecided and are kept; conditions may be bounds"
    )
    return Judgement(
        asked=question.attribute,
        crossing=crossing,
        passed=bounds.passed,
        constants=bounds.constants,
        reached=set(bounds.hulls),
        undecided=bounds.undecided,
        ends=BoundedEnds(
            Showing(crossing, begun.solver),
            bounds,
            Doubts(crossing, question.attribute, bounds.passed, bounds.undecided, joins=False),
        ),
        explainer=explainer,
        notes=[note],
    )
