"""Statements of Db2 by which rows move, and those around them.

LOAD FROM f OF DEL REPLACE INTO t (a, b)                 INSERT INTO t (a, b) SELECT a, b FROM the file
EXPORT TO f OF DEL SELECT a FROM s                       INSERT INTO the file SELECT a FROM s
DECLARE GLOBAL TEMPORARY TABLE t (a INT)                 CREATE TEMPORARY TABLE SESSION.t (a INT)
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    made_words,
    openings,
    parted,
    spoken,
    top,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of


def alike(words: Words) -> Words:
    """CREATE TABLE t LIKE s IN ts COMPRESS YES: where T is kept says nothing of its columns."""
    if spoken(words[:2]) != ["CREATE", "TABLE"]:
        return words
    at = behind_name(words, 2)
    return words[: behind_name(words, at + 1)] if spoken(words[at : at + 1]) == ["LIKE"] else words


def first_rows(words: Words) -> Words:
    """SAP HANA's SELECT TOP 10, Informix's SELECT SKIP 5 FIRST 10: which rows are given says nothing of values."""
    asks: set[int] = set()
    for at in range(1, len(words) - 1):
        counts = word_of(words[at]) in COUNTS and words[at + 1].token_type is TokenType.NUMBER
        if counts and (word_of(words[at - 1]) == "SELECT" or at - 1 in asks):
            asks |= {at, at + 1}
    return [word for at, word in enumerate(words) if at not in asks]


COUNTS = frozenset(("TOP", "FIRST", "SKIP"))


def temporary(words: Words) -> Words:
    """DECLARE GLOBAL TEMPORARY TABLE t ... makes SESSION.T, a table of the session."""
    if spoken(words[:4]) != ["DECLARE", "GLOBAL", "TEMPORARY", "TABLE"] or len(words) < 6:
        return words
    end = behind_name(words, 4)
    own = words[4:end] if end > 5 else [*made_words(words[4], "SESSION ."), words[4]]
    rest = words[end:]
    if word_of(rest[0]) == "LIKE":
        rest = rest[: behind_name(rest, 1)]
    elif rest[0].token_type is TokenType.L_PAREN:
        rest = rest[: closed(rest, 0)]
    elif word_of(rest[0]) == "AS" and rest[1].token_type is TokenType.L_PAREN:
        last = closed(rest, 1)
        filled = spoken(rest[last : last + 2]) == ["WITH", "DATA"]
        rest = [*rest[:last], *([] if filled else made_words(rest[0], "WITH NO DATA"))]
    return [*made_words(words[0], "CREATE TEMPORARY TABLE"), *own, *rest]


def loaded(words: Words) -> Words:
    """LOAD FROM f OF DEL ... REPLACE INTO t (a, b); IMPORT FROM f OF IXF ... INSERT INTO t."""
    said = spoken(words)
    at = next((n for n in range(3, len(said) - 1) if said[n] == "INTO" and said[n - 1] in FILLING), 0)
    if said[1:2] != ["FROM"] or said[0] not in ("LOAD", "IMPORT") or not at:
        return words
    end = behind_name(words, at + 1)
    listed = words[end : closed(words, end)] if end < len(words) and words[end].token_type is TokenType.L_PAREN else []
    if begins(words, 2):
        # LOAD FROM (SELECT ...) OF CURSOR.
        return [*made_words(words[0], "INSERT INTO"), *words[at + 1 : end], *listed, *words[2 : closed(words, 2)]]
    file = _file(words, 2)
    if not listed:
        source = made_words(words[1], f"'{file}'")
        into = made_words(words[at], "INTO TABLE")
        return [*made_words(words[0], "LOAD DATA INPATH"), *source, *into, *words[at + 1 : end]]
    query = [*made_words(words[0], "SELECT"), *listed[1:-1], *made_words(words[0], f'FROM "{file}"')]
    return [*made_words(words[0], "INSERT INTO"), *words[at + 1 : end], *listed, *query]


FILLING = frozenset(("INSERT", "REPLACE", "INSERT_UPDATE", "CREATE", "REPLACE_CREATE", "RESTART"))


def exported(words: Words) -> Words:
    """EXPORT TO f OF DEL ... SELECT ... fills a file."""
    at = top(words, {"SELECT", "WITH"})
    if spoken(words[:2]) != ["EXPORT", "TO"] or at == len(words):
        return words
    return [*made_words(words[0], f'INSERT INTO "{_file(words, 2)}"'), *words[at:]]


def merged(words: Words) -> Words:
    """WHEN MATCHED ... THEN SIGNAL stops where rows are so; ELSE IGNORE and NOT ATOMIC say nothing of rows."""
    if word_of(words[0]) != "MERGE":
        return words
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 4])
        if said[:2] in (["THEN", "SIGNAL"], ["THEN", "SET"]) and "SIGNAL" in said:
            end = top(words, {"WHEN", "ELSE"}, at + 1)
            found += made_words(words[at], "THEN DO NOTHING")
            at = end
        elif said[:2] == ["ELSE", "IGNORE"]:
            at += 2
        elif said[:3] == ["NOT", "ATOMIC", "CONTINUE"]:
            return found
        else:
            found.append(words[at])
            at += 1
    return found


def emptied(words: Words) -> Words:
    """TRUNCATE t DROP STORAGE IGNORE DELETE TRIGGERS IMMEDIATE."""
    if word_of(words[0]) != "TRUNCATE":
        return words
    at = 1 + (spoken(words[1:2]) == ["TABLE"])
    return [*made_words(words[0], "TRUNCATE TABLE"), *words[at : behind_name(words, at)]] if at < len(words) else words


def upserted(words: Words) -> Words:
    """UPSERT t (a) SELECT ..., UPSERT t VALUES (1) WITH PRIMARY KEY (HANA): it inserts, whatever it changes."""
    if word_of(words[0]) != "UPSERT":
        return words
    keyed = spoken(words[-2:]) in (["WITH", "PRIMARY KEY"], ["PRIMARY", "KEY"])
    cut = top(words, {"WITH"}) if keyed else len(words)
    return [*made_words(words[0], "INSERT INTO"), *words[1 + (word_of(words[1]) == "INTO") : cut]]


def _file(words: Words, at: int) -> str:
    """The name of a file, which need not be quoted: its words up to OF or a comma."""
    end = next((n for n in range(at, len(words)) if word_of(words[n]) in BEHIND_FILE), len(words))
    first = words[at]
    if end == at + 1:
        return str(first.text).replace("'", "''")
    return "".join(" " * (n > at and words[n].start > words[n - 1].end + 1) + words[n].text for n in range(at, end))


BEHIND_FILE = frozenset(("OF", ",", "CONTINUE", "INSERT", "REPLACE", "DELIMITER"))


def mapped(words: Words) -> Words:
    """HANA's MAP(a, 1, 'x', 'y') is DECODE; others make maps of two arrays."""
    decoded = {
        at
        for at in range(len(words) - 1)
        if spoken(words[at : at + 2]) == ["MAP", "("] and len(parted(words[at + 2 : closed(words, at + 1) - 1])) > 2
    }
    return [word_in_place(one, TokenType.VAR, "DECODE") if at in decoded else one for at, one in enumerate(words)]


def without_placeholders(words: Words) -> Words:
    """HANA's "cv" (PLACEHOLDER."$$day$$" => '2024'): a view that is told something has the same columns."""
    behind = 0
    found: Words = []
    for at in openings(words):
        if at >= behind and spoken(words[at + 1 : at + 2]) == ["PLACEHOLDER"]:
            found += words[behind:at]
            behind = closed(words, at)
    return [*found, *words[behind:]]
