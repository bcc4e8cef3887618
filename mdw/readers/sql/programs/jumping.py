"""Where programs go: RETURN, EXIT, GOTO, COMMIT; and what moves neither data nor the program."""

from __future__ import annotations

from dataclasses import replace

from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.grammar import CHANGES, QUERIES, words
from mdw.readers.sql.programs.program import Aside, Assign, Jump, JumpKind, Step, Steps
from mdw.readers.sql.programs.words import OPENED, Words

KINDS: dict[str, JumpKind] = {
    "EXIT": "exit",
    "QUIT": "exit",
    "LEAVE": "exit",
    "BREAK": "exit",
    "CONTINUE": "continue",
    "ITERATE": "continue",
    "GOTO": "goto",
}
WORK = words("WORK TRAN TRANSACTION")


def returned(this: Words) -> Steps | None:
    """RETURN x; RETURN (SELECT ...); RETURN QUERY ...; RETURN NEXT x; RETURN TABLE (...)."""
    first, last = this.at, this.stop()
    this.at += 1
    kind: JumpKind = "return"
    run = False
    if this.take("QUERY"):
        kind = "give"
        run = this.take("EXECUTE")
        last = this.top(words("USING"), this.at, last) if run else last
    elif this.take("NEXT"):
        kind = "give"
    elif this.word() == "TABLE" and this.type(1) is OPENED:
        this.at += 1
        if this.word(1) == "RESULTSET_FROM_CURSOR" and this.type(2) is OPENED:
            # The rows of a cursor (Snowflake).
            this.at += 2
            last = this.closed(this.at)
    stop = this.stop(first)
    found = value(this, first, last, kind, run)
    this.at = stop
    return (replace(found, using=this.arguments(last + 1, stop)) if run and last < stop else found,)


def value(this: Words, first: int, last: int, kind: JumpKind = "return", run: bool = False) -> Jump:
    """What stands here, in parentheses or not, as what a routine gives: a query, or an expression."""
    begins, end = this.at, last
    while begins < end and this.types[begins] is OPENED and this.closed(begins) == end:
        begins, end = begins + 1, end - 1
    this.at = begins
    # One word alone is a name. RETURN QUERY may have a change: its rows are those of its RETURNING (PL/pgSQL).
    asked = (
        not run and this.type(1) is not None and (this.word() in QUERIES or (kind == "give" and this.word() in CHANGES))
    )
    given = this.some(begins, end)
    this.at = last
    return Jump(kind, this.piece(first, last), value=given, query=asked, dynamic=run)


def piped(this: Words) -> Steps | None:
    """PIPE ROW (x) (PL/SQL)."""
    first, last = this.at, this.stop()
    if this.word(1) != "ROW":
        return None
    this.at += 2
    found = value(this, first, last, "give")
    this.at = last
    return (found,)


def jump(this: Words) -> Steps | None:
    """EXIT l WHEN c; LEAVE l; CONTINUE; GOTO l. EXIT outside of programs ends the script."""
    word, first, last = this.word(), this.at, this.stop()
    if not this.inside and this.ends is None and word not in ("EXIT", "QUIT", "LEAVE", "ITERATE"):
        return None
    this.at += 1
    label = ""
    if this.at < last and this.word() != "WHEN":
        label = this.name()
    test = None
    if this.at < last and this.take("WHEN"):
        test = this.piece(this.at, last)
    this.at = last
    kind = KINDS[word]
    if kind == "exit" and not this.inside and this.ends is None:
        kind, label = "return", ""
    return (Jump(kind, this.piece(first, last), label, test),)


def ended(this: Words) -> Steps | None:
    """COMMIT, ROLLBACK TO SAVEPOINT s."""
    kind: JumpKind = "rollback" if this.word() in ("ROLLBACK", "ABORT") else "commit"
    first, last = this.at, this.stop()
    this.at += 1
    # ROLLBACK TRAN s (T-SQL) names a savepoint, or a transaction.
    saved = bool(this.take_one(WORK)) and this.ends is not None
    if this.take("TO"):
        this.take_one(words("SAVEPOINT"))
        saved = True
    label = this.name() if kind == "rollback" and saved and this.at < last else ""
    this.at = last
    return (Jump(kind, this.piece(first, last), label),)


def teradata(this: Words) -> Steps | None:
    """BT; ... ET; are a transaction (Teradata); elsewhere, and with more behind them, they are names."""
    if this.flavour.name != "teradata" or this.type(1) not in (None, TokenType.SEMICOLON):
        return None
    this.at += 1
    piece = this.piece(this.at - 1, this.at)
    return (Jump("commit", piece) if this.tokens[this.at - 1].text.upper() == "ET" else Aside(piece),)


def beside(this: Words) -> Steps | None:
    """ASYNC (INSERT ...) runs a statement while the program goes on (Snowflake)."""
    if this.flavour.name != "snowflake" or this.type(1) is not OPENED:
        return None
    was, end = this.end, this.closed(this.at + 1, statements=True)
    this.at, this.end = this.at + 2, end - 1
    found = this.one()
    this.at, this.end = end, was
    return found


def aside(this: Words) -> Steps | None:
    """PRINT, NULL, CLOSE c and the like."""
    session = this.grammar.transacts and this.grammar.sections and this.word() in ("CLOSE", "MOVE")
    if not this.inside and this.ends is None and not session:
        return None
    if this.type(1) is TokenType.COLON_EQ or this.type(1) is TokenType.DOT:
        return None
    first, last = this.at, this.stop()
    this.at = last
    return (Aside(this.piece(first, last)),)


def awaited(this: Words) -> Steps | None:
    """WAITFOR (RECEIVE ... INTO @t), TIMEOUT 10 takes messages of a queue, however long that waits (T-SQL)."""
    if this.type(1) is not OPENED or this.word(2) != "RECEIVE":
        return aside(this)
    last, was = this.stop(), this.end
    this.at, this.end = this.at + 2, this.closed(this.at + 1, statements=True) - 1
    found = this.one()
    this.at, this.end = last, was
    return found


def saved(this: Words) -> Steps | None:
    """SAVEPOINT s, RELEASE SAVEPOINT s: what is done from here on may be taken back alone; DEALLOCATE PREPARE s."""
    first, last = this.at, this.stop()
    # SAVEPOINT s UNIQUE ON ROLLBACK RETAIN CURSORS (Db2)
    if last - first not in (2, 3) and "ON ROLLBACK RETAIN" not in " ".join(this.spoken[first:last]):
        return None
    this.at = last
    return (Aside(this.piece(first, last)),)


def switched(this: Words) -> Steps | None:
    """DISABLE TRIGGER a ON t (T-SQL)."""
    return aside(this) if this.word(1) == "TRIGGER" else None


def diagnostics(this: Words) -> Steps | None:
    """GET DIAGNOSTICS n = ROW_COUNT."""
    first, last = this.at, this.stop()
    place = this.top(words("DIAGNOSTICS"), first, last)
    if place == last:
        return None
    found: list[Step] = []
    for begin, end in this.parted(place + 1, last):
        this.at = begin
        if this.take_one(words("CONDITION EXCEPTION")):
            this.name()
        name = this.name()
        if this.type() not in (TokenType.EQ, TokenType.COLON_EQ):
            found = []
            break
        found.append(Assign((name,), this.piece(this.at + 1, end), this.piece(begin if found else first, end)))
    this.at = last
    return tuple(found) or (Aside(this.piece(first, last)),)


STEPS = {
    "RETURN": returned,
    "PIPE": piped,
    "ASYNC": beside,
    **dict.fromkeys(KINDS, jump),
    **dict.fromkeys(("COMMIT", "ROLLBACK", "ABORT"), ended),
    **dict.fromkeys(("BT", "ET"), teradata),
    **dict.fromkeys(
        words("PRINT NULL CLOSE ASSOCIATE ALLOCATE ASSERT SAVE PRAGMA MOVE DBCC KILL CHECKPOINT AWAIT"),
        aside,
    ),
    "WAITFOR": awaited,
    **dict.fromkeys(("SAVEPOINT", "RELEASE", "DEALLOCATE"), saved),
    **dict.fromkeys(("DISABLE", "ENABLE"), switched),
    "GET": diagnostics,
}
