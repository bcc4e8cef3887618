"""Conditions on their way from a diagram to people: trees of AND and OR over literals.

A literal says that a variable lies in a value set. The same condition has many trees; this one is not the shortest:

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> eu, us, one = Literal(region, 0b001), Literal(region, 0b010), Literal(kind, 0b01)
>>> long = some([every([eu, one]), every([us, one])])
>>> node_of(diagram, long) == node_of(diagram, every([Literal(region, 0b011), one]))
True
>>> factored([{region: 0b001, kind: 0b01}, {region: 0b010, kind: 0b01}])
Every(parts=(Literal(variable=0, mask=3), Literal(variable=1, mask=1)))
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
Weigh = Callable[[Literal], int]
"""How long the text of a literal is."""
ALWAYS = Every(())
NEVER = Some(())


def every(parts: Iterable[Tree]) -> Tree:
    """AND, flat; literals on one variable become one."""
    flat = [inner for part in parts for inner in (part.parts if isinstance(part, Every) else (part,))]
    merged = _merged(flat, lambda a, b: a & b)
    if NEVER in merged or any(isinstance(part, Literal) and not part.mask for part in merged):
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


def factored(cubes: Sequence[Cube], weigh: Weigh = lambda _: 1, first: frozenset[int] = frozenset()) -> Tree:
    """The OR of products, what several of them share written once.

    What saves most goes first; ``weigh`` says how long a literal is. Literals on the variables ``first`` come before
    others, after those that all share.
    """
    return _gathered([frozenset(Literal(*one) for one in cube.items()) for cube in _united(cubes)], weigh, first)


def _gathered(products: Sequence[frozenset[Tree]], weigh: Weigh, first: frozenset[int]) -> Tree:
    """The OR of products of any trees."""
    if frozenset() in products:
        return ALWAYS
    counts = Counter(part for product in products for part in product)
    repeated = [part for part, count in counts.items() if count > 1]
    if not repeated:
        return some(every(sorted(product, key=_place)) for product in products)

    def saved(part: Tree) -> tuple[bool, bool, int]:
        length = sum(weigh(literal) for literal in literals(part))
        common = counts[part] == len(products)
        return common, isinstance(part, Literal) and part.variable in first, (counts[part] - 1) * length

    # Of several that save the same the first by place, so that the text is always the same.
    shared = max(sorted(repeated, key=_place), key=saved)
    having = _gathered([product - {shared} for product in products if shared in product], weigh, first)
    rest = [product for product in products if shared not in product]
    found = every([shared, having])
    if not rest:
        return found
    # Trees may be shared too: `A AND (X OR Y)` and `B AND (X OR Y)` say X OR Y once. Each round writes less often what
    # several say, so this ends.
    other = _gathered(rest, weigh, first)
    parts = [_parts(part) for part in (found, *(other.parts if isinstance(other, Some) else (other,)))]
    if not any(parts[0] & part for part in parts[1:]):
        return some([found, other])
    return _gathered(parts, weigh, first)


def _parts(tree: Tree) -> frozenset[Tree]:
    return frozenset(tree.parts if isinstance(tree, Every) else (tree,))


def _place(tree: Tree) -> list[tuple[int, int]]:
    return [(literal.variable, literal.mask) for literal in literals(tree)]


def _united(cubes: Sequence[Cube]) -> list[Cube]:
    """Products that differ in one variable's set only become one: A = 1 AND X, or A = 2 AND X."""
    found = list(cubes)
    for variable in sorted({variable for cube in found for variable in cube}) if len(found) > 1 else ():
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
