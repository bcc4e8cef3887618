"""What gives variables values: assignments, queries into them, cursors; words -> steps.

    SET @x = 1, @y = @x                            Assign(@x, 1), Assign(@y, @x)
    SELECT a, b INTO x, y FROM t                   Assign((x, y), "SELECT a, b FROM t", query=True)
    SELECT @x = a, @y += b FROM t  (T-SQL)         Assign((@x, @y), "SELECT a, @y + b FROM t", query=True)
    UPDATE t SET a = 1 RETURNING b INTO x          Run("UPDATE t SET a = 1 RETURNING b", into=(x,))

A reader that returns None leaves the words to be read as a statement of SQL: `SET` may set an option, and outside of
programs ``SELECT ... INTO`` makes a table. It need not put back how far it has read (see `Words.step`).
"""

from __future__ import annotations

import re
from dataclasses import replace

from mdw.readers.sql.phrases.words import identifier, made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.beside import BESIDE, beside, changed_beside
from mdw.readers.sql.programs.calling import declared, executed, ran_into, routine
from mdw.readers.sql.programs.declaring import cursor_of, item
from mdw.readers.sql.programs.grammar import QUERIES, words
from mdw.readers.sql.programs.program import (
    Argument,
    Aside,
    Assign,
    Declare,
    Fetch,
    Open,
    Run,
    Step,
    Steps,
)
from mdw.readers.sql.programs.words import OPENED, PREFIXES, Words
from mdw.readers.sql.variables import set_by

INTO = TokenType.INTO
EQUALS = frozenset((TokenType.EQ, TokenType.COLON_EQ))
COMPUTING = frozenset((TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH, TokenType.MOD))
FLAGS = words("ON OFF")
OF_SESSION = re.compile(r"(?i)\A(?:system\.)?session\.")
"""What may stand before the name of a variable of Spark's."""
MAKING = words("OUTFILE DUMPFILE TEMP TEMPORARY UNLOGGED TABLE")
"""What stands behind the INTO of a query that goes into a file or a table."""


def sets(this: Words) -> Steps | None:
    """SET x = 1; SET (a, b) = (SELECT ...); SET VAR x = 1; T-SQL's SET @x += 1."""
    first, last = this.at, this.stop()
    this.at += 1
    if this.flavour.name == "mysql" and this.word() == "STATEMENT":
        # MariaDB's SET STATEMENT a = 1, b = 2 FOR SELECT ...: what holds for one statement.
        this.at = min(this.top(words("FOR"), this.at, last) + 1, last)
        return this.one()
    told = bool(this.take_one(words("VAR VARIABLE")))
    if this.type() is OPENED:
        return _several(this, first, last)
    if this.ends is not None and this.type(1) is TokenType.COMMA and this.spoken[last - 1] in FLAGS:
        # SET NOCOUNT, XACT_ABORT ON: options of the session.
        this.at = last
        return (Aside(this.piece(first, last)),)
    found: list[Step] = []
    for begin, end in this.parted(this.at, last):
        this.at = begin
        marked = this.type() in PREFIXES
        name = this.name()
        if told and this.flavour.name in ("spark", "databricks"):
            name = OF_SESSION.sub("", name)
        if told and this.flavour.name == "duckdb":
            name = set_by(name.strip('"'))
        # Outside of programs a plain name behind SET is an option of the session, but in these two.
        if not (marked or told or this.inside or this.flavour.name in ("snowflake", "bigquery")):
            return None
        if this.type() in COMPUTING and this.type(1) is TokenType.EQ:
            # SET @x += 1 gives @x + 1: the words of the name and the sign stand before the value's.
            value = this.piece(this.at + 2, end)
            value = replace(value, tokens=(*this.tokens[begin : this.at + 1], *value.tokens))
        elif this.ends is not None and this.type() is TokenType.EQ and this.word(1) == "CURSOR":
            # SET @c = CURSOR FOR SELECT ...
            this.at += 1
            found.append(Declare((cursor_of(this, name, end),), this.piece(first if not found else begin, end)))
            continue
        elif this.type() in EQUALS and this.at + 1 < end:
            value = this.piece(this.at + 1, end)
        else:
            return None
        found.append(Assign((name,), value, this.piece(first if not found else begin, end)))
    this.at = last
    return tuple(found) or None


def _several(this: Words, first: int, last: int) -> Steps | None:
    """SET (a, b) = (SELECT x, y ...)."""
    end = this.closed(this.at)
    this.at += 1
    names = this.names()
    this.at = end
    if this.type() is not TokenType.EQ:
        return None
    begins = end + 1
    value = _inner(this, begins, last)
    this.at = last
    whole = this.piece(first, last)
    if value is not None and value.tokens and word_of(value.tokens[0]) in QUERIES:
        return (Assign(names, value, whole, query=True),)
    parts = list(this.parted(begins + 1, last - 1)) if value is not None else []
    if len(parts) != len(names):
        return (Assign(names, this.piece(begins, last), whole),)
    return tuple(
        Assign((name,), this.piece(*part), this.piece(part[0] if number else first, part[1]))
        for number, (name, part) in enumerate(zip(names, parts, strict=True))
    )


def _inner(this: Words, first: int, last: int) -> ScriptPiece | None:
    """What stands in the parentheses that are all of a part."""
    if first < last and this.types[first] is OPENED and this.closed(first) == last:
        return this.piece(first + 1, last - 1)
    return None


def let(this: Words) -> Steps | None:
    """LET x INT := 1; LET c CURSOR FOR query; LET rs RESULTSET := (query) (Snowflake)."""
    first, last = this.at, this.stop()
    found = item(this, first + 1, last)
    this.at = last
    if found is None:
        return None
    return declared(this, found, first, last)


def _arrow(this: Words) -> Steps | None:
    """a, b <- SELECT x, y FROM t (Vertica)."""
    first = this.at
    names = this.names() if this.flavour.name == "postgres" and this.inside else ()
    if names and this.type() is TokenType.LT and this.type(1) is TokenType.DASH and this.word(2) in QUERIES:
        begins, this.at = this.at + 2, this.stop()
        return (Assign(names, this.piece(begins, this.at), this.piece(first, this.at), query=True),)
    this.at = first
    return None


def given(this: Words) -> Steps | None:
    """name := value; a.b(1) := value; in PL/pgSQL name = value too. Of other words: a call, where names are calls."""
    if (found := _arrow(this)) is not None:
        return found
    first, name = this.at, this.name()
    while this.type() in (OPENED, TokenType.L_BRACKET) and name:
        end = this.closed(this.at)
        # v(1) := x gives an element a value; p(1) with anything else behind it is a call.
        if this.type() is OPENED and end < this.end and this.types[end] not in (*EQUALS, TokenType.DOT):
            break
        this.at = end
        if this.type() is TokenType.DOT:
            this.at += 2
    equal = this.type() is TokenType.EQ and (this.grammar.assigns or this.flavour.name == "ansi")
    if this.type() is TokenType.COLON_EQ or equal:
        name, begins, last = this.written(first, this.at), this.at + 1, this.stop()
        if equal and this.flavour.name == "ansi" and this.word(1) in QUERIES:
            return _rows_given(this, name, first, last)
        if this.type(1) is OPENED and this.word(2) in ("EXECUTE", "CALL"):
            ran, whole = ran_into(this, *this.held(begins), name), this.piece(first, this.at)
            if ran:
                return tuple(replace(one, piece=whole) for one in ran)
        this.at = last
        # v := SELECT MAX(a) FROM s, without parentheses (Vertica)
        asked = this.spoken[begins : begins + 1] != [] and this.spoken[begins] in QUERIES
        return (Assign((name,), this.piece(begins, last), this.piece(first, last), query=asked),)
    if not this.grammar.calls:
        return None
    this.at = first
    return routine(this, first, this.stop())


def _rows_given(this: Words, name: str, first: int, last: int) -> Steps:
    """SAP HANA's x = SELECT ...: rows that others read by FROM :x."""
    lead, asked = this.tokens[first], this.tokens[this.at + 1 : last]
    made = (*made_words(lead, "CREATE TEMPORARY TABLE"), identifier(lead, f"@{name}"), *made_words(lead, "AS"), *asked)
    this.at = last
    return (Run(replace(this.piece(first, last), tokens=made)),)


def query(this: Words) -> Steps | None:
    """SELECT ... INTO x, y FROM ...; T-SQL's SELECT @x = a, @y = b FROM ..."""
    first, last = this.at, this.stop()
    if this.flavour.name in BESIDE and this.index(TokenType.COLON_EQ, first, last) < last:
        found = beside(this, first, last)
        if found is not None:
            return found
        this.at = first
    if this.flavour.name == "postgres" and this.said(4)[1:] == ["CRON", ".", "SCHEDULE"]:
        # SELECT cron.schedule('j', '0 3 * * *', 'CALL load()') is a call of which nobody wants the number.
        this.at += 1
        found = routine(this, first, last)
        if found is not None:
            return found
        this.at = first
    if not (this.inside or this.grammar.into_anywhere):
        return None
    if this.ends is not None:
        return _selected(this, first, last)
    at = _into(this, first, last)
    if at == last:
        return None
    # INTO temp FROM t: a variable may be called so.
    named = this.spoken[at + 2 : min(at + 3, last)] in (["FROM"], [","], [])
    if at + 1 >= last or (word_of(this.tokens[at + 1]) in MAKING and not named):
        return None
    this.at = at + 1
    this.take("STRICT")
    names = this.names()
    tokens = (*this.tokens[first:at], *this.tokens[this.at : last])
    value = ScriptPiece(tokens, this.text, this.offset, arrays=this.arrays)
    this.at = last
    return (Assign(names, value, this.piece(first, last), query=True, keeps=this.grammar.keeps),)


def received(this: Words) -> Steps | None:
    """RECEIVE TOP (1) @b = message_body FROM q (T-SQL)."""
    return _selected(this, this.at, this.stop()) if this.ends is not None else None


def values_given(this: Words) -> Steps | None:
    """VALUES (a, b) INTO x, y (Db2)."""
    if not this.inside or this.flavour.name != "ansi":
        return None
    first, last = this.at, this.stop()
    at = _into(this, first, last)
    if at == last or at + 1 >= last:
        return None
    this.at = at + 1
    names = this.names()
    begins = first + 1
    inner = this.held(begins) if this.types[begins] is OPENED and this.closed(begins) == at else (begins, at)
    parts = list(this.parted(*inner)) if len(names) > 1 else [(begins, at)]
    this.at = last
    if len(parts) != len(names):
        return None
    whole = this.piece(first, last)
    return tuple(
        Assign((name,), this.piece(*part), this.piece(part[0], part[1]) if number else whole)
        for number, (name, part) in enumerate(zip(names, parts, strict=True))
    )


def _into(this: Words, first: int, last: int) -> int:
    """Where the INTO of a query stands that is not in parentheses; behind INSERT it is no variable's."""
    at = _next_into(this, first, last)
    while at < last and _depth(this, first, at):
        at = _next_into(this, at + 1, last)
    return last if at < last and at > first and word_of(this.tokens[at - 1]) in ("INSERT", "MERGE") else at


def _next_into(this: Words, first: int, last: int) -> int:
    return min(this.index(INTO, first, last), this.index(TokenType.BULK_COLLECT_INTO, first, last))


def _depth(this: Words, first: int, at: int) -> int:
    kinds = this.types[first:at]
    return kinds.count(OPENED) - kinds.count(TokenType.R_PAREN)


def _selected(this: Words, first: int, last: int) -> Steps | None:
    """The variables of a SELECT of T-SQL, which stand before what they get: all of its items do, or none."""
    # Most SELECTs name no variable: this is asked first because it is cheap.
    if this.index(TokenType.PARAMETER, first, last) == last or this.word() not in ("SELECT", "RECEIVE"):
        return None
    end = this.top(words("FROM WHERE INTO GROUP ORDER OPTION UNION"), first, last)
    this.at = first + 1
    if this.take_one(words("DISTINCT ALL TOP")) and this.type() in (OPENED, TokenType.NUMBER):
        this.at = this.closed(this.at)
    names, tokens, start = [], [*made_words(this.tokens[first], "SELECT"), *this.tokens[first + 1 : this.at]], this.at
    for begin, stop in this.parted(start, end):
        this.at = begin
        name = this.name()
        if name[:1] != "@":
            return None
        if begin > start:
            tokens.append(this.tokens[begin - 1])
        if this.type() in COMPUTING and this.type(1) is TokenType.EQ:
            tokens += [*this.tokens[begin : this.at + 1], *this.tokens[this.at + 2 : stop]]
        elif this.type() is TokenType.EQ:
            tokens += this.tokens[this.at + 1 : stop]
        else:
            return None
        names.append(name)
    value = ScriptPiece((*tokens, *this.tokens[end:last]), this.text, this.offset, arrays=this.arrays)
    this.at = last
    return (Assign(tuple(names), value, this.piece(first, last), query=True, keeps=True),)


def change(this: Words) -> Steps | None:
    """Changes whose RETURNING goes into variables; INSERT ... EXEC; Teradata's UPDATE ... ELSE INSERT."""
    first, last = this.at, this.stop()
    if this.ends is not None:
        at = this.index(TokenType.EXECUTE, first, last)
        if this.word() == "INSERT" and at < last and not _depth(this, first, at):
            this.at = at
            return executed(this, first, last, this.piece(first, at))
        return changed_beside(this, first, last) if this.word() == "UPDATE" else None
    if this.flavour.name in BESIDE and this.index(TokenType.COLON_EQ, first, last) < last:
        found = beside(this, first, last)
        this.at = last if found is not None else first
        return found
    if this.flavour.name == "teradata" and this.word() in ("UPDATE", "UPD"):
        at = this.top(words("ELSE"), first, last)
        if at + 1 < last and this.spoken[at + 1] in ("INSERT", "INS"):
            this.at = last
            return (Run(this.piece(first, last), (), (this.piece(first, at), this.piece(at + 1, last))),)
    # Texts that Oracle's programs run have it as well.
    asked = this.inside or this.flavour.name == "oracle"
    at = this.index(TokenType.RETURNING, first, last) if asked else last
    if asked and at == last and this.flavour.name == "oracle":
        at = this.top(words("RETURN"), first, last)
    into = _next_into(this, at, last)
    if into == last:
        return None
    this.at = into + 1
    this.take("STRICT")
    names = this.names()
    if this.at != last:
        return None
    return (Run(this.piece(first, into), names),)


def opened(this: Words) -> Steps | None:
    """OPEN c; OPEN c (1, 2); OPEN c FOR query; OPEN c FOR text USING a."""
    if not (this.inside or this.ends is not None):
        return None
    first, last = this.at, this.stop()
    this.at += 1
    cursor = this.name()
    given: tuple[Argument, ...] = ()
    if this.type() is OPENED and this.at < last:
        end = this.closed(this.at)
        given = this.arguments(*this.held(this.at))
        this.at = end
    query, run = None, False
    if this.take("FOR"):
        run = bool(this.take_one(words("EXECUTE"))) or not (this.word() in QUERIES or this.type() is OPENED)
        end = this.top(words("USING"), this.at, last)
        query = this.some(this.at, end)
        given = this.arguments(end + 1, last)
    elif this.take("USING"):
        given = this.arguments(this.at, last)
    this.at = last
    return (Open(cursor, this.piece(first, last), query, given, run),)


def fetched(this: Words) -> Steps | None:
    """FETCH [NEXT FROM] c INTO a, b; outside of programs FETCH of a session's cursor (PostgreSQL)."""
    first, last = this.at, this.stop()
    # MariaDB's functions of groups FETCH GROUP NEXT ROW: their arguments are those of the next row.
    of_group = this.inside and this.said(4)[1:] == ["GROUP", "NEXT", "ROW"]
    if of_group or (not this.inside and this.grammar.transacts and this.grammar.sections):
        this.at = last
        return (Aside(this.piece(first, last)),)
    into = this.top(words("INTO") | {"BULK COLLECT INTO"}, first, last)
    if not (this.inside or this.ends is not None) or (into == last and this.ends is None):
        return None
    before = this.top(words("FROM IN"), first, into)
    this.at = before + 1 if before < into else first + 1
    cursor = this.name()
    this.at = into + 1
    names = this.names() if into < last else ()
    this.at = last
    return (Fetch(cursor, names, this.piece(first, last)),)


STEPS = {
    "SET": sets,
    "LET": let,
    **dict.fromkeys(("SELECT", "SEL", "WITH"), query),
    "RECEIVE": received,
    **dict.fromkeys(("INSERT", "UPDATE", "UPD", "DELETE", "MERGE"), change),
    "VALUES": values_given,
    "OPEN": opened,
    "FETCH": fetched,
}
