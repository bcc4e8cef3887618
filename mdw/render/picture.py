"""Pictures of answers: entities as boxes, sources left, the flow of values from left to right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mdw.model.answers.answer import Answer, Lineage
from mdw.render.boxes import block, draw_box
from mdw.render.collapse import collapsed
from mdw.render.layout import Bundle, Placement, Rect, place
from mdw.render.legend import legend
from mdw.render.sketch import Sketch, Strand, sketch
from mdw.render.strokes import ORDER, STROKES
from mdw.render.summary import question, summary
from mdw.render.svg import FADED, GREY, INK, Point, document, element, quoted, shorten, smooth, wide, words, write

MARGIN = 28.0
NARROWEST = 640.0
CAPTION = 10.0
CAPTION_ROOM = 216.0
CAPTION_LINE = 13.0
MOST_ATTRIBUTES = 300
MOST_STRANDS = 200
# Captions of these styles have the colour of their wires, lest they pass for ordinary ones.
LOUD = ("undecided", "indirect")


def lineage_svg(
    answer: Answer,
    *,
    limit: int = MOST_ATTRIBUTES,
    says: str | None = None,
    links: Mapping[str, str] | None = None,
) -> str:
    """The answer as SVG; above ``limit`` attributes each entity is drawn without its attributes, and a note says so.

    ``says`` stands above it instead of the answer's summary, where it is a part of a larger one; ``links`` are
    addresses that attributes lead to, by name.
    """
    drawing = sketch(answer)
    if sum(len(box.rows) for box in drawing.boxes.values()) > limit or len(drawing.strands) > MOST_STRANDS:
        drawing = collapsed(answer)
    for box in drawing.boxes.values():
        for name, row in box.rows.items():
            row.link = (links or {}).get(name, "")
    return _draw(answer, drawing, says or summary(answer))


def _draw(answer: Answer, drawing: Sketch, says: str) -> str:
    blocks = [block(key, box) for key, box in drawing.boxes.items()]
    placed = place(blocks, [_bundle(strand) for strand in drawing.strands])
    width = max(placed.width + 2 * MARGIN, NARROWEST)
    noun = "Lineage" if isinstance(answer, Lineage) else "Impact"
    title = f"{noun} of {answer.attribute}"
    head, top = _heading(title, says, question(answer), drawing.notes, width)
    left = (width - placed.width) / 2
    bottom, foot = legend(drawing, width, top + placed.height + 30)
    body = element(
        "g", *_wires(drawing, placed), *_boxes(drawing, placed), transform=f"translate({quoted(left)} {quoted(top)})"
    )
    return document(width, bottom, title, says, *head, body, *foot)


def _heading(title: str, says: str, asked: str, notes: list[str], width: float) -> tuple[list[str], float]:
    """Title, summary and notes, and the height they take."""
    room = width - 2 * MARGIN
    lines = [write(shorten(title, room, 17), MARGIN, 38, size=17, strong=True)]
    y = 60.0
    for text, fill in ((says, INK), (asked, GREY), *((note, GREY) for note in notes)):
        for line in words(text, room, 11.5):
            lines.append(write(line, MARGIN, y, size=11.5, fill=fill))
            y += 16
    return lines, y + 16


def _bundle(strand: Strand) -> Bundle:
    room = max((min(wide(line, CAPTION), CAPTION_ROOM) for line in strand.caption), default=0.0)
    pairs = tuple((source, target) for source, target, _ in strand.wires)
    height = CAPTION_LINE * len(strand.caption) + 1 if strand.caption else 0.0
    # What only decides hardly pulls: the flow of values should run straight.
    weight = 0.02 if strand.style == "indirect" else 1.0
    return Bundle(strand.source, strand.target, pairs, room + 8 if strand.caption else 0.0, height, weight)


# -- drawing ----------------------------------------------------------------------------------------------------------


def _boxes(drawing: Sketch, placed: Placement) -> Iterator[str]:
    for key, box in drawing.boxes.items():
        yield draw_box(box, placed.boxes[key], placed.orders[key])


def _wires(drawing: Sketch, placed: Placement) -> Iterator[str]:
    every = list(zip(drawing.strands, placed.wires, placed.captions, strict=True))
    # SVG paints in order: what matters most comes last and lies on top.
    for style in ORDER:
        for strand, paths, caption in every:
            if strand.style == style:
                yield _strand(strand, paths, caption)


def _strand(strand: Strand, paths: tuple[tuple[Point, ...], ...], caption: Rect | None) -> str:
    drawn = [_wire(strand, points, tip) for points, (_, _, tip) in zip(paths, strand.wires, strict=True)]
    if caption:
        drawn.append(_caption(strand, caption))
    return element("g", *drawn)


def _wire(strand: Strand, points: tuple[Point, ...], tip: str) -> str:
    """The wire, a broad invisible one for the pointer, and the arrow's head at its end."""
    (start, _), (x, y) = points[0], points[-1]
    # The line ends inside the arrow's head: its own end is blunt and would show at the tip.
    back = -7.0 if x > start else 7.0
    data = smooth((*points[:-1], (x + back * 0.8, y)))
    stroke = {**STROKES[strand.style], "stroke_width": strand.thick} if strand.thick else STROKES[strand.style]
    head = f"M{quoted(x)} {quoted(y)}l{quoted(back)} -3.5v7z"
    return element(
        "g",
        element("path", d=data, fill="none", stroke="#000", stroke_opacity="0", stroke_width="9"),
        element("path", d=data, fill="none", **stroke),
        element("path", d=head, fill=str(stroke["stroke"])),
        title=tip,
    )


def _caption(strand: Strand, place_: Rect) -> str:
    tip = "\n\n".join(tip for _, _, tip in strand.wires)
    fill = FADED if strand.style == "faded" else str(STROKES[strand.style]["stroke"] if strand.style in LOUD else GREY)
    lines = []
    for number, line in enumerate(strand.caption):
        ink = INK if line.startswith(("if ", "✕ if ", "? if ")) and strand.style != "faded" else fill
        lines.append(write(_fitted(line), place_.x + 4, place_.y + 10 + CAPTION_LINE * number, size=CAPTION, fill=ink))
    return element("g", *lines, title=tip)


def _fitted(line: str) -> str:
    """A caption's line that fits: of a mapping and what it does, the name gives way."""
    name, dot, how = line.partition(" · ")
    return shorten(name, CAPTION_ROOM - wide(dot + how, CAPTION), CAPTION) + dot + how
