"""Conditions carried forwards, for impact: what rows of an attribute's entity look like once a value has arrived.

Crossing a mapping forwards is the image of `mdw.lineage.rows.crossing`: the source's condition and the clause's guard,
each target attribute that conditions speak of bound to what the mapping puts there, then the source row forgotten.

    A.K = 1 AND A.T = "x"   over   T FROM A: T.K WITH A.K, T.N WITH 5 IF A.T = "x" WITH 6

bound: A.K = 1, A.T = "x", and the N to come is 5; A.T forgotten: K = 1 AND N = 5 is what rows of T look like.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from mdw.conditions.atoms import Atom
from mdw.conditions.diagram import FALSE, TRUE
from mdw.lineage.judge.exact import ROUNDS, Reach
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.rows.view import Own, RowView
from mdw.lineage.steps.graph import Edge
from mdw.lineage.steps.order import groups
from mdw.model.walks import variables_of


@dataclass(frozen=True, slots=True)
class Next:
    """The variable of the target row, until the source row is forgotten.

    A copied attribute is one variable on both sides, so while both rows are spoken of at once what a mapping writes
    anew needs a second name: with ``T.N WITH S.N + 1`` the new N is not the old one.
    """

    variable: int


class Forward:
    """Images of conditions under mappings; ``lost`` tells that an atom could not be carried on."""

    def __init__(self, crossing: Crossing, possible: Callable[[int], bool]) -> None:
        self.crossing = crossing
        self.possible = possible
        self.lost = False
        self._images: dict[Hashable, int] = {}

    def across(self, condition: int, edge: Edge) -> int:
        """What target rows look like that the step fills from source rows meeting the condition."""
        crossing = self.crossing
        population, target = edge.population, crossing.graph.heads[edge.population.mapping].target
        # Backwards a condition says which attributes matter; forwards it is all that any condition may speak of.
        speaking = {label.local for v in crossing.speaking(target) if (label := self._row(v))}
        found = FALSE
        for view in crossing.views_for(speaking, edge):
            met = crossing.diagram.both(condition, crossing.guard(view, population, edge.clause))
            met = crossing.diagram.both(met, crossing.beside(view))
            found = crossing.diagram.either(found, self._image(met, view))
        return crossing.diagram.both(found, crossing.wanted.get(target, TRUE)) if found else FALSE

    def _image(self, met: int, view: RowView) -> int:
        if met == FALSE:
            return FALSE
        key = (met, view.key)
        found = self._images.get(key)
        if found is None:
            found = self._images[key] = self._work_out(met, view)
        return found

    def _work_out(self, met: int, view: RowView) -> int:
        crossing, diagram = self.crossing, self.crossing.diagram
        kept: set[int] = set()
        for variable in crossing.speaking(view.head.target):
            if crossing.copies(variable, view):
                kept.add(variable)
            else:
                met = diagram.both(met, self._bound(variable, view))
        # Before the source row is forgotten its atoms can still be looked at together.
        if met > TRUE and not self.possible(met):
            return FALSE
        met = diagram.exists(met, lambda v: self._forgotten(v, kept))
        return diagram.replace(met, self._settled)

    def _bound(self, variable: int, view: RowView) -> int:
        """The target variable equals what the mapping puts there, region by region."""
        crossing, diagram = self.crossing, self.crossing.diagram
        label = self._row(variable)
        assert label is not None
        regions = crossing.regions(variable)
        following = diagram.variable(Next(variable), regions.domain)
        found = FALSE
        for guard, value in crossing.cases(view, f"{view.head.target}.{label.local}"):
            if value is None:
                found = diagram.either(found, guard)
                continue
            # Old and new value lie in the same region: conditions can tell no more than that.
            for index in range(regions.domain.bit_length()):
                region = 1 << index
                inside = diagram.both(guard, crossing.terms.lies_in(value, region, regions))
                found = diagram.either(found, diagram.both(inside, diagram.allow(following, region)))
        return found

    def _forgotten(self, variable: int, kept: set[int]) -> bool:
        label = self.crossing.diagram.labels[variable]
        if isinstance(label, Next):
            return False
        if isinstance(label, Own):
            return variable not in kept
        if isinstance(label, Atom):
            gone = any(self._forgotten(one.number, kept) for one in variables_of(label.condition))
            # The value compared stays behind: what was known by the comparison is lost, and the answer says so.
            self.lost |= gone
            return gone
        return True

    def _settled(self, variable: int, mask: int) -> int:
        label = self.crossing.diagram.labels[variable]
        return self.crossing.diagram.allow(label.variable if isinstance(label, Next) else variable, mask)

    def _row(self, variable: int) -> Own | None:
        label = self.crossing.diagram.labels[variable]
        return label if isinstance(label, Own) else None


def trace_forward(forward: Forward, asked: str, initial: int) -> Reach:
    """Carry the initial condition from the asked attribute to everything it feeds."""
    outgoing = forward.crossing.graph.outgoing
    reach = Reach({asked: initial})
    for group in groups(asked, lambda name: [edge.target for edge in outgoing.get(name, ())]):
        pending = list(group)
        visits: dict[str, int] = {}
        members = set(group)
        while pending:
            name = pending.pop(0)
            visits[name] = visits.get(name, 0) + 1
            if visits[name] > ROUNDS:
                reach.conditions[name] = TRUE
                reach.weakened = True
            for edge in outgoing.get(name, ()):
                grown = _pass(forward, reach, edge)
                if grown and edge.target in members and visits.get(edge.target, 0) <= ROUNDS:
                    pending.append(edge.target)
    return reach


def _pass(forward: Forward, reach: Reach, edge: Edge) -> bool:
    """Carry the source's condition across one step; whether the target's grew."""
    condition = reach.conditions.get(edge.source, FALSE)
    passed = forward.across(condition, edge) if condition else FALSE
    reach.passed[edge.number] = passed
    before = reach.conditions.get(edge.target, FALSE)
    after = forward.crossing.diagram.either(before, passed)
    if after != FALSE:
        reach.conditions[edge.target] = after
    return after != before
