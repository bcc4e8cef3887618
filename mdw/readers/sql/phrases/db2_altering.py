"""What Db2 says where tables are altered, and of files that it reads as they come.

ALTER TABLE t ADD a INT ADD b INT ALTER COLUMN c SET DATA TYPE BIGINT      ... ADD a INT, ADD b INT, ALTER COLUMN c ...
INGEST FROM FILE f ... ($a INT, $b INT) INSERT INTO t VALUES ($a, $b)       INSERT INTO t SELECT a, b FROM f
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    identifier,
    made_words,
    opens,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import word_of

RULED = frozenset(("DEFAULT", "NOT", "IDENTITY", "EXPRESSION", "GENERATED"))
"""What ALTER COLUMN c DROP may take away of a column."""


def with_commas(words: Words) -> Words:
    """ALTER TABLE t ADD a INT ADD b INT: Db2 needs no commas between actions."""
    if spoken(words[:2]) != ["ALTER", "TABLE"]:
        return words
    start = behind_name(words, 2)
    parts = [
        at
        for at in tops(words, {"ADD", "ALTER", "DROP"}, start + 1)
        if not (word_of(words[at]) == "DROP" and spoken(words[at + 1 : at + 2])[:1] and word_of(words[at + 1]) in RULED)
        and word_of(words[at - 1]) not in (",", "DELETE", "UPDATE", "ON")
    ]
    comma = made_words(words[0], ",")
    return separated([words[a:b] for a, b in zip([0, *parts], [*parts, len(words)], strict=True)], comma)


def with_defaults(words: Words) -> Words:
    """ALTER TABLE t ADD a INT WITH DEFAULT: that of its type."""
    if spoken(words[:2]) != ["ALTER", "TABLE"]:
        return words
    found: Words = []
    for at, token in enumerate(words):
        after = spoken(words[at + 1 : at + 2])
        bare = word_of(token) == "DEFAULT" and word_of(words[at - 1]) == "WITH" and after in ([], [","], ["NOT"])
        if not bare and not (word_of(token) == "WITH" and after == ["DEFAULT"]):
            found.append(token)
    return found


def ingested(words: Words) -> Words:
    """INGEST FROM FILE f FORMAT DELIMITED ($a INT, $b INT) INSERT INTO t VALUES ($a, $b): fields of a file."""
    change = top(words, {"INSERT", "UPDATE", "MERGE", "DELETE", "REPLACE"})
    opened = next((at for at in range(change) if opens(words[at]) == 1), change)
    if spoken(words[:3]) != ["INGEST", "FROM", "FILE"] or opened == change or change == len(words):
        return words
    file = identifier(words[3], "".join(token.text for token in words[3 : top(words, {"FORMAT", ","}, 3)]))
    rest = [identifier(token, token.text[1:]) if token.text[:1] == "$" else token for token in words[change:]]
    values = top(rest, {"VALUES"})
    if word_of(rest[0]) != "INSERT" or values + 1 >= len(rest):
        # By which rows of the table a MERGE or an UPDATE goes its fields tell.
        source = [*made_words(words[0], "USING"), file]
        on = top(rest, {"ON"})
        return [*rest[:on], *source, *rest[on:]] if word_of(rest[0]) == "MERGE" else words
    given = rest[values + 2 : closed(rest, values + 1) - 1]
    return [*rest[:values], *made_words(words[0], "SELECT"), *given, *made_words(words[0], "FROM"), file]


def without_order(words: Words) -> Words:
    """ORDER BY ORDER OF x: rows as X gives them."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 3]) == ["ORDER BY", "ORDER", "OF"]:
            at = behind_name(words, at + 3)
        else:
            found.append(words[at])
            at += 1
    return found


def embedded(words: Words) -> Words:
    """EXEC SQL INSERT INTO t ... END-EXEC, as programs in other languages have it."""
    if spoken(words[:2]) != ["EXEC", "SQL"]:
        return words
    end = next((at for at in range(len(words)) if spoken(words[at : at + 3]) == ["END", "-", "EXEC"]), len(words))
    return words[2:end] or words
