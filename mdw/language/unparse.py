"""Mapping tree -> canonical mapping text; reading the text gives the same tree.

What fits on a line stands on one. What does not is cut into the pieces it is made of, each on a line of its own, and
these into theirs:

>>> from mdw.language.mapping import read
>>> joined = " AND ".join(f"S.SOME_KEY_{number} = R.SOME_KEY_{number}" for number in range(4))
>>> (tree,) = read(f"when populating T from S populate T.A with S.A + R.A left join R on {joined}").trees
>>> print(unparse(tree), end="")
WHEN POPULATING T FROM S
  POPULATE T.A WITH S.A + R.A
LEFT JOIN R
  ON S.SOME_KEY_0 = R.SOME_KEY_0
    AND S.SOME_KEY_1 = R.SOME_KEY_1
    AND S.SOME_KEY_2 = R.SOME_KEY_2
    AND S.SOME_KEY_3 = R.SOME_KEY_3
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mdw.language.pieces import CLAUSES, named, pieces
from mdw.language.wording import condition_text, expression_text
from mdw.model.tree import Location, Node

WIDTH = 100
CONDITIONS = ("condition", "conditioncomp", "comparison")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of canonical text and where the first thing on it stood when it was read."""

    text: str
    location: Location | None


def unparse(tree: Node) -> str:
    """The canonical text of a mapping tree, ending in a newline."""
    return "\n".join([line.text for line in layout(tree)]) + "\n"


def layout(tree: Node) -> Iterator[Line]:
    """The lines of a mapping's canonical text."""
    for node in tree.children:
        if node.role == "name":
            yield Line(f"MAPPING {node.content}:", node.location)
        elif node.role == "population":
            yield from _population(node)
        else:
            yield from _lines(node, "")


def _population(node: Node) -> Iterator[Line]:
    # Only UPDATING and DELETING leave a word in the tree.
    word = "POPULATING" if node.children[0].children else node.children[0].role
    target, driving, *populates = [child for child in node.children if child.children]
    yield Line(f"WHEN {word} {named(target)} FROM {named(driving)}", target.location)
    for populate in populates:
        attribute, *clauses = populate.children
        lead = f"  POPULATE {expression_text(attribute)}"
        # One clause without an IF, by far the most frequent kind, stands on the line of its POPULATE.
        whole = f"{lead} {part_text(clauses[0])}"
        if len(clauses) == len(clauses[0].children) == 1 and len(whole) <= WIDTH:
            yield Line(whole, attribute.location)
            continue
        yield Line(lead, attribute.location)
        for clause in clauses:
            yield from _lines(clause, "    ")


def _lines(node: Node, indent: str, before: str = "", behind: str = "") -> Iterator[Line]:
    """A part of a mapping on one line or, if that were too long and it can be cut, each of its pieces on its own."""
    whole = indent + before + part_text(node) + behind
    cut = pieces(node) if len(whole) > WIDTH else ()
    if not cut:
        yield Line(whole, node.location)
        return
    last = len(cut) - 1
    for number, piece in enumerate(cut):
        lead, tail = before * (number == 0) + piece.before, piece.behind + behind * (number == last)
        inner = indent + "  " * piece.depth
        if piece.node is None:
            yield Line(inner + lead + tail, _behind(node) if number else node.location)
        else:
            yield from _lines(piece.node, inner, lead, tail)


def _behind(node: Node) -> Location | None:
    """A place behind the last leaf of a node and before any other: where a line stands that only closes something."""
    while node.children:
        node = node.children[-1]
    where = node.location
    return where and where._replace(column=where.column + 1)


def part_text(node: Node) -> str:
    """The text of any part of a mapping on one line."""
    if node.role in CONDITIONS:
        return condition_text(node)
    if node.role in CLAUSES:
        return " ".join([one.before + (part_text(one.node) if one.node else "") + one.behind for one in pieces(node)])
    return expression_text(node)
