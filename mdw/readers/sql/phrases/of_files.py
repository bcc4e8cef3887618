"""Files that statements read and fill.

SELECT a INTO OUTFILE 'f' FROM t                         INSERT INTO f SELECT a FROM t
LOAD DATA INFILE 'f' INTO TABLE t (a)                    INSERT INTO t (a) SELECT a FROM f
"""

from __future__ import annotations

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    identifier,
    made_words,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of


def into_file(words: Words) -> Words:
    """SELECT ... INTO OUTFILE 'f' ... FROM t fills a file (MySQL); what else is behind it tells of the file."""
    at = next((n for n in tops(words, {"INTO"}) if spoken(words[n + 1 : n + 2])[:1] in (["OUTFILE"], ["DUMPFILE"])), 0)
    if not at or at + 2 >= len(words) or not begins(words, 0):
        return words
    rest = words[top(words, {"FROM"}, at) :]
    return [*made_words(words[0], "INSERT INTO"), identifier(words[at + 2]), *words[:at], *rest]


def infile(words: Words) -> Words:
    """LOAD DATA [LOCAL] INFILE 'f' INTO TABLE t ... of MySQL and SQL*Loader is Hive's, whatever else it says.

    ``(a, @v) SET b = UPPER(@v)`` (MySQL) is INSERT INTO t (a, b) SELECT a, UPPER(v) FROM the file.
    """
    said = spoken(words)
    if said[:2] not in (["LOAD", "DATA"], ["LOAD", "XML"]) or "INFILE" not in said or "TABLE" not in said:
        return words
    at, table = said.index("INFILE"), said.index("TABLE")
    end = behind_name(words, table + 1)
    listed = _columns_of_file(words, end)
    if listed is not None:
        names, values = listed
        comma = made_words(words[at], ",")
        query = [*made_words(words[0], "SELECT"), *separated(values, comma), *made_words(words[0], "FROM")]
        into = [*made_words(words[0], "INSERT INTO"), *words[table + 1 : end], *made_words(words[0], "(")]
        close = made_words(words[0], ")")
        return [*into, *separated(names, comma), *close, *query, identifier(words[at + 1])]
    return [
        *made_words(words[0], "LOAD DATA"),
        *made_words(words[at], "INPATH"),
        words[at + 1],
        *made_words(words[at], "INTO TABLE"),
        *words[table + 1 : end],
    ]


def _columns_of_file(words: Words, start: int) -> tuple[list[Words], list[Words]] | None:
    """The columns that a LOAD DATA fills, each with what of the file it is made of; None where it names none."""
    sets = top(words, {"SET"}, start)
    # CHARACTER SET is no SET of columns.
    while sets < len(words) and word_of(words[sets - 1]) == "CHARACTER":
        sets = top(words, {"SET"}, sets + 1)
    opened = next((n for n in range(start, sets) if words[n].token_type is TokenType.L_PAREN), sets)
    if opened < sets and word_of(words[opened - 1]) == "PARTITION":
        opened = next((n for n in range(closed(words, opened), sets) if words[n].token_type is TokenType.L_PAREN), sets)
    if opened == sets:
        return None
    marks = (TokenType.PARAMETER, TokenType.COMMA)
    listed = words[opened + 1 : closed(words, opened) - 1]
    names = [[token] for n, token in enumerate(listed) if token.token_type not in marks and not _marked(listed, n)]
    values = list(names)
    rest = [token for token in words[sets + 1 :] if token.token_type is not TokenType.PARAMETER]
    for item in parted(rest):
        if len(item) > 2 and item[1].token_type is TokenType.EQ:
            names.append(item[:1])
            values.append(item[2:])
    return (names, values) if names else None


def _marked(words: Words, at: int) -> bool:
    return at > 0 and words[at - 1].token_type is TokenType.PARAMETER
