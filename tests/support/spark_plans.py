"""What Spark's own analysed plan says of a query: from which columns of tables each of its columns takes its values.

A plan numbers its columns; a column that an expression makes comes from those the expression takes values of. Tests of
CASE and IF, predicates, FILTER, keys of windows and ranks only decide, by the rules of the reader of SQL (Q1, Q5, Q16).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Origins = frozenset[str]
Json = dict[str, Any]

DECIDING_WORDS = """
    And Or Not EqualTo EqualNullSafe GreaterThan GreaterThanOrEqual LessThan LessThanOrEqual IsNull IsNotNull In InSet
    InSubquery Exists Like RLike Between ListQuery RowNumber Rank DenseRank NTile CumeDist PercentRank
"""
DECIDING = frozenset(DECIDING_WORDS.split())
"""Expressions whose values are made of none of those they look at."""
FIRST_WORDS = "AggregateExpression WindowExpression SortOrder MaxBy MinBy"
FIRST = frozenset(FIRST_WORDS.split())
"""Expressions of which only the first part gives the value: what follows decides."""
NOTHING: Origins = frozenset()


@dataclass
class Tree:
    """A node of a plan or an expression, with its children."""

    said: Json
    children: list[Tree]

    @property
    def kind(self) -> str:
        """The name of its class."""
        return str(self.said["class"]).rpartition(".")[2]


def columns_of(frame: DataFrame, tables: Sequence[str]) -> dict[str, Origins]:
    """The columns of a query in order, each with the columns of ``tables`` it takes its values from."""
    plan = json.loads(frame._jdf.queryExecution().analyzed().toJSON())
    found = _Plan(tables)
    return {name: found.known[number] for number, name in found.output(_tree(plan))}


def _tree(listed: list[Json]) -> Tree:
    """A tree that is listed in pre-order, each node with the number of its children."""
    rest = iter(listed)

    def grown() -> Tree:
        said = next(rest)
        return Tree(said, [grown() for _ in range(said["num-children"])])

    return grown()


class _Plan:
    """A plan as it is walked through from below: what is ``known`` of each column by its number."""

    def __init__(self, tables: Sequence[str]) -> None:
        self.known: dict[int, Origins] = {}
        self._tables = tables
        self._ctes: dict[int, list[tuple[int, str]]] = {}

    def output(self, node: Tree) -> list[tuple[int, str]]:
        """The numbers and names of what a node of the plan gives, in order."""
        return getattr(self, f"_{node.kind.lower()}", self._passing)(node)

    def _passing(self, node: Tree) -> list[tuple[int, str]]:
        """Whatever keeps its rows' columns: Filter, Sort, Limit, Distinct, SubqueryAlias …"""
        (child,) = node.children
        return self.output(child)

    # -- where rows come from ------------------------------------------------------------------------------------------

    def _view(self, node: Tree) -> list[tuple[int, str]]:
        given = self.output(node.children[0])
        name = node.said["desc"]["identifier"]["table"].lower()
        if name in self._tables:
            self.known |= {number: frozenset([f"{name}.{column}"]) for number, column in given}
        return given

    def _onerowrelation(self, _node: Tree) -> list[tuple[int, str]]:
        return []

    def _localrelation(self, node: Tree) -> list[tuple[int, str]]:
        given = self._attributes(node.said["output"])
        self.known |= dict.fromkeys((number for number, _ in given), NOTHING)
        return given

    _logicalrdd = _localrelation

    def _withcte(self, node: Tree) -> list[tuple[int, str]]:
        for definition in node.children[:-1]:
            self._ctes[definition.said["id"]] = self.output(definition.children[0])
        return self.output(node.children[-1])

    def _cterelationref(self, node: Tree) -> list[tuple[int, str]]:
        given = self._attributes(node.said["output"])
        made = self._ctes[node.said["cteId"]]
        self.known |= {own: self.known[number] for (own, _), (number, _) in zip(given, made, strict=True)}
        return given

    # -- what becomes of them ------------------------------------------------------------------------------------------

    def _project(self, node: Tree) -> list[tuple[int, str]]:
        self.output(node.children[0])
        return [self._named(_tree(one)) for one in node.said["projectList"]]

    def _aggregate(self, node: Tree) -> list[tuple[int, str]]:
        self.output(node.children[0])
        return [self._named(_tree(one)) for one in node.said["aggregateExpressions"]]

    def _window(self, node: Tree) -> list[tuple[int, str]]:
        given = self.output(node.children[0])
        return given + [self._named(_tree(one)) for one in node.said["windowExpressions"]]

    def _generate(self, node: Tree) -> list[tuple[int, str]]:
        given = self.output(node.children[0])
        generator = _tree(node.said["generator"])
        made = self._attributes(node.said["generatorOutput"])
        parts = self._parts(generator, len(made))
        self.known |= {number: origins for (number, _), origins in zip(made, parts, strict=True)}
        left = set(node.said.get("unrequiredChildIndex") or ())
        return [one for place, one in enumerate(given) if place not in left] + made

    def _parts(self, generator: Tree, count: int) -> list[Origins]:
        whole = self.origins(generator)
        return [NOTHING, *[whole] * (count - 1)] if generator.kind == "PosExplode" else [whole] * count

    def _expand(self, node: Tree) -> list[tuple[int, str]]:
        below = self.output(node.children[0])
        given = self._attributes(node.said["output"])
        # Some plans do not say the rows of groupings: these are the columns below, in order, and a number.
        rows = [[self.origins(_tree(one)) for one in row] for row in node.said["projections"] or ()]
        rows = rows or [[*(self.known[number] for number, _ in below), NOTHING]]
        self.known |= {number: frozenset().union(*some) for (number, _), *some in zip(given, *rows, strict=True)}
        return given

    def _union(self, node: Tree) -> list[tuple[int, str]]:
        # The columns of a union have the numbers of those of its first branch.
        branches = [[(number, name, self.known[number]) for number, name in self.output(one)] for one in node.children]
        first = [(number, name) for number, name, _ in branches[0]]
        for place, (number, _) in enumerate(first):
            self.known[number] = frozenset().union(*(branch[place][2] for branch in branches))
        return first

    def _except(self, node: Tree) -> list[tuple[int, str]]:
        return self.output(node.children[0])

    _intersect = _except

    def _join(self, node: Tree) -> list[tuple[int, str]]:
        left, right = (self.output(one) for one in node.children)
        kind = json.dumps(node.said["joinType"])
        return left if "LeftSemi" in kind or "LeftAnti" in kind else left + right

    def _lateraljoin(self, node: Tree) -> list[tuple[int, str]]:
        left = self.output(node.children[0])
        return left + self.output(_tree(_tree(node.said["right"]).said["plan"]))

    # -- expressions ---------------------------------------------------------------------------------------------------

    def _attributes(self, listed: list[list[Json]]) -> list[tuple[int, str]]:
        return [(one["exprId"]["id"], one["name"]) for (one, *_) in listed]

    def _named(self, one: Tree) -> tuple[int, str]:
        number, name = one.said["exprId"]["id"], one.said["name"]
        self.known[number] = self.origins(one)
        return number, name

    def origins(self, one: Tree) -> Origins:
        """The columns of tables that an expression takes its value from."""
        return frozenset().union(*self._each(one))

    def _each(self, one: Tree) -> Iterator[Origins]:
        if one.kind == "AttributeReference":
            yield self.known[one.said["exprId"]["id"]]
        elif one.kind == "OuterReference":
            yield self.origins(_tree(one.said["e"]))
        elif one.kind in ("ScalarSubquery", "LateralSubquery"):
            yield self.known[self.output(_tree(one.said["plan"]))[0][0]]
        elif one.kind not in DECIDING:
            yield from map(self.origins, _giving(one))


def _giving(one: Tree) -> list[Tree]:
    """The children that give the value of an expression."""
    if one.kind == "CaseWhen":
        last = one.children[-1:] if len(one.children) % 2 else []
        return one.children[1 : len(one.children) - len(last) : 2] + last
    if one.kind == "If":
        return one.children[1:]
    if one.kind == "PivotFirst":
        return one.children[1:]
    if one.kind == "GetStructField" and one.children[0].kind == "CreateNamedStruct":
        # Name, value, name, value ...; the plan still makes the fields that nobody asks for.
        return [one.children[0].children[2 * one.said["ordinal"] + 1]]
    return one.children[:1] if one.kind in FIRST else one.children
