"""Joined rows that no case of a condition tells apart become one row: what two mappings join alike is said once.

Two mappings look up the same card, one for purchases at home, one for those abroad. That is two joined rows to the
diagram. A purchase arrives if a card is found for the one *or* for the other; it might as well be the same card, so
``CARD.NO = CARD_NO`` can be taken out of both cases:

    exists c (c.NO = NO AND c.COUNTRY = HERE) or exists d (d.NO = NO AND d.COUNTRY != HERE)
    exists c (c.NO = NO AND (c.COUNTRY = HERE OR c.COUNTRY != HERE))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mdw.conditions.atoms import EQUAL, LESS, MORE, UNKNOWN, Atom
from mdw.conditions.tree import Cube
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Joined, JoinedRow, Partner
from mdw.lineage.steps.belonging import row_of
from mdw.model.expressions import Compare, Expression, Leaf, Variable, with_leaves

Taken = Mapping[JoinedRow, JoinedRow]
"""The row that a joined row is taken for."""


def united(crossing: Crossing, cubes: Sequence[Cube]) -> list[Cube]:
    """The products, joined rows of one entity that never meet in one of them taken for one row."""
    taken = _taken(frozenset().union(*(crossing.joined_rows(v) for v in cube)) for cube in cubes)
    return [dict(_renamed(crossing, taken, *part) for part in cube.items()) for cube in cubes] if taken else [*cubes]


def _taken(products: Iterable[frozenset[JoinedRow]]) -> Taken:
    """For each row that is taken with others for one the first of them; rows that meet in a product stay apart."""
    meets: dict[JoinedRow, set[JoinedRow]] = {}
    for rows in products:
        for row in rows:
            meets.setdefault(row, set()).update(rows)
    shared: dict[str, list[list[JoinedRow]]] = {}
    for row in sorted(meets):
        some = shared.setdefault(row[1], [])
        fitting = next((one for one in some if not meets[row].intersection(one)), None)
        if fitting is None:
            some.append([row])
        else:
            fitting.append(row)
    return {row: one[0] for some in shared.values() for one in some if len(one) > 1 for row in one}


def _renamed(crossing: Crossing, taken: Taken, variable: int, mask: int) -> tuple[int, int]:
    label, diagram = crossing.label(variable), crossing.diagram
    if not crossing.joined_rows(variable) & taken.keys():
        return variable, mask
    domain = diagram.domains[variable]
    if isinstance(label, Partner):
        return crossing.partner(_mapping(taken, label.mapping, label.attribute), label.attribute).number, mask
    leaf = _leaf(crossing, taken)
    if isinstance(label, Joined):
        pairs = sorted(((with_leaves(value, leaf), attribute) for value, attribute in label.pairs), key=repr)
        # All rows a join finds are of one entity, so one of its keys says which mapping is meant.
        mapping = _mapping(taken, label.mapping, pairs[0][1])
        return diagram.variable(Joined(mapping, label.entity, tuple(pairs)), domain), mask
    assert isinstance(label, Atom)
    condition = with_leaves(label.condition, leaf)
    if isinstance(condition, Compare) and repr(condition.right) < repr(condition.left):
        condition = Compare(condition.op, condition.right, condition.left)
        mask = mask & (UNKNOWN | EQUAL) | (MORE if mask & LESS else 0) | (LESS if mask & MORE else 0)
    return diagram.variable(Atom(condition), domain), mask


def _leaf(crossing: Crossing, taken: Taken) -> Leaf:
    def other(leaf: Expression) -> Expression:
        if not isinstance(leaf, Variable):
            return leaf
        return crossing.variable(_renamed(crossing, taken, leaf.number, 0)[0])

    return other


def _mapping(taken: Taken, mapping: str, attribute: str) -> str:
    return taken.get((mapping, row_of(attribute)), (mapping, ""))[0]
