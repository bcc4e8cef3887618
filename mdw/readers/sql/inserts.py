"""INSERT: what the columns of a query fill (rule Q18).

INSERT INTO t (b, a) SELECT x, y FROM s        B = s.x, A = s.y; what T has besides gets its default, else NULL
INSERT INTO t SELECT x, y FROM s               by T's columns in order where all are known, else X and Y by name
INSERT INTO t BY NAME SELECT x, y FROM s       X and Y
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL, Output
from mdw.readers.nodes import call, compared, opaque, parameter
from mdw.readers.sql.building import Building
from mdw.readers.sql.changes import conflict, keys_of
from mdw.readers.sql.defaults import left_out, listed, refilled, written_out
from mdw.readers.sql.expressions import value
from mdw.readers.sql.fired import kept
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import blocks_of, rename, with_tables
from mdw.readers.sql.remote import given_table
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.tables import entity_named, files_of, table_name
from mdw.readers.sql.through import opened, query_changed
from mdw.readers.sql.variables import THIS_WAY
from mdw.readers.sql.widths import fit_list, fit_table
from mdw.readers.sql.work import Work


def columns_named(schema: Any, work: Work) -> tuple[str, ...]:
    """The columns a statement names for its target."""
    if not isinstance(schema, exp.Schema):
        return ()
    columns = [one for one in schema.expressions if isinstance(one, (exp.Identifier, exp.ColumnDef, exp.Column))]
    return tuple(work.naming.part(one if isinstance(one, exp.Identifier) else one.this) for one in columns)


def insert(one: Any, work: Work) -> Outcome:
    frame = Frame("", tables=work.tables)
    if one.args.get("with_") is not None:
        frame = with_tables(one.args["with_"], work, frame)
    return inserted(one, work, frame)


def inserted(one: Any, work: Work, frame: Frame) -> Outcome:
    """What an INSERT does; ``frame`` has the tables it may read."""
    made = query_changed(one, frame.tables, work)
    names = columns_named(one.this, work)
    query = opened(made, names[0] if names else "", work) if made in work.inner_entities else None
    target = query.target if query is not None else made or target_of(one, work)
    found = Outcome("insert overwrite" if one.args.get("overwrite") else "insert", target)
    found.writes[target] = None
    if one.args.get("default"):
        one.set("expression", exp.Select(expressions=[]))
    if one.expression is None and work.flavour.name == "teradata" and isinstance(one.this, exp.Schema):
        # INSERT t (1, 2): values, for what is listed has no columns' values behind it.
        items = [exp.column(part) if isinstance(part, exp.Identifier) else part for part in one.this.expressions]
        one.set("expression", exp.Values(expressions=[exp.Tuple(expressions=items)]))
        one.set("this", one.this.this)
    if one.expression is None or not isinstance(one.expression, (exp.Query, exp.Table, exp.Values)):
        found.status, found.message = "opaque", "an INSERT without a query or values"
        return found
    if names and query is None:
        fit_table(names, target, work)
    inner = target in work.temporary.values()
    # DEFAULT among the values, before these are read: only here it is known of which column it is.
    before = Frame(target, inner=inner, tables=frame.tables)
    written_out(one.expression, names or _known(target, work), target, work)
    fixed = _partition(one, work)
    orders = [] if names or query is not None or one.args.get("by_name") else _orders(target, fixed, work)
    found.filling, aimed = _in_each_order(one.expression, orders, before, work)
    for block in found.filling:
        if aimed:
            pass
        elif query is not None:
            rename(block, [query.name(name) for name in names or query.columns])
            # That the query reads the rows it is a part of makes its table no source of what is inserted.
            if not any(read.entity == target for other in work.blocks if other.target != made for read in other.reads):
                work.read.pop(target, None)
        else:
            aim(one, block, target, tuple(fixed), work)
        for name, constant in fixed.items():
            if constant is not None:
                block.output(name, value(constant, SelectScope(work)), block.location)
        left_out(block, target, work)
        refilled(block, target, work, lenient=_lenient(one, work))
        kept(block, "insert", work)
    learn(target, found.filling, work)
    for block in found.filling:
        asked = list(keys_of(one.args.get("conflict"), block, work).values())
        if _leaves_out(one) or (_replaces(one) and asked):
            block.limits.append(call("CONFLICT", asked, block.location))
    if one.args.get("conflict") is not None:
        conflict(one.args["conflict"], target, found, work)
    return found


def _leaves_out(one: Any) -> bool:
    """Whether rows whose key is there already are not inserted: ON CONFLICT DO NOTHING, INSERT OR IGNORE."""
    conflict_, alternative = one.args.get("conflict"), str(one.args.get("alternative") or "").upper()
    return (
        bool(one.args.get("ignore")) or alternative == "IGNORE" or (conflict_ is not None and not conflict_.expressions)
    )


def _lenient(one: Any, work: Work) -> bool:
    """Whether NULL is replaced, and no error, where a column must not be NULL."""
    if work.flavour.name == "sqlite":
        return _replaces(one)
    return work.flavour.name == "mysql" and bool(one.args.get("ignore"))


def _replaces(one: Any) -> bool:
    """Whether rows go whose key is given again: REPLACE INTO, INSERT OR REPLACE."""
    return str(one.args.get("alternative") or "").upper() == "REPLACE"


def target_of(one: Any, work: Work) -> str:
    this = one.this.this if isinstance(one.this, exp.Schema) else one.this
    if isinstance(this, exp.Directory):
        return work.naming.known(this.this.name, quoted=True)
    if isinstance(this, exp.Table) and not isinstance(this.this, exp.Func):
        return entity_named(table_name(this, work), work)
    # INSERT INTO FUNCTION s3('s3://x'), of a file or of another server's table (ClickHouse, StarRocks).
    function = this.this if isinstance(this, exp.Table) else this
    files = files_of(function)
    if files:
        return work.naming.known(files[0], quoted=True)
    far = given_table(function, work.flavour, work.naming)
    return far or work.naming.known(this.sql(), quoted=True)


def _once_each(block: Building, names: Sequence[str]) -> list[str]:
    """The columns of a list, each once: of one that PostgreSQL fills part by part, a.b and a.c, it is made of all."""
    several = list(dict.fromkeys(names))
    if len(several) < len(names) == len(block.outputs):
        outputs = block.outputs
        block.outputs, block.named = [], {}
        for name in several:
            first, *more = [one for one, of in zip(outputs, names, strict=True) if of == name]
            made = opaque("PARTS", [first.value, *(one.value for one in more)], first.location)
            block.output(first.name, made if more else first.value, first.location)
    return several


def aim(one: Any, block: Building, target: str, fixed: tuple[str, ...], work: Work) -> None:
    """Let the columns of a block fill those of the target: those listed, or those it has, in order, or of like name."""
    names = columns_named(one.this, work)
    # PARTITION (day = '...') gives its column; the query does not.
    known = tuple(name for name in _known(target, work) if name not in fixed)
    if names:
        if not one.args.get("default"):
            fit_list(one, block, names, target, work, more=len(_parts(one)))
        rename(block, _once_each(block, names))
        _gather(block, work)
        return
    # Where the target's order, or the query's, is not known names are all there is to go by.
    if one.args.get("by_name") or not known or block.stars:
        return
    if len(block.outputs) > len(known):
        work.unknown(f"{len(block.outputs)} columns for the {len(known)} of {work.naming.shown(target)}")
    if ALL not in block.named:
        rename(block, known[: len(block.outputs)])


def _gather(block: Building, work: Work) -> None:
    """Let what is written into parts of ClickHouse's Nested, n.a and n.b, be written into N, as what is read is N's."""
    if work.flavour.name != "clickhouse" or not any("." in one.name for one in block.outputs):
        return
    parts_of: dict[str, list[Output]] = {}
    for one in block.outputs:
        root = one.name.strip("`").partition(".")[0]
        parts_of.setdefault(one.name if "." not in one.name else work.naming.known(root, quoted=True), []).append(one)
    block.outputs, block.named, block.columns = [], {}, {}
    for name, several in parts_of.items():
        made = opaque("NESTED", [one.value for one in several], several[0].location)
        block.output(name, several[0].value if several[0].name == name else made, several[0].location)


def _known(target: str, work: Work) -> tuple[str, ...]:
    """The columns that an INSERT without a list fills, none if nobody knows them."""
    shape = work.dictionary.shape(target)
    columns = () if shape is None else tuple(shape.columns) if shape.complete else shape.order
    return listed(work.telling.entry(target), columns, work) if columns else ()


def _orders(target: str, fixed: Iterable[str], work: Work) -> list[tuple[str, ...]]:
    """The orders of which the target's columns are in one, where branches of a program make it differently."""
    shape, entry = work.dictionary.shape(target), work.telling.entry(target)
    several = shape.orders if shape is not None and not shape.order else ()
    return [tuple(name for name in listed(entry, one, work) if name not in fixed) for one in several]


def _in_each_order(
    query: Any, orders: Sequence[tuple[str, ...]], frame: Frame, work: Work
) -> tuple[list[Building], bool]:
    """The blocks of a query, once for each order in which it may fill columns by place, and whether it does so."""
    trees = [query.copy() for _ in orders[1:]]
    found = blocks_of(query, work, frame)
    fitting = [one for one in orders if all(len(block.outputs) <= len(one) for block in found)]
    if not fitting or any(block.stars or ALL in block.named for block in found):
        return found, False
    several = [found, *(blocks_of(tree, work, frame) for tree in trees[: len(fitting) - 1])]
    for order, blocks in zip(fitting, several, strict=True):
        for block in blocks:
            rename(block, order[: len(block.outputs)])
            if len(fitting) > 1:
                # Which of them it is nobody knows here.
                block.where.append(compared("IS TRUE", parameter(THIS_WAY, block.location)))
    return [block for blocks in several for block in blocks], True


def _parts(one: Any) -> Sequence[Any]:
    """What PARTITION names."""
    this = one.this.this if isinstance(one.this, exp.Schema) else one.this
    partition = this.args.get("partition") if isinstance(this, exp.Table) else None
    return partition.expressions if partition is not None else ()


def _partition(one: Any, work: Work) -> dict[str, Any]:
    """The columns PARTITION names, with their constants."""
    found: dict[str, Any] = {}
    for part in _parts(one):
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column):
            found[work.naming.part(part.this.this)] = part.expression
    return found


def learn(target: str, blocks: list[Building], work: Work) -> None:
    """What is written to an entity it has."""
    shape = work.dictionary.known(target)
    if target in work.temporary.values():
        # Who asks a table of the script for a column it is known to have asks no star that fills it.
        for name in shape.columns:
            for block in blocks:
                if block.stars and name not in block.named:
                    block.supply(name)
    if shape.complete:
        return
    for block in blocks:
        for name in block.named:
            shape.columns.setdefault(name, None)
        if block.stars or block.first:
            shape.suppliers.append(block)


def several(one: Any, work: Work) -> Outcome:
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
        # Hive's FROM s INSERT INTO t SELECT x: each SELECT is over the one FROM.
        if isinstance(given, exp.Select) and given.args.get("from_") is None:
            body = given.copy()
            body.set("from_", exp.From(this=source.copy()))
            if one.args.get("with_") is not None:
                body.set("with_", one.args["with_"].copy())
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
    # NOT (c IS TRUE): an earlier WHEN that is NULL takes no row either.
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
