"""The last tier: one step alone, decided by a search for a way that lets a row through.

From the step's own rows the search goes down towards the asked attribute, carrying one box, cutting off where the
bounds exclude it and where a wider box has been before; a way found is checked exactly, its atoms by Z3. Where a way
found does not hold exactly, the search goes on without that shortcut. Effort is counted in boxes and conditions
carried across a step, and in the nodes these conditions need; when it runs out the step is undecided, which means kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mdw.conditions.diagram import FALSE, TRUE
from mdw.conditions.solver import Verdict
from mdw.lineage.judge.bounds import Bounds, Witness
from mdw.lineage.rows.crossing import Crossing
from mdw.lineage.steps.graph import Edge
from mdw.model.errors import TooLargeError

LONGEST = 200
"""Steps of a way the search follows; around a cycle ways have no end."""
NODES = 2_000
"""Nodes the condition of one way may need; where it needs more, the way is left open."""
EACH = 5
"""Nodes that count like one condition carried."""
INEXACT = -1
"""Stands for a box where atoms make none exact."""


@dataclass
class Search:
    """Decides left-over steps of one question."""

    crossing: Crossing
    initial: int
    check: Callable[[int], Verdict]
    effort: int
    _down: dict[str, list[Edge]] = field(default_factory=dict)
    _left: int = 0
    _tried: dict[str, list[int]] = field(default_factory=dict)
    _unsure: bool = False
    _open: bool = False
    _shortcut: bool = True

    def decide(self, bounds: Bounds, edge: Edge) -> Verdict:
        """Whether some row can pass the step and reach the asked attribute."""
        if not self._down:
            for edges in self.crossing.graph.incoming.values():
                for one in edges:
                    self._down.setdefault(one.source, []).append(one)
        self._left, self._open = self.effort, False
        # With the shortcut a box is not tried inside one that was tried before. That is right for boxes, but the exact
        # condition may have failed for the wider one alone: then all is tried again without it.
        for shortcut in (True, False):
            self._shortcut, self._unsure, self._tried = shortcut, False, {}
            found = self._cross(bounds, edge, 0, [])
            if found is not None:
                bounds.searched.setdefault(edge.number, []).append(found)
                if found.box != INEXACT:
                    bounds.witnesses.setdefault(edge.source, []).append(found)
                return "possible"
            if self._left <= 0 or self._open:
                return "undecided"
            if not self._unsure:
                return "contradictory"
        return "contradictory"

    def _cross(self, bounds: Bounds, edge: Edge, box: int, way: list[Edge]) -> Witness | None:
        way.append(edge)
        for arm in bounds.boxes.forward(box, edge):
            found = self._visit(bounds, edge.target, arm.box, way)
            if found is not None:
                return found
        way.pop()
        return None

    def _visit(self, bounds: Bounds, name: str, box: int, way: list[Edge]) -> Witness | None:
        layout = bounds.boxes.layout
        hull = bounds.hulls.get(name)
        self._left -= 1
        if len(way) > LONGEST:
            self._open = True
            return None
        # Outside the box around what arrives no row leads on to the question.
        if hull is None or self._left <= 0 or layout.empty(box | hull):
            return None
        tried = self._tried.setdefault(name, [])
        # A box is what it excludes: this one lies inside one from which no way was found.
        if self._shortcut and any(box & other == other for other in tried):
            return None
        tried.append(box)
        found = self._finish(bounds, name, box, way)
        if found is not None:
            return found
        for edge in self._down.get(name, ()):
            if bounds.passed.get(edge.number, True):
                found = self._cross(bounds, edge, box, way)
                if found is not None:
                    return found
        return None

    def _finish(self, bounds: Bounds, name: str, box: int, way: list[Edge]) -> Witness | None:
        """Close the way with a witness of the attribute reached, or at the asked attribute itself."""
        layout = bounds.boxes.layout
        if name == bounds.asked:
            return self._checked(bounds, way)
        # A witness knows a way to the question already: to meet one is to be there.
        for witness in bounds.witnesses.get(name, ()):
            if not layout.empty(box | witness.box):
                found = self._checked(bounds, [*way, *witness.way()])
                if found is not None:
                    return found
        return None

    def _checked(self, bounds: Bounds, way: Sequence[Edge]) -> Witness | None:
        """Carry the exact condition along the whole way; the witness at its upper end if a row passes."""
        diagram = self.crossing.diagram
        # One bad way must not use up what the other ways need: it gets nodes of its own, and they are counted.
        before, limit = diagram.size(), diagram.limit
        diagram.limit = min(limit, before + NODES)
        try:
            return self._carried(bounds, way)
        except TooLargeError:
            self._open = True
            return None
        finally:
            diagram.limit = limit
            self._left -= len(way) + (diagram.size() - before) // EACH

    def _carried(self, bounds: Bounds, way: Sequence[Edge]) -> Witness | None:
        condition = self.initial
        below: Witness | None = None
        # The way was found downwards by boxes; rows are asked for backwards, from the question up.
        for edge in reversed(way):
            condition = self.crossing.back(condition, edge)
            if condition == FALSE:
                self._unsure = True
                return None
            arm = bounds.boxes.arms(condition)[0]
            below = Witness(arm.box if arm.exact else INEXACT, edge, below)
        if condition != TRUE:
            verdict = self.check(condition)
            # Another way may hold where this one does not (`_unsure`). Where Z3 gave up this one may hold too, and to
            # try again without the shortcut would not tell (`_open`).
            self._unsure |= verdict != "possible"
            self._open |= verdict == "undecided"
            if verdict != "possible":
                return None
        return below
