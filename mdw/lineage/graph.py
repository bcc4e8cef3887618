"""The steps between the candidates' attributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from mdw.answer import Step
from mdw.candidates import Candidates
from mdw.model import DIRECT, Head, Population, Subtype
from mdw.tree import Location


class Edge(NamedTuple):
    """One direct use of a source by a clause (number ``clause``) of a population."""

    source: str
    target: str
    population: Population
    clause: int
    subtype: Subtype


@dataclass(frozen=True)
class Graph:
    """Direct steps by their ends, and for every attribute the populations that fill it."""

    heads: Mapping[str, Head]
    populations: Mapping[str, list[Population]]
    incoming: Mapping[str, list[Edge]]
    candidates: Candidates
    outgoing: dict[str, list[Edge]] = field(default_factory=dict)

    @classmethod
    def of(cls, candidates: Candidates) -> Graph:
        """The graph of the candidates' direct steps, the same in whatever order the candidates come."""
        populations: dict[str, list[Population]] = {}
        incoming: dict[str, list[Edge]] = {}
        for population in sorted(candidates.populations, key=_place):
            target = population.target
            populations.setdefault(target, []).append(population)
            edges = incoming.setdefault(target, [])
            for number, clause in enumerate(population.clauses):
                for source in clause.sources:
                    if source.subtype in DIRECT:
                        edges.append(Edge(source.attribute, target, population, number, source.subtype))
        return cls(candidates.heads, populations, incoming, candidates)

    def ends(self) -> None:
        """Fill ``outgoing``; lineage does not need it."""
        for edges in self.incoming.values():
            for edge in edges:
                self.outgoing.setdefault(edge.source, []).append(edge)

    def step(self, edge: Edge) -> Step:
        """The edge as the answer shows it."""
        head = self.heads[edge.population.mapping]
        clause = edge.population.clauses[edge.clause]
        place = Location(head.file, clause.line, clause.column)
        text = rule_text(clause.text, head.filter_text)
        return Step(head.mapping, edge.source, edge.target, "direct", edge.subtype, text, place)


def rule_text(clause: str, filtering: str) -> str:
    """IF and filter as one text."""
    return all_of([text for text in (clause, filtering) if text])


def all_of(texts: list[str]) -> str:
    """Condition texts joined by AND."""
    if len(texts) == 1:
        return texts[0]
    return " AND ".join(f"({text})" if " OR " in text and not text.startswith("NOT (") else text for text in texts)


def _place(population: Population) -> tuple[str, str]:
    return population.target, population.mapping
