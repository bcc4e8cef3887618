"""The data dictionary: what is told of entities and their attributes, whoever tells it.

    CREATE TABLE sales.orders (id INT PRIMARY KEY, country TEXT DEFAULT 'EU')

    EntityEntry("SALES.ORDERS", (AttributeEntry("ID", "INT", required=True), AttributeEntry("COUNTRY", "TEXT", "'EU'")),
                whole=True, key=("ID",), kind="table")

DDL tells entries, statements do (what a view makes), exports of ``information_schema`` and dbt's catalogue. Each tells
some of what there is to know; `merged` puts two of one entity together. EntityNames are canonical (`mdw.model.name`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from mdw.model.fixed import fixed
from mdw.model.name import local_of, parts

ELEMENTS = "[]\n"
"""What stands before the fields of an array's elements."""
SHARED = "`made in several files`"
"""The name under which a file is told which of the entities that it makes others make too: as attributes of that."""
WHOLE, PARTLY = "whole", "partly"
"""How much of what defines an entity was read."""
FIELDS = "`fields of` "
"""What stands before the name of an entity of which a file asks for nothing but the fields of its attributes."""

NAMESAKES = "`namesakes of`."
"""What stands before the last part of a name, in small letters, where a file asks which entities' names end in it."""


@fixed
class AttributeEntry:
    """An attribute as somebody tells of it; what is not told is empty.

    ``name`` is its own, without that of its entity; ``label`` is how people spell it where that is not the same.
    ``default`` is what INSERT writes where it leaves the attribute out and ``computed`` the formula of its values, both
    as SQL; ``identity``: the database numbers the rows. ``fields`` are those of a struct that are attributes of their
    own in all mappings that fill it (`mdw.readers.sql.fields_through`): canonical paths, each in a line; those of an
    array's elements stand behind a line of brackets. ``collation`` is that by which its texts are compared. ``fills``:
    what the database may give the attribute by itself, as a domain's default: "what is left out", or "NULL" as well
    where that is written, as a key that counts does (Q32).
    """

    name: str
    type: str = ""
    default: str = ""
    computed: str = ""
    identity: bool = False
    required: bool = False
    description: str = ""
    tags: tuple[str, ...] = ()
    label: str = ""
    fields: str = ""
    collation: str = ""
    fills: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return AttributeEntry, _ATTRIBUTE(self)

    @property
    def listed(self) -> bool:
        """Whether its fields are those of an array's elements."""
        return self.fields.startswith(ELEMENTS)

    @property
    def paths(self) -> list[tuple[str, ...]]:
        """Its fields, each by its path.

        >>> AttributeEntry("S", fields="A\\nN\\nN.B").paths
        [('A',), ('N',), ('N', 'B')]
        """
        return [tuple(parts(path)) for path in self.fields.removeprefix(ELEMENTS).split("\n") if path]

    def to_dict(self) -> dict[str, Any]:
        """What is told, as plain JSON-ready values."""
        told = {name: getattr(self, name) for name in ("type", "default", "computed", "identity", "required")}
        return told | {"description": self.description, "tags": list(self.tags)}


@fixed
class Reference:
    """A foreign key: attributes whose values are those of attributes of an entity, in the same order."""

    attributes: tuple[str, ...]
    entity: str
    referred: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The key as plain JSON-ready values."""
        return {"attributes": list(self.attributes), "entity": self.entity, "referred": list(self.referred)}


@dataclass(frozen=True)
class EntityEntry:
    """An entity as somebody tells of it, its attributes in order; ``whole``: it has no others.

    ``kind`` is table, view, seed, or whatever who tells it calls it; ``key`` is the primary key; ``file`` where it was
    told; ``dialect`` is that of types, defaults and formulas. ``unsteady``: it may have other rows each time that it is
    read, as a view with LIMIT or random numbers has. ``triggers`` says what those that run before or instead of a
    change do with the rows written (`mdw.readers.sql.programs.effects`), ``passes`` which columns of a view are columns
    of tables, so that rows are written through it, ``unique`` what other keys there are than the primary one; of
    several tellers all count. ``definition`` is "whole" where all that defines it was read word by word, "partly" where
    some was not, "" where nobody tells: only of a whole one is NULL what an INSERT leaves out (rule Q32).
    """

    name: str
    attributes: tuple[AttributeEntry, ...] = ()
    whole: bool = False
    kind: str = ""
    key: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    description: str = ""
    tags: tuple[str, ...] = ()
    file: str = ""
    dialect: str = ""
    unsteady: bool = False
    triggers: tuple[str, ...] = ()
    passes: tuple[tuple[str, str], ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    definition: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        return EntityEntry, _ENTITY(self)

    @cached_property
    def digest(self) -> bytes:
        """What tells entries that say different things apart, in 16 bytes."""
        # As plain tuples: what dataclasses write of themselves takes four times as long.
        name, attributes, *others = _ENTITY(self)
        said = repr((name, [*map(_ATTRIBUTE, attributes)], others))
        return blake2b(said.encode(), digest_size=16).digest()

    @property
    def columns(self) -> tuple[str, ...]:
        """The own names of the attributes, in order."""
        return tuple([one.name for one in self.attributes])

    @cached_property
    def positions(self) -> dict[str, int]:
        """Where the attributes stand, from 0, by their own names; of two of one name the first."""
        return {name: place for place, name in reversed([*enumerate(self.columns)])}

    def attribute(self, name: str) -> AttributeEntry | None:
        """What is told of an attribute, by its own name."""
        place = self.positions.get(name)
        return None if place is None else self.attributes[place]

    def place(self, name: str) -> dict[str, Any]:
        """An attribute in its entity as plain JSON-ready values: position and place in the key, from 1, 0 for none."""
        keyed = self.key.index(name) + 1 if name in self.key else 0
        referring = [one.to_dict() for one in self.references if name in one.attributes]
        return {"position": self.positions[name] + 1, "key": keyed, "references": referring}

    def to_dict(self) -> dict[str, Any]:
        """What is told of the entity as plain JSON-ready values, its attributes in order by their own names."""
        told = {
            "kind": self.kind,
            "whole": self.whole,
            "definition": self.definition,
            "description": self.description,
            "tags": list(self.tags),
        }
        columns = [{"name": one.name} | self.place(one.name) | one.to_dict() for one in self.attributes]
        return told | {"file": self.file, "dialect": self.dialect, "attributes": columns}


# Files read by other processes are told thousands of entries: what dataclasses do for that by themselves looks up their
# fields each time, and takes three times as long.
_ATTRIBUTE, _ENTITY = (attrgetter(*(one.name for one in fields(kind))) for kind in (AttributeEntry, EntityEntry))
Entry = TypeVar("Entry", AttributeEntry, EntityEntry)


def merged(first: EntityEntry, then: EntityEntry) -> EntityEntry:
    """Two entries of one entity as one: what is told later counts more, what it does not tell stays.

    Which attributes there are, and their order, says the entry that is whole; of two whole ones the later. Whoever else
    tells the type of an attribute has added it, as ALTER does.

    >>> told = EntityEntry("T", (AttributeEntry("A", "INT"), AttributeEntry("B")), whole=True)
    >>> described = EntityEntry("T", (AttributeEntry("B", description="a letter"), AttributeEntry("C")))
    >>> [(one.name, one.type, one.description) for one in merged(told, described).attributes]
    [('A', 'INT', ''), ('B', '', 'a letter')]
    """
    known = {one.name: one for one in first.attributes}
    added = {one.name: one for one in then.attributes}
    both = {name: _attribute(known[name], added[name]) for name in known.keys() & added.keys()}
    every = [(*first.attributes, *then.attributes), then.attributes, first.attributes]
    leading = every[1 if then.whole else 2 if first.whole else 0]
    # Of two that are whole the earlier adds nothing.
    more = () if first.whole and then.whole else [one for one in every[0] if one.type]
    names = dict.fromkeys(one.name for one in (*leading, *more))
    attributes = tuple([both.get(name) or added.get(name) or known[name] for name in names])
    found = _told(first, then)
    triggers = tuple(sorted({*first.triggers, *then.triggers}))
    passes = tuple(sorted({*first.passes, *then.passes}))
    unique = tuple(dict.fromkeys((*first.unique, *then.unique)))
    whole, definition = first.whole or then.whole, _definition(first, then)
    found = replace(found, attributes=attributes, whole=whole, definition=definition)
    return replace(found, triggers=triggers, passes=passes, unique=unique)


def _definition(first: EntityEntry, then: EntityEntry) -> str:
    """How much was read of what defines an entity; who tells types and not that may have left a default out."""
    told = (first.definition, then.definition)
    if WHOLE not in told or PARTLY in told:
        return PARTLY if PARTLY in told else ""
    if then.definition == WHOLE and then.whole:
        return WHOLE
    silent = (one for one in (first, then) if not one.definition and any(part.type for part in one.attributes))
    return "" if any(silent) else WHOLE


def _attribute(first: AttributeEntry, then: AttributeEntry) -> AttributeEntry:
    # Who tells the type is who made the attribute: a default that is not told then is not there any more.
    bare = {"default": "", "computed": "", "identity": False, "required": False, "collation": "", "fills": ""}
    made = replace(first, **bare) if then.type else first  # type: ignore[arg-type]
    return _told(made, then)


def _told(first: Entry, then: Entry) -> Entry:
    """The first entry with whatever the second tells."""
    return replace(first, **{one.name: said for one in fields(then) if (said := getattr(then, one.name))})


class Told(Protocol):
    """Where what is told of entities is looked up by name."""

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity, None if nothing is."""


class ToldByName(Told, Protocol):
    """One that knows the names of all it tells of."""

    def names(self) -> Iterable[str]:
        """The names of the entities."""


def entities_alike(one: str, other: str) -> bool:
    """Whether one name is the ending of the other and has a schema: without one it may be of any schema.

    >>> entities_alike("DW.SALES.ORDERS", "SALES.ORDERS"), entities_alike("SALES.ORDERS", "ORDERS")
    (True, False)
    """
    shorter, longer = sorted((parts(one), parts(other)), key=len)
    return len(shorter) > 1 and longer[-len(shorter) :] == shorter


def namesakes(asked: str, names: EntityNames, others: EntityEntry | None = None) -> EntityEntry | None:
    """Which names end in the word that is ``asked`` for, with what ``others`` tell of that.

    >>> [one.name for one in namesakes(f"{NAMESAKES}t", EntityNames(["CORE.T", "U"])).attributes]
    ['CORE.T']
    """
    found = names.ending(asked.removeprefix(NAMESAKES))
    known = {one.name: one for one in others.attributes} if others is not None else {}
    known |= {name: AttributeEntry(name, "table") for name in found}
    return EntityEntry(asked, tuple([known[name] for name in sorted(known)])) if known else None


class EntityNames:
    """Names of entities, found by themselves, by an ending that only one has, or as the ending of a longer name.

    >>> told = EntityNames(["DW.SALES.ORDERS", "SALES.ITEMS"])
    >>> told.meant("SALES.ORDERS"), told.meant("DW.SALES.ITEMS"), told.meant("OTHER.ORDERS")
    ('DW.SALES.ORDERS', 'SALES.ITEMS', '')
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._names = dict.fromkeys(names)
        self._ending: defaultdict[str, list[str]] = defaultdict(list)
        self._last: defaultdict[str, list[str]] | None = None
        for name in self._names:
            words = parts(name)
            for start in range(1, len(words)):
                self._ending[".".join(words[start:])].append(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def ending(self, word: str) -> list[str]:
        """The names whose last part is this, in whatever letters.

        >>> EntityNames(["DW.SALES.ORDERS", "ORDERS", "SALES.ITEMS"]).ending("orders")
        ['DW.SALES.ORDERS', 'ORDERS']
        """
        if self._last is None:
            self._last = defaultdict(list)
            for name in self._names:
                self._last[local_of(name).strip("`").lower()].append(name)
        return self._last.get(word, [])

    def meant(self, name: str) -> str:
        """The name that is meant, "" if there is none or several may be."""
        if name in self._names:
            return name
        longer = self._ending.get(name, ())
        if longer:
            return longer[0] if len(longer) == 1 else ""
        words = parts(name)
        # A name without schema may be of any schema: only what names one is taken for the end of a longer name.
        shorter = (".".join(words[start:]) for start in range(1, len(words) - 1))
        return next((one for one in shorter if one in self._names), "")


@dataclass(frozen=True)
class DataDictionary:
    """Entries, one for each entity, on top of what was told ``before``; see `EntityNames` for how they are found."""

    entities: tuple[EntityEntry, ...] = ()
    before: Told | None = None

    def __iter__(self) -> Iterator[EntityEntry]:
        return iter(self._named.values())

    def __len__(self) -> int:
        return len(self._named)

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity, None if nothing is."""
        if name.startswith(NAMESAKES):
            before = self.before.entity(name) if self.before is not None else None
            said = self._named.get(name)
            return namesakes(name, self._names, merged(before, said) if before and said else before or said)
        known = self._names.meant(name)
        own = self._named[known] if known else None
        before = self.before.entity(name) if self.before is not None else None
        return merged(before, own) if own and before else own or before

    def names(self) -> Iterable[str]:
        """The names of those entities that it has itself."""
        return self._named

    def with_entries(self, more: Iterable[EntityEntry]) -> DataDictionary:
        """The same with what others tell, too."""
        return DataDictionary((*self._named.values(), *more), self.before)

    @cached_property
    def _named(self) -> dict[str, EntityEntry]:
        found: dict[str, EntityEntry] = {}
        for one in self.entities:
            found[one.name] = merged(found[one.name], one) if one.name in found else one
        return found

    @cached_property
    def _names(self) -> EntityNames:
        return EntityNames(name for name in self._named if not name.startswith(NAMESAKES))


NOTHING = DataDictionary()
