"""The candidates of a question: the rules that may have a say in it, fetched in one round trip.

Property paths walk direct predicates (see queries/lineage and queries/impact): what flows, for passive answers; what
flows or decides, for active ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, islice
from typing import Protocol

from mdw.model.candidates import Candidates, carried, inner_of, made
from mdw.model.expressions import Condition
from mdw.model.name import entity_of, local_of
from mdw.model.passing import Filled, fed, filled, grouped, star_of
from mdw.model.query import ALL
from mdw.model.rules import Head, Mode, Population
from mdw.model.walks import attributes_of
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.rdf.vocabulary import attribute_iri, entity_iri, literal, name_of
from mdw.store.catalogue import attributes, driven, heads, heads_of, read
from mdw.store.engine import Store
from mdw.store.queries import first, references

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
    asked = [question.attribute, *(attributes_of(question.condition) if question.condition else ())]
    # The cone goes along what the carry rule has inferred; where that is out of date it would miss rules.
    if question.mode == "active" and not store.settled:
        return everything(store, asked)
    found = _Cone(stars=stars(store))
    found.take(store, question.mode, asked)
    entities = {entity_of(name) for name in found.met}
    rows = _Rows(store)
    rows.ask(entities, found.heads)
    if question.mode == "active":
        found.follow(store, rows)
    populations = tuple(found.rules.values())
    pairs = carried(found.heads.values(), populations, found.met) if question.mode == "active" else frozenset()
    feeding = read(store, entities)
    heads, passed = found.named()
    changes = rows.changes({*entities, *(head.target for head in heads.values())})
    return Candidates(heads, populations, pairs, rows.populated, feeding, rows.digests, passed, changes=changes)


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
        self.populated = made(self._pairs) | inner_of(chain.from_iterable(self.into.values()))

    def changes(self, entities: Iterable[str]) -> tuple[Head, ...]:
        """The mappings that change rows of the entities, or take them away, as far as these were asked for."""
        return tuple([head for entity in sorted(entities) for head in self.into.get(entity, ()) if head.update])


@dataclass
class _Cone:
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
        # Rules bring entities, whose rows other mappings make, whose filters bring rules: round and round until
        # nothing is added. Whether a row of a joined entity can exist depends on all of these (rule Q10).
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


def stars(store: Store) -> frozenset[str]:
    """The attributes that stand for all of an entity's."""
    return frozenset(map(name_of, first(store.select("names/near", entity=(), name=[literal(ALL)]))))


def everything(store: Store, asked: Iterable[str] = ()) -> Candidates:
    """The candidates of all questions, also of those asked that only a star stands for: every rule of the warehouse.

    It rests on nothing that was inferred: a store for reading only that nobody settled is answered from all its rules.
    """
    found = _Cone({head.mapping: head for head in heads(store)})
    found.rules = {(one.mapping, one.target): one for one in populations(store)}
    found.met = {*attributes(store), *asked}
    if stars(store):
        # Downwards, what a star hands on to its target under a name met above it; then upwards, what is asked of one.
        found.passed = fed(found.rules, found.met)
        found.rules |= found.passed
        more = filled(found.rules, found.met | {name for _, name in found.passed})
        found.rules |= more
        found.passed |= more
    every, passed = found.named()
    return replace(Candidates.whole(every, tuple(found.rules.values()), found.met), passed=passed)


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
        return everything(store, [question.attribute])
    found = _reached(store, question.attribute)
    heads, populations = found.heads, tuple(found.rules.values())
    targets = {head.target for head in heads.values()}
    if question.mode == "active":
        # A change of rows takes along what it does not set, though nothing of it flows into what it sets.
        changes, setting = _decoded(store.select("impact/changes", target=references(entity_iri, sorted(targets))))
        known = {(one.mapping, one.target) for one in populations}
        found.rules |= {key: one for one in setting if (key := (one.mapping, one.target)) not in known}
        found.heads |= changes
    entities = targets | {entity_of(question.attribute)}
    rows = _Rows(store)
    rows.ask(entities, heads)
    pairs: Iterable[Sequence[str]] = ()
    if question.mode == "active":
        if found.stars:
            found.take(store, "active", sorted(_mentioned(found)))
        found.follow(store, rows)
        filling = {head.target for head in found.heads.values()}
        pairs = store.select("impact/carried", target=references(entity_iri, sorted(filling)))
    carrying = frozenset((name_of(carrier), name_of(attribute)) for carrier, attribute in pairs)
    heads, passed = found.named()
    populations, feeding = tuple(found.rules.values()), read(store, entities)
    changing = rows.changes({*entities, *(head.target for head in heads.values())})
    return Candidates(heads, populations, carrying, rows.populated, feeding, rows.digests, passed, changes=changing)


def _reached(store: Store, attribute: str) -> _Cone:
    """All populations of every mapping that uses an attribute's values, those that a star stands for among them."""
    found = _Cone(stars=stars(store))
    pending = {attribute}
    while pending:
        found.met |= pending
        asked = found.met | {star for name in found.met if (star := star_of(name)) in found.stars}
        heads, populations = _decoded(store.select("impact/candidates", asked=references(attribute_iri, sorted(asked))))
        found.heads |= heads
        found.rules = {(one.mapping, one.target): one for one in populations} | found.passed
        more = fed(found.rules, found.met) if found.stars else {}
        found.rules |= more
        found.passed |= more
        pending = {target for _, target in more} - found.met
    found.met = set()
    return found


def deciding(store: Store, found: Candidates) -> Candidates:
    """The same, and the mappings that read rows of inner entities among them, on to where those of others are made.

    What only decides over rows of a CTE flows nowhere; what is made of these rows tells what it decides about.
    """
    heads, rules = dict(found.heads), {(one.mapping, one.target): one for one in found.populations}
    asked: set[str] = set()
    while pending := {head.target for head in heads.values() if head.inner} - asked:
        asked |= pending
        rows = store.select("impact/reading", entity=references(entity_iri, sorted(pending)))
        more, populations = _decoded(rows)
        heads = more | heads
        rules = {(one.mapping, one.target): one for one in populations} | rules
    return replace(found, heads=heads, populations=tuple(rules.values()))


def bounding(store: Store, found: Candidates) -> Candidates:
    """The same, and the mappings that make the inner entities these read: passive answers ask for values alone."""
    heads, rules = dict(found.heads), {(one.mapping, one.target): one for one in found.populations}
    asked: set[str] = set()
    pending = heads
    while entities := {name for head in pending.values() for name in (head.driving, *_beside(head))} - asked:
        asked |= entities
        rows = store.select("lineage/inner", target=references(entity_iri, sorted(entities)))
        pending, populations = _decoded(rows)
        heads = pending | heads
        rules = {(one.mapping, one.target): one for one in populations} | rules
    return replace(found, heads=heads, populations=tuple(rules.values()))


def _mentioned(found: _Cone) -> set[str]:
    """The attributes that rules use."""
    sources = {source.attribute for head in found.heads.values() for source in head.sources}
    clauses = (clause for one in found.rules.values() for clause in one.clauses)
    return sources | {source.attribute for clause in clauses for source in clause.sources}


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
