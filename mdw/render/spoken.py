"""Conditions of the mapping language in words where it has a word of its own for what it does not know.

    D.PRIO = OPAQUE("V_LIMIT", D.LIMIT, 3)          D.PRIO = V_LIMIT (of D.LIMIT, 3)

A text stands for what a script writes and no rule says, with what that reads. Reading back needs the one, people the
other.
"""

from __future__ import annotations

import re

WORD = "OPAQUE("
OPAQUE = 'OPAQUE("NAME", values) stands for what the script calls NAME: no rule says what it is made of these values.'
"""What is said below rules that have one."""
TOKEN = re.compile(
    r"""\bOPAQUE\("(?P<name>(?:[^"\\]|\\.)*)"(?P<more>,\s*)?|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|`[^`]*`|[()]"""
)
VARIABLE = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|`@(?P<name>\w+)`(?=\.)""")
"""A variable of a script that holds a row; no name that scripts give begins with the sign."""
ESCAPED = re.compile(r"\\(.)")
NAMES = {"": "something", "?": "something", "*": "the whole row"}
"""What texts that are no words stand for."""


def spoken(text: str) -> str:
    """A condition or an expression, as people read it.

    >>> spoken('A.N > OPAQUE("V (1)", A.M, OPAQUE("?", "OPAQUE(", F(A.K))) AND A.X = OPAQUE("SYSUSER")')
    'A.N > V (1) (of A.M, something (of "OPAQUE(", F(A.K))) AND A.X = SYSUSER'
    >>> spoken('`@r`.N > 1 AND A.X = "`@r`.N"')
    'r.N > 1 AND A.X = "`@r`.N"'
    """
    text = VARIABLE.sub(lambda found: found["name"] or found[0], text) if "`@" in text else text
    if WORD not in text:
        return text
    closing: list[str] = []

    def word(found: re.Match[str]) -> str:
        if found["name"] is not None:
            name = ESCAPED.sub(r"\1", found["name"])
            closing.append(")" if found["more"] else "")
            return NAMES.get(name, name) + (" (of " if found["more"] else "")
        if found[0] == "(":
            closing.append(")")
        return closing.pop() if found[0] == ")" and closing else found[0]

    return TOKEN.sub(word, text)
