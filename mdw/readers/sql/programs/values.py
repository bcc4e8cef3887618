"""Variables of a program get values: by declaration, assignment, SELECT ... INTO, from cursors (rule Q27)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from mdw.readers.nodes import null
from mdw.readers.sql.dialects import TRANSACT
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.changing import changed
from mdw.readers.sql.programs.giving import asks, cursor_of
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
from mdw.readers.sql.variables import GivenValue, Held, Variables

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
    if this.frames[-1].name not in this.routines.packages:
        # It hides what a package calls so.
        state.variables.pop(key, None)
    elif one.constant or one.kind != "variable":
        return
    if one.kind == "record":
        this.frames[-1].records.add(key)
    if one.kind == "cursor":
        if one.query is not None:
            nobody = dict.fromkeys(this.key(argument.name) for argument in one.arguments)
            state.cursors[key] = (CursorQuery(one.query, {**state.variables, **nobody}, one.arguments),)
        elif (known := state.cursors.get(this.key(one.like))) is not None:
            state.cursors[key] = known
    elif one.kind == "table":
        this.holding.table(one, state)
    elif one.default is not None:
        this.gives(key, this.holding.value(one.default, key, state), state, one.default)
    else:
        # What is declared without a value is NULL; of a record its fields are.
        this.gives(key, Held(value=null()) if one.kind == "variable" else None, state, piece)


def assign(this: Following, step: Assign, state: ProgramState) -> None:
    keys = [this.key(name) for name in step.names]
    if step.query:
        found = this.holding.query(step.value, keys, state, step.piece)
        for key, held in zip(keys, found, strict=True):
            several = [held]
            if step.keeps and held is not None and not held.always:
                # Without a row it keeps what it had (rule Q27).
                several.append(state.variables.get(key))
            this.gives(key, this.holding.versions.one_of(several, key, state, step.piece), state, step.piece)
    elif (
        (row := state.variables.get(other := this.key(plain(step.value)))) is not None and row.entity and not row.column
    ):
        for key in keys:
            parts = {part: held for part, held in state.variables.items() if part.startswith(f"{other}.")}
            this.gives(key, row, state, step.piece)
            for part, held in parts.items():
                this.gives(f"{key}{part.removeprefix(other)}", held, state, step.piece)
    else:
        cursors = cursor_of(this, step.value)
        if asks(step.value):
            # Snowflake's RESULTSET.
            cursors = (CursorQuery(replace(step.value, tokens=step.value.tokens[1:-1]), dict(state.variables)),)
        elif (known := state.cursors.get(this.key(plain(step.value)))) is not None:
            cursors = known
        state.cursors |= dict.fromkeys(keys, cursors) if cursors else {}
        for key in keys:
            this.gives(key, value_of(this, step.value, key, state, step.piece), state, step.piece)
    for key in keys:
        changed(this, key, state, step.piece, None if step.query else step.value)


def value_of(
    this: Following, piece: ScriptPiece, key: str, state: ProgramState, place: ScriptPiece | None = None
) -> Held | None:
    """What a value is; of a variable what that holds."""
    other = this.key(plain(piece))
    if other in state.variables and place is None:
        return state.variables[other]
    return this.holding.value(piece, key, state, place)


def given_back(
    this: Following, keys: Sequence[str], given: Sequence[Held | None], step: Run, state: ProgramState
) -> None:
    """Variables get what the RETURNING of a change gives; where it changes no row only PL/pgSQL makes them NULL."""
    null = this.holding.reading.flavour.name == "postgres"
    for key, held in zip(keys, given, strict=True):
        several = [held] if null else [held, state.variables.get(key)]
        this.given(key, this.holding.versions.one_of(several, key, state, step.piece), state, step.piece)


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
    found = []
    for one in known:
        if one.query is None:
            whole = len(keys) == 1 and keys[0] in this.frames[-1].records
            found += [
                [row if whole else _numbered(this, row, place, key) for place, key in enumerate(keys)]
                for row in one.variables.values()
            ]
        else:
            found.append(this.holding.query(one.query, keys, state.seeing(one.variables), step.piece))
    for place, key in enumerate(keys):
        held = this.holding.versions.one_of([one[place] for one in found], key, state, step.piece) if found else None
        this.given(key, held, state, step.piece)


def _numbered(this: Following, row: Held | None, at: int, key: str) -> Held | None:
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
