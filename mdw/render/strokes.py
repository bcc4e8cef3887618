"""How wires are drawn, by what they stand for: what decides, is undecided or left out is dashed, not only coloured."""

from __future__ import annotations

from collections.abc import Mapping

from mdw.render.sketch import Style

STROKES: Mapping[Style, Mapping[str, str]] = {
    "direct": {"stroke": "#45658f", "stroke_width": "1.6"},
    "indirect": {"stroke": "#8450b0", "stroke_width": "1.3", "stroke_dasharray": "6 3"},
    "undecided": {"stroke": "#b45309", "stroke_width": "1.6", "stroke_dasharray": "2 3"},
    "constant": {"stroke": "#2f7d4f", "stroke_width": "1.4"},
    "faded": {"stroke": "#8d97a4", "stroke_width": "1.2", "stroke_dasharray": "4 4"},
}
ORDER: tuple[Style, ...] = ("faded", "indirect", "constant", "direct", "undecided")
