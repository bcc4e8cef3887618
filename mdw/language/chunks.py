"""Text of many mappings -> one chunk per mapping, so that a bad mapping costs only itself and memory stays flat.

>>> text = "-- the core\\nWHEN POPULATING T FROM S POPULATE T.A WITH S.A\\nMAPPING m: WHEN POPULATING U FROM S\\n"
>>> [(chunk.line, chunk.text.strip()[:20]) for chunk in split([text])]
[(1, '-- the core'), (2, 'WHEN POPULATING T FR'), (3, 'MAPPING m: WHEN POPU')]

A mapping has no end mark: it ends where the next one begins. So the cut is made by what a beginning looks like, found
by regular expressions that leap from one word of interest to the next, and has to be right for damaged text too. A word
that begins a mapping does not when it stands in a string, in a comment or in a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mdw.model.name import canonical

# Characters scanned at a time: enough that a scan pays, and the memory that a file of any size needs.
BLOCK = 1 << 16
# Characters of a line shown on each side of an error, and looked back over to see whether a word leads its line.
WIDTH = 100
# Shown as one replacement character each, lest an error message ring the terminal's bell or move its cursor.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

# Quoted text is first taken to end with its line: so an unterminated string never swallows the mappings after it.
# Every branch begins with a literal and none is a group: only then does `re` leap to the next character that matters.
WORD = re.compile(
    r"""--[^\r\n]* | "(?:[^"\\\n]|\\.)*" | '[^'\n]*' | `[^`\n]*` | W(?i:HEN)\b | w(?i:HEN)\b
      | M(?i:APPING)\b | m(?i:APPING)\b | P(?i:OPULATING)\b | p(?i:OPULATING)\b
      | D(?i:IALECT)\b | d(?i:IALECT)\b""",
    re.VERBOSE,
)
# What stands before a WHEN that is only the end of a name, as in SRC.`x`.WHEN or XWHEN.
JOINED = re.compile(r"[\w.`]")
# Up to a quote that opens a string which does not close; possessive, so that no long text is tried twice.
# In groups by ?>, for Python before 3.11.5 goes on wrongly behind a group that is possessive.
OPEN = re.compile(
    r"""(?>(?:[^"'`-]++|-(?!-)|--[^\r\n]*|"(?>[^"\\]*(?:\\.[^"\\]*+)*)"|'[^']*'|`[^`\n]*`?)*)["']""", re.DOTALL
)
GAP = r"(?>(?:\s|--[^\r\n]*+)+)"
MAYBE = r"(?>(?:\s|--[^\r\n]*+)*)"
NAME = r"(?:[^\W\d]\w*|`[^`\n]*`)(?:\.(?:[^\W\d]\w*|`[^`\n]*`))*"
NOTHING = re.compile(MAYBE)
CLAUSE = r"(?:POPULATE|SELECT|NAVIGATE)\b"
# Followed by a point it is an attribute's name, in CASE WHEN POPULATING.A = 1.
DOING = r"(?:POPULATING|UPDATING|DELETING)\b(?!\.)"
START = re.compile(
    rf"""(?: MAPPING {GAP} {NAME} {MAYBE} : {MAYBE} )? (?: DIALECT {GAP} {NAME} {GAP} )? WHEN {GAP} {DOING}
       | MAPPING {GAP} {NAME} {MAYBE} :""",
    re.IGNORECASE | re.VERBOSE,
)
LABEL = rf"(?:ENTITY{MAYBE}:{MAYBE}|INNER{GAP}(?!FROM\b))?"
# The head of an unnamed mapping that cannot be parsed further: enough to count it (see `Reading.lost`).
ENDS = re.compile(
    rf"WHEN{GAP}{DOING}{GAP}{LABEL}(?P<target>{NAME}){GAP}FROM{GAP}{LABEL}(?P<driving>{NAME})", re.IGNORECASE
)
# A line that begins with a damaged start begins a mapping too, lest the mapping before it be blamed.
DAMAGED = re.compile(
    rf"""MAPPING \b (?! \s*+ {CLAUSE}) (?: [^\n.]* : | [^\n.]* \s WHEN \s+ POPULATING \b )
       | WHEN \s+ POP\w* \s
       | POPULATING \s+ (?: ENTITY \s* : \s* )? \S+ \s+ FROM \b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """The text of one mapping (or what precedes the first) and where it starts."""

    text: str
    line: int = 1
    column: int = 1

    @property
    def blank(self) -> bool:
        """Whether there is nothing but space and comments."""
        return bool(NOTHING.fullmatch(self.text))

    @property
    def open(self) -> bool:
        """Whether a string begins here that does not end here."""
        return bool(OPEN.match(self.text))

    def joined(self, other: Chunk) -> Chunk:
        """This chunk and the one after it in one."""
        return Chunk(self.text + other.text, self.line, self.column)

    @property
    def ends(self) -> tuple[str, str] | None:
        """Target and driving entity of an unnamed mapping, canonical, where its head is sound."""
        head = ENDS.match(self.text)
        return (canonical(head["target"]), canonical(head["driving"])) if head else None

    def position(self, place: int) -> tuple[int, int]:
        """Line and column, in the file, of an offset in the chunk."""
        begin = self.text.rfind("\n", 0, place) + 1
        # Only the first line of a chunk may begin in the middle of a line of the file.
        column = place - begin + (1 if begin else self.column)
        return self.line + self.text.count("\n", 0, place), column

    def offset(self, line: int, column: int) -> int:
        """The offset in the chunk of a line and column in the file."""
        begin = 0
        for _ in range(line - self.line):
            begin = self.text.index("\n", begin) + 1
        return begin + column - (1 if begin else self.column)

    def excerpt(self, place: int) -> tuple[str, int]:
        """The line around an offset, or the part of a long line, and how far into it the offset is."""
        begin = self.text.rfind("\n", 0, place) + 1
        end = self.text.find("\n", place)
        first = max(begin, place - WIDTH)
        line = self.text[first : min(end if end >= 0 else len(self.text), place + WIDTH)].rstrip()
        return CONTROL.sub("\ufffd", line), place - first

    def cut(self, starts: Iterable[int]) -> Iterator[Chunk]:
        """The chunk in pieces that begin at the given offsets; the first piece may be empty."""
        begin, line, column = 0, self.line, self.column
        for start in starts:
            yield Chunk(self.text[begin:start], line, column)
            line += self.text.count("\n", begin, start)
            column = (
                start - self.text.rfind("\n", 0, start) if "\n" in self.text[begin:start] else column + start - begin
            )
            begin = start
        yield Chunk(self.text[begin:], line, column)


def split(lines: Iterable[str]) -> Iterator[Chunk]:
    """The chunks of a text given in pieces; text before the first mapping is a chunk of its own."""
    chunk = Chunk("")
    for block in _blocks(lines):
        # The last chunk may go on in the next block, so it is cut again together with it.
        whole = Chunk(chunk.text + block, chunk.line, chunk.column)
        *complete, chunk = whole.cut(_starts(whole.text))
        yield from complete
    yield chunk


def _starts(text: str) -> Iterator[int]:
    """Where mappings start."""
    end = 0
    for found in WORD.finditer(text):
        place = found.start()
        # Not inside a beginning already taken (MAPPING m: WHEN), no quoted text or comment, no end of a longer name.
        if place < end or not text[place].isalpha() or JOINED.match(text[place - 1 : place]):
            continue
        leads = not text[max(0, place - WIDTH) : place].rpartition("\n")[2].strip()
        start = START.match(text, place) or (DAMAGED.match(text, place) if leads else None)
        if start:
            end = start.end()
            yield place


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    """The lines joined to blocks that are worth a scan."""
    block: list[str] = []
    size = 0
    for line in lines:
        block.append(line)
        size += len(line)
        if size >= BLOCK:
            yield "".join(block)
            block, size = [], 0
    yield "".join(block)
