"""Nodes of the mapping language, made rather than parsed: the shapes are those its parser makes.

>>> from mdw.language.mapping import read_condition, read_expression
>>> whole(computed("+", attribute("s.a"), number("1"))) == read_expression("s.a + 1")
True
>>> condition(both([compared("=", attribute("s.a"), text("x"))])) == read_condition('s.a = "x"')
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation

from mdw.model.expressions import decimal_text
from mdw.model.tree import Location, Node

# Eight digits that the language would read as a day are written with a point.
DAYLIKE = re.compile(r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{4}")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
UNQUOTABLE = re.compile(r"[`\n\r]")
# Words the language has of its own before a parenthesis: see FUNCTION in the grammar.
TAKEN_WORDS = """
    AGGREGATE AND AS AVG BETWEEN BY CASE CAST COUNT DISTINCT ELSE EXISTS FIELD IF IN LIKE MAX MIN NOT ON OPAQUE OR
    OVER SUBSTR SUM TEST THEN USING WHEN WHERE X
"""
TAKEN = frozenset(TAKEN_WORDS.split())
AGGREGATIONS = {"SUM": "sumof", "AVG": "avg", "MIN": "min", "MAX": "max", "COUNT": "count"}
# What arithmetic takes as it is; anything else stands in a computation of its own there.
OPERATED = frozenset(("computation", "concatenation"))
# What stands in a computation of its own where a WITH gives it.
BARE = frozenset(("attribute", "value", "date", "aggregation"))
DISTINCT = Node("DISTINCT", "DISTINCT")


# -- values ------------------------------------------------------------------------------------------------------------


def attribute(name: str, at: Location | None = None) -> Node:
    """An attribute, by role or entity and its own name."""
    return Node("attribute", name, (), at)


def text(content: str, at: Location | None = None) -> Node:
    """A string constant."""
    return Node("string", quoted(content), (), at)


def quoted(content: str) -> str:
    """A string as the language quotes it.

    >>> quoted('say "hi"')
    '"say \\\\"hi\\\\""'
    """
    return '"' + content.replace("\\", "\\\\").replace('"', '\\"') + '"'


def number(digits: str, at: Location | None = None) -> Node:
    """A number; what is none stays as text.

    >>> number("1e3").content, number(".50").content, number("0x1F").role
    ('1000', '0.5', 'string')
    """
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return text(digits, at)
    if not value.is_finite() or abs(value.adjusted()) > 400:
        return text(digits, at)
    written = decimal_text(value)
    return Node("value", f"{written}.0" if DAYLIKE.fullmatch(written) else written, (), at)


def truth(value: bool, at: Location | None = None) -> Node:
    """TRUE or FALSE."""
    return Node("truth", "TRUE" if value else "FALSE", (), at)


def null(at: Location | None = None) -> Node:
    """NULL."""
    return Node("null", "NULL", (), at)


def parameter(name: str, at: Location | None = None) -> Node:
    """A constant nobody knows here, by the name it is given from outside."""
    return Node("parameter", f":{word(name)}", (), at)


def word(name: str) -> str:
    """A name as the language writes it: in back quotes where it needs them.

    >>> word("ds"), word("{{ ds }}")
    ('ds', '`{{ ds }}`')
    """
    return name if PLAIN.match(name) else "`" + UNQUOTABLE.sub(" ", name or "?") + "`"


def call(name: str, arguments: Sequence[Node] = (), at: Location | None = None) -> Node:
    """A function of values, by its name."""
    name = name.upper()
    if not PLAIN.match(name) or name in TAKEN:
        name = word(name) if name not in TAKEN else f"{name}_"
    if not arguments:
        return Node("function", name, (), at)
    return Node("function", "", (Node(name, name, (), at), *arguments), at)


def aggregation(name: str, arguments: Sequence[Node], *, distinct: bool = False, at: Location | None = None) -> Node:
    """An aggregation; COUNT without arguments counts rows."""
    leads = (DISTINCT,) if distinct else ()
    name = name.upper()
    if name in AGGREGATIONS and (len(arguments) == 1 or (name == "COUNT" and not arguments)):
        inner = Node(AGGREGATIONS[name], "", (*leads, *arguments), at) if arguments else Node("count", "*", (), at)
        return Node("aggregation", "", (inner,), at)
    return Node("aggregate", "", (*leads, call(name, arguments, at)), at)


def cast(value: Node, type_: str, at: Location | None = None) -> Node:
    """A value in another type."""
    return Node("cast", "", (value, Node("type", quoted(type_), (), at)), at or value.location)


def field(value: Node, path: str, at: Location | None = None) -> Node:
    """What stands at a path within a value; a path within a path is one path."""
    if value.role == "field":
        value, (before,) = value.children[0], value.children[1:]
        path = f"{before.content[1:-1]}.{path}"
    return Node("field", "", (value, text(path, at)), at or value.location)


def opaque(words: str, values: Sequence[Node], at: Location | None = None) -> Node:
    """Something that is made of these values in a way the language does not say."""
    return Node("opaque", "", (text(words, at), *values), at)


def computed(op: str, left: Node, right: Node) -> Node:
    """Arithmetic of two values."""
    operands = (_operand(left), _operand(right))
    return Node("computation", "", (Node(op, op, (), left.location), *operands), left.location)


def concatenated(parts: Sequence[Node]) -> Node:
    """Values put together as text."""
    return Node("concatenation", "", tuple(parts), parts[0].location)


def case(whens: Iterable[tuple[Node, Node]], otherwise: Node | None, at: Location | None = None) -> Node:
    """A choice: pairs of a condition and the value under it."""
    branches = [Node("when", "", (test, value), test.location or at) for test, value in whens]
    if otherwise is not None:
        branches.append(Node("otherwise", "", (otherwise,), otherwise.location or at))
    return Node("case", "", tuple(branches), at)


def window(
    function: Node, keys: Sequence[Node], order: Sequence[Node], frame: str = "", at: Location | None = None
) -> Node:
    """A value taken from other rows that have the same keys."""
    parts = [Node(role, "", tuple(nodes), at) for role, nodes in (("partition", keys), ("ordering", order)) if nodes]
    if frame:
        parts.append(Node("frame", quoted(frame), (), at))
    return Node("window", "", (function, *parts), at)


def truth_of(condition_: Node) -> Node:
    """The truth value of a condition."""
    return Node("test", "", (condition_,), condition_.location)


def whole(value: Node) -> Node:
    """A value as the expression a WITH gives."""
    inner = Node("computation", "", (value,), value.location) if value.role in BARE else value
    return Node("expression", "", (inner,), value.location)


def _operand(value: Node) -> Node:
    return Node("computation", "", (value,), value.location) if value.role not in OPERATED else value


def aggregating(node: Node) -> bool:
    """Whether a value aggregates, other than in a window.

    >>> from mdw.language.mapping import read_expression
    >>> [aggregating(read_expression(text)) for text in ("1 + SUM(s.a)", "SUM(s.a) OVER ()", "LAG(COUNT(s.a)) OVER ()")]
    [True, False, True]
    """
    # Most values are attributes.
    pending = [node] if node.children else []
    while pending:
        one = pending.pop()
        if one.role in ("aggregation", "aggregate"):
            return True
        if one.role == "window":
            # What the window's own function takes in may be aggregated before.
            function = one.children[0]
            inner = function.children if function.role == "function" else function.children[-1:]
            pending += inner if function.role == "function" else [part for last in inner for part in last.children]
            pending += one.children[1:]
        else:
            pending += one.children
    return False


DEEPEST = 150
"""Levels of a value; what has more is taken as something made of all that it mentions."""


def not_deep(node: Node) -> bool:
    """Whether a node has few enough levels."""
    level = [node]
    for _ in range(DEEPEST):
        level = [child for one in level for child in one.children]
        if not level:
            return True
    return False


def shallow(value: Node) -> Node:
    """A value, or what is made of all it mentions where it is nested too deep."""
    if not_deep(value):
        return value
    mentioned = {one.content: one for one in value.walk() if one.role == "attribute"}
    return opaque("nested too deep", list(mentioned.values()), value.location)


# -- conditions --------------------------------------------------------------------------------------------------------


def compared(op: str, *values: Node) -> Node:
    """A comparison: =, !=, <, IN, LIKE, BETWEEN, IS NULL, IS TRUE, IS DISTINCT FROM, or one of them with NOT."""
    at = values[0].location
    return Node("conditioncomp", "", (Node("comparison", "", (Node(op, op, (), at), *values), at),), at)


def exists(role: str, at: Location | None = None) -> Node:
    """That a row of a role was found, which a MARK JOIN looks for."""
    leads = (Node("EXISTS", "EXISTS", (), at), Node("role", role, (), at))
    return Node("conditioncomp", "", (Node("comparison", "", leads, at),), at)


def both(parts: Sequence[Node]) -> Node:
    """All of the conditions."""
    return _chain("AND", parts)


def either(parts: Sequence[Node]) -> Node:
    """One of the conditions."""
    return _chain("OR", parts)


def opposite(part: Node) -> Node:
    """NOT."""
    return Node("conditioncomp", "", (Node("NOT", "NOT", (), part.location), part), part.location)


def conjuncts(part: Node) -> tuple[Node, ...]:
    """The parts of an AND, or the condition itself."""
    return part.children[1:] if part.children[0].role == "AND" else (part,)


def condition(part: Node) -> Node:
    """A condition as filters, joins and IFs hold it."""
    return Node("condition", "", (part,), part.location)


def _chain(operator: str, parts: Sequence[Node]) -> Node:
    if len(parts) == 1:
        return parts[0]
    # A chain of one operator is one node.
    flat = [one for part in parts for one in (part.children[1:] if part.children[0].role == operator else (part,))]
    at = flat[0].location
    return Node("conditioncomp", "", (Node(operator, operator, (), at), *flat), at)
