"""SVG by hand: elements, escaping, and text whose width is known because every font asked for is monospaced."""

from __future__ import annotations

import math
import re
from html import escape
from unicodedata import east_asian_width

from mdw.model.visible import visible

# All of these are monospaced and nearly of one width: a text is as wide as its signs are many, so boxes can be made to
# fit without a font at hand. The advance, as a share of the size, is that of the widest.
FONT = "'DejaVu Sans Mono',Menlo,Consolas,'Liberation Mono',monospace"
ADVANCE = 0.602

PAPER = "#fbfcfe"
INK = "#1c2733"
GREY = "#5b6776"
FADED = "#77818d"
LINE = "#b4bfcc"

ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Point = tuple[float, float]


def element(tag: str, *content: str, **attributes: str | float) -> str:
    """An element; ``content`` is SVG already, ``title`` becomes its tooltip, ``stroke_width`` means stroke-width."""
    tip = attributes.pop("title", "")
    names = "".join(f' {name.replace("_", "-")}="{quoted(value)}"' for name, value in attributes.items())
    inner = (f"<title>{quoted(tip)}</title>" if tip else "") + "".join(content)
    return f"<{tag}{names}>{inner}</{tag}>" if inner else f"<{tag}{names}/>"


def quoted(value: str | float) -> str:
    """A value as XML text: escaped, without characters XML forbids, numbers short."""
    if isinstance(value, str):
        return escape(ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", visible(value)))
    # A tenth of a pixel is finer than any screen, and most of a picture's bytes are numbers.
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def wide(text: str, size: float) -> float:
    """Width of a text in pixels; signs of East Asia take two places."""
    text = visible(text)
    double = 0 if text.isascii() else sum(east_asian_width(sign) in "WF" for sign in text)
    return (len(text) + double) * ADVANCE * size


def shorten(text: str, room: float, size: float) -> str:
    """The text, or as much of it as fits into ``room`` pixels with an ellipsis at its end.

    >>> shorten("CUSTOMER", 40, 10)
    'CUSTO…'
    """
    most = max(int(room / (ADVANCE * size)), 0) + 1
    # Cut before it is split: a condition may have megabytes, and of blanks in a row one is shown.
    text = visible(" ".join(text[: 4 * most].split()))
    if wide(text, size) <= room:
        return text
    text = text[:most]
    while text and wide(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def shorten_name(name: str, room: float, size: float) -> str:
    """A qualified name that fits: parts are left out at its front, where it says least."""
    name = visible(name)
    if wide(name, size) <= room:
        return name
    name = name[-int(room / (ADVANCE * size)) - 1 :]
    while name and wide("…" + name, size) > room:
        name = name[1:]
    return "…" + name


def words(text: str, room: float, size: float) -> list[str]:
    """The text broken into lines that fit into ``room`` pixels."""
    lines: list[str] = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and wide(longer, size) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return [shorten(line, room, size) for line in lines]


def write(
    text: str, x: float, y: float, *, size: float = 12, fill: str = INK, anchor: str = "start", strong: bool = False
) -> str:
    """A line of text on the base line ``y``; ``strong`` thickens it without asking for a bold font."""
    more: dict[str, str | float] = {"text_anchor": anchor} if anchor != "start" else {}
    if strong:
        more |= {"stroke": fill, "stroke_width": "0.45"}
    return element("text", quoted(text), x=x, y=y, font_size=size, fill=fill, **more)


def smooth(points: tuple[Point, ...]) -> str:
    """Path data through points that are joined by a straight line, a curve, a straight line, and so on."""
    (x, y), *rest = points
    parts = [f"M{quoted(x)} {quoted(y)}"]
    for number, (to_x, to_y) in enumerate(rest):
        if number % 2 == 0 or abs(to_y - y) < 0.05:
            if abs(to_x - x) > 0.05:
                parts.append(f"L{quoted(to_x)} {quoted(to_y)}")
        else:
            # Level where it leaves and where it arrives; a curve back to the same column has to swing out.
            bend = (to_x - x) * 0.5
            loop = 14 + abs(to_y - y) * 0.1 if to_x == x else 0
            handles = ((x + bend + loop, y), (to_x - bend + loop, to_y), (to_x, to_y))
            parts.append("C" + " ".join(f"{quoted(a)} {quoted(b)}" for a, b in handles))
        x, y = to_x, to_y
    return "".join(parts)


def star(x: float, y: float, radius: float) -> str:
    """Path data of a five-pointed star around a point."""
    corners = []
    for corner in range(10):
        angle = math.pi * (corner / 5 - 0.5)
        reach = radius if corner % 2 == 0 else radius * 0.45
        corners.append(f"{quoted(x + reach * math.cos(angle))} {quoted(y + reach * math.sin(angle))}")
    return "M" + "L".join(corners) + "Z"


def document(width: float, height: float, title: str, description: str, *content: str) -> str:
    """A whole picture with a background of its own, so that it reads on dark pages too."""
    size = (
        f'width="{math.ceil(width)}" height="{math.ceil(height)}" viewBox="0 0 {math.ceil(width)} {math.ceil(height)}"'
    )
    # What holds links is more than one picture to those who hear it.
    role = "group" if any("<a " in one for one in content) else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="{role}" font-family="{quoted(FONT)}">\n'
        f"<title>{quoted(title)}</title>\n<desc>{quoted(description)}</desc>\n"
        + element("rect", width="100%", height="100%", fill=PAPER)
        + "\n"
        + "\n".join(content)
        + "\n</svg>\n"
    )
