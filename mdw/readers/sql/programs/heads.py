"""The heads of procedures and functions, between their arguments and their body.

    RETURNS TABLE (a INT) LANGUAGE plpgsql STABLE AS $$ ...       returns="TABLE", columns=(("a", "INT"),)
    RETURNS @r TABLE (a INT) AS BEGIN ...                         and @R is declared, which the body fills (T-SQL)

What it does not know it passes over, up to AS, BEGIN or the first word of a body.
"""

from __future__ import annotations

from dataclasses import dataclass

from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.bodies import TEXTS
from mdw.readers.sql.programs.declaring import columns, variables_of
from mdw.readers.sql.programs.grammar import STATEMENTS, words
from mdw.readers.sql.programs.program import ProgramVariable, Trigger
from mdw.readers.sql.programs.words import OPENED, Words

NOTHING = ScriptPiece((), "")
BODIES = words("BEGIN DECLARE AS IS")
LABELLED = words("BEGIN LOOP WHILE REPEAT FOR")
DIRECTLY = STATEMENTS - words("WITH VALUES REPLACE") | words("CALL IF WHILE LOOP REPEAT CASE SIGNAL RETURN")
"""What a body may begin with that nothing stands before (MySQL, Teradata, Spark)."""
OWN = words("WITH REPLACE VALUES SET DO RESET")
"""The same in MySQL alone, where a head says nothing by these words."""
TYPE_ENDS = (
    BODIES
    | DIRECTLY
    | words("""
    LANGUAGE WITH DETERMINISTIC IMMUTABLE STABLE VOLATILE STRICT CALLED SECURITY PARALLEL COST ROWS SET NOT COMMENT
    CONTAINS READS MODIFIES NO SPECIFIC PIPELINED PARALLEL_ENABLE RESULT_CACHE AUTHID OPTIONS EXECUTE RUNTIME_VERSION
    HANDLER PACKAGES IMPORTS LEAKPROOF WINDOW MEMOIZABLE SQL AGGREGATE
""")
    | {"SQL SECURITY"}
)


@dataclass(slots=True)
class RoutineHead:
    """What the head of a routine says, and what its body adds to that; ``piece`` is the head, or all that is read.

    ``result`` is the table that it declares to give back, ``told`` where.
    """

    returns: str = ""
    columns: tuple[tuple[str, str], ...] = ()
    language: str = ""
    result: ProgramVariable | None = None
    told: ScriptPiece | None = None
    piece: ScriptPiece = NOTHING
    trigger: Trigger | None = None
    variables_first: bool | None = None


def head_of(this: Words) -> RoutineHead:
    """What is said up to the body."""
    found = RoutineHead()
    while this.at < this.end and this.type() is not TokenType.SEMICOLON:
        word = this.word()
        if word == "RETURNS" or (word == "RETURN" and this.grammar.calls and not found.returns):
            _returns(this, found)
        elif word == "LANGUAGE":
            found.language = this.tokens[this.at + 1].text if this.at + 1 < this.end else ""
            this.at += 2
        elif word == "EXECUTE" and this.word(1) == "AS":
            this.at += 3
        elif word in BODIES or _begins(this, word):
            break
        elif this.type() is OPENED:
            this.at = this.closed(this.at)
        else:
            this.at += 1
    this.at = min(this.at, this.end)
    return found


def _begins(this: Words, word: str) -> bool:
    """Whether a body begins with a word that nothing stands before, or with the label of a block."""
    labelled = this.type(1) is TokenType.COLON and this.word(2) in LABELLED
    own = this.flavour.name == "mysql" and word in OWN
    return labelled or own or (word in DIRECTLY and this.ends is None)


def _returns(this: Words, found: RoutineHead) -> None:
    """RETURNS type, RETURNS TABLE (a INT), RETURNS @t TABLE (a INT), RETURNS NULL ON NULL INPUT."""
    this.at += 1
    if this.take("NULL", "ON", "NULL", "INPUT"):
        return
    first = this.at
    if this.type() is TokenType.PARAMETER:
        name = this.name()
        if this.take("TABLE") and this.type() is OPENED:
            found.columns = columns(this, this.at)
            found.result = ProgramVariable(name, "TABLE", kind="table", columns=found.columns)
            found.told = this.piece(first, this.at)
        found.returns = "TABLE"
        return
    if this.word() == "TABLE" and this.type(1) is OPENED:
        this.at += 1
        found.columns = columns(this, this.at)
        found.returns = "TABLE"
        return
    while this.at < this.end and this.type() is not TokenType.SEMICOLON:
        if (this.word() in TYPE_ENDS and this.at > first) or this.type() in TEXTS:
            break
        this.at = this.closed(this.at) if this.type() is OPENED else this.at + 1
    found.returns = this.written(first, this.at)


def open_arguments(this: Words) -> tuple[ProgramVariable, ...]:
    """T-SQL's arguments without parentheses, up to AS, WITH or FOR."""
    first = this.at
    last = this.top(words("AS WITH FOR"), first, this.end)
    while last < this.end and this.word(last - this.at) == "AS" and _typed(this, last):
        last = this.top(words("AS WITH FOR"), last + 1, this.end)
    found = variables_of(this, first, last)
    this.at = last
    return found


def _typed(this: Words, at: int) -> bool:
    """Whether an AS stands between the name of an argument and its type: @a AS INT."""
    return (
        this.types[at - 2] is TokenType.PARAMETER
        and (at - 3 < 0 or this.types[at - 3] is not TokenType.EQ)
        and this.types[at - 1] is TokenType.VAR
    )
