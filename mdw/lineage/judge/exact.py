"""The exact tier: conditions merged by OR along the graph, kept as one canonical diagram.

Contract: for every attribute reached the condition its rows must meet, and for every step whether some row can pass.
Cost follows the number of steps; the diagram may outgrow its limit (`TooLargeError`), then the bounds of
`mdw.lineage.judge.bounds` decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge
from mdw.lineage.steps.order import groups, looped

PATIENCE = 3
"""Visits of an attribute on a cycle before comparisons that may grow for ever are dropped from its condition.

Many cycles are at rest by then: an entity that keeps its own former rows asks the second time what it asked the first.
"""
ROUNDS = 12
"""Visits of an attribute on a cycle before its condition is weakened to what surely holds."""


@dataclass
class Reach:
    """Conditions by attribute reached, and what each step lets through, by its number: nodes of one diagram.

    ``refused`` are the steps that let nothing through although the diagram alone would.
    """

    conditions: dict[str, int] = field(default_factory=dict)
    passed: dict[int, int] = field(default_factory=dict)
    constants: dict[int, int] = field(default_factory=dict)
    refused: set[int] = field(default_factory=set)
    weakened: bool = False


Possible = Callable[[int], bool]
Above = Callable[[str], list[Edge]]
"""The steps up from an attribute."""


def trace_back(crossing: Crossing, starts: Mapping[str, int], possible: Possible, above: Above | None = None) -> Reach:
    """Carry the initial conditions (``starts``: nodes by attribute) from the asked attributes to all that feeds them.

    Cost: one crossing per step, several around cycles; TooLargeError where the diagram outgrows its limit.
    ``possible`` may refuse a condition the diagram alone cannot (atoms that contradict jointly). ``above``: the steps
    up, where they are more than those between attributes; constants are among them then.
    """
    incoming = above or crossing.graph.incoming.__getitem__
    reach = Reach(dict(starts))

    def following(name: str) -> Iterable[str]:
        return [edge.source for edge in incoming(name)] if name else starts

    # Several attributes may be asked together; a start of no name that leads to all of them puts them into one order.
    for group in groups("", following)[1:]:
        if looped(group, following):
            _cycle(crossing, reach, group, possible, incoming)
        else:
            for edge in incoming(group[0]):
                _pass(crossing, reach, edge, possible)
        for name in group if above is None else ():
            _constants(crossing, reach, name, possible)
    reach.weakened |= bool(crossing.forgotten)
    return reach


def _cycle(crossing: Crossing, reach: Reach, group: list[str], possible: Possible, incoming: Above) -> None:
    """Iterate a group of attributes that feed one another to a fixed point."""
    members = set(group)
    pending = [name for name in group if reach.conditions.get(name, FALSE)]
    visits: dict[str, int] = {}
    while pending:
        name = pending.pop(0)
        visits[name] = visits.get(name, 0) + 1
        # X > 1 may become X + 1 > 1, X + 1 + 1 > 1 and so on. Value sets alone are finite, so they come to an end.
        if visits[name] > PATIENCE:
            _weaken(crossing, reach, name, TRUE if visits[name] > ROUNDS else None)
        for edge in incoming(name):
            before = reach.conditions.get(edge.source, FALSE)
            _pass(crossing, reach, edge, possible)
            after = reach.conditions.get(edge.source, FALSE)
            if after != before and edge.source in members and visits.get(edge.source, 0) <= ROUNDS:
                pending.append(edge.source)
    # Where nothing arrives at all, as with a question that contradicts itself, nothing was passed on either.
    for edge in (edge for name in group for edge in incoming(name)):
        reach.passed.setdefault(edge.number, FALSE)


def _weaken(crossing: Crossing, reach: Reach, name: str, condition: int | None) -> None:
    """Widen what is known at an attribute on a cycle: without atoms, which may grow for ever, or to anything."""
    before = reach.conditions[name]
    diagram = crossing.diagram
    if condition is None:
        condition = diagram.exists(before, lambda v: isinstance(diagram.labels[v], Atom))
    reach.conditions[name] = condition
    reach.weakened |= condition != before


def _pass(crossing: Crossing, reach: Reach, edge: Edge, possible: Possible) -> None:
    """Carry the target's condition across one step and merge it into the source's."""
    condition = reach.conditions.get(edge.target, FALSE)
    if condition == FALSE:
        reach.passed[edge.number] = FALSE
        return
    passed = crossing.back(condition, edge)
    # To the diagram atoms are apart; whether they contradict jointly only Z3 knows. Of A < B, B < C, C < A each is a
    # variable of its own there, and all three may be true.
    reach.refused.discard(edge.number)
    if passed > TRUE and not possible(passed):
        reach.refused.add(edge.number)
        passed = FALSE
    reach.passed[edge.number] = passed
    # All ways to an attribute become one condition: this is why cost follows the steps and never the ways.
    if passed:
        before = reach.conditions.get(edge.source, FALSE)
        reach.conditions[edge.source] = crossing.diagram.either(before, passed)


def _constants(crossing: Crossing, reach: Reach, name: str, possible: Possible) -> None:
    """Which constants written by the populations of an attribute can be what arrives."""
    condition = reach.conditions.get(name, FALSE)
    if condition == FALSE:
        return
    for edge in crossing.graph.written[name]:
        passed = crossing.back(condition, edge)
        if passed > TRUE and not possible(passed):
            passed = FALSE
        reach.constants[edge.number] = passed
