"""Arrays put side by side, as one array of structs of which each part has its own source (rule Q37).

arrays_zip(s.a, s.b)                         ARRAY(STRUCT(ELEMENT(s.a), ELEMENT(s.b))), with the fields A and B
explode(arrays_zip(s.a, s.b)) AS z           z.a is ELEMENT(s.a)
inline(arrays_zip(s.a, s.b)) AS (x, y)       X is ELEMENT(s.a), Y is ELEMENT(s.b)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from mdw.model.tree import Node
from mdw.readers.nodes import call
from mdw.readers.sql.field_names import is_made
from mdw.readers.sql.scopes import SelectScope

ZIPS = frozenset(("ARRAYS_ZIP", "LIST_ZIP", "ARRAY_ZIP", "ZIP"))
"""What databases call it."""


def zipped(one: Any, scope: SelectScope) -> Node:
    """The array of structs that arrays side by side make."""
    work, at = scope.work, scope.work.place(one)
    arrays = [part for part in one.expressions if isinstance(part, exp.Expr)]
    parts = [call("ELEMENT", [work.value(part, scope)], at) for part in arrays]
    return call("ARRAY", [work.fields.named(call("STRUCT", parts, at), _names(arrays, scope))], at)


def _names(arrays: Sequence[exp.Expr], scope: SelectScope) -> list[str]:
    """What the fields are called: Spark's as the columns, else by their numbers."""
    dialect = scope.work.flavour.name
    if dialect == "snowflake":
        return [f"${number}" for number, _ in enumerate(arrays, 1)]
    if dialect in ("spark", "spark2", "databricks"):
        return [
            part.alias_or_name if isinstance(part, (exp.Column, exp.Alias)) else str(number)
            for number, part in enumerate(arrays)
        ]
    return [str(number) for number, _ in enumerate(arrays, 1)]


def parts_of(element: Node) -> tuple[Node, ...]:
    """The parts of an element of such an array, in order; none of any other value."""
    array = element.children[1] if _is(element, "ELEMENT") else None
    made = array.children[1] if array is not None and _is(array, "ARRAY") else None
    return made.children[1:] if made is not None and is_made(made) and made.content else ()


def part_of(element: Node, name: str, scope: SelectScope) -> Node | None:
    """The part of such an element that has this name, if it is one."""
    parts, fields = parts_of(element), scope.work.fields
    made = element.children[1].children[1] if parts else element
    return next((part for part, own in zip(parts, fields.of(made), strict=True) if own == fields.part(name)), None)


def _is(node: Node, name: str) -> bool:
    return node.role == "function" and len(node.children) == 2 and node.children[0].content == name
