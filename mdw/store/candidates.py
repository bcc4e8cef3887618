"""The candidates of a question: the rules that may have a say in it, fetched in one round trip.

Property paths walk one direct predicate each (see queries/lineage and queries/impact): what flows, for passive
answers; what flows or decides, for active ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Protocol

from mdw.model.candidates import Candidates, carried
from mdw.model.expressions import Condition, attributes_of
from mdw.model.name import entity_of
from mdw.model.rules import Head, Mode, Population
from mdw.rdf.codec import decode_heads, decode_populations
from mdw.rdf.vocabulary import attribute_iri, entity_iri, name_of
from mdw.store.catalogue import attributes, ends, heads
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
    rows = store.select(f"lineage/{question.mode}", asked=references(attribute_iri, dict.fromkeys(asked)))
    heads, populations = _decoded(row for row in rows if row[0])
    # An attribute that nobody populates comes without rules, and is met all the same: the carry rule looks for it.
    met = {population.target for population in populations}
    met |= {name_of(end) for head, ends in rows if not head and ends for end in ends.split("\n")}
    pairs = carried(heads.values(), populations, met) if question.mode == "active" else frozenset()
    populated, feeding = ends(store, {entity_of(name) for name in met})
    return Candidates(heads, populations, pairs, populated, feeding)


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
    pairs: Iterable[Sequence[str]] = ()
    if question.mode == "active":
        pairs = store.select("impact/carried", target=references(entity_iri, targets))
    carrying = frozenset((name_of(carrier), name_of(attribute)) for carrier, attribute in pairs)
    populated, feeding = ends(store, targets | {entity_of(question.attribute)})
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
