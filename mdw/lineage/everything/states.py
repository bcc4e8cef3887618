"""The states in which rows reach each attribute, for all questions at once, and how steps lead from state to state.

Take MART.C, filled from CORE.B where REGION is "EU", and MART.E, filled from all of CORE.B. Asked alone, each crosses
the mappings that fill CORE.B under a condition of its own. Together they need two states of CORE.B's rows, REGION is
"EU" and is not; a question then is a set of states, and what reaches it is the OR of what reaches each of them.

- Where rules further up test value sets only, and few of them, the states are all *cells* of what they test.
- Elsewhere they are the conditions that do arrive, reduced to attributes that rules further up can still test. Where
  these become too many, further ones are weakened, and whoever meets a weakened one is unsure.

Cost: steps times states, each crossed once whoever asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.solver import Solver
from mdw.lineage.everything.cells import Tested
from mdw.lineage.everything.meetings import Meetings
from mdw.lineage.everything.passages import Passages, StepWays, spoken
from mdw.lineage.everything.spread import UNSURE, Relation, Step, Web
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge
from mdw.model.errors import TooLargeError

CELLS = 2048
"""Cells of an attribute; where there would be more, the conditions that arrive are kept apart instead."""
STATES = 16
"""Conditions kept apart at one attribute; further ones lose their comparisons, still further ones everything."""
AROUND = 4
"""The same on a cycle, where comparisons may grow for ever."""
CARRIED, GROWN = 20_000, 4_000
"""Conditions carried one by one across the steps of a part, four for every step besides, and nodes its diagram may
grow by meanwhile, one for every step besides; beyond, no further ones are kept apart."""

Pairs = tuple[list[int], list[int]]
Up = tuple[int, Edge, int | None]
"""A step up: the number of its source, the step, and the end that a row of the source brings, if the source is rows."""


@dataclass(slots=True)
class StateNode:
    """An attribute, or rows as such, and what leads to it: each step up with its ways; ends have none.

    ``states`` numbers the conditions that arrive, where cells cannot say what is tested or are too many.
    """

    tested: Tested
    steps: list[tuple[Up, StepWays]] = field(default_factory=list)
    states: dict[int, int] | None = None
    looped: bool = False

    @property
    def count(self) -> int:
        """How many states there are."""
        return self.tested.cells if self.states is None else len(self.states)


class States:
    """Works out the states of connected parts of the steps, one after the other, in one diagram."""

    def __init__(self, passages: Passages, solver: Solver) -> None:
        self.passages = passages
        self.crossing: Crossing = passages.crossing
        self.diagram = self.crossing.diagram
        self.solver = solver
        self.meetings = Meetings(passages.crossing, solver)
        self._left = CARRIED
        self._limit = GROWN
        self._projected: dict[tuple[int, int], int] = {}

    def web(
        self,
        groups: Sequence[Sequence[int]],
        incoming: Mapping[int, Iterable[Up]],
        ends: Sequence[int],
        there: Sequence[int],
        related: Callable[[Sequence[int]], None],
    ) -> Web:
        """States and relations; ``groups`` of attributes that feed one another, each after what feeds it.

        ``there``: the rows as such that no step makes, ends of their own kind.
        """
        nothing = self.passages.pool.nothing
        nodes = {end: StateNode(nothing) for end in (*ends, *there)}
        for group in groups:
            self._test(group, incoming, nodes)
        steps = sum(len(node.steps) for node in nodes.values())
        self._left, self._limit = CARRIED + 4 * steps, self.diagram.size() + GROWN + steps
        found: dict[int, list[Step]] = {}
        open_: dict[tuple[int, int], Pairs] = {}
        # What is tested was found from the sources down; states arrive the other way, from below.
        for group in reversed(groups):
            found |= self._relate(group, nodes, open_)
            related(group)
        for (number, place), (into, out_of) in open_.items():
            self._close(found[number], nodes, number, nodes[number].steps[place][0], into, out_of)
        return Web(groups, {number: node.count for number, node in nodes.items()}, found, ends, there)

    # -- what is tested ------------------------------------------------------------------------------------------

    def _test(self, group: Sequence[int], incoming: Mapping[int, Iterable[Up]], nodes: dict[int, StateNode]) -> None:
        """Take in a group of attributes: to a fixed point what rules further up test of their rows."""
        nothing = self.passages.pool.nothing
        for number in group:
            found = ((up, self.passages.ways(up[1])) for up in incoming[number])
            nodes[number] = StateNode(nothing, [step for step in found if step[1].each])
        # Tests only ever add up and regions are finite, so around a cycle this comes to an end.
        pending = list(group)
        while pending:
            changed = set()
            for number in pending:
                node = nodes[number]
                tested = node.tested
                for (source, _, _), ways in node.steps:
                    tested = self.passages.pool.met(tested, self.passages.through(ways, nodes[source].tested))
                if tested is not node.tested:
                    node.tested = tested
                    changed.add(number)
            pending = [number for number in group if any(up[0] in changed for up, _ in nodes[number].steps)]
        # Too many cells, or tests that cells cannot say: conditions as they arrive, TRUE being the first of them.
        for number in group:
            if not 0 < nodes[number].tested.cells <= CELLS:
                nodes[number].states = {TRUE: 0}
                nodes[number].looped = len(group) > 1 or any(up[0] == number for up, _ in nodes[number].steps)

    # -- how states lead to states -------------------------------------------------------------------------------

    def _relate(
        self, group: Sequence[int], nodes: dict[int, StateNode], open_: dict[tuple[int, int], Pairs]
    ) -> dict[int, list[Step]]:
        """The relations of a group's steps between cells; of others the pairs, until every state is known."""
        found: dict[int, list[Step]] = {number: [] for number in group}
        done = dict.fromkeys(group, 0)
        for number in group:
            node = nodes[number]
            for place, ((source, edge, brings), ways) in enumerate(node.steps):
                # Cells on both sides: related once for all steps with the same ways. Cells that lead to conditions are
                # carried one by one, and conditions, below, whenever a new one has arrived.
                if node.states is None and nodes[source].states is None:
                    relation, unsure = self.meetings.between(node.tested, nodes[source].tested, edge, ways)
                    if relation is not None:
                        found[number].append((source, relation, brings))
                    if unsure is not None:
                        found[number].append((UNSURE, unsure, None))
                elif node.states is None:
                    pairs = open_[number, place] = [], []
                    for state, condition in enumerate(self.meetings.cells.each(node.tested.partitions)):
                        self._lead(state, condition, nodes[source], edge, pairs)
        pending = [number for number in group if nodes[number].states is not None]
        while pending:
            for number in pending:
                node = nodes[number]
                assert node.states is not None
                fresh = list(node.states.items())[done[number] :]
                done[number] += len(fresh)
                for place, ((source, edge, _), _) in enumerate(node.steps):
                    pairs = open_.setdefault((number, place), ([], []))
                    for condition, state in fresh:
                        self._lead(state, condition, nodes[source], edge, pairs)
            pending = [number for number in group if done[number] < len(nodes[number].states or ())]
        return found

    def _close(
        self,
        found: list[Step],
        nodes: dict[int, StateNode],
        number: int,
        up: Up,
        into: list[int],
        out_of: list[int],
    ) -> None:
        """Make relations of pairs; a source state below zero stands for being unsure."""
        a, b = np.array(into, dtype=np.int64), np.array(out_of, dtype=np.int64)
        source, _, brings = up
        count = nodes[number].count
        if (b >= 0).any():
            found.append((source, Relation.of(a[b >= 0], b[b >= 0], count, nodes[source].count), brings))
        if (b < 0).any():
            found.append((UNSURE, Relation.of(a[b < 0], np.zeros_like(a[b < 0]), count, 1), None))

    def _lead(self, state: int, condition: int, source: StateNode, edge: Edge, pairs: Pairs) -> None:
        """Carry one state across a step and note which states of the source it leads to."""
        into, out_of = pairs

        def note(number: int) -> None:
            into.append(state)
            out_of.append(number)

        try:
            passed = self.crossing.back(condition, edge)
            self._left -= passed > TRUE
            verdict = self.solver.check(passed) if passed > TRUE else "possible"
            if passed == FALSE or verdict == "contradictory":
                return
            if verdict == "undecided":
                note(UNSURE)
            if source.states is None:
                met = self.meetings.meeting(passed, source.tested)
                for number in met.numbers:
                    note(int(number))
                if met.undecided.any():
                    note(UNSURE)
                return
            kept = self._project(passed, source.tested)
        # Nothing is known of such a row: it may be in any state, and whoever leads to it is unsure.
        except TooLargeError:
            note(UNSURE)
            if source.states is None:
                for number in range(source.count):
                    note(number)
            else:
                note(0)
            return
        number, exact = self._asked(source, kept)
        note(number)
        if not exact:
            note(UNSURE)

    def _asked(self, source: StateNode, condition: int) -> tuple[int, bool]:
        """The number of a state, and whether it is the condition itself; if not, it is a weaker one."""
        states, kept = source.states or {}, condition
        # A weaker state lets more ends through: who takes it in place of the condition asked for is unsure of them.
        if kept not in states and (self._left < 0 or self.diagram.size() > self._limit):
            kept = TRUE
        if kept not in states and len(states) >= (AROUND if source.looped else STATES):
            labels = self.diagram.labels
            kept = self.diagram.exists(kept, lambda v: isinstance(labels[v], Atom))
        if kept not in states and len(states) >= 2 * STATES:
            kept = TRUE
        return states.setdefault(kept, len(states)), kept == condition

    def _project(self, condition: int, tested: Tested) -> int:
        """The condition on what rules further up can still test: equal states are then more often met again.

        ``TYPE = 1 AND REGION = "EU"``, where only REGION is tested further up, is the state REGION = "EU".
        """
        key = condition, tested.number
        found = self._projected.get(key)
        if found is None:
            support = self.diagram.support(condition)
            held: set[int] = set()
            for variable in support:
                label = self.diagram.labels[variable]
                if isinstance(label, Atom):
                    held |= spoken(label) | {variable}
            # An atom keeps its variables: what restricts these restricts what it compares.
            kept = held | (support & tested.partitions.keys())
            if kept.isdisjoint(tested.partitions):
                found = TRUE
            else:
                found = self.diagram.exists(condition, lambda v: v not in kept)
            self._projected[key] = found
        return found
