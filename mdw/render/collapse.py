"""The sketch of a big answer: entities without their attributes, one strand per pair of entities."""

from __future__ import annotations

import math

from mdw.model.answers.answer import Answer
from mdw.model.name import entity_of
from mdw.render.sketch import Box, Row, Sketch, Strand, Wire, sketch, wires
from mdw.render.words import count

# Beyond these a screen shows boxes too small to read, and captions that push the boxes apart.
MOST_BOXES = 60
MOST_CAPTIONS = 120


def collapsed(answer: Answer) -> Sketch:
    """Entities with counts of their attributes, the nearest ones where there are too many."""
    full = sketch(answer)
    # Constants and attributes that only decide are details: the big picture is about where values come from.
    boxes = {key: box for key, box in full.boxes.items() if box.look not in ("constant", "deciding")}
    groups: dict[tuple[str, str], list[Wire]] = {}
    for wire in wires(answer):
        groups.setdefault((wire.source[0], wire.target[0]), []).append(wire)
    near = _nearest(entity_of(answer.attribute), list(groups))
    drawn = {pair: group for pair, group in groups.items() if near.issuperset(pair)}
    found = Sketch(
        {key: _counted(box) for key, box in boxes.items() if key in near}, notes=full.notes, impact=full.impact
    )
    found.strands = [_strand(*pair, group, len(drawn) <= MOST_CAPTIONS) for pair, group in drawn.items()]
    attributes = sum(len(box.rows) for box in full.boxes.values())
    found.notes.append(
        f"{count(attributes, 'attribute')} and {count(sum(map(len, groups.values())), 'step')} are too many for one"
        " picture: each line stands for all steps between two entities, thicker where there are more."
    )
    if len(found.boxes) < len(boxes):
        found.notes.append(f"{count(len(boxes) - len(found.boxes), 'entity')} further away are not drawn.")
    return found


def _strand(source: str, target: str, group: list[Wire], captioned: bool) -> Strand:
    kept = [wire for wire in group if wire.style != "faded"]
    parts = [count(len(kept), "step")] if kept else []
    if len(kept) < len(group):
        parts.append(f"✕ {len(group) - len(kept):,} left out")
    names = list(dict.fromkeys(wire.step.mapping for wire in group))
    said = " · ".join(parts)
    tip = "\n".join([f"{source} → {target}", f"{said} by {count(len(names), 'mapping')}", *names[:10]])
    style = "faded" if not kept else "direct" if any(wire.style == "direct" for wire in kept) else kept[0].style
    # By the logarithm: one strand may stand for one step and the next for thousands.
    thick = 1.2 + 0.6 * math.log2(len(group))
    return Strand(source, target, style, (said,) if captioned else (), [("", "", tip)], thick)


def _nearest(start: str, pairs: list[tuple[str, str]]) -> set[str]:
    beside: dict[str, list[str]] = {start: []}
    for source, target in pairs:
        beside.setdefault(source, []).append(target)
        beside.setdefault(target, []).append(source)
    # Breadth first, while the list grows under the loop: the nearest boxes are found first.
    found = {start: None}
    waiting = [start]
    for key in waiting:
        for other in beside[key]:
            if other not in found and len(found) < MOST_BOXES:
                found[other] = None
                waiting.append(other)
    return set(found)


def _counted(box: Box) -> Box:
    return Box(box.title, box.look, {"": Row(count(len(box.rows), "attribute"), box.look)})
