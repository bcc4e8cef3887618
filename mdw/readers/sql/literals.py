"""Texts that stand for values of other types, as the column they meet takes them (rule Q35).

CREATE TABLE t (b BIT, u UUID);  WHERE b = 'true' AND u = '{A0EEBC99...}'        b = 1 AND u = "a0eebc99-..."
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from mdw.model.tree import Node
from mdw.readers.nodes import cast, number, text, truth
from mdw.readers.sql.building import Building
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.storing import rewrite
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.types import Types

TRUTHS = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
WORDY = {"yes": True, "y": True, "on": True, "no": False, "n": False, "off": False}
LOGICAL = dict.fromkeys(("duckdb", "spark", "databricks", "bigquery", "trino", "presto", "athena"), TRUTHS)
LOGICAL |= dict.fromkeys(("postgres", "redshift", "snowflake", "materialize", "risingwave"), TRUTHS | WORDY)
"""By dialects that have truths the texts which stand for one."""
MANY_SPELLINGS = re.compile(
    r"(interval|time|timetz|inet|cidr|macaddr8?|jsonb?|bytea|xml|set|tsvector|tsquery|hstore|ltree"
    r"|small ?money|money|hierarchyid|geometry|geography|(small)?datetime(2|64|offset)?|timestamp\w*)\b.*",
    re.IGNORECASE,
)
"""Types of which one value has several spellings that nobody here knows: '24:00:00' and '1 day' are one INTERVAL."""
_PLAIN = re.compile(r"\d{4}-\d\d-\d\d([t ]00:00(:00(\.0{1,9})?)?| \d\d:\d\d:\d\d)?", re.ASCII)
"""Days and seconds in the spelling that all have in common: others of it are other values, and in order."""
_UNIQUE = re.compile(r"\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?", re.ASCII)


def all_typed(blocks: Iterable[Building], types: Types, telling: Telling, dialect: str) -> None:
    """Let texts be what the columns make of them that they are compared with, or written to."""
    for block in blocks:
        entities = [read.entity for read in block.reads]
        if not any(_matters(one.type) for entity in (*entities, block.target) for one in types.entry(entity).values()):
            continue

        def compared(node: Node, block: Building = block) -> Node:
            if node.role != "comparison" or not any(side.role == "string" for side in node.children):
                return node
            found = (types.of(block, side) for side in node.children[1:] if side.role == "attribute")
            type_ = next(filter(_matters, found), "")
            sides = tuple([_taken(side, type_, dialect) for side in node.children])
            return Node(node.role, node.content, sides, node.location) if type_ else node

        rewrite(block, compared)
        entry = telling.entry(block.target)
        told = {one.name: one.type for one in entry.attributes} if entry and not block.inner else {}
        for at, one in enumerate(block.outputs):
            block.outputs[at] = block.named[one.name] = one._replace(
                value=_written(one.value, told.get(one.name, ""), dialect)
            )


@lru_cache(maxsize=1 << 10)
def _matters(type_: str) -> bool:
    """Whether values of a type are written as texts that are not compared as such."""
    known = type_.upper() in ("BIT", "BOOLEAN", "BOOL", "UUID", "UNIQUEIDENTIFIER")
    return known or MANY_SPELLINGS.fullmatch(type_) is not None


def _written(value: Node, type_: str, dialect: str) -> Node:
    """A value as a column of a type keeps it: of CASE each of its values."""
    if value.role == "case" and _matters(type_):
        arms = [
            Node(arm.role, arm.content, (*arm.children[:-1], _written(arm.children[-1], type_, dialect)), arm.location)
            for arm in value.children
        ]
        return Node(value.role, value.content, tuple(arms), value.location)
    return _taken(value, type_, dialect)


def _taken(value: Node, type_: str, dialect: str) -> Node:
    """A text as a value of a type, where it stands for one."""
    if value.role != "string" or not _matters(type_):
        return value
    word = value.text[1:-1].strip().lower()
    if MANY_SPELLINGS.fullmatch(type_):
        # What the type makes of a text is one value; whether another text is the same value nobody knows here.
        plain = _PLAIN.fullmatch(word) and type_.lower() != "smalldatetime"
        return value if plain else cast(value, type_.partition("(")[0].strip(), value.location)
    unique = _UNIQUE.fullmatch(word)
    if type_.upper() in ("UUID", "UNIQUEIDENTIFIER"):
        return text("-".join(unique.groups()), value.location) if unique else value
    if type_.upper() == "BIT":
        known = dialect in TRANSACT and word in ("true", "false", "1", "0")
        return number(str(int(TRUTHS[word])), value.location) if known else value
    told = LOGICAL.get(dialect, {}).get(word)
    return value if told is None else truth(told, value.location)
