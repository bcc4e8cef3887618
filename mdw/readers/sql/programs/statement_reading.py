"""What following a program needs of the reading of its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.naming import Identifiers, Schemas
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.places import Places
from mdw.readers.sql.programs.program import Steps
from mdw.readers.sql.shapes import Dictionary, Shape
from mdw.readers.sql.telling import Telling
from mdw.readers.sql.work import Work


class StatementReading(Protocol):
    """The reading of one script's statements."""

    naming: Identifiers
    flavour: Flavour
    dictionary: Dictionary
    telling: Telling
    inner: set[str]
    empty: set[str]
    schemas: Schemas
    moved: bool
    results: set[str]

    def statement(self, piece: ScriptPiece, prepare: Callable[[Work], Work]) -> Outcome:
        """What a statement does; ``prepare`` tells its work what stands around it."""

    def work(self, piece: ScriptPiece, label: str) -> Work:
        """The work of reading a piece."""

    def place_of(self, piece: ScriptPiece) -> Any:
        """Where it stands."""

    def text_of(self, piece: ScriptPiece) -> int:
        """The number of the text in which it stands, 0 for the script's own."""

    def schemas_of(self, piece: ScriptPiece) -> Schemas:
        """Where the names of a piece are looked for."""

    def callers(self, piece: ScriptPiece) -> Schemas:
        """Where the names of a text that a piece runs are looked for, if they are its caller's."""

    def places_of(self, piece: ScriptPiece) -> Places:
        """The places in its text."""

    def programs_with(self, name: str) -> Iterable[Steps]:
        """The programs of other scripts that make a routine of this name, each once."""

    def local(self, work: Work) -> None:
        """What a piece made for itself is local to the script."""

    def local_label(self, routine: str) -> str:
        """What the names of all that is local to one of the pieces of a routine begin with."""

    def local_name(self, routine: str, hint: str) -> str:
        """The name of an entity that a program keeps for itself."""

    def entity(self, name: str, piece: ScriptPiece | None = None) -> str:
        """The entity of a name as the script writes it, in a piece."""

    def tell(self, entity: str, shape: Shape) -> None:
        """The columns of an entity that is local to the script."""
