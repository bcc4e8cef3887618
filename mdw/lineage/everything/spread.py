"""The active kernel: ends spread over a graph whose nodes have states, all states and ends of a node at once.

CORE.B has two states (REGION is "EU", is not) and SRC.A and SRC.D are ends. The step from SRC.A leads to the first
state, the one from SRC.D to the second; MART.C, with one state, takes from the first only:

>>> to_first, to_second = (Relation.of(np.array([state]), np.array([0]), 2, 1) for state in (0, 1))
>>> from_first = Relation.of(np.array([0]), np.array([0]), 1, 2)
>>> steps = {2: [(0, to_first, None), (1, to_second, None)], 3: [(2, from_first, None)]}
>>> [found] = spread(Web(groups=[[2], [3]], states={2: 2, 3: 1}, incoming=steps, ends=[0, 1]))
>>> columns(found, 2).tolist(), columns(found, 3).tolist()
([0, 1], [0])

A node's table has one row per state and one bit per end: the ends that rows in this state can come from. Crossing a
step is a `Relation` between the states of its two nodes, so a table is the OR of the rows its steps let through.

A constant comes with a row, and only if this row is there. Rows as such are nodes too. Nothing but one bit spreads
over them, from the rows of golden entities on; a step that ``brings`` a constant puts the constant's bit in its place.
Arrays in, rows out, as in `closure`: no conditions, names or stores. Cost grows with the steps times the
states times the ends (a 64th of a word each); memory with the tables that steps further on still need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]
COLUMNS = 1024
"""Ends looked at together, the bit that says unsure among them."""
UNSURE = -1
"""The source of a step that stands for a state of which not everything is known."""
THERE = 1
"""The bit that says of rows as such that they are there; bit 0 says unsure, ends have those from `ENDS` on."""
ENDS = 2
Step = tuple[int, "Relation", int | None]
"""Source, relation, and the end that a row of the source brings; None where the source's own ends pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """Which states of a source a state of the target takes its ends from: ``into[i]`` from the run at ``starts[i]``.

    ``every`` is set where state i takes from state i and from no other, all of them; ``mask`` where some of them do.
    """

    into: Numbers
    starts: Numbers
    out_of: Numbers
    every: bool = False
    mask: Words | None = None

    @classmethod
    def of(cls, into: Numbers, out_of: Numbers, targets: int, sources: int) -> Relation:
        """The relation of these pairs between so many states of the target and of the source."""
        # Sorted by target state, each pair once: then one call adds up all that leads to a state.
        order = np.lexsort((out_of, into))
        into, out_of = into[order], out_of[order]
        if len(into) > 1:
            fresh = np.ones(len(into), dtype=bool)
            fresh[1:] = (np.diff(into) != 0) | (np.diff(out_of) != 0)
            into, out_of = into[fresh], out_of[fresh]
        rows, starts = np.unique(into, return_index=True)
        mask = None
        every = False
        # Most steps copy what is tested, so that state i leads to state i: then no rows need to be picked.
        if targets == sources and np.array_equal(into, out_of):
            every = len(into) == targets
            mask = np.zeros((targets, 1), dtype=np.uint64)
            mask[into] = ~np.uint64(0)
        return cls(rows, starts, out_of, every, mask)

    def let_through(self, into: Words, table: Words) -> None:
        """Add to the target's table what the source's lets through."""
        if self.every:
            np.bitwise_or(into, table, out=into)
        elif self.mask is not None:
            np.bitwise_or(into, table & self.mask, out=into)
        elif len(self.into) == len(self.out_of):
            into[self.into] |= table[self.out_of]
        elif len(self.into):
            into[self.into] |= np.bitwise_or.reduceat(table[self.out_of], self.starts, axis=0)


@dataclass(frozen=True, slots=True)
class Web:
    """Groups of nodes in topological order, one group per cycle; states of each node, and its steps.

    The source of a step is an end, another node, or `UNSURE`. An end has one state, or is a node itself; ``there`` are
    the rows as such that no step makes.
    """

    groups: Sequence[Sequence[int]]
    states: Mapping[int, int]
    incoming: Mapping[int, Sequence[Step]]
    ends: Sequence[int]
    there: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A block of the answer: by node one row of bits, one per end of ``ends``; of ``unsure`` nodes an upper bound."""

    ends: Numbers
    rows: dict[int, Words]
    unsure: frozenset[int]


def spread(web: Web) -> Iterator[Found]:
    """What reaches each node in any of its states, a block of ends at a time."""
    # A table is let go once every node that takes from it has had its turn.
    users: dict[int, int] = {}
    for node, steps in web.incoming.items():
        for source, _, _ in steps:
            if source != node:
                users[source] = users.get(source, 0) + 1
    # One block even without ends: what is unsure is still to be told.
    size = COLUMNS - ENDS
    for first in range(0, max(1, len(web.ends)), size):
        yield _block(web, list(web.ends[first : first + size]), dict(users), sure=first > 0)


def _block(web: Web, ends: list[int], users: dict[int, int], *, sure: bool) -> Found:
    words = (len(ends) + ENDS + 63) // 64
    bits = {end: number + ENDS for number, end in enumerate(ends)}
    tables = {end: np.repeat(_bit(bit, words), web.states.get(end, 1), axis=0) for end, bit in bits.items()}
    tables |= {row: _bit(THERE, words) for row in web.there}
    # Bit 0 stands for "unsure" and spreads like an end. It is the same for every block, so the first one tells it.
    if not sure:
        tables[UNSURE] = _bit(0, words)
    rows: dict[int, Words] = {}
    for group in web.groups:
        _fill(web, group, tables, words, bits)
        # A question without a condition asks for all states of an attribute together.
        for node in group:
            if node in tables:
                rows[node] = np.bitwise_or.reduce(tables[node], axis=0)
        for node in group:
            for source, _, _ in web.incoming[node]:
                if source != node:
                    users[source] -= 1
                    if not users[source]:
                        tables.pop(source, None)
            if not users.get(node):
                tables.pop(node, None)
    unsure = frozenset(node for node, row in rows.items() if row[0] & np.uint64(1))
    return Found(np.array(ends, dtype=np.int64), rows, unsure)


def _fill(web: Web, group: Sequence[int], tables: dict[int, Words], words: int, bits: Mapping[int, int]) -> None:
    """The tables of one group, around a cycle to their fixed point."""
    looped = len(group) > 1 or any(source == group[0] for source, _, _ in web.incoming[group[0]])
    pending = list(group)
    while pending:
        changed = set()
        for node in pending:
            table = tables.get(node)
            # Only a cycle is visited again: elsewhere a copy to compare with would cost as much as the work itself.
            before = None if table is None or not looped else table.copy()
            for source, relation, brings in web.incoming[node]:
                known = tables.get(source)
                if known is None:
                    continue
                if brings is not None:
                    known = _brought(known, bits.get(brings))
                if table is None:
                    table = tables[node] = np.zeros((web.states[node], words), dtype=np.uint64)
                relation.let_through(table, known)
            if looped and table is not None and (before is None or not np.array_equal(before, table)):
                changed.add(node)
        pending = [node for node in group if any(source in changed for source, _, _ in web.incoming[node])]


def _brought(there: Words, bit: int | None) -> Words:
    """What rows bring in each state: their end where they are there; what is unsure stays so."""
    found = np.zeros_like(there)
    found[:, 0] = there[:, 0] & np.uint64(1)
    if bit is not None:
        found[:, bit // 64] |= (there[:, 0] >> np.uint64(THERE) & np.uint64(1)) << np.uint64(bit % 64)
    return found


def columns(found: Found, node: int) -> Numbers:
    """The ends a node is reached from, of one block."""
    row = found.rows.get(node)
    if row is None:
        return found.ends[:0]
    bits = np.unpackbits(row.astype("<u8", copy=False).view(np.uint8), bitorder="little")[ENDS : len(found.ends) + ENDS]
    return np.asarray(found.ends[bits.astype(bool)], dtype=np.int64)


def _bit(number: int, words: int) -> Words:
    found = np.zeros((1, words), dtype=np.uint64)
    found[0, number // 64] = np.uint64(1) << np.uint64(number % 64)
    return found
