"""Statements -> outcomes: what each fills and changes. `creations` has CREATE, `changes` and `merges` changes of rows.

`ARMS` says what reads which kind of tree. An arm returns an `Outcome`, with the blocks that fill the statement's target
in ``filling``; all blocks, those of inner entities too, gather in the `Work`, and `outcome_of` adds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.readers.sql.alterations import alter
from mdw.readers.sql.altering import actions
from mdw.readers.sql.building import Building
from mdw.readers.sql.cascades import cascade
from mdw.readers.sql.changes import delete, update
from mdw.readers.sql.commands import command
from mdw.readers.sql.copies import structure_only
from mdw.readers.sql.creations import create, made
from mdw.readers.sql.defaults import filled_once
from mdw.readers.sql.definitions import comment, drop, truncate
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.inserts import aim, insert, learn, several, target_of
from mdw.readers.sql.joined_targets import by_target
from mdw.readers.sql.merges import merge
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of, named
from mdw.readers.sql.returning import returned
from mdw.readers.sql.transfers import copy, export, load
from mdw.readers.sql.using import use
from mdw.readers.sql.work import Work

MINOR_WORDS = """
    SET SHOW GRANT REVOKE COMMENT ANALYZE DESCRIBE KILL PRAGMA BEGIN COMMIT ROLLBACK TRANSACTION REFRESH UNCACHE
    DECLARE ATTACH DETACH INSTALL LOAD VACUUM OPTIMIZE CALL EXPLAIN ADD LIST EXECUTE EXEC PRINT RAISE THROW
    SUMMARIZE COLLECT
"""
MINOR = frozenset(MINOR_WORDS.split())
"""Commands that move no data, or none that can be told."""

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
        work.dictionary.put(target, work.shape_of(found.filling))
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
        work.dictionary.put(target, work.shape_of(found.filling))
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
    exp.Create: create,
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
