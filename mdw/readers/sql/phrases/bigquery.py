"""What only BigQuery says of models, of tables given to functions, and of copies.

CREATE MODEL m OPTIONS (...) AS SELECT a FROM t          CREATE TABLE m AS SELECT a FROM t
FROM f(TABLE t)                                          FROM f((SELECT AS STRUCT * FROM t))
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    made_words,
    name_at,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of


def without_snapshot(words: Words) -> Words:
    """BigQuery's CREATE SNAPSHOT TABLE s CLONE t FOR SYSTEM_TIME AS OF x OPTIONS (...)."""
    at = top(words, {"CLONE"})
    if word_of(words[0]) != "CREATE" or "TABLE" not in spoken(words[:5]) or at == len(words):
        return words
    lead = [token for token in words[:at] if word_of(token) != "SNAPSHOT"]
    return [*lead, *words[at : top(words, {"FOR", "OPTIONS"}, at)]]


def without_partition_columns(words: Words) -> Words:
    """BigQuery's CREATE EXTERNAL TABLE t WITH PARTITION COLUMNS (d DATE): they are told by where its files are."""
    at = next((n for n in tops(words, {"WITH"}) if spoken(words[n + 1 : n + 3]) == ["PARTITION", "COLUMNS"]), 0)
    if word_of(words[0]) != "CREATE" or not at:
        return words
    listed = at + 3 < len(words) and words[at + 3].token_type is TokenType.L_PAREN
    return [*words[:at], *words[closed(words, at + 3) if listed else at + 3 :]]


def trained(words: Words) -> Words:
    """BigQuery's CREATE MODEL m OPTIONS (...) AS SELECT ...: a model is what it is made of."""
    at = next((n for n in tops(words[:6], {"MODEL"})), 0)
    body = next((n for n in tops(words, {"AS"}, at) if begins(words, n + 1)), 0)
    if word_of(words[0]) != "CREATE" or not at or not body:
        return words
    last = behind_name(words, name_at(words, at + 1))
    return [*words[:at], *made_words(words[at], "TABLE"), *words[at + 1 : last], *words[body:]]


def whole_rows(words: Words) -> Words:
    """BigQuery's MERGE ... INSERT (a, b) ROW gives all columns of the source, by their places."""
    if word_of(words[0]) != "MERGE":
        return words
    found = words[:1]
    for token in words[1:]:
        listed = word_of(token) == "ROW" and found[-1].token_type is TokenType.R_PAREN
        found += made_words(token, "VALUES (*)") if listed else [token]
    return found


def given_tables(words: Words) -> Words:
    """A table or a model as BigQuery's functions are given it, f(TABLE t, ...), is all that it has."""
    found: Words = []
    # The functions whose arguments have been begun, innermost last.
    begun: list[str] = []
    at = 0
    while at < len(words):
        before = words[at - 1].token_type if at else None
        if before is TokenType.L_PAREN:
            begun.append(word_of(words[at - 2]) if at > 1 else "")
        elif before is TokenType.R_PAREN and begun:
            begun.pop()
        opened = before in (TokenType.L_PAREN, TokenType.COMMA, TokenType.FARROW)
        given = opened and at + 1 < len(words) and word_of(words[at]) in ("TABLE", "MODEL")
        # A table may be called `table`: f(table.k), ON (table.k = 1), (SELECT 1, table).
        given = given and words[at + 1].token_type not in ENDING
        if not given or (begun and begun[-1] in TAKING):
            found.append(words[at])
            at += 1
            continue
        end = at + 2
        while end + 1 < len(words) and words[end].token_type in (TokenType.DOT, TokenType.DASH):
            end += 2
        query = made_words(words[at], "(SELECT AS STRUCT * FROM")
        found += [*query, *words[at + 1 : end], *made_words(words[at], ")")]
        at = end
    return found


ENDING = frozenset((TokenType.DOT, TokenType.COMMA, TokenType.R_PAREN))
"""What no table is that a function is given."""
TAKING = frozenset((
    "PREDICT", "FORECAST", "FEATURES_AT_TIME", "VECTOR_SEARCH", "GENERATE_EMBEDDING", "GENERATE_TEXT_EMBEDDING",
    "GENERATE_TEXT", "GENERATE_TABLE", "GENERATE_BOOL", "GENERATE_INT", "GENERATE_DOUBLE", "TRANSLATE",
))  # fmt: skip
"""Functions whose TABLE and MODEL sqlglot reads."""
