"""What a catalogue gives: objects of a database with their definitions. What it cannot give is `Unread`."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from mdw.readers.files.manifests import Unread

Key: TypeAlias = tuple[str, str, str, str]
"""Kind, schema, name and signature; the last are empty where all of a kind, or of a kind in a schema, is meant."""


@dataclass(frozen=True, slots=True)
class DatabaseObject:
    """An object and its definition as SQL; ``signature`` has the types of a routine, the table of a trigger."""

    kind: str
    schema: str
    name: str
    text: str
    signature: tuple[str, ...] | None = None
    enabled: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be read: everything, or what an earlier run could not read."""

    keys: Set[Key] | None = None

    def kind(self, *kinds: str) -> bool:
        """Whether anything of these kinds is wanted."""
        return self.keys is None or any(key[0] in kinds for key in self.keys)

    def one(self, kind: str, schema: str, name: str, signature: tuple[str, ...] = ()) -> bool:
        """Whether this object is wanted."""
        if self.keys is None or not self.keys.isdisjoint({(kind, "", "", ""), (kind, schema, "", "")}):
            return True
        return (kind, schema, name, ",".join(signature)) in self.keys


@dataclass(frozen=True, slots=True)
class ColumnDefinition:
    """A column as DDL says it, its name quoted where it must be."""

    name: str
    type: str
    rest: str = ""
    comment: str = ""


@dataclass(slots=True)
class TableDefinition:
    """A table as DDL says it; ``name`` is whole, and quoted where it must be."""

    name: str
    columns: list[ColumnDefinition] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    comment: str = ""

    def text(self) -> str:
        """CREATE TABLE with its keys, then what is said of it and of its columns."""
        parts = [" ".join(part for part in (one.name, one.type, one.rest) if part) for one in self.columns]
        body = ",\n".join(f"    {part}" for part in (*parts, *self.keys))
        return f"CREATE TABLE {self.name} (\n{body}\n);\n{self.comments('TABLE')}"

    def comments(self, kind: str) -> str:
        """What is said of it and of its columns; ``kind``: TABLE, VIEW, MATERIALIZED VIEW."""
        said = [f"COMMENT ON {kind} {self.name} IS {literal(self.comment)};\n"] if self.comment else []
        columns = (one for one in self.columns if one.comment)
        said += [f"COMMENT ON COLUMN {self.name}.{one.name} IS {literal(one.comment)};\n" for one in columns]
        return "".join(said)


class Catalogue(Protocol):
    """An open database, of which only the catalogue is read."""

    system: str
    server: str
    dialect: str
    search_path: tuple[str, ...]

    def objects(self, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """All that is wanted, kind by kind; what cannot be read is said, and the rest is read all the same."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


def literal(text: str) -> str:
    """A text as SQL writes it.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def quoted(name: str) -> str:
    """A name in double quotes, those in it doubled.

    >>> quoted("order lines")
    '"order lines"'
    """
    return '"' + name.replace('"', '""') + '"'


def ended(text: str) -> str:
    """A statement with its semicolon, at the end of a line.

    >>> ended("SELECT 1 ")
    'SELECT 1;\\n'
    """
    return text.strip().removesuffix(";").rstrip() + ";\n"
