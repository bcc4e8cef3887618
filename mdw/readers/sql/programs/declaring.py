"""What programs declare: variables, arguments, cursors, records, tables of their own; words -> `ProgramVariable`s.

last DATE := SYSDATE                       ProgramVariable("last", "DATE", default="SYSDATE")
r s%ROWTYPE                                ProgramVariable("r", "s%ROWTYPE", kind="record", like="s")
CURSOR c (k INT) IS SELECT ...             ProgramVariable("c", "CURSOR", kind="cursor", query=..., arguments=(k,))
@t TABLE (a INT)                           ProgramVariable("@t", "TABLE", kind="table", columns=(("a", "INT"),))
"""

from __future__ import annotations

from dataclasses import replace

from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.calling import declared
from mdw.readers.sql.programs.grammar import QUERIES, words
from mdw.readers.sql.programs.program import Declare, ProgramVariable, Step, Steps
from mdw.readers.sql.programs.words import OPENED, Words

GIVEN = frozenset((TokenType.COLON_EQ, TokenType.EQ, TokenType.DEFAULT))
MODES = {"IN": "in", "OUT": "out", "INOUT": "inout", "OUTPUT": "out", "VARIADIC": "in"}
ROUTINES = words("PROCEDURE FUNCTION")
NESTED = words("PROCEDURE FUNCTION CREATE")
SECTION = words(
    "BEGIN END SELECT INSERT UPDATE DELETE WITH DROP ALTER GRANT IF FOR WHILE EXECUTE EXEC RETURN REPLACE SET CALL"
)
"""What ends a list of declarations; all but the first two where the beginning of a block is missing."""
STATED = words("""
    VALUES MERGE OPEN FETCH CLOSE TRUNCATE CREATE LOAD IMPORT EXPORT SIGNAL RESIGNAL LEAVE ITERATE GET ASSOCIATE
    ALLOCATE PREPARE COMMIT ROLLBACK SAVEPOINT REPEAT LOOP GOTO PIPE LOCK CASE
""")
"""Words that begin statements, where declarations need no block behind them (Db2)."""
COMPILING, THEN = words("$IF $ELSIF $ELSE $END"), words("$THEN")
MEMBERS = words("MEMBER STATIC OVERRIDING MAP ORDER FINAL INSTANTIABLE CONSTRUCTOR")
"""What may stand before the routines of a type (Oracle)."""


def section(this: Words, closers: frozenset[str] = frozenset()) -> Steps:
    """The declarations up to BEGIN, or up to the END of a package; routines among them are read too."""
    found: list[Step] = []
    # Where nobody says which database it is, each variable may have a DECLARE of its own, and statements behind it.
    several = this.flavour.name == "ansi"
    ends = (SECTION | STATED if several else SECTION) | closers
    while (word := this.word()) not in ends and this.at < this.end and not (several and found and word == "DECLARE"):
        if several and this.type(1) is TokenType.EQ:
            # SAP HANA's x = SELECT ... behind a declaration is none.
            break
        if word == "DECLARE":
            this.at += 1
            word = this.word()
            if word in ends:
                # DECLARE BEGIN: nothing is declared.
                break
        if word in MEMBERS:
            this.at += 1
            word = this.word()
        if word in COMPILING:
            # Declarations that are there under a condition may be there.
            this.at = this.top(THEN, this.at, this.end) + 1 if word in ("$IF", "$ELSIF") else this.at + 1
            continue
        if this.type() is TokenType.SEMICOLON:
            line = this.lines.get(this.tokens[this.at].start) if this.lines else None
            this.at += 1
            found += this.client(line) if line is not None else ()
            continue
        if word in NESTED and this.word(1) != "CURSOR":
            found += this.step()
            continue
        first, last = this.at, this.index(TokenType.SEMICOLON, this.at, this.end)
        variable = item(this, first, last)
        this.at = last
        found += declared(this, variable, first, last) if variable else (Declare((), this.piece(first, last)),)
    return tuple(found)


def item(this: Words, first: int, last: int) -> ProgramVariable | None:
    """One declaration: name type := value, CURSOR c (args) IS query, TYPE t IS RECORD (...)."""
    this.at = first
    word = this.word()
    if word in ("PRAGMA", "SUBTYPE") or (word == "TYPE" and this.word(2) in ("IS", "AS")):
        return _type(this, last) if word == "TYPE" else None
    if word == "CURSOR":
        this.at += 1
        return cursor_of(this, this.name(), last)
    name = this.name()
    if this.word() in ("SCROLL", "NO", "INSENSITIVE", "ASENSITIVE", "SENSITIVE", "CURSOR"):
        return cursor_of(this, name, last)
    return variable(this, name, last)


def _type(this: Words, last: int) -> ProgramVariable | None:
    """TYPE r IS RECORD (a NUMBER, b t.b%TYPE): what has that type has those columns; TYPE rs IS TABLE OF r, too."""
    this.at += 1
    name = this.name()
    at = this.index(OPENED, this.at, last)
    of = this.top(words("OF"), this.at, last)
    if of + 1 < last and this.word(1) in ("TABLE", "VARRAY", "VARYING"):
        # Its elements are rows where that is known of their type.
        type_ = this.written(of + 1, this.top(words("INDEX NOT"), of + 1, last))
        like = type_[: -len("%ROWTYPE")].strip() if type_.upper().endswith("%ROWTYPE") else ""
        return None if _single(type_) else ProgramVariable(name, type_, kind="record", like=like)
    if this.word(1) != "RECORD" or at == last:
        return None
    return ProgramVariable(name, "RECORD", kind="record", columns=columns(this, at))


def cursor_of(this: Words, name: str, last: int) -> ProgramVariable:
    """What stands behind the name of a cursor."""
    start = this.top(words("FOR IS"), this.at, last)
    at = this.index(OPENED, this.at, start)
    given = variables(this, at) if at < start else ()
    # The FOR of FOR UPDATE and FOR READ ONLY ends the query; T-SQL's FOR XML, and any other, is a part of it.
    end = this.top(words("FOR"), start + 1, last)
    while end + 1 < last and this.spoken[end + 1] not in ("READ", "UPDATE"):
        end = this.top(words("FOR"), end + 1, last)
    query = this.some(start + 1, end if end + 1 < last else last)
    if query is not None and word_of(query.tokens[0]) not in QUERIES and query.tokens[0].token_type is not OPENED:
        # A cursor for what a variable holds: a RESULTSET, a statement that was prepared.
        like = this.written(start + 1, last)
        return ProgramVariable(name, "CURSOR", query, "cursor", like=like, arguments=given)
    return ProgramVariable(name, "CURSOR", kind="cursor", query=query, arguments=given)


def variable(this: Words, name: str, last: int, kind: str = "variable") -> ProgramVariable:
    """What stands behind the name of a variable: its type and its value."""
    # IN OUT is two words.
    mode = "in"
    while this.word() in MODES:
        mode = (
            "inout"
            if mode == "in" and this.word() == "OUT" and word_of(this.tokens[this.at - 1]) == "IN"
            else MODES[this.word()]
        )
        this.at += 1
    constant = False
    while this.word() in ("CONSTANT", "NOCOPY", "AS"):
        constant = constant or this.word() == "CONSTANT"
        this.at += 1
    first = this.at
    at = _given(this, first, last)
    type_ = " ".join(this.written(first, at).split())
    # What else is said of an exception (Snowflake's number and text) is no type.
    type_ = "EXCEPTION" if type_.upper().startswith("EXCEPTION ") else type_
    default = this.some(at + 1, last)
    upper = type_.upper()
    if upper.startswith("ALIAS FOR "):
        return ProgramVariable(name, "", this.some(first + 2, last), kind, mode)  # type: ignore[arg-type]
    # T-SQL: @n INT OUTPUT is given a value, too, and @t dbo.rows READONLY is a table.
    if upper.endswith((" OUTPUT", " OUT")):
        mode, type_ = "inout", type_.rpartition(" ")[0]
    if upper.endswith(" READONLY"):
        type_ = type_.rpartition(" ")[0]
    if upper.startswith("TABLE") and this.index(OPENED, first, at) < at:
        return ProgramVariable(name, "TABLE", kind="table", columns=columns(this, this.index(OPENED, first, at)))
    if upper.endswith("%ROWTYPE"):
        return ProgramVariable(name, type_, default, "record", mode, like=type_[: -len("%ROWTYPE")].strip())  # type: ignore[arg-type]
    own = "record" if upper == "RECORD" else kind
    query = None
    if upper == "RESULTSET" and default is not None:
        query, default = _bare(default), None
        own = "cursor"
    type_ = type_.removesuffix(" NOT NULL")
    # From here on v(1) is an element of V and no call, in the whole text: too many such names only lose precision.
    if own in ("variable", "argument") and this.flavour.name == "oracle" and not _single(type_):
        this.arrays |= {name.upper()}
    return ProgramVariable(name, type_, default, own, mode, query, constant=constant)  # type: ignore[arg-type]


def _single(type_: str) -> bool:
    """Whether a type is one of single values: what is of another may be an array (PL/SQL)."""
    upper = type_.upper()
    return upper.endswith("%TYPE") or upper.partition("(")[0].partition(" ")[0] in SINGLE


SINGLE = words("""
    NUMBER VARCHAR2 VARCHAR CHAR CHARACTER NCHAR NVARCHAR2 STRING DATE TIMESTAMP INTERVAL INTEGER INT SMALLINT
    BOOLEAN PLS_INTEGER BINARY_INTEGER SIMPLE_INTEGER NATURAL NATURALN POSITIVE POSITIVEN SIGNTYPE CLOB NCLOB BLOB
    BFILE LONG RAW ROWID UROWID FLOAT REAL DOUBLE DECIMAL DEC NUMERIC BINARY_FLOAT BINARY_DOUBLE XMLTYPE JSON
    SYS_REFCURSOR EXCEPTION
""")


def _bare(query: ScriptPiece) -> ScriptPiece:
    """A query without the parentheses around it, and without the ASYNC that Snowflake runs it by."""
    tokens = query.tokens[len(query.tokens) > 1 and word_of(query.tokens[0]) == "ASYNC" :]
    if len(tokens) > 2 and tokens[0].token_type is OPENED and tokens[-1].token_type is TokenType.R_PAREN:
        return replace(query, tokens=tokens[1:-1])
    return query


def _given(this: Words, first: int, last: int) -> int:
    """Where the value of a variable is given."""
    depth = 0
    for at in range(first, last):
        kind = this.types[at]
        if kind is OPENED:
            depth += 1
        elif kind is TokenType.R_PAREN:
            depth -= 1
        elif not depth and kind in GIVEN:
            return at
    return last


def columns(this: Words, at: int) -> tuple[tuple[str, str], ...]:
    """The columns in a parenthesis, each with its type, without keys and the like."""
    found = []
    for first, last in this.parted(*this.held(at)):
        this.at = first
        if this.word() in ("PRIMARY", "PRIMARY KEY", "UNIQUE", "CONSTRAINT", "INDEX", "CHECK", "FOREIGN KEY", "KEY"):
            continue
        name = this.name()
        end = min(this.top(TYPE_ENDS, this.at, last), _given(this, this.at, last))
        found.append((name, this.written(this.at, end)))
    this.at = this.closed(at)
    return tuple(found)


TYPE_ENDS = words("NOT NULL PRIMARY UNIQUE CHECK COLLATE IDENTITY REFERENCES CONSTRAINT INDEX") | {"PRIMARY KEY"}


def variables(this: Words, at: int) -> tuple[ProgramVariable, ...]:
    """The arguments in a parenthesis."""
    found = variables_of(this, *this.held(at))
    this.at = this.closed(at)
    return found


def variables_of(this: Words, first: int, last: int) -> tuple[ProgramVariable, ...]:
    """The arguments between two places."""
    found = [argument(this, begin, end) for begin, end in this.parted(first, last)]
    # One without a name is called by its number: $1 (PostgreSQL).
    return tuple(one if one.name else replace(one, name=str(number)) for number, one in enumerate(found, 1))


UNNAMED = frozenset(("postgres", "redshift", "materialize", "risingwave"))
"""Dialects in which an argument may be a type alone."""


def argument(this: Words, first: int, last: int) -> ProgramVariable:
    """One argument: name IN OUT type DEFAULT value, IN name type, or a type alone."""
    this.at = first
    mode = ""
    while this.word() in MODES and last - this.at > 1:
        mode = MODES[this.word()]
        this.at += 1
    name = "" if this.flavour.name in UNNAMED and _nameless(this, last) else this.name()
    found = variable(this, name, last, "argument")
    return replace(found, mode=mode) if mode else found  # type: ignore[arg-type]


def _nameless(this: Words, last: int) -> bool:
    """Whether a type stands here, and no name before it: numeric(9), character varying, text DEFAULT 'a'."""
    opened = this.type(1) in (OPENED, TokenType.L_BRACKET)
    return last - this.at == 1 or opened or this.type(1) in GIVEN or this.word(1) in GOES_ON


GOES_ON = words("VARYING PRECISION WITH WITHOUT")
"""What stands behind the first word of a type, and behind no name of an argument."""


def declarations(this: Words) -> Steps | None:
    """DECLARE a, b INT DEFAULT 1; DECLARE @a INT = 1, @b TABLE (...); DECLARE c CURSOR FOR query."""
    first = this.at
    last = this.stop()
    this.at += 1
    this.take("OR", "REPLACE")
    if this.word() in ("VARIABLE", "VAR"):
        this.at += 1
    begins = this.at
    name = this.name()
    if "CURSOR" in this.said(4) or this.word() == "CURSOR":
        cursor = _cursor_at(this, begins, last)
        this.at = last
        return (Declare((cursor,), this.piece(first, last)),)
    if this.word(0) == "CONDITION" or this.at >= last:
        this.at = last
        return (Declare((), this.piece(first, last)),) if this.at > first + 1 else None
    found: list[ProgramVariable] = []
    if name[:1] == "@":
        for begin, end in this.parted(begins, last):
            this.at = begin
            found.append(variable(this, this.name(), end))
    else:
        this.at = begins
        first_name, *others = this.names() or ("",)
        one = variable(this, first_name, last)
        found = [one, *(replace(one, name=each) for each in others)] if first_name else []
    this.at = last
    return (Declare(tuple(found), this.piece(first, last)),)


def _cursor_at(this: Words, first: int, last: int) -> ProgramVariable:
    this.at = first
    name = this.name()
    at = this.top(words("CURSOR"), this.at, last)
    this.at = at + 1
    return cursor_of(this, name, last)
