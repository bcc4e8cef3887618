"""The search for a way on which some row passes, with only some rules in force.

Several sets of rules may be asked about at once: then a way is wanted that each set alone lets a row through. That is
how ways are found that no contradiction known so far closes.

Conditions go up the steps like in `mdw.lineage.judge.exact`. But they are not merged: what is wanted is one way, to be
read. So the search visits pairs of an attribute and the conditions it was reached with, the nearest to an end first.
With few rules in force few conditions differ, however many ways there are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.reasons.course import Course, Courses
from mdw.lineage.reasons.force import QUESTION, Force, Rules
from mdw.lineage.steps.graph import Edge
from mdw.model.name import row_of


class ExhaustedError(Exception):
    """The search took more effort than it may."""


@dataclass(frozen=True, slots=True)
class _Stand:
    """An attribute the search stands at, the conditions it came with, and how it came."""

    name: str
    crossed: bool
    conditions: tuple[int, ...]
    edge: Edge | None = None
    before: _Stand | None = None

    def way(self) -> list[Edge]:
        """The steps from the start to here."""
        found = []
        at: _Stand | None = self
        while at is not None and at.edge is not None:
            found.append(at.edge)
            at = at.before
        return found[::-1]


class WaySearch:
    """Searches the ways of dropped steps; ``left`` is the effort it may still take, in steps tried."""

    def __init__(self, force: Force, courses: Courses, initial: int, possible: Callable[[int], bool]) -> None:
        self.force = force
        self.courses = courses
        self.left = 0
        self._initial = initial
        self._possible = possible

    def find(self, course: Course, sets: Sequence[Rules]) -> list[Edge] | None:
        """A way, from its start, that some row passes with each of the sets in force; None if there is none."""
        if course.step.source not in course.above or course.start not in course.below:
            return None
        # A* (Hart 1968): steps gone and at least so many to go; of equals the one that has gone further, then by age.
        tried: dict[tuple[str, bool], list[tuple[int, ...]]] = {}
        heap: list[tuple[int, int, int, _Stand]] = []
        number = 0

        def visit(place: _Stand, gone: int) -> None:
            nonlocal number
            if self._known(tried, place):
                return
            number += 1
            left = course.above[place.name] if place.crossed else self._left(course, place.name)
            heappush(heap, (gone + left, -gone, number, place))

        begun = tuple(self._begin(course, rules) for rules in sets)
        if FALSE not in begun:
            visit(_Stand(course.start, False, begun), 0)
        while heap:
            _, gone, _, place = heappop(heap)
            if place.crossed and self.courses.ends_at(place.name) and self._arrives(place, sets):
                return place.way()
            for edge in self._onward(course, place):
                pairs = zip(place.conditions, sets, strict=True)
                conditions = tuple([self._cross(one, edge, rules) for one, rules in pairs])
                if FALSE not in conditions:
                    crossed = place.crossed or edge.number == course.step.number
                    visit(_Stand(edge.source, crossed, conditions, edge, place), 1 - gone)
        return None

    def passes(self, course: Course, way: Sequence[Edge], rules: Rules) -> bool:
        """Whether some row passes the whole way with these rules in force."""
        condition = self._begin(course, rules)
        for edge in way:
            if condition == FALSE:
                return False
            condition = self._cross(condition, edge, rules)
        return self._finish(condition, rules) != FALSE

    def _left(self, course: Course, name: str) -> int:
        return course.below[name] + 1 + course.above[course.step.source]

    def _known(self, tried: dict[tuple[str, bool], list[tuple[int, ...]]], place: _Stand) -> bool:
        """Whether the search was here with conditions that let no less through; else it has been now."""
        diagram = self.force.crossing.diagram
        before = tried.setdefault((place.name, place.crossed), [])
        if len(place.conditions) == 1 and before:
            # Of one set, what was let through by any of the ways here may be put together. Of several it may not: a row
            # that passes with the first set on one way and one that passes with the second on another are no way.
            merged = diagram.either(before[0][0], place.conditions[0])
            if merged == before[0][0]:
                return True
            before[0] = (merged,)
            return False
        for other in before:
            if all(
                one == wider or diagram.both(one, wider) == one
                for one, wider in zip(place.conditions, other, strict=True)
            ):
                return True
        before.append(place.conditions)
        return False

    def _onward(self, course: Course, place: _Stand) -> list[Edge]:
        if place.crossed:
            return [edge for edge in self.courses.following(place.name) if edge.source in course.above]
        found = []
        if not self.courses.forward:
            incoming = self.courses.graph.incoming[place.name]
            found = [edge for edge in incoming if edge.source in course.below and edge.number != course.step.number]
        return [*found, course.step] if place.name == course.step.target else found

    def _cross(self, condition: int, edge: Edge, rules: Rules) -> int:
        self.left -= 1
        if self.left < 0:
            raise ExhaustedError
        found = self.force.back(condition, edge, rules)
        # To the diagram comparisons of attributes are apart; whether they contradict jointly only Z3 knows.
        return found if found <= TRUE or self._possible(found) else FALSE

    def _begin(self, course: Course, rules: Rules) -> int:
        if QUESTION not in rules:
            return TRUE
        if self.courses.forward:
            return self.force.crossing.wanted.get(row_of(course.start), TRUE)
        return self._initial

    def _arrives(self, place: _Stand, sets: Sequence[Rules]) -> bool:
        return all(self._finish(one, rules) for one, rules in zip(place.conditions, sets, strict=True))

    def _finish(self, condition: int, rules: Rules) -> int:
        """What is left of a condition at the end of a way: in an impact the question speaks of the rows there."""
        if condition == FALSE or not self.courses.forward or QUESTION not in rules:
            return condition
        found = self.force.crossing.diagram.both(condition, self._initial)
        return found if found <= TRUE or self._possible(found) else FALSE
