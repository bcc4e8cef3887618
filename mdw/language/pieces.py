"""The pieces that a part of a mapping tree is made of: each stands on a line of its own where the whole is too long.

>>> from mdw.language.mapping import read_expression
>>> for piece in pieces(read_expression("CASE WHEN S.A = 1 THEN 2 ELSE COALESCE(S.A, 3) END")):
...     print(piece.depth, piece.before + (expression_text(piece.node) if piece.node else "") + piece.behind)
0 CASE
1 WHEN S.A = 1 THEN 2
1 ELSE COALESCE(S.A, 3)
0 END
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdw.language.wording import FUNCTIONS, LOOSE, Place, distinct, enclosed, expression_text, loose, operator_of
from mdw.model.text import STRENGTH
from mdw.model.tree import Node

WRAPPERS = ("expression", "condition", "conditioncomp", "computation", "aggregation")
"""Roles of nodes that may only wrap another and then say nothing of how the text is put together."""


class Piece(NamedTuple):
    """What stands on a line of its own where the whole is too long: words, perhaps around a node.

    ``depth`` is how much further in than the whole it stands.
    """

    depth: int
    before: str
    node: Node | None = None
    behind: str = ""


def pieces(node: Node) -> Sequence[Piece]:
    """The pieces of a part of a mapping, none if it cannot be cut."""
    while len(node.children) == 1 and node.role in WRAPPERS:
        if node.role == "expression" and enclosed(node.children[0], "whole"):
            return [_placed(0, "", node.children[0], "", "whole")]
        node = node.children[0]
    cut = CLAUSES.get(node.role) or CUTS.get(node.role)
    if cut:
        return cut(node)
    if node.role in FUNCTIONS and node.children:
        return _called(f"{FUNCTIONS[node.role]}({distinct(node.children)}", node.children[-1:])
    return ()


def named(node: Node) -> str:
    """The entity of a node, INNER before it and its role behind it where there are such."""
    words = {"inner": "INNER ", "role": " AS "}
    parts = [child for child in node.children if child.role in ("inner", "entity", "role")]
    return "".join([words.get(part.role, "") + expression_text(part) * (part.role != "inner") for part in parts])


# -- clauses of a mapping ----------------------------------------------------------------------------------------------


def _word_and_condition(word: str) -> Callable[[Node], list[Piece]]:
    return lambda node: [Piece(0, word, node.children[0])]


def _with(node: Node) -> list[Piece]:
    expression, *conditions = node.children
    return [Piece(0, "WITH ", expression), *[Piece(1, "IF ", condition) for condition in conditions]]


def _navigation(node: Node) -> list[Piece]:
    start, end, *pairs = node.children
    found = [Piece(0, f"NAVIGATE FROM {expression_text(start)} TO {expression_text(end)}")]
    for number, pair in enumerate(pairs):
        comma = "," * (number + 1 < len(pairs))
        found.append(Piece(2, "", pair, comma) if number else Piece(1, "USING ", pair, comma))
    return found


def _using(node: Node) -> list[Piece]:
    left, right = node.children
    return [Piece(0, "", left), Piece(1, "= ", right)]


def _join(node: Node) -> list[Piece]:
    found = [Piece(0, f"{node.children[0].role} {named(node)}")]
    return found + [Piece(1, "ON ", condition) for condition in node.all("condition")]


def _grouping(node: Node) -> list[Piece]:
    if not node.children:
        return [Piece(0, f"GROUP BY {node.content}")]
    first, *rest = node.children
    if first.content and first.role == first.content:
        return _listed(f"GROUP BY {first.role} ", rest)
    return _listed("GROUP BY ", node.children)


def _distinct(node: Node) -> list[Piece]:
    return _listed("DISTINCT ROWS ON ", node.children[1:]) if node.children else [Piece(0, "DISTINCT ROWS")]


def _listed(word: str, nodes: Sequence[Node]) -> list[Piece]:
    """Values separated by commas."""
    found = []
    for number, node in enumerate(nodes):
        comma = "," * (number + 1 < len(nodes))
        found.append(_placed(1, "", node, comma) if number else _placed(0, word, node, comma))
    return found


def _placed(depth: int, before: str, node: Node, behind: str = "", place: Place = "value") -> Piece:
    """An expression as a piece, in parentheses where its place asks for them."""
    if enclosed(node, place):
        return Piece(depth, f"{before}(", node, f"){behind}")
    return Piece(depth, before, node, behind)


CLAUSES: Mapping[str, Callable[[Node], list[Piece]]] = {
    "dialect": lambda node: [Piece(0, f"DIALECT {node.content}")],
    "filter": _word_and_condition("SELECT ROWS WHERE "),
    "with": _with,
    "navigation": _navigation,
    "using": _using,
    "join": _join,
    "grouping": _grouping,
    "having": _word_and_condition("HAVING "),
    "qualify": _word_and_condition("QUALIFY "),
    "distinct": _distinct,
    "limit": lambda node: _listed("LIMIT ", node.children),
    "others": lambda node: [Piece(0, f"OTHERS {node.content}")],
}
"""What clauses are made of, by role; on one line the pieces stand one behind the other."""

# -- expressions and conditions ----------------------------------------------------------------------------------------


def _conditioncomp(node: Node) -> list[Piece]:
    operator, *parts = node.children
    if operator.role not in LOOSE:
        return []
    found = []
    for number, part in enumerate(parts):
        lead = f"{operator.role} " if number or operator.role == "NOT" else ""
        opening, closing = ("(", ")") if loose(part, operator.role) else ("", "")
        found.append(Piece(1 if number else 0, lead + opening, part, closing))
    return found


def _comparison(node: Node) -> list[Piece]:
    operator, subject, *operands = node.children
    word = operator.role
    if not operands:
        return [] if word == "EXISTS" else [_placed(0, "", subject, f" {word}")]
    if word.endswith("IN"):
        return [_placed(0, "", subject, f" {word} ("), *_called("", operands)[1:]]
    leads = [f"{word} ", "AND "]
    return [_placed(0, "", subject), *[_placed(1, lead, one) for lead, one in zip(leads, operands, strict=False)]]


def _computation(node: Node) -> list[Piece]:
    operator, *operands = node.children
    level = STRENGTH[operator.role]
    found = []
    for number, operand in enumerate(operands):
        weak = STRENGTH[operator_of(operand)] < level + number
        lead = f"{operator.role} " if number else ""
        found.append(Piece(number, lead + "(" * weak, operand, ")" * weak))
    return found


def _concatenation(node: Node) -> list[Piece]:
    return [
        _placed(min(number, 1), "|| " * (number > 0), part, "", "piece") for number, part in enumerate(node.children)
    ]


def _called(opening: str, nodes: Sequence[Node]) -> list[Piece]:
    """Arguments between parentheses, each on a line of its own."""
    if not nodes:
        return []
    arguments = [_placed(1, "", node, "," * (number < len(nodes))) for number, node in enumerate(nodes, 1)]
    return [Piece(0, opening), *arguments, Piece(0, ")")]


def _case(node: Node) -> list[Piece]:
    return [Piece(0, "CASE"), *[Piece(1, "", branch) for branch in node.children], Piece(0, "END")]


def _when(node: Node) -> list[Piece]:
    asked, given = node.children
    return [Piece(0, "WHEN ", asked), _placed(1, "THEN ", given)]


def _cast(node: Node) -> list[Piece]:
    value, kind = node.children
    return [Piece(0, "CAST("), _placed(1, "", value, f" AS {kind.content}"), Piece(0, ")")]


def _window(node: Node) -> list[Piece]:
    function, *clauses = node.children
    if not clauses:
        return [Piece(0, "", function, " OVER ()")]
    return [Piece(0, "", function, " OVER ("), *[Piece(1, "", clause) for clause in clauses], Piece(0, ")")]


CUTS: Mapping[str, Callable[[Node], list[Piece]]] = {
    "conditioncomp": _conditioncomp,
    "comparison": _comparison,
    "computation": _computation,
    "concatenation": _concatenation,
    "function": lambda node: _called(f"{node.children[0].content}(", node.children[1:]) if node.children else [],
    "field": lambda node: _called("FIELD(", node.children),
    "opaque": lambda node: _called("OPAQUE(", node.children),
    "aggregate": lambda node: [Piece(0, f"AGGREGATE {distinct(node.children)}", node.children[-1])],
    "cast": _cast,
    "case": _case,
    "when": _when,
    "otherwise": lambda node: [_placed(0, "ELSE ", node.children[0])],
    "test": lambda node: [Piece(0, "TEST("), Piece(1, "", node.children[0]), Piece(0, ")")],
    "window": _window,
    "partition": lambda node: _listed("PARTITION BY ", node.children),
    "ordering": lambda node: _listed("ORDER BY ", node.children),
}
"""Where expressions and conditions are cut, by role."""
