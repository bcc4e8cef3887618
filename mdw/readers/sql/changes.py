"""UPDATE, DELETE, MERGE and ON CONFLICT: they change rows that are there (rule Q19).

    UPDATE t SET a = s.x FROM s WHERE s.k = t.k       UPDATING T from T, CROSS JOIN S: A = s.x where s.k = t.k
    DELETE FROM t WHERE a = 1                         DELETING T where a = 1: nothing flows, the test only decides
    MERGE INTO t USING s ON s.k = t.k                 a block per branch, which starts from T or from S:
      WHEN MATCHED AND s.d THEN DELETE                  T INNER JOIN S, where s.d
      WHEN MATCHED THEN UPDATE SET a = s.x              T INNER JOIN S, where s.d IS NOT TRUE
      WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)     S MARK JOIN T, where none was found

A block of UPDATING reads the row of its own target first. Columns that it does not name are carried.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.query import Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, both, compared, exists, opposite, truth_of
from mdw.readers.sql.attaching import Joining
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.defaults import default_in, is_default, left_out
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.expressions import value
from mdw.readers.sql.fired import row_left
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import with_tables
from mdw.readers.sql.relations import relate
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.stars import expand, star
from mdw.readers.sql.subqueries import adopt
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.through import called_as_made, through
from mdw.readers.sql.work import Building, Work


def update(one: Any, work: Work) -> Outcome:
    """UPDATE: each row of the target, with what it is joined to."""
    block, scope = _changing(one, work, "UPDATING")
    found = Outcome("update", block.target, filling=[block])
    for assignment in one.expressions:
        _assigned(assignment, block, scope)
    called_as_made(block)
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
    relation = _meant(wanted, named, scope)
    if relation is None:
        # The target drives; what FROM names is joined to it. FROM was read first all the same: T-SQL's UPDATE b ...
        # FROM t AS b names its target there, and then it is not read twice.
        read, relations = list(block.reads), list(scope.relations)
        block.reads.clear()
        scope.relations.clear()
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


def _assigned(one: Any, block: Building, scope: SelectScope) -> None:
    """One SET: of a column, or of several by a row of values."""
    naming = scope.work.naming
    if not isinstance(one, exp.EQ):
        return
    left, right = one.this, one.expression
    if is_default(right) and isinstance(left, exp.Column):
        right = default_in(block.target, naming.part(left.this), scope.work)
    columns = left.expressions if isinstance(left, exp.Tuple) else [left]
    if scope.work.flavour.name == "oracle" and left.name.upper() == "ROW" and isinstance(right, exp.Column):
        # SET ROW = r: all columns of the row that the variable r holds.
        star(exp.Column(this=exp.Star(), table=right.this.copy()), scope)
        return
    names = [naming.part(column.this if isinstance(column, exp.Column) else column) for column in columns]
    if len(names) == 1 and not isinstance(left, exp.Tuple):
        block.output(names[0], value(right, scope), scope.work.place(left))
        return
    row = isinstance(right, exp.Anonymous) and str(right.this).upper() == "ROW"
    items = right.expressions if row or isinstance(right, exp.Tuple) else []
    if items:
        values = [value(item, scope) for item in items]
    else:
        first = value(right, scope)
        values = [first, *_beside(first, len(names), block, scope)]
    for name, node in zip(names, values, strict=False):
        block.output(name, node, scope.work.place(left))


def _beside(first: Node, width: int, block: Building, scope: SelectScope) -> list[Node]:
    """The other columns of the subquery whose first was used: SET (a, b) = (SELECT x, y ...)."""
    entity = block.reads[-1].entity
    maker = next((one for one in scope.work.blocks if one.target == entity), None)
    role = first.content.rpartition(".")[0]
    names = list(maker.named)[1:width] if maker else []
    return [attribute(f"{role}.{name}", first.location) for name in names]


# -- MERGE -------------------------------------------------------------------------------------------------------------


def merge(one: Any, work: Work) -> Outcome:
    """MERGE: each of its branches, without the rows of those before it."""
    target = entity_named(table_name(one.this, work), work)
    found = Outcome("merge", target)
    found.writes[target] = None
    frame = Frame("", tables=work.tables)
    tables = with_tables(one.args["with_"], work, frame).tables if one.args.get("with_") else frame.tables
    # What USING reads is read once, into a block that is none of the statement's; each branch gets its reads.
    using = Building("", inner=True)
    using.written = work.naming.written
    scope = SelectScope(work)
    scope.tables, scope.block = dict(tables), using
    relate(one.args["using"], scope)
    adopt(using, scope)
    # The tests of branches so far, by their kind: MATCHED excludes nothing of NOT MATCHED, whose rows are others.
    before: dict[tuple[bool, bool], list[Node]] = {}
    for when in one.args["whens"].expressions:
        branch = _branch(when, one, target, scope, work)
        if branch is None:
            continue
        block, within = branch
        kind = (bool(when.args.get("matched")), bool(when.args.get("source")))
        asked = [one for one in (when.args.get("condition"), _where(when)) if one is not None]
        own = both([test_of(one, within) for one in asked]) if asked else None
        block.where += [compared("IS NOT TRUE", truth_of(test)) for test in before.get(kind, ())]
        if own is not None:
            block.where.append(own)
            before.setdefault(kind, []).append(own)
        adopt(block, within)
        block.scope = within
        found.filling.append(block)
    return found


def _where(when: Any) -> Any:
    """Oracle's WHERE within a branch."""
    where = when.args["then"].args.get("where") if isinstance(when.args["then"], exp.Expr) else None
    return where.this if where is not None else None


def _branch(when: Any, one: Any, target: str, using: SelectScope, work: Work) -> tuple[Building, SelectScope] | None:
    then = when.args["then"]
    matched, by_source = bool(when.args.get("matched")), bool(when.args.get("source"))
    if not isinstance(then, (exp.Update, exp.Insert)) and str(then).upper() != "DELETE":
        return None
    block = work.building(target, inner=target in work.temporary.values(), location=work.place(when))
    scope = SelectScope(work)
    scope.tables, scope.block = using.tables, block
    assert using.block is not None
    sources = list(using.block.reads)
    # The target is related for its name and columns; how it is read depends on the branch.
    relate(one.this, scope)
    work.read.pop(target, None)
    own = block.reads.pop()
    scope.relations += using.relations
    on = _on(one, scope)
    block.reads.clear()
    condition = both(on) if on else None
    if isinstance(then, exp.Insert):
        # Where no row of the target is, no column can be one of its. Asked is the target as it was before: of what
        # stands there now nothing is said, so it is looked for and binds no row.
        scope.relations[:] = using.relations
        block.reads += [*sources, Read(target, own.role, "MARK JOIN", condition, own.location)]
        block.where.append(opposite(exists(own.role or target, own.location)))
        _inserted(then, block, scope, using)
        left_out(block, target, work)
        return block, scope
    # NOT MATCHED BY SOURCE: rows of the target that no row of the source finds; of that none has a column then.
    kind = "ANTI JOIN" if by_source and not matched else "INNER JOIN"
    if kind == "ANTI JOIN":
        scope.relations[:] = scope.relations[:1]
    first, *rest = sources
    block.reads += [own, Read(first.entity, first.role, kind, condition, first.location), *rest]
    block.change = "UPDATING" if isinstance(then, exp.Update) else "DELETING"
    if isinstance(then, exp.Update):
        block.others = "CARRY"
        _updated(then, block, scope, using)
    return block, scope


def _on(one: Any, scope: SelectScope) -> list[Node]:
    """By what a MERGE finds rows: a condition, or columns both sides have."""
    if isinstance(one.args.get("on"), exp.Expr):
        return rows_that(one.args["on"], scope)
    written, target, source = scope.work.naming.written, scope.relations[0], scope.relations[1]
    names = [scope.work.naming.part(column) for column in one.args.get("using_cond") or ()]
    return [
        compared("=", *(attribute(f"{written(side.label)}.{written(name)}") for side in (target, source)))
        for name in names
    ]


def _updated(then: Any, block: Building, scope: SelectScope, using: SelectScope) -> None:
    given = then.args.get("expressions")
    for assignment in given if isinstance(given, list) else [given]:
        if isinstance(assignment, exp.Star):
            expand(using.relations, scope, block.location)
        else:
            _assigned(assignment, block, scope)


def _values(then: Any) -> tuple[Any, Any]:
    """The columns of an INSERT and its values; sqlglot takes INSERT VALUES (a, b) of some dialects for other things."""
    columns, given = then.this, then.expression if isinstance(then.expression, exp.Expr) else None
    if given is None and isinstance(columns, exp.Tuple) and len(columns.expressions) == 1:
        row = columns.expressions[0]
        if isinstance(row, exp.Anonymous) and row.name.upper() == "VALUES":
            return None, exp.Tuple(expressions=row.expressions)
    if isinstance(given, exp.Tuple) and all(isinstance(one, exp.Tuple) for one in given.expressions):
        given = exp.Tuple(expressions=[value for one in given.expressions for value in one.expressions])
    return columns, given


def _inserted(then: Any, block: Building, scope: SelectScope, using: SelectScope) -> None:
    columns, given = _values(then)
    work = scope.work
    names = (
        [work.naming.part(one.this if isinstance(one, exp.Column) else one) for one in columns.expressions]
        if isinstance(columns, exp.Tuple)
        else []
    )
    if given is None and not isinstance(columns, exp.Tuple):
        expand(using.relations, scope, block.location)
        return
    row = given if given is not None else columns
    row = row.expressions[0] if isinstance(row, exp.Values) else row
    items = row.expressions if isinstance(row, exp.Tuple) else [row]
    if given is None or not names:
        shape = work.dictionary.shape(block.target)
        names = list(shape.columns) if shape is not None and shape.complete else [_name(item, work) for item in items]
    for name, item in zip(names, items, strict=False):
        given_value = default_in(block.target, name, work) if is_default(item) else item
        block.output(name, value(given_value, scope), work.place(item))


def _name(item: Any, work: Work) -> str:
    if isinstance(item, exp.Column):
        return work.naming.part(item.this)
    return work.naming.known(item.sql(dialect=work.flavour.parser), quoted=True)


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
        first, *rest = made.reads
        keys = [key.this if isinstance(key, exp.Ordered) else key for key in one.args.get("conflict_keys") or ()]
        columns = [work.naming.part(key.this) for key in keys if isinstance(key, exp.Column)]
        on = [
            compared("=", attribute(f"{target}.{name}"), made.named[name].value)
            for name in columns
            if name in made.named
        ]
        block.reads += [Read(target), Read(first.entity, first.role, "CROSS JOIN", None, first.location), *rest]
        block.where += [*made.where, *on]
        for assignment in one.expressions:
            _assigned(_of_excluded(assignment), block, scope)
        adopt(block, scope)
        found.filling.append(block)


def _excluded(made: Building, block: Building, work: Work) -> RowSource:
    """The row that could not be inserted, as triggers left it."""
    left = row_left(block, made.target, "insert", work)

    def column(name: str) -> Node:
        if (value_left := left(name)) is not None:
            return value_left
        output = made.named.get(name)
        return output.value if output is not None else value(exp.null(), SelectScope(work))

    return RowSource((("EXCLUDED",), ("NEW",)), "EXCLUDED", Shape((), complete=True), "", column)


def _of_excluded(assignment: Any) -> Any:
    """MySQL's VALUES(b) is the b of the row that could not be inserted."""
    copy = assignment.copy()
    for call in list(copy.find_all(exp.Anonymous)):
        if str(call.this).upper() == "VALUES" and len(call.expressions) == 1:
            call.replace(exp.column(call.expressions[0].name, table="excluded"))
    return copy
