"""UPDATE and DELETE of a query's rows: they change the table the query reads.

WITH c AS (SELECT t.a AS x, s.b FROM t JOIN s ON s.id = t.id) UPDATE c SET x = b      UPDATE t SET a = s.b ...
"""

from __future__ import annotations

from mdw.model.name import canonical, local_of, row_of
from mdw.model.query import Output
from mdw.model.tree import Node
from mdw.readers.nodes import call
from mdw.readers.sql.scopes import RowSource
from mdw.readers.sql.work import Building, Work


def through(block: Building, relation: RowSource, column: str, work: Work) -> None:
    """Let a change of a query's rows read what the query reads, and change the entity that a column of it is of."""
    # Rows of a UNION, of groups and of DISTINCT are rows of no one table: databases refuse to change them.
    makers = [one for one in work.blocks if one.target == relation.entity and one is not block]
    if len(makers) != 1 or makers[0].group is not None or makers[0].distinct is not None:
        return
    maker = makers[0]

    def value(name: str) -> Node:
        output = maker.named.get(name)
        if output is not None:
            return output.value
        return maker.supplied(name) if maker.supplied and maker.may_supply(name) else call(name)

    others = [read for read in block.reads if read.entity != relation.entity]
    block.reads[:] = [*maker.reads, *[read._replace(join=read.join or "CROSS JOIN") for read in others]]
    block.where += maker.where
    block.qualify += maker.qualify
    # The entity of the first column that is set is the one that is changed; of a DELETE the first that is read.
    made = value(column) if column else None
    label = canonical(row_of(made.content)) if made is not None and made.role == "attribute" else ""
    entities = [read.entity for read in maker.reads if label in (read.role, read.entity)]
    block.target = (entities or [maker.reads[0].entity])[0]
    relation.computed = value
    block.through = value


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
