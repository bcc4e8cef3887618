"""The texts that are read together: a script, and others whose routines it calls.

Offsets of each text begin far behind those of the one before, so that an offset alone tells in which text it stands:

    load.sql  CALL fill('a')                        0, 1, 2, ...
    fill.sql  CREATE PROCEDURE fill(k TEXT) ...     BAND, BAND + 1, BAND + 2, ...
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import NamedTuple

from mdw.model.files import BorrowedRoutine
from mdw.model.query import ScriptSource
from mdw.model.tree import Location
from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.masking import masked
from mdw.readers.sql.naming import Identifiers, Schemas
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.places import Places
from mdw.readers.sql.programs.program import Routine, Run, Step, Steps
from mdw.readers.sql.programs.reading import program_of
from mdw.readers.sql.programs.shells import hidden, is_shell
from mdw.readers.sql.templates import without_templates
from mdw.readers.sql.versioned import without_versions

BAND = 1 << 40
"""Offsets from the beginning of one text to that of the next."""
MOVES = frozenset(("USE", "SET", "ALTER SESSION", "ALTER"))
"""Words with which statements begin that may say where names are looked for."""
MOVING = re.compile(r"(?i)\buse\b|\bsearch_path\b|\bset\s+(current_)?schema\b|\bcurrent_schema\b|\bset\s+database\b")
KEPT = 64
"""Texts of other scripts that are kept for the next script that calls their routines."""


class StoredRoutine(NamedTuple):
    """A routine, and all of it as written."""

    routine: Routine
    written: str


def _place(step: Step) -> int:
    return step.piece.place


class SourceText:
    """A text as it is read: secrets masked, templates taken out; ``number`` says which of those read together it is."""

    def __init__(self, source: ScriptSource, number: int = 0) -> None:
        self.file, self.source = source.file, source
        self.number = number
        self.flavour: Flavour = flavour_of(source.dialect)
        # Secrets first: all that is read, told and kept of a text is of this one, which has none.
        self.written = masked(source.text.removeprefix("\ufeff"), self.flavour)
        self.text, self.templates = without_templates(self.written, asked=self.flavour.name)
        self.shell = is_shell(self.file, self.text)
        self.written = hidden(self.written, shell=self.shell)
        if self.flavour.name == "mysql":
            self.text = without_versions(self.text)
        self.places = Places(self.written, source.file)

    def schemas(self, naming: Identifiers) -> Schemas:
        """Where its names are looked for."""
        known = [naming.path(one) for one in (*self.source.path, self.source.catalog)]
        return Schemas(tuple(one for one in known[:-1] if one), known[-1])

    @cached_property
    def program(self) -> Steps:
        """The program that it is."""
        return program_of(self.text, self.flavour, self.number * BAND, shell=self.shell)

    @cached_property
    def _routines(self) -> tuple[list[int], list[StoredRoutine | None]]:
        """Where each step begins, and the routine that it makes, if it makes one."""
        ends = [_place(step) for step in self.program[1:]] + [(self.number + 1) * BAND]
        found = [
            StoredRoutine(step, self.text[_place(step) % BAND : end - self.number * BAND])
            if isinstance(step, Routine) and (step.kind != "block" or step.name)
            else None
            for step, end in zip(self.program, ends, strict=True)
        ]
        return [_place(step) for step in self.program], found

    def routine_at(self, place: int) -> StoredRoutine | None:
        """The routine, task or event in which a place is, as the script makes it: a package with all that it has."""
        places, found = self._routines
        at = bisect_right(places, place) - 1
        return found[at] if at >= 0 else None

    @cached_property
    def uses(self) -> tuple[ScriptPiece, ...]:
        """The statements outside of its programs by which it says where its names are looked for from there on."""
        if not MOVING.search(self.text):
            return ()
        pieces = [one.piece for one in self.program if isinstance(one, Run)]
        return tuple([one for one in pieces if one.tokens and word_of(one.tokens[0]) in MOVES])


lent = lru_cache(maxsize=KEPT)(SourceText)
"""The text of another script, read once for many that call its routines."""


class ScriptTexts:
    """A script's own text and, as they are ``added``, those of others."""

    def __init__(self, own: ScriptSource) -> None:
        self.own = SourceText(own)
        self._texts = {0: self.own}
        self._within: dict[int, Places] = {}

    def add(self, text: SourceText) -> bool:
        """Read another text along; False if it is there already."""
        new = text.number not in self._texts
        self._texts[text.number] = text
        return new

    def of(self, piece: ScriptPiece) -> SourceText:
        """The text in which a piece stands."""
        return self._texts[piece.place // BAND]

    def borrowed(self, place: int, name: str) -> BorrowedRoutine | None:
        """The routine of another script that stands here; None of the script's own."""
        number, rest = divmod(place, BAND)
        return BorrowedRoutine(self._texts[number].file, rest, name) if number else None

    def at(self, offset: int) -> Location:
        """The place of an offset."""
        number, rest = divmod(offset, BAND)
        return self._texts[number].places.at(rest)

    def places(self, piece: ScriptPiece) -> Places:
        """The places in the text of a piece, which may be a text within its file: a body in quotes."""
        number, rest = divmod(piece.offset, BAND)
        if not rest:
            return self._texts[number].places
        found = self._within.get(piece.offset)
        if found is None:
            start = self.at(piece.offset)
            found = self._within[piece.offset] = Places(piece.text, start.file, start.line, start.column)
        return found
