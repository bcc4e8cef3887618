"""What a column makes of values that its type cannot hold: it keeps another value than was written (rule Q3).

CREATE TABLE t (k INT); INSERT INTO t SELECT 1.4        t.k is CAST(1.4 AS INT), of which nobody says here that it is 1

Without the cast ``k = 1`` would contradict 1.4, and a row that is there would be thought gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mdw.model.tree import Node
from mdw.readers.nodes import cast
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.types import Types
from mdw.readers.sql.work import Building

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


def _stored(block: Building, types: Types, telling: Telling) -> None:
    """Let the columns of a block give what those of its target, as far as their types are told, make of the values."""
    entry = telling.entry(block.target)
    told = {one.name: one.type for one in entry.attributes if one.type} if entry else {}
    for at, one in enumerate(block.outputs):
        type_ = told.get(one.name, "")
        if type_ and _loses(one.value, types.of(block, one.value), type_):
            block.outputs[at] = block.named[one.name] = one._replace(value=cast(one.value, type_, one.value.location))


def _loses(value: Node, own: str, type_: str) -> bool:
    """Whether a value may become another one in a column of this type."""
    kind, sizes = _kind(type_), _sizes(type_)
    # Constants are looked at themselves, anything else by its type; of what has none nothing is said, as before.
    if value.role == "value":
        places = len(value.text.partition(".")[2].rstrip("0"))
        if kind == "truth":
            return value.text not in ("0", "1")
        return places > 0 and (kind == "whole" or (kind == "decimal" and bool(sizes) and places > _scale(sizes)))
    if value.role == "string":
        text = value.text[1:-1]
        if kind == "text":
            return bool(sizes) and len(text) > sizes[0]
        return kind == "day" and ":" in text
    if _kind(own) == kind == "decimal":
        return bool(sizes) and _scale(_sizes(own)) > _scale(sizes)
    return _kind(own) in FINER.get(kind, ())


def _kind(type_: str) -> str:
    return next((kind for pattern, kind in _KINDS if pattern.match(type_)), "")


def _sizes(type_: str) -> list[int]:
    found = _SIZES.search(type_)
    return [int(one) for one in found.groups() if one] if found else []


def _scale(sizes: list[int]) -> int:
    return sizes[1] if len(sizes) > 1 else 0


def all_stored(blocks: Iterable[Building], types: Types, telling: Telling) -> None:
    """Let columns give what those of their targets make of the values, where the types of these are told."""
    for block in blocks:
        if not block.inner and block.change in ("POPULATING", "UPDATING"):
            _stored(block, types, telling)
