"""Mapping text -> mapping trees, by the grammar alone: no role of any grammar is named here.

A rule becomes a node of its name (or alias); a rule that derives only terminals becomes a leaf; a named terminal kept
beside nodes becomes a leaf that leads them, spelled canonically (the rewrite ``^(op a b)`` of seed 000, Appendix B).
A node stands where its first leaf stands.

>>> comparison = read_condition("S.B = 1").children[0].children[0]
>>> [(node.role, node.content) for node in comparison.children]
[('=', '='), ('attribute', 'S.B'), ('value', '1')]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from mdw.language.checks import check, check_part
from mdw.language.chunks import Chunk, split
from mdw.language.complaints import complain
from mdw.language.finding import Finding
from mdw.model.errors import FIRST, FirstErrors, InputError, the_rest
from mdw.model.name import canonical
from mdw.model.tree import CopyNode, Location, Node
from mdw.resources import GRAMMARS, keeping, kept

try:
    from lark_cython import plugins
except ImportError:  # there is no wheel of it for every machine: lark alone parses the same, more slowly
    plugins = {}

MAPPING_GRAMMAR: Path = GRAMMARS / "mapping.lark"
STARTS = ("mapping", "condition", "expression", "entity")
BOM = "\ufeff"
STATES = 1_000
"""Places in the grammar of which is remembered what could have stood there."""
SPELLINGS = {"<>": "!=", "X": "*", "JOIN": "INNER JOIN"}


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read: the trees in order, and an error for everything unreadable.

    ``lost`` is target and driving entity of an unnamed mapping that could not be read: it still counts among those of
    the same ends, so that an error never changes what the mappings after it are called.
    """

    trees: tuple[Node, ...]
    errors: tuple[InputError, ...]
    lost: tuple[str, str] | None = None


def read(text: str, file: str = "<text>", *, grammar: Path = MAPPING_GRAMMAR) -> Reading:
    """All mappings of a text; a bad one costs only itself."""
    trees: list[Node] = []
    errors = FirstErrors()
    for reading in read_chunks((text.removeprefix(BOM),), file, grammar=grammar):
        trees += reading.trees
        errors.take(reading.errors)
    return Reading(tuple(trees), errors.every())


def read_chunks(lines: Iterable[str], file: str = "<text>", *, grammar: Path = MAPPING_GRAMMAR) -> Iterator[Reading]:
    """The mappings of a text one by one, never holding more than the text of one and a block."""
    empty = True
    for reading in read_cut(cut(lines), file, grammar=grammar):
        empty = False
        yield reading
    if empty:
        yield Reading((), (nothing_in(file),))


def cut(lines: Iterable[str]) -> Iterator[Chunk]:
    """A text in chunks of which each seems to hold a mapping."""
    return (chunk for chunk in split(lines) if not chunk.blank)


def nothing_in(file: str) -> InputError:
    """The error for a text of no chunks."""
    return InputError("there is no mapping here", location=Location(file, 1, 1))


def read_condition(text: str, file: str = "<condition>") -> Node:
    """The tree of a condition given alone; InputError if it is none."""
    return parser_of(MAPPING_GRAMMAR).part(text, file, "condition")


def read_expression(text: str, file: str = "<expression>") -> Node:
    """The tree of an expression given alone; InputError if it is none."""
    return parser_of(MAPPING_GRAMMAR).part(text, file, "expression")


def read_name(text: str, file: str = "<name>") -> str:
    """The canonical form of a qualified name given alone; InputError if it is none."""
    return canonical(parser_of(MAPPING_GRAMMAR).part(text, file, "entity").content)


@lru_cache(maxsize=64)
def terminal(name: str) -> re.Pattern[str]:
    """What a terminal of the mapping language matches: NAME, QUALIFIED, STRING, NUMBER, DATE."""
    return re.compile(parser_of(MAPPING_GRAMMAR).fast.get_terminal(name).pattern.to_regexp())


class Parser:
    """An LALR parser whose every reduction makes a node at once: no parse tree stands between text and nodes.

    Two parsers in one: lark compiled (lark_cython) for text that is right, and plain lark for text that is not, since
    only that can say which terminals it would have accepted. A text with a mistake is parsed twice, any other once.
    """

    def __init__(self, grammar: Path) -> None:
        # The checks speak of roles of the mapping language; a test grammar may have others.
        self.checked = grammar == MAPPING_GRAMMAR
        # Reductions reach the file and text being read through the parser, so threads take turns.
        self.lock = Lock()
        self.file = self.text = ""
        self.roles: dict[str, str] = {}
        self.known: dict[tuple[int, ...], frozenset[str]] = {}
        self.starts = list(STARTS if self.checked else STARTS[:1])
        self.grammar = grammar
        self.fast = self._lark(plugins)

    def __repr__(self) -> str:
        # lark takes what it kept for that of other options if they are not written alike in every process.
        return f"Parser({self.grammar.name!r})"

    @cached_property
    def lark(self) -> Lark:
        """The parser that can say what is wrong with a text; the fast one only knows that something is."""
        return self._lark({}) if plugins else self.fast

    def _lark(self, extra: Mapping[str, Any]) -> Lark:
        with keeping(kept(self.grammar)) as place:
            return Lark.open(
                str(self.grammar),
                parser="lalr",
                start=self.starts,
                maybe_placeholders=False,
                tree_class=self._node,
                cache=place,
                _plugins=extra,
            )

    def reading(self, chunk: Chunk, file: str) -> Reading:
        """The mapping of a chunk, or what is wrong with it."""
        try:
            tree = self.tree(chunk, file, STARTS[0])
        except InputError as error:
            return Reading((), (error,), chunk.ends)
        findings = check(tree) if self.checked else ()
        if findings:
            return Reading((), tuple(_findings(chunk, findings)), chunk.ends)
        return Reading((tree,), ())

    def part(self, text: str, file: str, start: str) -> Node:
        """The tree of a part of a mapping given alone; InputError if there is something wrong with it."""
        chunk = Chunk(text)
        tree = self.tree(chunk, file, start)
        for finding in check_part(tree):
            raise _finding(chunk, finding)
        return tree

    def tree(self, chunk: Chunk, file: str, start: str) -> Node:
        """The tree of a chunk; InputError if it has none."""
        with self.lock:
            self.file, self.text = file, chunk.text
            try:
                return self.parsed(self.fast, chunk, start)
            except UnexpectedInput:
                pass
            # The compiled one only knows that there is a mistake; plain lark stops at the same place and can say more.
            try:
                return self.parsed(self.lark, chunk, start)
            except UnexpectedInput as error:
                raise _error(chunk, file, error, self.accepted(error)) from None

    def accepted(self, error: UnexpectedInput) -> frozenset[str]:
        """The terminals that would have been taken where lark stopped."""
        stopped: Any = error.interactive_parser
        # lark tries each terminal on a copy of itself; who makes one mistake often stops in one state often.
        states = tuple(stopped.parser_state.state_stack)
        found = self.known.get(states)
        if found is None:
            if len(self.known) == STATES:
                self.known.clear()
            found = self.known[states] = frozenset(stopped.accepts())
        return found

    def parsed(self, lark: Lark, chunk: Chunk, start: str) -> Node:
        """The tree of a chunk as one of the two makes it; UnexpectedInput, of lark, if it makes none."""
        parsing: Any = lark.parse_interactive(chunk.text, start)
        # Places count from where the chunk stands in its file, so no place has to be moved afterwards.
        counter = parsing.lexer_thread.state.line_ctr
        counter.line, counter.column, counter.line_start_pos = chunk.line, chunk.column, 1 - chunk.column
        tree: Node = parsing.resume_parse()
        return tree

    def _node(self, role: str, children: list[Any]) -> Node | Tree[Any]:
        # lark hands over tokens as names: one plain string per role saves memory and makes comparing fast.
        name = self.roles.get(role) or self.roles.setdefault(str(role), str(role))
        if name[0] == "_":
            return Tree(name, children)  # lark puts the children in its place
        if len(children) == 1:
            (child,) = children
            if isinstance(child, Node):
                return Node(name, "", (child,), child.location)
            return Node(name, child.value, (), Location(self.file, child.line, child.column))
        nodes = tuple([child for child in children if isinstance(child, Node)])
        if not nodes:
            return self._leaf(name, children)
        if len(nodes) == len(children):
            copy = _copy(nodes) if name == "populate" else None
            return copy or Node(name, "", nodes, nodes[0].location)
        return self._led(name, nodes, children)

    def _leaf(self, name: str, tokens: list[Token]) -> Node:
        """A rule of several terminals, or of none that are kept."""
        if not tokens:
            return Node(name)
        return Node(name, self.text[tokens[0].start_pos : tokens[-1].end_pos], (), self._place(tokens[0]))

    def _led(self, name: str, nodes: tuple[Node, ...], children: list[Any]) -> Node:
        # A OR B OR C holds OR twice and means one OR of three: each operator leads once.
        tokens = [child for child in children if not isinstance(child, Node)]
        place = self._place(tokens[0])
        leaves = [Node(word, word, (), place) for word in dict.fromkeys([_spelling(token.value) for token in tokens])]
        return Node(name, "", (*leaves, *nodes), place if children[0] is tokens[0] else nodes[0].location)

    def _place(self, token: Token) -> Location:
        return Location(self.file, token.line or 1, token.column or 1)


def _copy(nodes: Sequence[Node]) -> Node | None:
    """A POPULATE of these nodes if it only copies, as most do."""
    filled, inner = nodes[0], nodes[-1]
    for role in ("with", "expression", "computation"):
        if inner.role != role or len(inner.children) != 1:
            return None
        (inner,) = inner.children
    if inner.role != "attribute" or inner.children or filled.children or len(nodes) != 2:
        return None
    return CopyNode(filled.content, inner.content, filled.location, inner.location, inner.location)


def read_cut(chunks: Iterable[Chunk], file: str, *, grammar: Path = MAPPING_GRAMMAR) -> Iterator[Reading]:
    """What the chunks hold; two are one after all if a string of the first ends in the second.

    The cut takes every quote to close on its line. A string with a line break in it may hold the words WHEN POPULATING;
    then the first chunk is in error and open, and both are tried as one. If that fails too, each keeps its own errors.
    """
    parser = parser_of(grammar)
    held: tuple[Chunk, Reading] | None = None
    for chunk in chunks:
        if held:
            joined = parser.reading(held[0].joined(chunk), file)
            yield joined if joined.trees else held[1]
            held = None
            if joined.trees:
                continue
        reading = parser.reading(chunk, file)
        if reading.errors and chunk.open:
            held = chunk, reading
        else:
            yield reading
    if held:
        yield held[1]


@lru_cache(maxsize=8)
def parser_of(grammar: Path) -> Parser:
    """The parser of a grammar, made once."""
    return Parser(grammar)


@lru_cache(maxsize=1024)
def _spelling(word: str) -> str:
    """The canonical spelling of a kept terminal: ``is  not null`` is ``IS NOT NULL``, ``<>`` is ``!=``."""
    upper = " ".join(word.upper().split())
    return SPELLINGS.get(upper, upper)


def _error(chunk: Chunk, file: str, error: UnexpectedInput, accepts: frozenset[str]) -> InputError:
    """What a parser's refusal means to whoever wrote the text."""
    place = error.pos_in_stream or 0
    # lark puts the end of the text at the beginning of its last token; people look behind that.
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        place = error.token.end_pos or 0
    complaint = complain(chunk.text, place, accepts)
    line, column = chunk.position(complaint.place)
    excerpt, caret = chunk.excerpt(complaint.place)
    return InputError(
        complaint.message,
        location=Location(file, line, column),
        excerpt=excerpt,
        caret=caret,
        expected=complaint.expected,
        hint=complaint.hint,
    )


def _findings(chunk: Chunk, findings: Sequence[Finding]) -> Iterator[InputError]:
    """The first findings in a mapping as errors, and one for the rest, whose lines nobody will see."""
    for finding in findings[:FIRST]:
        yield _finding(chunk, finding)
    rest = findings[FIRST:]
    if rest:
        yield the_rest(rest[0].location, len(rest))


def _finding(chunk: Chunk, finding: Finding) -> InputError:
    where = finding.location
    excerpt, caret = chunk.excerpt(chunk.offset(where.line, where.column))
    return InputError(finding.message, location=where, excerpt=excerpt, caret=caret, hint=finding.hint)
