"""What is handed on along one way: where the value of an attribute comes to, row after row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mdw.lineage.reasons.rule import JoinRule, Rule
from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.expressions import Attr
from mdw.model.groups import argument_of
from mdw.model.name import entity_of_row, in_role, local_of, plain, row_of
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
                    here, there = At(row, seen(edge, left)), At(row, seen(edge, right))
                    # Equal values: what is known of either is known of the other.
                    for a, b in ((here, there), (there, here)):
                        found.setdefault(a, []).append(Copied(a, b, edge))
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
        told = [keys for keys in (edge.keys, head.group) if keys is not None]
        for target, source in sorted(self.graph.copied[head.mapping].items()):
            # Of other rows of the group or partition only its keys are told.
            if all(Attr(source) in keys for keys in told):
                yield seen(edge, source), target
        if edge.picked is not None and isinstance(value := argument_of(edge.picked), Attr):
            yield seen(edge, value.name), edge.target
        # What a mapping leaves out may be carried; it is then of the same name.
        filled = self.graph.filled[head.mapping]
        for source, target in sorted(self.graph.candidates.carried):
            mine = row_of(source) == head.driving and row_of(target) == head.target and target not in filled
            if mine and not told:
                yield seen(edge, f"{head.row}.{local_of(source)}"), target


def seen(edge: Edge, name: str) -> str:
    """What is called so by the rules of a step's mapping, as those before and after it call it: roles end with it.

    Another row of the entity that the step reads keeps a role, so that it is not taken for the step's own. In a mapping
    from S@A joined to S@B, crossed from S@A: ``S@A.K`` is ``S.K``, ``S@B.K`` stays, and of S read from S@A ``S.K`` is
    the K of another row.
    """
    row = row_of(name)
    if row == edge.row:
        return plain(name)
    return f"{in_role(row, '`OTHER`')}.{local_of(name)}" if row == entity_of_row(edge.row) else name
