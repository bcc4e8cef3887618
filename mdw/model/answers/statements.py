"""What became of statements of SQL: how much of each was understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, get_args

from mdw.model.query import Effect, RoutinePlace, Statement, Status
from mdw.model.tree import Location, lines_of

STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class ScannedColumn:
    """A column a statement gives; ``type`` is empty where nobody knows it."""

    name: str
    type: str = ""


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """A statement of SQL: its kind, what it fills, reads and writes, and how much of it was understood.

    ``status`` is whole; partial, with what was not resolved in ``unresolved``; opaque, where there is no rule for it;
    or failed, where it cannot be parsed. ``message`` says why and ``hint`` what to do. ``location`` is where it stands,
    or where it goes wrong; ``text`` is what it says in its ``dialect``, from ``start`` up to the place before ``end``.
    ``columns`` are those it gives, in order, where it was read for them (`mdw.scan_sql`). ``deduced`` are attributes
    that only one of the tables it reads can have; ``calls`` are the routines it runs, ``within`` the one it stands in.
    Of one not read whole ``possible`` are the entities that it may write, ``effect`` says what may become of their
    rows, and ``mentioned`` are all that it names.
    """

    kind: str
    status: Status
    target: str
    columns: tuple[ScannedColumn, ...]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    unresolved: tuple[str, ...]
    message: str
    location: Location
    hint: str = ""
    text: str = ""
    start: Location | None = None
    end: Location | None = None
    dialect: str = ""
    deduced: tuple[str, ...] = ()
    calls: tuple[RoutinePlace, ...] = ()
    within: RoutinePlace | None = None
    possible: tuple[str, ...] = ()
    effect: Effect = "changes"
    mentioned: tuple[str, ...] = ()

    @classmethod
    def of(cls, one: Statement) -> SqlStatement:
        """What became of a statement that was read, without its blocks."""
        columns = tuple(ScannedColumn(name, type_) for name, type_ in zip_longest(one.columns, one.types, fillvalue=""))
        understood = (one.kind, one.status, one.target, columns, one.reads, one.writes, one.unresolved)
        placed = (one.message, one.location, one.hint, one.text, one.start, one.end, one.dialect)
        may = (one.possible, one.effect, one.mentioned)
        return cls(*understood, *placed, one.deduced, one.calls, one.within, *may)

    @property
    def cause(self) -> str:
        """Of what sort the reason is: what the message says before it names anything; "" where all was understood."""
        return self.message.partition(": ")[0]

    @property
    def line(self) -> str:
        """The line of the text that ``location`` speaks of."""
        lines = lines_of(self.text)
        number = self.location.line - (self.start or self.location).line
        return lines[number] if 0 <= number < len(lines) else ""

    def to_dict(self) -> dict[str, Any]:
        """The statement as plain JSON-ready values, without its text."""
        return {
            "kind": self.kind,
            "status": self.status,
            "target": self.target,
            "reads": list(self.reads),
            "writes": list(self.writes),
            "unresolved": list(self.unresolved),
            "message": self.message,
            "hint": self.hint,
            "location": str(self.location),
            "deduced": list(self.deduced),
            "end": f"{self.end.line}:{self.end.column}" if self.end else "",
        }


def statuses(statements: Iterable[SqlStatement]) -> dict[Status, int]:
    """How many statements were understood how far, those without any left out."""
    counts = Counter(one.status for one in statements)
    return {status: counts[status] for status in STATUSES if counts[status]}
