"""What is told of the triggers of a table, and the rows that statements write as these triggers leave them (rule Q30).

BEFORE INSERT ON t   NEW.b := (SELECT ...)                         told of T: "changes insert B"
INSERT INTO t (a, b) SELECT x, y FROM s RETURNING a, b             gives S.X, and what T has in B, not S.Y
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mdw.model.dictionary import EntityEntry
from mdw.model.name import local_of
from mdw.model.query import ALL, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call, word
from mdw.readers.sql.building import Building
from mdw.readers.sql.naming import fresh, joined
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.work import Work

UNREAD = "unread"
"""What is told of a table with a trigger of which some was not read."""
RENEWS = "renews "
EVENTS = {"POPULATING": "insert", "UPDATING": "update"}
DONE = {"insert": "inserted", "update": "updated"}
"""What is said of rows that a statement writes."""


def unread(entity: str, work: Work) -> bool:
    """Whether an entity has a trigger of which some was not read."""
    told = (work.telling.entry(entity), work.telling.watched(entity))
    return any(one is not None and UNREAD in one.triggers for one in told)


def takes(entry: EntityEntry | None, event: str) -> bool:
    """Whether rows that a change writes go through a trigger, and not into the entity."""
    return entry is not None and f"takes {event}" in entry.triggers


def shares(entry: EntityEntry | None, event: str) -> bool:
    """Whether some of the rows that a change writes go through a trigger instead."""
    return entry is not None and f"shares {event}" in entry.triggers


def replaced(entry: EntityEntry | None, event: str) -> frozenset[str]:
    """The columns of which no value that a change gives arrives."""
    found, read = _told(entry, f"replaces {event} "), _told(entry, "reads ")
    return frozenset() if ALL in read else found - read


def changed(entry: EntityEntry | None, event: str) -> frozenset[str]:
    """The columns that a trigger may give another value before the row is there, ``*`` for any."""
    return _told(entry, f"changes {event} ")


def decides(entry: EntityEntry | None, event: str) -> frozenset[str]:
    """The columns by whose values a trigger keeps rows that a change writes, or drops them, ``*`` for any."""
    return _told(entry, f"decides {event} ")


def renewing(entry: EntityEntry | None) -> frozenset[str]:
    """The columns that the database writes whenever a row is changed that does not name them."""
    return _told(entry, RENEWS)


def kept(block: Building, event: str, work: Work) -> None:
    """Let what triggers ask of a row decide whether it is written."""
    told = [one for one in (work.telling.entry(block.target), work.telling.watched(block.target)) if one is not None]
    names = frozenset[str]().union(*[decides(one, event) for one in told])
    asked = [one.value for one in block.outputs if one.name in names or ALL in names]
    if asked:
        block.limits.append(call("TRIGGER", asked, block.location))


def _told(entry: EntityEntry | None, lead: str) -> frozenset[str]:
    told = entry.triggers if entry is not None else ()
    return frozenset(one.removeprefix(lead) for one in told if one.startswith(lead))


def reading(entry: EntityEntry | None, event: str) -> list[tuple[str, ...]]:
    """The events of the triggers that read the rows of one of them before they are there, or instead of that."""
    told = sorted(_told(entry, "rows "))
    return [events for events in (tuple(one.split()) for one in told) if event in events] or [(event,)]


def rows_written(entity: str, events: Sequence[str], work: Work) -> str:
    """The entity of the rows that statements write where triggers of these events take them.

    What is inserted runs no trigger of updates: V has ``V rows inserted``, ``V rows updated``.
    """
    schema = entity[: -len(local_of(entity)) - 1]
    done = " or ".join(DONE[event] for event in DONE if event in events) or "written"
    own = work.naming.known(f"{work.naming.shown(local_of(entity))} rows {done}", quoted=True)
    found = joined(schema, own) if schema else own
    if work.dictionary.shape(found) is None:
        shape = work.dictionary.known(entity)
        work.dictionary.put(found, Shape((name for name in shape.columns if name != ALL), complete=shape.complete))
    return found


def row_left(block: Building, entity: str, event: str, work: Work) -> Callable[[str], Node | None]:
    """The columns of a row written to an entity that triggers change, or that are computed, as values of a block.

    Which of the entity's rows it is nobody says: any of them. None for a column that has what the statement gives it.
    """
    told = [one for one in (work.telling.entry(entity), work.telling.watched(entity)) if one is not None]
    names = frozenset(part.name for one in told for part in one.attributes if part.computed)
    names = names.union(*[changed(one, event) for one in told])
    taking = [one for one in told if takes(one, event)] if names else []
    # All of them have the rows of the statement.
    rows = rows_written(entity, max(reading(taking[0], event), key=len), work) if taking else entity
    roles: list[str] = []

    def left(name: str) -> Node | None:
        if not names or (name != ALL and names.isdisjoint((name, ALL))):
            return None
        if not roles:
            taken = [read.role for read in block.reads]
            roles.append(fresh(word(f"{work.naming.shown(local_of(entity))} as written"), taken))
            block.reads.append(Read(rows, roles[0], "CROSS JOIN" if block.reads else "", None, block.location))
            work.read[rows] = None
        work.dictionary.known(rows).ask(name)
        return attribute(f"{roles[0]}.{name if name == ALL else work.naming.written(name)}", block.location)

    return left
