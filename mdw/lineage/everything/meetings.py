"""Cells and conditions: in which cells rows can meet a condition, and how the cells on both sides of a step relate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mdw.conditions.atoms import Atom
from mdw.conditions.solver import Solver
from mdw.lineage.everything.cells import Cells, Partition, Tested
from mdw.lineage.everything.passages import StepWays
from mdw.lineage.everything.spread import Numbers, Relation
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge


class Met(NamedTuple):
    """Cells in which some row can meet a condition, and of each whether that is undecided."""

    numbers: Numbers
    undecided: NDArray[np.bool_]


NOWHERE = Met(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool))


class Related(NamedTuple):
    """How cells lead to cells, None if none does; ``unsure`` are those of which it is undecided."""

    relation: Relation | None
    unsure: Relation | None


class Meetings:
    """Works out for one diagram which cells meet conditions and how cells relate, each question once."""

    def __init__(self, crossing: Crossing, solver: Solver) -> None:
        self.crossing = crossing
        self.diagram = crossing.diagram
        self.solver = solver
        self.cells = Cells(crossing.diagram)
        self._relations: dict[tuple[int, int, int], Related] = {}
        self._meeting: dict[tuple[int, int], Met] = {}

    def meeting(self, condition: int, tested: Tested) -> Met:
        """The numbers of the cells in which some row can meet the condition, its atoms looked at."""
        key = condition, tested.number
        found = self._meeting.get(key)
        if found is None:
            found = self._meeting[key] = self._possible(condition, tested.partitions)
        return found

    def _possible(self, condition: int, axes: dict[int, Partition]) -> Met:
        """The same by the axes of the cells. Where atoms take part, Z3 is asked once for each cell left over."""
        found = np.flatnonzero(self.cells.meeting(condition, axes))
        labels = self.diagram.labels
        # Without comparisons the diagram decides, and for all cells at once.
        if not any(isinstance(labels[v], Atom) for v in self.diagram.support(condition)):
            return Met(found, np.zeros(len(found), dtype=bool))
        places = np.unravel_index(found, _shape(axes)) if axes else ()
        kept, undecided = [], []
        for place, number in enumerate(found):
            cell = self.cells.condition(axes, [int(axis[place]) for axis in places])
            verdict = self.solver.check(self.diagram.both(condition, cell))
            if verdict != "contradictory":
                kept.append(number)
                undecided.append(verdict == "undecided")
        return Met(np.array(kept, dtype=np.int64), np.array(undecided, dtype=bool))

    def between(self, target: Tested, source: Tested, edge: Edge, ways: StepWays) -> Related:
        """How cells of the target's rows lead to cells of the source's."""
        key = target.number, source.number, ways.number
        if key not in self._relations:
            self._relations[key] = self._related(target, source, edge, ways)
        return self._relations[key]

    def _related(self, target: Tested, source: Tested, edge: Edge, ways: StepWays) -> Related:
        """The pairs of cells: along copied variables the same values, along others what the rules put there."""
        copied = _copied(target, ways)
        other = {v: partition for v, partition in target.partitions.items() if v not in copied}
        # Along a copied variable both rows have the same value, so one axis serves both; only along the others each
        # cell of the target must be carried across by itself. That is what keeps thousands of cells cheap.
        axes = {copied[v]: target.partitions[v] for v in copied}
        axes |= {v: partition for v, partition in source.partitions.items() if v not in axes}
        spread_ = [len(target.partitions[v]) for v in other]
        into, out_of, unsure = [], [], []
        for number, given in enumerate(self.cells.each(other)):
            condition = self.crossing.back(given, edge)
            found, undecided = self._possible(condition, axes) if condition else NOWHERE
            at = dict(zip(axes, np.unravel_index(found, _shape(axes)), strict=True)) if axes else {}
            chosen = dict(zip(other, np.unravel_index(number, spread_), strict=True)) if other else {}
            zero = np.zeros(len(found), dtype=np.int64)
            into.append(
                _number([at[copied[v]] if v in copied else zero + chosen[v] for v in target.partitions], target, zero)
            )
            unsure.append(into[-1][undecided])
            out_of.append(_number([_coarser(at[v], axes[v], source, v) for v in source.partitions], source, zero))
        a, b, c = np.concatenate(into), np.concatenate(out_of), np.concatenate(unsure)
        return Related(
            Relation.of(a, b, target.cells, source.cells) if len(a) else None,
            Relation.of(c, np.zeros_like(c), target.cells, 1) if len(c) else None,
        )


def _shape(axes: dict[int, Partition]) -> tuple[int, ...]:
    return tuple(map(len, axes.values()))


def _number(places: list[Numbers], tested: Tested, zero: Numbers) -> Numbers:
    """The number of each cell, by its places along the axes."""
    return np.asarray(np.ravel_multi_index(places, tested.shape), dtype=np.int64) if places else zero


def _coarser(places: Numbers, partition: Partition, tested: Tested, variable: int) -> Numbers:
    """Places in a finer partition as places in the one of what is tested."""
    within = tested.partitions[variable]
    if within == partition:
        return places
    table = [next(number for number, whole in enumerate(within) if whole & part) for part in partition]
    return np.array(table, dtype=np.int64)[places]


def _copied(tested: Tested, ways: StepWays) -> dict[int, int]:
    """The variables every way copies, each from a variable of its own, by what they are copied from."""
    found: dict[int, int] = {}
    for variable in tested.partitions:
        sources = {fills.copied.get(variable) for _, fills in ways.each}
        source = next(iter(sources))
        if len(sources) == 1 and source is not None and source not in found.values():
            found[variable] = source
    return found
