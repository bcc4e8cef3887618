"""What a routine does besides giving a value, as far as its steps say so themselves; and what they call.

Words are looked at, before anything is followed: a routine that is said to act and does not is copied for each call for
nothing, one that acts and is not said to would lose what it writes. So where words leave doubt, it acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.grammar import QUERIES, words
from mdw.readers.sql.programs.program import BeginEnd, Declare, Dynamic, Loop, Routine, Run, Step, Steps
from mdw.readers.sql.programs.states import assigned, parts

WRITING = words("INSERT UPDATE DELETE MERGE REPLACE TRUNCATE")


def acts_itself(routine: Routine, key: Callable[[str], str]) -> bool:
    """Whether steps of a routine write, run texts, or give variables values that are not its own."""
    body = routine.body or ()
    if any(isinstance(step, Dynamic) or (isinstance(step, Run) and _writes(step.piece)) for step in parts(body)):
        return True
    own = own_variables(routine, key, inner=True)
    return any(key(name).partition(".")[0] not in own for name in assigned(body))


def own_variables(routine: Routine, key: Callable[[str], str], *, inner: bool = False) -> set[str]:
    """The variables that a routine declares itself; ``inner``: and those of the blocks and loops within it."""
    found = {key(one.name) for one in routine.arguments}
    body = routine.body or ()
    heads = parts(body) if inner else (one for step in body if not isinstance(step, Routine) for one in _head(step))
    for step in heads:
        if isinstance(step, Declare):
            found |= {key(one.name) for one in step.variables}
        elif inner and isinstance(step, Loop):
            found |= set(map(key, step.names))
    return found


def _head(step: Step) -> Steps:
    """A step, and what it holds if it is the block that a body is."""
    return (step, *step.body) if isinstance(step, BeginEnd) else (step,)


def names_called(routine: Routine) -> Iterator[tuple[str, ScriptPiece]]:
    """What the pieces of a body name as functions are named, each with the piece."""
    for piece in parts(routine.body or ()):
        if isinstance(piece, ScriptPiece):
            for name in names_in(piece):
                yield name, piece


def names_in(piece: ScriptPiece) -> Iterator[str]:
    """What stands in front of a parenthesis in a piece: functions are among it."""
    tokens = piece.tokens
    for at, behind in enumerate(tokens[1:]):
        if behind.token_type is TokenType.L_PAREN:
            first = at
            while first > 1 and tokens[first - 1].token_type is TokenType.DOT:
                first -= 2
            yield piece.text[tokens[first].start : tokens[at].end + 1]


def _writes(piece: ScriptPiece) -> bool:
    lead = word_of(piece.tokens[0]) if piece.tokens else ""
    return lead not in QUERIES or any(word_of(token) in WRITING for token in piece.tokens)
