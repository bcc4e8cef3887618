"""Warehouses of SQL as mdw reads them and as DuckDB executes them, and what arrives where.

Every value that can flow is a text of its own, ``<s1.v.0>``, so that a text in a result says where it comes from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import duckdb
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


def executed(made: SqlWarehouse, rows: Rows) -> duckdb.DuckDBPyConnection:
    """The same in a database, with these rows."""
    database = duckdb.connect(config={"threads": 1})
    database.execute(f"CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
    filled(database, rows)
    for text in made.files.values():
        database.execute(text)
    return database


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


@dataclass
class Sharpness:
    """Of sources that steps lead from: those an answer leaves out, those that arrive, and those kept that never do."""

    left_out: int = 0
    arrived: int = 0
    never: list[tuple[Asked, str]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Which share of those that never arrive is left out."""
        return self.left_out / max(1, self.left_out + len(self.never))


def sharpness(made: SqlWarehouse, draw: Random, databases: int) -> Sharpness:
    """How sharp the answers are, tried over so many databases besides those that example rows make."""
    with loaded(made) as warehouse:
        asked = [(entity, column) for entity in made.made for column in "vw"]
        active = {one: warehouse.lineage(".".join(one)) for one in asked}
        passive = {one: warehouse.lineage(".".join(one), mode="passive") for one in asked}
    kept = {(one, name) for one in asked for name in _carriers(active[one])}
    led = {(one, name) for one in asked for name in _carriers(passive[one])}
    # Views are worked out anew for each database.
    views = SqlWarehouse({name: text.replace("CREATE TABLE", "CREATE VIEW") for name, text in made.files.items()})
    database = executed(views, {})
    open_ = set(kept)
    tiny = (tiny_rows(draw) for _ in range(databases))
    for rows in chain((_examples(active.values())), tiny):
        if not open_:
            break
        filled(database, rows)
        for one in sorted({one for one, _ in open_}):
            came = [token for token in arrivals(database, *one) if (one, _named(token)) in open_]
            open_ -= {(one, _named(token)) for token in came if _comes_from(database, rows, one, token)}
            filled(database, rows) if came else None
    return Sharpness(len(led - kept), len(kept) - len(open_), sorted(open_))


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
    """Up to six rows a table, over two or three values and NULL; rows of different tables are often alike."""
    numbers = [*draw.sample([0, 1, 2, 3], draw.choice([1, 2, 3])), *[None] * draw.randint(0, 1)]
    texts = [*draw.sample(["a", "b", "c", "d"], draw.choice([1, 2, 3])), *[None] * draw.randint(0, 1)]
    alike = [(draw.choice(numbers), draw.choice(texts)) for _ in range(draw.randint(1, 4))]
    empty = draw.choice([0, 0, 0, 0.3])
    found = {}
    for table in TABLES:
        name = table.rpartition(".")[2]
        count = 0 if draw.random() < empty else draw.choice([1, 2, 3, 6])
        found[table] = [
            (*draw.choice(alike), *(None if draw.random() < 0.1 else f"<{name}.{column}.{at}>" for column in "vw"))
            for at in range(count)
        ]
    if draw.random() < 0.3:
        # INTERSECT wants rows that are the same in two tables.
        one, other = draw.sample(TABLES, 2)
        found[one] = [*found[one], *draw.sample(found[other], draw.randint(0, len(found[other])))]
    return found


def cause(made: SqlWarehouse, entity: str) -> str:
    """What keeps a source that never arrives, told from what stands in the statements on the way."""
    texts = {name: next(text for text in made.files.values() if f" {name} AS" in text) for name in made.made}
    on_way, pending = set[str](), [entity]
    for one in pending:
        on_way.add(one)
        pending += [other for other in texts if other != one and other in texts[one] and other not in on_way]
    text = "\n".join(texts[one] for one in sorted(on_way))
    if "EXCEPT" in text:
        return "EXCEPT: the right side has the row"
    if "LAG(" in text and "ROW_NUMBER" in text:
        return "LAG in the first row of a window"
    if "NOT EXISTS" in text:
        return "NOT EXISTS finds the row itself"
    return "others"


if __name__ == "__main__":
    # python tests/support/sql_rows.py FIRST LAST DATABASES: the shares over many warehouses, and why sources are kept.
    import sys
    from collections import Counter

    from sql_warehouses import SqlWriter

    first, last, databases = map(int, sys.argv[1:])
    left_out = arrived = 0
    causes = Counter[str]()
    for seed in range(first, last):
        warehouse = SqlWriter(Random(seed)).warehouse()
        one = sharpness(warehouse, Random(seed), databases)
        left_out, arrived = left_out + one.left_out, arrived + one.arrived
        for asked, source in one.never:
            why = cause(warehouse, asked[0])
            causes[why] += 1
            print(f"seed {seed}: {source} is kept in {'.'.join(asked)} and was not seen to arrive ({why})", flush=True)
    never = sum(causes.values())
    print(f"of {left_out + never} that never arrive {left_out} are left out; {arrived} arrive; {dict(causes)}")
