"""What only Db2 says; who names no dialect may say it, too.

SELECT a, CURRENT DATE - 3 MONTHS FROM s WITH UR         SELECT a, CURRENT_DATE - DURATION (3, 'MONTHS') FROM s
SELECT id FROM FINAL TABLE (INSERT INTO t ...)           WITH changed AS (INSERT ... RETURNING *) SELECT id ...
LOAD FROM f OF DEL REPLACE INTO t (a, b)                 COPY INTO t (a, b) FROM 'f'
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import TokenType

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    made_words,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import word_of

REGISTERS = frozenset(
    """
    TIMESTAMP DATE TIME SCHEMA SERVER SQLID TIMEZONE PATH USER ISOLATION MEMBER DEGREE CLIENT_USERID CLIENT_APPLNAME
    CLIENT_WRKSTNNAME CLIENT_ACCTNG
    """.split()  # noqa: SIM905
)
ISOLATIONS = frozenset(("UR", "CS", "RS", "RR", "NC"))
UNITS = frozenset(
    f"{unit}{plural}"
    for unit in ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND", "MICROSECOND")
    for plural in ("", "S")
)
OPERANDS = frozenset((TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.R_PAREN))
SIGNS = frozenset((TokenType.PLUS, TokenType.DASH))
CHANGES = frozenset(("INSERT", "UPDATE", "DELETE", "MERGE"))


def registers(words: Words) -> Words:
    """CURRENT DATE, in two words."""
    found: Words = []
    for at, token in enumerate(words):
        if found and word_of(words[at - 1]) == "CURRENT" and word_of(token) in REGISTERS:
            found[-1:] = made_words(token, f"CURRENT_{word_of(token)}")
        else:
            found.append(token)
    return found


def without_tail(words: Words) -> Words:
    """WITH UR, FOR FETCH ONLY, OPTIMIZE FOR 10 ROWS, SKIP LOCKED DATA: how rows are read says nothing of them."""
    found: Words = []
    at = 0
    while at < len(words):
        length = _tail(spoken(words[at : at + 4]))
        if length:
            at += length
            # USE AND KEEP UPDATE LOCKS behind an isolation; OF a, b behind FOR UPDATE ends the statement.
            at += 5 * (spoken(words[at : at + 3]) == ["USE", "AND", "KEEP"])
        else:
            found.append(words[at])
            at += 1
    return found


def _tail(said: Sequence[str]) -> int:
    """The words that stand here of what says how rows are read."""
    two = tuple(said[:2])
    if two[:1] == ("WITH",) and two[1:] and two[1] in ISOLATIONS and said[2:3] not in (["AS"], ["("]):
        return 2
    if tuple(said[:3]) in (("FOR", "FETCH", "ONLY"), ("FOR", "READ", "ONLY"), ("SKIP", "LOCKED", "DATA")):
        return 3
    if two == ("OPTIMIZE", "FOR") and said[3:4] in (["ROWS"], ["ROW"]):
        return 4
    return 2 if two[:1] == ("QUERYNO",) and two[1:] and two[1].isdigit() else 0


def durations(words: Words) -> Words:
    """d + 3 MONTHS - x DAYS: the durations are functions of what they count."""
    found: Words = []
    for at, token in enumerate(words):
        called = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
        start = _operand(found) if word_of(token) in UNITS and not called else len(found)
        if 0 < start < len(found) and found[start - 1].token_type in SIGNS:
            counted = found[start:]
            behind = made_words(token, f", '{word_of(token)}')")
            found[start:] = [*made_words(token, "DURATION ("), *counted, *behind]
        else:
            found.append(token)
    return found


def _operand(words: Words) -> int:
    """Where the operand begins that ends here."""
    at = len(words) - 1
    if at < 0 or words[at].token_type not in OPERANDS:
        return len(words)
    if words[at].token_type is TokenType.R_PAREN:
        depth = 0
        while at >= 0:
            depth += (words[at].token_type is TokenType.R_PAREN) - (words[at].token_type is TokenType.L_PAREN)
            if not depth:
                break
            at -= 1
        if at > 0 and words[at - 1].token_type in (TokenType.VAR, TokenType.IDENTIFIER):
            at -= 1
    while at > 1 and words[at - 1].token_type is TokenType.DOT:
        at -= 2
    return at


def joined_texts(words: Words) -> Words:
    """a CONCAT b is a || b."""
    found: Words = []
    for token in words:
        between = word_of(token) == "CONCAT" and found and found[-1].token_type in OPERANDS
        found += made_words(token, "||") if between and word_of(found[-1]) != "SELECT" else [token]
    return found


def values_given(words: Words) -> Words:
    """VALUES (SELECT ...) and VALUES CURRENT DATE, each a query of one row."""
    if word_of(words[0]) != "VALUES" or len(words) < 2:
        return words
    listed = words[1].token_type is TokenType.L_PAREN and not begins(words, 2)
    if listed or tops(words, {","}):
        return words
    return [*made_words(words[0], "SELECT"), *words[1:]]


def changed(words: Words) -> Words:
    """SELECT ... FROM FINAL TABLE (INSERT ...) reads what a change gives back."""
    at = next((n for n in range(1, len(words) - 3) if word_of(words[n]) == "TABLE" and begins(words, n + 1)), 0)
    if not at or word_of(words[at - 1]) not in ("FINAL", "NEW", "OLD"):
        return words
    end = closed(words, at + 1)
    start = _query_around(words, at)
    if end == at + 2 or start < 0 or word_of(words[at + 2]) not in CHANGES:
        return words
    name = made_words(words[at], "changed")
    given = [*words[at + 1 : end - 1], *made_words(words[at], "RETURNING *"), words[end - 1]]
    behind = start > 0 and words[start - 1].token_type is TokenType.R_PAREN and word_of(words[0]) == "WITH"
    lead = made_words(words[0], ", changed AS" if behind else "WITH changed AS")
    return [*words[:start], *lead, *given, *words[start : at - 1], *name, *words[end:]]


def _query_around(words: Words, at: int) -> int:
    """Where the SELECT stands in whose FROM this is."""
    depth = 0
    for place in range(at - 1, -1, -1):
        kind = words[place].token_type
        depth += (kind is TokenType.R_PAREN) - (kind is TokenType.L_PAREN)
        if depth < 0:
            return -1
        if not depth and word_of(words[place]) == "SELECT":
            return place
    return -1


def temporary(words: Words) -> Words:
    """DECLARE GLOBAL TEMPORARY TABLE t ... makes SESSION.T, a table of the session."""
    if spoken(words[:4]) != ["DECLARE", "GLOBAL", "TEMPORARY", "TABLE"] or len(words) < 6:
        return words
    end = behind_name(words, 4)
    own = words[4:end] if end > 5 else [*made_words(words[4], "SESSION ."), words[4]]
    rest = words[end:]
    if word_of(rest[0]) == "LIKE":
        rest = rest[: behind_name(rest, 1)]
    elif rest[0].token_type is TokenType.L_PAREN:
        rest = rest[: closed(rest, 0)]
    elif word_of(rest[0]) == "AS" and rest[1].token_type is TokenType.L_PAREN:
        last = closed(rest, 1)
        filled = spoken(rest[last : last + 2]) == ["WITH", "DATA"]
        rest = [*rest[:last], *([] if filled else made_words(rest[0], "WITH NO DATA"))]
    return [*made_words(words[0], "CREATE TEMPORARY TABLE"), *own, *rest]


def loaded(words: Words) -> Words:
    """LOAD FROM f OF DEL ... REPLACE INTO t (a, b); IMPORT FROM f OF IXF ... INSERT INTO t."""
    said = spoken(words)
    at = next((n for n in range(3, len(said) - 1) if said[n] == "INTO" and said[n - 1] in FILLING), 0)
    if said[1:2] != ["FROM"] or said[0] not in ("LOAD", "IMPORT") or not at:
        return words
    end = behind_name(words, at + 1)
    listed = words[end : closed(words, end)] if end < len(words) and words[end].token_type is TokenType.L_PAREN else []
    if begins(words, 2):
        # LOAD FROM (SELECT ...) OF CURSOR.
        return [*made_words(words[0], "INSERT INTO"), *words[at + 1 : end], *listed, *words[2 : closed(words, 2)]]
    file = _file(words, 2)
    if not listed:
        source = made_words(words[1], f"'{file}'")
        into = made_words(words[at], "INTO TABLE")
        return [*made_words(words[0], "LOAD DATA INPATH"), *source, *into, *words[at + 1 : end]]
    query = [*made_words(words[0], "SELECT"), *listed[1:-1], *made_words(words[0], f'FROM "{file}"')]
    return [*made_words(words[0], "INSERT INTO"), *words[at + 1 : end], *listed, *query]


FILLING = frozenset(("INSERT", "REPLACE", "INSERT_UPDATE", "CREATE", "REPLACE_CREATE", "RESTART"))


def exported(words: Words) -> Words:
    """EXPORT TO f OF DEL ... SELECT ... fills a file."""
    at = top(words, {"SELECT", "WITH"})
    if spoken(words[:2]) != ["EXPORT", "TO"] or at == len(words):
        return words
    return [*made_words(words[0], f'INSERT INTO "{_file(words, 2)}"'), *words[at:]]


def next_value(words: Words) -> Words:
    """NEXT VALUE FOR sq and PREVIOUS VALUE FOR sq, of a sequence."""
    found: Words = []
    at = 0
    while at < len(words):
        if spoken(words[at : at + 3]) in SEQUENCES and at + 3 < len(words):
            end = behind_name(words, at + 3)
            found += [*made_words(words[at], "NEXTVAL ("), *_as_text(words[at + 3 : end]), *made_words(words[at], ")")]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


SEQUENCES = (["NEXT", "VALUE", "FOR"], ["PREVIOUS", "VALUE", "FOR"])


def _as_text(name: Words) -> Words:
    written = "".join(token.text for token in name).replace("'", "''")
    return made_words(name[0], f"'{written}'")


def without_period(words: Words) -> Words:
    """t FOR SYSTEM_TIME AS OF x, t FOR PORTION OF BUSINESS_TIME FROM x TO y: rows of some time, which are rows of t."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 4])
        if (
            said[:1] == ["FOR"]
            and set(said[1:2] + said[3:4]) & PERIODS
            and (said[1] in PERIODS or said[1] == "PORTION")
        ):
            end = _period_end(words, at + 1)
            # Behind an expression without an operator stands the name that the table gets.
            named = words[end - 1].token_type in NAMING and words[end - 2].token_type in OPERANDS
            at = end - named
        else:
            found.append(words[at])
            at += 1
    return found


PERIODS = frozenset(("SYSTEM_TIME", "BUSINESS_TIME"))
NAMING = frozenset((TokenType.VAR, TokenType.IDENTIFIER))
BEHIND_PERIOD = frozenset(
    """
    WHERE GROUP ORDER JOIN LEFT INNER RIGHT FULL CROSS ON , FETCH UNION EXCEPT INTERSECT SET HAVING FOR GROUP_BY
    """.split()  # noqa: SIM905
) | {"GROUP BY", "ORDER BY"}


def _period_end(words: Words, at: int) -> int:
    depth = 0
    for place in range(at, len(words)):
        kind = words[place].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        word = word_of(words[place])
        if depth < 0 or (not depth and (word in BEHIND_PERIOD or (word == "AS" and place > at + 1))):
            return place
    return len(words)


def merged(words: Words) -> Words:
    """WHEN MATCHED ... THEN SIGNAL stops where rows are so; ELSE IGNORE and NOT ATOMIC say nothing of rows."""
    if word_of(words[0]) != "MERGE":
        return words
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 4])
        if said[:2] in (["THEN", "SIGNAL"], ["THEN", "SET"]) and "SIGNAL" in said:
            end = top(words, {"WHEN", "ELSE"}, at + 1)
            found += made_words(words[at], "THEN DO NOTHING")
            at = end
        elif said[:2] == ["ELSE", "IGNORE"]:
            at += 2
        elif said[:3] == ["NOT", "ATOMIC", "CONTINUE"]:
            return found
        else:
            found.append(words[at])
            at += 1
    return found


def _file(words: Words, at: int) -> str:
    """The name of a file, which need not be quoted: its words up to OF or a comma."""
    end = next((n for n in range(at, len(words)) if word_of(words[n]) in ("OF", ",", "CONTINUE")), len(words))
    first = words[at]
    if end == at + 1:
        return str(first.text).replace("'", "''")
    return "".join(" " * (n > at and words[n].start > words[n - 1].end + 1) + words[n].text for n in range(at, end))
