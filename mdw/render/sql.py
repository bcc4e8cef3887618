"""Rules as SQL: `INSERT INTO … SELECT` that DuckDB and SQLite execute, so an answer can be checked against rows.

The meaning is that of the mapping language: rows of the driving entity, left-joined along the navigation, those for
which the filter is true; each attribute takes its first clause whose IF is true; aggregations group by the other
populated expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Literal

from mdw.conditions.text import expression_sql, to_sql
from mdw.errors import InputError
from mdw.model import (
    TRUE,
    Aggregate,
    And,
    Attr,
    Call,
    Clause,
    Compare,
    Compute,
    Concat,
    Condition,
    Const,
    Expression,
    In,
    IsNull,
    Join,
    Like,
    Not,
    Or,
    Population,
    Rules,
)
from mdw.name import local_of
from mdw.rules import aggregates, aggregating, attributes_of

Dialect = Literal["duckdb", "sqlite"]
Change = Callable[[Expression], Expression]


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
    change = partial(_portable, dialect=dialect)
    grouped = any(aggregating(population) for population in rules.populations)
    columns = [_column(population, change) for population in rules.populations]
    lines = [
        f"INSERT INTO {_name(head.target)} ({', '.join(_name(local_of(p.target)) for p in rules.populations)})",
        "SELECT " + ",\n       ".join(columns),
        f"FROM {_name(head.driving)}",
        *(_join(join) for join in head.joins),
    ]
    if head.filter is not None:
        lines.append(f"WHERE {to_sql(_changed(head.filter, change))}")
    if grouped:
        lines += _grouping(rules.populations)
    return "\n".join(lines)


def _column(population: Population, change: Change) -> str:
    write = _aggregated_value if aggregating(population) else _value
    return f"{write(population.clauses, change)} AS {_name(local_of(population.target))}"


def _value(clauses: Iterable[Clause], change: Change) -> str:
    """The first clause whose IF is true, else NULL."""
    cases: list[str] = []
    for clause in clauses:
        value = expression_sql(change(clause.expression))
        if clause.condition is None:
            return f"CASE {' '.join(cases)} ELSE {value} END" if cases else value
        cases.append(f"WHEN {to_sql(_changed(clause.condition, change))} THEN {value}")
    return f"CASE {' '.join(cases)} END" if cases else "NULL"


def _aggregated_value(clauses: Iterable[Clause], change: Change) -> str:
    """Every clause over the rows of the group that take it; the first that finds a value."""
    found: list[str] = []
    earlier: list[Clause] = []
    for clause in clauses:
        found.append(_over_group(clause.expression, earlier, clause.condition, change))
        earlier.append(clause)
    return found[0] if len(found) == 1 else f"COALESCE({', '.join(found)})"


def _over_group(expression: Expression, earlier: list[Clause], condition: Condition | None, change: Change) -> str:
    def chosen(part: Expression) -> str:
        value = expression_sql(change(part))
        if not earlier and condition is None:
            return value
        before = " ".join(f"WHEN {to_sql(_changed(one.condition or TRUE, change))} THEN NULL" for one in earlier)
        then = f"WHEN {to_sql(_changed(condition, change))} THEN {value}" if condition else f"ELSE {value}"
        return f"CASE {before}{' ' if before else ''}{then} END"

    match expression:
        case Aggregate(function, argument):
            return f"{function}({chosen(argument)})"
        case Compute(op, left, right) if aggregates(expression):
            a, b = (_over_group(side, earlier, condition, change) for side in (left, right))
            return f"(1.0 * {a} / NULLIF({b}, 0))" if op == "/" else f"({a} {op} {b})"
        case Concat(parts) if aggregates(expression):
            return "(" + " || ".join(_over_group(part, earlier, condition, change) for part in parts) + ")"
        case _:
            return f"MAX({chosen(expression)})"


def _grouping(populations: tuple[Population, ...]) -> list[str]:
    """GROUP BY the populated expressions that depend on the row and do not aggregate, by their place."""
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


def _name(name: str) -> str:
    return expression_sql(Attr(name))


def _portable(expression: Expression, dialect: Dialect) -> Expression:
    """Dates as ISO text where the engine has no dates."""
    change = partial(_portable, dialect=dialect)
    match expression:
        case Const("date", text) if dialect == "sqlite":
            return Const("string", text)
        case Compute(op, left, right):
            return Compute(op, change(left), change(right))
        case Concat(parts):
            return Concat(tuple(change(part) for part in parts))
        case Aggregate(function, argument):
            return Aggregate(function, change(argument))
        case Call(function, arguments):
            return Call(function, tuple(change(argument) for argument in arguments))
        case _:
            return expression


def _changed(condition: Condition, change: Change) -> Condition:
    """The condition with every expression in it changed."""
    match condition:
        case Compare(op, left, right):
            return Compare(op, change(left), change(right))
        case In(subject, constants):
            return In(change(subject), tuple(c for one in constants if isinstance(c := change(one), Const)))
        case Like(subject, pattern):
            return Like(change(subject), pattern)
        case IsNull(subject):
            return IsNull(change(subject))
        case Not(part):
            return Not(_changed(part, change))
        case And(parts):
            return And(tuple(_changed(part, change) for part in parts))
        case Or(parts):
            return Or(tuple(_changed(part, change) for part in parts))
