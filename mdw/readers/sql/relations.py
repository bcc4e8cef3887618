"""What stands in a FROM -> the relations of a scope, and what its block reads.

    FROM s AS a LEFT JOIN (SELECT k FROM p) AS b ON b.k = a.k
        the block reads       S in the role A; LEFT JOIN `f.sql 1`.b in the role B, on its condition
        the scope knows       two relations, by which names a.x and b.k are resolved

Relations are what names mean; reads are what rows come from. A relation may be none of the reads: the elements of an
array are functions of columns that were read (`computed`), a join in parentheses is one read for several relations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from sqlglot import exp

from mdw.model.query import ALL, Read
from mdw.model.tree import Node
from mdw.readers.nodes import both, call, compared
from mdw.readers.sql.attaching import FIRST, Joining, attach
from mdw.readers.sql.building import Building
from mdw.readers.sql.computed import elements, function, lateral, unnest
from mdw.readers.sql.conditions import rows_that, test_of
from mdw.readers.sql.definitions import all_of
from mdw.readers.sql.derived import derived, looks_aside, seeing
from mdw.readers.sql.elsewhere import predicted
from mdw.readers.sql.giving_rows import all_of_each, query_of
from mdw.readers.sql.limits import one_partner, sampled
from mdw.readers.sql.merging import final
from mdw.readers.sql.missing_rows import fill_missing
from mdw.readers.sql.pivots import pivoted
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.shapes import either
from mdw.readers.sql.subqueries import adopt, given_out
from mdw.readers.sql.tables import NAMED, entity_of, files_of, others_meant
from mdw.readers.sql.work import Work

TOGETHER = ("LEFT JOIN", "FULL JOIN", "RIGHT JOIN", "SEMI JOIN", "ANTI JOIN")
"""Joins to which a join in parentheses is one side, whose rows are there with all their parts or not at all."""


def relate(one: Any, scope: SelectScope, join: Joining = FIRST) -> None:
    """Read what stands in a FROM or behind a JOIN."""
    sampled(one, scope)
    # In sqlglot's trees the joins within parentheses hang on the first table of them.
    if one.args.get("joins") and join.word in TOGETHER:
        _together(one, scope, join)
        return
    if isinstance(one, (exp.Table, exp.Subquery)) and one.args.get("pivots"):
        entity, shape = pivoted(one, scope, relate)
        alias = one.args["pivots"][-1].args.get("alias") or one.args.get("alias")
        attach(entity, alias, shape, scope, join, scope.work.place(one))
    elif isinstance(one, exp.Table):
        _table(one, scope, join)
    elif isinstance(one, (exp.Final, exp.Stream, exp.Paren)) or _only_parentheses(one):
        if one.args.get("alias"):
            # (s JOIN p USING (k)) AS j (k, a, x): nobody sees S and P, but a row of all their columns.
            derived(exp.Subquery(this=all_of_each([one.this.copy()]), alias=one.args["alias"].copy()), scope, join)
        else:
            relate(one.this, scope, join)
        if isinstance(one, exp.Final):
            final(one, scope)
    elif isinstance(one, exp.Lateral):
        lateral(one, scope, join)
    elif isinstance(one, exp.Unnest):
        unnest(one, scope, join)
    elif isinstance(one, exp.AtIndex) or (isinstance(one, exp.Pivot) and isinstance(one.this, exp.AtIndex)):
        unnest(_numbered(one), scope, join)
    elif isinstance(one, (exp.Query, exp.Values)):
        if looks_aside(one, scope):
            seeing(one, one.args.get("alias"), scope, join if join.word else Joining("INNER JOIN"))
        else:
            derived(one, scope, join)
    else:
        function(one, one, scope, join)
    for more in one.args.get("joins") or ():
        joined(more, scope)
    for view in one.args.get("laterals") or ():
        lateral(view, scope)


def _only_parentheses(one: Any) -> bool:
    """Whether a subquery is no query: a table or a join in parentheses, or a query in two pairs of them."""
    if not isinstance(one, exp.Subquery):
        return False
    return isinstance(one.this, exp.Table) or (isinstance(one.this, exp.Subquery) and not one.alias)


def _table(one: Any, scope: SelectScope, join: Joining) -> None:
    if isinstance(one.this, exp.Predict) and isinstance(one.this.expression, (exp.Table, exp.Subquery)):
        source = one.this.expression.copy()
        if one.args.get("alias"):
            source.set("alias", one.args["alias"].copy())
        relate(source, scope, join)
        predicted(source, one.this.this, scope)
    elif isinstance(one.this, exp.SemanticView):
        derived(exp.Subquery(this=query_of(one.this), alias=one.args.get("alias")), scope, join)
    elif isinstance(one.this, exp.Values):
        derived(exp.Subquery(this=one.this, alias=one.args.get("alias")), scope, join)
    elif len(paths := files_of(one.this)) > 1:
        # read_csv(['a.csv', 'b.csv']): the rows of each.
        rows = all_of_each([_file(path) for path in paths])
        # Nobody has asked for all columns of the files: who asks for all of these does.
        unresolved = dict(scope.work.unresolved)
        derived(exp.Subquery(this=rows, alias=one.args.get("alias")), scope, join)
        scope.work.unresolved = unresolved
        scope.work.of_files[scope.relations[-1].entity] = ", ".join(paths)
    elif paths or isinstance(one.this, exp.DirectoryStage):
        path = paths[0] if paths else one.this.this.name
        entity = scope.work.naming.known(path, quoted=True)
        if isinstance(one.this, exp.DynamicIdentifier):
            entity = scope.work.naming.path(path)
        scope.work.read[entity] = None
        attach(entity, one.args.get("alias"), scope.work.dictionary.known(entity), scope, join, scope.work.place(one))
    elif not isinstance(one.this, NAMED):
        function(one.this if isinstance(one.this, exp.Expr) else one, one, scope, join)
    elif (array := _array_around(one, scope)) is not None:
        unnest(array, scope, join)
    else:
        entity, shape, names = entity_of(one, scope)
        if several := others_meant(entity, names, scope):
            entity = _any_of((entity, *several), names[-1], scope.work)
            shape = scope.work.dictionary.known(entity)
        attach(entity, one.args.get("alias"), shape, scope, join, scope.work.place(one), names)


def _any_of(several: Sequence[str], name: str, work: Work) -> str:
    """The entity of the rows of a table of which nobody knows which of several it is (rule Q34)."""
    entity = work.inner(name)
    blocks = [all_of(one, entity, work, work.begin, inner=True) for one in several]
    work.read |= dict.fromkeys(several)
    shape = reduce(either, map(work.dictionary.known, several))
    shape.suppliers = [block for block in blocks if block.stars]
    for block in shape.suppliers:
        for column in shape.columns:
            block.supply(column)
    work.dictionary.put(entity, shape)
    work.unknown(work.naming.shown(name))
    return entity


def _numbered(one: Any) -> exp.Unnest:
    """Redshift's t.items AS e AT n, and UNPIVOT t.object AS value AT name, whose parts have names."""
    at = one if isinstance(one, exp.AtIndex) else one.this
    array = at.this.unalias()
    names = [at.this.args["alias"]] if isinstance(at.this, exp.Alias) else []
    if at is one:
        return exp.Unnest(expressions=[array], alias=exp.TableAlias(columns=names), offset=at.expression)
    return exp.Unnest(expressions=[array], alias=exp.TableAlias(columns=[*names, at.expression]))


def _array_around(one: Any, scope: SelectScope) -> exp.Unnest | None:
    """BigQuery's and Impala's FROM t.items, where the query around, or this one, reads T: the elements of its array."""
    if scope.work.flavour.name not in ("bigquery", "redshift", "hive"):
        return None
    parts = [part for part in one.parts if isinstance(part, exp.Identifier)]
    if len(parts) < 2:
        return None
    first = (scope.work.naming.part(parts[0]),)
    if not any(relation.matches(first) for relation in scope.visible()):
        return None
    alias = one.args["alias"].this if one.args.get("alias") else parts[-1]
    named = exp.TableAlias(columns=[alias.copy()])
    return exp.Unnest(expressions=[one.to_column(copy=True)], alias=named)


def _file(path: str) -> exp.Table:
    return exp.Table(this=exp.Anonymous(this="FILE", expressions=[exp.Literal.string(path)]))


def _together(one: Any, scope: SelectScope, join: Joining) -> None:
    """A join in parentheses: an inner entity, which gives out what is asked of its relations (rule Q9).

    s LEFT JOIN (p CROSS JOIN e) ON p.k = s.id      where e is empty no p is joined, though p.k = s.id
    """
    work, role = scope.work, scope.work.role()
    block = work.building(work.inner(role), inner=True, location=work.place(one))
    inside = SelectScope(work, scope.parent)
    inside.tables, inside.block = dict(scope.tables), block
    relate(one, inside)
    adopt(block, inside)
    scope.relations += [_seen_through(relation, block, role, work) for relation in inside.relations]
    for name, value in inside.merged.items():
        scope.merged[name] = given_out(value, name, block, role)
    assert scope.block is not None
    scope.block.reads.append(Read(block.target, role, join.word, join.condition(), block.location))


def _seen_through(relation: RowSource, block: Building, role: str, work: Work) -> RowSource:
    """A relation as those see it who read the block that joins it."""

    def column(name: str) -> Node:
        if name == ALL and relation.entity not in work.inner_entities:
            work.unknown(f"{work.naming.shown(relation.entity or relation.label)}.*")
        return given_out(_own(relation, name, work), name, block, role)

    return replace(relation, label=role, entity=block.target, computed=column)


# -- joins -------------------------------------------------------------------------------------------------------------


def joined(join: Any, scope: SelectScope) -> None:
    """A JOIN, or what stands behind a comma."""
    side, kind, method = (join.args.get(key) or "" for key in ("side", "kind", "method"))
    if kind == "ARRAY":
        elements(join, scope)
        return
    using, on = join.args.get("using"), join.args.get("on")
    nearest = join.args.get("match_condition")
    if nearest is not None:
        # Snowflake's ASOF JOIN keeps rows that have no partner.
        on, side = exp.and_(nearest.copy(), on.copy()) if on is not None else nearest, "LEFT"
    one_partner(join, scope)
    if method == "POSITIONAL":
        # DuckDB pairs rows by their places; what has no row at its place beside it stays, too.
        on, side = exp.func("SAME_PLACE"), "FULL"
    word = _word(side, kind, conditioned=on is not None or bool(using) or method == "NATURAL")
    before = list(scope.relations)

    # Asked for when the right side is among the relations: ON speaks of both sides.
    def condition() -> Node | None:
        if using or method == "NATURAL":
            return _using(using, before, scope, word, method)
        if on is None:
            return None
        # A column goes before what the SELECT calls so, as in WHERE (rule Q36).
        before_on, scope.prefer = scope.prefer, "row"
        try:
            return conditioned(on)
        finally:
            scope.prefer = before_on

    def conditioned(on: Any) -> Node | None:
        # IN and EXISTS in the ON of an inner join are semi-joins of the whole block (rule Q11). In that of an outer
        # join they decide which rows of the optional side come, and none of the others goes: a test, and no join.
        if word != "INNER JOIN":
            return test_of(on, scope)
        found = rows_that(on, scope)
        return both(found) if found else None

    relate(join.this, scope, Joining(word, condition))
    fill_missing(word, before, scope)
    # Nobody sees the columns of what is only looked for.
    if word in ("SEMI JOIN", "ANTI JOIN"):
        scope.relations[:] = before


def _word(side: str, kind: str, *, conditioned: bool) -> str:
    if kind in ("SEMI", "ANTI"):
        return f"{kind} JOIN"
    if side in ("LEFT", "RIGHT", "FULL"):
        return f"{side} JOIN"
    # Some databases take CROSS JOIN with ON, which is an inner join.
    return "INNER JOIN" if conditioned else "CROSS JOIN"


def _using(using: Any, before: Sequence[RowSource], scope: SelectScope, word: str, method: str) -> Node | None:
    """USING and NATURAL: the columns both sides have, which are one from then on (rules Q8, Q9).

    ``s ASOF JOIN p USING (k, d)`` takes the last P of K up to D: of the last column the left side's is not the less.
    """
    work, rights = scope.work, scope.relations[len(before) :]
    right = rights[-1]
    names = [work.naming.part(column) for column in using or ()]
    if method == "NATURAL":
        if not right.shape.complete or not all(one.shape.complete for one in before):
            work.unknown(f"NATURAL JOIN {work.naming.shown(right.entity or right.label)}")
        names = [name for name in right.shape.columns if any(one.shape.has(name) for one in before)]
    on = []
    for name in names:
        # s JOIN p USING (k) JOIN q USING (k): the K that the first two share is the left side of the second join.
        left = scope.merged.get(name) or _left(name, before, scope)
        if left is None:
            continue
        right = next((one for one in rights if one.has(name)), rights[-1])
        other = _own(right, name, work)
        on.append(compared(">=" if method == "ASOF" and name == names[-1] else "=", left, other))
        # Of an outer join the kept side's column is there in all rows (rule Q9).
        kept = other if word == "RIGHT JOIN" else call("COALESCE", [left, other]) if word == "FULL JOIN" else left
        scope.merged[name] = kept
        right.merged.add(name)
    return both(on) if on else None


def _left(name: str, before: Sequence[RowSource], scope: SelectScope) -> Node | None:
    known = [one for one in before if one.shape.has(name)] or [one for one in before if one.shape.has(name) is None]
    if len(known) > 1:
        scope.work.unknown(scope.work.naming.shown(name))
    return _own(known[0], name, scope.work) if known else None


def _own(relation: RowSource, name: str, work: Work) -> Node:
    relation.shape.ask(name)
    if relation.computed is not None:
        return relation.computed(name)
    return Node("attribute", f"{work.naming.written(relation.label)}.{work.naming.written(name)}")
