"""What SQL Server writes of values and tables that sqlglot takes for something else.

SELECT $5.0, CAST(b AS XML(DOCUMENT c))      SELECT 5.0, CAST(b AS XML(c))
FROM ::fn_listed() AS f                      FROM fn_listed() AS f
FROM s WITH (NOLOCK INDEX(i))                FROM s WITH (NOLOCK, INDEX(i))
FROM a, b WHERE a.k *= b.k                   FROM a LEFT JOIN b ON a.k = b.k
LOAD TABLE t (a, b) FROM 'x.txt'             INSERT INTO t (a, b) SELECT a, b FROM "x.txt" (Sybase)
"""

from __future__ import annotations

import re
from typing import Any

from mdw.readers.sql.phrases.words import (
    Words,
    behind_name,
    closed,
    identifier,
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

MONEY = re.compile(r"\$\d+")


def amounts(words: Words) -> Words:
    """$5.0 is a number, and no column that is called so."""
    found: Words = []
    at = 0
    while at < len(words):
        token = words[at]
        if token.token_type is TokenType.VAR and MONEY.fullmatch(token.text):
            behind = words[at + 1 : at + 3]
            cents = behind[1].text if len(behind) > 1 and behind[0].start == token.end + 1 else ""
            parts = behind[0].token_type is TokenType.DOT and behind[1].token_type is TokenType.NUMBER if cents else 0
            found.append(word_in_place(token, TokenType.NUMBER, token.text[1:] + (f".{cents}" if parts else "")))
            at += 3 if parts else 1
        else:
            found.append(token)
            at += 1
    return found


def loaded(words: Words) -> Words:
    """LOAD TABLE t (a, b '|', FILLER(1)) FROM 'x.txt' QUOTES OFF (Sybase IQ): a file fills a table."""
    at = 2 + (spoken(words[:3]) == ["LOAD", "INTO", "TABLE"])
    if spoken(words[:2]) not in (["LOAD", "TABLE"], ["LOAD", "INTO"]) or spoken(words[at - 1 : at]) != ["TABLE"]:
        return words
    end = behind_name(words, at)
    opened = spoken(words[end : end + 1]) == ["("]
    last = closed(words, end) if opened else end
    file = next((n for n in range(last, len(words)) if words[n].token_type is TokenType.STRING), 0)
    if not file:
        return words
    items = parted(words[end + 1 : last - 1]) if opened else []
    names = [item[:1] for item in items if item and word_of(item[0]) != "FILLER"]
    columns = separated(names, made_words(words[0], ",")) or made_words(words[0], "*")
    into = [*made_words(words[0], "("), *columns, *made_words(words[0], ")")] if names else []
    asked = [*made_words(words[0], "SELECT"), *columns, *made_words(words[0], "FROM"), identifier(words[file])]
    return [*made_words(words[0], "INSERT INTO"), *words[at:end], *into, *asked]


def unbound(words: Words) -> Words:
    """FROM ::fn_trace_gettable(...): a function of the system."""
    before = ("FROM", "JOIN", "APPLY", ",", "CROSS APPLY", "OUTER APPLY")
    return [
        token
        for at, token in enumerate(words)
        if not (token.token_type is TokenType.DCOLON and at and word_of(words[at - 1]) in before)
    ]


def of_any_document(words: Words) -> Words:
    """XML(DOCUMENT c), XML(CONTENT c): by which schemas documents are checked."""
    return [
        token
        for at, token in enumerate(words)
        if not (
            at > 1
            and word_of(token) in ("DOCUMENT", "CONTENT")
            and spoken(words[at - 2 : at]) == ["XML", "("]
            and opens(words[at + 1]) == 0
        )
    ]


HINTS = frozenset(
    """
    FORCESCAN FORCESEEK HOLDLOCK INDEX NOLOCK NOWAIT PAGLOCK READCOMMITTED READCOMMITTEDLOCK READPAST READUNCOMMITTED
    REPEATABLEREAD ROWLOCK SERIALIZABLE SNAPSHOT TABLOCK TABLOCKX UPDLOCK XLOCK NOEXPAND
    """.split()  # noqa: SIM905
)


def parted_hints(words: Words) -> Words:
    """WITH (NOLOCK INDEX(i)): commas between hints may be left out."""
    found: Words = []
    end = 0
    for at, token in enumerate(words):
        if spoken(words[at - 1 : at + 1]) == ["WITH", "("] and spoken(words[at + 1 : at + 2])[:1] != []:
            end = closed(words, at) if word_of(words[at + 1]) in HINTS else end
        follows = at < end and found and (word_of(found[-1]) in HINTS or found[-1].token_type is TokenType.R_PAREN)
        if follows and word_of(token) in HINTS:
            found += made_words(token, ",")
        found.append(token)
    return found


def outer_joined(words: Words) -> Words:
    """WHERE a.k *= b.k keeps all rows of A, a.k =* b.k those of B: the other table is joined to what is there."""
    start, where = top(words, {"FROM"}), top(words, {"WHERE"})
    end = top(words, {"GROUP", "GROUP BY", "ORDER", "ORDER BY", "HAVING", "UNION", "OPTION", "FOR"}, where)
    if where == len(words) or tops(words[start:end], {"OR", "JOIN"}):
        return words
    tables = parted(words[start + 1 : where])
    tests = _tests(words[where + 1 : end])
    on: dict[int, list[Words]] = {}
    kept: list[Words] = []
    for test in tests:
        at = next((n for n in range(len(test) - 1) if {one.token_type for one in test[n : n + 2]} == OUTER), 0)
        side = test[at + 2 :] if at and test[at].token_type is TokenType.STAR else test[:at]
        owner = next((n for n, table in enumerate(tables) if len(side) > 2 and _called(table, side[-3])), None)
        if not at:
            kept.append(test)
        elif owner is None:
            return words
        else:
            on.setdefault(owner, []).append([*test[:at], *made_words(test[at], "="), *test[at + 2 :]])
    if not on or len(on) == len(tables):
        return words
    for number, several in on.items():
        # What is asked of the other table alone binds its rows before they are joined.
        own = [test for test in kept if any(_called(tables[number], token) for token in test[:-1])]
        on[number] = [*several, *own]
        kept = [test for test in kept if test not in own]
    both, comma = made_words(words[where], "AND"), made_words(words[where], ",")
    found = [*words[: start + 1], *separated([one for n, one in enumerate(tables) if n not in on], comma)]
    for number, several in on.items():
        join, by = (made_words(words[where], text) for text in ("LEFT JOIN", "ON"))
        found += [*join, *tables[number], *by, *separated(several, both)]
    return [*found, *(words[where : where + 1] if kept else []), *separated(kept, both), *words[end:]]


OUTER = {TokenType.STAR, TokenType.EQ}


def _tests(words: Words) -> list[Words]:
    """What AND puts together."""
    marks = [at for at in tops(words, {"AND"}) if "BETWEEN" not in spoken(words[max(0, at - 4) : at])]
    return [words[a:b] for a, b in zip([0, *[at + 1 for at in marks]], [*marks, len(words)], strict=True)]


def _called(table: Words, name: Any) -> bool:
    """Whether a table of a FROM is called so."""
    return bool(table) and table[-1].text.upper() == name.text.upper()


def along_path(words: Words) -> Words:
    """FROM a, b FOR PATH AS c; LAST_VALUE(c.k) WITHIN GROUP (GRAPH PATH): rows along a path of a graph."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 5]) == ["WITHIN", "GROUP", "(", "GRAPH", "PATH"]:
            at = closed(words, at + 2)
        elif spoken(words[at : at + 3]) == ["FOR", "PATH", "AS"]:
            at += 2
        else:
            found.append(words[at])
            at += 1
    return found
