"""What navigation brings: the rules a question may need, and what the whole warehouse says of their ends.

The store brings them for one question (`mdw.store.candidates`); `Candidates.of` makes them of rules in memory, for
tests and for executors, which have no store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from mdw.model.expressions import Condition
from mdw.model.name import entity_of, local_of
from mdw.model.rules import Head, Population, Rules


@dataclass(frozen=True)
class Candidates:
    """Rules within reach of a question.

    ``carried`` pairs an attribute of a driving entity with the unpopulated target attribute of the same name;
    ``populated`` and ``feeding`` are the entities some mapping of the whole warehouse fills, or reads.
    """

    heads: Mapping[str, Head]
    populations: tuple[Population, ...]
    carried: frozenset[tuple[str, str]] = frozenset()
    populated: frozenset[str] = frozenset()
    feeding: frozenset[str] = frozenset()

    def conditions(self) -> Iterator[Condition]:
        """Every condition of the rules: filters and those of clauses."""
        for head in self.heads.values():
            if head.filter is not None:
                yield head.filter
        for population in self.populations:
            for clause in population.clauses:
                if clause.condition is not None:
                    yield clause.condition

    def fills(self, attribute: str) -> bool:
        """Whether some mapping of the whole warehouse fills the attribute's entity."""
        return entity_of(attribute) in self.populated

    def feeds(self, attribute: str) -> bool:
        """Whether some mapping of the whole warehouse reads the attribute's entity."""
        return entity_of(attribute) in self.feeding

    @classmethod
    def of(cls, rules: Iterable[Rules]) -> Candidates:
        """The candidates of a whole warehouse held in memory."""
        every = tuple(rules)
        heads = {one.head.mapping: one.head for one in every}
        populations = tuple(population for one in every for population in one.populations)
        return cls.whole(heads, populations, _mentioned(every))

    @classmethod
    def whole(cls, heads: Mapping[str, Head], populations: tuple[Population, ...], met: set[str]) -> Candidates:
        """The same of all heads, all populations and every name that some mapping mentions."""
        populated = frozenset(head.target for head in heads.values())
        feeding = frozenset(name for head in heads.values() for name in (head.driving, *(j.entity for j in head.joins)))
        return cls(heads, populations, carried(heads.values(), populations, met), populated, feeding)


class Filling(Protocol):
    """What the carry rule asks of a population."""

    @property
    def mapping(self) -> str: ...
    @property
    def target(self) -> str: ...


def carried(heads: Iterable[Head], populations: Iterable[Filling], met: set[str]) -> frozenset[tuple[str, str]]:
    """The carry rule: each attribute of a driving entity that stands in for one of the target, with that one.

    It does so where the mapping does not populate the target's attribute and both are ``met``: names that some mapping
    mentions, or those within reach of a question. `queries/inference/carry.rq` says the same of a whole store.

    >>> head = Head("m", target="B", driving="A")
    >>> carried([head], [Population("m", "B.X", ())], {"A.X", "A.R", "B.X", "B.R", "B.S"})
    frozenset({('A.R', 'B.R')})
    """
    filled: defaultdict[str, list[str]] = defaultdict(list)
    for population in populations:
        filled[population.mapping].append(population.target)
    known: defaultdict[str, list[str]] = defaultdict(list)
    for name in met:
        known[entity_of(name)].append(name)
    return frozenset(
        (carrier, target)
        for head in heads
        if len(filled[head.mapping]) < len(known[head.target])
        for target in set(known[head.target]).difference(filled[head.mapping])
        if (carrier := f"{head.driving}.{local_of(target)}") in met
    )


def _mentioned(every: tuple[Rules, ...]) -> set[str]:
    found = {source.attribute for one in every for source in one.head.sources}
    for population in (population for one in every for population in one.populations):
        found.add(population.target)
        found.update(source.attribute for clause in population.clauses for source in clause.sources)
    return found
