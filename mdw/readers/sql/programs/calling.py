"""Calls of routines, and texts that run: words -> `RoutineCall`s and `Dynamic`s.

CALL p(1, b => 2)                        RoutineCall("p", 1, b: 2)
EXEC @r = p @a = 1, @b = @x OUTPUT       RoutineCall("p", @a: 1, @b: @x, which it gets back), into @r
EXECUTE IMMEDIATE t INTO x USING y       Dynamic(t, y), into x
EXECUTE s (MySQL, after PREPARE s)       Dynamic(s): S is a variable that holds the text
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlglot.tokenizer_core import Token

from mdw.readers.sql.parsing import UnparsedError, parsed
from mdw.readers.sql.phrases.words import identifier, made_words, word_in_place
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.bodies import said_block
from mdw.readers.sql.programs.grammar import CHANGES, STATEMENTS, words
from mdw.readers.sql.programs.jobs import job
from mdw.readers.sql.programs.program import (
    Argument,
    Assign,
    Declare,
    Dynamic,
    Open,
    ProgramVariable,
    RoutineCall,
    Run,
    Steps,
)
from mdw.readers.sql.programs.states import plain
from mdw.readers.sql.programs.words import OPENED, Words

BEHIND_TEXT = words("INTO USING RETURNING RETURN") | {"BULK COLLECT INTO", "OUTPUT"}
RUNNING = {
    "DBC.SYSEXECSQL": 0,
    "DBMS_UTILITY.EXEC_DDL_STATEMENT": 0,
    "DBMS_SQL.PARSE": 1,
    "SYSPROC.ADMIN_CMD": 0,
    "ADMIN_CMD": 0,
}
"""Procedures of databases that run a text, each with its place among their arguments (Teradata, Oracle, Db2)."""
NO_ROUTINES = words("TASK FUNCTION PROCEDURE JOB AS")
NAMES = frozenset((TokenType.VAR, TokenType.IDENTIFIER))


def call(this: Words) -> Steps | None:
    """CALL p(1, b => 2) [INTO :x]."""
    first, last = this.at, this.stop()
    this.at += 1
    return routine(this, first, last)


def execute(this: Words) -> Steps | None:
    """EXEC p 1; EXEC (text); EXECUTE IMMEDIATE text INTO x USING y; EXECUTE macro (1); EXECUTE prepared."""
    if this.said(4)[1:] == ["STATEMENT", "SET", "BEGIN"]:
        # Flink's statements that are run together.
        this.at += 3
        return this.one()
    first, last = this.at, this.stop()
    if this.flavour.name == "oracle" and not this.inside and this.word(1) != "IMMEDIATE":
        last = _end_of_line(this, first, last)
        if this.type(1) is TokenType.COLON:
            return _assigned(this, last)
    return executed(this, first, last)


def _end_of_line(this: Words, first: int, last: int) -> int:
    """EXEC p(1) of SQL*Plus ends with its line, but where that ends with a dash or within parentheses."""
    depth = 0
    for at in range(first + 1, last):
        before = this.tokens[at - 1]
        depth += {OPENED: 1, TokenType.R_PAREN: -1}.get(before.token_type, 0)
        if this.tokens[at].line > before.line and depth == 0 and before.token_type is not TokenType.DASH:
            return at
    return last


def _assigned(this: Words, last: int) -> Steps:
    """EXEC :x := 5 gives a variable of SQL*Plus a value."""
    was = this.inside, this.end
    this.at, this.inside, this.end = this.at + 1, True, last
    found = this.one()
    this.at = last
    this.inside, this.end = was
    return found


def executed(this: Words, first: int, last: int, insert: ScriptPiece | None = None) -> Steps | None:
    """What stands behind an EXECUTE that stands here."""
    short = this.word() == "EXEC"
    this.at += 1
    # Netezza's EXEC p (1) calls a procedure.
    if short and this.flavour.name == "postgres":
        return routine(this, first, last)
    # PL/pgSQL's EXECUTE, within a body, is what others call EXECUTE IMMEDIATE; outside it runs what is prepared.
    if this.take("IMMEDIATE") or (this.grammar.undoes and this.inside):
        return _text(this, first, last, insert)
    if this.word() in NO_ROUTINES:
        return None
    if this.ends is not None:
        return _transact(this, first, last, insert)
    begins = this.at
    name = this.name()
    text = this.piece(begins, this.at)
    # EXECUTE p calls a procedure from Oracle's clients, and runs a macro in Teradata; else it runs what is prepared.
    if this.flavour.name in ("oracle", "teradata", "ansi") and name.upper() not in this.prepared:
        this.at = begins
        return routine(this, first, last)
    if this.prepared.get(name.upper()):
        text = replace(text, tokens=(identifier(text.tokens[0], this.prepared[name.upper()]),))
    using: tuple[Argument, ...] = ()
    if this.take("USING"):
        using = this.arguments(this.at, last)
    elif this.type() is OPENED:
        using = this.arguments(*this.held(this.at))
    this.at = last
    return (Dynamic(text, this.piece(first, last), using, insert=insert),)


def _transact(this: Words, first: int, last: int, insert: ScriptPiece | None) -> Steps | None:
    """EXEC @r = p @a = 1, @b = @x OUTPUT; EXEC (text); EXEC sp_executesql @text, N'@a INT', @a = 1."""
    whole = this.piece(first, last)
    if this.type() is OPENED:
        text, behind = this.piece(*this.held(this.at)), this.closed(this.at)
        this.at = last
        if this.spoken[behind : behind + 1] == ["AT"] and behind + 1 < last and "DATA_SOURCE" not in this.spoken:
            # EXEC ('...') AT far: names are of the other server's tables, as those of OPENQUERY(far, '...') are.
            text = _in_database(text, this.piece(behind + 1, behind + 2).tokens[0].text)
        return (Dynamic(text, whole, insert=insert),)
    begins, name = this.at, this.name()
    into: tuple[str, ...] = ()
    if name[:1] == "@" and this.type() is TokenType.EQ:
        this.at += 1
        into, begins, name = (name,), this.at, this.name()
    if not name or name[0] == "'":
        return None
    # The name is a text if it is a variable: EXEC @proc runs the procedure whose name @PROC holds.
    called = this.piece(begins, this.at)
    end = this.top(words("WITH"), this.at, last)
    given = this.arguments(this.at, end)
    this.at = last
    if name.rpartition(".")[2].strip("[]").upper() == "SP_EXECUTESQL" and given:
        declared = given[1].value if len(given) > 1 else None
        text, parts = given[0].value, name.split(".")
        if len(parts) > 2 and parts[-3].strip("[]"):
            # dw.sys.sp_executesql runs the text in the database DW.
            text = _in_database(text, parts[-3].strip("[]"))
        return (Dynamic(text, whole, given[2:], into, insert, declared),)
    if name.rpartition(".")[2].strip("[]").upper() == "SP_XML_PREPAREDOCUMENT" and len(given) > 1:
        # The number by which OPENXML knows a document stands for it.
        return (Assign(("".join(token.text for token in given[0].value.tokens),), given[1].value, whole),)
    renaming = _renaming(name, given)
    if renaming is not None:
        return (Run(replace(whole, tokens=renaming)),)
    if found := job(name, given, whole):
        return found
    if name[:1] == "@":
        return (Dynamic(called, whole, given, into, insert),)
    return (RoutineCall(name, whole, given, into, insert),)


def _in_database(text: ScriptPiece, database: str) -> ScriptPiece:
    """A text that runs in a database."""
    lead = made_words(text.tokens[0], f"'USE [{database}]; ' +")
    return replace(text, tokens=(*lead, *text.tokens))


def _renaming(name: str, given: Sequence[Argument]) -> tuple[Token, ...] | None:
    """EXEC sp_rename 'dbo.a', 'b' is ALTER TABLE dbo.a RENAME TO b; with 'COLUMN' the last part is that of a column."""
    values = [one.value.tokens[0] for one in given if len(one.value.tokens) == 1]
    if name.rpartition(".")[2].strip("[]").upper() != "SP_RENAME" or len(values) != len(given) or len(values) < 2:
        return None
    kind = values[2].text.upper() if len(values) > 2 else "OBJECT"
    before, after = BRACKETED.sub(r'"\1"', values[0].text), BRACKETED.sub(r"\1", values[1].text)
    table, _, column = before.rpartition(".")
    if kind == "COLUMN":
        return tuple(made_words(values[0], f'ALTER TABLE {table} RENAME COLUMN {column} TO "{after}"'))
    return tuple(made_words(values[0], f'ALTER TABLE {before} RENAME TO "{after}"')) if kind == "OBJECT" else None


BRACKETED = re.compile(r"\[([^\]]+)\]")


def _text(this: Words, first: int, last: int, insert: ScriptPiece | None) -> Steps | None:
    """A text that runs, what is bound to it and where its row goes."""
    block = said_block(this, first, last)
    if block is not None:
        return block
    end = this.top(BEHIND_TEXT, this.at, last)
    text = this.piece(this.at, end)
    into: tuple[str, ...] = ()
    using: tuple[Argument, ...] = ()
    this.at = end
    while this.at < last:
        if this.take_one(words("RETURNING RETURN OUTPUT")):
            continue
        if this.take_one(frozenset(("INTO", "BULK COLLECT INTO"))):
            this.take("STRICT")
            into = this.names()
            continue
        if not this.take("USING"):
            break
        end = this.top(BEHIND_TEXT - {"OUTPUT"}, this.at, last)
        if this.type() is OPENED and this.closed(this.at) == end:
            using = this.arguments(this.at + 1, end - 1)
        else:
            using = this.arguments(this.at, end)
        this.at = end
    this.at = last
    return (Dynamic(text, this.piece(first, last), using, into, insert),)


def routine(this: Words, first: int, last: int) -> Steps | None:
    """A name, and what is given to it in parentheses, where nothing but INTO is behind it."""
    if this.type() is TokenType.STRING or this.word() in STATEMENTS:
        return None
    name = this.name()
    given: tuple[Argument, ...] = ()
    if this.type() is OPENED and this.at < last:
        end = this.closed(this.at)
        given = this.arguments(*this.held(this.at))
        this.at = end
    into: tuple[str, ...] = ()
    if this.at < last and this.take("INTO"):
        into = this.names()
    if not name or this.at != last:
        return None
    place = RUNNING.get(name.upper().rpartition("SYS.")[2], len(given))
    if place < len(given) and name.upper().endswith("DBMS_SQL.PARSE"):
        # What the text gives is asked for by the number that stands for its cursor.
        return (Open(plain(given[0].value), this.piece(first, last), given[place].value, dynamic=True),)
    if place < len(given):
        return (Dynamic(given[place].value, this.piece(first, last), into=into),)
    whole = this.piece(first, last)
    return job(name, given, whole) or (RoutineCall(name, whole, given, into),)


def ran_into(this: Words, first: int, last: int, name: str) -> Steps:
    """What EXECUTE IMMEDIATE, or CALL, in parentheses gives a variable (Snowflake)."""
    this.at = first
    found = (routine(this, first, last) if this.take("CALL") else executed(this, first, last)) or ()
    this.at = max(last + 1, this.at)
    return tuple(replace(one, into=(name,)) for one in found if isinstance(one, Dynamic | RoutineCall))


def declared(this: Words, one: ProgramVariable, first: int, last: int) -> Steps:
    """A declaration; of RESULTSET := (EXECUTE IMMEDIATE t) two steps, a declaration and what is run into it."""
    if one.query is not None and word_of(one.query.tokens[0]) == "EXECUTE":
        begins = this.index(TokenType.EXECUTE, first, last)
        ran = ran_into(this, begins, last - 1, one.name)
        this.at = last
        if ran:
            return (Declare((replace(one, query=None),), this.piece(first, begins)), *ran)
    return (Declare((one,), this.piece(first, last)),)


def perform(this: Words) -> Steps | None:
    """PERFORM f(1) (PL/pgSQL): a call, or a query of which nobody wants the rows."""
    first, last = this.at, this.stop()
    this.at += 1
    if this.word() in CHANGES:
        # Vertica's, of a change.
        this.at = last
        return (Run(this.piece(first + 1, last)),)
    if this.word() in ("COMMIT", "ROLLBACK"):
        return this.one()
    found = routine(this, first, last) if this.type(1) in (OPENED, TokenType.DOT) else None
    if found is None:
        word = this.tokens[first]
        made = word_in_place(word, TokenType.SELECT, "SELECT")
        this.at = last
        whole = this.piece(first, last)
        return (Run(replace(whole, tokens=(made, *whole.tokens[1:]))),)
    return found


def prepare(this: Words) -> Steps | None:
    """PREPARE s FROM text (MySQL): s is the text that EXECUTE s runs.

    Of PREPARE s AS SELECT ... (DuckDB, PostgreSQL), or FROM SELECT ... (Trino), the statement is that text.
    """
    first, last = this.at, this.stop()
    this.at += 1
    name = this.name()
    if this.type() is OPENED:
        # The types of what it is given (PostgreSQL).
        this.at = this.closed(this.at)
    if not this.take_one(words("FROM AS")) or this.at >= last:
        return None
    begins, this.at = this.at, last
    whole = this.piece(first, last)
    if this.spoken[begins] not in STATEMENTS and this.types[begins] is not OPENED:
        this.prepared[name.upper()] = ""
        return (Assign((name,), this.piece(begins, last), whole),)
    try:
        parsed(this.piece(begins, last), this.flavour)
    except UnparsedError:
        # Told of where it stands: whether anybody runs it is not known.
        return None
    # No column is called so, as one may be that is called as what is prepared.
    this.prepared[name.upper()] = f"prepared {name}"
    lead = this.tokens[begins]
    said = this.text[lead.start : this.tokens[last - 1].end + 1]
    text = Token(TokenType.STRING, said, lead.line, lead.col, start=lead.start, end=this.tokens[last - 1].end)
    return (Assign((this.prepared[name.upper()],), replace(whole, tokens=(text,)), whole),)


STEPS = {
    "CALL": call,
    **dict.fromkeys(("EXEC", "EXECUTE"), execute),
    "PERFORM": perform,
    "PREPARE": prepare,
}
