"""Which rows give an expression its value, and which only decide (rule T3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from pyspark.sql import Column
from pyspark.sql import functions as f

from mdw.spark.tuples.derived.annotated import Annotated, Flags, Meeting, either, named, only
from mdw.spark.tuples.derived.catalyst import Catalyst, Node, children, kind, number, references, walked

COUNTS = ("ApproxCountDistinct", "Count", "CountMinSketchAgg", "HllSketchAgg", "HyperLogLogPlusPlus", "RegrCount")
"""Aggregates that take no value from any row."""
PICKED = ("AnyValue", "First", "Last", "Max", "MaxBy", "Min", "MinBy", "Mode")
"""Aggregates that take the value of some rows, those that have it."""
CHANCE = ("AnyValue", "First", "Last", "ListAgg", "MaxBy", "MinBy", "Mode")
"""Aggregates that may give something else in the next run (rule T7)."""
LISTS = ("CollectList", "CollectSet")
FLOATING = ("double", "float")


class Values:
    """Flags of expressions over an annotated plan; ``shown`` is the value that an aggregate gives the row asked for."""

    def __init__(
        self, catalyst: Catalyst, below: Annotated, shown: Callable[[Node], Column | None] = lambda _: None
    ) -> None:
        self._catalyst = catalyst
        self.below = below
        self._shown = shown

    def column(self, expression: Node) -> Column:
        """An expression over the frame of the annotated plan."""
        return self._catalyst.column(expression, named)

    def of(self, expression: Node) -> Flags:
        """Whether the row of each read gives the expression its value."""
        what = kind(expression)
        if what in ("AttributeReference", "ScalarSubquery"):
            return self.below.values(number(expression))
        if what == "CaseWhen":
            return self._arms(children(expression))
        if what == "If":
            return self._arms(children(expression))
        if what == "Coalesce":
            tests = [one for arm in children(expression) for one in (self.column(arm).isNotNull(), arm)]
            return self._taken(tests[::2], tests[1::2])
        if what == "AggregateExpression":
            return self._aggregated(expression)
        if what == "GetArrayItem" and (found := self._element(*children(expression))) is not None:
            return found
        return either(*map(self.of, children(expression)))

    def _arms(self, parts: Sequence[Node]) -> Flags:
        """Of CASE and IF the arm taken."""
        tests = [self.column(test) for test in parts[: len(parts) - len(parts) % 2 : 2]]
        return self._taken([*tests, f.lit(True)] if len(parts) % 2 else tests, [*parts[1::2], *parts[len(tests) * 2 :]])

    def _taken(self, tests: Sequence[Column], arms: Sequence[Node]) -> Flags:
        """Of several values the first whose test holds; one that is constant or NULL comes from no row."""
        flags = [only(self.of(arm), self.column(arm).isNotNull()) for arm in arms]
        found: dict[int, Column] = {}
        for read in dict.fromkeys(read for one in flags for read in one):
            chosen = f.when(f.lit(False), f.lit(False))
            for test, one in zip(tests, flags, strict=True):
                chosen = chosen.when(test, one.get(read, f.lit(False)))
            found[read] = f.coalesce(chosen, f.lit(False))
        return found

    def _aggregated(self, expression: Node) -> Flags:
        """Of an aggregate the rows that enter, or those with the value shown."""
        function = expression.aggregateFunction()
        what, arguments = kind(function), children(function)
        if what in COUNTS:
            return {}
        if what in PICKED:
            flags, shown = self.of(arguments[0]), self._shown(expression)
            if shown is not None:
                flags = only(flags, self.column(arguments[0]).eqNullSafe(shown))
                flags = flags if what in ("First", "Last", "AnyValue") else only(flags, shown.isNotNull())
        else:
            flags = either(*map(self.of, arguments))
            if what != "PythonUDAF":
                flags = self.entering(flags, arguments)
        passed = expression.filter()
        return only(flags, self.column(passed.get())) if passed.isDefined() else flags

    def entering(self, flags: Flags, arguments: Sequence[Node]) -> Flags:
        """The rows whose arguments are not NULL."""
        there = [self.column(one).isNotNull() for one in arguments if one.nullable()]
        return only(flags, reduce(Column.__and__, there)) if there else flags

    def _element(self, array: Node, index: Node) -> Flags | None:
        """Of one element of an array whose elements come from different rows."""
        if kind(array) != "AttributeReference" or kind(index) != "Literal":
            return None
        key = (number(array), int(str(index.value())))
        return self.below.values(key) if key in self.below.flags else None

    def elements(self, expression: Node) -> dict[int, Flags]:
        """Of PIVOT, which gives an array: the flags of each element."""
        function = expression.aggregateFunction() if kind(expression) == "AggregateExpression" else expression
        if kind(function) != "PivotFirst":
            return {}
        place, value = children(function)
        values = function.pivotColumnValues()
        flags = self.entering(self.of(value), [value])
        literal = self._catalyst.literal
        return {
            number: only(flags, self.column(place).eqNullSafe(literal(values.apply(number), place.dataType())))
            for number in range(values.size())
        }

    def meeting(self, expression: Node) -> Meeting | None:
        """How the value of an expression meets that of another run."""
        below = self.below.meeting
        whole = kind(expression) == "AttributeReference"
        if whole:
            return below.get(number(expression))
        if self.below.shown(references(expression)):
            return "shown"
        if not expression.deterministic() or self.below.loose(references(expression)):
            return "loose"
        functions = [one for one in walked(expression) if kind(one) == "AggregateExpression"]
        kinds = {kind(one.aggregateFunction()) for one in functions}
        if kinds & set(CHANCE):
            return "loose"
        if kinds & set(LISTS):
            listing = kind(expression) == "AggregateExpression" and sortable(expression.dataType())
            return "unordered" if listing else "loose"
        rounded = any(below.get(one) == "rounded" for one in references(expression))
        rounded |= any(floating(one) and kind(one.aggregateFunction()) not in PICKED + COUNTS for one in functions)
        return None if not rounded else "rounded" if floating(expression) else "loose"


def floating(expression: Node) -> bool:
    """Whether sums of such values depend on their order."""
    return str(expression.dataType().typeName()) in FLOATING


def sortable(array: Node) -> bool:
    """Whether the values of an array can be put in an order."""
    return "map" not in str(array.simpleString())
