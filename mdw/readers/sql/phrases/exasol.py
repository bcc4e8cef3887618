"""What only Exasol says: rows that come from, and go to, files and other databases.

IMPORT INTO t (a) FROM CSV AT 'http://h' FILE 'x.csv'    INSERT INTO t (a) SELECT * FROM "http://h/x.csv"
IMPORT INTO t FROM JDBC AT c STATEMENT 'SELECT ...'      INSERT INTO t SELECT * FROM EXTERNAL_QUERY('c', 'SELECT ...')
EXPORT t INTO EXA AT c TABLE d.u                         INSERT INTO c.d.u SELECT * FROM t
SELECT a AS x, local.x + 1 AS y FROM s                   SELECT a AS x, "local".x + 1 AS y FROM s
"""

from __future__ import annotations

import re
from typing import Any

from mdw.readers.sql.phrases.greenplum import held
from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    bracketed,
    closed,
    identifier,
    listed_first,
    made_words,
    opens,
    separated,
    spoken,
    top,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of

INSERTED = re.compile(r"(?is)\s*INSERT\s+INTO\s+([^\s(]+)\s*(?:\(([^()]*)\))?\s*VALUES\b")
TELLING = frozenset(("AT", "FILE", "TABLE", "STATEMENT", "SCRIPT"))


def imported(words: Words) -> Words:
    """IMPORT as a statement, behind CREATE TABLE t AS, and as a query of a FROM."""
    at = next((n for n in range(len(words) - 3) if _begins(words, n)), len(words))
    if at == len(words):
        return words
    end = len(words)
    if at and words[at - 1].token_type is TokenType.L_PAREN:
        end = closed(words, at - 1) - 1
    lead, behind = words[at], top(words[:end], {"FROM"}, at)
    target = words[at + 2 : behind] if word_of(words[at + 1]) == "INTO" else []
    source, asked = _source(words[behind + 1 : end], lead)
    if not source:
        return words
    told = held(target, next((n for n, token in enumerate(target) if token.token_type is TokenType.L_PAREN), 0))[0]
    if at and target:
        # The columns that the query is to have: (IMPORT INTO (a INT) FROM ...).
        names = separated(listed_first(told), made_words(lead, ","))
        source += [*made_words(lead, "AS imported"), *bracketed(names, lead)] if names else []
    elif source[0].token_type is TokenType.IDENTIFIER and len(source) == 1:
        # What a file has is called like what it fills.
        asked = asked or told
    made = [*made_words(lead, "INSERT INTO"), *target] if target and not at else []
    query = [*made_words(lead, "SELECT"), *(asked or made_words(lead, "*")), *made_words(lead, "FROM"), *source]
    return [*words[:at], *made, *query, *words[end:]]


def exported(words: Words) -> Words:
    """EXPORT t INTO ..., EXPORT (SELECT a FROM t) INTO ..."""
    into = top(words, {"INTO"})
    if word_of(words[0]) != "EXPORT" or into + 1 >= len(words):
        return words
    lead = words[0]
    target, columns = _source(words[into + 1 :], lead, into=True)
    target += bracketed(columns, lead) if columns else []
    query, end = held(words, 1)
    if end == 1:
        asked = held(words, behind_name(words, 1))[0] or made_words(lead, "*")
        query = [*made_words(lead, "SELECT"), *asked, *made_words(lead, "FROM"), *words[1 : behind_name(words, 1)]]
    return [*made_words(lead, "INSERT INTO"), *target, *query] if target else words


def own_names(words: Words) -> Words:
    """local.x, what this SELECT calls X, whatever columns of tables are called so."""
    dots = {n for n, token in enumerate(words) if token.token_type is TokenType.DOT}
    local = {n - 1 for n in dots if word_of(words[n - 1]) == "LOCAL" and n - 2 not in dots}
    return [identifier(token, "local") if n in local else token for n, token in enumerate(words)]


def plain(words: Words) -> Words:
    """CREATE FORCE VIEW v (a COMMENT IS 'x') ... COMMENT IS 'y'; DELETE * FROM t; a PREFERRING LOW b."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 2])
        if said == ["COMMENT", "IS"] and at > 1 and word_of(words[0]) == "CREATE":
            at += 3
        elif said == ["DELETE", "*"] or said == ["FORCE", "VIEW"]:
            found += words[at : at + 1] if said[0] == "DELETE" else words[at + 1 : at + 2]
            at += 2
        elif said[:1] == ["PREFERRING"] and at > 1:
            ends = top(words, PREFERRED, at)
            depth = next((n for n in range(at, ends) if _closes(words[at : n + 1])), ends)
            at = depth
        else:
            found.append(words[at])
            at += 1
    return found


PREFERRED = frozenset(("GROUP BY", "ORDER BY", "HAVING", "LIMIT", "UNION", "MINUS", "EXCEPT", "INTERSECT", "QUALIFY"))


def _closes(words: Words) -> bool:
    """Whether the last word closes a parenthesis that opens before them."""
    return sum(map(opens, words)) < 0


def emitting(words: Words) -> Words:
    """SELECT f(a) EMITS (b INT, c INT): a function that gives several columns, each of all that it is asked."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 2])
        if said != ["EMITS", "("] or not found or found[-1].token_type is not TokenType.R_PAREN:
            found.append(words[at])
            at += 1
            continue
        end = closed(words, at + 1)
        begin = len(found) - 1
        while begin and sum(map(opens, found[begin:])) != 0:
            begin -= 1
        begin = _name_begins(found, begin - 1)
        call, names = found[begin:], listed_first(words[at + 2 : end - 1])
        items = [[*call, *made_words(words[at], "AS"), *name] for name in names]
        found[begin:] = separated(items, made_words(words[at], ","))
        at = end
    return found


def _name_begins(words: Words, at: int) -> int:
    while at > 1 and words[at - 1].token_type is TokenType.DOT:
        at -= 2
    return at


def numbers(words: Words) -> Words:
    """VALUES BETWEEN 1 AND 9 WITH STEP 2: numbers, of which nobody needs to know which."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 2]) == ["VALUES", "BETWEEN"]:
            end = top(words, {"AS", "WITH", ",", ")", "WHERE"}, at + 2)
            end = end + 3 if spoken(words[end : end + 2]) == ["WITH", "STEP"] else end
            table = made_words(words[at], "VALUES (1)")
            found += table if word_of(words[0]) == "INSERT" else bracketed(table, words[at])
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def _begins(words: Words, at: int) -> bool:
    """Whether an IMPORT is a statement, or a query, here: some columns are called so."""
    before = word_of(words[at - 1]) if at else ""
    return word_of(words[at]) == "IMPORT" and before in ("", "AS", "(") and word_of(words[at + 1]) in ("INTO", "FROM")


def _source(words: Words, lead: Any, *, into: bool = False) -> tuple[Words, Words]:
    """What rows come from or go ``into``: CSV AT 'http://h' FILE 'x', JDBC AT c STATEMENT '...', EXA AT c TABLE t (a).

    With it the columns that are told of it.
    """
    told = {word_of(token): n + 1 for n, token in reversed([*enumerate(words[:-1])]) if word_of(token) in TELLING}
    server = words[told["AT"]] if "AT" in told else None
    if "FILE" in told:
        host = f"{server.text.rstrip('/')}/" if server is not None and server.token_type is TokenType.STRING else ""
        files = [words[n + 1] for n, token in enumerate(words[:-1]) if word_of(token) == "FILE"]
        several = [[identifier(lead, host + one.text)] for one in files if one.token_type is TokenType.STRING]
        if len(several) == 1 or into:
            return several[0], []
        every = [[*made_words(lead, "SELECT * FROM"), *one] for one in several]
        return bracketed(separated(every, made_words(lead, "UNION ALL")), lead), []
    if "SCRIPT" in told:
        # The path that a script is told, or else the script itself.
        paths = [n for n in range(len(words) - 2) if words[n + 1].text == "=" and word_of(words[n]).endswith("PATH")]
        path = words[paths[0] + 2] if paths else None
        name = words[told["SCRIPT"] : behind_name(words, told["SCRIPT"])]
        return [identifier(path)] if path is not None and path.token_type is TokenType.STRING else name, []
    if server is not None and "TABLE" in told:
        end = behind_name(words, told["TABLE"])
        name = [identifier(lead, server.text), *made_words(lead, "."), *words[told["TABLE"] : end]]
        return name, held(words, end)[0]
    if server is not None and "STATEMENT" in told and into:
        # INSERT INTO q (x) VALUES (?), which the other database runs for each row.
        change = INSERTED.match(words[told["STATEMENT"]].text)
        if change is None:
            return [], []
        path = [[identifier(lead, one)] for one in (server.text, *change[1].replace('"', "").split("."))]
        columns = [[identifier(lead, one.strip(' "'))] for one in (change[2] or "").split(",") if one.strip()]
        return separated(path, made_words(lead, ".")), separated(columns, made_words(lead, ","))
    if server is not None and "STATEMENT" in told:
        texts = [word_in_place(lead, TokenType.STRING, server.text), words[told["STATEMENT"]]]
        given = separated([[one] for one in texts], made_words(lead, ","))
        return [*made_words(lead, "EXTERNAL_QUERY"), *bracketed(given, lead)], []
    return [], []
