"""Entries of the data dictionary <-> RDF: one named graph for each entity, which holds all that is told of it.

Of ``CREATE TABLE t (a INT PRIMARY KEY)`` the graph says (shortened):

    <urn:mdw:dictionary:T> mdw:describes <urn:mdw:entity:T>; mdw:whole true; mdw:kind "table"; mdw:listing "A" .
    <urn:mdw:attribute:T.A> mdw:listedFor <urn:mdw:entity:T>; mdw:keyPosition 1; mdw:type "INT" .
    <urn:mdw:dictionary:T> mdw:digest "..." .
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

from mdw.model.dictionary import AttributeEntry, EntityEntry, Reference
from mdw.model.name import local_of, of_field, parts
from mdw.rdf.graph import MappingGraph
from mdw.rdf.vocabulary import MDW, PREFIXES, attribute_iri, dictionary_iri, entity_iri, literal, name_of

COMMENT = f"{PREFIXES['rdfs']}comment"
LABEL = f"{PREFIXES['rdfs']}label"
ATTRIBUTE_TEXTS = {
    "type": "type",
    "default": "default",
    "computed": "formula",
    "fields": "fields",
    "collation": "collation",
    "fills": "filledIn",
}
"""What is told of an attribute as a text, and the property that says it."""
ENTITY_TEXTS = {"kind": "kind", "file": "file", "dialect": "dialect", "definition": "definition"}
FLAGS = ("identity", "required")

Triple = tuple[str, str, str]


def describe_entry(entry: EntityEntry) -> MappingGraph:
    """The graph of an entry."""
    iri, entity = dictionary_iri(entry.name), entity_iri(entry.name)
    lines = [*_entity(entry, iri, entity)]
    lower = _in_lower_case(entry)
    if lower:
        lines.append(f"<{iri}> mdw:lowerCase true")
    if entry.attributes:
        # A name has no dot outside back quotes: names in order are one text, and no triple each.
        lines.append(f"<{iri}> mdw:listing {literal('.'.join(entry.columns))}")
    for one in entry.attributes:
        lines += _attribute(one, entry, lower=lower)
    for number, reference in enumerate(entry.references, 1):
        lines += _reference(reference, f"{iri}/r{number}", iri, entry.name)
    # The order of the statements is fixed: entries that say the same have the same digest.
    body = "".join(f"{line}.\n" for line in lines)
    digest = blake2b(body.encode(), digest_size=16).hexdigest()
    block = f'GRAPH <{iri}> {{\n{body}<{iri}> mdw:digest "{digest}".\n}}\n'
    return MappingGraph(iri, digest, block, frozenset([entity]), len(lines) + 1)


def _entity(entry: EntityEntry, iri: str, entity: str) -> Iterator[str]:
    yield f"<{iri}> a mdw:EntityEntry"
    yield f"<{iri}> mdw:describes <{entity}>"
    if entry.whole:
        yield f"<{iri}> mdw:whole true"
    if entry.unsteady:
        yield f"<{iri}> mdw:unsteady true"
    for field, word in ENTITY_TEXTS.items():
        if getattr(entry, field):
            yield f"<{iri}> mdw:{word} {literal(getattr(entry, field))}"
    yield from _meaning(entry, f"<{entity}>")


def _in_lower_case(entry: EntityEntry) -> bool:
    """Whether attributes without a spelling of their own are spelled in lower case: then it is said once for all."""
    return any(one.label for one in entry.attributes) and all(
        one.label or not _lower(one.name) for one in entry.attributes
    )


def _lower(name: str) -> str:
    """A name in lower case, if that is another spelling."""
    lower = name.lower()
    return lower if lower != name else ""


def _attribute(one: AttributeEntry, entry: EntityEntry, *, lower: bool) -> Iterator[str]:
    iri = f"<{attribute_iri(f'{entry.name}.{one.name}')}>"
    yield f"{iri} mdw:listedFor <{entity_iri(entry.name)}>"
    if one.name in entry.key:
        yield f"{iri} mdw:keyPosition {entry.key.index(one.name) + 1}"
    for field, word in ATTRIBUTE_TEXTS.items():
        if getattr(one, field):
            yield f"{iri} mdw:{word} {literal(getattr(one, field))}"
    if one.label and not (lower and one.label == _lower(one.name)):
        yield f"{iri} rdfs:label {literal(one.label)}"
    for path in one.paths if one.fields else ():
        # In mappings it is an attribute, which nobody should miss in the dictionary.
        own = of_field(one.name, path)
        yield f"<{attribute_iri(f'{entry.name}.{own}')}> mdw:listedFor <{entity_iri(entry.name)}>"
    yield from (f"{iri} mdw:{flag} true" for flag in FLAGS if getattr(one, flag))
    yield from _meaning(one, iri)


def _meaning(one: EntityEntry | AttributeEntry, iri: str) -> Iterator[str]:
    if one.description:
        yield f"{iri} rdfs:comment {literal(one.description)}"
    yield from (f"{iri} mdw:tag {literal(tag)}" for tag in one.tags)


def _reference(one: Reference, iri: str, entry: str, entity: str) -> Iterator[str]:
    yield f"<{entry}> mdw:foreignKey <{iri}>"
    yield f"<{iri}> a mdw:ForeignKey"
    yield f"<{iri}> mdw:refersTo <{entity_iri(one.entity)}>"
    for number, name in enumerate(one.attributes, 1):
        yield f"<{iri}/{number}> mdw:pairOf <{iri}>"
        yield f"<{iri}/{number}> mdw:referring <{attribute_iri(f'{entity}.{name}')}>"
        if number <= len(one.referred):
            yield f"<{iri}/{number}> mdw:referred <{attribute_iri(f'{one.entity}.{one.referred[number - 1]}')}>"


def restore_entry(triples: Iterable[Triple]) -> EntityEntry:
    """The entry whose graph says these, in any order."""
    said: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in triples:
        said[subject][predicate.removeprefix(MDW)].append(value)
    (own,) = [one for one in said.values() if "describes" in one]
    (entity,) = own["describes"]
    name = name_of(entity)
    names = parts(own["listing"][0]) if "listing" in own else ()
    listed = [(one, said[attribute_iri(f"{name}.{one}")]) for one in names]
    keyed = sorted((int(one["keyPosition"][0]), name) for name, one in listed if "keyPosition" in one)
    texts: dict[str, Any] = {field: own[word][0] for field, word in ENTITY_TEXTS.items() if word in own}
    return EntityEntry(
        name,
        tuple([_restored(name, one, lower="lowerCase" in own) for name, one in listed]),
        whole="whole" in own,
        unsteady="unsteady" in own,
        key=tuple([name for _, name in keyed]),
        references=tuple([_reference_of(key, said) for key in sorted(own["foreignKey"], key=_number)]),
        **texts,
        **_meant(said.get(entity, {})),
    )


def _restored(name: str, one: dict[str, list[str]], *, lower: bool) -> AttributeEntry:
    told: dict[str, Any] = {field: one[word][0] for field, word in ATTRIBUTE_TEXTS.items() if word in one}
    told["label"] = one[LABEL][0] if LABEL in one else _lower(name) if lower else ""
    told |= {flag: True for flag in FLAGS if flag in one}
    return AttributeEntry(name, **told, **_meant(one))


def _meant(one: dict[str, list[str]]) -> dict[str, Any]:
    found: dict[str, Any] = {"description": one[COMMENT][0]} if COMMENT in one else {}
    return found | ({"tags": tuple(sorted(one["tag"]))} if "tag" in one else {})


def _reference_of(key: str, said: dict[str, defaultdict[str, list[str]]]) -> Reference:
    pairs = sorted((subject for subject, one in said.items() if key in one.get("pairOf", ())), key=_number)

    def names(word: str) -> Sequence[str]:
        return [local_of(name_of(one)) for pair in pairs for one in said[pair].get(word, ())]

    return Reference(tuple(names("referring")), name_of(said[key]["refersTo"][0]), tuple(names("referred")))


def _number(iri: str) -> int:
    return int(iri.rpartition("/")[2].lstrip("r"))
