"""Products of a condition -> the smallest tree found that says the same.

    A = 1 AND B = 2  or  A = 1 AND B = 3 AND C = 4  or  A = 1 AND B = 3 AND C = 4 AND D = 5

The last product is superfluous, and what is left is ``A = 1 AND (B = 2 OR B = 3 AND C = 4)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mdw.conditions.atoms import YES, Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.minimal import Minimal
from mdw.conditions.solver import Solver
from mdw.conditions.tree import ALWAYS, NEVER, Cube, Literal, Some, Tree, every, factored, literals, some
from mdw.lineage.judge.partners import certain, mentioned
from mdw.lineage.judge.writing import Writing
from mdw.lineage.rows.variables import Variables
from mdw.lineage.rows.view import Joined

CHECKS = 400
"""Questions to Z3 for one tree; beyond, what atoms say of each other is left in."""


class Shaping:
    """Makes conditions of one diagram small."""

    def __init__(self, crossing: Variables, solver: Solver) -> None:
        self.crossing = crossing
        self.solver = solver
        self._checks = 0

    def met(self, cubes: Iterable[Cube]) -> list[Cube]:
        """The products that some row meets: atoms in one may contradict each other."""
        self._checks = CHECKS
        return [cube for cube in cubes if self.possible(self.node([cube]))]

    def node(self, cubes: Iterable[Cube]) -> int:
        """The OR of products as a condition of the diagram."""
        diagram = self.crossing.diagram
        found = FALSE
        for cube in cubes:
            product = TRUE
            # From the last variable up, each step makes one node.
            for variable, mask in sorted(cube.items(), reverse=True):
                product = diagram.both(diagram.allow(variable, mask), product)
            found = diagram.either(found, product)
        return found

    def possible(self, node: int) -> bool:
        """Whether some row may meet the condition, as far as a counted number of questions tells."""
        diagram = self.crossing.diagram
        if node <= TRUE or not any(isinstance(diagram.labels[one], Atom) for one in diagram.support(node)):
            return node != FALSE
        self._checks -= 1
        return self._checks < 0 or not self.solver.refutes(node)

    def _tired(self) -> bool:
        """Whether all these questions have been asked."""
        return self._checks <= 0

    def cases(self, cubes: Sequence[Cube], writing: Writing) -> list[Cube]:
        """The alternatives left when none of them is superfluous, and nothing in one of them."""
        flat = some(every(self._ordered(cube)) for cube in _longest_first(cubes))
        return _cases(self._minimal(flat, cubes, writing))

    def smallest(self, cases: Sequence[Cube], writing: Writing) -> Tree:
        """The tree of alternatives with the shortest text."""
        joins = frozenset(v for cube in cases for v in cube if isinstance(self.crossing.label(v), Joined))
        tree = self._minimal(factored(cases, writing.length, joins), cases, writing)
        flat = some(every(Literal(*one) for one in cube.items()) for cube in cases)
        # Factored by literals, written in words: `K IN (1, 2, 3)` may be shorter than what factoring made of it.
        return min((tree, flat), key=lambda one: len(writing.short(writing.condition(one))))

    def _minimal(self, tree: Tree, cubes: Sequence[Cube], writing: Writing) -> Tree:
        self._checks = CHECKS
        minimal = Minimal(self.crossing.diagram, writing.length, self._kept, self.possible, self._tired)
        return minimal.minimise(tree, certain(self.crossing, self.node(cubes)))

    def _kept(self, literal: Literal, beside: Sequence[Tree]) -> bool:
        """A join says which row is meant wherever that row is spoken of.

        ``J.K = K AND J.R = "EU"``: that R is "EU" takes a row of J, so the diagram could do without the join. Readers
        could not: to them it would be any row of J.
        """
        label = self.crossing.label(literal.variable)
        if not isinstance(label, Joined) or literal.mask != YES:
            return False
        return any(label.rows & mentioned(self.crossing, part) for part in beside)

    def _ordered(self, cube: Cube) -> list[Literal]:
        """The literals of a product, those first that had better go: what joined rows must be, then their joins."""

        def key(literal: Literal) -> tuple[bool, bool, int]:
            join = isinstance(self.crossing.label(literal.variable), Joined)
            return not self.crossing.joined_rows(literal.variable), join, -literal.variable

        return sorted((Literal(*one) for one in cube.items()), key=key)


def _longest_first(cubes: Iterable[Cube]) -> list[Cube]:
    """Products in the order in which they are best looked at: the longest is the likeliest to be superfluous."""
    return sorted(cubes, key=lambda cube: (-len(cube), sorted(cube.items())))


def _cases(tree: Tree) -> list[Cube]:
    """The alternatives of an OR of products."""
    if tree in (ALWAYS, NEVER):
        return [{}] if tree == ALWAYS else []
    every_one = tree.parts if isinstance(tree, Some) else (tree,)
    return [{one.variable: one.mask for one in literals(part)} for part in every_one]
