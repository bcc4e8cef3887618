"""By which collation each comparison of a script is made (rule Q35): COLLATE(t.c, "nocase") = "EU".

What tells it, in this order: COLLATE in the comparison itself; the column's own, of whose type or domain it may be, and
which it keeps in views and subqueries; the default of the script (`default_of`); that of the dialect, which is written
once for the whole mapping.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from mdw.model.collations import COLLATE, DEFAULTS, SORTED, nature_of
from mdw.model.dictionary import AttributeEntry
from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node
from mdw.readers.nodes import call, text
from mdw.readers.sql.building import Building
from mdw.readers.sql.storing import rewrite
from mdw.readers.sql.types import DEEPEST, Types

CITEXT = "citext"
"""PostgreSQL's type of texts in which case does not count."""
MIXED = "mixed"
"""What stands for one of several collations."""
COUNTED = frozenset(("value", "date", "truth", "null"))
"""Constants that are no texts."""
ORDERS = frozenset(("<", "<=", ">", ">=", "BETWEEN", "NOT BETWEEN"))
TESTED = ORDERS | {"=", "!=", "<>", "IN", "NOT IN", "LIKE", "NOT LIKE", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"}
NAME = r"\s*(?:=|\bTO\b)?\s*[\"'\[`]?(?P<name>[\w.:-]+)"
STATED = re.compile(
    rf"\b(?:default_collation|DEFAULT_DDL_COLLATION|NLS_SORT){NAME}|\b(?:CREATE|ALTER)\s+(?:DATABASE|SCHEMA)\b"
    rf"(?:(?!\b(?:GO|CREATE|TABLE|VIEW)\b)[^;(])*?\bCOLLATE{NAME.replace('name', 'made')}",
    re.IGNORECASE,
)
REMARK = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)
DOMAIN = re.compile(
    r"\bCREATE\s+DOMAIN\s+(?:[\w\"]+\.)?\"?(?P<domain>\w+)\"?\s+(?:AS\s+)?(?P<type>\w+)"
    r"(?:[^;]*?\bCOLLATE\s+(?:\w+\.)?\"?(?P<name>[\w.-]+))?",
    re.IGNORECASE,
)


def default_of(script: str, told: str, dialect: str) -> str:
    """The collation of texts of which a script says no more: as people ``told``, else as its own statements do.

    >>> default_of("CREATE SCHEMA s DEFAULT COLLATE 'und:ci';", "", "bigquery"), default_of("", "", "oracle")
    ('mixed', 'binary')
    """
    own = DEFAULTS.get(dialect, "binary")
    if told or ("collat" not in (known := script.lower()) and "nls_sort" not in known):
        return told or own
    found = {one["name"] or one["made"] for one in STATED.finditer(REMARK.sub(" ", script))}
    if not found or {*map(nature_of, found)} == {nature_of(own)}:
        return own
    # It is that of what is made behind it, there; of all else it is the dialect's.
    return next(iter(found)) if len(found) == 1 and not own else MIXED


class _Collating(NamedTuple):
    """The collations that values may have by COLLATE, and by the columns they come from."""

    stated: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()


NONE = _Collating()


class Collations:
    """The collations of what the blocks of a script compare; ``default`` is that of columns which tell none."""

    def __init__(self, types: Types, script: str, default: str, dialect: str) -> None:
        self._types, self._default, self._dialect = types, default, dialect
        self._own = DEFAULTS.get(dialect, "binary")
        matches = DOMAIN.finditer(script) if "domain" in script.lower() else ()
        self._domains = {one["domain"].lower(): one["name"] or one["type"] for one in matches}
        self._columns: dict[tuple[str, str], frozenset[str]] = {}
        self._entities: dict[str, bool] = {}
        self._depth = 0

    def dialect(self, block: Building) -> str:
        """The dialect that a mapping names: where texts are compared by another collation than the binary one."""
        nature = nature_of(self._own)
        plain = nature == "binary" or nature_of(self._default) == "binary" or (nature == "sorted" and not block.orders)
        return "" if plain else self._dialect

    def all(self, blocks: Iterable[Building]) -> None:
        """Let comparisons name their collations, where these are others than the dialect's."""
        for block in blocks:
            if self._default != self._own or self._matters(block):
                rewrite(block, lambda node, block=block: self._compared(block, node))  # type: ignore[misc]

    def _matters(self, block: Building) -> bool:
        """Whether a collation is told of anything that a block compares."""
        return block.collates or any(self._any(read.entity) for read in block.reads)

    def _any(self, entity: str) -> bool:
        """Whether a column of an entity may have a collation of its own."""
        found = self._entities.get(entity)
        if found is None:
            self._entities[entity] = False
            told = any(self._told(one) for one in self._types.entry(entity).values())
            found = self._entities[entity] = told or any(map(self._matters, self._types.makers(entity)))
        return found

    def _compared(self, block: Building, node: Node) -> Node:
        if node.role != "comparison" or node.children[0].role not in TESTED:
            return node
        word, first, *rest = node.children
        if any(one.role in COUNTED for one in (first, *rest)):
            return node
        found = self._among(block, (first, *rest))
        names = found.stated or found.held
        name = self._named(names) or self._default
        if nature_of(name) == nature_of(self._own) and nature_of(name) in ("binary", "sorted", "loose"):
            return node
        marked = call(COLLATE, [_bare(first), text(name)], first.location)
        return Node(node.role, node.content, (word, marked, *rest), node.location)

    def _among(self, block: Building, values: Iterable[Node]) -> _Collating:
        found = [self._of(block, one) for one in values]
        return _Collating(
            frozenset().union(*(one.stated for one in found)), frozenset().union(*(one.held for one in found))
        )

    def _of(self, block: Building, value: Node) -> _Collating:
        """The collations of a value; constants take that of what they are compared with."""
        if value.role == "attribute":
            name = canonical(value.content)
            entity = block.read_as(row_of(name))
            return _Collating(held=self.column(entity, local_of(name)) if entity else frozenset(("",)))
        if value.role == "function" and len(value.children) == 3 and value.children[0].content == COLLATE:
            return _Collating(frozenset((value.children[2].text[1:-1],)))
        if not value.children:
            return NONE
        # Of what is made of several values databases have rules of their own.
        found = self._among(block, value.children)
        return _Collating(_mixed(found.stated), _mixed(found.held))

    def column(self, entity: str, name: str) -> frozenset[str]:
        """The collations that a column may have: its own, else those of all that is written to it."""
        key = entity, name
        found = self._columns.get(key)
        if found is None and self._depth < DEEPEST:
            # What a recursive query makes of itself adds nothing.
            self._columns[key] = frozenset()
            self._depth += 1
            told = self._types.told(entity, name)
            found = frozenset((self._told(told),)) if told is not None else self._written(entity, name)
            self._columns[key] = found
            self._depth -= 1
        return found or frozenset(("",))

    def _told(self, told: AttributeEntry) -> str:
        """The collation that the definition of a column gives it, "" where it gives none."""
        kind = told.type.lower()
        if told.collation or kind == CITEXT or kind in self._domains:
            return told.collation or self._domains.get(kind, kind)
        # In the order in which its values are declared.
        return SORTED if kind.startswith("enum") and self._own else ""

    def told_of(self, entity: str, name: str) -> str:
        """What other scripts are to know of a column: its collation, where it is not the dialect's own."""
        if not self._any(entity) and self._default == self._own:
            return ""
        return self._named(self.column(entity, name)) or (self._default if self._default != self._own else "")

    def _named(self, names: frozenset[str]) -> str:
        """The collation that something has which may have several, "" for the default."""
        name = next(iter(names)) if len(names) == 1 else MIXED if names - {""} else ""
        # PostgreSQL has no such collation of its own: what one of this name does is told where it is made.
        own = self._own != SORTED or name == CITEXT or nature_of(name) != "caseless"
        return name if own else MIXED

    def _written(self, entity: str, name: str) -> frozenset[str]:
        several = [self._of(block, value) for block, value in self._types.written(entity, name)]
        return frozenset().union(*(one.stated or one.held or ("",) for one in several))


def _mixed(names: frozenset[str]) -> frozenset[str]:
    return frozenset((MIXED,)) if names - {""} else names


def _bare(value: Node) -> Node:
    """A value without the collation that its own COLLATE tells."""
    collated = value.role == "function" and value.children and value.children[0].content == COLLATE
    return value.children[1] if collated else value
