"""The tree every input is read into: nodes with a role, a content and a place in the input.

The condition ``S.B = 1`` becomes ``condition(conditioncomp(comparison(=, attribute "S.B", value "1")))``: operators
lead what they join (the rewrite ``^(op a b)`` of seed 000, Appendix B), and keywords that only hold a clause together,
IF or WITH, leave no node of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from io import StringIO
from typing import Any, NamedTuple

from mdw.model.fixed import fixed


class Location(NamedTuple):
    """File, line and column, both counted from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def line_text(self) -> str:
        """File and line, as people are told a place."""
        return f"{self.file}:{self.line}"


def lines_of(text: str, *, ends: bool = False) -> list[str]:
    r"""The lines of a text as places count them, with or without their ends.

    What reads scripts ends lines at line feeds alone, splitlines() at form feeds and U+2028 too: every place below one
    would be of another line.

    >>> lines_of("a\fb\nc"), "a\fb\nc".splitlines()
    (['a\x0cb', 'c'], ['a', 'b', 'c'])
    """
    found = list(StringIO(text))
    return found if ends else [line.removesuffix("\n") for line in found]


@fixed
class Node:
    """A parse-tree node.

    ``role`` is the grammar rule (or, for a kept keyword or operator, its canonical spelling); ``content`` is the text
    of a leaf as written, "" above the leaves. Two nodes are equal when role, content and children are: where they
    stood in a file does not matter.
    """

    role: str
    content: str = ""
    children: tuple[Node, ...] = ()
    location: Location | None = field(default=None, compare=False)

    def walk(self) -> Iterator[Node]:
        """This node and all below it in pre-order: the n-th one met (from 1) is node n of the seed's figures.

        >>> [node.role for node in Node("with", "", (Node("expression", "", (Node("value", "1"),)), Node("IF"))).walk()]
        ['with', 'expression', 'value', 'IF']
        """
        # Nested generators would hand every node up through all levels above it.
        pending = [self]
        while pending:
            node = pending.pop()
            yield node
            if node.children:
                pending += node.children[::-1]

    def all(self, role: str) -> tuple[Node, ...]:
        """Children with the given role, in order."""
        return tuple([child for child in self.children if child.role == role])

    def first(self, role: str) -> Node | None:
        """The first child with the given role, if any."""
        for child in self.children:
            if child.role == role:
                return child
        return None

    @property
    def text(self) -> str:
        """Content of a leaf; of anything else the contents of its leaves, joined by dots (day, month and year)."""
        # A grammar may read a date as one leaf or as three: both mean the same, so both give the same text.
        if not self.children:
            return self.content
        return ".".join(child.text for child in self.children)


class CopyNode(Node):
    """A POPULATE that only copies, ``POPULATE T.A WITH S.X``, as most do.

    It equals the tree of six nodes that it is. The five below it are made when they are asked for, which hardly any
    stage does: names and places are all there is to it. ``with_at`` is the place of its WITH.

    >>> copy = CopyNode("T.A", "S.X", None, None, None)
    >>> [(node.role, node.content) for node in copy.walk()]  # doctest: +NORMALIZE_WHITESPACE
    [('populate', ''), ('attribute', 'T.A'), ('with', ''), ('expression', ''), ('computation', ''),
     ('attribute', 'S.X')]
    """

    __slots__ = ("_below", "filled", "filled_at", "location", "source", "source_at", "with_at")
    role = "populate"
    content = ""
    __repr__ = Node.__repr__

    def __init__(
        self,
        filled: str,
        source: str,
        filled_at: Location | None,
        with_at: Location | None,
        source_at: Location | None,
    ) -> None:
        self.filled = filled
        self.source = source
        self.filled_at = filled_at
        self.with_at = with_at
        self.source_at = source_at
        # It stands where the first of what is below it stands.
        later = with_at is None or (filled_at is not None and filled_at <= with_at)
        self.location = filled_at if later else with_at  # type: ignore[misc]
        self._below: tuple[Node, ...] = ()

    @property
    def children(self) -> tuple[Node, ...]:
        """The attribute that is filled, and the WITH; the same nodes each time."""
        if not self._below:
            value = Node("attribute", self.source, (), self.source_at)
            for role in ("computation", "expression"):
                value = Node(role, "", (value,), self.source_at)
            given = Node("with", "", (value,), self.with_at)
            self._below = Node("attribute", self.filled, (), self.filled_at), given
        return self._below

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CopyNode):
            return self.filled == other.filled and self.source == other.source
        if isinstance(other, Node):
            return other.role == self.role and not other.content and other.children == self.children
        return NotImplemented

    def __hash__(self) -> int:
        return hash((self.role, self.content, self.children))

    def __reduce__(self) -> tuple[Any, ...]:
        return CopyNode, (self.filled, self.source, self.filled_at, self.with_at, self.source_at)
