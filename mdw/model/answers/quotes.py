"""Statements quoted as their scripts have them, with the places that matter to an attribute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from mdw.model.answers.statements import SqlStatement
from mdw.model.tree import Location, lines_of

MarkKind = Literal["value", "rows"]
"""Whether a place gives the value, or decides which rows there are."""
AROUND = 1
"""Lines without marks that are shown around those with some."""
FEWEST = 4
"""Lines in a row that are worth folding."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the text of a statement: offsets of its first character, and behind its last."""

    start: int
    end: int
    kind: MarkKind


@dataclass(frozen=True, slots=True)
class ScriptWords:
    """Words of a script, where they stand: what gives a value or decides over rows that an answer speaks of."""

    location: Location
    text: str
    kind: MarkKind

    def to_dict(self) -> dict[str, Any]:
        """The words as plain JSON-ready values."""
        return {"location": str(self.location), "text": self.text, "kind": self.kind}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines of a statement in a row; ``pieces`` are texts, each with the kind of its mark, "" for none.

    ``folded``: nothing in it matters to the attribute. ``first`` is the number of its first line in the file.
    """

    first: int
    last: int
    folded: bool
    pieces: tuple[tuple[str, MarkKind | Literal[""]], ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """A statement that fills an attribute, the mappings it was read as, and the places in it that matter."""

    statement: SqlStatement
    mappings: tuple[str, ...]
    marks: tuple[Mark, ...]

    def written(self) -> Iterator[ScriptWords]:
        """The words of the marks with their places."""
        text, start = self.statement.text, self.statement.start or self.statement.location
        for mark in self.marks:
            above = text.count("\n", 0, mark.start)
            column = mark.start - text.rfind("\n", 0, mark.start) if above else mark.start + start.column
            yield ScriptWords(Location(start.file, start.line + above, column), text[mark.start : mark.end], mark.kind)

    def stretches(self) -> Iterator[Stretch]:
        """The text from its first to its last line, what does not matter in stretches of its own."""
        lines = lines_of(self.statement.text, ends=True)
        starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
        shown = {0} if lines else set()
        for mark in self.marks:
            touched = [n for n in range(len(lines)) if mark.start < starts[n + 1] and mark.end > starts[n]]
            shown.update(range(max(0, touched[0] - AROUND), touched[-1] + AROUND + 1) if touched else ())
        above = (self.statement.start or self.statement.location).line
        for first, last, folded in _runs(len(lines), shown):
            pieces = tuple(self._pieces(starts[first], starts[last]))
            yield Stretch(above + first, above + last - 1, folded, pieces)

    def _pieces(self, start: int, end: int) -> Iterator[tuple[str, MarkKind | Literal[""]]]:
        """The texts between two offsets; where marks overlap the one that begins last counts."""
        cuts = {start, end}
        for mark in self.marks:
            cuts.update(place for place in (mark.start, mark.end) if start < place < end)
        places = sorted(cuts)
        for one, other in pairwise(places):
            over = [mark for mark in self.marks if mark.start <= one and mark.end >= other]
            kind = max(over, key=lambda mark: (mark.start, -mark.end)).kind if over else ""
            yield self.statement.text[one:other], kind

    def to_dict(self) -> dict[str, Any]:
        """The quote as plain JSON-ready values."""
        stretches = [
            {
                "first": one.first,
                "last": one.last,
                "folded": one.folded,
                "pieces": [list(piece) for piece in one.pieces],
            }
            for one in self.stretches()
        ]
        marks = [{"start": one.start, "end": one.end, "kind": one.kind} for one in self.marks]
        told = self.statement.to_dict() | {"file": self.statement.location.file, "text": self.statement.text}
        return told | {"mappings": list(self.mappings), "marks": marks, "stretches": stretches}


def _runs(number: int, shown: set[int]) -> Iterator[tuple[int, int, bool]]:
    """Lines, by their numbers from 0, in runs that are shown or folded; a few that do not matter are shown as well."""
    runs: list[tuple[int, int, bool]] = []
    for line in range(number):
        folded = line not in shown
        if runs and runs[-1][2] == folded:
            runs[-1] = (runs[-1][0], line + 1, folded)
        else:
            runs.append((line, line + 1, folded))
    found: list[tuple[int, int, bool]] = []
    for first, last, folded in runs:
        folding = folded and last - first >= FEWEST
        if found and found[-1][2] == folding:
            found[-1] = (found[-1][0], last, folding)
        else:
            found.append((first, last, folding))
    yield from found
