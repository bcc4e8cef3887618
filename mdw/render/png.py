"""SVG -> PNG with fonts that come along by pip, so that text shows on machines without any font."""

from __future__ import annotations

import math
import re
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import east_asian_width

import pymupdf_fonts
import resvg_py
from noto_cjk_sans_otc import FONT_PATH

from mdw.model.errors import PictureError
from mdw.render.svg import ADVANCE, element, quoted

FAMILY = "Fira Mono"
CODES = ("fimo", "cascadia", "symbol2")
"""Fira Mono, Cascadia Mono (Vietnamese) and Noto Sans Symbols2, as `pymupdf_fonts` calls them."""
EAST = "\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffef\U00020000-\U0003ffff"
"""Chinese, Japanese and Korean, drawn by Noto Sans CJK, which shapes some signs as each of them does."""
EASTERN = re.compile(f"([{EAST}]+)")
KANA = re.compile("[\u3041-\u30ff]")
HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]")
TEXT = re.compile(r'<text x="([\d.-]+)"([^<>]* font-size="([\d.]+)"[^<>]*)>([^<>]+)</text>')
MIDDLE = ' text-anchor="middle"'
LARGEST_SIDE = 16000
LARGEST_AREA = 80e6
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
# What the fonts draw: Latin, Greek, Cyrillic, Vietnamese, the signs the pictures use, and East Asia.
FOREIGN = re.compile(
    "[^\x00-\u017f\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0370-\u0479\u048a-\u052f\u1ea0-\u1ef9\u1f00-\u1fff"
    f"\u2010-\u2015\u2017-\u201e\u2020-\u2022\u2026\u2030\u2032\u2033\u2039\u203a\u20ac\u2190-\u2193\u2605\u2715{EAST}]"
)


def png(svg: str, *, scale: float = 2.0) -> bytes:
    """The picture as PNG, ``scale`` pixels to the unit, fewer where the picture would outgrow memory.

    Fonts of the machine are used only for scripts that ours lack (`FOREIGN`): bytes are the same everywhere else.
    """
    zoom = _zoom(svg, scale)
    try:
        with TemporaryDirectory(prefix="mdw-fonts-") as folder:
            return resvg_py.svg_to_bytes(
                svg_string=_eastern(svg),
                zoom=zoom,
                font_files=_fonts(Path(folder)) + [str(FONT_PATH)] * bool(EASTERN.search(svg)),
                skip_system_fonts=not FOREIGN.search(svg),
                font_family=FAMILY,
                monospace_family=FAMILY,
            )
    except ValueError as error:
        raise PictureError(f"the picture cannot be drawn as PNG: {error}") from error


def _fonts(folder: Path) -> list[str]:
    """Fonts as files, which resvg wants: they are kept as Python values and written for the occasion."""
    files = [folder / f"{code}.ttf" for code in CODES]
    for code, file in zip(CODES, files, strict=True):
        file.write_bytes(pymupdf_fonts.myfont(code))
    return [str(file) for file in files]


def _eastern(svg: str) -> str:
    """The picture with lines that hold signs of East Asia in pieces, each with its font and its place.

    Left to look for a font, resvg draws a whole line in it, or gives up if that lacks another sign of the line.
    """
    language = "JP" if KANA.search(svg) else "KR" if HANGUL.search(svg) else "SC"
    return TEXT.sub(lambda text: _pieces(text, f"Noto Sans Mono CJK {language}"), svg)


def _pieces(text: re.Match[str], family: str) -> str:
    pieces = EASTERN.split(unescape(text[4]))
    if len(pieces) == 1:
        return text[0]
    size = float(text[3])
    widths = [size * sum(map(_advance, piece)) for piece in pieces]
    x = float(text[1]) - (sum(widths) / 2 if MIDDLE in text[2] else 0)
    drawn = []
    for number, (piece, width) in enumerate(zip(pieces, widths, strict=True)):
        font: dict[str, str | float] = {"font_family": family} if number % 2 else {}
        drawn.append(element("tspan", quoted(piece), x=x, **font) if piece else "")
        x += width
    return f"<text{text[2].replace(MIDDLE, '')}>{''.join(drawn)}</text>"


def _advance(sign: str) -> float:
    """How far a sign moves the pen, in units of its size."""
    if HANGUL.match(sign):
        return 0.92
    return 1.0 if east_asian_width(sign) in "WF" else ADVANCE


def _zoom(svg: str, scale: float) -> float:
    found = SIZE.search(svg)
    if not found:
        raise PictureError("the picture says no width and height")
    width, height = float(found[1]), float(found[2])
    return min(scale, LARGEST_SIDE / max(width, height, 1), math.sqrt(LARGEST_AREA / max(width * height, 1)))
