"""What only PostgreSQL says.

INSERT INTO t (k, a.b) ...                               INSERT INTO t (k, a) ...
SELECT j.k FROM a JOIN b USING (k) AS j                  SELECT k FROM a JOIN b USING (k)
"""

from __future__ import annotations

from collections.abc import Mapping

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    made_words,
    opens,
    parted,
    placed,
    separated,
    spoken,
    top,
    tops,
    word_in_place,
)
from mdw.readers.sql.pieces import TokenType, word_of


def parts_inserted(words: Words) -> Words:
    """PostgreSQL's INSERT INTO t (k, a.b, c[1]) fills a part of A and one of C: of each what it is made of is asked."""
    at = top(words, {"INSERT"})
    opened = behind_name(words, at + 2) if spoken(words[at + 1 : at + 2]) == ["INTO"] else len(words)
    if opened >= len(words) or words[opened].token_type is not TokenType.L_PAREN or begins(words, opened + 1):
        return words
    end = closed(words, opened)
    columns = parted(words[opened + 1 : end - 1])
    if all(len(one) < 2 for one in columns):
        return words
    return [
        *words[: opened + 1],
        *separated([one[:1] for one in columns], made_words(words[at], ",")),
        *words[end - 1 :],
    ]


def without_overriding(words: Words) -> Words:
    """INSERT ... OVERRIDING SYSTEM VALUE: values are given for a column that makes its own."""
    starts = [at for at in range(len(words) - 2) if word_of(words[at]) == "OVERRIDING"]
    own = {n for at in starts if word_of(words[at + 2]) == "VALUE" for n in range(at, at + 3)}
    return [token for at, token in enumerate(words) if at not in own]


def without_program(words: Words) -> Words:
    """COPY t FROM PROGRAM 'gunzip -c x': what the program writes is as a file of that name.

    COPY t (a, b) FROM 'x' WITH (FORMAT csv) WHERE a > 1 is INSERT INTO t (a, b) SELECT a, b FROM "x" WHERE a > 1.
    """
    if word_of(words[0]) != "COPY":
        return words
    at = next((n for n in tops(words, {"PROGRAM"}) if word_of(words[n - 1]) in ("FROM", "TO")), len(words))
    words = [*words[:at], *words[at + 1 :]]
    where, source = top(words, {"WHERE"}), top(words, {"FROM"})
    if where == len(words) or source + 1 >= where:
        return words[:where]
    listed = opens(words[source - 1]) == -1 and behind_name(words, 1) < source
    columns = words[behind_name(words, 1) + 1 : source - 1] if listed else made_words(words[0], "*")
    file = word_in_place(words[source + 1], TokenType.IDENTIFIER, words[source + 1].text)
    lead = [*made_words(words[0], "INSERT INTO"), *words[1:source], *made_words(words[source], "SELECT"), *columns]
    return [*lead, words[source], file, *words[where:]]


def within_networks(words: Words) -> Words:
    """a <<= b and a >>= b, of networks (PostgreSQL), are tests like a && b."""
    found: Words = []
    for at, token in enumerate(words):
        pair = (words[at - 1].token_type, token.token_type) if at else None
        if pair in NETWORKS and words[at - 1].end + 1 == token.start and found:
            found[-1:] = made_words(token, "&&")
        else:
            found.append(token)
    return found


NETWORKS = ((TokenType.LT, TokenType.LTE), (TokenType.GT, TokenType.GTE))


def absolute(words: Words) -> Words:
    """@ x, of which PostgreSQL takes the absolute value, is a function of X and no parameter."""
    marked = {at for at, one in enumerate(words) if one.token_type is TokenType.PARAMETER and one.text == "@"}
    return [made_words(one, "~")[0] if at in marked else one for at, one in enumerate(words)]


LISTED = frozenset((TokenType.VAR, TokenType.IDENTIFIER, TokenType.COMMA))


def without_join_names(words: Words) -> Words:
    """a JOIN b USING (k) AS j (PostgreSQL): j.k is the column that both share, which K alone is too; j.* are these."""
    names: dict[str, Words] = {}
    found: Words = []
    at = 0
    while at < len(words):
        found.append(words[at])
        at += 1
        if word_of(words[at - 1]) == "USING" and at < len(words) and words[at].token_type is TokenType.L_PAREN:
            start, end = at, closed(words, at)
            found += words[at:end]
            # Of MERGE and DELETE what stands there may be a query, or a table.
            listed = all(token.token_type in LISTED for token in words[at + 1 : end - 1])
            joins = word_of(words[0]) not in ("MERGE", "DELETE")
            at = end
            if listed and joins and at + 1 < len(words) and word_of(words[at]) == "AS":
                names[words[at + 1].text.upper()] = found[-(end - start) + 1 : -1]
                at += 2
    return _without_prefixes(found, names) if names else words


def _without_prefixes(words: Words, names: Mapping[str, Words]) -> Words:
    found: Words = []
    at = 0
    while at < len(words):
        shared = names.get(words[at].text.upper())
        if shared is None or at + 2 >= len(words) or words[at + 1].token_type is not TokenType.DOT:
            found.append(words[at])
            at += 1
        elif words[at + 2].token_type is TokenType.STAR:
            found += placed(shared, words[at])
            at += 3
        else:
            at += 2
    return found
