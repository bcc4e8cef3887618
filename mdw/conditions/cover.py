"""Diagram -> products of value sets whose OR is the condition: few, and none longer than it must be.

The method is that of Minato and Morreale. To cover what lies between ``low`` and ``high``, first take what may pass
whatever the value of the topmost variable, then for each value what is left. What is covered already need not be
covered again but may be, and that is what keeps products short.

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> condition = diagram.either(diagram.allow(region, 0b001), diagram.allow(kind, 0b01))
>>> Cover(diagram).cubes(condition)
(((1, 1),), ((0, 1),))
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.products import boxes
from mdw.model.errors import TooLargeError

Product = tuple[tuple[int, int], ...]
"""Pairs of variable and value set, by variable."""


class Cover:
    """Products whose OR is a condition of the diagram; shared parts are worked out once.

    ``under`` gives the variables that have a meaning only where a variable is spoken of too, such as the attributes of
    a row that may be missing.
    """

    def __init__(
        self, diagram: Diagram, limit: int = 1000, under: Callable[[int], frozenset[int]] = lambda _: frozenset()
    ) -> None:
        self.diagram = diagram
        self.limit = limit
        self._under = under
        self._found: dict[tuple[int, int], tuple[tuple[Product, ...], int]] = {}

    def cubes(self, low: int, high: int | None = None) -> tuple[Product, ...]:
        """Products for all of ``low`` and nothing outside of ``high``; TooLargeError beyond the limit."""
        # Over hundreds of variables few conditions can be read at all; those that can have few ways.
        if self.diagram.deep(low):
            ways = tuple(tuple(box.items()) for box in islice(boxes(self.diagram, low), self.limit + 1))
            if len(ways) > self.limit:
                raise TooLargeError(f"a condition needs more than {self.limit} products")
            return ways
        return self._cover(low, low if high is None else high)[0]

    def _cover(self, low: int, high: int) -> tuple[tuple[Product, ...], int]:
        """The products and their OR."""
        if low == FALSE:
            return (), FALSE
        if high == TRUE:
            return ((),), TRUE
        found = self._found.get((low, high))
        if found is None:
            found = self._found[low, high] = self._split(low, high)
        return found

    def _split(self, low: int, high: int) -> tuple[tuple[Product, ...], int]:
        diagram = self.diagram
        variable = min(diagram.edges(low)[0], diagram.edges(high)[0])
        values = self._values(variable, low, high)
        always, sometimes = TRUE, FALSE
        for below, above, _ in values:
            always, sometimes = diagram.both(always, above), diagram.either(sometimes, below)
        # What may only be spoken of together with this variable is kept out of the products without it: what a joined
        # row holds would be said without a word of whether there is such a row.
        under = self._under(variable)
        if under:
            always = diagram.negate(diagram.exists(diagram.negate(always), under.__contains__))
        free, covered = self._cover(diagram.both(sometimes, always), always)
        rest = diagram.negate(covered)
        # Values that ask for the same of all further variables share one product.
        masks: dict[Product, int] = {}
        for below, above, mask in values:
            cubes, node = self._cover(diagram.both(below, rest), above)
            covered = diagram.either(covered, diagram.both(diagram.allow(variable, mask), node))
            for cube in cubes:
                masks[cube] = masks.get(cube, 0) | mask
        if len(free) + len(masks) > self.limit:
            raise TooLargeError(f"a condition needs more than {self.limit} products")
        return (*free, *(((variable, mask), *cube) for cube, mask in masks.items())), covered

    def _values(self, variable: int, low: int, high: int) -> list[tuple[int, int, int]]:
        """The values of a variable by what remains of both conditions."""
        found = []
        for below, mask in self._edges(variable, low):
            for above, other in self._edges(variable, high):
                if mask & other:
                    found.append((below, above, mask & other))
        return found

    def _edges(self, variable: int, node: int) -> list[tuple[int, int]]:
        """The edges of a node, that to FALSE among them; a node that does not test the variable has one."""
        domain = self.diagram.domains[variable]
        tested, edges = self.diagram.edges(node)
        if tested != variable:
            return [(node, domain)]
        left = domain
        for _, mask in edges:
            left &= ~mask
        return [*edges, (FALSE, left)] if left else list(edges)
