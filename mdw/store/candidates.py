"""The candidates of a question: the rules that may have a say in it, fetched in one round trip.

Property paths walk direct predicates (see queries/lineage and queries/impact): what flows, for passive answers; what
flows or decides, for active ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Protocol

from mdw.model.candidates import Candidates, carried, final_of, onward_of
from mdw.model.expressions import Condition
from mdw.model.name import entity_of
from mdw.model.passing import fed, filled, star_of
from mdw.model.rules import Mode, Population
from mdw.model.walks import attributes_of
from mdw.rdf.codec import decode_populations, encode_head, encode_population
from mdw.rdf.vocabulary import attribute_iri, entity_iri, name_of
from mdw.store.catalogue import attributes, attributes_by_entity, head_texts, heads, onward
from mdw.store.cones import Cone, Rows, beside, decoded, stars
from mdw.store.engine import Store
from mdw.store.queries import references

# Populations decoded at once: enough to make the query pay, few enough to keep memory flat.
RULES = 10_000


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
    found = Cone(stars=stars(store))
    found.take(store, question.mode, asked)
    entities = {entity_of(name) for name in found.met}
    rows = Rows(store)
    rows.ask(entities, found.heads)
    if question.mode == "active":
        found.follow(store, rows)
    else:
        found.make(rows, set())
    populations = tuple(found.rules.values())
    pairs = carried(found.heads.values(), populations, found.met) if question.mode == "active" else frozenset()
    heads, passed = found.named()
    read = (name for head in heads.values() for name in (head.target, head.driving, *beside(head)))
    changes = rows.changes({*entities, *read}, found.heads)
    return Candidates(heads, populations, pairs, rows.populated, digests=rows.digests, passed=passed, changes=changes)


def everything(store: Store, asked: Iterable[str] = ()) -> Candidates:
    """The candidates of all questions, also of those asked that only a star stands for: every rule of the warehouse.

    It rests on nothing that was inferred: a store for reading only that nobody settled is answered from all its rules.
    """
    found = Cone({head.mapping: head for head in heads(store)})
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
    """Every population as the text of `mdw.rdf.codec`."""
    yield from (text for (text,) in store.stream("lineage/rules"))


def texts(store: Store) -> tuple[list[str], list[str]]:
    """The populations and the heads of all questions as texts of `mdw.rdf.codec`.

    They are what the store holds; only where stars stand for attributes rules are decoded, and those of these added.
    """
    if not stars(store):
        return list(rules(store)), head_texts(store)
    found = everything(store)
    return [*map(encode_population, found.populations)], [*map(encode_head, found.heads.values())]


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
        changes, setting = decoded(store.select("impact/changes", target=references(entity_iri, sorted(targets))))
        known = {(one.mapping, one.target) for one in populations}
        found.rules |= {key: one for one in setting if (key := (one.mapping, one.target)) not in known}
        found.heads |= changes
    entities = targets | {entity_of(question.attribute)}
    rows = Rows(store)
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
    populations = tuple(found.rules.values())
    final = _final(store, entities, found)
    changing = rows.changes({*entities, *(head.target for head in heads.values())}, found.heads)
    return _naming(
        store, Candidates(heads, populations, carrying, rows.populated, final, rows.digests, passed, changes=changing)
    )


def _reached(store: Store, attribute: str) -> Cone:
    """All populations of every mapping that uses an attribute's values, those that a star stands for among them."""
    found = Cone(stars=stars(store))
    pending = {attribute}
    while pending:
        found.met |= pending
        asked = found.met | {star for name in found.met if (star := star_of(name)) in found.stars}
        heads, populations = decoded(store.select("impact/candidates", asked=references(attribute_iri, sorted(asked))))
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
        more, populations = decoded(rows)
        heads = more | heads
        rules = {(one.mapping, one.target): one for one in populations} | rules
    return _naming(store, replace(found, heads=heads, populations=tuple(rules.values())))


def _final(store: Store, entities: Iterable[str], found: Cone) -> frozenset[str]:
    """The final entities among these: of what seems to be one the store is asked where its values go."""
    known = onward_of(found.rules.values(), entities)
    inner = {head.target for head in found.heads.values() if head.inner}
    asked: set[str] = set()
    # Whatever leads on to one that is final, and not back from there, is none: of that nothing more need be known.
    while pending := (final := final_of(known, inner)) - asked:
        asked |= pending
        for source, target, within in onward(store, pending):
            known[source].add(target)
            known.setdefault(target, set())
            inner |= {target} if within else set()
    return final


def _naming(store: Store, found: Candidates) -> Candidates:
    """The same with the attributes over all of which a mapping decides that takes rows away or adds some (Q38)."""
    changed = {head.target for head in found.heads.values() if head.changes_rows}
    return replace(found, names=attributes_by_entity(store, changed)) if changed else found


def bounding(store: Store, found: Candidates, mode: Mode) -> Candidates:
    """The same, and the mappings that make the inner entities these read, as far as they were not asked for.

    Passive answers ask for values alone, active ones not for what decides which rows are taken away or added (Q38).
    """
    changing = {head.mapping: head for head in found.changes if head.changes_rows or not head.update}
    heads, rules = {**changing, **found.heads}, {(one.mapping, one.target): one for one in found.populations}
    asked: set[str] = set()
    pending = heads if mode == "passive" else changing
    while entities := {name for head in pending.values() for name in (head.driving, *beside(head))} - asked:
        asked |= entities
        rows = store.select("lineage/inner", target=references(entity_iri, sorted(entities)))
        pending, populations = decoded(rows)
        heads = pending | heads
        rules = {(one.mapping, one.target): one for one in populations} | rules
    return replace(found, heads=heads, populations=tuple(rules.values()))


def _mentioned(found: Cone) -> set[str]:
    """The attributes that rules use."""
    sources = {source.attribute for head in found.heads.values() for source in head.sources}
    clauses = (clause for one in found.rules.values() for clause in one.clauses)
    return sources | {source.attribute for clause in clauses for source in clause.sources}
