"""A trace: the rows of sources that rows of a result were made of, how surely, and how they were found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from pyspark.sql import DataFrame

from mdw.tracing.accuracy import Accuracy, Role

SHOWN = 20
"""Row numbers of a source that a text tells."""
OURS = ("_role", "_file", "_row", "_copies")
"""Columns that a trace adds to those of a source: what a row did, its file, its number there from 0, equal rows."""


@dataclass(frozen=True)
class SourceTrace:
    """The rows of one source: its columns and `_role`, `_file`, `_row`, `_copies`; computed when it is looked at.

    ``whole`` is the source itself, to be counted.
    """

    name: str
    frame: DataFrame
    accuracy: Mapping[Role, Accuracy]
    whole: DataFrame | None = None


@dataclass(frozen=True)
class Trace:
    """What rows of a result were made of: ``asked`` names the result, ``count`` says how many rows it is about.

    ``absent``: what decided by not being there; ``together``: the rows of sources that went together, one column a
    read; ``plan``: how each part of the way was gone; ``not_run`` and ``unread``: what was left out, and what has no
    rule, so that its sources are whole.
    """

    asked: str
    condition: str
    columns: tuple[str, ...]
    sources: tuple[SourceTrace, ...]
    absent: Sequence[str] = ()
    together: DataFrame | None = None
    not_run: tuple[Any, ...] = ()
    plan: tuple[str, ...] = ()
    unread: tuple[Any, ...] = ()
    count: int | None = None

    def __getitem__(self, name: str) -> SourceTrace:
        for source in self.sources:
            if source.name == name:
                return source
        raise KeyError(name)

    def to_dict(self) -> dict[str, Any]:
        """The trace as JSON has it, with all rows; they are computed now."""
        return {
            "asked": self.asked,
            "condition": self.condition,
            "columns": list(self.columns),
            "sources": [one for source in self.sources for one in _by_role(source)],
            "absent": list(self.absent),
            "not_run": [_plain(one) for one in self.not_run],
            "plan": list(self.plan),
            "unread": [_plain(one) for one in self.unread],
        }

    def __str__(self) -> str:
        """Some lines: each source and role with the number of rows, how sure, and where the first rows stand."""
        rows = "rows" if self.count is None else _counted(self.count)
        made = f"its {', '.join(self.columns)} comes from" if self.columns else "made of"
        lines = [f"{rows} of {self.asked} where {self.condition}; {made}"]
        told = [line for source in self.sources for line in _told(source)]
        widths = [max(map(len, column)) for column in zip(*told, strict=True)]
        lines += ["  " + "  ".join(map(str.ljust, parts, widths)).rstrip() for parts in told]
        lines += [f"absent: {one}" for one in self.absent]
        lines += [f"not run: {one}" for one in self.not_run]
        lines += [f"not read: {one}" for one in self.unread]
        return "\n".join([*lines, *self.plan])


def _ready(value: Any) -> Any:
    """A value of a row as JSON can hold it: what has no form of its own there as text."""
    if isinstance(value, dict):
        return {str(name): _ready(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_ready(one) for one in value]
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _plain(one: Any) -> Any:
    """A part of a trace that knows how it is told in JSON, so told."""
    return one.to_dict() if hasattr(one, "to_dict") else one


def _counted(count: int) -> str:
    return f"{count:,} row" if count == 1 else f"{count:,} rows"


def _told(source: SourceTrace) -> Iterator[tuple[str, str, str, str]]:
    """The lines of a source, a line a role."""
    rows, name = source.frame.select(*OURS).collect(), source.name
    first = True
    for role, accuracy in source.accuracy.items():
        some = [row for row in rows if row["_role"] == role]
        if not some and (rows or not first):
            continue
        whole = f" of {_counted(source.whole.count())}" if first and source.whole is not None else ""
        count = sum(row["_copies"] for row in some)
        said = f"{count:,}{whole}" if whole else _counted(count)
        yield name, role if some else "", f"{said}, {accuracy}", _places(some)
        name, first = "", False


def _places(rows: Sequence[Any]) -> str:
    """Where rows stand in their files."""
    files: dict[str, list[int]] = {}
    for row in sorted((row for row in rows if row["_file"]), key=lambda row: (row["_file"], row["_row"]))[:SHOWN]:
        files.setdefault(row["_file"].rpartition("/")[2], []).append(row["_row"])
    parts = [
        f"{file} {'row' if len(some) == 1 else 'rows'} {', '.join(map(str, some))}" for file, some in files.items()
    ]
    return "; ".join(parts) + (" ..." if len(rows) > SHOWN and parts else "")


def _by_role(source: SourceTrace) -> Iterator[dict[str, Any]]:
    rows = [row.asDict(recursive=True) for row in source.frame.collect()]
    for role, accuracy in source.accuracy.items():
        yield {
            "source": source.name,
            "role": role,
            "accuracy": accuracy,
            "rows": [
                {
                    "file": row["_file"],
                    "row": row["_row"],
                    "copies": row["_copies"],
                    "values": {name: _ready(value) for name, value in row.items() if name not in OURS},
                }
                for row in rows
                if row["_role"] == role
            ],
        }
