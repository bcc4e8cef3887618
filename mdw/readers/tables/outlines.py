"""Components of a clause -> how a tree is made of them; what has the same outline is looked through once.

Components say by numbers what hangs below what. Whether that is one tree, and whether the mapping language has such a
clause, depends on numbers and roles alone, and the clauses of a warehouse have few outlines:

>>> outline("expression", ((1, 0, 1, "computation"), (2, 1, 1, "attribute")))
TreeOutline(steps=((1, ()), (0, (1,))), known=True)
>>> outline("condition", ((1, 0, 1, "SUM"), (2, 3, 1, "value"))).message
'component 2 of {clause} hangs below component 3, which is not there'
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from mdw.language.checks import DEEPEST, SPLIT_UP
from mdw.readers.tables.confirm import known

Component: TypeAlias = tuple[int, int, int, str]
"""Number of a component, that of the one it hangs below (0: none), its place among siblings, and its role."""
FEW = 50
"""Components of outlines that are remembered."""


class TreeOutline(NamedTuple):
    """How a tree is made: places of components, what is below each first, with the places of what is right below it.

    ``known``: the mapping language has such a clause.
    """

    steps: tuple[tuple[int, tuple[int, ...]], ...]
    known: bool


class NoTree(NamedTuple):
    """Why components are no tree; ``{clause}`` stands for what they are components of."""

    message: str
    hint: str = ""


def outline(clause: str, components: tuple[Component, ...]) -> TreeOutline | NoTree:
    """The outline of components; ``clause`` is the role of the node their tree is put below, if it is to be known."""
    return _remembered(clause, components) if len(components) <= FEW else _outline(clause, components)


def _outline(clause: str, components: Sequence[Component]) -> TreeOutline | NoTree:
    places = {number: place for place, (number, *_) in enumerate(components)}
    if len(places) < len(components):
        return NoTree("{clause} has two components of the same number")
    below: dict[int, list[tuple[int, int]]] = {}
    for place, (_, parent, ordinal, _) in enumerate(components):
        below.setdefault(parent, []).append((ordinal, place))
    for parent, children in below.items():
        if parent and parent not in places:
            number = components[children[0][1]][0]
            return NoTree(f"component {number} of {{clause}} hangs below component {parent}, which is not there")
    roots = below.pop(0, [])
    if len(roots) != 1:
        return NoTree(
            f"{{clause}} has {len(roots) or 'no'} topmost components" if components else "{clause} is missing"
        )
    # Places alone are sorted by ordinals: of two with the same one that of the smaller number comes first.
    under = {places[parent]: [place for _, place in sorted(some, key=_ordinal)] for parent, some in below.items()}
    top = roots[0][1]
    return _odd(components, top, under) or _made(clause, components, top, under)


_remembered = lru_cache(maxsize=1 << 12)(_outline)
_ordinal = itemgetter(0)


def _odd(components: Sequence[Component], top: int, under: Mapping[int, list[int]]) -> NoTree | None:
    """What is wrong with components each of which has a parent: too many levels, or a circle."""
    # What the top does not reach can only hang in a circle: nodes that are their own ancestors have no end.
    level, astray, depth = [top], set(range(len(components))), 0
    while level:
        astray.difference_update(level)
        level = [child for place in level for child in under.get(place, ())]
        depth += 1
    if depth > DEEPEST:
        return NoTree(f"{{clause}} is nested more than {DEEPEST} levels deep", SPLIT_UP)
    if astray:
        numbers = ", ".join(map(str, sorted(components[place][0] for place in astray)))
        return NoTree(f"components {numbers} of {{clause}} hang below one another in a circle")
    return None


def _made(clause: str, components: Sequence[Component], top: int, under: Mapping[int, list[int]]) -> TreeOutline:
    steps, shape, pending = [], [(clause, 1)], [top]
    while pending:
        place = pending.pop()
        children = under.get(place, [])
        shape.append((components[place][3], len(children)))
        pending += children[::-1]
    pending = [top]
    while pending:
        place = pending.pop()
        children = under.get(place, [])
        steps.append((place, tuple(children)))
        pending += children
    # From the last to the first: what is below a component comes before it, and leaves as the text has them.
    return TreeOutline(tuple(steps[::-1]), bool(clause) and known(tuple(shape)))
