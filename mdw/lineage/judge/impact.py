"""Impact judged: the conditions carried forwards, then looked at backwards from each target they arrive at.

Forwards a comparison is lost once what it compares is gone, and round a cycle conditions are widened. What is left may
reach too far; so each step is then looked at from behind: whether a row could come to it from the asked attribute.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.judge.bounds import trace_hulls
from mdw.lineage.judge.doubts import Doubts
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.forward import Forward, trace_forward
from mdw.lineage.judge.judgement import Arriving, ArrivingEnds, Judgement, Verdicts
from mdw.lineage.judge.show import Showing
from mdw.lineage.judge.start import UNLIMITED, Start, start
from mdw.lineage.judge.upwards import Upwards
from mdw.lineage.reasons.explain import Explainer
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.question import Question
from mdw.model.errors import TooLargeError
from mdw.model.name import row_of


def judge_forward(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of an impact question: an attribute is reached if the asked one is in its lineage.

    QuestionError as for `judge_back`.
    """
    begun = start(graph, question)
    try:
        return _judged(begun, question)
    finally:
        begun.solver.rest()


def _judged(begun: Start, question: Question) -> Judgement:
    crossing, diagram, graph = begun.crossing, begun.crossing.diagram, begun.crossing.graph
    diagram.limit = max(question.budget.nodes, 1000)
    notes = []
    try:
        forward = Forward(crossing, begun.possible)
        reach = trace_forward(forward, question.attribute, begun.initial)
        through = {edge: node != FALSE for edge, node in reach.passed.items()}
        # Each image is exact then: what arrives at an attribute are just the rows made of rows that were asked for.
        sure = not (forward.lost or reach.weakened)
        notes += ["some conditions compare attributes that do not travel together"] if forward.lost else []
    except TooLargeError:
        diagram.limit = UNLIMITED
        through = dict(trace_hulls(Boxes(crossing), question.attribute, begun.initial).passed)
        sure = False
        notes.append(f"the exact diagram outgrew {question.budget.nodes} nodes: conditions are upper bounds")
    passed = [edge for edges in graph.outgoing.values() for edge in edges if through.get(edge.number)]
    # What was made so far stays; looking from behind may need nodes of its own, and as many.
    diagram.limit = diagram.size() + max(question.budget.nodes, 1000)
    if sure:
        verdicts = Verdicts("diagram", dict.fromkeys((edge.number for edge in passed), "possible"))
    else:
        verdicts = _from_behind(begun, question, passed)
    kept = verdicts.kept
    diagram.limit = UNLIMITED
    ends = ArrivingEnds(
        Showing(crossing, begun.solver),
        question.attribute,
        _arriving(begun, question, kept, {edge.target for edge in passed if verdicts.keeps(edge)}),
        Doubts(crossing, question.attribute, kept, forward=True),
    )
    explainer = Explainer(crossing, begun.initial, question.when, kept, begun.possible, forward=True)
    return Judgement(question.attribute, crossing, kept, verdicts, ends, explainer, notes=notes)


def _from_behind(begun: Start, question: Question, passed: Iterable[Edge]) -> Verdicts:
    """Of each step whether a row of the asked attribute comes to it."""
    crossing = begun.crossing.within({edge.number: True for edge in passed})
    upwards = Upwards(crossing, begun.solver.check, question.attribute, begun.initial)
    found, solver = Verdicts("bounds"), begun.solver
    for edge in passed:
        found.by[edge.number] = "diagram"
        # Nothing is asked of the row made but what the question asks of that entity: impact goes on from any row.
        wanted = crossing.wanted.get(row_of(edge.target), TRUE)
        try:
            condition = crossing.back(wanted, edge)
        except TooLargeError:
            found.steps[edge.number] = "undecided"
            continue
        solver.consulted = False
        found.steps[edge.number] = upwards.comes(edge.source, condition)
        if solver.consulted:
            found.by[edge.number] = "Z3"
    return found


@dataclass(frozen=True, slots=True)
class _Final:
    """The variable that tells the final targets apart while their conditions travel together."""


def _arriving(begun: Start, question: Question, passed: dict[int, bool], reached: set[str]) -> Arriving:
    """For every final target the condition on the asked attribute's rows that arrive there; none where too large.

    All targets travel in one trace backwards, told apart by a variable of their own: ``(target is A and ...) or (target
    is B and ...)``. One trace costs about as much as one target would.
    """
    diagram = begun.crossing.diagram
    # What was made so far stays; the trace may need nodes of its own, and as many.
    diagram.limit = diagram.size() + max(question.budget.nodes, 1000)
    try:
        return _traced(begun, question, passed, {question.attribute, *reached})
    except TooLargeError:
        return Arriving({}, widened=False)
    finally:
        diagram.limit = UNLIMITED


def _traced(begun: Start, question: Question, passed: dict[int, bool], reached: set[str]) -> Arriving:
    crossing, diagram = begun.crossing, begun.crossing.diagram
    names = sorted(name for name in reached if crossing.graph.candidates.ends_in(name))
    if not names:
        return Arriving({}, widened=False)
    tag = diagram.variable(_Final(), (1 << len(names) + 1) - 1)
    starts = {
        name: diagram.both(diagram.allow(tag, 1 << number), crossing.wanted.get(row_of(name), TRUE))
        for number, name in enumerate(names)
    }
    back = trace_back(crossing.within(passed), starts, begun.possible)
    at = diagram.both(back.conditions.get(question.attribute, FALSE), begun.initial)
    found = {}
    for number, name in enumerate(names):
        one = diagram.exists(diagram.both(at, diagram.allow(tag, 1 << number)), lambda v: v == tag)
        if one and begun.possible(one):
            found[name] = one
    return Arriving(found, back.weakened)
