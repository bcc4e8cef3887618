"""A tree of a condition made minimal: no literal can go, and no value of one, without changing which rows pass.

Where a literal stands, it matters only to some rows: within AND to those that pass the other parts, within OR to those
that pass none of them. Of the values its variable has in these rows it must keep what it says; any other value it may
take in or leave out, whatever makes it shorter. Here TYPE matters only where REGION is not 1, so that the second
REGION is said already:

>>> diagram = Diagram(limit=100)
>>> region, kind = diagram.variable("REGION", 0b111), diagram.variable("TYPE", 0b11)
>>> tree = some([Literal(region, 0b001), every([Literal(region, 0b110), Literal(kind, 0b01)])])
>>> Minimal(diagram, weigh=lambda literal: literal.mask.bit_count()).minimise(tree)
Some(parts=(Literal(variable=0, mask=1), Literal(variable=1, mask=1)))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE, Diagram
from mdw.conditions.masks import mask_of, places_of
from mdw.conditions.products import values_in
from mdw.conditions.tree import ALWAYS, NEVER, Every, Literal, Some, Tree, every, literals, node_of, some
from mdw.model.errors import TooLargeError

ROUNDS = 4
"""Times a tree is gone through; mostly the second finds nothing more."""
VISITS = 4_000
"""Literals looked at for one tree; one that needs more is shown less minimal."""
WIDE = 200
"""Variables from which on a tree is left as it is: each is looked at beside all others, and nobody reads so many."""
FREE = 8
"""Values that may be in a set or not for which every way is tried to make it shorter."""
NODES = 250_000
"""Nodes of the diagram for one tree."""


class Minimal:
    """Makes trees minimal among the rows that can be.

    ``weigh`` says how long a literal's text is, ``kept`` whether a literal must stay beside the other parts of its AND
    whatever it says; ``possible`` may know that atoms cannot hold together, which the diagram does not see, until it is
    ``tired``: from then on it takes everything for possible.
    """

    def __init__(
        self,
        diagram: Diagram,
        weigh: Callable[[Literal], int],
        kept: Callable[[Literal, Sequence[Tree]], bool] = lambda _, __: False,
        possible: Callable[[int], bool] = lambda _: True,
        tired: Callable[[], bool] = lambda: False,
    ) -> None:
        self._diagram = diagram
        self._weigh = weigh
        self._kept = kept
        self._possible = possible
        self._tired = tired
        self._visits = 0

    def minimise(self, tree: Tree, care: int = TRUE) -> Tree:
        """The shortest tree found that is the same for all rows of ``care``; within a budget, else it is less short."""
        diagram = self._diagram
        if len({literal.variable for literal in literals(tree)}) > WIDE:
            return tree
        self._visits = VISITS
        with diagram.within(NODES):
            for _ in range(ROUNDS):
                before, tree = tree, self._within(tree, care)
                if tree == before or self._visits <= 0:
                    break
        return tree

    def _within(self, tree: Tree, care: int, inside: type = Every, beside: Sequence[Tree] = ()) -> Tree:
        """The tree where only rows of ``care`` matter; ``inside`` is its kind of parent; ``beside`` what holds too."""
        if care == FALSE:
            # No row passes the other parts of the AND (fails those of the OR), so this one may as well decide: with it
            # the whole AND or OR goes.
            return NEVER if inside is Every else ALWAYS
        if isinstance(tree, Literal):
            return self._literal(tree, care, beside)
        found: list[Tree] = []
        try:
            for part, others in self._beside(tree, found):
                mattering = others if isinstance(tree, Every) else self._diagram.negate(others)
                left = tree.parts[len(found) + 1 :] if isinstance(tree, Every) else ()
                inner = [*beside, *found, *left] if isinstance(tree, Every) else beside
                found.append(self._within(part, self._diagram.both(care, mattering), type(tree), inner))
        except TooLargeError:
            # Each part found says the same beside those not looked at yet.
            found += tree.parts[len(found) :]
        return every(found) if isinstance(tree, Every) else some(found)

    def _beside(self, tree: Every | Some, found: Sequence[Tree]) -> Iterator[tuple[Tree, int]]:
        """Each part, and what the others say: those before it as they were ``found``, those after it as they are."""
        diagram = self._diagram
        nothing, join = (TRUE, diagram.both) if isinstance(tree, Every) else (FALSE, diagram.either)
        after, before = [nothing], nothing
        for part in tree.parts[:0:-1]:
            after.append(join(after[-1], node_of(diagram, part)))
        for part in tree.parts:
            yield part, join(before, after.pop())
            before = join(before, node_of(diagram, found[-1]))

    def _literal(self, literal: Literal, care: int, beside: Sequence[Tree]) -> Tree:
        self._visits -= 1
        if self._visits <= 0:
            return literal
        domain = self._diagram.domains[literal.variable]
        needed = self._values(literal.variable, care)
        # With EU, US and UK where only EU and US occur, "EU" may be said as EU or as EU, UK: not US.
        least, most = literal.mask & needed, literal.mask | domain & ~needed
        if not least:
            return NEVER
        if self._kept(literal, beside):
            return literal
        return ALWAYS if most == domain else self._shortest(literal, least, most)

    def _values(self, variable: int, care: int) -> int:
        """The values of the variable in the rows that matter."""
        diagram = self._diagram
        values = values_in(diagram, care, variable)
        if self._tired() or not any(
            isinstance(diagram.labels[one], Atom) for one in diagram.support(care) | {variable}
        ):
            return values
        found = (place for place in places_of(values) if self._meets(care, variable, 1 << place))
        return mask_of(found)

    def _meets(self, care: int, variable: int, mask: int) -> bool:
        return self._possible(self._diagram.both(care, self._diagram.allow(variable, mask)))

    def _shortest(self, literal: Literal, least: int, most: int) -> Literal:
        """The literal with the shortest text that says at least ``least`` and at most ``most``."""
        variable = literal.variable
        best = min((literal.mask, least, most), key=lambda mask: self._weight(variable, mask))
        free = most & ~least
        places = places_of(free)
        if len(places) > FREE:
            return Literal(variable, best)
        # Neighbours together too: a range of values goes as a whole.
        spans = [
            sum(1 << one for one in places[a:b]) for a in range(len(places)) for b in range(a + 1, len(places) + 1)
        ]
        changed = True
        while changed:
            options = [best ^ span for span in spans] + [best & ~span for span in spans]
            found = min(options, key=lambda mask: self._weight(variable, mask), default=best)
            changed = self._weight(variable, found)[0] < self._weight(variable, best)[0]
            best = found if changed else best
        return Literal(variable, best)

    def _weight(self, variable: int, mask: int) -> tuple[int, int]:
        return self._weigh(Literal(variable, mask)), mask
