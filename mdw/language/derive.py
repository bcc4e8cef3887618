"""Tree -> rules: what a mapping's parse tree says, as values the engine works with.

The one place that knows which role of the mapping language means what (seed 000, Appendix B):

    expression(computation(+, attribute A.X, value 1))    -> Compute("+", Attr("A.X"), Const("number", "1"))
    conditioncomp(AND, conditioncomp(...), ...)           -> And((..., ...))
    comparison(NOT IN, attribute A.X, string "a")         -> Not(In(Attr("A.X"), (Const("string", "a"),)))

Names become canonical, numbers and dates get their one spelling; places and texts are kept where answers quote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from mdw.language.unparse import condition_text
from mdw.model.errors import InputError
from mdw.model.expressions import (
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Like,
    Not,
    Or,
    attributes_of,
    decimal_text,
    parts,
)
from mdw.model.name import canonical
from mdw.model.rules import Clause, Head, Join, Population, Rules, Source, head_sources, unique
from mdw.model.tree import Node

CONSTANTS = ("string", "value", "date")
ARITHMETIC = {"+": "+", "-": "-", "*": "*", "x": "*", "X": "*", "/": "/"}
AGGREGATES = {"sumof": "SUM", "avg": "AVG", "min": "MIN", "max": "MAX", "count": "COUNT"}


def derive(tree: Node, name: str) -> Rules:
    """The rules of one mapping tree; ``name`` identifies the mapping in answers and in the store."""
    population = _child(tree, "population")
    filtering = tree.first("filter")
    condition = filtering.first("condition") if filtering else None
    populations = tuple([_population(node, name) for node in population.all("populate")])
    joins = tuple([_join(node) for node in tree.all("navigation")])
    passing = condition_of(condition) if condition else None
    head = Head(
        mapping=name,
        target=_entity(_child(population, "targetentity")),
        driving=_entity(_child(population, "drivingentity")),
        joins=joins,
        filter=passing,
        filter_text=condition_text(condition) if condition else "",
        filter_line=_line(filtering) if filtering else 0,
        file=tree.location.file if tree.location else "",
        line=_line(tree),
        sources=head_sources(joins, passing, populations),
    )
    return Rules(head, populations)


def name_of(tree: Node, stem: str, ordinal: int = 1) -> str:
    """The mapping's name: its header, else ``stem:TARGET FROM DRIVING``, numbered from the second of a pair on."""
    header = tree.first("name")
    if header is not None:
        return canonical_header(header.text)
    target, driving = ends(tree)
    return f"{stem}:{target} FROM {driving}" + (f" ({ordinal})" if ordinal > 1 else "")


def canonical_header(text: str) -> str:
    """The name a MAPPING header gives, as written without back quotes."""
    return text.strip("`") if text.count("`") == 2 and text.startswith("`") else text


def ends(tree: Node) -> tuple[str, str]:
    """Target and driving entity of a mapping tree, canonical."""
    population = _child(tree, "population")
    return _entity(_child(population, "targetentity")), _entity(_child(population, "drivingentity"))


def condition_of(node: Node) -> Condition:
    """The condition a ``condition``, ``conditioncomp`` or ``comparison`` node stands for."""
    if node.role == "comparison":
        return _comparison(node)
    operator, *rest = node.children
    if operator.role == "NOT":
        return Not(condition_of(rest[0]))
    # A chain of the same operator is one node: A AND B AND C has three parts below one AND.
    if operator.role in ("AND", "OR"):
        parts = tuple(condition_of(part) for part in rest if part.role not in ("AND", "OR"))
        return And(parts) if operator.role == "AND" else Or(parts)
    return condition_of(operator)


def expression_of(node: Node) -> Expression:
    """The expression an ``expression`` node or any node below it stands for."""
    role = node.role
    if role == "attribute":
        return Attr(canonical(node.text))
    if role in CONSTANTS:
        return constant_of(node)
    if role == "concatenation":
        return Concat(tuple(expression_of(part) for part in node.children))
    if role == "substring":
        return Call("SUBSTR", tuple(expression_of(part) for part in node.children))
    if role in AGGREGATES:
        return Aggregate(AGGREGATES[role], expression_of(node.children[0]))
    if role == "computation" and len(node.children) == 3:
        operator, left, right = node.children
        return Compute(ARITHMETIC[operator.role], expression_of(left), expression_of(right))
    # What is left only wraps one node: expression, aggregation, or a computation of a single operand.
    return expression_of(node.children[0])


def constant_of(node: Node) -> Const:
    """The constant a ``string``, ``value`` or ``date`` node stands for."""
    text = node.text
    if node.role == "string":
        return Const("string", unquote(text))
    if node.role == "value":
        return Const("number", decimal_text(Decimal(text)))
    try:
        return Const("date", date_of(text).isoformat())
    except ValueError as error:
        raise InputError(f"{text} is not a date: {error}", location=node.location) from error


def unquote(text: str) -> str:
    """The characters of a quoted string.

    >>> unquote('"say \\\\"hi\\\\""'), unquote("'it''s'")
    ('say "hi"', "it's")
    """
    if text.startswith('"'):
        return re.sub(r"\\(.)", r"\1", text[1:-1], flags=re.DOTALL)
    return text[1:-1].replace("''", "'")


def date_of(text: str) -> date:
    """A date written DD.MM.YYYY, D.M.YYYY, DDMMYYYY or YYYY-MM-DD; ValueError if there is no such day.

    A grammar that takes dates apart gives their parts joined by dots, so the year may also lead.

    >>> date_of("01010001"), date_of("1.1.0001"), date_of("2015-01-31") == date_of("2015.01.31")
    (datetime.date(1, 1, 1), datetime.date(1, 1, 1), True)
    """
    if "-" in text or text.find(".") == 4:
        return date.fromisoformat(text.replace(".", "-"))
    if "." in text:
        day, month, year = text.split(".")
        return date(int(year), int(month), int(day))
    digits = text
    return date(int(digits[4:]), int(digits[2:4]), int(digits[:2]))


def _population(node: Node, mapping: str) -> Population:
    target = canonical(_child(node, "attribute").text)
    return Population(mapping, target, tuple([_clause(clause) for clause in node.all("with")]))


def _clause(node: Node) -> Clause:
    expression = expression_of(_child(node, "expression"))
    written = node.first("condition")
    condition = condition_of(written) if written else None
    # Only a bare attribute is passed on unchanged; OpenLineage calls everything else a transformation.
    if isinstance(expression, Attr):
        sources = [Source(expression.name, "IDENTITY")]
    else:
        values = _values(expression, inside=False)
        sources = [Source(name, "AGGREGATION" if inside else "TRANSFORMATION") for name, inside in values]
    if condition is not None:
        sources += [Source(name, "CONDITIONAL") for name in attributes_of(condition)]
    place = node.location
    return Clause(
        expression,
        condition,
        condition_text(written) if written else "",
        place.line if place else 0,
        place.column if place else 0,
        unique(sources),
    )


def _values(expression: Expression | Condition, *, inside: bool) -> Iterator[tuple[str, bool]]:
    """Attributes whose value flows into the expression, each with whether an aggregation takes it in."""
    if isinstance(expression, Attr):
        yield expression.name, inside
    for part in parts(expression):
        yield from _values(part, inside=inside or isinstance(expression, Aggregate))


def _comparison(node: Node) -> Condition:
    operator, *operands = node.children
    subject = expression_of(operands[0])
    rest = operands[1:]
    # The grammar reads NOT IN, NOT LIKE, IS NOT NULL as one operator each; conditions know the plain ones under a Not.
    word = operator.role
    if word.endswith("NULL"):
        return _negated(IsNull(subject), "NOT" in word)
    if word.endswith("IN"):
        return _negated(In(subject, tuple(constant_of(item) for item in rest)), word.startswith("NOT"))
    if word.endswith("LIKE"):
        return _negated(Like(subject, unquote(rest[0].text)), word.startswith("NOT"))
    if word.endswith("BETWEEN"):
        low, high = (constant_of(item) for item in rest)
        between = And((Compare(">=", subject, low), Compare("<=", subject, high)))
        return _negated(between, word.startswith("NOT"))
    return Compare("!=" if word == "<>" else word, subject, expression_of(rest[0]))


def _negated(condition: Condition, negated: bool) -> Condition:
    return Not(condition) if negated else condition


def _join(node: Node) -> Join:
    entity = _entity(_child(node, "toentity"))
    pairs = []
    for using in node.all("using"):
        left, right = (canonical(side.text) for side in using.children)
        # Either side may be written first; rules have the attribute that is in the row already on the left.
        pairs.append((right, left) if left.startswith(entity + ".") else (left, right))
    return Join(entity, "left", tuple(pairs), _line(node))


def _entity(node: Node) -> str:
    return canonical(node.children[0].text)


def _child(node: Node, role: str) -> Node:
    found = node.first(role)
    if found is None:
        raise InputError(f"a {node.role} without {role}", location=node.location)
    return found


def _line(node: Node) -> int:
    return node.location.line if node.location else 0
