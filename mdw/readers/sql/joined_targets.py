"""UPDATE of joined tables (MySQL): each column that is set is one of its own table.

UPDATE a JOIN b ON b.k = a.k SET a.x = 1, b.y = a.z
UPDATE a SET x = 1 FROM a JOIN b ON b.k = a.k; UPDATE b SET y = a.z FROM a JOIN b ON b.k = a.k
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.work import Work


def by_target(one: Any, work: Work) -> list[Any]:
    """An UPDATE for each of the joined tables that it changes."""
    tables = list(_joined(one.this)) if isinstance(one.this, exp.Table) else []
    if len(tables) < 2 or one.args.get("from_") is not None:
        return [one]
    sets: dict[int, list[Any]] = {}
    for assignment in one.expressions:
        sets.setdefault(_owner(assignment, tables, work), []).append(assignment)
    if list(sets) == [0]:
        return [one]
    return [_update_of(one, tables[at], several) for at, several in sets.items()]


def _joined(table: Any) -> Iterator[Any]:
    """A table and those that are joined to it."""
    yield table
    for join in table.args.get("joins") or ():
        yield from _joined(join.this)


def _owner(assignment: Any, tables: list[Any], work: Work) -> int:
    """Which of the tables has the column that is set; the first where nobody knows."""
    column = assignment.this
    if not isinstance(column, exp.Column):
        return 0
    part = work.naming.part
    if column.args.get("table") is not None:
        wanted = [part(name) for name in column.parts[:-1]]
        return next((at for at, table in enumerate(tables) if _called(table, wanted, work)), 0)
    name = part(column.this)
    known = [_has(table, name, work) for table in tables]
    owners = [at for at, has in enumerate(known) if has] or [at for at, has in enumerate(known) if has is None]
    if len(owners) > 1:
        work.unresolved[column.name] = None
    return owners[0] if owners else 0


def _called(table: Any, wanted: list[str], work: Work) -> bool:
    alias = table.args.get("alias")
    if alias is not None and alias.this is not None:
        return wanted == [work.naming.part(alias.this)]
    return isinstance(table, exp.Table) and table_name(table, work)[-len(wanted) :] == wanted


def _has(table: Any, name: str, work: Work) -> bool | None:
    if not isinstance(table, exp.Table):
        return False
    return work.dictionary.known(entity_named(table_name(table, work), work)).has(name)


def _update_of(one: Any, table: Any, sets: list[Any]) -> Any:
    found = one.copy()
    alias = table.args.get("alias")
    named = alias is not None and alias.this is not None
    own = exp.Table(this=alias.this.copy()) if named else exp.Table(**{**table.args, "joins": None}).copy()
    found.set("from_", exp.From(this=one.this.copy()))
    found.set("this", own)
    found.set("expressions", [part.copy() for part in sets])
    return found
