"""RAISE, THROW, SIGNAL and RAISERROR: what they tell whoever handles the failure.

RAISE EXCEPTION 'no %', a USING HINT = b          SQLERRM is made of A, PG_EXCEPTION_HINT is B
RAISE_APPLICATION_ERROR(-20001, a)                SQLERRM is A
THROW 50001, @a, 1                                ERROR_MESSAGE() is @A
SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = a      MESSAGE_TEXT is A
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import TokenType
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Argument, Aside, Jump, Steps
from mdw.readers.sql.programs.words import OPENED, Words

SAID = words("DEBUG LOG INFO NOTICE WARNING")
"""What RAISE only tells."""
MESSAGE = "MESSAGE_TEXT"
OPTIONS = {"MESSAGE": MESSAGE, MESSAGE: MESSAGE, "DETAIL": "PG_EXCEPTION_DETAIL", "HINT": "PG_EXCEPTION_HINT"}
"""What is told by name, by the words with which a handler asks for it."""


def raised(this: Words) -> Steps | None:
    """RAISE, THROW, SIGNAL; RAISE NOTICE only tells."""
    first, last = this.at, this.stop()
    if this.type(1) is TokenType.COLON_EQ:
        return None
    tells = this.word() == "RAISE" and this.word(1) in SAID
    # SQLSTATE '01...' is a warning: the program goes on.
    tells = tells or (
        this.word() == "SIGNAL" and any(one.text[:2] == "01" for one in this.tokens[first + 1 : last][1:2])
    )
    piece = this.piece(first, last)
    told = () if tells else tuple(_told(this, first, last))
    this.at = last
    return (Aside(piece) if tells else Jump("raise", piece, using=told),)


def failed(this: Words) -> Steps | None:
    """RAISERROR(@text, 16, 1, @a): where nothing handles it the program goes on behind it (T-SQL)."""
    if not this.inside and this.ends is None:
        return None
    first, last = this.at, this.stop()
    told = tuple(_told(this, first, last))
    this.at = last
    return (Jump("fail", this.piece(first, last), using=told),)


def _told(this: Words, first: int, last: int) -> Iterator[Argument]:
    """What a handler is told."""
    word = this.spoken[first]
    named = this.top(words("USING SET"), first, last)
    for begin, end in this.parted(named + 1, last):
        name = OPTIONS.get(this.spoken[begin])
        if name and end - begin > 2:
            yield Argument(this.piece(begin + 2, end), name)
    if word == "THROW" or (word == "RAISERROR" and this.types[first + 1] is not OPENED):
        # THROW 50001, @text, 1; Sybase's RAISERROR 50001 @text
        parts = list(this.parted(first + 1, last))
        if word == "RAISERROR" and parts:
            parts = [parts[0], (parts[0][0] + 1, parts[0][1]), *parts[1:]]
        yield from _made(this, parts[1:2])
    elif this.spoken[first + 1 : first + 2] and this.types[first + 1] is OPENED:
        parts = list(this.parted(first + 2, this.closed(first + 1) - 1))
        # RAISERROR(@text, 16, 1, @a, @b); RAISE_APPLICATION_ERROR(-20001, text)
        said = [*parts[:1], *parts[3:]] if word == "RAISERROR" else parts[1:2]
        # Oracle puts the number before it.
        yield from _made(this, said, alone=word == "RAISERROR")
    elif word == "SIGNAL" and named == last and last - first > 4 and this.types[first + 3] is OPENED:
        # Db2's SIGNAL SQLSTATE '75001' (text)
        yield from _made(this, [(first + 4, last - 1)])
    elif word == "RAISE":
        begin = first + 1 + (this.spoken[first + 1 : first + 2] == ["EXCEPTION"])
        if begin < named and this.types[begin] is TokenType.STRING:
            yield from _made(this, list(this.parted(begin, named)))


def _made(this: Words, parts: list[tuple[int, int]], *, alone: bool = True) -> Iterator[Argument]:
    """A text that is made of others is a function of them; one that stands ``alone`` is what is told."""
    if len(parts) == 1 and alone:
        yield Argument(this.piece(*parts[0]), MESSAGE)
    elif parts:
        whole = this.piece(parts[0][0], parts[-1][1])
        tokens = [
            token for begin, end in parts for token in (*this.tokens[begin:end], *made_words(whole.tokens[0], ","))
        ]
        opens, closes = made_words(whole.tokens[0], "FORMATMESSAGE ("), made_words(whole.tokens[-1], ")")
        yield Argument(replace(whole, tokens=(*opens, *tokens[:-1], *closes)), MESSAGE)


STEPS = {
    **dict.fromkeys(("RAISE", "THROW", "SIGNAL", "RESIGNAL", "RAISE_APPLICATION_ERROR"), raised),
    "RAISERROR": failed,
}
