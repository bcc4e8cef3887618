"""Blocks -> mappings: the one way from a SELECT block, whoever has read it, to a mapping tree.

>>> from mdw.model.query import Output
>>> from mdw.readers.nodes import attribute, compared, number
>>> positive = compared(">", attribute("S.K"), number("0"))
>>> block = Query("T", (Read("S"),), (Output("A", attribute("S.X")),), where=positive)
>>> derive(mapping_of(block), "m").populations[0].clauses[0].expression
Attr(name='S.X')
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from mdw.collecting import uncollected
from mdw.language.derive import derive
from mdw.model.query import Query, Read, SqlScript, Statement
from mdw.model.rules import Rules
from mdw.model.tree import CopyNode, Location, Node
from mdw.readers.nodes import DISTINCT, attribute, condition, whole, word


def mappings_of(statement: Statement, script: SqlScript, bound: Collection[int] = ()) -> list[tuple[Node, Rules]]:
    """The mappings of a statement with their rules; none of those of routines that are ``bound``, by their places."""
    found = []
    with uncollected():
        for block in statement.blocks:
            if script.owners.get(block.name, -1) not in bound:
                tree = mapping_of(block)
                if script.borrowed:
                    tree = of_one_file(tree, block.location)
                found.append((tree, derive(tree, block.name)))
    return found


def mapping_of(block: Query) -> Node:
    """The mapping tree of a block."""
    return Node("mapping", "", tuple(_parts(block)), block.location)


def of_one_file(tree: Node, place: Location | None) -> Node:
    """A mapping all of whose places are in the file of this one.

    What a call gives a routine of another file stands in the mapping where the routine uses it.
    """
    at = tree.location
    if place is not None and at is not None and at.file != place.file:
        at = place
    children = tuple([of_one_file(child, at or place) for child in tree.children])
    return Node(tree.role, tree.content, children, at)


def _parts(block: Query) -> Iterator[Node]:
    at = block.location
    if block.name:
        yield Node("name", word(block.name), (), at)
    if block.dialect:
        yield Node("dialect", word(block.dialect), (), at)
    yield _population(block)
    if block.where is not None:
        yield Node("filter", "", (condition(block.where),), block.where.location or at)
    yield from (_join(read) for read in block.reads[1:])
    if block.group is not None:
        yield _grouping(block.group, block.sets, at)
    if block.having is not None:
        yield Node("having", "", (condition(block.having),), block.having.location)
    if block.qualify is not None:
        yield Node("qualify", "", (condition(block.qualify),), block.qualify.location)
    if block.distinct is not None:
        leads = (DISTINCT,) if block.distinct else ()
        yield Node("distinct", "" if block.distinct else "DISTINCT", (*leads, *block.distinct), at)
    if block.order:
        yield Node("ordering", "", block.order, block.order[0].location)
    if block.limits:
        yield Node("limit", "", block.limits, block.limits[0].location)
    if block.others:
        yield Node("others", block.others, (), at)


def _population(block: Query) -> Node:
    at = block.location
    leads = () if block.change == "POPULATING" else (Node(block.change, block.change, (), at),)
    inner = (Node("inner", "INNER", (), at),) if block.inner else ()
    target = Node("targetentity", "", (*inner, Node("entity", block.target, (), at)), at)
    return Node("population", "", (*leads, target, _read("drivingentity", block.reads[0]), *_populates(block)), at)


def _populates(block: Query) -> Iterator[Node]:
    for output in block.outputs:
        at = output.location or output.value.location or block.location
        filled, value = f"{block.target}.{output.name}", output.value
        if value.role == "attribute":
            yield CopyNode(filled, value.content, at, at, value.location)
        else:
            yield Node("populate", "", (attribute(filled, at), Node("with", "", (whole(value),), at)), at)


def _join(read: Read) -> Node:
    on = () if read.on is None else (condition(read.on),)
    node = _read("join", read)
    return Node("join", "", (Node(read.join, read.join, (), read.location), *node.children, *on), read.location)


def _read(kind: str, read: Read) -> Node:
    at = read.location
    role = (Node("role", read.role, (), at),) if read.role else ()
    return Node(kind, "", (Node("entity", read.entity, (), at), *role), at)


def _grouping(group: Sequence[Node], sets: str, at: Location | None) -> Node:
    if not group:
        return Node("grouping", "()", (), at)
    leads = (Node(sets, sets, (), at),) if sets else ()
    return Node("grouping", "", (*leads, *group), group[0].location)
