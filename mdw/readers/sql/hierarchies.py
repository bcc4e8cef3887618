"""CONNECT BY: rows below rows of the same query (rule Q17).

    SELECT name, PRIOR name AS boss FROM emp START WITH mgr IS NULL CONNECT BY PRIOR id = mgr

reads emp twice: each row, and by LEFT JOIN the row above it, of which START WITH's have none. What is of rows further
up, as CONNECT_BY_ROOT, is of some row of the same entities, of which nothing else is said. WHERE binds the row itself.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.model.name import row_of
from mdw.model.query import Read
from mdw.model.tree import Node
from mdw.readers.nodes import attribute, call
from mdw.readers.sql.levels import attributes, rewritten
from mdw.readers.sql.scopes import SelectScope, label_of


def connect(clause: Any, scope: SelectScope) -> None:
    """Join the row above, by the condition of CONNECT BY where the query reads one entity."""
    work, block = scope.work, scope.block
    assert block is not None
    scope.hierarchical = True
    below, start = clause.args.get("connect"), clause.args.get("start")
    # Of a join nobody says here which of its rows is above which: then a row above is some row (see `prior`).
    if len(block.reads) == 1 and scope.relations[0].entity:
        (own,) = scope.relations
        role = scope.above[own.label] = work.role()
        read = Read(own.entity, role, "LEFT JOIN", None, block.location)
        # First read, then asked: PRIOR in the condition means the row of this role.
        block.reads.append(read)
        on = work.test(below, scope) if below is not None else None
        block.reads[block.reads.index(read)] = Read(own.entity, role, "LEFT JOIN", on, block.location)
    # Which rows come below which the columns decide; no row is known to meet anything.
    for part in (start, below if not scope.above else None):
        block.order += [work.value(one, scope) for one in part.find_all(exp.Column)] if part is not None else []


def prior(node: Node, scope: SelectScope) -> Node:
    """A value of the row above."""
    if not scope.above:
        return call("PRIOR", [from_above(node, scope)], node.location)
    return _moved(node, scope.above)


def from_above(node: Node, scope: SelectScope) -> Node:
    """A value of some row above, or of the row itself."""
    block = scope.block
    assert block is not None
    for one in list(attributes(node)):
        label = label_of(one)
        relation = next((one for one in scope.relations if one.label == label and one.entity), None)
        if relation is not None and label not in scope.ancestors:
            scope.ancestors[label] = scope.work.role()
            block.reads.append(Read(relation.entity, scope.ancestors[label], "CROSS JOIN", None, block.location))
    return _moved(node, scope.ancestors)


def _moved(node: Node, roles: dict[str, str]) -> Node:
    def moved(one: Node) -> Node:
        label = label_of(one)
        if one.role != "attribute" or label not in roles:
            return one
        return attribute(roles[label] + one.content[len(row_of(one.content)) :], one.location)

    return rewritten(node, moved)
