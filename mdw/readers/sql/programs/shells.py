"""Shell scripts around SQL: what clients of databases are given is SQL, whatever stands around it is none.

Given they are here-documents, quoted arguments, and what is echoed into them:

    bteq <<EOF                            hive -e "INSERT OVERWRITE TABLE t SELECT a FROM s"
    INSERT INTO t SELECT a FROM s;        SQL="DELETE FROM t"; psql -c "$SQL"
    EOF                                   echo "UPDATE t SET a = 1;" | mysql dwh
    ssh h "psql -c \"DELETE FROM t\""       cat <<EOF > f.sql ... EOF, and then psql -f f.sql

Of a text of which nobody says that it is a shell script only here-documents are looked for.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from mdw.readers.recognising import CLIENT, SHELL
from mdw.readers.sql.masking import MASK

_MARK = re.compile(r"<<-?[ \t]*['\"\\]?(?P<mark>[\w!$.]+)(?![\w!$.]*>>)")
_CALL = re.compile(rf"\b(?:{CLIENT})\b|#|\n")
_VERBS = (
    "select|insert|create|merge|update|delete|with|truncate|drop|alter|set|use|load|call|exec|execute|begin|declare"
    "|replace|refresh|copy|unload|export|import|upsert|lock|locking|grant|revoke|analyze|msck"
)
_SQL = re.compile(rf"""(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:{_VERBS})\b""", re.IGNORECASE | re.DOTALL)
_CLIENT = re.compile(rf"(?:[\w./${{}}-]*/)?(?:{CLIENT})(?![\w.-])")
_ALONE = re.compile(r"""(?m)^[ \t]*([\w!$.]+)[ \t`)"']*\r?$""")
_SHEBANG = re.compile(r"#!.*\b(?:ba|k|z|da)?sh\b")
_SHOWN = re.compile(r"\S+")
_ECHO = ("echo", "printf")
_WORD = re.compile(
    r"""(?P<comment>(?<![^\s;])\#[^\n]*)|(?<!<)<<(?!<)-?[ \t]*(?P<mark>['"\\]?[\w!$.]+)['"]?|(?P<end>\n|[;|&()`])"""
    r"""|(?P<quoted>\"(?:[^"\\]|\\.)*\"|'[^']*'(?:\\''[^']*')*)|\\.|\$\{?(?P<name>\w+)|(?P<word>[^\s"'\\;|&()`<$\#]+)|.""",
    re.DOTALL,
)
_ESCAPES = {'"': (('\\"', '"'), ("\\`", "`"), ("\\$\\$", "$$")), "'": (("'\\''", "'"),)}
"""How a quoted argument has the marks in it that would end it."""


_RUNNERS = frozenset(
    ("ssh", "su", "sudo", "docker", "podman", "kubectl", "bash", "sh", "ksh", "nohup", "timeout", "eval")
)
"""Commands that run what they are given as a text."""
_INNER = re.compile(rf"""(?<![\w.-])(?:{CLIENT})(?![\w.-]).*?(?P<quote>\\"|"|')(?P<given>.*?)(?P=quote)""", re.DOTALL)
_FILE = re.compile(r"(?<![0-9&<>])>>?[ \t]*(?![&(])[\"']?([^\s;|&<>\"']+)")
_PLAIN = re.compile(r"[\w.]+")
_FILLED = re.compile(r"--destination_table[= ]+[\"']?([\w:.${}-]+)")


class SqlPart(NamedTuple):
    """A part of a shell script that is SQL, without the ``quote`` it stands in; ``into``: the table its rows fill."""

    start: int
    end: int
    quote: str = ""
    into: str = ""


def is_shell(file: str, text: str) -> bool:
    """Whether a file is a shell script, by its name or its first line.

    >>> is_shell("load.ksh", ""), is_shell("load.sql", "#!/bin/sh -e\\n"), is_shell("load.sql", "# SELECT")
    (True, True, False)
    """
    return file.lower().endswith(SHELL) or (text.startswith("#!") and _SHEBANG.match(text) is not None)


def documents(text: str, *, shell: bool = False) -> Iterator[tuple[int, int]]:
    """Where what stands around the SQL of a shell script begins and ends; nothing of any other text.

    >>> text = "#!/bin/sh\\nbteq <<EOF\\nSELECT 1;\\nEOF\\necho 'done'\\n"
    >>> [text[start:end] for start, end in documents(text)]
    ['#!/bin/sh\\nbteq <<EOF\\n', "EOF\\necho 'done'\\n"]
    >>> text = "db2 'DELETE FROM t'\\n"
    >>> list(documents(text)), list(documents(text, shell=True))
    ([], [(0, 5), (18, 20)])
    """
    start = 0
    for part in _parts(text) if shell else _here(text):
        yield start, part.start
        start = part.end
    if start or (shell and text):
        yield start, len(text)


def unquoted(text: str) -> str:
    """A shell script whose SQL stands as the clients get it, of the same length: ``\\"a\\"`` is ``"a"`` there.

    >>> unquoted('hive -e "SELECT \\\\"a\\\\" FROM s"')
    'hive -e "SELECT  "a"  FROM s"'
    """
    quotes = {(part.start, part.end): part.quote for part in _parts(text)}
    return _changed(text, quotes, lambda start, end: _as_given(text[start:end], quotes[start, end]))


def _as_given(within: str, quote: str) -> str:
    """A part of the SQL without what the shell takes out of it."""
    for escaped, mark in _ESCAPES.get(quote, ()):
        # Blanks in their place stand outside of what is between two of them: that is a text, or a name.
        sides = itertools.cycle((mark.rjust(len(escaped)), mark.ljust(len(escaped))))
        first, *others = within.split(escaped)
        within = first + "".join([next(sides) + other for other in others])
    if quote == '"':
        # Of a variable of the client's own the blank stands before the text that begins with it.
        within = re.sub(r"('?)\\\$(?!\\)", r" \1$", within)
    return within


def only_sql(text: str) -> str:
    """A shell script of which all is blank that is no SQL, line by line.

    >>> only_sql("cd /tmp\\nmysql -e 'DELETE FROM t'\\n")
    '       \\n          DELETE FROM t;\\n'
    """

    def blank(start: int, end: int) -> str:
        blanks = re.sub(r"[^\n]", " ", text[start:end])
        # What a client is given ends with what it is given.
        return f";{blanks[1:]}" if start and blanks[0] == " " else blanks

    return filling(_changed(unquoted(text), documents(text, shell=True), blank), text)


def filling(blanked: str, text: str) -> str:
    """A script of which only the SQL is left, with INSERT INTO before the queries whose rows fill a table.

    >>> text = "bq query --destination_table=d.t 'SELECT a FROM d.s'"
    >>> only_sql(text).strip()
    'INSERT INTO d.t SELECT a FROM d.s;'
    """
    for part in _parts(text):
        name = part.into.replace(":", ".")
        lead = f"INSERT INTO {name if _PLAIN.fullmatch(name) else f'`{name}`'} "
        end = part.start - (text[part.start - 1] == "\n")
        # Blanks stand in the place of the command, which is longer than what it says.
        if part.into and blanked[end - len(lead) : end].strip(" ") == "":
            blanked = blanked[: end - len(lead)] + lead + blanked[end:]
    return blanked


def hidden(text: str, *, shell: bool = False) -> str:
    """A text as it may be kept and shown: of what stands around the SQL of a shell script no more than clients' names.

    Passwords stand there in any place, and nobody asks for the rest.

    >>> hidden("mysql -u me -psecret -e 'DELETE FROM t'", shell=True)
    'mysql xx xx xxxxxxxx xx xDELETE FROM tx'
    """
    around = documents(text, shell=shell)
    return _changed(text, around, lambda start, end: _SHOWN.sub(_name_alone, text[start:end]))


def _name_alone(word: re.Match[str]) -> str:
    return word.group() if _CLIENT.fullmatch(word.group()) else MASK * len(word.group())


def _changed(text: str, spans: Iterable[tuple[int, int]], change: Callable[[int, int], str]) -> str:
    """A text with something else in the place of some spans of it, which come in order."""
    found, last = [], 0
    for start, end in spans:
        found += [text[last:start], change(start, end)]
        last = end
    return "".join([*found, text[last:]])


@lru_cache(maxsize=4)
def _parts(text: str) -> tuple[SqlPart, ...]:
    """The SQL of a shell script, in order; kept for those who ask next what it is of the same text."""
    return tuple(sorted(_Commands(text).parts()))


class _Ends:
    """Where here-documents may end: the lines of a text that are one word alone."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def _lines(self) -> dict[str, list[tuple[int, int]]]:
        # Once for all: each of thousands of documents that never end would be looked for to the end of the text.
        found: dict[str, list[tuple[int, int]]] = {}
        for line in _ALONE.finditer(self._text):
            found.setdefault(line[1], []).append(line.span())
        return found

    def behind(self, mark: str, at: int) -> tuple[int, int] | None:
        """The first line of that word that begins at a place or behind it."""
        lines = self._lines.get(mark, [])
        number = bisect_left(lines, (at, 0))
        return lines[number] if number < len(lines) else None


class _Commands:
    """The commands of a shell script, and what of them is SQL."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends = _Ends(text)
        self._found: list[SqlPart] = []
        # Values that variables get, and the variables that clients are given.
        self._assigned: dict[str, list[SqlPart]] = {}
        self._used: set[str] = set()
        # Variables that hold the call of a client: PSQL="psql -h host".
        self._callers: set[str] = set()
        # Of a command: what is quoted in it, the variables it speaks of, whether a client runs, its first word.
        self._quoted: list[SqlPart] = []
        self._names: list[str] = []
        self._client = False
        self._first = ""
        # Where it begins, the file that it writes, the table that its rows fill.
        self._begins = 0
        self._file = self._filled = ""
        # What is written into files, of which a client may be given one.
        self._files: dict[str, list[SqlPart]] = {}

    def parts(self) -> list[SqlPart]:
        """All that is SQL."""
        at = 0
        marks: list[str] = []
        clients = False
        before = ""
        while at < len(self._text) and (word := _WORD.match(self._text, at)):
            at = word.end()
            if word["end"]:
                clients = clients or self._client
                self._ended(word["end"], word.start())
                if word["end"] == "\n" and marks:
                    at = self._documents(marks, at, given=clients)
                    marks = []
                clients = clients and word["end"] != "\n"
            elif word["mark"]:
                marks.append(word["mark"].strip("'\"\\"))
            elif word["quoted"]:
                self._text_in_quotes(word, before)
            elif word["name"]:
                self._names.append(word["name"])
                self._client = self._client or (not self._first and word["name"] in self._callers)
            elif word["word"]:
                self._met(word["word"])
            before = word["word"] or ""
        self._ended("\n", at)
        return [*self._found, *(part for name in self._used for part in self._assigned.get(name, ()))]

    def _met(self, word: str) -> None:
        """A word that stands in no quotes."""
        name, _, value = word.partition("=")
        if value and _CLIENT.match(value):
            self._callers.add(name)
        elif _CLIENT.fullmatch(word):
            self._client = True
        self._first = self._first or word

    def _text_in_quotes(self, word: re.Match[str], before: str) -> None:
        part = SqlPart(word.start() + 1, word.end() - 1, word.group()[0])
        sql = _SQL.match(self._text, part.start, part.end)
        # SQL="..." is a value; its variable may be used further down, or further up in a function.
        if before.endswith("=") and before[:-1].isidentifier():
            self._assigned.setdefault(before[:-1], []).extend([part] if sql else [])
            self._callers |= {before[:-1]} if _CLIENT.match(self._text, part.start, part.end) else set()
        elif sql:
            self._quoted.append(part)
        elif self._first in _RUNNERS:
            for inner in _INNER.finditer(self._text, part.start, part.end):
                if _SQL.match(inner["given"]):
                    self._found.append(SqlPart(*inner.span("given")))
        self._names += re.findall(r"\$\{?(\w+)", word.group())

    def _ended(self, end: str, at: int) -> None:
        """A command ends: a client's, or one that gives what it says to the next one, or to a file."""
        said, self._begins = self._text[self._begins : at], at + 1
        written, filled = _FILE.search(said) if ">" in said else None, None
        self._file = written[1] if written and not self._client else ""
        if self._client:
            filled = _FILLED.search(said) if "destination_table" in said else None
            self._found += [part._replace(into=filled[1]) if filled else part for part in self._quoted]
            self._used.update(self._names)
            for file in [file for file in self._files if file in said]:
                self._found += self._files.pop(file)
        elif self._file and self._first in _ECHO:
            self._files.setdefault(self._file, []).extend(self._quoted)
        self._filled = filled[1] if filled else ""
        echoed = end == "|" and self._first in _ECHO
        if not echoed:
            self._quoted, self._names = [], []
        self._client, self._first = False, ""

    def _documents(self, marks: list[str], at: int, *, given: bool) -> int:
        """The here-documents that a line opens, which perhaps a client is given; where they end."""
        for mark in marks:
            end = self._ends.behind(mark, at)
            if end is None:
                break
            part = SqlPart(at, end[0], "", self._filled)
            if given:
                self._found.append(part)
            elif self._file:
                self._files.setdefault(self._file, []).append(part)
            at = end[1]
        self._begins = at
        return at


def _here(text: str) -> Iterator[SqlPart]:
    """The here-documents that clients read, of a text that need not be a shell script."""
    at, ends = text.find("<<"), _Ends(text)
    line, called = -1, len(text)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        if start != line:
            # A line is looked at once: it may have thousands of shifts.
            call = _CALL.search(text, start)
            line, called = start, call.start() if call and call.group() not in "#\n" else len(text)
        found = _MARK.match(text, at) if called < at else None
        begins = text.find("\n", at) + 1
        end = ends.behind(found["mark"], begins) if found and begins else None
        if end:
            yield SqlPart(begins, end[0])
        at = text.find("<<", end[1] if end else at + 2)
