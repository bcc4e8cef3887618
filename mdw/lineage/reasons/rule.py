"""The rules that the reason for a dropped step is made of, as people read them: by mapping, text and line."""

from __future__ import annotations

from dataclasses import dataclass

from mdw.lineage.steps.graph import Graph, all_of
from mdw.model.answers.reasons import Reason
from mdw.model.expressions import Attr, Condition, Const, Expression, Variable
from mdw.model.name import aliased
from mdw.model.rules import Head, Population
from mdw.model.text import expression_text, to_text
from mdw.model.tree import Location
from mdw.model.walks import with_leaves


@dataclass(frozen=True, slots=True)
class QuestionRule:
    """The initial condition, whole."""


@dataclass(frozen=True, slots=True)
class ClauseRule:
    """A clause fills the attribute: its IF is true, no earlier one is, and its expression uses the value."""

    mapping: str
    target: str
    clause: int
    test: Condition | None = None


@dataclass(frozen=True, slots=True)
class FilterRule:
    """The filter of a mapping lets the row through."""

    mapping: str


@dataclass(frozen=True, slots=True)
class JoinRule:
    """The partners that a mapping joins exist."""

    mapping: str


@dataclass(frozen=True, slots=True)
class PopulationRule:
    """An attribute of the target row is what the mapping's population puts there."""

    mapping: str
    target: str


Rule = QuestionRule | ClauseRule | FilterRule | JoinRule | PopulationRule


def place_of(rule: Rule, graph: Graph) -> tuple[str, int, int, str]:
    """What orders rules where nothing else does: the mapping and the line."""
    found = reason_of(rule, graph, "")
    place = found.location or Location("", 0, 0)
    return found.mapping, place.line, place.column, type(rule).__name__


def reason_of(rule: Rule, graph: Graph, when: str) -> Reason:
    """The rule as the answer tells it."""
    if isinstance(rule, QuestionRule):
        return Reason("", when, None, "question")
    head = graph.heads[rule.mapping]
    match rule:
        case FilterRule():
            return filter_reason(head)
        case JoinRule():
            return join_reason(head)
        case ClauseRule(mapping, target, clause, test):
            return clause_reason(head, graph.filled[mapping][target], clause, test)
        case PopulationRule(mapping, target):
            return population_reason(head, graph.filled[mapping][target])


def filter_reason(head: Head) -> Reason:
    """A mapping's filter, with what it asks of groups."""
    texts = [head.filter_text] * (head.filter is not None) + ([_said(head.having)] if head.having is not None else [])
    return Reason(head.mapping, all_of(texts), Location(head.file, head.filter_line or head.line, 1), "filter")


def join_reason(head: Head) -> Reason:
    """A mapping's joins, as one text."""
    text = " AND ".join(join.text for join in head.joins)
    return Reason(head.mapping, text, Location(head.file, head.joins[0].line, 1), "join")


def clause_reason(head: Head, population: Population, number: int, test: Condition | None) -> Reason:
    """The IF of a clause, with the earlier ones negated, and the test under which a value is used within it."""
    *earlier, own = population.clauses[: number + 1]
    texts = [f"NOT ({clause.text})" for clause in earlier if clause.text] + [own.text] * bool(own.text)
    texts += [_said(test)] if test is not None else []
    place = Location(head.file, own.line, own.column)
    return Reason(head.mapping, all_of(texts), place, "clause", population.target)


def _said(condition: Condition) -> str:
    return to_text(with_leaves(condition, _called))


def _called(leaf: Attr | Variable | Const) -> Expression:
    """An attribute with the name that its row has where it is read."""
    return Attr(aliased(leaf.name)) if isinstance(leaf, Attr) else leaf


def population_reason(head: Head, population: Population) -> Reason:
    """What fills an attribute, on one line."""
    first = population.clauses[0]
    clauses = [
        f"WITH {expression_text(with_leaves(clause.expression, _called))}"
        + (f" IF {clause.text}" if clause.text else "")
        for clause in population.clauses
    ]
    place = Location(head.file, first.line, first.column)
    return Reason(head.mapping, " ".join([population.target, *clauses]), place, "population", population.target)
