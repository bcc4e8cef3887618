"""Joined rows that no case of a condition tells apart become one row: what two mappings join alike is said once.

Two mappings look up the same card, one for purchases at home, one for those abroad. That is two joined rows to the
diagram. A purchase arrives if a card is found for the one *or* for the other; it might as well be the same card, so
``c.NO = NO`` can be taken out of both cases:

    exists c (c.NO = NO AND c.COUNTRY = HERE) or exists d (d.NO = NO AND d.COUNTRY != HERE)
    exists c (c.NO = NO AND (c.COUNTRY = HERE OR c.COUNTRY != HERE))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mdw.conditions.atoms import EQUAL, LESS, MORE, UNKNOWN, YES, Atom
from mdw.conditions.tree import Cube
from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Joined, JoinedRow, Partner
from mdw.model.expressions import Compare, Const, Expression, Variable
from mdw.model.name import row_of
from mdw.model.walks import Leaf, with_leaves

Taken = Mapping[str, str]
"""The mapping whose joined rows those of a mapping are taken for."""


def united(crossing: Variables, cubes: Sequence[Cube]) -> list[Cube]:
    """The products, rows that several mappings join taken for rows of one of them where they never meet."""
    loose = _parted(crossing, cubes)
    taken = _taken(frozenset().union(*(crossing.joined_rows(v) for v in cube)) for cube in loose)
    return [dict(_renamed(crossing, taken, *part) for part in cube.items()) for cube in loose]


def _parted(crossing: Variables, cubes: Sequence[Cube]) -> list[Cube]:
    """The products, each join by a constant told as a value of the row that it finds.

    ``J.ID = ID AND J.REGION = "EU"`` and the same with "US" are two joins; apart from the constants they are one. Where
    it counts that a join finds nothing, all of its keys count.
    """
    missing = {v for cube in cubes for v, mask in cube.items() if mask == UNKNOWN}
    found: list[Cube] = []
    for cube in cubes:
        parted = dict(cube)
        for variable, mask in cube.items():
            label = crossing.label(variable)
            if not isinstance(label, Joined) or mask != YES or variable in missing:
                continue
            keys = [pair for pair in label.pairs if not isinstance(pair[0], Const)]
            constants = [(name, value) for value, name in label.pairs if isinstance(value, Const)]
            known = [(crossing.partner(label.mapping, name).number, value) for name, value in constants]
            # A join by constants alone stays what it is: without it nothing would say that there is a row.
            if not keys or not all(_is_point(crossing, one, value) for one, value in known):
                continue
            del parted[variable]
            for row in dict.fromkeys(row_of(name) for _, name in keys):
                own = [(value, name) for value, name in keys if row_of(name) == row]
                parted[crossing.finding(label.mapping, row, own)] = YES
            for one, value in known:
                domain = crossing.diagram.domains[one]
                parted[one] = parted.get(one, domain) & crossing.regions(one).bit(value)
        # A row found by "EU" is not one of "US": no row meets such a product.
        if all(parted.values()):
            found.append(parted)
    return found


def _is_point(crossing: Variables, variable: int, value: Const) -> bool:
    regions = crossing.regions(variable)
    return regions.knows(value) and not regions.open


def _taken(products: Iterable[frozenset[JoinedRow]]) -> Taken:
    """For each mapping the first of those that never join a row of one entity in one product.

    In one product two rows of an entity are two: to take them for one would ask that both joins find the same row.
    """
    joins: dict[str, set[str]] = {}
    meets: dict[str, set[str]] = {}
    for rows in products:
        for mapping, entity in rows:
            joins.setdefault(mapping, set()).add(entity)
            others = {other for other, of in rows if of == entity and other != mapping}
            meets.setdefault(mapping, set()).update(others)
    alike: list[list[str]] = []
    for mapping in sorted(joins):
        fitting = (one for one in alike if not meets[mapping].intersection(one) and joins[mapping] & joins[one[0]])
        some = next(fitting, None)
        if some is None:
            alike.append([mapping])
        else:
            some.append(mapping)
    return {mapping: some[0] for some in alike for mapping in some}


def _renamed(crossing: Variables, taken: Taken, variable: int, mask: int) -> tuple[int, int]:
    """A variable with the mappings that its rows are taken for, and the value set as that has it."""
    if not crossing.joined_rows(variable):
        return variable, mask
    label = crossing.label(variable)
    if isinstance(label, Partner):
        return crossing.partner(taken[label.mapping], label.attribute).number, mask
    leaf = _leaf(crossing, taken)
    if isinstance(label, Joined):
        pairs = [(with_leaves(value, leaf), attribute) for value, attribute in label.pairs]
        return crossing.finding(taken[label.mapping], label.row, sorted(pairs, key=repr)), mask
    assert isinstance(label, Atom)
    condition = with_leaves(label.condition, leaf)
    # Sides stand in one order: with new names `A < B` may have to be told as `B > A`, or it would be another atom.
    if isinstance(condition, Compare) and repr(condition.right) < repr(condition.left):
        condition = Compare(condition.op, condition.right, condition.left)
        mask = mask & (UNKNOWN | EQUAL) | (MORE if mask & LESS else 0) | (LESS if mask & MORE else 0)
    return crossing.diagram.variable(Atom(condition), crossing.diagram.domains[variable]), mask


def _leaf(crossing: Variables, taken: Taken) -> Leaf:
    def other(leaf: Expression) -> Expression:
        if not isinstance(leaf, Variable):
            return leaf
        return crossing.variable(_renamed(crossing, taken, leaf.number, 0)[0])

    return other
