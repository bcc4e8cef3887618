"""Routines run: by calls, each a copy of the routine, as triggers, or called by nobody (rules Q29, Q30).

    CREATE PROCEDURE p(a INT, OUT b INT) ...      noted, and followed only where it is called
    CALL p(1, :x);                                its steps, with A = 1; X then holds what B does at its end
    CALL p(2, :y);                                its steps once more, with A = 2

A call within the routine itself makes no copy: what it gives flows into the arguments of the copy that runs already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from mdw.model.query import Status
from mdw.readers.nodes import parameter
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.housekeeping import ADMINISTERING
from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs import failing
from mdw.readers.sql.programs.binding import binds
from mdw.readers.sql.programs.bodies import SPOKEN
from mdw.readers.sql.programs.giving import gives_rows
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.nesting import nested
from mdw.readers.sql.programs.program import (
    Routine,
    RoutineCall,
)
from mdw.readers.sql.programs.recorded import UNKNOWN_CALL
from mdw.readers.sql.programs.states import MOST_CALLS, CursorQuery, ProgramFrame, ProgramState, plain
from mdw.readers.sql.programs.values import matched, numbered, value_of
from mdw.readers.sql.variables import Held, one_of_many

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following


LEFT = f"its arguments are not followed: calls within calls, or more than {MOST_CALLS:,}"
RESULT = "RESULT"
METHODS = words("EXTEND TRIM DELETE")
"""What changes how many values an array holds, and none of them (PL/SQL)."""


def routine(this: Following, step: Routine, state: ProgramState) -> None:
    """A routine is made, which runs when it is called; a block without a name runs."""
    if nested(step):
        this.holding.note(step.piece, step.kind)
        this.nesting.learn(step)
        return
    kind = "block" if step.kind == "block" else f"create {step.kind}"
    this.holding.note(step.piece, kind, *(_foreign(step) or _missing(this, step)))
    # A block without a name runs where it stands, with the variables there are.
    if step.kind == "block":
        this.steps(step.body or (), state)
    elif step.trigger is not None:
        this.firing.tell(step)
    elif gives_rows(step) and step.kind == "function" and (step.columns or not step.is_query):
        # An entity of its name is made at once: queries below it, and those of other scripts, read that.
        own = KnownRoutine(this.naming.path(step.name), step)
        one = next((known for known in this.routines.named(step.name) if known.routine is step), own)
        this.called[one.place] = one.name
        this.giving.free(one)
    elif step.is_query and not this.routines.acts(one := KnownRoutine(this.naming.path(step.name), step)):
        # Like a view it is made here, and who reads it knows its columns.
        this.called[one.place] = one.name
        free(this, one)


def _foreign(step: Routine) -> tuple[Status, str] | tuple[()]:
    if step.body is not None and step.language.upper() not in SPOKEN:
        return "partial", f"of its body, {step.language}, only texts of SQL are read"
    if step.body is not None or (step.trigger and step.trigger.function):
        return ()
    return "opaque", f"its body is {step.language or 'not SQL'}: it is not followed"


def _missing(this: Following, step: Routine) -> tuple[Status, str] | tuple[()]:
    """What is said of a trigger whose function nobody has loaded."""
    function = step.trigger.function if step.trigger is not None else ""
    if not function or any(True for _ in this.routines.meant(function, step.piece)):
        return ()
    this.missed.add(function)
    return "opaque", f"{UNKNOWN_CALL}: {function}"


def free(this: Following, one: KnownRoutine) -> None:
    """A routine that nothing here calls: of its arguments nothing is known; a trigger runs for rows written."""
    name, routine = one.name, one.routine
    state = ProgramState()
    if routine.trigger is not None:
        this.firing.fire(one)
        return
    if gives_rows(routine):
        if not this.giving.is_free(one):
            this.giving.free(one)
        return
    for variable in routine.arguments:
        state.variables[this.key(variable.name)] = None
    if routine.returns.upper() == "TRIGGER":
        # PostgreSQL's function of triggers that other files make: of which table its rows are nobody says here.
        state.variables |= {this.key(row): Held(value=parameter(row)) for row in ("NEW", "OLD")}
    this.within(name, routine, state)


VALUE_OF_CURSOR = "DBMS_SQL.COLUMN_VALUE"


def _value_of_cursor(this: Following, step: RoutineCall, state: ProgramState) -> None:
    """DBMS_SQL.COLUMN_VALUE(c, 2, v): V gets the second column of the rows of a text; any, where the number is none."""
    given, number, variable = (one.value for one in step.arguments[:3])
    cursor, name = plain(given), plain(variable)
    key, said = this.key(name), number.tokens[0].text if len(number.tokens) == 1 else ""
    rows = [held for one in state.cursors.get(this.key(cursor), ()) for held in one.variables.values()]
    if not rows:
        this.holding.note(step.piece, "fetch", "opaque", f"what the cursor {cursor} is for is not known")
        this.unknown((name,), state, step.piece)
        return
    this.holding.note(step.piece, "fetch")
    shapes = [this.holding.reading.dictionary.shape(row.entity) for row in rows if row is not None]
    most = max((len(one.columns) for one in shapes if one is not None), default=1)
    places = [int(said) - 1] if said.isdigit() else range(most)
    found = [numbered(this, row, place, key) for row in rows for place in places]
    this.given(key, this.holding.versions.one_of(found, key, state, step.piece), state, step.piece)


def call_routine(this: Following, step: RoutineCall, state: ProgramState) -> None:
    """A call is followed as a copy of the routine; of several that may be meant each is."""
    if step.name.upper().endswith(VALUE_OF_CURSOR) and len(step.arguments) > 2:
        _value_of_cursor(this, step, state)
        return
    if binds(this, step, state):
        this.holding.note(step.piece, "call")
        return
    several = this.meant(step.name, step.piece, step.arguments)
    array, _, method = step.name.rpartition(".")
    # v.EXTEND (PL/SQL) looks like a call of something in a package V.
    if not several and method.upper() in METHODS and state.has(this.key(array)):
        this.holding.note(step.piece, "call")
        return
    if not several:
        if ADMINISTERING.match(step.name):
            this.holding.note(step.piece, "call")
        else:
            this.missed.add(step.name)
            unknown = f"{UNKNOWN_CALL}: {step.name}"
            if step.insert is not None:
                this.rows.inserted(step.insert, (), state, step.piece, unknown)
            else:
                this.holding.note(step.piece, "call", "opaque", unknown)
        this.unknown((*step.into, *(plain(one.value) for one in step.arguments if one.out)), state, step.piece)
        return
    if len(several) == 1:
        _called(this, step, several[0], state)
        return
    ends = [state.copy() for _ in several]
    for one, end in zip(several, ends, strict=True):
        _called(this, step, one, end)
    this.meet(state, ends, step.piece)


def _called(this: Following, step: RoutineCall, one: KnownRoutine, state: ProgramState) -> None:
    this.called[one.place] = one.name
    this.calls += 1
    running = this.running(one)
    if running is None and this.too_deep:
        # What it would give back is unknown from here on, of any argument: which are OUT it has not been looked at.
        this.left[one.place] = one, step.piece
        this.holding.note(step.piece, "call", "partial", LEFT, [this.holding.routine_place(one.routine)])
        this.unknown((*step.into, *(plain(given.value) for given in step.arguments)), state, step.piece)
        return
    this.holding.note(step.piece, "call", calls=[this.holding.routine_place(one.routine)])
    tables = _tables_given(this, step, one.routine, state)
    # It sees the tables of its caller (T-SQL's #t), and none of its variables. Tests of the caller bind its steps.
    own = ProgramState(tables={**state.tables, **tables}, tests=state.tests)
    with this.holding.inside(one.routine, arguments=True):
        outs = _bound(this, step, one.routine, own, state)
    this.nesting.enter(one, own, state)
    if running is not None:
        again(this, running, own, state, step.piece)
        for key, written in outs.items():
            held = running.outs.get(key)
            this.given(this.key(written), held, state, step.piece, one=one_of_many(written))
        if step.into:
            into = step.into[0]
            this.given(this.key(into), running.outs.get(RESULT), state, step.piece, one=one_of_many(into))
        return
    frame = run(this, one, own, state, step.piece, outs, scalar=bool(step.into))
    failing.behind(this, frame, state, step.piece)
    # Temporary tables that it made outlive it. T-SQL's #t and table arguments do not: the caller's are seen again.
    if this.holding.reading.flavour.name not in TRANSACT:
        state.tables = own.tables
    if step.insert is not None:
        this.rows.inserted(step.insert, frame.rows, state, step.piece)
    for key, written in outs.items():
        name = this.key(written)
        this.given(name, own.variables.get(key), state, step.piece, one=one_of_many(written))
        for part, held in own.variables.items():
            # Of a record its fields, which may have got values one by one.
            if part.startswith(f"{key}."):
                this.gives(f"{name}{part.removeprefix(key)}", held, state, step.piece)
        if key in own.cursors:
            state.cursors[name] = own.cursors[key]
    if not step.into and gives_rows(one.routine):
        # TABLE(RESULT_SCAN(LAST_QUERY_ID())) behind CALL p(1) is TABLE(p(1)).
        opened, *given = made_words(step.piece.tokens[0], "TABLE ( )")
        this.holding.gave([opened, given[0], *step.piece.tokens[1:], given[1]])
    if step.into and (frame.cursors or frame.rows):
        # Snowflake's RESULTSET has the rows that a procedure returns.
        rows = {str(number): Held(entity, there=True) for number, entity in enumerate(frame.rows)}
        queries = (*frame.cursors, *((CursorQuery(None, rows),) if rows else ()))
        state.cursors[this.key(step.into[0])] = queries
    if frame.given and step.into:
        key = this.key(step.into[0])
        held = this.holding.versions.one_of(frame.given, key, state, step.piece)
        this.given(key, held, state, step.piece, one=one_of_many(step.into[0]))


def run(
    this: Following,
    one: KnownRoutine,
    own: ProgramState,
    state: ProgramState,
    piece: ScriptPiece,
    outs: Iterable[str] = (),
    *,
    scalar: bool,
) -> ProgramFrame:
    """The body of a routine runs with its arguments, ``own`` is then what it is at its end; one may call itself.

    Of one that does, the arguments are versions into which more may flow, and so is what it gives back. The calls
    within it let what they give flow there and take from there (see `again`): a circle, the fixed point of rule Q29.
    """
    frame = ProgramFrame(scalar=scalar, columns=this.giving.columns(one.routine) if scalar else ())
    for name in this.giving.variables(one.routine) if scalar else ():
        own.variables.setdefault(this.key(name), None)
    versions = this.holding.versions
    this.nesting.begin(one, frame, state)
    if this.routines.recursive(one) or (frame.around is not None and this.nesting.recursive(one)):
        for key, held in list(own.variables.items()):
            own.variables[key] = frame.entry[key] = versions.version(key, [held], own, piece)
        # One that is declared in another may give any variable it sees a value, at any depth.
        given_back = (*outs, RESULT) if frame.around is None else (*own.variables, RESULT)
        frame.outs = {key: versions.version(key, [], own, piece) for key in given_back}
    this.within(one.name, one.routine, own, frame)
    for key, head in frame.outs.items():
        for held in frame.given if key == RESULT else [own.variables.get(key)]:
            versions.flows(held, head, key, own, piece)
    this.nesting.leave(one, own, frame, state)
    return frame


def again(this: Following, running: ProgramFrame, own: ProgramState, state: ProgramState, piece: ScriptPiece) -> None:
    """A routine calls itself: what it is given flows into its arguments; it gives back what any round does."""
    for key, head in running.entry.items():
        this.holding.versions.flows(own.variables.get(key), head, key, state, piece)
    if running.around is not None:
        for key in running.outs.keys() & state.variables.keys():
            this.gives(key, running.outs[key], state, piece)


def _tables_given(this: Following, step: RoutineCall, routine: Routine, state: ProgramState) -> dict[str, str]:
    """The tables that a call gives to arguments which are tables (T-SQL), by the names of these."""
    known = this.naming.known
    given = (
        (variable.name, known(plain(one.value), quoted=True))
        for _, variable, one in matched(this, routine.arguments, step.arguments)
        if one is not None and plain(one.value)[:1] == "@"
    )
    return {known(name, quoted=True): state.tables[table] for name, table in given if table in state.tables}


def _bound(
    this: Following, step: RoutineCall, routine: Routine, own: ProgramState, state: ProgramState
) -> dict[str, str]:
    """Give a routine its arguments; what it gives back of the caller, as that writes it, each by the routine's own."""
    outs: dict[str, str] = {}
    for key, variable, given in matched(this, routine.arguments, step.arguments):
        if given is not None and variable.mode != "out":
            own.variables[key] = value_of(this, given.value, key, state)
            other = this.key(plain(given.value))
            own.variables |= {
                f"{key}{part.removeprefix(other)}": held
                for part, held in state.variables.items()
                if other and part.startswith(f"{other}.")
            }
        elif variable.default is not None:
            own.variables[key] = this.holding.value(variable.default, key, own)
        else:
            own.variables[key] = None
        written = plain(given.value) if given else ""
        # A variable of MySQL's session comes into being where it is given a value.
        if variable.mode != "in" and (state.has(this.key(written)) or written[:1] == "@"):
            outs[key] = written
    return outs


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {
    Routine: routine,
    RoutineCall: call_routine,
}
