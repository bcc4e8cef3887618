"""Why a statement cannot be parsed, in plain words: what is wrong, where, and what to do about it.

A message is what sort of fault it is, then what it is about: ``missing: ) before FROM``. Reports add up by the former.

>>> worded("Expecting )", "FROM", at_end=False)
'missing: ) before FROM'
>>> worded("Expected table name but got <... SENTINEL ...>", "FROM", at_end=True)
'missing: the name of a table behind FROM'
>>> worded("Invalid expression / Unexpected token", "x", at_end=False)
'not expected here: x'
"""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST = 40
"""Characters of a word that a message repeats."""
NAMES: Mapping[str, str] = {"table": "the name of a table", "database": "the name of a schema"}
NAME = re.compile(r"Expected (table|database) name")
MISSING = re.compile(r"(?:Expect(?:ing|ed)|Required) (?:token |either |keyword: )?(?P<what>.+)", re.DOTALL)
BEHIND = re.compile(r"(?P<what>.+) (?:after|in|for) (?P<before>[A-Z':.]+)\Z")
PART = re.compile(r"'(\w+)' missing for .*?(\w+)'?>?\Z")
OPEN = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"[^\"]*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|(?P<open>'|\"|`|/\*)", re.DOTALL)
CLAUSES = frozenset(("WHERE", "HAVING", "JOIN", "FROM", "CASE", "CAST", "BETWEEN", "GROUP", "ORDER", "LIMIT", "MERGE"))
MARKS: Mapping[str, str] = {"'": "the quote '", '"': 'the quote "', "`": "the quote `", "/*": "the comment /*"}
TEMPLATES = ("{{", "{%", "${")


def worded(description: str, word: str, *, at_end: bool) -> str:
    """What a parser says of a word, in our words; ``at_end``: nothing stands behind the word."""
    shown = word if len(word) <= LONGEST else word[: LONGEST - 1] + "…"
    name = NAME.match(description)
    if name is not None:
        what = NAMES[name[1]]
        # What it got instead is the word itself, or the mark behind the last one.
        behind_all = at_end and "SENTINEL" in description
        return f"missing: {what} behind {shown}" if behind_all else f"missing: {what} before {shown}"
    part = PART.search(description)
    if part is not None:
        whole = part[2].upper() if part[2].upper() in CLAUSES else "an expression"
        return f"missing: a part of {whole} {'at the end' if at_end else f'near {shown}'}"
    missing = MISSING.match(description)
    if missing is None:
        return f"not expected here: {shown}"
    what = missing["what"]
    behind = BEHIND.match(what)
    if behind is not None:
        return f"missing: {behind['what']} behind {behind['before']}"
    return f"missing: {what} {'at the end' if at_end else f'before {shown}'}"


def unclosed(text: str) -> tuple[int, str]:
    """Where a text opens a quote or comment that it never closes, and what to say; the place is 0 if there is none.

    >>> unclosed("SELECT 'a', 'b FROM t")
    (12, "not closed: the quote ' that opens here")
    """
    for found in OPEN.finditer(text):
        if found["open"]:
            return found.start(), f"not closed: {MARKS[found['open']]} that opens here"
    return 0, "no SQL: these are no words of it"


def advice(message: str, text: str, dialect: str) -> str:
    """What to do about it."""
    if any(mark in text for mark in TEMPLATES):
        return "templates are left in it: load what they become, such as the compiled files of dbt"
    if message.startswith("not closed"):
        return "close it; what stands behind it cannot be told from it"
    if message.startswith("nested"):
        return "give its innermost queries names: WITH a AS (...), or views"
    if message.startswith("no SQL"):
        return "leave the file out, or save it as text"
    return f"it was read as {dialect} SQL: mend it, or say in which dialect it is written (--dialect)"
