"""A text of SQL -> its words, texts and marks with their places, also where no parser would find any.

sqlglot's words where it has them; where it has none, and within a text in quotes, words as every dialect has them.
Secrets are looked for with these, and a text that no parser takes may have some too.

>>> [text.upper for text in words_of("PASSWORD 'it''s'", None)]
['PASSWORD', "'IT''S'"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot.errors import SqlglotError

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.pieces import TokenType

# Where sqlglot finds no words, and in strings, whose quotes within are doubled.
_SCANNED = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<text>''[^'\n]*''|'(?:[^'\n]|'')*'|\"[^\"\n]*\")|(?P<word>@?\w[\w$#]*)|(?P<mark>\S)",
    re.DOTALL,
)
TEXTS = frozenset((
    TokenType.STRING, TokenType.RAW_STRING, TokenType.HEREDOC_STRING, TokenType.NATIONAL_STRING,
    TokenType.UNICODE_STRING, TokenType.BYTE_STRING, TokenType.IDENTIFIER,
))  # fmt: skip
_QUOTED = re.compile(
    r"\A(?:\w{0,2}(?P<three>'''|\"\"\")|\w{0,2}&?(?P<quote>['\"`\[])|(?P<tag>\$\w*\$))(?P<inner>.*?)"
    r"(?:(?P=three)|(?P=tag)|['\"`\]])?\Z",
    re.DOTALL,
)


class Word(NamedTuple):
    """A word, a text or a mark: where it begins and ends, and what is between the quotes of a text."""

    kind: str
    upper: str
    start: int
    end: int
    inside: tuple[int, int]
    body: bool = False


def words_of(text: str, flavour: Flavour | None) -> list[Word]:
    """The words of a text in their order; without a flavour those of one within quotes. Comments are left out."""
    try:
        tokens = flavour.parser.tokenize(text) if flavour else None
    except (SqlglotError, RecursionError):
        tokens = None
    if tokens is None:
        return list(_scanned(text, 0, len(text)))
    found: list[Word] = []
    commanded = 0
    for one in tokens:
        word = None if commanded else _word(one, text)
        # What follows a command is one token for sqlglot, which gives the place of its end.
        found += [word] if word else _scanned(text, commanded or one.start, one.end + 1)
        commanded = one.end + 1 if one.token_type is TokenType.COMMAND else 0
    return found


def _scanned(text: str, first: int, last: int) -> Iterator[Word]:
    for match in _SCANNED.finditer(text, first, last):
        kind, (start, end) = match.lastgroup or "", match.span()
        if kind != "comment":
            quote = 0 if kind != "text" else 2 if match.group().startswith("''") and end - start > 3 else 1
            yield Word(kind, match.group().upper(), start, end, (start + quote, end - quote))


def _word(token: Any, text: str) -> Word | None:
    kind, first, last = token.token_type, token.start, token.end + 1
    raw = text[first:last]
    if kind not in TEXTS:
        return Word("word" if re.match(r"[\w@]", raw) else "mark", raw.upper(), first, last, (first, last))
    quoted = _QUOTED.match(raw)
    if quoted is None:
        return None
    start, end = quoted.span("inner")
    body = bool(quoted["tag"]) or kind in (TokenType.HEREDOC_STRING, TokenType.RAW_STRING)
    upper = raw.upper() if kind is TokenType.IDENTIFIER else ""
    return Word("text", upper, first, last, (first + start, first + end), body)
