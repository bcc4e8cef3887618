"""What a text of SQL does, without a warehouse: steps from column to column, and what became of each statement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mdw.model.answers.display import Shown
from mdw.model.answers.statements import SqlStatement
from mdw.model.rules import Kind, Subtype
from mdw.model.tree import Location


@dataclass(frozen=True, slots=True)
class ScannedStep:
    """One column used for another: ``"schema.table.column"`` each, CTEs, subqueries and temporary tables folded away.

    ``kind`` is direct where the value flows, else indirect; ``condition`` is what the script asks for it, as mapping
    text; ``location`` is where the target's value is written.
    """

    source: str
    target: str
    kind: Kind
    subtype: Subtype
    condition: str
    location: Location


@dataclass(frozen=True, slots=True)
class ScannedEntities:
    """The tables, views and files a text reads and writes, in the order met."""

    read: tuple[str, ...]
    written: tuple[str, ...]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.read, *self.written)))


@dataclass(frozen=True, slots=True)
class Scan(Shown):
    """What a text of SQL does: its steps, its statements, and the entities it reads and writes."""

    steps: tuple[ScannedStep, ...]
    statements: tuple[SqlStatement, ...]
    entities: ScannedEntities
