"""CREATE PROCEDURE, FUNCTION, MACRO, PACKAGE, TRIGGER: what is called how, with which arguments, and its body.

    CREATE FUNCTION f(a INT) RETURNS INT AS 'SELECT a + 1' LANGUAGE SQL;
        Routine("function", "f", arguments=(a,), returns="INT", language="SQL", body=(Jump("return", "SELECT a + 1"),))

Where a body stands differs most between dialects. `_bodied` asks in this order: in a text (PostgreSQL, Snowflake), in
another language, the rest of the batch (T-SQL), behind declarations (Oracle), in parentheses (Teradata), one step.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.blocks import begin
from mdw.readers.sql.programs.bodies import SPOKEN, TEXTS, within
from mdw.readers.sql.programs.declaring import section, variables, variables_of
from mdw.readers.sql.programs.foreign import sql_texts
from mdw.readers.sql.programs.grammar import PROGRAMS, QUERIES, STATEMENTS, words
from mdw.readers.sql.programs.heads import RoutineHead, head_of, open_arguments
from mdw.readers.sql.programs.jumping import value
from mdw.readers.sql.programs.program import (
    BeginEnd,
    Declare,
    Jump,
    Loop,
    ProgramVariable,
    Routine,
    Run,
    Step,
    Steps,
    Trigger,
)
from mdw.readers.sql.programs.scheduled import SCHEDULED, alerted, scheduled
from mdw.readers.sql.programs.triggers import EVENTS, heading
from mdw.readers.sql.programs.words import OPENED, Words

Kind = Literal["procedure", "function", "trigger", "package", "block"]
KINDS: dict[str, Kind] = {
    "PROCEDURE": "procedure",
    "PROC": "procedure",
    "MACRO": "procedure",
    "FUNCTION": "function",
    "TRIGGER": "trigger",
    "PACKAGE": "package",
}
OTHERS = words("TABLE VIEW INDEX SCHEMA DATABASE SEQUENCE USER ROLE TYPE SYNONYM STAGE STREAM APPLICATION AS ( ON")
"""Where one of these comes first no routine is made; but a TYPE BODY has some, and a TABLE FUNCTION is one."""
CLASSES = ("hive", "spark", "spark2", "databricks")
"""Dialects whose functions without a language are classes: AS 'com.x.F'."""


def create(this: Words) -> Steps | None:
    """CREATE, REPLACE or ALTER of something that runs."""
    first = this.at
    if this.grammar.undoes and (found := rule(this)) is not None:
        return found
    at, kind = _kind(this)
    # T-SQL's ALTER PROCEDURE has a body, and MySQL's ALTER EVENT; all others only change what is said of one.
    if not kind or (this.word() == "ALTER" and this.ends is None and kind != "EVENT"):
        return None
    this.at = at + 1
    if kind in SCHEDULED:
        return (alerted if kind == "ALERT" else scheduled)(this, first)
    this.take("BODY")
    if kind == "MACRO" and this.flavour.name != "teradata":
        return _macros(this, first)
    return made(this, first, kind)


def _macros(this: Words, first: int) -> tuple[Routine, ...]:
    """DuckDB's CREATE MACRO f(a) AS a, (a, b) AS a + b: a routine for each list of arguments.

    What it is given stands in the place of its names, columns or not.
    """
    this.take("IF", "NOT", "EXISTS")
    name, last, end = this.name(), this.stop(), this.end
    starts = [at for at, _ in this.parted(this.at, last) if at == this.at or _is_another(this, at)]
    found: list[Routine] = []
    for at, behind in zip(starts, [*[one - 1 for one in starts[1:]], last], strict=True):
        this.at, this.end = at, behind
        found += made(this, at if found else first, "FUNCTION", name)
    this.at, this.end = last, end
    return tuple([replace(one, variables_first=True) for one in found])


def _is_another(this: Words, at: int) -> bool:
    """Whether behind a comma of a macro there are other arguments; of macros that give rows only one is known."""
    behind = this.closed(at) if this.types[at] is OPENED else this.end
    return this.spoken[behind : behind + 1] == ["AS"] and "TABLE" not in this.spoken[this.at : behind + 2]


def rule(this: Words) -> Steps | None:
    """CREATE RULE r AS ON INSERT TO v WHERE c DO INSTEAD (statements) (PostgreSQL); of ON SELECT nothing is read."""
    first, last = this.at, this.stop()
    told = this.said(4)
    if "RULE" not in told or told.index("RULE") not in (1, 3):
        return None
    this.at += told.index("RULE") + 1
    name = this.name()
    event = this.word(2) if this.word() == "AS" and this.word(1) == "ON" else ""
    if event not in EVENTS:
        this.at = first
        return None
    this.at += 3
    this.take("TO")
    table = this.name()
    does = this.top(words("DO"), this.at, last)
    when = this.some(this.at + 1, does) if this.word() == "WHERE" else None
    this.at = does + 1
    instead = this.take_one(words("INSTEAD ALSO")) == "INSTEAD"
    trigger = Trigger(table, (event.lower(),), "instead" if instead else "after", (), when, True, "NEW", "OLD")
    head = this.piece(first, this.at)
    body = () if this.take("NOTHING") else _held(this) if this.type() is OPENED else this.one()
    return (Routine("trigger", name, head, body, trigger=trigger),)


def nested(this: Words) -> Steps | None:
    """A PROCEDURE or FUNCTION among declarations (PL/SQL); a package of which the beginning is missing."""
    if not this.grammar.calls:
        return None
    first, kind = this.at, this.word()
    this.at += 1
    this.take("BODY")
    return made(this, first, kind)


def _kind(this: Words) -> tuple[int, str]:
    """Where the word stands that says what is made, and the word.

    Between it and CREATE a few words may stand: OR REPLACE EDITIONABLE, DEFINER = a @ b, CONSTRAINT.
    """
    for at in range(this.at + 1, min(this.at + 9, this.end)):
        word = word_of(this.tokens[at])
        if word in ("(", ")") and word_of(this.tokens[at - 1]) in ("CURRENT_USER", "("):
            # DEFINER = CURRENT_USER()
            continue
        if word == "PARTITION":
            # ALTER PARTITION FUNCTION f() SPLIT RANGE (1) is about no program.
            break
        if word in PROGRAMS or (word in SCHEDULED and (at < this.at + 4 or this.word(1) == "DEFINER")):
            return at, word
        after = word_of(this.tokens[at + 1]) if at + 1 < this.end else ""
        if word == "TYPE" and after == "BODY":
            return at, "PACKAGE"
        if (word in OTHERS and after != "FUNCTION") or word == ";":
            break
    return 0, ""


def made(this: Words, first: int, kind: str, name: str = "") -> tuple[Routine, ...]:
    """A routine, read from behind the word that says what it is, or from behind its name if that is known."""
    if not name:
        this.take("IF", "NOT", "EXISTS")
        name = this.name()
    arguments: tuple[ProgramVariable, ...] = ()
    trigger: Trigger | None = None
    if kind == "TRIGGER":
        trigger = heading(this).trigger()
    elif this.type() is OPENED:
        arguments = variables(this, this.at)
    elif this.ends is not None and this.type() is TokenType.PARAMETER:
        arguments = open_arguments(this)
    if this.take("WITH", "PARAMETER"):
        # CREATE ALIAS FUNCTION f(INT) WITH PARAMETER (id) AS ... (Doris): types stand before it.
        arguments = variables(this, this.at)
    if this.take("ON", "CLUSTER"):
        this.name()
    if kind == "FUNCTION" and this.word() == "AS" and (found := _arrow(this, name, first)) is not None:
        return (found,)
    head = RoutineHead() if kind == "TRIGGER" else head_of(this)
    head.piece, head.trigger = this.piece(first, this.at), trigger
    # Handlers that its body declares outside of any block are its own, not those of what it stands in.
    was, this.inside = this.inside, True
    handlers, this.handlers = this.handlers, []
    body = _bodied(this, head, first, kind)
    if this.handlers and body is not None:
        body = (*body, *this.left())
    this.inside, this.handlers = was, handlers
    if head.result is not None and body is not None:
        body = (Declare((head.result,), head.told or head.piece), *body)
    said = head.returns, head.columns, head.language, head.trigger, head.variables_first
    return (Routine(KINDS[kind], name, head.piece, body, arguments, *said),)


def _arrow(this: Words, name: str, first: int) -> Routine | None:
    """CREATE FUNCTION f AS (x, y) -> x + y (ClickHouse)."""
    opened = this.at + 1
    arrow = this.closed(opened) if this.type(1) is OPENED else opened + 1
    if arrow >= this.end or this.types[arrow] is not TokenType.ARROW:
        return None
    arguments = variables(this, opened) if this.type(1) is OPENED else variables_of(this, opened, arrow)
    this.at = arrow + 1
    body = (_value(this, first),)
    return Routine("function", name, this.piece(first, arrow), body, arguments, variables_first=True)


# -- bodies ------------------------------------------------------------------------------------------------------------


def _bodied(this: Words, head: RoutineHead, first: int, kind: str) -> Steps | None:
    """The body of a routine, which stands here or in a text; None where it has none, or none of SQL."""
    if this.at >= this.end or this.type() is TokenType.SEMICOLON:
        return None
    behind = bool(this.take_one(words("AS IS")))
    if this.type() in TEXTS and this.flavour.name in CLASSES and not head.language:
        head.language = "Java"
    elif this.type() in TEXTS:
        return _said(this, head, first, kind)
    if head.language.upper() not in SPOKEN or this.word() in ("LANGUAGE", "EXTERNAL"):
        this.at = this.index(TokenType.SEMICOLON, this.at, this.end)
        head.piece, head.language = this.piece(first, this.at), head.language or "EXTERNAL"
        return None
    head.piece = this.piece(first, this.at)
    if this.word() == "COMPOUND":
        return _compound(this, head)
    if this.ends is not None:
        return _transact(this, kind)
    if this.grammar.calls and kind != "TRIGGER" and behind:
        return _sectioned(this, kind)
    if this.type() is OPENED and kind in ("MACRO", "TRIGGER"):
        return _held(this)
    if this.word() == "RETURN":
        this.at += 1
        return (_value(this, this.at - 1),)
    if kind == "FUNCTION" and this.word() not in ("BEGIN", "DECLARE") and behind:
        if this.word() == "TABLE":
            this.at += 1
            head.piece = this.piece(first, this.at)
        return (_value(this, this.at),)
    body = this.one()
    if kind == "FUNCTION" and this.grammar.undoes and body and isinstance(body[0], BeginEnd):
        # BEGIN ATOMIC (PostgreSQL) holds what AS $$ ... $$ LANGUAGE sql would.
        body = (replace(body[0], body=_giving(body[0].body)),)
    return body


def _value(this: Words, first: int) -> Jump:
    last = this.stop(this.at)
    found = value(this, this.at, last)
    this.at = last
    return replace(found, piece=this.piece(first, last))


def _said(this: Words, head: RoutineHead, first: int, kind: str) -> Steps | None:
    """A body that is a text; behind it more may be said of the routine."""
    at, stop = this.at, this.index(TokenType.SEMICOLON, this.at, this.end)
    said = [word_of(token) for token in this.tokens[first:stop]]
    # LANGUAGE may stand before the text or behind it.
    place = said.index("LANGUAGE") + first + 1 if "LANGUAGE" in said else stop
    # Snowflake's API_INTEGRATION is told of functions that run elsewhere: the text is where.
    language = this.tokens[place].text if place < stop else "EXTERNAL" if "API_INTEGRATION" in said else ""
    this.at = stop
    head.piece, head.language = this.piece(first, stop), language
    if not TEXTS.isdisjoint(this.types[at + 1 : stop]):
        head.piece = replace(head.piece, message="no SQL: a body of several texts")
        return None
    procedure = KINDS[kind] == "procedure"
    if language.upper() not in SPOKEN:
        runs = procedure or head.returns.upper() == "VOID"
        return (sql_texts(this, at) or None) if runs else None
    head.piece = this.piece(first, at)
    inner = within(this, at)
    if inner is None:
        return (Run(replace(this.piece(at, at + 1), message="no SQL: a text in it is not closed")),)
    # #variable_conflict use_column and other settings of PL/pgSQL, three words each.
    preferred: bool | None = None
    while inner.type() is TokenType.HASH and inner.at + 2 < inner.end:
        if inner.word(1) == "VARIABLE_CONFLICT":
            preferred = {"USE_VARIABLE": True, "USE_COLUMN": False}.get(inner.word(2))
        inner.at += 3
    if inner.word() in ("BEGIN", "DECLARE", "<") or procedure:
        head.variables_first = preferred
        return inner.steps()
    return _stated(inner)


def _stated(inner: Words) -> Steps:
    """An SQL function: an expression, or statements of which the last gives what it returns."""
    if inner.word() not in STATEMENTS and inner.type() is not OPENED:
        return (value(inner, 0, inner.end),) if inner.end else ()
    inner.inside = False
    return _giving(inner.steps())


def _giving(body: Steps) -> Steps:
    """The steps of an SQL function, whose last query is what it returns."""
    last = body[-1] if body else None
    if not isinstance(last, Run) or not last.piece.tokens or not _asks(last.piece):
        return body
    return (*body[:-1], Jump("return", last.piece, value=last.piece, query=True))


def _asks(piece: ScriptPiece) -> bool:
    word = next((word for token in piece.tokens if (word := word_of(token)) != "("), "")
    return word in QUERIES


def _sectioned(this: Words, kind: str) -> Steps:
    """Declarations, then a block (PL/SQL); of a package the block may be missing."""
    declared = section(this)
    if this.word() == "BEGIN":
        block = begin(this) or ()
        if kind == "PACKAGE" and block and isinstance(block[0], BeginEnd) and not block[0].handlers:
            return (*declared, *block[0].body)
        return (*declared, *block)
    this.closing()
    return declared


def _compound(this: Words, head: RoutineHead) -> Steps:
    """COMPOUND TRIGGER: declarations, and a block for each time it runs, again for each row (Oracle)."""
    this.at += 2
    said = this.piece(this.at - 1, this.at)
    declared, parts = section(this, TIMES), list[BeginEnd]()
    while this.word() in TIMES:
        first = this.at
        this.at = this.top(words("IS AS"), first, this.stop())
        timing = " ".join(this.spoken[first : this.at])
        this.at += 1
        own, block = section(this), begin(this) or ()
        parts += [replace(one, body=(*own, *one.body), timing=timing) for one in block if isinstance(one, BeginEnd)]
        this.at = this.index(TokenType.SEMICOLON, this.at, this.end) + 1
    this.closing()
    # One trigger has one timing here: that of the parts which change rows or take them. Each part knows its own.
    timings = [one.timing.partition(" ")[0].lower() for one in parts if one.timing.endswith("ROW")]
    timing = next((one for one in ("instead", "before") if one in timings), "after")
    if head.trigger is not None:
        head.trigger = replace(head.trigger, timing=timing, each=True)  # type: ignore[arg-type]
    return (*declared, Loop(tuple(parts), said))


TIMES = words("BEFORE AFTER INSTEAD")


def _transact(this: Words, kind: str) -> Steps:
    """T-SQL: a function is one block or one query, all else goes on to the end of the batch."""
    if kind == "FUNCTION":
        if this.word() == "RETURN":
            first = this.at
            this.at += 1
            last = this.closed(this.at) if this.type() is OPENED else this.stop(this.at)
            given = value(this, this.at, last)
            return (replace(given, piece=this.piece(first, last)),)
        return this.one()
    found: list[Step] = []
    while this.at < this.end:
        if this.type() is TokenType.SEMICOLON:
            this.at += 1
        elif this.word() in ("CREATE", "ALTER") and _kind(this)[1]:
            break
        else:
            found += this.step()
    return tuple(found)


def _held(this: Words) -> Steps:
    """Statements in parentheses: of a macro, of a trigger (Teradata)."""
    end, was = this.closed(this.at, statements=True), this.end
    this.at, this.end = this.held(this.at, statements=True)
    found = this.steps()
    this.end, this.at = was, end
    return found


STEPS = {
    **dict.fromkeys(("CREATE", "ALTER", "REPLACE"), create),
    **dict.fromkeys(("PROCEDURE", "FUNCTION", "PACKAGE"), nested),
}
