"""Where judging starts: the question's condition, taken apart by rows and read into a new diagram."""

from __future__ import annotations

from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.solver import Solver
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.existing import ExistingRows
from mdw.lineage.rows.universe import Universe
from mdw.lineage.steps.graph import Graph
from mdw.lineage.steps.question import Question
from mdw.model.errors import QuestionError
from mdw.model.expressions import And, Condition
from mdw.model.name import row_of
from mdw.model.text import to_text
from mdw.model.walks import attributes_of

UNLIMITED = 1 << 31
"""Nodes of a diagram that may grow as it needs to."""


@dataclass
class Start:
    """A question read into a diagram: the condition on the asked row; the crossing has what is asked of other rows."""

    crossing: Crossing
    solver: Solver
    initial: int

    def possible(self, node: int) -> bool:
        """Whether some row may meet the condition; what Z3 cannot decide may."""
        return self.solver.check(node) != "contradictory"


def start(graph: Graph, question: Question) -> Start:
    """Read the question's condition; QuestionError if one part of it speaks of several rows."""
    parts = _by_row(question)
    universe = Universe(graph, parts.values())
    diagram = Diagram(UNLIMITED)
    crossing = Crossing(graph, universe, diagram, question.policy, ExistingRows(graph, universe, question.policy))
    solver = Solver(diagram, crossing.regions, rlimit=question.budget.rlimit)
    # Variables in order of name: the same diagram whatever order the rules come in.
    for attribute in universe.known():
        crossing.row(attribute)
    # Parts on other rows bind wherever a row of that entity is met on the way. `MART.C.DAY > 1 AND SRC.A.T = "x"`,
    # asked of MART.C.AMOUNT: the first is where judging starts, the second is asked of whatever SRC.A gives.
    read = {entity: crossing.condition(condition) for entity, condition in parts.items()}
    initial = read.pop(row_of(question.attribute), TRUE)
    crossing.wanted.update(read)
    if initial > TRUE and solver.check(initial) == "contradictory":
        initial = FALSE
    return Start(crossing, solver, initial)


def _by_row(question: Question) -> dict[str, Condition]:
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
