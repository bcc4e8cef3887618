"""The row oracle: run a small warehouse as SQL and see which source cells really reach a value.

Every attribute is accompanied by a trail, a text column that collects the token of each source cell whose value was
copied, computed with or aggregated on the way; the trails are filled by populations derived from the mapping's own, so
the mapping itself runs unchanged.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple, Protocol

from small import Kind

from mdw.model.expressions import Aggregate, Attr, Call, Compute, Concat, Const, Expression, Window
from mdw.model.function_names import CHOICE
from mdw.model.groups import aggregates
from mdw.model.name import entity_of, local_of
from mdw.model.rules import DIRECT, Clause, Population, Rules
from mdw.render.columns import Dialect
from mdw.render.sql import create_table, insert_select

TRAIL = "_FROM"
NUMBER = "ROW_NUMBER_"
TYPES: dict[Kind, str] = {"string": "VARCHAR", "number": "DOUBLE", "date": "DATE", "boolean": "BOOLEAN"}
TOKEN = re.compile(r"<([^<>#]+)#(\d+)>")
PICKED = re.compile(r"([^{}]*)\{([^{}]*)\}")
NOTHING = Const("string", "")
MOST = 300
"""Rows a mapping makes at most: joins of joins of joins would make millions."""


class Cell(NamedTuple):
    """A cell of a golden source: the attribute and the number of its row."""

    attribute: str
    row: int


class Connection(Protocol):
    """What the two engines have in common."""

    def execute(self, sql: str, parameters: Any = ..., /) -> Any: ...


class Database:
    """A warehouse with rows: source tables filled, mappings run in order."""

    def __init__(self, dialect: Dialect = "sqlite") -> None:
        self.dialect: Dialect = dialect
        self.connection = _connect(dialect)

    def create(self, entity: str, kinds: Mapping[str, Kind]) -> None:
        """An empty table with its trails."""
        columns = {local_of(name): TYPES[kind] for name, kind in kinds.items()}
        trails = {f"{local_of(name)}{TRAIL}": "VARCHAR" for name in kinds}
        self.connection.execute(create_table(entity, {**columns, **trails, NUMBER: "INTEGER"}))

    def fill(self, entity: str, rows: Sequence[Mapping[str, str | int | None]]) -> None:
        """Rows of a golden source, each cell with its own token."""
        for number, row in enumerate(rows):
            values = {local_of(name): value for name, value in row.items()}
            trails = {f"{local_of(name)}{TRAIL}": f"<{name}#{number}>" for name in row}
            every = {**values, **trails, NUMBER: number}
            marks = ", ".join("?" * len(every))
            self.connection.execute(f"INSERT INTO {entity} ({', '.join(every)}) VALUES ({marks})", [*every.values()])

    def run(self, rules: Iterable[Rules]) -> None:
        """The mappings, one after the other."""
        for one in rules:
            self.connection.execute(f"{insert_select(with_trails(one), dialect=self.dialect)}\nLIMIT {MOST}")
            for population in filter(_uses_values, one.populations):
                given = [clause.expression for clause in population.clauses]
                self._pick(population.target, not any(isinstance(one, Compute) for one in given))

    def _pick(self, attribute: str, only: bool) -> None:
        """Take the values out of trails; ``only`` tokens of rows stay whose value it is that MIN or MAX takes."""
        entity, column = entity_of(attribute), local_of(attribute)
        found = self.connection.execute(
            f"SELECT rowid, {column}{TRAIL}, {column} || '' FROM {entity} WHERE {column}{TRAIL} LIKE '%{{%'"
        ).fetchall()
        for number, trail, value in found:
            kept = PICKED.sub(lambda one, value=value: one[1] if one[2] == value or not only else "", trail)
            self.connection.execute(f"UPDATE {entity} SET {column}{TRAIL} = ? WHERE rowid = ?", [kept, number])

    def cells(self, attribute: str, when: str = "TRUE") -> set[Cell]:
        """The source cells that reach the attribute in rows that meet the condition."""
        trail = f"{local_of(attribute)}{TRAIL}"
        found = self.connection.execute(f"SELECT {trail} FROM {entity_of(attribute)} WHERE {when}").fetchall()
        return {Cell(name, int(row)) for (text,) in found for name, row in TOKEN.findall(text or "")}

    def meets(self, cell: Cell, condition: str) -> bool:
        """Whether the source row of a cell meets a condition written as SQL over its entity."""
        sql = f"SELECT 1 FROM {entity_of(cell.attribute)} WHERE {NUMBER} = {cell.row} AND ({condition})"
        return self.connection.execute(sql).fetchone() is not None

    def row(self, cell: Cell) -> dict[str, Any]:
        """The row of a cell, trails left out."""
        cursor = self.connection.execute(f"SELECT * FROM {entity_of(cell.attribute)} WHERE {NUMBER} = {cell.row}")
        pairs = zip((column[0] for column in cursor.description), cursor.fetchone(), strict=True)
        return {name: value for name, value in pairs if not name.endswith(TRAIL)}


def random_rows(draw: Random, kinds: Mapping[str, Kind], count: int) -> list[dict[str, str | int | None]]:
    """Rows over the constants small warehouses use, with NULLs and a value no rule mentions."""
    values: dict[Kind, tuple[str | int | None, ...]] = {
        "string": ("a", "b", "c", "z", None),
        "number": (0, 1, 2, 3, 5, None),
        "date": ("2001-01-01", "2015-12-31", "2020-02-29", "2010-06-15", None),
        "boolean": (True, False, None),
    }
    return [{name: draw.choice(values[kind]) for name, kind in kinds.items()} for _ in range(count)]


def with_trails(rules: Rules) -> Rules:
    """The same mapping, filling the trails too; a population that uses no value (or is only assumed) has none."""
    aggregated = any(aggregates(clause.expression) for one in rules.populations for clause in one.clauses)
    grouped = aggregated if rules.head.group is None else True
    trails = tuple(_trail(one, grouped) for one in rules.populations if _uses_values(one))
    return replace(rules, populations=rules.populations + trails)


def carrying(rules: Rules, mentioned: Iterable[str]) -> Rules:
    """The mapping with the policy `carry` written out: populations for attributes of the same name."""
    known = set(mentioned)
    filled = {one.target for one in rules.populations}
    head = rules.head
    wanted = sorted(name for name in known if entity_of(name) == head.target and name not in filled)
    return replace(rules, populations=rules.populations + tuple(_carried(rules, wanted, known)))


def _carried(rules: Rules, wanted: Iterable[str], known: set[str]) -> Iterator[Population]:
    for name in wanted:
        driving = f"{rules.head.driving}.{local_of(name)}"
        if driving in known:
            own = Attr(f"{rules.head.row}.{local_of(name)}")
            yield Population(rules.head.mapping, name, (Clause(own, None, "", 0, 0, ()),))


def _uses_values(population: Population) -> bool:
    return any(source.subtype in DIRECT for clause in population.clauses for source in clause.sources)


def _trail(population: Population, grouped: bool) -> Population:
    clauses = []
    for clause in population.clauses:
        trail = _aggregated(clause.expression) if grouped else _tokens(clause.expression)
        sources = (one._replace(attribute=one.attribute + TRAIL) for one in clause.sources)
        clauses.append(clause._replace(expression=trail, sources=tuple(sources)))
    return Population(population.mapping, population.target + TRAIL, tuple(clauses))


def _tokens(expression: Expression) -> Expression:
    """The tokens of every attribute in the expression."""
    if isinstance(expression, Window):
        return Window(_taken(expression.function), expression.keys)
    return Concat((NOTHING, *(_or_nothing(Attr(name + TRAIL)) for name in _attributes(expression))))


def _taken(function: Expression) -> Expression:
    """The tokens of the rows that a window takes a value from."""
    if isinstance(function, Aggregate):
        return _aggregated(function)
    assert isinstance(function, Call)
    return replace(function, arguments=tuple(_tokens(one) for one in function.arguments))


def _aggregated(expression: Expression) -> Expression:
    """The tokens of the rows of a group: of all rows, or of those whose value an aggregation takes in."""
    match expression:
        case Aggregate(_, Call(name, _)) if name.startswith(CHOICE):
            return Aggregate("GROUP_CONCAT", Call(name, ()))
        case Aggregate("MIN" | "MAX", Attr(name)):
            parts = (Attr(name + TRAIL), Const("string", "{"), Attr(name), Const("string", "}"))
            return Aggregate("GROUP_CONCAT", Concat(parts))
        case Aggregate(_, Attr(name)):
            known = Call("SUBSTR", (Concat((Attr(name), NOTHING)), Const("number", "1"), Const("number", "0")))
            return Aggregate("GROUP_CONCAT", Concat((Attr(name + TRAIL), known)))
        case Compute(_, left, right) if aggregates(expression):
            return Concat((_or_nothing(_aggregated(left)), _or_nothing(_aggregated(right))))
        case _:
            return Aggregate("GROUP_CONCAT", _tokens(expression))


def _or_nothing(expression: Expression) -> Expression:
    return Call("COALESCE", (expression, NOTHING))


def _attributes(expression: Expression) -> Iterator[str]:
    match expression:
        case Attr(name):
            yield name
        case Compute(_, left, right):
            yield from _attributes(left)
            yield from _attributes(right)
        case Aggregate(_, inner):
            yield from _attributes(inner)
        case Concat(parts) | Call(_, parts):
            for part in parts:
                yield from _attributes(part)


def _connect(dialect: Dialect) -> Connection:
    if dialect == "sqlite":
        connection = sqlite3.connect(":memory:")
        connection.execute("PRAGMA case_sensitive_like = ON")
        return connection
    import duckdb  # a second to import, and only some laws need it

    found: Connection = duckdb.connect(":memory:")
    found.execute("SET threads = 1")
    found.execute("SET temp_directory = ''")
    return found
