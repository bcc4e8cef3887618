"""Changes of a query's rows: they change the table the query reads.

WITH c AS (SELECT t.a AS x, s.b FROM t JOIN s ON s.id = t.id) UPDATE c SET x = b      UPDATE t SET a = s.b ...
MERGE INTO (SELECT id, a AS x FROM t WHERE k = 1) d USING s ON (d.id = s.id) ...      MERGE INTO t ... where k = 1
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import Output, Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.levels import rewritten
from mdw.readers.sql.phrases.oracle import CHANGED
from mdw.readers.sql.scopes import RowSource
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.work import Work


@dataclass(frozen=True, slots=True)
class OpenedQuery:
    """A query whose rows are changed: the table they are rows of, what it reads, and what its columns are made of."""

    target: str
    columns: tuple[str, ...]
    reads: list[Read]
    where: list[Node]
    qualify: list[Node]
    value: Callable[[str], Node]

    def name(self, column: str) -> str:
        """A column by the name it has in the table."""
        made = self.value(column)
        return local_of(canonical(made.content)) if made.role == "attribute" else column


def through(block: Building, relation: RowSource, column: str, work: Work) -> None:
    """Let a change of a query's rows read what the query reads, and change the entity that a column of it is of."""
    others = [read for read in block.reads if read.entity != relation.entity]
    found = opened(relation.entity, column, work, {_label(read) for read in others}, block)
    if found is None:
        return
    # What FROM joins to the query was read first, and speaks of its columns.
    others = _joined(others, lambda one: _below(one, relation.label, found))
    block.reads[:] = [*found.reads, *[read._replace(join=read.join or "CROSS JOIN") for read in others]]
    block.where += found.where
    block.qualify += found.qualify
    block.target = found.target
    relation.computed = found.value
    block.through = found.value


def called_as_made(block: Building) -> None:
    """The columns set, by the names they have in the entity that is changed."""
    if block.through is None:
        return
    given = [
        (local_of(canonical(made.content)) if made.role == "attribute" else one.name, one)
        for one, made in [(one, block.through(one.name)) for one in block.outputs]
    ]
    block.outputs = [Output(name, one.value, one.location) for name, one in given]
    block.named = {one.name: one for one in block.outputs}
    block.columns = {one.name: one.name for one in block.outputs}


def opened(
    entity: str, column: str, work: Work, taken: Collection[str] = (), block: Building | None = None
) -> OpenedQuery | None:
    """The query that makes an inner entity; None if its rows are rows of no one table.

    ``column``: one that is changed, by which the table is told; ``taken`` are roles that what it reads may not have.
    """
    # Rows of a UNION, of groups and of DISTINCT: databases refuse to change them.
    makers = [one for one in work.blocks if one.target == entity and one is not block]
    if len(makers) != 1 or makers[0].group is not None or makers[0].distinct is not None:
        return None
    maker = makers[0]

    def own(name: str) -> Node:
        output = maker.named.get(name)
        if output is not None:
            return output.value
        return maker.supplied(name) if maker.supplied and maker.may_supply(name) else call(name)

    # The entity of the column that is set is the one that is changed; of a DELETE the first that is read.
    made = own(column) if column else None
    label = canonical(row_of(made.content)) if made is not None and made.role == "attribute" else ""
    read = next((read for read in maker.reads if label in (read.role, read.entity)), maker.reads[0])
    found = OpenedQuery(read.entity, tuple(maker.named), list(maker.reads), list(maker.where), list(maker.qualify), own)
    if read is maker.reads[0] and read.entity in work.inner_entities and read.entity not in work.temporary.values():
        # A query of a query's rows: they are rows of what that reads.
        further = local_of(canonical(made.content)) if made is not None and label else ""
        below = opened(read.entity, further, work, {_label(one) for one in maker.reads[1:]})
        found = _within(found, below) if below is not None else found
    return _apart(found, taken, work)


def _label(read: Read) -> str:
    return read.role or read.entity


def _within(found: OpenedQuery, below: OpenedQuery) -> OpenedQuery:
    """A query with the one that it reads first in the place of that."""
    label = _label(found.reads[0])

    def deeper(one: Node) -> Node:
        return _below(one, label, below)

    return OpenedQuery(
        below.target,
        found.columns,
        [*below.reads, *_joined(found.reads[1:], deeper)],
        [*below.where, *[rewritten(one, deeper) for one in found.where]],
        [*below.qualify, *[rewritten(one, deeper) for one in found.qualify]],
        lambda name: rewritten(found.value(name), deeper),
    )


def _below(one: Node, label: str, query: OpenedQuery) -> Node:
    """What an attribute is made of, if it is a query's that is read by this label."""
    name = canonical(one.content)
    return query.value(local_of(name)) if row_of(name) == label else one


def _joined(reads: list[Read], change: Callable[[Node], Node]) -> list[Read]:
    return [one._replace(on=rewritten(one.on, change) if one.on is not None else None) for one in reads]


def _apart(found: OpenedQuery, taken: Collection[str], work: Work) -> OpenedQuery:
    """A query in which nothing is read in a role that something else has."""
    roles = {_label(read): work.role() for read in found.reads if _label(read) in taken}
    if not roles:
        return found

    def called(one: Node) -> Node:
        name = canonical(one.content)
        role = roles.get(row_of(name))
        return attribute(f"{role}.{local_of(name)}", one.location) if role else one

    reads = [one._replace(role=roles.get(_label(one), one.role)) for one in _joined(found.reads, called)]
    where, qualify = ([rewritten(one, called) for one in several] for several in (found.where, found.qualify))
    return OpenedQuery(
        found.target, found.columns, reads, where, qualify, lambda name: rewritten(found.value(name), called)
    )


def query_changed(one: Any, tables: Mapping[str, tuple[str, Shape]], work: Work) -> str:
    """The entity of the query that an INSERT or MERGE names as its target, "" if it names a table.

    Only in T-SQL does WITH make targets: elsewhere ``WITH t AS (...) INSERT INTO t SELECT * FROM t`` fills the table T.
    """
    table = one.this.this if isinstance(one.this, exp.Schema) else one.this
    if not isinstance(table, exp.Table) or table.db or not isinstance(table.this, exp.Identifier):
        return ""
    if work.flavour.name not in TRANSACT and table.name != CHANGED:
        return ""
    found = tables.get(work.naming.part(table.this))
    return found[0] if found is not None else ""


def with_name(one: Any) -> None:
    """MERGE INTO (SELECT ...) d: the query gets a name, so that it is read once for all branches."""
    query = one.this
    if not isinstance(query, exp.Subquery) or not isinstance(query.this, exp.Query):
        return
    name = exp.to_identifier(CHANGED, quoted=True)
    own = exp.CTE(this=query.this, alias=exp.TableAlias(this=name.copy()))
    clause = one.args.get("with_")
    one.set("with_", exp.With(expressions=[*(clause.expressions if clause is not None else ()), own]))
    one.set("this", exp.Table(this=name, alias=query.args.get("alias")))
