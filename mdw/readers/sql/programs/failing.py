"""What is told of a failure: what a block, or a routine that it calls, raises flows into what its handler says of it.

    RAISE EXCEPTION 'no %', a;                                            a message made of A
    EXCEPTION WHEN OTHERS THEN INSERT INTO log VALUES (SQLERRM);          LOG may get it, or what the database says

Messages are kept as values of a variable are that a block gives: any of them may be the one that its handler follows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from mdw.readers.nodes import call
from mdw.readers.sql.variables import MESSAGES, Held

if TYPE_CHECKING:
    from mdw.readers.sql.programs.following import Following
    from mdw.readers.sql.programs.program import BeginEnd, Jump
    from mdw.readers.sql.programs.states import ProgramFrame, ProgramState

TOLD = frozenset(MESSAGES.values())
"""The keys by which what is told is kept."""
OWN = Held(value=call("SQLERRM", ()))
"""What the database itself says, which no value of a table is."""
ALL_FAILURES = re.compile(r"(?i)\b(?:OTHERS|SQLEXCEPTION|CATCH|ERROR)\b")
"""What a handler says that follows whatever fails."""
NEVER_TOLD = re.compile(
    r"(?i)(?:\s*(?:OR\s+)?(?:NO_DATA_FOUND|TOO_MANY_ROWS|DUP_VAL_ON_INDEX|ZERO_DIVIDE|VALUE_ERROR|INVALID_NUMBER|"
    r"INVALID_CURSOR|CURSOR_ALREADY_OPEN|TIMEOUT_ON_RESOURCE)\b)+\s*"
)
"""Failures of Oracle's own, which no program raises with words of its own."""


def tell(this: Following, step: Jump, state: ProgramState) -> None:
    """A program raises a failure; where it tells nothing of it, what is raised is what a handler follows here."""
    versions = this.frames[-1].versions
    if not step.using:
        versions += [(key, held) for key, held in state.variables.items() if key in TOLD]
    for one in step.using:
        key = MESSAGES[one.name]
        versions.append((key, this.holding.value(one.value, key, state, step.piece)))


def pass_on(this: Following, frame: ProgramFrame) -> None:
    """A routine has run: what it raised, and did not follow itself, goes to whoever called it."""
    this.frames[-1].versions += [one for one in frame.versions if one[0] in TOLD]


def forget(this: Following, step: BeginEnd, mark: int) -> None:
    """What a block raises that follows all failures itself nobody around it does."""
    versions = this.frames[-1].versions
    if any(ALL_FAILURES.search(one.conditions) for one in step.handlers):
        versions[mark:] = [one for one in versions[mark:] if one[0] not in TOLD]


def followed(conditions: str, failed: ProgramState, *, oracle: bool) -> ProgramState:
    """What a handler finds that follows failures of a kind."""
    own = failed.copy()
    if oracle and NEVER_TOLD.fullmatch(conditions):
        own.variables = {key: held for key, held in own.variables.items() if key not in TOLD}
    return own
