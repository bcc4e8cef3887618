"""Where a parser stopped -> what to tell whoever wrote the text.

An LALR parser knows the place and which terminals it would have taken there. That is too little for people: `IF S.B ==
1` stops at the second `=`, where an attribute would fit. So the text around the place is held against a table of common
mistakes first (`mdw.language.mistakes`); only without a match is the bare surprise reported, with what was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mdw.language.mistakes.table import MISTAKES

# Expected words named; characters of a surprising word shown; characters looked at on each side of the place.
MOST = 6
LONGEST = 40
NEAR = 4000

# Comments are blanked before mistakes are looked for; strings and back-quoted names may hold two dashes.
COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|`[^`\n]*`)|--[^\r\n]*""")
WORD = re.compile(r"""\w+(?:\.\w+)*|"[^"\n]*"?|'[^'\n]*'?|`[^`\n]*`?|[<>=!|&:-]+|\S""")

STARTS = """
    QUALIFIED ATTRIBUTE STRING NUMBER DATE SUM AVG MIN MAX COUNT SUBSTR FUNCTION CAST CASE TEST FIELD AGGREGATE
    PARAMETER OPAQUE TRUE FALSE NULL
"""
VALUES = frozenset(STARTS.split())
"""What a value may begin with, apart from a parenthesis."""
# The words for what is accepted, the most telling first; a terminal without words is a keyword and stands for itself.
EXPECTED: tuple[tuple[str, frozenset[str]], ...] = (
    ("a mapping", frozenset({"MAPPING", "WHEN", "DIALECT"})),
    ("POPULATING", frozenset({"_POPULATING"})),
    ("POPULATE", frozenset({"POPULATE"})),
    ("WITH", frozenset({"WITH"})),
    ("IF", frozenset({"IF"})),
    (
        "a condition operator (= != < <= > >=, IN, LIKE, BETWEEN, IS NULL)",
        frozenset(["EQ", "NE", "LT", "LE", "GT", "GE", "IN", "LIKE", "BETWEEN", "ISNULL", "ISTRUE", "SAME"]),
    ),
    ("AND or OR", frozenset({"AND", "OR"})),
    ("NOT", frozenset({"NOT"})),
    ("a value (ENTITY.ATTRIBUTE, a constant, a function)", VALUES | {"LPAR"}),
    ("a value (ENTITY.ATTRIBUTE, a constant, a function)", VALUES),
    ("an attribute (ENTITY.ATTRIBUTE)", frozenset({"QUALIFIED", "ATTRIBUTE"})),
    ("a name", frozenset({"NAME", "ENTITY", "INNERENTITY"})),
    ("a name", frozenset({"NAME", "ENTITY"})),
    ("a name", frozenset({"NAME"})),
    ("a string", frozenset({"STRING"})),
    ("a number", frozenset({"NUMBER"})),
    ("a date (31.12.2013)", frozenset({"DATE"})),
    ("SELECT ROWS WHERE", frozenset({"SELECT"})),
    ("NAVIGATE", frozenset({"NAVIGATE"})),
    ("JOIN", frozenset(f"{kind}JOIN" for kind in ["INNER", "LEFT", "RIGHT", "FULL", "CROSS", "SEMI", "ANTI", "MARK"])),
    ("an operator (+ - * /)", frozenset({"PLUS", "MINUS", "TIMES", "OVER"})),
    ("||", frozenset({"__ANON_0"})),
    ("(", frozenset({"LPAR"})),
    (")", frozenset({"RPAR"})),
    ("a comma", frozenset({"COMMA"})),
    ("a colon", frozenset({"COLON"})),
    ("=", frozenset({"EQ"})),
    ("AS", frozenset({"AS"})),
    ("ON", frozenset({"ON"})),
    ("the end", frozenset({"$END"})),
    ("GROUP BY", frozenset({"GROUP"})),
    ("ORDER BY", frozenset({"ORDER"})),
)


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong, at which offset, what was expected there and what to do about it."""

    message: str
    place: int
    expected: tuple[str, ...]
    hint: str


def complain(text: str, place: int, accepts: frozenset[str]) -> Complaint:
    """What to say about a text that the parser refused at an offset, where it would have accepted some terminals."""
    # Rows of the table are tried in their order: the more a row knows, the earlier it stands.
    before = _without_comments(text[max(0, place - NEAR) : place])
    after = _without_comments(text[place : place + NEAR]).rstrip(" \t\r\n")
    for mistake in MISTAKES:
        found = mistake.found(before, after, accepts)
        if found:
            at, back = found
            expected = () if back else expectation(accepts)
            return Complaint(mistake.message.replace("{at}", at), place - back, expected, mistake.hint)
    return Complaint(_surprise(after), place, expectation(accepts), "")


def expectation(accepts: frozenset[str]) -> tuple[str, ...]:
    """The words for what would have been accepted, the most telling ones if there are many.

    >>> expectation(frozenset({"WITH", "PLUS", "MINUS", "TIMES", "OVER"}))
    ('WITH', 'an operator (+ - * /)')
    """
    rest = set(accepts)
    words: list[str] = []
    for word, terminals in EXPECTED:
        if terminals <= rest:
            words.append(word)
            rest -= terminals
    return tuple([*words, *sorted(rest)][:MOST])


def _without_comments(text: str) -> str:
    # Spaces of the same number: mistakes are found by how far before the place they stand.
    return COMMENT.sub(lambda found: found[1] or " " * len(found[0]), text)


def _surprise(after: str) -> str:
    word = WORD.match(after)
    return f"unexpected {word.group()[:LONGEST]}" if word else "the text ends too early"
