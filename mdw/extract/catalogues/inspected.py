"""Any other database, through SQLAlchemy and its driver: untried, and said to be so.

Tables and views come from SQLAlchemy's inspector. What ROUTINES of information_schema cut or hide is asked of the
database's own catalogue where one is known. A definition that is hidden or wrapped is named.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import groupby
from threading import Thread
from typing import Any, TypeVar

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

from mdw.extract.addresses import Address
from mdw.extract.limits import Clock
from mdw.extract.objects import Chosen, ColumnDefinition, DatabaseObject, TableDefinition, ended
from mdw.model.errors import DatabaseError
from mdw.readers.files.manifests import Unread
from mdw.readers.sql.dialects import is_dialect

Found = TypeVar("Found")
DIALECTS = {"mssql": "tsql", "mariadb": "mysql", "awsathena": "athena", "teradatasql": "teradata"}
SYSTEM_WORDS = """
    information_schema sys mysql performance_schema pg_catalog guest db_owner db_accessadmin db_securityadmin
    db_ddladmin db_backupoperator db_datareader db_datawriter db_denydatareader db_denydatawriter system outln dbsnmp
    xdb ctxsys mdsys ordsys wmsys dbc
"""
SYSTEM = frozenset(SYSTEM_WORDS.split())
"""Schemas of databases themselves."""
# Schema, name, kind, definition; what is cut into lines comes in their order.
MODULES = {
    "mssql": """
        SELECT s.name, o.name, CASE RTRIM(o.type) WHEN 'P' THEN 'procedure' WHEN 'TR' THEN 'trigger'
               WHEN 'V' THEN 'view' ELSE 'function' END, m.definition
        FROM sys.sql_modules m JOIN sys.objects o ON o.object_id = m.object_id
        JOIN sys.schemas s ON s.schema_id = o.schema_id ORDER BY s.name, o.name
    """,
    "oracle": """
        SELECT owner, name, LOWER(type), text FROM all_source
        WHERE owner NOT IN ('SYS', 'SYSTEM', 'XDB', 'CTXSYS', 'MDSYS', 'ORDSYS', 'WMSYS', 'DBSNMP', 'OUTLN')
        ORDER BY owner, name, type, line
    """,
    "mysql": """
        SELECT routine_schema, routine_name, LOWER(routine_type), routine_definition FROM information_schema.routines
        WHERE routine_schema NOT IN ('sys', 'mysql') ORDER BY routine_schema, routine_name
    """,
}
MODULE_KINDS: dict[str, tuple[str, ...]] = {
    "mssql": ("view", "procedure", "function", "trigger"),
    "oracle": ("procedure", "function", "package", "package body", "type", "type body", "trigger"),
    "mysql": ("procedure", "function"),
    "mariadb": ("procedure", "function"),
}
MODULES["mariadb"] = MODULES["mysql"]
BEGUN = {"oracle": "CREATE OR REPLACE ", "mysql": "-- its body alone\n", "mariadb": "-- its body alone\n"}
HIDDEN = "hidden: the database does not show its definition to this user, or it is encrypted"
WRAPPED = "hidden: its definition is wrapped"


class Inspected:
    """An open database of any other kind."""

    search_path: tuple[str, ...] = ()

    def __init__(self, address: Address, clock: Clock) -> None:
        self._address, self._clock = address, clock
        self.system = address.system
        dialect = DIALECTS.get(self.system, self.system)
        self.dialect = dialect if is_dialect(dialect) else "ansi"
        try:
            self._engine = create_engine(address.url, poolclass=NullPool)
            self._connection = self._within(clock.limits.connect, self._engine.connect)
            self._inspector = self._within(clock.limits.statement, lambda: inspect(self._connection))
        except ModuleNotFoundError:
            raise
        except Exception as error:
            raise DatabaseError(f"cannot read {address.shown}: {address.scrubbed(error)}") from None
        version = getattr(self._engine.dialect, "server_version_info", None) or ()
        self.server = f"{self._engine.dialect.name} {'.'.join(map(str, version))}".strip()

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def objects(self, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """Tables and views, schema by schema, then what else has a definition."""
        kinds = MODULE_KINDS.get(self.system, ())
        inspected = tuple(kind for kind in ("table", "view") if kind not in kinds)
        schemas = yield from self._tried(inspected, "", "", self._inspector.get_schema_names)
        for schema in schemas or ():
            if schema.lower() not in SYSTEM:
                yield from self._tables(schema, wanted)
                if "view" in inspected:
                    yield from self._views(schema, wanted)
        if kinds and wanted.kind(*kinds):
            yield from self._modules(kinds, wanted)

    def _tables(self, schema: str, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        names = yield from self._tried(("table",), schema, "", lambda: self._inspector.get_table_names(schema))
        for name in names or ():
            if wanted.one("table", schema, name):
                made = yield from self._tried(("table",), schema, name, lambda name=name: self._table(schema, name))  # type: ignore[misc]
                if made:
                    yield DatabaseObject("table", schema, name, made.text())

    def _views(self, schema: str, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        names = yield from self._tried(("view",), schema, "", lambda: self._inspector.get_view_names(schema))
        for name in names or ():
            if wanted.one("view", schema, name):
                found = yield from self._tried(("view",), schema, name, lambda name=name: self._view(schema, name))  # type: ignore[misc]
                if found:
                    yield found

    def _modules(self, kinds: tuple[str, ...], wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        query = text(MODULES[self.system])
        rows = yield from self._tried(kinds, "", "", lambda: list(self._connection.execute(query)))
        for (schema, name, kind), some in groupby(rows or (), key=lambda row: (row[0], row[1], row[2])):
            lines = [row[3] for row in some]
            if wanted.one(kind, schema, name):
                body = None if None in lines else "".join(map(str, lines))
                yield self._defined(kind, schema, name, body)

    def _view(self, schema: str, name: str) -> DatabaseObject:
        return self._defined("view", schema, name, self._inspector.get_view_definition(name, schema))

    def _defined(self, kind: str, schema: str, name: str, body: str | None) -> DatabaseObject:
        if not body:
            return DatabaseObject(kind, schema, name, f"-- {HIDDEN}\n", note=HIDDEN)
        first = body.partition("\n")[0].lower()
        if self.system == "oracle" and first.rstrip().endswith("wrapped"):
            return DatabaseObject(kind, schema, name, f"-- {WRAPPED}\n", note=WRAPPED)
        begun = "" if first.lstrip().startswith("create") else BEGUN.get(self.system, "")
        if kind == "view" and not first.lstrip().startswith("create"):
            begun = f"CREATE VIEW {self._quoted(schema)}.{self._quoted(name)} AS\n"
        return DatabaseObject(kind, schema, name, begun + ended(body))

    def _table(self, schema: str, name: str) -> TableDefinition:
        found = self._inspector
        columns = [self._column(one) for one in found.get_columns(name, schema)]
        keys = []
        if primary := found.get_pk_constraint(name, schema).get("constrained_columns"):
            keys.append(f"PRIMARY KEY ({', '.join(map(self._quoted, primary))})")
        for key in found.get_foreign_keys(name, schema):
            table = f"{self._quoted(key.get('referred_schema') or schema)}.{self._quoted(key['referred_table'])}"
            ours, theirs = (
                ", ".join(map(self._quoted, key[part])) for part in ("constrained_columns", "referred_columns")
            )
            keys.append(f"FOREIGN KEY ({ours}) REFERENCES {table} ({theirs})")
        try:
            comment = found.get_table_comment(name, schema).get("text") or ""
        except NotImplementedError:
            comment = ""
        return TableDefinition(f"{self._quoted(schema)}.{self._quoted(name)}", columns, keys, comment)

    def _column(self, one: Any) -> ColumnDefinition:
        type_, name = one["type"].compile(self._engine.dialect), self._quoted(one["name"])
        comment = one.get("comment") or ""
        if formula := _formula(one):
            if self.dialect == "tsql":  # there the formula tells the type
                return ColumnDefinition(name, "", f"AS {formula}", comment)
            # Whether it is stored each database says in its own words, and nobody asks.
            return ColumnDefinition(name, type_, f"GENERATED ALWAYS AS {formula}", comment)
        made = "GENERATED BY DEFAULT AS IDENTITY" if one.get("identity") else ""
        made = "IDENTITY" if made and self.dialect == "tsql" else made
        default = f"DEFAULT {one['default']}" if one.get("default") and not made else ""
        rest = " ".join(part for part in (default, made, "" if one.get("nullable", True) else "NOT NULL") if part)
        return ColumnDefinition(name, type_, rest, comment)

    def _quoted(self, name: str) -> str:
        return self._engine.dialect.identifier_preparer.quote(name)

    def _tried(
        self, kinds: tuple[str, ...], schema: str, name: str, read: Callable[[], Found]
    ) -> Generator[Unread, None, Found | None]:
        """What is read; where that fails, it is said and there is nothing."""
        if self._clock.over:
            yield from (Unread(kind, schema, name, "", "time", self._clock.over) for kind in kinds)
            return None
        try:
            return self._within(self._clock.limits.statement, read)
        except TimeoutError as error:
            yield from (Unread(kind, schema, name, "", "time", str(error)) for kind in kinds)
        # Of drivers that no test has met nobody knows what they raise.
        except Exception as error:
            said = self._address.scrubbed(error)
            yield from (Unread(kind, schema, name, "", "refused", said) for kind in kinds)
        return None

    def _within(self, seconds: float, read: Callable[[], Found]) -> Found:
        """What is read by another thread, which is left alone where it takes too long; drivers have no other limit."""
        found: list[Found] = []
        failed: list[BaseException] = []

        def act() -> None:
            try:
                found.append(read())
            except BaseException as error:
                failed.append(error)

        thread = Thread(target=act, daemon=True)
        thread.start()
        thread.join(max(0.0, min(seconds, self._clock.left)))
        if failed:
            raise failed[0]
        if not found:
            raise TimeoutError(f"no answer within {seconds:g} s")
        return found[0]


def _formula(column: Any) -> str:
    """The formula of a computed column, in parentheses; "" of any other.

    >>> _formula({"computed": {"sqltext": "a * (b + 1)"}}), _formula({"computed": {"sqltext": "(a) + (b)"}})
    ('(a * (b + 1))', '((a) + (b))')
    """
    return f"({str((column.get('computed') or {}).get('sqltext') or '').strip()})".replace("()", "")
