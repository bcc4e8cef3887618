"""Names that texts give: IDENTIFIER(text), TABLE($t) and the rows of the query before, written out before parsing.

    SET t = 'raw.orders'; SELECT a FROM IDENTIFIER($t)                      SELECT a FROM raw.orders
    SELECT a FROM s; SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))      reads what the first query gives

A text that is not known, or that may be one of several, stays as it is, and the statement says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot.tokenizer_core import Token, TokenType

from mdw.readers.sql.phrases.words import Words, closed, made_words, spoken
from mdw.readers.sql.pieces import ScriptPiece, word_of
from mdw.readers.sql.programs.spelling import HOLE

TAKING = frozenset(("snowflake", "databricks", "spark", "duckdb"))
"""Dialects that take a text for a name."""
LAST = ["TABLE", "(", "RESULT_SCAN", "(", "LAST_QUERY_ID", "("]
"""What stands before the rows of the query before."""
HEADS = frozenset(("IDENTIFIER", "QUERY_TABLE", "TABLE"))
MARKS = frozenset((TokenType.PARAMETER, TokenType.COLON, TokenType.DOLLAR))


def identified(piece: ScriptPiece, dialect: str, texts: Callable[[ScriptPiece], list[str]], result: str) -> ScriptPiece:
    """The piece with the names that texts give in it; ``result`` is what the query before fills, if one was."""
    if dialect not in TAKING or not piece.mentions("IDENTIFIER", "TABLE"):
        return piece
    words = list(piece.tokens)
    at = 0
    while at + 2 < len(words):
        if words[at].text.upper() not in HEADS:
            at += 1
            continue
        opened = words[at + 1].token_type is TokenType.L_PAREN
        end = closed(words, at + 1) if opened else at + 1
        last = words[end - 1]
        if result and spoken(words[at : at + 6]) == LAST and spoken(words[at + 6 : end]) in ([")"] * 3, [*"-1)))"]):
            words[at:end] = [Token(TokenType.IDENTIFIER, result, last.line, last.col, last.start, last.end)]
        elif opened and _is_text(words[at : at + 3]):
            inner = 2 * (word_of(words[at + 2]) == "IDENTIFIER")
            several = texts(replace(piece, tokens=tuple(words[at + 2 + inner : end - 1 - inner // 2])))
            if len(several) == 1 and several[0] and HOLE not in several[0]:
                words[at:end] = made_words(last, several[0])
        at += 1
    return replace(piece, tokens=tuple(words))


def _is_text(words: Words) -> bool:
    """Whether IDENTIFIER(...) begins here, DuckDB's QUERY_TABLE(...), TABLE($t) or TABLE(IDENTIFIER(...))."""
    first, _, inner = words
    told = inner.token_type in MARKS or word_of(inner) == "IDENTIFIER"
    return word_of(first) in ("IDENTIFIER", "QUERY_TABLE") or (word_of(first) == "TABLE" and told)
