"""Oracle's DBMS_SQL: a text is parsed first, and the values that it names are bound further down.

DBMS_SQL.PARSE(c, 'INSERT INTO t (a) VALUES (:v)', ...)      the text runs with V, of which nothing is known yet
DBMS_SQL.BIND_VARIABLE(c, ':v', r.m)                         what R.M holds flows into V, in each round of a loop
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.program import Argument, Open, RoutineCall
from mdw.readers.sql.programs.states import ProgramState, calls, plain
from mdw.readers.sql.programs.values import value_of

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following

BINDS = "DBMS_SQL.BIND_VARIABLE"


def bound_later(this: Following, step: Open, state: ProgramState) -> tuple[tuple[Argument, ...], ProgramState]:
    """What is bound to a text behind its parsing: arguments by name, and the state in which these have values."""
    frame, own = this.frames[-1], state.copy()
    names = dict.fromkeys(name for one in calls(frame.steps) for cursor, name in _bound(one) if cursor == step.cursor)
    found = []
    for number, name in enumerate(names, 1):
        head = this.holding.versions.version(name, [], state, step.piece)
        frame.bound[this.key(step.cursor), name] = head
        place = f"BOUND_{number}"
        own.variables[this.key(place)] = head
        value = replace(step.piece, tokens=tuple(made_words(step.piece.tokens[0], place)))
        found.append(Argument(value, name))
    return tuple(found), own


def binds(this: Following, step: RoutineCall, state: ProgramState) -> bool:
    """Let a value flow where a text has its name, if a call binds one."""
    for cursor, name in _bound(step):
        head = this.frames[-1].bound.get((this.key(cursor), name))
        if head is not None:
            held = value_of(this, step.arguments[2].value, name, state, step.piece)
            this.holding.versions.flows(held, head, name, state, step.piece)
            return True
    return False


def _bound(step: RoutineCall) -> Iterator[tuple[str, str]]:
    """The cursor and the name of a call that binds a value."""
    if step.name.upper().endswith(BINDS) and len(step.arguments) > 2:
        words = step.arguments[1].value.tokens
        if len(words) == 1 and words[0].token_type is TokenType.STRING:
            yield plain(step.arguments[0].value), words[0].text.lstrip(":").upper()
