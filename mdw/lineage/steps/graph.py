"""The steps between the candidates' attributes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import NamedTuple

from mdw.lineage.steps.belonging import row_of
from mdw.model.answers.answer import Step
from mdw.model.candidates import Candidates
from mdw.model.rules import DIRECT, Head, Population, Subtype
from mdw.model.tree import Location


class Edge(NamedTuple):
    """One direct use of a source by a clause (number ``clause``) of a population.

    ``number`` tells it from every other step of its graph; ``row`` is the row of the mapping that the source is read
    from.
    """

    number: int
    source: str
    target: str
    population: Population
    clause: int
    subtype: Subtype
    row: str


class Edges:
    """Makes the steps of one graph and numbers them."""

    def __init__(self, heads: Mapping[str, Head], populations: Mapping[str, list[Population]]) -> None:
        self._heads = heads
        self._populations = populations
        self._made = count()

    def read(self, source: str, population: Population, clause: int, subtype: Subtype) -> Edge:
        """The step by which a clause uses a source."""
        return Edge(next(self._made), source, population.target, population, clause, subtype, row_of(source))

    def written(self, population: Population, clause: int) -> Edge:
        """The step by which a clause writes a constant: with each driving row, from no attribute of it."""
        driving = self._heads[population.mapping].driving
        return self.read(f"{driving}.`constant`", population, clause, "IDENTITY")

    def reading(self, target: str) -> list[Edge]:
        """The steps into an attribute from others."""
        return [
            self.read(source.attribute, population, number, source.subtype)
            for population in self._populations.get(target, ())
            for number, clause in enumerate(population.clauses)
            for source in clause.sources
            if source.subtype in DIRECT
        ]

    def writing(self, target: str) -> list[Edge]:
        """The constants that clauses write into an attribute, as steps."""
        return [
            self.written(population, number)
            for population in self._populations.get(target, ())
            for number, clause in enumerate(population.clauses)
            if clause.constant
        ]


class ByTarget(dict[str, list[Edge]]):
    """Steps by target, made when first asked for: most attributes within reach of a question only decide."""

    def __init__(self, make: Callable[[str], list[Edge]]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, target: str) -> list[Edge]:
        found = self[target] = self._make(target)
        return found


@dataclass(frozen=True)
class Graph:
    """Direct steps by their ends, and for every attribute the populations that fill it."""

    heads: Mapping[str, Head]
    populations: Mapping[str, list[Population]]
    incoming: dict[str, list[Edge]]
    written: dict[str, list[Edge]]
    candidates: Candidates
    edges: Edges
    outgoing: dict[str, list[Edge]] = field(default_factory=dict)

    @classmethod
    def of(cls, candidates: Candidates) -> Graph:
        """The graph of the candidates' direct steps, the same in whatever order the candidates come."""
        populations: dict[str, list[Population]] = {}
        for population in candidates.populations:
            populations.setdefault(population.target, []).append(population)
        # Several mappings may fill one attribute; which comes first decides the order of an answer.
        for several in populations.values():
            if len(several) > 1:
                several.sort(key=_mapping)
        edges = Edges(candidates.heads, populations)
        incoming, written = ByTarget(edges.reading), ByTarget(edges.writing)
        return cls(candidates.heads, populations, incoming, written, candidates, edges)

    @cached_property
    def filled(self) -> dict[str, dict[str, Population]]:
        """The populations by mapping and target attribute; of every mapping, even one that fills nothing."""
        found: dict[str, dict[str, Population]] = {mapping: {} for mapping in self.heads}
        for one in self.candidates.populations:
            found[one.mapping][one.target] = one
        return found

    @cached_property
    def copied(self) -> dict[str, dict[str, str]]:
        """By mapping the target attributes that it does nothing but copy, and where from."""
        found: dict[str, dict[str, str]] = {mapping: {} for mapping in self.heads}
        for one in self.candidates.populations:
            if (source := one.copied) is not None:
                found[one.mapping][one.target] = source
        return found

    def within(self, passed: Mapping[int, bool]) -> Graph:
        """The same, with the steps that have passed only."""
        incoming: dict[str, list[Edge]] = defaultdict(list)
        for edges in self.outgoing.values():
            for edge in edges:
                if passed.get(edge.number):
                    incoming[edge.target].append(edge)
        return replace(self, incoming=incoming)

    def ends(self) -> None:
        """Fill ``outgoing``; lineage does not need it."""
        for name in sorted(self.populations):
            for edge in self.incoming[name]:
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


def _mapping(population: Population) -> str:
    return population.mapping
