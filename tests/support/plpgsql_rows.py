"""What programs in PL/pgSQL do in PostgreSQL, against the lineage that mdw reads from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg
from plpgsql_programs import TARGETS, PlProgram
from sql_rows import SCHEMA, TOKEN
from sql_warehouses import TABLES, rows_for

from mdw import Lineage, Warehouse
from mdw.model.answers.ends import End
from mdw.model.name import entity_of

Asked = tuple[str, str]
DATABASES = 3


def read(made: PlProgram) -> tuple[dict[Asked, Lineage], list[str]]:
    """The answer for each column that carries, and what was not followed."""
    with TemporaryDirectory() as folder, Warehouse() as warehouse:
        Path(folder, "0.ddl").write_text(SCHEMA)
        Path(folder, "1.sql").write_text(made.text)
        report = warehouse.load(Path(folder), dialect="postgres")
        assert not report.errors
        missed = [f"{one.kind} {one.status} {one.message}" for one in report.sql if one.status != "whole"]
        return {(one, column): warehouse.lineage(f"{one}.{column}") for one in TARGETS for column in "vw"}, missed


def problems(
    made: PlProgram, database: psycopg.Connection, draw: Random, seen: dict[str, int] | None = None
) -> Iterator[str]:
    """Whatever rows say against the answers."""
    answers, missed = read(made)
    seen = {} if seen is None else seen
    for one in missed:
        seen[one[:60]] = seen.get(one[:60], 0) + 1
    for _ in range(DATABASES):
        rows = {table: rows_for(draw, table, draw.randint(2, 6)) for table in TABLES}
        for call in dict.fromkeys((*made.calls, "\n".join(made.calls))):
            try:
                yield from _ran(made.text + call, rows, answers, database, seen)
                seen["ran"] = seen.get("ran", 0) + 1
            except psycopg.Error as error:
                seen["failed"] = seen.get("failed", 0) + 1
                key = str(error).splitlines()[0]
                seen[key] = seen.get(key, 0) + 1
            finally:
                database.rollback()


def _ran(
    text: str,
    rows: dict[str, list[tuple[object, ...]]],
    answers: dict[Asked, Lineage],
    database: psycopg.Connection,
    seen: dict[str, int],
) -> Iterator[str]:
    with database.cursor() as cursor:
        cursor.execute("SET LOCAL statement_timeout = '2s'")
        cursor.execute(f"CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
        for table, some in rows.items():
            cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s, %s, %s)", some)
        cursor.execute(text)
        for (entity, column), answer in answers.items():
            ends = {end.attribute: end for end in answer.golden}
            cursor.execute(f"SELECT {column} FROM {entity}")
            tokens = {token for (value,) in cursor.fetchall() if value for token in TOKEN.findall(value)}
            seen["tokens"] = seen.get("tokens", 0) + len(tokens)
            for table, name, row in sorted(tokens):
                source = f"RAW.{table}.{name}".upper()
                if source not in ends:
                    yield f"{source} arrives at {entity}.{column} and is not in its lineage\n{rows}"
                elif not meets(cursor, ends[source], name, f"<{table}.{name}.{row}>"):
                    yield f"row {row} of {source} arrives at {entity}.{column} against {ends[source].sql}\n{rows}"


def meets(cursor: psycopg.Cursor, end: End, column: str, token: str) -> bool:
    """Whether the row with this text meets the condition; one on what no table holds counts as met."""
    entity = entity_of(end.attribute)
    # The way a value took was gone; of other parameters nothing is known, and such a condition counts as met.
    condition = end.sql.replace("%(THIS_WAY)s", "TRUE")
    cursor.execute("SAVEPOINT asked")
    try:
        cursor.execute(f"SELECT COUNT(*) FROM {entity} WHERE {column} = '{token}' AND ({condition})")
    except psycopg.Error:
        cursor.execute("ROLLBACK TO asked")
        return True
    (count,) = cursor.fetchall()[0]
    return bool(count)
