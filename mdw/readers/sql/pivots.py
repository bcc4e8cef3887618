"""PIVOT and UNPIVOT: an inner entity each (rules Q1 and Q21).

    s PIVOT (SUM(x) FOR t IN ('a', 'b'))         K, "a" = SUM(x) under t = 'a', "b" = SUM(x) under t = 'b', by K
    s UNPIVOT (v FOR n IN (jan, feb))            two blocks: K, N = 'jan', V = s.jan; K, N = 'feb', V = s.feb

K stands for all other columns of S: of PIVOT they are the keys, whether or not anybody knows what they are called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from sqlglot import exp

from mdw.model.name import canonical, local_of
from mdw.model.tree import Node
from mdw.readers.nodes import both, call, compared, either, opaque, text
from mdw.readers.sql.attaching import FIRST, attach
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.expressions import value
from mdw.readers.sql.levels import attributes
from mdw.readers.sql.scopes import RowSource, SelectScope, Star, everything
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.stars import expand, pass_on
from mdw.readers.sql.subqueries import adopt

Relate = Callable[[Any, SelectScope], None]


def pivoted(one: Any, scope: SelectScope, relate: Relate) -> tuple[str, Shape]:
    """The entity that the pivots of a table make, and its columns; ``relate`` reads the table."""
    work = scope.work
    *before, pivot = one.args["pivots"]
    source = one.copy()
    source.set("pivots", before or None)
    source.set("joins", None)
    entity = work.inner(work.role())
    if pivot.args.get("unpivot"):
        blocks = list(_unpivot(pivot, source, entity, scope, relate))
    else:
        blocks = [_pivot(pivot, source, entity, scope, relate)]
    return entity, work.shape_of(blocks)


def recognized(clause: Any, source: Any, scope: SelectScope, relate: Relate) -> None:
    """MATCH_RECOGNIZE: rows of patterns; of what their measures are made is said, and no more."""
    work = scope.work
    entity = work.inner(work.role())
    block, within = _begun(source, entity, scope, relate)
    for key in clause.args.get("partition_by") or ():
        block.output(
            work.naming.part(key.this if isinstance(key, exp.Column) else key), value(key, within), work.place(key)
        )
    order = clause.args.get("order")
    deciding = [*(order.expressions if order is not None else ()), *(clause.args.get("define") or ())]
    for part in deciding:
        block.order += [_unsaid(column, within) for column in part.find_all(exp.Column)]
    for measure in clause.args.get("measures") or ():
        inner = measure.this
        mentioned = [_unsaid(column, within) for column in inner.find_all(exp.Column)]
        name = (
            work.naming.part(inner.args["alias"])
            if isinstance(inner, exp.Alias)
            else work.naming.known(inner.sql(), quoted=True)
        )
        block.output(name, opaque("MATCH_RECOGNIZE", mentioned, block.location), work.place(measure))
    if "ALL ROWS" in str(clause.args.get("rows") or "").upper():
        expand(within.relations, within, block.location, but=frozenset(block.named))
    adopt(block, within)
    attach(entity, clause.args.get("alias"), work.shape_of([block]), scope, FIRST, block.location)


def _unsaid(column: Any, scope: SelectScope) -> Node:
    """A column, whatever variable of the pattern stands before it."""
    return value(exp.column(column.this.copy()), scope)


def _begun(source: Any, entity: str, scope: SelectScope, relate: Relate) -> tuple[Building, SelectScope]:
    block = scope.work.building(entity, inner=True, location=scope.work.place(source))
    within = SelectScope(scope.work, scope.parent)
    within.tables, within.block = dict(scope.tables), block
    relate(source, within)
    return block, within


def _pivot(pivot: Any, source: Any, entity: str, scope: SelectScope, relate: Relate) -> Building:
    """A column for each value of the pivot's field: the aggregation over the rows that have it."""
    block, within = _begun(source, entity, scope, relate)
    names = [scope.work.naming.part(name) for name in pivot.args.get("columns") or ()]
    used: set[str] = set()
    fields = [(value(field.this, within), field.expressions) for field in pivot.args.get("fields") or ()]
    # Columns for whatever values there are: IN (ANY), IN (SELECT ...), or no IN at all.
    any_value = not fields or any(_open(listed) for _, listed in fields)
    tests = [] if any_value else list(_tests(fields, within))
    aggregates: list[Node] = []
    for aggregate in pivot.expressions:
        inner = aggregate.this if isinstance(aggregate, exp.Alias) else aggregate
        # Read as SUM(x) FILTER (WHERE TRUE), for FILTER of any aggregate is known; its TRUE gives way to the test.
        aggregates.append(value(exp.Filter(this=inner.copy(), expression=exp.Where(this=exp.true())), within))
    given = [(label, _replaced(node, test)) for test, label in tests for node in aggregates]
    used |= {_own(one) for node in aggregates for one in attributes(node)}
    used |= {_own(one) for subject, _ in fields for one in attributes(subject)}
    group = pivot.args.get("group")
    if group is not None:
        for key in group.expressions:
            named = key.args["alias"] if isinstance(key, exp.Alias) else key.this
            block.output(scope.work.naming.part(named), value(key.unalias(), within), block.location)
    else:
        expand(within.relations, within, block.location, but=frozenset(used))
    keys = [output.value for output in block.outputs]
    block.stars = [Star(star.relation, star.without | frozenset(used), star.location) for star in block.stars]
    for number, (label, node) in enumerate(given):
        name = names[number] if number < len(names) else scope.work.naming.known(label, quoted=True)
        block.output(name, node, block.location)
    if any_value:
        # Where a query tells the values it decides which columns there are.
        asked = [one for _, listed in fields for one in listed if isinstance(one, exp.Query)]
        block.order += [value(one, within) for one in asked]
        met = [compared("=", subject, call("PIVOTED", (), block.location)) for subject, _ in fields]
        _any_column(block, [_replaced(node, both(met)) if met else node for node in aggregates], within)
    block.group = keys
    adopt(block, within)
    return block


def _open(values: Sequence[Any]) -> bool:
    """Whether nobody tells which values a pivot is for."""
    return not values or any(isinstance(one, (exp.PivotAny, exp.Query)) for one in values)


def _any_column(block: Building, aggregates: Sequence[Node], within: SelectScope) -> None:
    """Let a pivot for whatever values there are give any column that is asked for."""
    work, at = within.work, block.location
    relation = RowSource((), "`pivot`", Shape(), "", lambda _: opaque("PIVOT", aggregates, at), more=True)
    unresolved = dict(work.unresolved)
    pass_on(relation, within, at, frozenset(block.named))
    work.unresolved = unresolved
    work.unknown("the values of PIVOT")
    others = block.supplied
    assert others is not None

    def supplied(name: str) -> Node:
        # 'Q1', with its quotes, is a value of a pivot and no column of a table.
        return opaque("PIVOT", aggregates, at) if name.startswith("`'") else others(name)

    block.supplied = supplied


def _own(one: Node) -> str:
    return local_of(canonical(one.content))


def _replaced(node: Node, test: Node) -> Node:
    """The aggregation with the test of the pivot in the place of TRUE."""
    if node.role == "when":
        return Node("when", "", (test, node.children[1]), node.location)
    children = tuple(_replaced(child, test) for child in node.children)
    return Node(node.role, node.content, children, node.location) if children else node


def _tests(fields: Sequence[tuple[Node, Sequence[Any]]], scope: SelectScope) -> Iterator[tuple[Node, str]]:
    """The values of the pivot's fields, each with its test; of several fields every combination."""
    for chosen in product(*[[(subject, one) for one in values] for subject, values in fields]):
        tests, labels = [], []
        for subject, one in chosen:
            inner = one.this if isinstance(one, (exp.PivotAlias, exp.Alias)) else one
            labels.append(one.alias or one.name or one.sql())
            # [Jan] and "Jan" are values here, however they are quoted.
            named = isinstance(inner, exp.Column)
            tests.append(
                compared("=", subject, text(inner.name, scope.work.place(inner)) if named else value(inner, scope))
            )
        yield both(tests), "_".join(labels)


def _unpivot(pivot: Any, source: Any, entity: str, scope: SelectScope, relate: Relate) -> Iterator[Building]:
    """A mapping for each column: its value, and its name as a constant."""
    naming = scope.work.naming
    values = [name for one in pivot.expressions for name in (one.expressions if isinstance(one, exp.Tuple) else [one])]
    targets = [naming.known(one.name, quoted=False) for one in values]
    # Of several values DuckDB leaves out rows in which one is NULL, Oracle, Spark and others those in which all are.
    missing = both if scope.work.flavour.name == "duckdb" else either
    for field in pivot.args.get("fields") or ():
        label = naming.known(field.this.name, quoted=False)
        block, within = _begun(source, entity, scope, relate)
        columns = [one for column in field.expressions for one in _spread(column, within)]
        if not columns:
            # Nobody knows which columns there are: all of them go to the values, and on by name.
            expand(within.relations, within, block.location)
            everyone = [everything(one, scope.work, block.location) for one in within.relations]
            for target in (label, *targets):
                block.output(target, opaque("UNPIVOT", everyone, block.location), block.location)
            adopt(block, within)
            yield block
        # The columns that are turned into rows are none of the others any more.
        names = frozenset(
            naming.part(one.this)
            for column in columns
            for part in _columns(column)
            for one in part.find_all(exp.Column)
        )
        every = [(column, called) for column in columns for called in _called(column, within)]
        for number, (column, called) in enumerate(every):
            if number:
                block, within = _begun(source, entity, scope, relate)
            expand(within.relations, within, block.location, but=names)
            at, parts = scope.work.place(column), _columns(column)
            block.output(label, text(called, at), at)
            nodes = [value(part, within) for part in parts]
            for target, node in zip(targets, nodes, strict=False):
                block.output(target, node, at)
            if not pivot.args.get("include_nulls"):
                block.where.append(missing([compared("IS NOT NULL", node) for node in nodes]))
            adopt(block, within)
            yield block


def _spread(column: Any, within: SelectScope) -> list[Any]:
    """The columns that COLUMNS(* EXCLUDE (k)) or COLUMNS('q.*') stands for, as far as anybody knows them."""
    if not isinstance(column, (exp.Columns, exp.Star)):
        return [column]
    naming, inner = within.work.naming, column.this if isinstance(column, exp.Columns) else column
    without = {naming.known(one.name, quoted=False) for one in inner.args.get("except_") or ()}
    pattern = re.compile(inner.this if isinstance(inner, exp.Literal) else "", re.IGNORECASE)
    if not isinstance(inner, (exp.Star, exp.Literal)) or not all(one.shape.complete for one in within.relations):
        within.work.unknown("the columns of UNPIVOT")
    known = [name for one in within.relations for name in one.shape.columns if name not in without]
    return [exp.to_identifier(naming.shown(name)) for name in known if pattern.search(naming.shown(name))]


def _columns(column: Any) -> list[Any]:
    """What is turned into a row: columns, which may be quoted as texts are, or DuckDB's expressions of them."""
    inner = column.this if isinstance(column, (exp.PivotAlias, exp.Alias)) else column
    several = list(inner.expressions) if isinstance(inner, exp.Tuple) else [inner]
    return [_as_column(one) for one in several]


def _as_column(one: Any) -> Any:
    if isinstance(one, exp.Identifier):
        return exp.column(one.copy())
    # In Hive's and others' quotes stands a name, whatever its letters.
    return exp.column(one.name) if isinstance(one, (exp.Literal, exp.Var)) else one


DECLARING = frozenset(("duckdb", "bigquery", "spark", "spark2", "databricks", *TRANSACT))
"""Dialects that call what UNPIVOT made a row of as its table spells it, whatever UNPIVOT does."""


def _called(column: Any, within: SelectScope) -> list[str]:
    """What the name of a column may be as a value: nearly always one text (rule Q36)."""
    if isinstance(column, (exp.PivotAlias, exp.Alias)):
        return [column.alias]
    several = [_stored(part, within) for part in _columns(column)]
    # Of all columns of one row nobody knows how they are spelled, or of none.
    most = max(map(len, several), default=1)
    return list(dict.fromkeys("_".join(one[min(number, len(one) - 1)] for one in several) for number in range(most)))


def _stored(part: Any, within: SelectScope) -> list[str]:
    """How a database keeps the name of a column, or in which ways it may."""
    work, own = within.work, part.this if isinstance(part, exp.Column) else None
    written = part.name
    folding = FOLDED.get(work.flavour.folding) if work.flavour.name not in DECLARING else None
    if own is None or (folding is not None and own.args.get("quoted")):
        return [written]
    if folding is not None:
        return [folding(written)]
    name = work.naming.part(own)
    if work.flavour.name in DECLARING:
        declared = [
            told.label or name.strip("`")
            for one in within.relations
            if (entry := work.telling.entry(one.entity)) is not None and (told := entry.attribute(name)) is not None
        ]
        if declared:
            return declared[:1]
    return list(dict.fromkeys((written, work.naming.shown(name), written.lower(), written.upper())))


FOLDED: Mapping[str, Callable[[str], str]] = {"upper": str.upper, "lower": str.lower}
"""What becomes of names without quotes."""


# -- DuckDB's statements -----------------------------------------------------------------------------------------------


def written_out(one: Any) -> exp.Select:
    """PIVOT and UNPIVOT as statements, as the SELECT they stand for."""
    source = one.this.copy() if isinstance(one.this, (exp.Table, exp.Subquery)) else exp.Subquery(this=one.this.copy())
    if one.args.get("unpivot"):
        source.set("pivots", [_unpivot_clause(one)])
        return exp.Select(expressions=[exp.Star()], from_=exp.From(this=source))
    clause = _pivot_clause(one)
    source.set("pivots", [clause])
    group = one.args.get("group")
    made = [exp.column(name.copy()) for name in clause.args["columns"]]
    given = [*group.expressions, *made] if group and made else [exp.Star()]
    if group and not made:
        clause.set("group", group.copy())
    return exp.Select(expressions=given, from_=exp.From(this=source))


def _unpivot_clause(one: Any) -> exp.Pivot:
    into = one.args.get("into")
    name = into.this.name if into is not None else "name"
    values = [part.name for part in into.expressions] if into is not None else ["value"]
    field = exp.In(this=exp.to_identifier(name), expressions=[part.copy() for part in one.expressions])
    return exp.Pivot(unpivot=True, expressions=[exp.to_identifier(part) for part in values], fields=[field])


def _pivot_clause(one: Any) -> exp.Pivot:
    fields = [on.copy() if isinstance(on, exp.In) else exp.In(this=on.copy(), expressions=[]) for on in one.expressions]
    using = one.args.get("using") or [exp.Count(this=exp.Star())]
    labels = [
        "_".join(part.alias or part.name for part in chosen) for chosen in product(*[on.expressions for on in fields])
    ]
    plain = len(using) == 1 and not using[0].alias
    names = [label if plain else f"{label}_{part.alias or part.sql().lower()}" for label in labels for part in using]
    columns = [exp.to_identifier(name, quoted=True) for name in names]
    return exp.Pivot(expressions=[part.copy() for part in using], fields=fields, columns=columns)
