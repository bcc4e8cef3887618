"""What databases of streams say: Materialize, RisingWave, and Flink, whose SQL is read as that of a relative.

CREATE SOURCE s (a INT, WATERMARK FOR a AS a) WITH (...)   CREATE TABLE s (a INT)
CREATE SINK k FROM v INTO KAFKA ...                        INSERT INTO k SELECT * FROM v
FROM TABLE(TUMBLE(TABLE s, DESCRIPTOR(at), ...))           FROM (SELECT *, WINDOW_START(at) AS window_start, ... FROM s)
"""

from __future__ import annotations

from typing import Any

from mdw.readers.sql.phrases.columns import items_of
from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    made_words,
    name_at,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of

WINDOWS = frozenset(("TUMBLE", "HOP", "CUMULATE", "SESSION"))
"""Functions of a FROM that tell of each row of a table in which windows it is."""
RELATING = frozenset(("FROM", "JOIN", ","))
TOLD = frozenset(("WATERMARK", "PRIMARY", "INCLUDE", "PERIOD"))
"""What in a list of columns is none."""


def windowed(words: Words) -> Words:
    """FROM TUMBLE(s, at, ...), or TABLE(TUMBLE(TABLE s, DESCRIPTOR(at), ...)): the rows of S, and two columns more."""
    found: Words = []
    at = 0
    while at < len(words):
        wrapped = spoken(words[at : at + 2]) == ["TABLE", "("]
        start = at + 2 * wrapped
        related = bool(found) and word_of(found[-1]) in RELATING and _clause(found) not in GROUPING
        if not related or not _opens_window(words, start):
            found.append(words[at])
            at += 1
            continue
        end = closed(words, start + 1)
        found += _rows_of_windows(words[start], parted(words[start + 2 : end - 1]))
        at = end + wrapped
    return found


GROUPING = frozenset(("SELECT", "GROUP BY", "GROUP", "ORDER BY", "PARTITION BY"))
CLAUSES = GROUPING | {"FROM", "JOIN", "WHERE", "HAVING"}


def _clause(words: Words) -> str:
    """The clause that the words end within: a comma in GROUP BY a, TUMBLE(at, ...) lists no tables."""
    depth = 0
    for token in reversed(words):
        depth -= opens(token)
        if depth < 0:
            return ""
        if not depth and word_of(token) in CLAUSES:
            return word_of(token)
    return ""


def _opens_window(words: Words, at: int) -> bool:
    said = spoken(words[at : at + 2])
    return len(said) == 2 and said[0] in WINDOWS and said[1] == "("


def _rows_of_windows(window: Any, given: list[Words]) -> Words:
    table, time = given[0], given[1] if len(given) > 1 else []
    # Arguments may have names: DATA => TABLE s, TIMECOL => DESCRIPTOR(at).
    table, time = (one[2:] if len(one) > 2 and one[1].token_type is TokenType.FARROW else one for one in (table, time))
    table = table[spoken(table[:1]) == ["TABLE"] :]
    # Flink tells the last moment of a window, too.
    described = spoken(time[:1]) == ["DESCRIPTOR"]
    time = time[2:-1] if described else time
    name, rest = table[: behind_name(table, 0)], made_words(window, "FROM")
    columns = made_words(window, "*")
    for edge in ("START", "END", "TIME")[: 2 + described]:
        columns += [*made_words(window, f", WINDOW_{edge}("), *time, *made_words(window, f") AS window_{edge.lower()}")]
    return [*made_words(window, "(SELECT"), *columns, *rest, *name, *made_words(window, ")")]


def alike(words: Words) -> Words:
    """CREATE TABLE t (...) LIKE s (EXCLUDING OPTIONS): which properties of S the new table has."""
    at = top(words, {"LIKE"})
    end = behind_name(words, at + 1)
    listed = spoken(words[end : end + 2]) in (["(", "EXCLUDING"], ["(", "INCLUDING"], ["(", "OVERWRITING"])
    return words[:end] if word_of(words[0]) == "CREATE" and listed else words


def created(words: Words) -> Words:
    """CREATE SOURCE makes a table, CREATE SINK fills one; CREATE TABLE t FROM SOURCE s (REFERENCE x) has all of X."""
    said = spoken(words[:6])
    kind = next((at for at, word in enumerate(said) if word in ("SOURCE", "SINK", "TABLE")), 0)
    if said[:1] != ["CREATE"] or not kind or kind + 1 >= len(words):
        return words
    start = name_at(words, kind + 1)
    end = behind_name(words, start)
    name = words[start:end]
    if said[kind] == "SINK":
        return _filled(name, words, end)
    if said[kind] == "TABLE":
        return _referring(name, words, end)
    listed = end < len(words) and words[end].token_type is TokenType.L_PAREN
    items = [item for item in (items_of(words, end) if listed else []) if word_of(item[0]) not in TOLD]
    # INCLUDE KEY AS k gives columns besides, which may be called anything.
    columns: Words = []
    if items and not tops(words, {"INCLUDE"}, end):
        comma = made_words(words[0], ",")
        columns = bracketed(separated(items, comma), words[0])
    return [*made_words(words[0], "CREATE TABLE"), *name, *columns]


def _filled(name: Words, words: Words, end: int) -> Words:
    if spoken(words[end : end + 1]) == ["INTO"]:
        name = words[end + 1 : behind_name(words, end + 1)]
    body = next((at for at in tops(words, {"AS"}, end) if begins(words, at + 1)), 0)
    lead = [*made_words(words[0], "INSERT INTO"), *name]
    if body:
        # Behind the query stands where the rows go.
        tail = (at for at in tops(words, {"WITH", "FORMAT"}, body + 2) if _tells(words, at))
        return [*lead, *words[body + 1 : next(tail, len(words))]]
    source = top(words, {"FROM"}, end)
    read = words[source + 1 : behind_name(words, source + 1)]
    return [*lead, *made_words(words[0], "SELECT * FROM"), *read] if read else words


def _tells(words: Words, at: int) -> bool:
    behind = spoken(words[at + 1 : at + 2])
    return behind == ["("] if word_of(words[at]) == "WITH" else behind in (["PLAIN"], ["UPSERT"], ["DEBEZIUM"])


def _referring(name: Words, words: Words, end: int) -> Words:
    if spoken(words[end : end + 2]) != ["FROM", "SOURCE"]:
        return words
    source = words[end + 2 : behind_name(words, end + 2)]
    at = end + 2 + len(source)
    refers = spoken(words[at : at + 2]) == ["(", "REFERENCE"]
    table = words[at + 2 : behind_name(words, at + 2)] if refers else []
    dot = made_words(words[0], ".") if refers else []
    return [
        *made_words(words[0], "CREATE TABLE"),
        *name,
        *made_words(words[0], "AS SELECT * FROM"),
        *source,
        *dot,
        *table,
    ]


def subscribed(words: Words) -> Words:
    """SUBSCRIBE TO v, SUBSCRIBE (SELECT ...) (Materialize): the rows as they change."""
    if word_of(words[0]) != "SUBSCRIBE":
        return words
    start = 1 + (spoken(words[1:2]) == ["TO"])
    if begins(words, start):
        return words[start : closed(words, start)]
    return [*made_words(words[0], "SELECT * FROM"), *words[start : behind_name(words, start)]]


def copied(words: Words) -> Words:
    """COPY INTO t FROM 's3://x' (FORMAT CSV, ...), COPY (SUBSCRIBE v) TO 's3://x' WITH (...): what goes where."""
    file = next((n for n, token in enumerate(words) if token.token_type is TokenType.STRING), len(words) - 1)
    if word_of(words[0]) != "COPY":
        return words
    found = words[: file + 1]
    if spoken(found[1:3]) == ["(", "SUBSCRIBE"]:
        end = closed(found, 1)
        found = [found[0], *bracketed(subscribed(found[2 : end - 1]), found[1]), *found[end:]]
    return [found[0], *found[2:]] if spoken(found[1:2]) == ["INTO"] else found


def without_sizes(words: Words) -> Words:
    """SELECT ... OPTIONS (LIMIT INPUT GROUP SIZE = 1000): how large groups are thought to be."""
    sized = {n for n, word in enumerate(spoken(words)) if word in ("OPTIONS", "OPTION") and _sizes(words, n)}
    gone = {place for n in sized for place in range(n, closed(words, n + 1))}
    return [token for n, token in enumerate(words) if n not in gone]


def _sizes(words: Words, at: int) -> bool:
    return spoken(words[at + 1 : at + 2]) == ["("] and "GROUP" in spoken(words[at + 2 : at + 6])


def mutually(words: Words) -> Words:
    """WITH MUTUALLY RECURSIVE r (n INT) AS (...) (Materialize): columns are told with their types."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 2]) == ["MUTUALLY", "RECURSIVE"]:
            found.append(words[at + 1])
            at += 2
            # (RECURSION LIMIT 10): how often.
            if "RECURSION" in spoken(words[at + 1 : at + 5]) and spoken(words[at : at + 1]) == ["("]:
                at = closed(words, at)
            continue
        opened = words[at].token_type is TokenType.L_PAREN
        end = closed(words, at) if opened else at
        if (
            opened
            and spoken(words[end : end + 1]) == ["AS"]
            and len(found) > 1
            and word_of(found[-2]) in ("RECURSIVE", ",")
        ):
            names = [item[:1] for item in parted(words[at + 1 : end - 1])]
            comma = made_words(words[at], ",")
            found += [words[at], *separated(names, comma), words[end - 1]]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def without_subsets(words: Words) -> Words:
    """MATCH_RECOGNIZE (... PATTERN (A B) SUBSET u = (A, B) DEFINE ...): rows of u are rows, and u.v is V."""
    at = next((n for n, word in enumerate(spoken(words)) if word == "SUBSET"), len(words))
    end = next((n for n in range(at, len(words)) if word_of(words[n]) == "DEFINE"), len(words))
    if end == len(words) or "MATCH_RECOGNIZE" not in spoken(words):
        return words
    own = {word_of(words[n - 1]) for n in range(at + 2, end) if words[n].token_type is TokenType.EQ}
    named = {n for n, word in enumerate(spoken(words)) if word in own and spoken(words[n + 1 : n + 2]) == ["."]}
    return [token for n, token in enumerate(words) if not (at <= n < end) and n not in named and n - 1 not in named]


def recognizing(words: Words) -> Words:
    """MATCH_RECOGNIZE, which sqlglot knows of some dialects alone; Flink's PATTERN (A B) WITHIN INTERVAL '1' HOUR."""
    found: Words = []
    at = 0
    while at < len(words):
        if word_of(words[at]) == "MATCH_RECOGNIZE":
            found.append(word_in_place(words[at], TokenType.MATCH_RECOGNIZE, words[at].text))
        elif spoken(words[at : at + 2]) == ["WITHIN", "INTERVAL"]:
            at = next((n for n in range(at, len(words)) if word_of(words[n]) in ("DEFINE", ")")), len(words)) - 1
        else:
            found.append(words[at])
        at += 1
    return found
