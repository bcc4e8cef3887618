"""Vertical places within layers: as near to what things are wired to as their order and their sizes allow.

Each item wishes to stand where its wires would run level. Two items wired to the same third wish for the same place;
both come as near as they can, one on each side of it:

>>> third = Item(1, 10, 20, {"": 10}, y=5.0)
>>> upper, lower = Item(0, 10, 20, {"": 10}), Item(0, 10, 20, {"": 10})
>>> for item in (upper, lower):
...     item.wires.append(("", third, "", 1.0))
>>> _fit([upper, lower])
>>> round(upper.y), round(lower.y)
(-14, 24)

One pass over a layer takes time in proportion to its items and finds the best places for the wishes of the moment.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

Port = Hashable
GAP = 18.0


@dataclass(eq=False, slots=True)
class Item:
    """A box or a station of a bundle in a layer.

    ``offsets`` are its ports' distances from its top ``y``; ``wires`` go from a port to a port of another item, with
    the weight of that wire's wish to run straight.
    """

    layer: int
    width: float
    height: float
    offsets: dict[Port, float]
    gap: float = GAP
    y: float = 0.0
    wires: list[tuple[Port, Item, Port, float]] = field(default_factory=list)

    def port(self, port: Port) -> float:
        """Height of a port."""
        return self.y + self.offsets[port]

    def wish(self) -> float:
        """The top at which wires would run straightest on average."""
        weight = self.weight()
        if not weight:
            return self.y
        return sum(w * (other.port(there) - self.offsets[here]) for here, other, there, w in self.wires) / weight

    def weight(self) -> float:
        """How much the wires weigh together."""
        return sum(weight for _, _, _, weight in self.wires)

    def pull(self, port: Port) -> float | None:
        """Mean height of what a port is wired to, None if it is wired to nothing."""
        found = [(weight, other.port(there)) for here, other, there, weight in self.wires if here == port]
        return sum(w * y for w, y in found) / sum(w for w, _ in found) if found else None


def stack(layers: Sequence[Sequence[Item]]) -> None:
    """First places: each layer stacked, all layers centred on one line."""
    for layer in layers:
        total = sum(item.height + item.gap for item in layer)
        y = -total / 2
        for item in layer:
            item.y = y
            y += item.height + item.gap


def settle(layers: Sequence[Sequence[Item]], sweeps: int) -> None:
    """Move items towards their wishes, back and forth through the layers."""
    # Wishes depend on the neighbours' places, which move too: each sweep carries places on in one direction.
    for sweep in range(sweeps):
        for layer in layers if sweep % 2 else reversed(layers):
            _fit(layer)


def _fit(layer: Sequence[Item]) -> None:
    """The places nearest to the wishes that keep order and gaps: isotonic regression, pooling adjacent violators."""
    # Without the heights and gaps above it, every item's place must be at least that of the one before: the nearest
    # such places to the wishes are means of neighbours that got in one another's way. A pool is such a mean, its weight
    # and how many items it holds; items without wires weigh a little, so that they stay beside their neighbours.
    pools: list[tuple[float, float, int]] = []
    shift = 0.0
    for item in layer:
        pool = (item.wish() - shift, 0.2 + item.weight(), 1)
        while pools and pools[-1][0] > pool[0]:
            mean, weight, size = pools.pop()
            total = weight + pool[1]
            pool = ((mean * weight + pool[0] * pool[1]) / total, total, size + pool[2])
        pools.append(pool)
        shift += item.height + item.gap
    shift = 0.0
    rest = iter(layer)
    for mean, _, size in pools:
        for _ in range(size):
            item = next(rest)
            item.y = mean + shift
            shift += item.height + item.gap
