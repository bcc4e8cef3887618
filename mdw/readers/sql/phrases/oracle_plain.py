"""What Oracle says that is read as what it is made of, or says nothing of rows.

TRUNCATE TABLE t DROP STORAGE                         TRUNCATE TABLE t
UPDATE t SET a = 1 RETURNING a, b INTO :x, :y         UPDATE t SET a = 1 RETURNING a, b
DELETE FROM t FROM s WHERE s.k = t.k                  DELETE FROM t USING s WHERE s.k = t.k
FROM s NESTED doc COLUMNS (a NUMBER)                  FROM s LEFT JOIN JSON_TABLE(doc, '$' COLUMNS (a NUMBER)) ON 1 = 1
s PIVOT XML (SUM(v) FOR k IN (ANY))                   s PIVOT (SUM(v) FOR k IN (ANY))
JSON [a, b], TO_DATE(a DEFAULT 'x' ON CONVERSION ERROR)        [a, b], TO_DATE(a)
"""

from __future__ import annotations

from typing import Any

from mdw.readers.sql.phrases.documents import plain_tables
from mdw.readers.sql.phrases.words import Words, bracketed, closed, made_words, opens, spoken, top, tops
from mdw.readers.sql.pieces import TokenType, word_of


def emptied(words: Words) -> Words:
    """TRUNCATE TABLE t PRESERVE MATERIALIZED VIEW LOG REUSE STORAGE: what becomes of its place."""
    return words[: top(words, {"DROP", "REUSE", "PRESERVE", "PURGE"})] if word_of(words[0]) == "TRUNCATE" else words


def unreturned(words: Words) -> Words:
    """UPDATE t SET a = 1 RETURNING a, b INTO :x, :y gives values to whoever runs it, who says where they go."""
    at = top(words, {"RETURNING", "RETURN"})
    into = top(words, {"INTO"}, at)
    hosted = into + 1 < len(words) and words[into + 1].token_type is TokenType.COLON
    if not hosted or word_of(words[0]) not in ("INSERT", "UPDATE", "DELETE", "MERGE"):
        return words
    return [*words[:at], *made_words(words[at], "RETURNING"), *words[at + 1 : into]]


def joined_to(words: Words) -> Words:
    """DELETE FROM t FROM s WHERE ...: which rows go another table tells."""
    sources = tops(words, {"FROM"})
    if word_of(words[0]) != "DELETE" or len(sources) < 2:
        return words
    return [*words[: sources[1]], *made_words(words[sources[1]], "USING"), *words[sources[1] + 1 :]]


def converted(words: Words) -> Words:
    """TO_NUMBER(a DEFAULT 0 ON CONVERSION ERROR, '9'): a constant where A cannot be converted."""
    found = list(words)
    for end in reversed([at for at in range(len(words)) if spoken(words[at : at + 3]) == CONVERTED]):
        start, depth = end, 0
        while start and (depth or word_of(found[start]) != "DEFAULT"):
            depth -= opens(found[start - 1])
            start -= 1
        del found[start : end + 3]
    return found


CONVERTED = ["ON", "CONVERSION", "ERROR"]


def made_arrays(words: Words) -> Words:
    """JSON [a, b] is an array, and JSON no column."""
    return [
        token
        for at, token in enumerate(words)
        if not (word_of(token) == "JSON" and spoken(words[at + 1 : at + 2]) == ["["])
    ]


def documents(words: Words) -> Words:
    """JSON_OBJECT(*), JSON_ARRAY(SELECT ...), JSON_SERIALIZE(a RETURNING VARCHAR2(9) TRUNCATE ERROR ON ERROR)."""
    found = list(words)
    for at in reversed([n for n in range(len(words) - 2) if word_of(words[n]) in MADE and opens(words[n + 1]) == 1]):
        end = closed(found, at + 1) - 1
        word = word_of(found[at])
        if word == "JSON_OBJECT" and found[at + 2].token_type is TokenType.STAR:
            found[at : at + 1] = made_words(found[at], "ROW_DOCUMENT")
        elif word == "JSON_ARRAY" and word_of(found[at + 2]) in ("SELECT", "WITH"):
            found[at + 2 : end] = bracketed(found[at + 2 : end], found[at + 1])
        elif word == "JSON_SERIALIZE":
            del found[top(found[:end], {"RETURNING"}, at + 2) : end]
    return found


MADE = frozenset(("JSON_OBJECT", "JSON_ARRAY", "JSON_SERIALIZE"))


def unsuffixed(words: Words) -> Words:
    """1.5f and 2d are numbers, and F and D no names of them."""
    return [
        token
        for at, token in enumerate(words)
        if not (
            at
            and words[at - 1].token_type is TokenType.NUMBER
            and word_of(token) in ("F", "D")
            and token.start == words[at - 1].end + 1
        )
    ]


def altered(words: Words) -> Words:
    """ALTER TABLE t SET UNUSED (a); ALTER TABLE t ADD CONSTRAINT c ... ENABLE NOVALIDATE."""
    if spoken(words[:2]) != ["ALTER", "TABLE"]:
        return words
    at = top(words, {"SET"})
    if spoken(words[at + 1 : at + 2]) == ["UNUSED"]:
        lead = at + 2 + (spoken(words[at + 2 : at + 3]) == ["COLUMN"])
        named = words[lead:] if opens(words[lead]) != 1 else words[lead + 1 : closed(words, lead) - 1]
        return [*words[:at], *made_words(words[at], "DROP COLUMN"), *named]
    if not tops(words, {"CONSTRAINT", "FOREIGN", "FOREIGN KEY", "REFERENCES"}):
        return words
    states = top(words, {"ENABLE", "DISABLE", "RELY", "NORELY", "NOVALIDATE", "VALIDATE"}, 4)
    # A rule that is not in force deletes nothing in other tables.
    return words[: top(words, {"ON"}) if spoken(words[states : states + 1]) == ["DISABLE"] else states]


def nested(words: Words) -> Words:
    """FROM s NESTED doc.items[*] COLUMNS (a NUMBER PATH '$.a'): a row of S for each item, and one where it has none."""
    found: Words = []
    at = 0
    while at < len(words):
        columns = top(words, {"COLUMNS"}, at)
        if not at or columns == len(words) or word_of(words[at]) != "NESTED" or not _named(words[at - 1]):
            found.append(words[at])
            at += 1
            continue
        begins = at + 1 + (spoken(words[at + 1 : at + 2]) == ["PATH"])
        end = closed(words, columns + 1)
        given = [*words[begins:columns], *words[columns:end]]
        table = [*made_words(words[at], "JSON_TABLE"), *bracketed(given, words[at])]
        # On a condition that always holds: a row without items stays.
        found += [*made_words(words[at], "LEFT JOIN"), *plain_tables(table), *made_words(words[at], "ON 1 = 1")]
        at = end
    return found


def _named(token: Any) -> bool:
    """Whether a table, or what it is called, may end here."""
    return token.token_type in (TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN)


def pivoted(words: Words) -> Words:
    """PIVOT XML (SUM(v) FOR k IN (ANY)) gives a document of what PIVOT gives columns for."""
    return [
        token
        for at, token in enumerate(words)
        if not (at and word_of(token) == "XML" and word_of(words[at - 1]) == "PIVOT")
    ]
