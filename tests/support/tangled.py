"""Random files of SQL that need one another every which way: chains of stars, circles, tables made twice."""

from __future__ import annotations

from pathlib import Path
from random import Random

TABLES = ("raw.s", "raw.t", "core.u", "core.v", "mart.w", "mart.x")
COLUMNS = ("a", "b", "c", "d")


def statement(draw: Random, table: str) -> str:
    """One that makes, fills or changes a table; circles and tables made twice among them."""
    some = draw.sample(COLUMNS, draw.randint(1, 4))
    one, other = draw.choice(TABLES), draw.choice(TABLES)
    return draw.choice([
        f"CREATE TABLE {table} ({', '.join(f'{name} INT' for name in some)});",
        f"CREATE TABLE {table} ({', '.join(f'{name} INT' for name in some)});",
        f"CREATE VIEW {table} AS SELECT * FROM {one};",
        f"CREATE VIEW {table} AS SELECT x.*, y.{some[0]} AS more FROM {one} x JOIN {other} y ON x.a = y.a;",
        f"CREATE TABLE {table} AS SELECT {some[0]}, a AS b FROM {one}, {other};",
        f"INSERT INTO {table} SELECT * FROM {one} WHERE {some[0]} = 1;",
        f"INSERT INTO {table} SELECT 1, 2 FROM {one};",
        f"USE {one.partition('.')[0]}; CREATE VIEW {table} AS SELECT * FROM {one.partition('.')[2]};",
    ])  # fmt: skip


def written(draw: Random, file: Path) -> None:
    table = draw.choice(TABLES)
    file.write_text("\n".join(statement(draw, table) for _ in range(draw.randint(1, 2))))
