"""A text -> its tokens, and its words in capitals, which readers look for.

T-SQL's #1, Netezza's END_PROC and EXECUTE 'text' are what sqlglot's tokenizer would see otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import Token

from mdw.readers.sql.dialects import TRANSACT, Flavour
from mdw.readers.sql.pieces import NAMES, TokenType
from mdw.readers.sql.programs.forking import apart

FIXED = {
    **dict.fromkeys(NAMES, ""),
    TokenType.L_PAREN: "(",
    TokenType.R_PAREN: ")",
    TokenType.COMMA: ",",
    TokenType.DOT: ".",
    TokenType.SEMICOLON: ";",
}
"""What words of some types are in capitals, whatever they are: half of a text, which need not be looked at."""
LAKES = ("databricks", "spark")
OUTER = re.compile(r"\b(?:BEGIN|END)_PROC\b", re.IGNORECASE)
DOLLARS = "$NZPROC$"
"""What Netezza writes a body between, and the dollars it is read in: they end in the same place."""
NUMBERED = re.compile(r"#(\d\w*)")


def tokenized(text: str, flavour: Flavour) -> tuple[Any, ...]:
    """The words of a text; those behind EXECUTE, CALL and the like too, which sqlglot would leave as one text.

    Where a step is handed to sqlglot's parser after all, `Words.statement` puts that text together again.
    """
    tokenizer: Any = flavour.parser.tokenizer()
    if flavour.name == "athena":
        # Its own takes all of a script for Hive's where the first statement is, and then "a" for a text.
        tokenizer = tokenizer._trino_tokenizer
        tokenizer._core.identifiers = {**tokenizer._core.identifiers, "`": "`"}
    tokenizer._core.commands = set()
    if flavour.name in LAKES and "$$" in text:
        # A body in Python, or a metric view's YAML, which sqlglot knows of Snowflake alone.
        core = tokenizer._core
        core.format_strings = {**core.format_strings, "$$": ("$$", TokenType.RAW_STRING)}
        core.keyword_trie = {**core.keyword_trie, "$": {"$": {0: True}}}
    if flavour.name == "postgres" and "_PROC" in text.upper():
        text = OUTER.sub(lambda mark: DOLLARS.rjust(len(mark.group())), text)
    found = tokenizer.tokenize(text)
    found = apart(text, found, flavour.name)
    return tuple(numbered(text, found) if flavour.name in TRANSACT and NUMBERED.search(text) else found)


def numbered(text: str, tokens: list[Any]) -> list[Any]:
    """T-SQL's #1 and #2024x are names of temporary tables, where sqlglot sees numbers."""
    ends = {name.start(1): name.end(1) for name in NUMBERED.finditer(text)}
    found: list[Any] = []
    end = 0
    for token in tokens:
        if token.start in ends:
            start, end = token.start, ends[token.start]
            name = text[start:end]
            last = token.col + end - 1 - token.end
            found.append(Token(TokenType.VAR, name, token.line, last, start, end - 1))
            if token.end >= end:
                # In #1.a the point has been taken for one of a number.
                found.append(Token(TokenType.DOT, ".", token.line, last + 1, end, end))
        elif token.start >= end:
            found.append(token)
    return found


def _places(types: list[Any], kind: Any) -> Iterator[int]:
    """Where tokens of a type stand."""
    at = -1
    for _ in range(types.count(kind)):
        at = types.index(kind, at + 1)
        yield at


class Capitals(dict[str, str]):
    """Words in capitals, each made once, however often a text has it: they are looked for in tables again and again."""

    def __missing__(self, text: str) -> str:
        made = self[text] = text.upper()
        return made


def in_capitals(tokens: Sequence[Any], types: list[Any]) -> list[str]:
    """All words in capitals, "" for what is quoted and for variables, as in @end."""
    capitals, pairs = Capitals(), zip(types, tokens, strict=False)
    found = [FIXED[kind] if kind in FIXED else capitals[token.text] for kind, token in pairs]
    for at in _places(types, TokenType.PARAMETER):
        # @end and @set are variables, and no words of a program.
        marked = types[at + 1] is TokenType.VAR and tokens[at + 1].start == tokens[at].end + 1
        if marked:
            found[at + 1] = ""
    return found
