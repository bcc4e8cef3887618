"""CREATE TABLE and CREATE VIEW -> what is made, of which columns, and the blocks that fill it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.dictionary import PARTLY, EntityEntry
from mdw.model.query import ALL
from mdw.readers.sql.commands import around
from mdw.readers.sql.copies import structure_only, without_data
from mdw.readers.sql.defaults import filled_once
from mdw.readers.sql.definitions import (
    all_of,
    clone,
    create_alike,
    create_table,
    formulas,
    historied,
    inherited,
    replaced,
)
from mdw.readers.sql.earlier import loosened
from mdw.readers.sql.engines import seen_through
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.homes import of_view
from mdw.readers.sql.inserts import columns_named, learn
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.steadiness import unsteady
from mdw.readers.sql.tables import entity_made, entity_named, made_anew, of_session, table_name
from mdw.readers.sql.telling import table_entry
from mdw.readers.sql.views import passes, passing
from mdw.readers.sql.work import Work

SHARING = frozenset(("oracle", "teradata", "ansi"))
"""Dialects in which CREATE GLOBAL TEMPORARY TABLE makes a table that stays."""


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
        return made_anew(entity_made(names, work), work)
    entity = work.inner(names[-1])
    work.temporary[".".join(names)] = entity
    work.temporary[names[-1]] = entity
    if work.flavour.name in ("spark", "databricks"):
        # What is temporary and global is known by this name, in other sessions too.
        work.temporary[f"GLOBAL_TEMP.{names[-1]}"] = entity
    return entity, True


def create(one: Any, work: Work) -> Outcome:
    """CREATE TABLE or VIEW; what else is created is left to whoever knows it, or said not to be followed."""
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
    stays, own = bool(one.args.get("exists")), work.telling.own.get(target)
    # What others tell is asked where it counts: a file is read again when that is another.
    told = work.telling.entry(target) if kind == "TABLE" and (stays or own is not None) else None
    shape = work.dictionary.shape(target) if told is not None else None
    shared = kind == "TABLE" and stays and work.telling.maybe_there(target)
    found = _created(one, kind, target, work, inner=inner)
    work.empty |= {target} if inner and not found.filling else set()
    for key in before.keys() - named.keys():
        work.temporary.pop(key)
    work.temporary.update((key, entity) for key, entity in named.items() if entity == target)
    if shared and (entry := work.telling.own.get(target)) is not None:
        # What the others say of it is not told here.
        work.telling.put(replace(entry, definition=PARTLY))
    elif told is not None and not one.args.get("replace"):
        _beside(told, own, shape, work, stays=stays)
    if not stays:
        replaced(target, work, itself=str(one.args.get("kind")).upper() == "TABLE" and target in work.read)
    return found


def _beside(told: EntityEntry, own: EntityEntry | None, shape: Shape | None, work: Work, *, stays: bool) -> None:
    """Let a table that may be there already be what it was, or what is told of it now (rule Q32).

    CREATE TABLE IF NOT EXISTS t        what this script made before ``stays``
    IF OBJECT_ID('t') IS NULL CREATE TABLE t, or one that others make as well        nobody knows which of them holds
    """
    made = work.telling.own.get(told.name)
    if made is None or not told.attributes:
        return
    if _alike(told, made) and (own is None or own.definition == made.definition):
        return
    if stays and own is not None and own.whole and shape is not None:
        work.telling.put(replace(own, definition=PARTLY))
        work.dictionary.put(told.name, shape)
    else:
        work.telling.put(replace(made, definition=PARTLY))


def _alike(one: EntityEntry, other: EntityEntry) -> bool:
    """Whether two definitions give a row the same."""

    def gives(entry: EntityEntry) -> list[tuple[object, ...]]:
        return [
            (
                part.name,
                part.type,
                part.default,
                part.computed,
                part.identity,
                part.required,
                part.fills,
                part.collation,
            )
            for part in entry.attributes
        ]

    return gives(one) == gives(other)


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
        # Snowflake's dynamic tables are queries that are kept, as views are.
        properties = one.args.get("properties")
        stored = kind == "VIEW" or (properties is not None and properties.find(exp.DynamicProperty) is not None)
        schemas = of_view("" if inner else target, work.schemas, work.flavour.name) if stored else work.schemas
        filled = _filled_by(one, target, work)
        if kind == "VIEW":
            loosened(one.expression, target, work)
        with work.looking_in(schemas):
            found.filling = blocks_of(one.expression, work, Frame(filled, inner=inner, names=names))
        if filled == target:
            shape = work.shape_of(found.filling)
            first = [name for name in declared if shape.has(name) is False]
            shape = Shape([*first, *shape.columns], complete=shape.complete) if first else shape
            work.dictionary.put(filled, shape)
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
        shape = work.dictionary.known(target)
        found.given = tuple(shape.columns) if shape.complete else ()
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
