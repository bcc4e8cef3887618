"""Statements -> outcomes: what each fills and changes. Changes of rows are in `changes` and `merges`.

`ARMS` says what reads which kind of tree. An arm returns an `Outcome`, with the blocks that fill the statement's target
in ``filling``; all blocks, those of inner entities too, gather in the `Work`, and `outcome_of` adds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import EntityEntry
from mdw.model.query import ALL
from mdw.readers.sql.altering import actions
from mdw.readers.sql.building import Building
from mdw.readers.sql.cascades import cascade
from mdw.readers.sql.changes import delete, update
from mdw.readers.sql.commands import around, command
from mdw.readers.sql.copies import structure_only, without_data
from mdw.readers.sql.defaults import filled_once
from mdw.readers.sql.definitions import (
    all_of,
    alter,
    clone,
    comment,
    create_alike,
    create_table,
    drop,
    formulas,
    historied,
    inherited,
    replaced,
    truncate,
)
from mdw.readers.sql.earlier import loosened
from mdw.readers.sql.engines import seen_through
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.inserts import aim, columns_named, insert, learn, several, target_of
from mdw.readers.sql.joined_targets import by_target
from mdw.readers.sql.merges import merge
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of, named
from mdw.readers.sql.returning import returned
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.steadiness import unsteady
from mdw.readers.sql.tables import entity_named, made_anew, of_session, table_name
from mdw.readers.sql.telling import table_entry
from mdw.readers.sql.transfers import copy, export, load
from mdw.readers.sql.using import use
from mdw.readers.sql.views import passes, passing
from mdw.readers.sql.work import Work

MINOR_WORDS = """
    SET SHOW GRANT REVOKE COMMENT ANALYZE DESCRIBE KILL PRAGMA BEGIN COMMIT ROLLBACK TRANSACTION REFRESH UNCACHE
    DECLARE ATTACH DETACH INSTALL LOAD VACUUM OPTIMIZE CALL EXPLAIN ADD LIST EXECUTE EXEC PRINT RAISE THROW
    SUMMARIZE COLLECT
"""
MINOR = frozenset(MINOR_WORDS.split())
"""Commands that move no data, or none that can be told."""


SHARING = frozenset(("oracle", "teradata", "ansi"))
"""Dialects in which CREATE GLOBAL TEMPORARY TABLE makes a table that stays."""
VARIABLES = frozenset(("oracle", "mysql"))
"""Dialects whose SELECT ... INTO fills variables."""


def outcome_of(one: exp.Expr, work: Work) -> Outcome:
    """What a statement does."""
    arm = ARMS.get(type(one))
    if arm is not None:
        found = arm(one, work)
    elif isinstance(one, (exp.Query, exp.Pivot, exp.Values)):
        found = _query(one, work)
    else:
        found = _other(one, work)
    # What ON DELETE CASCADE and ON UPDATE SET NULL do in other tables.
    if isinstance(one, (exp.Update, exp.Delete, exp.Merge)):
        cascade(found, work)
    if work.back and one.args.get("returning"):
        work.given_back = returned(one, found, work.back, work)
    found.blocks = work.blocks
    found.unresolved, found.deduced, found.calls = {**work.unresolved}, {**work.deduced}, {**work.calls}
    found.reads = {**work.read, **found.reads}
    found.writes.update(work.writes)
    found.message = found.message or "; ".join(work.notes)
    return found


def changing(one: exp.Expr, work: Work, frame: Frame) -> list[Building]:
    """The blocks of what a change within a query gives to the query around it.

    ``WITH x AS (DELETE FROM s RETURNING *) INSERT INTO t SELECT * FROM x``: S is changed, and X has the rows that went.
    """
    around, work.tables = work.tables, frame.tables
    found = ARMS[type(one)](one, work)
    work.tables = around
    work.changes.append(found)
    work.writes.update(found.writes)
    return returned(one, found, frame.target, work, frame.names) if one.args.get("returning") else []


def _with_output(change: Callable[[Any, Work], Outcome]) -> Callable[[Any, Work], Outcome]:
    """A change whose OUTPUT may go into another table besides."""

    def changed(one: Any, work: Work) -> Outcome:
        found = change(one, work)
        returning = one.args.get("returning")
        place = returning.args.get("into") if returning is not None else None
        if isinstance(place, (exp.Table, exp.Schema)):
            holder = exp.Insert(this=place.copy())
            target = target_of(holder, work)
            blocks = returned(one, found, target, work)
            for block in blocks:
                aim(holder, block, target, (), work)
            learn(target, blocks, work)
            found.filling += blocks
            found.writes[target] = None
        return found

    return changed


def _query(one: Any, work: Work) -> Outcome:
    """A SELECT: into a table, or for somebody to look at."""
    into = next((part.args["into"] for part in _selects(one) if part.args.get("into")), None)
    if into is not None and isinstance(into.this, exp.Table) and work.flavour.name not in VARIABLES:
        target, inner = made(into.this, work, temporary=bool(into.args.get("temporary")))
        found = Outcome("select into", target)
        found.filling = blocks_of(one, work, Frame(target, inner=inner))
        keep(target, work.shape_of(found.filling), work)
        structure_only(found, one, work)
        filled_once(found.filling)
        found.writes[target] = None
        work.empty |= {target} if inner and not found.filling else set()
        return found
    found = Outcome("select", work.result())
    found.filling = blocks_of(one, work, Frame(found.target, inner=False))
    return found


def _selects(one: Any) -> list[Any]:
    left = one
    while isinstance(left, (exp.SetOperation, exp.Subquery)):
        left = left.this
    return [left]


def made(table: Any, work: Work, *, temporary: bool = False, exists: bool = False) -> tuple[str, bool]:
    """The entity a statement makes; a temporary one is local to the script, and a new one each time (rule Q20).

    ``exists``: but where it is there already it stays what it is.
    """
    names = table_name(table, work)
    if exists and ".".join(names) in work.temporary:
        return work.temporary[".".join(names)], True
    # T-SQL's #t is the script's own. A ##t is seen by others as long as it is there: like a table, but of no schema.
    marked = any(name.startswith("`#") and not name.startswith("`##") for name in names)
    if not (temporary or marked or of_session(names, work)):
        return made_anew(entity_named(names, work), work)
    entity = work.inner(names[-1])
    work.temporary[".".join(names)] = entity
    work.temporary[names[-1]] = entity
    if work.flavour.name in ("spark", "databricks"):
        # What is temporary and global is known by this name, in other sessions too.
        work.temporary[f"GLOBAL_TEMP.{names[-1]}"] = entity
    return entity, True


def keep(entity: str, shape: Shape, work: Work) -> None:
    """From here on the entity has these columns."""
    work.dictionary.put(entity, shape)


# -- CREATE ------------------------------------------------------------------------------------------------------------


def _create(one: Any, work: Work) -> Outcome:
    if work.flavour.name == "clickhouse":
        one = seen_through(one)
    kind = str(one.args.get("kind") or "").upper()
    if kind not in ("TABLE", "VIEW"):
        without = around(one.sql(dialect=work.flavour.parser))
        if without is not None:
            return without
        return Outcome(f"create {kind.lower()}", status="opaque", message=f"CREATE {kind} is not followed")
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    properties = one.args.get("properties")
    marks = [*properties.find_all(exp.TemporaryProperty, exp.VolatileProperty)] if properties is not None else []
    if properties is not None and kind == "TABLE":
        # Behind MULTISET or SET the parser takes Teradata's VOLATILE for what is said of functions.
        marks += properties.find_all(exp.StabilityProperty)
    # A global one is of all sessions, in which each has rows of its own: what one file fills another may read.
    shared = work.flavour.name in SHARING and any(str(mark.args.get("this")).upper() == "GLOBAL" for mark in marks)
    temporary = bool(marks) and not shared
    before = dict(work.temporary)
    target, inner = made(table, work, temporary=temporary, exists=bool(one.args.get("exists")))
    # What it is made of it reads under the name's former meaning: a table made again may be made of what it was.
    named, work.temporary = work.temporary, before
    found = _created(one, kind, target, work, inner=inner)
    work.empty |= {target} if inner and not found.filling else set()
    for key in before.keys() - named.keys():
        work.temporary.pop(key)
    work.temporary.update((key, entity) for key, entity in named.items() if entity == target)
    if not one.args.get("exists"):
        replaced(target, work, itself=str(one.args.get("kind")).upper() == "TABLE" and target in work.read)
    return found


def _created(one: Any, kind: str, target: str, work: Work, *, inner: bool) -> Outcome:
    found = Outcome(f"create {kind.lower()}", target)
    found.writes[target] = None
    if one.args.get("clone") is None:
        work.telling.put(table_entry(one, target, work))
    if one.args.get("clone") is not None:
        clone(one.args["clone"].this, target, work, found, inner=inner)
        filled_once(found.filling)
    elif isinstance(one.expression, (exp.Query, exp.Pivot, exp.Values)):
        declared = columns_named(one.this, work)
        # MySQL's query gives its columns by their names, besides those that are declared.
        names = declared if work.flavour.name != "mysql" or kind == "VIEW" else ()
        filled = _filled_by(one, target, work)
        if kind == "VIEW":
            loosened(one.expression, target, work)
        found.filling = blocks_of(one.expression, work, Frame(filled, inner=inner, names=names))
        if filled == target:
            shape = work.shape_of(found.filling)
            first = [name for name in declared if shape.has(name) is False]
            shape = Shape([*first, *shape.columns], complete=shape.complete) if first else shape
            keep(filled, shape, work)
            if declared and not names:
                formulas(one, target, shape, work)
        else:
            # The view fills some columns of a table that may have others.
            learn(filled, found.filling, work)
        if kind == "TABLE":
            structure_only(found, one.expression, work, one)
            filled_once(found.filling)
        if kind == "VIEW":
            told = EntityEntry(target, unsteady=unsteady(one, work), passes=passes(one, found.filling, work))
            if told != EntityEntry(target):
                work.telling.add(told)
        if filled != target:
            found.writes[filled] = None
            table, shape = one.args["properties"].find(exp.ToTableProperty).this, work.shape_of(found.filling)
            clone(table, target, work, found, inner=inner, shape=shape)
            work.telling.add(EntityEntry(target, passes=(*passing(found.filling[-1:], work), (ALL, f"{filled}.{ALL}"))))
    elif isinstance(one.expression, exp.Table) and (work.flavour.name == "clickhouse" or without_data(one)):
        # CREATE TABLE t AS s takes the columns of S, and none of its rows.
        create_alike(one.expression, target, work, found)
    elif isinstance(one.expression, exp.Table):
        clone(one.expression, target, work, found, inner=inner)
        filled_once(found.filling)
    else:
        create_table(one, target, work, found)
        historied(one, target, work, found)
    _seen_in(one, target, work, found)
    return found


def _seen_in(one: Any, target: str, work: Work, found: Outcome) -> None:
    """PostgreSQL's INHERITS: the rows of the table made are rows of others, too."""
    properties = one.args.get("properties")
    tables = [
        table
        for given in (properties.find_all(exp.InheritsProperty) if properties is not None else ())
        for table in given.expressions
    ]
    others = [entity_named(table_name(table, work), work) for table in tables]
    if others:
        # Asked for now: what it has of its own no other has.
        shapes = [_as_it_is(work.dictionary.known(entity)) for entity in others]
        inherited(target, others, work)
        for table, entity, shape in zip(tables, others, shapes, strict=True):
            found.reads[target] = found.writes[entity] = None
            found.filling.append(all_of(target, entity, work, work.place(table), inner=False, shape=shape))


def _as_it_is(shape: Shape) -> Shape:
    return Shape(shape.columns, complete=shape.complete)


def _filled_by(one: Any, target: str, work: Work) -> str:
    """The table that ClickHouse's CREATE MATERIALIZED VIEW v TO t fills; who reads the view reads that."""
    properties = one.args.get("properties")
    to = properties.find(exp.ToTableProperty) if properties is not None else None
    return entity_named(table_name(to.this, work), work) if to is not None else target


# -- the rest ----------------------------------------------------------------------------------------------------------


def _locking(one: Any, work: Work) -> Outcome:
    """Teradata's LOCKING ... FOR ACCESS before a statement."""
    arm = ARMS.get(type(one.expression))
    return arm(one.expression, work) if arm is not None else _query(one.expression, work)


def _cache(one: Any, work: Work) -> Outcome:
    """CACHE TABLE t AS SELECT: a temporary table."""
    found = Outcome("cache")
    if isinstance(one.expression, exp.Query):
        target, _ = made(one.this, work, temporary=True)
        found.target = target
        found.filling = named(blocks_of(one.expression, work, Frame(target)), ())
        keep(target, work.shape_of(found.filling), work)
    return found


PATH = re.compile(
    r"(?is)\s*(?:ALTER\s+SESSION\s+)?SET\s+(?:SESSION\s+|LOCAL\s+)?"
    r"(?:search_path|current_schema|schema|database)(?:\s*=|\s+TO\b|\s)\s*(.+)"
)


def _search_path(one: exp.Expr, work: Work) -> bool:
    """SET search_path, SET SCHEMA: the schemas of names that have none."""
    match = PATH.match(one.sql(dialect=work.flavour.parser))
    if match is not None:
        names = [name.strip(" '\"\n") for name in match.group(1).split(",")]
        path = tuple(work.naming.known(name, quoted=False) for name in names if re.fullmatch(r"\w+", name))
        work.schemas = replace(work.schemas, path=path)
    return match is not None


def _other(one: Any, work: Work) -> Outcome:
    if isinstance(one, (exp.Condition, exp.Alias)):
        return Outcome("expression", status="failed", message="an expression is no statement")
    if isinstance(one, (exp.Set, exp.Command)) and _search_path(one, work):
        return Outcome("set")
    if isinstance(one, exp.Command):
        known = command(one, work)
        if known is not None:
            return known
        several = actions(one, work) if str(one.this).upper() == "ALTER" else []
        if several:
            return _together(several, work)
    # A Command is a text the parser did not look into: nobody knows what else it says.
    unread = isinstance(one, exp.Command)
    first = (str(one.this) if unread else one.key).upper().partition(" ")[0]
    if first in MINOR and not unread:
        return Outcome(first.lower())
    return Outcome(first.lower(), status="opaque", message=f"{first} is not followed")


def _update(one: Any, work: Work) -> Outcome:
    """UPDATE, of one table or of several that are joined."""
    several: list[Outcome] = []
    read: dict[str, None] = {}
    for part in by_target(one, work):
        several.append(update(part, work))
        # What one of them changes another may read.
        read.update(work.read)
    work.read.update(read)
    first, *others = several
    for other in others:
        first.together(other)
    return first


def _together(several: Sequence[exp.Expr], work: Work) -> Outcome:
    """What several statements do that are one."""
    first, *others = [outcome_of(one, work) for one in several]
    for other in others:
        first.together(other)
    return first


ARMS: Mapping[type[exp.Expr], Callable[[Any, Work], Outcome]] = {
    exp.Create: _create,
    exp.Insert: _with_output(insert),
    exp.MultitableInserts: several,
    exp.Merge: _with_output(merge),
    exp.Update: _with_output(_update),
    exp.Delete: _with_output(delete),
    exp.TruncateTable: truncate,
    exp.Drop: drop,
    exp.Alter: alter,
    exp.Use: use,
    exp.Copy: copy,
    exp.Export: export,
    exp.LoadData: load,
    exp.LockingStatement: _locking,
    exp.Cache: _cache,
    exp.Comment: comment,
}
