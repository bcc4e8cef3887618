"""Spark's own plans and expressions, by py4j: the only module that knows its internal classes.

Plans and expressions are trees of objects in Java; here they are read, given new leaves and made DataFrames again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from py4j.java_gateway import JavaObject, JavaPackage, is_instance_of
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession

from mdw.model.errors import SparkError

Node = Any
"""A plan or an expression in Java; one class for each kind, so their types are no help here."""
ENCLOSED = (
    "And",
    "EqualNullSafe",
    "EqualTo",
    "GreaterThan",
    "GreaterThanOrEqual",
    "LessThan",
    "LessThanOrEqual",
    "Not",
    "Or",
)
"""Expressions that Spark puts into parentheses."""
RULES = (
    "ReplaceExpressions",
    "RewriteWithExpression",
    "ReplaceIntersectWithSemiJoin",
    "ReplaceExceptWithAntiJoin",
    "PullupCorrelatedPredicates",
    "RewritePredicateSubquery",
    "RewriteCorrelatedScalarSubquery",
    "RewriteLateralSubquery",
)
"""Spark's own, which write functions out and make joins of subqueries, in the order that they need (rule T23)."""
EXPRESSIONS = "org.apache.spark.sql.catalyst.expressions"
ROUNDS = 8
"""How deep subqueries are nested in subqueries, at most."""


def kind(node: Node) -> str:
    """The name of a node's class: `Project`, `AttributeReference`."""
    return str(node.getClass().getSimpleName()).rstrip("$")


def listed(sequence: Node) -> list[Node]:
    """A Scala sequence as a list."""
    return [sequence.apply(number) for number in range(sequence.size())]


def children(node: Node) -> list[Node]:
    """The nodes right below."""
    return listed(node.children())


def output(plan: Node) -> list[Node]:
    """The attributes that a plan gives."""
    return listed(plan.output())


def number(attribute: Node) -> int:
    """What tells an attribute, or the value of a subquery, from all others of its session."""
    return int(attribute.exprId().id())


def numbers(plan: Node) -> list[int]:
    """Those of what a plan gives, in its order."""
    return [number(one) for one in output(plan)]


def walked(node: Node) -> Iterator[Node]:
    """An expression, or a plan, and everything below it."""
    yield node
    for child in children(node):
        yield from walked(child)


def references(expression: Node) -> set[int]:
    """The attributes and subqueries that an expression takes values from."""
    named = ("AttributeReference", "ScalarSubquery")
    return {number(one) for one in walked(expression) if kind(one) in named}


def unaliased(named: Node) -> Node:
    """The expression behind a name."""
    return named.child() if kind(named) == "Alias" else named


def conjuncts(condition: Node) -> list[Node]:
    """What must hold together for a condition to hold."""
    if kind(condition) == "And":
        return [one for side in children(condition) for one in conjuncts(side)]
    return [condition]


def _shared(one: Node) -> int:
    """What tells an expression that is shared from others."""
    return int(one.id().id())


def text(expression: Node) -> str:
    """An expression as SQL, without what only Spark's plans say."""
    told = str(expression.sql())
    return told[1:-1] if kind(expression) in ENCLOSED else told


class Catalyst:
    """The door to the plans of one session.

    SparkError where Spark is not made as the one this was tried on, or has no plans (Connect).
    """

    def __init__(self, spark: SparkSession) -> None:
        self.spark = spark
        try:
            self._jvm: Any = spark._jvm
            self._session: Any = spark._jsparkSession
            jvm: Any = self._jvm
            self._catalyst: Any = jvm.org.apache.spark.sql.catalyst
            self._classic: Any = jvm.org.apache.spark.sql.classic
            self._some: Any = jvm.scala.Option
        except (AttributeError, PySparkException) as error:
            raise SparkError("rows are traced by Spark's plans, which Spark Connect does not show") from error

    def analysed(self, frame: DataFrame) -> Node:
        """The plan of a frame, names resolved, nothing optimised; CTEs stand where they are read."""
        try:
            plan = frame._jdf.queryExecution().analyzed()
        except (AttributeError, PySparkException) as error:
            raise SparkError("rows are traced by Spark's plans, which Spark Connect does not show") from error
        if plan.isStreaming():
            raise SparkError("rows of streams cannot be traced: read what the stream has written")
        try:
            made = self._catalyst.optimizer.InlineCTE
            # Its further switches, whose number differs between versions, are off unless somebody asks.
            found = self._jvm.java.lang.Class.forName(made._fqn).getConstructors()[0].getParameterCount()
            return made(True, *[False] * (found - 1)).apply(plan)
        except Py4JError as error:
            raise self._strange("InlineCTE") from error

    def decorrelated(self, plan: Node) -> Node:
        """The same plan with joins where subqueries were; scalar ones that stand alone are left (rules T23, T24)."""
        for _ in range(ROUNDS):
            before, plan = plan, self._pulled(plan)
            for name in RULES:
                plan = self._rule(name).apply(plan)
            if plan.fastEquals(before):
                break
        return plan

    def _rule(self, name: str) -> Node:
        rule = getattr(self._catalyst.optimizer, name)
        # What is not there is taken for a package by py4j.
        if isinstance(rule, JavaPackage):
            raise self._strange(name)
        return rule

    def _pulled(self, plan: Node) -> Node:
        """A plan whose subqueries have pulled out what their own subqueries ask them for.

        Spark's rule does so for one level, and the one that makes joins goes through all of them at once.
        """
        below = children(plan)
        pulled = [self._pulled(one) for one in below]
        if any(one is not other for one, other in zip(pulled, below, strict=True)):
            plan = plan.withNewChildren(self._seq(pulled))
        if not any(one.subqueries().size() for subquery in listed(plan.subqueries()) for one in walked(subquery)):
            return plan
        parts = plan.productIterator()
        made = []
        while parts.hasNext():
            made.append(self._part(parts.next()))
        gateway: Any = self.spark.sparkContext._gateway
        array = gateway.new_array(gateway.jvm.java.lang.Object, len(made))
        for place, one in enumerate(made):
            array[place] = one
        return plan.makeCopy(array)

    def _part(self, part: Node) -> Node:
        """A part of a node, with subqueries that have pulled out what theirs ask for."""
        if not isinstance(part, JavaObject):
            return part
        if self._is(part, f"{EXPRESSIONS}.SubqueryExpression"):
            subquery = part.withNewPlan(self._rule("PullupCorrelatedPredicates").apply(self._pulled(part.plan())))
            return self._over(subquery)
        if self._is(part, f"{EXPRESSIONS}.Expression"):
            return self._over(part)
        if self._is(part, "scala.Some"):
            return self._some.apply(self._part(part.get()))
        many = self._is(part, "scala.collection.immutable.Seq")
        return self._seq([self._part(one) for one in listed(part)]) if many else part

    def _over(self, expression: Node) -> Node:
        below = children(expression)
        return expression.withNewChildren(self._seq([self._part(one) for one in below])) if below else expression

    def _is(self, found: Node, name: str) -> bool:
        return bool(is_instance_of(self.spark.sparkContext._gateway, found, name))

    def frame(self, plan: Node) -> DataFrame:
        """A plan as a DataFrame; its columns may have the same names."""
        from pyspark.sql.classic.dataframe import DataFrame as Classic

        return Classic(self._classic.Dataset.ofRows(self._session, plan), self.spark)

    def renamed(self, plan: Node, name: Callable[[int], str]) -> DataFrame:
        """A plan as a DataFrame whose columns are named after its attributes."""
        found = {number(one): one for one in output(plan)}
        return self.frame(plan).select(*(self.resolved(one).alias(name(which)) for which, one in found.items()))

    def resolved(self, expression: Node) -> Column:
        """An expression as a column, over the plan that it stands on."""
        from pyspark.sql.classic.column import Column as Classic

        return Classic(self._classic.ExpressionUtils.column(expression))

    def column(self, expression: Node, name: Callable[[int], str]) -> Column:
        """An expression as a column, over any frame whose columns are named after attributes."""
        return self.resolved(self._named(expression, name))

    def _named(self, expression: Node, name: Callable[[int], str], shared: Mapping[int, Node] | None = None) -> Node:
        """The same over names; ``shared`` are expressions that several parts of it share, written out here."""
        shared = shared or {}
        if kind(expression) in ("AttributeReference", "ScalarSubquery"):
            return self._catalyst.analysis.UnresolvedAttribute.quoted(name(number(expression)))
        if kind(expression) == "CommonExpressionRef":
            return self._named(shared[_shared(expression)], name, shared)
        if kind(expression) == "With":
            inner = {_shared(one): one.child() for one in listed(expression.defs())}
            return self._named(expression.child(), name, {**shared, **inner})
        below = children(expression)
        if not below:
            return expression
        # BETWEEN, NULLIF and the like are what Spark writes for them, which stands below: they need no names.
        if self._is_replaced(expression):
            return self._named(below[0], name, shared)
        return expression.withNewChildren(self._seq([self._named(one, name, shared) for one in below]))

    def _is_replaced(self, expression: Node) -> bool:
        replaced = self._jvm.java.lang.Class.forName("org.apache.spark.sql.catalyst.expressions.InheritAnalysisRules")
        return bool(replaced.isInstance(expression))

    def aggregated(self, node: Node, more: Sequence[Node]) -> Node:
        """An aggregate that shows further expressions, after its own."""
        shown = [*listed(node.aggregateExpressions()), *map(self._alias, more)]
        made = self._catalyst.plans.logical.Aggregate
        return made(node.groupingExpressions(), self._seq(shown), node.child(), self._some.empty())

    def windowed(self, node: Node, more: Sequence[Node]) -> Node:
        """A window that computes further expressions, after its own."""
        shown = [*listed(node.windowExpressions()), *map(self._alias, more)]
        made = self._catalyst.plans.logical.Window
        return made(self._seq(shown), node.partitionSpec(), node.orderSpec(), node.child(), self._some.empty())

    def taking(self, window: Node, row: Node) -> Node:
        """A window expression that takes a value from one row, made to take that whole row."""
        outer, specification = children(window)
        aggregated = kind(outer) == "AggregateExpression"
        function = outer.aggregateFunction() if aggregated else outer
        expressions = self._catalyst.expressions
        nothing = expressions.Literal.create(None, row.dataType())
        argument = children(function)[0]
        if function.ignoreNulls():
            row = expressions.If(expressions.IsNotNull(argument), row, nothing)
        rest = [
            nothing if place == 1 and kind(function) in ("Lag", "Lead") else one
            for place, one in enumerate(children(function)[1:])
        ]
        made = function.withNewChildren(self._seq([row, *rest]))
        if aggregated:
            made = outer.withNewChildren(self._seq([made, *children(outer)[1:]]))
        return window.withNewChildren(self._seq([made, specification]))

    def row(self, attributes: Sequence[Node]) -> Node:
        """The values of attributes as one value."""
        return self._catalyst.expressions.CreateStruct.create(self._seq(list(attributes)))

    def literal(self, value: object, type_of: Node) -> Column:
        """A value of Spark's own as a column."""
        return self.resolved(self._catalyst.expressions.Literal.create(value, type_of))

    def generated(self, generator: Node, outer: bool, names: Sequence[str], name: Callable[[int], str]) -> Column:
        """The columns that a generator makes of each row."""
        from pyspark.sql.classic.column import Column as Classic

        expression = self._named(generator, name)
        if outer:
            expression = self._catalyst.expressions.GeneratorOuter(expression)
        made: Any = self.resolved(expression)
        return Classic(getattr(made._jc, "as")(self._seq(list(names))))

    def kept(self, frame: DataFrame) -> DataFrame:
        """The rows of a frame, computed now, as a frame that computes nothing any more."""
        execution = frame._jdf.queryExecution()
        rows = execution.executedPlan().executeCollect()
        made = self._catalyst.plans.logical.LocalRelation
        data = self._jvm.scala.collection.immutable.ArraySeq.unsafeWrapArray(rows)
        plan = made(execution.analyzed().output(), data, False, self._some.empty())
        return self.frame(plan)

    def parsed(self, condition: str) -> Node:
        """A condition as SQL has it, names not looked for."""
        return self._session.sessionState().sqlParser().parseExpression(condition)

    def with_metadata(self, relation: Node) -> Node | None:
        """A leaf that tells the file of each of its rows and which one there it is; None if it cannot (rule T37)."""
        if kind(relation) != "LogicalRelation" or kind(relation.relation()) != "HadoopFsRelation":
            return None
        if kind(relation.relation().fileFormat()) != "ParquetFileFormat":
            return None
        return relation.withMetadataColumns()

    def showing(self, plan: Node, leaf: Callable[[Node], Node | None]) -> Node:
        """A plan of row by row operators over another leaf, whose last attribute it shows as well."""
        found = leaf(plan)
        if found is not None:
            return found
        below = self.showing(plan.child(), leaf)
        if kind(plan) in ("SubqueryAlias", "View"):
            return below
        if kind(plan) == "Project":
            shown = [*listed(plan.projectList()), output(below)[-1]]
            return self._catalyst.plans.logical.Project(self._seq(shown), below)
        return plan.withNewChildren(self._seq([below]))

    def _alias(self, expression: Node) -> Node:
        expressions = self._catalyst.expressions
        fresh = expressions.NamedExpression.newExprId()
        empty = self._seq([])
        return expressions.Alias(expression, "_", fresh, empty, self._some.empty(), empty)

    def _seq(self, found: list[Any]) -> Node:
        return self._jvm.PythonUtils.toSeq(found)

    def _strange(self, name: str) -> SparkError:
        return SparkError(f"Spark {self.spark.version} has no {name} as rows are traced by: Spark 4.1 to 4.3 do")


def leaf_name(plan: Node) -> str:
    """What a leaf is called: its table, the last part of its path, or what it is (`memory`)."""
    if kind(plan) == "LogicalRelation":
        if plan.catalogTable().isDefined():
            return str(plan.catalogTable().get().identifier().unquotedString()).removeprefix("spark_catalog.")
        if kind(plan.relation()) == "HadoopFsRelation":
            paths = [str(path.getName()) for path in listed(plan.relation().location().rootPaths())]
            return " ".join(paths)
        return kind(plan.relation())
    if kind(plan) == "HiveTableRelation":
        return str(plan.tableMeta().identifier().unquotedString()).removeprefix("spark_catalog.")
    if kind(plan) == "DataSourceV2Relation":
        return str(plan.name())
    return "memory"
