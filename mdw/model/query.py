"""One SELECT block as a value: what it reads, what it gives, what its rows must meet; free of any parser's classes.

A statement is as many of them as it has blocks: one for each branch of a UNION, for each CTE, derived table and
subquery, for each branch of a MERGE. Expressions and conditions are nodes of the mapping language, as its parser makes
them, so that one way leads from here to mappings (`mdw.readers.blocks`) whoever has read the block.

    INSERT INTO t SELECT s.x AS a FROM s WHERE s.k > 0

    Query("T", reads=(Read("S"),), outputs=(Output("A", attribute "s.x"),), where=comparison "s.k > 0")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal, NamedTuple

from mdw.model.dictionary import EntityEntry
from mdw.model.files import BorrowedRoutine
from mdw.model.fixed import fixed
from mdw.model.tree import Location, Node

Change = Literal["POPULATING", "UPDATING", "DELETING"]

ONE_ROW = "`one row`"
"""The entity that a block without FROM drives from: it has one row and no attributes."""
ALL = "`*`"
"""The attribute that stands for all attributes of an entity whose attributes nobody told."""
ALL_BUT = "* EXCEPT"
"""The function that gives all of an entity's attributes but those whose names stand behind the first argument."""


class Read(NamedTuple):
    """An entity a block reads, under a role of its own where it has one.

    ``join`` is the word of the mapping language, "LEFT JOIN"; the driving entity, the first of them, has none.
    """

    entity: str
    role: str = ""
    join: str = ""
    on: Node | None = None
    location: Location | None = None


class Output(NamedTuple):
    """A column a block gives: the attribute it fills and the value."""

    name: str
    value: Node
    location: Location | None = None


@fixed
class Query:
    """A block: its target, what it reads in order, its columns in order, and what decides its rows.

    ``group`` is None without GROUP BY, and empty where all rows are one group; ``sets`` is ROLLUP, CUBE or GROUPING
    SETS; ``distinct`` is None, or the values of DISTINCT ON, none of them for whole rows. ``limits`` leave rows out
    that meet all the rest, as LIMIT and samples do. ``inner``: the target is local to its statement.
    """

    target: str
    reads: tuple[Read, ...]
    outputs: tuple[Output, ...]
    change: Change = "POPULATING"
    inner: bool = False
    where: Node | None = None
    group: tuple[Node, ...] | None = None
    sets: str = ""
    having: Node | None = None
    qualify: Node | None = None
    distinct: tuple[Node, ...] | None = None
    order: tuple[Node, ...] = ()
    limits: tuple[Node, ...] = ()
    others: str = ""
    name: str = ""
    dialect: str = ""
    location: Location | None = None


class RoutinePlace(NamedTuple):
    """A routine by its name, and where it stands."""

    name: str
    location: Location


Status = Literal["whole", "partial", "opaque", "failed"]
Effect = Literal["adds", "changes", "takes"]
"""What a statement may do with rows: make some, make or change some, take some away."""
EFFECTS: tuple[Effect, ...] = ("takes", "adds", "changes")
"""From what says least of rows to what says most."""


@fixed
class Statement:
    """A statement of a script: its kind, what it fills, its blocks, and how much of it was understood.

    ``status`` is whole; partial, with the names in ``unresolved``; opaque, where the language has nothing for it; or
    failed, where it cannot be parsed: ``message`` says why, ``hint`` what to do. ``columns`` are those it gives, in
    order, as it calls them, ``types`` their types, "" where nobody knows. ``location`` is where it stands, or where it
    goes wrong; ``text`` is what it says in its ``dialect``, from ``start`` up to the place before ``end``.
    ``deduced`` are attributes that only one of the tables read can have, by what is known of the others; ``calls`` are
    the routines it runs, ``within`` is the one it stands in. ``possible`` are the entities that it may write though it
    was not read whole, ``effect`` what may become of their rows, ``mentioned`` all that it names (rule Q39).
    """

    kind: str
    status: Status
    target: str
    columns: tuple[str, ...]
    blocks: tuple[Query, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    unresolved: tuple[str, ...]
    message: str
    location: Location
    types: tuple[str, ...] = ()
    hint: str = ""
    text: str = ""
    start: Location | None = None
    end: Location | None = None
    dialect: str = ""
    deduced: tuple[str, ...] = ()
    calls: tuple[RoutinePlace, ...] = ()
    within: RoutinePlace | None = None
    possible: tuple[str, ...] = ()
    effect: Effect = "changes"
    mentioned: tuple[str, ...] = ()


@fixed
class SqlScript:
    """The statements of a text, in order; ``inner`` are the entities that are local to one of them or to the script.

    ``made`` has for each entity that it makes, and of which all columns are known, these in order; ``entries`` what it
    tells of entities, those that it makes among them.

    ``owners`` has, by the names of blocks, the place of the routine they are of where nothing in the script calls it.
    ``borrowed`` are the routines of other scripts that it runs, ``missed`` are names of what it calls that nobody
    knows.
    """

    statements: tuple[Statement, ...]
    inner: frozenset[str]
    spellings: tuple[tuple[str, str], ...]
    made: tuple[tuple[str, tuple[str, ...]], ...] = ()
    entries: tuple[EntityEntry, ...] = ()
    owners: Mapping[str, int] = field(default_factory=dict)
    borrowed: frozenset[BorrowedRoutine] = frozenset()
    missed: frozenset[str] = frozenset()


@fixed
class ScriptSource:
    """The text of a script, and what it is read under: dialect, schemas of plain names, their catalogue, collation."""

    file: str
    text: str
    dialect: str
    path: tuple[str, ...] = ()
    catalog: str = ""
    collation: str = ""
