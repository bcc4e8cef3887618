"""What fills an entity, as what is run: a query over the entities that it reads (rule T36)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Flows = Mapping[str, Mapping[str, tuple[str, ...]]]
"""Of each column, by the entity they are read from, the columns that give it values."""


@dataclass(frozen=True)
class EntityQuery:
    """Mappings into an entity that are run together, and how.

    ``query`` is Spark's SQL over tables that ``reads`` tells the entities of; ``columns`` are what it gives, in order.
    ``fixed`` are those that are copied, constant or grouped by; of those that it does not fill ``open`` may be
    anything and ``closed`` are NULL (rule T34). ``why`` it cannot be run; then it has no query. ``changes``: it changes
    rows that are there (rule T35), of which it sets what ``flows`` tells.
    """

    entity: str
    mappings: tuple[str, ...]
    place: str
    reads: Mapping[str, str]
    query: str = ""
    columns: tuple[str, ...] = ()
    fixed: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    flows: Flows = field(default_factory=dict)
    why: str = ""
    changes: bool = False

    @property
    def called(self) -> str:
        """The mappings and where they stand."""
        if not self.mappings:
            return f"a statement ({self.place})"
        noun = "mapping" if len(self.mappings) == 1 else "mappings"
        return f"{noun} {', '.join(self.mappings)} ({self.place})"

    def tells(self, columns: tuple[str, ...]) -> bool:
        """Whether it is known where the values of columns come from."""
        return all(one in self.flows for one in columns or self.columns)

    def used(self, columns: tuple[str, ...], entity: str) -> tuple[str, ...]:
        """The columns of an entity that columns of this one take values from; none where nobody tells."""
        asked = columns or self.columns
        if not self.tells(columns):
            return ()
        return tuple(dict.fromkeys(name for one in asked for name in self.flows.get(one, {}).get(entity, ())))


@dataclass(frozen=True)
class NotRun:
    """A mapping that was not run, because no row with the values of those in hand comes from it (rule T41).

    ``called`` is its name with its place. ``because`` are rules as an answer's dropped steps have them, ``asks`` the
    same as it is said.
    """

    mapping: str
    called: str
    because: tuple[Mapping[str, str], ...]
    asks: str

    def __str__(self) -> str:
        return f"mapping {self.called}, because {self.asks}"

    def to_dict(self) -> dict[str, Any]:
        """The mapping and why, as plain JSON-ready values."""
        return {"mapping": self.mapping, "because": [dict(one) for one in self.because]}


@dataclass(frozen=True)
class NotFollowed:
    """What could not be followed, and why: of the sources behind it every row may count."""

    what: str
    why: str

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"

    def to_dict(self) -> dict[str, str]:
        """The same as plain JSON-ready values."""
        return {"what": self.what, "why": self.why}


@dataclass(frozen=True)
class ColumnValues:
    """What values a column has in some rows: all of them, or the least and the most where there are many."""

    some: tuple[Any, ...] = ()
    least: Any = None
    most: Any = None
