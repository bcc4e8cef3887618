"""What is settled when Oracle compiles: $IF ... $THEN ... $END, and functions that a query brings along.

$IF $$debug $THEN INSERT INTO log ... $ELSE ... $END        either may be what runs
WITH FUNCTION f(x NUMBER) RETURN NUMBER IS BEGIN RETURN x * 2; END; SELECT f(a) FROM t
"""

from __future__ import annotations

from dataclasses import replace

from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Arm, BeginEnd, Run, Step, Steps, Test
from mdw.readers.sql.programs.routines import made, nested
from mdw.readers.sql.programs.words import StepReader, Words
from mdw.readers.sql.remote import TRINO

ENDS = words("$ELSIF $ELSE $ERROR $END")
ROUTINES = words("FUNCTION PROCEDURE")


def compiled(this: Words) -> Steps | None:
    """$IF c $THEN ... $ELSIF c $THEN ... $ELSE ... $END, around steps."""
    first = this.at
    arms: list[Arm] = []
    while this.word() in ("$IF", "$ELSIF"):
        begins = this.at + 1
        this.at = this.top(words("$THEN"), begins, this.end)
        test = this.piece(begins, this.at)
        this.at += 1
        arms.append(Arm(test, this.steps(ENDS)))
    head = this.piece(first, first + 1)
    while this.word() in ("$ELSE", "$ERROR"):
        this.at += 1
        arms.append(Arm(None, this.steps(ENDS)))
    this.take("$END")
    return (Test(tuple(arms), head),)


def with_functions(reader: StepReader) -> StepReader:
    """What reads WITH FUNCTION ... SELECT, where an INSERT begins with it too: the functions, then the statement."""

    def found(this: Words) -> Steps | None:
        if this.flavour.name == "snowflake" and this.said(4)[2:] == ["AS", "PROCEDURE"]:
            return _called_once(this)
        if this.flavour.name in TRINO and this.said(2) == ["WITH", "FUNCTION"] and _blocks(this):
            return _with(this, this.at)
        at = _brought(this) if this.grammar.calls else -1
        return _with(this, at) if at >= 0 else reader(this)

    return found


def _called_once(this: Words) -> Steps:
    """WITH p AS PROCEDURE (a INT) ... AS 'body' CALL p(1) (Snowflake): the procedure; the call is the next step."""
    first, end = this.at, this.end
    name = this.tokens[first + 1].text
    this.at += 4
    stop = this.stop()
    this.end = max((at for at in range(this.at, stop) if this.spoken[at] == "CALL"), default=stop)
    found = made(this, first, "PROCEDURE", name)
    this.at, this.end = this.end, end
    return found


def _brought(this: Words) -> int:
    """Where the word WITH stands behind which a statement has functions of its own, -1 if it has none."""
    stop = this.stop()
    at = this.index(TokenType.WITH, this.at, stop)
    while at + 1 < stop and this.spoken[at + 1] not in ROUTINES:
        at = this.index(TokenType.WITH, at + 1, stop)
    return at if at + 1 < stop else -1


def _blocks(this: Words) -> bool:
    """Whether Trino's WITH FUNCTION has a body of statements; one that only returns a value is read as it is."""
    end = this.index(TokenType.SEMICOLON, this.at, this.end)
    return this.top(words("BEGIN"), this.at, end) < end


def _with(this: Words, at: int) -> Steps:
    first, this.at = this.at, at + 1
    found: list[Step] = []
    while this.word() in ROUTINES:
        begins = this.at
        if this.grammar.calls:
            found += nested(this) or ()
        else:
            this.at += 1
            found += made(this, begins, "FUNCTION")
        while this.type() in (TokenType.SEMICOLON, TokenType.COMMA):
            this.at += 1
    begins, this.at = this.at, this.stop(this.at)
    lead = at if this.spoken[begins : begins + 1] == ["SELECT"] else at + 1
    whole = this.piece(first, this.at)
    tokens = (*this.tokens[first:lead], *this.tokens[begins : this.at])
    return (BeginEnd((*found, Run(replace(whole, tokens=tokens))), this.piece(at, at + 1)),)


STEPS = {"$IF": compiled}
