"""Characters that nobody sees, written so that everybody does: what is shown cannot change how the rest is shown.

A name may hold characters that move the cursor of a terminal, set its colours, or turn the direction of what follows.
Wherever text is shown, in a terminal, a log, a page or a picture, it goes through here first.
"""

from __future__ import annotations

import re

# C0 but tabs and line ends, DEL and C1; marks, embeddings, overrides and isolates of direction; ends of lines and
# paragraphs of Unicode; halves of pairs, which no encoding has.
_HIDDEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def visible(text: str) -> str:
    r"""The text with such characters escaped; tabs and line ends stay.

    >>> print(visible("T\x1b[8m.A \u202etxt.exe"))
    T\x1b[8m.A \u202etxt.exe
    """
    # Nearly every text is printable, which is known ten times sooner.
    return text if text.isprintable() else _HIDDEN.sub(_shown, text)


def in_json(text: str) -> str:
    r"""A text of JSON with such characters as JSON escapes them: it means the same, whoever reads it.

    >>> in_json('{"name": "\u202ea"}')
    '{"name": "\\u202ea"}'
    """
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
