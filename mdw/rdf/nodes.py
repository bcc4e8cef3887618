"""Parse tree <-> quads: the resources that its nodes are, and the places where they stand.

tree -> folds (mdw.rdf.folds), each with its context (mdw.rdf.contexts) -> Turtle; rows of a query -> the same tree
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from mdw.model.name import canonical
from mdw.model.tree import CopyNode, Location, Node
from mdw.rdf.contexts import Contexts
from mdw.rdf.folds import COPY, fold_of, places_of, unfolded
from mdw.rdf.vocabulary import literal


class NodeRow(NamedTuple):
    """One resource of a parse tree as the store gives it back.

    ``order`` is empty where the numbers of nodes give it; ``fills`` is the attribute that a POPULATE fills, if its WITH
    is in the resource; ``cast_to`` the type of a WITH that is a CAST.
    """

    node: str
    role: str
    parent: str
    order: str
    content: str
    fills: str = ""
    cast_to: str = ""


def said_of(
    tree: Node, contexts: Contexts, mapping: str, names: Collection[str]
) -> tuple[list[str], int, dict[str, str]]:
    """What Turtle says of the nodes of a mapping's tree, how many triples that is, and how ``names`` are spelled.

    Of each its class, parent, content and context, and where the nodes stand; their numbers give their order. Spellings
    are the first ones that are not canonical: all in one pass, it is what loading waits for.
    """
    lines: list[str] = []
    optional = number = 0
    places: list[str] = []
    spellings: dict[str, str] = {}
    before: Location | None = None
    stem = f"<{mapping}/n"
    stack = [(tree, f"<{mapping}>", contexts.start)]
    copying = COPY in contexts.fixed
    further: tuple[Node, ...]
    while stack:
        node, parent, region = stack.pop()
        # Numbered as nodes, not as resources: places, contexts and order go by pre-order in the whole tree.
        name = f"{stem}{number + 1}>"
        if copying and type(node) is CopyNode:
            # Most resources are one of these. What follows says the same of it, with far more steps.
            content, fills, further = node.source, node.filled, ()
            line = f"{name} a {COPY};mdw:parent {parent};mdw:content {literal(content)};mdw:fills {literal(fills)}"
            optional += 2
            stand = places_of(node)
        else:
            kind, stand, content, leaf, further, fills, cast_to = fold_of(node)
            context, below = contexts.standing(region, kind)
            if not leaf:
                context = ""
            # A context is a class, below that of the role: a leaf by itself says no other.
            alone = bool(context) and len(stand) == 1
            line = f"{name} a {context if alone else kind};mdw:parent {parent}"
            if content:
                line += f";mdw:content {literal(content)}"
                optional += 1
            if fills:
                line += f";mdw:fills {literal(fills)}"
                optional += 1
            if cast_to:
                line += f";mdw:castTo {literal(cast_to)}"
                optional += 1
            if context and not alone:
                line += f";mdw:context {context}"
                optional += 1
        lines.append(line)
        number += len(stand)
        for place in stand:
            # A node stands where its first leaf stands: most share the place of the node before and say nothing.
            if place is before:
                places.append("")
            else:
                before = place
                places.append(f"{place.line}:{place.column}" if place else "-")
        for written in (fills, content):
            # Only what may be a name with capitals: others' contents mostly begin with digits and quotes, which sort
            # before letters, and names in lower case are no spelling of their own.
            if written and written not in names and written[0] > "9" and not written.islower():
                known = canonical(written)
                if known in names:
                    spellings.setdefault(known, written)
        if further:
            stack += [(child, name, below) for child in further[::-1]]
    said = [".\n".join(lines), f".\n<{mapping}> mdw:places {literal(' '.join(places))}.\n"]
    return said, 2 * len(lines) + optional + 1, spellings


def restore(rows: Iterable[NodeRow], places: str = "", file: str = "") -> Node:
    """The tree whose nodes are given, in any order; ``places`` says where in ``file`` they stand, in pre-order."""
    # Siblings by the order they state, else by their numbers, which grow as the text goes on.
    children: dict[str, list[tuple[int, int, NodeRow]]] = defaultdict(list)
    nodes = set()
    for row in rows:
        nodes.add(row.node)
        children[row.parent].append((int(row.order or 1), _number(row.node), row))
    # The root is the node whose parent, the mapping itself, is no node of the tree.
    (root,) = (row for parent, below in children.items() if parent not in nodes for *_, row in below)
    return _built(root, children, _locations(places, file))


def _built(
    row: NodeRow, children: Mapping[str, list[tuple[int, int, NodeRow]]], places: Iterator[Location | None]
) -> Node:
    roles, holder = unfolded(row.role)
    own = [next(places, None) for _ in roles]
    filled: tuple[Node, ...] = ()
    if row.fills:
        # The attribute stands behind the POPULATE and before its WITH.
        filled = (Node("attribute", row.fills, (), own[1]),)
        own[1:] = [*own[2:], next(places, None)]
    further = tuple([_built(child, children, places) for *_, child in sorted(children.get(row.node, ()))])
    if row.cast_to:
        further = (Node("type", row.cast_to, (), next(places, None)),)
    below: tuple[Node, ...] = ()
    for number in range(len(roles) - 1, -1, -1):
        if number == holder:
            below += further
        if number == 0:
            below = filled + below
        role, content = roles[number], row.content if number == len(roles) - 1 else ""
        below = (Node(content if role is None else role, content, below, own[number]),)
    return below[0]


def _number(node: str) -> int:
    """The number at the end of a node's IRI; 0 if somebody else named it."""
    number = node.rpartition("/n")[2]
    return int(number) if number.isdecimal() else 0


def _locations(places: str, file: str) -> Iterator[Location | None]:
    before: Location | None = None
    for text in places.split(" "):
        if text:
            line, _, column = text.partition(":")
            before = Location(file, int(line), int(column)) if column else None
        yield before
