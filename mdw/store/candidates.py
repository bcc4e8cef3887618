"""The candidates of a question: the rules that may have a say in it, fetched in one round trip.

Property paths walk direct predicates (see queries/lineage and queries/impact): what flows, for passive answers; what
flows or decides, for active ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from typing import Protocol

from mdw.model.candidates import Candidates, carried, made
from mdw.model.expressions import Condition, attributes_of
from mdw.model.name import entity_of
from mdw.model.rules import Head, Mode, Population
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.rdf.vocabulary import attribute_iri, entity_iri, name_of
from mdw.store.catalogue import attributes, driven, heads, heads_of, read
from mdw.store.engine import Store
from mdw.store.queries import references

# Populations decoded at once: enough to make the query pay, few enough to keep memory flat.
RULES = 10_000
# Mappings whose rules are kept decoded.
KEPT = 2_000


class Inquiry(Protocol):
    """What navigation needs to know of a question."""

    @property
    def attribute(self) -> str: ...
    @property
    def condition(self) -> Condition | None: ...
    @property
    def mode(self) -> Mode: ...


def upstream(store: Store, question: Inquiry) -> Candidates:
    """The populations that may have a say in where the asked attribute's values come from.

    Active: the cone of influence of the attribute and of the initial condition. Passive: what flows into it.
    """
    if question.mode == "active" and not store.settled:
        return everything(store)
    asked = [question.attribute, *(attributes_of(question.condition) if question.condition else ())]
    found = _Cone()
    found.take(store, question.mode, asked)
    entities = {entity_of(name) for name in found.met}
    rows = _Rows(store)
    rows.ask(entities, found.heads)
    if question.mode == "active":
        found.follow(store, rows)
    populations = tuple(found.rules.values())
    pairs = carried(found.heads.values(), populations, found.met) if question.mode == "active" else frozenset()
    feeding = read(store, entities)
    return Candidates(found.heads, populations, pairs, rows.populated, feeding, rows.digests)


@dataclass
class _Rows:
    """The mappings that make rows of the entities asked for, and of those these are made of, as they are fetched."""

    store: Store
    into: defaultdict[str, list[Head]] = field(default_factory=lambda: defaultdict(list))
    populated: frozenset[str] = frozenset()
    digests: dict[str, str] = field(default_factory=dict)
    _asked: set[str] = field(default_factory=set)
    _pairs: set[tuple[str, str]] = field(default_factory=set)
    _heads: dict[str, Head] = field(default_factory=dict)

    def ask(self, entities: set[str], known: Mapping[str, Head]) -> None:
        """Fetch the mappings into the entities, and so on up, as far as that was not done; some are ``known``."""
        fresh = entities - self._asked
        if not fresh:
            return
        found = [one for one in driven(self.store, fresh) if one.mapping not in self.digests]
        self.digests |= {one.mapping: one.digest for one in found}
        unknown = sorted(self.digests.keys() - known.keys() - self._heads.keys())
        self._heads |= {head.mapping: head for head in heads_of(self.store, unknown)} if unknown else {}
        for one in found:
            self._asked |= {one.driving, one.target}
            self._pairs.add((one.driving, one.target))
            self.into[one.target].append(known.get(one.mapping) or self._heads[one.mapping])
        self._asked |= fresh
        self.populated = made(self._pairs)


@dataclass
class _Cone:
    """Rules as they are brought together; ``met`` are the attributes that have a say."""

    heads: dict[str, Head] = field(default_factory=dict)
    rules: dict[tuple[str, str], Population] = field(default_factory=dict)
    met: set[str] = field(default_factory=set)

    def take(self, store: Store, mode: Mode, asked: Iterable[str]) -> None:
        """The rules with a say in attributes."""
        rows = store.select(f"lineage/{mode}", asked=references(attribute_iri, dict.fromkeys(asked)))
        heads, populations = _decoded(row for row in rows if row[0])
        self.heads |= heads
        self.rules |= {(one.mapping, one.target): one for one in populations}
        # An attribute that nobody populates comes without rules, and is met all the same: the carry rule looks for it.
        self.met |= {population.target for population in populations}
        self.met |= {name_of(end) for head, ends in rows if not head and ends for end in ends.split("\n")}

    def follow(self, store: Store, rows: _Rows) -> None:
        """The rules with a say in which rows are there: of those joined, and those constants and gaps come with.

        What decides whether these are there may come with other rows, or be joined with some, and so on.
        """
        seen: set[str] = set()
        while True:
            pending = self._entities() - seen
            while pending:
                seen |= pending
                rows.ask(pending, self.heads)
                some = [head for entity in sorted(pending & rows.populated) for head in rows.into[entity]]
                self.heads |= {head.mapping: head for head in some}
                pending = {entity for head in some for entity in (head.driving, *_beside(head))} - seen
            deciding = {source.attribute for head in self.heads.values() for source in head.sources}
            if deciding <= self.met and self._entities() <= seen:
                return
            self.take(store, "active", sorted(deciding - self.met))

    def _entities(self) -> set[str]:
        """The entities that rules need rows of, whatever their attributes hold."""
        filled = {target for _, target in self.rules}
        written = [one for one in self.rules.values() if any(clause.sourceless for clause in one.clauses)]
        found = {self.heads[one.mapping].driving for one in written} | {entity_of(name) for name in self.met - filled}
        return found.union(*map(_beside, self.heads.values()))


def _beside(head: Head) -> list[str]:
    """The entities whose rows a mapping puts together."""
    return [head.driving, *(join.entity for join in head.joins)] if head.joins else []


def everything(store: Store) -> Candidates:
    """The candidates of all questions: every rule of the warehouse.

    It rests on nothing that was inferred: a store for reading only that nobody settled is answered from all its rules.
    """
    every = {head.mapping: head for head in heads(store)}
    return Candidates.whole(every, tuple(populations(store)), set(attributes(store)))


def rules(store: Store) -> Iterator[str]:
    """The same as the texts of `mdw.rdf.codec`."""
    yield from (text for (text,) in store.stream("lineage/rules"))


def populations(store: Store) -> Iterator[Population]:
    """Every population, one after the other."""
    texts = rules(store)
    while some := list(islice(texts, RULES)):
        yield from decode_populations(some)


def downstream(store: Store, question: Inquiry) -> Candidates:
    """All populations of every mapping that uses the asked attribute's values, at first hand or passed on."""
    if question.mode == "active" and not store.settled:
        return everything(store)
    asked = references(attribute_iri, [question.attribute])
    heads, populations = _decoded(store.select("impact/candidates", asked=asked))
    targets = {head.target for head in heads.values()}
    if question.mode == "active":
        # A change of rows takes along what it does not set, though nothing of it flows into what it sets.
        changes, setting = _decoded(store.select("impact/changes", target=references(entity_iri, sorted(targets))))
        known = {(one.mapping, one.target) for one in populations}
        populations += tuple(one for one in setting if (one.mapping, one.target) not in known)
        heads |= changes
    entities = targets | {entity_of(question.attribute)}
    rows = _Rows(store)
    rows.ask(entities, heads)
    pairs: Iterable[Sequence[str]] = ()
    if question.mode == "active":
        found = _Cone(heads, {(one.mapping, one.target): one for one in populations})
        found.follow(store, rows)
        heads, populations = found.heads, tuple(found.rules.values())
        filled = {head.target for head in heads.values()}
        pairs = store.select("impact/carried", target=references(entity_iri, sorted(filled)))
    carrying = frozenset((name_of(carrier), name_of(attribute)) for carrier, attribute in pairs)
    return Candidates(heads, populations, carrying, rows.populated, read(store, entities), rows.digests)


def _decoded(rows: Iterable[Sequence[str]]) -> tuple[dict[str, Head], tuple[Population, ...]]:
    """Heads by mapping, and populations, of rows of both as texts; what was decoded lately is not decoded again."""
    texts = list(rows)
    heads = [_head(head) for head in dict.fromkeys(head for head, _ in texts if head)]
    populations = [_populations(rules) for _, rules in texts if rules]
    return {head.mapping: head for head in heads}, tuple(chain.from_iterable(populations))


@lru_cache(maxsize=KEPT)
def _head(text: str) -> Head:
    (head,) = decode_heads([text])
    return head


@lru_cache(maxsize=KEPT)
def _populations(texts: str) -> tuple[Population, ...]:
    return decode_populations([texts])
