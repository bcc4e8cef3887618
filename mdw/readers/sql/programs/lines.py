r"""A file's lines that are no SQL, found before it has words: client commands, data of COPY, GO, shell around it.

    PROMPT It's done        \copy t from 'f.csv'        .IF ERRORCODE <> 0 THEN .GOTO failed        GO 5

They become a semicolon and blanks, so that every place stays where it is; what they were stands in a table. Within
texts and comments nothing is one of them. Most files have none: looking for their first letters is quick.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_uppercase
from sys import maxunicode

from sqlglot.errors import TokenError

from mdw.readers.sql.complaints import unclosed
from mdw.readers.sql.dialects import Flavour, flavour_of
from mdw.readers.sql.pieces import ScriptPiece
from mdw.readers.sql.programs.grammar import grammar_of
from mdw.readers.sql.programs.notebooks import plain_cells
from mdw.readers.sql.programs.shells import documents, filling, unquoted

SHELL = "<<"
"""Stands for the word that what is around the here-documents of a shell script begins with."""


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


# Words that begin a line of SQL*Plus. Some begin SQL as well: COLUMN, START WITH and SHOW are told from it by what is
# behind them (see CLIENTS), and by what stands before the line: within a statement none of them is the client's.
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
LOADING = """
    DO IGNORE MARK FORMAT LAYOUT APPLY THRU TABLES WORKTABLES ERRORTABLES ERRLIMIT CHECKPOINT TENACITY AMPCHECK MODE
    OUTFILE
"""
"""What goes on, on lines of their own, of commands of MultiLoad, FastExport and TPump, which end with a semicolon."""
CLIENTS = {
    "psql": r"\\(?!\.)[^\n]*",
    "sqlcmd": r":(?:r|setvar|on|connect|out|error|perftrace|quit|exit|list|reset|help|xml|!!)\b[^\n]*",
    "bteq": rf"\.[a-z](?:[^\n]|(?<=-)\n|(?<![;\s])\s*?\n(?=[ \t]*(?:{'|'.join(LOADING.split())})\b))*",
    "snowsql": r"![a-z][^\n]*",
    "beeline": r"(?:![a-z]|source\s)[^\n]*",
    "mysql": r"(?:\\[.!]|source\s)[^\n]*",
    "sqlite": r"\.[a-z]+(?![\w.])[^\n]*",
    "sqlplus": rf"(?:@@?\s*[^\s@;][^\n]*|(?:{'|'.join(SQLPLUS.split())})\b(?!\s*(?:BY|WITH|:=|\.|\())[^\n]*"
    rf"|SET\s+(?:{'|'.join(SETTINGS.split())})\b[^\n]*)",
}
"""The lines of each client."""
# A line of GO, or of a slash, sends what stands before it.
ALONE = r"GO(?:[ \t]+\d+)?[ \t]*;?[ \t]*(?:--[^\n]*)?(?=\r?(?:\n|\Z))|/[ \t]*(?=\r?(?:\n|\Z))"
DELIMITER = r"DELIMITER[ \t]+(?P<mark>[^\s]+)[ \t]*"
COPY = r"""
(?P<copy>\bCOPY\b(?:[^;']|'[^']*')*?\bFROM\s+STDIN\b(?:[^;'\n]|'[^']*')*;[^\n]*\n(?P<data>(?:[^\n]*\n)*?(?:\\\.[^\n]*|\Z)))
"""
RUNS = re.compile(
    r"(?i)(?:\\ir?|\\include\w*|@@?|:r|!run|!source|source|\\\.|start|\.read|\.run\s+(?:file\s*=)?)\s*['\"]?([^\s;'\"]+)"
)
WORD = re.compile(r"[\\.!:@]*\s*\w+|@@?|\\\S")


def mended(text: str, flavour: Flavour, *, shell: bool = False) -> Mended:
    """A text without what is no SQL; ``shell``: it is known to be a shell script.

    >>> from mdw.readers.sql.dialects import flavour_of
    >>> found = mended("SELECT 1\\nGO\\nSELECT 'GO'\\n", flavour_of("tsql"))
    >>> found.text, [(start, line.kind) for start, line in found.lines.items()]
    ("SELECT 1\\n; \\nSELECT 'GO'\\n", [(9, 'end')])
    """
    lines: dict[int, ClientLine] = {}
    if flavour.name in ("databricks", "spark"):
        text = plain_cells(text)
    # Shell first: what stands around its here-documents has quotes of its own, which would open texts.
    for start, end in documents(text, shell=shell):
        lines[start] = ClientLine("data", text[start:end], start, SHELL, hard=True)
    if lines:
        text = filling(_blanked(unquoted(text), lines), text) if shell else _blanked(text, lines)
    ends = terminators(text) if flavour.name == "ansi" else {}
    if ends:
        text, lines = _blanked(text, ends), {**lines, **ends}
    told = "\n" + text
    # Going over texts and comments is slow: it is done only where a line begins as one of these would.
    if _telling(flavour.name).search(told) or "\\g" in text:
        found = _found(told, flavour)
        lines = dict(sorted({**lines, **found}.items()))
        text = _blanked(text, found)
    return Mended(text, lines)


def terminators(text: str) -> dict[int, ClientLine]:
    """The marks at ends of lines that end statements of Db2's scripts: @, or what --#SET TERMINATOR says.

    >>> list(terminators("BEGIN ATOMIC DELETE FROM t; END@\\nSELECT 1 FROM s@\\n"))
    [31, 48]
    """
    found: dict[int, ClientLine] = {}
    # Without being told so only what looks like the end of a program, or stands alone, is one.
    mark = "@" if ENDED.search(text) else ";"
    for line in TERMINATED.finditer(text) if mark == "@" or "#SET" in text else ():
        before = text[text.rfind("\n", 0, line.start()) + 1 : line.start()]
        if line["mark"]:
            mark = line["mark"]
        elif line["last"] == mark != ";" and "--" not in before and before.count("'") % 2 == 0:
            found[line.start("last")] = ClientLine("end", mark, line.start("last"), hard=True)
    return found


ENDED = re.compile(r"(?mi)^[ \t]*@[ \t]*\r?$|\bEND(?:\s+\w+)?\s*@[ \t]*\r?$")
TERMINATED = re.compile(
    r"(?mi)^[ \t]*--#SET[ \t]+TERMINATOR[ \t]+(?P<mark>\S).*$|(?P<last>[^\s\w;,()'\"])[ \t]*(?:--[^'\n]*)?\r?$"
)


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
                lead = len(part) - len(part.lstrip())
                part = part[lead:].rstrip(";") if end < len(text) else part[lead:]
                lines[start + lead] = wordless(part, start + lead)
        start = end
    return Mended(_blanked(text, lines), lines)


def wordless(text: str, start: int) -> ClientLine:
    """A text without words, and where it goes wrong."""
    at, message = unclosed(text)
    return ClientLine("unread", text, start, hard=True, message=message, fault=at or 0)


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
    """The lines of a text, which begins with a line's end, by the places they have without that."""
    found: dict[int, ClientLine] = {}
    last, at, before, mark = 0, 0, ";", ""
    while at < len(text) and (match := _scanner(flavour.name, mark).match(text, at)) is not None:
        kind = match.lastgroup
        if kind is None:
            at = match.end() + 1
            continue
        start, at = match.start(kind), match.end()
        line = None
        if kind == "copy":
            start = match.start("data")
            line = ClientLine("data", match["data"].rstrip("\r\n") or " ", start - 1, "STDIN", hard=True)
        elif kind == "delimiter" or (kind == "ended" and match["next"]):
            told = match["mark" if kind == "delimiter" else "next"]
            mark = "" if told == ";" else told
        elif kind == "client":
            # Behind an open statement SET, COLUMN or @x are words of it; a backslash and a colon never are.
            gap = text[last:start]
            open_ = _before(gap, before) != ";" and not (flavour.name == "oracle" and ONE_LINE.search(gap))
            if match["client"][0] not in "\\:" and open_:
                at = start
                continue
            line = line_of(match["client"], start - 1, text[at : at + 1])
        elif kind == "sent":
            line = ClientLine("line", match["sent"].rstrip(), start - 1, "\\G")
        found[start - 1] = line or ClientLine("end", match[kind], start - 1, hard=True)
        last, before = at, ";"
    return found


ONE_LINE = re.compile(r"(?i)(?:\A|\n)[ \t]*EXEC(?:UTE)?[ \t]+(?!IMMEDIATE\b)[^\n]*[^\n-]\s*\n\s*\Z")
"""EXEC of SQL*Plus, which needs no mark at its end, as the last line."""


def _before(gap: str, before: str) -> str:
    """What a line has before it, comments aside."""
    while gap := gap.rstrip():
        line = gap[gap.rfind("\n") + 1 :]
        dashes = line.find("--")
        if gap.endswith("*/"):
            gap = gap[: gap.rfind("/*")]
        elif dashes >= 0 and "'" not in line[:dashes]:
            gap = gap[: len(gap) - len(line) + dashes]
        else:
            return gap[-1]
    return before


@lru_cache(maxsize=64)
def _telling(dialect: str) -> re.Pattern[str]:
    """What lines begin with; a text without any of these has none."""
    first = [FIRSTS[one] for one in grammar_of(dialect).speaks]
    return re.compile(rf"\n[ \t]*+(?:{'|'.join([ALWAYS, *first])})")


def _one_of(words: str) -> str:
    """One of some words, in capitals or not; that it is none of them the first letter tells in most cases."""
    behind: dict[str, list[str]] = {}
    for one in words.split():
        behind.setdefault(one[0], []).append(one[1:])
    parts = (f"[{first}{first.lower()}](?i:{'|'.join(rest)})" for first, rest in behind.items())
    return rf"(?:{'|'.join(parts)})\b"


SENT = "GO DELIMITER"
WORDS = {"psql": "COPY", "beeline": "SOURCE", "mysql": "SOURCE", "sqlplus": f"SET {SQLPLUS}"}
"""Words that lines of some clients begin with."""
ALWAYS = rf"{_one_of(SENT)}|/[ \t\r]*(?:\n|\Z)"
MARKS = {"psql": r"\\", "sqlcmd": ":", "bteq": r"\.", "snowsql": "!", "beeline": "!", "mysql": r"\\", "sqlplus": "@",
         "sqlite": r"\."}  # fmt: skip
FIRSTS = {client: f"{mark}|{_one_of(WORDS[client])}" if client in WORDS else mark for client, mark in MARKS.items()}


@lru_cache(maxsize=64)
def _scanner(dialect: str, mark: str) -> re.Pattern[str]:
    """What goes on to the next line that may be one, over texts and comments."""
    # The pattern skips, as far as it can and without going back (++, *+, ?>), what is no beginning of a line: plain
    # letters, comments, texts, and special letters that begin none. Then it takes one of ``parts``, named by its kind.
    # A group is held by ?>, for Python before 3.11.5 goes on wrongly behind a group that is possessive.
    tokenizer = flavour_of(dialect).parser.tokenizer_class
    speaks = grammar_of(dialect).speaks
    quotes = [str(one) for one in tokenizer.QUOTES if len(one) == 1]
    quotes += [one if isinstance(one, str) else one[0] for one in tokenizer.IDENTIFIERS]
    escaped = "\\" in tokenizer.STRING_ESCAPES
    held = r"(?>(?:[^\\{0}]++|\\.)*)" if escaped else "[^{0}]*+"
    quoted = [f"{q}{held.format(q)}{q}" for q in dict.fromkeys(quotes) if q in "'\"`"]
    quoted += [r"\[[^\]\n]*+\]"] if "[" in quotes else []
    quoted += [r"\$(\w*)\$(?>[^$]*+(?:\$(?!\1\$)[^$]*+)*)\$\1\$"] if mark != "$$" else []
    comments = [re.escape(one) + r"[^\n]*+" for one in tokenizer.COMMENTS if isinstance(one, str)]
    comments.append(r"/\*(?>[^*]*+(?:\*(?!/)[^*]*+)*)(?:\*/)?")
    ends = [re.escape(mark)] if mark else []
    ends += [r"\\g"] if "psql" in speaks else []
    marks = {one[0] for one in ("\n", "-", "/", "#", "$", "[", "\\", *quotes, mark) if one}
    special, plain = f"[{''.join(sorted(map(re.escape, marks)))}]", _all_but(marks)
    stops = "|".join([_telling(dialect).pattern, *ends])
    clients = [CLIENTS[one] for one in speaks]
    parts = [
        rf"\n[ \t]*(?P<delimiter>{DELIMITER})",
        *([rf"(?P<ended>{re.escape(mark)}(?:[ \t]*DELIMITER[ \t]*(?P<next>\S+))?)"] if mark else ()),
        rf"\n[ \t]*(?P<alone>{ALONE})",
        *([rf"\n[ \t]*{COPY.strip()}"] if "psql" in speaks else ()),
        *([rf"\n[ \t]*(?P<client>{'|'.join(clients)})"] if clients else ()),
        *([r"(?P<sent>\\g\w*[^\n]*)"] if "psql" in speaks else ()),
    ]
    # Most lines begin with a letter that no such line begins with: they are gone over at once.
    firsts = {word[0] for word in f"{SENT} {' '.join(WORDS.get(one, '') for one in speaks)}".split()}
    others = "".join(sorted(set(ascii_uppercase) - firsts - {mark[:1].upper()}))
    line = rf"\n[ \t]*+[{others}{others.lower()}]" + plain + "*+"
    skipped = "|".join([plain + "++", line, *comments, *quoted, rf"(?!{stops}){special}"])
    return re.compile(rf"(?>(?s:{skipped})*)(?:(?i:{'|'.join(parts)}))?")


def _all_but(letters: set[str]) -> str:
    """Any letter but some. Said by what it is: Python takes three times as long for a set of what it is not.

    >>> _all_but({"\\n", "'"})
    '[\\\\U00000000-\\\\U00000009\\\\U0000000b-\\\\U00000026\\\\U00000028-\\\\U0010ffff]'
    """
    cuts = sorted(map(ord, letters))
    runs = zip((0, *(cut + 1 for cut in cuts)), (*(cut - 1 for cut in cuts), maxunicode), strict=True)
    return f"[{''.join(f'{BACKSLASH}U{first:08x}-{BACKSLASH}U{last:08x}' for first, last in runs if first <= last)}]"


BACKSLASH = "\\"


def line_of(words: str, at: int, behind: str = "") -> ClientLine:
    """A client's line."""
    if words[:5].lower() == "\\copy":
        return ClientLine("copy", words + behind, at)
    words = words.rstrip()
    word = WORD.match(words)
    runs = RUNS.match(words)
    return ClientLine("line", words, at, word.group().upper() if word else "", runs[1] if runs else "")
