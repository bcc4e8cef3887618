"""What is known of the columns of entities: from a schema, from DDL, from what statements make.

    CREATE TABLE u AS SELECT s.*, 1 AS one FROM s      U has ONE; whether it has Z depends on S, so nobody knows
    INSERT INTO t SELECT z FROM u                      asks U for Z: U has it from here on, and its block passes S.Z on

So blocks grow after they were made, until the last statement of the script is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from mdw.model.dictionary import NOTHING, Told
from mdw.model.name import parts
from mdw.model.query import ALL
from mdw.readers.sql.naming import Identifiers

Moment = int
"""How many shapes entities had got by then."""


class Fields(NamedTuple):
    """The fields of a struct that a column holds; ``listed``: it holds an array of such.

    ``within`` has those of fields that are structs themselves.
    """

    names: tuple[str, ...]
    listed: bool = False
    within: Mapping[str, Fields] = {}


class Supplier(Protocol):
    """A block that passes on columns nobody has named, because it has a star that could not be expanded."""

    def may_supply(self, name: str) -> bool:
        """Whether the column may be among those the star stands for."""

    def supply(self, name: str) -> None:
        """Give the column too, by what the star stands for."""


class Shape:
    """The columns of an entity, in order; ``complete``: it has no others. ``suppliers`` make more when asked.

    ``order`` is that of those it has at least, where it may have others behind them; ``orders`` are several, in one of
    which they are: of tables that branches of a program make differently. ``fields`` are those of columns that are
    structs, or arrays of such.
    """

    def __init__(self, columns: Iterable[str] = (), *, complete: bool = False) -> None:
        self.columns: dict[str, None] = dict.fromkeys(columns)
        self.complete = complete
        self.order: tuple[str, ...] = ()
        self.orders: tuple[tuple[str, ...], ...] = ()
        self.suppliers: list[Supplier] = []
        self.fields: dict[str, Fields] = {}
        self._looked_for: set[str] = set()

    def has(self, name: str) -> bool | None:
        """Whether the entity has a column; None: nobody knows."""
        if name in self.columns:
            return True
        if self.complete or not self.suppliers:
            return False if self.complete else None
        # Round a circle of stars, as a loop has that makes its table again, nothing comes that none of them has.
        if name in self._looked_for:
            return False
        self._looked_for.add(name)
        try:
            return None if any(one.may_supply(name) for one in self.suppliers) else False
        finally:
            self._looked_for.discard(name)

    def ask(self, name: str) -> None:
        """Somebody uses the column: where a star makes the entity, it passes it on."""
        if name not in self.columns and self.suppliers and name != ALL:
            # Before it is asked for further on: a circle of stars ends here.
            self.columns[name] = None
            for one in self.suppliers:
                one.supply(name)


def _in_order(one: Shape, other: Shape) -> tuple[str, ...]:
    """The columns of both, in order, where all that one has the other begins with."""
    several = sorted((tuple(shape.columns) if shape.complete else shape.order for shape in (one, other)), key=len)
    return several[1] if several[0] and several[1][: len(several[0])] == several[0] else ()


def either(one: Shape, other: Shape) -> Shape:
    """What is of one shape or the other: it has the columns of both, and maybe more."""
    both = Shape((*one.columns, *other.columns))
    both.order = _in_order(one, other)
    both.fields = one.fields | other.fields
    both.suppliers += [*one.suppliers, *other.suppliers]
    if not both.order and (one.complete or one.orders) and (other.complete or other.orders):
        several = dict.fromkeys(order for shape in (one, other) for order in shape.orders or [tuple(shape.columns)])
        both.orders = tuple(several) if len(several) <= MOST_ORDERS else ()
        both.complete = one.complete and other.complete and one.columns.keys() == other.columns.keys()
    return both


MOST_ORDERS = 8
"""Orders of columns that a table may have; of one with more only the names of its columns are known."""


def is_name_of(name: str, entity: str) -> bool:
    """Whether a name is that of an entity, perhaps without its catalogue.

    >>> is_name_of("CORE.T", "DW.CORE.T"), is_name_of("T", "CORE.T")
    (True, False)
    """
    return name == entity or ("." in name and entity.endswith(f".{name}"))


class Dictionary:
    """The shapes of entities as a script goes on."""

    def __init__(self, naming: Identifiers, told: Told = NOTHING) -> None:
        self._entries = told
        self._shapes: dict[str, Shape] = {}
        # What each entity had before it got another shape: a script of thousands of IFs cannot copy all at each.
        self._before: list[tuple[str, Shape | None]] = []
        self._gone: set[str] = set()
        # What is told from outside is not made here.
        self._outside: set[str] = set()
        self._naming = naming

    def shape(self, entity: str) -> Shape | None:
        """What is known of an entity; a name of more parts than the dictionary has is found by its ending."""
        found = self._shapes.get(entity) or self._told(entity)
        if found is None and "." in entity:
            # db.core.t, where a schema tells of core.t.
            names = parts(entity)
            ending = ".".join(names[-2:])
            found = (self._shapes.get(ending) or self._told(ending)) if len(names) > 2 else None
        return found

    def exists(self, entity: str) -> bool:
        """Whether anything is known of an entity."""
        return self.shape(entity) is not None or (entity not in self._gone and bool(self._entries.entity(entity)))

    def has(self, entity: str) -> bool:
        """Whether anything is known of an entity of this very name, which may be told without its catalogue."""
        shape = self._shapes.get(entity)
        if shape is not None and entity not in self._outside and (shape.complete or shape.columns):
            return True
        entry = self._entries.entity(entity) if entity not in self._gone else None
        return entry is not None and is_name_of(entry.name, entity)

    def _told(self, entity: str) -> Shape | None:
        """The shape of an entity of the data dictionary; what it does not tell whole may have other columns."""
        entry = self._entries.entity(entity) if entity not in self._gone else None
        if entry is None or not entry.attributes:
            return None
        for one in entry.attributes:
            if one.label:
                self._naming.tell(one.name, one.label)
        shape = self._set(entity, Shape(entry.columns, complete=entry.whole))
        self._outside.add(entity)
        return shape

    def known(self, entity: str) -> Shape:
        """The same, made where nothing is known."""
        found = self.shape(entity)
        if found is None:
            found = self._set(entity, Shape())
        return found

    def is_outside(self, shape: Shape) -> bool:
        """Whether this is what is told of an entity from outside, and no statement here makes that."""
        return any(self._shapes.get(one) is shape for one in self._outside)

    def told_alike(self, entity: str, part: str) -> None:
        """What is told of a part of an entity is some of what this has, if nothing else is known of it."""
        found = self.shape(part)
        if found is not None and self.shape(entity) is None:
            self._set(entity, Shape(found.columns))
            self._outside.add(entity)

    def put(self, entity: str, shape: Shape) -> None:
        """From here on the entity has these columns."""
        self._set(entity, shape)
        self._outside.discard(entity)

    def drop(self, entity: str) -> None:
        """From here on nothing is known of the entity."""
        self._before.append((entity, self._shapes.pop(entity, None)))
        self._gone.add(entity)

    def _set(self, entity: str, shape: Shape) -> Shape:
        self._before.append((entity, self._shapes.get(entity)))
        self._shapes[entity] = shape
        return shape

    def shapes(self) -> Mapping[str, Shape]:
        """The shapes there are now."""
        return dict(self._shapes)

    def moment(self) -> Moment:
        """Now, to come back to."""
        return len(self._before)

    def meet(self, several: Sequence[Moment]) -> None:
        """Ways meet: what has other columns on one than on another has all of them, and maybe more (rule Q25).

        Of what is known on one way only it is taken for known; what one of them dropped is as before, too.
        """
        met: dict[str, Shape] = {}
        for shapes in self._as_of(several):
            for entity, shape in shapes.items():
                if shape is None:
                    continue
                known = met.setdefault(entity, shape)
                stars = known.suppliers or shape.suppliers
                if known is not shape and (stars or list(known.columns) != list(shape.columns)):
                    met[entity] = either(known, shape)
        for entity, shape in met.items():
            if self._shapes.get(entity) is not shape:
                self._set(entity, shape)

    def _as_of(self, several: Sequence[Moment]) -> list[Mapping[str, Shape | None]]:
        """The shapes at each of these moments, of all entities that have got another one since the first of them."""
        first, asked = min(several), set(several)
        shapes = {entity: self._shapes.get(entity) for entity, _ in self._before[first:]}
        found: dict[Moment, Mapping[str, Shape | None]] = {}
        for now in range(len(self._before), first - 1, -1):
            if now in asked:
                found[now] = dict(shapes)
            if now > first:
                entity, before = self._before[now - 1]
                shapes[entity] = before
        return [found[one] for one in several]

    def whole(self, entities: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Those of the entities that are made here and of which all columns are known, with these."""
        for entity in entities:
            found = self._shapes.get(entity)
            if found is not None and found.complete and entity not in self._outside:
                yield entity, tuple(map(self._naming.shown, found.columns))
