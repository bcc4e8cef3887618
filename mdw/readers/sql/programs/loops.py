"""Loops: LOOP, WHILE, REPEAT, FOR, FOREACH, FORALL; words -> `Loop`s.

WHILE a < 9 DO ... END WHILE;               Loop(test="a < 9")
REPEAT ... UNTIL a > 9 END REPEAT;          Loop(test="a > 9", until=True)
FOR r IN (SELECT k FROM s) LOOP ...         Loop(record="r", query="SELECT k FROM s")
FOR r IN c(1) LOOP ...                      Loop(record="r", cursor="c", arguments=1)
FOR i IN 1..10 LOOP ...                     Loop(record="i"): numbers, of which nobody needs to know which
"""

from __future__ import annotations

from dataclasses import replace

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.grammar import CHANGES, LOOPS, QUERIES, words
from mdw.readers.sql.programs.program import Loop, Run, Steps
from mdw.readers.sql.programs.words import OPENED, Words


def loop(this: Words) -> Steps | None:
    """LOOP, WHILE, REPEAT, FOR and FORALL."""
    word, first, was = this.word(), this.at, this.inside
    if word not in LOOPS:
        return None
    this.inside = True
    this.at += 1
    found = LOOPED[word](this, first)
    this.inside = was
    return (found,) if found is not None else None


def _plain(this: Words, first: int) -> Loop | None:
    head = this.piece(first, this.at)
    return Loop(_body(this), head)


def _while(this: Words, first: int) -> Loop | None:
    begins = this.at
    stop = this.stop(first)
    last = this.top(frozenset(("DO", "LOOP")), begins, stop)
    this.at = last
    if last == stop:
        if this.ends is None:
            return None
        # T-SQL's WHILE holds the one step behind its test, where ``stop`` is.
        return Loop(this.one(), this.piece(first, last), test=this.piece(begins, last))
    this.at += 1
    head = this.piece(first, this.at)
    return Loop(_body(this), head, test=this.piece(begins, last))


def _repeat(this: Words, first: int) -> Loop | None:
    # REPEAT (x, 2) is a function.
    if this.type() is OPENED:
        return None
    head = this.piece(first, this.at)
    body = this.steps(words("UNTIL END"))
    test = None
    if this.take("UNTIL"):
        begins = this.at
        this.at = this.top(words("END"), begins, this.stop(begins))
        test = this.piece(begins, this.at)
    this.closing()
    return Loop(body, head, test=test, until=True)


def _body(this: Words) -> Steps:
    body = this.steps(words("END"))
    this.closing()
    return body


def _for(this: Words, first: int) -> Loop | None:
    """FOR r IN (query) LOOP, FOR r IN c(1) DO, FOR i IN 1..10 LOOP, FOR r AS c CURSOR FOR query DO."""
    if this.inside and this.flavour.name in UNNAMED and this.word() in QUERIES:
        record = UNNAMED_ROW
    else:
        # FOR (a, b) IN QUERY SELECT ... (Vertica)
        within = this.type() is OPENED
        this.at += within
        record = ", ".join(this.names())
        this.at += within
        if this.take("SLICE"):
            this.at += 1
        if this.type() is TokenType.COLON_EQ:
            # FOR i := 1 TO 3 DO (Exasol)
            this.at += 1
        elif not (this.take("IN") or this.take("AS")):
            return None
    begins = this.at
    last = this.top(frozenset(("LOOP", "DO")), begins, this.stop(begins))
    if last >= this.end or this.types[last] is TokenType.SEMICOLON:
        return None
    found = _ranged(this, begins, last)
    this.at = last + 1
    head = this.piece(first, this.at)
    return replace(found, body=_body(this), piece=head, record=record)


def _ranged(this: Words, first: int, last: int) -> Loop:
    """What a loop goes through."""
    empty = ScriptPiece((), "")
    this.at = first
    this.take("REVERSE")
    if this.flavour.name == "postgres" and this.word(1) in QUERIES:
        this.take("QUERY")
    cursor = ""
    if this.word(1) == "CURSOR" or this.word(2) == "CURSOR":
        cursor = this.name()
        this.at = this.top(words("FOR"), this.at, last) + 1
    begins = this.at
    if this.take("EXECUTE"):
        this.take("IMMEDIATE")
        end = this.top(words("USING"), this.at, last)
        return Loop((), empty, query=this.piece(this.at, end), dynamic=True, arguments=this.arguments(end + 1, last))
    while this.type() is OPENED:
        this.at += 1
    if this.word() in (QUERIES | CHANGES) or cursor:
        whole = this.types[begins] is OPENED and this.closed(begins) == last
        return Loop(
            (), empty, query=this.piece(begins + 1, last - 1) if whole else this.piece(begins, last), cursor=cursor
        )
    this.at = begins
    # One name is a cursor's; two with dots between them are bounds, first..last, which `Words.name` takes for one.
    name = this.name()
    if name and this.at == last and not name[0].isdigit() and ".." not in name:
        return Loop((), empty, cursor=name)
    if this.type() is OPENED and this.closed(this.at) == last and not name[:1].isdigit():
        return Loop((), empty, cursor=name, arguments=this.arguments(this.at + 1, last - 1))
    return Loop((), empty, test=None)


def _each(this: Words, first: int) -> Loop | None:
    """FOREACH x IN ARRAY a LOOP: the elements that are written there; else x is what SELECT UNNEST(a) gives."""
    record = ", ".join(this.names())
    begins = this.top(words("ARRAY"), this.at, this.stop()) + 1
    last = this.top(words("LOOP"), begins, this.stop(begins))
    elements: tuple[ScriptPiece, ...] = ()
    query = None
    if this.word(begins - this.at) == "ARRAY" and this.closed(begins + 1) == last:
        elements = tuple(this.piece(*part) for part in this.parted(begins + 2, last - 1))
    elif (array := this.some(begins, last)) is not None:
        lead, end = made_words(array.tokens[0], "SELECT UNNEST("), made_words(array.tokens[-1], ")")
        query = replace(array, tokens=(*lead, *array.tokens, *end))
    this.at = last + 1
    head = this.piece(first, this.at)
    return Loop(_body(this), head, record=record, elements=elements, query=query, each=query is not None)


def _all(this: Words, first: int) -> Loop | None:
    """FORALL i IN 1..n statement (PL/SQL)."""
    stop = this.stop()
    record = this.name()
    # VALUES and SELECT belong to such a statement, or to one that is misspelt.
    begins = this.top(words("INSERT UPDATE DELETE MERGE EXECUTE"), this.at, stop)
    if begins == stop:
        return None
    this.at = begins
    head = this.piece(first, begins)
    return Loop(this.step(), head, record=record)


def loaded(this: Words) -> Steps | None:
    """LOAD FROM c OF CURSOR ... INSERT INTO t (a, b): each row of a cursor goes into a table (Db2)."""
    first, last = this.at, this.stop()
    into = this.top(words("INTO"), first, last)
    if this.word(1) != "FROM" or this.said(5)[3:] != ["OF", "CURSOR"] or into + 1 >= last:
        return None
    this.at = into + 1
    this.name()
    end = this.closed(this.at) if this.type() is OPENED and this.at < last else this.at
    lead, mark = made_words(this.tokens[into], "INSERT"), this.tokens[first]
    tokens = (*lead, *this.tokens[into:end], *made_words(mark, f"SELECT {LOADED} . *"))
    this.at = last
    body = Run(replace(this.piece(into, end), tokens=tokens))
    return (Loop((body,), this.piece(first, into), record=LOADED, cursor=this.written(first + 2, first + 3)),)


UNNAMED = frozenset(("spark", "databricks"))
"""Dialects in which the row of a loop needs no name: FOR SELECT a FROM s DO."""
UNNAMED_ROW = "UNNAMED_ROW"
LOADED = "LOADED_ROW"
"""The row of a cursor as its LOAD has it."""
LOOPED = {
    "LOOP": _plain,
    "WHILE": _while,
    "REPEAT": _repeat,
    "FOR": _for,
    "FOREACH": _each,
    "FORALL": _all,
}

STEPS = {**dict.fromkeys(LOOPS, loop), "LOAD": loaded}
