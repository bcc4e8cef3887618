"""What a routine does besides giving a value, as far as its steps say so themselves; and what they call."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.programs.grammar import QUERIES, words
from mdw.readers.sql.programs.program import Declare, Dynamic, Loop, Routine, Run
from mdw.readers.sql.programs.states import assigned, parts

WRITING = words("INSERT UPDATE DELETE MERGE REPLACE TRUNCATE")


def acts_itself(routine: Routine, key: Callable[[str], str]) -> bool:
    """Whether steps of a routine write, run texts, or give variables values that are not its own."""
    body = routine.body or ()
    own = {key(one.name) for one in routine.arguments}
    for step in parts(body):
        if isinstance(step, Dynamic) or (isinstance(step, Run) and _writes(step.piece)):
            return True
        if isinstance(step, Declare):
            own |= {key(one.name) for one in step.variables}
        elif isinstance(step, Loop):
            own.add(key(step.record))
    return any(key(name).partition(".")[0] not in own for name in assigned(body))


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
