"""Names that texts give: IDENTIFIER(text), TABLE($t) and the rows of the query before, written out before parsing.

    SET t = 'raw.orders'; SELECT a FROM IDENTIFIER($t)                      SELECT a FROM raw.orders
    SELECT a FROM s; SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))      reads what the first query gives
    rs := (SELECT a FROM s); SELECT a FROM TABLE(:rs)                       SELECT a FROM (SELECT a FROM s)

A text that is not known, or that may be one of several, stays as it is, and the statement says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from mdw.model.name import local_of
from mdw.readers.sql.outcomes import Outcome
from mdw.readers.sql.phrases.words import Words, closed, identifier, made_words, placed, spoken
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.spelling import HOLE

TAKING = frozenset(("snowflake", "databricks", "spark", "duckdb"))
"""Dialects that take a text for a name."""
LAST = ["TABLE", "(", "RESULT_SCAN", "(", "LAST_QUERY_ID", "("]
"""What stands before the rows of the query before."""
BEGUN = re.compile(r"(?:IDENTIFIER|TABLE)\s*(?:\(|--|//|/\*)")
"""What their texts have, comments before the parenthesis included."""
HEADS = frozenset(("IDENTIFIER", "QUERY_TABLE", "TABLE"))
MARKS = frozenset((TokenType.PARAMETER, TokenType.COLON, TokenType.DOLLAR))


COUNTED = frozenset(("insert", "insert overwrite", "insert all", "merge", "update", "delete", "copy"))
"""Statements whose result is how many rows they changed, which comes from no table."""


BEHIND = frozenset(("LIKE", "IN", "STARTS", "LIMIT", "TO", "ON", "OF", "FROM"))
"""What stands behind the kind of things that a SHOW is of."""


def result_of(found: Outcome, piece: ScriptPiece) -> Words:
    """What stands for the rows that a statement gives, where the next one asks for them; nothing if it gives none.

    A SELECT fills an entity. SHOW TABLES gives rows of the catalogue, as a table of that name.
    """
    if found.kind == "select" and found.filling:
        return [identifier(piece.tokens[-1], local_of(found.target).strip("`"))]
    if found.kind == "show":
        shown = takewhile(lambda word: word not in BEHIND, spoken(piece.tokens))
        return [identifier(piece.tokens[-1], " ".join(shown))]
    return made_words(piece.tokens[-1], "TABLE(GENERATOR())") if found.kind in COUNTED else []


def identified(
    piece: ScriptPiece,
    dialect: str,
    texts: Callable[[ScriptPiece], list[str]],
    result: Words,
    query: Callable[[str], Sequence[Any]],
) -> ScriptPiece:
    """The piece with the names that texts give in it; ``result`` is what stands for the rows of the query before.

    ``query`` gives the words of the query whose rows a variable has, none where that is not known.
    """
    if dialect not in TAKING or not piece.mentions("IDENTIFIER", "TABLE") or not piece.holds(BEGUN):
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
            words[at:end] = placed(result, last)
        elif opened and dialect == "snowflake" and (rows := query(_variable(words[at:end]))):
            words[at:end] = [words[at + 1], *rows, last]
        elif opened and _is_text(words[at : at + 3]):
            inner = 2 * (word_of(words[at + 2]) == "IDENTIFIER")
            several = texts(replace(piece, tokens=tuple(words[at + 2 + inner : end - 1 - inner // 2])))
            if len(several) == 1 and several[0] and HOLE not in several[0]:
                words[at:end] = made_words(last, several[0])
        at += 1
    return replace(piece, tokens=tuple(words))


def _variable(words: Words) -> str:
    """The variable of TABLE(:rs) and of TABLE(RESULT_SCAN(:id)), which may have no colon; "" of anything else."""
    inner = [one for one in words[1:] if one.token_type not in (TokenType.L_PAREN, TokenType.R_PAREN, TokenType.COLON)]
    scanned = word_of(inner[0]) == "RESULT_SCAN" if inner else False
    return inner[-1].text if len(inner) == 1 + scanned else ""


def _is_text(words: Words) -> bool:
    """Whether IDENTIFIER(...) begins here, DuckDB's QUERY_TABLE(...), TABLE($t) or TABLE(IDENTIFIER(...))."""
    first, _, inner = words
    told = inner.token_type in MARKS or word_of(inner) == "IDENTIFIER"
    return word_of(first) in ("IDENTIFIER", "QUERY_TABLE") or (word_of(first) == "TABLE" and told)
