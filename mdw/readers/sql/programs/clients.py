r"""Lines of clients that are part of the program: BTEQ's .IF and .GOTO, psql's \if."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlglot.errors import TokenError

from mdw.readers.sql.phrases.words import made_words
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.exchanging import file_of
from mdw.readers.sql.programs.lines import ClientLine, line_of
from mdw.readers.sql.programs.program import Arm, Jump, Run, Steps, Test
from mdw.readers.sql.programs.tokens import tokenized
from mdw.readers.sql.programs.words import Words

CONDITION = re.compile(r"(?is)\.(?:ELSE)?IF\s+(?P<test>.*?)\s*\bTHEN\b\s*(?P<then>.*)")
BEHIND = re.compile(r"\S+\s*")
NAME = re.compile(r"(?s)[.\\]?\s*\w+\s+([^\s;]+)")
ARMS = frozenset(("\\ELIF", "\\ELSE", "\\ENDIF"))
DOTTED = frozenset((".ELSEIF", ".ELSE", ".ENDIF"))


def bteq(this: Words, line: ClientLine) -> Steps | None:
    """.IF c THEN .GOTO l; .IF c THEN and lines up to .ENDIF."""
    found = CONDITION.match(line.text)
    if found is None:
        return None
    head = replace(line, text=line.text[: found.start("then")].rstrip()).piece(this.offset)
    # Behind THEN stands another line, .GOTO in most cases; nothing, where lines up to .ENDIF are meant.
    test = _test(this, line, *found.span("test"))
    said = found["then"].rstrip(" ;")
    if said:
        return (Test((Arm(test, this.client(line_of(said, line.start + found.start("then")))),), head),)
    return _arms(this, head, test, DOTTED)


def psql(this: Words, line: ClientLine) -> Steps | None:
    r"""\if c and lines up to \endif."""
    test = _test(this, line, BEHIND.match(line.text).end(), len(line.text))  # type: ignore[union-attr]
    return _arms(this, line.piece(this.offset), test, ARMS)


def _arms(this: Words, head: ScriptPiece, test: ScriptPiece | None, closers: frozenset[str]) -> Steps:
    arms = []
    while True:
        arms.append(Arm(test, this.steps(closers)))
        line = this.lines.get(this.tokens[this.at].start) if this.at < this.end else None
        if line is None:
            break
        this.at += 1
        if "END" in line.word:
            break
        found = CONDITION.match(line.text)
        span = found.span("test") if found else (BEHIND.match(line.text).end(), len(line.text))  # type: ignore[union-attr]
        test = None if line.word.endswith("ELSE") else _test(this, line, *span)
    return (Test(tuple(arms), head),)


def _test(this: Words, line: ClientLine, first: int, last: int) -> ScriptPiece:
    text = line.text[first:last]
    try:
        tokens = tokenized(text, this.flavour)
    except TokenError:
        tokens = ()
    return ScriptPiece(tokens, text, this.offset + line.start + first)


def jump(this: Words, line: ClientLine) -> Steps | None:
    """.GOTO l, .LABEL l; .QUIT ends the script."""
    found = NAME.match(line.text)
    label = found[1] if found else ""
    piece = line.piece(this.offset)
    if line.word == ".GOTO":
        return (Jump("goto", piece, label),)
    if line.word == ".LABEL":
        return (Jump("label", piece, label),)
    return (Jump("return", piece),)


def exchange(this: Words, line: ClientLine) -> Steps | None:
    """.IMPORT and .EXPORT tell a file for the statements behind them."""
    if line.word == ".IMPORT":
        this.rows_from = file_of(line) or this.rows_from
    else:
        this.rows_to = file_of(line)
    return None


IMPORTED = re.compile(r"(?i)\.import\s+(?:--?[a-z]+(?:\s+\d+)?\s+)*(?:'([^']+)'|\"([^\"]+)\"|(\S+))\s+\"?(\w+)\"?")


def imported(this: Words, line: ClientLine) -> Steps | None:
    """.import f.csv t (SQLite, DuckDB) fills a table by a file; BTEQ's names the file of what comes next."""
    if this.flavour.name not in ("sqlite", "duckdb"):
        return exchange(this, line)
    found = IMPORTED.match(line.text)
    if found is None:
        return None
    file = (found[1] or found[2] or found[3]).lstrip("|")
    first = tokenized("import", this.flavour)[0]
    words = made_words(first, f'INSERT INTO "{found[4]}" SELECT * FROM "{file}"')
    return (Run(replace(line.piece(this.offset), tokens=tuple(words))),)


LINES = {
    ".IMPORT": imported,
    ".EXPORT": exchange,
    ".IF": bteq,
    "\\IF": psql,
    **dict.fromkeys((".GOTO", ".LABEL", ".QUIT", ".EXIT", "\\Q", ":QUIT", ":EXIT"), jump),
}
