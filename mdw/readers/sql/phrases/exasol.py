"""What only Exasol says: rows that come from, and go to, files and other databases.

IMPORT INTO t (a) FROM CSV AT 'http://h' FILE 'x.csv'    INSERT INTO t (a) SELECT * FROM "http://h/x.csv"
IMPORT INTO t FROM JDBC AT c STATEMENT 'SELECT ...'      INSERT INTO t SELECT * FROM EXTERNAL_QUERY('c', 'SELECT ...')
EXPORT t INTO EXA AT c TABLE d.u                         INSERT INTO c.d.u SELECT * FROM t
SELECT a AS x, local.x + 1 AS y FROM s                   SELECT a AS x, "local".x + 1 AS y FROM s
"""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.greenplum import held
from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    listed_first,
    made_words,
    separated,
    top,
    word_in_place,
)
from mdw.readers.sql.pieces import word_of

TELLING = frozenset(("AT", "FILE", "TABLE", "STATEMENT", "SCRIPT"))


def imported(words: Words) -> Words:
    """IMPORT as a statement, behind CREATE TABLE t AS, and as a query of a FROM."""
    at = next((n for n in range(len(words) - 3) if _begins(words, n)), len(words))
    if at == len(words):
        return words
    end = len(words)
    if at and words[at - 1].token_type is TokenType.L_PAREN:
        end = closed(words, at - 1) - 1
    lead, behind = words[at], top(words[:end], {"FROM"}, at)
    target = words[at + 2 : behind] if word_of(words[at + 1]) == "INTO" else []
    source, asked = _source(words[behind + 1 : end], lead)
    if not source:
        return words
    told = held(target, next((n for n, token in enumerate(target) if token.token_type is TokenType.L_PAREN), 0))[0]
    if at and target:
        # The columns that the query is to have: (IMPORT INTO (a INT) FROM ...).
        names = separated(listed_first(told), made_words(lead, ","))
        source += [*made_words(lead, "AS imported"), *bracketed(names, lead)] if names else []
    elif source[0].token_type is TokenType.IDENTIFIER and len(source) == 1:
        # What a file has is called like what it fills.
        asked = asked or told
    made = [*made_words(lead, "INSERT INTO"), *target] if target and not at else []
    query = [*made_words(lead, "SELECT"), *(asked or made_words(lead, "*")), *made_words(lead, "FROM"), *source]
    return [*words[:at], *made, *query, *words[end:]]


def exported(words: Words) -> Words:
    """EXPORT t INTO ..., EXPORT (SELECT a FROM t) INTO ..."""
    into = top(words, {"INTO"})
    if word_of(words[0]) != "EXPORT" or into + 1 >= len(words):
        return words
    lead = words[0]
    target, columns = _source(words[into + 1 :], lead)
    target += bracketed(columns, lead) if columns else []
    query, end = held(words, 1)
    if end == 1:
        asked = held(words, behind_name(words, 1))[0] or made_words(lead, "*")
        query = [*made_words(lead, "SELECT"), *asked, *made_words(lead, "FROM"), *words[1 : behind_name(words, 1)]]
    return [*made_words(lead, "INSERT INTO"), *target, *query] if target else words


def own_names(words: Words) -> Words:
    """local.x, what this SELECT calls X, whatever columns of tables are called so."""
    dots = {n for n, token in enumerate(words) if token.token_type is TokenType.DOT}
    local = {n - 1 for n in dots if word_of(words[n - 1]) == "LOCAL" and n - 2 not in dots}
    return [identifier(token, "local") if n in local else token for n, token in enumerate(words)]


def _begins(words: Words, at: int) -> bool:
    """Whether an IMPORT is a statement, or a query, here: some columns are called so."""
    before = word_of(words[at - 1]) if at else ""
    return word_of(words[at]) == "IMPORT" and before in ("", "AS", "(") and word_of(words[at + 1]) in ("INTO", "FROM")


def _source(words: Words, lead: Any) -> tuple[Words, Words]:
    """What rows come from or go to: CSV AT 'http://h' FILE 'x', JDBC AT c STATEMENT '...', JDBC AT c TABLE d.t (a).

    With it the columns that are told of it.
    """
    told = {word_of(token): n + 1 for n, token in reversed([*enumerate(words[:-1])]) if word_of(token) in TELLING}
    server = words[told["AT"]] if "AT" in told else None
    if "FILE" in told:
        path = words[told["FILE"]].text
        host = f"{server.text.rstrip('/')}/" if server is not None and server.token_type is TokenType.STRING else ""
        return [identifier(lead, host + path)], []
    if server is not None and "TABLE" in told:
        end = behind_name(words, told["TABLE"])
        name = [identifier(lead, server.text), *made_words(lead, "."), *words[told["TABLE"] : end]]
        return name, held(words, end)[0]
    if server is not None and "STATEMENT" in told:
        texts = [word_in_place(lead, TokenType.STRING, server.text), words[told["STATEMENT"]]]
        given = separated([[one] for one in texts], made_words(lead, ","))
        return [*made_words(lead, "EXTERNAL_QUERY"), *bracketed(given, lead)], []
    return [], []
