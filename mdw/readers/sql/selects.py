"""SELECT -> one block.

    SELECT p.k, SUM(s.x) AS x FROM s LEFT JOIN p ON p.k = s.k WHERE s.t = 'a' GROUP BY p.k HAVING SUM(s.x) > 0

    reads    S, LEFT JOIN P ON p.k = s.k        outputs  K = p.k, X = SUM(s.x)
    where    s.t = 'a'                          group    p.k;  having  SUM(s.x) > 0

Clauses are read in the order in which names come to be known, not in that of the text or of the engine: what FROM has
first, then the columns, whose aliases WHERE may use in some dialects, GROUP BY in more and ORDER BY in all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.query import ONE_ROW, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import aggregating, both, call
from mdw.readers.sql.building import Building
from mdw.readers.sql.chosen import each_column, laid_out
from mdw.readers.sql.computed import lateral
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.expressions import value
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.generators import is_inline, made_of
from mdw.readers.sql.groups import any_row, extremes_of, picked_row
from mdw.readers.sql.hierarchies import connect
from mdw.readers.sql.levels import attributes, correlated
from mdw.readers.sql.limits import gives_several, limits_of, taken_apart
from mdw.readers.sql.matching import names_that
from mdw.readers.sql.names import column_at, placed
from mdw.readers.sql.pivots import recognized
from mdw.readers.sql.ranks import of_first_rows
from mdw.readers.sql.relations import joined, relate
from mdw.readers.sql.scopes import SelectScope, label_of
from mdw.readers.sql.stars import star
from mdw.readers.sql.structs import fields_made, gives_fields
from mdw.readers.sql.subqueries import adopt
from mdw.readers.sql.ungrouped import apart_of_others
from mdw.readers.sql.unnamed import called_by_itself, called_by_place
from mdw.readers.sql.work import Work
from mdw.readers.sql.zipped import parts_of


def select(one: exp.Select, work: Work, frame: Frame) -> Building:
    """The block of a SELECT."""
    one = of_first_rows(one)
    block = work.building(frame.target, inner=frame.inner, location=work.place(one))
    scope = SelectScope(work, frame.parent)
    scope.tables, scope.block = dict(frame.tables), block
    scope.windows = {
        work.naming.part(window.this): window for window in one.args.get("windows") or () if window.this is not None
    }
    if work.flavour.aliased_rows and one.args.get("joins"):
        named = [
            item for item in one.expressions if isinstance(item, exp.Alias) and not isinstance(item.this, exp.Query)
        ]
        scope.items = {work.naming.part(item.args["alias"]): item.this for item in reversed(named)}
    _sources(one, scope)
    scope.aliases, scope.items = {}, {}
    # ClickHouse's WITH 5 AS name. Only those that are used: each may be a subquery, which the block would join.
    for name, given in frame.scalars.items():
        if any(column.name == given.alias for column in one.find_all(exp.Column)):
            scope.merged[name] = value(given.this, scope)
    if one.args.get("connect") is not None:
        connect(one.args["connect"], scope)
    if one.args.get("kind") == "VALUE" and len(one.expressions) == 1 and gives_fields(one.expressions[0], scope):
        # BigQuery's SELECT AS VALUE STRUCT(a AS x): the fields of the row are its columns.
        star(exp.Dot(this=one.expressions[0].unalias(), expression=exp.Star()), scope)
    else:
        for item in one.expressions:
            if projection(item, scope):
                taken_apart(item, scope)
    _rows(one, scope, block, apart=frame.apart)
    _groups(one, scope, block)
    _order(one, scope, block)
    # Of a subquery in an expression the query around takes the correlated tests first (see `queries.subquery`).
    found = apart_of_others(block, work, subquery=frame.apart)
    if not frame.apart:
        adopt(block, scope)
        if found is not block:
            adopt(found, scope)
    return found


def _sources(one: exp.Select, scope: SelectScope) -> None:
    block = scope.block
    assert block is not None
    source = one.args.get("from_")
    if source is not None and one.args.get("match") is not None:
        recognized(one.args["match"], source.this, scope, relate)
    elif source is not None:
        relate(source.this, scope)
    if not block.reads:
        block.reads.append(Read(ONE_ROW, location=block.location))
    for join in one.args.get("joins") or ():
        joined(join, scope)
    for view in one.args.get("laterals") or ():
        lateral(view, scope)


# -- what it gives -----------------------------------------------------------------------------------------------------


CHOOSING = ("duckdb", "clickhouse")
"""Dialects in which an item may stand for several columns that it chooses."""


def projection(item: Any, scope: SelectScope) -> bool:
    """Give a column, or what a star stands for; whether something in it may give several columns, or rows."""
    inner = item.this if isinstance(item, exp.Alias) else item
    # Most items are columns, which are none of what others may be.
    if _is_column(inner):
        at = scope.work.place(inner)
        _given(item, column_at(inner, scope, at), at, scope)
        return False
    several = gives_several(inner)
    if several and scope.work.flavour.name in CHOOSING:
        item = laid_out(item, scope)
        inner = item.this if isinstance(item, exp.Alias) else item
    if _starred(inner):
        star(inner, scope)
    elif several and scope.work.flavour.name in CHOOSING and each_column(item, scope):
        pass
    elif not _columns_made(item, inner, scope):
        _given(item, value(inner, scope), scope.work.place(item), scope)
    return several


def _columns_made(item: Any, inner: Any, scope: SelectScope) -> bool:
    """Give the columns that an item makes; False if it makes one, as most do."""
    block, work = scope.block, scope.work
    assert block is not None
    tested = inner.this if isinstance(inner, exp.Not) else inner
    if isinstance(tested, (exp.Like, exp.ILike, exp.SimilarTo, exp.Glob)) and _starred(tested.this):
        # t.* NOT LIKE 'x%': those of its columns whose names do not match.
        star(tested.this, scope, names_that(inner))
        return True
    if item is inner and _taken_apart(item, scope, block):
        return True
    transformed = isinstance(inner, exp.QueryTransform)
    told = inner.args.get("emits") or (inner.args.get("schema") if transformed else None)
    if isinstance(told, exp.Schema):
        # Exasol's f(...) EMITS (a INT, b INT), Hive's TRANSFORM(...) AS (a, b): what gives several columns.
        node = value(inner, scope)
        for column in told.expressions:
            named = column.this if isinstance(column, exp.ColumnDef) else column
            block.output(work.naming.part(named), node, work.place(column))
    elif transformed:
        # Without AS what the script prints is a key, up to its first tabulator, and a value.
        node = value(inner, scope)
        for name in ("key", "value"):
            block.output(work.naming.known(name, quoted=False), node, work.place(item))
    return transformed or isinstance(told, exp.Schema)


def _taken_apart(item: Any, scope: SelectScope, block: Building) -> bool:
    """Give a column for each part of what an item without a name takes apart; False if it does not."""
    if isinstance(item, exp.Aliases):
        _named_apart(item, scope, block)
        return True
    if is_inline(item, scope):
        star(exp.Dot(this=item.copy(), expression=exp.Star()), scope)
        return True
    if isinstance(item, (exp.Unnest, exp.Explode)) and _of_struct(item):
        # DuckDB's UNNEST({'a': x}) gives a column for each field.
        star(exp.Dot(this=(item.this or item.expressions[0]).copy(), expression=exp.Star()), scope)
        return True
    made = made_of(item, scope)
    for name, node in made:
        block.output(name, node, scope.work.place(item))
    return bool(made)


def _is_column(one: Any) -> bool:
    return type(one) is exp.Column and type(one.this) is exp.Identifier


def _given(item: Any, node: Node, at: Location | None, scope: SelectScope) -> None:
    """One column, under the name that it has."""
    assert scope.block is not None
    name = name_of(item, scope)
    scope.block.output(name, node, at)
    fields = fields_made(item, node, scope)
    if fields is not None:
        scope.block.fields[name] = fields
    # Of two columns of a name the first is meant where it is used.
    scope.aliases.setdefault(name, node)


def _named_apart(item: Any, scope: SelectScope, block: Building) -> None:
    """f(x) AS (a, b): a function that makes several columns, each with a name."""
    work = scope.work
    made = made_of(item.this, scope)
    if len(made) == len(item.expressions):
        for alias, (_, given) in zip(item.expressions, made, strict=True):
            block.output(work.naming.part(alias), given, work.place(alias))
        return
    node = value(item.this, scope)
    parts = parts_of(call("ELEMENT", node.children[1:])) if isinstance(item.this, exp.Inline) else ()
    for number, alias in enumerate(item.expressions):
        if len(parts) == len(item.expressions):
            block.output(work.naming.part(alias), parts[number], work.place(alias))
            continue
        given = node if number == 0 or node.role != "function" else call("ELEMENT", [node])
        block.output(work.naming.part(alias), given, work.place(alias))


def _of_struct(one: Any) -> bool:
    given = one.args.get("this") or next(iter(one.expressions), None)
    return isinstance(given, exp.Struct)


def _starred(one: Any) -> bool:
    last = one.expression if isinstance(one, exp.Dot) else one.this if isinstance(one, exp.Column) else one
    return isinstance(last, exp.Star)


def name_of(item: Any, scope: SelectScope) -> str:
    """The name of a column: its alias, its own name, or, without either, what the dialect calls it, or its text."""
    naming = scope.work.naming
    if isinstance(item, exp.Alias):
        return naming.part(item.args["alias"])
    inner = item.unnest() if isinstance(item, exp.Paren) and isinstance(item.this, exp.Column) else item
    if isinstance(inner, exp.Column) and isinstance(inner.this, exp.Identifier):
        return naming.part(inner.this)
    if isinstance(inner, exp.Dot) and isinstance(inner.expression, exp.Identifier):
        return naming.part(inner.expression)
    if isinstance(inner, exp.Subquery) and inner.alias:
        # Of T-SQL's a = (SELECT ...) the alias is the name itself.
        alias = inner.args["alias"]
        return naming.part(alias.this if isinstance(alias, exp.TableAlias) else alias)
    # T-SQL's SELECT a = x + 1 gives A.
    if isinstance(inner, exp.EQ) and scope.work.flavour.name in TRANSACT:
        return naming.part(inner.this.this)
    if _called_alike(inner, scope):
        return naming.known(inner.output_name, quoted=False)
    if isinstance(inner, exp.PositionalColumn) and (place := placed(inner, scope)[0]):
        return place
    own = called_by_itself(inner, scope.work.flavour, scope.work.piece.text)
    if not own and scope.block is not None:
        own = called_by_place(scope.work.flavour, scope.block.named)
    if own:
        return naming.known(own, quoted=False)
    # EXISTS (SELECT 1 ...): most items without a name are numbers, and sqlglot takes its time to write one.
    number = isinstance(item, exp.Literal) and not item.is_string
    return naming.known(
        item.this if number else item.sql(dialect=scope.work.flavour.parser, comments=False), quoted=True
    )


def _called_alike(inner: Any, scope: SelectScope) -> bool:
    """Whether a column that is cast, or a path within it, is called as what it is made of."""
    if not inner.output_name or not isinstance(inner, (exp.JSONExtract, exp.Cast)):
        return False
    if (
        isinstance(inner, exp.JSONExtract)
        or scope.work.flavour.folding == "lower"
        or scope.work.flavour.name == "teradata"
    ):
        return True
    # x::INT is called x; CAST(x AS INT) has no name.
    meta = next((node._meta for node in inner.walk(bfs=False) if node._meta and "end" in node._meta), None)
    return meta is not None and scope.work.text[meta["end"] + 1 :].lstrip().startswith("::")


# -- what decides its rows ---------------------------------------------------------------------------------------------


def _rows(one: exp.Select, scope: SelectScope, block: Building, *, apart: bool) -> None:
    """WHERE; ``apart``: what it asks of rows of the query around is kept for that to join by."""
    where = one.args.get("where")
    scope.prefer = "row"
    parts = rows_that(where.this, scope) if where is not None else []
    if one.args.get("prewhere") is not None:
        parts += rows_that(one.args["prewhere"].this, scope)
    if where is not None and scope.work.flavour.parser.SUPPORTS_COLUMN_JOIN_MARKS:
        parts = _marked(where.this, parts, scope, block)
    scope.prefer = "column"
    block.apart = [part for part in parts if correlated(part)] if apart else None
    rest = [part for part in parts if not (apart and correlated(part))]
    # Some people ask for values of groups, by their names, where SQL asks for those of rows.
    block.having += [part for part in rest if aggregating(part)]
    block.where += [part for part in rest if not aggregating(part)]


def _marked(where: Any, parts: list[Node], scope: SelectScope, block: Building) -> list[Node]:
    """Oracle's (+): the marked table is optional, and what the mark stands in is by what it is joined."""
    marked = {
        (scope.work.naming.part(column.args["table"]) if column.args.get("table") else "", scope.work.place(column))
        for column in where.find_all(exp.Column)
        if column.args.get("join_mark")
    }
    places = {place for _, place in marked}
    rest: list[Node] = []
    optional: dict[str, list[Node]] = {}
    for part in parts:
        found = [one for one in attributes(part) if one.location in places]
        if found:
            optional.setdefault(label_of(found[0]), []).append(part)
        else:
            rest.append(part)
    # The kept tables go before, whatever their order in FROM: a LEFT JOIN takes its rows from the left.
    reads = [read for read in block.reads if (read.role or read.entity) not in optional]
    if not reads:
        return parts
    reads[0] = reads[0]._replace(join="", on=None)
    for read in block.reads:
        tests = optional.get(read.role or read.entity)
        if tests:
            reads.append(read._replace(join="LEFT JOIN", on=both(tests)))
    block.reads = reads
    return rest


def _groups(one: exp.Select, scope: SelectScope, block: Building) -> None:
    group, having, qualify = one.args.get("group"), one.args.get("having"), one.args.get("qualify")
    scope.prefer = "either"
    if group is not None:
        _grouping(group, scope, block)
    if having is not None:
        block.having += [test_of(having.this, scope)]
    # Without GROUP BY an aggregate makes one group of all rows, of none as well (rule Q15).
    if group is None and any(map(aggregating, [*[output.value for output in block.outputs], *block.having])):
        block.group = []
    if block.group is not None and scope.work.flavour.loose_groups:
        _loosen(block, block.group, picking=scope.work.flavour.name == "sqlite")
    if qualify is not None:
        block.qualify += [test_of(qualify.this, scope)]
        block.order += _ordering(block.qualify)
    scope.prefer = "column"


def _loosen(block: Building, keys: Sequence[Node], *, picking: bool) -> None:
    """Let what is made of no keys be of some row of its group; where MIN or MAX pick it (``picking``), of that one."""
    values = [one.value for one in block.outputs]
    extremes = extremes_of([*values, *block.having]) if picking else []
    taken = [picked_row(one, keys, extremes) if extremes else any_row(one, keys) for one in values]
    block.outputs = [one._replace(value=value) for one, value in zip(block.outputs, taken, strict=True)]
    block.named = {one.name: one for one in block.outputs}


def _ordering(nodes: Sequence[Node]) -> list[Node]:
    """By what rows stand in the windows that are asked for, which decides too."""
    return [key for node in nodes for one in node.walk() if one.role == "ordering" for key in one.children]


def _grouping(group: Any, scope: SelectScope, block: Building) -> None:
    keys = list(group.expressions)
    for word, name in (("rollup", "ROLLUP"), ("cube", "CUBE"), ("grouping_sets", "GROUPING SETS")):
        clauses = group.args.get(word)
        if clauses:
            block.sets = name
            # ROLLUP and CUBE have the set of no keys; GROUPING SETS has it where it is written, as () (see `_flat`).
            block.total = block.total or name != "GROUPING SETS"
            keys += clauses if isinstance(clauses, list) else []
    # GROUP BY ALL: by all columns that are no aggregates.
    if group.args.get("all") is True or (
        len(keys) == 1 and isinstance(keys[0], exp.Column) and keys[0].name.upper() == "ALL"
    ):
        block.group = [output.value for output in block.outputs if not aggregating(output.value)]
        return
    block.group = []
    for key in _flat(keys, block):
        node = _key(key, scope, block)
        if node not in block.group:
            block.group.append(node)


def _flat(keys: Sequence[Any], block: Building) -> list[Any]:
    """The keys, those of ROLLUP, CUBE and sets of them too."""
    found: list[Any] = []
    for key in keys:
        if isinstance(key, (exp.Rollup, exp.Cube, exp.GroupingSets)):
            block.sets = {exp.Rollup: "ROLLUP", exp.Cube: "CUBE"}.get(type(key), "GROUPING SETS")
            block.total = block.total or not isinstance(key, exp.GroupingSets)
            found += _flat(key.expressions, block)
        elif isinstance(key, exp.Tuple):
            block.total = block.total or not key.expressions
            found += _flat(key.expressions, block)
        elif isinstance(key, exp.Paren):
            found += _flat([key.this], block)
        else:
            found.append(key)
    return found


def _key(key: Any, scope: SelectScope, block: Building) -> Node:
    """A grouping or sorting key: a place among the columns, or an expression."""
    if isinstance(key, exp.Literal) and not key.args.get("is_string") and key.this.isdigit():
        at = int(key.this) - 1
        # Behind a star that could not be expanded nobody knows which column a number means.
        if 0 <= at < len(block.outputs) and not block.stars:
            return block.outputs[at].value
    return value(key, scope)


def _by_all(clause: Any, scope: SelectScope) -> bool:
    """Whether an ORDER BY is BY ALL: by each column that is given."""
    keys: list[Any] = clause.expressions if clause is not None else []
    key: Any = keys[0].this if len(keys) == 1 and isinstance(keys[0], exp.Ordered) else None
    plain = isinstance(key, exp.Column) and not key.args.get("table") and not key.this.args.get("quoted")
    known = plain and scope.work.flavour.name in ("snowflake", "clickhouse")
    return bool(known or isinstance(key, exp.Var)) and key.name.upper() == "ALL"


def _order(one: exp.Select, scope: SelectScope, block: Building) -> None:
    order, limit, distinct = one.args.get("order"), one.args.get("limit"), one.args.get("distinct")
    scope.prefer = "alias"
    for clause in (order, one.args.get("sort"), one.args.get("cluster"), one.args.get("distribute")):
        if _by_all(clause, scope):
            block.order += [output.value for output in block.outputs]
            continue
        for key in clause.expressions if clause is not None else ():
            block.order.append(_key(key.this if isinstance(key, exp.Ordered) else key, scope, block))
            block.order += _ordering(block.order[-1:])
    if distinct is not None:
        on = distinct.args.get("on")
        block.distinct = [value(key, scope) for key in on.expressions] if isinstance(on, exp.Tuple) else []
    scope.prefer = "column"
    block.limits += limits_of(one, scope)
    for clause in (limit, one.args.get("offset")):
        # ClickHouse's LIMIT 1 BY k, LIMIT 1 OFFSET 2 BY k: so many rows of each k.
        block.order += [_key(key, scope, block) for key in (clause.expressions if clause is not None else ())]
