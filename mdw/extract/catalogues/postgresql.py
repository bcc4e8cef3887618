"""PostgreSQL, from version 12 on: pg_catalog, which shows every role all definitions.

Everything is read in one read-only transaction, so that what others change meanwhile is not seen by half. Definitions
are written out by the server (pg_get_viewdef ...) from what is true now: of an object dropped meanwhile it gives none.
Objects are asked for some at a time; where that fails, one by one.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

import psycopg

from mdw.extract.addresses import Address
from mdw.extract.catalogues import postgresql_queries as queries
from mdw.extract.limits import Clock
from mdw.extract.objects import Chosen, ColumnDefinition, DatabaseObject, TableDefinition, ended
from mdw.model.errors import DatabaseError
from mdw.readers.files.manifests import Cause, Unread

Found = TypeVar("Found")
# A database without an encoding may hold what is no text.
ReadError: TypeAlias = psycopg.Error | UnicodeError
_NAMES = re.compile(r'"((?:[^"]|"")+)"|([^",\s]+)')
_GONE = re.compile(r"could not open relation with OID|cache lookup failed|could not find tuple")
TOGETHER = 500
"""Objects asked for at a time."""
RELKINDS = {"table": ["r", "p", "f"], "view": ["v"], "materialized view": ["m"]}
LISTS = {"function": queries.ROUTINES, "trigger": queries.TRIGGERS, "rule": queries.RULES}
ENABLING = {"D": "DISABLE", "A": "ENABLE ALWAYS", "R": "ENABLE REPLICA"}
OUTSIDE = ("c", "internal")
CAUSES: dict[str | None, Cause] = {"42501": "rights", "55P03": "locked", "57014": "time", "57P01": "lost"}


class LostError(Exception):
    """The connection is no more."""


class Listed(NamedTuple):
    """An object as lists have it."""

    oid: int
    schema: str
    name: str
    signature: list[str]
    kind: str
    state: str
    table: str
    called: str

    def unread(self, cause: Cause, message: str) -> Unread:
        return Unread(self.kind, self.schema, self.name, ",".join(self.signature), cause, message)


class Postgresql:
    """An open PostgreSQL database."""

    system, dialect = "postgresql", "postgres"

    def __init__(self, address: Address, clock: Clock) -> None:
        self._address, self._clock = address, clock
        limits = clock.limits
        opened = ExitStack()
        # A driver's name behind the plus is SQLAlchemy's.
        scheme, _, rest = address.url.partition("://")
        try:
            self._connection = psycopg.connect(
                f"{scheme.partition('+')[0]}://{rest}",
                connect_timeout=max(2, round(limits.connect)),
                application_name="mdw extract",
                client_encoding="utf8",
                prepare_threshold=None,
            )
            opened.callback(self._connection.close)
            self._connection.read_only = True
            self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            # The descriptor is asked for now: the driver forgets it when the connection breaks.
            self._socket = opened.enter_context(socket.socket(fileno=os.dup(self._connection.fileno())))
            waits = [f"{round(1000 * wait)}ms" for wait in (limits.statement, limits.lock)]
            ((version, effective, path, *_),) = self._rows(queries.BEGINNING, waits)
        except (psycopg.Error, OSError) as error:
            opened.close()
            raise DatabaseError(f"cannot read {address.shown}: {self._said(error)}") from None
        self._opened = opened
        self.server, self.search_path = f"PostgreSQL {version}", _search_path(effective, path)

    def close(self) -> None:
        """Let go of the database."""
        with suppress(psycopg.Error):
            self._opened.close()

    def objects(self, wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """Tables, views, routines, triggers and rules."""
        again = wanted.keys is not None and wanted.kind("keys", "comments")
        steps: list[tuple[tuple[str, ...], Chosen]] = [((kind,), Chosen() if again else wanted) for kind in RELKINDS]
        steps += [(("function", "procedure"), wanted), (("trigger",), wanted), (("rule",), wanted)]
        lost: LostError | None = None
        for kinds, some in steps:
            if some.kind(*kinds) and lost is None:
                try:
                    yield from self._kind(kinds, some)
                except LostError as error:
                    lost = error
            if some.kind(*kinds) and lost is not None:
                # It may have been read in part: all of it is to be read again.
                cause: Cause = "time" if self._clock.stopped or self._clock.over else "lost"
                yield from (Unread(kind, "", "", "", cause, str(lost)) for kind in kinds)

    def _kind(self, kinds: tuple[str, ...], wanted: Chosen) -> Iterator[DatabaseObject | Unread]:
        """All of a kind; routines are one list of two kinds."""
        kind = kinds[0]
        values = [RELKINDS[kind]] if kind in RELKINDS else []
        rows, failed = self._tried(lambda: self._rows(LISTS.get(kind, queries.RELATIONS), values))
        if failed is not None:
            yield from (Unread(one, "", "", "", _cause(failed), self._said(failed)) for one in kinds)
        listed = [Listed(*row) for row in rows or ()]
        chosen = [one for one in listed if wanted.one(one.kind, one.schema, one.name, tuple(one.signature))]
        if kind in RELKINDS:
            yield from self._missing(kind)
        read = self._tables if kind == "table" else self._definitions
        for first in range(0, len(chosen), TOGETHER):
            yield from self._some(chosen[first : first + TOGETHER], read)

    def _some(
        self, some: Sequence[Listed], read: Callable[[Sequence[Listed]], list[DatabaseObject | Unread]]
    ) -> Iterator[DatabaseObject | Unread]:
        """Some objects together; where that fails, one by one."""
        found, failed = self._tried(lambda: read(some))
        if failed is None:
            yield from found or ()
            return
        for one in some:
            found, failed = self._tried(lambda one=one: read([one]))  # type: ignore[misc]
            yield from found or ()
            if failed is not None:
                yield one.unread(_cause(failed), self._said(failed))

    # -- kinds ---------------------------------------------------------------------------------------------------------

    def _tables(self, some: Sequence[Listed]) -> list[DatabaseObject | Unread]:
        tables = self._described(some)
        return [DatabaseObject("table", one.schema, one.name, tables[one.oid].text(), note=one.state) for one in some]

    def _definitions(self, some: Sequence[Listed]) -> list[DatabaseObject | Unread]:
        texts = dict(self._rows(queries.definitions(some[0].kind), [[one.oid for one in some]]))
        tables = self._described([one for one in some if one.oid in self._commented])
        return [self._definition(one, texts.get(one.oid), tables.get(one.oid)) for one in some]

    def _definition(self, one: Listed, text: str | None, table: TableDefinition | None) -> DatabaseObject | Unread:
        if text is None:
            return one.unread("gone", "it was dropped while it was read")
        text, note, enabled = ended(text), "", True
        if one.kind in RELKINDS:
            kind = one.kind.upper()
            text = f"CREATE {kind} {one.table} AS\n{text}{table.comments(kind) if table else ''}"
        elif one.table:
            enabled = one.state != "D"
            if one.state in ENABLING:
                text += f"ALTER TABLE {one.table} {ENABLING[one.state]} {one.kind.upper()} {one.called};\n"
        elif one.state in OUTSIDE:
            note = f"its body is outside of the database, in the language {one.state}"
        signature = None if one.kind in RELKINDS else tuple(one.signature)
        return DatabaseObject(one.kind, one.schema, one.name, text, signature, enabled, note)

    def _described(self, some: Sequence[Listed]) -> dict[int, TableDefinition]:
        """Tables and views with their columns, keys and comments."""
        (comments, _), (keys, _) = self._comments, self._keys
        tables = {
            one.oid: TableDefinition(one.table, keys=keys.get(one.oid, []), comment=comments.get((one.oid, 0), ""))
            for one in some
        }
        for oid, number, name, type_, rest in self._rows(queries.COLUMNS, [list(tables)]) if tables else ():
            tables[oid].columns.append(ColumnDefinition(name, type_, rest, comments.get((oid, number), "")))
        return tables

    def _missing(self, kind: str) -> Iterator[Unread]:
        """What is not known of tables and views."""
        for what, failed in (("comments", self._comments[1]), ("keys", self._keys[1])):
            if failed is not None and kind == "table":
                yield Unread(what, "", "", "", _cause(failed), self._said(failed))

    @cached_property
    def _comments(self) -> tuple[dict[tuple[int, int], str], ReadError | None]:
        rows, failed = self._tried(lambda: self._rows(queries.COMMENTS))
        return {(oid, number): text for oid, number, text in rows or ()}, failed

    @cached_property
    def _commented(self) -> set[int]:
        return {oid for oid, _ in self._comments[0]}

    @cached_property
    def _keys(self) -> tuple[dict[int, list[str]], ReadError | None]:
        rows, failed = self._tried(lambda: self._rows(queries.KEYS))
        found: dict[int, list[str]] = {}
        for oid, text in rows or ():
            found.setdefault(oid, []).append(text)
        return found, failed

    # -- asking --------------------------------------------------------------------------------------------------------

    def _tried(self, read: Callable[[], Found]) -> tuple[Found | None, ReadError | None]:
        """What is read, or the error, after which the next can be read; LostError if it cannot."""
        if self._clock.over:
            raise LostError(self._clock.over)
        try:
            # An error ends the transaction it is met in: here one within the other.
            with self._connection.transaction():
                return read(), None
        except (psycopg.Error, UnicodeError) as error:
            if self._connection.closed or self._connection.broken or self._clock.stopped:
                raise LostError(self._said(error)) from None
            return None, error

    def _rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._clock.watching(self._hang_up):
            return self._connection.execute(query.encode(), values or None).fetchall()

    def _hang_up(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _said(self, error: BaseException) -> str:
        """What to say of an error."""
        if self._clock.stopped:
            return self._clock.silence
        first = getattr(getattr(error, "diag", None), "message_primary", None)
        return self._address.scrubbed(first or error)


def _search_path(effective: Sequence[str], said: str) -> tuple[str, ...]:
    """The schemas names are looked for in; those that are of no use to this role may be of use to others.

    >>> _search_path(["mart"], '"$user", mart, "Old DW", public')
    ('mart', 'Old DW', 'public')
    """
    names = [plain or quoted.replace('""', '"') for quoted, plain in _NAMES.findall(said)]
    return tuple(dict.fromkeys((*effective, *(name for name in names if name != "$user"))))


def _cause(error: ReadError) -> Cause:
    """Of which sort an error is."""
    # What is gone is no error of the user's to the server, and has no number of its own.
    if isinstance(error, UnicodeError):
        return "refused"
    gone = error.sqlstate == "XX000" and _GONE.search(error.diag.message_primary or "")
    return "gone" if gone else CAUSES.get(error.sqlstate, "refused")
