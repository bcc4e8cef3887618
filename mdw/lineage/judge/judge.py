"""The tiers in order: the exact diagram while it stays small, else bounds from above and below, else Z3 per step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mdw.conditions.diagram import FALSE, TRUE, Diagram, TooLargeError
from mdw.conditions.solver import Solver
from mdw.lineage.judge.bounds import Bounds, trace_bounds, trace_hulls
from mdw.lineage.judge.exact import trace_back
from mdw.lineage.judge.explain import Explainer
from mdw.lineage.judge.forward import Forward, trace_forward
from mdw.lineage.judge.search import Search
from mdw.lineage.judge.show import Showing
from mdw.lineage.rows.boxes import Boxes
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.universe import Universe
from mdw.lineage.steps.belonging import row_of
from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.question import Question
from mdw.model.answers.answer import End, Reason
from mdw.model.errors import QuestionError
from mdw.model.expressions import And, Condition, attributes_of
from mdw.model.text import to_text

UNLIMITED = 1 << 31
NAMES = 200
"""Targets of an impact looked at one by one where what is known of rows was lost on the way to them."""
FEW = 25
"""The same where the diagram has outgrown its limit or a cycle was widened, and each takes a question of its own."""
ALTERNATIVES = 8
"""Witnesses shown as the lower bound of a condition."""


@dataclass
class Judgement:
    """What the tiers found: which steps can pass (by number of `Edge`), which attributes rows can reach."""

    passed: dict[int, bool]
    constants: dict[int, bool]
    reached: set[str]
    undecided: set[int]
    end: Callable[[str], End]
    because: Callable[[Edge], tuple[Reason, ...]]
    assumptions: Callable[[], tuple[str, ...]]
    notes: list[str] = field(default_factory=list)


def judge_back(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of a lineage question."""
    parts = _by_entity(question)
    universe = Universe(graph, parts.values())
    start = _start(graph, question, universe, parts)
    diagram = start.crossing.diagram
    if question.budget.nodes:
        diagram.limit = question.budget.nodes
        try:
            return _exact(start, question)
        except TooLargeError:
            diagram.limit = UNLIMITED
    return _bounded(start, question)


@dataclass
class _Start:
    crossing: Crossing
    solver: Solver
    initial: int

    def possible(self, node: int) -> bool:
        return self.solver.check(node) != "contradictory"


def _by_entity(question: Question) -> dict[str, Condition]:
    """The initial condition taken apart: what it asks of the rows of each entity on the way."""
    found: dict[str, list[Condition]] = {}
    given = question.condition
    for part in given.parts if isinstance(given, And) else (given,) if given else ():
        entities = {row_of(name) for name in attributes_of(part)}
        if len(entities) > 1:
            names = " and ".join(sorted(entities))
            raise QuestionError(
                f"{to_text(part)} compares rows of {names}; ask for one entity at a time, joined by AND"
            )
        found.setdefault(entities.pop() if entities else row_of(question.attribute), []).append(part)
    return {entity: And(tuple(parts)) for entity, parts in found.items()}


def _start(graph: Graph, question: Question, universe: Universe, parts: dict[str, Condition]) -> _Start:
    diagram = Diagram(UNLIMITED)
    crossing = Crossing(graph, universe, diagram, question.policy)
    solver = Solver(diagram, crossing.regions, rlimit=question.budget.rlimit)
    for attribute in universe.known():
        crossing.row(attribute)
    read = {entity: crossing.condition(condition) for entity, condition in parts.items()}
    initial = read.pop(row_of(question.attribute), TRUE)
    crossing.wanted.update(read)
    if initial > TRUE and solver.check(initial) == "contradictory":
        initial = FALSE
    return _Start(crossing, solver, initial)


def _exact(start: _Start, question: Question) -> Judgement:
    crossing = start.crossing
    reach = trace_back(crossing, {question.attribute: start.initial}, start.possible)
    crossing.diagram.limit = UNLIMITED
    showing = Showing(crossing)
    explainer = Explainer(crossing, start.initial, question.when, reach.passed, start.possible)

    def end(name: str) -> End:
        shown = showing.show(reach.conditions[name], row_of(name))
        exact = shown.exact and not reach.weakened
        return End(name, shown.text, shown.sql, exact, "" if exact else "FALSE", shown.common, shown.witness)

    check = start.solver.check
    return Judgement(
        passed={edge: node != FALSE for edge, node in reach.passed.items()},
        constants={clause: node != FALSE for clause, node in reach.constants.items()},
        reached={name for name, node in reach.conditions.items() if node != FALSE},
        undecided={edge for edge, node in reach.passed.items() if node > TRUE and check(node) == "undecided"},
        end=end,
        because=lambda edge: explainer.because(edge, question.attribute),
        assumptions=lambda: _assumptions(crossing),
        notes=["a cycle was widened: conditions beyond it are upper bounds"] if reach.weakened else [],
    )


def _bounded(start: _Start, question: Question) -> Judgement:
    crossing = start.crossing
    boxes = Boxes(crossing)
    search = Search(crossing, start.initial, start.solver.check, question.budget.search)
    bounds = trace_bounds(boxes, question.attribute, start.initial, question.budget.witnesses, search.decide)
    showing = Showing(crossing)
    explainer = Explainer(crossing, start.initial, question.when, bounds.passed, start.possible)

    def end(name: str) -> End:
        return _bounded_end(showing, bounds, name)

    note = (
        f"the exact diagram outgrew {question.budget.nodes} nodes: {bounds.left_over} of {len(bounds.passed)} steps "
        f"were decided one by one, {len(bounds.undecided)} stay undecided and are kept; conditions may be bounds"
    )
    return Judgement(
        passed=bounds.passed,
        constants=bounds.constants,
        reached=set(bounds.hulls),
        undecided=bounds.undecided,
        end=end,
        because=lambda edge: explainer.because(edge, question.attribute),
        assumptions=lambda: _assumptions(crossing),
        notes=[note],
    )


def judge_forward(graph: Graph, question: Question) -> Judgement:
    """Judge every candidate step of an impact question."""
    parts = _by_entity(question)
    universe = Universe(graph, parts.values())
    start = _start(graph, question, universe, parts)
    crossing = start.crossing
    crossing.diagram.limit = max(question.budget.nodes, 1000)
    try:
        forward = Forward(crossing, start.possible)
        reach = trace_forward(forward, question.attribute, start.initial)
        passed = {edge: node != FALSE for edge, node in reach.passed.items()}
        reached = {name for name, node in reach.conditions.items() if node != FALSE}
        every = (forward.lost or reach.weakened) and len(reached) <= NAMES
        arriving, weakened = _arriving(start, question, passed, reached, every=every)
    except TooLargeError:
        crossing.diagram.limit = UNLIMITED
        return _forward_hulls(start, question)
    crossing.diagram.limit = UNLIMITED
    reached = {name for name in reached if name in arriving or (graph.candidates.feeds(name) and not every)}
    if weakened and len(reached) <= FEW:
        reached = _from_behind(graph, question, reached)
    _confine(passed, graph, reached)
    showing = Showing(crossing)
    explainer = Explainer(crossing, start.initial, question.when, passed, start.possible, forward=True)

    def end(name: str) -> End:
        shown = showing.show(arriving[name], row_of(question.attribute))
        return End(name, shown.text, shown.sql, shown.exact, "" if shown.exact else "FALSE", "", shown.witness)

    return Judgement(
        passed=passed,
        constants={},
        reached=reached,
        undecided=set(),
        end=end,
        because=lambda edge: explainer.because(edge, question.attribute),
        assumptions=lambda: _assumptions(crossing),
        notes=["some conditions compare attributes that do not travel together"] if forward.lost else [],
    )


@dataclass(frozen=True, slots=True)
class _Final:
    """The variable that tells the final targets apart while their conditions travel together."""


def _arriving(
    start: _Start, question: Question, passed: dict[int, bool], reached: set[str], *, every: bool
) -> tuple[dict[str, int], bool]:
    """For every final target, or every target, the condition on the asked attribute's rows that arrive there.

    Also whether a cycle has made them upper bounds.
    """
    crossing, diagram = start.crossing, start.crossing.diagram
    names = sorted(name for name in reached if every or not crossing.graph.candidates.feeds(name))
    if not names:
        return {}, False
    tag = diagram.variable(_Final(), (1 << len(names) + 1) - 1)
    starts = {
        name: diagram.both(diagram.allow(tag, 1 << number), crossing.wanted.get(row_of(name), TRUE))
        for number, name in enumerate(names)
    }
    back = trace_back(crossing.within(passed), starts, start.possible)
    at = diagram.both(back.conditions.get(question.attribute, FALSE), start.initial)
    found = {}
    for number, name in enumerate(names):
        one = diagram.exists(diagram.both(at, diagram.allow(tag, 1 << number)), lambda v: v == tag)
        if one and start.possible(one):
            found[name] = one
    return found, back.weakened


def _forward_hulls(start: _Start, question: Question) -> Judgement:
    """Impact beyond the diagram's limit: one box around what arrives at each attribute; only what it excludes drops."""
    crossing = start.crossing
    boxes = Boxes(crossing)
    bounds = trace_hulls(boxes, question.attribute, start.initial)
    reached, bound = set(bounds.hulls), "conditions and targets are upper bounds"
    if len(reached) <= FEW:
        reached, bound = (
            _from_behind(crossing.graph.within(bounds.passed), question, reached),
            "conditions are upper bounds",
        )
        _confine(bounds.passed, crossing.graph, reached)
    explainer = Explainer(crossing, start.initial, question.when, bounds.passed, start.possible, forward=True)
    note = f"the exact diagram outgrew {question.budget.nodes} nodes: {bound}"
    return Judgement(
        passed=bounds.passed,
        constants={},
        reached=reached,
        undecided=set(),
        end=lambda name: End(name, "TRUE", "TRUE", False, "FALSE"),
        because=lambda edge: explainer.because(edge, question.attribute),
        assumptions=lambda: _assumptions(crossing),
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


def _bounded_end(showing: Showing, bounds: Bounds, name: str) -> End:
    """The condition of an end: the OR of its witnesses where they are all there is, else the box around."""
    layout = bounds.boxes.layout
    entity = row_of(name)
    cubes = tuple(tuple(layout.restricted(witness.box)) for witness in bounds.witnesses.get(name, ()))
    complete = bounds.complete.get(name)
    below = showing.products(cubes if complete else cubes[:ALTERNATIVES], entity) if cubes else None
    if below and complete:
        return End(name, below.text, below.sql, True, "", "", below.witness)
    above = showing.products((tuple(layout.restricted(bounds.hulls[name])),), entity)
    witness = below.witness if below else ()
    return End(name, above.text, above.sql, False, below.text if below else "FALSE", "", witness)


def _assumptions(crossing: Crossing) -> tuple[str, ...]:
    return tuple(
        f"{mapping} does not populate {attribute}: it is taken to carry {carried}"
        for mapping, attribute, carried in sorted(crossing.assumed)
    )
