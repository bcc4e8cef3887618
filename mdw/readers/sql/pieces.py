"""A part of a script: its words, and where they stand in the file.

Words that were put there, as the SELECT before an expression, have the place of a neighbour. A piece need not be all of
a stretch of text either: of ``SELECT a INTO x FROM t`` the query has the words SELECT a FROM t.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from sqlglot import tokenizer_core

from mdw.model.fixed import fixed

TokenType: Any = SimpleNamespace(**tokenizer_core.TokenType.__members__)
"""The types of sqlglot's tokens: before Python 3.12 a member of an enumeration is found in ten times the time."""

NAMES = frozenset(
    (
        TokenType.STRING,
        TokenType.NATIONAL_STRING,
        TokenType.IDENTIFIER,
        TokenType.RAW_STRING,
        TokenType.HEREDOC_STRING,
    )
)


@fixed
class ScriptPiece:
    """A statement's words, the text they are of, and where that text begins in its file.

    ``message`` says why it has no words at all. ``arrays`` are variables that hold many values, in capitals: what is in
    parentheses behind one says which (PL/SQL).
    """

    tokens: tuple[Any, ...]
    text: str
    offset: int = 0
    message: str = ""
    start: int = 0
    arrays: frozenset[str] = frozenset()

    @property
    def place(self) -> int:
        """The offset of its first word."""
        return self.offset + (self.tokens[0].start if self.tokens else self.start)

    @property
    def span(self) -> tuple[int, int]:
        """The offsets in the file of its first word, and of what stands behind its last."""
        if self.tokens:
            return self.place, self.offset + self.tokens[-1].end + 1
        return self.offset + len(self.text) - len(self.text.lstrip()), self.offset + len(self.text.rstrip())

    def mentions(self, *words: str) -> int:
        """How often, at most, its words are one of these, in capitals: looked for in the text, which is far quicker."""
        if not self.tokens:
            return 0
        text = _capitals(self.text, self.tokens[0].start, self.tokens[-1].end + 1)
        return sum(map(text.count, words))

    def holds(self, pattern: re.Pattern[str]) -> bool:
        """Whether its own part of the text has, in capitals, what a pattern says: that is a third of ignoring case.

        >>> from sqlglot import tokenize
        >>> text, pattern = "SELECT a; SELECT b", re.compile("B")
        >>> [ScriptPiece(tuple(words), text).holds(pattern) for words in (tokenize(text)[:2], tokenize(text)[3:])]
        [False, True]
        """
        if not self.tokens:
            return False
        return pattern.search(_capitals(self.text, self.tokens[0].start, self.tokens[-1].end + 1)) is not None


# A statement is asked for words several times, one after the other.
@lru_cache(maxsize=2)
def _capitals(text: str, start: int, end: int) -> str:
    return text[start:end].upper()


def word_of(token: Any) -> str:
    """A token's word; none of what is quoted."""
    return "" if token.token_type in NAMES else token.text.upper()


def written(words: Sequence[Any], piece: ScriptPiece) -> str:
    """Words that stand side by side in a piece, as its text has them."""
    return piece.text[words[0].start : words[-1].end + 1]


COMMENT = re.compile(r"(?s)'[^']*'|\"[^\"]*\"|(--[^\n]*|/\*.*?\*/)")
"""A comment, or a text or a name in quotes, which may look like one."""


def uncommented(text: str) -> str:
    """A text with a blank for each comment: patterns look for words side by side.

    >>> uncommented("ALTER TABLE t /* it's */ ADD c -- '--x'")
    'ALTER TABLE t   ADD c  '
    >>> uncommented("a = '--x'")
    "a = '--x'"
    """
    if "--" not in text and "/*" not in text:
        return text
    return COMMENT.sub(lambda match: " " if match[1] else match[0], text)
