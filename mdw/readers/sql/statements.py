"""Statements -> outcomes: what each fills and changes. Changes of rows are in `changes`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL
from mdw.readers.nodes import attribute
from mdw.readers.sql.changes import conflict, delete, merge, update
from mdw.readers.sql.commands import command
from mdw.readers.sql.defaults import left_out, listed, written_out
from mdw.readers.sql.definitions import all_of, alter, clone, comment, create_table, drop, truncate, use
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of, named, rename, with_tables
from mdw.readers.sql.returning import returned
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.telling import table_entry
from mdw.readers.sql.work import Building, Work

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
    found.blocks = work.blocks
    found.unresolved = {**work.unresolved}
    found.reads = {**work.read, **found.reads}
    found.writes.update(work.writes)
    found.message = found.message or "; ".join(work.notes)
    return found


def changing(one: exp.Expr, work: Work, frame: Frame) -> list[Building]:
    """The blocks of what a change within a query gives to the query around it."""
    around, work.tables = work.tables, frame.tables
    found = ARMS[type(one)](one, work)
    work.tables = around
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
            target = _target(holder, work)
            blocks = returned(one, found, target, work)
            for block in blocks:
                _aim(holder, block, target, (), work)
            _learn(target, blocks, work)
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
        found.writes[target] = None
        return found
    found = Outcome("select", work.result())
    found.filling = blocks_of(one, work, Frame(found.target, inner=False))
    return found


def _selects(one: Any) -> list[Any]:
    left = one
    while isinstance(left, (exp.SetOperation, exp.Subquery)):
        left = left.this
    return [left]


def made(table: Any, work: Work, *, temporary: bool = False) -> tuple[str, bool]:
    """The entity a statement makes; a temporary one is local to the script, and a new one each time (rule Q20)."""
    names = table_name(table, work)
    marked = any(name.startswith("`#") for name in names)
    if not temporary and not marked:
        return entity_named(names, work), False
    entity = work.inner(names[-1])
    work.temporary[".".join(names)] = entity
    work.temporary[names[-1]] = entity
    return entity, True


def keep(entity: str, shape: Shape, work: Work) -> None:
    """From here on the entity has these columns."""
    work.dictionary.put(entity, shape)


# -- CREATE ------------------------------------------------------------------------------------------------------------


def _create(one: Any, work: Work) -> Outcome:
    kind = str(one.args.get("kind") or "").upper()
    if kind in ("FUNCTION", "MACRO") and _body(one) is not None:
        return _table_function(one, work)
    if kind not in ("TABLE", "VIEW"):
        return Outcome(f"create {kind.lower()}", status="opaque", message=f"CREATE {kind} is not followed")
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    properties = one.args.get("properties")
    temporary = properties is not None and properties.find(exp.TemporaryProperty, exp.VolatileProperty) is not None
    target, inner = made(table, work, temporary=temporary)
    found = Outcome(f"create {kind.lower()}", target)
    found.writes[target] = None
    if one.args.get("clone") is None:
        work.telling.put(table_entry(one, target, work))
    if one.args.get("clone") is not None:
        clone(one.args["clone"].this, target, work, found, inner=inner)
    elif isinstance(one.expression, (exp.Query, exp.Pivot)):
        names = _columns(one.this, work)
        filled = _filled_by(one, target, work)
        found.filling = blocks_of(one.expression, work, Frame(filled, inner=inner, names=names))
        keep(filled, work.shape_of(found.filling), work)
        if filled != target:
            found.writes[filled] = None
            clone(one.args["properties"].find(exp.ToTableProperty).this, target, work, found, inner=inner)
    elif isinstance(one.expression, exp.Table):
        clone(one.expression, target, work, found, inner=inner)
    else:
        create_table(one, target, work, found)
    return found


def _body(one: Any) -> Any:
    """The query of a function that gives rows."""
    inner = one.expression.this if isinstance(one.expression, exp.Return) else one.expression
    return inner if isinstance(inner, exp.Query) and isinstance(one.this, exp.UserDefinedFunction) else None


def _table_function(one: Any, work: Work) -> Outcome:
    """A function that gives rows: a view in which its arguments are constants nobody knows."""
    given = [part.this if isinstance(part, exp.ColumnDef) else part for part in one.this.expressions]
    work.bound = frozenset(work.naming.part(part) for part in given if isinstance(part, exp.Identifier))
    target = entity_named(table_name(one.this.this, work), work)
    found = Outcome("create function", target)
    found.writes[target] = None
    found.filling = blocks_of(_body(one), work, Frame(target, inner=False))
    keep(target, work.shape_of(found.filling), work)
    return found


def _filled_by(one: Any, target: str, work: Work) -> str:
    """The table that ClickHouse's CREATE MATERIALIZED VIEW v TO t fills; who reads the view reads that."""
    properties = one.args.get("properties")
    to = properties.find(exp.ToTableProperty) if properties is not None else None
    return entity_named(table_name(to.this, work), work) if to is not None else target


def _columns(schema: Any, work: Work) -> tuple[str, ...]:
    """The columns a statement names for its target."""
    if not isinstance(schema, exp.Schema):
        return ()
    columns = [one for one in schema.expressions if isinstance(one, (exp.Identifier, exp.ColumnDef, exp.Column))]
    return tuple(work.naming.part(one if isinstance(one, exp.Identifier) else one.this) for one in columns)


# -- INSERT (rule Q18) -------------------------------------------------------------------------------------------------


def _insert(one: Any, work: Work) -> Outcome:
    frame = Frame("", tables=work.tables)
    if one.args.get("with_") is not None:
        frame = with_tables(one.args["with_"], work, frame)
    return inserted(one, work, frame)


def inserted(one: Any, work: Work, frame: Frame) -> Outcome:
    """What an INSERT does; ``frame`` has the tables it may read."""
    target = _target(one, work)
    found = Outcome("insert overwrite" if one.args.get("overwrite") else "insert", target)
    found.writes[target] = None
    if one.args.get("default"):
        one.set("expression", exp.Select(expressions=[]))
    if one.expression is None or not isinstance(one.expression, (exp.Query, exp.Table, exp.Values)):
        found.status, found.message = "opaque", "an INSERT without a query or values"
        return found
    inner = target in work.temporary.values()
    before = Frame(target, inner=inner, tables=frame.tables)
    written_out(one.expression, _columns(one.this, work) or _known(target, work), target, work)
    found.filling = blocks_of(one.expression, work, before)
    fixed = _partition(one, work)
    for block in found.filling:
        _aim(one, block, target, tuple(fixed), work)
        for name, constant in fixed.items():
            if constant is not None:
                block.output(name, value(constant, SelectScope(work)), block.location)
        left_out(block, target, work)
    _learn(target, found.filling, work)
    if one.args.get("conflict") is not None:
        conflict(one.args["conflict"], target, found, work)
    return found


def _target(one: Any, work: Work) -> str:
    this = one.this.this if isinstance(one.this, exp.Schema) else one.this
    if isinstance(this, exp.Directory):
        return work.naming.known(this.this.name, quoted=True)
    if isinstance(this, exp.Table) and not isinstance(this.this, exp.Func):
        return entity_named(table_name(this, work), work)
    return work.naming.known(this.sql(), quoted=True)


def _aim(one: Any, block: Building, target: str, fixed: tuple[str, ...], work: Work) -> None:
    """Let the columns of a block fill those of the target: those listed, or those it has, in order, or of like name."""
    names = _columns(one.this, work)
    known = tuple(name for name in _known(target, work) if name not in fixed)
    if names:
        rename(block, names)
        return
    if one.args.get("by_name") or not known or block.stars:
        return
    if len(block.outputs) > len(known):
        work.unknown(f"{len(block.outputs)} columns for the {len(known)} of {work.naming.shown(target)}")
    if ALL not in block.named:
        rename(block, known[: len(block.outputs)])


def _known(target: str, work: Work) -> tuple[str, ...]:
    """The columns that an INSERT without a list fills, none if nobody knows them."""
    shape = work.dictionary.shape(target)
    return listed(work.telling.entry(target), tuple(shape.columns), work) if shape and shape.complete else ()


def _partition(one: Any, work: Work) -> dict[str, Any]:
    """The columns PARTITION names, with their constants."""
    this = one.this.this if isinstance(one.this, exp.Schema) else one.this
    partition = this.args.get("partition") if isinstance(this, exp.Table) else None
    found: dict[str, Any] = {}
    for part in partition.expressions if partition is not None else ():
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column):
            found[work.naming.part(part.this.this)] = part.expression
    return found


def _learn(target: str, blocks: list[Building], work: Work) -> None:
    """What is written to an entity it has."""
    shape = work.dictionary.known(target)
    if shape.complete:
        return
    for block in blocks:
        for name in block.named:
            shape.columns.setdefault(name, None)
        if block.stars:
            shape.suppliers.append(block)


def _several(one: Any, work: Work) -> Outcome:
    """INSERT ALL, and Hive's FROM ... INSERT ... INSERT: one source, several targets."""
    found = Outcome("insert all")
    source = one.args["source"]
    query = source.this if isinstance(source, exp.Subquery) and not source.alias else source
    first = str(one.args.get("kind") or "").upper() == "FIRST"
    before: list[Any] = []
    asked: list[Any] = []
    for part in one.expressions:
        insert = part.this if isinstance(part, exp.ConditionalInsert) else part
        given = insert.expression
        if isinstance(given, exp.Select) and given.args.get("from_") is None:
            body = given.copy()
            body.set("from_", exp.From(this=source.copy()))
        else:
            body = _over(given, query)
        asked = _asked(part, asked, before, first=first)
        for condition in asked:
            body = body.where(condition.copy(), copy=False)
        whole = insert.copy()
        whole.set("expression", body)
        one_of = inserted(whole, work, Frame(""))
        found.filling += one_of.filling
        found.writes.update(one_of.writes)
        found.target = found.target or one_of.target
    return found


def _asked(part: Any, asked: list[Any], before: list[Any], *, first: bool) -> list[Any]:
    """What rows must meet for a part of an INSERT ALL: its WHEN, after INSERT FIRST none ``before``, ELSE none at all.

    ``asked`` is what they must meet for the part before it, of which several may stand behind one WHEN.
    """
    own = part.expression if isinstance(part, exp.ConditionalInsert) else None
    if own is not None:
        found = [*(before if first else ()), own]
        before.append(exp.Not(this=exp.Is(this=exp.Paren(this=own.copy()), expression=exp.true())))
        return found
    return before if isinstance(part, exp.ConditionalInsert) and part.args.get("else_") else asked


def _over(given: Any, query: Any) -> Any:
    """A SELECT of the values of an INSERT ALL over its query."""
    source = exp.Subquery(this=query.copy()) if isinstance(query, exp.Query) else query.copy()
    items = (
        [item.copy() for item in given.expressions[0].expressions] if isinstance(given, exp.Values) else [exp.Star()]
    )
    return exp.Select(expressions=items, from_=exp.From(this=source))


# -- the rest ----------------------------------------------------------------------------------------------------------


def _copy(one: Any, work: Work) -> Outcome:
    """COPY: files, or a query over them, into a table; a table, or a query, into files."""
    found = Outcome("copy")
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    names = _columns(one.this, work)
    if isinstance(table, exp.Table) and one.args.get("kind"):
        found.target = entity_named(table_name(table, work), work)
        for file in one.args.get("files") or ():
            if isinstance(file, (exp.Query, exp.Subquery)):
                found.filling += blocks_of(file, work, Frame(found.target, inner=False, names=names))
            else:
                found.filling.append(_taken(_file(file, work), found.target, names, work, found))
        _learn(found.target, found.filling, work)
    else:
        files = [_file(file, work) for file in one.args.get("files") or ()]
        found.target = files[0] if files else "`files`"
        if isinstance(table, exp.Table):
            found.filling.append(_taken(entity_named(table_name(table, work), work), found.target, names, work, found))
        else:
            found.filling = blocks_of(table, work, Frame(found.target, inner=False))
    found.writes[found.target] = None
    return found


def _file(file: Any, work: Work) -> str:
    return work.naming.known(file.this.name if isinstance(file, exp.Table) else file.name, quoted=True)


def _taken(source: str, target: str, names: tuple[str, ...], work: Work, found: Outcome) -> Building:
    """All rows of one entity into another, or of these columns only."""
    found.reads[source] = None
    block = all_of(source, target, work, None, inner=False)
    if names:
        block.outputs, block.named, block.columns, block.stars = [], {}, {}, []
        work.unresolved.clear()
        for name in names:
            work.dictionary.known(source).ask(name)
            block.output(name, attribute(f"{work.naming.written(source)}.{work.naming.written(name)}"))
    return block


def _export(one: Any, work: Work) -> Outcome:
    """EXPORT DATA: the rows of a query into files."""
    options = one.args.get("options")
    uris = [part.args["value"].name for part in options.expressions if part.name.lower() == "uri"] if options else []
    found = Outcome("export", work.naming.known(uris[0] if uris else "files", quoted=True))
    found.filling = blocks_of(one.this, work, Frame(found.target, inner=False))
    found.writes[found.target] = None
    return found


def _load(one: Any, work: Work) -> Outcome:
    """LOAD DATA: files into a table."""
    found = Outcome("load", entity_named(table_name(one.this, work), work))
    path = one.args.get("inpath") or next((part for part in one.find_all(exp.Literal) if "/" in part.name), None)
    source = work.naming.known(path.name if path is not None else "files", quoted=True)
    found.filling.append(_taken(source, found.target, (), work, found))
    found.writes[found.target] = None
    return found


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
    r"(?:search_path|current_schema|schema)(?:\s*=|\s+TO\b|\s)\s*(.+)"
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
    name = (str(one.this) if isinstance(one, exp.Command) else one.key).upper()
    first = name.split()[0] if name.split() else name
    message = "" if first in MINOR else f"{first} is not followed"
    return Outcome(first.lower(), status="whole" if first in MINOR else "opaque", message=message)


ARMS: Mapping[type[exp.Expr], Callable[[Any, Work], Outcome]] = {
    exp.Create: _create,
    exp.Insert: _with_output(_insert),
    exp.MultitableInserts: _several,
    exp.Merge: _with_output(merge),
    exp.Update: _with_output(update),
    exp.Delete: _with_output(delete),
    exp.TruncateTable: truncate,
    exp.Drop: drop,
    exp.Alter: alter,
    exp.Use: use,
    exp.Copy: _copy,
    exp.Export: _export,
    exp.LoadData: _load,
    exp.LockingStatement: _locking,
    exp.Cache: _cache,
    exp.Comment: comment,
}
