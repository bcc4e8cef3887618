"""The steps between the candidates' attributes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import NamedTuple

from mdw.model.answers.steps import Step
from mdw.model.candidates import Candidates, carrying
from mdw.model.expressions import Aggregate, Attr, Condition, Const, Expression, Window
from mdw.model.groups import picking
from mdw.model.name import local_of, row_of
from mdw.model.rules import DIRECT, Clause, Head, Population, Source, Subtype, aggregating
from mdw.model.text import to_text
from mdw.model.tree import Location
from mdw.model.walks import attributes_of, walk


class Edge(NamedTuple):
    """One direct use of a source by a clause (number ``clause``) of a population.

    ``number`` tells it from every other step of its graph; ``row`` is the row of the mapping that the source is read
    from, with its role; ``test`` what that row must meet for its value to be used. With ``keys`` the row made is
    another one of the partition that these keep together; ``picked`` is the aggregation whose value is that row's, as
    MAX takes that of one row. An edge from `row_itself` takes the row along, and no
    attribute of it: it is no step of an answer.
    """

    number: int
    source: str
    target: str
    population: Population
    clause: int
    subtype: Subtype
    row: str
    test: Condition | None = None
    keys: tuple[Expression, ...] | None = None
    picked: Aggregate | None = None


NO_ROW = "`no row`"
"""Stands for an entity whose rows are always there."""
MADE = Clause(Const("null", ""), None, "", 0, 0, ())
"""Stands for what fills a row as such."""


def row_itself(entity: str) -> str:
    """The name that stands for the rows of an entity as such, whatever their attributes hold.

    >>> row_itself("CORE.B")
    'CORE.B.`row itself`'
    """
    return f"{entity}.`row itself`"


class Edges:
    """Makes the steps of one graph and numbers them."""

    def __init__(self, heads: Mapping[str, Head], populations: Mapping[str, list[Population]]) -> None:
        self._heads = heads
        self._populations = populations
        self._aggregating = {one.mapping for some in populations.values() for one in some if aggregating(one)}
        self._made = count()

    def read(self, source: Source, population: Population, clause: int) -> Edge:
        """The step by which a clause uses a source."""
        expression = population.clauses[clause].expression
        # Nearly all clauses copy: these are not walked.
        keys = None if isinstance(expression, Attr) else _partition(expression, source.name)
        name, row, number = source.attribute, source.row or row_of(source.attribute), next(self._made)
        taken = picking(expression, source.name)
        return Edge(number, name, population.target, population, clause, source.subtype, row, source.test, keys, taken)

    def written(self, population: Population, clause: int) -> Edge:
        """The step by which a clause writes a constant: with each driving row, from no attribute of it."""
        return self._with_row(self._heads[population.mapping], population, clause)

    def making(self, head: Head) -> list[Edge]:
        """The steps by which a mapping makes a row: nothing but filter and joins is in their way.

        It makes one of its driving row, and by right and full joins of rows joined that none finds.
        """
        made = Population(head.mapping, row_itself(head.target), (MADE,))
        alone = [join for join in head.joins if join.kind in ("right", "full")]
        return [self._with_row(head, made, 0)] + [
            Edge(next(self._made), row_itself(join.entity), made.target, made, 0, "IDENTITY", join.row)
            for join in alone
        ]

    def aggregates(self, mapping: str) -> bool:
        """Whether a mapping aggregates."""
        return mapping in self._aggregating

    def _with_row(self, head: Head, population: Population, clause: int) -> Edge:
        # SUM over no rows at all still gives a row, if nothing groups them: such a row needs none to be made of.
        # Mapping text names no groups: there it is made of none where nothing that is not aggregated parts the rows.
        grouped = any(source.subtype == "GROUP_BY" for source in head.sources) or head.mapping not in self._aggregating
        of_none = not grouped if head.group is None else not head.group
        source, row = row_itself(NO_ROW if of_none else head.driving), NO_ROW if of_none else head.row
        return Edge(next(self._made), source, population.target, population, clause, "IDENTITY", row)

    def reading(self, target: str) -> list[Edge]:
        """The steps into an attribute from others."""
        return [
            self.read(source, population, number)
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
            if clause.sourceless
        ]


def _partition(expression: Expression, name: str) -> tuple[Expression, ...] | None:
    """The keys of the windows that take an attribute's value from other rows; None if none does.

    Of several windows the keys that all of them have: by ``LAG(X) OVER (PARTITION BY K, L) + MAX(X) OVER (PARTITION BY
    K)`` the value may come from any row with the same K.
    """
    found: tuple[Expression, ...] | None = None
    for one in walk(expression):
        if isinstance(one, Window) and name in attributes_of(one.function):
            found = tuple(key for key in one.keys if found is None or key in found)
    return found


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
        candidates = carrying(candidates)
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

    @cached_property
    def named(self) -> Mapping[str, frozenset[str]]:
        """By mapping the attributes that its rules name, each with the role of its row."""
        found = {mapping: {source.name for source in head.sources} for mapping, head in self.heads.items()}
        for one in self.candidates.populations:
            found[one.mapping].update(source.name for clause in one.clauses for source in clause.sources)
        for source, target in self.candidates.carried:
            for head in self.into.get(row_of(target), ()):
                if head.driving == row_of(source):
                    found[head.mapping].add(f"{head.row}.{local_of(source)}")
        return {mapping: frozenset(names) for mapping, names in found.items()}

    @cached_property
    def into(self) -> dict[str, list[Head]]:
        """The mappings into each entity, in order of name."""
        found: dict[str, list[Head]] = {}
        for _, head in sorted(self.heads.items()):
            found.setdefault(head.target, []).append(head)
        return found

    @cached_property
    def made(self) -> dict[str, list[Edge]]:
        """For the rows of an entity as such the steps that make them, mapping by mapping."""
        return ByTarget(
            lambda name: [edge for head in self.into.get(row_of(name), ()) for edge in self.edges.making(head)]
        )

    def above(self, name: str) -> list[Edge]:
        """All that rows on the way of an attribute, or rows as such, are made by: their steps up, constants included.

        A constant, and an attribute that nothing fills, come with a row: what makes that row is above them.
        """
        return self._above[name]

    @cached_property
    def _above(self) -> dict[str, list[Edge]]:
        return ByTarget(self._steps_up)

    def _steps_up(self, name: str) -> list[Edge]:
        if name in self.populations:
            return self.incoming[name] + self.written[name]
        return self.made[row_itself(row_of(name))] if self.candidates.fills(name) else []

    def ends_at(self, name: str) -> bool:
        """Whether rows are there from the start: those of golden entities, which mappings make of no others."""
        return not self.candidates.fills(name)

    def filled_by_read(self, name: str) -> bool:
        """Whether a mapping fills an attribute that does not stand for a statement which was not read."""
        unread = self.candidates.unread
        return any(one.mapping not in unread for one in self.populations.get(name, ()))

    def within(self, passed: Mapping[int, bool]) -> Graph:
        """The same, with the steps that have passed only."""
        incoming: dict[str, list[Edge]] = defaultdict(list)
        for edges in self.outgoing.values():
            for edge in edges:
                if passed.get(edge.number):
                    incoming[edge.target].append(edge)
        return replace(self, incoming=incoming)

    def ends(self) -> None:
        """Fill ``outgoing``; lineage does not need it, and it makes all steps of the candidates."""
        for name in sorted(self.populations):
            for edge in self.incoming[name]:
                self.outgoing.setdefault(edge.source, []).append(edge)

    def carries(self, edge: Edge) -> bool:
        """Whether a step only leaves a value where it was: a change does so to whatever it does not set."""
        return edge.source == edge.target and self.heads[edge.population.mapping].update and edge.subtype == "IDENTITY"

    def step(self, edge: Edge) -> Step:
        """The edge as the answer shows it."""
        head = self.heads[edge.population.mapping]
        clause = edge.population.clauses[edge.clause]
        place = Location(head.file, clause.line, clause.column)
        within = to_text(edge.test) if edge.test is not None else ""
        text = all_of([text for text in (clause.text, within, head.filter_text) if text])
        return Step(head.mapping, edge.source, edge.target, "direct", edge.subtype, text, place)


def all_of(texts: list[str]) -> str:
    """Condition texts joined by AND."""
    if len(texts) == 1:
        return texts[0]
    return " AND ".join(f"({text})" if " OR " in text and not text.startswith("NOT (") else text for text in texts)


def _mapping(population: Population) -> str:
    return population.mapping
