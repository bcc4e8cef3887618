"""Functions that give rows: an entity called as the function is, which its RETURN statements fill (rule Q29).

CREATE FUNCTION f(k INT) RETURNS TABLE (a INT) ... RETURN QUERY SELECT x FROM s WHERE s.k = k
SELECT a FROM f(r.j)        reads F, whose rows have any K
SELECT a FROM f(5)          reads a copy of F, whose rows have K = 5

Only constants make copies: what is of rows of the query would need a copy for each row. F itself is then read, under
all arguments it could have, which loses no source and keeps no condition on K.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from mdw.model.tree import Node
from mdw.readers.sql.phrases.words import closed, parted
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.grammar import grammar_of, words
from mdw.readers.sql.programs.knowing import KnownRoutine
from mdw.readers.sql.programs.program import (
    Argument,
    BeginEnd,
    Declare,
    Jump,
    ProgramVariable,
    Routine,
    RoutineCall,
    Step,
)
from mdw.readers.sql.programs.states import CursorQuery, ProgramFrame, ProgramState, jumps, plain
from mdw.readers.sql.programs.used_arguments import Used, is_view, used_arguments
from mdw.readers.sql.variables import Held, Variables, constant

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

MOST_COPIES = 200
"""Copies of functions of a script for constant arguments; more calls read what the function gives for any."""
SPEAKING = frozenset(("postgres", "redshift", "materialize", "risingwave"))
"""Dialects that know PL/pgSQL."""
OBJECT = re.compile(r"(?is)\s*CREATE\s+(?:OR\s+REPLACE\s+)?TYPE\s+(\S+)\s+(?:FORCE\s+)?(?:AS|IS)\s+OBJECT\s*\((.*)\)")
PART = re.compile(r"\s*(\"[^\"]+\"|[\w$#]+)[^,(]*(?:\([^)]*\)[^,(]*)*")


def gives_rows(routine: Routine) -> bool:
    """Whether a routine gives rows, of which columns or steps tell."""
    if routine.kind not in ("function", "procedure") or routine.body is None:
        return False
    told = routine.columns or routine.returns.upper().startswith(("SETOF ", "TABLE"))
    return bool(told) or any(one.kind == "give" for one in jumps(routine.body)) or _gives_one(routine)


def _gives_one(routine: Routine) -> bool:
    """Whether a function gives one row, of what its OUT arguments hold at its end (PostgreSQL)."""
    outs = any(one.mode != "in" for one in routine.arguments)
    set_of = routine.returns.upper().startswith(("SETOF", "TABLE"))
    return outs and routine.kind == "function" and routine.language.upper() in ("PLPGSQL", "SQL") and not set_of


class Giving:
    """The functions of one script that give rows, and the copies of them that run."""

    def __init__(self, this: Following) -> None:
        self._this = this
        self._copies: dict[tuple[int, tuple[Node, ...]], str] = {}
        self.types: dict[str, tuple[str, ...]] = {}
        self._free: set[int] = set()
        # Of functions that are one query each what their columns are made of.
        self._used: dict[int, Used | None] = {}

    def learn(self, pieces: Iterator[ScriptPiece]) -> None:
        """The types of objects that the script makes: their columns are those of rows made by them (Oracle)."""
        for piece in pieces:
            match = OBJECT.match(_text(piece)) if piece.mentions("OBJECT") else None
            if match is not None:
                path = self._this.naming.path
                self.types[path(match[1])] = tuple([path(one[1]) for one in PART.finditer(match[2])])

    def is_free(self, one: KnownRoutine) -> bool:
        """Whether it has been run as whatever may be given to it."""
        return one.place in self._free

    def free(self, one: KnownRoutine) -> None:
        """A function as whatever may be given to it: of its arguments nothing is known."""
        self._free.add(one.place)
        entity = self._this.holding.entity(one.name, one.routine.piece)
        state = ProgramState(dict.fromkeys(self._this.key(variable.name) for variable in one.routine.arguments))
        self._run(one, entity, state)

    def rows_of(self, name: str, given: Sequence[Node], piece: ScriptPiece) -> str:
        """The entity that a function in a FROM gives with these arguments, "" if it is none that is known."""
        this = self._this
        some = [one for one in this.meant(name, piece) if gives_rows(one.routine)]
        if len(some) != 1:
            return ""
        one = some[0]
        arguments = [part for part in one.routine.arguments if part.mode != "out"]
        bound = bool(arguments) and len(given) == len(arguments) and all(map(constant, given))
        running = this.running(one) is not None
        # One that reads itself reads the whole of it: a copy in a copy would have no end.
        if not bound or running or len(self._copies) >= MOST_COPIES:
            entity = this.holding.entity(one.name, one.routine.piece)
            this.rows.columns(entity, self.columns(one.routine), piece)
            if one.routine.kind == "procedure" and not self.is_free(one):
                # A CALL of it ran a copy, whose rows went nowhere.
                with this.holding.standing(piece):
                    self.free(one)
            return entity
        key = one.place, tuple(given)
        if key not in self._copies:
            self._copies[key] = this.rows.own_entity(one.name)
            variables = zip(arguments, given, strict=True)
            state = ProgramState({this.key(variable.name): Held(value=value) for variable, value in variables})
            with this.holding.owned_by(-1), this.holding.standing(piece):
                self._run(one, self._copies[key], state)
        return self._copies[key]

    def used(self, name: str, piece: ScriptPiece) -> Used | None:
        """Which arguments are in the columns of what a function in a FROM gives; None where nobody knows."""
        some = self._this.meant(name, piece)
        if len(some) != 1 or not is_view(some[0].routine) or self._this.running(some[0]) is not None:
            return None
        one, this = some[0], self._this
        if one.place not in self._used:
            names = [part.name for part in one.routine.arguments if part.mode != "out"]
            state = ProgramState(dict.fromkeys(this.key(argument) for argument in names))
            with this.holding.owned_by(-1), this.holding.put_away(piece) as blocks:
                if gives_rows(one.routine):
                    entity = this.rows.own_entity(one.name)
                    self._run(one, entity, state)
                else:
                    entity = next(iter(this.within(one.name, one.routine, state).rows), "")
            self._used[one.place] = used_arguments(entity, names, blocks)
        return self._used[one.place]

    def columns(self, routine: Routine) -> tuple[str, ...]:
        """The columns that a function tells of its rows."""
        path = self._this.naming.path
        told = [name for name, _ in routine.columns]
        told = told or [one.name for one in routine.arguments if one.mode != "in"]
        if not told and routine.returns.upper().startswith("SETOF "):
            of = routine.returns[6:]
            if _plain_type(of):
                told = [routine.name.rpartition(".")[2]]
            elif (shape := self._this.holding.shape_of(of)) is not None and shape.complete:
                # Its rows are those of a table, whatever the queries that give them call their columns.
                return tuple(shape.columns)
        return tuple([path(name) for name in told])

    def variables(self, routine: Routine) -> list[str]:
        """The columns that are variables, too: OUT arguments, and in PL/pgSQL those of RETURNS TABLE (a INT).

        RETURN NEXT gives what they hold. Those of a table, of RETURNS SETOF t, are none: there a name is a column's.
        """
        speaks = self._this.holding.reading.flavour.name in SPEAKING and routine.language.upper() not in ("", "SQL")
        told = [name for name, _ in routine.columns] if speaks else []
        return [*told, *(one.name for one in routine.arguments if one.mode != "in")]

    def _run(self, one: KnownRoutine, entity: str, state: ProgramState) -> None:
        this, routine = self._this, one.routine
        columns = self.columns(routine)
        this.rows.columns(entity, columns, routine.piece)
        for name in self.variables(routine):
            state.variables.setdefault(this.key(name), None)
        this.within(one.name, routine, state, ProgramFrame(target=entity, columns=columns))
        if _gives_one(routine) and not routine.is_query:
            this.rows.row_given(entity, {name: this.key(name) for name in columns}, None, state, routine.piece)
        first = (routine.body or ())[0] if routine.body else None
        if isinstance(first, Declare) and first.variables[:1] and first.variables[0].kind == "table":
            # T-SQL's table that is declared to be what it gives.
            own = state.tables.get(this.naming.known(first.variables[0].name, quoted=True), "")
            if own and routine.columns:
                this.rows.passed(own, entity, columns, ProgramState(), routine.piece)

    # -- one RETURN ----------------------------------------------------------------------------------------------------

    def given(self, step: Jump, state: ProgramState) -> None:
        """Rows, or one row, that a function gives."""
        this, value = self._this, step.value
        frame = this.frames[-1]
        if value is None:
            if step.kind == "give":
                fields = {name: key for name in frame.columns if (key := this.key(name)) in state.variables}
                this.rows.row_given(frame.target, fields, None, state, step.piece)
            return
        key = this.key(plain(value))
        if step.query:
            self._rows(value, state, step.piece)
        elif key in state.cursors:
            for one in state.cursors[key]:
                if one.query is None:
                    self.held(one.variables, step.piece)
                else:
                    self._rows(one.query, state.seeing(one.variables), step.piece)
        elif key in state.variables:
            fields = {one.removeprefix(f"{key}."): one for one in state.variables if one.startswith(f"{key}.")}
            held = state.variables[key]
            if held is not None and held.entity and not held.column:
                this.rows.passed(held.entity, frame.target, () if fields else frame.columns, state, step.piece, fields)
            elif fields:
                this.rows.row_given(frame.target, fields, None, state, step.piece)
            else:
                this.rows.row_given(frame.target, {(frame.columns or (key,))[0]: key}, None, state, step.piece)
        else:
            this.rows.row_given(frame.target, {}, value, state, step.piece, self._made(value) or frame.columns)

    def _rows(self, query: ScriptPiece, state: ProgramState, place: ScriptPiece) -> None:
        frame = self._this.frames[-1]
        (held,) = self._this.holding.query(query, ["RESULT"], state, place, record=True, names=frame.columns)
        if held is not None:
            self._this.rows.passed(held.entity, frame.target, frame.columns, ProgramState(), place)

    def held(self, rows: Variables, place: ScriptPiece) -> None:
        """Rows that a text gave are given."""
        frame = self._this.frames[-1]
        for row in rows.values():
            if row is not None:
                self._this.rows.passed(row.entity, frame.target, frame.columns, ProgramState(), place)

    def _made(self, value: ScriptPiece) -> tuple[str, ...]:
        """The columns of a row that a type makes: row_t(1, 2)."""
        tokens = value.tokens
        named = len(tokens) > 2 and tokens[1].text == "("
        return self.types.get(self._this.naming.path(tokens[0].text), ()) if named else ()


def cursor_of(this: Following, piece: ScriptPiece) -> tuple[CursorQuery, ...]:
    """The cursors that a function returns which is all of an expression."""
    name, _ = called_alone(this, piece)
    if not name:
        return ()
    some = [one for one in this.meant(name, piece) if "CURSOR" in one.routine.returns.upper()]
    if len(some) != 1 or this.running(some[0]) is not None:
        return ()
    state = ProgramState(dict.fromkeys(this.key(variable.name) for variable in some[0].routine.arguments))
    with this.holding.owned_by(-1):
        return tuple(this.within(some[0].name, some[0].routine, state, ProgramFrame(scalar=True)).cursors)


def called_alone(this: Following, piece: ScriptPiece) -> tuple[str, tuple[Argument, ...]]:
    """The function whose call is all of an expression, "" if none is, and what it is given.

    In Oracle one that is given nothing may have no parentheses, as a variable has none.
    """
    tokens = piece.tokens
    at = next((at for at, token in enumerate(tokens) if token.text == "("), len(tokens))
    plainly = at == len(tokens)
    if not at or (not plainly and closed(tokens, at) != len(tokens)):
        return "", ()
    if plainly and not grammar_of(this.holding.reading.flavour.name).calls:
        return "", ()
    if any(token.token_type not in NAMED for token in tokens[:at]):
        return "", ()
    name = piece.text[tokens[0].start : tokens[at - 1].end + 1]
    given = (tuple(one) for one in parted(tokens[at + 1 : -1]))
    return name, tuple(_argument(replace(piece, tokens=one)) for one in given if one)


NAMED = frozenset((TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT))


def _argument(piece: ScriptPiece) -> Argument:
    named = len(piece.tokens) > 2 and piece.tokens[1].token_type in (TokenType.FARROW, TokenType.COLON_EQ)
    return Argument(replace(piece, tokens=piece.tokens[2:]), piece.tokens[0].text) if named else Argument(piece)


def row_given(this: Following, piece: ScriptPiece, *, row: bool) -> RoutineCall | None:
    """The call of a function that gives a row, if an expression is no more than that; ``row``: a row is wanted."""
    name, given = called_alone(this, piece)
    some = this.meant(name, piece, given) if name else []
    wanted = [one for one in some if one.routine.kind == "function" and (row or _gives_row(one.routine))]
    return RoutineCall(name, piece, given) if len(wanted) == len(some) == 1 else None


def _gives_row(routine: Routine) -> bool:
    """Whether what a function returns is told to be a row: of a table, or as one of its variables is."""
    told = routine.returns.upper()
    if told.endswith("%ROWTYPE") or told == "RECORD":
        return True
    declared = [one for step in routine.body or () for one in _declared_in(step)]
    rows = {(one.like or one.type).upper() for one in declared if one.kind == "record"}
    return told in rows - {""}


def _declared_in(step: Step) -> tuple[ProgramVariable, ...]:
    if isinstance(step, BeginEnd):
        return tuple(one for inner in step.body for one in _declared_in(inner))
    return step.variables if isinstance(step, Declare) else ()


def _text(piece: ScriptPiece) -> str:
    return piece.text[piece.tokens[0].start : piece.tokens[-1].end + 1] if piece.tokens else ""


def _plain_type(name: str) -> bool:
    """Whether a type is one of single values, which every database has."""
    return name.partition("(")[0].strip().upper() in PLAIN


PLAIN = words("""
    INT INTEGER BIGINT SMALLINT TEXT VARCHAR CHAR NUMERIC DECIMAL DATE TIMESTAMP BOOLEAN BOOL REAL UUID JSON JSONB
    TIMESTAMPTZ BYTEA INT4 INT8 FLOAT8
""")


def asks(piece: ScriptPiece) -> bool:
    """Whether a piece is a query in parentheses."""
    return len(piece.tokens) > 2 and piece.tokens[0].text == "(" and word_of(piece.tokens[1]) in ("SELECT", "WITH")
