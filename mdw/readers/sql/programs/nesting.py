"""Routines declared within another: they see its variables, and what they give these they hold behind the call (Q29).

CREATE PROCEDURE load IS
  last DATE;
  PROCEDURE keep(d DATE) IS BEGIN last := d; INSERT INTO log VALUES (last); END;
BEGIN
  keep(DATE '2020-01-01');            LOG gets it, and so does T
  INSERT INTO t VALUES (last);
END;

What is hidden stays: where KEEP declares a LAST of its own, a routine that KEEP calls and that is declared beside it
sees the LAST of LOAD. So a frame keeps in ``hidden`` what its own variables hide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdw.model.name import local_of
from mdw.readers.sql.naming import joined
from mdw.readers.sql.pieces import word_of
from mdw.readers.sql.programs.acting import names_called, own_variables
from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.program import Argument, Routine
from mdw.readers.sql.programs.states import ProgramFrame, ProgramState, calls, runs
from mdw.readers.sql.variables import GivenValue

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

DECLARING = frozenset(("PROCEDURE", "FUNCTION"))


def nested(step: Routine) -> bool:
    """Whether a routine that is met among steps is declared there: no CREATE makes it."""
    return bool(step.piece.tokens) and word_of(step.piece.tokens[0]) in DECLARING


class Nesting:
    """The routines that are declared within those that run, by their names, innermost first."""

    def __init__(self, this: Following) -> None:
        self._this = this

    def learn(self, step: Routine) -> None:
        """A routine is declared; one that only says that there will be one is not yet known."""
        this, frame = self._this, self._this.frames[-1]
        if step.body is not None:
            local = this.naming.path(step.name)
            known = frame.nested.setdefault(local, [])
            known.append(KnownRoutine(joined(frame.name, local), step))

    def meant(self, name: str, given: Sequence[Argument | GivenValue] | None) -> list[KnownRoutine]:
        """Those that a call may mean here."""
        naming = self._this.naming
        for frame in self._frames():
            known = frame.nested.get(local_of(naming.path(name)), [])
            found = [one for one in known if given is None or one.takes(given, naming)]
            if found:
                return found
        return []

    def home(self, one: KnownRoutine) -> ProgramFrame | None:
        """The routine that runs in which this one is declared; None if it is declared in none."""
        return next((frame for frame in self._frames() if any(one in some for some in frame.nested.values())), None)

    def recursive(self, one: KnownRoutine) -> bool:
        """Whether one may call itself, maybe through others that are declared around it."""
        known = {name: some for frame in self._frames() for name, some in frame.nested.items()}
        seen: set[int] = set()
        pending = [one]
        while pending:
            for name in self._called(pending.pop().routine):
                for other in known.get(name, ()):
                    if other.place == one.place:
                        return True
                    if other.place not in seen:
                        seen.add(other.place)
                        pending.append(other)
        return False

    def enter(self, one: KnownRoutine, own: ProgramState, state: ProgramState) -> None:
        """What the routines around it hold is what one that is declared in them sees, unless it hides it."""
        if self.home(one) is not None:
            hidden = self._this.frames[-1].hidden
            own.variables = {**state.variables, **hidden, **own.variables}
            own.cursors = {**state.cursors, **own.cursors}

    def begin(self, one: KnownRoutine, frame: ProgramFrame, state: ProgramState) -> None:
        """It runs: what it calls as something around it is called hides that."""
        around = self.home(one)
        if around is not None:
            frame.around, frame.records = around, dict(around.records)
            outer = {**state.variables, **self._this.frames[-1].hidden}
            frame.hidden = {key: outer[key] for key in own_variables(one.routine, self._this.key) if key in outer}

    def leave(self, one: KnownRoutine, own: ProgramState, frame: ProgramFrame, state: ProgramState) -> None:
        """It is left: what it gave variables around it they hold, or held where something failed meanwhile."""
        if self.home(one) is None:
            return
        this, caller = self._this, self._this.frames[-1]
        mine = own_variables(one.routine, this.key)
        caller.versions += [(key, held) for key, held in frame.versions if key not in mine]
        for key, held in own.variables.items():
            if key in mine:
                continue
            if key in caller.hidden:
                caller.hidden[key] = held
            # A variable that it did not change keeps its versions: fewer of them meet.
            elif key in state.variables and state.variables[key] != held:
                this.gives(key, held, state, this.piece)
        state.cursors |= {key: several for key, several in own.cursors.items() if key not in mine}

    def uncalled(self, frame: ProgramFrame) -> None:
        """A routine, or a block in it, is left: some of what is declared there was never called."""
        for one in (one for some in frame.nested.values() for one in some):
            if one.place not in self._this.called:
                for piece in runs(one.routine.body or ()):
                    self._this.holding.skip(piece)

    def _frames(self) -> Iterator[ProgramFrame]:
        frame: ProgramFrame | None = self._this.frames[-1]
        while frame is not None:
            yield frame
            frame = frame.around

    def _called(self, routine: Routine) -> Iterator[str]:
        """The last parts of the names that a routine calls."""
        naming = self._this.naming
        for step in calls(routine.body or ()):
            yield local_of(naming.path(step.name))
        for name, _ in names_called(routine):
            yield local_of(naming.path(name))
