"""The words of a text, read from left to right.

    IF @a = 1 DELETE t ELSE PRINT 'no'
    `step` at IF: its reader takes the test up to where `stop` says that it ends, then `one` step, then ELSE and `one`

What begins with a word is read by the reader of that word (see `reading`). Readers move ``at``, and look no further
than ``end``; both are numbers of tokens. A text in quotes, as the body of a function, has `Words` of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from sqlglot.tokenizer_core import Token

from mdw.readers.sql.dialects import Flavour
from mdw.readers.sql.pieces import ScriptPiece, TokenType, word_of
from mdw.readers.sql.programs.ends import StatementEnds
from mdw.readers.sql.programs.exchanging import exchanged, told_later
from mdw.readers.sql.programs.grammar import CLOSED, ENDED, TRIED, grammar_of
from mdw.readers.sql.programs.lines import ClientLine
from mdw.readers.sql.programs.program import Argument, BeginEnd, Client, Handler, Run, Step, Steps
from mdw.readers.sql.programs.tokens import in_capitals, tokenized

PREFIXES = frozenset(
    (
        TokenType.PARAMETER,
        TokenType.SESSION_PARAMETER,
        TokenType.HASH,
        TokenType.COLON,
        TokenType.DOLLAR,
    )
)
"""Marks that names of variables and temporary tables begin with."""
OPENED, CLOSES = TokenType.L_PAREN, TokenType.R_PAREN
BRACKETS = {OPENED: 1, TokenType.L_BRACKET: 1, CLOSES: -1, TokenType.R_BRACKET: -1}
DEEP = 60
"""Blocks within blocks that are followed."""

StepReader: TypeAlias = "Callable[[Words], Steps | None]"
LineReader: TypeAlias = "Callable[[Words, ClientLine], Steps | None]"


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads the steps that a word begins, and the lines of clients that are steps."""

    steps: Mapping[str, StepReader]
    lines: Mapping[str, LineReader]


class Words:
    """The words of a text and how far they have been read.

    ``inside``: within a program, where plain names may be variables and calls; ``handlers`` are those that the block
    declared so far; ``ends`` finds where statements end in dialects that need no semicolon (T-SQL).
    """

    def __init__(
        self,
        text: str,
        offset: int,
        flavour: Flavour,
        readers: Readers,
        lines: Mapping[int, ClientLine],
    ) -> None:
        self.text, self.offset, self.flavour, self.readers, self.lines = text, offset, flavour, readers, lines
        self.table = readers.steps
        self.tokens = tokenized(text, flavour)
        self.types = [token.token_type for token in self.tokens]
        # So that whoever looks for the end of a statement always finds one.
        self.types.append(TokenType.SEMICOLON)
        self.grammar = grammar_of(flavour.name)
        self.commands = flavour.parser.tokenizer_class.COMMANDS
        self.at, self.end = 0, len(self.tokens)
        self.depth = 0
        self.inside = False
        self.handlers: list[Handler] = []
        unended, tokenizer = self.grammar.unended, flavour.parser.tokenizer_class
        self.ends = StatementEnds(self.tokens, self.types, tokenizer) if unended else None
        # Variables that may be arrays, by their declarations: v(1) is then an element, and no call (PL/SQL).
        self.arrays: frozenset[str] = frozenset()
        # What is prepared by these names, in capitals: the variable that holds its text, "" where it is called alike.
        self.prepared: dict[str, str] = {}
        # The files that a client takes rows from, and gives them to (Teradata).
        self.fields: tuple[str, ...] = ()
        self.rows_from = told_later(lines.values()) if flavour.name == "teradata" and lines else ""
        self.rows_to = ""

    # -- looking ------------------------------------------------------------------------------------------------------

    @cached_property
    def spoken(self) -> list[str]:
        """All words in capitals, "" for what is quoted and for variables, as in @end.

        They are made where a program is met, for most texts are none.
        """
        return in_capitals(self.tokens, self.types)

    def word(self, ahead: int = 0) -> str:
        """The word that stands here, or further on; "" of what is quoted, and at the end."""
        at = self.at + ahead
        return self.spoken[at] if at < self.end else ""

    def said(self, count: int) -> list[str]:
        """The next words."""
        return self.spoken[self.at : min(self.at + count, self.end)]

    def type(self, ahead: int = 0) -> Any:
        """The type of the token here, or further on."""
        at = self.at + ahead
        return self.types[at] if at < self.end else None

    def index(self, wanted: Any, first: int, last: int) -> int:
        """Where a token of a type is the first; ``last`` if there is none."""
        if wanted is TokenType.SEMICOLON:
            return min(self.types.index(wanted, first), last) if first < last else last
        kinds = self.types[first:last]
        return first + kinds.index(wanted) if wanted in kinds else last

    def top(self, wanted: frozenset[str], first: int, last: int) -> int:
        """Where one of the words is the first outside of parentheses and CASE; ``last`` if none is."""
        # In parts that grow: what is looked for stands near in most cases, and a statement may have 100,000 words.
        begin, size = first, 64
        while begin < last:
            part = self.spoken[begin : min(begin + size, last)]
            if not wanted.isdisjoint(part):
                for at, word in enumerate(part, start=begin):
                    if word in wanted and not self._deep(first, at):
                        return at
            begin, size = begin + size, size * 8
        return last

    def _deep(self, first: int, at: int) -> bool:
        """Whether a word stands in parentheses, or in a CASE, that open behind another."""
        lead = self.spoken[first:at]
        if "(" in lead and lead.count("(") + lead.count("[") > lead.count(")") + lead.count("]"):
            return True
        return "CASE" in lead and lead.count("CASE") > lead.count("END")

    def stop(self, first: int | None = None) -> int:
        """Where the statement that begins here ends."""
        first = self.at if first is None else first
        found = self.types.index(TokenType.SEMICOLON, first) if self.ends is None else self.ends[first]
        return found if found < self.end else self.end

    def closed(self, at: int, statements: bool = False) -> int:
        """Behind the parenthesis that closes the one here; one that holds no statements ends with its own at last."""
        depth = 0
        for place in range(at, self.end):
            kind = self.types[place]
            if kind in BRACKETS:
                depth += BRACKETS[kind]
            if depth <= 0:
                return place + 1
            # It was never closed: what stands behind the semicolon is read as it would be without it.
            if kind is TokenType.SEMICOLON and not statements:
                return place
        return self.end

    def held(self, at: int, statements: bool = False) -> tuple[int, int]:
        """Where what a parenthesis holds begins and ends, be it closed or not."""
        last = self.closed(at, statements)
        closed = last > at + 1 and self.types[last - 1] in (CLOSES, TokenType.R_BRACKET)
        return at + 1, last - 1 if closed else last

    def parted(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Where the parts begin and end that commas divide."""
        depth, start = 0, first
        # Most parts are one, which need not be gone through.
        commas = TokenType.COMMA in self.types[first:last]
        for at in range(first, last) if commas else ():
            kind = self.types[at]
            if kind in BRACKETS:
                depth += BRACKETS[kind]
            elif kind is TokenType.COMMA and not depth:
                yield start, at
                start = at + 1
        if start < last:
            yield start, last

    # -- taking -------------------------------------------------------------------------------------------------------

    def take(self, *words: str) -> bool:
        """Whether these words stand here; they are read then."""
        at = self.at
        if at >= self.end or self.spoken[at] != words[0] or (len(words) > 1 and self.said(len(words)) != list(words)):
            return False
        self.at += len(words)
        return True

    def take_one(self, words: frozenset[str]) -> str:
        """The word here if it is one of these, which is read then, else ""."""
        word = self.word()
        if word not in words:
            return ""
        self.at += 1
        return word

    def name(self) -> str:
        """The name that stands here, with its parts and marks, as written."""
        first = at = self.at
        types, end = self.types, self.end
        if at >= end:
            return ""
        while types[at] in PREFIXES and at + 1 < end:
            at += 1
        at += 1
        while types[at] in JOINING and at + 1 < end:
            # A name has no blanks in it: in SELECT a @b two names stand side by side.
            if self.tokens[at].start != self.tokens[at - 1].end + 1:
                break
            # T-SQL's exec[p]@a=1 has none before the argument either.
            if types[at] is TokenType.PARAMETER and self.text[self.tokens[at].start - 1] == "]":
                break
            at += 1 if types[at + 1] is TokenType.DOT else 2
        self.at = at
        return self.written(first, at)

    def names(self) -> tuple[str, ...]:
        """The names of variables that stand here, with commas between them, without the mark of what is bound."""
        found = [self.part()]
        while self.type() is TokenType.COMMA:
            self.at += 1
            found.append(self.part())
        # In Oracle :x is another variable than x: one of the client, or the row of a trigger.
        bound = "" if self.flavour.name == "oracle" else ":"
        return tuple(one.lstrip(bound) for one in found if one)

    def part(self) -> str:
        """The name that stands here, or what it names of a variable that holds many values: v(1).name, v[1]."""
        first, name = self.at, self.name()
        while self.at < self.end and (
            self.types[self.at] is TokenType.L_BRACKET
            or (self.types[self.at] is OPENED and name.rpartition(".")[2].upper() in self.arrays)
        ):
            self.at = self.closed(self.at)
            if self.type() is TokenType.DOT:
                self.at += 2
        return self.written(first, self.at)

    def written(self, first: int, last: int) -> str:
        """Words as the text has them."""
        if last > self.end:
            last = self.end
        return self.text[self.tokens[first].start : self.tokens[last - 1].end + 1] if first < last else ""

    def piece(self, first: int, last: int) -> ScriptPiece:
        """A part of the text."""
        found = self.tokens[first : last if last < self.end else self.end]
        if found:
            return ScriptPiece(found, self.text, self.offset, "", 0, self.arrays)
        # No words: an empty piece that stands where they would.
        place = self.tokens[first].start if first < len(self.tokens) else len(self.text)
        return ScriptPiece((), "", self.offset + place)

    def some(self, first: int, last: int) -> ScriptPiece | None:
        """A part of the text, if it has words."""
        return self.piece(first, last) if first < min(last, self.end) else None

    def arguments(self, first: int, last: int) -> tuple[Argument, ...]:
        """What a call gives, by place or by name."""
        return tuple(self._argument(start, end) for start, end in self.parted(first, last))

    def _argument(self, first: int, last: int) -> Argument:
        # a => 1, a := 1, @a = 1
        name, out = "", False
        for at in range(first, min(first + 3, last)):
            if self.types[at] in NAMED and at > first:
                name, first = self.written(first, at), at + 1
                break
        # 1 AS a (Teradata's macros); @x OUTPUT; OUT x
        if last - first > 2 and word_of(self.tokens[last - 2]) == "AS":
            name, last = self.written(last - 1, last), last - 2
        if last - first > 1 and word_of(self.tokens[last - 1]) in ("OUTPUT", "OUT"):
            last, out = last - 1, True
        elif last - first > 1 and word_of(self.tokens[first]) in ("OUT", "IN", "INOUT"):
            out = word_of(self.tokens[first]) != "IN"
            first += 1
        return Argument(self.piece(first, last), name, out)

    # -- steps --------------------------------------------------------------------------------------------------------

    def steps(self, closers: frozenset[str] = frozenset()) -> Steps:
        """The steps up to one of the words that close what they stand in."""
        found: list[Step] = []
        while self.at < self.end:
            if self.types[self.at] is not TokenType.SEMICOLON:
                if closers and self.spoken[self.at] in closers and self.word(1) not in ENDED:
                    break
                found += self.step()
                continue
            line = self.lines.get(self.tokens[self.at].start) if self.lines else None
            if line is None:
                self.at += 1
                continue
            if line.word in closers:
                break
            self.at += 1
            found += self.client(line)
        return tuple(found)

    def step(self) -> Steps:
        """What begins here; whatever it is, it is read to its end.

        A reader that returns None, or stays where it is, leaves the words to those of no word, and these to SQL.
        """
        first = self.at
        reader = self.table.get(word_of(self.tokens[first])) if self.depth < DEEP else None
        self.depth += 1
        found = reader(self) if reader is not None else None
        if found is None and self.types[first] not in BEGINNING:
            self.at = first
            found = self.table[""](self)
        self.depth -= 1
        if found is None or self.at == first:
            self.at = first
            found = self.plain()
        return found

    def one(self) -> Steps:
        """One step, as what a test, a loop or a routine holds."""
        if self.at >= self.end or self.types[self.at] is TokenType.SEMICOLON:
            return ()
        # IF c ELSE ...: a script that is wrong must not lose the rest of its block.
        if self.ends is not None and self.word() in ("END", "ELSE"):
            return ()
        was, self.inside = self.inside, True
        found = self.step()
        self.inside = was
        return found

    def plain(self) -> Steps:
        """A statement of SQL."""
        first = self.at
        self.at = max(self.stop(), first + 1)
        return (Run(self.statement(first, self.at)),)

    def statement(self, first: int, last: int) -> ScriptPiece:
        """A part of the text as sqlglot's parser wants it: what it takes for a command has its words as one text."""
        token = self.tokens[first]
        # What a routine does when it is called knows nothing of a client's files.
        if (self.rows_from or self.rows_to) and not self.inside:
            return exchanged(self.piece(first, last), self.rows_from, self.rows_to, self.fields)
        plain = last - first < 2 or self.types[first + 1] is TokenType.INTO
        # MySQL's REPLACE t is REPLACE INTO t.
        plain = plain or (self.flavour.name == "mysql" and token.text.upper() == "REPLACE")
        if token.token_type not in self.commands or plain:
            return self.piece(first, last)
        start, end = token.end + 1, self.tokens[last - 1].end
        rest = Token(
            TokenType.STRING, self.text[start : end + 1].strip(), line=token.line, col=token.col, start=start, end=end
        )
        return ScriptPiece((token, rest), self.text, self.offset)

    def client(self, line: ClientLine) -> Steps:
        """What a line is that is none of SQL."""
        if line.kind == "end":
            return ()
        if line.kind == "unread":
            return (Run(line.piece(self.offset)),)
        reader = self.readers.lines.get(line.word)
        found = reader(self, line) if reader is not None else None
        return found if found is not None else (Client(line.piece(self.offset), line.runs),)

    def left(self) -> Steps:
        """Handlers of which the block is missing."""
        if not self.handlers:
            return ()
        nothing = ScriptPiece((), "", self.handlers[0].piece.place)
        return (BeginEnd((), nothing, handlers=tuple(self.handlers)),)

    def closing(self) -> None:
        """END, and what it names of what it ends."""
        if self.take("END"):
            # In T-SQL an IF or a WHILE behind END is the next statement.
            self.take_one(CLOSED if self.ends is None else TRIED)
            if self.type() is not TokenType.SEMICOLON and self.ends is None and self.at < self.end:
                self.take_label()

    def take_label(self) -> None:
        """The name behind END, if a semicolon, or nothing, is behind it: it may be a word of SQL, as OUTER."""
        named = self.type() in (TokenType.VAR, TokenType.IDENTIFIER) or self.word().isidentifier()
        if named and self.word() not in STANDING and self.type(1) in (TokenType.SEMICOLON, None):
            self.at += 1


STANDING = frozenset(("COMMIT", "ROLLBACK", "RETURN"))
"""Statements of one word."""
JOINING = frozenset((TokenType.DOT, TokenType.PARAMETER))
BEGINNING = frozenset(
    (
        TokenType.SELECT,
        TokenType.INSERT,
        TokenType.UPDATE,
        TokenType.DELETE,
        TokenType.MERGE,
        TokenType.WITH,
        TokenType.CREATE,
        TokenType.DROP,
        TokenType.ALTER,
    )
)
"""What statements of SQL begin with, and neither calls nor assignments."""
NAMED = frozenset((TokenType.FARROW, TokenType.COLON_EQ, TokenType.EQ))
