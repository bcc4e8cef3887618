"""What became of statements of SQL: how much of each was understood, and the same added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Any, get_args

from mdw.model.answers.display import Shown
from mdw.model.query import Statement, Status
from mdw.model.tree import Location

STATUSES: tuple[Status, ...] = get_args(Status)
PLACES = 3
"""Places that are told of each cause."""


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
    ``columns`` are those it gives, in order, where it was read for them (`mdw.scan_sql`).
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

    @classmethod
    def of(cls, one: Statement) -> SqlStatement:
        """What became of a statement that was read, without its blocks."""
        columns = tuple(ScannedColumn(name, type_) for name, type_ in zip_longest(one.columns, one.types, fillvalue=""))
        understood = (one.kind, one.status, one.target, columns, one.reads, one.writes, one.unresolved)
        return cls(*understood, one.message, one.location, one.hint, one.text, one.start, one.end, one.dialect)

    @property
    def cause(self) -> str:
        """Of what sort the reason is: what the message says before it names anything; "" where all was understood."""
        return self.message.partition(": ")[0]

    @property
    def line(self) -> str:
        """The line of the text that ``location`` speaks of."""
        lines = self.text.splitlines()
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
            "end": f"{self.end.line}:{self.end.column}" if self.end else "",
        }


def statuses(statements: Iterable[SqlStatement]) -> dict[Status, int]:
    """How many statements were understood how far, those without any left out."""
    counts = Counter(one.status for one in statements)
    return {status: counts[status] for status in STATUSES if counts[status]}


@dataclass(frozen=True, slots=True)
class FolderSummary:
    """How many files a folder holds, and how far the statements of these were understood."""

    folder: str
    files: int
    statuses: dict[Status, int]

    def to_dict(self) -> dict[str, Any]:
        """The summary as plain JSON-ready values."""
        return {"folder": self.folder, "files": self.files, **{one: self.statuses.get(one, 0) for one in STATUSES}}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why so many statements were not understood whole, and where the first of them stand."""

    status: Status
    cause: str
    count: int
    places: tuple[Location, ...]

    def to_dict(self) -> dict[str, Any]:
        """The cause as plain JSON-ready values."""
        places = [str(place) for place in self.places]
        return {"status": self.status, "cause": self.cause, "count": self.count, "places": places}


@dataclass(frozen=True, slots=True)
class Report(Shown):
    """What was read whole, in part and not at all, and why: every statement of SQL that a warehouse holds.

    ``files`` are all that were read; those in ``empty`` hold no statement.
    """

    files: tuple[str, ...]
    statements: tuple[SqlStatement, ...]

    @property
    def statuses(self) -> dict[Status, int]:
        """How many statements were understood how far."""
        return statuses(self.statements)

    @property
    def empty(self) -> tuple[str, ...]:
        """The files without any statement."""
        return tuple(sorted(set(self.files) - {one.location.file for one in self.statements}))

    @property
    def unclear(self) -> tuple[SqlStatement, ...]:
        """The statements that were not understood whole."""
        return tuple(one for one in self.statements if one.status != "whole")

    @property
    def folders(self) -> tuple[FolderSummary, ...]:
        """The same by folder, in order of their names; files in none are in ``.``."""
        held = Counter(map(_folder, self.files))
        found: dict[str, list[SqlStatement]] = {folder: [] for folder in sorted(held)}
        for one in self.statements:
            found.setdefault(_folder(one.location.file), []).append(one)
        return tuple(FolderSummary(folder, held[folder], statuses(some)) for folder, some in found.items())

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Why statements were not understood whole, the most frequent cause first."""
        groups: dict[tuple[Status, str], list[SqlStatement]] = {}
        for one in self.unclear:
            groups.setdefault((one.status, one.cause), []).append(one)
        found = [
            Cause(status, cause, len(some), tuple(one.location for one in some[:PLACES]))
            for (status, cause), some in groups.items()
        ]
        return tuple(sorted(found, key=lambda one: (-one.count, STATUSES.index(one.status), one.cause)))

    def to_dict(self) -> dict[str, Any]:
        """The report as plain JSON-ready values."""
        return {
            "files": len(self.files),
            "statements": len(self.statements),
            "statuses": {one: self.statuses.get(one, 0) for one in STATUSES},
            "empty": list(self.empty),
            "folders": [one.to_dict() for one in self.folders],
            "causes": [one.to_dict() for one in self.causes],
            "unclear": [one.to_dict() for one in self.unclear],
        }


def _folder(file: str) -> str:
    return PurePosixPath(file).parent.as_posix()
