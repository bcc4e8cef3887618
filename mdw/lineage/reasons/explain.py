"""Why steps were dropped: rules that no row can meet together, on whichever way it would come.

Three sets of rules are worked out for a step, each from the one before:

- *enough*: ways are searched that rows pass with what is known so far; each one found adds a smallest contradiction
  among its rules, until there is no way left.
- *because*: of these, one rule after the other is taken out where no way opens without it.
- *groups*: smallest contradictions made of these only, so many that every way holds one.

The step of `mdw.lineage` that goes under "US" has one way, and on it two rules:

    SRC.D.AMOUNT -> CORE.B.AMOUNT -> MART.C.AMOUNT      us writes "US" into REGION, mart requires REGION = "EU"

The question is taken out first: it is named only where the step would be kept if nothing was asked. Then go rules that
lie on few ways, and those far from the step.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mdw.lineage.reasons.course import Course, Courses
from mdw.lineage.reasons.force import QUESTION, Force, Rules
from mdw.lineage.reasons.rule import Rule, place_of
from mdw.lineage.reasons.ways import ExhaustedError, WaySearch
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.errors import TooLargeError

EFFORT = 20_000
"""Steps tried to explain one dropped step."""
NODES = 50_000
"""Nodes the conditions of one explanation may need."""
SHARES = 20
"""How many times `EFFORT` and `NODES` all explanations of one answer may take together."""
NOTHING: Rules = frozenset()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Rules of one way that no row can meet together; without any one of them some row passes the way."""

    rules: Rules
    way: tuple[Edge, ...]


@dataclass
class Why:
    """What is known of one dropped step.

    ``near`` has the rules met, with the steps between; ``complete``: every way holds one of the groups.
    """

    course: Course
    because: Rules = NOTHING
    groups: list[Contradiction] = field(default_factory=list)
    near: dict[Rule, int] = field(default_factory=dict)
    complete: bool = True

    def ordered(self, graph: Graph) -> list[Rule]:
        """The rules of ``because``, the step's own first, the question last."""
        return sorted(self.because, key=lambda rule: (self.near.get(rule, 0), place_of(rule, graph)))


class Explainer:
    """Finds the contradicting rules for the dropped steps of one answer.

    ``passed`` tells the steps that rows pass, by number; ``initial`` is the condition asked, ``when`` its text.
    """

    def __init__(
        self,
        crossing: Crossing,
        initial: int,
        when: str,
        passed: Mapping[int, object],
        possible: Callable[[int], bool],
        *,
        forward: bool = False,
    ) -> None:
        self.crossing = crossing
        self.when = when
        self.forward = forward
        self._initial = initial
        self._passed = passed
        self.possible = possible
        self._shared: dict[Hashable, Why] = {}

    def explain(self, dropped: Sequence[Edge], asked: str, source: str = "") -> list[Why]:
        """What contradicts on the ways of each step, in the order given."""
        self.force = Force(self.crossing)
        self._effort, self._nodes = SHARES * EFFORT, self.crossing.diagram.size() + SHARES * NODES
        self._courses = Courses(self.crossing.graph, asked, forward=self.forward, source=source)
        self._ways = WaySearch(self.force, self._courses, self._initial, self.possible)
        every = self._courses.edges.items()
        self._reached = {asked, *(self._outer(edge) for number, edge in every if self._passed.get(number))}
        return [self._found(edge) for edge in dropped]

    def _outer(self, edge: Edge) -> str:
        """The end of a step that lies further from the asked attribute."""
        return edge.target if self.forward else edge.source

    def _inner(self, edge: Edge) -> str:
        """The end of a step that lies nearer to the asked attribute."""
        return edge.source if self.forward else edge.target

    def _found(self, edge: Edge) -> Why:
        # Steps of one mapping into one attribute that differ by sources of the same row have the same ways: of
        # `T.N WITH S.A + S.B` both are dropped for the same reason, which is worked out once. Above sources that rules
        # fill ways may differ; `alike` is where there is nothing above.
        plain = edge.population.clauses[edge.clause].condition is None and edge.clause == 0
        alike = not self.forward and self._courses.ends_at(edge.source)
        clause = -plain or edge.clause, edge.test, edge.keys, edge.picked
        key = (edge.target, edge.population.mapping, edge.row, clause, "" if alike else edge.source)
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = self._explained(edge)
        return found

    def _explained(self, edge: Edge) -> Why:
        """Rules for one step, beginning with what closes the steps it must pass."""
        cuts = self._cuts(edge)
        found = Why(self._courses.of(edge))
        for one in cuts:
            found.because |= one.because
            found.near = {**one.near, **found.near}
        # Steps nearer to the question may need it to be closed where this one does not. If none of them does, their
        # rules close this one's ways as well, all of which go through them: `enough` is known without a search.
        closed = bool(cuts) and QUESTION not in found.because and all(one.complete for one in cuts)
        found.because -= {QUESTION}
        diagram = self.crossing.diagram
        limit, diagram.limit = diagram.limit, min(diagram.size() + NODES, self._nodes)
        self._ways.left = effort = min(EFFORT, self._effort)
        try:
            self._work_out(found, closed=closed)
        except (ExhaustedError, TooLargeError):
            found.complete = False
        finally:
            diagram.limit = limit
            self._effort -= effort - max(0, self._ways.left)
        # All ways of the step hold the groups of the one that it must pass.
        return cuts[0] if len(cuts) == 1 and cuts[0].because == found.because else found

    def _cuts(self, edge: Edge) -> list[Why]:
        """Of a step that no row comes near: what is known of the dropped steps between it and the question."""
        near, found = self._inner(edge), {}
        pending = [] if near in self._reached else [near]
        # Towards the question, until attributes are met that rows do reach: the steps in between are the cut.
        for name in pending:
            for one in self._inward(name):
                if self._inner(one) not in self._reached:
                    pending += [self._inner(one)] * (self._inner(one) not in pending)
                else:
                    of = self._found(one)
                    found[id(of)] = of
        return list(found.values())

    def _inward(self, name: str) -> list[Edge]:
        """The steps that lead from an attribute towards the question."""
        if self.forward:
            return self._courses.graph.incoming[name]
        return [edge for edge, _ in self._courses.downward.get(name, ())]

    def _work_out(self, found: Why, *, closed: bool) -> None:
        ways, course = self._ways, found.course
        cores: list[Contradiction] = []
        counts = Preference(self._courses, course, self.force, found.near)
        # *enough*. A way that rows pass with the rules known so far needs another rule to close it: each round adds
        # one at least, so there are never more rounds than rules.
        while not closed and (way := ways.find(course, [found.because])) is not None:
            core = self._core(found, counts, way, frozenset({QUESTION}).union(*map(self.force.rules, way)))
            if core is None:
                return
            cores.append(core)
            found.groups = cores
            found.because |= core.rules
        open_: list[list[Edge]] = []

        def passes(rules: Rules) -> bool:
            # A way found with other rules is tried first: that costs its length, a search all steps.
            if any(ways.passes(course, way, rules) for way in open_):
                return True
            way = ways.find(course, [rules])
            open_.extend([way] if way else [])
            return way is not None

        found.because = counts.smallest(found.because, passes)
        # *groups*. A way that each group by itself lets a row pass holds none of them: it brings a group of its own.
        found.groups = [one for one in cores if one.rules <= found.because]
        while (way := ways.find(course, [one.rules for one in found.groups])) is not None:
            core = self._core(found, counts, way, found.because)
            if core is None:
                return
            found.groups.append(core)

    def _core(self, found: Why, counts: Preference, way: Sequence[Edge], rules: Rules) -> Contradiction | None:
        """A smallest set of the rules under which no row passes the way; None if some row passes with all of them."""
        at = next(number for number, edge in enumerate(way) if edge.number == found.course.step.number)
        for number, edge in enumerate(way):
            for rule in self.force.rules(edge):
                found.near[rule] = min(abs(number - at), found.near.get(rule, len(way)))
        found.near[QUESTION] = max((one for rule, one in found.near.items() if rule != QUESTION), default=0) + 1
        # Dropped by more than rules on a way tell, as bounds over all ways may: then this is said, not made up.
        if self._ways.passes(found.course, way, rules):
            found.complete = False
            return None
        least = counts.smallest(rules, lambda some: self._ways.passes(found.course, way, some))
        return Contradiction(least, tuple(way))


class Preference:
    """Which rules a reason would rather name: those on most ways, then those near the step, then by name."""

    def __init__(self, courses: Courses, course: Course, force: Force, near: Mapping[Rule, int]) -> None:
        self._courses = courses
        self._course = course
        self._force = force
        self._near = near

    def smallest(self, rules: Rules, passes: Callable[[Rules], bool]) -> Rules:
        """A smallest part of rules that let nothing pass; what is wanted least is taken out first.

        By halves (QuickXplain, Junker 2004): of n rules k are found in about k times log n tries. Of a, b, c, d let
        b and d contradict: a, b alone let a row pass, so c, d hold a part of it, found to be d; with d given, of a, b
        only b is needed.
        """
        return self._part(NOTHING, True, self._ordered(rules), passes) if rules else rules

    def _part(self, given: Rules, grown: bool, rules: list[Rule], passes: Callable[[Rules], bool]) -> Rules:
        """What of the rules is needed beside those given; ``grown``: these have grown since it was last asked."""
        if grown and not passes(given):
            return NOTHING
        if len(rules) == 1:
            return frozenset(rules)
        wanted, rest = rules[: len(rules) // 2], rules[len(rules) // 2 :]
        far = self._part(given.union(wanted), True, rest, passes)
        return far | self._part(given | far, bool(far), wanted, passes)

    def _ordered(self, rules: Rules) -> list[Rule]:
        """The rules wanted most first; the question, which is named only where it must be, last."""
        counts: Mapping[Rule, int] = self._counts if len(rules) > 2 else {}
        graph = self._courses.graph

        def want(rule: Rule) -> tuple[object, ...]:
            return rule == QUESTION, -counts.get(rule, 0), self._near.get(rule, 0), place_of(rule, graph)

        return sorted(rules, key=want)

    @cached_property
    def _counts(self) -> dict[Rule, int]:
        found: dict[Rule, int] = {}
        for number, ways in self._courses.counted(self._course).items():
            for rule in self._force.own(self._courses.edges[number]):
                found[rule] = found.get(rule, 0) + ways
        return found
