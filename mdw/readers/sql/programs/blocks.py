"""Blocks, tests and loops: what holds other steps together."""

from __future__ import annotations

from dataclasses import replace

from sqlglot.tokenizer_core import Token, TokenType

from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.assigning import given
from mdw.readers.sql.programs.declaring import declarations, section
from mdw.readers.sql.programs.grammar import LOOPS, QUERIES, STATEMENTS, TRANSACTIONS, words
from mdw.readers.sql.programs.program import Arm, BeginEnd, Handler, Jump, Loop, Run, Steps, Test
from mdw.readers.sql.programs.words import OPENED, Words

ARMS = words("ELSEIF ELSIF ELIF ELSE END")
ELSES = words("ELSEIF ELSIF ELIF")
BLOCK = words("END EXCEPTION")
HANDLED = words("WHEN END")
CHOICES = words("WHEN ELSE END")


# -- blocks ------------------------------------------------------------------------------------------------------------


def begin(this: Words, label: str = "") -> Steps | None:
    """BEGIN ... EXCEPTION WHEN ... END; BEGIN TRY ... END TRY BEGIN CATCH ... END CATCH."""
    after = this.word(1)
    if after in TRANSACTIONS or (this.type(1) in (TokenType.SEMICOLON, None) and not this.inside):
        return None
    if this.grammar.transacts and not this.inside:
        return None
    first = this.at
    this.at += 1
    if after == "TRY":
        return _tried(this, first)
    this.take("NOT")
    this.take("ATOMIC")
    head, was, outer = this.piece(first, this.at), this.inside, this.handlers
    this.inside, this.handlers = True, []
    body = this.steps(BLOCK)
    handlers = (*excepted(this), *this.handlers)
    this.closing()
    this.inside, this.handlers = was, outer
    return (BeginEnd(body, head, label, handlers, undoes=this.grammar.undoes and bool(handlers)),)


def excepted(this: Words) -> tuple[Handler, ...]:
    """EXCEPTION WHEN a OR b THEN ..., up to END."""
    if not this.take("EXCEPTION"):
        return ()
    found = []
    while this.take("WHEN"):
        first = this.at
        this.at = this.top(frozenset(("THEN",)), first, this.end)
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
    body = this.steps(frozenset(("END",)))
    this.closing()
    while this.type() is TokenType.SEMICOLON and this.type(1) is TokenType.BEGIN:
        this.at += 1
    handlers: tuple[Handler, ...] = ()
    begins = this.at
    if this.take("BEGIN", "CATCH"):
        caught = this.piece(begins, this.at)
        handlers = (Handler("CATCH", this.steps(frozenset(("END",))), caught),)
        this.closing()
    this.inside = was
    return (BeginEnd(body, head, "", handlers),)


def declare(this: Words) -> Steps | None:
    """DECLARE: a list that stands before a block, a statement, or a handler."""
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
    found = _handler(this)
    return declarations(this) if found is None else found


def _handler(this: Words) -> Steps | None:
    """DECLARE EXIT HANDLER FOR NOT FOUND statement."""
    if this.word(2) != "HANDLER" or this.word(1) not in ("EXIT", "CONTINUE", "UNDO"):
        return None
    goes_on = this.word(1) == "CONTINUE"
    begins, first = this.at, this.at + 4
    this.at = first
    while this.at < this.end and this.word() not in HANDLERS and this.type() is not TokenType.SEMICOLON:
        this.at += 1
    said, head = this.written(first, this.at), this.piece(begins, this.at)
    body = this.step() if this.at < this.end and this.type() is not TokenType.SEMICOLON else ()
    this.handlers.append(Handler(said, body, head, goes_on))
    return ()


HANDLERS = STATEMENTS | words("BEGIN SET CALL RESIGNAL SIGNAL LEAVE ITERATE ROLLBACK COMMIT IF CLOSE INSERT GET RETURN")


# -- tests -------------------------------------------------------------------------------------------------------------


def tested(this: Words) -> Steps | None:
    """IF and CASE as statements, whose steps are those of a program wherever they stand."""
    was, this.inside = this.inside, True
    found = (_if if this.word() == "IF" else _case)(this)
    this.inside = was
    return found


def _if(this: Words) -> Steps | None:
    """IF c THEN ... ELSIF ... ELSE ... END IF; T-SQL's IF c statement ELSE statement."""
    first = this.at
    arms: list[Arm] = []
    head: ScriptPiece | None = None
    if this.ends is not None:
        return _unended(this, first)
    while True:
        this.at += 1
        begins = this.at
        this.at = last = this.top(frozenset(("THEN",)), begins, this.stop(begins))
        if this.word() != "THEN":
            return None
        head = head or this.piece(first, last + 1)
        this.at += 1
        arms.append(Arm(this.piece(begins, last), this.steps(ARMS)))
        if this.word() not in ELSES:
            break
    if this.take("ELSE"):
        arms.append(Arm(None, this.steps(ARMS)))
    this.closing()
    return (Test(tuple(arms), head),)


def _unended(this: Words, first: int) -> Steps:
    arms: list[Arm] = []
    head: ScriptPiece | None = None
    while True:
        this.at += 1
        begins = this.at
        this.at = this.stop(begins - 1)
        test = this.piece(begins, this.at)
        head = head or this.piece(first, this.at)
        arms.append(Arm(test, _one(this)))
        behind = this.at
        if this.type() is TokenType.SEMICOLON and this.word(1) == "ELSE":
            this.at += 1
        if not this.take("ELSE"):
            this.at = behind
            break
        if this.word() == "IF":
            continue
        arms.append(Arm(None, _one(this)))
        break
    return (Test(tuple(arms), head),)


def _one(this: Words) -> Steps:
    """The one statement that a test or a loop of T-SQL holds."""
    if this.at >= this.end or this.word() in ("END", "ELSE") or this.type() is TokenType.SEMICOLON:
        return ()
    return this.step()


def _case(this: Words) -> Steps | None:
    """CASE x WHEN 1 THEN ... ELSE ... END CASE, as a statement."""
    first = this.at
    this.at += 1
    begins = this.at
    this.at = this.top(frozenset(("WHEN",)), begins, this.stop(begins))
    asked = this.tokens[begins : this.at]
    head = this.piece(first, this.at)
    if this.word() != "WHEN":
        return None
    arms: list[Arm] = []
    while this.take("WHEN"):
        begins = this.at
        this.at = this.top(frozenset(("THEN",)), begins, this.end)
        test = this.piece(begins, this.at)
        if asked and test.tokens:
            test = _equal(test, asked)
        this.take("THEN")
        head = head if arms else this.piece(first, this.at)
        arms.append(Arm(test, this.steps(CHOICES)))
    if this.take("ELSE"):
        arms.append(Arm(None, this.steps(frozenset(("END",)))))
    this.closing()
    return (Test(tuple(arms), head),)


def _equal(test: ScriptPiece, asked: list[object]) -> ScriptPiece:
    """CASE x WHEN 1: the words x = 1, which have the place of 1."""
    lead = test.tokens[0]
    kinds = [(token.token_type, token.text) for token in asked] + [(TokenType.EQ, "=")]  # type: ignore[attr-defined]
    made = [Token(kind, text, lead.line, lead.col, lead.start, lead.end) for kind, text in kinds]
    return replace(test, tokens=(*made, *test.tokens))


# -- loops -------------------------------------------------------------------------------------------------------------


def loop(this: Words, label: str = "") -> Steps | None:
    """LOOP, WHILE, REPEAT, FOR and FORALL."""
    word, first, was = this.word(), this.at, this.inside
    if word not in LOOPS:
        return None
    this.inside = True
    this.at += 1
    found = LOOPED[word](this, first, label)
    this.inside = was
    return (found,) if found is not None else None


def _plain(this: Words, first: int, label: str) -> Loop | None:
    head = this.piece(first, this.at)
    return Loop(_body(this), head, label)


def _while(this: Words, first: int, label: str) -> Loop | None:
    begins = this.at
    stop = this.stop(first)
    last = this.top(frozenset(("DO", "LOOP")), begins, stop)
    this.at = last
    if last == stop:
        if this.ends is None:
            return None
        return Loop(_one(this), this.piece(first, last), label, this.piece(begins, last))
    this.at += 1
    head = this.piece(first, this.at)
    return Loop(_body(this), head, label, this.piece(begins, last))


def _repeat(this: Words, first: int, label: str) -> Loop | None:
    if this.type() is OPENED:
        return None
    head = this.piece(first, this.at)
    body = this.steps(words("UNTIL END"))
    test = None
    if this.take("UNTIL"):
        begins = this.at
        this.at = this.top(frozenset(("END",)), begins, this.stop(begins))
        test = this.piece(begins, this.at)
    this.closing()
    return Loop(body, head, label, test, until=True)


def _body(this: Words) -> Steps:
    body = this.steps(frozenset(("END",)))
    this.closing()
    return body


def _for(this: Words, first: int, label: str) -> Loop | None:
    """FOR r IN (query) LOOP, FOR r IN c(1) DO, FOR i IN 1..10 LOOP, FOR r AS c CURSOR FOR query DO."""
    record = ", ".join(this.names())
    if this.take("SLICE"):
        this.at += 1
    if not (this.take("IN") or this.take("AS")):
        return None
    begins = this.at
    last = this.top(frozenset(("LOOP", "DO")), begins, this.stop(begins))
    if last >= this.end or this.types[last] is TokenType.SEMICOLON:
        return None
    found = _ranged(this, begins, last)
    this.at = last + 1
    head = this.piece(first, this.at)
    return replace(found, body=_body(this), piece=head, label=label, record=record)


def _ranged(this: Words, first: int, last: int) -> Loop:
    """What a loop goes through."""
    empty = ScriptPiece((), "")
    this.at = first
    this.take("REVERSE")
    cursor = ""
    if this.word(1) == "CURSOR" or this.word(2) == "CURSOR":
        cursor = this.name()
        this.at = this.top(frozenset(("FOR",)), this.at, last) + 1
    begins = this.at
    if this.take("EXECUTE"):
        this.take("IMMEDIATE")
        end = this.top(frozenset(("USING",)), this.at, last)
        return Loop((), empty, query=this.piece(this.at, end), dynamic=True)
    while this.type() is OPENED:
        this.at += 1
    if this.word() in QUERIES or cursor:
        whole = this.types[begins] is OPENED and this.closed(begins) == last
        return Loop(
            (), empty, query=this.piece(begins + 1, last - 1) if whole else this.piece(begins, last), cursor=cursor
        )
    this.at = begins
    name = this.name()
    if name and this.at == last and not name[0].isdigit():
        return Loop((), empty, cursor=name)
    if this.type() is OPENED and this.closed(this.at) == last and not name[:1].isdigit():
        return Loop((), empty, cursor=name, arguments=this.arguments(this.at + 1, last - 1))
    return Loop((), empty, test=None)


def _each(this: Words, first: int, label: str) -> Loop | None:
    """FOREACH x IN ARRAY a LOOP: of an array, whose elements are nobody's rows."""
    record = ", ".join(this.names())
    this.at = this.top(frozenset(("LOOP",)), this.at, this.stop()) + 1
    head = this.piece(first, this.at)
    return Loop(_body(this), head, label, record=record)


def _all(this: Words, first: int, label: str) -> Loop | None:
    """FORALL i IN 1..n statement (PL/SQL)."""
    stop = this.stop()
    record = this.name()
    begins = this.top(STATEMENTS | {"EXECUTE"}, this.at, stop)
    if begins == stop:
        return None
    this.at = begins
    head = this.piece(first, begins)
    return Loop(this.step(), head, label, record=record)


LOOPED = {
    "LOOP": _plain,
    "WHILE": _while,
    "REPEAT": _repeat,
    "FOR": _for,
    "FOREACH": _each,
    "FORALL": _all,
}


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
    if word in LOOPS or word in ("BEGIN", "DECLARE"):
        found = loop(this, label) if word in LOOPS else declare(this) if word == "DECLARE" else begin(this, label)
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
    if word == "END" and this.word(1) in ("TRANSACTION", "WORK"):
        return None
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
    last = this.top(frozenset(("THEN",)), first + 1, stop)
    this.at = last + 1 if last < stop else stop
    piece = this.piece(first, this.at)
    return (Run(replace(piece, message="no SQL: a part of a block whose beginning is missing")),)


def other(this: Words) -> Steps | None:
    """What no word begins: a label, an assignment, a call."""
    found = colon(this)
    if found is None and this.inside:
        found = given(this)
    return found


STEPS = {
    "BEGIN": begin,
    "DECLARE": declare,
    "IF": tested,
    "CASE": tested,
    **dict.fromkeys(LOOPS, loop),
    "<": labelled,
    "": other,
    **dict.fromkeys(("END", "ELSE", "EXCEPTION"), stray),
    **dict.fromkeys(("WHEN", "UNTIL", *ELSES), half),
}
