"""Conditions on their way from a diagram to people: trees of AND and OR over literals.

A literal says that a variable lies in a value set. The same condition has many trees; this one is not the shortest:

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> eu, us, one = Literal(region, 0b001), Literal(region, 0b010), Literal(kind, 0b01)
>>> long = some([every([eu, one]), every([us, one])])
>>> node_of(diagram, long) == node_of(diagram, every([Literal(region, 0b011), one]))
True
>>> factored([{region: 0b001, kind: 0b01}, {region: 0b010, kind: 0b01}])
Every(parts=(Literal(variable=1, mask=1), Literal(variable=0, mask=3)))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE, TRUE, Diagram

Cube = Mapping[int, int]
"""A product of value sets, by variable."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The variable's value lies in the set."""

    variable: int
    mask: int


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold; without parts it is TRUE."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One part holds; without parts it is FALSE."""

    parts: tuple[Tree, ...]


Tree = Literal | Every | Some
ALWAYS = Every(())
NEVER = Some(())


def every(parts: Iterable[Tree]) -> Tree:
    """AND, flat; literals on one variable become one."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Every) else (part,))]
    merged = _merged(flat, lambda a, b: a & b)
    if NEVER in merged:
        return NEVER
    return merged[0] if len(merged) == 1 else Every(tuple(merged))


def some(parts: Iterable[Tree]) -> Tree:
    """OR, flat; literals on one variable become one."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Some) else (part,))]
    merged = _merged(flat, lambda a, b: a | b)
    if ALWAYS in merged:
        return ALWAYS
    return merged[0] if len(merged) == 1 else Some(tuple(merged))


def literals(tree: Tree) -> Iterator[Literal]:
    """The literals of a tree, from left to right."""
    if isinstance(tree, Literal):
        yield tree
    else:
        for part in tree.parts:
            yield from literals(part)


def node_of(diagram: Diagram, tree: Tree) -> int:
    """The tree as a condition of the diagram."""
    if isinstance(tree, Literal):
        return diagram.allow(tree.variable, tree.mask)
    found = TRUE if isinstance(tree, Every) else FALSE
    for part in tree.parts:
        inner = node_of(diagram, part)
        found = diagram.both(found, inner) if isinstance(tree, Every) else diagram.either(found, inner)
    return found


def factored(cubes: Sequence[Cube], first: frozenset[int] = frozenset()) -> Tree:
    """The OR of products, what several of them share written once; literals on the variables ``first`` soonest."""
    cubes = _united(cubes)
    if any(not cube for cube in cubes):
        return ALWAYS
    if len(cubes) < 2:
        return some(every(Literal(*literal) for literal in cube.items()) for cube in cubes)
    counts = Counter(literal for cube in cubes for literal in cube.items())
    # The literal that most products share; of several the first by number, so that the text is always the same.
    shared = max(counts, key=lambda one: (counts[one] > 1, one[0] in first, counts[one], -one[0], -one[1]))
    if counts[shared] < 2:
        return some(every(Literal(*literal) for literal in cube.items()) for cube in cubes)
    variable, mask = shared
    having = [{v: m for v, m in cube.items() if v != variable} for cube in cubes if cube.get(variable) == mask]
    rest = [cube for cube in cubes if cube.get(variable) != mask]
    with_it = every([Literal(variable, mask), factored(having, first)])
    return some([with_it, factored(rest, first)]) if rest else with_it


def _united(cubes: Sequence[Cube]) -> list[Cube]:
    """Products that differ in one variable's set only become one: A = 1 AND X, or A = 2 AND X."""
    found = list(cubes)
    for variable in sorted({variable for cube in found for variable in cube}):
        groups: dict[frozenset[tuple[int, int]], int] = {}
        plain = []
        for cube in found:
            if variable in cube:
                rest = frozenset((v, m) for v, m in cube.items() if v != variable)
                groups[rest] = groups.get(rest, 0) | cube[variable]
            else:
                plain.append(cube)
        found = plain + [{variable: mask, **dict(sorted(rest))} for rest, mask in groups.items()]
    return found


def _merged(flat: Sequence[Tree], merge: Callable[[int, int], int]) -> list[Tree]:
    masks: dict[int, int] = {}
    for part in flat:
        if isinstance(part, Literal):
            known = masks.get(part.variable)
            masks[part.variable] = part.mask if known is None else merge(known, part.mask)
    found: dict[Tree, None] = {}
    for part in flat:
        found[Literal(part.variable, masks[part.variable]) if isinstance(part, Literal) else part] = None
    return list(found)
