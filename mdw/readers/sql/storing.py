"""What a column makes of values that its type cannot hold: it keeps another value than was written (rule Q3).

CREATE TABLE t (k INT); INSERT INTO t SELECT 1.4        t.k is CAST(1.4 AS INT), of which nobody says here that it is 1

Without the cast ``k = 1`` would contradict 1.4, and a row that is there would be thought gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from mdw.model.tree import Node
from mdw.readers.nodes import cast, computed
from mdw.readers.sql.building import Building
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.types import Types

_KINDS = (
    (re.compile(r"(big|small|tiny|medium|u|hu|int)*int(eger)?\d*\b", re.IGNORECASE), "whole"),
    (re.compile(r"(decimal|numeric|number|dec)\b", re.IGNORECASE), "decimal"),
    (re.compile(r"(float|double|real)", re.IGNORECASE), "float"),
    (re.compile(r"date$", re.IGNORECASE), "day"),
    (re.compile(r"(timestamp|datetime)", re.IGNORECASE), "moment"),
    (re.compile(r"(bit|bool|boolean)$", re.IGNORECASE), "truth"),
    (re.compile(r"n?(var)?char(acter)?( varying)?\b", re.IGNORECASE), "text"),
)
_SIZES = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")
FINER = {
    "whole": ("decimal", "float", "truth"),
    "decimal": ("float",),
    "day": ("moment",),
    "truth": ("whole", "decimal"),
}
"""For kinds of columns the kinds of values that lose something in them."""
CHOOSING = frozenset(("COALESCE", "NVL", "IFNULL", "GREATEST", "LEAST"))
"""Functions that give one of their arguments."""
ENDLESS = 1000
"""Places of numbers of which nobody knows how many they have: 1 / 3."""


def _stored(block: Building, types: Types, telling: Telling) -> None:
    """Let the columns of a block give what those of its target, as far as their types are told, make of the values."""
    entry = telling.entry(block.target)
    told = {one.name: one.type for one in entry.attributes if one.type} if entry else {}
    for at, one in enumerate(block.outputs):
        type_ = told.get(one.name, "")
        if type_ and _loses(one.value, block, types, type_):
            block.outputs[at] = block.named[one.name] = one._replace(value=cast(one.value, type_, one.value.location))


def _loses(value: Node, block: Building, types: Types, type_: str) -> bool:
    """Whether a value may become another one in a column of this type."""
    kind, sizes = _kind(type_), _sizes(type_)
    # Constants are looked at themselves, anything else by its type; of what has none nothing is said, as before.
    if value.role == "value":
        if kind == "truth":
            return value.text not in ("0", "1")
        return _cut(_digits(value), kind, sizes)
    if value.role == "string":
        text = value.text[1:-1]
        if kind == "text":
            return bool(sizes) and len(text) > sizes[0]
        return kind == "day" and ":" in text
    if value.role == "case":
        return any(_loses(arm.children[-1], block, types, type_) for arm in value.children)
    if value.role == "function" and value.children and value.children[0].role in CHOOSING:
        return any(_loses(one, block, types, type_) for one in value.children[1:])
    if value.role == "computation":
        return _cut(_places(value, block, types), kind, sizes)
    own = types.of(block, value)
    if _kind(own) == kind == "decimal":
        return bool(sizes) and _scale(_sizes(own)) > _scale(sizes)
    return _kind(own) in FINER.get(kind, ())


def _cut(places: int, kind: str, sizes: list[int]) -> bool:
    """Whether a number of so many places loses some in a column of this kind."""
    return places > 0 and (kind == "whole" or (kind == "decimal" and bool(sizes) and places > _scale(sizes)))


def _digits(number: Node) -> int:
    return len(number.text.partition(".")[2].rstrip("0"))


def _places(value: Node, block: Building, types: Types) -> int:
    """How many places behind its point a number may have: of k * 0.5, where K is an integer, one."""
    if value.role == "value":
        return _digits(value)
    if value.role == "computation" and len(value.children) == 3:
        places = [_places(side, block, types) for side in value.children[1:]]
        op = value.children[0].role
        return ENDLESS if op == "/" else min(sum(places), ENDLESS) if op == "*" else max(places)
    if value.role == "computation":
        return _places(value.children[-1], block, types)
    own = types.of(block, value)
    if _kind(own) == "decimal":
        return _scale(_sizes(own)) if _sizes(own) else ENDLESS
    # Of what has no type nothing is said.
    return ENDLESS if _kind(own) == "float" else 0


def _kind(type_: str) -> str:
    return next((kind for pattern, kind in _KINDS if pattern.match(type_)), "")


def _sizes(type_: str) -> list[int]:
    found = _SIZES.search(type_)
    return [int(one) for one in found.groups() if one] if found else []


def _scale(sizes: list[int]) -> int:
    return sizes[1] if len(sizes) > 1 else 0


def all_divided(blocks: Iterable[Building], types: Types) -> None:
    """Let divisions of what is told to be no integer keep their fractions: DIVIDE(n, 2) is n / 2 where N is NUMERIC.

    A DIVIDE of the integer 3 by 2 is 1, and one of the NUMERIC 3 is 1.5: as functions of equal values they were equal.
    """
    for block in blocks:
        if not block.divides:
            continue

        def divided(node: Node, block: Building = block) -> Node:
            children = node.children
            divides = node.role == "function" and len(children) == 3 and children[0].role == "DIVIDE"
            real = divides and any(_real(side, block, types) for side in children[1:])
            return computed("/", *children[1:]) if real else node

        rewrite(block, divided)


def rewrite(block: Building, changed: Callable[[Node], Node]) -> None:
    """Put other nodes into all that a block says, the innermost first."""

    def within(node: Node) -> Node:
        children = tuple([within(child) for child in node.children])
        return changed(node if children == node.children else Node(node.role, node.content, children, node.location))

    block.outputs = [one._replace(value=within(one.value)) for one in block.outputs]
    block.named = {one.name: one for one in block.outputs}
    block.reads = [read if read.on is None else read._replace(on=within(read.on)) for read in block.reads]
    deciding = (block.where, block.having, block.qualify, block.order, block.limits)
    for nodes in (*deciding, block.group or [], block.distinct or []):
        nodes[:] = map(within, nodes)


def _real(value: Node, block: Building, types: Types) -> bool:
    if value.role == "value":
        return _digits(value) > 0
    if value.role == "computation":
        return any(_real(side, block, types) for side in value.children if side.children or side.role == "value")
    return _kind(types.of(block, value)) in ("decimal", "float")


def all_stored(blocks: Iterable[Building], types: Types, telling: Telling) -> None:
    """Let columns give what those of their targets make of the values, where the types of these are told."""
    for block in blocks:
        if not block.inner and block.change in ("POPULATING", "UPDATING"):
            _stored(block, types, telling)
