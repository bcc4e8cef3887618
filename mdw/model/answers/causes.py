"""The parts of a report of SQL: how far statements were understood by folder, why not further, and what would help."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from mdw.model.answers.statements import STATUSES, SqlStatement
from mdw.model.query import Status
from mdw.model.tree import Location

CauseKind = Literal[
    "not parsed",
    "opaque",
    "dynamic SQL",
    "assumed",
    "deduced",
    "unknown table",
    "unknown column",
    "dead branch",
    "cycle",
]
PLACES = 3
"""Places that are told of each cause."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many files a folder, or a dialect, has, and how far the statements of these were understood."""

    name: str
    files: int
    statuses: dict[Status, int]

    def to_dict(self, word: str) -> dict[str, Any]:
        """The tally as plain JSON-ready values; ``word`` says what the name is of."""
        return {word: self.name, "files": self.files, **{one: self.statuses.get(one, 0) for one in STATUSES}}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why so many statements were not understood whole, or what else is to be said of them; where the first stand.

    ``names`` are the columns, tables or routines it is about, or what is missing; ``hint`` is what would help with each
    of the statements, ``folders`` and ``dialects`` say how many of them each has.
    """

    kind: CauseKind
    status: Status
    cause: str
    statements: tuple[SqlStatement, ...]
    names: tuple[str, ...] = ()
    hint: str = ""

    @property
    def count(self) -> int:
        """How many statements there are of it."""
        return len(self.statements)

    @property
    def places(self) -> tuple[Location, ...]:
        """Where the first of them stand."""
        return tuple(one.location for one in self.statements[:PLACES])

    def to_dict(self) -> dict[str, Any]:
        """The cause as plain JSON-ready values."""
        told: dict[str, Any] = {"kind": self.kind, "status": self.status, "cause": self.cause, "count": self.count}
        told |= {"places": [str(place) for place in self.places], "names": list(self.names), "hint": self.hint}
        folders = Counter(folder_of(one.location.file) for one in self.statements)
        dialects = Counter(one.dialect for one in self.statements if one.dialect)
        return told | {"folders": dict(folders), "dialects": dict(dialects)}


@dataclass(frozen=True, slots=True)
class Help:
    """What would help: a sentence, and to understand how many statements better."""

    says: str
    statements: int
    columns: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The help as plain JSON-ready values."""
        return {"says": self.says, "statements": self.statements, "columns": self.columns}


def folder_of(file: str) -> str:
    """The folder of a file, ``.`` for one in none."""
    return PurePosixPath(file).parent.as_posix()
