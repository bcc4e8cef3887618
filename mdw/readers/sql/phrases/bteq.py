"""What only Teradata says, its older ways of asking and changing.

SELECT RANK(x DESC) FROM t             SELECT RANK() OVER (ORDER BY x DESC) FROM t
INSERT INTO t (a = 1, b = 2)           INSERT INTO t (a, b) VALUES (1, 2)
UPDATE t SET a = 1 WHERE k = 2 ELSE INSERT INTO t VALUES (2, 1)          a MERGE
FROM f (ON s PARTITION BY a USING n(3)) AS d                             FROM f((SELECT * FROM s)) AS d
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
    openings,
    opens,
    parted,
    separated,
    spoken,
    top,
    tops,
)
from mdw.readers.sql.pieces import TokenType, word_of

SHORT = {"CT": "CREATE TABLE", "CV": "CREATE VIEW"}
CHANGING = frozenset(
    "INSERT INS UPDATE UPD DELETE DEL SELECT SEL MERGE EXEC EXECUTE LOCKING LOCK".split()  # noqa: SIM905
)
ORDERED = {"RANK": "RANK", "CSUM": "SUM", "MAVG": "AVG", "MSUM": "SUM", "MDIFF": "MIN", "QUANTILE": "NTILE"}
"""Functions of older days that are given an order, and what they are with a window."""
PARTS_OF_TIME = frozenset("YEAR MONTH DAY HOUR MINUTE SECOND".split())  # noqa: SIM905
TAKEN = frozenset(("P_INTERSECT", "P_NORMALIZE", "LDIFF", "RDIFF"))
"""Operators that make a period of two."""
MEETING = frozenset(("CONTAINS", "MEETS", "PRECEDES", "SUCCEEDS"))
"""How two periods may lie to each other."""
SHOWN = frozenset("NO UNKNOWN INTERVAL CHARACTER SUBSTR TD_SYSFNLIB SYSLIB NEW".split())  # noqa: SIM905
SHOWN |= PARTS_OF_TIME | TAKEN | MEETING
"""Words of what says how values are shown, and of operators of periods."""


def begun(words: Words) -> Words:
    """CT is CREATE TABLE; USING (a INT) before a statement tells what :a stands for."""
    first = word_of(words[0])
    if first in SHORT:
        return [*made_words(words[0], SHORT[first]), *words[1:]]
    return words[top(words, CHANGING, 1) :] or words if first == "USING" else words


def logged(words: Words) -> Words:
    """LOGGING ALL ERRORS WITH NO LIMIT says where rows go that fail."""
    at = next((n for n in tops(words, {"LOGGING"}) if "ERRORS" in spoken(words[n + 1 : n + 3])), len(words))
    return words[:at] or words


def reported(words: Words) -> Words:
    """SELECT a, b FROM t WITH SUM(b) BY a: lines of sums between the rows, of a report."""
    # Behind .EXPORT the query fills a file.
    if word_of(words[0]) not in ("SELECT", "SEL", "INSERT"):
        return words
    at = next((n for n in tops(words, {"WITH"}, 1) if _sums(words, n + 1)), len(words))
    behind = top(words, {"ORDER BY"}, at)
    return [*words[:at], *words[behind:]]


def _sums(words: Words, at: int) -> bool:
    if at + 1 >= len(words) or words[at + 1].token_type is not TokenType.L_PAREN or begins(words, at):
        return False
    # WITH c (a) AS (SELECT ...)
    return spoken(words[closed(words, at + 1) :][:1]) != ["AS"]


def given_each(words: Words) -> Words:
    """INSERT INTO t (a = 1, b = 2)."""
    if word_of(words[0]) not in ("INSERT", "INS"):
        return words
    opened = next((n for n, token in enumerate(words) if token.token_type is TokenType.L_PAREN), 0)
    if not opened or closed(words, opened) != len(words):
        return words
    inner = words[opened + 1 : -1]
    if len(inner) < 3 or inner[1].token_type is not TokenType.EQ:
        return words
    items = parted(inner)
    comma = made_words(words[opened], ",")
    names, values = separated([one[:1] for one in items], comma), separated([one[2:] for one in items], comma)
    middle = made_words(words[-1], ") VALUES (")
    return [*words[: opened + 1], *names, *middle, *values, words[-1]]


def upserting(words: Words) -> Words:
    """UPDATE t SET a = 1 WHERE k = 2 ELSE INSERT INTO t (k, a) VALUES (2, 1)."""
    if word_of(words[0]) not in ("UPDATE", "UPD"):
        return words
    other = next((n for n in tops(words, {"ELSE"}) if word_of(words[n + 1]) in ("INSERT", "INS")), 0)
    sets, where, values = (top(words, {word}) for word in ("SET", "WHERE", "VALUES"))
    if not other or not sets < where < other < values:
        return words
    name = other + 2 + (word_of(words[other + 2]) == "INTO")
    return [
        *made_words(words[0], "MERGE INTO"),
        *words[1:sets],
        *made_words(words[0], "USING (SELECT 1 AS one_row) AS one ON ("),
        *words[where + 1 : other],
        *made_words(words[0], ") WHEN MATCHED THEN UPDATE"),
        *words[sets:where],
        *made_words(words[other], "WHEN NOT MATCHED THEN INSERT"),
        *words[behind_name(words, name) :],
    ]


def deleting_by(words: Words) -> Words:
    """DELETE t FROM s WHERE t.k = s.k deletes from T."""
    source = top(words, {"FROM"}) if word_of(words[0]) in ("DELETE", "DEL") else 0
    if source < 2 or source == len(words):
        return words
    target, where = words[1:source], top(words, {"WHERE"})
    if behind_name(words, 1) != source:
        return words
    read = words[source + 1 : where]
    items = parted(read)
    own = next((one for one in items if word_of(target[-1]) in (word_of(one[-1]), _named(one))), target)
    others = separated([one for one in items if one is not own], made_words(words[0], ","))
    lead = [*made_words(words[0], "DELETE FROM"), *own]
    return [*lead, *(made_words(words[source], "USING") if others else ()), *others, *words[where:]]


def _named(words: Words) -> str:
    """The name of a table without what stands before it."""
    return word_of(words[behind_name(words, 0) - 1])


def with_windows(words: Words) -> Words:
    """RANK(x DESC), CSUM(x, d) and their like as windows."""
    found: Words = []
    at = 0
    while at < len(words):
        name = word_of(words[at])
        end = closed(words, at + 1) if name in ORDERED and at + 1 < len(words) else 0
        called = end > at + 3 and words[at + 1].token_type is TokenType.L_PAREN
        if not called or word_of(words[end] if end < len(words) else words[at]) in ("OVER", "WITHIN"):
            found.append(words[at])
            at += 1
            continue
        inner = with_windows(words[at + 2 : end - 1])
        starts = [0, *[n + 1 for n in tops(inner, {","})]]
        # What is computed stands first, numbers of rows behind it, the order last; of a rank all is order.
        first = inner[: starts[1] - 1] if len(starts) > 1 and name != "RANK" else []
        order = inner if not first else inner[starts[min(len(starts) - 1, 2 if name in THREE else 1)] :]
        found += [*made_words(words[at], f"{ORDERED[name]}("), *first, *made_words(words[at], ") OVER (ORDER BY")]
        found += [*order, words[end - 1]]
        at = end
    return found


THREE = frozenset(("MAVG", "MSUM", "MDIFF"))


def plain_values(words: Words) -> Words:
    """Values without what says how they are shown, and operators of periods as others that have both sides."""
    found: Words = []
    at, told = 0, _tells_columns(words)
    while at < len(words):
        word, before = word_of(words[at]), found[-1] if found else words[at]
        after = word_of(words[at + 1]) if at + 1 < len(words) else ""
        valued = before.token_type in (TokenType.R_PAREN, TokenType.VAR, TokenType.IDENTIFIER)
        if word == "," and (after in ("NO", "UNKNOWN")) and (end := _cases(words, at + 1)):
            at = end
        elif word == "INTERVAL" and after in PARTS_OF_TIME and word_of(before) == "AS":
            # CAST(x AS INTERVAL DAY(4) TO SECOND): how long one may be is left out.
            found += words[at : at + 2]
            at = _span(words, at + 1)
        elif (
            word in PARTS_OF_TIME
            and not told
            and (before.token_type is TokenType.R_PAREN or (valued and _long(words, at)))
        ):
            at = _span(words, at)
        elif (word, after) == ("CHARACTER", "SET") and not told:
            at += 3
        elif word == "SUBSTR" and after == "(":
            found += made_words(words[at], "SUBSTRING")
            at += 1
        elif word in ("TD_SYSFNLIB", "SYSLIB") and after == ".":
            at += 2
        elif word == "NEW" and at + 2 < len(words) and words[at + 2].token_type is TokenType.L_PAREN:
            # A value of a type: NEW VARIANT_TYPE(a, b).
            at += 1
        elif valued and (word in TAKEN or (word in MEETING and after != "(")):
            found += made_words(words[at], "||" if word in TAKEN else "OVERLAPS")
            at += 1
        else:
            found.append(words[at])
            at += 1
    return found


def _tells_columns(words: Words) -> bool:
    """Whether a table is made of columns, of which more may be said than of values."""
    made = word_of(words[0]) == "CREATE" and "TABLE" in spoken(words[:6])
    return made and not any(begins(words, at + 1) for at in tops(words, {"AS"}))


def _cases(words: Words, at: int) -> int:
    """Behind NO CASE, NO RANGE OR UNKNOWN and the like that end a CASE_N or RANGE_N; 0 where none stand here."""
    end = at
    while end < len(words) and word_of(words[end]) in ("NO", "CASE", "RANGE", "OR", "UNKNOWN"):
        end += 1
    return end if end < len(words) and word_of(words[end]) in (")", ",") else 0


def _long(words: Words, at: int) -> bool:
    """Whether what stands behind a part of time says how long a time is: DAY(4), DAY TO SECOND."""
    after, inner = [*words[at + 1 : at + 3], None, None][:2]
    numbered = inner is not None and after.text == "(" and inner.token_type is TokenType.NUMBER
    return numbered or (after is not None and word_of(after) == "TO")


def _span(words: Words, at: int) -> int:
    """Behind DAY(4) TO SECOND(6)."""
    while at < len(words) and word_of(words[at]) in (*PARTS_OF_TIME, "TO"):
        at += 1
        if at < len(words) and words[at].token_type is TokenType.L_PAREN:
            at = closed(words, at)
    return at


def operated(words: Words) -> Words:
    """Functions that are given tables: FROM f (ON s PARTITION BY a USING n(3)), TABLE (f(s.a) RETURNS (b INT)) AS d."""
    found: Words = []
    behind = 0
    for at in openings(words):
        if at < max(behind, 1):
            continue
        if spoken(words[at + 1 : at + 2]) == ["ON"]:
            end = closed(words, at)
            found += [*words[behind : at + 1], *_given(words[at + 1 : end - 1]), words[end - 1]]
            behind = end
        elif at > behind and word_of(words[at - 1]) == "TABLE" and (told := _told(words, at - 1)):
            found += words[behind : at - 1]
            made, behind = told
            found += [*_unsaid(made, found), *made]
    return found + words[behind:]


ENDING = frozenset(("PARTITION BY", "PARTITION", "ORDER BY", "ORDER", "HASH", "LOCAL", "DIMENSION", "USING", "AS", ","))


def _given(words: Words) -> Words:
    """The tables that such a function is given, as queries."""
    stop = top(words, {"USING"})
    starts = [at for at in tops(words[:stop], {"ON"}) if not at or word_of(words[at - 1]) == ","]
    tables = [words[at + 1 : top(words, ENDING, at + 1)] for at in starts]
    made = [
        operated(one)
        if one and one[0].token_type is TokenType.L_PAREN
        else [*made_words(words[0], "(SELECT * FROM"), *one, *made_words(words[0], ")")]
        for one in tables
    ]
    return separated(made, made_words(words[0], ","))


def _unsaid(function: Words, before: Words) -> Words:
    """The table of the columns that TABLE (f(s.a)) is given: it is read though FROM need not name it."""
    read = [token.text.upper() for token in before[top(before, {"FROM"}) :]]
    found: Words = []
    opened = next((n for n in range(2, len(function)) if function[n].token_type is TokenType.L_PAREN), len(function))
    for at in range(opened + 1, len(function)):
        end = behind_name(function, at)
        name = function[at : end - 2]
        called = end < len(function) and function[end].token_type is TokenType.L_PAREN
        if not name or called or function[at - 1].token_type is TokenType.DOT or name[-1].text.upper() in read:
            continue
        found += [*name, *made_words(name[0], ",")]
        read.append(name[-1].text.upper())
    return found


def _told(words: Words, at: int) -> tuple[Words, int] | None:
    """TABLE (f(a) RETURNS (b INT, c INT)) AS d with the columns behind its name."""
    end = closed(words, at + 1)
    inner = words[at + 2 : end - 1]
    said = top(inner, {"RETURNS", "RETURNING"})
    if said + 1 >= len(inner) or inner[said + 1].token_type is not TokenType.L_PAREN:
        return None
    listed = inner[said + 2 : closed(inner, said + 1) - 1]
    columns = separated(listed_first(listed), made_words(words[at], ","))
    # Another database has one that is called so, of other arguments.
    alike = {"STRTOK_SPLIT_TO_TABLE": "STRTOK_TO_TABLE"}.get(word_of(inner[0]), "")
    found = [*words[at : at + 2], identifier(inner[0], alike), *inner[1:said], words[end - 1]]
    name = end + (end < len(words) and word_of(words[end]) == "AS")
    found += words[end : name + 1]
    bare = name + 1 >= len(words) or opens(words[name + 1]) <= 0
    if bare:
        found += bracketed(columns, words[at])
    return found, name + 1
