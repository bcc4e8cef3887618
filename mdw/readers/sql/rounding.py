"""Arithmetic of floating numbers, which is rounded (rule Q2): f + 0.2 is FLOAT_ADD(f, 0.2) where F is DOUBLE.

What a floating number is tells its type, or what it is made by: a cast, an exponent, a square root, in most databases
for analysis any quotient.
"""

from __future__ import annotations

from collections.abc import Iterable

from mdw.model.function_names import FLOATING
from mdw.model.functions import floating
from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node
from mdw.readers.nodes import call, cast
from mdw.readers.sql.building import Building
from mdw.readers.sql.storing import rewrite
from mdw.readers.sql.types import DEEPEST, Types

ROUGH = frozenset(
    "SQRT CBRT EXP LN LOG LOG2 LOG10 POWER POW SIN COS TAN ASIN ACOS ATAN ATAN2 DEGREES RADIANS PI".split()  # noqa: SIM905
)
"""Functions that give floating numbers."""
HANDING_ON = frozenset(
    (
        *("ABS", "COALESCE", "NVL", "IFNULL", "NULLIF", "GREATEST", "LEAST", *FLOATING),
        *("ROUND", "TRUNC", "TRUNCATE", "FLOOR", "CEIL", "CEILING"),
    )
)
"""Functions that give one of their arguments, or a number of its type."""
DOUBLING = frozenset(str(2**power) for power in range(11))
QUOTIENTS = frozenset(("duckdb", "bigquery", "clickhouse", "spark", "spark2", "databricks", "hive"))
"""Dialects in which quotients are floating numbers, averages too."""


class Rounding:
    """Which values of a script are floating numbers."""

    def __init__(self, types: Types, dialect: str) -> None:
        self._types, self._quotients = types, dialect in QUOTIENTS
        self._columns: dict[tuple[str, str], bool] = {}
        self._known: dict[tuple[int, int], tuple[Node, bool]] = {}
        self._depth = 0

    def all(self, blocks: Iterable[Building]) -> None:
        """Let arithmetic of floating numbers be rounded in all blocks."""
        names = {op: name for name, op in FLOATING.items()}
        for block in blocks:
            if not block.counts:
                continue

            def rounded(node: Node, block: Building = block) -> Node:
                op = node.children[0].role if node.role == "computation" and len(node.children) == 3 else ""
                if op not in names or _stays(op, *node.children[1:]) or not self._rough(block, node):
                    return node
                return call(names[op], [self._typed(block, side) for side in node.children[1:]], node.location)

            rewrite(block, rounded)

    def _rough(self, block: Building, value: Node) -> bool:
        """Whether a value may be a floating number; each is asked once, however deep it stands."""
        if value.role == "attribute":
            # As its column, of which it is known whether it was asked.
            name = canonical(value.content)
            entity = block.read_as(row_of(name))
            return bool(entity) and self.column(entity, local_of(name))
        known = self._known.get((id(block), id(value)))
        if known is None:
            # The value is kept as well: no other one gets its number.
            known = self._known[id(block), id(value)] = (value, self._is_rough(block, value))
        return known[1]

    def _is_rough(self, block: Building, value: Node) -> bool:
        # What is counted is as rough as what it is counted of: that is asked below.
        if value.role not in ("computation", "case") and floating(self._types.of(block, value)):
            return True
        match value.role:
            case "cast" | "value" | "string":
                return False
            case "case":
                return any(self._rough(block, arm.children[-1]) for arm in value.children)
            case "function" if value.children:
                name = value.children[0].role
                return name in ROUGH or (name in HANDING_ON and self._any(block, value.children[1:]))
            case "computation" | "aggregation" | "window" | "min" | "max" | "sum":
                return self._any(block, value.children)
            case "avg" | "/":
                return self._quotients
        return False

    def _any(self, block: Building, several: Iterable[Node]) -> bool:
        return any(self._rough(block, one) for one in several)

    def column(self, entity: str, name: str) -> bool:
        """Whether a column may have floating numbers: as its type is told, else by what is written to it."""
        found = self._columns.get((entity, name))
        if found is None and self._depth < DEEPEST:
            # What is made of itself adds nothing.
            self._columns[entity, name] = False
            self._depth += 1
            told = self._types.column(entity, name)
            found = floating(told) if told else any(self._rough(*one) for one in self._types.written(entity, name))
            self._columns[entity, name] = found
            self._depth -= 1
        return bool(found)

    def _typed(self, block: Building, value: Node) -> Node:
        """A value that says itself that it is a floating number, wherever it goes on to."""
        if value.role == "computation" and len(value.children) == 1:
            return self._typed(block, value.children[0])
        type_ = self._types.of(block, value)
        says = value.role in ("cast", "computation") or (bool(value.children) and value.children[0].role in FLOATING)
        return cast(value, type_, value.location) if floating(type_) and not says else value


def _stays(op: str, left: Node, right: Node) -> bool:
    """Whether a number is as exact as it was: with another sign, doubled or halved."""
    if op == "-":
        return left.text == "0"
    return op == "*" and any(side.text in DOUBLING for side in (left, right))
