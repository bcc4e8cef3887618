"""Blocks, their handlers and labels; and what is left of a block whose beginning is missing.

BEGIN a; EXCEPTION WHEN x THEN b; END;                  BeginEnd((a,), handlers=(Handler("x", (b,)),))
BEGIN DECLARE EXIT HANDLER FOR x b; a; END;             the same
BEGIN TRY a END TRY BEGIN CATCH b END CATCH             the same, its handler for anything
outer: LOOP ... END LOOP outer;                         Loop(label="outer")
"""

from __future__ import annotations

from dataclasses import replace

from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.assigning import given
from mdw.readers.sql.programs.declaring import declarations, section
from mdw.readers.sql.programs.grammar import ENDED, LOOPS, STATEMENTS, TALKS, TRANSACTIONS, words
from mdw.readers.sql.programs.jumping import aside, ended
from mdw.readers.sql.programs.program import BeginEnd, Handler, Jump, Loop, Run, Steps
from mdw.readers.sql.programs.words import Words

BLOCK = words("END EXCEPTION")
HANDLED = words("WHEN END")


# -- blocks ------------------------------------------------------------------------------------------------------------


def begin(this: Words) -> Steps | None:
    """BEGIN ... EXCEPTION WHEN ... END; BEGIN TRY ... END TRY BEGIN CATCH ... END CATCH."""
    # BEGIN TRAN, BEGIN; and the like begin a transaction: no block, and no END belongs to them.
    after = this.word(1)
    # Teradata's BEGIN LOADING t is ended by END LOADING.
    if (
        after in TRANSACTIONS | TALKS
        or after == "LOADING"
        or (this.type(1) in (TokenType.SEMICOLON, None) and not this.inside)
    ):
        return None
    if this.grammar.transacts and not this.inside:
        return None
    first = this.at
    this.at += 1
    if after == "TRY":
        return _tried(this, first)
    this.take("NOT")
    this.take("ATOMIC")
    this.take("AUTOCOMMIT", "ON")
    if this.flavour.name == "teradata":
        this.take("REQUEST")
    if this.take("STATEMENT", "SET"):
        # Flink's statements that are run together.
        this.at += this.type() is TokenType.SEMICOLON
    head, was, outer = this.piece(first, this.at), this.inside, this.handlers
    this.inside, this.handlers = True, []
    # MySQL's handlers are declared among the steps and gather in ``this.handlers``; Oracle's stand behind them.
    body = this.steps(BLOCK)
    handlers = (*excepted(this), *this.handlers)
    this.closing()
    this.inside, this.handlers = was, outer
    return (BeginEnd(body, head, handlers=handlers, undoes=this.grammar.undoes and bool(handlers)),)


def excepted(this: Words) -> tuple[Handler, ...]:
    """EXCEPTION WHEN a OR b THEN ..., up to END."""
    if not this.take("EXCEPTION"):
        return ()
    found = []
    while this.take("WHEN"):
        first = this.at
        this.at = this.top(words("THEN"), first, this.end)
        said = this.written(first, this.at)
        goes_on = said.upper().endswith(" CONTINUE")
        this.take("THEN")
        head = this.piece(first - 1, this.at)
        found.append(Handler(said, this.steps(HANDLED), head, goes_on))
    return tuple(found)


def _tried(this: Words, first: int) -> Steps:
    this.take("TRY")
    head, was = this.piece(first, this.at), this.inside
    this.inside = True
    body = this.steps(words("END"))
    this.closing()
    while this.type() is TokenType.SEMICOLON and this.type(1) is TokenType.BEGIN:
        this.at += 1
    handlers: tuple[Handler, ...] = ()
    begins = this.at
    if this.take("BEGIN", "CATCH"):
        caught = this.piece(begins, this.at)
        handlers = (Handler("CATCH", this.steps(words("END")), caught),)
        this.closing()
    this.inside = was
    return (BeginEnd(body, head, "", handlers),)


def declare(this: Words) -> Steps | None:
    """DECLARE: a list that stands before a block, a statement, or a handler."""
    handler = _handler(this)
    if handler is not None:
        return handler
    if this.said(4)[1:] == ["GLOBAL", "TEMPORARY", "TABLE"]:
        return None
    if this.grammar.sections and not (this.grammar.transacts and not this.inside):
        declared = section(this)
        if this.word() != "BEGIN":
            return declared or None
        this.inside, was = True, this.inside
        block = begin(this)
        this.inside = was
        if block is not None and isinstance(block[0], BeginEnd):
            return (replace(block[0], body=(*declared, *block[0].body)),)
        return declared or None
    return declarations(this)


def _handler(this: Words) -> Steps | None:
    """DECLARE EXIT HANDLER FOR NOT FOUND statement."""
    if this.word(2) != "HANDLER" or this.word(1) not in ("EXIT", "CONTINUE", "UNDO"):
        return None
    goes_on = this.word(1) == "CONTINUE"
    # FOR SQLSTATE '02000', NOT FOUND: the conditions have no end of their own, so the body's first word is looked for.
    begins, first = this.at, this.at + 4
    this.at = first
    while this.at < this.end and this.word() not in HANDLERS and this.type() is not TokenType.SEMICOLON:
        this.at += 1
    said, head = this.written(first, this.at), this.piece(begins, this.at)
    body = this.step() if this.at < this.end and this.type() is not TokenType.SEMICOLON else ()
    # It is no step: the block around it takes it (see `begin`).
    this.handlers.append(Handler(said, body, head, goes_on))
    return ()


HANDLERS = STATEMENTS | words("BEGIN SET CALL RESIGNAL SIGNAL LEAVE ITERATE ROLLBACK COMMIT IF CLOSE INSERT GET RETURN")


# -- labels and leftovers ----------------------------------------------------------------------------------------------


def labelled(this: Words) -> Steps | None:
    """<<name>> (PL/SQL, PL/pgSQL) before a loop, a block or any step."""
    if this.type(1) is not TokenType.LT or this.type(3) is not TokenType.GT:
        return None
    first = this.at
    label = this.written(first + 2, first + 3)
    this.at += 5
    return _marked(this, first, label)


def colon(this: Words) -> Steps | None:
    """name: before a loop, a block or any step."""
    if this.type(1) is not TokenType.COLON or this.type() not in (TokenType.VAR, TokenType.IDENTIFIER):
        return None
    first = this.at
    label = this.written(first, first + 1)
    this.at += 2
    return _marked(this, first, label)


def _marked(this: Words, first: int, label: str) -> Steps:
    marked = this.piece(first, this.at)
    begins, word = this.at, this.word()
    # A label before a loop or a block names it, for EXIT and CONTINUE; before anything else it is for GOTO.
    if word in LOOPS or word in ("BEGIN", "DECLARE"):
        found = this.table[word](this)
        if found is not None and isinstance(found[0], BeginEnd | Loop):
            head = found[0].piece
            if word != "DECLARE":
                head = replace(head, tokens=(*marked.tokens, *head.tokens))
            return (replace(found[0], label=label, piece=head), *found[1:])
        this.at = begins
    return (Jump("label", marked, label),)


def stray(this: Words) -> Steps | None:
    """END, ELSE or EXCEPTION of which the beginning is missing: what they hold is read on."""
    word = this.word()
    if word == "END" and this.word(1) in ENDED:
        return None if this.word(1) in TALKS else ended(this)
    if word == "END" and this.grammar.transacts and not this.inside and this.type(1) in (None, TokenType.SEMICOLON):
        return None
    if word == "END":
        this.closing()
        return ()
    this.at += 1
    return ()


def half(this: Words) -> Steps | None:
    """WHEN c THEN, ELSIF c THEN and UNTIL c of which the beginning is missing."""
    first = this.at
    stop = this.stop(first + 1)
    last = this.top(words("THEN"), first + 1, stop)
    this.at = last + 1 if last < stop else stop
    piece = this.piece(first, this.at)
    return (Run(replace(piece, message="no SQL: a part of a block whose beginning is missing")),)


def other(this: Words) -> Steps | None:
    """What no word begins: a label, an assignment, a call."""
    found = colon(this)
    if found is None and this.inside and this.word().startswith("SYSTEM$"):
        # Snowflake's SYSTEM$LOG('info', 'x') is called by its name alone.
        return aside(this)
    if found is None and this.inside:
        found = given(this)
    return found


STEPS = {
    "BEGIN": begin,
    "DECLARE": declare,
    "<": labelled,
    "": other,
    **dict.fromkeys(("END", "ELSE", "EXCEPTION"), stray),
    **dict.fromkeys(words("WHEN UNTIL ELSEIF ELSIF ELIF"), half),
}
