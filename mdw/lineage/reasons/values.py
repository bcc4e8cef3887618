"""Values that a question asks for and no rule mentions, where a rule mentions one much like it or of another kind.

Asked for REGION = "eu" nothing arrives where rules know "EU", and the reasons alone do not show the slip.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mdw.lineage.rows.universe import Universe
from mdw.lineage.steps.graph import Graph
from mdw.model.expressions import Attr, Compare, Condition, Const, In, IsNull
from mdw.model.name import local_of
from mdw.model.text import expression_text
from mdw.model.walks import walk

PLURAL = {"string": "texts", "number": "numbers", "date": "days"}


def strange_values(graph: Graph, asked: Condition | None) -> list[str]:
    """A note for each value asked for that no rule mentions: the text most like it, or of which kind values are."""
    wanted = dict.fromkeys(_constants(asked)) if asked else {}
    if not wanted:
        return []
    # What rules mention of an attribute, they mention of all that it is copied from or compared with.
    universe = Universe(graph, [IsNull(Attr(name)) for name, _ in wanted])
    found = []
    for attribute, constant in wanted:
        regions, name = universe.regions(attribute), local_of(attribute)
        # Each constant that a rule compares with is a region of its own, its point.
        every = [region.point for region in regions.regions if region.kind == "string"]
        known = sorted(point for point in every if isinstance(point, str))
        near = _near(constant.text, known) if constant.kind == "string" and constant.text not in known else None
        asked_for = expression_text(constant)
        if near is not None:
            meant = expression_text(Const("string", near))
            found.append(f"no rule mentions {name} = {asked_for}; did you mean {meant}?")
        elif regions.kinds and constant.kind not in regions.kinds:
            kinds = " and ".join(PLURAL.get(kind, "truths") for kind in sorted(regions.kinds))
            hint = f'; a text is written "{constant.text}"' if "string" in regions.kinds else ""
            found.append(
                f"rules compare {name} with {kinds}, not with {PLURAL[constant.kind]} such as {asked_for}{hint}"
            )
    return found


def _near(text: str, known: list[str]) -> str | None:
    """The text most like another; one that differs by upper and lower case only is the likest."""
    folded = {one.strip().casefold(): one for one in reversed(known)}
    same = folded.get(text.strip().casefold())
    if same is not None:
        return same
    close = get_close_matches(text.casefold(), folded, n=1, cutoff=0.75)
    return folded[close[0]] if close else None


def _constants(condition: Condition) -> Iterator[tuple[str, Const]]:
    """The constants that attributes are compared with."""
    for one in walk(condition):
        match one:
            case Compare(_, Attr(name), Const() as constant) | Compare(_, Const() as constant, Attr(name)):
                yield from [(name, constant)] if constant.kind in PLURAL else []
            case In(Attr(name), constants):
                yield from ((name, constant) for constant in constants if constant.kind in PLURAL)
