"""What navigation brings: the rules a question may need, and what the whole warehouse says of their ends.

The store brings them for one question (`mdw.store.candidates`); `Candidates.of` makes them of rules in memory, for
tests and for executors, which have no store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

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

    @classmethod
    def of(cls, rules: Iterable[Rules]) -> Candidates:
        """The candidates of a whole warehouse held in memory."""
        every = tuple(rules)
        heads = {one.head.mapping: one.head for one in every}
        populations = tuple(population for one in every for population in one.populations)
        mentioned = _mentioned(every)
        carried = set()
        for one in every:
            filled = {population.target for population in one.populations}
            for target in mentioned[one.head.target]:
                driving = f"{one.head.driving}.{local_of(target)}"
                if target not in filled and driving in mentioned[one.head.driving]:
                    carried.add((driving, target))
        feeding = {name for head in heads.values() for name in (head.driving, *(join.entity for join in head.joins))}
        return cls(
            heads, populations, frozenset(carried), frozenset(h.target for h in heads.values()), frozenset(feeding)
        )


def _mentioned(every: tuple[Rules, ...]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for one in every:
        names = [source.attribute for source in one.head.sources]
        for population in one.populations:
            names.append(population.target)
            for clause in population.clauses:
                names += [source.attribute for source in clause.sources]
        for name in names:
            found[entity_of(name)].add(name)
    return found
