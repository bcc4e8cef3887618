"""What only Greenplum and Netezza say; their other SQL is read as PostgreSQL's.

CREATE TABLE t AS SELECT a FROM s DISTRIBUTED BY (a)        CREATE TABLE t AS SELECT a FROM s
CREATE WRITABLE EXTERNAL WEB TABLE t (a INT) ...            CREATE EXTERNAL TABLE t (a INT) ...
SELECT a FROM EXTERNAL '/x.csv' (a INT) USING (...)         SELECT a FROM (SELECT a FROM "/x.csv")
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    bracketed,
    closed,
    identifier,
    listed_first,
    made_words,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

SPREAD = {"DISTRIBUTED": ("BY", "RANDOMLY", "REPLICATED"), "DISTRIBUTE": ("ON",), "ORGANIZE": ("ON",)}
"""How the rows of a table lie on its servers."""


def distributed(words: Words) -> Words:
    """CREATE TABLE ... DISTRIBUTED BY (a), DISTRIBUTE ON RANDOM ORGANIZE ON (a): it does not matter where rows lie."""
    if word_of(words[0]) != "CREATE":
        return words
    told = (at for at in tops(words[:-1], SPREAD) if word_of(words[at + 1]) in SPREAD[word_of(words[at])])
    return words[: next(told, len(words))]


def external(words: Words) -> Words:
    """CREATE READABLE EXTERNAL WEB TABLE is one of EXTERNAL TABLE."""
    at = top(words[:5], {"EXTERNAL"})
    if word_of(words[0]) != "CREATE" or "TABLE" not in spoken(words[at : at + 3]):
        return words
    return [
        token for n, token in enumerate(words) if n > at + 2 or word_of(token) not in ("READABLE", "WRITABLE", "WEB")
    ]


def of_file(words: Words) -> Words:
    """FROM EXTERNAL '/x.csv' (a INT) USING (DELIMITER ','): a file is read as a table called like it."""
    found: Words = []
    at = 0
    while at < len(words):
        reads = spoken(words[at : at + 1]) == ["EXTERNAL"] and word_of(words[at - 1]) in ("FROM", "JOIN", ",")
        if not reads or at + 1 == len(words) or words[at + 1].token_type is not TokenType.STRING:
            found.append(words[at])
            at += 1
            continue
        file = identifier(words[at + 1])
        columns, end = held(words, at + 2)
        _, at = held(words, end + 1) if spoken(words[end : end + 1]) == ["USING"] else ([], end)
        names = separated(listed_first(columns), made_words(file, ","))
        query = [*made_words(file, "SELECT"), *names, *made_words(file, "FROM"), file]
        found += bracketed(query, file) if columns else [file]
    return found


def held(words: Words, at: int) -> tuple[Words, int]:
    """What stands in parentheses that may open here, and the place behind them."""
    if spoken(words[at : at + 1]) != ["("]:
        return [], at
    end = closed(words, at)
    return words[at + 1 : end - 1], end
