"""CREATE ... AS SELECT without what it says of storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mdw.readers.sql.phrases.columns import items_of
from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    identifier,
    listed_first,
    made_words,
    name_at,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

KINDS = frozenset(("TASK", "PIPE", "SCHEDULED", "TABLE", "VIEW"))
"""What a CREATE may be of that has a statement in it: Hive's are SCHEDULED QUERY."""


def plain_create(words: Sequence[Any]) -> Words | None:
    """CREATE ... AS SELECT without what it says of storage; of a task, a pipe the statement it runs.

    None of others.

    CREATE MATERIALIZED VIEW v BUILD IMMEDIATE AS SELECT ...      CREATE VIEW v AS SELECT ...
    """
    words = view_altered(list(words))
    first = [word_of(token) for token in words[:8]]
    # Of VIEW v ON PREBUILT TABLE the first is meant.
    kind = next((word for word in first if word in KINDS), "")
    body = next((at for at in tops(words, {"AS"}) if begins(words, at + 1)), 0)
    if kind == "VIEW" and not body:
        # A view may be of a table as it is, or of rows that are written there.
        body = next((at for at in tops(words[:-1], {"AS"}) if word_of(words[at + 1]) in ("TABLE", "VALUES")), 0)
    if first[:1] != ["CREATE"] or not kind or not body:
        return None
    rest = list(words[body + 1 :])
    if kind in ("TASK", "PIPE", "SCHEDULED"):
        return rest
    # CREATE TABLE name (columns) ... AS SELECT ...: name, columns and query stay; WITH NO DATA behind it goes too.
    name = first.index(kind) + 1
    if "EXISTS" in first:
        name = first.index("EXISTS") + 1
    end = behind_name(words, name)
    listed: Words = []
    if words[end].token_type is TokenType.L_PAREN and (items := items_of(words, end)):
        names = separated([item[:1] for item in items], made_words(words[end], ","))
        listed = bracketed(names, words[end])
    # ClickHouse's materialized view fills the table behind TO.
    filled = words[end : behind_name(words, end + 1)] if "MATERIALIZED" in first and _to(words, end) else []
    materialized = "MATERIALIZED " if filled else ""
    temporary = "TEMPORARY " if {"TEMP", "TEMPORARY", "VOLATILE"} & set(first) else ""
    temporary = f"GLOBAL {temporary}" if temporary and "GLOBAL" in first else temporary
    tail = next((at for at in tops(rest, {"WITH", "ON"}) if at and _ends(rest, at)), len(rest))
    if (
        rest[0].token_type is TokenType.L_PAREN
        and word_of(rest[min(last := closed(rest, 0), len(rest) - 1)]) not in SETS
    ):
        # Db2's (SELECT ...) DATA INITIALLY DEFERRED REFRESH DEFERRED ORGANIZE BY ROW.
        tail = min(tail, last)
    made = made_words(words[0], f"CREATE {materialized}{temporary}{kind}")
    behind = spoken(rest[tail:])
    empty = behind[:3] == ["WITH", "NO", "DATA"] or behind[:2] == ["DEFINITION", "ONLY"]
    none = made_words(rest[-1], "WITH NO DATA") if empty and kind == "TABLE" else []
    return [*made, *words[name:end], *filled, *listed, words[body], *rest[:tail], *none]


def _to(words: Sequence[Any], at: int) -> bool:
    return word_of(words[at]) == "TO"


SETS = frozenset(("UNION", "EXCEPT", "INTERSECT", "MINUS", "ORDER BY", "LIMIT", "FETCH"))
"""What goes on with a query that is in parentheses."""
ENDINGS = (
    ("WITH", "NO"),
    ("WITH", "DATA"),
    ("WITH", "READ"),
    ("WITH", "CHECK"),
    ("WITH", "CASCADED"),
    ("WITH", "LOCAL"),
    ("ON", "COMMIT"),
)


def _ends(words: Sequence[Any], at: int) -> bool:
    """Whether a word begins what stands behind the query of a CREATE: WITH NO DATA, ON COMMIT ..."""
    return tuple(word_of(token) for token in words[at : at + 2]) in ENDINGS


def of_type(words: Words) -> Words:
    """CREATE TABLE t OF person_t (...), of which the type tells the columns."""
    end = behind_name(words, name_at(words, 2)) if len(words) > 3 else len(words)
    typed = spoken(words[:2]) == ["CREATE", "TABLE"] and spoken(words[end : end + 1]) == ["OF"]
    return words[:end] if typed else words


def of_row_type(words: Words) -> Words:
    """PostgreSQL's CREATE TABLE t OF person (...): T has the columns of the type, as if it were made LIKE that."""
    end = behind_name(words, name_at(words, 2)) if len(words) > 3 else len(words)
    if spoken(words[:2]) != ["CREATE", "TABLE"] or spoken(words[end : end + 1]) != ["OF"]:
        return words
    like = words[end + 1 : behind_name(words, end + 1)]
    return [*words[:end], *made_words(words[0], "( LIKE"), *like, *made_words(words[0], ")")]


def row_type(words: Words) -> Words:
    """PostgreSQL's CREATE TYPE r AS (a INT): what is of that type has the columns that a table R would have."""
    at = top(words, {"AS"}) if spoken(words[:2]) == ["CREATE", "TYPE"] else len(words)
    if spoken(words[at + 1 : at + 2]) != ["("]:
        return words
    return [words[0], *made_words(words[1], "TABLE"), *words[2:at], *words[at + 1 :]]


def without_virtual(words: Words) -> Words:
    """VIRTUAL behind the formula of a column says that its values are not stored."""
    if word_of(words[0]) not in ("CREATE", "ALTER"):
        return words
    return [
        token
        for at, token in enumerate(words)
        if not (word_of(token) == "VIRTUAL" and at and words[at - 1].token_type is TokenType.R_PAREN)
    ]


def another_name(words: Words) -> Words:
    """CREATE SYNONYM s FOR t, ALIAS s FOR t: s is a view of all of t, by which rows also come to t."""
    said = spoken(words)
    at = next((n for n in range(1, min(5, len(words))) if said[n] in ("SYNONYM", "ALIAS", "NICKNAME")), 0)
    target = top(words, {"FOR"}, at)
    if said[0] == "DROP" and at in (1, 2) and said[1:at] in ([], ["PUBLIC"]):
        return [*made_words(words[0], "DROP VIEW"), *words[at + 1 : at + 1 + len(_named(words, at + 1))]]
    if said[0] != "CREATE" or not at or target == len(words):
        return words
    name = words[name_at(words, at + 1) : target]
    source = words[target + 1 + (said[target + 1] == "TABLE") :]
    return _view(name, source, words[0])


def _named(words: Words, at: int) -> Words:
    """What is named here, with IF EXISTS before it."""
    lead = 2 * (spoken(words[at : at + 2]) == ["IF", "EXISTS"])
    return words[at : behind_name(words, at + lead)]


def _view(name: Words, source: Words, at: Any) -> Words:
    return [*made_words(at, "CREATE VIEW"), *name, *made_words(at, "AS SELECT * FROM"), *source]


def recursive(words: Words) -> Words:
    """CREATE RECURSIVE VIEW v (n) AS VALUES ... UNION ...: a view of a query of itself (PostgreSQL)."""
    said = spoken(words[:6])
    at = said.index("RECURSIVE") if "RECURSIVE" in said[:4] else 0
    body = top(words, {"AS"})
    if said[:1] != ["CREATE"] or said[at + 1 : at + 2] != ["VIEW"] or not at or begins(words, body + 1):
        return words
    name = words[at + 2 : behind_name(words, at + 2)]
    listed = words[at + 2 + len(name) : body]
    own = [*made_words(words[at], "AS WITH RECURSIVE"), *name[-1:], *listed, *made_words(words[at], "AS (")]
    behind = made_words(words[at], ") SELECT * FROM")
    return [*words[:at], words[at + 1], *name, *listed, *own, *words[body + 1 :], *behind, *name[-1:]]


def part(words: Words) -> Words:
    """PostgreSQL's CREATE TABLE p PARTITION OF t ...: p is a view of t, by which rows come to t."""
    said = spoken(words)
    at = next((n for n in range(len(words) - 2) if said[n] == "PARTITION" and said[n + 1] == "OF"), 0)
    if said[:2] != ["CREATE", "TABLE"] or not at:
        return words
    name = words[name_at(words, 2) : at]
    end = behind_name(words, at + 2)
    return _view(name, words[at + 2 : end], words[0])


def foreign(words: Words) -> Words:
    """PostgreSQL's CREATE FOREIGN TABLE f (a int) SERVER s OPTIONS (table_name 't'): a view of s.t."""
    said = spoken(words)
    opened = next((n for n, token in enumerate(words) if token.token_type is TokenType.L_PAREN), 0)
    if said[:3] != ["CREATE", "FOREIGN", "TABLE"] or not opened or "SERVER" not in said:
        return words
    name = words[name_at(words, 3) : opened]
    end = closed(words, opened)
    options = {said[n]: words[n + 1] for n in range(end, len(words) - 1)}
    table = options.get("TABLE_NAME") or options.get("TABLE")
    schema = options.get("SCHEMA_NAME") or options.get("SCHEMA")
    if table is None:
        return [*made_words(words[0], "CREATE TABLE"), *name, *words[opened:end]]
    dot = made_words(words[0], ".")
    listed = separated(listed_first(words[opened + 1 : end - 1]), made_words(words[0], ","))
    source = [options["SERVER"], *dot, *([identifier(schema), *dot] if schema is not None else []), identifier(table)]
    select = [*made_words(words[0], "AS SELECT"), *listed, *made_words(words[0], "FROM"), *source]
    return [*made_words(words[0], "CREATE VIEW"), *name, *select]


def view_altered(words: Words) -> Words:
    """ALTER VIEW v (a) AS SELECT ... makes the view again, with other rows."""
    kind = top(words, {"VIEW", "AS"})
    if not words or word_of(words[0]) != "ALTER" or kind == len(words) or word_of(words[kind]) != "VIEW":
        return words
    body = any(begins(words, at + 1) for at in tops(words, {"AS"}, kind))
    return [*made_words(words[0], "CREATE OR REPLACE"), *words[1:]] if body else words


def column_renamed(words: Words) -> Words:
    """ALTER TABLE t RENAME a TO b renames a column where COLUMN may be left out; RENAME TO b the table.

    A field of a column has another name: RENAME COLUMN a.x TO y       the column stays what it is
    """
    at = top(words, {"RENAME"})
    start = at + 1 + (spoken(words[at + 1 : at + 2]) == ["COLUMN"])
    end = behind_name(words, start) if start + 1 < len(words) else len(words)
    if spoken(words[:2]) != ["ALTER", "TABLE"] or spoken(words[end : end + 1]) != ["TO"]:
        return words
    if word_of(words[start]) in ("TO", "AS"):
        return words
    after = words[end + 1 :] if end == start + 1 else [words[start], *words[end + 2 :]]
    return [*words[: at + 1], *made_words(words[at], "COLUMN"), words[start], words[end], *after]
