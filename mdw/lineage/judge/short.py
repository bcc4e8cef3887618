"""A condition short enough to be read: whole, or what it asks of the own row, or the values that occur in that.

    whole     A = 1 AND B = 2 AND J.K = K AND J.R = "EU" OR A = 3 AND B = 4
    own row   A = 1 AND B = 2 AND K IS NOT NULL OR A = 3 AND B = 4
    values    A IN (1, 3) AND B IN (2, 4)
    parts     A IN (1, 3), and one part more that is left out

Each lets through all that the one before it does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mdw.conditions.atoms import Atom
from mdw.conditions.tree import Cube, Every, Literal, Tree, every
from mdw.conditions.wording import by_length
from mdw.lineage.judge.partners import keys
from mdw.lineage.judge.shape import Shaping
from mdw.lineage.judge.writing import Writing
from mdw.model.answers.ends import Form
from mdw.model.expressions import Condition
from mdw.model.text import to_text
from mdw.model.walks import variables_of

LONGEST = 300
"""Characters of a condition that is shown, the name of the own entity left out."""


@dataclass(frozen=True, slots=True)
class Short:
    """The text, how it was made short, and how many parts of it were left out."""

    text: str
    form: Form
    more: int = 0


def shorten(shaping: Shaping, writing: Writing, tree: Tree, cases: Sequence[Cube]) -> Short:
    """The first form that is short enough. Each follows from the one before; from the second on it asks less."""
    whole = writing.condition(tree)
    if _fits(writing, whole):
        return Short(to_text(whole), "whole")
    own = _own(shaping, cases)
    own_cases = shaping.cases(own, writing)
    own_tree = shaping.smallest(own_cases, writing)
    condition = writing.condition(own_tree)
    if any(shaping.crossing.joined_rows(v) for cube in cases for v in cube) and _fits(writing, condition):
        return Short(to_text(condition), "own row")
    values = _values(shaping, own)
    if not values:
        return Short(to_text(min((writing.condition(_product(cube)) for cube in own_cases), key=by_length)), "one case")
    found = writing.condition(every(values))
    if _fits(writing, found):
        return Short(to_text(found), "values")
    return _parts(writing, values)


def _parts(writing: Writing, values: list[Literal]) -> Short:
    """As many of the values as fit, the shortest first."""
    ranked = sorted(values, key=lambda one: (writing.length(one), one.variable))
    kept = ranked[:1]
    for one in ranked[1:]:
        if _fits(writing, writing.condition(every([*kept, one]))):
            kept.append(one)
    return Short(to_text(writing.condition(every(kept))), "parts", len(ranked) - len(kept))


def _own(shaping: Shaping, cases: Sequence[Cube]) -> list[Cube]:
    """What each alternative asks of the own row: joined rows projected out."""
    crossing = shaping.crossing
    found: list[Cube] = []
    for cube in cases:
        own = {v: mask for v, mask in cube.items() if not crossing.joined_rows(v)}
        # A key that finds a row is known, which the join alone says in the whole.
        for key, known in keys(crossing, cube).items():
            if not crossing.joined_rows(key):
                own[key] = own.get(key, known) & known
        # `A < J.B AND J.B < 5` asks something of A too: values of A for which no row of J can be are left out.
        gone = [label for v in cube if crossing.joined_rows(v) and isinstance(label := crossing.label(v), Atom)]
        compared = {one.number for label in gone for one in variables_of(label.condition)}
        for variable in sorted(v for v in compared if not crossing.joined_rows(v)):
            own[variable] = _occurring(shaping, _marked(shaping, [cube]), variable)
        found.append(own)
    return found


def _values(shaping: Shaping, own: Sequence[Cube]) -> list[Literal]:
    """For each attribute of the own row the values that occur, where not all do."""
    crossing = shaping.crossing
    # Where one product says nothing of an attribute, every value of it occurs.
    variables = sorted(set(own[0]).intersection(*own[1:])) if own else []
    plain = [v for v in variables if not isinstance(crossing.label(v), Atom)]
    marked = _marked(shaping, own)
    literals = [Literal(v, _occurring(shaping, marked, v)) for v in plain]
    return [one for one in literals if one.mask != crossing.diagram.domains[one.variable]]


def _marked(shaping: Shaping, cubes: Sequence[Cube]) -> list[tuple[Cube, bool]]:
    """The products, and of each whether every value in it can be met: none compares values with one another."""
    labels = shaping.crossing.diagram.labels
    return [(cube, all(cube.values()) and not any(isinstance(labels[one], Atom) for one in cube)) for cube in cubes]


def _occurring(shaping: Shaping, cubes: Sequence[tuple[Cube, bool]], variable: int) -> int:
    """The values of a variable with which one of the products can be met."""
    diagram = shaping.crossing.diagram
    found = 0
    for cube, free in cubes:
        mask = cube.get(variable, diagram.domains[variable])
        if free:
            found |= mask
            continue
        for place in range(mask.bit_length()):
            one = 1 << place
            if mask & one & ~found and shaping.possible(shaping.node([{**cube, variable: one}])):
                found |= one
    return found


def _product(cube: Cube) -> Tree:
    return every(Literal(*one) for one in sorted(cube.items())) if cube else Every(())


def _fits(writing: Writing, condition: Condition) -> bool:
    return len(writing.short(condition)) <= LONGEST
