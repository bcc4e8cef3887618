"""Subqueries in expressions: each is an inner entity that the block around joins.

WHERE EXISTS (SELECT 1 FROM o WHERE o.k = s.k AND o.x > 1)      SEMI JOIN `f 1`.o AS `subquery 1` ON ....K = s.K
s.a IN (SELECT o.b FROM o) OR ...                               MARK JOIN, and EXISTS(`subquery 1`) where it stands
(SELECT MAX(o.x) FROM o WHERE o.k = s.k)                        LEFT JOIN, grouped by what it is looked up by

A SEMI JOIN lets rows pass that find one, an ANTI JOIN those that find none. A MARK JOIN lets all pass and says of each
whether it found one: for places where a condition need not be TRUE, under OR and NOT and in CASE.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from mdw.model.name import local_of, row_of
from mdw.model.query import ALL, Output, Read
from mdw.model.tree import Location, Node
from mdw.readers.nodes import attribute, both, call, compared, exists, opaque, truth
from mdw.readers.sql.building import Building
from mdw.readers.sql.levels import OUTER, attributes, correlated, nearer, rewritten
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.ungrouped import null_of_none
from mdw.readers.sql.work import Subquery, Work

NULL_SAFE = "IS NOT DISTINCT FROM"
"""How DuckDB compares the parts of rows: NULLs within them are equal."""


def sought(query: exp.Expr, scope: SelectScope, kind: str) -> Node | None:
    """The test that a query has rows, or has none; no test where a join says it, or where it always has some."""
    role = scope.work.role()
    found = scope.work.subquery(_without_stars(query), scope, role)
    # An aggregation of all rows always has a row, which EXISTS finds whatever it holds (rule Q11).
    if found.alone:
        return compared("IS TRUE", truth(False)) if kind == "ANTI JOIN" else None
    # So has a correlated one; as it is joined, grouped by its keys, its row may be missing: nothing is decided by it.
    if found.single:
        _join(found, scope, role, "LEFT JOIN", found.on, query)
        return compared("IS TRUE", opaque("EXISTS", found.values[:1]))
    _join(found, scope, role, kind, found.on, query)
    return exists(role) if kind == "MARK JOIN" else None


def _without_stars(query: exp.Expr) -> exp.Expr:
    """A query of which only is asked whether it has rows: SELECT * asks for nothing, and needs no columns known."""
    inner = query.unnest() if isinstance(query, exp.Subquery) else query
    stars = isinstance(inner, exp.Select) and all(one.is_star for one in inner.expressions)
    if stars and not any(inner.args.get(key) for key in ("distinct", "group", "having", "qualify", "limit")):
        inner.set("expressions", [exp.Literal.number(1)])
    return query


def member(left: Sequence[Node], query: exp.Expr, scope: SelectScope, kind: str) -> Node | None:
    """The test that a row of a query has these values; none where a join says it."""
    role = scope.work.role()
    op = "=" if (parts := _row_of(query, len(left))) is None or scope.work.flavour.name != "duckdb" else NULL_SAFE
    found = scope.work.subquery(query if parts is None else parts, scope, role)
    values = list(found.values) or [attribute(f"{role}.{ALL}")]
    if len(left) == 1 and len(values) > 1:
        # ROW(a, b) IN (SELECT k, l FROM s)
        values = [call("ROW", values, scope.work.place(query))]
    pairs = [compared(op, one, value) for one, value in zip(left, values, strict=False)]
    if len(values) < len(left) or (len(left) > 1 and any(local_of(one.content) == ALL for one in values)):
        # (a, b) IN (SELECT r FROM s), or behind a star: nobody knows which values are compared, and how NULLs are.
        pairs = [compared("IS TRUE", opaque("IN", [*left, *values]))]
    if found.single:
        _join(found, scope, role, "LEFT JOIN", found.on, query)
        return both(pairs)
    _join(found, scope, role, kind, [*pairs, *found.on], query)
    return exists(role) if kind == "MARK JOIN" else None


def _row_of(query: exp.Expr, width: int) -> exp.Expr | None:
    """A query that gives rows as one value, SELECT (k, l) FROM s, as one that gives their parts."""
    inner = query.unnest() if isinstance(query, exp.Subquery) else query
    if width == 1 or not isinstance(inner, exp.Select) or len(inner.selects) != 1 or inner.args.get("order"):
        return None
    row = inner.selects[0].unalias().unnest()
    if not isinstance(row, exp.Tuple) or len(row.expressions) != width:
        return None
    parts = inner.copy()
    parts.set("expressions", [one.copy() for one in row.expressions])
    return parts


def scalar(query: exp.Expr, scope: SelectScope) -> Node:
    """The value of a query that gives one."""
    role = scope.work.role()
    found = scope.work.subquery(query, scope, role)
    _join(found, scope, role, "LEFT JOIN", found.on, query)
    at = scope.work.place(query)
    inner = query.unnest() if isinstance(query, exp.Subquery) else query
    if inner.args.get("kind") == "STRUCT":
        # BigQuery's SELECT AS STRUCT: the row itself is the value.
        return scope.work.fields.named(
            call("STRUCT", found.values, at), [local_of(one.content) for one in found.values]
        )
    if len(found.values) > 1:
        # A row that is compared, (a, b) = (SELECT k, l FROM s), or that a function is given: f((SELECT k, l FROM s)).
        return call("ROW", found.values, at)
    return found.values[0] if found.values else attribute(f"{role}.{ALL}", at)


def seen(block: Building, name: str, role: str, at: Location | None, *, single: bool) -> Node:
    """A column of a subquery as the query around sees it.

    ``single``: an aggregation without GROUP BY, joined by what it is looked up by. Of no rows it still gives a row, in
    which COUNT is 0 and another aggregate is NULL (rule Q15); what is made of them may be anything.
    """
    value = attribute(f"{role}.{name}", at)
    given = block.named[name].value if name in block.named else None
    if not single or (given is not None and null_of_none(given)):
        return value
    return opaque(block.columns.get(name, name), [value], at)


def _join(found: Subquery, scope: SelectScope, role: str, kind: str, on: Sequence[Node], query: exp.Expr) -> None:
    assert scope.block is not None
    at = scope.work.place(query) or scope.block.location
    scope.block.reads.append(Read(found.entity, role, kind, both(on) if on else None, at))


def set_apart(block: Building, role: str) -> tuple[Node, ...]:
    """What the query around joins by: the correlated parts of a block's WHERE, with its own columns given out."""
    aggregated = block.group is not None
    parts = [rewritten(part, lambda one: _given_out(one, block, role, aggregated)) for part in block.apart or ()]
    return tuple(parts)


def _given_out(one: Node, block: Building, role: str, aggregated: bool) -> Node:
    if one.role.startswith(OUTER):
        return nearer(one)
    # The query around compares this column, so it has to be given out. Of an aggregation it is a key then: SUM(o.x)
    # WHERE o.k = s.k is, for all rows of S at once, SUM(o.x) GROUP BY o.k.
    value = attribute(one.content, one.location)
    name = one.content[len(row_of(one.content)) + 1 :].upper() if "`" not in one.content else f"`{len(block.outputs)}`"
    if aggregated and block.group is not None and value not in block.group:
        block.group.append(value)
    return given_out(value, name, block, role)


def given_out(value: Node, name: str, block: Building, role: str) -> Node:
    """A value of a block's own as those see it who read the block in that role; it gets a column where it has none."""
    found = next((output.name for output in block.outputs if output.value == value), "")
    if not found:
        block.output(name, value, value.location)
        found = block.outputs[-1].name
    return attribute(f"{role}.{found}", value.location)


def adopt(block: Building, scope: SelectScope) -> None:
    """Join what a block still mentions of the queries around it: then it makes its rows with all of theirs.

    ``(SELECT o.x + s.d FROM o)`` gets a CROSS JOIN of S. That loses which row of S it is, and no source.
    """
    if not scope.work.correlated:
        return
    roles: dict[tuple[int, str], str] = {}

    def own(one: Node) -> Node:
        if not one.role.startswith(OUTER):
            return one
        level, label = int(one.role[len(OUTER) :]), _label(one.content)
        role = roles.get((level, label))
        if role is None:
            role = roles[level, label] = _adopted(block, scope, level, label)
        return attribute(f"{role}.{one.content[len(label) + 1 :]}", one.location)

    def all_of(nodes: list[Node]) -> list[Node]:
        return [rewritten(node, own) if correlated(node) else node for node in nodes]

    block.outputs = [
        Output(one.name, rewritten(one.value, own), one.location) if correlated(one.value) else one
        for one in block.outputs
    ]
    block.named = {one.name: one for one in block.outputs}
    block.where, block.having, block.qualify = all_of(block.where), all_of(block.having), all_of(block.qualify)
    block.order = all_of(block.order)
    block.group = all_of(block.group) if block.group is not None else None
    # That rows are left out by what stands around is no reason to join that.
    known = {f"{OUTER} {level} {label}" for level, label in roles}
    for number, limit in enumerate(block.limits):
        asked = {f"{part.role} {_label(part.content)}" for part in attributes(limit) if part.role.startswith(OUTER)}
        block.limits[number] = rewritten(limit, own) if asked <= known else call("LIMITED", (), limit.location)
    for one in tuple(block.reads):
        if one.on is not None and correlated(one.on):
            known_before = len(block.reads)
            joined = Read(one.entity, one.role, one.join, rewritten(one.on, own), one.location)
            at, adopted = block.reads.index(one), block.reads[known_before:]
            # An ON uses rows read before it; a RIGHT or FULL JOIN would make NULLs of these.
            if one.join.startswith(("RIGHT", "FULL")):
                block.reads[at] = joined
            else:
                block.reads[:] = [*block.reads[:at], *adopted, joined, *block.reads[at + 1 : known_before]]
    supplied = block.supplied
    if supplied is not None:
        # What is asked of a star later on may be of the queries around as well.
        block.supplied = lambda name: rewritten(supplied(name), own)


def _label(content: str) -> str:
    return row_of(content)


def _adopted(block: Building, scope: SelectScope, level: int, label: str) -> str:
    """Join a relation of a query around; the role it is read in."""
    around = scope.standing(level)
    work: Work = scope.work
    found = [one for one in around.relations if work.naming.written(one.label) == label] if around else []
    # UNNEST(ARRAY(SELECT ...)) AS x: what X is made of is a subquery, which is no relation.
    joined = [] if found or around is None or around.block is None else around.block.reads
    entity = found[0].entity if found else next((read.entity for read in joined if read.role == label), label)
    taken = {work.naming.written(read.role or read.entity) for read in block.reads}
    role = label if label not in taken else work.role()
    block.reads.append(Read(entity, "" if role == entity else role, "CROSS JOIN", None, block.location))
    return role
