"""Impact judged: the conditions carried forwards, then looked at backwards from each target they arrive at."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.judge.bounds import trace_hulls
from mdw.lineage.judge.doubts import Doubts
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.explain import Explainer
from mdw.lineage.judge.forward import Forward, trace_forward
from mdw.lineage.judge.judge import judge_back
from mdw.lineage.judge.judgement import ArrivingEnds, Judgement, UnknownEnds
from mdw.lineage.judge.show import Showing
from mdw.lineage.judge.start import UNLIMITED, Start, start
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.steps.belonging import row_of
from mdw.lineage.steps.graph import Graph
from mdw.lineage.steps.question import Question
from mdw.model.errors import TooLargeError

NAMES = 200
"""Targets of an impact looked at one by one where what is known of rows was lost on the way to them."""
FEW = 25
"""The same where the diagram has outgrown its limit or a cycle was widened, and each takes a question of its own."""


def judge_forward(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of an impact question: an attribute is reached if the asked one is in its lineage.

    QuestionError as for `judge_back`.
    """
    begun = start(graph, question)
    crossing = begun.crossing
    crossing.diagram.limit = max(question.budget.nodes, 1000)
    try:
        forward = Forward(crossing, begun.possible)
        reach = trace_forward(forward, question.attribute, begun.initial)
        passed = {edge: node != FALSE for edge, node in reach.passed.items()}
        reached = {name for name, node in reach.conditions.items() if node != FALSE}
        # What was lost on the way forwards is seen again backwards: then each target is looked at, not final ones only.
        every = (forward.lost or reach.weakened) and len(reached) <= NAMES
        arriving, weakened = _arriving(begun, question, passed, reached, every=every)
    except TooLargeError:
        crossing.diagram.limit = UNLIMITED
        return _forward_hulls(begun, question)
    crossing.diagram.limit = UNLIMITED
    reached = {name for name in reached if name in arriving or (graph.candidates.feeds(name) and not every)}
    # What was widened on a cycle may reach too much; lineage from each target says which it is.
    if weakened and len(reached) <= FEW:
        reached = _from_behind(graph, question, reached)
    _confine(passed, graph, reached)
    explainer = Explainer(crossing, begun.initial, question.when, passed, begun.possible, forward=True)
    return Judgement(
        asked=question.attribute,
        crossing=crossing,
        passed=passed,
        constants={},
        reached=reached,
        undecided=set(),
        ends=ArrivingEnds(
            Showing(crossing, begun.solver),
            question.attribute,
            arriving,
            Doubts(crossing, question.attribute, passed, forward=True),
            weakened,
        ),
        explainer=explainer,
        notes=["some conditions compare attributes that do not travel together"] if forward.lost else [],
    )


@dataclass(frozen=True, slots=True)
class _Final:
    """The variable that tells the final targets apart while their conditions travel together."""


def _arriving(
    begun: Start, question: Question, passed: dict[int, bool], reached: set[str], *, every: bool
) -> tuple[dict[str, int], bool]:
    """For every final target, or every target, the condition on the asked attribute's rows that arrive there.

    Also whether a cycle has made them upper bounds. All targets travel in one trace backwards, told apart by a variable
    of their own: ``(target is A and ...) or (target is B and ...)``. One trace costs about as much as one target would.
    """
    crossing, diagram = begun.crossing, begun.crossing.diagram
    names = sorted(name for name in reached if every or not crossing.graph.candidates.feeds(name))
    if not names:
        return {}, False
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
    return found, back.weakened


def _forward_hulls(begun: Start, question: Question) -> Judgement:
    """Impact beyond the diagram's limit: one box around what arrives at each attribute; only what it excludes drops."""
    crossing = begun.crossing
    boxes = Boxes(crossing)
    bounds = trace_hulls(boxes, question.attribute, begun.initial)
    reached, bound = set(bounds.hulls), "conditions and targets are upper bounds"
    # Boxes forwards let much through. For a few targets, lineage backwards from each is exact and can be afforded.
    if len(reached) <= FEW:
        reached, bound = (
            _from_behind(crossing.graph.within(bounds.passed), question, reached),
            "conditions are upper bounds",
        )
        _confine(bounds.passed, crossing.graph, reached)
    explainer = Explainer(crossing, begun.initial, question.when, bounds.passed, begun.possible, forward=True)
    note = f"the exact diagram outgrew {question.budget.nodes} nodes: {bound}"
    return Judgement(
        asked=question.attribute,
        crossing=crossing,
        passed=bounds.passed,
        constants={},
        reached=reached,
        undecided=set(),
        ends=UnknownEnds(),
        explainer=explainer,
        notes=[note],
    )


def _from_behind(graph: Graph, question: Question, reached: set[str]) -> set[str]:
    """The targets in whose lineage the asked attribute is."""
    asked = {name: replace(question, attribute=name) for name in reached}
    found = {name for name, one in asked.items() if question.attribute in judge_back(graph, one).reached}
    return found | {question.attribute}


def _confine(passed: dict[int, bool], graph: Graph, reached: set[str]) -> None:
    """Let only steps pass that end at an attribute that is reached."""
    for edges in graph.outgoing.values():
        for edge in edges:
            passed[edge.number] = passed.get(edge.number, False) and edge.target in reached
