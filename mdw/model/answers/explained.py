"""A statement with all that was understood of it: reads, writes, rules, calls, what would help."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mdw.model.answers.display import Shown
from mdw.model.answers.statements import SqlStatement
from mdw.model.tree import Location

MAPPING = "mapping"
"""The kind of what is a mapping of mapping text and no statement of SQL."""


@dataclass(frozen=True, slots=True)
class ReadEntity:
    """An entity that a statement reads and the own names of the attributes it uses.

    ``told``: all its columns are known; ``local``: it is a variable or a temporary table of the script.
    """

    entity: str
    attributes: tuple[str, ...]
    told: bool
    local: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The entity as plain JSON-ready values."""
        found: dict[str, Any] = {"entity": self.entity, "attributes": list(self.attributes)}
        return found | {"told": self.told, "local": self.local}


@dataclass(frozen=True, slots=True)
class FilledAttribute:
    """An attribute that a mapping fills: the value, by whole names, and the condition, as it is written."""

    attribute: str
    value: str
    condition: str
    location: Location

    def to_dict(self) -> dict[str, Any]:
        """The attribute as plain JSON-ready values."""
        told = {"attribute": self.attribute, "value": self.value, "condition": self.condition}
        return told | {"location": str(self.location)}


@dataclass(frozen=True, slots=True)
class ReadAs:
    """A mapping that a statement was read as: its text, what it fills, and what decides over its rows.

    ``inner``: its target is local to the statement or the script; ``again``: it says the same as one before it, for
    another call of the routine it stands in. ``empty``: no row can pass it, by its own conditions alone.
    """

    name: str
    target: str
    inner: bool
    again: bool
    empty: bool
    attributes: tuple[FilledAttribute, ...]
    rows: tuple[str, ...]
    text: str

    def to_dict(self) -> dict[str, Any]:
        """The mapping as plain JSON-ready values."""
        told: dict[str, Any] = {"name": self.name, "target": self.target, "inner": self.inner, "again": self.again}
        told |= {"empty": self.empty}
        told["attributes"] = [one.to_dict() for one in self.attributes]
        return told | {"rows": list(self.rows), "text": self.text}


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """Where a statement stands, its kind, and how its text begins."""

    location: Location
    kind: str
    text: str

    @classmethod
    def of(cls, one: SqlStatement) -> StatementPlace:
        """The place of a statement."""
        return cls(one.start or one.location, one.kind, one.text.strip().partition("\n")[0])

    def to_dict(self) -> dict[str, Any]:
        """The place as plain JSON-ready values."""
        return {"location": str(self.location), "kind": self.kind, "text": self.text}


@dataclass(frozen=True, slots=True)
class ExplainedStatement(Shown):
    """A statement, or a mapping of mapping text, with all that was understood of it.

    ``within`` has the routine it stands in, if it does; ``calls`` are the routines it runs, ``called_by`` the
    statements that call it, or the routine it stands in; ``beside`` are others on the line that was asked for.
    ``assumed`` says what was not resolved, ``help`` what would help.
    """

    statement: SqlStatement
    reads: tuple[ReadEntity, ...]
    mappings: tuple[ReadAs, ...]
    assumed: tuple[str, ...] = ()
    help: tuple[str, ...] = ()
    within: tuple[StatementPlace, ...] = ()
    calls: tuple[StatementPlace, ...] = ()
    called_by: tuple[StatementPlace, ...] = ()
    beside: tuple[StatementPlace, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain JSON-ready values; what the statement fills and writes is among its own."""
        told = self.statement.to_dict() | {"dialect": self.statement.dialect, "text": self.statement.text}
        start = self.statement.start or self.statement.location
        told |= {"start": f"{start.line}:{start.column}", "file": start.file}
        return told | {
            "reads": [one.to_dict() for one in self.reads],
            "mappings": [one.to_dict() for one in self.mappings],
            "assumed": list(self.assumed),
            "help": list(self.help),
            "within": [one.to_dict() for one in self.within],
            "calls": [one.to_dict() for one in self.calls],
            "called_by": [one.to_dict() for one in self.called_by],
            "beside": [one.to_dict() for one in self.beside],
        }
