"""Pictures of trees: root left, children to its right in their order, every node with its number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mdw.render.svg import GREY, INK, LINE, document, element, shorten, smooth, wide, words, write

Shape = Literal["oval", "square", "leaf"]

MARGIN = 28.0
PITCH = 28.0
HEIGHT = 21.0
GAP = 34.0
TEXT = 11.5
SMALL = 9.5
WIDEST = 340.0
NARROWEST = 460.0
FILLS: Mapping[Shape, tuple[str, str]] = {
    "oval": ("#e4edf9", "#4a6fa5"),
    "square": ("#fdf0d5", "#b7791f"),
    "leaf": ("#ffffff", LINE),
}


@dataclass(slots=True)
class Twig:
    """A node to draw; ``open`` draws its border dashed. Its place is found by `forest_svg`."""

    number: int
    label: str
    shape: Shape
    note: str = ""
    open: bool = False
    tip: str = ""
    children: list[Twig] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """Width of the node's box."""
        note = min(wide(self.note, TEXT), WIDEST) + 8 if self.note else 0
        return wide(str(self.number), SMALL) + wide(self.label, TEXT) + note + 26

    def walk(self) -> Iterator[Twig]:
        """The node and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def forest_svg(root: Twig, title: str, description: str, legend: Mapping[str, tuple[Shape, bool]]) -> str:
    """The tree as SVG, with a legend that names shapes (and whether their border is dashed)."""
    columns = _columns(root)
    height = _spread(root, 0.0) * PITCH
    # Columns are as wide as their widest node, so that nodes of one level of the grammar stand in one line.
    for depth, twigs in enumerate(columns):
        left = MARGIN + sum(max(twig.width for twig in column) + GAP for column in columns[:depth])
        for twig in twigs:
            twig.x = left
    every = list(root.walk())
    width = max(max(twig.x + twig.width for twig in every) + MARGIN, NARROWEST)
    head = [write(shorten(title, width - 2 * MARGIN, 16), MARGIN, 36, size=16, strong=True)]
    lines = words(description, width - 2 * MARGIN, TEXT)
    head += [write(line, MARGIN, 56 + 15 * n, size=TEXT, fill=GREY) for n, line in enumerate(lines)]
    top = 66 + 15 * len(lines)
    edges = [_edge(twig, child) for twig in every for child in twig.children]
    body = element("g", *edges, *map(_twig, every), transform=f"translate(0 {top})")
    foot = top + height + 18
    return document(width, foot + 22, title, description, *head, body, *_legend(legend, foot))


def _columns(root: Twig) -> list[list[Twig]]:
    columns = [[root]]
    while below := [child for twig in columns[-1] for child in twig.children]:
        columns.append(below)
    return columns


def _spread(twig: Twig, line: float) -> float:
    """Give leaves a line each, from ``line`` on, and put other nodes amid their children; the next free line."""
    # No two subtrees share a line, so nothing can overlap; the price is height, which a page can scroll.
    if not twig.children:
        twig.y = line * PITCH
        return line + 1
    for child in twig.children:
        line = _spread(child, line)
    twig.y = (twig.children[0].y + twig.children[-1].y) / 2
    return line


def _edge(above: Twig, below: Twig) -> str:
    start, end = (above.x + above.width, above.y + HEIGHT / 2), (below.x, below.y + HEIGHT / 2)
    return element("path", d=smooth((start, start, end)), fill="none", stroke="#9aa7b6", stroke_width="1.2")


def _twig(twig: Twig) -> str:
    number = str(twig.number)
    label = twig.x + 9 + wide(number, SMALL) + 6
    base = twig.y + 14.5
    drawn = [
        _box(twig.shape, twig.open, twig.x, twig.y, twig.width),
        write(number, twig.x + 9, base, size=SMALL, fill=GREY),
        write(twig.label, label, base, size=TEXT, fill=GREY if twig.note else INK),
    ]
    if twig.note:
        note = shorten(twig.note, WIDEST, TEXT)
        drawn.append(write(note, label + wide(twig.label, TEXT) + 8, base, size=TEXT, fill=INK, strong=True))
    return element("g", *drawn, title=twig.tip)


def _box(shape: Shape, open_: bool, x: float, y: float, width: float) -> str:
    fill, edge = FILLS[shape]
    round_ = {"oval": HEIGHT / 2, "square": 0.0, "leaf": 4.0}[shape]
    dash = {"stroke_dasharray": "4 3"} if open_ else {}
    return element(
        "rect", x=x, y=y, width=width, height=HEIGHT, rx=round_, fill=fill, stroke=edge, stroke_width="1.2", **dash
    )


def _legend(entries: Mapping[str, tuple[Shape, bool]], y: float) -> Iterator[str]:
    x = MARGIN
    for text, (shape, open_) in entries.items():
        yield _box(shape, open_, x, y - 15, 34)
        yield write(text, x + 42, y, size=TEXT, fill=GREY)
        x += 42 + wide(text, TEXT) + 24
