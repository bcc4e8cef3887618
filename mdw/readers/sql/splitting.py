"""A script -> its statements, one after the other, as if all of a program always ran.

Words that only hold a program together (BEGIN, IF c THEN, LOOP) are told as control: what they hold stands behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.programs.assigning import COMPUTING
from mdw.readers.sql.programs.program import (
    Aside,
    Assign,
    BeginEnd,
    Client,
    Declare,
    Dynamic,
    Fetch,
    Jump,
    Loop,
    Open,
    Routine,
    RoutineCall,
    Run,
    Step,
    Steps,
    Test,
)
from mdw.readers.sql.programs.reading import program_of


def split(text: str, flavour: Flavour, offset: int = 0) -> Iterator[ScriptPiece]:
    """The statements of a text, in order."""
    return _all(program_of(text, flavour, offset))


CALLED = re.compile(r"(?i)(?:CALL|EXEC(?:UTE)?|PERFORM)\b\s*(?:@\w+\s*=\s*)?(?P<name>(?!IMMEDIATE\b)[\w#$.\[\]\"`]+)?")


def called(piece: ScriptPiece) -> str:
    """What to say of a statement that calls a program, or runs a text; "" of any other."""
    first, last = piece.span
    found = CALLED.match(piece.text[first - piece.offset : last - piece.offset])
    if found is None:
        return ""
    name = found["name"]
    return f"a call of which the body is not known: {name}" if name else "a text that is run, and that is not known"


def declared(piece: ScriptPiece) -> Iterator[str]:
    """The names of DECLARE a, b INT64."""
    words = piece.tokens[1:] if piece.control == "declare" and word_of(piece.tokens[0]) == "DECLARE" else ()
    for before, token, after in zip(piece.tokens, words, words[1:], strict=False):
        if token.token_type is TokenType.COMMA:
            continue
        # Behind the last name stands its type; T-SQL's names begin with a mark and need nothing here.
        if not token.text.isidentifier() or (
            before is not piece.tokens[0] and before.token_type is not TokenType.COMMA
        ):
            return
        if word_of(after) != "CURSOR":
            yield token.text


def _all(steps: Steps) -> Iterator[ScriptPiece]:
    for step in steps:
        yield from _pieces(step)


def _pieces(step: Step) -> Iterator[ScriptPiece]:
    match step:
        case Run(piece):
            yield replace(piece, control="transaction") if piece.tokens and _first(piece) == "begin" else piece
        case Test(arms, _):
            for number, arm in enumerate(arms):
                if arm.test is not None:
                    yield replace(arm.test, control="elseif" if number else "if")
                yield from _all(arm.body)
        case Loop(body, piece):
            yield replace(piece, control=_first(piece))
            if step.query is not None and not step.dynamic:
                yield step.query
            yield from _all(body)
        case BeginEnd(body, _):
            yield from _all(body)
            for handler in step.handlers:
                yield from _all(handler.body)
        case Routine():
            yield from _routine(step)
        case Client():
            return
        case _:
            yield _told(step)


def _routine(step: Routine) -> Iterator[ScriptPiece]:
    """What makes a function that is one query is read as a whole; of other routines the body is."""
    body = step.body or ()
    if len(body) == 1 and isinstance(body[0], Jump) and body[0].query and body[0].piece.text is step.piece.text:
        yield replace(step.piece, tokens=(*step.piece.tokens, *body[0].piece.tokens))
        return
    if step.kind != "block" or step.name:
        yield replace(step.piece, control="create program")
    for one in body:
        yield from (one.piece,) if isinstance(one, Jump) and one.piece is one.value else _pieces(one)


def _told(step: Aside | Assign | Declare | Dynamic | Fetch | Jump | Open | RoutineCall) -> ScriptPiece:
    """A step that is a statement of a program, not of SQL; what is SQL of it all the same is read."""
    piece, word = step.piece, _first(step.piece)
    match step:
        case Declare():
            return replace(piece, control="declare")
        case Assign(names, query=query):
            # SET x = 1, and T-SQL's SELECT @x = a, are statements of SQL too; what goes INTO a variable is none.
            plain = names[0][:1] == "@" and word == "select" if query else word == "set" and _settled(piece)
            return piece if plain else replace(piece, control="set")
        case RoutineCall(insert=ScriptPiece()) | Dynamic(insert=ScriptPiece()):
            return piece
        case RoutineCall():
            return replace(piece, control=word if word in ("call", "exec", "execute", "perform") else "call")
        case Jump(kind="commit" | "rollback"):
            return piece if len(word) > 2 else replace(piece, control="transaction")
        case _:
            return replace(piece, control=word or "step")


def _settled(piece: ScriptPiece) -> bool:
    """Whether SET is followed by one name and = alone: SET (a, b) = ... and SET @a += 1 are a program's."""
    kinds = [token.token_type for token in piece.tokens]
    equal = kinds.index(TokenType.EQ) if TokenType.EQ in kinds else 0
    return kinds[1] is not TokenType.L_PAREN and kinds[equal - 1] not in COMPUTING


def _first(piece: ScriptPiece) -> str:
    return word_of(piece.tokens[0]).lower() if piece.tokens else piece.text.split(maxsplit=1)[0].lower()
