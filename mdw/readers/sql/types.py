"""The types of columns, as far as casts, DDL and the data dictionary tell them.

CREATE TABLE t (a INT);  SELECT a, b, CAST(b AS DATE) AS d FROM t        A is INT, of B nobody knows, D is DATE

A type is told where all that can arrive has it. One value of another type, or of none that is known, and there is none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from mdw.model.dictionary import AttributeEntry
from mdw.model.function_names import FLOATING
from mdw.model.functions import floating
from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node
from mdw.readers.sql.building import Building
from mdw.readers.sql.telling import Telling

SAME = frozenset(
    ("COALESCE", "NULLIF", "MIN", "MAX", "ANY_VALUE", "FIRST", "LAST", "LAG", "LEAD", "FIRST_VALUE", "NVL")
)
"""Functions whose values are among those of their first argument, as the type of all arguments is the same."""

NUMBERS = frozenset(("ABS", "COALESCE", "NVL", "IFNULL", "NULLIF", "GREATEST", "LEAST", *FLOATING))
"""Functions that give a floating number where one of their arguments is one."""
WRAPPING = frozenset(("computation", "aggregation", "min", "max"))
"""Nodes with one child that are of its type."""

DEEPEST = 40
"""Inner entities, each made of the next, through which a type is looked for."""


class Types:
    """The types of what the blocks of a script give; "" where nobody knows."""

    def __init__(self, blocks: Iterable[Building], telling: Telling) -> None:
        self._telling = telling
        self._makers: defaultdict[str, list[Building]] = defaultdict(list)
        for block in blocks:
            if block.change == "POPULATING":
                self._makers[block.target].append(block)
        self._known: dict[tuple[str, str], str] = {}
        self._told: dict[str, Mapping[str, AttributeEntry]] = {}
        self._depth = 0

    def column(self, entity: str, name: str) -> str:
        """The type of an entity's column: as it is told, else that of all values written to it."""
        key = entity, name
        found = self._known.get(key)
        if found is None and self._depth < DEEPEST:
            # What a recursive query makes of itself adds nothing.
            self._known[key] = ""
            self._depth += 1
            told = self.told(entity, name)
            found = (told and told.type) or self._written(entity, name)
            self._known[key] = found
            self._depth -= 1
        return found or ""

    def of(self, block: Building, value: Node) -> str:
        """The type of a value of a block."""
        if value.role == "attribute":
            name = canonical(value.content)
            entity = block.read_as(row_of(name))
            return self.column(entity, local_of(name)) if entity else ""
        if value.role == "cast":
            return value.children[1].content[1:-1]
        # Each part is asked once: CASE within CASE would else take twice as long with each level.
        mixed = [self.of(block, part) for part in _mixed(value)]
        rounded = next(filter(floating, mixed), "")
        if rounded or value.role == "case":
            return rounded or _one(mixed)
        if value.role == "function" and value.children and value.children[0].content in SAME:
            return mixed[0] if mixed else self.of(block, value.children[1])
        if value.role == "window" or (value.role in WRAPPING and len(value.children) == 1):
            return self.of(block, value.children[0])
        return ""

    def told(self, entity: str, name: str) -> AttributeEntry | None:
        """What is told of an entity's column."""
        return self.entry(entity).get(name)

    def makers(self, entity: str) -> Sequence[Building]:
        """The blocks that make rows of an entity."""
        return self._makers.get(entity, ())

    def entry(self, entity: str) -> Mapping[str, AttributeEntry]:
        """What is told of the columns of an entity, by their names."""
        found = self._told.get(entity)
        if found is None:
            entry = self._telling.entry(entity)
            found = self._told[entity] = {one.name: one for one in entry.attributes} if entry else {}
        return found

    def written(self, entity: str, name: str) -> list[tuple[Building, Node]]:
        """What blocks write to a column, each with the block."""
        makers = self._makers.get(entity, ())
        return [(block, block.named[name].value) for block in makers if name in block.named]

    def _written(self, entity: str, name: str) -> str:
        """The type of all values that blocks write to a column."""
        written = self.written(entity, name)
        return _one(self.of(block, value) for block, value in written if value.role != "null")


def _mixed(value: Node) -> Sequence[Node]:
    """The values of which one that is a floating number makes a floating number of all."""
    match value.role:
        case "case":
            return [arm.children[-1] for arm in value.children]
        case "computation" if len(value.children) == 3:
            return value.children[1:]
        case "function" if value.children and value.children[0].content in NUMBERS:
            return value.children[1:]
    return ()


def _one(types: Iterable[str]) -> str:
    """The only type there is."""
    found = ""
    for one in types:
        if not one or (found and one != found):
            return ""
        found = one
    return found
