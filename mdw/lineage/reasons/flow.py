"""What is handed on along one way: where the value of an attribute comes to, row after row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mdw.lineage.reasons.rule import JoinRule, Rule
from mdw.lineage.steps.belonging import row_of
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.rules import Head


class At(NamedTuple):
    """An attribute of the row at one place of a way; rows are counted from the source on."""

    row: int
    attribute: str


class Copied(NamedTuple):
    """One attribute handed on by a step of the way."""

    source: At
    target: At
    edge: Edge


@dataclass(frozen=True)
class Flow:
    """One way as rows go, with the rules that contradict on it, each with the row it speaks of."""

    graph: Graph
    edges: tuple[Edge, ...]
    rules: tuple[tuple[int, Rule], ...]

    @cached_property
    def following(self) -> dict[At, list[Copied]]:
        """What is handed on to the next row, by where it is now; joined keys are equal within one row."""
        found: dict[At, list[Copied]] = {}
        given = {rule for _, rule in self.rules}
        for row, edge in enumerate(self.edges):
            for source, target in self._handed(edge):
                one = Copied(At(row, source), At(row + 1, target), edge)
                found.setdefault(one.source, []).append(one)
            if JoinRule(edge.population.mapping) in given:
                for left, right in (pair for join in self._head(edge).joins for pair in join.on):
                    for a, b in ((left, right), (right, left)):
                        found.setdefault(At(row, a), []).append(Copied(At(row, a), At(row, b), edge))
        return found

    def reached(self, start: At) -> dict[At, tuple[Copied, ...]]:
        """Where the value of an attribute comes to, and over which copies."""
        found: dict[At, tuple[Copied, ...]] = {start: ()}
        pending = [start]
        for at in pending:
            for one in self.following.get(at, ()):
                if one.target not in found:
                    found[one.target] = (*found[at], one)
                    pending.append(one.target)
        return found

    def _head(self, edge: Edge) -> Head:
        return self.graph.heads[edge.population.mapping]

    def _handed(self, edge: Edge) -> Iterator[tuple[str, str]]:
        head = self._head(edge)
        for target, source in sorted(self.graph.copied[head.mapping].items()):
            yield source, target
        # What a mapping leaves out may be carried; it is then of the same name.
        filled = self.graph.filled[head.mapping]
        for source, target in sorted(self.graph.candidates.carried):
            if row_of(source) == head.driving and row_of(target) == head.target and target not in filled:
                yield source, target
