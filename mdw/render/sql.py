"""Rules as SQL: `INSERT INTO … SELECT` that DuckDB and SQLite execute, so an answer can be checked against rows.

The meaning is that of the mapping language: rows of the driving entity, left-joined along the navigation, those for
which the filter is true; each attribute takes its first clause whose IF is true; aggregations group by the other
populated expressions.

>>> from mdw.language.derive import derive
>>> from mdw.language.mapping import read
>>> text = "WHEN POPULATING T FROM S POPULATE T.A WITH S.X IF S.Y = 1 WITH 0 SELECT ROWS WHERE S.K > 5"
>>> print(insert_select(derive(read(text).trees[0], "m")))
INSERT INTO T (A)
SELECT CASE WHEN S.Y = 1 THEN S.X ELSE 0 END AS A
FROM S
WHERE S.K > 5
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Literal

from mdw.model.errors import InputError
from mdw.model.expressions import (
    TRUE,
    Aggregate,
    And,
    Attr,
    Compare,
    Condition,
    Const,
    Expression,
    Leaf,
    Variable,
    aggregates,
    attributes_of,
    parts,
    with_leaves,
)
from mdw.model.name import local_of
from mdw.model.rules import Clause, Join, Population, Rules, aggregating
from mdw.model.text import expression_sql, sql_with, to_sql

Dialect = Literal["duckdb", "sqlite"]


def create_table(entity: str, columns: Mapping[str, str]) -> str:
    """A table for an entity; ``columns`` gives the SQL type of every attribute by its name within the entity.

    >>> create_table("PARTY", {"ID": "INTEGER", "`end date`": "DATE"})
    'CREATE TABLE PARTY (ID INTEGER, "end date" DATE)'
    """
    listed = ", ".join(f"{_name(column)} {kind}".rstrip() for column, kind in columns.items())
    return f"CREATE TABLE {_name(entity)} ({listed})"


def insert_select(rules: Rules, *, dialect: Dialect = "duckdb") -> str:
    """The mapping as one SQL statement; what it does not populate stays NULL. InputError if it populates nothing."""
    head = rules.head
    if not rules.populations:
        raise InputError(f"{head.mapping} populates no attribute: there is nothing to insert")
    leaf = partial(portable, dialect=dialect)
    grouped = any(aggregating(population) for population in rules.populations)
    columns = [_column(population, leaf) for population in rules.populations]
    lines = [
        f"INSERT INTO {_name(head.target)} ({', '.join(_name(local_of(p.target)) for p in rules.populations)})",
        "SELECT " + ",\n       ".join(columns),
        f"FROM {_name(head.driving)}",
        *(_join(join) for join in head.joins),
    ]
    if head.filter is not None:
        lines.append(f"WHERE {_test(head.filter, leaf)}")
    if grouped:
        lines += _grouping(rules.populations)
    return "\n".join(lines)


def _column(population: Population, leaf: Leaf) -> str:
    write = _aggregated_value if aggregating(population) else _value
    return f"{write(population.clauses, leaf)} AS {_name(local_of(population.target))}"


def _value(clauses: Iterable[Clause], leaf: Leaf) -> str:
    """The first clause whose IF is true, else NULL."""
    cases: list[str] = []
    for clause in clauses:
        value = _written(clause.expression, leaf)
        # A clause without IF is the ELSE; what stands below it can never be taken.
        if clause.condition is None:
            return f"CASE {' '.join(cases)} ELSE {value} END" if cases else value
        cases.append(f"WHEN {_test(clause.condition, leaf)} THEN {value}")
    return f"CASE {' '.join(cases)} END" if cases else "NULL"


def _aggregated_value(clauses: Iterable[Clause], leaf: Leaf) -> str:
    """Every clause over the rows of the group that take it; the first that finds a value."""
    found: list[str] = []
    earlier: list[Clause] = []
    for clause in clauses:
        found.append(_over_group(clause.expression, earlier, clause.condition, leaf))
        earlier.append(clause)
    return found[0] if len(found) == 1 else f"COALESCE({', '.join(found)})"


def _over_group(expression: Expression, earlier: list[Clause], condition: Condition | None, leaf: Leaf) -> str:
    def chosen(part: Expression) -> str:
        value = _written(part, leaf)
        if not earlier and condition is None:
            return value
        # The first clause whose IF is true counts, row by row: rows of earlier clauses give this one nothing.
        before = " ".join(f"WHEN {_test(one.condition or TRUE, leaf)} THEN NULL" for one in earlier)
        then = f"WHEN {_test(condition, leaf)} THEN {value}" if condition else f"ELSE {value}"
        return f"CASE {before}{' ' if before else ''}{then} END"

    if isinstance(expression, Aggregate):
        return sql_with(expression, [chosen(part) for part in parts(expression)])
    if aggregates(expression):
        inner = [_over_group(part, earlier, condition, leaf) for part in parts(expression)]
        return sql_with(expression, inner)
    # Not aggregated beside clauses that are: any row of the group may give the value, and MAX gives always the same.
    return f"MAX({chosen(expression)})"


def _grouping(populations: tuple[Population, ...]) -> list[str]:
    """GROUP BY the populated expressions that depend on the row and do not aggregate, by their place."""
    # Without GROUP BY, SQL aggregates no rows to one row; a mapping makes no row of none.
    places = [str(place) for place, one in enumerate(populations, 1) if not aggregating(one) and _depends(one)]
    return [f"GROUP BY {', '.join(places)}"] if places else ["HAVING COUNT(*) > 0"]


def _depends(population: Population) -> bool:
    items = [item for clause in population.clauses for item in (clause.expression, clause.condition)]
    return any(True for item in items if item is not None for _ in attributes_of(item))


def _join(join: Join) -> str:
    if join.kind == "cross":
        return f"CROSS JOIN {_name(join.entity)}"
    pairs = And(tuple(Compare("=", Attr(left), Attr(right)) for left, right in join.on))
    return f"{join.kind.upper()} JOIN {_name(join.entity)} ON {to_sql(pairs)}"


def _written(expression: Expression, leaf: Leaf) -> str:
    return expression_sql(with_leaves(expression, leaf))


def _test(condition: Condition, leaf: Leaf) -> str:
    return to_sql(with_leaves(condition, leaf))


def _name(name: str) -> str:
    return expression_sql(Attr(name))


def portable(leaf: Attr | Variable | Const, dialect: Dialect) -> Expression:
    """Dates as ISO text where the engine has no dates."""
    match leaf:
        case Const("date", text) if dialect == "sqlite":
            return Const("string", text)
        case _:
            return leaf
