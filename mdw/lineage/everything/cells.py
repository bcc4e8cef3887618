"""Cells: rows that no rule further up tells apart, as products of value sets, and conditions as sets of cells.

REGION told apart as {EU} and the rest, TYPE as {1}, {2} and the rest, make six cells. Cutting further:

>>> refined((0b110, 0b001), [0b100])
(1, 2, 4)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import reduce
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mdw.conditions.diagram import FALSE, TRUE, Diagram

Partition = tuple[int, ...]
"""Disjoint value sets of one variable that together are its domain, in order."""
ENTANGLED: Partition = ()
"""Stands for a variable of which value sets do not say enough: comparisons with other variables, arithmetic."""
Bits = NDArray[np.bool_]


def refined(partition: Partition, masks: Iterable[int]) -> Partition:
    """The partition cut by further value sets; what is entangled stays so."""
    for mask in masks:
        if any(part & mask and part & ~mask for part in partition):
            halves = (half for part in partition for half in (part & mask, part & ~mask))
            partition = tuple(sorted(half for half in halves if half))
    return partition


def met(one: Partition, other: Partition) -> Partition:
    """The coarsest partition finer than both."""
    return ENTANGLED if ENTANGLED in (one, other) else refined(one, other)


def finest(domain: int) -> Partition:
    """Every region apart."""
    return tuple(1 << place for place in range(domain.bit_length()) if domain >> place & 1)


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """How the rules further up tell rows apart: for each variable its values, cut into sets. Equal ones are one."""

    number: int
    partitions: dict[int, Partition]

    @property
    def cells(self) -> int:
        """How many cells there are; 0 if cells cannot say what is tested."""
        return reduce(lambda size, partition: size * len(partition), self.partitions.values(), 1)

    @property
    def shape(self) -> tuple[int, ...]:
        """Value sets per variable."""
        return tuple(map(len, self.partitions.values()))


class TestedPool:
    """All that is tested anywhere, each once and numbered."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[int, Partition], ...], Tested] = {}
        self._met: dict[tuple[int, int], Tested] = {}
        self.nothing = self.of({})

    def of(self, partitions: dict[int, Partition]) -> Tested:
        """The one object with this content; variables that are not told apart are left out."""
        key = tuple(sorted((v, partition) for v, partition in partitions.items() if len(partition) != 1))
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = Tested(len(self._known), dict(key))
        return found

    def met(self, one: Tested, other: Tested) -> Tested:
        """What either tells apart."""
        if one is other:
            return one
        key = (one.number, other.number)
        found = self._met.get(key)
        if found is None:
            joined = dict(one.partitions)
            for variable, partition in other.partitions.items():
                joined[variable] = met(joined[variable], partition) if variable in joined else partition
            found = self._met[key] = self.of(joined)
        return found


@dataclass
class Cells:
    """Reads conditions of one diagram as sets of cells."""

    diagram: Diagram
    _read: dict[tuple[int, tuple[tuple[int, Partition], ...]], Bits] = field(default_factory=dict)

    def meeting(self, node: int, axes: dict[int, Partition]) -> Bits:
        """For each cell of the product of ``axes`` whether some row in it can meet the condition, atoms aside."""
        every = tuple(axes.items())
        return self._tensor(node, every).reshape(-1)

    def condition(self, axes: dict[int, Partition], numbers: Iterable[int]) -> int:
        """The condition of being in one cell, by its number along each axis."""
        found = TRUE
        # From the last variable to the first: each AND then mostly puts one node on top.
        for (variable, partition), number in zip(reversed(list(axes.items())), reversed(list(numbers)), strict=True):
            found = self.diagram.both(self.diagram.allow(variable, partition[number]), found)
        return found

    def each(self, axes: dict[int, Partition]) -> Iterator[int]:
        """The conditions of being in each cell, in order."""
        for numbers in product(*(range(len(partition)) for partition in axes.values())):
            yield self.condition(axes, numbers)

    def _tensor(self, node: int, axes: tuple[tuple[int, Partition], ...]) -> Bits:
        # From the leaves up, each node once for all cells: for every cell whether some value of the node's variable in
        # it leads on to a child that the cell meets. A variable that is no axis may have any value.
        shape = tuple(len(partition) for _, partition in axes)
        found = {one: np.full(shape, one == TRUE) for one in (FALSE, TRUE)}
        for one in self.diagram.reached(node):
            variable, edges = self.diagram.edges(one)
            found[one] = np.full(shape, FALSE, dtype=bool)
            place = next((number for number, (axis, _) in enumerate(axes) if axis == variable), None)
            for child, mask in edges:
                below = found[child]
                if place is not None:
                    inside = np.array([bool(part & mask) for part in axes[place][1]])
                    below = below & inside.reshape([-1 if number == place else 1 for number in range(len(axes))])
                found[one] |= below
        return found[node]
