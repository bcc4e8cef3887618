"""Mapping tree -> canonical mapping text; reading the text gives the same tree.

Keywords are upper case, names and constants as written, parentheses only where precedence needs them.

>>> from mdw.language.mapping import read_condition, read_expression
>>> expression_text(read_expression("(a.x)-(a.y - 1)"))
'a.x - (a.y - 1)'
>>> condition_text(read_condition("(a.x=1 or a.y = 2) and (a.z=3)"))
'(a.x = 1 OR a.y = 2) AND a.z = 3'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from mdw.model.text import computed_text
from mdw.model.tree import Location, Node

WIDTH = 100
FUNCTIONS = {"sumof": "SUM", "sum": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}
LOOSE = {"AND": ("AND", "OR"), "OR": ("OR",), "NOT": ("AND", "OR")}  # what needs parentheses below what
# A number of eight digits that would be read as a day: 31122013.
DATELIKE = re.compile(r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{4}")


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
        match node.role:
            case "name":
                yield Line(f"MAPPING {node.content}:", node.location)
            case "population":
                yield from _population(node)
            case "filter":
                yield from _wrapped("SELECT ROWS WHERE ", node.children[0], "  ")
            case "navigation":
                yield from _navigation(node)


def expression_text(node: Node) -> str:
    """The canonical text of an expression or any part of one."""
    children = node.children
    if not children:
        return _leaf(node)
    if len(children) == 1:
        inner = expression_text(children[0])
        function = FUNCTIONS.get(node.role)
        return f"{function}({inner})" if function else inner
    if node.role == "computation":
        return _computation(node)
    if node.role == "concatenation":
        return " || ".join([expression_text(part) for part in children])
    if node.role == "substring":
        return f"SUBSTR({', '.join([expression_text(part) for part in children])})"
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


def _population(node: Node) -> Iterator[Line]:
    target, driving, *populates = node.children
    ends = f"WHEN POPULATING {expression_text(target)} FROM {expression_text(driving)}"
    yield Line(ends, target.location)
    for populate in populates:
        attribute, *clauses = populate.children
        lead = f"  POPULATE {expression_text(attribute)}"
        # One clause without an IF, by far the most frequent kind, stands on the line of its POPULATE.
        whole = f"{lead} WITH {expression_text(clauses[0])}"
        if len(clauses) == len(clauses[0].children) == 1 and len(whole) <= WIDTH:
            yield Line(whole, attribute.location)
            continue
        yield Line(lead, attribute.location)
        for clause in clauses:
            yield from _clause(clause)


def _clause(node: Node) -> Iterator[Line]:
    expression, *conditions = node.children
    text = f"    WITH {expression_text(expression)}"
    for condition in conditions:
        whole = f"{text} IF {condition_text(condition)}"
        if len(whole) > WIDTH:
            yield Line(text, node.location)
            yield from _wrapped("      IF ", condition, "        ")
            return
        text = whole
    yield Line(text, node.location)


def _wrapped(lead: str, condition: Node, indent: str) -> Iterator[Line]:
    """The condition on one line, or on one for each of its parts if it is long."""
    # Nodes that only wrap another say nothing of how the condition is put together.
    top = condition
    while len(top.children) == 1:
        top = top.children[0]
    operator, *parts = top.children
    text = condition_text(condition)
    if len(lead) + len(text) <= WIDTH or operator.role not in ("AND", "OR"):
        yield Line(lead + text, condition.location)
        return
    for part in parts:
        yield Line(lead + _part(part, operator.role), part.location)
        lead = f"{indent}{operator.role} "


def _navigation(node: Node) -> Iterator[Line]:
    start, end, *pairs = node.children
    lead = f"NAVIGATE FROM {expression_text(start)} TO {expression_text(end)}"
    texts = [" = ".join([expression_text(side) for side in pair.children]) for pair in pairs]
    whole = f"{lead} USING {', '.join(texts)}"
    if len(whole) <= WIDTH:
        yield Line(whole, node.location)
        return
    yield Line(lead, node.location)
    indent = "  USING "
    for number, (pair, text) in enumerate(zip(pairs, texts, strict=True), 1):
        yield Line(indent + text + ("," if number < len(pairs) else ""), pair.location)
        indent = "    "


def _computation(node: Node) -> str:
    operator, *sides = node.children
    left, right = [(expression_text(side), _operator(side)) for side in sides]
    return computed_text(operator.role, left, right)


def _operator(node: Node) -> str:
    return node.children[0].role if len(node.children) == 3 else ""


def _part(node: Node, operator: str) -> str:
    """A part of a condition, in parentheses if it binds less tightly than its place asks for."""
    text = condition_text(node)
    return f"({text})" if node.children[0].role in LOOSE[operator] else text


def _comparison(node: Node) -> str:
    operator, subject, *operands = node.children
    left, word = expression_text(subject), operator.role
    texts = [expression_text(operand) for operand in operands]
    # One text for all other operators: `= b`, `LIKE "a%"`, `BETWEEN 1 AND 5`, and `IS NULL`, which has no operand.
    if word.endswith("IN"):
        return f"{left} {word} ({', '.join(texts)})"
    return " ".join([left, word, *([" AND ".join(texts)] if texts else [])])


def _leaf(node: Node) -> str:
    """The leaf as written, unless it would be read as something else: a number as a date, a name as a label."""
    content = node.content
    if node.role == "value" and DATELIKE.fullmatch(content):
        return f"{content}.0"
    if node.role == "entity" and content.upper() == "ENTITY":
        return f"`{content.upper()}`"
    return content
