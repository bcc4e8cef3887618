"""Boxes of a picture: how large they are and how they are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mdw.render.layout import Block, Rect
from mdw.render.sketch import Box, Look, Row
from mdw.render.svg import FADED, GREY, INK, LINE, element, quoted, shorten, shorten_name, star, wide, write

# Heights of the parts of a box, sizes of type and bounds of width, in pixels.
HEAD = 26.0
ROW = 21.0
NOTE = 13.0
FOOT = 19.0
PILL = 22.0
ICON = 22.0
TEXT = 12.0
SMALL = 10.0
NARROWEST = 110.0
WIDEST = 300.0


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a box: border, head, text of the head, highlight of a row."""

    border: str
    head: str
    title: str = INK
    row: str = ""
    width: str = "1.2"


PAINTS: dict[Look, Paint] = {
    "plain": Paint(LINE, "#e9eff6"),
    "asked": Paint("#1d4fa8", "#2459b8", "#ffffff", "#dfeafc", "2"),
    "final": Paint("#0f766e", "#d3eeea", "#0b4640", width="2"),
    "golden": Paint("#c08a00", "#fbe9b7", "#4a3500", width="2"),
    "interrupted": Paint("#c2410c", "#fde4d7", "#7c2d12", width="1.6"),
    "deciding": Paint("#a58cc0", "#f1eaf8", "#4f3370"),
    "constant": Paint("#3f8f5f", "#e4f4ea", "#17502f"),
    "faded": Paint("#b4bcc6", "#f4f5f7", FADED),
}
STAR = "#d39a00"
PLUS = 14.0
"""Room for the sign of a row that can be opened."""


def block(key: str, box: Box) -> Block:
    """The size of a box and of its rows."""
    if box.look == "constant":
        return Block(key, min(wide(box.title, 11) + 22, WIDEST), PILL, ())
    widths = [wide(box.title, TEXT) + 24, wide(box.foot, SMALL) + 24]
    widths += [ICON + wide(row.text, TEXT) + 12 + (PLUS if row.link else 0) for row in box.rows.values()]
    widths += [ICON + wide(row.note, SMALL) + 12 for row in box.rows.values()]
    rows = tuple((name, ROW + (NOTE if row.note else 0)) for name, row in box.rows.items())
    width = min(max(NARROWEST, *widths), WIDEST)
    return Block(key, width, HEAD, rows, FOOT if box.foot else 4.0)


def draw_box(box: Box, at: Rect, order: Sequence[str]) -> str:
    """A box with its rows in the given order."""
    if box.look == "constant":
        return _pill(box, at)
    paint = PAINTS[box.look]
    dash: dict[str, str | float] = {"stroke_dasharray": "5 4"} if box.look in ("faded", "deciding") else {}
    frame: dict[str, str | float] = {"x": at.x, "y": at.y, "width": at.width, "height": at.height, "rx": "5"}
    x, y, up, across = (quoted(n) for n in (at.x, at.y + HEAD, 5 - HEAD, at.width - 10))
    top = f"M{x} {y}v{up}q0 -5 5 -5h{across}q5 0 5 5v{up[1:]}z"
    title = shorten_name(box.title, at.width - 20, TEXT)
    drawn = [
        element("rect", fill="#ffffff", **frame),
        element("path", d=top, fill=paint.head),
        element("g", write(title, at.x + 10, at.y + 17.5, size=TEXT, fill=paint.title, strong=True), title=box.title),
    ]
    line = at.y + HEAD
    for key in order:
        drawn.append(_row(box.rows[key], at, line))
        line += ROW + (NOTE if box.rows[key].note else 0)
    if box.foot:
        drawn.append(_small(box.foot, at.x + 10, line + 13, at.width - 18))
    # The border last, over heads and bands that reach to the edge.
    drawn.append(element("rect", fill="none", stroke=paint.border, stroke_width=paint.width, **dash, **frame))
    return element("g", *drawn)


def _row(row: Row, at: Rect, y: float) -> str:
    drawn = []
    if row.look == "asked":
        band: dict[str, str | float] = {"x": at.x + 1, "y": y, "width": at.width - 2, "height": ROW}
        drawn.append(element("rect", fill=PAINTS["asked"].row, **band))
    drawn.append(icon(row.look, at.x + 12, y + 10.5))
    fill = {"faded": FADED, "deciding": PAINTS["deciding"].title}.get(row.look, INK)
    text = shorten(row.text, at.width - ICON - 8 - (PLUS if row.link else 0), TEXT)
    drawn.append(write(text, at.x + ICON, y + 14.5, size=TEXT, fill=fill, strong=row.look == "asked"))
    if row.note:
        drawn.append(_small(row.note, at.x + ICON, y + 27, at.width - ICON - 8))
    tip = f"{row.text}\n{row.tip}" if row.tip else row.text
    if not row.link:
        return element("g", *filter(None, drawn), title=tip)
    drawn.append(write("+", at.x + at.width - PLUS, y + 14.5, size=TEXT, fill=PAINTS["asked"].border, strong=True))
    return element("a", *filter(None, drawn), title=f"{tip}\nexpand", href=row.link)


def icon(look: Look, x: float, y: float) -> str:
    """The sign in front of a row, around a point."""
    if look == "golden":
        return element("path", d=star(x, y, 6), fill=STAR, stroke="#8f6600", stroke_width="0.6")
    if look == "final":
        return element("path", d=f"M{quoted(x - 4)} {quoted(y + 6)}v-12h9l-2.5 3.5l2.5 3.5h-7.5v5z", fill="#0f766e")
    if look == "asked":
        ring = element("circle", cx=x, cy=y, r=5, fill="none", stroke=PAINTS["asked"].border, stroke_width="1.6")
        return ring + element("circle", cx=x, cy=y, r=2, fill=PAINTS["asked"].border)
    if look == "interrupted":
        data = f"M{quoted(x)} {quoted(y - 5.5)}l6 10.5h-12z"
        bar = f"M{quoted(x)} {quoted(y - 2)}v3.5m0 1.4v1"
        edge = PAINTS["interrupted"].border
        return element("path", d=data, fill=edge) + element(
            "path", d=bar, stroke="#fff", stroke_width="1.4", fill="none"
        )
    if look == "deciding":
        return element("path", d=f"M{quoted(x)} {quoted(y - 4.5)}l4.5 4.5l-4.5 4.5l-4.5 -4.5z", fill="#8450b0")
    return ""


def _small(text: str, x: float, y: float, room: float) -> str:
    return write(shorten(text, room, SMALL), x, y, size=SMALL, fill=GREY)


def _pill(box: Box, at: Rect) -> str:
    paint = PAINTS["constant"]
    frame: dict[str, str | float] = {
        "x": at.x,
        "y": at.y,
        "width": at.width,
        "height": at.height,
        "rx": quoted(PILL / 2),
    }
    text = shorten(box.title, at.width - 16, 11)
    return element(
        "g",
        element("rect", fill=paint.head, stroke=paint.border, stroke_width=paint.width, **frame),
        write(text, at.x + at.width / 2, at.y + 15, size=11, fill=paint.title, anchor="middle"),
        title=box.title + box.tip,
    )
