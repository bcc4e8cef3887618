"""The data dictionary: what is told of entities and their attributes, whoever tells it.

    CREATE TABLE sales.orders (id INT PRIMARY KEY, country TEXT DEFAULT 'EU')

    EntityEntry("SALES.ORDERS", (AttributeEntry("ID", "INT", required=True), AttributeEntry("COUNTRY", "TEXT", "'EU'")),
                whole=True, key=("ID",), kind="table")

DDL tells entries, statements do (what a view makes), exports of ``information_schema`` and dbt's catalogue. Each tells
some of what there is to know; `merged` puts two of one entity together. Names are canonical (`mdw.model.name`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from mdw.model.name import parts


@dataclass(frozen=True, slots=True)
class AttributeEntry:
    """An attribute as somebody tells of it; what is not told is empty.

    ``name`` is its own, without that of its entity. ``default`` is what INSERT writes where it leaves the attribute out
    and ``computed`` the formula of its values, both as SQL; ``identity``: the database numbers the rows.
    """

    name: str
    type: str = ""
    default: str = ""
    computed: str = ""
    identity: bool = False
    required: bool = False
    description: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key: attributes whose values are those of attributes of an entity, in the same order."""

    attributes: tuple[str, ...]
    entity: str
    referred: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EntityEntry:
    """An entity as somebody tells of it, its attributes in order; ``whole``: it has no others.

    ``kind`` is table, view, seed, or whatever who tells it calls it; ``key`` is the primary key; ``file`` where it was
    told; ``dialect`` is that of types, defaults and formulas.
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

    @property
    def columns(self) -> tuple[str, ...]:
        """The own names of the attributes, in order."""
        return tuple([one.name for one in self.attributes])

    def attribute(self, name: str) -> AttributeEntry | None:
        """What is told of an attribute, by its own name."""
        return next((one for one in self.attributes if one.name == name), None)


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
    return replace(found, attributes=attributes, whole=first.whole or then.whole)


def _attribute(first: AttributeEntry, then: AttributeEntry) -> AttributeEntry:
    # Who tells the type is who made the attribute: a default that is not told then is not there any more.
    made = replace(first, default="", computed="", identity=False, required=False) if then.type else first
    return _told(made, then)


def _told(first: Entry, then: Entry) -> Entry:
    """The first entry with whatever the second tells."""
    return replace(first, **{one.name: said for one in fields(then) if (said := getattr(then, one.name))})


@dataclass(frozen=True, slots=True)
class DataDictionary:
    """Entries, one for each entity; found by name, or by an ending of it that only one of them has."""

    entities: tuple[EntityEntry, ...] = ()
    _named: dict[str, EntityEntry] = field(init=False, repr=False, compare=False)
    _ending: dict[str, list[str]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        named: dict[str, EntityEntry] = {}
        for one in self.entities:
            named[one.name] = merged(named[one.name], one) if one.name in named else one
        ending: defaultdict[str, list[str]] = defaultdict(list)
        for name in named:
            words = parts(name)
            for length in range(1, len(words) + 1):
                ending[".".join(words[-length:])].append(name)
        object.__setattr__(self, "entities", tuple(named.values()))
        object.__setattr__(self, "_named", named)
        object.__setattr__(self, "_ending", dict(ending))

    def __iter__(self) -> Iterator[EntityEntry]:
        return iter(self.entities)

    def __len__(self) -> int:
        return len(self.entities)

    def __bool__(self) -> bool:
        return bool(self.entities)

    def entity(self, name: str) -> EntityEntry | None:
        """What is told of an entity: under its name, else under the only longer or the longest shorter form of it.

        >>> told = DataDictionary((EntityEntry("DW.SALES.ORDERS"), EntityEntry("SALES.ITEMS")))
        >>> [found.name for name in ("SALES.ORDERS", "DW.SALES.ITEMS") if (found := told.entity(name))]
        ['DW.SALES.ORDERS', 'SALES.ITEMS']
        >>> told.entity("OTHER.ORDERS")
        """
        if name in self._named:
            return self._named[name]
        longer = self._ending.get(name, ())
        if longer:
            return self._named[longer[0]] if len(longer) == 1 else None
        words = parts(name)
        # A name without schema may be of any schema: only what names one is taken for the end of a longer name.
        shorter = (".".join(words[start:]) for start in range(1, len(words) - 1))
        return next((self._named[one] for one in shorter if one in self._named), None)

    def with_entries(self, more: Iterable[EntityEntry]) -> DataDictionary:
        """The same with what others tell, too."""
        return DataDictionary((*self.entities, *more))


NOTHING = DataDictionary()
