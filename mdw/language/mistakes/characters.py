"""Mistakes in single characters, quotes and comments: looked for first, since they make nonsense of what follows."""

from __future__ import annotations

from mdw.language.mistakes.mistake import DOTS, C, F, M, Mistake, P, W

CHARACTERS = (
    Mistake(
        "this is not text",
        hint="a mapping file is plain UTF-8 text",
        at=rf"{DOTS}[\x00-\x08\x0e-\x1f\x7f\ufffd]",
        examples=("\x00\x01PK", f"{W}S.A\x00", f"{W}X.S.\x00A", f"{P}\ufffd\ufffd"),
    ),
    Mistake(
        "a typographic quotation mark",
        hint="strings stand in plain quotes: \"…\" or '…'",
        at="[\u201c\u201d\u201e\u201f\u00ab\u00bb\u2018\u2019\u201a\u201b\u00b4]",
        examples=(f"{W}\u201ca\u201d", f"{C}S.B = \u2018x\u2019"),
    ),
    Mistake(
        "a typographic dash",
        hint="minus is -, a comment begins with --",
        at="[\u2010\u2011\u2012\u2013\u2014\u2212]",
        examples=(f"{W}S.A \u2013 S.B",),
    ),
    Mistake(
        "an invisible character",
        hint="replace it by an ordinary space",
        # All that Unicode takes for a space and the language does not, and what has no width.
        at="[\x0b\x85\xa0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]",
        examples=(f"{W}S.A\xa0IF S.B = 1", "WHEN\u200bPOPULATING T FROM S", f"{W}S.A \x0bIF S.B = 1", f"{W}\u2028S.A"),
    ),
    Mistake(
        "{at} is no operator here",
        hint="write != <= >=",
        at="[\u2260\u2264\u2265\u2248]",
        examples=(f"{C}S.B \u2260 1", f"{C}S.B \u2264 1"),
    ),
    Mistake(
        "a string that does not end on its line",
        hint="close it with the quote it begins with",
        # The string did close, but only at the quote that was meant to open the next one.
        before=r"""(?P<here>"(?:[^"\\\n]|\\.)*\n(?:[^"\\]|\\.)*"|'[^'\n]*\n[^']*')""",
        at=r"[\w%]",
        examples=(f'{W}"a\nPOPULATE T.B WITH "b"', f"{W}'a\nPOPULATE T.B WITH 'b'"),
    ),
    Mistake(
        "an apostrophe inside a string",
        hint="double it: 'it''s', or use the other quotes: \"it's\"",
        before=r"(?P<here>'[^'\n]*')",
        at=r"[A-Z]\w*[^'\n]*'",
        examples=(f"{C}S.B = 'it's' SELECT ROWS WHERE S.C = 1", f"{C}S.B = 'it's'"),
    ),
    Mistake(
        "a string without its closing {at}",
        hint="close it with the quote it begins with",
        # The quote at the place, and no other of its kind to the end of the text.
        at=r"""["'](?=(?<=")(?:[^"\\]|\\.)*\\?\Z|(?<=')[^']*\Z)""",
        examples=(f'{W}"a', f"{C}S.B = 'x"),
    ),
    Mistake(
        "a back-quoted name without its closing back quote",
        hint="a name in back quotes ends on its line",
        at=rf"{DOTS}`(?![^`\n]+`)",
        examples=(f"{P}WITH S.`end date IF S.B = 1", f"{P}WITH X.S.`end", "WHEN POPULATING `T FROM S"),
    ),
    Mistake(
        "a comment begins with --",
        hint="and ends with its line",
        before=r"(?P<here>/)",
        at=r"[*/]",
        examples=(f"{W}S.A /* why */", f"{W}S.A // why", f"{C}S.B = 1 /* why */"),
    ),
    Mistake(
        "a comment begins with --",
        hint="and ends with its line",
        at=r"/[*/]|#",
        examples=(f"# why\n{M}", f"/* why */ {M}", f"{M}/* why */"),
    ),
    Mistake(
        "a semicolon",
        hint="leave it away: a mapping ends where the next one or the text ends",
        at=";",
        examples=(f"{W}S.A;", f"{M};", f"{F}S.B = 1;"),
    ),
)
