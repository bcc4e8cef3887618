"""What became of the steps of a program, by their places in the script.

What a routine of another script does counts as done by the step of this one that runs it:

    script a   CALL load()                        the place of all that is read below
    script b   PROCEDURE load() ... INSERT ...    stands there
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy

from mdw.model.query import RoutinePlace, Status
from mdw.readers.sql.building import Building
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.phrases.words import Words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.possible_targets import LACKING, PARTS, possible_targets
from mdw.readers.sql.programs.program import Routine
from mdw.readers.sql.programs.statement_reading import StatementReading
from mdw.readers.sql.tables import DBO, entity_named
from mdw.readers.sql.work import Work

UNKNOWN_CALL = "a call of which the body is not known"
CALLS = frozenset(("call", "insert"))
"""What steps are called that run a routine: INSERT INTO t EXEC p takes its rows."""
NEVER = "never runs: no way leads here"
"""What is said of a step behind one that always leaves."""


COLLECTED = ("reads", "writes", "unresolved", "deduced", "calls")
"""What outcomes collect as a step runs again."""


class RecordedSteps:
    """Keeps the outcomes of steps; ``outcomes`` are by their places, of a step that runs often one."""

    def __init__(self, reading: StatementReading) -> None:
        self.reading = reading
        self.outcomes: dict[tuple[int, int], Outcome] = {}
        # Steps that no way leads to, as far as they were met.
        self.skipped: dict[tuple[int, int], Outcome] = {}
        # What stands for the rows of the query before, where a FROM asks for them.
        self._result: Words = []
        self._within: RoutinePlace | None = None
        # The step that all that is read now counts for, where that has no place in the script itself.
        self._standing: ScriptPiece | None = None
        # The last piece of the script's own, and the routine that nothing calls in which the steps are.
        self._last: ScriptPiece | None = None
        self._owner = -1
        # The temporary tables there are, and the entities that rows of a trigger that runs are written to.
        self.tables: Mapping[str, str] = {}
        self.firing_on: tuple[str, ...] = ()

    @contextmanager
    def counted_for(self, routine: Routine, *, arguments: bool) -> Iterator[None]:
        """Within the body of a routine, or, with ``arguments``, where it is called."""
        before = self._standing, self._within
        if routine.kind != "block" and not arguments:
            self._within = self.routine_place(routine)
        if self.reading.text_of(routine.piece):
            # The routine is another script's: its steps count for the call that led here.
            self._standing = self._standing or self._last
        yield
        self._standing, self._within = before

    @contextmanager
    def owned_by(self, place: int) -> Iterator[None]:
        """What is read belongs to a routine that nothing in the script calls, or, at -1, to the script."""
        before, self._owner = self._owner, place
        yield
        self._owner = before

    @contextmanager
    def put_away(self, piece: ScriptPiece) -> Iterator[list[Building]]:
        """What is read for a piece does not count; it gives the blocks that were made."""
        found: list[Building] = []
        with self.standing(piece):
            span = (self._standing or piece).span
            known = self.outcomes.get(span)
            before = copy(known)
            for name in COLLECTED if before is not None else ():
                setattr(before, name, {**getattr(before, name)})
            results = set(self.reading.results)
            yield found
            self.reading.results &= results
            now = self.outcomes.pop(span, None)
            found += now.blocks[len(before.blocks) if before else 0 :] if now else []
            if before is not None:
                self.outcomes[span] = before

    def _at(self, piece: ScriptPiece) -> None:
        if self._standing is None and not self.reading.text_of(piece):
            self._last = piece

    @contextmanager
    def standing(self, piece: ScriptPiece | None) -> Iterator[None]:
        """What is read stands where this piece does, if it is one: a text that was put together stands nowhere."""
        before = self._standing
        self._standing = before or piece
        yield
        self._standing = before

    def routine_place(self, routine: Routine) -> RoutinePlace:
        """A routine and where it stands."""
        return RoutinePlace(routine.name, self.reading.place_of(routine.piece))

    def note(
        self,
        piece: ScriptPiece,
        kind: str,
        status: Status = "whole",
        message: str = "",
        calls: Sequence[RoutinePlace] = (),
        run: str = "",
    ) -> Outcome:
        """That there is a step, of which nothing is read; ``calls`` are the routines it runs, ``run`` the text."""
        self._at(piece)
        self._result = []
        found = Outcome(kind, status=status, message=message, location=self.reading.place_of(piece))
        found.calls, found.run = dict.fromkeys(calls), run
        return self.put(piece, found)

    def say(self, piece: ScriptPiece, message: str) -> None:
        """Something is said of a step that was noted."""
        found = self.outcomes[self.note(piece, "step").span]
        found.message = found.message or message

    def skip(self, piece: ScriptPiece) -> None:
        """That there is a step no way leads to: it counts unless another way does."""
        if self._standing is None and not self.reading.text_of(piece) and piece.tokens:
            kind = piece.tokens[0].text.lower()
            found = Outcome(kind, message=NEVER, location=self.reading.place_of(piece), span=piece.span)
            found.within = self._within
            self.skipped.setdefault(piece.span, found)

    def put(self, piece: ScriptPiece, found: Outcome) -> Outcome:
        """Keep what a step did, with whatever else it did."""
        self._may_write(piece, found)
        for block in found.blocks:
            block.owner = self._owner
        # Where the ways out of a routine of another script meet, its body is left already: no step stands for it.
        standing = self._standing or (self._last if self.reading.text_of(piece) else None)
        found.span = (standing or piece).span
        found.within = None if standing else self._within
        known = self.outcomes.get(found.span)
        if known is None and standing is not None:
            # What is run is read before the statement that runs it.
            known = Outcome("", location=self.reading.place_of(standing), span=found.span)
            self.outcomes[found.span] = known
        if known is None or known is found:
            self.outcomes[found.span] = found
        elif not known.kind and standing is None:
            self.outcomes[found.span] = found
            found.along(known)
        else:
            # A routine that is called twice: each call makes blocks of its own.
            known.along(found)
            known.target = known.target or found.target
        return found

    def _may_write(self, piece: ScriptPiece, found: Outcome) -> None:
        """What a step that was not read whole may write all the same (rule Q39)."""
        if found.status not in ("failed", "opaque") and not any(map(LACKING.match, found.unresolved)):
            return
        start, end = (one - piece.offset for one in piece.span)
        runs = found.kind == "execute" or (found.kind in CALLS and found.message.startswith(UNKNOWN_CALL))
        told = possible_targets(found.run or piece.text[start:end], runs=runs)
        work = self.reading.work(piece, "")
        work.temporary = dict(self.tables)
        names = {one: entity for one in told.mentioned if (entity := self._entity(one, work))}
        own = [names[one] for one in told.names if one in names]
        # What fails in a trigger may be what gives the new row its values.
        found.may((*own, *self.firing_on), "changes" if self.firing_on else told.effect, names.values())

    def may_load(self, piece: ScriptPiece, found: Outcome, names: Sequence[str]) -> list[str]:
        """A query calls what may write entities of these names: they are given back."""
        work = self.reading.work(piece, "")
        work.temporary = dict(self.tables)
        entities = [entity for one in names if (entity := self._entity(one, work))]
        found.may(entities, "changes", entities)
        return entities

    def _entity(self, written: str, work: Work) -> str:
        # By no way that keeps a spelling: whether it is a name at all nobody knows.
        parts = [self.reading.naming.meant(one) for one in PARTS.findall(written.replace("..", f".{DBO}."))]
        return entity_named(parts, work) if parts else ""

    def outcome(self, kind: str, place: ScriptPiece, work: Work) -> Outcome:
        """What became of some work."""
        status: Status = "partial" if work.unresolved else "whole"
        found = Outcome(kind, status=status, location=self.reading.place_of(place))
        found.blocks, found.reads, found.unresolved = work.blocks, {**work.read}, {**work.unresolved}
        found.deduced, found.calls = {**work.deduced}, {**work.calls}
        return found
