"""Columns of a mapping as SQL: a population -> the expression that gives its value, a condition -> the test of a row.

Of its clauses a value takes the first whose IF is true; what is aggregated is so over the rows of the group that take
it. Attributes stand under the names of their roles, dates as the engine knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, TypeGuard

from mdw.model.expressions import (
    TRUE,
    Aggregate,
    And,
    Attr,
    Call,
    Compare,
    Condition,
    Const,
    Expression,
    Variable,
    Window,
)
from mdw.model.function_names import CHOICE
from mdw.model.groups import aggregates
from mdw.model.name import aliased
from mdw.model.rules import DIRECT, Clause, Join, Population, Rules, aggregating
from mdw.model.standard_sql import expression_sql, sql_with, to_sql
from mdw.model.truth import settled
from mdw.model.walks import attributes_of, parts, walk, with_leaves

Dialect = Literal["duckdb", "sqlite", "standard"]


class Columns:
    """Writes what one mapping says of values and rows.

    Mark joins are none at all: EXISTS stands where a condition asks for them.
    """

    def __init__(self, rules: Rules, dialect: Dialect) -> None:
        self.dialect = dialect
        self.keys = rules.head.group
        self.marks = [join for join in rules.head.joins if join.kind == "mark"]

    # -- columns -------------------------------------------------------------------------------------------------

    def column(self, population: Population) -> str:
        """The value of an attribute in the rows that the mapping makes."""
        keys = self.keys
        if keys is None:
            return self._over_rows(population) if aggregating(population) else self._value(population.clauses)
        told = all(_told(item, keys) for clause in population.clauses for item in (clause.condition, clause.expression))
        return self._value(population.clauses) if told else self._over_rows(population)

    def _value(self, clauses: Iterable[Clause]) -> str:
        """The first clause whose IF is true, else NULL."""
        cases: list[str] = []
        for clause in clauses:
            value = self._given(clause)
            # A clause without IF is the ELSE; what stands below it can never be taken.
            if clause.condition is None:
                return f"CASE {' '.join(cases)} ELSE {value} END" if cases else value
            cases.append(f"WHEN {self.test(clause.condition)} THEN {value}")
        return f"CASE {' '.join(cases)} END" if cases else "NULL"

    def _over_rows(self, population: Population) -> str:
        """Every clause over the rows of the group that take it; the first that finds a value.

        ``WITH SUM(S.X) IF S.T = 1 WITH MAX(S.Y)`` is ``COALESCE(SUM(CASE WHEN S.T = 1 THEN S.X END), MAX(CASE WHEN
        S.T = 1 THEN NULL ELSE S.Y END))``.
        """
        found: list[str] = []
        earlier: list[Clause] = []
        for clause in population.clauses:
            found.append(self._over_group(clause.expression, earlier, clause))
            earlier.append(clause)
        return found[0] if len(found) == 1 else f"COALESCE({', '.join(found)})"

    def _over_group(self, expression: Expression, earlier: list[Clause], clause: Clause) -> str:
        condition = clause.condition

        def chosen(part: Expression) -> str:
            value = self._chosen(part, clause)
            if not earlier and condition is None:
                return value
            # The first clause whose IF is true counts, row by row: rows of earlier clauses give this one nothing.
            before = " ".join(f"WHEN {self.test(one.condition or TRUE)} THEN NULL" for one in earlier)
            then = f"WHEN {self.test(condition)} THEN {value}" if condition else f"ELSE {value}"
            return f"CASE {before}{' ' if before else ''}{then} END"

        if isinstance(expression, Aggregate):
            return sql_with(expression, [chosen(part) for part in parts(expression)])
        if aggregates(expression):
            return sql_with(expression, [self._over_group(part, earlier, clause) for part in parts(expression)])
        # Not aggregated beside clauses that are: any row of the group may give the value, MAX gives always the same.
        return f"MAX({chosen(expression)})"

    def _given(self, clause: Clause) -> str:
        """The value of a clause as a whole."""

        def write(expression: Expression | Condition) -> str:
            if _is_choice(expression):
                return self._chosen(expression, clause)
            inner = parts(expression)
            if not inner or not any(_is_choice(one) for one in walk(expression)):
                return self.written(expression)  # type: ignore[arg-type]
            return sql_with(expression, [write(part) for part in inner])  # type: ignore[arg-type]

        return write(clause.expression)

    def _chosen(self, expression: Expression, clause: Clause) -> str:
        """An expression; what one chooses from within an aggregation by the tests of what it uses, all else NULL."""
        if not (_is_choice(expression)):
            return self.written(expression)
        names = frozenset(attributes_of(expression))
        used = [source for source in clause.sources if source.subtype in DIRECT and source.name in names]
        cases = [f"WHEN {self.test(one.test or TRUE)} THEN {self.written(Attr(one.name))}" for one in used]
        return f"CASE {' '.join(cases)} END" if cases else "NULL"

    # -- words ---------------------------------------------------------------------------------------------------

    def written(self, expression: Expression) -> str:
        """An expression as it is."""
        return self._marked(expression_sql(with_leaves(expression, self._leaf)))

    def test(self, condition: Condition) -> str:
        """A condition as it is."""
        return self._marked(to_sql(settled(with_leaves(condition, self._leaf))))

    def _leaf(self, leaf: Attr | Variable | Const) -> Expression:
        return Attr(aliased(leaf.name)) if isinstance(leaf, Attr) else portable(leaf, self.dialect)

    def _marked(self, text: str) -> str:
        """The text with what asks whether a join finds a row said in SQL's way."""
        for join in self.marks:
            mark = rf"EXISTS {re.escape(join.row)}\((?:[^()']|'[^']*')*\)"
            if re.search(mark, text):
                text = re.sub(mark, self.exists(join).replace("\\", r"\\"), text)
        return text

    def on(self, join: Join) -> str:
        """What a row and the one joined to it have to meet."""
        pairs: list[Condition] = [Compare("=", Attr(left), Attr(right)) for left, right in join.on]
        return self.test(And((*pairs, *([join.rest] if join.rest is not None else []))))

    def exists(self, join: Join) -> str:
        """Whether a join finds a row."""
        return f"EXISTS (SELECT 1 FROM {table_sql(join.entity, join.role)} WHERE {self.on(join)})"


def table_sql(entity: str, role: str) -> str:
    """An entity where it is read, under the name of its role if it has one."""
    return f"{name_sql(entity)} AS {name_sql(role)}" if role else name_sql(entity)


def _told(item: Expression | Condition | None, keys: Sequence[Expression]) -> bool:
    """Whether something is the same for all rows of a group: made of its keys, and of what is aggregated."""
    if item is None or item in keys or isinstance(item, (Const, Aggregate, Window)):
        return True
    return not isinstance(item, Attr) and all(_told(part, keys) for part in parts(item))


def name_sql(name: str) -> str:
    """A name as SQL has it."""
    return expression_sql(Attr(name))


def portable(leaf: Attr | Variable | Const, dialect: Dialect) -> Expression:
    """Dates as ISO text where the engine has no dates."""
    match leaf:
        case Const("date", text) if dialect == "sqlite":
            return Const("string", text)
        case _:
            return leaf


def _is_choice(item: Expression | Condition) -> TypeGuard[Call]:
    """Whether an expression stands for a CASE that was not taken apart."""
    return isinstance(item, Call) and item.function.startswith(CHOICE)
