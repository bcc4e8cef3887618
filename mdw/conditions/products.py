"""The values that a condition of a diagram lets through: as disjoint products of value sets, and variable by variable.

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> met = diagram.both(diagram.allow(region, 0b001), diagram.allow(kind, 0b10))
>>> list(boxes(diagram, met)), values_in(diagram, met, kind), hull(diagram, met)
([{0: 1, 1: 2}], 2, {0: 1, 1: 2})
"""

from __future__ import annotations

from collections.abc import Iterator

from mdw.conditions.diagram import FALSE, TRUE, Diagram


def boxes(diagram: Diagram, a: int) -> Iterator[dict[int, int]]:
    """The condition as disjoint products of value sets, one per way through the diagram: they may be very many."""
    way: list[tuple[int, int]] = []
    pending = [(a, 0, (0, 0))]
    while pending:
        node, depth, step = pending.pop()
        if depth:
            way[depth - 1 :] = [step]
        if node == TRUE:
            yield dict(way[:depth])
        elif node != FALSE:
            variable, edges = diagram.edges(node)
            pending += [(child, depth + 1, (variable, mask)) for child, mask in reversed(edges)]


def values_in(diagram: Diagram, a: int, variable: int) -> int:
    """The values of a variable with which the condition can hold.

    Of ``REGION = "EU" OR TYPE = 1`` all of REGION; of the AND of the two "EU".
    """
    if a == FALSE:
        return 0
    domain = diagram.domains[variable]
    found, pending, seen = 0, [a], {a}
    while pending and found != domain:
        tested, edges = diagram.edges(pending.pop())
        if tested > variable:
            # Every node but FALSE holds for some row, and nothing from here on tests the variable.
            return domain
        if tested == variable:
            found |= sum(mask for _, mask in edges)
        else:
            fresh = [child for child, _ in edges if child not in seen]
            seen.update(fresh)
            pending += fresh
    return found


def hull(diagram: Diagram, a: int) -> dict[int, int]:
    """For each variable the values that can occur at all; unrestricted variables are left out."""
    masks = {variable: values_in(diagram, a, variable) for variable in sorted(diagram.support(a))}
    return {variable: mask for variable, mask in masks.items() if mask != diagram.domains[variable]}
