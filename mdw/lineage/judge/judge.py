"""Lineage judged: the exact diagram while it stays small, else bounds from above and below, else step by step."""

from __future__ import annotations

from dataclasses import replace

from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.solver import Verdict
from mdw.lineage.judge.ascent import Ascent
from mdw.lineage.judge.bounds import Bounds, trace_bounds
from mdw.lineage.judge.doubts import Doubts
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.judgement import BoundedEnds, Judgement, MergedEnds, Verdicts
from mdw.lineage.judge.search import Search
from mdw.lineage.judge.show import Showing
from mdw.lineage.judge.start import UNLIMITED, Start, start
from mdw.lineage.judge.upwards import Upwards
from mdw.lineage.reasons.explain import Explainer
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.question import Question
from mdw.model.errors import TooLargeError

AGAIN = 5
"""How many times the nodes of the budget the diagram may take over the steps that the bounds have kept."""
FEW = 300
"""Steps kept up to which that is tried even if none is undecided: conditions shown are then exact, and no bounds."""


def judge_back(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of a lineage question.

    QuestionError if one part of the initial condition speaks of rows of several entities.
    """
    begun = start(graph, question)
    try:
        return _judged(begun, question)
    finally:
        begun.solver.rest()


def _judged(begun: Start, question: Question) -> Judgement:
    diagram = begun.crossing.diagram
    if question.budget.nodes:
        # If it hits the limit, what it has worked out by then stays for the bounds to use.
        diagram.limit = question.budget.nodes
        try:
            return _exact(begun, question)
        except TooLargeError:
            # Boxes need few nodes, and the search limits each of its ways by itself.
            diagram.limit = UNLIMITED
    found = _bounded(begun, question)
    few = sum(found.verdicts.kept.values()) <= FEW
    if question.budget.nodes and (few or "undecided" in found.verdicts.steps.values()):
        return _narrowed(begun, found, question)
    return found


def _narrowed(begun: Start, bounded: Judgement, question: Question) -> Judgement:
    """The diagram once more, over the steps that the bounds have kept: fewer, so that it may now do without bounds."""
    graph, before = begun.crossing.graph, bounded.verdicts
    graph.ends()
    # A new diagram: in the old one the nodes of the dropped steps still count.
    again = start(graph.within(before.kept), question)
    nodes = AGAIN * question.budget.nodes
    again.crossing.diagram.limit = nodes
    try:
        exact = _exact(again, replace(question, budget=replace(question.budget, nodes=nodes)))
    except TooLargeError:
        return bounded
    finally:
        again.solver.rest()
    verdicts = replace(exact.verdicts, mostly="bounds")
    verdicts.by = dict.fromkeys(exact.verdicts.steps, exact.verdicts.mostly) | exact.verdicts.by
    through = {**bounded.through, **exact.through}
    # Reasons look at all steps, those among them that the bounds have dropped.
    explainer = Explainer(begun.crossing, begun.initial, question.when, through, begun.possible)
    return replace(exact, crossing=begun.crossing, through=through, verdicts=verdicts, explainer=explainer)


def _exact(begun: Start, question: Question) -> Judgement:
    crossing, graph, check = begun.crossing, begun.crossing.graph, begun.solver.check
    asked, budget = question.attribute, question.budget
    reach = trace_back(crossing, {asked: begun.initial}, begun.possible)
    # What was merged stays as it is; the ways up may need as many nodes again.
    crossing.diagram.limit = crossing.diagram.size() + budget.nodes
    upwards = Upwards(crossing, check, question.other)
    verdicts, solver = Verdicts("diagram"), begun.solver
    for name, condition in reach.conditions.items():
        for edge in graph.incoming[name]:
            passed = reach.passed[edge.number]
            # The answer names who decided a step: Z3 if it was asked for this one, be it that its verdict was kept.
            solver.consulted = edge.number in reach.refused
            check(passed)
            verdicts.steps[edge.number] = upwards.comes(edge.source, passed)
            if solver.consulted:
                verdicts.by[edge.number] = "Z3"
        for edge in graph.written[name] if condition else ():
            verdicts.constants[edge.number] = upwards.comes(edge.source, reach.constants[edge.number])
    if upwards.outgrown:
        # What rows must meet is exact all the same; whether some come from an end the bounds may still tell.
        crossing.diagram.limit = UNLIMITED
        verdicts.settle(_bounded(begun, question).verdicts)
    carried = reach.passed | reach.constants
    unsure = {edge for edge, node in carried.items() if node > TRUE and check(node) == "undecided"}
    # Widened conditions let more through than there is: only a way followed by itself, exactly, still proves a step.
    if reach.weakened:
        unsure |= carried.keys() - upwards.ways(asked, begun.initial)
    verdicts.doubt(unsure)
    crossing.diagram.limit = UNLIMITED
    return Judgement(
        asked=asked,
        crossing=crossing,
        through={edge: node != FALSE for edge, node in reach.passed.items()},
        verdicts=verdicts,
        ends=MergedEnds(Showing(crossing, begun.solver), reach, _doubts(begun, question, verdicts)),
        explainer=Explainer(crossing, begun.initial, question.when, reach.passed, begun.possible),
        arrives=_arrives(upwards, asked, begun.initial),
        notes=["a cycle was widened: conditions beyond it are upper bounds"] if reach.weakened else [],
    )


def _bounded(begun: Start, question: Question) -> Judgement:
    crossing = begun.crossing
    boxes = Boxes(crossing)
    search = Search(crossing, begun.initial, begun.solver.check, question.budget.search)
    consulted: set[int] = set()

    def decide(bounds: Bounds, edge: Edge) -> Verdict:
        begun.solver.consulted = False
        found = search.decide(bounds, edge)
        if begun.solver.consulted:
            consulted.add(edge.number)
        return found

    bounds = trace_bounds(boxes, question.attribute, begun.initial, question.budget.witnesses, decide)
    explainer = Explainer(crossing, begun.initial, question.when, bounds.passed, begun.possible)
    upwards = Upwards(crossing, begun.solver.check, question.other)
    verdicts = Ascent(bounds, upwards, begun.initial).verdicts()
    verdicts.by |= dict.fromkeys(consulted & verdicts.steps.keys(), "Z3")
    undecided = sum(verdict == "undecided" for verdict in verdicts.steps.values())
    note = (
        f"the exact diagram outgrew {question.budget.nodes} nodes: {bounds.left_over} of {len(bounds.passed)} steps "
        f"were decided one by one, {undecided} stay undecided and are kept; conditions may be bounds"
    )
    return Judgement(
        asked=question.attribute,
        crossing=crossing,
        through=bounds.passed,
        verdicts=verdicts,
        ends=BoundedEnds(Showing(crossing, begun.solver), bounds, _doubts(begun, question, verdicts, joins=False)),
        explainer=explainer,
        arrives=_arrives(upwards, question.attribute, begun.initial),
        notes=[note],
    )


def _doubts(begun: Start, question: Question, verdicts: Verdicts, *, joins: bool = True) -> Doubts:
    undecided = [number for number, verdict in verdicts.steps.items() if verdict == "undecided"]
    return Doubts(begun.crossing, question.attribute, verdicts.kept, undecided, joins=joins)


def _arrives(upwards: Upwards, asked: str, initial: int) -> bool:
    """Whether the asked attribute, if it is an end itself, has a row that meets the question."""
    # Of an attribute that mappings fill the steps tell; to search the ways up once more could cost as much as all else.
    ending = upwards.ends(asked) or asked not in upwards.crossing.graph.populations
    return not ending or upwards.comes(asked, initial) != "contradictory"
