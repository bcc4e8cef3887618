"""Whether the mapping language has a tree that was not read from text: by the shape of each clause, each shape once.

A tree from tables may be anything, `AND` of one part or a SUM of a date. To be sure that it means something it is
written as text and read back, which is slow. But whether that works depends on its roles alone, not on names and
values, and the clauses of a warehouse have few shapes:

>>> from mdw.language.mapping import read_condition
>>> _shape(read_condition("S.B = 1")) == _shape(read_condition("T.`any name` = 42"))
True
>>> _known(_shape(read_condition("S.B = 1"))), _known((("condition", 1), ("SUM", 1), ("date", 0)))
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from mdw.language.checks import check
from mdw.language.mapping import read_condition, read_expression, terminal
from mdw.language.wording import condition_text, expression_text
from mdw.model.errors import InputError
from mdw.model.tree import Node

LEAVES = {
    "name": "NAME", "entity": "NAME", "attribute": "QUALIFIED", "string": "STRING", "value": "NUMBER", "date": "DATE",
}  # fmt: skip
SAMPLES = {"attribute": "E.A", "string": '"text"', "value": "1", "date": "2015-01-31"}

Shape = tuple[tuple[str, int], ...]


def confirm(tree: Node) -> None:
    """InputError, saying what is wrong, unless a text of the mapping language is read as this tree."""
    for node in tree.walk():
        if node.role in ("expression", "condition"):
            _clause(node)
        elif not node.children:
            _leaf(node)
    for finding in check(tree):
        raise InputError(finding.message, hint=finding.hint)


def _clause(node: Node) -> None:
    shape = _shape(node)
    if not _known(shape):
        roles = " ".join(role for role, _ in shape[1:])
        raise InputError(f"the mapping language has no {node.role} made of: {roles}")


def _shape(node: Node) -> Shape:
    return tuple([(one.role, len(one.children)) for one in node.walk()])


@lru_cache(maxsize=1 << 12)
def _known(shape: Shape) -> bool:
    """Whether text of this shape is read as a tree of this shape."""
    sample = _sample(iter(shape))
    try:
        if sample.role == "expression":
            return _shape(read_expression(expression_text(sample))) == shape
        return _shape(read_condition(condition_text(sample))) == shape
    except (InputError, ValueError, LookupError):  # what has no text, or another one
        return False


def _sample(shape: Iterator[tuple[str, int]]) -> Node:
    # A shape is in pre-order with numbers of children, so one pass over it gives the tree.
    role, count = next(shape)
    return Node(role, "" if count else SAMPLES.get(role, role), tuple([_sample(shape) for _ in range(count)]))


def _leaf(node: Node) -> None:
    kind = LEAVES.get(node.role)
    if kind is None:
        if node.content != node.role:
            raise InputError(f"the operator {node.role} is written {node.content}")
    elif not terminal(kind).fullmatch(node.content):
        raise InputError(f"{node.content} is no {node.role}")
