"""All attributes at once: rules in, one record per populated attribute out, equal to asking for each of them alone.

Passive is one sparse sweep (`closure`). Active works out states once for all questions (`states`) and spreads the
ends over them (`spread`), one connected part of the steps after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from mdw.conditions.diagram import Diagram
from mdw.conditions.solver import RLIMIT, Solver
from mdw.lineage.everything.closure import EndRows, Numbers, Steps, cycles, levels, parts, sweep
from mdw.lineage.everything.numbering import Numbering, Recording
from mdw.lineage.everything.passages import Passages
from mdw.lineage.everything.spread import columns, spread
from mdw.lineage.everything.states import States, Up
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.existing import ExistingRows
from mdw.lineage.rows.universe import Universe
from mdw.lineage.rows.view import Existing
from mdw.lineage.steps.graph import Edge, row_itself
from mdw.lineage.steps.graph import Graph as StepGraph
from mdw.model.answers.answer import Origins
from mdw.model.candidates import Candidates, populated_by
from mdw.model.name import row_of
from mdw.model.rules import Head, Policy, Population

NODES = 500_000
"""Nodes of one diagram; when a part of the steps has outgrown it, the next part gets a new one."""

SINGLY = 100
"""Attributes of one run that are asked for alone where states shared between questions do not decide."""

OFTEN = 500
"""Attributes between two words about progress."""

TOGETHER = 1000
"""Attributes whose ends are handed on together."""

Tell = Callable[[int, float], None]
"""Told how many attributes are done, and which share of the work."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the work: whole connected parts, by the targets in them (None: all); of their ends every ``of``-th."""

    targets: frozenset[str] | None = None
    first: int = 0
    of: int = 1

    def asks(self, target: str) -> bool:
        """Whether the share has the part of this target."""
        return self.targets is None or target in self.targets


ALL = Share()


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Attributes with the numbers of the ends that arrive, in order; of an ``undecided`` one an upper bound."""

    rows: EndRows
    undecided: NDArray[np.bool_]


def passive(
    names: Iterable[str], heads: Iterable[Head], populations: Iterable[Population], tell: Tell | None = None
) -> Iterator[Origins]:
    """Every populated attribute with the ends that steps lead from, conditions not looked at; in no order of names."""
    by_mapping = {head.mapping: head for head in heads}
    numbering = Numbering.of(names)
    for population in populations:
        numbering.add(population, by_mapping[population.mapping])
    populated = populated_by(by_mapping.values())
    count = len(numbering.populated)
    yield from _recorded(swept(numbering, populated), Recording(numbering, populated), _Told(count, tell, count))


def active(
    candidates: Candidates, names: Iterable[str], policy: Policy | None, tell: Tell | None = None
) -> Iterator[Origins]:
    """The same with the ends that rows can come from, part by part of the graph."""
    rules = Numbered.of(candidates, names)
    told = _Told(len(rules.asked), tell)
    recording = Recording(rules.numbering, candidates.populated)
    yield from _recorded(rules.arrivals(policy, told=told.related), recording, told)


def _recorded(found: Iterable[Arrivals], recording: Recording, told: _Told) -> Iterator[Origins]:
    for some in found:
        for place, node in enumerate(some.rows.nodes.tolist()):
            told.answered()
            yield recording.record(node, some.rows.of(place), undecided=bool(some.undecided[place]))


def swept(numbering: Numbering, populated: frozenset[str], share: Share = ALL) -> Iterator[Arrivals]:
    """What steps lead to each asked attribute, conditions not looked at."""
    steps = numbering.steps()
    asked = np.array(sorted(numbering.populated), dtype=np.int64)
    # What a golden entity holds before a mapping changes it is an end too: a node of its own before the attribute.
    kept = np.array(numbering.kept(populated), dtype=np.int64)
    before = steps.count + np.arange(len(kept))
    steps = Steps(
        steps.count + len(kept), np.concatenate([steps.sources, before]), np.concatenate([steps.targets, kept])
    )
    ends = np.setdiff1d(steps.sources, [*steps.targets, *numbering.rows.values()])[share.first :: share.of]
    for rows in sweep(steps, asked, ends):
        yield Arrivals(_named(rows, steps.count - len(kept), kept), np.zeros(len(rows.nodes), dtype=bool))


def _named(rows: EndRows, count: int, kept: Numbers) -> EndRows:
    """Ends from ``count`` on as the attributes they stand before, all in order of number."""
    if not len(kept):
        return rows
    ends = np.where(rows.ends >= count, kept[np.maximum(rows.ends - count, 0) % len(kept)], rows.ends)
    each = np.repeat(np.arange(len(rows.nodes)), np.diff(rows.starts))
    return EndRows(rows.nodes, rows.starts, ends[np.lexsort((ends, each))])


@dataclass
class Numbered:
    """The rules of a warehouse with its attributes numbered, and by number the steps up from each of them.

    ``asked`` are the numbers of the populated attributes; behind them come the rows that bring what has no source.
    """

    graph: StepGraph
    numbering: Numbering
    incoming: dict[int, list[Up]]
    asked: list[int]

    @classmethod
    def of(cls, candidates: Candidates, names: Iterable[str], share: Share = ALL) -> Numbered:
        """The rules that candidates are; ``names`` of all attributes they mention. Steps are those of the share."""
        graph = StepGraph.of(candidates)
        numbering = Numbering.of(names)
        found: dict[int, list[tuple[int, Edge]]] = {}
        for target in sorted(filter(share.asks, graph.populations)):
            into = found[numbering.numbers[target]] = []
            for population in graph.populations[target]:
                for number, clause, source in numbering.add(population, graph.heads[population.mapping]):
                    read = graph.edges.read(source, population, clause) if source else None
                    into.append((number, read or graph.edges.written(population, clause)))
        asked = list(found)
        numbered = cls(graph, numbering, {}, asked)
        for target_, steps in found.items():
            numbered.incoming[target_] = [numbered._up(source, target_, edge) for source, edge in steps]
        numbered._make()
        return numbered

    def _up(self, source: int, target: int, edge: Edge) -> Up:
        """A step up; of what comes with rows that mappings make, from these rows.

        A constant that is written with each row of CORE.B leads on to the rows of CORE.B, and arrives only if one of
        these is there: the step is from the rows, and ``brings`` the constant.
        """
        row = row_itself(row_of(edge.source))
        filled = source < len(self.numbering.names) and edge.source in self.graph.populations
        if filled or self.graph.ends_at(row):
            return source, edge, None
        number = self.numbering.row(row)
        self.numbering.comes(number, target)
        return number, edge, source

    def _make(self) -> None:
        """The steps that make rows, up to those of golden entities."""
        pending = list(self.numbering.rows)
        for row in pending:
            if self.graph.ends_at(row):
                continue
            number = self.numbering.rows[row]
            steps = self.incoming[number] = []
            for edge in self.graph.above(row):
                if edge.source not in self.numbering.rows:
                    pending.append(edge.source)
                above = self.numbering.row(edge.source)
                self.numbering.comes(above, number)
                steps.append((above, edge, None))

    def arrivals(
        self, policy: Policy | None, share: Share = ALL, told: Callable[[int], None] = lambda _count: None
    ) -> Iterator[Arrivals]:
        """What rows can bring to each asked attribute; ``told`` how many attributes have their states."""
        # No question, no initial condition: regions come from the rules alone and serve all attributes.
        universe = Universe(self.graph, ())
        existing = ExistingRows(self.graph, universe, policy)
        states = None
        names = len(self.numbering.names)
        first_row = names + len(self.numbering.constants)
        kept = set(self.numbering.kept(self.graph.candidates.populated))
        for groups, outer in _parts(self.numbering, self.incoming.keys()):
            # A diagram only grows; parts share nothing but it, so a new one may be begun between any two.
            if states is None or states.diagram.size() > NODES:
                states = _states(self.graph, universe, policy, existing)
            asked = [node for group in groups for node in group if node < names]
            ends = sorted([*(node for node in outer if node < first_row), *kept.intersection(asked)])
            there = [node for node in outer if node >= first_row]

            def related(group: Sequence[int]) -> None:
                told(sum(node < names for node in group))

            web = states.web(groups, self.incoming, ends, there, related)
            reached: dict[int, list[Numbers]] = {node: [] for node in asked}
            unsure: set[int] = set()
            for block in spread(replace(web, ends=ends[share.first :: share.of])):
                unsure |= block.unsure
                for node in asked:
                    reached[node].append(columns(block, node))
            # Blocks of ends are put together attribute by attribute and let go, so that memory stays flat.
            for first in range(0, len(asked), TOGETHER):
                some = asked[first : first + TOGETHER]
                found = [np.concatenate(reached.pop(node)) for node in some]
                starts = np.cumsum([0, *map(len, found)])
                rows = EndRows(np.array(some, dtype=np.int64), starts, np.concatenate(found))
                yield Arrivals(rows, np.array([node in unsure for node in some], dtype=bool))


@dataclass
class _Told:
    """Counts what is done: half of the work is to relate an attribute's states, half to answer for it."""

    attributes: int
    tell: Tell | None
    halves: int = 0
    done: int = 0

    def related(self, attributes: int) -> None:
        """So many attributes have their states."""
        self._count(attributes)

    def answered(self) -> None:
        """One more attribute has its record."""
        self.done += 1
        self._count(1)

    def _count(self, halves: int) -> None:
        before = self.halves // OFTEN
        self.halves += halves
        if self.tell and (self.halves // OFTEN > before or self.done == self.attributes):
            self.tell(self.done, self.halves / max(1, 2 * self.attributes))


def _states(graph: StepGraph, universe: Universe, policy: Policy | None, existing: Existing) -> States:
    """A new diagram."""
    diagram = Diagram(2 * NODES)
    crossing = Crossing(graph, universe, diagram, policy, existing)
    for attribute in universe.known():
        crossing.row(attribute)
    return States(Passages(crossing), Solver(diagram, crossing.regions, rlimit=RLIMIT))


def _parts(numbering: Numbering, populated: Collection[int]) -> Iterator[tuple[list[list[int]], list[int]]]:
    """The connected parts of the steps: groups of attributes, each after what feeds it, and ends."""
    steps = numbering.steps()
    part, cycle = parts(steps), cycles(steps)
    count = int(cycle.max(initial=-1)) + 1
    across = cycle[steps.sources] != cycle[steps.targets]
    depth = levels(Steps(count, cycle[steps.sources][across], cycle[steps.targets][across]))[cycle]
    # By part, in it by level, so that sources come first, then by cycle: what feeds one another stands together.
    order = np.lexsort((np.arange(steps.count), cycle, depth, part))
    edges = np.flatnonzero(np.diff(part[order])) + 1
    for nodes in np.split(order, edges):
        ends: list[int] = []
        groups: list[list[int]] = []
        last = -1
        for node in nodes.tolist():
            if node not in populated:
                ends.append(node)
            elif cycle[node] == last:
                groups[-1].append(node)
            else:
                groups.append([node])
                last = int(cycle[node])
        if groups:
            yield groups, sorted(ends)
