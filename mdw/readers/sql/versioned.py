"""MySQL runs what stands in a comment of this kind, from some version on: dumps have their views and triggers there.

/*!50001 CREATE VIEW v AS SELECT a FROM t */;            CREATE VIEW v AS SELECT a FROM t
"""

from __future__ import annotations

import re

PARTS = re.compile(
    r"""'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `[^`]*` | --[ \t][^\n]* | \#[^\n]* | (?P<plain>/\*(?!M?!).*?\*/)"""
    r""" | (?P<opened>/\*M?!\d*) | (?P<closed>\*/)""",
    re.DOTALL | re.VERBOSE,
)


def without_versions(text: str) -> str:
    """The text with blanks for what opens and closes such comments, so that every place stays where it is.

    >>> without_versions("/*!50001 DROP VIEW v */; /* as before */ SELECT '/*!1*/'")
    "         DROP VIEW v   ; /* as before */ SELECT '/*!1*/'"
    """
    if "/*!" not in text and "/*M!" not in text:
        return text
    parts, last, depth = [], 0, 0
    for part in PARTS.finditer(text):
        kind = part.lastgroup
        # What is a comment within one of these is none of what is run.
        if kind == "opened" or (kind is not None and depth):
            depth += {"opened": 1, "closed": -1}.get(kind, 0)
            parts += [text[last : part.start()], re.sub(r"[^\n]", " ", part.group())]
            last = part.end()
    return "".join([*parts, text[last:]])
