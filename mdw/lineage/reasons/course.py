"""Where the ways of a dropped step run: from the question up to the step, across it, and on to an end.

    lineage:  asked <- ... <- target <- step <- source <- ... <- an end      rows are followed upwards, right to left
    impact:   target <- step <- source <- ... <- asked                       the same; the asked attribute is the end

So one search serves both: it starts at ``start``, goes up inside ``below`` until it stands at the step's target,
crosses the step, and goes up inside ``above`` to an end. Both say how many steps are left at least, so that the search
goes straight where nothing stands in its way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

from mdw.lineage.steps.graph import Edge, Graph
from mdw.lineage.steps.order import groups


@dataclass(frozen=True, slots=True)
class Course:
    """The ways of one step: where they start, and steps left to its target (``below``) or to an end (``above``)."""

    step: Edge
    start: str
    below: Mapping[str, int]
    above: Mapping[str, int]


class Courses:
    """The courses of dropped steps of one question."""

    def __init__(self, graph: Graph, asked: str, *, forward: bool, source: str = "") -> None:
        self.graph = graph
        self.asked = asked
        self.forward = forward
        self._source = source

    def of(self, step: Edge) -> Course:
        """The course of a step."""
        if self.forward:
            return Course(step, step.target, {step.target: 0}, self._ascent)
        return Course(step, self.asked, self._descent(step.target), self._ascent)

    def following(self, name: str) -> list[Edge]:
        """The steps that lead upwards from an attribute."""
        return self.graph.incoming[name] if self.forward else self.graph.above(name)

    def ends_at(self, name: str) -> bool:
        """Whether ways end at an attribute."""
        if self.forward:
            return name == self.asked
        return name == self._source if self._source else self.graph.ends_at(name)

    @cached_property
    def _upward(self) -> dict[str, list[Edge]]:
        """The steps upwards from every attribute that ways may pass, those nearest to the question first."""
        if self.forward:
            return {edge.target: self.graph.incoming[edge.target] for edge in _every(self.graph.outgoing)}
        found: dict[str, list[Edge]] = {}
        pending = [self.asked]
        for name in pending:
            if name not in found:
                found[name] = self.following(name)
                pending += [edge.source for edge in found[name]]
        return found

    @cached_property
    def downward(self) -> dict[str, list[tuple[Edge, str]]]:
        """The steps that lead downwards from every attribute, each with the attribute it leads to."""
        found: dict[str, list[tuple[Edge, str]]] = {}
        # What makes rows as such stands above every attribute that nothing fills, so its target does not tell.
        for name, edges in self._upward.items():
            for edge in edges:
                found.setdefault(edge.source, []).append((edge, name))
        return found

    @cached_property
    def edges(self) -> dict[int, Edge]:
        """The steps that ways may cross, by number."""
        return {edge.number: edge for edge in _every(self._upward)}

    @cached_property
    def _ascent(self) -> dict[str, int]:
        """By attribute the steps left to the nearest end."""
        names = dict.fromkeys((self.asked, *self._upward, *self.downward))
        return self._distances([name for name in names if self.ends_at(name)])

    def _descent(self, target: str) -> dict[str, int]:
        """By attribute below the step the steps left to its target."""
        return self._distances([target])

    def _distances(self, starts: list[str]) -> dict[str, int]:
        """By attribute below some starts the steps up to the nearest of them."""
        found = dict.fromkeys(starts, 0)
        pending = deque(found)
        while pending:
            name = pending.popleft()
            for _, below in self.downward.get(name, ()):
                if below not in found:
                    found[below] = found[name] + 1
                    pending.append(below)
        return found

    # -- how many ways -------------------------------------------------------------------------------------------

    def counted(self, course: Course) -> dict[int, int]:
        """By step the number of ways of the course that cross it; of a cycle no way is counted twice."""
        # A way is one choice from the start to the step and one from the step to an end, so ways multiply; they are
        # counted in time that grows with the steps, however many they are.
        step = course.step
        down = self._paths({course.start: 1}, course.below)
        into = self._paths_up({step.target: 1}, course.below)
        up = self._paths({step.source: 1}, course.above)
        found = {step.number: down.get(step.target, 0) * self._leaving.get(step.source, 0)}
        for name, number in down.items():
            for edge in self._within(name, course.below):
                if edge.number != step.number:
                    found[edge.number] = number * into.get(edge.source, 0) * self._leaving.get(step.source, 0)
        for name, number in up.items():
            for edge in self._within(name, course.above):
                more = down.get(step.target, 0) * number * self._leaving.get(edge.source, 0)
                found[edge.number] = found.get(edge.number, 0) + more
        return found

    @cached_property
    def _leaving(self) -> dict[str, int]:
        """By attribute the number of ways from it up to an end."""
        return self._paths_up({name: 1 for name, left in self._ascent.items() if not left}, self._ascent)

    def _paths(self, start: dict[str, int], inside: Mapping[str, int]) -> dict[str, int]:
        """The number of ways from the start up to each attribute inside."""
        found: dict[str, int] = dict(start)
        # In the order from the question upwards: an attribute's number is whole before it is handed on.
        heap = [(self._rank[name], name) for name in start]
        while heap:
            _, name = heappop(heap)
            for edge in self._within(name, inside):
                if edge.source not in found:
                    heappush(heap, (self._rank[edge.source], edge.source))
                found[edge.source] = found.get(edge.source, 0) + found[name]
        return found

    def _paths_up(self, ends: dict[str, int], inside: Mapping[str, int]) -> dict[str, int]:
        """The number of ways from each attribute inside up to one of the ends."""
        found = dict(ends)
        for name in sorted(inside, key=lambda one: -self._rank[one]):
            found[name] = ends.get(name, 0) + sum(found[edge.source] for edge in self._within(name, inside))
        return found

    def _within(self, name: str, inside: Mapping[str, int]) -> list[Edge]:
        """The steps upwards from an attribute to others inside, but for those that go round a cycle."""
        rank = self._rank
        return [edge for edge in self._upward.get(name, ()) if edge.source in inside and rank[edge.source] > rank[name]]

    @cached_property
    def _rank(self) -> dict[str, int]:
        """The place of every attribute in an order from the question upwards; those on one cycle share theirs."""
        upward = self._upward
        every = groups("", lambda name: [edge.source for edge in upward.get(name, ())] if name else upward)
        return {name: number for number, group in enumerate(every) for name in group}


def _every(edges: Mapping[str, Iterable[Edge]]) -> Iterable[Edge]:
    return (edge for some in edges.values() for edge in some)
