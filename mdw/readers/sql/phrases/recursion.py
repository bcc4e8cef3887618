"""SEARCH and CYCLE behind a recursive query: columns that tell the order of its rows, and whether they come again.

WITH RECURSIVE g (i, k) AS (q) SEARCH DEPTH FIRST BY i, k SET place CYCLE i SET again USING way SELECT ...

    g AS (WITH RECURSIVE g (i, k) AS (q) SELECT g.*, SEARCHED(i, k) AS place,
          CASE WHEN CYCLED(i) THEN 1 ELSE 0 END AS again, PASSED(i) AS way FROM g)

sqlglot reads one of both, and of one column alone.
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    bracketed,
    closed,
    listed_first,
    made_words,
    openings,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType


def with_marks(words: Words) -> Words:
    """The query with the columns that SEARCH and CYCLE make of it."""
    said = spoken(words)
    for opened in openings(words):
        end = closed(words, opened)
        marked = said[end : end + 1] == ["CYCLE"] or said[end : end + 2] in (["SEARCH", "DEPTH"], ["SEARCH", "BREADTH"])
        if marked and (begin := _begin(words, opened)) >= 0:
            marks, behind = _marks(words, end)
            name, query = words[begin], [*made_words(words[begin], "WITH RECURSIVE"), *words[begin:end]]
            query += [
                *made_words(name, "SELECT"),
                name,
                *made_words(name, ". *"),
                *marks,
                *made_words(name, "FROM"),
                name,
            ]
            return [*words[:begin], name, *made_words(name, "AS"), *bracketed(query, name), *with_marks(words[behind:])]
    return words


def keyed(words: Words) -> Words:
    """DuckDB's USING KEY (k, max(v)): what is made of the others for a key is one of them, and only the key decides."""
    said = spoken(words)
    at = next((n for n in tops(words, {"USING"}) if said[n + 1 : n + 2] == ["KEY"] and n + 2 < len(words)), len(words))
    if at == len(words) or words[at + 2].token_type is not TokenType.L_PAREN:
        return words
    end = closed(words, at + 2)
    keys = [one for one in parted(words[at + 3 : end - 1]) if len(one) == 1]
    return [*words[: at + 3], *separated(keys, made_words(words[at], ",")), words[end - 1], *keyed(words[end:])]


def _begin(words: Words, opened: int) -> int:
    """Where the name of the query begins whose parenthesis opens here; -1 where it has none.

    It stands before AS, and before the names of its columns. Behind AS may stand NOT MATERIALIZED.
    """
    before = spoken(words[max(0, opened - 3) : opened])
    if "AS" not in before:
        return -1
    at = opened - before[::-1].index("AS") - 1
    if words[at - 1].token_type is not TokenType.R_PAREN:
        return at - 1
    return next((one for one in openings(words[:at]) if closed(words, one) == at), 0) - 1


def _marks(words: Words, at: int) -> tuple[Words, int]:
    """The columns that are made from here on, each behind a comma, and where what makes them ends."""
    made: Words = []
    said = spoken(words)
    while said[at : at + 1] in (["SEARCH"], ["CYCLE"]) and (end := top(words, {"SET"}, at)) + 1 < len(words):
        keys = listed_first(words[at + (4 if said[at] == "SEARCH" else 1) : end])
        of_keys = bracketed(separated(keys, made_words(words[at], ",")), words[at])
        name, given = words[end + 1], words[at]
        if said[at] == "SEARCH":
            made += [*made_words(given, ", SEARCHED"), *of_keys, *made_words(given, "AS"), name]
            at = end + 2
            continue
        made += [*made_words(given, ", CASE WHEN CYCLED"), *of_keys, *made_words(given, "THEN 1 ELSE 0 END AS"), name]
        at = end + 2
        while said[at : at + 1] in (["TO"], ["DEFAULT"]):
            at += 2
        if said[at : at + 1] == ["USING"]:
            made += [*made_words(given, ", PASSED"), *of_keys, *made_words(given, "AS"), words[at + 1]]
            at += 2
    return made, at
