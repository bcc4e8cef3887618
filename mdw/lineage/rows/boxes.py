"""Boxes carried across mappings, for the bounds: what a box on target rows asks of source rows, and the other way."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.linear import line_of
from mdw.conditions.products import boxes, hull
from mdw.conditions.values import Value
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.layout import Layout
from mdw.lineage.rows.others import other_of
from mdw.lineage.rows.view import Free, Joined, Own, Partner, RowView
from mdw.lineage.steps.graph import Edge
from mdw.model.expressions import Compute, Const, Variable
from mdw.model.rules import Population

ARMS = 64
"""Alternatives of one crossing kept apart; beyond, they are replaced by the box around them."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative of a rule: the box it asks for; ``exact`` unless something a box cannot say was left out."""

    box: int
    exact: bool


@dataclass(slots=True)
class Passage:
    """What a view does to boxes: guards by clause, and which fields it copies unchanged."""

    guards: dict[Hashable, list[Alternative]] = field(default_factory=dict)
    known: int = 0
    same: int = 0
    copied: int = 0
    written: list[int] = field(default_factory=list)
    width: int = -1


class Boxes:
    """Carries boxes across mappings, backwards and forwards."""

    def __init__(self, crossing: Crossing) -> None:
        self.crossing = crossing
        self.layout = Layout(crossing.diagram)
        self._passages: dict[Hashable, Passage] = {}
        self._arms: dict[int, list[Alternative]] = {}

    def arms(self, node: int) -> list[Alternative]:
        """A condition as boxes; atoms are left out and make the box inexact, join partners are taken to exist."""
        found = self._arms.get(node)
        if found is None:
            found = []
            for cube in boxes(self.crossing.diagram, node):
                found.append(self._arm(cube))
                # Too many alternatives to carry each: one box around them lets more through, and is not exact.
                if len(found) > ARMS:
                    found = [Alternative(self._arm(hull(self.crossing.diagram, node)).box, False)]
                    break
            self._arms[node] = found
        return found

    def _arm(self, cube: dict[int, int]) -> Alternative:
        box, exact = 0, True
        for variable, mask in cube.items():
            label = self.crossing.diagram.labels[variable]
            # To leave a part of a product out lets more through: right for what comes from above, no witness.
            if isinstance(label, Atom):
                exact = False
            # What is free can be chosen, and no rule denies a partner: left out, these make nothing inexact.
            elif not isinstance(label, (Free, Joined)):
                box |= self.layout.allow(variable, mask)
        return Alternative(box, exact)

    def back(self, boxes: Iterable[int], edge: Edge) -> list[Alternative]:
        """What the boxes on target rows ask of rows of the step's source: every non-empty alternative."""
        head = self.crossing.graph.heads[edge.population.mapping]
        every = list(boxes)
        found: list[Alternative] = []
        for view in self._views(edge, every):
            passage = self._passage(view)
            guards = self._guards(view, passage, edge.population, edge.clause)
            if not guards:
                continue
            for box in every:
                inner = self._replace(box, view, passage)
                found += self._meet(inner, guards)
        # Boxes speak of one row. What they say of partners was needed to cross this mapping, and ends with it.
        if head.joins or head.group is not None or edge.keys is not None:
            partners, others = self._partner_fields()
            # What several rules ask of one other row, no box tells: it may not be met by any.
            if any(arm.box & others and arm.exact for arm in found):
                found = [arm for box in every for arm in self.arms(self.crossing.back(self._node(box), edge))]
            found = [Alternative(arm.box & ~partners, arm.exact) for arm in found]
        return found

    def _node(self, box: int) -> int:
        found = TRUE
        for variable, mask in self.layout.restricted(box):
            found = self.crossing.diagram.both(found, self.crossing.diagram.allow(variable, mask))
        return found

    def quick(self, box: int, edge: Edge) -> tuple[int, list[int]] | None:
        """Which fields of the box a step copies, and its guards as boxes; None with joins or guards that are no boxes.

        Such a step is crossed by one OR: the box itself, if it speaks of copied fields only, and a guard.
        """
        head = self.crossing.graph.heads[edge.population.mapping]
        if head.joins or head.group is not None or edge.keys is not None:
            return None
        view = self.crossing.plain_view(edge)
        passage = self._passage(view)
        guards = self._guards(view, passage, edge.population, edge.clause)
        if not all(arm.exact for arm in guards):
            return None
        if box & ~passage.known:
            self._learn(box, view, passage)
        return passage.same, [arm.box for arm in guards]

    def forward(self, box: int, edge: Edge) -> list[Alternative]:
        """What rows of the step's source within the box become as target rows."""
        found: list[Alternative] = []
        for view in self._views(edge, [box], forward=True):
            found += self.image(box, view, self._guards(view, self._passage(view), edge.population, edge.clause))
        return found

    def image(self, box: int, view: RowView, guards: list[Alternative]) -> list[Alternative]:
        """What rows of the source within the box become in one way, which lets those within the guards through."""
        return [made for arm in self._meet([Alternative(box, True)], guards) for made in self._image(arm, view)]

    def _views(self, edge: Edge, boxes: list[int], *, forward: bool = False) -> Iterable[RowView]:
        crossing = self.crossing
        if crossing.alone(edge):
            return (crossing.plain_view(edge),)
        if forward:
            return crossing.every_view(edge)
        names = {label.local for box in boxes for v, _ in self.layout.restricted(box) if (label := self._row(v))}
        return crossing.views_for(names, edge)

    def _row(self, variable: int) -> Own | None:
        label = self.crossing.diagram.labels[variable]
        return label if isinstance(label, Own) else None

    def _passage(self, view: RowView) -> Passage:
        return self._passages.setdefault(view.key, Passage())

    def _guards(self, view: RowView, passage: Passage, population: Population, clause: int) -> list[Alternative]:
        plain = clause == 0 and population.clauses[0].condition is None and view.test is None
        key = None if plain else (population.target, clause)
        found = passage.guards.get(key)
        if found is None:
            guard = self.crossing.diagram.both(
                self.crossing.guard(view, population, clause), self.crossing.beside(view)
            )
            found = passage.guards[key] = self.arms(guard)
        return found

    def _meet(self, left: list[Alternative], right: list[Alternative]) -> list[Alternative]:
        ones, spare = self.layout.ones, self.layout.spare
        found = []
        for a in left:
            for b in right:
                box = a.box | b.box
                if not box + ones & spare:
                    found.append(Alternative(box, a.exact and b.exact))
        return found

    def _replace(self, box: int, view: RowView, passage: Passage) -> list[Alternative]:
        if box & ~passage.known:
            self._learn(box, view, passage)
        rest = box & ~passage.same
        arms = [Alternative(box & passage.same, True)]
        if not rest:
            return arms
        for variable, mask in self.layout.restricted(rest):
            arms = self._meet(arms, self._values(variable, mask, view))
            if len(arms) > ARMS:
                arms = [self._around(arms)]
        return arms

    def _around(self, arms: list[Alternative]) -> Alternative:
        box = arms[0].box
        for arm in arms[1:]:
            box &= arm.box
        return Alternative(box, False)

    def _learn(self, box: int, view: RowView, passage: Passage) -> None:
        """Find out which further fields the view copies unchanged."""
        for variable, bits in self.layout.fields(box & ~passage.known):
            passage.known |= bits
            if self.crossing.copies(variable, view):
                passage.same |= bits

    def _values(self, variable: int, mask: int, view: RowView) -> list[Alternative]:
        """The boxes on source rows that put a target variable into a value set.

        ``N = 1`` over ``N WITH 1 IF T = "a" WITH S.M``: T = "a", or M = 1 with another T.
        """
        label = self._row(variable)
        assert label is not None
        regions = self.crossing.regions(variable)
        found: list[Alternative] = []
        for guard, value in self.crossing.cases(view, f"{view.head.target}.{label.local}"):
            # Of a value that no rule tells (None) any will do; that a function can give what is wanted is not proved.
            wanted = [Alternative(0, True)]
            if isinstance(value, Const):
                wanted = wanted if regions.bit(value) & mask else []
            elif isinstance(value, Variable):
                wanted = [Alternative(self.layout.allow(value.number, mask), True)]
            elif isinstance(value, Compute) and line_of(value):
                wanted = self.arms(self.crossing.terms.lies_in(value, mask, regions))
            elif value is not None:
                wanted = [Alternative(0, False)]
            found += self._meet(wanted, self.arms(guard))
        return found

    def _partner_fields(self) -> tuple[int, int]:
        """The fields of all rows but the source's, and of these those of other rows of its group or partition."""
        partners = others = 0
        for variable in self.layout.variables():
            if self._row(variable) is None:
                partners |= self.layout.field(variable)
                label = self.crossing.label(variable)
                if isinstance(label, Partner) and other_of(label.attribute):
                    others |= self.layout.field(variable)
        return partners, others

    def _image(self, arm: Alternative, view: RowView) -> list[Alternative]:
        """Target rows of source rows: each variable that conditions speak of gets what the mapping puts there."""
        passage = self._passage(view)
        # Variables may have been added since: a comparison met on the way, a partner.
        if passage.width != len(self.crossing.diagram.labels):
            self._prepare(passage, view)
        # Pairs of the target's box so far and the source's box it comes from; each written variable may split them.
        arms: list[tuple[int, Alternative]] = [(arm.box & passage.copied, arm)]
        for variable in passage.written:
            arms = [pair for image, one in arms for pair in self._given(variable, image, one, view)]
            if len(arms) > ARMS:
                arms = [(self._around([Alternative(i, True) for i, _ in arms]).box, Alternative(0, False))]
        return [Alternative(image, one.exact) for image, one in arms]

    def _prepare(self, passage: Passage, view: RowView) -> None:
        """Which variables of the target row are copies, and which the mapping writes anew."""
        passage.width = len(self.crossing.diagram.labels)
        passage.copied, passage.written = 0, []
        for variable in self.crossing.speaking(view.head.target):
            if self.crossing.copies(variable, view):
                passage.copied |= self.layout.field(variable)
            else:
                passage.written.append(variable)

    def _given(self, variable: int, image: int, arm: Alternative, view: RowView) -> Iterator[tuple[int, Alternative]]:
        label = self._row(variable)
        assert label is not None
        for guard, value in self.crossing.cases(view, f"{view.head.target}.{label.local}"):
            if guard == FALSE:
                continue
            for one in self._meet([arm], self.arms(guard)):
                yield image | self._put(variable, value, one.box), Alternative(one.box, one.exact and _plain(value))

    def _put(self, variable: int, value: Value, box: int) -> int:
        if isinstance(value, Const):
            return self.layout.allow(variable, self.crossing.regions(variable).bit(value))
        if isinstance(value, Variable):
            return self.layout.allow(variable, self.layout.mask(box, value.number))
        return 0


def _plain(value: Value) -> bool:
    return value is None or isinstance(value, (Const, Variable))
