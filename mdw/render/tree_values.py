"""Expressions and conditions of a mapping's tree in Spark's SQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from mdw.language.constants import date_of, unquote
from mdw.language.wording import FUNCTIONS
from mdw.model.errors import InputError
from mdw.model.name import canonical, local_of, row_of
from mdw.model.tree import Node

CONSTANTS = ("value", "string", "date", "truth", "null")
AGGREGATES = ("sumof", "sum", "avg", "min", "max", "count", "aggregate")
TESTS = ("condition", "conditioncomp", "comparison", "when", "otherwise", "type")
"""Parts that are no expressions."""
UNSAID = {
    "opaque": "a part of it was not understood",
    "parameter": "it takes values from a program",
    "ordering": "it orders rows in windows, and how is not told",
}
"""What has no words here, and why."""
SETTLED = """
    ANY_VALUE ARRAY_AGG AVG BOOL_AND BOOL_OR CORR COUNT_IF EVERY FIRST FIRST_VALUE KURTOSIS LAST LAST_VALUE LISTAGG MAX
    MAX_BY MEDIAN MIN MIN_BY SKEWNESS STDDEV STDDEV_POP STDDEV_SAMP STRING_AGG VARIANCE VAR_POP VAR_SAMP
"""
"""Functions of many rows, besides those that the language has words for."""


def bare(local: str) -> str:
    """An attribute's own name without quotes: a column of Spark's.

    >>> bare("`end date`"), bare("ID")
    ('end date', 'ID')
    """
    return local[1:-1] if local.startswith("`") else local


def quoted(name: str) -> str:
    """A name in the quotes of Spark's SQL, safe where braces stand for tables."""
    return "`" + name.replace("`", "``").replace("{", "{{").replace("}", "}}") + "`"


class TreeValues:
    """Writes what one mapping says of values; ``aliases`` tell what its rows are called in the query."""

    def __init__(self, aliases: Mapping[str, str], exists: Callable[[str], str]) -> None:
        self._aliases = aliases
        self._exists = exists

    # -- what a population is ------------------------------------------------------------------------------------------

    def aggregated(self, node: Node) -> bool:
        """Whether anything in it takes in many rows."""
        if node.role == "window":
            return any(self.aggregated(one) for one in _below_window(node))
        named = node.role == "function" and node.children and node.children[0].content.upper() in SETTLED.split()
        return node.role in AGGREGATES or bool(named) or any(map(self.aggregated, node.children))

    def parting(self, populate: Node) -> bool:
        """Whether a population parts rows into groups where none are named: it depends on the row, as it is."""
        return not self.aggregated(populate) and any(_given(one, "attribute") for one in populate.all("with"))

    def copied(self, populate: Node) -> bool:
        """Whether a population copies an attribute, or writes constants alone."""
        clauses = populate.all("with")
        if len(clauses) == 1 and len(clauses[0].children) == 1:
            inner = _unwrapped(clauses[0].children[0])
            return inner.role in ("attribute", *CONSTANTS)
        return False

    def told(self, populate: Node, keys: Sequence[str]) -> bool:
        """Whether keys of the groups tell what a population gives."""
        items = [item for clause in populate.all("with") for item in clause.children]
        return all(self._told(item, keys) for item in items)

    def _told(self, node: Node, keys: Sequence[str]) -> bool:
        if node.role in TESTS:
            return all(self._told(one, keys) for one in node.children)
        if node.children or node.role == "attribute":
            if self.value(node) in keys:
                return True
            return node.role != "attribute" and all(self._told(one, keys) for one in node.children)
        return True

    # -- columns -------------------------------------------------------------------------------------------------------

    def first(self, populate: Node) -> str:
        """The first WITH whose IF is true, else NULL."""
        cases: list[str] = []
        for clause in populate.all("with"):
            value, condition = self.value(clause.children[0]), clause.first("condition")
            if condition is None:
                return f"CASE {' '.join(cases)} ELSE {value} END" if cases else value
            cases.append(f"WHEN {self.test(condition)} THEN {value}")
        return f"CASE {' '.join(cases)} END"

    def over_rows(self, populate: Node) -> str:
        """Every WITH over the rows of the group that take it; the first that finds a value."""
        found: list[str] = []
        earlier: list[str] = []
        for clause in populate.all("with"):
            condition = clause.first("condition")
            test = self.test(condition) if condition else ""
            found.append(_OverRows(self, earlier, test).over(clause.children[0]))
            earlier.append(test or "TRUE")
        return found[0] if len(found) == 1 else f"COALESCE({', '.join(found)})"

    # -- words ---------------------------------------------------------------------------------------------------------

    def value(self, node: Node) -> str:
        """An expression."""
        role, children = node.role, node.children
        if role in UNSAID:
            raise InputError(UNSAID[role])
        if role in CONSTANTS:
            return _constant(node)
        if role == "attribute":
            return self._attribute(node)
        if role in FUNCTIONS:
            return self.aggregate(node, self.value(children[-1]) if children else node.content)
        if write := WRITERS.get(role):
            return write(self, node)
        if len(children) == 1:
            return self.value(children[0])
        raise InputError(f"there are no words for its {role}")

    def aggregate(self, node: Node, argument: str) -> str:
        """An aggregation over an argument."""
        distinct = "DISTINCT " if node.children and node.children[0].role == "DISTINCT" else ""
        return f"{FUNCTIONS[node.role]}({distinct}{argument})"

    def test(self, node: Node) -> str:
        """A condition."""
        if node.role == "comparison":
            return self._comparison(node)
        operator, *parts = node.children
        if not parts:
            return self.test(operator)
        if operator.role == "NOT":
            return f"NOT ({self.test(parts[0])})"
        return "(" + f" {operator.role} ".join(map(self.test, parts)) + ")"

    def _comparison(self, node: Node) -> str:
        operator, subject, *operands = node.children
        word = operator.role
        if word == "EXISTS":
            return self._exists(subject.content)
        left, texts = self.value(subject), [self.value(one) for one in operands]
        if word.endswith("IN"):
            return f"{left} {word} ({', '.join(texts)})"
        return " ".join([left, word, *([" AND ".join(texts)] if texts else [])])

    def _attribute(self, node: Node) -> str:
        name = canonical(node.text)
        if row_of(name) not in self._aliases:
            raise InputError(f"it reads {name}, whose row it does not read")
        alias, column = self._aliases[row_of(name)], quoted(bare(local_of(name)))
        return f"{alias}.{column}" if alias else column

    def _computation(self, node: Node) -> str:
        operator, *operands = node.children
        if not operands:
            return self.value(operator)
        return f"({f' {operator.role} '.join(map(self.value, operands))})"

    def _function(self, node: Node) -> str:
        if not node.children:
            return f"{node.content}()"
        name, *arguments = node.children
        return f"{bare(name.content)}({', '.join(map(self.value, arguments))})"

    def _cast(self, node: Node) -> str:
        value, kind = node.children
        return f"CAST({self.value(value)} AS {unquote(kind.content)})"

    def _case(self, node: Node) -> str:
        return f"(CASE {' '.join(self.value(branch) for branch in node.children)} END)"

    def _when(self, node: Node) -> str:
        asked, given = node.children
        return f"WHEN {self.test(asked)} THEN {self.value(given)}"

    def _aggregate(self, node: Node) -> str:
        text = self._function(node.children[-1])
        return text.replace("(", "(DISTINCT ", 1) if node.children[0].role == "DISTINCT" else text

    def _window(self, node: Node) -> str:
        function, *clauses = node.children
        parts = [
            f"PARTITION BY {', '.join(map(self.value, one.children))}" for one in clauses if one.role == "partition"
        ]
        for one in clauses:
            if one.role in UNSAID:
                raise InputError(UNSAID[one.role])
        return f"{self.value(function)} OVER ({' '.join(parts)})"

    def _field(self, node: Node) -> str:
        value, name = node.children
        return f"{self.value(value)}.{quoted(unquote(name.content))}"


class _OverRows:
    """A WITH over the rows of a group: those give it something of which it is the first whose IF is true."""

    def __init__(self, values: TreeValues, earlier: Sequence[str], test: str) -> None:
        self._values = values
        self._before = "".join(f"WHEN {one} THEN NULL " for one in earlier)
        self._test = test

    def over(self, node: Node) -> str:
        """The value of the group."""
        if node.role in FUNCTIONS:
            argument = self._values.value(node.children[-1]) if node.children else node.content
            return self._values.aggregate(node, self._row("1" if argument == "*" and self._some else argument))
        if node.role == "aggregate":
            if self._some:
                raise InputError("an aggregate of its own stands under an IF")
            return self._values.value(node)
        if not self._values.aggregated(node):
            # Any row of the group may give the value, MAX gives always the same.
            return self._values.value(node) if _constants_alone(node) and not self._some else self._one(node)
        if node.role == "computation" and len(node.children) == 3:
            operator, left, right = node.children
            return f"({self.over(left)} {operator.role} {self.over(right)})"
        if len(node.children) == 1:
            return self.over(node.children[0])
        if node.role == "function":
            return f"{bare(node.children[0].content)}({', '.join(map(self.over, node.children[1:]))})"
        if self._some:
            raise InputError(f"its {node.role} of aggregates stands under an IF")
        return self._values.value(node)

    @property
    def _some(self) -> bool:
        return bool(self._before or self._test)

    def _one(self, node: Node) -> str:
        return f"MAX({self._row(self._values.value(node))})"

    def _row(self, value: str) -> str:
        if not self._some:
            return value
        then = f"WHEN {self._test} THEN {value}" if self._test else f"ELSE {value}"
        return f"CASE {self._before}{then} END"


WRITERS: Mapping[str, Callable[[TreeValues, Node], str]] = {
    "computation": TreeValues._computation,
    "concatenation": lambda own, node: f"({' || '.join(map(own.value, node.children))})",
    "substring": lambda own, node: f"SUBSTR({', '.join(map(own.value, node.children))})",
    "function": TreeValues._function,
    "cast": TreeValues._cast,
    "case": TreeValues._case,
    "when": TreeValues._when,
    "otherwise": lambda own, node: f"ELSE {own.value(node.children[0])}",
    "test": lambda own, node: f"({own.test(node.children[0])})",
    "field": TreeValues._field,
    "aggregate": TreeValues._aggregate,
    "window": TreeValues._window,
}
"""How nodes that have children are written, by role."""


def _constant(node: Node) -> str:
    text = node.text
    if node.role == "string":
        told = unquote(text).replace("\\", "\\\\").replace("'", "\\'")
        return "'" + told.replace("{", "{{").replace("}", "}}") + "'"
    return f"DATE '{date_of(text).isoformat()}'" if node.role == "date" else text


def _unwrapped(node: Node) -> Node:
    while node.children and len(node.children) == 1:
        node = node.children[0]
    return node


def _given(clause: Node, role: str) -> bool:
    return any(one.role == role for one in clause.walk())


def _constants_alone(node: Node) -> bool:
    return not any(one.role == "attribute" for one in node.walk())


def _below_window(node: Node) -> list[Node]:
    """What a window computes from: its function takes in other rows without grouping any."""
    function, *clauses = node.children
    return [*function.children, *clauses]
