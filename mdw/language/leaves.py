"""What stands at the ends of expressions: names as written -> names as the rules know them, and functions by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mdw.language.arms import source_of
from mdw.language.constants import unquote
from mdw.model.collations import COLLATE
from mdw.model.expressions import Attr
from mdw.model.name import canonical, entity_of, local_of
from mdw.model.rules import Source
from mdw.model.tree import Node

WRAPPING = ("expression", "computation")
"""Nodes that may hold no more than one other."""

Names = Callable[[str], str]
"""The name by which the rules know an attribute, from the one that is written."""


def unwrapped(node: Node) -> Node:
    """The first node below that does not only hold another one."""
    while len(node.children) == 1 and node.role in WRAPPING:
        node = node.children[0]
    return node


def copy_of(name: str) -> tuple[Attr, tuple[Source]]:
    """An attribute as a value, and the use of it."""
    return Attr(name), (source_of(name, "IDENTITY"),)


def called(node: Node) -> tuple[str, Sequence[Node]]:
    """Name and arguments of a ``function`` node; one without arguments is a leaf."""
    if not node.children:
        return node.content.upper(), ()
    return node.children[0].content, node.children[1:]


def collation_of(node: Node) -> str:
    """The collation that a value is to be compared by, "" where its node tells none."""
    name, arguments = called(inner) if (inner := unwrapped(node)).role == "function" else ("", ())
    return unquote(arguments[1].text) if name == COLLATE and len(arguments) == 2 else ""


def named_in(roles: Mapping[str, str]) -> Names:
    """Names as the rules know them: ``roles`` has for each role, or entity without one, the row it stands for."""

    def name(text: str) -> str:
        written = canonical(text)
        entity = entity_of(written)
        row = roles.get(entity)
        return f"{row}.{local_of(written)}" if row and row != entity else written

    return name
