r"""A file's lines that are no SQL, found before it has words: client commands, data of COPY, GO, shell around it.

    PROMPT It's done        \copy t from 'f.csv'        .IF ERRORCODE <> 0 THEN .GOTO failed        GO 5

They become a semicolon and blanks, so that every place stays where it is; what they were stands in a table. Within
texts and comments nothing is one of them. Most files have none: looking for their first letters is quick.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sqlglot.errors import TokenError

from mdw.readers.sql.complaints import unclosed
from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.grammar import grammar_of
from mdw.readers.sql.programs.shells import documents


@dataclass(frozen=True, slots=True)
class ClientLine:
    """A part of a file that is no SQL; ``hard``: whatever is open ends there. ``runs`` is the file that it runs.

    ``kind``: an "end" of statements; a "line" of a client; "data", or the shell around SQL; a text without words
    ("unread", whose ``message`` says why, and ``fault`` where). ``word`` is what a line begins with, in capitals.
    """

    kind: str
    text: str
    start: int
    word: str = ""
    runs: str = ""
    hard: bool = False
    message: str = ""
    fault: int = 0

    def piece(self, offset: int) -> ScriptPiece:
        """The line as a part of its file."""
        return ScriptPiece((), self.text, offset + self.start, message=self.message, start=self.fault)


@dataclass(frozen=True, slots=True)
class Mended:
    """A text of the same length in which all is SQL, and what stood where it has no words, by place."""

    text: str
    lines: dict[int, ClientLine]


SQLPLUS = """
    PROMPT REM REMARK SPOOL SPO WHENEVER COLUMN COL DEFINE DEF UNDEFINE UNDEF ACCEPT ACC CONNECT CONN DISCONNECT TTITLE
    BTITLE BREAK CLEAR HOST PAUSE VARIABLE VAR PRINT SHOW DESCRIBE DESC START COMPUTE REPHEADER STORE TIMING ARCHIVE
    PASSWORD
"""
SETTINGS = """
    ECHO FEED FEEDBACK VER VERIFY HEAD HEADING PAGES PAGESIZE LIN LINES LINESIZE SERVEROUT SERVEROUTPUT DEF DEFINE TERM
    TERMOUT TIMI TIMING TRIM TRIMOUT TRIMS TRIMSPOOL SQLBLANKLINES SQLBL AUTO AUTOCOMMIT AUTOPRINT AUTOTRACE COLSEP LONG
    LONGC LONGCHUNKSIZE NULL NUM NUMFORMAT NUMWIDTH SQLPROMPT SQLP SQLT SQLTERMINATOR ESCAPE EXITCOMMIT ARRAYSIZE TAB
    WRAP UNDERLINE SCAN CONCAT NEWPAGE RECSEP SHOWMODE SQLCASE MARKUP CMDSEP FLUSH ERRORLOGGING COPYCOMMIT
"""
CLIENTS = {
    "psql": r"\\(?!\.)[^\n]*",
    "sqlcmd": r":(?:r|setvar|on|connect|out|error|perftrace|quit|exit|list|reset|help|xml|!!)\b[^\n]*",
    "bteq": r"\.[a-z](?:[^\n]|(?<=-)\n)*",
    "snowsql": r"![a-z][^\n]*",
    "beeline": r"(?:![a-z]|source\s)[^\n]*",
    "mysql": r"(?:\\[.!]|source\s)[^\n]*",
    "sqlplus": rf"(?:@@?\s*[^\s@;][^\n]*|(?:{'|'.join(SQLPLUS.split())})\b(?!\s*(?:BY|WITH|:=|\.|\())[^\n]*"
    rf"|SET\s+(?:{'|'.join(SETTINGS.split())})\b[^\n]*)",
}
"""The lines of each client."""
ALONE = r"GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*(?:--[^\n]*)?(?=\r?(?:\n|\Z))|/[ \t]*(?=\r?(?:\n|\Z))"
DELIMITER = r"DELIMITER[ \t]+(?P<mark>[^\s]+)[^\n]*"
COPY = r"""
(?P<copy>\bCOPY\b(?:[^;']|'[^']*')*?\bFROM\s+STDIN\b(?:[^;'\n]|'[^']*')*;[^\n]*\n(?P<data>(?:[^\n]*\n)*?(?:\\\.[^\n]*|\Z)))
"""
TELLING = re.compile(
    rf"(?i)\n[ \t]*(?:[\\.!:@/]|GO\b|DELIMITER\b|SOURCE\b|SET\b|(?:{'|'.join(SQLPLUS.split())})\b)",
)
RUNS = re.compile(
    r"(?i)(?:\\ir?|\\include\w*|@@?|:r|!run|!source|source|\\\.|start|\.run\s+(?:file\s*=)?)\s*['\"]?([^\s;'\"]+)"
)
WORD = re.compile(r"[\\.!:@]*\s*\w+|@@?|\\\S")


def mended(text: str, flavour: Flavour) -> Mended:
    """A text without what is no SQL.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> found = mended("SELECT 1\\nGO\\nSELECT 'GO'\\n", flavour_of("tsql"))
    >>> found.text, [(start, line.kind) for start, line in found.lines.items()]
    ("SELECT 1\\n; \\nSELECT 'GO'\\n", [(9, 'end')])
    """
    lines: dict[int, ClientLine] = {}
    for start, end in documents(text):
        lines[start] = ClientLine("data", text[start:end], start, "<<", hard=True)
    if lines:
        text = _blanked(text, lines)
    if TELLING.search(text) or TELLING.match("\n" + text[:200]) or ("\\g" in text):
        found = _found(text, flavour)
        lines = dict(sorted({**lines, **found}.items()))
        text = _blanked(text, found)
    return Mended(text, lines)


def readable(text: str, flavour: Flavour) -> Mended:
    """A text whose statements without words, as with a quote that is not closed, are taken out."""
    lines: dict[int, ClientLine] = {}
    start = 0
    cuts = [found.end() for found in ROUGH.finditer(text) if found.group() == ";"]
    for end in [*cuts, len(text)]:
        part = text[start:end]
        if part.strip(" \t\r\n;"):
            try:
                flavour.parser.tokenizer().tokenize(part)
            except TokenError:
                at, message = unclosed(part)
                lead = len(part) - len(part.lstrip())
                part = part[lead:].rstrip(";") if end < len(text) else part[lead:]
                at = max(at - lead, 0) if at else 0
                lines[start + lead] = ClientLine("unread", part, start + lead, hard=True, message=message, fault=at)
        start = end
    return Mended(_blanked(text, lines), lines)


ROUGH = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|;|[^;'\"/-]+|.", re.DOTALL)


def _blanked(text: str, lines: dict[int, ClientLine]) -> str:
    parts, last = [], 0
    for start, line in lines.items():
        words = line.text
        # What \copy does is SQL, and ends with its line.
        shown = f" {words[1:-1]};" if line.kind == "copy" else ";" + SHOWN.sub(" ", words[1:])
        parts += [text[last:start], shown]
        last = start + len(words)
    return "".join([*parts, text[last:]])


SHOWN = re.compile(r"[^\n]")


def _found(text: str, flavour: Flavour) -> dict[int, ClientLine]:
    """The lines of a text, by place."""
    found: dict[int, ClientLine] = {}
    last, before, mark = 0, ";", ""
    while (match := _scanner(flavour.name, mark).search(text, last)) is not None:
        kind, words = match.lastgroup or "", match.group()
        gap = text[last : match.start()].rstrip()
        before = gap[-1] if gap else before
        last = max(match.end(), match.start() + 1)
        if kind == "comment":
            continue
        if kind == "quoted":
            before = "'"
            continue
        at = match.start(kind)
        line = None
        if kind == "copy":
            at = match.start("data")
            line = ClientLine("data", match["data"].rstrip("\r\n") or " ", at, "STDIN", hard=True)
        elif kind == "delimiter":
            mark = "" if match["mark"] == ";" else match["mark"]
        elif kind == "client":
            if before != ";" and words.lstrip()[:1] not in "\\:":
                before = words[-1:]
                continue
            line = line_of(match["client"], at, text[match.end() : match.end() + 1])
        elif kind == "sent":
            line = ClientLine("line", words.rstrip(), at, "\\G")
        found[at] = line or ClientLine("end", match[kind], at, hard=True)
        before = ";"
    return found


@lru_cache(maxsize=64)
def _scanner(dialect: str, mark: str) -> re.Pattern[str]:
    """What finds texts, comments and lines."""
    tokenizer = flavour_of(dialect).parser.tokenizer_class
    slash = r"\\." if "\\" in tokenizer.STRING_ESCAPES else r"(?!)"
    quotes = [str(one) for one in tokenizer.QUOTES if len(one) == 1]
    quotes += [one if isinstance(one, str) else one[0] for one in tokenizer.IDENTIFIERS]
    quoted = [rf"{q}(?:{slash}|[^{q}])*{q}" for q in dict.fromkeys(quotes) if q in "'\"`"]
    quoted += [r"\[[^\]\n]*\]"] if "[" in quotes else []
    quoted += [r"(?P<tag>\$\w*\$)(?s:.*?)(?P=tag)"] if mark != "$$" else []
    comments = [re.escape(one) + r"[^\n]*" for one in tokenizer.COMMENTS if isinstance(one, str)]
    clients = [CLIENTS[one] for one in grammar_of(dialect).speaks]
    parts = [
        rf"(?P<comment>{'|'.join([r'/[*](?s:.*?)(?:[*]/|' + chr(92) + 'Z)', *comments])})",
        rf"^[ \t]*(?P<delimiter>{DELIMITER})",
        *([rf"(?P<ended>{re.escape(mark)})"] if mark else ()),
        rf"^[ \t]*(?P<alone>{ALONE})",
        COPY.strip(),
        *([rf"^[ \t]*(?P<client>{'|'.join(clients)})"] if clients else ()),
        *([r"(?P<sent>\\g\w*[^\n]*)"] if "psql" in grammar_of(dialect).speaks else ()),
        rf"(?P<quoted>{'|'.join(quoted)})",
    ]
    return re.compile("|".join(parts), re.IGNORECASE | re.MULTILINE)


def line_of(words: str, at: int, behind: str = "") -> ClientLine:
    """A client's line."""
    if words[:5].lower() == "\\copy":
        return ClientLine("copy", words + behind, at)
    words = words.rstrip()
    word = WORD.match(words)
    runs = RUNS.match(words)
    return ClientLine("line", words, at, word.group().upper() if word else "", runs[1] if runs else "")
