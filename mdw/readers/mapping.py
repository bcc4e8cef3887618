"""Mapping text -> mapping trees, by the grammar alone: no role of any grammar is named here.

A rule becomes a node of its name (or alias); a rule that derives only terminals becomes a leaf; a named terminal kept
beside nodes becomes a leaf that leads them, spelled canonically (the rewrite ``^(op a b)`` of seed 000, Appendix B).
A node stands where its first leaf stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput, UnexpectedToken

from mdw.errors import InputError
from mdw.name import canonical
from mdw.readers.checks import Finding, check, check_part
from mdw.readers.chunks import Chunk, split
from mdw.readers.complaints import complain
from mdw.resources import GRAMMARS
from mdw.tree import Location, Node

MAPPING_GRAMMAR: Path = GRAMMARS / "mapping.lark"
STARTS = ("mapping", "condition", "expression", "entity")
BOM = "\ufeff"
SPELLINGS = {"<>": "!=", "X": "*"}


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
    errors: list[InputError] = []
    for reading in read_chunks((text.removeprefix(BOM),), file, grammar=grammar):
        trees += reading.trees
        errors += reading.errors
    return Reading(tuple(trees), tuple(errors))


def read_chunks(lines: Iterable[str], file: str = "<text>", *, grammar: Path = MAPPING_GRAMMAR) -> Iterator[Reading]:
    """The mappings of a text one by one, never holding more than the text of one and a block."""
    empty = True
    for reading in _readings(_parser(grammar), (chunk for chunk in split(lines) if not chunk.blank), file):
        empty = False
        yield reading
    if empty:
        yield Reading((), (InputError("there is no mapping here", location=Location(file, 1, 1)),))


def read_condition(text: str, file: str = "<condition>") -> Node:
    """The tree of a condition given alone; InputError if it is none."""
    return _parser(MAPPING_GRAMMAR).part(text, file, "condition")


def read_expression(text: str, file: str = "<expression>") -> Node:
    """The tree of an expression given alone; InputError if it is none."""
    return _parser(MAPPING_GRAMMAR).part(text, file, "expression")


def read_name(text: str, file: str = "<name>") -> str:
    """The canonical form of a qualified name given alone; InputError if it is none."""
    return canonical(_parser(MAPPING_GRAMMAR).part(text, file, "entity").content)


@lru_cache(maxsize=64)
def terminal(name: str) -> re.Pattern[str]:
    """What a terminal of the mapping language matches: NAME, QUALIFIED, STRING, NUMBER, DATE."""
    return re.compile(_parser(MAPPING_GRAMMAR).lark.get_terminal(name).pattern.to_regexp())


class _Parser:
    """An LALR parser whose every reduction makes a node at once: no parse tree stands between text and nodes."""

    def __init__(self, grammar: Path) -> None:
        self.checked = grammar == MAPPING_GRAMMAR
        self.lock = Lock()
        self.file = self.text = ""
        self.roles: dict[str, str] = {}
        starts = STARTS if self.checked else STARTS[:1]
        self.lark = Lark.open(
            str(grammar), parser="lalr", start=list(starts), maybe_placeholders=False, tree_class=self._node
        )

    def reading(self, chunk: Chunk, file: str) -> Reading:
        """The mapping of a chunk, or what is wrong with it."""
        try:
            tree = self.tree(chunk, file, STARTS[0])
        except InputError as error:
            return Reading((), (error,), chunk.ends)
        findings = check(tree) if self.checked else ()
        if findings:
            return Reading((), tuple(_finding(chunk, finding) for finding in findings), chunk.ends)
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
            parsing: Any = self.lark.parse_interactive(chunk.text, start)
            counter = parsing.lexer_thread.state.line_ctr
            counter.line, counter.column, counter.line_start_pos = chunk.line, chunk.column, 1 - chunk.column
            try:
                tree: Node = parsing.resume_parse()
            except UnexpectedInput as error:
                raise _error(chunk, file, error) from None
        return tree

    def _node(self, role: str, children: list[Any]) -> Node | Tree[Any]:
        name = self.roles.get(role) or self.roles.setdefault(str(role), str(role))
        if name[0] == "_":
            return Tree(name, children)  # lark puts the children in its place
        if len(children) == 1:
            (child,) = children
            if type(child) is Node:
                return Node(name, "", (child,), child.location)
            return Node(name, child.value, (), Location(self.file, child.line, child.column))
        nodes = tuple([child for child in children if type(child) is Node])
        if not nodes:
            return self._leaf(name, children)
        if len(nodes) == len(children):
            return Node(name, "", nodes, nodes[0].location)
        return self._led(name, nodes, children)

    def _leaf(self, name: str, tokens: list[Token]) -> Node:
        """A rule of several terminals, or of none that are kept."""
        if not tokens:
            return Node(name)
        return Node(name, self.text[tokens[0].start_pos : tokens[-1].end_pos], (), self._place(tokens[0]))

    def _led(self, name: str, nodes: tuple[Node, ...], children: list[Any]) -> Node:
        tokens = [child for child in children if type(child) is not Node]
        place = self._place(tokens[0])
        leaves = [Node(word, word, (), place) for word in dict.fromkeys(map(_spelling, tokens))]
        return Node(name, "", (*leaves, *nodes), place if children[0] is tokens[0] else nodes[0].location)

    def _place(self, token: Token) -> Location:
        return Location(self.file, token.line or 1, token.column or 1)


def _readings(parser: _Parser, chunks: Iterable[Chunk], file: str) -> Iterator[Reading]:
    """What the chunks hold; two are one after all if a string of the first ends in the second."""
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
def _parser(grammar: Path) -> _Parser:
    return _Parser(grammar)


@lru_cache(maxsize=1024)
def _spelling(word: str) -> str:
    """The canonical spelling of a kept terminal: ``is  not null`` is ``IS NOT NULL``, ``<>`` is ``!=``."""
    upper = " ".join(word.upper().split())
    return SPELLINGS.get(upper, upper)


def _error(chunk: Chunk, file: str, error: UnexpectedInput) -> InputError:
    """What a parser's refusal means to whoever wrote the text."""
    place = error.pos_in_stream or 0
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        place = error.token.end_pos or 0
    stopped: Any = error.interactive_parser
    complaint = complain(chunk.text, place, frozenset(stopped.accepts()))
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


def _finding(chunk: Chunk, finding: Finding) -> InputError:
    where = finding.location
    excerpt, caret = chunk.excerpt(chunk.offset(where.line, where.column))
    return InputError(finding.message, location=where, excerpt=excerpt, caret=caret, hint=finding.hint)
