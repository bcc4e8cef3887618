"""What only ClickHouse says.

SELECT a FROM t INTO OUTFILE 'f' FORMAT CSV        INSERT INTO "f" SELECT a FROM t
INSERT INTO t (a) FROM INFILE 'f' FORMAT CSV       INSERT INTO t (a) SELECT a FROM file('f')
INSERT INTO t (a) FORMAT JSONEachRow {"a": 1}      INSERT INTO t (a) SELECT ?
ALTER TABLE t UPDATE a = 1 WHERE k = 2             UPDATE t SET a = 1 WHERE k = 2
"""

from __future__ import annotations

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
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of


def attached(words: Words) -> Words:
    """ALTER TABLE t REPLACE PARTITION p FROM s: S gives rows to T, as by ATTACH; T may keep others."""
    at = top(words, {"REPLACE"})
    replaces = word_of(words[0]) == "ALTER" and spoken(words[at : at + 2]) == ["REPLACE", "PARTITION"]
    return [*words[:at], *made_words(words[at], "ATTACH"), *words[at + 1 :]] if replaces else words


def mutated(words: Words) -> Words:
    """ALTER TABLE t UPDATE a = 1 WHERE ..., DELETE WHERE ..., and MODIFY QUERY SELECT ..., what a view is filled by.

    MODIFY COLUMN a Int32 DEFAULT b tells of a column what ADD COLUMN does.
    """
    at = top(words, {"UPDATE", "DELETE", "MODIFY"})
    if spoken(words[:2]) != ["ALTER", "TABLE"] or at == len(words):
        return words
    name = words[2 : behind_name(words, 2)]
    if spoken(words[at : at + 2]) == ["MODIFY", "COLUMN"]:
        own = {n for n in tops(words, {"MODIFY"}, at) if spoken(words[n + 1 : n + 2]) == ["COLUMN"]}
        checked = {n + more for n in own for more in (2, 3) if spoken(words[n + 2 : n + 4]) == ["IF", "EXISTS"]}
        added = (made_words(token, "ADD")[0] if n in own else token for n, token in enumerate(words))
        return [token for n, token in enumerate(added) if n not in checked]
    if word_of(words[at]) == "MODIFY":
        query = word_of(words[at + 1]) == "QUERY" and begins(words, at + 2)
        by_name = made_words(words[at], "BY NAME")
        return [*made_words(words[0], "INSERT INTO"), *name, *by_name, *words[at + 2 :]] if query else words
    said = _changed(words[at + 1 :])
    if word_of(words[at]) == "DELETE":
        return [*made_words(words[0], "DELETE FROM"), *name, *said]
    return [*made_words(words[0], "UPDATE"), *name, *made_words(words[at], "SET"), *said]


def _changed(words: Words) -> Words:
    """What a mutation does, without IN PARTITION p, in which part, and SETTINGS, how."""
    words = words[: top(words, {"SETTINGS"})]
    at = next((n for n in tops(words, {"IN"}) if spoken(words[n + 1 : n + 2]) == ["PARTITION"]), len(words))
    return [*words[:at], *words[top(words, {"WHERE"}, at) :]]


def applied(words: Words) -> Words:
    """* APPLY(x -> f(x)) changes each column; COLUMNS(a, b) are A and B."""
    found: Words = []
    at = 0
    while at < len(words):
        word, opened = word_of(words[at]), spoken(words[at + 1 : at + 2]) == ["("]
        inner = words[at + 2 : closed(words, at + 1) - 1] if opened else []
        if word == "APPLY" and not opened and at and at + 1 < len(words):
            found += [words[at], *bracketed(words[at + 1 : at + 2], words[at])]
            at += 2
        elif word == "APPLY" and any(token.token_type is TokenType.ARROW for token in inner):
            found += [words[at], *made_words(words[at], "( applied )")]
            at = closed(words, at + 1)
        elif word == "COLUMNS" and inner and inner[0].token_type is not TokenType.STRING and _listed(found):
            found += inner
            at = closed(words, at + 1)
        else:
            found.append(words[at])
            at += 1
    return found


def within_documents(words: Words) -> Words:
    """doc.^a.b is what a document has within A and B: a path as doc.a.b is."""
    return [word_in_place(one, TokenType.DOT, ".") if one.token_type is TokenType.DOTCARET else one for one in words]


def limited_by(words: Words) -> Words:
    """LIMIT 3 BY k LIMIT 10: so many rows of each k, and of those so many. Both only decide: one says so."""
    found: Words = []
    seen, dropping = [False], 0
    for token in words:
        word = word_of(token)
        depth = len(seen)
        if token.token_type is TokenType.L_PAREN:
            seen.append(False)
        elif token.token_type is TokenType.R_PAREN and depth > 1:
            seen.pop()
        if depth == dropping and (word in BEHIND_LIMIT or len(seen) < depth):
            dropping = 0
        if word == "BY":
            seen[-1] = True
        elif word in SETS:
            seen[-1] = False
        elif word == "LIMIT" and seen[-1] and not dropping:
            dropping = depth
        found += [] if dropping else [token]
    return found


SETS = frozenset(("UNION", "INTERSECT", "EXCEPT"))
BEHIND_LIMIT = SETS | {"SETTINGS", "FORMAT", "INTO", ";"}


def windowed(words: Words) -> Words:
    """CREATE WINDOW VIEW v TO t AS SELECT f(w) ... GROUP BY tumble(ts, d) AS w: w is what the rows are grouped by."""
    if spoken(words[:3]) != ["CREATE", "WINDOW", "VIEW"]:
        return words
    name = name_at(words, 3)
    end = behind_name(words, name)
    to = words[end : behind_name(words, end + 1)] if spoken(words[end : end + 1]) == ["TO"] else []
    query = words[top(words, {"AS"}) :]
    at = next((n for n in range(len(query) - 1) if word_of(query[n]) in ("TUMBLE", "HOP")), -1)
    behind = closed(query, at + 1) if at >= 0 else 0
    if behind and spoken(query[behind : behind + 1]) == ["AS"]:
        window, own = query[at:behind], word_of(query[behind + 1])
        query = [*query[:behind], *query[behind + 2 :]]
        query = [one for token in query for one in (window if word_of(token) == own else [token])]
    return [*made_words(words[0], "CREATE MATERIALIZED VIEW"), *words[name:end], *to, *query]


def nested_listed(words: Words) -> Words:
    """INSERT INTO t (k, n.a, n.b): columns of a Nested are called by both names."""
    at = behind_name(words, top(words, {"INTO"}) + 1) if word_of(words[0]) == "INSERT" else len(words)
    if at >= len(words) or words[at].token_type is not TokenType.L_PAREN:
        return words
    end = closed(words, at)
    found: Words = []
    for token in words[at + 1 : end - 1]:
        if len(found) > 1 and found[-1].token_type is TokenType.DOT:
            found[-2:] = [identifier(found[-2], f"{found[-2].text}.{token.text}")]
        else:
            found.append(token)
    return [*words[: at + 1], *found, *words[end - 1 :]]


def _listed(words: Words) -> bool:
    return bool(words) and word_of(words[-1]) in ("SELECT", "DISTINCT", ",")


def dictionary(words: Words) -> Words:
    """CREATE DICTIONARY d (k ...) ... SOURCE(CLICKHOUSE(TABLE 't' DB 's')) is a view of the table, or of a QUERY.

    FROM dictionary('d') reads it.
    """
    said = spoken(words)
    at = next((n for n in range(1, min(4, len(words))) if said[n] == "DICTIONARY"), 0)
    opened = next((n for n in range(at, len(words)) if words[n].token_type is TokenType.L_PAREN), 0)
    if not at or said[0] != "CREATE" or not opened:
        return _read(words)
    name = words[name_at(words, at + 1) : opened]
    comma = made_words(words[at], ",")
    columns = separated(listed_first(words[opened + 1 : closed(words, opened) - 1]), comma)
    table, schema, query = (_text_behind(words, key) for key in ("TABLE", "DB", "QUERY"))
    if query is not None:
        view = [*made_words(words[0], "CREATE VIEW"), *name, words[opened], *columns, *made_words(words[at], ")")]
        return [*view, *made_words(words[at], f"AS {query[0].text}")]
    if table is None:
        return [*made_words(words[0], "CREATE TABLE"), *name, *words[opened : closed(words, opened)]]
    source = [*schema, *made_words(words[at], "."), *table] if schema else table
    select = [*made_words(words[at], "AS SELECT"), *columns]
    return [*made_words(words[0], "CREATE VIEW"), *name, *select, *made_words(words[at], "FROM"), *source]


def _text_behind(words: Words, key: str) -> Words | None:
    """The name that the text behind a keyword is."""
    behind = (words[at + 1] for at in range(len(words) - 1) if word_of(words[at]) == key)
    token = next((one for one in behind if one.token_type in (TokenType.STRING, TokenType.HEREDOC_STRING)), None)
    return None if token is None else [identifier(token)]


def _read(words: Words) -> Words:
    """FROM dictionary('core.d')."""
    found: Words = []
    at = 0
    while at < len(words):
        named = at + 3 < len(words) and words[at + 2].token_type is TokenType.STRING
        if named and spoken(words[at : at + 2]) == ["DICTIONARY", "("] and spoken(words[at + 3 : at + 4]) == [")"]:
            parts = [[identifier(words[at + 2], part)] for part in words[at + 2].text.split(".") if part]
            found += separated(parts, made_words(words[at], "."))
            at += 4
        else:
            found.append(words[at])
            at += 1
    return found


def of_function(words: Words) -> Words:
    """CREATE TABLE t AS remote('h', db.u) reads where the function does."""
    at = top(words, {"AS"})
    end = behind_name(words, at + 1) if at + 2 < len(words) else len(words)
    called = spoken(words[end : end + 1]) == ["("] and not begins(words, at + 1)
    if spoken(words[:2]) != ["CREATE", "TABLE"] or not called or closed(words, end) < len(words):
        return words
    name = name_at(words, 2)
    view = [*made_words(words[0], "CREATE VIEW"), *words[name : behind_name(words, name)]]
    return [*view, *made_words(words[at], "AS SELECT * FROM"), *words[at + 1 :]]


def cloned(words: Words) -> Words:
    """CREATE TABLE t CLONE AS s takes columns and rows."""
    at = next((n for n in tops(words, {"CLONE"}) if spoken(words[n + 1 : n + 2]) == ["AS"]), 0)
    return [*words[: at + 1], *words[at + 2 : behind_name(words, at + 2)]] if at else words


def given_rows(words: Words) -> Words:
    """INSERT whose rows stand in a file or behind it: they come from there, or are constants."""
    if word_of(words[0]) != "INSERT":
        return words
    told = next((n for n in tops(words, {"FROM"}) if spoken(words[n + 1 : n + 2]) == ["INFILE"]), 0)
    shape = top(words, {"FORMAT"})
    at = told or shape
    if at == len(words) or (not told and top(words, {"SELECT", "WITH", "VALUES", "FROM"}) < at):
        return words
    settings = top(words[:at], {"SETTINGS"})
    head = words[:settings]
    listed = head[-1].token_type is TokenType.R_PAREN
    opened = next((n for n, token in enumerate(head) if token.token_type is TokenType.L_PAREN), 0)
    columns = listed_first(head[opened + 1 : -1]) if listed else []
    comma = made_words(words[at], ",")
    if told:
        items = separated(columns, comma) or made_words(words[at], "*")
        file = [*made_words(words[at], "FROM file("), words[told + 2], *made_words(words[at], ")")]
        return [*head, *made_words(words[at], "SELECT"), *items, *file]
    if not columns:
        return [*head, *made_words(words[at], "DEFAULT VALUES")]
    return [*head, *made_words(words[at], f"SELECT {', '.join('?' * len(columns))}")]
