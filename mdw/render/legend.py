"""The line below a picture that explains the signs it uses, and no others."""

from __future__ import annotations

from mdw.render.boxes import PAINTS, icon
from mdw.render.sketch import Look, Sketch, Style
from mdw.render.strokes import STROKES
from mdw.render.svg import GREY, LINE, element, wide, write

MARGIN = 28.0
SIZE = 11.0

LOOKS: dict[Look, str] = {
    "asked": "asked attribute",
    "golden": "golden source: no mapping fills it",
    "final": "final target: its values go no further",
    "interrupted": "interrupted: mappings fill its entity, but not this attribute",
    "deciding": "only decides, never the value",
    "constant": "constant",
}
STYLES: dict[Style, str] = {
    "direct": "value flows",
    "indirect": "decides only",
    "undecided": "undecided, kept",
    "faded": "left out: no row can come this way",
}


def legend(drawing: Sketch, width: float, y: float) -> tuple[float, list[str]]:
    """Height of the picture with its legend, and the legend starting at ``y``."""
    looks = {row.look for box in drawing.boxes.values() for row in box.rows.values()}
    looks |= {box.look for box in drawing.boxes.values()}
    styles = {strand.style for strand in drawing.strands}
    texts = LOOKS | ({"deciding": "decided by it, never with its value"} if drawing.impact else {})
    entries = [(_sign(look), text) for look, text in texts.items() if look in looks]
    entries += [(_line(style), text) for style, text in STYLES.items() if style in styles]
    drawn = [element("path", d=f"M{MARGIN} {y:.1f}H{width - MARGIN:.1f}", stroke=LINE, stroke_width="1")]
    x, base = MARGIN, y + 24
    for sign, text in entries:
        room = 34 + wide(text, SIZE) + 22
        # The space after an entry may lie in the margin.
        if x > MARGIN and x + room > width - MARGIN + 22:
            x, base = MARGIN, base + 22
        moved = element("g", sign, transform=f"translate({x:.1f} {base - 4:.1f})")
        drawn += [moved, write(text, x + 34, base, size=SIZE, fill=GREY)]
        x += room
    return base + 24, drawn


def _sign(look: Look) -> str:
    if look == "constant":
        paint = PAINTS[look]
        return element("rect", x=2, y=-6, width=24, height=12, rx=6, fill=paint.head, stroke=paint.border)
    return icon(look, 14, 0)


def _line(style: Style) -> str:
    stroke = STROKES[style]
    line = element("path", d="M0 0H20", fill="none", **stroke)
    return line + element("path", d="M26 0l-7 -3.5v7z", fill=stroke["stroke"])
