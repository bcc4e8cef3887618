"""What a store holds, by name: mappings' heads, entities, attributes, and what is known of each."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from mdw.model.answers.things import About, Neighbour
from mdw.model.candidates import by_entity
from mdw.model.dictionary import EntityEntry, entities_alike
from mdw.model.errors import QuestionError, did_you_mean, nearest
from mdw.model.name import entity_of, letters, local_of, parts
from mdw.model.passing import is_star
from mdw.model.rules import Head
from mdw.rdf.codec import decode_heads
from mdw.rdf.vocabulary import STEP_KINDS, attribute_iri, entity_iri, mapping_iri, name_of, reference
from mdw.store.dictionary import StoredDictionary
from mdw.store.engine import Store
from mdw.store.queries import first, references


def heads(store: Store) -> tuple[Head, ...]:
    """The head of every mapping, in order of name."""
    return tuple(sorted(decode_heads(head_texts(store)), key=lambda head: head.mapping))


def heads_after(store: Store, name: str, limit: int) -> tuple[Head, ...]:
    """So many of them at most, from the first whose name comes after a name; it need not be one."""
    names = sorted((name_of(iri), iri) for iri in first(store.select("mappings/names")))
    start = bisect_right(names, (name, "\uffff"))
    texts = first(store.select("mappings/some", mapping=[reference(iri) for _, iri in names[start : start + limit]]))
    return tuple(sorted(decode_heads(texts), key=lambda head: head.mapping))


def head_texts(store: Store) -> list[str]:
    """The same as the texts of `mdw.rdf.codec`, in no order."""
    return list(first(store.select("mappings/heads")))


def onward(store: Store, entities: Iterable[str]) -> list[tuple[str, str, bool]]:
    """The entities that direct steps lead to from these: each behind the one it is reached from; is it inner?"""
    rows = store.select("entities/onward", entity=references(entity_iri, sorted(entities)))
    return [(name_of(source), name_of(target), inner == "true") for source, target, inner in rows]


class Driven(NamedTuple):
    """A mapping that makes rows of an entity of those of another, and the digest of what it says."""

    target: str
    driving: str
    mapping: str
    digest: str


def driven(store: Store, entities: Iterable[str]) -> list[Driven]:
    """The mappings into entities, and into those that these are made of, and so on up, in no order."""
    found: list[Driven] = []
    asked: set[str] = set()
    pending = set(entities)
    while pending:
        asked |= pending
        rows = store.select("entities/driven", target=references(entity_iri, sorted(pending)))
        some = [
            Driven(name_of(target), name_of(driving), name_of(iri), digest) for target, driving, iri, digest in rows
        ]
        found += some
        pending = {one.driving for one in some} - asked
    return found


def heads_of(store: Store, mappings: Iterable[str]) -> tuple[Head, ...]:
    """The heads of mappings, in no order."""
    return decode_heads(list(first(store.select("mappings/some", mapping=references(mapping_iri, mappings)))))


def digest(store: Store, mappings: Iterable[str], known: Mapping[str, str]) -> str:
    """One digest of what mappings say: SHA-256 of lines ``name digest``, by name. Some digests may be ``known``."""
    named = set(mappings)
    said = {name: known[name] for name in named & known.keys()}
    asked = references(mapping_iri, sorted(named - said.keys()))
    said |= {name_of(iri): held for iri, held in store.select("store/digests", mapping=asked)} if asked else {}
    return sha256("".join(f"{name} {said[name]}\n" for name in sorted(said)).encode()).hexdigest()


def attributes(store: Store) -> tuple[str, ...]:
    """The canonical name of every attribute, in order."""
    return tuple(sorted(map(name_of, first(store.select("names/attributes")))))


def about_attribute(store: Store, name: str) -> About:
    """What is known of an attribute; QuestionError if no mapping mentions it and no dictionary lists it."""
    if not known(store, name):
        raise QuestionError(f"no mapping mentions the attribute {name}", missing=True)
    iri = [reference(attribute_iri(name))]
    steps = [
        Neighbour(name_of(source), name_of(target), name_of(mapping), STEP_KINDS.get(how, ""))
        for source, target, mapping, how in store.select("attributes/steps", attribute=iri)
    ]
    fills = tuple(sorted(map(name_of, first(store.select("attributes/mappings", attribute=iri)))))
    entry = StoredDictionary(store).entity(entity_of(name))
    return About(name, represented(store, iri), fills=fills, steps=tuple(sorted(steps)), entry=entry)


def about_entity(store: Store, name: str) -> About:
    """What is known of an entity, its attributes in order where the dictionary tells it.

    QuestionError if no mapping mentions it and no dictionary lists it.
    """
    iri = [reference(entity_iri(name))]
    said: defaultdict[str, set[str]] = defaultdict(set)
    for says, thing in store.select("entities/of", entity=iri):
        said[says].add(name_of(thing))
    entry = StoredDictionary(store).entity(name)
    if not said and entry is None:
        near = nearest(name, sorted(_entities(store)))
        raise QuestionError(f"no mapping mentions the entity {name}{did_you_mean(near)}", missing=True)
    found = {says: tuple(sorted(things)) for says, things in said.items()}
    return About(
        name,
        represented(store, iri),
        in_order(name, entry, found.get("attribute", ())),
        found.get("fills", ()),
        found.get("reads", ()),
        entry=entry,
    )


def attributes_mentioned(store: Store, entity: str) -> bool:
    """Whether mappings mention attributes of an entity."""
    found = store.select("entities/of", entity=[reference(entity_iri(entity))])
    return any(says == "attribute" for says, _ in found)


def attributes_of(store: Store, entity: str) -> tuple[str, ...]:
    """The attributes of an entity, in order as far as it is known; none if nobody mentions it."""
    found = store.select("entities/of", entity=[reference(entity_iri(entity))])
    mentioned = sorted(name_of(thing) for says, thing in found if says == "attribute")
    return in_order(entity, StoredDictionary(store).entity(entity), mentioned)


def in_order(entity: str, entry: EntityEntry | None, mentioned: Iterable[str]) -> tuple[str, ...]:
    """The attributes of an entity: as the dictionary lists them, then those that only mappings mention."""
    listed = [f"{entity}.{name}" for name in entry.columns] if entry else []
    # Where all are listed, what stands for all of them is none of them.
    others = [one for one in mentioned if not (entry and entry.whole and is_star(one))]
    return tuple(dict.fromkeys((*listed, *others)))


def unfilled(store: Store) -> list[tuple[str, str]]:
    """The attributes that give values and no mapping fills, each with a mapping that uses it.

    A star that is filled fills whatever is asked of its entity.
    """
    found = [(name_of(name), name_of(mapping)) for name, mapping in store.select("attributes/unfilled")]
    filled = set(map(name_of, first(store.select("names/stars")))) - {name for name, _ in found}
    starred = set(map(entity_of, filled))
    return [(name, mapping) for name, mapping in found if not is_star(name) and entity_of(name) not in starred]


def attributes_by_entity(store: Store, entities: Iterable[str]) -> dict[str, list[str]]:
    """The attributes of entities that mappings mention, in order of name; stars stand for others and are none."""
    return by_entity(sorted(name for name in _of(store, sorted(entities)) if not is_star(name)))


def represented(store: Store, things: list[str]) -> tuple[tuple[str, str], ...]:
    """The business terms that things represent, each with what it means."""
    return tuple(sorted({(label, meaning) for label, meaning in store.select("search/represents", thing=things)}))


def known(store: Store, attribute: str) -> bool:
    """Whether any mapping mentions the attribute, or the dictionary lists it."""
    return store.ask("names/known", attribute=[reference(attribute_iri(attribute))])


def ending_in(store: Store, attribute: str) -> tuple[str, ...]:
    """The known attributes whose names end in this one, whole parts only: CORE.PARTY.REGION in ``PARTY.REGION``.

    Those that mappings mention; only where there is none, those of the data dictionary.
    """
    entity = entity_of(attribute)
    entities = entities_ending_in(store, entity) if entity else _entities(store)
    if found := _mentioned(store, local_of(attribute), entities):
        return tuple(sorted(found))
    return tuple(sorted(_listed(store, local_of(attribute), f".{entity}" if entity else "")))


def spelled_alike(store: Store, attribute: str) -> tuple[str, ...]:
    """The known attributes whose names, or the ends of them, differ from this one in case and quotes alone.

    Those of whole names go before, then those of which more parts are the same.
    """
    entity, asked = letters(entity_of(attribute)), parts(attribute)
    found = [
        one
        for of in entities_alike_in_letters(store, entity)
        for one in attributes_of(store, of)
        if letters(local_of(one)) == letters(asked[-1])
    ]
    same = {one: (letters(one) == letters(attribute), _same(parts(one), asked)) for one in found}
    best = max(same.values(), default=None)
    return tuple(sorted(one for one in same if same[one] == best))


def entities_alike_in_letters(store: Store, entity: str) -> list[str]:
    """The known entities whose names, or the ends of them, are these letters; all of them for none."""
    known = {*_entities(store), *map(name_of, first(store.select("dictionary/entities")))}
    return sorted(one for one in known if not entity or f".{letters(one)}".endswith(f".{entity}"))


def _same(one: Sequence[str], asked: Sequence[str]) -> int:
    return sum(mine == its for mine, its in zip(reversed(one), reversed(asked), strict=False))


def spoken(store: Store, attribute: str) -> str:
    """The attribute as mappings name it, where the data dictionary has it with a catalogue that they leave out.

    Or the other way round; the same where mappings name it so, or none or several of theirs may be meant.
    """
    entity, local = entity_of(attribute), local_of(attribute)
    if _mentioned(store, local, [entity]):
        return attribute
    alike = _mentioned(store, local, [one for one in _entities(store) if entities_alike(one, entity)])
    return alike.pop() if len(alike) == 1 else attribute


def _entities(store: Store) -> list[str]:
    """The entities whose attributes mappings mention."""
    return list(map(name_of, first(store.select("names/entities"))))


def _mentioned(store: Store, local: str, entities: Iterable[str]) -> set[str]:
    """The attributes of a name, each of one of these entities, that mappings mention."""
    return _known(store, "names/mentioned", [f"{entity}.{local}" for entity in entities])


def _listed(store: Store, local: str, ending: str = "") -> set[str]:
    """The attributes of a name that the data dictionary lists, of the entities whose names have that ending."""
    names = map(name_of, first(store.select("dictionary/entities")))
    return _known(store, "names/listed", [f"{entity}.{local}" for entity in names if entity.endswith(ending)])


def _known(store: Store, query: str, attributes: Sequence[str]) -> set[str]:
    found = store.select(query, attribute=references(attribute_iri, attributes)) if attributes else ()
    return set(map(name_of, first(found)))


def spoken_entity(store: Store, entity: str) -> str:
    """The same of an entity."""
    if store.select("entities/of", entity=[reference(entity_iri(entity))]):
        return entity
    alike = {one for one in _entities(store) if entities_alike(one, entity)}
    return alike.pop() if len(alike) == 1 else entity


def entities_ending_in(store: Store, entity: str) -> tuple[str, ...]:
    """The known entities whose names end in this one, whole parts only."""
    return tuple(sorted(name for name in _entities(store) if name.endswith(f".{entity}")))


def _of(store: Store, entities: Sequence[str]) -> set[str]:
    """The known attributes of entities."""
    asked = references(entity_iri, entities)
    return set(map(name_of, first(store.select("names/of", entity=asked)))) if asked else set()


def near(store: Store, attribute: str) -> tuple[str, ...]:
    """Up to three known attributes most like a name: of its entity or its own name, else of entities like its own."""
    entity, local = entity_of(attribute), local_of(attribute)
    entities = _entities(store)
    # Likeness is slow to work out, so only names are compared that share the entity or their own name; only if none of
    # them is near, the entity itself may be mistyped.
    pool = {*_of(store, [entity]), *_mentioned(store, local, entities), *_listed(store, local)}
    if not (close := nearest(attribute, sorted(pool))):
        close = nearest(attribute, sorted(_of(store, nearest(entity, entities))))
    return tuple(close)
