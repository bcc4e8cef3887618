"""What statements give variables beside what they do with rows: MySQL's SELECT @v := a, T-SQL's UPDATE t SET @x = a.

    UPDATE t SET @x = a, b = c WHERE k = 1         @X gets SELECT a FROM t WHERE k = 1; then UPDATE t SET b = c ...

Two steps, the variables first: a value that the statement changes is read as it was before (in T-SQL, too, where only
@x = b = 1 gives what B becomes, which is the same expression).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Assign, Run, Steps
from mdw.readers.sql.programs.words import Words

COMPUTING = frozenset((TokenType.PLUS, TokenType.DASH, TokenType.STAR, TokenType.SLASH))
BESIDE = frozenset(("mysql", "singlestore", "doris", "starrocks"))
"""Dialects in which a query gives variables values beside its columns."""


def beside(this: Words, first: int, last: int) -> Steps | None:
    """What a SELECT of MySQL gives variables beside its columns, SELECT @v := a, b FROM t, and the statement itself."""
    selects = this.top(words("SELECT"), first, last)
    end = this.top(words("FROM WHERE GROUP HAVING ORDER LIMIT UNION"), selects, last)
    names: list[str] = []
    tokens = list(this.tokens[selects : selects + 1])
    for begin, stop in this.parted(selects + 1, end):
        this.at = begin
        name = this.name() if this.type() is TokenType.PARAMETER else ""
        if name and this.type() is TokenType.COLON_EQ:
            tokens += [*(this.tokens[begin - 1 : begin] if names else ()), *this.tokens[this.at + 1 : stop]]
            names.append(name)
    this.at = last
    if not names:
        return None
    value = ScriptPiece((*tokens, *this.tokens[end:last]), this.text, this.offset)
    whole = this.piece(first, last)
    return Assign(tuple(names), value, whole, query=True, keeps=True), Run(whole)


def changed_beside(this: Words, first: int, last: int) -> Steps | None:
    """What an UPDATE of T-SQL gives variables: SET @x = a, @y = b = 1; and the statement without them."""
    sets = this.top(words("SET"), first, last)
    end = this.top(words("OUTPUT FROM WHERE OPTION"), sets, last)
    names: list[str] = []
    values: list[Any] = []
    kept: list[Any] = []
    for begin, stop in this.parted(sets + 1, end):
        this.at = column = begin
        name = this.name()
        if name[:1] == "@" and this.type(1) is TokenType.EQ and this.type() in COMPUTING:
            # @x += a is @x = @x + a.
            values += [*(this.tokens[begin - 1 : begin] if names else ()), *this.tokens[begin : this.at + 1]]
            values += this.tokens[this.at + 2 : stop]
            names.append(name)
            column = stop
        elif name[:1] == "@" and this.type() is TokenType.EQ:
            this.at = column = this.at + 1
            # @y = b = 1 sets both.
            chained = bool(this.name()) and this.type() is TokenType.EQ and this.at < stop
            value = this.at + 1 if chained else column
            values += [*(this.tokens[begin - 1 : begin] if names else ()), *this.tokens[value:stop]]
            names.append(name)
            column = column if chained else stop
        kept += [*(this.tokens[begin - 1 : begin] if kept and column < stop else ()), *this.tokens[column:stop]]
    this.at = last
    if not names:
        return None
    tokens = (*made_words(this.tokens[first], "SELECT"), *values, *_rows_changed(this, first, sets, end, last))
    whole = this.piece(first, last)
    given = Assign(tuple(names), ScriptPiece(tokens, this.text, this.offset), whole, query=True, keeps=True)
    if not kept:
        return (given,)
    return given, Run(replace(whole, tokens=(*this.tokens[first : sets + 1], *kept, *this.tokens[end:last])))


def _rows_changed(this: Words, first: int, sets: int, end: int, last: int) -> list[Any]:
    """FROM and WHERE of the rows that an UPDATE changes: those of its target, which its FROM may name or not."""
    tops = this.top(words("TOP"), first, sets)
    target = list(this.tokens[this.closed(tops + 1) if tops < sets else first + 1 : sets])
    where = this.top(words("WHERE OPTION"), end, last)
    begins = this.top(words("FROM"), end, where)
    named = {token.text.upper() for token in this.tokens[begins:where]}
    lead = this.tokens[first]
    if begins == where:
        return [*made_words(lead, "FROM"), *target, *this.tokens[where:last]]
    more = [*made_words(lead, ","), *target] if target and target[-1].text.upper() not in named else []
    return [*this.tokens[begins:where], *more, *this.tokens[where:last]]
