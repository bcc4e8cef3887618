"""Whether the mapping language has a tree that was not read from text: by the shape of each clause, each shape once.

A tree from tables may be anything, `AND` of one part or a SUM of a date. To be sure that it means something it is
written as text and read back, which is slow. But whether that works depends on its roles alone, not on names and
values, and the clauses of a warehouse have few shapes:

>>> from mdw.language.mapping import read_condition
>>> _shape(read_condition("S.B = 1")) == _shape(read_condition("T.`any name` = 42"))
True
>>> known(_shape(read_condition("S.B = 1"))), known((("condition", 1), ("SUM", 1), ("date", 0)))
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from re import Match

from mdw.language.checks import check
from mdw.language.chunks import Chunk
from mdw.language.mapping import MAPPING_GRAMMAR, parser_of, terminal
from mdw.language.unparse import unparse
from mdw.language.wording import condition_text, expression_text
from mdw.model.errors import InputError
from mdw.model.tree import Node

LEAVES = {
    "name": "NAME", "dialect": "NAME", "entity": "NAME", "role": "NAME", "attribute": "QUALIFIED", "string": "STRING",
    "value": "NUMBER", "date": "DATE", "type": "STRING", "frame": "STRING", "parameter": "PARAMETER",
    "function": "FUNCTION", "truth": "TRUE FALSE", "null": "NULL", "inner": "INNERENTITY", "count": "STAR",
    "distinct": "DISTINCT", "grouping": "NOTHING", "others": "CARRY OPEN CLOSED LISTED",
}  # fmt: skip
SAMPLES = {
    "attribute": "E.A", "string": '"text"', "value": "1", "date": "2015-01-31", "role": "R", "entity": "E",
    "type": '"INT"', "frame": '"ROWS"', "parameter": ":p", "function": "F", "truth": "TRUE", "null": "NULL",
    "count": "*", "distinct": "DISTINCT", "grouping": "()", "others": "CARRY",
}  # fmt: skip
ORDER = ("name", "dialect", "population", "filter", "join", "grouping", "having", "qualify", "distinct", "ordering",
         "limit", "others")  # fmt: skip
"""The clauses of a mapping in the order of the grammar; among the joins are the navigations."""
PLACES = {**{role: place for place, role in enumerate(ORDER)}, "navigation": ORDER.index("join")}
CLAUSES = ORDER[4:]
ENDS = (Node("targetentity", "", (Node("entity", "E"),)), Node("drivingentity", "", (Node("entity", "E"),)))

Shape = tuple[tuple[str, int], ...]


def confirm(tree: Node) -> None:
    """InputError, saying what is wrong, unless a text of the mapping language is read as this tree."""
    places = [PLACES[child.role] for child in tree.children]
    if places != sorted(places):
        raise InputError(f"its clauses do not stand in order: {', '.join(child.role for child in tree.children)}")
    for child in tree.children:
        if child.role in CLAUSES:
            _clause(child)
    for child in tree.children:
        if child.role == "population":
            # Of each POPULATE all is confirmed as it is made.
            for part in child.children:
                if part.role != "populate":
                    _leaves(part)
        elif child.role not in CLAUSES and child.role != "filter":
            _leaves(child)
    for finding in check(tree):
        raise InputError(finding.message, hint=finding.hint)


def confirm_clause(is_known: bool, clause: str, made: Node, leaves: Iterable[Node]) -> None:
    """The same of what an expression or a condition is made of: whether its shape is known, and its leaves."""
    if not is_known:
        raise InputError(_strange(clause, made.walk()))
    for leaf in leaves:
        confirm_leaf(leaf.role, leaf.content)


def confirm_leaf(role: str, content: str) -> None:
    """The same of a leaf, by its role and what it says."""
    if said := _wrong(role, content):
        raise InputError(said)


def _leaves(node: Node) -> None:
    """Leaves outside of clauses, and clauses among them."""
    pending = [node]
    while pending:
        one = pending.pop()
        if one.role in ("expression", "condition"):
            _clause(one)
        elif one.children:
            pending += one.children[::-1]
        else:
            confirm_leaf(one.role, one.content)


def _strange(clause: str, made: Iterable[Node]) -> str:
    return f"the mapping language has no {clause} made of: {' '.join(one.role for one in made)}"


def _clause(node: Node) -> None:
    """Where its shape is one of the language, so are those of all clauses within it."""
    shape, wrong = [], ""
    for one in node.walk():
        shape.append((one.role, len(one.children)))
        if not one.children:
            wrong = wrong or _wrong(one.role, one.content)
    if not known(tuple(shape)):
        raise InputError(_strange(node.role, [*node.walk()][1:]))
    if wrong:
        raise InputError(wrong)


def _shape(node: Node) -> Shape:
    return tuple([(one.role, len(one.children)) for one in node.walk()])


@lru_cache(maxsize=1 << 12)
def known(shape: Shape) -> bool:
    """Whether text of this shape is read as a tree of this shape."""
    sample = _sample(iter(shape))
    try:
        if sample.role == "expression":
            return _shape(_read(expression_text(sample), sample.role)) == shape
        if sample.role == "condition":
            return _shape(_read(condition_text(sample), sample.role)) == shape
        whole = _read(unparse(Node("mapping", "", (Node("population", "", ENDS), sample))), "mapping")
        return _shape(whole.children[1]) == shape
    except (InputError, ValueError, LookupError):  # what has no text, or another one
        return False


def _read(text: str, start: str) -> Node:
    # By the grammar alone: samples name rows that no mapping reads.
    return parser_of(MAPPING_GRAMMAR).tree(Chunk(text), "", start)


def _sample(shape: Iterator[tuple[str, int]]) -> Node:
    # A shape is in pre-order with numbers of children, so one pass over it gives the tree.
    role, count = next(shape)
    return Node(role, "" if count else SAMPLES.get(role, role), tuple([_sample(shape) for _ in range(count)]))


def _wrong(role: str, content: str) -> str:
    """What is wrong with a leaf, or nothing."""
    if role not in LEAVES:
        return "" if content == role else f"the operator {role} is written {content}"
    # What a function is called is one only before a parenthesis.
    text = f"{content}(" if role == "function" else content
    for match in _matching(role):
        found = match(text)
        if found is not None and found.end() == len(content):
            return ""
    return f"{content} is no {role}"


@cache
def _matching(role: str) -> tuple[Callable[[str], Match[str] | None], ...]:
    """What each terminal matches that a leaf of a role may be."""
    return tuple([terminal(kind).match for kind in LEAVES[role].split(" ")])
