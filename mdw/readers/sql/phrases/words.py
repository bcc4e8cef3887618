"""The words of a statement: where they stand, and words made in the place of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlglot import tokenize
from sqlglot.tokenizer_core import Token, TokenType

from mdw.readers.sql.pieces import word_of

Words = list[Any]


def made_words(token: Any, text: str) -> Words:
    """Words in the place of another."""
    return [
        Token(one.token_type, one.text, line=token.line, col=token.col, start=token.start, end=token.end)
        for one in tokenize(text)
    ]


def identifier(token: Any) -> Any:
    """A word as a name in quotes."""
    return Token(TokenType.IDENTIFIER, token.text, line=token.line, col=token.col, start=token.start, end=token.end)


def opens(token: Any) -> int:
    return int(token.token_type is TokenType.L_PAREN) - int(token.token_type is TokenType.R_PAREN)


def closed(words: Sequence[Any], at: int) -> int:
    """Behind the parenthesis that closes the one here."""
    depth = 0
    for place in range(at, len(words)):
        depth += opens(words[place])
        if depth == 0:
            return place + 1
    return len(words)


def tops(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> list[int]:
    """Where words stand outside of parentheses."""
    found, depth = [], 0
    for at in range(start, len(words)):
        depth += opens(words[at])
        if depth == 0 and word_of(words[at]) in wanted:
            found.append(at)
    return found


def top(words: Sequence[Any], wanted: Collection[str], start: int = 0) -> int:
    """Where the first of them stands; the end if none does."""
    return next(iter(tops(words, wanted, start)), len(words))


def spoken(words: Sequence[Any]) -> list[str]:
    return [word_of(token) for token in words]


def separated(several: Sequence[Words], mark: Words) -> Words:
    return [token for number, one in enumerate(several) for token in ([*mark, *one] if number else one)]


def begins(words: Sequence[Any], at: int) -> bool:
    """Whether a query, or a change, begins here."""
    while at < len(words) and words[at].token_type is TokenType.L_PAREN:
        at += 1
    return at < len(words) and word_of(words[at]) in ("SELECT", "WITH", "SEL", "INSERT", "MERGE", "UPDATE", "DELETE")
