"""What MariaDB says of versions of rows, and of altering tables.

FROM t FOR SYSTEM_TIME FROM TIMESTAMP @a TO TIMESTAMP @b      FROM t FOR SYSTEM_TIME FROM @a TO @b
FROM (SELECT ...) FOR SYSTEM_TIME ALL AS x                    FROM (SELECT ...) AS x
ALTER ONLINE TABLE t ADD COLUMN (a INT, b INT)                ALTER TABLE t ADD COLUMN a INT, ADD COLUMN b INT
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import Words, closed, made_words, opens, parted, separated, spoken, top
from mdw.readers.sql.pieces import TokenType, word_of

KINDS = frozenset(("TIMESTAMP", "TRANSACTION"))
BEFORE = frozenset(("FROM", "TO", "BETWEEN", "AND", "OF", "AS OF"))
BEHIND = frozenset(("AS", ",", "WHERE", "JOIN", "ON"))


def unversioned(words: Words) -> Words:
    """WITH SYSTEM VERSIONING of a table and of a column; DELETE HISTORY FROM t BEFORE SYSTEM_TIME x."""
    if spoken(words[:2]) == ["DELETE", "HISTORY"]:
        return [words[0], *words[2 : top(words, {"BEFORE"})]]
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        if said in (["WITH", "SYSTEM", "VERSIONING"], ["WITHOUT", "SYSTEM", "VERSIONING"]):
            at += 3
        else:
            found.append(words[at])
            at += 1
    return found


def of_times(words: Words) -> Words:
    """FOR SYSTEM_TIME ALL, AS OF TRANSACTION 5, FROM TIMESTAMP @a TO TIMESTAMP @b; behind a query, too."""
    found: Words = []
    at = 0
    near = -1
    while at < len(words):
        said = spoken(words[at : at + 3])
        within = bool(found) and found[-1].token_type is TokenType.R_PAREN
        if said[:2] == ["FOR", "SYSTEM_TIME"] and (within or said[2:] == ["ALL"]):
            at = at + 3 if said[2:] == ["ALL"] else _behind(words, at + 3)
            continue
        near = at + 14 if said[:2] == ["FOR", "SYSTEM_TIME"] else near
        told = at < near and word_of(words[at]) in KINDS and found and word_of(found[-1]) in BEFORE
        if not told:
            found.append(words[at])
            at += 1
        elif opens(words[at + 2]) == 1 if at + 2 < len(words) else False:
            # AS OF TRANSACTION f(): a value that a function gives.
            found += made_words(words[at], "NULL")
            at = closed(words, at + 2)
        else:
            at += 1
    return found


def _behind(words: Words, at: int) -> int:
    """Where the name of the query stands, or what is behind it."""
    at += spoken(words[at : at + 1]) in (["OF"], ["AS"])
    return top(words, BEHIND, at)


def altered(words: Words) -> Words:
    """ALTER IGNORE TABLE t ADD COLUMN (a INT, b INT AS (a + 1) PERSISTENT), MODIFY c REAL UNSIGNED."""
    if word_of(words[0]) != "ALTER":
        return words
    hurried = word_of(words[1]) in ("ONLINE", "OFFLINE", "IGNORE")
    words = [words[0], *words[1 + hurried :]]
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        column = 1 + (said[1:2] == ["COLUMN"])
        if said[:1] == ["ADD"] and at + column < len(words) and opens(words[at + column]) == 1:
            end = closed(words, at + column)
            items = [[*made_words(words[at], "ADD COLUMN"), *item] for item in parted(words[at + column + 1 : end - 1])]
            found += separated(items, made_words(words[at], ","))
            at = end
        elif said[:1] == ["PERSISTENT"]:
            found += made_words(words[at], "STORED")
            at += 1
        else:
            found += [] if said[:1] and said[0] in SIGNS else [words[at]]
            at += 1
    return found


SIGNS = frozenset(("UNSIGNED", "SIGNED", "ZEROFILL"))
