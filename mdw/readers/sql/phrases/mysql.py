"""What MySQL and MariaDB say that sqlglot does not read.

VALUES (1, 2), (3, 4); VALUES ROW(1, 2)       SELECT * FROM (VALUES (1, 2), (3, 4)) AS v (column_0, column_1)
SELECT DEFAULT(a) FROM t                      SELECT DEFAULT_OF() FROM t
SELECT a FROM t GROUP BY a DESC               SELECT a FROM t GROUP BY a
UPDATE (SELECT ...) x, t SET t.a = x.b        UPDATE t, (SELECT ...) x SET t.a = x.b
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    bracketed,
    closed,
    made_words,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of

BEFORE = frozenset(("", "(", "AS", "UNION", "ALL", "DISTINCT", "EXCEPT", "INTERSECT", "IN"))
"""What stands before VALUES where it is a query."""


def rows_told(words: Words) -> Words:
    """VALUES (1, 2), (3, 4) as a query; behind DUPLICATE KEY it is a function."""
    found: Words = []
    at, end = 0, top(words, {"DUPLICATE"})
    while at < len(words):
        before = word_of(found[-1]) if found else ""
        begun = at < end and spoken(words[at : at + 2]) in (["VALUES", "("], ["VALUES", "ROW"]) and before in BEFORE
        if not begun:
            found.append(words[at])
            at += 1
            continue
        rows: list[Words] = []
        last = at
        while not rows or spoken(words[last : last + 1]) == [","]:
            opened = last + 1 + (spoken(words[last + 1 : last + 2]) == ["ROW"])
            last = closed(words, opened)
            # A row may hold other rows.
            rows.append(bracketed(rows_told(words[opened + 1 : last - 1]), words[opened]))
        names = ", ".join(f"column_{number}" for number in range(len(parted(rows[0][1:-1]))))
        table = [words[at], *separated(rows, made_words(words[at], ","))]
        query = [*made_words(words[at], "SELECT * FROM"), *bracketed(table, words[at])]
        found += [*query, *made_words(words[at], f"AS v ({names})")]
        at = last
    return found


def unexamined(words: Words) -> Words:
    """LIMIT 5 ROWS EXAMINED 100: after how many rows looked at a query stops."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 2]) == ["ROWS", "EXAMINED"]:
            at += 3
            if word_of(found[-1]) == "LIMIT":
                found.pop()
        else:
            found.append(words[at])
            at += 1
    return found


def with_defaults(words: Words) -> Words:
    """DEFAULT(a) is what A is where nobody says, and none of its values."""
    start = 0 if word_of(words[0]) not in ("CREATE", "ALTER") else top(words, {"SELECT"})
    found = list(words[:start])
    at = start
    while at < len(words):
        called = spoken(words[at : at + 2]) == ["DEFAULT", "("]
        end = closed(words, at + 1) if called else at
        if called and end in (at + 4, at + 6, at + 8):
            found += made_words(words[at], "DEFAULT_OF()")
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def of_own_table(words: Words) -> Words:
    """INSERT INTO t (t.a, t.b) ...: columns by the name of their table."""
    end = behind_name(words, 1 + (spoken(words[1:2]) == ["INTO"]))
    listed = word_of(words[0]) == "INSERT" and end < len(words) and opens(words[end]) == 1
    if not listed or begins(words, end):
        return words
    last = closed(words, end)
    items = [item[-1:] for item in parted(words[end + 1 : last - 1])]
    return [*words[: end + 1], *separated(items, made_words(words[end], ",")), *words[last - 1 :]]


def deleted_of(words: Words) -> Words:
    """DELETE t.*, s.* FROM t, s ...; DELETE FROM t WHERE ... ORDER BY a LIMIT 5 RETURNING b."""
    if word_of(words[0]) != "DELETE":
        return words
    start = top(words, {"FROM"}, 2) if word_of(words[1]) != "FROM" else top(words, {"USING"})
    all_of = {at for at in range(1, min(start, len(words)) - 1) if spoken(words[at : at + 2]) == [".", "*"]}
    kept = [token for at, token in enumerate(words) if at not in all_of and at - 1 not in all_of]
    order, given = top(kept, {"ORDER BY", "ORDER", "LIMIT"}), top(kept, {"RETURNING"})
    return [*kept[:order], *kept[given:]] if given < len(kept) and order < given else kept


def grouped(words: Words) -> Words:
    """GROUP BY a DESC, b ASC: groups in an order."""
    found: Words = []
    # In how many parentheses a GROUP BY stands that is not at its end, innermost last.
    depth, within = 0, [-1]
    for token in words:
        depth += opens(token)
        word = word_of(token)
        while within[-1] > depth:
            within.pop()
        if word == "GROUP BY":
            within.append(depth)
        elif within[-1] == depth and word in ENDING:
            within.pop()
        if not (within[-1] == depth and word in ("ASC", "DESC")):
            found.append(token)
    return found


ENDING = frozenset(("HAVING", "ORDER BY", "LIMIT", "UNION", "EXCEPT", "INTERSECT", "WINDOW", "INTO", "FOR", "SELECT"))


def searched(words: Words) -> Words:
    """MATCH a, b AGAINST ('x'), without parentheses."""
    found = list(words)
    for at in reversed([n for n, token in enumerate(words) if word_of(token) == "MATCH"]):
        end = top(found, {"AGAINST"}, at)
        if end < len(found) and at + 1 < end and opens(found[at + 1]) != 1:
            found[at + 1 : end] = bracketed(found[at + 1 : end], found[at + 1])
    return found


def changing(words: Words) -> Words:
    """UPDATE (SELECT ...) x, t SET ...; UPDATE (a JOIN b ON ...) SET ...; UPDATE t SET a := 1; FOR PORTION OF p."""
    if word_of(words[0]) not in ("UPDATE", "DELETE"):
        return words
    words = [words[0], *words[1 + (spoken(words[1:2]) == ["IGNORE"]) :]]
    sets = top(words, {"SET"})
    if len(words) > 1 and opens(words[1]) == 1:
        end = closed(words, 1)
        if end == sets:
            words = [words[0], *words[2 : end - 1], *words[end:]]
        elif begins(words, 1):
            words = _table_first(words, sets)
    portion = next((n for n in tops(words, {"FOR"}) if spoken(words[n : n + 3]) == ["FOR", "PORTION", "OF"]), 0)
    sets = top(words, {"SET", "WHERE", "ORDER BY", "LIMIT"})
    words = [*words[:portion], *words[sets:]] if portion and portion < sets else words
    return [
        word_in_place(token, TokenType.EQ, "=")
        if token.token_type is TokenType.COLON_EQ and at > 1 and words[at - 2].token_type is not TokenType.PARAMETER
        else token
        for at, token in enumerate(words)
    ]


def _table_first(words: Words, sets: int) -> Words:
    """The first table in the place of a query that stands before it: how they are joined stays."""
    end = top(words, {",", "JOIN"}, 1)
    if end >= sets:
        return words
    query = words[1 : end - (word_of(words[end - 1]) in ("INNER", "CROSS"))]
    last = top(words, {",", "JOIN", "ON", "USING", "INNER", "LEFT", "SET"}, end + 1)
    table = words[end + 1 : last]
    moved = [words[0], *table, *made_words(words[end], word_of(words[end])), *query, *words[last:]]
    return words if opens(table[0]) == 1 or word_of(words[end - 1]) in ("LEFT", "RIGHT", "OUTER") else moved


def set_within(words: Words) -> Words:
    """WHERE @n := @n + 1, GROUP BY @k := a: what a variable is set to is the value."""
    start = top(words, {"WHERE", "GROUP BY", "ORDER BY", "HAVING"})
    found = list(words[:start])
    at = start
    while at < len(words):
        sets = at + 2 < len(words) and words[at + 2].token_type is TokenType.COLON_EQ
        if sets and words[at].token_type is TokenType.PARAMETER:
            at += 3
        else:
            found.append(words[at])
            at += 1
    return found


def of_sequence(words: Words) -> Words:
    """NEXTVAL(s), LASTVAL(s), SETVAL(s, 5) (MariaDB): S is a sequence, and no column."""
    found: Words = []
    at = 0
    while at < len(words):
        called = word_of(words[at]) in ("NEXTVAL", "LASTVAL", "SETVAL") and spoken(words[at + 1 : at + 2]) == ["("]
        found += made_words(words[at], f"{word_of(words[at])}()") if called else [words[at]]
        at = closed(words, at + 1) if called else at + 1
    return found


def of_first(words: Words) -> Words:
    """GROUP_CONCAT(a ORDER BY b LIMIT 3): of the first few rows of a group."""
    found = list(words)
    for at in reversed([n for n, token in enumerate(words) if word_of(token) in ("GROUP_CONCAT", "JSON_ARRAYAGG")]):
        if spoken(found[at + 1 : at + 2]) == ["("]:
            end = closed(found, at + 1) - 1
            del found[top(found[:end], {"LIMIT"}, at + 2) : end]
    return found


def without_cycle(words: Words) -> Words:
    """WITH RECURSIVE c AS (...) CYCLE a, b RESTRICT SELECT ...: where a query that asks itself ends."""
    ends = [at for at in tops(words, {"RESTRICT"}) if tops(words[:at], {"CYCLE"})]
    for at in reversed(ends):
        words = [*words[: tops(words[:at], {"CYCLE"})[-1]], *words[at + 1 :]]
    return words


def signed(words: Words) -> Words:
    """CAST(a AS SIGNED INT), CAST(a AS CHAR(9) BINARY), CONVERT(a, CHAR(9) UNICODE): types with words behind them."""
    found: Words = []
    for at, token in enumerate(words):
        before = word_of(found[-1]) if found else ""
        closes = spoken(words[at + 1 : at + 2]) == [")"]
        whole = word_of(token) in ("INT", "INTEGER") and before in ("SIGNED", "UNSIGNED")
        if not (closes and (whole or (before == ")" and word_of(token) in ("BINARY", "UNICODE", "ASCII")))):
            found.append(token)
    return found


def unhurried(words: Words) -> Words:
    """DROP TABLE t WAIT 5; START TRANSACTION WITH CONSISTENT SNAPSHOT; SELECT ... PROCEDURE ANALYSE()."""
    first = word_of(words[0])
    if first == "START":
        return words[:2]
    if spoken(words[:2]) == ["DROP", "TABLES"]:
        words = [words[0], *made_words(words[1], "TABLE"), *words[2:]]
    at = top(words, {"PROCEDURE"})
    if first == "SELECT" and spoken(words[at + 1 : at + 2]) == ["ANALYSE"]:
        return words[:at]
    at = top(words, {"WAIT", "NOWAIT"})
    waits = first in ("DROP", "TRUNCATE", "ALTER", "CREATE") and at < len(words)
    return [*words[:at], *words[at + 1 + (word_of(words[at]) == "WAIT") :]] if waits else words
