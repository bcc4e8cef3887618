"""What only Teradata says.

LOCKING t FOR ACCESS SELECT a (TITLE 'x'), b (DATE) FROM t         SELECT a, b :: DATE FROM t
SELECT BEGIN(p) FROM t WHERE d < DATE                              SELECT PERIOD_BEGIN(p) ... d < CURRENT_DATE
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    closed,
    identifier,
    made_words,
    openings,
    opens,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

BEFORE = frozenset(
    ("LOCKING", "LOCK", "NONSEQUENCED", "SEQUENCED", "CURRENT", "VALIDTIME", "TRANSACTIONTIME", "TEMPORAL")
)
CHANGES = frozenset(("DELETE", "DEL", "UPDATE", "UPD"))
BEHIND_EXPAND = frozenset(("WHERE", "GROUP BY", "ORDER BY", "HAVING", "QUALIFY", "UNION", "MINUS", "INTERSECT"))
TYPES = frozenset(
    (
        "CHAR",
        "CHARACTER",
        "VARCHAR",
        "DATE",
        "TIME",
        "TIMESTAMP",
        "DECIMAL",
        "DEC",
        "NUMERIC",
        "NUMBER",
        "INTEGER",
        "INT",
        "BIGINT",
        "SMALLINT",
        "BYTEINT",
        "FLOAT",
        "REAL",
        "BYTE",
        "VARBYTE",
        "CLOB",
    )
)
SHOWN = frozenset(("TITLE", "FORMAT"))
CASES = frozenset(("CASESPECIFIC", "CS", "UPPERCASE", "UC"))
PHRASES = SHOWN | CASES | {"CHARACTER", "NAMED"}
"""Words of what stands in parentheses behind a value."""


BEGINNING = CASES | {"(", "CHARACTER"}
"""What phrases begin with."""


def typed(words: Words) -> Words:
    """x (DATE), a type in parentheses behind a value, makes one of that type."""
    found: Words = []
    behind = 0
    for at in openings(words):
        if at < max(behind, 1) or at + 2 >= len(words):
            continue
        if _casts(words, at, found[-1] if at == behind else words[at - 1]):
            end = closed(words, at)
            last = next(iter(tops(words[: end - 1], {",", *SHOWN}, at + 1)), end - 1)
            found += [*words[behind:at], *made_words(words[at], "::"), *words[at + 1 : last]]
            behind = end
    return found + words[behind:]


def without_phrases(words: Words) -> Words:
    """(TITLE 'x') behind a column says how it is shown, (NAMED x) what it is called."""
    found: Words = []
    at = 0
    while at < len(words):
        token = words[at]
        if token.text.upper() not in BEGINNING:
            found.append(token)
            at += 1
            continue
        inner = word_of(words[at + 1]) if token.token_type is TokenType.L_PAREN and at + 2 < len(words) else ""
        if inner and found and _is_phrase(words, at, found[-1]):
            at = closed(words, at)
        elif word_of(token) in CASES and (behind := _behind_type(found)):
            # CAST(a AS CHAR(3) NOT CASESPECIFIC)
            found, at = found[:behind], at + 1
        elif spoken(words[at : at + 2]) == ["CHARACTER", "SET"] and _behind_type(found):
            at += 3
        elif inner == "NAMED":
            found += [*made_words(token, "AS"), words[at + 2]]
            at = closed(words, at)
        else:
            found.append(token)
            at += 1
    return found


def _is_phrase(words: Words, at: int, before: Any) -> bool:
    """Whether parentheses behind a value say how it is shown or compared: x (TITLE 'x'), 'a' (NOT CASESPECIFIC).

    MAX(title) and MAX (title) are functions.
    """
    first = word_of(words[at + 1])
    if first in SHOWN:
        return bool(words[at + 2].token_type is TokenType.STRING)
    last = at + 1 + (first == "NOT")
    compared = word_of(words[last]) in CASES and closed(words, at) == last + 2
    apart = before.end + 1 < words[at].start and word_of(before) not in exp.FUNCTION_BY_NAME
    return compared and before.token_type in BEFORE_PHRASES and (apart or before.token_type is not TokenType.VAR)


def _behind_type(words: Words) -> int:
    """Behind the type with which the words end, if they do, NOT left out of account; else 0."""
    end = len(words) - (word_of(words[-1]) == "NOT") if words else 0
    first = end - 1
    if end > 3 and words[first].token_type is TokenType.R_PAREN:
        first = max(n for n in range(end) if closed(words, n) == end and opens(words[n]) > 0) - 1
    return end if first > 0 and word_of(words[first]) in TYPES else 0


BEFORE_PHRASES = frozenset((TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN, TokenType.STRING))


def _casts(words: Words, at: int, before: Any) -> bool:
    """Whether a type stands in parentheses behind a value: x (CHAR(10)), (a + b) (DATE, FORMAT 'YYYY-MM-DD').

    DATE alone may be the argument of a function, the day of today: it is a type behind a blank only.
    """
    first = words[at + 1]
    valued = before.token_type in BEFORE_PHRASES
    if not valued or word_of(first) not in TYPES:
        return False
    if word_of(words[0]) in ("CREATE", "REPLACE") and not {"SELECT", "SEL"} & set(spoken(words[:at])):
        # What stands behind the name of a column is its type.
        return False
    end = closed(words, at)
    behind = closed(words, at + 2) if words[at + 2].token_type is TokenType.L_PAREN else at + 2
    if behind < end - 1:
        shown = behind + (words[behind].token_type is TokenType.COMMA)
        return word_of(words[shown]) in SHOWN | CASES
    apart = before.end + 1 < words[at].start and word_of(before) not in exp.FUNCTION_BY_NAME
    literal = before.token_type in (TokenType.R_PAREN, TokenType.STRING)
    return word_of(first) not in ("DATE", "TIME") or apart or literal


def without_normalize(words: Words) -> Words:
    """SELECT NORMALIZE puts periods together: the rows are fewer, their columns the same."""
    found: Words = []
    at = 0
    while at < len(words):
        if word_of(words[at]) == "NORMALIZE" and at and word_of(words[at - 1]) in ("SELECT", "SEL"):
            at += 1
            while word_of(words[at]) in ("ON", "MEETS", "OVERLAPS", "OR"):
                at += 1
        found.append(words[at])
        at += 1
    return found


FUNCTIONAL = frozenset(("BEGIN", "END", "CASE", "DATE"))


def functional(words: Words) -> Words:
    """BEGIN(p) and END(p) are functions of a period, and DATE alone is the day of today."""
    found: Words = []
    behind = cases = 0
    for at in [at for at, token in enumerate(words) if token.text.upper() in FUNCTIONAL]:
        found += words[behind:at]
        behind, token = at + 1, words[at]
        word, after = word_of(token), words[at + 1].token_type if at + 1 < len(words) else None
        before = found[-1] if found else token
        called = after is TokenType.L_PAREN and (word == "BEGIN" or (word == "END" and not cases))
        cases += (word == "CASE") - (word == "END" and cases > 0)
        today = word == "DATE" and after is not TokenType.STRING and before.token_type in VALUED
        if at and (called or (today and word_of(words[0]) not in ("CREATE", "REPLACE"))):
            found += made_words(token, "CURRENT_DATE" if today else f"PERIOD_{word}")
        else:
            found.append(token)
    return found + words[behind:]


VALUED = frozenset((
    TokenType.SELECT, TokenType.WHERE, TokenType.AND, TokenType.OR, TokenType.BETWEEN, TokenType.WHEN, TokenType.THEN,
    TokenType.ELSE, TokenType.ON, TokenType.L_PAREN, TokenType.COMMA, TokenType.EQ, TokenType.NEQ, TokenType.LT,
    TokenType.LTE, TokenType.GT, TokenType.GTE, TokenType.PLUS, TokenType.DASH,
))  # fmt: skip
"""What stands before a value."""


def without_expand(words: Words) -> Words:
    """EXPAND ON period AS p BY ... makes several rows of one, and p a part of the period."""
    at = next((n for n, token in enumerate(words[:-4]) if spoken(words[n : n + 2]) == ["EXPAND", "ON"]), 0)
    if not at:
        return words
    alias = top(words, {"AS"}, at)
    depth, end = 0, at
    while end < len(words) and depth >= 0 and not (depth == 0 and word_of(words[end]) in BEHIND_EXPAND):
        end += 1
        depth += opens(words[end]) if end < len(words) else 0
    if alias + 1 >= end:
        return [*words[:at], *words[end:]]
    name, period = word_of(words[alias + 1]), words[at + 2 : alias]
    rest = [*words[:at], *words[end:]]
    return [one for token in rest for one in (period if word_of(token) == name else [token])]


def without_reset(words: Words) -> Words:
    """ORDER BY d RESET WHEN e = 1 says where a window's frame begins: what it asks decides, as what orders it does."""
    said = spoken(words)
    at = next((n for n in range(len(words) - 1) if said[n : n + 2] == ["RESET", "WHEN"]), 0)
    if not at:
        return words
    depth, end = 0, at
    while end < len(words) and depth >= 0 and not (depth == 0 and word_of(words[end]) in ("ROWS", "RANGE")):
        end += 1
        depth += opens(words[end]) if end < len(words) else 0
    asked = [*made_words(words[at], ", CASE WHEN"), *words[at + 2 : end], *made_words(words[at], "THEN 1 END")]
    return without_reset([*words[:at], *asked, *words[end:]])


def updating(words: Words) -> Words:
    """UPDATE t FROM s SET ...: where s has no name of its own SET would be taken for one."""
    if word_of(words[0]) not in ("UPDATE", "UPD"):
        return words
    source, sets = top(words, {"FROM"}), top(words, {"SET"})
    if sets < source < len(words):
        # FROM behind SET, as others have it.
        end = top(words, {"WHERE"}, source)
        words = [*words[:sets], *words[source:end], *words[sets:source], *words[end:]]
        source, sets = sets, sets + end - source
    if not source < sets < len(words):
        return words
    bare = words[sets - 2].token_type is TokenType.DOT or word_of(words[sets - 2]) == "FROM"
    return [*words[:sets], *(words[sets - 1 : sets] if bare else ()), *words[sets:]]


def unlocked(words: Words) -> Words:
    """LOCKING t FOR ACCESS before a statement says nothing of its rows; nor does the ALL of DELETE t ALL.

    In what time the rows of a temporal table hold (NONSEQUENCED VALIDTIME) is left out of account.
    """
    if word_of(words[0]) in BEFORE:
        at = top(words, {"SELECT", "SEL", "INSERT", "INS", "UPDATE", "UPD", "DELETE", "DEL", "MERGE", "WITH"})
        return words[at:] or words
    return words[:-1] if word_of(words[0]) in CHANGES and word_of(words[-1]) == "ALL" else words


BYTES = frozenset(("XB", "XBF", "XBV", "XC", "XCF", "XCV", "XI", "XI1", "XI2", "XI4", "XI8"))


def plain_texts(words: Words) -> Words:
    """'00FF'XB is a text of bytes, and XB no name of it."""
    return [
        token
        for at, token in enumerate(words)
        if not (
            word_of(token) in BYTES
            and at
            and words[at - 1].token_type is TokenType.STRING
            and words[at - 1].end + 1 == token.start
        )
    ]


PLACES = (["AT", "LOCAL"], ["RANDOMIZED", "ALLOCATION"], ["WITH", "REPLACEMENT"])


def without_places(words: Words) -> Words:
    """d AT LOCAL, CAST(a AS DATE AT 'GMT'): the same moment; SAMPLE RANDOMIZED ALLOCATION WHEN ... END: any rows."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 2])
        literal = at + 1 < len(words) and words[at + 1].token_type is TokenType.STRING
        if said in PLACES or (said[:1] == ["AT"] and literal):
            at += 2
        elif said[:1] == ["WHEN"] and found and word_of(found[-1]) == "SAMPLE":
            found += made_words(words[at], "1")
            at = next((n for n in range(at, len(words)) if word_of(words[n]) == "END"), len(words)) + 1
        else:
            found.append(words[at])
            at += 1
    return found


def remade(words: Words) -> Words:
    """REPLACE VIEW v AS LOCKING a FOR ACCESS LOCKING b FOR ACCESS SELECT ... WITH CHECK OPTION is CREATE OR REPLACE."""
    made = spoken(words[:2]) == ["REPLACE", "VIEW"]
    if not made and spoken(words[:2]) != ["CREATE", "VIEW"]:
        return words
    lead = made_words(words[0], "CREATE OR REPLACE") if made else words[:1]
    at = top(words, {"AS"}) + 1
    body = next((n for n in range(at, len(words)) if begins(words, n)), at)
    end = -3 if spoken(words[-3:]) == ["WITH", "CHECK", "OPTION"] else len(words)
    return [*lead, *words[1:at], *words[body:end]]


def from_store(words: Words) -> Words:
    """READ_NOS (USING LOCATION ('/s3/b/x')) AS d, FROM (LOCATION = '/s3/b/x') AS d: files of an object store."""
    found: Words = []
    at = 0
    while at < len(words):
        called = spoken(words[at : at + 2]) == ["READ_NOS", "("]
        opened = at + called
        inner = words[opened + 1 : closed(words, opened)] if opens(words[opened]) == 1 else []
        place = next((n for n, token in enumerate(inner) if word_of(token) == "LOCATION"), len(inner))
        file = next((token for token in inner[place + 1 : place + 3] if token.token_type is TokenType.STRING), None)
        if file is not None and (called or (place == 0 and word_of(found[-1]) in ("FROM", "JOIN", ","))):
            found.append(identifier(file))
            at = closed(words, opened)
        else:
            found.append(words[at])
            at += 1
    return found


def without_statistics(words: Words) -> Words:
    """CREATE TABLE t AS s WITH DATA AND NO STATS: what is known of how often values are says nothing of them."""
    at = next((n for n in range(1, len(words) - 1) if spoken(words[n - 1 : n + 1]) == ["DATA", "AND"]), len(words))
    end = at + 1 + (spoken(words[at + 1 : at + 2]) == ["NO"])
    counted = spoken(words[end : end + 1]) in (["STATS"], ["STATISTICS"])
    return [*words[:at], *words[end + 1 :]] if counted else words
