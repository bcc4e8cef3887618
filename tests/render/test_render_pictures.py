"""Pictures: well-formed, complete, the same every time, nothing on top of anything else, text without system fonts."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from places import ROOT
from render_samples import ANSWERS, copies, layered, party, step

from mdw.language.metatree import MetaTree
from mdw.model.answers.answer import Answer, Lineage
from mdw.model.errors import PictureError
from mdw.model.name import entity_of
from mdw.model.tree import Node
from mdw.render.boxes import block
from mdw.render.layout import Block, Bundle, Placement, Rect, place
from mdw.render.picture import lineage_svg
from mdw.render.png import FOREIGN, png
from mdw.render.sketch import sketch
from mdw.render.svg import FONT, document, quoted, smooth, wide, write
from mdw.render.telling import because
from mdw.render.trees import metatree_svg, tree_svg

GRAMMAR = ROOT / "grammars" / "mapping.lark"
SVG = "{http://www.w3.org/2000/svg}"
NESTED = Node("mapping", children=(Node("population", children=(Node("entity", "CORE.`A<&>B`"), Node("!=", "!="))),))
PICTURES = {name: lineage_svg(answer) for name, answer in ANSWERS.items()}
PICTURES |= {"metatree": metatree_svg(MetaTree.of(GRAMMAR)), "tree": tree_svg("a <b>", NESTED)}


@pytest.mark.parametrize("svg", PICTURES.values(), ids=PICTURES)
def test_svg_is_well_formed_and_says_what_it_is(svg: str) -> None:
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert [child.tag for child in root][:3] == [f"{SVG}title", f"{SVG}desc", f"{SVG}rect"]
    assert not re.search(r"<script|href|url\(|<style|<image", svg)
    numbers = re.findall(r'(?:x|y|width|height)="(-?[\d.]+)"', svg)
    assert all(float(number) < 20000 for number in numbers)


@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_svg_shows_every_end_and_why_steps_were_left_out(answer: Answer) -> None:
    root = ElementTree.fromstring(lineage_svg(answer))
    titles = [text.text or "" for text in root.iter(f"{SVG}title")]
    rows = {text.text for text in root.iter(f"{SVG}text")}
    ends = answer.golden if isinstance(answer, Lineage) else answer.final
    assert all(entity_of(end.attribute) in titles and end.attribute.split(".")[-1] in rows for end in ends)
    for dropped in answer.dropped:
        assert any(f"{dropped.step.source} → " in title and because(dropped) in title for title in titles)
    for one in answer.steps:
        if one.kind == "direct":
            assert any(f"{one.source} → {one.target}\n" in title for title in titles)


def test_pictures_are_the_same_in_another_process() -> None:
    script = (
        "from render_samples import copies; from mdw.render.picture import lineage_svg; print(lineage_svg(copies()))"
    )
    found = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, check=True)
        found.append(done.stdout.decode().rstrip())
    assert found[0] == found[1] == lineage_svg(copies()).rstrip()


# -- the layout -------------------------------------------------------------------------------------------------------


def placed(answer: Answer) -> tuple[list[Block], list[Bundle], Placement]:
    """Boxes and wires of an answer, placed, each wire with a caption."""
    found = sketch(answer)
    blocks = [block(key, box) for key, box in found.boxes.items()]
    bundles = [
        Bundle(one.source, one.target, tuple((a, b) for a, b, _ in one.wires), 120.0, 27.0) for one in found.strands
    ]
    return blocks, bundles, place(blocks, bundles)


def touch(a: Rect, b: Rect) -> bool:
    """Whether two places share more than a border."""
    across = a.x + a.width > b.x + 0.01 and b.x + b.width > a.x + 0.01
    return across and a.y + a.height > b.y + 0.01 and b.y + b.height > a.y + 0.01


def points(wire: tuple[tuple[float, float], ...]) -> Iterator[Rect]:
    """Small places along a wire: its straight parts, and its curves, which stay level with their ends' heights."""
    for (x, y), (to_x, to_y) in pairwise(wire):
        for part in (0.1, 0.5, 0.9):
            bent = 3 * part**2 - 2 * part**3
            yield Rect(x + (to_x - x) * part, y + (to_y - y) * bent, 0.0, 0.0)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_lies_on_anything_else(seed: int) -> None:
    _, bundles, found = placed(layered(seed))
    rects = [*found.boxes.values(), *(caption for caption in found.captions if caption)]
    assert [(a, b) for n, a in enumerate(rects) for b in rects[:n] if touch(a, b)] == []
    for bundle, wires in zip(bundles, found.wires, strict=True):
        others = [rect for key, rect in found.boxes.items() if key not in (bundle.source, bundle.target)]
        for wire in wires:
            assert not any(touch(rect, point) for rect in others for point in points(wire))


def test_values_flow_from_left_to_right() -> None:
    _, bundles, found = placed(layered())
    for bundle in bundles:
        source, target = found.boxes[bundle.source], found.boxes[bundle.target]
        assert source.x + source.width < target.x


def test_wires_meet_their_rows() -> None:
    blocks, bundles, found = placed(copies())
    by_key = {one.key: one for one in blocks}
    for bundle, wires in zip(bundles, found.wires, strict=True):
        for (source, target), wire in zip(bundle.wires, wires, strict=True):
            for key, row, (x, y) in ((bundle.source, source, wire[0]), (bundle.target, target, wire[-1])):
                rect = found.boxes[key]
                assert y == pytest.approx(rect.y + by_key[key].offsets(found.orders[key])[row])
                assert x == pytest.approx(rect.x) or x == pytest.approx(rect.x + rect.width)


def test_a_wire_is_lines_and_curves_in_turn() -> None:
    assert smooth(((0, 0), (10, 0), (30, 20), (40, 20))) == "M0 0L10 0C20 0 20 20 30 20L40 20"


# -- sizes and oddities -----------------------------------------------------------------------------------------------


def test_a_big_answer_is_drawn_by_entities_and_says_so() -> None:
    svg = lineage_svg(layered(3, 130, 800, 1300, 40))
    ElementTree.fromstring(svg)
    assert "each line stands for all steps between two entities" in svg
    assert "further away are not drawn" in svg
    assert len(svg) < 500_000


def test_odd_names_and_conditions_are_drawn() -> None:
    name = 'CORE.`<a href="x">&\x00\x1b\' 漢字`.`B C`'
    condition = 'A.B = "]]>" OR ' * 5000 + "TRUE"
    answer = replace(party(), attribute=name, steps=(step("S.T.C", name, "M <&>", condition),), interrupted=())
    root = ElementTree.fromstring(lineage_svg(answer))
    assert any("M <&>" in (title.text or "") for title in root.iter(f"{SVG}title"))


def test_an_answer_without_steps_is_drawn() -> None:
    svg = lineage_svg(replace(party(), golden=(), constants=(), interrupted=(), indirect=(), steps=(), dropped=()))
    assert "no mapping fills RPT.CUSTOMER.NAME" in ElementTree.fromstring(svg).findtext(f"{SVG}desc", "")


# -- PNG --------------------------------------------------------------------------------------------------------------


def test_png_has_the_size_asked_and_shows_text_without_system_fonts() -> None:
    svg = PICTURES["impact"]
    picture = png(svg, scale=1)
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    assert size
    assert struct.unpack(">II", picture[16:24]) == (int(size[1]), int(size[2]))
    assert len(picture) > 1.5 * len(png(re.sub("<text.*?</text>", "", svg), scale=1))
    assert picture == png(svg, scale=1)


SCRIPTS = {
    "Latin": "AWgéŁș",
    "Greek": "ΩλάᾠΨ",
    "Cyrillic": "ЖЩяѓҖ",
    "Vietnamese": "ạỀữỹƠ",
    "Chinese": "客户汉語龥",
    "Japanese": "顧客あカー",
    "Korean": "고객한힣ㅎ",
    "signs": "…→✕★·",
}


def line(text: str, *, x: float = 0.0, size: float = 20) -> bytes:
    """A picture that looks at a line of text from ``x`` on."""
    box = f'width="60" height="30" viewBox="{x} 0 60 30" font-family="{quoted(FONT)}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {box}>{write(text, 0, 20, size=size)}</svg>'
    assert not FOREIGN.search(svg), "no font of the machine is looked at"
    return png(svg, scale=1)


@pytest.mark.parametrize("script", SCRIPTS)
def test_png_shows_every_sign_of_a_script_by_fonts_that_come_along(script: str) -> None:
    signs = [*SCRIPTS[script], "\u0378"]  # a code without a sign, so that it is drawn as what has none
    assert len({line(sign) for sign in signs}) == len(signs)


@pytest.mark.parametrize("script", [name for name in SCRIPTS if name != "signs"])
def test_lines_in_a_png_end_before_the_layout_thinks(script: str) -> None:
    text = (SCRIPTS[script] + "WM@_") * 3
    end = wide(text, 20)
    assert line(text, x=end * 0.88 - 30) != line(" ")
    assert line(text, x=end + 0.5) == line(" ")


def test_signs_of_several_scripts_stand_in_one_line_of_a_png() -> None:
    """Each drawn by the font that has it, whatever the others lack."""
    text = "ᾠδή <客户> & `이름`"
    changed = [text.replace(*pair) for pair in ("ᾠῷ", "ήέ", "客名", "&+", "름음", "<>")]
    assert len({line(one, size=4) for one in (text, *changed)}) == 7
    middle = write("客户x", 50, 20, anchor="middle")
    assert png(document(100, 30, "", "", middle)) == png(document(100, 30, "", "", write("客户x", 50 - 31.2 / 2, 20)))


def test_png_of_something_huge_is_scaled_down() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200000" height="10"><rect width="9" height="9"/></svg>'
    assert struct.unpack(">II", png(svg)[16:24])[0] <= 16000


@pytest.mark.parametrize("svg", ["", "<svg/>", '<svg width="5" height="5">'])
def test_png_of_no_picture_is_an_error(svg: str) -> None:
    with pytest.raises(PictureError):
        png(svg)
