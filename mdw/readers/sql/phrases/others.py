"""What only one of the other databases says."""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    made_words,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of


def inserting(words: Words) -> Words:
    """REPLACE INTO t inserts rows in the place of others; REPLACE TABLE t AS SELECT ... makes T again."""
    changed = (
        {"INTO": "INSERT OR REPLACE", "TABLE": "CREATE OR REPLACE"}.get(word_of(words[1])) if len(words) > 1 else None
    )
    return [*made_words(words[0], changed), *words[1:]] if changed and word_of(words[0]) == "REPLACE" else words


def run_later(words: Words) -> Words:
    """ALTER TASK t MODIFY AS INSERT ..., ALTER ALERT a MODIFY ACTION INSERT ... (Snowflake): what runs from now on."""
    at = top(words, {"MODIFY"}) + 1
    told = spoken(words[:2]) in (["ALTER", "TASK"], ["ALTER", "ALERT"]) and at + 1 < len(words)
    return words[at + 1 :] if told and word_of(words[at]) in ("AS", "ACTION") else words


def without_defaults(words: Words) -> Words:
    """The := value of a macro's argument is what it is where nobody gives it."""
    if "MACRO" not in spoken(words[:6]):
        return words
    marks = {at for at, token in enumerate(words) if token.token_type is TokenType.COLON_EQ}
    return [token for at, token in enumerate(words) if at not in marks and at - 1 not in marks]


PIVOTS = frozenset(("PIVOT", "UNPIVOT", "PIVOT_WIDER", "PIVOT_LONGER"))


def pivoting(words: Words) -> Words:
    """DuckDB's PIVOT and UNPIVOT in the place of a query: CREATE VIEW w AS PIVOT t ON x, PIVOT t ON x ORDER BY k."""
    # Behind FROM t they are a part of that.
    at = top(words, PIVOTS | {"FROM", "SELECT"})
    end = top(words, {"ORDER BY", "LIMIT", "OFFSET"}, at)
    within = word_of(words[0]) in ("CREATE", "INSERT") and "WITH" not in spoken(words[:at])
    if at == len(words) or word_of(words[at]) not in PIVOTS or not (within or end < len(words)):
        return words
    pivot = [*made_words(words[at], "SELECT * FROM ("), *words[at:end], *made_words(words[end - 1], ")")]
    return [*words[:at], *pivot, *words[end:]]


def without_properties(words: Words) -> Words:
    """Redshift's CREATE EXTERNAL TABLE t (...) ... TABLE PROPERTIES (...): no table is called so."""
    at = next((n for n in tops(words, {"TABLE"}, 4) if spoken(words[n + 1 : n + 2]) == ["PROPERTIES"]), 0)
    if spoken(words[:3]) != ["CREATE", "EXTERNAL", "TABLE"] or not at:
        return words
    return [*words[:at], *words[closed(words, at + 2) :]]


def unmodified(words: Words) -> Words:
    """SELECT SQL_CALC_FOUND_ROWS HIGH_PRIORITY DISTINCT a (MySQL): how a query runs says nothing of its rows."""
    found: Words = []
    for token in words:
        if not (found and word_of(found[-1]) in ("SELECT", "DISTINCT", "ALL") and word_of(token) in MODIFIERS):
            found.append(token)
    return found


MODIFIERS = frozenset(
    """
    SQL_CALC_FOUND_ROWS SQL_NO_CACHE SQL_CACHE SQL_BUFFER_RESULT SQL_SMALL_RESULT SQL_BIG_RESULT HIGH_PRIORITY
    STRAIGHT_JOIN
    """.split()  # noqa: SIM905
)


def unhurried(words: Words) -> Words:
    """INSERT LOW_PRIORITY INTO t, UPDATE IGNORE t, DELETE QUICK FROM t; CREATE TABLE t (...) REPLACE SELECT (MySQL)."""
    found = words[:1]
    for at, token in enumerate(words[1:], start=1):
        changes = word_of(found[-1]) in ("INSERT", "REPLACE", "UPDATE", "DELETE") and len(found) == 1
        copies = word_of(words[0]) == "CREATE" and spoken(words[at + 1 : at + 2]) in (["SELECT"], ["AS"])
        changes = changes and not (word_of(found[-1]) == "INSERT" and word_of(token) == "IGNORE")
        if not ((changes and word_of(token) in HURRIES) or (copies and word_of(token) in ("REPLACE", "IGNORE"))):
            found.append(token)
    if word_of(found[0]) == "REPLACE":
        found = [*made_words(found[0], "INSERT OR REPLACE INTO"), *found[1 + (spoken(found[1:2]) == ["INTO"]) :]]
    if spoken(found[:2]) == ["ALTER", "TABLE"]:
        at = top(found, {"RENAME"})
        if spoken(found[at + 1 : at + 2]) == ["AS"]:
            found[at + 1 : at + 2] = made_words(found[at], "TO")
    return found


HURRIES = frozenset(("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "QUICK", "IGNORE"))


def without_escapes(words: Words) -> Words:
    """FROM { OJ a LEFT JOIN b ON ... }, as drivers write an outer join."""
    found: Words = []
    open_ = 0
    for at, token in enumerate(words):
        if token.token_type is TokenType.L_BRACE and spoken(words[at + 1 : at + 2]) == ["OJ"]:
            open_ += 1
        elif not (
            (word_of(token) == "OJ" and at and words[at - 1].token_type is TokenType.L_BRACE)
            or (open_ and token.token_type is TokenType.R_BRACE)
        ):
            found.append(token)
        elif token.token_type is TokenType.R_BRACE:
            open_ -= 1
    return found


def without_alternative(words: Words) -> Words:
    """UPDATE OR IGNORE t ... (SQLite): what becomes of rows that break a rule."""
    return [words[0], *words[3:]] if spoken(words[:2]) == ["UPDATE", "OR"] else words


def raised(words: Words) -> Words:
    """RAISE(ABORT, 'no') (SQLite): the first is a word, and no column."""
    found = list(words)
    for at in range(len(words) - 2):
        if spoken(words[at : at + 2]) == ["RAISE", "("] and word_of(words[at + 2]) in RAISED:
            found[at + 2 : at + 3] = made_words(words[at + 2], f"'{word_of(words[at + 2])}'")
    return found


RAISED = frozenset(("IGNORE", "ROLLBACK", "ABORT", "FAIL"))


def deduplicated(words: Words) -> Words:
    """Redshift's MERGE ... REMOVE DUPLICATES changes rows that match and adds the others."""
    if word_of(words[0]) != "MERGE" or spoken(words[-2:]) != ["REMOVE", "DUPLICATES"]:
        return words
    both = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    return [*words[:-2], *made_words(words[-1], both)]


def trained_from(words: Words) -> Words:
    """Redshift's CREATE MODEL m FROM (SELECT ...) TARGET y FUNCTION f ...: a model is what it is made of."""
    at = next((n for n in tops(words[:4], {"MODEL"})), 0)
    source = top(words, {"FROM"}, at)
    if word_of(words[0]) != "CREATE" or not at or source + 1 >= len(words):
        return words
    opened = words[source + 1].token_type is TokenType.L_PAREN
    end = closed(words, source + 1) if opened else behind_name(words, source + 1)
    lead = [*made_words(words[0], "CREATE TABLE"), *words[at + 1 : behind_name(words, at + 1)]]
    return [
        *lead,
        *made_words(words[at], "AS SELECT * FROM"),
        *words[source + 1 : end],
        *made_words(words[at], "AS model"),
    ]
