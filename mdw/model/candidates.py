"""What navigation brings: the rules a question may need, and what the whole warehouse says of their ends.

The store brings them for one question (`mdw.store.candidates`); `Candidates.of` makes them of rules in memory, for
tests and for executors, which have no store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from mdw.model.circles import in_order
from mdw.model.expressions import Attr, Condition, Const
from mdw.model.name import entity_of, local_of
from mdw.model.query import ALL
from mdw.model.rules import DIRECT, Clause, Head, Population, Rules, Source


@dataclass(frozen=True)
class Candidates:
    """Rules within reach of a question.

    ``carried`` pairs an attribute of a driving entity with the unpopulated target attribute of the same name.
    ``populated`` are the entities whose rows mappings of the whole warehouse make of rows of others (see `made`),
    ``final`` those whose values go to no others for good (see `final_of`). Where a mapping joins rows, those that make
    them, and those that make the rows of these, are all among the heads: they say which rows there can be.
    ``digests`` say what mappings say, as far as they are known. ``passed`` are the populations, by mapping and target,
    that no mapping has: a star stands for them (see `mdw.model.passing`). ``types`` are those that the data dictionary
    tells of attributes, for example rows. ``changes`` are mappings that change rows of entities that
    these fill or read, whatever they set, take rows away, or add those that are not there (rule Q38). ``names`` are, of
    an impact, the known attributes of entities of which heads do the latter. ``unread`` are the mappings that stand for
    statements which were not read: no answer shows them.
    """

    heads: Mapping[str, Head]
    populations: tuple[Population, ...]
    carried: frozenset[tuple[str, str]] = frozenset()
    populated: frozenset[str] = frozenset()
    final: frozenset[str] = frozenset()
    digests: Mapping[str, str] = field(default_factory=dict)
    passed: frozenset[tuple[str, str]] = frozenset()
    types: Mapping[str, str] = field(default_factory=dict)
    changes: tuple[Head, ...] = ()
    unread: frozenset[str] = frozenset()
    names: Mapping[str, Collection[str]] = field(default_factory=dict)

    def mentioned(self) -> set[str]:
        """The attributes that rules fill or use."""
        found = {source.attribute for head in self.heads.values() for source in head.sources}
        for population in self.populations:
            found.add(population.target)
            found.update(source.attribute for clause in population.clauses for source in clause.sources)
        return found

    def conditions(self) -> Iterator[Condition]:
        """Every condition of the rules: of rows, of joins, of groups, of clauses and within their expressions."""
        for head in self.heads.values():
            asked = (head.filter, head.having, *(join.rest for join in head.joins))
            yield from (one for one in asked if one is not None)
        for population in self.populations:
            for clause in population.clauses:
                if clause.condition is not None:
                    yield clause.condition
                # What is handed on as it is is used whenever its clause is.
                if not isinstance(clause.expression, (Attr, Const)):
                    yield from (source.test for source in clause.sources if source.test is not None)

    def fills(self, attribute: str) -> bool:
        """Whether mappings of the whole warehouse make the rows of the attribute's entity; else it is golden."""
        return entity_of(attribute) in self.populated

    def ends_in(self, attribute: str) -> bool:
        """Whether no value of the attribute's entity goes on, in the whole warehouse, but to come back."""
        return entity_of(attribute) in self.final

    @classmethod
    def of(cls, rules: Iterable[Rules]) -> Candidates:
        """The candidates of a whole warehouse held in memory."""
        every = tuple(rules)
        heads = {one.head.mapping: one.head for one in every}
        populations = tuple(population for one in every for population in one.populations)
        return cls.whole(heads, populations, cls(heads, populations).mentioned())

    @classmethod
    def whole(cls, heads: Mapping[str, Head], populations: tuple[Population, ...], met: set[str]) -> Candidates:
        """The same of all heads, all populations and every name that some mapping mentions."""
        populated = populated_by(heads.values())
        onward = onward_of(populations, [*map(entity_of, met), *(head.target for head in heads.values())])
        final = final_of(onward, {head.target for head in heads.values() if head.inner})
        changed = {head.target for head in heads.values() if head.changes_rows}
        names = by_entity(name for name in met if entity_of(name) in changed)
        return cls(heads, populations, carried(heads.values(), populations, met), populated, final, names=names)


def carrying(candidates: Candidates) -> Candidates:
    """The same, each change of rows filling whatever it does not set with what was there (rule Q18).

    ``UPDATE C SET T = 'b'`` leaves the V of a row: where a filter wants T = 'b', the V comes by way of the change.
    """
    changing = [head for head in candidates.heads.values() if head.update and head.driving == head.target]
    names: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for one in candidates.populations:
        names[entity_of(one.target)][one.target] = None
    filled = {(one.mapping, one.target) for one in candidates.populations}
    setting = {mapping for mapping, _ in filled}
    kept = tuple(
        Population(head.mapping, name, (_as_it_was(head, name),))
        for head in changing
        if head.mapping in setting
        for name in names[head.target]
        if (head.mapping, name) not in filled
    )
    return replace(candidates, populations=candidates.populations + kept) if kept else candidates


def _as_it_was(head: Head, name: str) -> Clause:
    row = f"{head.row}.{local_of(name)}"
    source = Source(name, "IDENTITY", head.row if head.role else "")
    return Clause(Attr(row), None, "", head.line, 1, (source,))


def unread(head: Head, read: Collection[str] = ()) -> list[str]:
    """The entities of whose rows no attribute decides; nor is one a value, whose rows are those ``read``.

    >>> unread(Head("m", target="T", driving="S")), unread(Head("m", "T", "S", sources=(Source("S.K", "FILTER"),)))
    (['S'], [])
    """
    asked = {source.read_from for source in head.sources if local_of(source.attribute) != ALL}
    rows = [(head.driving, head.row), *((join.entity, join.row) for join in head.joins)]
    return [entity for entity, row in rows if row not in asked and row not in read]


def by_entity(names: Iterable[str]) -> dict[str, list[str]]:
    """Attributes by their entities."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        found[entity_of(name)].append(name)
    return found


def populated_by(heads: Collection[Head]) -> frozenset[str]:
    """The entities that mappings make the rows of: none is there before but for those that stand outside of scripts."""
    return made((head.driving, head.target) for head in heads) | inner_of(heads)


def inner_of(heads: Iterable[Head]) -> set[str]:
    """The entities of scripts that mappings make."""
    return {head.target for head in heads if head.inner and not head.update}


def made(driven: Iterable[tuple[str, str]]) -> frozenset[str]:
    """The entities whose rows mappings make of rows of other entities; ``driven`` pairs driving entity and target.

    Entities that are filled only from themselves or one another have their first rows from outside: they are golden.

    >>> sorted(made([("S", "A"), ("A", "A"), ("B", "B"), ("C", "D"), ("D", "C"), ("D", "E")]))
    ['A', 'E']
    """
    feeding: defaultdict[str, set[str]] = defaultdict(set)
    fed: defaultdict[str, set[str]] = defaultdict(set)
    for driving, target in driven:
        feeding[driving].add(target)
        fed[target].add(driving)
    # In the example S comes from nowhere, so A is made of rows of others; B, C and D feed only themselves and one
    # another; E is made of the rows of a circle.
    found = _reached(set(feeding) - set(fed), feeding)
    # What no entity without mappings leads to depends on a circle. The first circle of such a chain is golden: to that
    # leads nothing but itself.
    depending = {target: fed[target] for target in sorted(set(fed) - found)}
    for circle in in_order(depending):
        if any(not depending[target] <= {*circle} for target in circle):
            found.update(circle)
    return frozenset(found)


def final_of(onward: Mapping[str, Collection[str]], inner: Collection[str] = ()) -> frozenset[str]:
    """The entities from which every way on leads back; ``onward`` has for each those that direct steps lead to.

    An inner entity that leads to no table is none: a subquery that is only tested takes no value further.

    >>> sorted(final_of({"S": ["T", "T.q"], "T": ["T", "OLD"], "OLD": ["T"], "T.q": []}, {"T.q"}))
    ['OLD', 'T', 'T.q']
    """
    found: set[str] = set()
    leading: set[str] = set()
    for circle in in_order(onward):
        beyond = {one for name in circle for one in onward[name]}.difference(circle)
        if beyond & leading or not {*circle} <= {*inner}:
            leading.update(circle)
        if not beyond & leading:
            found.update(circle)
    return frozenset(found)


def onward_of(populations: Iterable[Population], entities: Iterable[str]) -> dict[str, set[str]]:
    """Of each entity the ones that direct steps lead to."""
    found: dict[str, set[str]] = {name: set() for name in entities}
    for one in populations:
        for clause in one.clauses:
            for source in clause.sources:
                if source.subtype in DIRECT:
                    found.setdefault(entity_of(source.attribute), set()).add(entity_of(one.target))
                    found.setdefault(entity_of(one.target), set())
    return found


def _reached(start: set[str], following: Mapping[str, set[str]]) -> set[str]:
    """What the entities lead to, in one step or more."""
    found: set[str] = set()
    pending = list(start)
    while pending:
        fresh = following.get(pending.pop(), set()) - found
        found |= fresh
        pending += fresh
    return found


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
    known = by_entity(met)
    return frozenset(
        (carrier, target)
        for head in heads
        if len(filled[head.mapping]) < len(known.get(head.target, ()))
        for target in set(known.get(head.target, ())).difference(filled[head.mapping])
        if (carrier := f"{head.driving}.{local_of(target)}") in met
    )
