"""Entries of the data dictionary <-> rows of the tables that hold them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mdw.model.dictionary import AttributeEntry, EntityEntry, Reference
from mdw.model.name import local_of, parts
from mdw.readers.tables.split import Row

ENTITIES, ATTRIBUTES, REFERENCES = "dictionary_entity", "dictionary_attribute", "dictionary_reference"
Record = Mapping[str, Any]


def rows_of(entry: EntityEntry) -> Iterator[tuple[str, Row]]:
    """The rows of an entry, each with the name of its table.

    >>> [name for name, _ in rows_of(EntityEntry("T", (AttributeEntry("A", "INT"),)))]
    ['entity', 'dictionary_entity', 'attribute', 'dictionary_attribute']
    """
    yield _entity(entry.name)
    texts = (entry.kind, entry.description, _listed(entry.tags), entry.file, entry.dialect, entry.definition)
    yield ENTITIES, (entry.name, int(entry.whole), *[one or None for one in texts])
    for position, one in enumerate(entry.attributes, 1):
        name = f"{entry.name}.{one.name}"
        keyed = entry.key.index(one.name) + 1 if one.name in entry.key else None
        flags = (int(one.identity), int(one.required))
        told = [one or None for one in (one.type, one.default, one.computed)]
        meant = [one or None for one in (one.description, _listed(one.tags), one.label, one.collation, one.fills)]
        yield "attribute", (name, entry.name, one.name)
        yield ATTRIBUTES, (name, entry.name, position, keyed, *told, *flags, *meant)
    for number, key in enumerate(entry.references, 1):
        yield _entity(key.entity)
        for ordinal, name in enumerate(key.attributes, 1):
            referred = f"{key.entity}.{key.referred[ordinal - 1]}" if ordinal <= len(key.referred) else None
            yield REFERENCES, (entry.name, number, ordinal, f"{entry.name}.{name}", key.entity, referred)


def entries_of(tables: Mapping[str, Iterable[Record]]) -> Iterator[EntityEntry]:
    """The entries that rows hold; ``tables`` has the rows of each of these tables."""
    listed: defaultdict[str, list[Record]] = defaultdict(list)
    for row in sorted(tables[ATTRIBUTES], key=lambda row: int(row["position"])):
        listed[row["entity_id"]].append(row)
    referring: defaultdict[str, defaultdict[int, list[Record]]] = defaultdict(lambda: defaultdict(list))
    for row in sorted(tables[REFERENCES], key=lambda row: (int(row["reference_id"]), int(row["ordinal"]))):
        referring[row["entity_id"]][row["reference_id"]].append(row)
    for row in tables[ENTITIES]:
        name = row["entity_id"]
        keyed = sorted(
            (one["key_position"], local_of(one["attribute_id"])) for one in listed[name] if one["key_position"]
        )
        yield EntityEntry(
            name,
            tuple(map(_attribute, listed[name])),
            whole=bool(row["whole"]),
            kind=row["kind"] or "",
            key=tuple([local for _, local in sorted(keyed)]),
            references=tuple(map(_reference, referring[name].values())),
            description=row["description"] or "",
            tags=_parted(row["tags"]),
            file=row["file"] or "",
            dialect=row["dialect"] or "",
            definition=row["definition"] or "",
        )


def _entity(name: str) -> tuple[str, Row]:
    return "entity", (name, parts(name)[-1])


def _attribute(row: Record) -> AttributeEntry:
    return AttributeEntry(
        local_of(row["attribute_id"]),
        row["type"] or "",
        row["default_value"] or "",
        row["formula"] or "",
        bool(row["identity"]),
        bool(row["required"]),
        row["description"] or "",
        _parted(row["tags"]),
        row["label"] or "",
        collation=row["collation"] or "",
        fills=row["filled_in"] or "",
    )


def _reference(rows: list[Record]) -> Reference:
    names = tuple([local_of(row["attribute_id"]) for row in rows])
    referred = tuple([local_of(row["referred_id"]) for row in rows if row["referred_id"]])
    return Reference(names, rows[0]["referred_entity_id"], referred)


def _listed(tags: tuple[str, ...]) -> str:
    return "\n".join(tags)


def _parted(tags: str | None) -> tuple[str, ...]:
    return tuple(tags.split("\n")) if tags else ()
