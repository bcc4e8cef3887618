"""Parts of a mapping tree -> their canonical text on one line: expressions, conditions, entities.

Keywords are upper case, names and constants as written, parentheses only where precedence needs them.

>>> from mdw.language.mapping import read_condition, read_expression
>>> expression_text(read_expression("(a.x)-(a.y - 1)"))
'a.x - (a.y - 1)'
>>> condition_text(read_condition("(a.x=1 or case when a.y = 2 then 3 end=4) and (a.z=3)"))
'(a.x = 1 OR CASE WHEN a.y = 2 THEN 3 END = 4) AND a.z = 3'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from mdw.model.collations import COLLATE
from mdw.model.function_names import FLOATING, WAY
from mdw.model.text import computed_text
from mdw.model.tree import Node

FUNCTIONS = {"sumof": "SUM", "sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}
LOOSE = {"AND": ("AND", "OR"), "OR": ("OR",), "NOT": ("AND", "OR")}  # what needs parentheses below what
# A number of eight digits that would be read as a day: 31122013.
DATELIKE = re.compile(r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{4}")

INNER = re.compile(r"""\bTEST\(|"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|`@(?P<row>[^`]+?)(?: \d+)?`\.(?P<of>\w+)|`[^`]*`""")
"""Words of the language that say nothing to people: tests as values, the rows that variables of programs hold."""

Place = Literal["whole", "value", "piece"]
"""Where an expression stands: behind a WITH; as an argument or a side of a comparison; as a piece of ||."""
BARE = ("attribute", "value", "date", "aggregation")
"""What behind a WITH is a computation of one operand, as it stands."""


def expression_text(node: Node) -> str:
    """The canonical text of an expression or any part of one."""
    children, role = node.children, node.role
    if not children:
        return _leaf(node)
    if write := WRITERS.get(role):
        return write(node)
    if role in FUNCTIONS:
        return f"{FUNCTIONS[role]}({distinct(children)}{_values(children[-1:])})"
    if len(children) == 1:
        return expression_text(children[0])
    return ("-" if len(children[0].content) == 4 else ".").join([part.content for part in children])  # parts of a date


def condition_text(node: Node) -> str:
    """The canonical text, on one line, of a condition or any part of one."""
    if node.role == "comparison":
        return _comparison(node)
    operator, *parts = node.children
    if not parts:
        return condition_text(operator)
    if operator.role == "NOT":
        return f"NOT {_part(parts[0], operator.role)}"
    return f" {operator.role} ".join([_part(part, operator.role) for part in parts])


def shown_condition(node: Node) -> str:
    """The text of a condition for people: words that only the language needs are left out; "" if nothing is left.

    >>> from mdw.language.mapping import read_condition
    >>> shown_condition(read_condition("FLOAT_MULTIPLY(FLOAT_ADD(S.A, 1), S.B) > 5"))
    '(S.A + 1) * S.B > 5'
    >>> shown_condition(read_condition("TEST(`@n 2`.n = 1) IS NOT TRUE AND `@row`.k = S.K AND :this_way IS TRUE"))
    '(n = 1) IS NOT TRUE AND row.k = S.K'
    """
    text = condition_text(node)
    if f":{WAY.lower()}" in text:
        known = _sure(node)
        text = condition_text(known) if known else ""
    elif any(name in text for name in (COLLATE, *FLOATING)):
        text = condition_text(_plain(node))
    return INNER.sub(_spoken, text) if "TEST(" in text or "`@" in text else text


def _sure(node: Node) -> Node | None:
    """The condition without what only some ways through a program ask; None if nothing is left of it."""
    if node.role != "comparison":
        operator, *parts = node.children
        if not parts:
            return _sure(operator)
        kept = [one for one in map(_sure, parts) if one is not None]
        if len(kept) == len(parts):
            return node
        if operator.role != "AND" or not kept:
            return None
        return kept[0] if len(kept) == 1 else Node(node.role, node.content, (operator, *kept), node.location)
    return None if f":{WAY.lower()}" in condition_text(node) else node


def _spoken(found: re.Match[str]) -> str:
    """A variable of a program by its name, and a test as SQL has it."""
    if found["row"]:
        return found["of"] if found["row"] == found["of"].lower() else f"{found['row']}.{found['of']}"
    return "(" if found[0] == "TEST(" else found[0]


def _plain(node: Node) -> Node:
    children = tuple([_plain(child) for child in node.children])
    if node.role == "function" and len(children) == 3 and children[0].content == COLLATE:
        return children[1]
    if node.role == "function" and len(children) == 3 and (op := FLOATING.get(children[0].content)):
        return Node("computation", "", (Node(op, op), *children[1:]), node.location)
    if node.role == "computation" and len(children) == 1 and children[0].role == "computation":
        return children[0]
    return Node(node.role, node.content, children, node.location)


def value_text(node: Node, place: Place = "value") -> str:
    """The canonical text of an expression in its place, in parentheses where it could not be read without."""
    text = expression_text(node)
    return f"({text})" if enclosed(node, place) else text


def enclosed(node: Node, place: Place) -> bool:
    """Whether an expression stands in parentheses in its place."""
    # A computation of one operand was written in parentheses, unless it stands behind a WITH.
    if node.role == "computation":
        alone = len(node.children) == 1
        return place == "piece" or (alone and not (place == "whole" and node.children[0].role in BARE))
    return place == "piece" and node.role == "concatenation"


def loose(node: Node, operator: str) -> bool:
    """Whether a part of a condition binds less tightly than its place below an operator asks for."""
    return node.children[0].role in LOOSE[operator]


def distinct(children: Sequence[Node]) -> str:
    """The word before the argument of an aggregation of which equal values count once."""
    return "DISTINCT " if children[0].role == "DISTINCT" else ""


def operator_of(node: Node) -> str:
    """The operator of an operand of a computation, "" if it is not computed itself; a concatenation binds least."""
    if node.role == "concatenation":
        return "||"
    return node.children[0].role if node.role == "computation" and len(node.children) == 3 else ""


def _computation(node: Node) -> str:
    operator, *operands = node.children
    if not operands:
        return expression_text(operator)
    left, right = [(expression_text(operand), operator_of(operand)) for operand in operands]
    return computed_text(operator.role, left, right)


def _part(node: Node, operator: str) -> str:
    text = condition_text(node)
    return f"({text})" if loose(node, operator) else text


def _comparison(node: Node) -> str:
    operator, subject, *operands = node.children
    word = operator.role
    if word == "EXISTS":
        return f"EXISTS({subject.content})"
    left, texts = value_text(subject), [value_text(operand) for operand in operands]
    # One text for all other operators: `= b`, `LIKE "a%"`, `BETWEEN 1 AND 5`, and `IS NULL`, which has no operand.
    if word.endswith("IN"):
        return f"{left} {word} ({', '.join(texts)})"
    return " ".join([left, word, *([" AND ".join(texts)] if texts else [])])


def _values(nodes: Sequence[Node]) -> str:
    return ", ".join([value_text(node) for node in nodes])


def _concatenation(node: Node) -> str:
    return " || ".join([value_text(part, "piece") for part in node.children])


def _function(node: Node) -> str:
    name, *arguments = node.children
    return f"{name.content}({_values(arguments)})"


def _cast(node: Node) -> str:
    value, kind = node.children
    return f"CAST({value_text(value)} AS {kind.content})"


def _case(node: Node) -> str:
    return f"CASE {' '.join([expression_text(branch) for branch in node.children])} END"


def _when(node: Node) -> str:
    asked, given = node.children
    return f"WHEN {condition_text(asked)} THEN {value_text(given)}"


def _aggregate(node: Node) -> str:
    return f"AGGREGATE {distinct(node.children)}{expression_text(node.children[-1])}"


def _window(node: Node) -> str:
    function, *clauses = node.children
    return f"{expression_text(function)} OVER ({' '.join([expression_text(clause) for clause in clauses])})"


WRITERS: Mapping[str, Callable[[Node], str]] = {
    "expression": lambda node: value_text(node.children[0], "whole"),
    "computation": _computation,
    "concatenation": _concatenation,
    "substring": lambda node: f"SUBSTR({_values(node.children)})",
    "function": _function,
    "cast": _cast,
    "case": _case,
    "when": _when,
    "otherwise": lambda node: f"ELSE {value_text(node.children[0])}",
    "test": lambda node: f"TEST({condition_text(node.children[0])})",
    "field": lambda node: f"FIELD({_values(node.children)})",
    "opaque": lambda node: f"OPAQUE({_values(node.children)})",
    "aggregate": _aggregate,
    "window": _window,
    "partition": lambda node: f"PARTITION BY {_values(node.children)}",
    "ordering": lambda node: f"ORDER BY {_values(node.children)}",
}
"""How nodes that have children are written, by role."""


def _leaf(node: Node) -> str:
    """The leaf as written, unless it would be read as something else: a number as a date, a name as a label."""
    content, role = node.content, node.role
    if role == "value" and DATELIKE.fullmatch(content):
        return f"{content}.0"
    if role == "entity" and content.upper() == "ENTITY":
        return f"`{content.upper()}`"
    if role == "function":
        return f"{content}()"
    if role == "count":
        return f"COUNT({content})"
    return f"FRAME {content}" if role == "frame" else content
