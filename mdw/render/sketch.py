"""What a picture of an answer shows, before anything has a place: boxes with rows, and bundles of wires."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from mdw.model.answers.answer import Answer, Impact, Lineage
from mdw.model.answers.steps import Generated, Step
from mdw.model.name import entity_of, local_of
from mdw.render.spoken import spoken
from mdw.render.telling import because
from mdw.render.unread import unread_line
from mdw.render.words import HOW, brief, clipped, contributes, ends, example, place, restricts, role, via, written

STATEMENT = re.compile(r"(?:[^:]*/)?(?P<file>[^/:]+\.\w+):.+?(?P<number> \(\d+\))?")
"""The name of a mapping that a statement of SQL was read as."""

Look = Literal["asked", "golden", "final", "interrupted", "plain", "deciding", "constant", "faded"]
Style = Literal["direct", "indirect", "undecided", "constant", "faded"]

# Both ends of a way are asked for where the question names both.
LOOKS: dict[str, Look] = {"golden source": "golden", "final target": "final"}
LOOKS |= {"source asked for": "asked", "target asked for": "asked"}
# Bounds in rows, characters, characters and lines: a rule may be as long as a page, a picture has to stay one.
DECIDING_ROWS = 6
LONGEST_NOTE = 120
LONGEST_TIP = 1000
LONGEST_LIST = 16


@dataclass(slots=True)
class Row:
    """A row of a box: an attribute, or a count of them."""

    text: str
    look: Look = "faded"
    note: str = ""
    tip: str = ""
    link: str = ""


@dataclass(slots=True)
class Box:
    """An entity with its rows by key, or a constant (no rows)."""

    title: str
    look: Look = "faded"
    rows: dict[str, Row] = field(default_factory=dict)
    foot: str = ""
    tip: str = ""


@dataclass(slots=True)
class Strand:
    """Wires that share ends, mapping, condition and style: each a pair of row keys and a tooltip.

    ``thick`` is their width where they stand for many steps.
    """

    source: str
    target: str
    style: Style
    caption: tuple[str, ...] = ()
    wires: list[tuple[str, str, str]] = field(default_factory=list)
    thick: float = 0.0


@dataclass(slots=True)
class Sketch:
    """Boxes by key, strands between them, and what the picture has to say about itself."""

    boxes: dict[str, Box] = field(default_factory=dict)
    strands: list[Strand] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    impact: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """A step as the picture sees it: between attributes of boxes, or from and to a box as a whole (row "")."""

    step: Step
    source: tuple[str, str]
    target: tuple[str, str]
    style: Style
    tip: str


def sketch(answer: Answer) -> Sketch:
    """Every attribute and every step of an answer."""
    found = Sketch(notes=[*filter(None, [unread_line(answer)])], impact=isinstance(answer, Impact))
    _row(found, answer.attribute, "asked")
    for end in ends(answer):
        row = _row(found, end.attribute, LOOKS[role(answer)])
        said = clipped(contributes(answer, end), LONGEST_TIP)
        row.note = clipped(brief(said), LONGEST_NOTE)
        row.tip = "\n".join(filter(None, (said, clipped(example(end), LONGEST_TIP))))
    for name in answer.interrupted if isinstance(answer, Lineage) else ():
        _row(found, name, "interrupted").tip = "interrupted: mappings fill its entity, but not this attribute"
    _wires(found, answer)
    _constants(found, answer)
    _deciding(found, answer)
    for box in found.boxes.values():
        _finish(box)
    return found


def wires(answer: Answer) -> Iterator[Wire]:
    """The steps kept, then the steps left out, between rows of entities."""
    # What decides over whole rows points at the box; what decides one value, at its row.
    undecided = set(answer.undecided)
    for step in answer.steps:
        whole = step.kind == "indirect" and step.subtype != "CONDITIONAL"
        target = (step.target, "") if whole else (entity_of(step.target), step.target)
        style: Style = "undecided" if step in undecided else step.kind
        yield Wire(step, (entity_of(step.source), step.source), target, style, _tip(step))
    for dropped in answer.dropped:
        step = dropped.step
        ends_ = (entity_of(step.source), step.source), (entity_of(step.target), step.target)
        yield Wire(step, *ends_, "faded", f"{_tip(step)}\nleft out: {clipped(because(dropped), LONGEST_TIP)}")


def mapping_shown(name: str) -> str:
    """The name of a mapping if someone gave it, "" if it only repeats its ends, the file of a statement of SQL.

    >>> mapping_shown("core/sales.sql:core.fact_sales (2)"), mapping_shown("board_kpi"), mapping_shown("A FROM B")
    ('sales.sql (2)', 'board_kpi', '')
    """
    # Mappings without a name are called by their file and their ends (`mdw.language.derive.name_of`), statements by
    # their file and what they fill, which the picture shows at the other end.
    if found := STATEMENT.fullmatch(name):
        return f"{found['file']}{found['number'] or ''}"
    return "" if " FROM " in name else name


def _wires(found: Sketch, answer: Answer) -> None:
    strands: dict[tuple[str, ...], Strand] = {}
    for wire in wires(answer):
        if wire.style == "indirect":
            _decides(found, wire, strands)
            continue
        look: Look = "faded" if wire.style == "faded" else "plain"
        for _, name in (wire.source, wire.target):
            _row(found, name, look)
        step = wire.step
        # Wires that would carry the same caption between the same boxes run together and say it once.
        key = (wire.source[0], wire.target[0], step.mapping, step.condition, step.subtype, wire.style)
        if key not in strands:
            strands[key] = Strand(wire.source[0], wire.target[0], wire.style, _caption(step, wire.style))
        strands[key].wires.append((wire.source[1], wire.target[1], wire.tip))
    found.strands += strands.values()


def _decides(found: Sketch, wire: Wire, strands: dict[tuple[str, ...], Strand]) -> None:
    """One line per pair of entities says that one decides for the other; its tooltip says by which attributes."""
    (source, name), (target, decided) = wire.source, wire.target
    _box(found, source, "deciding")
    _box(found, target, "deciding")
    strand = strands.setdefault((source, target), Strand(source, target, "indirect"))
    into = f" {local_of(decided)}" if decided else ""
    line = f"{local_of(name)} {HOW[wire.step.subtype]}{into} ({wire.step.mapping})"
    told = strand.wires[0][2] if strand.wires else f"{source} decides for {target}"
    if line not in told and told.count("\n") < LONGEST_LIST:
        told += f"\n{line}" if told.count("\n") < LONGEST_LIST - 1 else "\n…"
    strand.wires[:] = [("", "", told)]


def _caption(step: Step, style: Style) -> tuple[str, ...]:
    sign = {"faded": "✕ ", "undecided": "? "}.get(style, "")
    first = " · ".join(filter(None, (mapping_shown(step.mapping), HOW[step.subtype])))
    second = f"if {brief(clipped(spoken(step.condition), LONGEST_TIP))}" if restricts(step.condition) else ""
    lines = [line for line in (first, second) if line]
    if sign and not lines:
        lines = ["left out" if style == "faded" else "undecided"]
    return tuple([sign + lines[0], *lines[1:]] if lines else [])


def _constants(found: Sketch, answer: Answer) -> None:
    for constant in written(answer):
        _row(found, constant.target, "plain")
        key = f"{constant.target} = {constant.value}"
        if key not in found.boxes:
            found.boxes[key] = Box(constant.value, "constant")
            style: Style = "undecided" if constant.undecided else "constant"
            strand = Strand(key, entity_of(constant.target), style)
            found.strands.append(strand)
            strand.wires.append(("", constant.target, key))
        made = "generated" if isinstance(constant, Generated) else "constant written"
        found.boxes[key].tip += f"\n{made} by {constant.mapping} ({place(constant.location)})"
        found.boxes[key].tip += "; undecided" if constant.undecided else ""


def _deciding(found: Sketch, answer: Answer) -> None:
    """Attributes that only decide: few of them, in the boxes of their entities."""
    added: dict[str, int] = {}
    subject = f"{answer.attribute} " if found.impact else ""
    for source in answer.indirect:
        entity = entity_of(source.attribute)
        known = entity in found.boxes and source.attribute in found.boxes[entity].rows
        added[entity] = added.get(entity, 0) + (not known)
        if known or added[entity] <= DECIDING_ROWS:
            row = _row(found, source.attribute, "deciding")
            row.tip = "\n".join(filter(None, (row.tip, subject + HOW[source.subtype])))
    for entity, number in added.items():
        if number > DECIDING_ROWS:
            more = Row(f"… {number - DECIDING_ROWS} more", "deciding")
            found.boxes[entity].rows["…"] = more


# An attribute may play several parts, a golden source also decide something: it is drawn as the last of these.
STRENGTH: tuple[Look, ...] = ("faded", "deciding", "constant", "plain", "interrupted", "final", "golden", "asked")


def _row(found: Sketch, name: str, look: Look) -> Row:
    """The row of an attribute; it keeps the strongest look it was given."""
    box = _box(found, entity_of(name), look)
    row = box.rows.setdefault(name, Row(local_of(name)))
    row.look = stronger(row.look, look)
    return row


def _box(found: Sketch, entity: str, look: Look) -> Box:
    box = found.boxes.setdefault(entity, Box(entity))
    box.look = stronger(box.look, look)
    return box


def stronger(a: Look, b: Look) -> Look:
    """The look that says more."""
    return max(a, b, key=STRENGTH.index)


def _finish(box: Box) -> None:
    """A note that all end rows of a box share is said once, at its foot."""
    notes = [row.note for row in box.rows.values() if row.note]
    if len(notes) > 1 and len(set(notes)) == 1:
        box.foot = notes[0]
        for row in box.rows.values():
            row.note = ""


def _tip(step: Step) -> str:
    lines: Iterable[str] = (f"{step.source} → {step.target}", via(step))
    return "\n".join([*lines, f"if {spoken(step.condition)}"] if restricts(step.condition) else lines)
