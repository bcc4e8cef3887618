"""Values that a question asks for and no rule mentions, where a rule mentions one much like it.

Asked for REGION = "eu" nothing arrives where rules know "EU", and the reasons alone do not show the slip.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from mdw.lineage.rows.universe import Universe
from mdw.lineage.steps.graph import Graph
from mdw.model.expressions import Attr, Compare, Condition, Const, In, IsNull, walk
from mdw.model.name import local_of
from mdw.model.text import expression_text


def strange_values(graph: Graph, asked: Condition | None) -> list[str]:
    """A note for each text asked for that no rule mentions, naming the one most like it."""
    wanted = dict.fromkeys(_texts(asked)) if asked else {}
    if not wanted:
        return []
    # What rules mention of an attribute, they mention of all that it is copied from or compared with.
    universe = Universe(graph, [IsNull(Attr(name)) for name, _ in wanted])
    found = []
    for attribute, text in wanted:
        every = universe.regions(attribute).regions
        known = sorted(region.point for region in every if region.kind == "string" and isinstance(region.point, str))
        near = _near(text, known) if text not in known else None
        if near is not None:
            asked_for, meant = (expression_text(Const("string", one)) for one in (text, near))
            name = local_of(attribute)
            found.append(f"no rule mentions {name} = {asked_for}; did you mean {meant}?")
    return found


def _near(text: str, known: list[str]) -> str | None:
    """The text most like another; one that differs by upper and lower case only is the likest."""
    folded = {one.strip().casefold(): one for one in reversed(known)}
    same = folded.get(text.strip().casefold())
    if same is not None:
        return same
    close = get_close_matches(text.casefold(), folded, n=1, cutoff=0.75)
    return folded[close[0]] if close else None


def _texts(condition: Condition) -> Iterator[tuple[str, str]]:
    """The texts that attributes are compared with."""
    for one in walk(condition):
        match one:
            case Compare(_, Attr(name), Const("string", text)) | Compare(_, Const("string", text), Attr(name)):
                yield name, text
            case In(Attr(name), constants):
                yield from ((name, constant.text) for constant in constants if constant.kind == "string")
