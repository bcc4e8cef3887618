"""MERGE: a block per branch, each without the rows of those before it (rule Q19).

    MERGE INTO t USING s ON s.k = t.k                 a block per branch, which starts from T or from S:
      WHEN MATCHED AND s.d THEN DELETE                  T INNER JOIN S, where s.d
      WHEN MATCHED THEN UPDATE SET a = s.x              T INNER JOIN S, where s.d IS NOT TRUE
      WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k)     S MARK JOIN T, where none was found

Where the target is a query, what it reads stands in the place of T (see `through`).
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.query import ONE_ROW, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, both, compared, exists, opposite, truth_of
from mdw.readers.sql.building import Building
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.defaults import default_in, is_default, left_out, refilled
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.inserts import learn
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import rename, with_tables
from mdw.readers.sql.relations import relate
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.set_clauses import assigned
from mdw.readers.sql.stars import expand
from mdw.readers.sql.subqueries import adopt
from mdw.readers.sql.tables import entity_named, table_name
from mdw.readers.sql.through import OpenedQuery, called_as_made, opened, query_changed, with_name
from mdw.readers.sql.widths import fit_row, fit_table
from mdw.readers.sql.work import Work


def merge(one: Any, work: Work) -> Outcome:
    """MERGE: each of its branches, without the rows of those before it."""
    with_name(one)
    frame = Frame("", tables=work.tables)
    tables = with_tables(one.args["with_"], work, frame).tables if one.args.get("with_") else frame.tables
    target = query_changed(one, tables, work) or entity_named(table_name(one.this, work), work)
    # What USING reads is read once, into a block that is none of the statement's; each branch gets its reads.
    using = Building("", inner=True)
    using.written = work.naming.written
    scope = SelectScope(work)
    scope.tables, scope.block = dict(tables), using
    relate(one.args["using"], scope)
    adopt(using, scope)
    query = None
    if target in work.inner_entities:
        query = opened(target, _merged(one, work), work, {read.role or read.entity for read in using.reads})
        target = query.target if query is not None else target
    found = Outcome("merge", target)
    found.writes[target] = None
    # The tests of branches so far, by their kind: MATCHED excludes nothing of NOT MATCHED, whose rows are others.
    before: dict[tuple[bool, bool], list[Node]] = {}
    for when in one.args["whens"].expressions:
        branch = _branch(when, one, target, query, scope, work)
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
    if target in work.temporary.values():
        learn(target, found.filling, work)
    return found


def _where(when: Any) -> Any:
    """Oracle's WHERE within a branch."""
    where = when.args["then"].args.get("where") if isinstance(when.args["then"], exp.Expr) else None
    return where.this if where is not None else None


def _merged(one: Any, work: Work) -> str:
    """The first column that a MERGE sets or gives."""
    for when in one.args["whens"].expressions:
        then = when.args["then"]
        given = then.args.get("expressions") if isinstance(then, exp.Update) else None
        if isinstance(given, list) and given and isinstance(given[0], exp.EQ):
            return work.naming.part(given[0].this.this)
        if isinstance(then, exp.Insert) and isinstance(then.this, exp.Tuple) and then.this.expressions:
            first = then.this.expressions[0]
            return work.naming.part(first.this if isinstance(first, exp.Column) else first)
    return ""


def _branch(
    when: Any, one: Any, target: str, query: OpenedQuery | None, using: SelectScope, work: Work
) -> tuple[Building, SelectScope] | None:
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
    changed = [own]
    if query is not None:
        block.through = query.value
        if not isinstance(then, exp.Insert):
            changed, scope.relations[0].computed = query.reads, query.value
            block.where += query.where
            block.qualify += query.qualify
    scope.relations += using.relations
    on = _on(one, scope)
    # What ON asks of variables is joined as well.
    held = [read for read in block.reads if read.entity != ONE_ROW]
    block.reads.clear()
    condition = both(on) if on else None
    if isinstance(then, exp.Insert):
        # Where no row of the target is, no column can be one of its. Asked is the target as it was before: of what
        # stands there now nothing is said, so it is looked for and binds no row.
        scope.relations[:] = using.relations
        block.reads += [*sources, *held, Read(own.entity, own.role, "MARK JOIN", condition, own.location)]
        block.where.append(opposite(exists(own.role or own.entity, own.location)))
        _inserted(then, block, scope, using)
        called_as_made(block)
        left_out(block, target, work)
        refilled(block, target, work)
        return block, scope
    # NOT MATCHED BY SOURCE: rows of the target that no row of the source finds; of that none has a column then.
    kind = "ANTI JOIN" if by_source and not matched else "INNER JOIN"
    if kind == "ANTI JOIN":
        scope.relations[:] = scope.relations[:1]
    first, *rest = sources
    block.reads += [*changed, *held, Read(first.entity, first.role, kind, condition, first.location), *rest]
    block.change = "UPDATING" if isinstance(then, exp.Update) else "DELETING"
    if isinstance(then, exp.Update):
        block.others = "CARRY"
        _updated(then, block, scope, using)
        called_as_made(block)
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
    if not given:
        _by_place(block, scope, using)
        return
    for assignment in given if isinstance(given, list) else [given]:
        if isinstance(assignment, exp.Star):
            expand(using.relations, scope, block.location)
        else:
            assigned(assignment, block, scope)


def _by_place(block: Building, scope: SelectScope, using: SelectScope) -> None:
    """UPDATE and INSERT alone, of DuckDB: all columns of the source, by their places."""
    expand(using.relations, scope, block.location)
    shape = scope.work.dictionary.shape(block.target)
    if shape is not None and shape.complete and not block.stars:
        rename(block, list(shape.columns)[: len(block.outputs)])


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
    if given is None and columns is None:
        _by_place(block, scope, using)
        return
    if given is None and not isinstance(columns, exp.Tuple):
        expand(using.relations, scope, block.location)
        return
    if names and given is not None and _whole_row(given):
        expand(using.relations, scope, block.location)
        if not block.stars:
            rename(block, names[: len(block.outputs)])
        return
    row = given if given is not None else columns
    row = row.expressions[0] if isinstance(row, exp.Values) else row
    items = row.expressions if isinstance(row, exp.Tuple) else [row]
    if names:
        fit_table(names, block.target, work)
    if names and given is not None:
        fit_row(items, names, block.target, work)
    if given is None or not names:
        shape = work.dictionary.shape(block.target)
        names = list(shape.columns) if shape is not None and shape.complete else [_name(item, work) for item in items]
    for name, item in zip(names, items, strict=False):
        given_value = default_in(block.target, name, work) if is_default(item) else item
        block.output(name, value(given_value, scope), work.place(item))


def _whole_row(given: Any) -> bool:
    """Whether all columns of the source are given, by their places: INSERT (a, b) ROW, as `whole_rows` writes it."""
    return isinstance(given, exp.Tuple) and len(given.expressions) == 1 and isinstance(given.expressions[0], exp.Star)


def _name(item: Any, work: Work) -> str:
    if isinstance(item, exp.Column):
        return work.naming.part(item.this)
    return work.naming.known(item.sql(dialect=work.flavour.parser), quoted=True)
