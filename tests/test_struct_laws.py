"""Rows decide which fields of structs arrive: random programs are read as files of SQL and executed in DuckDB.

Each value that can flow is a number of its own. What arrives must be in the active lineage, and its row must meet the
condition shown (rule Q6). `MDW_EXAMPLES=20 pytest tests/test_struct_laws.py` looks twenty times as long.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import duckdb
import pytest
from empty_database import empty_database

from mdw import Warehouse
from mdw.model.answers.ends import End

MORE = float(os.environ.get("MDW_EXAMPLES", "1"))
FIRST = 0 if MORE == 1 else Random().randrange(1 << 30)
PROGRAMS = 8
DATABASES = 6
SCHEMA = "CREATE TABLE t (k INT, x INT, y INT, z INT, g STRUCT(a INT, b INT))"
GIVEN = ("{o}.s.a", "{o}.s.b", "{o}.s.n.c", "{o}.s.n.d", "{o}.v")
"""What each entity made has: a struct with a struct in it, and a number."""


class Program:
    """Views, tables and CTEs, one after the other, each made of those before it."""

    def __init__(self, draw: Random) -> None:
        self.draw, self.files, self.made = draw, [SCHEMA], list[str]()
        for number in range(draw.randint(1, 3)):
            self.files.append(f"CREATE {draw.choice(['VIEW', 'TABLE'])} r{number} AS {self.query()}")
            self.made.append(f"r{number}")
        if draw.random() < 0.3:
            self.files.append(f"INSERT INTO {self.made[0]} {self.branch(['t'])}")
        if "VIEW" in self.files[1]:
            self.files[1:] = [one for one in self.files[1:] if not one.startswith("INSERT")]
        last = self.made[-1]
        self.files.append(
            f"CREATE TABLE m AS WITH c AS ({self.query()}), d AS (SELECT * FROM c UNION ALL SELECT * FROM {last})"
            f" SELECT {self.value('o', 'd')} AS p FROM d AS o WHERE {self.test('o', 'd')}"
        )

    def query(self) -> str:
        """One or two branches, made of what there is so far."""
        return " UNION ALL ".join(self.branch() for _ in range(self.draw.choice([1, 1, 2])))

    def branch(self, entities: list[str] | None = None) -> str:
        """A SELECT that gives a struct S and a number V."""
        entity = self.draw.choice(entities or ["t", *self.made, *self.made])
        of = [self.struct(entity)]
        if entity != "t":
            other = "o.s" if self.draw.random() < 0.6 else self.struct(entity)
            test = self.test("o", entity)
            of += [
                "o.s",
                f"CASE WHEN {test} THEN {other} ELSE {self.struct(entity)} END",
                f"COALESCE({other}, {self.struct(entity)})",
                f"CASE WHEN {test} THEN {other} END",
            ]
        where = f" WHERE {self.test('o', entity)}" if self.draw.random() < 0.6 else ""
        return f"SELECT {self.draw.choice(of)} AS s, {self.value('o', entity)} AS v FROM {entity} AS o{where}"

    def struct(self, entity: str) -> str:
        """A struct of values of an entity; the one in it may be one that the entity has."""
        a, b, c, d = (self.value("o", entity) for _ in range(4))
        inner = "o.s.n" if entity != "t" and self.draw.random() < 0.3 else f"{{'c': {c}, 'd': {d}}}"
        return f"{{'a': {a}, 'b': {b}, 'n': {inner}}}"

    def value(self, name: str, entity: str) -> str:
        """A number that an entity has."""
        of = ("{o}.x", "{o}.y", "{o}.z", "{o}.g.a") if entity == "t" else GIVEN
        return self.draw.choice(of).format(o=name)

    def test(self, name: str, entity: str) -> str:
        """A test of one."""
        asked = ("= 1", "= 2", "<> 1", "> 1", "IS NULL", "IS NOT NULL")
        return f"{self.value(name, entity)} {self.draw.choice(asked)}"


def filled(database: duckdb.DuckDBPyConnection, draw: Random) -> dict[int, tuple[str, int]]:
    """Put some rows into T; the column and the row of each number that is there once."""
    found: dict[int, tuple[str, int]] = {}
    for row in range(draw.randint(1, 3)):
        numbers: list[int | None] = []
        for column in ("x", "y", "z", "g", "g"):
            token = 1000 + len(found)
            if draw.random() < 0.35:
                found[token] = column, row
            numbers.append(token if token in found else draw.choice([1, 1, 2, None]))
        database.execute("INSERT INTO t VALUES (?, ?, ?, ?, {'a': ?, 'b': ?})", [row, *numbers])
    return found


def arrived(program: Program, ends: dict[str, End], draw: Random) -> tuple[set[str], list[str]]:
    """The columns that arrive, and whatever rows say against the answer."""
    met, wrong = set[str](), []
    with empty_database() as database:
        database.execute(SCHEMA)
        tokens = filled(database, draw)
        for text in program.files[1:]:
            database.execute(text)
        for (value,) in database.execute("SELECT p FROM m").fetchall():
            column, row = tokens.get(value, ("", 0))
            end = ends.get(f"T.{column.upper()}")
            met |= {column} - {""}
            if column and end is None:
                wrong.append(f"{column} arrives and is no source")
            elif end is not None:
                found = database.execute(f"SELECT COUNT(*) FROM t WHERE k = {row} AND ({end.sql})").fetchall()
                wrong += [] if found[0][0] else [f"row {row} of {column} arrives against {end.sql}"]
    return met, wrong


@pytest.mark.parametrize("part", range(max(1, int(3 * MORE))))
def test_q6_what_arrives_through_structs_is_in_the_lineage(part: int, tmp_path: Path) -> None:
    met = kept = 0
    for seed in range(FIRST + part * PROGRAMS, FIRST + (part + 1) * PROGRAMS):
        draw = Random(seed)
        program, folder = Program(draw), tmp_path / str(seed)
        folder.mkdir()
        for number, text in enumerate(program.files):
            (folder / f"{number}.sql").write_text(text)
        warehouse = Warehouse()
        assert not warehouse.load(folder, dialect="duckdb").errors
        ends = {one.attribute: one for one in warehouse.lineage("m.p").golden}
        columns = set[str]()
        for _ in range(DATABASES):
            more, wrong = arrived(program, ends, draw)
            columns |= more
            assert not wrong, f"{wrong[0]}\nseed {seed}\n" + ";\n".join(program.files)
        met, kept = met + len(columns), kept + len(ends)
    # A law that nothing arrives against, or that keeps everything, says nothing.
    assert 0 < met <= kept < 4 * PROGRAMS
