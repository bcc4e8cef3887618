"""Subqueries in FROM: inner entities, which see nothing of their neighbours unless they are lateral.

    FROM s, (SELECT k FROM p) AS d                                 CROSS JOIN `f 1`.d
    FROM s, LATERAL (SELECT MAX(x) AS m FROM p WHERE p.k = s.k)    an entity of MAX(x) by K, joined by K = s.k
    FROM s, (SELECT MAX(x) AS m FROM p WHERE p.k = s.k)            the same in DuckDB, where nobody need say LATERAL

A lateral one is read as a scalar subquery is: what its WHERE asks of S becomes the condition by which it is joined.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import both, call
from mdw.readers.sql.attaching import Joining, attach, columns_of_alias, name_of_alias
from mdw.readers.sql.frames import Frame
from mdw.readers.sql.scopes import SelectScope
from mdw.readers.sql.subqueries import adopt, seen, set_apart
from mdw.readers.sql.ungrouped import made_around


def derived(one: Any, scope: SelectScope, join: Joining) -> None:
    """A derived table."""
    work, alias = scope.work, one.args.get("alias")
    name = name_of_alias(alias, work) or work.role()
    query = one.this if isinstance(one, exp.Subquery) and not one.args.get("with_") else one
    frame = Frame(work.inner(name), parent=scope.parent, tables=dict(scope.tables), names=columns_of_alias(alias, work))
    shape = work.shape_of(work.query(query, work, frame))
    attach(frame.target, _name_only(alias), shape, scope, join, work.place(one), (name,))


def looks_aside(one: Any, scope: SelectScope) -> bool:
    """Whether a derived table of DuckDB asks its neighbours for columns, which makes it lateral.

    It does where it names one of them, or names columns and reads no table that could have them.
    """
    if scope.work.flavour.name != "duckdb" or not scope.relations:
        return False
    part = scope.work.naming.part
    tables = list(one.find_all(exp.Table))
    own = {part(told.this) for told in one.find_all(exp.TableAlias) if told.this is not None}
    own |= {part(table.this) for table in tables if isinstance(table.this, exp.Identifier)}
    columns = list(one.find_all(exp.Column))
    called = {(part(column.args["table"]),) for column in columns if column.args.get("table") is not None}
    if any(near.matches(name) for near in scope.relations for name in called if name[0] not in own):
        return True
    bare = {part(column.this) for column in columns if column.args.get("table") is None}
    return not tables and any(near.has(name) for near in scope.relations for name in bare)


def seeing(query: Any, alias: Any, scope: SelectScope, join: Joining) -> None:
    """A lateral subquery: what it asks of its neighbours is by what it is joined to them."""
    work = scope.work
    own = name_of_alias(alias, work) or work.role()
    role = own if all(own not in (read.role, read.entity) for read in _reads(scope)) else work.role()
    frame = Frame(work.inner(own), parent=scope, names=columns_of_alias(alias, work), apart=True)
    body = query.this if isinstance(query, exp.Subquery) and not query.args.get("with_") else query
    blocks = work.query(body, work, frame)
    shape = work.shape_of(blocks)
    aggregated, at = len(blocks) == 1 and blocks[0].group == [], work.place(query)
    around = made_around(blocks[0], role, at) if aggregated else {}
    apart = list(set_apart(blocks[0], role)) if len(blocks) == 1 else []
    for block in blocks:
        adopt(block, SelectScope(work, scope))
    single = aggregated and bool(apart)

    def condition() -> Node | None:
        if single or around:
            scope.relations[-1].computed = lambda name: (
                around.get(name) or seen(blocks[0], name, role, at, single=single)
            )
        given = join.condition()
        if single and given is not None and join.word == "INNER JOIN":
            # Its row is always there, also where it is one of nothing: only the condition drops rows.
            assert scope.block is not None
            scope.block.where.append(given)
            given = None
        every = [*apart, *([given] if given is not None else [])]
        return both(every) if every else None

    word = "LEFT JOIN" if single and join.word == "INNER JOIN" else join.word
    if word != join.word and body.args.get("having") is not None and scope.block is not None:
        # The row made of nothing may not meet it, which the rows that are joined do not tell.
        scope.block.limits.append(call("HAVING", (), at))
    attach(frame.target, None, shape, scope, Joining(word, condition), at, (role,))
    scope.relations[-1].names = ((own,),)


def _reads(scope: SelectScope) -> list[Any]:
    return scope.block.reads if scope.block is not None else []


def _name_only(alias: Any) -> Any:
    # The columns an alias names are those of the subquery already.
    return exp.TableAlias(this=alias.this) if isinstance(alias, exp.TableAlias) and alias.this else None
