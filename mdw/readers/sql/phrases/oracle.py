"""What only Oracle says.

UPDATE (SELECT a, b FROM t JOIN s ...) SET a = b         WITH updated AS (SELECT a, b ...) UPDATE updated SET a = b
INSERT INTO t VALUES r                                   INSERT INTO t SELECT r.*
WHEN MATCHED THEN UPDATE ... DELETE WHERE c              ... WHEN MATCHED AND (c) THEN DELETE
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    made_words,
    parted,
    separated,
    spoken,
    top,
)
from mdw.readers.sql.pieces import TokenType, word_of

CHANGED = "changed query"
"""How a query is called whose rows are changed and that has no name; no table is called so."""

BEFORE_OLD = frozenset((TokenType.COMMA, TokenType.RETURNING))


def branching(words: Words) -> Words:
    """The DELETE WHERE behind a MERGE's update is a branch of its own."""
    if word_of(words[0]) != "MERGE":
        return words
    for at, token in enumerate(words):
        if word_of(token) == "DELETE" and at + 1 < len(words) and word_of(words[at + 1]) == "WHERE":
            end = next((n for n in range(at, len(words)) if word_of(words[n]) == "WHEN"), len(words))
            lead, last = made_words(token, "WHEN MATCHED AND ("), made_words(token, ") THEN DELETE")
            return [*words[:at], *lead, *words[at + 2 : end], *last, *words[end:]]
    return words


def row_inserted(words: Words) -> Words:
    """INSERT INTO t VALUES r is of all columns of the row that the variable r holds."""
    at = top(words, {"VALUES"})
    if word_of(words[0]) != "INSERT" or at + 1 >= len(words) or words[at + 1].token_type is TokenType.L_PAREN:
        return words
    end = behind_name(words, at + 1)
    made = made_words(words[at], "SELECT"), made_words(words[end - 1], ". *")
    return [*words[:at], *made[0], *words[at + 1 : end], *made[1], *words[end:]]


def through(words: Words) -> Words:
    """UPDATE (SELECT ...) SET a = b is an update through a query that has a name."""
    if word_of(words[0]) != "UPDATE" or len(words) < 3 or not begins(words, 1):
        return words
    if words[1].token_type is not TokenType.L_PAREN:
        return words
    end, sets = closed(words, 1), top(words, {"SET"})
    name = words[end : end + 1] if sets > end else made_words(words[0], "updated")
    return [
        *made_words(words[0], "WITH"),
        *name,
        *made_words(words[0], "AS"),
        *words[1:end],
        words[0],
        *name,
        *words[sets:],
    ]


def old_and_new(words: Words) -> Words:
    """RETURNING OLD a, NEW a gives a column of the row as it was, and as it became: OLD.a, NEW.a."""
    behind = top(words, {"RETURNING"})
    found: Words = []
    for at, token in enumerate(words):
        found.append(token)
        listed = at > behind and word_of(token) in ("OLD", "NEW") and words[at - 1].token_type in BEFORE_OLD
        if listed and at + 1 < len(words) and words[at + 1].token_type in (TokenType.VAR, TokenType.IDENTIFIER):
            found += made_words(token, ".")
    return found


def without_partitions(words: Words) -> Words:
    """A join PARTITION BY (x): rows are made up where a part has none."""
    found: Words = []
    at = 0
    while at < len(words):
        brackets = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
        if word_of(words[at]) == "PARTITION BY" and brackets:
            end = closed(words, at + 1)
            if end < len(words) and word_of(words[end]) in ("LEFT", "RIGHT", "FULL", "JOIN", "ON", "USING", "OUTER"):
                at = end
                continue
        found.append(words[at])
        at += 1
    return found


def of_all_partitions(words: Words) -> Words:
    """FROM t PARTITION (p), t SUBPARTITION FOR (1): rows of some part of T."""
    if word_of(words[0]) in ("CREATE", "ALTER"):
        return words
    found: Words = []
    at = 0
    while at < len(words):
        opened = at + 1 + (spoken(words[at + 1 : at + 2]) == ["FOR"])
        named = bool(found) and found[-1].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
        bracketed = opened < len(words) and words[opened].token_type is TokenType.L_PAREN
        if word_of(words[at]) in ("PARTITION", "SUBPARTITION") and named and bracketed:
            at = closed(words, opened)
        else:
            found.append(words[at])
            at += 1
    return found


def only(words: Words) -> Words:
    """FROM ONLY (v): rows of V that are of none of its subtypes."""
    found: Words = []
    at = 0
    while at < len(words):
        bracket = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
        if word_of(words[at]) == "ONLY" and bracket and found and word_of(found[-1]) in ("FROM", ",", "JOIN", "UPDATE"):
            end = closed(words, at + 1)
            found += words[at + 2 : end - 1]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def set_inserted(words: Words) -> Words:
    """INSERT INTO t SET a = x, b = y is INSERT INTO t (a, b) SELECT x, y."""
    at = top(words, {"SET"})
    if spoken(words[:2]) != ["INSERT", "INTO"] or at + 2 >= len(words):
        return words
    items = parted(words[at + 1 :])
    if any(len(one) < 3 or one[1].token_type is not TokenType.EQ for one in items):
        return words
    comma = made_words(words[at], ",")
    names = bracketed(separated([one[:1] for one in items], comma), words[at])
    values = separated([one[2:] for one in items], comma)
    return [*words[:at], *names, *made_words(words[at], "SELECT"), *values, *made_words(words[at], "FROM DUAL")]


def without_log(words: Words) -> Words:
    """INSERT ... LOG ERRORS INTO t ('x') REJECT LIMIT 10: rows that fail, which are none of those that are made."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 2]) != ["LOG", "ERRORS"]:
            found.append(words[at])
            at += 1
            continue
        at += 2
        # INSERT ALL says it of each table, and the next INTO may be another one's.
        named = behind_name(words, at + 1) if spoken(words[at : at + 1]) == ["INTO"] else at
        listed = closed(words, named) if spoken(words[named : named + 1]) == ["("] else named
        tagged = listed > named and words[named + 1].token_type is TokenType.STRING
        own = spoken(words[listed : listed + 2]) == ["REJECT", "LIMIT"] or listed == len(words) or tagged
        at = listed if own else at
        at += 3 * (spoken(words[at : at + 2]) == ["REJECT", "LIMIT"])
    return found


def unversioned(words: Words) -> Words:
    """t VERSIONS BETWEEN SCN MINVALUE AND MAXVALUE v: rows of t as they were, too."""
    found, at = words, 0
    while at < len(found):
        said = spoken(found[at : at + 3])
        last = top(found, {"AND"}, at)
        if said[:2] == ["VERSIONS", "BETWEEN"] and said[2:] in (["SCN"], ["TIMESTAMP"]) and last + 1 < len(found):
            called = last + 2 < len(found) and found[last + 2].token_type is TokenType.L_PAREN
            found = [*found[:at], *found[closed(found, last + 2) if called else last + 2 :]]
        at += 1
    return found


def into_query(words: Words) -> Words:
    """INSERT INTO (SELECT a, b FROM t WHERE ...) VALUES (1, 2) fills a query that has a name, as in `through`."""
    if spoken(words[:3]) != ["INSERT", "INTO", "("] or not begins(words, 2):
        return words
    end = closed(words, 2)
    name = made_words(words[0], f'"{CHANGED}"')
    return [
        *made_words(words[0], "WITH"),
        *name,
        *made_words(words[0], "AS"),
        *words[2:end],
        *words[:2],
        *name,
        *words[end:],
    ]


def into_nested(words: Words) -> Words:
    """INSERT INTO TABLE(SELECT t.nest FROM t WHERE k = 1) ... adds to the values that column NEST of T holds."""
    if (
        spoken(words[:2]) != ["INSERT", "INTO"]
        or spoken(words[2:3]) not in (["TABLE"], ["THE"])
        or not begins(words, 3)
    ):
        return words
    end = closed(words, 3)
    inner = words[4 : end - 1]
    source = top(inner, {"FROM"})
    if source + 1 >= len(inner):
        return words
    table = inner[source + 1 : behind_name(inner, source + 1)]
    listed = words[end].token_type is TokenType.L_PAREN and not begins(words, end)
    rest = words[closed(words, end) :] if listed else words[end:]
    column = [*made_words(words[0], "("), inner[source - 1], *made_words(words[0], ")")]
    if spoken(rest[:2]) == ["VALUES", "("]:
        # One row of several values is one element.
        row = rest[1 : closed(rest, 1)]
        rest = [rest[0], *made_words(words[0], "( ELEMENT_OF"), *row, *made_words(words[0], ")")]
    asked = top(rest, {"FROM"})
    items = parted(rest[1:asked]) if spoken(rest[:1]) == ["SELECT"] else []
    if len(items) > 1:
        # So are the columns of each row of a query.
        given = separated([one[: top(one, {"AS"})] for one in items], made_words(words[0], ","))
        rest = [rest[0], *made_words(words[0], "ELEMENT_OF ("), *given, *made_words(words[0], ")"), *rest[asked:]]
    return [*words[:2], *table, *column, *rest]


def flashed_back(words: Words) -> Words:
    """FLASHBACK TABLE t TO BEFORE DROP RENAME TO u: u is what t was."""
    at = top(words, {"RENAME"})
    if spoken(words[:2]) != ["FLASHBACK", "TABLE"] or at == len(words):
        return words
    return [*made_words(words[0], "ALTER TABLE"), *words[2 : behind_name(words, 2)], *words[at:]]
