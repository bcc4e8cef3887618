"""ClickHouse's outer joins: where no row is joined a column is 0 or '', and NULL only where its type is Nullable (Q32).

CREATE TABLE p (k Int32, n Nullable(Int32))
SELECT p.k, p.n FROM s LEFT JOIN p ON p.k = s.k       0 and NULL for a row of S without a partner
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from mdw.model.tree import Node
from mdw.readers.nodes import call, case, compared, number, text
from mdw.readers.sql.phrases.definition import NULLS, zero_of
from mdw.readers.sql.scopes import RowSource, SelectScope
from mdw.readers.sql.work import Work


def fill_missing(word: str, before: Collection[RowSource], scope: SelectScope) -> None:
    """Let the relations of an outer join have what ClickHouse gives for rows that are not there."""
    work = scope.work
    # A setting of the query, or one before it, brings NULL back.
    if work.flavour.name != "clickhouse" or word not in SIDES or "join_use_nulls" in work.text.lower():
        return
    left, right = SIDES[word]
    for relation in scope.relations:
        if relation.computed is None and (left if relation in before else right):
            relation.missing = partial(_or_zero, relation, work)


SIDES = {"LEFT JOIN": (False, True), "RIGHT JOIN": (True, False), "FULL JOIN": (True, True)}
"""Which rows may be missing: those of the left side, of the right side."""


def _or_zero(relation: RowSource, work: Work, name: str, value: Node) -> Node:
    entry = work.telling.entry(relation.entity) if relation.entity else None
    one = entry.attribute(name) if entry is not None else None
    known = one is not None and entry is not None and entry.dialect == "clickhouse"
    if known and one is not None and one.type and one.fills != NULLS:
        return value
    zero = zero_of(one.type.upper()) if known and one is not None else ""
    made = call("FILLED_IN", (), value.location)
    if zero:
        made = number("0", value.location) if zero == "0" else text("", value.location)
    return case([(compared("IS NULL", value), made)], value, value.location)
