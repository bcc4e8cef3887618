"""The names of the fields that functions make: STRUCT(s.x, s.y) is all that the language says of {'a': s.x, 'b': s.y}.

For a while, until the script is read, such a function has the names of its fields as its content.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from mdw.model.tree import Node
from mdw.readers.sql.field_trees import Fields
from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.type_names import type_name

MAKERS = frozenset(("STRUCT", "ROW", "TUPLE"))
"""Functions that make a value with fields, one of each argument."""


EXACT = frozenset(("snowflake",))
"""Dialects in which structs are documents, whose names are told apart by capitals."""
BY_PLACE = frozenset(("bigquery", "trino", "presto", "athena", "spark", "databricks", "hive"))


class FieldNames:
    """The names of fields that the functions of a script make.

    ``by_place``: a struct that is cast to another type keeps its fields by their places, whatever they are called.
    """

    def __init__(self, naming: Identifiers, dialect: str, parser: Any = None) -> None:
        self._naming, self._exact, self.by_place = naming, dialect in EXACT, dialect in BY_PLACE
        self._parser = parser
        # Whether the script makes any fields, also such as only a type has names for.
        self.any = False

    def part(self, name: str) -> str:
        """The canonical form of a field as it is asked for, or as it is written where it is made."""
        return self._naming.known(name, quoted=self._exact, told=True)

    def spelled(self, part: str) -> str:
        """A field as people ask for it, by its canonical form."""
        return part[1:-1] if part.startswith("`") else part if self._exact else part.lower()

    def named(self, made: Node, names: Iterable[str]) -> Node:
        """A function with the names of its fields, in order; as it is if one has no name, or two have the same."""
        self.any = True
        given = [self.part(name.strip("`")) for name in names if name]
        # Paths are put together with dots, so a name that has one of its own is no step of any.
        if not is_made(made) or len({*given}) != len(made.children) - 1 or any("." in one for one in given):
            return made
        return Node(made.role, ".".join(given), made.children, made.location)

    def of(self, made: Node) -> list[str]:
        """What the fields of a node are called, where it is a function that makes some; none if nobody knows."""
        return made.content.split(".") if made.content and is_made(made) else []

    def tree(self, type_: str) -> Fields:
        """The fields of a type, or of the elements of one; none of a type that is not known or not understood.

        >>> FieldNames(Identifiers("lower"), "duckdb").tree("STRUCT(a INT, n STRUCT(b INT))[]")
        (('A', None), ('N', (('B', None),)))
        """
        if not type_:
            return None
        try:
            return self._folded(_tree(exp.DataType.build(type_, dialect=self._parser, udt=True)))
        except SqlglotError:
            return ()

    def _folded(self, tree: Fields) -> Fields:
        return None if tree is None else tuple([(self.part(name), self._folded(inner)) for name, inner in tree])

    def typed(self, type_: str) -> dict[str, str]:
        """The fields of a type, each with its own type; none if it has none, or not all have names.

        >>> FieldNames(Identifiers("lower"), "duckdb").typed("STRUCT<a INT, b STRUCT<c DATE>>")
        {'A': 'INT', 'B': 'STRUCT<c DATE>'}
        """
        given = _fields_of_type(type_)
        found = {self.part(name): told for name, told in given}
        return found if len(found) == len(given) else {}


def _tree(type_: Any) -> Fields:
    if type_.this == exp.DataType.Type.ARRAY and type_.expressions:
        return _tree(type_.expressions[0])
    if type_.this != exp.DataType.Type.STRUCT:
        return None
    parts = [(one.name, one.args.get("kind")) for one in type_.expressions if isinstance(one, exp.ColumnDef)]
    return tuple([(name, _tree(kind) if kind is not None else None) for name, kind in parts])


def is_made(node: Node) -> bool:
    """Whether a node is a function that makes a value with fields."""
    return node.role == "function" and len(node.children) > 1 and node.children[0].content in MAKERS


def unnamed(node: Node) -> Node:
    """A function as the language has it, without the names of its fields."""
    return Node(node.role, "", node.children, node.location) if node.content and node.children else node


@lru_cache(maxsize=1 << 10)
def _fields_of_type(text: str) -> tuple[tuple[str, str], ...]:
    if "STRUCT" not in text.upper():
        return ()
    try:
        found: Any = exp.DataType.build(text)
    except SqlglotError:
        return ()
    if found.this != exp.DataType.Type.STRUCT or not all(isinstance(one, exp.ColumnDef) for one in found.expressions):
        return ()
    kinds = [(one.name, one.args.get("kind")) for one in found.expressions]
    return tuple([(name, type_name(kind) if kind is not None else "") for name, kind in kinds])
