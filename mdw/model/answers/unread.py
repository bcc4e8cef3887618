"""Statements that were not read whole and bear on an answer: nothing that it says is then "always" or "none"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mdw.model.answers.statements import SqlStatement
from mdw.model.query import Status
from mdw.model.tree import Location

BEGINNING = 80
"""Characters of a statement that an answer has."""


@dataclass(frozen=True, slots=True)
class UnreadStatement:
    """A statement that may write entities of an answer, ``names``, and was not read whole; ``why`` says what is wrong.

    In an impact ``names`` are the entities reached that it names. ``text`` is how it begins, ``location`` where:
    `mdw explain` takes it.
    """

    location: Location
    status: Status
    text: str
    names: tuple[str, ...]
    why: str

    @classmethod
    def of(cls, one: SqlStatement, names: Sequence[str]) -> UnreadStatement:
        """A statement and the entities of an answer that it bears on."""
        return cls(one.start or one.location, one.status, one.text[:BEGINNING], tuple(names), one.message)

    def to_dict(self) -> dict[str, Any]:
        """The statement as plain JSON-ready values."""
        return {
            "location": str(self.location),
            "status": self.status,
            "text": self.text,
            "names": list(self.names),
            "why": self.why,
        }


def told_of(count: int, names: str, verb: str = "may write") -> str:
    """That statements were not read.

    >>> told_of(2, "CORE.ORDERS"), told_of(1, "")
    ('2 statements that may write CORE.ORDERS were not read', '1 statement was not read')
    """
    noun, was = ("statement", "was") if count == 1 else ("statements", "were")
    verb = verb.replace("name", "names") if count == 1 else verb
    return f"{count:,} {noun} {f'that {verb} {names} ' if names else ''}{was} not read"
