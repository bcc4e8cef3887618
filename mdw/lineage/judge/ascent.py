"""Whether steps that the bounds let pass are on a way from an end, told from boxes first.

A witness at a golden source knows its whole way to the question: every step of it is kept. Of a step that no such way
takes, the witnesses that came across it are led on upwards. Where boxes prove nothing, the exact conditions of these
ways are, and at last the box around all that arrives: if even that finds no way up to an end, the step is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mdw.conditions.diagram import FALSE
from mdw.conditions.solver import Verdict
from mdw.lineage.judge.bounds import Bounds, Witness
from mdw.lineage.judge.judgement import Verdicts
from mdw.lineage.judge.seeking import Seeking
from mdw.lineage.judge.upwards import Upwards
from mdw.lineage.steps.graph import Edge
from mdw.model.errors import TooLargeError

EFFORT = 500
"""Boxes looked at for one step."""
TRIED = 4
"""Ways below a step whose exact conditions are led on upwards."""
NODES, EACH = 50_000, 2_000
"""Nodes these conditions may need, all together and those of one way."""

At = tuple[str, int]
"""An attribute, or rows as such, and a box of its rows."""


@dataclass
class Ascent:
    """Judges the steps that the bounds of one question let pass."""

    bounds: Bounds
    upwards: Upwards
    initial: int

    def __post_init__(self) -> None:
        self.graph = self.upwards.crossing.graph
        self._nodes = NODES
        self._led: set[int] = set()
        self._exact: Seeking[At] = Seeking(self._following, self._ends, EFFORT)
        self._around: Seeking[At] = Seeking(lambda at: self._following(at, around=True), self._ends, EFFORT)

    def verdicts(self) -> Verdicts:
        """Of every step and constant whether some row goes from an end through it to the question."""
        found, bounds = Verdicts("bounds"), self.bounds
        # Each witness at an end proves a whole way at once, which leaves few steps to be looked at one by one.
        proved = {
            edge.number
            for name, witnesses in bounds.witnesses.items()
            if self.upwards.ends(name)
            for witness in witnesses
            for edge in witness.way()
        }
        for name in bounds.hulls:
            for edge in self.graph.incoming[name]:
                if edge.number not in proved and edge.number not in self._exact.passed:
                    passes = bounds.passed[edge.number]
                    found.steps[edge.number] = self._judged(edge, proved) if passes else "contradictory"
                    if found.steps[edge.number] == "possible":
                        found.by[edge.number] = "diagram" if edge.number in self._led else "example"
            for edge in self.graph.written[name]:
                passes = bounds.constants[edge.number]
                found.constants[edge.number] = self._judged(edge, set()) if passes else "contradictory"
        examples = [*proved, *self._exact.passed & bounds.passed.keys()]
        found.steps |= dict.fromkeys(examples, "possible")
        found.by |= dict.fromkeys(examples, "example")
        self._cut(found)
        return found

    def _cut(self, found: Verdicts) -> None:
        """Drop undecided steps above which nothing is kept: what is proved there proves them impossible too."""
        # Let all that leads to S.A be dropped, proved, and S.A -> T.A be undecided: no row has an A that could pass.
        below: dict[str, list[Edge]] = {}
        for name in self.bounds.hulls:
            for edge in self.graph.incoming[name]:
                if found.steps.get(edge.number) == "undecided":
                    below.setdefault(edge.source, []).append(edge)
        pending = list(below)
        while pending:
            name = pending.pop()
            above = self.graph.incoming[name] + self.graph.written[name]
            kept = any(found.keeps(edge) or found.writes(edge) for edge in above)
            if not kept and name in self.graph.populations and not self.upwards.ends(name):
                gone = below.pop(name, [])
                found.steps |= dict.fromkeys((edge.number for edge in gone), "contradictory")
                pending += [edge.target for edge in gone if edge.target in below]

    def _judged(self, edge: Edge, proved: set[int]) -> Verdict:
        if self._ends((edge.source, 0)):
            return "undecided" if edge.number in self.bounds.undecided else "possible"
        # In order of cost: boxes led on upwards, then a few exact conditions, then the box around all.
        below = list(self._witnesses(edge))
        for witness in below:
            if self._exact.look((edge.source, witness.box)):
                # Whoever comes from an end to the step goes on by the whole way below it.
                proved.update(one.number for one in witness.way())
                return "possible"
        ways = [*below[:TRIED], *self.bounds.searched.get(edge.number, ())]
        if any(self._nodes > 0 and self._leads(witness) for witness in ways):
            self._led.add(edge.number)
            return "possible"
        back = self.bounds.boxes.back
        arms = back([self.bounds.hulls[edge.target]], edge)
        excluded = all(self._around.look((edge.source, arm.box)) is False for arm in arms)
        return "contradictory" if excluded else "undecided"

    def _witnesses(self, edge: Edge) -> Iterator[Witness]:
        """The witnesses of the target led across the step."""
        for witness in self.bounds.witnesses.get(edge.target, ()):
            for arm in self.bounds.boxes.back([witness.box], edge):
                if arm.exact:
                    yield Witness(arm.box, edge, witness)

    def _leads(self, witness: Witness) -> bool:
        """Whether the exact condition of a witness's way leads on to an end."""
        crossing = self.upwards.crossing
        diagram, limit, before = crossing.diagram, crossing.diagram.limit, crossing.diagram.size()
        diagram.limit = min(limit, before + min(self._nodes, EACH))
        condition, edges = self.initial, list(witness.way())
        try:
            for edge in reversed(edges):
                condition = crossing.back(condition, edge)
            return condition != FALSE and self.upwards.comes(edges[0].source, condition) == "possible"
        except TooLargeError:
            return False
        finally:
            diagram.limit = limit
            self._nodes -= diagram.size() - before

    def _ends(self, at: At) -> bool:
        return self.upwards.ends(at[0])

    def _following(self, at: At, *, around: bool = False) -> Iterator[tuple[int, At]]:
        """The boxes of rows that those in a box are made of; ``around``: even where a box says not all."""
        name, box = at
        for edge in self.graph.above(name):
            for arm in self.bounds.boxes.back([box], edge):
                if arm.exact or around:
                    yield edge.number, (edge.source, arm.box)
