"""RETURNING and OUTPUT: rows that a change gives, to the query around it or to another table (rule Q19).

WITH gone AS (DELETE FROM a WHERE k = 1 RETURNING *) INSERT INTO b SELECT * FROM gone

reads a as the DELETE does, under the same condition. Of a row that is written the columns are what is written into
them, unless a trigger that runs before changes it; T-SQL's ``inserted`` is the row as it became, ``deleted`` as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import canonical, local_of, parts
from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call, text
from mdw.readers.sql.building import Building
from mdw.readers.sql.fired import EVENTS, row_left
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.queries import named
from mdw.readers.sql.scopes import ACTION, RowSource, SelectScope
from mdw.readers.sql.selects import projection
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.subqueries import adopt
from mdw.readers.sql.work import Work

ACTIONS = {"POPULATING": "INSERT", "UPDATING": "UPDATE", "DELETING": "DELETE"}


def returned(one: Any, change: Outcome, target: str, work: Work, names: Sequence[str] = ()) -> list[Building]:
    """The blocks of what a change gives back, filling ``target``; their columns are called by ``names``, if any."""
    items = one.args["returning"].expressions
    found = [_of(made, items, target, _alias(one, work), work, _merged(one, work)) for made in change.filling]
    return named(found, names)


def _merged(one: Any, work: Work) -> tuple[str, ...]:
    """What a MERGE calls the rows it takes: WHEN NOT MATCHED BY SOURCE has none of them."""
    using = one.args.get("using") if isinstance(one, exp.Merge) else None
    return (work.naming.known(using.alias_or_name, quoted=False),) if using is not None else ()


def _alias(one: Any, work: Work) -> list[tuple[str, ...]]:
    """What an INSERT calls its target: INSERT INTO t AS z ... RETURNING z.k."""
    target = one.this.this if isinstance(one.this, exp.Schema) else one.this
    table = target if isinstance(one, exp.Insert) and isinstance(target, exp.Table) else None
    return [(work.naming.known(table.alias, quoted=False),)] if table is not None and table.alias else []


def _of(
    made: Building,
    items: Sequence[Any],
    target: str,
    alias: Sequence[tuple[str, ...]],
    work: Work,
    merged: tuple[str, ...],
) -> Building:
    block = work.building(target, inner=target in work.inner_entities, location=made.location)
    block.reads, block.where = list(made.reads), list(made.where)
    block.group, block.having, block.qualify = made.group, list(made.having), list(made.qualify)
    block.sets, block.distinct, block.order, block.limits = made.sets, made.distinct, list(made.order), made.limits
    scope = SelectScope(work, block=block)
    known = list(made.scope.relations) if made.scope is not None else []
    # Where the rows of a query are changed, that query is the row there was.
    before = next((one for one in known if one.entity == made.target or _opened(one, made)), None)
    others = [relation for relation in known if relation is not before]
    # MERGE's $action is a constant of each of its branches.
    scope.merged[ACTION] = text(ACTIONS[made.change], made.location)
    if made.change != "POPULATING":
        work.read[made.target] = None
    scope.relations = [*_rows(made, block, before, alias, work), *others]
    if merged and scope.relation(merged) is None:
        none = call("NULL_ROW", (), made.location)
        scope.relations.append(RowSource((merged,), merged[0], Shape((), complete=True), "", lambda _: none))
    for item in items:
        projection(item, scope)
    adopt(block, scope)
    return block


def _rows(
    made: Building, block: Building, before: RowSource | None, alias: Sequence[tuple[str, ...]], work: Work
) -> list[RowSource]:
    """The row a change leaves, called as its target or ``inserted``, and the one it found, called ``deleted``."""
    written = work.naming.written
    changed = made.through if before is None or before.entity != made.target else None
    shape = before.shape if before is not None and changed is not None else work.dictionary.known(made.target)
    left = row_left(block, made.target, EVENTS.get(made.change, ""), work)

    def old(name: str) -> Node:
        if before is None:
            return call("NULL_ROW", (), made.location)
        if changed is not None:
            return changed(name)
        return attribute(f"{written(before.label)}.{name if name == ALL else written(name)}", made.location)

    def new(name: str) -> Node:
        # In this order: what a trigger left, what the change writes, what a star of it may write, what was there.
        if (value := left(name)) is not None:
            return value
        output = made.named.get(_below(name, changed))
        if output is not None:
            return output.value
        if made.supplied is not None and (name == ALL or made.may_supply(name)):
            return made.supplied(name)
        # Columns that are not set keep what they have; those of a new row are made by the database.
        return old(name) if before is not None else call("DEFAULT", (), made.location)

    columns = list(shape.columns) if shape.complete else list(dict.fromkeys([*made.named, *shape.columns]))
    own = Shape([name for name in columns if name != ALL], complete=shape.complete)
    called = before.names if before is not None else ()
    names = (tuple(parts(made.target)), ("INSERTED",), ("NEW",), *alias, *called)
    gone = RowSource((("DELETED",), ("OLD",)), "DELETED", Shape((), complete=True), "", old)
    # Of a new row nothing is there but what is written; of one that was there, all that it had.
    more = before is not None and not shape.complete
    now = RowSource(names, made.target, own, "", old if made.change == "DELETING" else new, more=more)
    return [now, gone]


def _opened(relation: RowSource, made: Building) -> bool:
    """Whether it is the query whose rows are changed."""
    return made.through is not None and relation.computed is made.through


def _below(name: str, changed: Callable[[str], Node] | None) -> str:
    """What a column of the query is called in the table that is changed."""
    value = changed(name) if changed is not None else None
    return local_of(canonical(value.content)) if value is not None and value.role == "attribute" else name
