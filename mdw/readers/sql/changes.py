"""UPDATE, DELETE and ON CONFLICT: they change rows that are there (rule Q19). MERGE is in `merges`.

    UPDATE t SET a = s.x FROM s WHERE s.k = t.k       UPDATING T from T, CROSS JOIN S: A = s.x where s.k = t.k
    DELETE FROM t WHERE a = 1                         DELETING T where a = 1: nothing flows, the test only decides

A block of UPDATING reads the row of its own target first. Columns that it does not name are carried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlglot import exp

from mdw.model.query import ONE_ROW, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call, compared
from mdw.readers.sql.attaching import Joining
from mdw.readers.sql.building import Building
from mdw.readers.sql.conditions import rows_that
from mdw.readers.sql.defaults import renewed
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.expressions import value
from mdw.readers.sql.fired import kept, row_left
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import with_tables
from mdw.readers.sql.relations import relate
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.set_clauses import assigned
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.subqueries import adopt
from mdw.readers.sql.tables import table_name
from mdw.readers.sql.through import called_as_made, through
from mdw.readers.sql.work import Work

APART = frozenset(("postgres", "sqlite"))
"""Dialects in which WITH and FROM hold no targets: WITH t AS (...) UPDATE t ... FROM t changes the table T."""


def update(one: Any, work: Work) -> Outcome:
    """UPDATE: each row of the target, with what it is joined to."""
    block, scope = _changing(one, work, "UPDATING")
    found = Outcome("update", block.target, filling=[block])
    for assignment in one.expressions:
        assigned(assignment, block, scope)
    called_as_made(block)
    renewed(block, work)
    kept(block, "update", work)
    _ended(one, block, scope, work)
    found.writes[block.target] = None
    return found


def delete(one: Any, work: Work) -> Outcome:
    """DELETE: which rows go; nothing flows."""
    block, scope = _changing(one, work, "DELETING")
    found = Outcome("delete", block.target, filling=[block])
    _ended(one, block, scope, work)
    return found


def _changing(one: Any, work: Work, change: str) -> tuple[Building, SelectScope]:
    """The block of a change, with all it reads: the target first, or where FROM says the target stands."""
    block = work.building("", inner=False, location=work.place(one))
    block.change, block.others = change, "CARRY" if change == "UPDATING" else ""
    scope = SelectScope(work, block=block)
    clause = one.args.get("with_")
    frame = Frame("", tables=work.tables)
    scope.tables = dict((with_tables(clause, work, frame) if clause is not None else frame).tables)
    source = one.args.get("from_")
    named = (one.args.get("tables") or [one.this])[0]
    own = one.this if isinstance(one.this, exp.Expr) else named
    wanted = table_name(named, work) if isinstance(named, exp.Table) else []
    if source is not None and source.this is not None:
        relate(source.this, scope)
    # PostgreSQL's target is never what FROM names, though that be called alike: UPDATE t ... FROM t AS b.
    relation = _meant(wanted, named, scope) if work.flavour.name not in APART else None
    if relation is None:
        # The target drives; what FROM names is joined to it. FROM was read first all the same: T-SQL's UPDATE b ...
        # FROM t AS b names its target there, and then it is not read twice.
        read, relations = list(block.reads), list(scope.relations)
        block.reads.clear()
        scope.relations.clear()
        with _without_tables(own, scope):
            relate(own, scope)
        block.reads += [
            Read(other.entity, other.role, other.join or "CROSS JOIN", other.on, other.location) for other in read
        ]
        scope.relations += relations
        relation = _meant(wanted, named, scope) or scope.relations[0]
    for more in one.args.get("using") or () if isinstance(one.args.get("using"), list) else ():
        relate(more, scope, Joining("CROSS JOIN"))
    block.target = relation.entity or work.naming.known(own.sql(), quoted=True)
    if block.target in work.inner_entities and block.target not in work.temporary.values():
        through(block, relation, _named(one, work), work)
    block.inner = block.target in work.temporary.values()
    block.scope = scope
    return block, scope


@contextmanager
def _without_tables(own: Any, scope: SelectScope) -> Iterator[None]:
    """Where WITH makes no targets a change is of the table that is called as one of its tables."""
    tables, work = scope.tables, scope.work
    if isinstance(own, exp.Table) and work.flavour.name in APART:
        scope.tables = {name: made for name, made in tables.items() if [name] != table_name(own, work)}
    yield
    scope.tables = tables


def _named(one: Any, work: Work) -> str:
    """The first column that an UPDATE sets."""
    first = next((part.this for part in one.expressions if isinstance(part, exp.EQ)), None)
    return work.naming.part(first.this) if isinstance(first, exp.Column) else ""


def _meant(wanted: Sequence[str], table: Any, scope: SelectScope) -> RowSource | None:
    """The relation of FROM that a statement names as its target."""
    if not wanted or (isinstance(table, exp.Table) and table.alias):
        own = scope.work.naming.part(table.args["alias"].this) if table is not None and table.alias else ""
        return next((one for one in scope.relations if own and one.matches((own,))), None)
    if scope.work.flavour.name in TRANSACT:
        return scope.relation(wanted)
    # UPDATE t SET a = o.b FROM t AS o: only T-SQL takes o for the row that is changed, elsewhere it is any other of t.
    return next((one for one in scope.relations if one.matches(tuple(wanted))), None)


def _ended(one: Any, block: Building, scope: SelectScope, work: Work) -> None:
    where = one.args.get("where")
    if where is not None:
        block.where += rows_that(where.this, scope)
    adopt(block, scope)
    # That a change reads the rows it changes makes its target no source of it, unless it is read once more.
    if sum(read.entity == block.target for read in block.reads) < 2:
        work.read.pop(block.target, None)


# -- ON CONFLICT -------------------------------------------------------------------------------------------------------


def conflict(one: Any, target: str, found: Outcome, work: Work) -> None:
    """What becomes of rows that are there already: an update by the rows that would have been inserted."""
    # DO NOTHING, without SET, only decides which rows come: nothing is said of it.
    for made in list(found.filling) if one.expressions else ():
        block = work.building(target, inner=made.inner, location=work.place(one) or made.location)
        block.change, block.others = "UPDATING", "CARRY"
        scope = SelectScope(work, block=block)
        shape = work.dictionary.known(target)
        alias = one.parent.find(exp.Table).args.get("alias")
        names = (tuple(target.split(".")), *([(work.naming.part(alias.this),)] if alias is not None else []))
        scope.relations.append(RowSource(names, target, shape, target))
        scope.relations.append(_excluded(made, block, work))
        if work.flavour.name == "mysql":
            # What the query reads may be meant as well.
            scope.relations += [_source(read) for read in made.reads if read.entity != ONE_ROW]
        first, *rest = made.reads
        written, keys = work.naming.written, keys_of(one, made, work)
        on = [compared("=", attribute(f"{written(target)}.{written(name)}"), node) for name, node in keys.items()]
        if not one.args.get("conflict_keys"):
            # Of which key there is such a row already nobody says: they decide, and no more.
            block.limits += [call("CONFLICT", list(keys.values()), block.location)] if keys else []
            on = []
        block.reads += [Read(target), Read(first.entity, first.role, "CROSS JOIN", None, first.location), *rest]
        block.where += [*made.where, *on]
        for assignment in one.expressions:
            assigned(_of_excluded(assignment, one.parent, list(made.named), work), block, scope)
        renewed(block, work)
        if one.args.get("where") is not None:
            block.where += rows_that(one.args["where"].this, scope)
        adopt(block, scope)
        found.filling.append(block)


def keys_of(one: Any, made: Building, work: Work) -> dict[str, Node]:
    """The columns that ON CONFLICT asks for, else those of all keys, each with what the row would have had in it."""
    told = one.args.get("conflict_keys") if one is not None else None
    keys = [key.this if isinstance(key, exp.Ordered) else key for key in told or ()]
    names = [work.naming.part(key.this) for key in keys if isinstance(key, exp.Column)]
    if not told:
        entry = work.telling.entry(made.target)
        names = [name for key in (entry.key, *entry.unique) for name in key] if entry is not None else []
    return {name: made.named[name].value for name in names if name in made.named}


def _source(read: Read) -> RowSource:
    """A relation of a query, as it is called there; a name without it is that of the table's own column."""
    names = (read.role,) if read.role else tuple(read.entity.split("."))
    return RowSource((names,), read.role or read.entity, Shape((), complete=True), read.entity)


def _excluded(made: Building, block: Building, work: Work) -> RowSource:
    """The row that could not be inserted, as triggers left it."""
    left = row_left(block, made.target, "insert", work)

    def column(name: str) -> Node:
        if (value_left := left(name)) is not None:
            return value_left
        output = made.named.get(name)
        return output.value if output is not None else value(exp.null(), SelectScope(work))

    return RowSource((("EXCLUDED",), ("NEW",)), "EXCLUDED", Shape((), complete=True), "", column)


def _of_excluded(assignment: Any, change: Any, names: Sequence[str], work: Work) -> Any:
    """MySQL's VALUES(b) is the b of the row that could not be inserted, and so is n.b of VALUES (...) AS n.

    VALUES (1, 2) AS n(p, q): P and Q are what the first and the second column get.
    """
    copy = assignment.copy()
    for meant in list(copy.find_all(exp.Anonymous)):
        if str(meant.this).upper() == "VALUES" and len(meant.expressions) == 1:
            meant.replace(exp.column(meant.expressions[0].name, table="excluded"))
    alias = change.expression.args.get("alias") if isinstance(change.expression, exp.Values) else None
    if alias is None or alias.this is None:
        return copy
    part, called = work.naming.part, work.naming.part(alias.this)
    listed = dict(zip(map(part, alias.args.get("columns") or ()), names, strict=False))
    for column in list(copy.expression.find_all(exp.Column)):
        name, table = part(column.this), column.args.get("table")
        if (table is not None and part(table) == called) or (table is None and name in listed):
            own = exp.to_identifier(work.naming.shown(listed.get(name, name)), quoted=True)
            column.replace(exp.column(own, table="excluded"))
    return copy
