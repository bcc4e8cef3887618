"""Variables of a program get values: by declaration, assignment, SELECT ... INTO, from cursors (rule Q27).

x := y;                           x holds what y does: no entity is made
x := y + 1;                       x holds a column of an entity of its own, which a block fills with Y's column + 1
r := other;                       r holds the same row, and the same values for parts of it that were given apart
SELECT @x = k FROM s              x may be S.K, or what it was: without a row it keeps that (T-SQL)
OPEN c; FETCH c INTO a, b         C's query is read for these variables, with what it saw where C was opened
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from mdw.readers.nodes import null
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.changing import changed
from mdw.readers.sql.programs.counting import ChangedRows
from mdw.readers.sql.programs.giving import asks, cursor_of, row_given
from mdw.readers.sql.programs.program import (
    Argument,
    Assign,
    Declare,
    Fetch,
    Open,
    ProgramVariable,
    Run,
)
from mdw.readers.sql.programs.states import CursorQuery, ProgramState, plain
from mdw.readers.sql.variables import GivenValue, Held, Variables, one_of_many

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

Given = TypeVar("Given", Argument, GivenValue)


def declare(this: Following, step: Declare, state: ProgramState) -> None:
    this.holding.note(step.piece, "declare")
    for one in step.variables:
        _declared(this, one, state, step.piece)


def _declared(this: Following, one: ProgramVariable, state: ProgramState, piece: ScriptPiece) -> None:
    key = this.key(one.name)
    frame, transact = this.frames[-1], this.holding.reading.flavour.name in TRANSACT
    if transact and one.kind == "variable" and one.default is None and key in state.variables and frame.repeats:
        # T-SQL declares a variable once, however often it comes by.
        return
    if transact and one.kind == "variable" and one.default is None and (columns := _table_type(this, one.type)):
        one = replace(one, kind="table", columns=columns)
    # A package's constants and cursors were read where it was first entered (see `PackageVariables`).
    packaged = this.frames[-1].name in this.routines.packages
    if packaged and (one.constant or one.kind != "variable" or (key in frame.records and one.default is None)):
        return
    own = one.kind in ("variable", "record") and one.default is not None
    # What it is given first may be what it hides: x TEXT := x.
    given = this.holding.value(one.default, key, state) if own and one.default is not None else None
    if not packaged:
        # It hides what a package, or a block around, calls so.
        state.variables.pop(key, None)
    records = this.frames[-1].records
    if one.kind == "record" and not (one.like or one.columns) and one.type.upper() != "RECORD":
        # A type of many values: of rows, if its elements are of a type that is one.
        if this.key(one.type) in records:
            records[key] = records[this.key(one.type)]
        return
    records.pop(key, None)
    if one.kind == "record" or this.key(one.type) in records or _packaged_type(this, one) is not None:
        records[key] = _columns_of(this, one)
    if one.kind == "cursor":
        if one.query is not None:
            # Its arguments get values where it is opened, and hide variables of their names until then.
            nobody = dict.fromkeys(this.key(argument.name) for argument in one.arguments)
            state.cursors[key] = (CursorQuery(one.query, {**state.variables, **nobody}, one.arguments),)
        elif (known := state.cursors.get(this.key(one.like))) is not None:
            state.cursors[key] = known
        elif one.default is not None:
            # A statement that is prepared later: what its text is is known where the cursor is opened.
            state.cursors.pop(key, None)
            this.frames[-1].prepared[key] = one.default
    elif one.kind == "table":
        this.holding.table(one, state)
    elif one.default is not None:
        this.gives(key, given if own else this.holding.value(one.default, key, state), state, one.default)
    else:
        _without_value(this, key, one, state, piece)


def _without_value(this: Following, key: str, one: ProgramVariable, state: ProgramState, piece: ScriptPiece) -> None:
    """What is declared without a value is NULL; of a record its fields are, as far as they are known."""
    columns = this.frames[-1].records.get(key)
    single = one.kind == "variable" and columns is None
    this.gives(key, Held(value=null()) if single or columns else None, state, piece)
    for column in (columns or ()) if not one.columns else ():
        this.gives(f"{key}.{column}", Held(value=null()), state, piece)


def _columns_of(this: Following, one: ProgramVariable) -> tuple[str, ...]:
    """The columns of the rows that a variable is declared for, as far as they are known."""
    if one.columns:
        return tuple(this.naming.path(name) for name, _ in one.columns)
    if one.like:
        shape = this.holding.shape_of(one.like)
        return tuple(shape.columns) if shape is not None and shape.complete else ()
    return this.frames[-1].records.get(this.key(one.type)) or _packaged_type(this, one) or ()


def _table_type(this: Following, type_: str) -> tuple[tuple[str, str], ...]:
    """The columns of a type that is a table, as CREATE TYPE told them (T-SQL)."""
    shape = this.holding.shape_of(type_) if type_ and "(" not in type_ else None
    known = shape is not None and shape.complete
    return tuple((this.naming.shown(name), "") for name in shape.columns) if shape is not None and known else ()


def _packaged_type(this: Following, one: ProgramVariable) -> tuple[str, ...] | None:
    """The columns of a variable's type that a package declares."""
    return this.packages.columns_of(one.type, this.frames[-1].name) if this.routines.packages and one.type else None


def row_names(this: Following, keys: Sequence[str]) -> tuple[str, ...]:
    """What the columns of a row are called that the only one of these variables gets."""
    return this.frames[-1].records.get(keys[0], ()) if len(keys) == 1 else ()


def _for_row(this: Following, keys: Sequence[str]) -> bool:
    """Whether the only one of these variables is declared for a row."""
    return len(keys) == 1 and keys[0] in this.frames[-1].records


def assign(this: Following, step: Assign, state: ProgramState) -> None:
    value, counted = this.counts.of(step.value, state, step.piece)
    if counted:
        state.variables.update(counted)
        step = replace(step, value=value)
    _assigned(this, step, state)
    for key in counted:
        del state.variables[key]


def _assigned(this: Following, step: Assign, state: ProgramState) -> None:
    keys = [this.key(name) for name in step.names]
    if step.query:
        named, whole = row_names(this, keys), _for_row(this, keys)
        found = this.holding.query(step.value, keys, state, step.piece, row=whole, names=named)
        entities = {one.entity for one in found if one is not None}
        state.changed = ChangedRows(entity=entities.pop()) if len(entities) == 1 and "" not in entities else None
        for key, name, held in zip(keys, step.names, found, strict=True):
            several = [held]
            if step.keeps and held is not None and not held.always:
                # Without a row it keeps what it had (rule Q27).
                several.append(state.variables.get(key))
            one = this.holding.versions.one_of(several, key, state, step.piece)
            this.given(key, one, state, step.piece, one=one_of_many(name))
        return
    last = this.holding.last_rows(step.value)
    if last is not None:
        # id := SQLID; ... TABLE(RESULT_SCAN(:id))
        this.holding.note(step.piece, "set")
        state.cursors |= dict.fromkeys(keys, (CursorQuery(last, {}),))
        this.unknown(step.names, state, step.piece)
        return
    other = this.key(plain(step.value))
    row = state.variables.get(other)
    # r := other, where OTHER holds a row, or parts of one.
    if (row is not None and row.entity and not row.column) or any(
        one.startswith(f"{other}.") for one in state.variables
    ):
        for key, name in zip(keys, step.names, strict=True):
            _row_given(this, name, other, step, state)
            changed(this, key, state, step.piece, step.value)
        return
    call = row_given(this, step.value, row=_for_row(this, keys)) if other not in state.variables else None
    if call is not None:
        # RETURN gives a row: R has its columns.
        this.steps((replace(call, piece=step.piece, into=step.names),), state)
        return
    cursors = cursor_of(this, step.value) if other not in state.cursors else ()
    if asks(step.value):
        # Snowflake's RESULTSET.
        cursors = (CursorQuery(replace(step.value, tokens=step.value.tokens[1:-1]), dict(state.variables)),)
    elif (known := state.cursors.get(other)) is not None:
        cursors = known
    state.cursors |= dict.fromkeys(keys, cursors) if cursors else {}
    for key, name in zip(keys, step.names, strict=True):
        held = value_of(this, step.value, key, state, step.piece)
        this.given(key, held, state, step.piece, step.value, one=one_of_many(name))


def _row_given(this: Following, name: str, other: str, step: Assign, state: ProgramState) -> None:
    """A variable, or one of the rows that it holds, gets the row of another, with the parts that were changed."""
    key, row, one = this.key(name), state.variables[other], one_of_many(name)
    parts = {part: held for part, held in state.variables.items() if part.startswith(f"{other}.")}
    if one_of_many(plain(step.value)):
        # One of several rows: not the one that anybody else has of them.
        row = this.holding.versions.version(key, [row], state, step.piece) if row is not None else None
        parts = {part: this.holding.versions.version(part, [held], state, step.piece) for part, held in parts.items()}
    for part, held in {other: row, **parts}.items():
        target = f"{key}{part.removeprefix(other)}"
        if one:
            this.given(target, held, state, step.piece, one=True)
        else:
            this.gives(target, held, state, step.piece)


def row_whole(this: Following, piece: ScriptPiece, state: ProgramState, place: ScriptPiece) -> Held | None:
    """The row of a variable that is all of an expression, with the parts that it was given apart; None if it has none.

    ``r.a := x; r.b := y; RETURN r`` gives a row of X and Y.
    """
    key = this.key(name) if (name := plain(piece)) else ""
    row = state.variables.get(key)
    whole = row is not None and bool(row.entity) and not row.column
    if any(one.startswith(f"{key}.") for one in state.variables if key):
        made = made_words(piece.tokens[-1], ". *")
        query = replace(piece, tokens=(*made_words(piece.tokens[0], "SELECT"), *piece.tokens, *made))
        return this.holding.query(query, [key], state, place, row=True)[0]
    return row if whole else None


def value_of(
    this: Following, piece: ScriptPiece, key: str, state: ProgramState, place: ScriptPiece | None = None
) -> Held | None:
    """What a value is; of a variable what that holds."""
    other = this.key(plain(piece))
    held = state.variables.get(other)
    # One row of several: a version, so that it is not taken for the row that another element is (rule Q7).
    if one_of_many(plain(piece)) and held is not None and held.entity and not held.column:
        return this.holding.versions.version(key, [held], state, place or piece)
    if other in state.variables and place is None and not one_of_many(plain(piece)):
        return held
    return this.holding.value(piece, key, state, place)


def given_back(
    this: Following, keys: Sequence[str], given: Sequence[Held | None], step: Run, state: ProgramState
) -> None:
    """Variables get what the RETURNING of a change gives; where it changes no row only PL/pgSQL makes them NULL."""
    null = this.holding.reading.flavour.name == "postgres"
    for key, name, held in zip(keys, step.into, given, strict=True):
        several = [held] if null else [held, state.variables.get(key)]
        one = this.holding.versions.one_of(several, key, state, step.piece)
        this.given(key, one, state, step.piece, one=one_of_many(name))


def open_cursor(this: Following, step: Open, state: ProgramState) -> None:
    this.holding.note(step.piece, "open")
    if step.query is not None and not step.dynamic:
        state.cursors[this.key(step.cursor)] = (CursorQuery(step.query, dict(state.variables)),)
    elif step.query is None:
        opened(this, step.cursor, step.arguments, state)


def opened(this: Following, cursor: str, given: Sequence[Argument], state: ProgramState) -> Sequence[CursorQuery]:
    """What a cursor may be for where it is opened with these arguments; nothing where nobody knows."""
    several = state.cursors.get(this.key(cursor), ())
    if several:
        state.cursors[this.key(cursor)] = tuple([
            one if one.query is None else replace(one, variables=_bound(this, one, given, state)) for one in several
        ])  # fmt: skip
    return state.cursors.get(this.key(cursor), ())


def _bound(this: Following, one: CursorQuery, given: Sequence[Argument], state: ProgramState) -> Variables:
    own = dict(state.variables)
    for key, variable, argument in matched(this, one.arguments, given):
        value = argument.value if argument else variable.default
        own[key] = value_of(this, value, key, state) if value is not None else None
    return own


def matched(
    this: Following, arguments: Sequence[ProgramVariable], given: Sequence[Given]
) -> Iterator[tuple[str, ProgramVariable, Given | None]]:
    """Arguments by their keys with what each is given, by name or by place; None where its default counts."""
    named = {this.key(one.name): one for one in given if one.name}
    placed = [one for one in given if not one.name]
    for at, variable in enumerate(arguments):
        key = this.key(variable.name)
        yield key, variable, named.get(key) or (placed[at] if at < len(placed) else None)


def fetch(this: Following, step: Fetch, state: ProgramState) -> None:
    keys = [this.key(name) for name in step.names]
    known = state.cursors.get(this.key(step.cursor))
    if not known:
        this.holding.note(step.piece, "fetch", "opaque", f"what the cursor {step.cursor} is for is not known")
        this.unknown(step.names, state, step.piece)
        return
    found = [held for one in known for held in rows_held(this, one, keys, state, step.piece)]
    for place, key in enumerate(keys):
        held = this.holding.versions.one_of([one[place] for one in found], key, state, step.piece) if found else None
        this.given(key, held, state, step.piece, one=one_of_many(step.names[place]))


def rows_held(
    this: Following, one: CursorQuery, keys: Sequence[str], state: ProgramState, piece: ScriptPiece
) -> list[list[Held | None]]:
    """What variables get of the rows that a cursor is for, or one of them of its row: for each query a list."""
    row = _for_row(this, keys)
    if one.query is not None:
        seen = state.seeing(one.variables)
        return [this.holding.query(one.query, keys, seen, piece, row=row, names=row_names(this, keys))]
    # Rows that a text gave, or a routine: their entities are there already.
    return [
        [held if row else numbered(this, held, place, key) for place, key in enumerate(keys)]
        for held in one.variables.values()
    ]


def numbered(this: Following, row: Held | None, at: int, key: str) -> Held | None:
    """What a variable gets of a row, at its place among its columns; where nobody knows these it may be any."""
    shape = this.holding.reading.dictionary.shape(row.entity) if row is not None else None
    if row is None or shape is None:
        return None
    known = list(shape.columns)
    return Held(row.entity, known[at] if shape.complete and at < len(known) else this.holding.column(key))


STEPS: dict[type, Callable[[Following, Any, ProgramState], None]] = {
    Declare: declare,
    Assign: assign,
    Open: open_cursor,
    Fetch: fetch,
}
