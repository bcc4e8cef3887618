"""Warehouses of SQL as mdw reads them and as DuckDB executes them, and what arrives where.

Every value that can flow is a text of its own, ``<s1.v.0>``, so that a text in a result says where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import duckdb
from empty_database import empty_database
from sql_relaxing import RELAXING, Relaxing, relaxed
from sql_warehouses import TABLES, SqlWarehouse

from mdw import Lineage, Warehouse

TOKEN = re.compile(r"<(s\d)\.([vw])\.(\d+)>")
SCHEMA = "\n".join(f"CREATE TABLE {table} (k INTEGER, t TEXT, v TEXT, w TEXT);" for table in TABLES)
Token = tuple[str, str, str]
"""A value that is a text of its own: the name of its table, its column, the number of its row."""
Rows = Mapping[str, Sequence[Sequence[object]]]
"""Rows by table: K, T, V, W."""


def loaded(made: SqlWarehouse) -> Warehouse:
    """The warehouse as mdw reads it."""
    warehouse = Warehouse()
    with TemporaryDirectory() as folder:
        for name, text in {"0.ddl": SCHEMA, **made.files}.items():
            Path(folder, name).write_text(text)
        report = warehouse.load(Path(folder), dialect="duckdb")
    assert not report.errors
    assert {one.status for one in report.sql} == {"whole"}, report
    return warehouse


@contextmanager
def executed(made: SqlWarehouse, rows: Rows) -> Iterator[duckdb.DuckDBPyConnection]:
    """The same in a database, with these rows."""
    with empty_database() as database:
        database.execute(f"CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
        filled(database, rows)
        for text in made.files.values():
            database.execute(text)
        yield database


def filled(database: duckdb.DuckDBPyConnection, rows: Rows) -> None:
    """Put rows in the place of those that tables have."""
    for table in TABLES:
        database.execute(f"DELETE FROM {table}")
        if some := rows.get(table):
            places = ", ".join(["(?, ?, ?, ?)"] * len(some))
            database.execute(f"INSERT INTO {table} VALUES {places}", [value for row in some for value in row])


def arrivals(database: duckdb.DuckDBPyConnection, entity: str, column: str) -> set[Token]:
    """Table, column and row of each value that turns up in a column."""
    found = database.execute(f"SELECT {column} FROM {entity}").fetchall()
    return {token for (text,) in found if text for token in TOKEN.findall(text)}


# -- which sources never arrive -------------------------------------------------------------------------------------

Asked = tuple[str, str]
"""An entity and a column of it."""
Kept = tuple[Asked, str]
"""The same with a source that is in its answer."""


@dataclass
class Sharpness:
    """Of sources that steps lead from: those an answer leaves out, those that arrive, and those kept that never do.

    ``allowed``: kept in vain since a rule says that a part gives no condition, by that rule; it was seen that they
    arrive without the part. ``never``: kept in vain although the rules would leave them out, or not settled.
    """

    left_out: int = 0
    arrived: int = 0
    allowed: list[tuple[Kept, str]] = field(default_factory=list)
    never: list[Kept] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Which share of those that never arrive, and that the rules would leave out, is left out."""
        return self.left_out / max(1, self.left_out + len(self.never))


def sharpness(made: SqlWarehouse, draw: Random, databases: int) -> Sharpness:
    """How sharp the answers are, tried over so many databases besides those that example rows make."""
    with loaded(made) as warehouse:
        asked = [(entity, column) for entity in made.made for column in "vw"]
        active = {one: warehouse.lineage(".".join(one)) for one in asked}
        passive = {one: warehouse.lineage(".".join(one), mode="passive") for one in asked}
    kept = {(one, name) for one in asked for name in _carriers(active[one])}
    led = {(one, name) for one in asked for name in _carriers(passive[one])}
    tiny = (tiny_rows(draw) for _ in range(databases))
    never = _never(made, kept, chain(_examples(active.values()), tiny))
    found = Sharpness(len(led - kept), len(kept - never), never=sorted(never))
    every = {"several of these": [*RELAXING.values()]}
    for why, parts in ({name: [one] for name, one in RELAXING.items()} | every).items():
        without = _without(made, parts)
        if not found.never or without.files == _without(made, []).files:
            continue
        still = _never(without, {*found.never}, (tiny_rows(draw) for _ in range(databases)))
        found.allowed += [(one, why) for one in found.never if one not in still]
        found.never = sorted(still)
    return found


def _without(made: SqlWarehouse, parts: Iterable[Relaxing]) -> SqlWarehouse:
    files = {name: relaxed(parts, text) for name, text in made.files.items()}
    return SqlWarehouse(files, made.made)


def _never(made: SqlWarehouse, sources: set[Kept], databases: Iterable[Rows]) -> set[Kept]:
    """The sources of which nothing arrives, whatever the database."""
    # Views are worked out anew for each database.
    views = SqlWarehouse({name: text.replace("CREATE TABLE", "CREATE VIEW") for name, text in made.files.items()})
    open_ = set(sources)
    with executed(views, {}) as database:
        for rows in databases:
            if not open_:
                break
            filled(database, rows)
            for one in sorted({one for one, _ in open_}):
                came = [token for token in arrivals(database, *one) if (one, _named(token)) in open_]
                open_ -= {(one, _named(token)) for token in came if _comes_from(database, rows, one, token)}
                filled(database, rows) if came else None
    return open_


def _named(token: Token) -> str:
    table, column, _ = token
    return f"RAW.{table}.{column}".upper()


def _comes_from(database: duckdb.DuckDBPyConnection, rows: Rows, one: Asked, token: Token) -> bool:
    """Whether a value that arrives comes from the column it is named by: with others there it does no more arrive."""
    name, column, _ = token
    place, table = "ktvw".index(column), f"raw.{name}"
    text = "<{}.{}.{}>".format(*token)
    if sum(value == text for some in rows.values() for row in some for value in row) == 1:
        return True
    changed = [
        [f"other {at}" if at == place and value == text else value for at, value in enumerate(row)]
        for row in rows[table]
    ]
    filled(database, {**rows, table: changed})
    return token not in arrivals(database, *one)


def _carriers(answer: Lineage) -> set[str]:
    """The golden sources whose values are texts of their own."""
    return {end.attribute for end in answer.golden if end.attribute[-2:] in (".V", ".W")}


def _examples(answers: Iterable[Lineage]) -> Iterator[Rows]:
    """The example row of each golden source with the rows joined to it."""
    for end in (end for answer in answers for end in answer.golden):
        rows: dict[str, list[list[object]]] = {table: [] for table in TABLES}
        given = [(end.attribute.rpartition(".")[0], end.witness), *end.partners]
        for entity, row in given:
            if entity.lower() in rows:
                values = {name.rpartition(".")[2]: value for name, value in row}
                at, table = len(rows[entity.lower()]), entity.lower()
                own = [f"<{table.rpartition('.')[2]}.{column}.{at}>" for column in "vw"]
                # Where nothing says of what kind a value is, an example has some text.
                number = 7 if isinstance(values.get("K"), str) else values.get("K")
                rows[table].append([number, values.get("T"), *own])
        yield rows


def tiny_rows(draw: Random) -> Rows:
    """A database over two or three values and NULL: some tables have each pair of K and T, others few rows, alike.

    What is looked for wants many rows, what must not be found wants few, so both are tried in turn.
    """
    numbers = [*draw.sample([0, 1, 2, 3], draw.choice([1, 2, 3])), *[None] * draw.randint(0, 1)]
    texts = [*draw.sample(["a", "b", "c", "d"], draw.choice([1, 2, 3])), *[None] * draw.randint(0, 1)]
    pairs = [(number, text) for number in numbers for text in texts]
    alike = [draw.choice(pairs) for _ in range(draw.randint(1, 4))]
    empty, unknown, every = draw.choice([0, 0, 0, 0.3]), draw.choice([0.1, 0.1, 0.5]), draw.choice([0, 0.5, 1])
    found = {}
    for table in TABLES:
        name = table.rpartition(".")[2]
        count = 0 if draw.random() < empty else draw.choice([1, 2, 3, 6])
        full = draw.random() < every
        # MIN and MAX take the first or the last text: any row may have it.
        some = draw.sample(pairs, len(pairs)) if full else [draw.choice(alike) for _ in range(count)]
        found[table] = [
            (*pair, *(None if draw.random() < unknown else f"<{name}.{column}.{at}>" for column in "vw"))
            for at, pair in enumerate(some)
        ]
    if draw.random() < 0.3:
        # INTERSECT wants rows that are the same in two tables.
        one, other = draw.sample(TABLES, 2)
        found[one] = [*found[one], *draw.sample(found[other], draw.randint(0, len(found[other])))]
    return found


if __name__ == "__main__":
    # python tests/support/sql_rows.py FIRST LAST DATABASES: the shares over many warehouses, and why sources are kept.
    import sys
    from collections import Counter

    from sql_warehouses import SqlWriter

    first, last, databases = map(int, sys.argv[1:])
    left_out = arrived = never = 0
    causes = Counter[str]()
    for seed in range(first, last):
        one = sharpness(SqlWriter(Random(seed)).warehouse(), Random(seed), databases)
        left_out, arrived, never = left_out + one.left_out, arrived + one.arrived, never + len(one.never)
        causes.update(why for _, why in one.allowed)
        for (asked, source), why in [*one.allowed, *((kept, "no rule allows it") for kept in one.never)]:
            print(f"seed {seed}: {source} is kept in {'.'.join(asked)} and was not seen to arrive: {why}", flush=True)
    print(f"of {left_out + never} that the rules leave out {left_out} are; {arrived} arrive; allowed: {dict(causes)}")
