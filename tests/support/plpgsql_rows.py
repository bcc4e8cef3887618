"""What programs in PL/pgSQL do in PostgreSQL, against the lineage that mdw reads from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import psycopg
from plpgsql_programs import KEYED, TARGETS, PlProgram
from sql_rows import SCHEMA, TOKEN
from sql_warehouses import TABLES, rows_for

from mdw import Lineage, Warehouse
from mdw.model.answers.ends import End
from mdw.model.name import entity_of

Asked = tuple[str, str]
DATABASES = 3
TIMEOUT = "SET statement_timeout = '2s'"
MADE = (*TARGETS, KEYED)
PAST = {one: one.replace("core.", "past.") for one in MADE}
EMPTY = f"TRUNCATE {', '.join((*TABLES, *MADE, *PAST.values()))}; DROP TABLE IF EXISTS kept"
GONE = "DROP SCHEMA IF EXISTS raw, core, past CASCADE; DROP TABLE IF EXISTS kept"
REMEMBERING = "CREATE SCHEMA past;" + "".join(
    f"CREATE TABLE {past} (LIKE {one});"
    f"CREATE FUNCTION {past}_kept() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN INSERT INTO {past} VALUES (NEW.*); "
    f"RETURN NEW; END $$;"
    # Triggers run by their names: these before and after those of a program.
    + "".join(
        f"CREATE TRIGGER {name} BEFORE INSERT OR UPDATE ON {one} FOR EACH ROW EXECUTE FUNCTION {past}_kept();"
        for name in ("a_kept", "z_kept")
    )
    for one, past in PAST.items()
)
"""Keeps each row that a table of a program ever had: a test may have looked at one that is gone."""


PARTS = r"[^()]|\([^()]*\)"
for _ in range(4):
    PARTS = rf"[^()]|\((?:{PARTS})*\)"
NOWHERE = re.compile(rf"NOT EXISTS ?\((?=[^()]*CORE\.M)(?:{PARTS})*\)")


def read(made: PlProgram) -> tuple[dict[Asked, Lineage], list[str]]:
    """The answer for each column that carries, and what was not followed."""
    with TemporaryDirectory() as folder, Warehouse() as warehouse:
        Path(folder, "0.ddl").write_text(SCHEMA)
        Path(folder, "1.sql").write_text(made.script)
        report = warehouse.load(Path(folder), dialect="postgres")
        assert not report.errors
        missed = [f"{one.kind} {one.status} {one.message}" for one in report.sql if one.status != "whole"]
        return {
            (one, column): warehouse.lineage(f"{one}.{column}") for one in (*TARGETS, KEYED) for column in "vw"
        }, missed


def problems(
    made: PlProgram, database: psycopg.Connection, draw: Random, seen: dict[str, int] | None = None
) -> Iterator[str]:
    """Whatever rows say against the answers."""
    answers, missed = read(made)
    seen = {} if seen is None else seen
    for one in missed:
        seen[one[:60]] = seen.get(one[:60], 0) + 1
    together = "\n".join(made.calls)
    calls = (together,) if made.calling else dict.fromkeys((*made.calls, together))
    try:
        # Where they end transactions the calls run in none.
        database.autocommit = made.ending
        with database.cursor() as cursor:
            yield from _tried(made, calls, answers, cursor, draw, seen)
    finally:
        if made.ending:
            database.execute(GONE)
        database.rollback()
        database.autocommit = False


def _tried(
    made: PlProgram,
    calls: Iterable[str],
    answers: dict[Asked, Lineage],
    cursor: psycopg.Cursor,
    draw: Random,
    seen: dict[str, int],
) -> Iterator[str]:
    """Making tables and routines costs more than running them: they are made once."""
    first, again = (TIMEOUT, EMPTY) if made.ending else (TIMEOUT.replace("SET", "SET LOCAL"), "ROLLBACK TO made")
    cursor.execute(f"{first}; CREATE SCHEMA raw; CREATE SCHEMA core; {SCHEMA}")
    cursor.execute(made.text)
    cursor.execute(REMEMBERING)
    if not made.ending:
        cursor.execute("SAVEPOINT made")
    for _ in range(DATABASES):
        rows = {table: rows_for(draw, table, draw.randint(2, 6)) for table in TABLES}
        for call in calls:
            try:
                yield from _ran(call.splitlines() if made.ending else [call], rows, answers, cursor, seen)
                told = "ran"
            except psycopg.Error as error:
                told = str(error).splitlines()[0]
            seen[told] = seen.get(told, 0) + 1
            cursor.execute(again)


def _ran(
    several: Iterable[str],
    rows: dict[str, list[tuple[object, ...]]],
    answers: dict[Asked, Lineage],
    cursor: psycopg.Cursor,
    seen: dict[str, int],
) -> Iterator[str]:
    for table, some in rows.items():
        cursor.executemany(f"INSERT INTO {table} VALUES (%s, %s, %s, %s)", some)
    for call in several:
        cursor.execute(call)
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
    # Of other parameters than the way a value took nothing is known, and a condition on one counts as met. So does that
    # a table of the program did not have a row.
    condition = NOWHERE.sub("TRUE", end.sql).replace("CORE.M", "PAST.M")
    # The way was gone; or it is the one that gave nothing, as RETURNING where no row is written, and no other was.
    return any(_met(cursor, end, column, token, condition.replace("%(THIS_WAY)s", way)) for way in ("TRUE", "FALSE"))


def _met(cursor: psycopg.Cursor, end: End, column: str, token: str, condition: str) -> bool:
    entity = entity_of(end.attribute)
    try:
        with cursor.connection.transaction():
            cursor.execute(f"SELECT COUNT(*) FROM {entity} WHERE {column} = '{token}' AND ({condition})")
    except psycopg.Error:
        return True
    (count,) = cursor.fetchall()[0]
    return bool(count)
