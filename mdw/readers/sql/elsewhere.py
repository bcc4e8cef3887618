"""Rows of a FROM that come from elsewhere: tables of other servers, and predictions of models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.name import parts
from mdw.model.query import ALL
from mdw.model.tree import Node
from mdw.readers.nodes import opaque
from mdw.readers.sql.attaching import Joining, attach
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.naming import joined
from mdw.readers.sql.scopes import SelectScope, whole_row
from mdw.readers.sql.shapes import Shape
from mdw.readers.sql.work import Work

REMOTE = frozenset(("REMOTE", "REMOTESECURE", "MYSQL", "POSTGRESQL"))
"""ClickHouse's functions that read a table of another server: its address, then the table."""
QUERIES = frozenset(("OPENQUERY", "OPENROWSET"))
"""T-SQL's functions that have another server run a query: the last argument."""
LONGEST = 80
"""Characters of a query that name what it gives."""


def elsewhere(one: Any, holder: Any, scope: SelectScope, join: Joining) -> bool:
    """Whether a function reads a table of another server: an entity by the server's name and the table's, or the query.

    Who logs in, and where to, is no part of the name.
    """
    work = scope.work
    name = one.name.upper() if isinstance(one, exp.Anonymous) else ""
    if name in QUERIES and work.flavour.name in TRANSACT:
        entity = _query(name, one.expressions, work)
    elif name in REMOTE and work.flavour.name == "clickhouse":
        entity = _table(one.expressions, work)
    else:
        return False
    if not entity:
        return False
    work.notes[f"{work.naming.shown(entity)} lies on another server: nothing is known of how it is filled"] = None
    work.read[entity] = None
    shape, at = work.dictionary.known(entity), work.place(holder)
    attach(entity, holder.args.get("alias"), shape, scope, join, at, parts(entity))
    return True


def _query(name: str, arguments: Sequence[Any], work: Work) -> str:
    text = arguments[-1] if arguments else None
    if not isinstance(text, exp.Literal) or not text.args.get("is_string"):
        return ""
    said = " ".join(text.name.split())[:LONGEST]
    server = arguments[0].name if name == "OPENQUERY" else name
    return joined(work.naming.known(server, quoted=False), work.naming.known(said, quoted=True))


def _table(arguments: Sequence[Any], work: Work) -> str:
    address, *rest = arguments
    named = rest[:1] if rest and isinstance(rest[0], (exp.Column, exp.Dot)) else rest[:2]
    words = [part.name for one in named for part in ([one] if isinstance(one, exp.Literal) else one.parts)]
    if not isinstance(address, exp.Literal) or not words:
        return ""
    return joined(
        work.naming.known(address.name, quoted=True), *[work.naming.known(one, quoted=False) for one in words]
    )


def predicted(source: Any, scope: SelectScope) -> None:
    """What BigQuery's ML.PREDICT adds to the relation just read: all its columns go on, and others are made of them."""
    relation, work = scope.relations[-1], scope.work
    own, before = relation.shape, relation.computed
    at = work.place(source)
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
            return opaque("ML.PREDICT", whole_row(relation, work, at), at)
        finally:
            relation.shape, relation.computed = given, column

    given, relation.computed = relation.shape, column
