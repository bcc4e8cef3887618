"""Which joined rows the literals of a condition speak of, and what is certain of such rows whatever the rules.

The diagram knows a joined row by variables that it takes for independent: whether a join has found it (`Joined`), and
what its attributes hold (`Partner`). They are not: of a row that was not found no attribute says anything. What people
are shown is written with that in mind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mdw.conditions.atoms import NO, UNKNOWN, YES, Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.regions import NULL
from mdw.conditions.tree import Cube, Literal, Tree, literals
from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Joined, JoinedRow
from mdw.model.errors import TooLargeError
from mdw.model.expressions import Call, Condition, Const, Expression, IsNull, Variable
from mdw.model.name import entity_of_row, local_of, row_of
from mdw.model.walks import parts, variables_of

MOST = 5_000
"""Products looked at to say of every row spoken of whether it is there."""


def needs(crossing: Variables, literal: Literal) -> frozenset[JoinedRow]:
    """The joined rows a literal cannot do without; that there is none speaks of those it is looked for by."""
    label = crossing.label(literal.variable)
    if isinstance(label, Joined) and literal.mask == UNKNOWN:
        return crossing.joined_rows(literal.variable) - label.rows
    return crossing.joined_rows(literal.variable)


def mentioned(crossing: Variables, tree: Tree) -> frozenset[JoinedRow]:
    """The joined rows that a tree speaks of."""
    return frozenset().union(*(needs(crossing, literal) for literal in literals(tree)))


def completed(crossing: Variables, node: int, cubes: Iterable[Cube]) -> list[Cube]:
    """The products, each of which says of the joined rows it speaks of that there are such.

    ``J.R = "x" AND A = 1`` without a word of whether J has a row is two things: A = 1 where it has none, and where it
    has one, both. A row may be looked for by several keys, ``J.R = "EU"`` or ``J.R = "US"``: one that finds it will do.
    """
    joins = [v for v in sorted(crossing.diagram.support(node)) if isinstance(crossing.label(v), Joined)]
    alike: dict[frozenset[JoinedRow], list[int]] = {}
    for one in joins:
        if not found_by(crossing, one) & crossing.unsought:
            alike.setdefault(found_by(crossing, one), []).append(one)

    def unsaid(cube: Cube, some: list[int]) -> bool:
        """Whether the product speaks of a row without a word of whether it is there."""
        said = [cube[one] for one in some if one in cube]
        return YES not in said and len(said) < len(some) and bool(about(crossing, cube, some[0]))

    pending = [dict(cube) for cube in cubes][::-1]
    found: list[Cube] = []
    # Each row that is unsaid doubles the products; what takes too many is too large to be shown.
    steps = 0
    while pending:
        steps += 1
        if steps > MOST:
            raise TooLargeError("a condition speaks of more rows than can be told apart")
        cube = pending.pop()
        open_ = next((some for some in alike.values() if unsaid(cube, some)), None)
        if open_ is None:
            found.append(cube)
            continue
        # The product becomes one for each join that may find the row, and one in which none does.
        ways = [one for one in open_ if one not in cube]
        gone = about(crossing, cube, ways[0])
        # From a row that is not there no other is found.
        if all(cube[v] != YES for v in gone if sought(crossing, v)):
            pending.append({v: mask for v, mask in cube.items() if v not in gone} | dict.fromkeys(ways, UNKNOWN))
        pending += [cube | {one: YES} for one in reversed(ways)]
    return found


def sought_for(crossing: Variables, label: Joined) -> int:
    """What a join can be looking for where it finds a row: keys that such rows can have (rule Q10)."""
    found = TRUE
    for row in sorted(row for _, row in label.rows):
        keys = {local_of(name): value for value, name in label.pairs if row_of(name) == row}
        plain = {local: value for local, value in keys.items() if isinstance(value, (Const, Variable))}
        found = crossing.diagram.both(found, crossing.exists(entity_of_row(row), plain.get))
    return found


def found_by(crossing: Variables, join: int) -> frozenset[JoinedRow]:
    """The rows that a join finds."""
    label = crossing.label(join)
    assert isinstance(label, Joined)
    return label.rows


def certain(crossing: Variables, node: int) -> int:
    """What holds of every row, whatever the rules: who joins has a key, and what is compared is known.

    A row that is looked for by the values of another is found only where that one is. The diagram takes its variables
    for independent; these are not.
    """
    diagram = crossing.diagram
    found = TRUE
    variables = sorted(diagram.support(node))
    # Looked for once: of thousands of comparisons each would look through all the others.
    joins = [one for one in variables if isinstance(crossing.label(one), Joined)]
    for variable in reversed(variables):
        label = crossing.label(variable)
        gone = FALSE
        if isinstance(label, Joined):
            keys = [value for value, _ in label.pairs if isinstance(value, Variable)]
            known = diagram.allow(variable, UNKNOWN)
        elif isinstance(label, Atom):
            keys = list(_needed(label.condition))
            # Only what is not NULL is made of known values; whether something is NULL is never unknown itself.
            nothing = isinstance(label.condition, IsNull)
            known = diagram.allow(variable, YES if nothing else UNKNOWN)
            if nothing:
                found = diagram.both(found, diagram.allow(variable, YES | NO))
            gone = _gone(crossing, joins, variable)
        else:
            continue
        # Either some row it speaks of is not there, or it is unknown, or all that it is made of is known.
        sides = 1
        for key in keys:
            sides = diagram.both(sides, diagram.allow(key.number, ~NULL))
        if isinstance(label, Joined):
            sides = diagram.both(sides, _led_to(crossing, joins, variable))
            sides = diagram.both(sides, sought_for(crossing, label))
        found = diagram.both(found, diagram.either(gone, diagram.either(known, sides)))
    return found


def _needed(condition: Condition) -> Iterator[Variable]:
    """The variables of which none may be NULL where a comparison is known: COALESCE(K, 0) is known without K."""
    pending: list[Expression | Condition] = [condition]
    while pending:
        one = pending.pop()
        if isinstance(one, Variable):
            yield one
        elif not isinstance(one, Call) or one.function != "COALESCE":
            pending += parts(one)


def _led_to(crossing: Variables, joins: Sequence[int], join: int) -> int:
    """That the rows are there by whose values one of the joins looks for its own."""
    diagram = crossing.diagram
    found = TRUE
    for row in sorted(crossing.joined_rows(join) - found_by(crossing, join) - crossing.unsought):
        leading = [one for one in joins if row in found_by(crossing, one)]
        there = FALSE if leading else TRUE
        for one in leading:
            there = diagram.either(there, diagram.allow(one, YES))
        found = diagram.both(found, there)
    return found


def _gone(crossing: Variables, joins: Sequence[int], variable: int) -> int:
    """That some row a variable speaks of is found by none of the joins: then it says nothing, whatever its value."""
    diagram = crossing.diagram
    found = FALSE
    for row in sorted(crossing.joined_rows(variable)):
        missing = TRUE
        finding = [join for join in joins if row in found_by(crossing, join)]
        for join in finding:
            missing = diagram.both(missing, diagram.allow(join, UNKNOWN))
        if finding:
            found = diagram.either(found, missing)
    return found


def keys(crossing: Variables, cube: Cube) -> dict[int, int]:
    """The keys by which a product joins rows, which are known whatever else it says of them."""
    labels = [label for v, mask in cube.items() if isinstance(label := crossing.label(v), Joined) and mask == YES]
    keys = [one.number for label in labels for value, _ in label.pairs for one in variables_of(value)]
    return {key: crossing.diagram.domains[key] & ~NULL for key in keys}


def about(crossing: Variables, variables: Iterable[int], join: int) -> set[int]:
    """Those of the variables that speak of the row a join finds: of its values, or of a row looked for by them."""
    found = found_by(crossing, join)
    return {v for v in variables if (crossing.joined_rows(v) - sought(crossing, v)) & found}


def sought(crossing: Variables, variable: int) -> frozenset[JoinedRow]:
    """The rows that a variable says are there or not; none unless it stands for a join."""
    label = crossing.label(variable)
    return label.rows if isinstance(label, Joined) else frozenset()
