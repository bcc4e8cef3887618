"""What MySQL and MariaDB say where views and tables are made.

CREATE DEFINER = u SQL SECURITY INVOKER VIEW v AS ...      CREATE VIEW v AS ...
CREATE TABLE t (a INT) CHECKSUM = 1 SELECT ...             CREATE TABLE t (a INT) AS SELECT ...
CREATE TABLE m (a INT) UNION = (s, t)                      CREATE VIEW m AS SELECT a FROM s UNION ALL SELECT a FROM t
CREATE TABLE f (a INT) CONNECTION = 'mysql://h/db/t'       CREATE VIEW f AS SELECT a FROM h.db.t
"""

from __future__ import annotations

from mdw.readers.sql.phrases.columns import items_of
from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    identifier,
    listed_first,
    made_words,
    name_at,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import word_of


def plain_view(words: Words) -> Words:
    """CREATE DEFINER = CURRENT_USER() SQL SECURITY INVOKER VIEW v ...: on whose behalf a view is asked."""
    at = top(words, {"VIEW", "AS", "("})
    at = top(words, {"VIEW"}) if at < len(words) and word_of(words[at]) == "(" else at
    if word_of(words[0]) != "CREATE" or at == len(words) or word_of(words[at]) != "VIEW":
        return words
    body = top(words, {"AS"}, at)
    end = next((n for n in tops(words, {"WITH"}, body) if _checks(words[n:])), len(words))
    again = made_words(words[0], "OR REPLACE") if spoken(words[1:3]) == ["OR", "REPLACE"] else []
    return [words[0], *again, *words[at:end]]


def _checks(words: Words) -> bool:
    return spoken(words)[-2:] == ["CHECK", "OPTION"] and len(words) in (3, 4)


def plain_copy(words: Words) -> Words:
    """CREATE TABLE t (a INT) CHECKSUM = 1 PARTITION BY HASH (a) SELECT ...: how the rows of a query are kept."""
    kind = top(words, {"TABLE", "VIEW", "AS"})
    if word_of(words[0]) != "CREATE" or kind == len(words) or word_of(words[kind]) != "TABLE":
        return words
    end = behind_name(words, name_at(words, kind + 1))
    if end < len(words) and opens(words[end]) == 1 and not begins(words, end):
        end = closed(words, end)
    body = next((at for at in range(end, len(words)) if begins(words, at) and word_of(words[at]) != "UPDATE"), 0)
    if not body or spoken(words[end : end + 1]) in (["LIKE"], ["AS"]):
        return words
    return [*words[:end], *made_words(words[end], "AS"), *words[body:]]


def of_others(words: Words) -> Words:
    """CREATE TABLE m (a INT) ENGINE = MERGE UNION = (s, t) has the rows of S and T."""
    at = next((n for n in tops(words, {"UNION"}) if _lists(words, n + 1)), 0)
    kind = top(words, {"TABLE"})
    if not at or word_of(words[0]) != "CREATE" or kind > 3:
        return words
    first = name_at(words, kind + 1)
    end = behind_name(words, first)
    opened = at + 1 + (spoken(words[at + 1 : at + 2]) == ["="])
    tables = [one for one in parted(words[opened + 1 : closed(words, opened) - 1]) if one]
    if not tables or opens(words[end]) != 1:
        return words
    comma = made_words(words[end], ",")
    names = separated([item[:1] for item in items_of(words, end)], comma)
    queries = [[*made_words(words[at], "SELECT"), *names, *made_words(words[at], "FROM"), *one] for one in tables]
    lead = [*made_words(words[0], "CREATE VIEW"), *words[first:end], *made_words(words[at], "AS")]
    return [*lead, *separated(queries, made_words(words[at], "UNION ALL"))]


def federated(words: Words) -> Words:
    """CREATE TABLE f (a INT) ENGINE = FEDERATED CONNECTION = 'mysql://u@h/db/t': a view of the other server's db.t."""
    at = next((n for n in tops(words, {"CONNECTION"}) if spoken(words[n + 1 : n + 2]) == ["="]), 0)
    kind = top(words, {"TABLE"})
    opened = behind_name(words, name_at(words, kind + 1)) if kind < 3 else len(words)
    if not at or at + 2 >= len(words) or opened >= len(words) or opens(words[opened]) != 1:
        return words
    # Of mysql://user:password@host:port/db/table; or of a server that CREATE SERVER made: server/table, server.
    parts = words[at + 2].text.rpartition("://")[2].rpartition("@")[2].split("/")
    name = words[opened - 1].text
    path = [*parts[:1], *(parts[1:] or [name])] if "FEDERATED" in spoken(words) else []
    if not path:
        return words
    listed = separated(listed_first(words[opened + 1 : closed(words, opened) - 1]), made_words(words[at], ","))
    source = separated([[identifier(words[at + 2], one)] for one in path], made_words(words[at], "."))
    view = [*made_words(words[0], "CREATE VIEW"), *words[name_at(words, kind + 1) : opened]]
    return [*view, *made_words(words[at], "AS SELECT"), *listed, *made_words(words[at], "FROM"), *source]


def _lists(words: Words, at: int) -> bool:
    """Whether tables are listed here, and no query begins."""
    return spoken(words[at : at + 1]) in (["="], ["("]) and not begins(words, at)
