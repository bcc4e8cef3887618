"""Follows a program: each statement is read with what its variables may hold there, under the tests that hold there.

    x := 1;                                x is 1
    IF c THEN x := 2; END IF;              behind it x is version X2, into which 1 and 2 flow
    WHILE d LOOP                           at the head x is version X3, into which X2 flows, and X4 too
      INSERT INTO t VALUES (x);            T gets X3
      SELECT MAX(k) INTO x FROM s;         x is version X4
    END LOOP;

Each assignment makes a version of a variable, an inner entity; where ways meet a version is made of those of all ways,
and at the head of a loop of that before it and that at its end. So what a variable may hold at a step is what flows
into its version, and the fixed point of a loop is a circle in the graph, which the engine follows (rules Q24 to Q29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mdw.readers.sql.housekeeping import ADMINISTERING
from mdw.readers.sql.naming import Identifiers
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs import calls, dynamic, failing, values, ways
from mdw.readers.sql.programs.acting import names_in
from mdw.readers.sql.programs.applying import Applying
from mdw.readers.sql.programs.changing import changed
from mdw.readers.sql.programs.counting import COUNTED, RowCounts
from mdw.readers.sql.programs.declaring import UNNAMED
from mdw.readers.sql.programs.firing import Firing
from mdw.readers.sql.programs.fleeting import Fleeting
from mdw.readers.sql.programs.giving import Giving
from mdw.readers.sql.programs.holding import Holding
from mdw.readers.sql.programs.knowing import KnownRoutine, KnownRoutines
from mdw.readers.sql.programs.known import known_behind, shared
from mdw.readers.sql.programs.nesting import Nesting
from mdw.readers.sql.programs.packages import PackageVariables
from mdw.readers.sql.programs.placed import current
from mdw.readers.sql.programs.possible_targets import told_names
from mdw.readers.sql.programs.program import (
    Argument,
    Aside,
    Client,
    Fetch,
    Jump,
    Loop,
    Routine,
    RoutineCall,
    Run,
    Steps,
)
from mdw.readers.sql.programs.recorded import UNKNOWN_CALL
from mdw.readers.sql.programs.rows import HandedRows
from mdw.readers.sql.programs.states import DEEPEST, MOST_CALLS, CursorQuery, ProgramFrame, ProgramState, runs
from mdw.readers.sql.tables import FLEETING
from mdw.readers.sql.variables import GivenValue, Held, held_by, key_of, row_of_part


class Following:
    """The steps of one script, followed, with all that is known of its routines.

    ``called`` are those that something calls, by their places; ``frames`` are the routines that run, the script itself
    the first of them. ``left`` are calls that were not followed, each a routine and where it was called: such a routine
    is followed once for all of them. ``piece`` is the step that runs.
    """

    def __init__(self, holding: Holding) -> None:
        self.holding = holding
        self.naming: Identifiers = holding.naming
        reading = holding.reading
        self.routines = KnownRoutines(self.naming, reading.programs_with, reading.text_of)
        self.called: dict[int, str] = {}
        self.left: dict[int, tuple[KnownRoutine, ScriptPiece]] = {}
        self.missed: set[str] = set()
        self.frames = [ProgramFrame()]
        # How many calls were followed: copies of routines that call routines grow fast (see `too_deep`).
        self.calls = 0
        self.piece = ScriptPiece((), "")
        # What names of tables meant, before and after each step that changed it: where a failure or a ROLLBACK may
        # have undone some of these steps each of the meanings is possible (rule Q25).
        self.remade: list[dict[str, str]] = []
        self.packages = PackageVariables(self)
        self.nesting = Nesting(self)
        self.firing = Firing(self)
        self.giving = Giving(self)
        self.rows = HandedRows(holding)
        self.fleeting = Fleeting(self)
        self.applying = Applying(self)
        self.counts = RowCounts(holding)
        holding.inlined = self.applying.value
        holding.rows_of, holding.used_arguments = self.giving.rows_of, self.giving.used

    def follow(self, program: Steps, entries: Iterable[str] = ()) -> None:
        """The whole script; then routines that nothing in it calls, and ``entries``, with arguments nobody knows."""
        self.frames[0].steps = program
        # All routines are known before the first step: a procedure may call one that is made further down.
        self.routines.learn(program)
        self.firing.learn(program)
        self.giving.learn(runs(program))
        state = ProgramState()
        for name in list(self.routines.packages):
            self.packages.outside(name, state)
        self.steps(program, state)
        outside = {one.place for name in entries for one in self.routines.named(name)}
        # Callers come first (see `KnownRoutines.own`): what they call is in ``called`` when its turn comes, and then
        # its arguments are those of the calls, not unknown ones.
        for one in self.routines.own():
            if one.place not in self.called or one.place in outside:
                with self.holding.owned_by(one.place):
                    calls.free(self, one)
        # Calls that were too deep got no copy. The routine is followed once for all of them, so its steps are not lost.
        for one, piece in list(self.left.values()):
            with self.holding.standing(piece):
                calls.free(self, one)
        self.holding.ended()

    def steps(self, several: Steps, state: ProgramState) -> None:
        """One step after the other; ``state`` is changed as they change it."""
        self.fleeting.plan(several)
        for step in several:
            # No way leads here, but for a label: a GOTO may.
            if state.over and not (isinstance(step, Jump) and step.kind == "label"):
                if not isinstance(step, Client | Aside):
                    self.holding.skip(step.piece)
                continue
            tables, around, self.piece = dict(state.tables), self.piece, step.piece
            cursors, self.holding.tables = dict(state.cursors), state.tables
            forgets = isinstance(step, FORGETTING)
            if forgets:
                state.changed = None
            try:
                STEPS[type(step)](self, step, state)
            except RecursionError:
                self.holding.note(step.piece, "step", "opaque", "nested too deep to be followed")
            # Whatever goes wrong in one step must not cost the others, and it is said.
            except Exception as error:
                self.holding.note(step.piece, "step", "opaque", f"not followed: {type(error).__name__}: {error}")
            if forgets:
                state.changed = None
            self.piece = around
            if state.cursors != cursors:
                self.frames[-1].opened.append(dict(state.cursors))
            if state.tables != tables:
                self.remade += [tables, dict(state.tables)]

    def _run(self, step: Run, state: ProgramState) -> None:
        if step.branches:
            self._upsert(step, state)
            return
        keys = [self.key(name) for name in step.into]
        tests = state.tests
        state.tests = (*tests, *current(self, step.piece, state))
        found, given = self.holding.statement(step.piece, state, keys, values.row_names(self, keys))
        state.tests = tests
        self.firing.ran(step.piece, state, () if found.kind in MAKING else found.writes)
        self.fleeting.shown(found, state, step.piece)
        if found.kind in COUNTED:
            state.changed = self.holding.changed_rows
        if found.kind == "select" and self.holding.reading.flavour.name in WRITING and step.piece.mentions("'"):
            self._loaded(step.piece, found)
        # A SELECT that goes nowhere gives its rows to whoever calls the routine: INSERT INTO t EXEC p takes them.
        if found.kind == "select" and len(self.frames) > 1:
            self.frames[-1].rows.append(self.holding.given(found, step.piece, state))
        values.given_back(self, keys, given, step, state)

    def _loaded(self, piece: ScriptPiece, found: Outcome) -> None:
        """A query may call functions that nobody loaded, and that write what they are given the name of."""
        for function, names in told_names(piece.text[piece.tokens[0].start : piece.tokens[-1].end + 1]):
            own = function.partition(".")[0].upper().startswith(OWN_SCHEMAS) or ADMINISTERING.match(function)
            if own or self.meant(function, piece):
                continue
            several = self.holding.may_load(piece, found, names)
            # Of a text that may be no table's name nothing is said.
            if any(one in self.holding.used or self.holding.told(one) is not None for one in several):
                found.message = found.message or f"{UNKNOWN_CALL}: {function}"

    def _upsert(self, step: Run, state: ProgramState) -> None:
        """UPDATE ... ELSE INSERT: one statement, which does the one or the other."""
        self.holding.note(step.piece, "upsert")
        with self.holding.standing(step.piece):
            for branch in step.branches:
                found, _ = self.holding.statement(branch, state)
                self.firing.ran(branch, state, found.writes)

    def _aside(self, step: Aside | Client, state: ProgramState) -> None:
        self.holding.note(step.piece, "client" if isinstance(step, Client) else "aside")
        self.firing.ran(step.piece, state)

    def within(
        self, name: str, routine: Routine, state: ProgramState, frame: ProgramFrame | None = None
    ) -> ProgramFrame:
        """The body of a routine; ``state`` is at its end what it is where the routine is left."""
        frame = frame or ProgramFrame(name)
        frame.name, frame.place = name, routine.piece.place
        frame.steps = routine.body or ()
        if self.holding.reading.flavour.name in UNNAMED:
            # $1 is the first argument, whatever it is called (PostgreSQL).
            for number, one in enumerate(routine.arguments, 1):
                state.variables.setdefault(self.key(str(number)), state.variables.get(self.key(one.name)))
        self.frames.append(frame)
        self.packages.enter(name, state)
        reading = self.holding.reading
        # What a text calls that is run has names of its own (see `dynamic`).
        moved, reading.moved = reading.moved, False
        with self.holding.inside(routine):
            self.steps(routine.body or (), state)
            self.nesting.uncalled(frame)
        reading.moved = moved
        self.frames.pop()
        failing.pass_on(self, frame)
        # It is left at each RETURN and at its end. Behind the call it goes on whichever of them that was.
        ends = [*frame.ends, *([] if state.over else [state.copy()])]
        state.over = False
        self.meet(state, ends, routine.piece)
        return frame

    def running(self, one: KnownRoutine) -> ProgramFrame | None:
        """The routine as it runs just now, None if it does not."""
        return next((frame for frame in self.frames if frame.place == one.place), None)

    @property
    def too_deep(self) -> bool:
        """Whether a call more would be one within too many, or one too many."""
        return len(self.frames) > DEEPEST or self.calls > MOST_CALLS

    def key(self, name: str) -> str:
        """By what a variable is known."""
        return key_of(name, self.naming)

    def meet(
        self, state: ProgramState, ends: Sequence[ProgramState], piece: ScriptPiece, *, ended: bool = False
    ) -> None:
        """Ways meet: a variable has what it had on any of them, a test holds that holds on all.

        Which of the ways was gone says what holds, too, unless all of them are the end of a loop (``ended``).
        """
        going = [one for one in ends if not one.over]
        if not going:
            state.over = True
            return
        state.over = False
        state.changed = going[0].changed if all(one.changed is going[0].changed for one in going) else None
        # A loop is left some time, whatever it was that it was left by.
        state.tests = (shared if ended else known_behind)([one.tests for one in going])
        # Rows before their parts, which get theirs anew.
        for key in sorted(dict.fromkeys(key for one in going for key in one.variables), key=lambda key: "." in key):
            several = [held_by(key, one.variables) for one in going]
            self.gives(key, self.holding.versions.one_of(several, key, state, piece), state, piece)
        self.meet_around(state, going, piece)

    def cursors_of(self, going: Sequence[ProgramState]) -> dict[str, tuple[CursorQuery, ...]]:
        """A cursor is for any query that it is for in any of these states."""
        found: dict[str, tuple[CursorQuery, ...]] = {}
        for key in dict.fromkeys(key for one in going for key in one.cursors):
            queries = [query for one in going for query in one.cursors.get(key, ())]
            found[key] = tuple(query for at, query in enumerate(queries) if query not in queries[:at])
        return found

    def any_cursor(self, state: ProgramState, mark: int) -> None:
        """A cursor is for any query that it is for here, or was for since: nobody knows which."""
        past = [replace(state, cursors=one) for one in self.frames[-1].opened[mark:]]
        state.cursors = self.cursors_of([state, *past])

    def meet_around(self, state: ProgramState, going: Sequence[ProgramState], piece: ScriptPiece) -> None:
        """Where ways meet a cursor is for any query that it was for, and a name means any table that it meant."""
        state.cursors |= self.cursors_of(going)
        for name in dict.fromkeys(name for one in going for name in one.tables):
            several = [one.tables.get(name, "") for one in going]
            if name.startswith(FLEETING):
                self.fleeting.meet(name, several, state, piece)
            else:
                state.tables[name] = self.holding.versions.one_table(several, state, piece)

    def meant(
        self, name: str, piece: ScriptPiece, given: Sequence[Argument | GivenValue] | None = None
    ) -> list[KnownRoutine]:
        """The routines that a name may mean here, as far as their bodies are known."""
        some = self.nesting.meant(name, given) or self.routines.meant(name, piece, given, self.frames[-1].name)
        return [one for one in some if one.routine.body is not None]

    def asks(self, test: ScriptPiece, state: ProgramState) -> None:
        """A test is made: functions that it calls may do more than give a value.

        ``IF keep(x) THEN`` writes what KEEP writes, whichever arm runs.
        """
        if any(self.applying.acts(one) for name in names_in(test) for one in self.meant(name, test)):
            self.holding.tried(test, state, self.piece)

    def any_table(self, state: ProgramState, mark: int, piece: ScriptPiece) -> None:
        """The names of tables mean what they mean here, or any of what they meant since: nobody knows which (Q25)."""
        past = self.remade[mark:]
        for name in dict.fromkeys(name for one in past for name in one):
            several = [state.tables.get(name, ""), *[one.get(name, "") for one in past]]
            if name.startswith(FLEETING):
                self.fleeting.meet(name, several, state, piece)
            # T-SQL's table variables have what they have.
            elif not name.startswith("`@"):
                state.tables[name] = self.holding.versions.one_table(several, state, piece)

    def unknown(self, names: Iterable[str], state: ProgramState, piece: ScriptPiece) -> None:
        """Variables get what nobody knows."""
        for key in map(self.key, names):
            if state.has(key):
                self.gives(key, None, state, piece)

    def given(
        self,
        key: str,
        held: Held | None,
        state: ProgramState,
        piece: ScriptPiece,
        value: ScriptPiece | None = None,
        *,
        one: bool = False,
    ) -> None:
        """A variable gets a value, maybe that of an expression; ``one``: it is one of the many that it holds.

        It may be a part of the row that a trigger changes.
        """
        if one:
            # In PL/pgSQL what is asked of a row in an array is asked of the value that all of the array is.
            inner = self.holding.reading.flavour.name == "oracle"
            self._one_given(key if inner else key.partition(".")[0], held, state, piece)
        else:
            self.gives(key, held, state, piece)
        changed(self, key, state, piece, value)

    def _one_given(self, key: str, held: Held | None, state: ProgramState, piece: ScriptPiece) -> None:
        """One of the many values that a variable holds: it may hold the others, too."""
        versions = self.holding.versions
        before = held_by(key, state.variables)
        # All of the array was one value so far, NULL where it was only declared: its other elements still are.
        if before is None and (row := state.variables.get(key.partition(".")[0])) is not None and row.value is not None:
            before = row
        parts = {part: one for part, one in state.variables.items() if part.startswith(f"{key}.")}
        self.gives(key, versions.one_of([held, before], key, state, piece), state, piece)
        for part, one in parts.items():
            both = [one, held_by(part, state.variables)]
            self.gives(part, versions.one_of(both, part, state, piece), state, piece)

    def gives(self, key: str, held: Held | None, state: ProgramState, piece: ScriptPiece) -> None:
        """A variable gets a value; one of a package may hold any that it is ever given."""
        now = state.variables.get(key)
        row = row_of_part(key, state.variables)
        if now is None and row is not None and row in self.packages.shared:
            # A part of a package's record, which stands for all that it is ever given.
            self.holding.versions.flows(held, replace(row, column=key.rpartition(".")[2]), key, state, piece)
            return
        if now in self.packages.shared:
            # Another file may read it before or after this: the value joins those that it has, and replaces none.
            assert now is not None
            self.holding.versions.flows(held, now, key, state, piece)
            held = now
        self.frames[-1].versions.append((key, held))
        state.variables[key] = held
        for part in [one for one in state.variables if one.startswith(f"{key}.")]:
            # A row that is given anew has no part of the old one.
            del state.variables[part]
            self.frames[-1].versions.append((part, held_by(part, state.variables)))


FORGETTING = (Loop, Fetch, RoutineCall)
"""Steps within which and behind which nobody knows which statement was the last: a round before, or what a call ran."""
WRITING = frozenset(("postgres", "mysql", "oracle", "ansi"))
"""Dialects in which functions that a query calls may write tables."""
OWN_SCHEMAS = ("PG_", "SYS", "DBMS_", "UTL_", "INFORMATION_SCHEMA")
"""How schemas and packages begin that are the database's own."""
MAKING = frozenset(("create table", "create view"))
"""What makes a table: it had no triggers before."""
STEPS: Mapping[type, Callable[[Following, Any, ProgramState], None]] = {
    Run: Following._run,
    Aside: Following._aside,
    Client: Following._aside,
    **values.STEPS,
    **ways.STEPS,
    **calls.STEPS,
    **dynamic.STEPS,
}
