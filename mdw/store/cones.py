"""Rules as they are fetched from the store for a question: those with a say in attributes, and those that make rows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from mdw.model.candidates import inner_of, made, unread
from mdw.model.name import entity_of, local_of
from mdw.model.passing import Filled, filled, grouped, star_of
from mdw.model.rules import Head, Mode, Population
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.rdf.vocabulary import attribute_iri, entity_iri, name_of
from mdw.store.catalogue import driven, heads_of
from mdw.store.engine import Store
from mdw.store.queries import first, references

# Mappings whose rules are kept decoded.
KEPT = 2_000


@dataclass
class Rows:
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
        self.populated = made(self._pairs) | inner_of(chain.from_iterable(self.into.values()))

    def changes(self, entities: Iterable[str], known: Mapping[str, Head]) -> tuple[Head, ...]:
        """The mappings that change rows of the entities, take or add some, as far as these were asked for.

        And those that make rows of which these look at none of the attributes: that there are some decides (rule Q38),
        be it through a subquery.
        """
        into = (head for entity in sorted(entities) for head in self.into.get(entity, ()))
        found = {head.mapping: head for head in into if head.update or head.changes_rows}
        pending = [head for head in found.values() if head.changes_rows]
        seen: set[str] = set()
        while pending:
            missed = {entity for head in pending for entity in unread(head)} - seen
            read = {entity for head in pending for entity in (head.driving, *beside(head))} - seen - missed
            seen |= missed | read
            self.ask(missed, known)
            pending = [head for entity in sorted(missed) for head in self.into[entity]]
            if read:
                inner, _ = decoded(self.store.select("lineage/inner", target=references(entity_iri, sorted(read))))
                pending += inner.values()
            found |= {head.mapping: head for head in pending}
        return tuple(found.values())


@dataclass
class Cone:
    """Rules as they are brought together; ``met`` are the attributes that have a say.

    ``stars`` are the attributes of the store that stand for all of an entity's, ``passed`` the rules they stand for.
    """

    heads: dict[str, Head] = field(default_factory=dict)
    rules: Filled = field(default_factory=dict)
    met: set[str] = field(default_factory=set)
    stars: frozenset[str] = frozenset()
    passed: Filled = field(default_factory=dict)

    def take(self, store: Store, mode: Mode, asked: Iterable[str]) -> None:
        """The rules with a say in attributes, those among them that a star stands for."""
        # One round trip, but for stars: `SELECT * FROM s` that could not be expanded feeds whatever is asked of its
        # target (rule Q22). Which attributes that concerns is known here, not to a property path; each round of them
        # may lead to another star further up.
        pending = set(asked)
        while pending:
            self._take(store, mode, sorted(pending))
            if not self.stars:
                return
            # The rules of a star that nobody asked for stay out of what has a say: it stands for what is asked.
            self.met |= pending
            stars = {star for name in self.met if (star := star_of(name)) in self.stars} - self.met
            if stars:
                self._take(store, mode, sorted(stars))
                self.met |= stars
            more = filled(self.rules, self.met)
            self.rules |= more
            self.passed |= more
            sources = {source.attribute for one in more.values() for part in one.clauses for source in part.sources}
            pending = sources - self.met

    def named(self) -> tuple[dict[str, Head], frozenset[tuple[str, str]]]:
        """The heads, those of stars with the names they stand for, and which rules no mapping has."""
        names: defaultdict[str, set[str]] = defaultdict(set)
        for mapping, target in self.passed:
            names[mapping].add(local_of(target))
        heads = self.heads | {mapping: grouped(self.heads[mapping], some) for mapping, some in names.items()}
        return heads, frozenset(self.passed)

    def _take(self, store: Store, mode: Mode, asked: Iterable[str]) -> None:
        rows = store.select(f"lineage/{mode}", asked=references(attribute_iri, dict.fromkeys(asked)))
        heads, populations = decoded(row for row in rows if row[0])
        self.heads |= heads
        self.rules |= {(one.mapping, one.target): one for one in populations}
        # An attribute that nobody populates comes without rules, and is met all the same: the carry rule looks for it.
        self.met |= {population.target for population in populations}
        self.met |= {name_of(end) for head, ends in rows if not head and ends for end in ends.split("\n")}

    def follow(self, store: Store, rows: Rows) -> None:
        """The rules with a say in which rows are there: of those joined, and those constants and gaps come with.

        What decides whether these are there may come with other rows, or be joined with some, and so on.
        """
        # Rules bring entities, whose rows other mappings make, whose filters bring rules: round and round until
        # nothing is added. Whether a row of a joined entity can exist depends on all of these (rule Q10).
        seen: set[str] = set()
        while True:
            self.make(rows, seen)
            deciding = {source.attribute for head in self.heads.values() for source in head.sources}
            if deciding <= self.met and self._entities() <= seen:
                return
            self.take(store, "active", sorted(deciding - self.met))

    def make(self, rows: Rows, seen: set[str]) -> None:
        """The mappings that make the rows needed; ``seen`` are entities of which that is done."""
        pending = self._entities() - seen
        while pending:
            seen |= pending
            rows.ask(pending, self.heads)
            some = [head for entity in sorted(pending & rows.populated) for head in rows.into[entity]]
            self.heads |= {head.mapping: head for head in some}
            pending = {entity for head in some for entity in (head.driving, *beside(head))} - seen

    def _entities(self) -> set[str]:
        """The entities that rules need rows of, whatever their attributes hold."""
        filled = {target for _, target in self.rules}
        written = [one for one in self.rules.values() if any(clause.sourceless for clause in one.clauses)]
        found = {self.heads[one.mapping].driving for one in written} | {entity_of(name) for name in self.met - filled}
        return found.union(*map(beside, self.heads.values()))


def beside(head: Head) -> list[str]:
    """The entities whose rows a mapping puts together."""
    return [head.driving, *(join.entity for join in head.joins)] if head.joins else []


def stars(store: Store) -> frozenset[str]:
    """The attributes that stand for all of an entity's."""
    return frozenset(map(name_of, first(store.select("names/stars"))))


def decoded(rows: Iterable[Sequence[str]]) -> tuple[dict[str, Head], tuple[Population, ...]]:
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
