"""SVG -> PNG with a font that comes along by pip, so that text shows on machines without any font."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import resvg_py

from mdw.model.errors import PictureError

FAMILY = "DejaVu Sans Mono"
LARGEST_SIDE = 16000
LARGEST_AREA = 80e6
SIZE = re.compile(r'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
# What the bundled font draws for sure: Latin, Greek, Cyrillic and the signs the pictures use.
FOREIGN = re.compile("[^\x00-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u203a\u2190-\u2193\u2605\u2715]")


def png(svg: str, *, scale: float = 2.0) -> bytes:
    """The picture as PNG, ``scale`` pixels to the unit, fewer where the picture would outgrow memory.

    Fonts of the machine are used only for signs that the bundled font may lack, so bytes are the same everywhere else.
    """
    fonts = _fonts()
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            zoom=_zoom(svg, scale),
            font_files=fonts,
            skip_system_fonts=bool(fonts) and not FOREIGN.search(svg),
            font_family=FAMILY,
            monospace_family=FAMILY,
        )
    except ValueError as error:
        raise PictureError(f"the picture cannot be drawn as PNG: {error}") from error


def _zoom(svg: str, scale: float) -> float:
    found = SIZE.search(svg)
    if not found:
        raise PictureError("the picture says no width and height")
    width, height = float(found[1]), float(found[2])
    return min(scale, LARGEST_SIDE / max(width, height, 1), math.sqrt(LARGEST_AREA / max(width * height, 1)))


@lru_cache
def _fonts() -> list[str]:
    """The font file that python-barcode carries, found without importing it."""
    spec = find_spec("barcode")
    folders = (spec.submodule_search_locations or []) if spec else []
    files = (Path(folder, "fonts", "DejaVuSansMono.ttf") for folder in folders)
    return [str(file) for file in files if file.is_file()]
