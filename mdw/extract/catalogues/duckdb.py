"""DuckDB: its own catalogue. The file is opened read-only; nothing is attached, installed or fetched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb

from mdw.extract.addresses import Address
from mdw.extract.limits import Clock
from mdw.extract.objects import Chosen, ColumnDefinition, DatabaseObject, TableDefinition, ended, quoted
from mdw.model.errors import DatabaseError
from mdw.readers.files.manifests import Unread

CLOSED: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "enable_external_access": "false",
    "lock_configuration": "true",
}
HERE = "database_name = current_database() AND NOT internal"
TABLES = (
    f"SELECT schema_name, table_name, sql, comment FROM duckdb_tables() WHERE {HERE} AND NOT temporary ORDER BY ALL"
)
VIEWS = f"SELECT schema_name, view_name, sql, comment FROM duckdb_views() WHERE {HERE} AND NOT temporary ORDER BY ALL"
COMMENTS = f"SELECT schema_name, table_name, column_name, comment FROM duckdb_columns() WHERE {HERE} AND comment <> ''"
MACROS = f"""
SELECT schema_name, function_name, function_type, parameters, macro_definition FROM duckdb_functions()
WHERE {HERE} AND macro_definition IS NOT NULL ORDER BY ALL
"""
# Older versions have no triggers and no list of them.
HAS_TRIGGERS = "SELECT count(*) FROM duckdb_functions() WHERE function_name = 'duckdb_triggers'"
TRIGGERS = "SELECT schema_name, trigger_name, table_name, sql FROM duckdb_triggers() WHERE NOT temporary ORDER BY ALL"


class Duckdb:
    """An open DuckDB database."""

    system = dialect = "duckdb"
    search_path: tuple[str, ...] = ("main",)

    def __init__(self, address: Address, clock: Clock) -> None:
        assert address.path is not None
        self._address, self._clock = address, clock
        try:
            if not address.path.is_file():
                raise DatabaseError(f"cannot read {address.shown}: no such file")
            self._connection = duckdb.connect(str(address.path), read_only=True, config=CLOSED)
            self._connection.execute("BEGIN TRANSACTION READ ONLY")
            ((version,),) = self._rows("SELECT version()")
        except duckdb.Error as error:
            raise DatabaseError(f"cannot read {address.shown}: {address.scrubbed(error)}") from None
        self.server = f"DuckDB {version}"

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def objects(self, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """Tables, views, macros and triggers."""
        for kind, read in (
            ("table", self._relations),
            ("view", self._relations),
            ("macro", self._macros),
            ("trigger", self._triggers),
        ):
            if not wanted.kind(kind):
                continue
            try:
                for one in read(kind):
                    if wanted.one(one.kind, one.schema, one.name, one.signature or ()):
                        yield one
            except duckdb.Error as error:
                stopped = bool(self._clock.over) or self._clock.stopped
                said = self._clock.silence if stopped else self._address.scrubbed(error)
                yield Unread(kind, "", "", "", "time" if stopped else "refused", said)

    def _relations(self, kind: str) -> Iterator[DatabaseObject]:
        comments: dict[tuple[str, str], list[ColumnDefinition]] = {}
        for schema, table, column, said in self._rows(COMMENTS):
            comments.setdefault((schema, table), []).append(ColumnDefinition(quoted(column), "", comment=said))
        for schema, name, text, said in self._rows(TABLES if kind == "table" else VIEWS):
            columns = comments.get((schema, name), [])
            made = TableDefinition(f"{quoted(schema)}.{quoted(name)}", columns, comment=said or "")
            yield DatabaseObject(kind, schema, name, ended(text) + made.comments(kind.upper()))

    def _macros(self, kind: str) -> Iterator[DatabaseObject]:
        for schema, name, type_, parameters, body in self._rows(MACROS):
            called = f"{quoted(schema)}.{quoted(name)}({', '.join(map(quoted, parameters))})"
            made = f"TABLE {body}" if type_ == "table_macro" else body
            yield DatabaseObject(kind, schema, name, ended(f"CREATE MACRO {called} AS {made}"), tuple(parameters))

    def _triggers(self, kind: str) -> Iterator[DatabaseObject]:
        if self._rows(HAS_TRIGGERS)[0][0]:
            for schema, name, table, text in self._rows(TRIGGERS):
                yield DatabaseObject(kind, schema, name, ended(text), (table,))

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with self._clock.watching(self._connection.interrupt):
            return self._connection.execute(query).fetchall()
