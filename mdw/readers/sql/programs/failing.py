"""What is told of a failure: what a block, or a routine that it calls, raises flows into what its handler says of it.

    RAISE EXCEPTION 'no %', a;                                            a message made of A
    EXCEPTION WHEN OTHERS THEN INSERT INTO log VALUES (SQLERRM);          LOG may get it, or what the database says

Messages are kept as values of a variable are that a block gives: any of them may be the one that its handler follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdw.readers.nodes import call
from mdw.readers.sql.programs.known import MOST_WAYS, KnownWays
from mdw.readers.sql.variables import MESSAGES, Held

if TYPE_CHECKING:
    from mdw.readers.sql.pieces import ScriptPiece
    from mdw.readers.sql.programs.following import Following
    from mdw.readers.sql.programs.program import BeginEnd, Jump
    from mdw.readers.sql.programs.states import ProgramFrame, ProgramState

TOLD = frozenset(MESSAGES.values())
"""The keys by which what is told is kept."""
OWN = Held(value=call("SQLERRM", ()))
"""What the database itself says, which no value of a table is."""
ALL_FAILURES = re.compile(r"(?i)\b(?:OTHERS|SQLEXCEPTION|CATCH|ERROR)\b")
"""What a handler says that follows whatever fails."""
MOST_RAISED = 10
"""Places where a routine raises something of which is told what decides behind a call of it."""
NEVER_TOLD = re.compile(
    r"(?i)(?:\s*(?:OR\s+)?(?:NO_DATA_FOUND|TOO_MANY_ROWS|DUP_VAL_ON_INDEX|ZERO_DIVIDE|VALUE_ERROR|INVALID_NUMBER|"
    r"INVALID_CURSOR|CURSOR_ALREADY_OPEN|TIMEOUT_ON_RESOURCE)\b)+\s*"
)
"""Failures of Oracle's own, which no program raises with words of its own."""


def tell(this: Following, step: Jump, state: ProgramState) -> None:
    """A program raises a failure; where it tells nothing of it, what is raised is what a handler follows here."""
    versions = this.frames[-1].versions
    if step.kind == "raise":
        this.frames[-1].raised.append(state.tests)
    if not step.using:
        versions += [(key, held) for key, held in state.variables.items() if key in TOLD]
    for one in step.using:
        key = MESSAGES[one.name]
        versions.append((key, this.holding.value(one.value, key, state, step.piece)))


def pass_on(this: Following, frame: ProgramFrame) -> None:
    """A routine has run: what it raised, and did not follow itself, goes to whoever called it."""
    this.frames[-1].versions += [one for one in frame.versions if one[0] in TOLD]


def follow(this: Following, step: BeginEnd, failed: ProgramState, marks: tuple[int, int]) -> Iterator[ProgramState]:
    """The states in which the handlers of a block begin; what a block raises that it follows nobody around it does.

    ``marks`` are how many versions, and failures that were raised, there were before it. Where a handler raises again
    what it follows, what was raised in the block is raised by it.
    """
    frame, oracle = this.frames[-1], this.holding.reading.flavour.name == "oracle"
    raised = frame.raised[marks[1] :]
    if any(ALL_FAILURES.search(one.conditions) for one in step.handlers):
        frame.versions[marks[0] :] = [one for one in frame.versions[marks[0] :] if one[0] not in TOLD]
        del frame.raised[marks[1] :]
    for handler in step.handlers:
        own, mark = failed.copy(), len(frame.raised)
        if oracle and NEVER_TOLD.fullmatch(handler.conditions):
            own.variables = {key: held for key, held in own.variables.items() if key not in TOLD}
        this.steps(handler.body, own)
        for key in TOLD:
            own.variables.pop(key, None)
        own_raised = frame.raised[mark:]
        frame.raised[mark:] = [one for one in own_raised if one != failed.tests]
        if len(frame.raised) < mark + len(own_raised):
            frame.raised += raised
        yield own


def behind(this: Following, frame: ProgramFrame, state: ProgramState, piece: ScriptPiece) -> None:
    """A routine has run: what is behind the call is reached where it raised nothing, so what it tests for that decides.

    As behind a loop that may have been left, nobody knows of which row: no test is known to fail.
    """
    known = {id(one) for one in state.tests}
    rest = [tuple([one for one in tests if id(one) not in known]) for tests in frame.raised]
    this.frames[-1].raised += [state.tests + one for one in rest]
    this.frames[-1].ended += [state.tests + one for one in rest]
    full = sum(isinstance(one, KnownWays) for one in state.tests) >= MOST_WAYS
    if not rest or full or not piece.tokens or not (state.tests or any(rest)):
        return
    state.this_way(piece)
    *before, way = state.tests
    tested = [one for one in dict.fromkeys(rest) if one]
    if tested:
        state.tests = (*before, KnownWays(((way,), *tested[:MOST_RAISED])))
