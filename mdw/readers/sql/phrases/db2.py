"""What only Db2 says; who names no dialect may say it, too.

SELECT a, CURRENT DATE - 3 MONTHS FROM s WITH UR         SELECT a, CURRENT_DATE - DURATION (3, 'MONTHS') FROM s
SELECT id FROM FINAL TABLE (INSERT INTO t ...)           WITH changed AS (INSERT ... RETURNING *) SELECT id ...
LOAD FROM f OF DEL REPLACE INTO t (a, b)                 COPY INTO t (a, b) FROM 'f'
"""

from __future__ import annotations

from collections.abc import Sequence

from mdw.readers.sql.phrases.words import (
    Words,
    begins,
    behind_name,
    closed,
    function_begun,
    made_words,
    opens,
    parted,
    separated,
    spoken,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

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


TAILS = ISOLATIONS | {"HINT", "ONLY", "LOCKED", "STRUCTURED", "OPTIMIZE", "QUERYNO"}
"""Words of what says how rows are read."""


def without_tail(words: Words) -> Words:
    """WITH UR, FOR FETCH ONLY, OPTIMIZE FOR 10 ROWS, SKIP LOCKED DATA: how rows are read says nothing of them."""
    found: Words = []
    at = 0
    while at < len(words):
        length = _tail(spoken(words[at : at + 4]))
        if spoken(words[at : at + 3]) == ["WITH", "HINT", "("]:
            at = closed(words, at + 2)
        elif length:
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
    if two == ("WITH", "STRUCTURED") and said[2:3] == ["PRIVILEGE"]:
        return 4
    if two == ("OPTIMIZE", "FOR") and said[3:4] in (["ROWS"], ["ROW"]):
        return 4
    return 2 if two[:1] == ("QUERYNO",) and two[1:] and two[1].isdigit() else 0


def durations(words: Words) -> Words:
    """d + 3 MONTHS - x DAYS: the durations are functions of what they count."""
    found: Words = []
    for at, token in enumerate(words):
        called = at + 1 < len(words) and words[at + 1].token_type is TokenType.L_PAREN
        unit = word_of(token) in UNITS and not called and not (_names(words, at) and word_of(token)[-1:] != "S")
        start = _operand(found) if unit else len(found)
        if 0 < start < len(found) and found[start - 1].token_type in SIGNS:
            counted = found[start:]
            behind = made_words(token, f", '{word_of(token)}')")
            found[start:] = [*made_words(token, "DURATION ("), *counted, *behind]
        else:
            found.append(token)
    return found


def _names(words: Words, at: int) -> bool:
    """Whether a word may be the name of a column that ends there: SELECT x + y month FROM t."""
    plain = at > 0 and words[at - 1].token_type in (TokenType.VAR, TokenType.IDENTIFIER)
    return plain and (at + 1 == len(words) or word_of(words[at + 1]) in ENDING)


ENDING = frozenset((",", ")", "FROM", ";"))
"""What stands behind the name of a column."""


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
    for at, token in enumerate(words):
        between = word_of(token) == "CONCAT" and found and found[-1].token_type in OPERANDS and not _names(words, at)
        found += made_words(token, "||") if between and word_of(found[-1]) != "SELECT" else [token]
    return found


def values_given(words: Words) -> Words:
    """VALUES (SELECT ...) and VALUES CURRENT DATE, each a query of one row; WITH t (a) AS (VALUES 1, 2), of two."""
    found: Words = []
    at = 0
    while at < len(words):
        begun = word_of(words[at]) == "VALUES" and at + 1 < len(words) and (not found or opens(found[-1]) == 1)
        if begun and (words[at + 1].token_type is not TokenType.L_PAREN or begins(words, at + 2)):
            end = _closing(words, at + 1)
            brackets = made_words(words[at], "("), made_words(words[at], ")")
            rows = [[*brackets[0], *row, *brackets[1]] for row in parted(words[at + 1 : end])]
            comma = made_words(words[at], ",")
            found += (
                [words[at], *separated(rows, comma)] if found else [*made_words(words[at], "SELECT"), *words[1:end]]
            )
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


def _closing(words: Words, at: int) -> int:
    """Where the parenthesis closes that something stands in; the end if it stands in none."""
    depth = 0
    for place in range(at, len(words)):
        depth += opens(words[place])
        if depth < 0:
            return place
    return len(words)


def without_indicators(words: Words) -> Words:
    """:a :i and :a:i, a variable of a program and another that says whether it is NULL."""
    found: Words = []
    at = 0
    while at < len(words):
        four = [token.token_type for token in words[at : at + 4]]
        if four[::2] == [TokenType.COLON, TokenType.COLON] and four[1:] and set(four[1::2]) <= NAMING:
            found += words[at : at + 2]
            at += 4
        else:
            found.append(words[at])
            at += 1
    return found


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


def next_value(words: Words) -> Words:
    """NEXT VALUE FOR sq and PREVIOUS VALUE FOR sq, of a sequence."""
    found: Words = []
    at = 0
    while at < len(words):
        said = spoken(words[at : at + 3])
        begin = at + 3 * (said in SEQUENCES) + 2 * (said[:2] in SHORTER)
        if at < begin < len(words):
            end = behind_name(words, begin)
            found += [*made_words(words[at], "NEXTVAL ("), *_as_text(words[begin:end]), *made_words(words[at], ")")]
            at = end
        else:
            found.append(words[at])
            at += 1
    return found


SEQUENCES = (["NEXT", "VALUE", "FOR"], ["PREVIOUS", "VALUE", "FOR"])
SHORTER = (["NEXTVAL", "FOR"], ["PREVVAL", "FOR"])


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
            operand = words[end - 2].token_type in OPERANDS or words[end - 2].text.startswith("CURRENT_")
            named = words[end - 1].token_type in NAMING and operand
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


def with_all_rows(words: Words) -> Words:
    """a EXCEPTION JOIN b gives the rows of A that find none in B: those are among what a LEFT JOIN gives."""
    found: Words = []
    for at, token in enumerate(words):
        if spoken(words[at : at + 2]) == ["EXCEPTION", "JOIN"]:
            found += [] if found and word_of(found[-1]) in ("LEFT", "RIGHT") else made_words(token, "LEFT")
        else:
            found.append(token)
    return found


def dotted(words: Words) -> Words:
    """FROM lib/t is FROM lib.t (Db2 for i)."""
    found = list(words)
    for at in range(1, len(words) - 2):
        named = words[at].token_type in NAMING and words[at + 2].token_type in NAMING
        if named and word_of(words[at - 1]) in NAMING_BEFORE and words[at + 1].token_type is TokenType.SLASH:
            found[at + 1 : at + 2] = made_words(words[at + 1], ".")
    return found


NAMING_BEFORE = frozenset(("FROM", "JOIN", "INTO", "UPDATE", "TABLE", "VIEW"))


NEGATING = frozenset(("^", "\u00ac"))


def unequal(words: Words) -> Words:
    """a ^= b and a \u00ac= b are a <> b."""
    found: Words = []
    for at, token in enumerate(words):
        if token.token_type is TokenType.EQ and at and words[at - 1].text in NEGATING:
            found[-1:] = made_words(token, "<>")
        else:
            found.append(token)
    return found


def worded(words: Words) -> Words:
    """CHAR(d, ISO), SUBSTRING(x, 1, 2, OCTETS), LAG(x, 1, y, 'IGNORE NULLS'), CHAR(10) FOR BIT DATA."""
    found: Words = []
    at = 0
    while at < len(words):
        last = at + 2 < len(words) and words[at + 2].token_type is TokenType.R_PAREN
        behind = words[at].token_type is TokenType.COMMA and last
        text = words[at + 1].text.upper() if behind else ""
        if text in UNITS_OF_TEXT or (text in FORMATS and function_begun(found) in ("CHAR", "VARCHAR")):
            at += 2
        elif spoken(words[at : at + 1]) == ["FOR"] and spoken(words[at + 1 : at + 3]) in KINDS_OF_DATA:
            at += 3
        elif (
            word_of(words[at]) == "SELECTIVITY"
            and spoken(words[at + 1 : at + 2])[0:1]
            and words[at + 1].text[0].isdigit()
        ):
            # How many rows somebody thinks meet a test.
            at += 2
        else:
            found.append(words[at])
            at += 1
    return found


UNITS_OF_TEXT = frozenset(("OCTETS", "CODEUNITS16", "CODEUNITS32", "IGNORE NULLS", "RESPECT NULLS"))
FORMATS = frozenset(("ISO", "USA", "EUR", "JIS"))
KINDS_OF_DATA = (["BIT", "DATA"], ["SBCS", "DATA"], ["MIXED", "DATA"])


def stripped(words: Words) -> Words:
    """STRIP(x, L, '0'): from which end is a word, and no column."""
    found = list(words)
    for at in range(len(words) - 3):
        if word_of(words[at]) == "STRIP" and words[at + 1].token_type is TokenType.L_PAREN:
            for n in tops(words[at + 2 : closed(words, at + 1) - 1], ENDS):
                found[at + 2 + n : at + 3 + n] = made_words(words[at + 2 + n], f"'{word_of(words[at + 2 + n])}'")
    return found


ENDS = frozenset(("B", "L", "T", "BOTH", "LEADING", "TRAILING"))
