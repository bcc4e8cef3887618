"""Bodies that stand in a text: in $$ or in quotes; they have words of their own, and the places of the file.

Within quotes a quote is doubled, and some dialects write it behind a backslash. Such a text is mended to one of the
same length: a quote, and a blank where it changes nothing.
"""

from __future__ import annotations

import re

from sqlglot.errors import TokenError

from mdw.readers.sql.pieces import ScriptPiece, TokenType
from mdw.readers.sql.programs.grammar import words
from mdw.readers.sql.programs.program import Assign, Routine, Run, Steps
from mdw.readers.sql.programs.tokens import DOLLARS
from mdw.readers.sql.programs.words import Words

TEXTS = frozenset((TokenType.STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING))
BLOCKS = re.compile(r"(?i)(?:\s|--[^\n]*\n|/\*.*?\*/|<<\w+>>|#\w+\s+\w+)*(?:BEGIN|DECLARE)\b", re.DOTALL)
OUTSIDE = re.compile(r"(?P<quote>''|\\')|--[^\n]*|/\*.*?\*/|[^'\\/-]+|.", re.DOTALL)
WITHIN = re.compile(r"(?P<two>(?:''|\\'){2})|(?P<quote>''|\\')|[^'\\]+|.", re.DOTALL)


def undoubled(text: str, backslashes: bool) -> str:
    """The text within quotes, as it reads without them, blanks making up for what is shorter.

    >>> undoubled("SET x = ''it''''s''; y", backslashes=False)
    "SET x =  'it''s'   ; y"
    """
    if "'" not in text and not (backslashes and "\\" in text):
        return text
    parts: list[str] = []
    inner, owed, at = False, 0, 0
    while (found := (WITHIN if inner else OUTSIDE).match(text, at)) is not None:
        at, part = found.end(), found.group()
        if found.lastgroup == "two":
            parts.append("''")
            owed += 2
        elif found.lastgroup == "quote":
            parts.append("'" + " " * (owed + 1) if inner else " '")
            inner, owed = not inner, 0
        elif backslashes and part == "\\" and at < len(text):
            # A backslash and what it makes of the letter behind it.
            parts.append(" " + MADE.get(text[at], text[at]))
            at += 1
        else:
            parts.append(part)
    return "".join(parts)


MADE = {"n": "\n", "t": "\t", "r": "\r"}


def within(this: Words, at: int) -> Words | None:
    """The words of the text that a token is; None where it has none."""
    token, kind = this.tokens[at], this.types[at]
    written = this.text[token.start : token.end + 1]
    if kind is TokenType.STRING:
        lead = written.find("'") + 1
        text = undoubled(written[lead:-1], "\\" in this.flavour.parser.tokenizer_class.STRING_ESCAPES)
    else:
        lead = written.find("$", 1) + 1 if written[0] == "$" else len(DOLLARS)
        text = written[lead : len(written) - lead]
    try:
        found = Words(text, this.offset + token.start + lead, this.flavour, this.readers, {})
    except TokenError:
        return None
    found.inside, found.depth = True, this.depth
    return found


def read_within(this: Words, at: int) -> Steps:
    """The steps of the text that a token is."""
    inner = within(this, at)
    if inner is not None:
        return inner.steps()
    message = "no SQL: a text in it is not closed"
    return (Run(ScriptPiece((this.tokens[at],), this.text, this.offset, message=message)),)


def said_block(this: Words, first: int, last: int) -> Steps | None:
    """EXECUTE IMMEDIATE $$ BEGIN ... END $$ and DO $$ ... $$: a block that runs."""
    if this.type() not in TEXTS or last - this.at != 1 or not BLOCKS.match(this.tokens[this.at].text):
        return None
    at, head = this.at, this.piece(first, this.at)
    this.at = last
    return (Routine("block", "", head, read_within(this, at)),)


def do(this: Words) -> Steps | None:
    """DO [LANGUAGE x] $$ ... $$ (PostgreSQL); DO f(1), g(2) (MySQL): functions that are called, for what they do."""
    first, last = this.at, this.stop()
    if this.flavour.name == "mysql":
        this.at = last
        pieces = [this.piece(*part) for part in this.parted(first + 1, last)]
        lead = this.piece(first, last)
        return tuple(Assign(("DO",), one, one if number else lead) for number, one in enumerate(pieces))
    at = next((n for n in range(first, last) if this.types[n] in TEXTS), last)
    if at == last:
        return None
    language = next(
        (this.tokens[n + 1].text for n in range(first, last - 1) if this.tokens[n].text.upper() == "LANGUAGE"), ""
    )
    this.at = last
    body = read_within(this, at) if language.upper() in SPOKEN else None
    return (Routine("block", "", this.piece(first, at if body is not None else last), body, language=language),)


SPOKEN = words("SQL PLVSQL PLPGSQL PLSQL SPL PLTSQL PLPGSQLU NZPLSQL SQLSCRIPT") | {""}
"""Languages of bodies that are SQL and programs of it."""

STEPS = {"DO": do}
