"""Rows of a FROM that come from elsewhere: tables of other servers, and predictions of models."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.nodes import opaque
from mdw.readers.sql.attaching import Joining, attach
from mdw.readers.sql.derived import derived
from mdw.readers.sql.naming import joined
from mdw.readers.sql.places import Places
from mdw.readers.sql.remote import RemoteQuery, given_table, remote_query, spread, tree_of
from mdw.readers.sql.scopes import SelectScope, whole_row
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.subqueries import scalar

LONGEST = 80
"""Characters of a query that name what it gives, where it cannot be read."""


def elsewhere(one: Any, holder: Any, scope: SelectScope, join: Joining) -> bool:
    """Whether a function reads a table of another server, or has it run a query."""
    work = scope.work
    query = remote_query(one, work.flavour, work.naming)
    if query is not None:
        tree = tree_of(query.said, work.flavour)
        if tree is not None:
            tree = spread(tree, holder.args.get("alias")) if query.across else tree
            _query(query, tree, holder, scope, join)
            return True
        said = " ".join(query.said.split())[:LONGEST]
        entity = joined(query.server, work.naming.known(said, quoted=True))
    else:
        entity = given_table(one, work.flavour, work.naming)
    if not entity:
        return False
    work.far(entity)
    shape, at = work.dictionary.known(entity), work.place(holder)
    attach(entity, holder.args.get("alias"), shape, scope, join, at, parts(entity))
    return True


def _query(query: RemoteQuery, tree: Any, holder: Any, scope: SelectScope, join: Joining) -> None:
    """A derived table whose tables are the other server's. It sees nothing of the query around."""
    work, alias = scope.work, holder.args.get("alias")
    alone = SelectScope(work, None)
    alone.block, alone.relations = scope.block, scope.relations
    at = work.place(query.text) or work.place(holder)
    places = Places(query.said, at.file, at.line, at.column + 1) if at else work.places
    with work.in_text(work.piece, places), work.on(query.server):
        derived(exp.Subquery(this=tree, alias=alias), alone, join)


def predicted(source: Any, model: Any, scope: SelectScope) -> None:
    """What BigQuery's ML.PREDICT adds to the relation just read.

    All its columns go on, and others are made of them and of the model.
    """
    relation, work = scope.relations[-1], scope.work
    own, before = relation.shape, relation.computed
    at = work.place(source)
    # Any of what the model was trained on may be in a prediction, so all of the model is a source of it.
    learnt = scalar(exp.Select(kind="STRUCT", expressions=[exp.Star()], from_=exp.From(this=model.copy())), scope)
    # The shape of its own: asked for a prediction, what the query reads has no such column.
    relation.shape, relation.more = Shape(own.columns), True

    def column(name: str) -> Node:
        has = name != ALL and own.has(name)
        if has or (has is None and not name.startswith("PREDICTED_")):
            own.ask(name)
            if before is not None:
                return before(name)
            return Node("attribute", f"{work.naming.written(relation.label)}.{work.naming.written(name)}", (), at)
        relation.shape, relation.computed = own, before
        try:
            return opaque("ML.PREDICT", [*whole_row(relation, work, at), learnt], at)
        finally:
            relation.shape, relation.computed = given, column

    given, relation.computed = relation.shape, column
