"""Q34, Q36, Q37 as PostgreSQL runs them: what a change of one column moves is what lineage says comes from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import postgresql
import pytest

from mdw import Warehouse

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.skipif(bool(postgresql.no_server()), reason=postgresql.no_server() or "none")

SCRIPT = """
CREATE SCHEMA other;
CREATE TABLE src (k INT, x INT, y INT, a INT[], b INT[]);
CREATE TABLE other.src (k INT, x INT);
CREATE TABLE t ("BAG" INT, "bag" INT);
INSERT INTO t ("BAG", bag) SELECT x, y FROM src;
CREATE FUNCTION f(p INT) RETURNS TABLE (id INT, v INT, w INT) LANGUAGE sql AS
    $$ SELECT s.k, s.x * p, s.y FROM src s WHERE s.k >= p - p $$;
CREATE FUNCTION other.g(INT) RETURNS TABLE (id INT, v INT) LANGUAGE plpgsql SET search_path = other, public AS
    $$ BEGIN RETURN QUERY WITH c AS (SELECT s.k, s.x + $1 AS z FROM src s) SELECT c.k, c.z FROM c; END $$;
CREATE VIEW other.v AS SELECT x FROM src;
CREATE VIEW o AS SELECT f.id AS o1, f.v AS o2, f.w AS o3 FROM src CROSS JOIN LATERAL f(src.y) f;
CREATE VIEW p AS SELECT q.d AS p1, q.e AS p2 FROM src CROSS JOIN LATERAL other.g(src.x) q(d, e);
CREATE VIEW r AS SELECT u.m AS r1, u.n AS r2 FROM src, ROWS FROM (unnest(src.a), unnest(src.b)) AS u(m, n);
CREATE VIEW w AS SELECT bag AS w1, "BAG" AS w2 FROM t;
"""
SEEDS = {
    "SRC": {"K": "1", "X": "2", "Y": "3", "A": "ARRAY[4, 5]", "B": "ARRAY[6, 7]"},
    "OTHER.SRC": {"K": "8", "X": "9"},
}
CHANGED = {"K": "51", "X": "52", "Y": "53", "A": "ARRAY[54, 55]", "B": "ARRAY[56, 57]"}
ASKED = ("other.v.x", "o.o1", "o.o2", "o.o3", "p.p1", "p.p2", "r.r1", "r.r2", "w.w1", "w.w2")


@pytest.fixture(scope="module")
def database() -> Iterator[Any]:
    """A database in which nothing stays."""
    with postgresql.server("secret") as url:
        place = url.replace("jdbc:postgresql://", f"postgresql://{postgresql.USER}:secret@")
        with psycopg.connect(place) as connection:
            yield connection


def values(database: Any, changed: str = "") -> dict[str, list[Any]]:
    """What each attribute that is asked for has, where a column of a table has other values."""
    seeds = "".join(
        f"INSERT INTO {table} ({', '.join(row)}) VALUES"
        f" ({', '.join(CHANGED[name] if f'{table}.{name}' == changed else kept for name, kept in row.items())});"
        for table, row in SEEDS.items()
    )
    head, copied, rest = SCRIPT.partition("INSERT INTO t")
    database.execute(f"{head}{seeds}{copied}{rest}")
    try:
        select = "SELECT {1} FROM {0} ORDER BY 1"
        return {asked: database.execute(select.format(*asked.rsplit(".", 1))).fetchall() for asked in ASKED}
    finally:
        database.rollback()


def test_what_moves_is_what_comes_from_it(tmp_path: Path, database: Any) -> None:
    """Of each attribute the golden sources are the columns without whose change it stays as it is."""
    (tmp_path / "a.sql").write_text(SCRIPT)
    with Warehouse() as warehouse:
        warehouse.load(tmp_path, dialect="postgres").raise_for_errors()
        told = {asked: {one.attribute for one in warehouse.lineage(asked).golden} for asked in ASKED}
    as_it_is = values(database)
    moved: dict[str, set[str]] = {asked: set() for asked in ASKED}
    for table, row in SEEDS.items():
        for name in row:
            now = values(database, f"{table}.{name}")
            for asked in ASKED:
                moved[asked] |= {f"{table}.{name}"} if now[asked] != as_it_is[asked] else set()
    assert told == moved
    assert all(moved.values())
