"""Graphs of properties (SQL/PGQ: BigQuery, Oracle, PostgreSQL), which have the columns of the tables they are made of.

CREATE PROPERTY GRAPH g                             CREATE VIEW g AS
  VERTEX TABLES (a KEY (id) PROPERTIES (x, y AS z)  SELECT x, y AS z FROM a
  EDGE TABLES (e SOURCE KEY ...)                    UNION ALL BY NAME SELECT * FROM e
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    made_words,
    name_at,
    parted,
    spoken,
    top,
    tops,
)

TABLES = frozenset(("VERTEX", "NODE", "EDGE"))


def graph_made(words: Words) -> Words:
    """CREATE [OR REPLACE] PROPERTY GRAPH g ...: a view of its tables, of which each gives its properties by name."""
    at = next((n for n in range(1, min(4, len(words) - 1)) if spoken(words[n : n + 2]) == ["PROPERTY", "GRAPH"]), 0)
    if spoken(words[:1]) != ["CREATE"] or not at:
        return words
    begins = name_at(words, at + 2)
    name = words[begins : behind_name(words, begins)]
    listed = [
        one
        for n in tops(words, TABLES)
        if spoken(words[n + 1 : n + 3]) == ["TABLES", "("]
        for one in parted(words[n + 3 : closed(words, n + 2) - 1])
        if one and not _bare(one)
    ]
    query: Words = []
    for one in listed:
        query += made_words(one[0], "UNION ALL BY NAME") if query else []
        query += [*made_words(one[0], "SELECT"), *_properties(one), *made_words(one[0], "FROM"), *_table(one)]
    return (
        [*words[:at], *made_words(words[at], "VIEW"), *name, *made_words(words[at], "AS"), *query] if query else words
    )


def _table(one: Words) -> Words:
    return one[: behind_name(one, 0)]


def _bare(one: Words) -> bool:
    return all(spoken(one[at - 1 : at]) == ["NO"] for at in tops(one, {"PROPERTIES"})) and "PROPERTIES" in spoken(one)


def _properties(one: Words) -> Words:
    """What a table gives: the columns that its labels list, else all of them."""
    found: Words = []
    for at in tops(one, {"PROPERTIES"}):
        if spoken(one[at + 1 : at + 2]) == ["("]:
            found += [*(made_words(one[at], ",") if found else []), *one[at + 2 : closed(one, at + 1) - 1]]
        elif spoken(one[at - 1 : at]) != ["NO"]:
            left = top(one, {"EXCEPT"}, at)
            without = one[left + 1 : closed(one, left + 1)] if left < len(one) else []
            return [*made_words(one[at], "*"), *(made_words(one[at], "EXCEPT") if without else []), *without]
    return found or made_words(one[0], "*")


def asked(words: Words) -> Words:
    """ORDER BY the properties that MATCH asks for, a.x in WHERE a.x > 1 and {id: 1}: of whichever node, they decide."""
    found: Words = []
    for at in range(1, len(words) - 1):
        before, mark = words[at - 1], words[at].text
        if mark == "." and words[at - 1].text not in (".", ")"):
            found += [*(made_words(before, ",") if found else []), words[at + 1]]
        elif mark == ":" and at > 1 and words[at - 2].text in ("{", ","):
            found += [*(made_words(before, ",") if found else []), before]
    return [*made_words(words[0], "ORDER BY"), *found] if found else []
