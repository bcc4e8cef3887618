"""What decides over an asked attribute, and is never its value: tests and joins of the ways, and which rows there are.

A step is chosen by its IF and by all that its mapping asks of its rows. Which rows there are others decide as well, who
fill nothing that was asked for (rule Q38):

    DELETE FROM t WHERE k IN (SELECT k FROM gone)          over every attribute of T
    MERGE INTO t ... WHEN NOT MATCHED THEN INSERT (k) ...  the same, whatever it inserts
    SELECT 'P' AS p FROM b                                 reads nothing of B: what decides over rows of B does over P
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mdw.lineage.steps.graph import Edge, Graph
from mdw.model.answers.steps import Indirect, Step
from mdw.model.candidates import unread
from mdw.model.name import entity_of
from mdw.model.rules import DIRECT, Clause, Head, Population, Subtype, deciding
from mdw.model.tree import Location


def deciding_steps(graph: Graph, kept: Sequence[Edge]) -> tuple[Step, ...]:
    """The deciding uses as steps: of an IF and the earlier ones for their attribute, of a head for its whole target."""
    found: list[Step] = []
    for population, clauses in _taken(kept):
        head = graph.heads[population.mapping]
        for given in clauses:
            place = Location(head.file, given.line, given.column)
            found += [
                Step(head.mapping, source.attribute, population.target, "indirect", source.subtype, given.text, place)
                for source in given.sources
                if source.subtype not in DIRECT
            ]
    for mapping in dict.fromkeys(edge.population.mapping for edge in kept):
        found += _head_steps(graph.heads[mapping])
    return tuple(dict.fromkeys(found))


def row_steps(graph: Graph, kept: Sequence[Edge], written: Sequence[Edge], reached: Collection[str]) -> list[Step]:
    """The deciding uses of mappings that decide which rows there are, and fill nothing that was asked for (Q38)."""
    into: defaultdict[str, dict[str, Head]] = defaultdict(dict)
    for head in (*graph.candidates.changes, *graph.heads.values()):
        into[head.target][head.mapping] = head
    filling = {one.mapping for name in reached for one in graph.populations.get(name, ())}
    found = {
        name: head
        for entity in sorted({entity_of(name) for name in reached})
        for name, head in sorted(into[entity].items())
        if head.changes_rows and name not in filling
    }
    # Nobody fills these: of their entity there are rows all the same.
    gaps = [entity_of(name) for name in reached if name not in graph.populations and graph.candidates.fills(name)]
    behind = _Behind(into)
    behind.rows_of(gaps)
    for head in found.values():
        behind.rows_read(head)
    read: defaultdict[str, set[str]] = defaultdict(set)
    for population, clauses in _taken([*kept, *written]):
        read[population.mapping].update(
            one.read_from for given in clauses for one in given.sources if one.subtype not in DIRECT
        )
    for edge in kept:
        read[edge.population.mapping].add(edge.row)
    for edge in (*kept, *written):
        behind.rows_read(graph.heads[edge.population.mapping], read[edge.population.mapping])
    found |= behind.found
    return [step for head in found.values() for step in _head_steps(head)]


class _Behind:
    """Collects the mappings that decide which rows there are of entities of which no attribute is read.

    Of a subquery that is read the rows behind it decide all the same: nobody asks where its attributes come from.
    """

    def __init__(self, into: Mapping[str, Mapping[str, Head]]) -> None:
        self.found: dict[str, Head] = {}
        self._into = into
        self._met: set[tuple[str, bool]] = set()

    def rows_of(self, entities: Iterable[str]) -> None:
        """What decides over rows of entities."""
        self._follow([(entity, True) for entity in entities])

    def rows_read(self, head: Head, read: Collection[str] = ()) -> None:
        """What decides over rows of which a mapping reads no attribute; its values are of the rows ``read``."""
        self._follow(self._entities(head, read))

    def _follow(self, pending: list[tuple[str, bool]]) -> None:
        while pending:
            at = entity, missed = pending.pop()
            if at in self._met:
                continue
            self._met.add(at)
            for name, head in sorted(self._into.get(entity, {}).items()):
                if missed and (head.changes_rows or not head.update):
                    self.found[name] = head
                if missed or head.inner:
                    pending += self._entities(head)

    def _entities(self, head: Head, read: Collection[str] = ()) -> list[tuple[str, bool]]:
        missed = unread(head, read)
        every = (head.driving, *(join.entity for join in head.joins))
        return [(entity, entity in missed) for entity in dict.fromkeys(every)]


def decided(graph: Graph, reached: Collection[str]) -> tuple[Indirect, ...]:
    """Attributes that reached ones decide: by an IF, or all of a mapping by its filter, joins or grouping."""
    found: set[tuple[str, Subtype]] = set()
    for populations in graph.populations.values():
        for population in populations:
            for clause in population.clauses:
                for source in clause.sources:
                    if source.subtype not in DIRECT and source.attribute in reached:
                        found.add((population.target, source.subtype))
            for source in graph.heads[population.mapping].sources:
                if source.attribute in reached:
                    found.add((population.target, source.subtype))
    for head in graph.heads.values():
        if head.changes_rows:
            names = graph.candidates.names.get(head.target, ())
            found |= {(name, one.subtype) for one in head.sources if one.attribute in reached for name in names}
    return tuple(Indirect(name, subtype) for name, subtype in sorted(found))


def _taken(edges: Iterable[Edge]) -> Iterator[tuple[Population, Sequence[Clause]]]:
    """The populations that steps are of, each with the clauses that choose: all up to the last one used."""
    last: dict[tuple[str, str], tuple[Population, int]] = {}
    for edge in edges:
        key = edge.population.mapping, edge.target
        _, clause = last.get(key, (edge.population, -1))
        last[key] = edge.population, max(clause, edge.clause)
    for population, clause in last.values():
        yield population, population.clauses[: clause + 1]


def _head_steps(head: Head) -> Iterator[Step]:
    for source, text, line in deciding(head):
        place = Location(head.file, line, 1)
        yield Step(head.mapping, source.attribute, head.target, "indirect", source.subtype, text, place)
