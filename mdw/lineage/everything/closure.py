"""The passive kernel: from which ends the steps of a graph lead to each node, by one sparse boolean sweep.

Ends 0 and 1 lead to 2, and 2 to 3; the steps are two arrays, the answer comes in blocks:

>>> steps = Steps(4, np.array([0, 1, 2]), np.array([2, 2, 3]))
>>> {int(node): rows.of(place).tolist() for rows in sweep(steps) for place, node in enumerate(rows.nodes)}
{0: [0], 1: [1], 2: [0, 1], 3: [0, 1]}

Arrays in, rows out: nothing here knows of stores, names or conditions, and a block of asked nodes is answered from
its own part of the graph, so the same function runs in one process and on the executors of a cluster. Cycles are
condensed first; then rows are swept in topological order, a block at a time, and let go when nothing further on
needs them. Cost grows with the steps times the ends each of them passes on; memory with what is still needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

Numbers = NDArray[np.int64]
ROWS = 4096
"""Rows of one block: enough to make numpy pay, few enough to keep memory flat."""


@dataclass(frozen=True)
class Steps:
    """Nodes 0 to ``count`` - 1; step number i leads from ``sources[i]`` to ``targets[i]``."""

    count: int
    sources: Numbers
    targets: Numbers

    @cached_property
    def matrix(self) -> csr_array:
        """One row per target, one column per source."""
        ones = np.ones(len(self.sources), dtype=bool)
        found = csr_array((ones, (self.targets, self.sources)), shape=(self.count, self.count))
        found.sum_duplicates()
        return found


@dataclass(frozen=True, slots=True)
class EndRows:
    """For ``nodes[i]`` the ends ``ends[starts[i] : starts[i + 1]]``, in order."""

    nodes: Numbers
    starts: Numbers
    ends: Numbers

    def of(self, place: int) -> Numbers:
        """The ends of ``nodes[place]``."""
        return self.ends[self.starts[place] : self.starts[place + 1]]


def cycles(steps: Steps) -> Numbers:
    """For each node a number that it shares with exactly the nodes it lies on a cycle with."""
    return _labels(steps, "strong")


def parts(steps: Steps) -> Numbers:
    """For each node a number that it shares with every node steps connect it to, in whatever direction."""
    return _labels(steps, "weak")


def levels(steps: Steps) -> Numbers:
    """For each node of a graph without cycles the length of the longest way to it."""
    # Kahn 1962, a whole level at a time: who has no step left to wait for is next.
    forward = Steps(steps.count, steps.targets, steps.sources).matrix
    waiting = np.bincount(forward.indices, minlength=steps.count)
    found = np.zeros(steps.count, dtype=np.int64)
    frontier = np.flatnonzero(waiting == 0)
    level = 0
    while len(frontier):
        found[frontier] = level
        targets, arrived = np.unique(_neighbours(forward, frontier), return_counts=True)
        waiting[targets] -= arrived
        # The last step that a node waits for comes from the longest way to it.
        frontier = targets[waiting[targets] == 0]
        level += 1
    return found


def upstream(steps: Steps, asked: Numbers) -> NDArray[np.bool_]:
    """Whether each node leads to an asked one, or is one."""
    backward = steps.matrix
    found = np.zeros(steps.count, dtype=bool)
    found[asked] = True
    frontier = np.unique(asked)
    while len(frontier):
        near = np.unique(_neighbours(backward, frontier))
        frontier = near[~found[near]]
        found[frontier] = True
    return found


def sweep(steps: Steps, asked: Numbers | None = None, ends: Numbers | None = None) -> Iterator[EndRows]:
    """The ends that lead to each asked node (all if None), block by block: nodes that no step leads to are ends.

    With ``ends`` only those among them are looked at: blocks of ends share the work out with none of it done twice.
    """
    wanted = np.ones(steps.count, dtype=bool)
    # What leads to no asked node need not be swept.
    if asked is not None:
        near = upstream(steps, asked)
        inside = near[steps.targets]
        steps = Steps(steps.count, steps.sources[inside], steps.targets[inside])
        wanted[:] = False
        wanted[asked] = True
    graph = _Condensed.of(steps, ends)
    held: dict[int, csr_array] = {}
    for number, (start, stop) in enumerate(graph.blocks):
        rows = graph.rows(start, stop, held)
        yield from _spelled(graph, rows, start, stop, wanted)
        # A block's rows are let go as soon as no later block has a step from it: memory stays flat.
        held[number] = rows
        for gone in [block for block in held if graph.last[block] <= number]:
            del held[gone]


@dataclass(frozen=True, slots=True)
class _Condensed:
    """The graph with one node per cycle, numbered in topological order, cut into blocks of one level each."""

    matrix: csr_array
    members: csr_array
    ends: Numbers
    blocks: list[tuple[int, int]]
    block: Numbers
    last: Numbers

    @classmethod
    def of(cls, steps: Steps, chosen: Numbers | None) -> _Condensed:
        labels = cycles(steps)
        count = int(labels.max(initial=-1)) + 1
        # What reaches one node of a cycle reaches all: each cycle becomes one node, and the steps within it go.
        a, b = labels[steps.sources], labels[steps.targets]
        depth = levels(Steps(count, a[a != b], b[a != b]))
        place = np.empty(count, dtype=np.int64)
        order = np.argsort(depth, kind="stable")
        place[order] = np.arange(count)
        labels, a, b = place[labels], place[a], place[b]
        matrix = Steps(count, a[a != b], b[a != b]).matrix
        ones = np.ones(steps.count, dtype=bool)
        members = csr_array((ones, (labels, np.arange(steps.count))), shape=(count, steps.count))
        ends = np.full(count, -1, dtype=np.int64)
        origins = np.ones(steps.count, dtype=bool)
        origins[steps.targets] = False
        if chosen is not None:
            origins &= np.isin(np.arange(steps.count), chosen)
        # No step leads to an end, so it lies on no cycle and is alone under its number.
        ends[labels[origins]] = np.flatnonzero(origins)
        blocks = _cut(depth[order])
        block = np.empty(count, dtype=np.int64)
        for number, (start, stop) in enumerate(blocks):
            block[start:stop] = number
        # By block the last one that takes rows from it, itself where none does.
        last = np.arange(len(blocks))
        np.maximum.at(last, block[matrix.indices], block[np.repeat(np.arange(count), np.diff(matrix.indptr))])
        return cls(matrix, members, ends, blocks, block, last)

    def rows(self, start: int, stop: int, held: dict[int, csr_array]) -> csr_array:
        """The rows of one block, by the rows of the blocks before it."""
        # Ends bring themselves; every other node what its sources have: a boolean product of sparse matrices.
        own = np.flatnonzero(self.ends[start:stop] >= 0)
        shape = (stop - start, self.members.shape[1])
        found = csr_array((np.ones(len(own), dtype=bool), (own, self.ends[start:stop][own])), shape=shape)
        part = self.matrix[start:stop]
        columns = part.tocsc()
        for number in np.unique(self.block[part.indices]).tolist():
            first, behind = self.blocks[number]
            found = found + columns[:, first:behind].tocsr() @ held[number]
        found.sort_indices()
        return found


def _spelled(graph: _Condensed, rows: csr_array, start: int, stop: int, wanted: NDArray[np.bool_]) -> Iterator[EndRows]:
    """The rows of a block for every wanted node: those on a cycle share theirs."""
    members = graph.members[start:stop]
    owner = np.repeat(np.arange(stop - start), np.diff(members.indptr))
    chosen = wanted[members.indices]
    if not chosen.any():
        return
    found = rows if len(owner) == stop - start and chosen.all() else rows[owner[chosen]]
    yield EndRows(
        members.indices[chosen].astype(np.int64), found.indptr.astype(np.int64), found.indices.astype(np.int64)
    )


def _labels(steps: Steps, connection: Literal["strong", "weak"]) -> Numbers:
    _, labels = connected_components(steps.matrix, directed=True, connection=connection)
    return np.asarray(labels, dtype=np.int64)


def _neighbours(matrix: csr_array, rows: Numbers) -> Numbers:
    """The columns of several rows, one after the other."""
    # Runs that start at 5 and 9, two and three long: places 0 to 4 plus 5, 5, 7, 7, 7 are 5, 6, 9, 10, 11.
    starts, stops = matrix.indptr[rows], matrix.indptr[rows + 1]
    lengths = stops - starts
    offsets = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths) if len(rows) else starts
    return np.asarray(matrix.indices[np.arange(lengths.sum()) + offsets], dtype=np.int64)


def _cut(depth: Numbers) -> list[tuple[int, int]]:
    """Runs of nodes on the same level, none longer than a block."""
    edges = [0, *(np.flatnonzero(np.diff(depth)) + 1).tolist(), len(depth)]
    found = []
    for start, stop in pairwise(edges):
        found += [(at, min(at + ROWS, stop)) for at in range(start, stop, ROWS)]
    return found
