"""Small random warehouses with rows: mapping text, and the same in DuckDB with the ids of source rows carried along.

Every entity has the columns K, X and Y. Beside each of its rows stand the ids of all golden rows that it was made of,
and for each column those that gave it its value. What is written here by hand knows nothing of `mdw`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

import duckdb

COLUMNS = ("K", "X", "Y")
Row = tuple[int | None, ...]
UNION = "list_distinct(flatten(list({0}) OVER (PARTITION BY K, X, Y)))"


@dataclass
class RowWarehouse:
    """Golden rows, mapping text, and the annotated entities as queries of DuckDB."""

    golden: dict[str, list[Row]] = field(default_factory=dict)
    mappings: list[str] = field(default_factory=list)
    queries: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All mappings."""
        return "\n".join(self.mappings)

    def rows(self) -> list[tuple[Row, frozenset[str], tuple[frozenset[str], ...]]]:
        """The rows of T, each with all ids, and with those that gave values by column."""
        with self.made() as connection:
            found = connection.execute("SELECT DISTINCT K, X, Y, ids, vK, vX, vY FROM T ORDER BY ALL").fetchall()
        return [(row[:3], frozenset(row[3]), tuple(map(frozenset, row[4:]))) for row in found]

    @contextmanager
    def made(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """A database with a table for each entity."""
        with duckdb.connect() as connection:
            for name, rows in self.golden.items():
                values = ", ".join(f"({number}, {', '.join(map(_sql, row))})" for number, row in enumerate(rows))
                ids = f"[concat('{name}:', n)]"
                marks = f"{ids} AS ids, {ids} AS vK, {ids} AS vX, {ids} AS vY"
                typed = "K::INT AS K, X::INT AS X, Y::INT AS Y"
                connection.execute(
                    f"CREATE TABLE {name} AS SELECT {typed}, {marks} FROM (VALUES {values}) AS t(n, K, X, Y)"
                )
            for name, queries in self.queries.items():
                marks = ", ".join(f"{UNION.format(mark)} AS {mark}" for mark in ("ids", "vK", "vX", "vY"))
                connection.execute(
                    f"CREATE TABLE {name} AS SELECT K, X, Y, {marks} FROM ({' UNION ALL '.join(queries)})"
                )
            yield connection


def row_warehouse(seed: int) -> RowWarehouse:
    """A warehouse of three golden entities, two made of these, and T made of all."""
    chance, made = Random(seed), RowWarehouse()
    for number in range(3):
        made.golden[f"G{number}"] = [
            tuple(chance.choice((0, 1, 2, 2, None)) for _ in COLUMNS) for _ in range(chance.randint(2, 7))
        ]
    below = list(made.golden)
    for entity in ("M0", "M1", "T"):
        for _ in range(chance.randint(1, 3 if entity == "T" else 2)):
            _fill(chance, made, entity, below if entity != "T" else ["M0", "M1", *below])
    return made


def _fill(chance: Random, made: RowWarehouse, entity: str, below: list[str]) -> None:
    source, other = chance.sample(below, 2)
    kind = chance.choice((_copied, _joined, _grouped))
    text, query = kind(chance, entity, source, other)
    made.names.setdefault(entity, []).append(f"m{len(made.mappings)}")
    made.mappings.append(f"MAPPING m{len(made.mappings)}: WHEN POPULATING {entity} FROM {source}\n{text}\n")
    made.queries.setdefault(entity, []).append(query)


def _filter(chance: Random, source: str) -> tuple[str, str]:
    test = chance.choice(("", f"{source}.K = {chance.randint(0, 2)}", f"{source}.X > 0", f"{source}.Y IS NOT NULL"))
    return (f"SELECT ROWS WHERE {test}\n", f" WHERE {test}") if test else ("", "")


def _copied(chance: Random, entity: str, source: str, _: str) -> tuple[str, str]:
    asked, where = _filter(chance, source)
    constant = chance.random() < 0.3
    x = "2" if constant else f"{source}.X"
    text = (
        f"  POPULATE {entity}.K WITH {source}.K\n  POPULATE {entity}.X WITH {x}\n"
        f"  POPULATE {entity}.Y WITH {source}.Y IF {source}.X = 2 WITH {source}.K + 1\n{asked}"
    )
    value = "[]::VARCHAR[]" if constant else "vX"
    query = (
        f"SELECT K, {x} AS X, CASE WHEN X = 2 THEN Y ELSE K + 1 END AS Y, ids, vK, {value} AS vX,"
        f" CASE WHEN X = 2 THEN vY ELSE vK END AS vY FROM {source}{where}"
    ).replace(f"{x} AS X", f"{x.rpartition('.')[2]} AS X", 1)
    return text, query.replace("CASE WHEN X", f"CASE WHEN {source}.X")


def _joined(chance: Random, entity: str, source: str, other: str) -> tuple[str, str]:
    asked, where = _filter(chance, source)
    kind = chance.choice(("INNER", "LEFT", "SEMI"))
    on = f"{other}.K = {source}.K"
    y = f"{source}.Y" if kind == "SEMI" else f"{other}.Y"
    text = (
        f"  POPULATE {entity}.K WITH {source}.K\n"
        f"  POPULATE {entity}.X WITH {source}.X\n  POPULATE {entity}.Y WITH {y}\n"
        f"{asked}{kind} JOIN {other} ON {on}"
    )
    s, o = source, other
    if kind == "SEMI":
        partners = f"(SELECT flatten(list({o}.ids)) FROM {o} WHERE {on})"
        ids = f"list_concat({s}.ids, {partners})"
        exists = f"EXISTS (SELECT 1 FROM {o} WHERE {on})"
        tests = f"{where} AND {exists}" if where else f" WHERE {exists}"
        return text, f"SELECT {s}.K, {s}.X, {s}.Y, {ids} AS ids, {s}.vK, {s}.vX, {s}.vY FROM {s}{tests}"
    ids = f"list_concat({s}.ids, coalesce({o}.ids, []))"
    columns = f"{s}.K, {s}.X, {o}.Y, {ids} AS ids, {s}.vK, {s}.vX, coalesce({o}.vY, []) AS vY"
    return text, f"SELECT {columns} FROM {s} {kind} JOIN {o} ON {on}{where}"


def _grouped(chance: Random, entity: str, source: str, _: str) -> tuple[str, str]:
    asked, where = _filter(chance, source)
    case = f"CASE WHEN {source}.Y = 1 THEN {source}.X ELSE 0 END"
    x, entering = chance.choice(((f"{source}.X", "X IS NOT NULL"), (case, "Y = 1 AND X IS NOT NULL")))
    text = (
        f"  POPULATE {entity}.K WITH {source}.K\n  POPULATE {entity}.X WITH SUM({x})\n"
        f"  POPULATE {entity}.Y WITH COUNT(*)\n{asked}GROUP BY {source}.K"
    )
    entered = f"coalesce(flatten(list(vX) FILTER ({entering})), [])"
    query = (
        f"SELECT K, SUM({x})::BIGINT AS X, COUNT(*)::BIGINT AS Y, flatten(list(ids)) AS ids, flatten(list(vK)) AS vK,"
        f" {entered} AS vX, []::VARCHAR[] AS vY FROM {source}{where} GROUP BY K"
    )
    return text, query


def _sql(value: int | None) -> str:
    return "NULL" if value is None else str(value)
