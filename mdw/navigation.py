"""Questions to the store: the candidate subgraph of a question in one round trip, trees, and names.

Property paths walk one direct predicate each (see queries/lineage and queries/impact): what flows, for passive
answers; what flows or decides, for active ones.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, islice
from typing import Protocol

from mdw.model.answers.things import About, Neighbour
from mdw.model.candidates import Candidates
from mdw.model.errors import QuestionError
from mdw.model.expressions import Condition, attributes_of
from mdw.model.name import entity_of, local_of
from mdw.model.rules import Head, Mode, Population
from mdw.model.tree import Node
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.rdf.graph import NodeRow, restore
from mdw.rdf.vocabulary import STEP_KINDS, attribute_iri, entity_iri, literal, mapping_iri, name_of, reference
from mdw.store import Store

# Trees rebuilt per query: enough to make the query pay, few enough to keep memory flat.
TREES = 200
# Populations decoded at once, for the same reasons.
RULES = 10_000
# Mappings whose rules are kept decoded.
KEPT = 2_000


class Asked(Protocol):
    """What navigation needs to know of a question."""

    @property
    def attribute(self) -> str: ...
    @property
    def condition(self) -> Condition | None: ...
    @property
    def mode(self) -> Mode: ...


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity the warehouse knows: how many of its attributes, and whether any mapping populates or reads it."""

    name: str
    attributes: int
    populated: bool
    read: bool


# -- candidates --------------------------------------------------------------------------------------------------------


def upstream(store: Store, question: Asked) -> Candidates:
    """The populations that may have a say in where the asked attribute's values come from.

    Active: the cone of influence of the attribute and of the initial condition. Passive: what flows into it.
    """
    asked = [question.attribute, *(attributes_of(question.condition) if question.condition else ())]
    rows = store.select(f"lineage/{question.mode}", asked=_references(attribute_iri, dict.fromkeys(asked)))
    heads, populations = _decoded(row for row in rows if row[0])
    met = {population.target for population in populations}
    met |= {name_of(end) for head, ends in rows if not head and ends for end in ends.split("\n")}
    pairs = carried(heads.values(), populations, met) if question.mode == "active" else frozenset()
    populated, feeding = _ends(store, {entity_of(name) for name in met})
    return Candidates(heads, populations, pairs, populated, feeding)


def everything(store: Store) -> Candidates:
    """The candidates of all questions: every rule of the warehouse."""
    every = {head.mapping: head for head in heads(store)}
    found = tuple(populations(store))
    pairs = carried(every.values(), found, set(attributes(store)))
    return Candidates(every, found, pairs, frozenset(head.target for head in every.values()))


def rules(store: Store) -> Iterator[str]:
    """The same as the texts of `mdw.rdf.codec`."""
    yield from (text for (text,) in store.stream("lineage/rules"))


def populations(store: Store) -> Iterator[Population]:
    """Every population, one after the other."""
    texts = rules(store)
    while some := list(islice(texts, RULES)):
        yield from decode_populations(some)


def downstream(store: Store, question: Asked) -> Candidates:
    """All populations of every mapping that uses the asked attribute's values, at first hand or passed on."""
    asked = _references(attribute_iri, [question.attribute])
    heads, populations = _decoded(store.select("impact/candidates", asked=asked))
    targets = {head.target for head in heads.values()}
    pairs: Iterable[Sequence[str]] = ()
    if question.mode == "active":
        pairs = store.select("impact/carried", target=_references(entity_iri, targets))
    carrying = frozenset((name_of(carrier), name_of(attribute)) for carrier, attribute in pairs)
    populated, feeding = _ends(store, targets | {entity_of(question.attribute)})
    return Candidates(heads, populations, carrying, populated, feeding)


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


class Filling(Protocol):
    """What the carry rule asks of a population."""

    @property
    def mapping(self) -> str: ...
    @property
    def target(self) -> str: ...


def carried(heads: Iterable[Head], populations: Iterable[Filling], met: set[str]) -> frozenset[tuple[str, str]]:
    """The pairs the carry rule has found: where it applies, the cone holds both attributes."""
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


def _ends(store: Store, entities: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Of these entities, the ones some mapping populates, and the ones some mapping reads."""
    rows = store.select("entities/ends", entity=_references(entity_iri, entities))
    named = [(name_of(iri), populated, read) for iri, populated, read in rows]
    populated = frozenset(name for name, populated, _ in named if populated == "true")
    return populated, frozenset(name for name, _, read in named if read == "true")


def _references(iri: Callable[[str], str], names: Iterable[str]) -> list[str]:
    return [reference(iri(name)) for name in names]


# -- trees -------------------------------------------------------------------------------------------------------------


def trees(
    store: Store, names: Iterable[str] | None = None, *, mentioning: str | None = None
) -> Iterator[tuple[str, Node]]:
    """Mappings' names and parse trees, in order of name: all, the named ones, or those that mention a name.

    ``mentioning`` is the canonical name of an entity or attribute.
    """
    if names is not None:
        iris = [mapping_iri(name) for name in names]
    elif mentioning is not None:
        attribute, entity = (_references(iri, [mentioning]) for iri in (attribute_iri, entity_iri))
        iris = _first(store.select("mappings/mentioning", attribute=attribute, entity=entity))
    else:
        iris = _first(store.select("mappings/names"))
    iris.sort(key=name_of)
    for start in range(0, len(iris), TREES):
        yield from _restored(store, iris[start : start + TREES])


def tree(store: Store, mapping: str) -> Node:
    """The parse tree of one mapping; QuestionError, with the names most like it, if there is none."""
    for _, found in trees(store, [mapping]):
        return found
    raise _unknown(store, mapping)


def mappings(store: Store, names: Iterable[str]) -> list[str]:
    """The IRIs of mappings; QuestionError, with the names most like it, if there is one the store does not hold."""
    iris = {name: mapping_iri(name) for name in names}
    held = _first(store.select("store/digests", mapping=map(reference, iris.values())))
    for name, iri in iris.items():
        if iri not in held:
            raise _unknown(store, name)
    return list(iris.values())


def _restored(store: Store, iris: list[str]) -> Iterator[tuple[str, Node]]:
    values = [reference(iri) for iri in iris]
    nodes: defaultdict[str, list[NodeRow]] = defaultdict(list)
    for mapping, *row in store.select("trees/nodes", mapping=values):
        nodes[mapping].append(NodeRow(*row))
    places = {mapping: (places, file) for mapping, file, places in store.select("trees/places", mapping=values)}
    for iri in iris:
        if iri in nodes:
            yield name_of(iri), restore(nodes[iri], *places.get(iri, ()))


def _first(rows: Iterable[Sequence[str]]) -> list[str]:
    return [row[0] for row in rows]


# -- names -------------------------------------------------------------------------------------------------------------


def heads(store: Store) -> tuple[Head, ...]:
    """The head of every mapping, in order of name."""
    return tuple(sorted(decode_heads(head_texts(store)), key=lambda head: head.mapping))


def heads_after(store: Store, name: str, limit: int) -> tuple[Head, ...]:
    """So many of them at most, from the first whose name comes after a name; it need not be one."""
    names = sorted((name_of(iri), iri) for iri in _first(store.select("mappings/names")))
    start = bisect_right(names, (name, "\uffff"))
    texts = _first(store.select("mappings/some", mapping=[reference(iri) for _, iri in names[start : start + limit]]))
    return tuple(sorted(decode_heads(texts), key=lambda head: head.mapping))


def head_texts(store: Store) -> list[str]:
    """The same as the texts of `mdw.rdf.codec`, in no order."""
    return list(_first(store.select("mappings/heads")))


def entities(store: Store) -> tuple[Entity, ...]:
    """Every entity, in order of name."""
    counts = {name_of(iri): int(count) for iri, count in store.select("entities/list")}
    populated, feeding = _ends(store, counts)
    return tuple(Entity(name, counts[name], name in populated, name in feeding) for name in sorted(counts))


def attributes(store: Store) -> tuple[str, ...]:
    """The canonical name of every attribute, in order."""
    return tuple(sorted(map(name_of, _first(store.select("names/attributes")))))


def about_attribute(store: Store, name: str) -> About:
    """What is known of an attribute; QuestionError if no mapping mentions it."""
    if not known(store, name):
        raise QuestionError(f"no mapping mentions the attribute {name}", missing=True)
    iri = [reference(attribute_iri(name))]
    steps = [
        Neighbour(name_of(source), name_of(target), name_of(mapping), STEP_KINDS.get(how, ""))
        for source, target, mapping, how in store.select("attributes/steps", attribute=iri)
    ]
    fills = tuple(sorted(map(name_of, _first(store.select("attributes/mappings", attribute=iri)))))
    return About(name, represented(store, iri), fills=fills, steps=tuple(sorted(steps)))


def about_entity(store: Store, name: str) -> About:
    """What is known of an entity; QuestionError if no mapping mentions it."""
    iri = [reference(entity_iri(name))]
    said: defaultdict[str, set[str]] = defaultdict(set)
    for says, thing in store.select("entities/of", entity=iri):
        said[says].add(name_of(thing))
    if not said:
        raise QuestionError(f"no mapping mentions the entity {name}", missing=True)
    found = {says: tuple(sorted(things)) for says, things in said.items()}
    return About(
        name,
        represented(store, iri),
        found.get("attribute", ()),
        found.get("fills", ()),
        found.get("reads", ()),
    )


def represented(store: Store, things: list[str]) -> tuple[tuple[str, str], ...]:
    """The business terms that things represent, each with what it means."""
    return tuple(sorted({(label, meaning) for label, meaning in store.select("search/represents", thing=things)}))


def known(store: Store, attribute: str) -> bool:
    """Whether any mapping mentions the attribute."""
    return store.ask("names/known", attribute=[reference(attribute_iri(attribute))])


def near(store: Store, attribute: str) -> tuple[str, ...]:
    """Up to three known attributes most like a name: of its entity or its own name, else of entities like its own."""
    entity, name = entity_of(attribute), [literal(local_of(attribute))]
    pool = _first(store.select("names/near", entity=_references(entity_iri, [entity]), name=name))
    if not (close := get_close_matches(attribute, sorted(map(name_of, pool)), 3)):
        names = map(name_of, _first(store.select("names/entities")))
        pool = _first(
            store.select("names/near", entity=_references(entity_iri, get_close_matches(entity, names)), name=())
        )
        close = get_close_matches(attribute, sorted(map(name_of, pool)), 3)
    return tuple(close)


def _unknown(store: Store, mapping: str) -> QuestionError:
    close = get_close_matches(mapping, map(name_of, _first(store.select("mappings/names"))), 3)
    return QuestionError(f"there is no mapping {mapping}" + _hint(close), missing=True)


def _hint(close: Sequence[str]) -> str:
    return f"; did you mean {' or '.join(close)}?" if close else ""
