"""Boxes and bundles of wires -> places: layers from left to right, crossings reduced by igraph (Sugiyama's method).

A bundle passes every layer between its ends through a station that reserves its lanes, so that wires cross no box;
one station also holds the bundle's caption.

    layer 0      layer 1                   layer 2
    +-----+                                +-----+
    |S    |                                |T    |
    | S.X-|------ by m, if KIND = 2 -------|-T.A |     a bundle with a caption: its station stands in layer 1
    | S.Y-|--------------------------------|-T.B |
    +-----+                                +-----+

>>> blocks = [Block("T", 100, 26, (("T.A", 21), ("T.B", 21))), Block("S", 80, 26, (("S.X", 21), ("S.Y", 21)))]
>>> found = place(blocks, [Bundle("S", "T", (("S.X", "T.B"), ("S.Y", "T.A")), width=60, height=13)])
>>> found.boxes["S"].x + found.boxes["S"].width < found.captions[0].x < found.boxes["T"].x
True

The rows of a box are turned so that wires cross less: here T.B, wired to the first row of S, goes first.

>>> found.orders["S"], found.orders["T"]
(('S.X', 'S.Y'), ('T.B', 'T.A'))

The steps, each a pass of its own: layers, so that values flow rightwards (`_layers`); stations in the layers between
(`_lay`); the order within layers that crosses least (`_ordered`, igraph); heights that make wires straight
(`mdw.render.settle`), in turns with the order of rows (`_reorder`); last the gaps between columns, wider where wires
are steep (`_columns`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from igraph import Graph

from mdw.render.settle import Item, Port, settle, stack
from mdw.render.svg import Point

LANE = 8.0


@dataclass(frozen=True, slots=True)
class Block:
    """A box to place: rows by key with their heights, below a head and above a foot. The head is the port ""."""

    key: str
    width: float
    head: float
    rows: tuple[tuple[str, float], ...]
    foot: float = 0.0

    @property
    def height(self) -> float:
        """Height of the box."""
        return self.head + sum(height for _, height in self.rows) + self.foot

    def offsets(self, order: Sequence[str]) -> dict[Port, float]:
        """Where wires meet the rows, in the given order of rows."""
        heights = dict(self.rows)
        found: dict[Port, float] = {"": self.head / 2}
        y = self.head
        for key in order:
            # A row with a note below is taller: wires meet it at its name, not at its middle.
            found[key] = y + min(heights[key], 20) / 2
            y += heights[key]
        return found


@dataclass(frozen=True, slots=True)
class Bundle:
    """Wires between rows of two boxes, with room for a caption; ``weight`` says how much they ask to run straight."""

    source: str
    target: str
    wires: tuple[tuple[str, str], ...]
    width: float = 0.0
    height: float = 0.0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Rect:
    """A place on the paper."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Placement:
    """Where everything goes: boxes and order of rows by key; captions and the points of wires by bundle.

    The points of a wire are joined by a straight line, a curve, a straight line, and so on; they run as the wire does.
    """

    boxes: dict[str, Rect]
    orders: dict[str, tuple[str, ...]]
    captions: tuple[Rect | None, ...]
    wires: tuple[tuple[tuple[Point, ...], ...], ...]
    width: float
    height: float


def place(blocks: Sequence[Block], bundles: Sequence[Bundle]) -> Placement:
    """Places for boxes and bundles; the same input gives the same places."""
    return _Layout(blocks, bundles).placement()


class _Layout:
    def __init__(self, blocks: Sequence[Block], bundles: Sequence[Bundle]) -> None:
        self.blocks = {block.key: block for block in blocks}
        self.bundles = bundles
        layer = _layers(list(self.blocks), bundles)
        # With captions, boxes stand in every second layer: the layers between are for captions alone.
        spread = 2 if any(bundle.width for bundle in bundles) else 1
        self.items: dict[str, Item] = {}
        for block in blocks:
            order = [key for key, _ in block.rows]
            self.items[block.key] = Item(spread * layer[block.key], block.width, block.height, block.offsets(order))
        self.captions: list[Item | None] = []
        self.chains: list[tuple[Item, ...]] = []
        self.crowd: dict[int, float] = {}
        for bundle in bundles:
            self._lay(bundle)
        self.layers = self._ordered()
        self.orders = {block.key: tuple(key for key, _ in block.rows) for block in blocks}
        self._settle()

    # -- stations ---------------------------------------------------------------------------------------------------

    def _lay(self, bundle: Bundle) -> None:
        """Stations of a bundle in the layers between its ends, from left to right, all wired up."""
        # A bundle that closes a cycle runs against the layers; its stations stand from left to right all the same.
        ends = [self.items[bundle.source], self.items[bundle.target]]
        left, right = sorted(ends, key=lambda item: item.layer)
        between = range(left.layer + 1, right.layer)
        # Every second layer from the first between has no boxes; the least crowded of them takes the caption.
        captioned = min(between[::2], key=lambda layer: self.crowd.get(layer, 0)) if bundle.width and between else None
        stations = [self._station(bundle, layer, layer == captioned) for layer in between]
        self.captions.append(next((item for item in stations if item.layer == captioned), None))
        self.chains.append((left, *stations, right))
        for number, wire in enumerate(bundle.wires if between else ()):
            ports: tuple[Port, Port] = wire if left is ends[0] else (wire[1], wire[0])
            self._wire([(left, ports[0]), *((item, number) for item in stations), (right, ports[1])], bundle.weight)

    def _station(self, bundle: Bundle, layer: int, captioned: bool) -> Item:
        head = bundle.height if captioned else 0.0
        lanes: dict[Port, float] = {n: head + LANE * (n + 0.5) for n in range(len(bundle.wires))}
        height = head + LANE * len(bundle.wires)
        self.crowd[layer] = self.crowd.get(layer, 0) + height
        return Item(layer, bundle.width if captioned else 0.0, height, lanes, gap=8.0 if captioned else 2.0)

    @staticmethod
    def _wire(stops: list[tuple[Item, Port]], weight: float) -> None:
        for (item, port), (other, there) in pairwise(stops):
            item.wires.append((port, other, there, weight))
            other.wires.append((there, item, port, weight))

    # -- order and height -------------------------------------------------------------------------------------------

    def _ordered(self) -> list[list[Item]]:
        """Layers of items in the order that crosses least."""
        # Items have no equality of their own (`eq=False`), so they are told apart, and kept in order, by identity.
        every = list(dict.fromkeys([*self.items.values(), *(item for chain in self.chains for item in chain)]))
        number = {id(item): n for n, item in enumerate(every)}
        edges = [(number[id(a)], number[id(b)]) for chain in self.chains for a, b in pairwise(chain) if a is not b]
        graph = Graph(n=len(every), edges=edges, directed=True)
        # Only the order within layers is taken: igraph knows nothing of how high items are.
        across = graph.layout_sugiyama(layers=[item.layer for item in every], maxiter=200)
        layers: list[list[Item]] = [[] for _ in range(max((item.layer for item in every), default=0) + 1)]
        for item, _ in sorted(zip(every, across, strict=True), key=lambda pair: pair[1][0]):
            layers[item.layer].append(item)
        return layers

    def _settle(self) -> None:
        # Heights decide the best order of rows, and that the best heights: in turns, longer as they come to rest.
        stack(self.layers)
        for sweeps in (6, 6, 10, 24):
            settle(self.layers, sweeps)
            self._reorder()
        settle(self.layers, 12)

    def _reorder(self) -> None:
        """Rows within boxes and lanes within stations follow what they are wired to; unwired rows come last."""
        for key, block in self.blocks.items():
            item = self.items[key]
            pulls = {row: item.pull(row) for row in self.orders[key]}
            order = sorted(pulls, key=lambda row: (pulls[row] is None, pulls[row] or 0.0))
            self.orders[key] = tuple(order)
            item.offsets = block.offsets(order)
        for chain in self.chains:
            for item in chain[1:-1]:
                head = item.height - LANE * len(item.offsets)
                heights = {lane: item.pull(lane) or 0.0 for lane in item.offsets}
                lanes = sorted(heights, key=lambda lane: heights[lane])
                item.offsets = {lane: head + LANE * (n + 0.5) for n, lane in enumerate(lanes)}

    # -- the result -------------------------------------------------------------------------------------------------

    def placement(self) -> Placement:
        """The places, the topmost at 0 and the leftmost at 0."""
        every = [item for layer in self.layers for item in layer]
        top = min((item.y for item in every), default=0.0)
        for item in every:
            item.y -= top
        lefts, widths = self._columns()
        self.lefts, self.widths = lefts, widths
        boxes = {key: self._rect(item) for key, item in self.items.items()}
        return Placement(
            boxes,
            self.orders,
            tuple(self._rect(item) if item else None for item in self.captions),
            tuple(
                tuple(self._points(b, chain, n) for n in range(len(b.wires)))
                for b, chain in zip(self.bundles, self.chains, strict=True)
            ),
            max((rect.x + rect.width for rect in boxes.values()), default=0.0),
            max((item.y + item.height for item in every), default=0.0),
        )

    def _columns(self) -> tuple[list[float], list[float]]:
        """Left edge and width of every layer; gaps grow with how steeply wires cross them."""
        widths = [max((item.width for item in layer), default=0.0) for layer in self.layers]
        lefts = []
        x = 0.0
        for layer, width in zip(self.layers, widths, strict=True):
            lefts.append(x)
            # How far wires climb or fall on their way to the next layers.
            drops = [
                abs(item.port(p) - other.port(q))
                for item in layer
                for p, other, q, _ in item.wires
                if other.layer > item.layer
            ]
            x += width + min(36 + max(drops, default=0.0) * 0.14, 120)
        return lefts, widths

    def _rect(self, item: Item) -> Rect:
        x = self.lefts[item.layer] + (self.widths[item.layer] - item.width) / 2
        return Rect(x, item.y, item.width, item.height)

    def _points(self, bundle: Bundle, chain: tuple[Item, ...], number: int) -> tuple[Point, ...]:
        source, target = bundle.wires[number]
        left, right = chain[0], chain[-1]
        if left is right:
            return self._loop(left, source, target, number)
        forwards = left is self.items[bundle.source]
        ports = [source if forwards else target, *([number] * (len(chain) - 2)), target if forwards else source]
        points: list[Point] = []
        # Straight through a layer at the height of its lane, curved in the gap before the next: two points a layer.
        for item, port in zip(chain, ports, strict=True):
            edge, y = self._rect(item), item.port(port)
            start = edge.x + edge.width if item is left else self.lefts[item.layer]
            stop = edge.x if item is right else self.lefts[item.layer] + self.widths[item.layer]
            points += [(start, y), (stop, y)]
        return tuple(points if forwards else reversed(points))

    def _loop(self, item: Item, source: str, target: str, number: int) -> tuple[Point, ...]:
        """A wire within one box, bulging out on its right."""
        rect = self._rect(item)
        x = rect.x + rect.width
        # Four depths in turn, so that wires of one box which bulge at the same place stay apart.
        bulge = x + 4 + 3 * (number % 4)
        return ((x, item.port(source)), (bulge, item.port(source)), (bulge, item.port(target)), (x, item.port(target)))


def _layers(keys: list[str], bundles: Sequence[Bundle]) -> dict[str, int]:
    """The layer of each box, cycles broken where that costs least, then the shortest total length."""
    number = {key: n for n, key in enumerate(keys)}
    pairs = list(dict.fromkeys((number[b.source], number[b.target]) for b in bundles if b.source != b.target))
    graph = Graph(n=len(keys), edges=pairs, directed=True)
    # Entities that feed one another have no order: some edges are turned round, only to find the layers. The fewest
    # such edges are hard to find; Eades' heuristic takes linear time and is near enough for a picture.
    back = set(graph.feedback_arc_set(method="eades"))
    edges = [pair[::-1] if n in back else pair for n, pair in enumerate(pairs)]
    rows = Graph(n=len(keys), edges=edges, directed=True).layout_sugiyama(maxiter=1)
    layers = [round(y) for _, y in rows]
    _pull(layers, edges)
    return {key: layers[n] for key, n in number.items()}


def _pull(layers: list[int], edges: Sequence[tuple[int, int]]) -> None:
    """Move boxes that feed more than feeds them right beside what they feed."""
    into = Counter(target for _, target in edges)
    following: dict[int, list[int]] = {}
    for source, target in edges:
        following.setdefault(source, []).append(target)
    # From the right, so that a box is moved only after what it feeds has been.
    for source in sorted(following, key=lambda n: -layers[n]):
        if len(following[source]) > into[source]:
            layers[source] = min(layers[target] for target in following[source]) - 1
