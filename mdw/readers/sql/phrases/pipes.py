"""Queries as pipes (BigQuery, Spark): the operators that sqlglot does not read, by those that it reads.

FROM t |> SET a = b + 1 |> DROP c       FROM t |> SELECT * REPLACE (b + 1 AS a) |> SELECT * EXCEPT (c)
FROM t |> CALL f(1) |> SELECT a         FROM f((FROM t), 1) |> SELECT a
FROM t |> WITH w AS (...) |> JOIN w     WITH w AS (...) FROM t |> JOIN w
"""

from __future__ import annotations

from collections.abc import Collection

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    made_words,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

MAKING = frozenset(("EXTEND", "SET", "DROP", "RENAME", "WINDOW", "DISTINCT", "ORDER BY", "LIMIT", "TABLESAMPLE"))
"""Operators behind which sqlglot has forgotten what tables are called, and the databases have not."""


def piped(words: Words) -> Words:
    """Each pipe of a statement, the innermost first."""
    found: Words = []
    at = 0
    while at < len(words):
        if words[at].token_type is TokenType.L_PAREN:
            end = closed(words, at)
            found += [words[at], *piped(words[at + 1 : end - 1]), *words[end - 1 : end]]
            at = end
        else:
            found.append(words[at])
            at += 1
    return _plain(found)


def _plain(words: Words) -> Words:
    ends = [at for at, depth in _depths(words) if depth == 0 and words[at].token_type is TokenType.PIPE_GT]
    if not ends:
        return words
    parts = [words[at + 1 : end] for at, end in zip(ends, [*ends[1:], len(words)], strict=True)]
    # Before the query other words may stand: CREATE TABLE t AS, INSERT INTO t.
    begins = next((at for at in tops(words[: ends[0]], {"FROM", "SELECT"})), 0)
    lead, found = words[:begins], words[begins : ends[0]]
    tables, forgotten = _named(found[1:]), set[str]()
    for written, mark in zip(parts, ends, strict=True):
        if not written:
            return words
        part = _unqualified(written, forgotten)
        lead, found = _operated(lead, found, part, words[mark])
        if "JOIN" in spoken(part[:4]):
            tables |= _named(part[spoken(part).index("JOIN") + 1 :])
        if word_of(part[0]) in MAKING:
            forgotten |= tables
            tables = set()
        elif word_of(part[0]) in ("AS", "SELECT", "AGGREGATE", "CALL"):
            forgotten, tables = set(), _named(part[1:]) if word_of(part[0]) == "AS" else set()
    return [*lead, *found]


def _named(words: Words) -> set[str]:
    """What a table is called by the columns behind it."""
    end = behind_name(words, 0) if words else 0
    if not end:
        return set()
    return {word_of(words[end + 1])} if spoken(words[end : end + 1]) == ["AS"] else {word_of(words[end - 1])}


def _unqualified(words: Words, tables: Collection[str]) -> Words:
    """Columns without the names of tables that are forgotten."""
    found: Words = []
    at = 0
    while at < len(words):
        dotted = at + 2 < len(words) and words[at + 1].token_type is TokenType.DOT
        first = not at or words[at - 1].token_type is not TokenType.DOT
        at += 2 if dotted and first and word_of(words[at]) in tables else 0
        found.append(words[at])
        at += 1
    return found


def _depths(words: Words) -> list[tuple[int, int]]:
    depth, found = 0, []
    for at, token in enumerate(words):
        depth += opens(token)
        found.append((at, depth))
    return found


def _operated(lead: Words, query: Words, part: Words, mark: object) -> tuple[Words, Words]:
    """A query, and what stands before it, with one more operator."""
    word = word_of(part[0])
    rest = part[1:]
    if word == "ASSERT":
        return lead, query
    if word == "DROP":
        return lead, [*query, mark, *made_words(part[0], "SELECT * EXCEPT ("), *rest, *made_words(part[0], ")")]
    if word == "SET":
        items = [[*one[2:], *made_words(part[0], "AS"), one[0]] for one in parted(rest) if len(one) > 2]
        listed = separated(items, made_words(part[0], ","))
        return lead, [*query, mark, *made_words(part[0], "SELECT * REPLACE ("), *listed, *made_words(part[0], ")")]
    if word == "RENAME":
        items = parted(rest)
        comma = made_words(part[0], ",")
        before = separated([one[:1] for one in items], comma)
        after = separated([[one[0], *made_words(one[0], "AS"), one[-1]] for one in items], comma)
        head = [*made_words(part[0], "SELECT * EXCEPT ("), *before, *made_words(part[0], "),")]
        return lead, [*query, mark, *head, *after]
    if word == "AGGREGATE":
        return lead, [*query, mark, *_unsorted(part)]
    if word in ("INSERT", "CREATE", "EXPORT"):
        # The last operator says where the rows go.
        return [*part, *([] if word == "INSERT" else made_words(part[0], "AS")), *lead], query
    if word == "WINDOW":
        return lead, [*query, mark, *made_words(part[0], "EXTEND"), *rest]
    if word == "AS":
        return lead, [*made_words(part[0], "FROM ("), *query, *made_words(part[0], ")"), *part]
    if word == "WITH":
        return [*lead, *part], query
    if word == "MATCH_RECOGNIZE":
        return lead, [*made_words(part[0], "FROM ("), *query, *made_words(part[0], ")"), *part]
    if word == "CALL":
        opened = next((at for at, token in enumerate(rest) if token.token_type is TokenType.L_PAREN), len(rest) - 1)
        given = bracketed(query, part[0])
        bare = spoken(rest[opened + 1 : opened + 2]) == [")"]
        more = rest[opened + 1 :] if bare else [*made_words(part[0], ","), *rest[opened + 1 :]]
        return lead, [*made_words(part[0], "FROM"), *rest[: opened + 1], *given, *more]
    return lead, [*query, mark, *part]


def _unsorted(words: Words) -> Words:
    """AGGREGATE SUM(a) AS s DESC GROUP AND ORDER BY k: how the groups are sorted brings no column."""
    at = next((n for n in tops(words, {"GROUP"}) if spoken(words[n + 1 : n + 3]) == ["AND", "ORDER BY"]), 0)
    grouped = [*words[:at], *made_words(words[at], "GROUP BY"), *words[at + 3 :]] if at else words
    sorting = {place + n for place in tops(grouped, {"NULLS"}) for n in (0, 1)} | set(tops(grouped, {"ASC", "DESC"}))
    return [token for n, token in enumerate(grouped) if n not in sorting]


def unloaded(words: Words) -> Words:
    """Athena's UNLOAD (SELECT ...) TO 's3://x' WITH (...) fills files."""
    end = closed(words, 1) if len(words) > 1 and opens(words[1]) > 0 else len(words)
    if word_of(words[0]) != "UNLOAD" or spoken(words[end : end + 1]) != ["TO"] or end + 1 >= len(words):
        return words
    return [*made_words(words[0], "INSERT INTO"), identifier(words[end + 1]), *words[2 : end - 1]]


def of_branch(words: Words) -> Words:
    """Trino's INSERT INTO t @ b, UPDATE t @ b: rows of a branch of a table are the table's."""
    found: Words = []
    at = 0
    while at < len(words):
        if words[at].token_type is TokenType.PARAMETER and at and at + 1 < len(words):
            at += 2
        else:
            found.append(words[at])
            at += 1
    return found if word_of(words[0]) in ("INSERT", "UPDATE", "DELETE", "MERGE") else words


def without_outside(words: Words) -> Words:
    """USING EXTERNAL FUNCTION f(x VARCHAR) RETURNS VARCHAR LAMBDA 'l' SELECT f(a) ... (Athena): only the query."""
    query = top(words, {"SELECT", "WITH"})
    return words[query:] if spoken(words[:2]) == ["USING", "EXTERNAL"] and query < len(words) else words


def named(words: Words) -> Words:
    """A table that Trino's functions are given, f(input => TABLE(s) AS x PARTITION BY a ORDER BY b), is all it has."""
    found: Words = []
    at = 0
    while at < len(words):
        before = words[at - 1].token_type if at else None
        opened = before in (TokenType.L_PAREN, TokenType.COMMA, TokenType.FARROW)
        given = opened and word_of(words[at]) == "TABLE" and word_of(words[at + 1 : at + 2][0]) == "("
        end = closed(words, at + 1) if given else at
        inner = words[at + 2 : end - 1]
        # TABLE(f(...)) is the function itself.
        if not given or (any(token.token_type is TokenType.L_PAREN for token in inner[:3]) and not _asks(inner)):
            if word_of(words[at]) == "DESCRIPTOR" and at + 1 < len(words):
                found += made_words(words[at], "NULL")
                at = closed(words, at + 1)
                continue
            found.append(words[at])
            at += 1
            continue
        query = inner if _asks(inner) else [*made_words(words[at], "SELECT * FROM"), *inner]
        found += bracketed(query, words[at])
        at = end
        while at < len(words) and not (opens(words[at]) < 0 or words[at].token_type is TokenType.COMMA):
            # What is behind it says in which parts and order it is given.
            at = closed(words, at) if opens(words[at]) > 0 else at + 1
            if at < len(words) and words[at].token_type is TokenType.COMMA and _listed(words, at):
                at += 1
    return found


def _asks(words: Words) -> bool:
    return bool(words) and word_of(words[0]) in ("SELECT", "WITH")


def _listed(words: Words, at: int) -> bool:
    """Whether the comma here stands within ORDER BY a, b: behind it no argument has a name."""
    end = top(words, {",", ")"}, at + 1)
    return TokenType.FARROW not in [token.token_type for token in words[at:end]] and not any(
        word in ("TABLE", "DESCRIPTOR") for word in spoken(words[at + 1 : end])
    )
