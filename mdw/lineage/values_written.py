"""What clauses write of no attribute's value, as an answer shows it: constants, and what is generated."""

from __future__ import annotations

from typing import TypeVar

from mdw.lineage.judge.judgement import Judgement
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.answers.steps import Constant, Generated
from mdw.model.rules import Clause
from mdw.model.text import expression_text
from mdw.model.tree import Location

W = TypeVar("W", Constant, Generated)


def clause_of(edge: Edge) -> Clause:
    """The clause by which a step goes."""
    return edge.population.clauses[edge.clause]


def ending_in(kind: type[W], graph: Graph, edge: Edge, judgement: Judgement | None) -> W:
    """What a clause writes of no attribute's value, a constant or something generated."""
    clause, head = clause_of(edge), graph.heads[edge.population.mapping]
    place = Location(head.file, clause.line, clause.column)
    unsure = judgement is not None and judgement.undecided(edge)
    return kind(head.mapping, edge.target, expression_text(clause.expression), place, unsure)
